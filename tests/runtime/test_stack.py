"""Deep work is done wherever it is asked for, and leaves the limits as they were."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

import pytest

from zygpy.runtime.stack import with_room

DEEP = 3 * sys.getrecursionlimit()
setting: ContextVar[str] = ContextVar("setting", default="outside")


def depth(frames: int) -> int:
    return 0 if frames == 0 else 1 + depth(frames - 1)


def below(frames: int, work: Callable[[], Any]) -> Any:
    return work() if frames == 0 else below(frames - 1, work)


def test_work_that_fits_is_done_here() -> None:
    assert with_room(threading.current_thread) is threading.current_thread()


def test_work_that_is_too_deep() -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        depth(DEEP)
    assert with_room(lambda: depth(DEEP)) == DEEP
    assert sys.getrecursionlimit() == limit


def test_little_stack_left() -> None:
    assert below(sys.getrecursionlimit() - 200, lambda: with_room(lambda: depth(500))) == 500


def test_an_error_is_raised_where_the_work_was_asked_for() -> None:
    def fails() -> None:
        depth(DEEP)
        raise KeyError("deep")

    with pytest.raises(KeyError, match="deep"):
        with_room(fails)


def test_context_variables_are_seen() -> None:
    token = setting.set("inside")
    try:
        found = with_room(lambda: (depth(DEEP), setting.get())[1])
    finally:
        setting.reset(token)
    assert found == "inside"


def test_work_inside_work_may_hold_a_lock() -> None:
    lock = threading.RLock()

    def inner() -> int:
        with lock:
            return depth(DEEP)

    def outer() -> int:
        with lock:
            return with_room(inner)

    assert with_room(outer) == DEEP


def test_many_threads_at_once() -> None:
    limit = sys.getrecursionlimit()
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda extra: with_room(lambda: depth(DEEP + extra)), range(8)))
    assert results == [DEEP + extra for extra in range(8)]
    assert sys.getrecursionlimit() == limit


def test_a_thread_that_went_deep_while_another_had_raised_the_limit() -> None:
    """Python ends the process where the limit is lowered below what a thread has used."""
    limit = sys.getrecursionlimit()
    begun, raised, is_deep, lowered = (threading.Event() for _ in range(4))

    def first() -> int:
        begun.set()
        raised.wait()

        def at_the_bottom() -> int:
            is_deep.set()
            lowered.wait()
            return depth(50)

        return below(DEEP, at_the_bottom)

    def second() -> int:
        raised.set()
        is_deep.wait()
        return depth(DEEP)

    with ThreadPoolExecutor(2) as pool:
        shallow = pool.submit(with_room, first)
        begun.wait()
        assert below(limit - 200, lambda: with_room(second)) == DEEP
        lowered.set()
        assert shallow.result() == 50
    assert sys.getrecursionlimit() == limit
