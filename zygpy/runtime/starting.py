"""The programs that refuse to start a thread."""

from __future__ import annotations

from typing import Any

from zygpy.errors import UnsupportedSyntaxError


def refuse_thread() -> None:
    """Raise the error for threads that a program starts itself."""
    raise UnsupportedSyntaxError(
        "a thread is made, or started, by the program.",
        why="what it computes beside the program, and when, is not followed",
        instead="call its function, or hand it to a `concurrent.futures.ThreadPoolExecutor`",
    )


def started(thread: Any) -> None:
    """`thread.start()`."""
    refuse_thread()


def made(*args: Any, **kwargs: Any) -> Any:
    """`threading.Thread(...)`, which is given what has a gradient."""
    refuse_thread()
    return args, kwargs
