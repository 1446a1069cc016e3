"""Threads that a program starts itself are refused."""

from __future__ import annotations

import threading

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import starting

stands_for(threading.Thread, starting.made)
stands_for(threading.Thread.start, starting.started)
non_differentiable(starting.refuse_thread, kind="none")
