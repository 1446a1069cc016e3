"""`checkpoint`: a call of which nothing is stored, as it is made once more in the backward pass."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from zygpy import dispatch
from zygpy.errors import UnsupportedSyntaxError, dotted_name
from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.draws import Draws, sources_of
from zygpy.runtime.levels import AGAIN, present_level
from zygpy.runtime.reads import Reads, reads_of

__all__ = ["checkpoint"]


def checkpoint(f: Callable[..., Any], *args: Any) -> Any:
    """`f(*args)`, of which nothing is stored: `f` is run once more in the backward pass.

    What `f` prints is printed twice, then. The arguments, and the variables that `f` captures, are as they
    were when the call was made, and so are the random numbers: those of `random` and `np.random`, and of the
    generators that `f` is given, or finds.

    Raises
    ------
    UnsupportedSyntaxError
        If `f` is given, or finds, an iterator, which would give other items then. In the backward pass, if
        `f` changes something outside itself, or if what it reads from a global variable, a class or a module,
        or a number in a variable that functions share, has changed since.

    Examples
    --------
    >>> import zygpy as zg
    >>> def foo(x):
    ...     print("foo")
    ...     return x * x
    >>> zg.gradient(lambda x: zg.checkpoint(foo, x) * x, 3.0)
    foo
    foo
    (27.0,)
    """
    return f(*args)


def _checkpointed(f: Callable[..., Any], *args: Any) -> Any:
    draws, level, reads = _draws(f, args), present_level(), reads_of(f, args)

    def back(y_bar: Any) -> Any:
        _check(reads, f)
        present = _drawn_again(draws, f, args)
        try:
            _, pulled = _again(level, f, args)
        finally:
            _go_on(present)
        return pulled(y_bar)

    return f(*args), back


def _again(level: int, f: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The call and its pullback, at the level of nesting at which it was made before."""
    found = dispatch.pull(f, *args)
    if BEGUN:
        check_end(sys._getframe())
    return found


AGAIN.add(_again.__code__)


def _check(reads: Reads, f: Any) -> None:
    """Refuse to run a function again on other data."""
    changed = reads.changed()
    if changed is not None:
        raise UnsupportedSyntaxError(
            f"the variable '{changed}' has changed since the checkpoint of '{dotted_name(f)}'.",
            why="the function is run once more in the backward pass, and would read something else",
            instead="pass what it reads as an argument",
        )


def _draws(f: Callable[..., Any], args: tuple[Any, ...]) -> Draws:
    return Draws(sources_of(f, args))


def _drawn_again(draws: Draws, f: Callable[..., Any], args: tuple[Any, ...]) -> Draws:
    """Let the random numbers be those of the call before, whose function and arguments these are or are
    copies of; what they are now."""
    present = Draws(sources_of(f, args))
    draws.set_in(present.sources)
    return present


def _go_on(present: Draws) -> None:
    present.set_in(present.sources)


custom.add(custom.made(checkpoint, _checkpointed, "checkpoint", keeps="deeply"))
non_differentiable(_draws, _drawn_again, reads_of, kind="unknown")
non_differentiable(_check, kind="none")
non_differentiable(_go_on, kind="none")
