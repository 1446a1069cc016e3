"""The garbage collector, which has nothing to find among trees while a program is derived."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def resting_collector() -> Iterator[None]:
    """Keep the collector from running meanwhile, if it may run at all.

    A derivation makes many small objects and hardly a cycle, so that each run of the collector looks through
    all the process has, and finds nothing.

    >>> with resting_collector():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
