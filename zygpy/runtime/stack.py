"""Room on the stack for work whose depth goes by the size of a program, wherever it is asked for."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")

NEEDED = 400
"""Frames that the caller's stack must have left for the work to be done there."""

LIMIT, STACK = 100_000, 256 << 20
"""Frames, and bytes of (virtual) memory for them, of a stack made for the purpose."""

_limit = threading.RLock()
_working = threading.local()


def with_room(work: Callable[[], T]) -> T:
    """What `work()` returns or raises; done in a thread with a large stack where this one is too small.

    The work has to bear being begun twice: where its depth is not known beforehand, it may run out
    of stack here first. Work inside work stays in the same thread, so that it may hold locks.
    """
    if getattr(_working, "here", False):
        return work()
    if not _is_short():
        try:
            return _do(work)
        except RecursionError:
            pass
    return _in_thread(work)


def _do(work: Callable[[], T]) -> T:
    _working.here = True
    try:
        return work()
    finally:
        _working.here = False


def _is_short() -> bool:
    frame: Any = sys._getframe()
    left = sys.getrecursionlimit() - NEEDED
    while frame is not None and left > 0:
        frame, left = frame.f_back, left - 1
    return frame is not None


def _in_thread(work: Callable[[], T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []
    context = copy_context()

    def run() -> None:
        try:
            results.append(context.run(_do, work))
        except BaseException as error:  # the caller's thread raises it
            errors.append(error)

    with _large_stack():
        thread = threading.Thread(target=run, name="zygpy derivation")
        thread.start()
        thread.join()
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def _large_stack() -> Iterator[None]:
    """Threads started here have a large stack. Both settings are global, so one thread at a time."""
    with _limit:
        limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
        sys.setrecursionlimit(max(limit, LIMIT))
        try:
            yield
        finally:
            threading.stack_size(size)
            sys.setrecursionlimit(limit)
