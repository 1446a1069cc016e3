"""Room on the stack for work whose depth goes by the size of a program, wherever it is asked for."""

from __future__ import annotations

import ctypes
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

PAUSE = 1.0
"""Seconds after which work that was told to end, and has not, is told again."""

_settings = threading.Lock()
_working = threading.local()
_works, _deep, _limit_before = 0, 0, 0
"""Works being done in all threads, those of them with a large stack, and the limit before the first."""


def with_room(work: Callable[[], T], *, deep: bool = False) -> T:
    """What `work()` returns or raises; done in a thread with a large stack where this one is too small, or
    where the work is known to be `deep`.

    The work has to bear being begun twice: where its depth is not known beforehand, it may run out
    of stack here first. Work inside work stays in the same thread, so that it may hold locks.
    """
    if getattr(_working, "here", False):
        return work()
    # The limit holds for all threads: raised for another, it would not keep this one's stack from overflow.
    if not (deep or _limit_before or _is_short()):
        try:
            with _counted(deep=False):
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
        with _counted(deep=True):
            try:
                results.append(context.run(_do, work))
            except BaseException as error:  # the caller's thread raises it
                errors.append(error)

    thread = threading.Thread(target=run, name="zygpy derivation")
    with _settings:
        size = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(size)
    try:
        thread.join()
    except BaseException:  # what a signal has raised in the thread that waits
        _end(thread, errors)
        raise
    if errors:
        raise errors[0]
    return results[0]


class Ended(BaseException):
    """Raised in a thread whose result nobody waits for any more."""


def _end(thread: threading.Thread, errors: list[BaseException]) -> None:
    """Have the work in a thread end at once, which notes its error: it may hold what others wait for."""
    assert thread.ident is not None
    while thread.is_alive():
        if not errors:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Ended))
        thread.join(PAUSE)


@contextmanager
def _counted(deep: bool) -> Iterator[None]:
    """The limit is raised when deep work begins, and lowered when no work is being done.

    Python 3.11 ends the process where the limit is lowered below a thread that is deeper, as work may be
    that was begun with a small stack before the limit was raised.
    """
    global _works, _deep, _limit_before
    with _settings:
        if deep and not _deep and sys.getrecursionlimit() < LIMIT:
            _limit_before = _limit_before or sys.getrecursionlimit()
            sys.setrecursionlimit(LIMIT)
        _works, _deep = _works + 1, _deep + deep
    try:
        yield
    finally:
        with _settings:
            _works, _deep = _works - 1, _deep - deep
            if not _works and _limit_before:
                sys.setrecursionlimit(_limit_before)
                _limit_before = 0
