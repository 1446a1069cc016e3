"""Whether gradients are compared with numerical ones as they are computed: the place where that is kept."""

from __future__ import annotations

import os
from contextvars import ContextVar

CHECKING: ContextVar[bool] = ContextVar("zygpy_checking", default=os.environ.get("ZYGPY_CHECK") == "1")
"""Whether gradients of the running code are checked."""


class Checks:
    """Whether anybody has asked for that: until then nobody looks."""

    wanted = CHECKING.get()
