"""Calls that are handed to threads, as programs that make them at once, one after the other.

Threads of a pool may do so too, so what a program computes is one of the things that it computes in a plain
call.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from zygpy.errors import UnsupportedSyntaxError


class Made(Future):  # type: ignore[type-arg]
    """A call that was made when it was handed in, with what it returned or raised."""

    def __init__(self, value: Any, error: BaseException | None) -> None:
        self.value, self.error = value, error

    def __repr__(self) -> str:
        return f"<Future at {id(self):#x} state=finished>"

    def result(self, timeout: float | None = None) -> Any:
        """What the call returned, or raised."""
        if self.error is not None:
            raise self.error
        return self.value

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """What the call raised."""
        return self.error

    def done(self) -> bool:
        """Whether the call is over."""
        return True

    def running(self) -> bool:
        """Whether the call is being made."""
        return False

    def cancelled(self) -> bool:
        """Whether the call was never made."""
        return False

    def cancel(self) -> bool:
        """Give up the call, if it was not made yet."""
        return False

    def add_done_callback(self, fn: Any) -> None:
        """Let a function be called when the call is over."""
        fn(self)


def check_open(executor: Any) -> None:
    """Refuse executors whose calls are made elsewhere; raise what one raises that takes no more calls."""
    cls = type(executor)
    if not issubclass(cls, ThreadPoolExecutor) or cls.__module__ == "concurrent.futures.interpreter":
        raise UnsupportedSyntaxError(
            f"a call is handed to a {cls.__name__}.",
            why="it is made by another process or interpreter, where it is not followed",
            instead="use a `concurrent.futures.ThreadPoolExecutor`",
        )
    ThreadPoolExecutor.submit(executor, bool).result()


def submitted(executor: Any, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`executor.submit(fn, *args, **kwargs)`."""
    check_open(executor)
    try:
        value = fn(*args, **kwargs)
    except BaseException as error:
        return Made(None, error)
    return Made(value, None)


def mapped(
    executor: Any,
    fn: Any,
    *iterables: Any,
    timeout: float | None = None,
    chunksize: int = 1,
    buffersize: int | None = None,
) -> Any:
    """`executor.map(fn, *iterables)`."""
    columns = [list(iterable) for iterable in iterables]
    shortest = min([len(column) for column in columns]) if columns else 0
    made = [executor.submit(fn, *[column[place] for column in columns]) for place in range(shortest)]
    if all(one.exception() is None for one in made):
        return iter([one.result() for one in made])
    return until_one_raises(made)


def until_one_raises(made: Any) -> Any:
    """What calls returned, one after the other."""
    for one in made:
        yield one.result()


ANSWER: Any = type(wait([]))


def completed(fs: Any, timeout: float | None = None) -> Any:
    """`concurrent.futures.as_completed(fs)`, which gives each once."""
    made = list(dict.fromkeys(fs))
    check_made(made)
    return iter(made)


def awaited(fs: Any, timeout: float | None = None, return_when: str = "ALL_COMPLETED") -> Any:
    """`concurrent.futures.wait(fs)`."""
    made = list(fs)
    check_made(made)
    return ANSWER(set(made), set())


def check_made(futures: Any) -> None:
    """Refuse to wait for calls that were not handed in by the program that is differentiated."""
    if not all(type(one) is Made for one in futures):
        raise UnsupportedSyntaxError(
            "a program waits for calls that others have handed in.",
            why="what they computed has no gradient, and which are over is not known beforehand",
            instead="wait for them before, and give the program what they returned",
        )
