"""Executors of `concurrent.futures`: their calls are made one after the other."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor, as_completed, wait

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import executors

stands_for(ThreadPoolExecutor.submit, executors.submitted)
stands_for(Executor.map, executors.mapped)
stands_for(as_completed, executors.completed)
stands_for(wait, executors.awaited)
non_differentiable(ThreadPoolExecutor, kind="unknown")
non_differentiable(ThreadPoolExecutor.shutdown, executors.check_open, executors.check_made, kind="none")
