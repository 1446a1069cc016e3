"""`checkpointed`: functions whose loops keep their state at some iterations, not at all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, overload

from zygpy.rules import custom
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.stretches import STRETCHES, Plan

__all__ = ["checkpointed"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def checkpointed(segments: int | None = None) -> Callable[[F], F]: ...


@overload
def checkpointed(segments: F) -> F: ...


def checkpointed(segments: Any = None) -> Any:
    """A decorator of functions with long loops, which store little when they are differentiated.

    A loop of `n` iterations, `for` or `while`, is divided into about the square root of `n` stretches. Only
    the state at the start of each is kept; in the backward pass the stretch is run once more, and reversed.
    So the state is stored about `2 * sqrt(n)` times instead of `n` times, and the loop runs twice.

    Parameters
    ----------
    segments : int, optional
        Divide a loop into so many stretches (at least 2), each of these into as many again, and so on: the
        state is stored about `segments * log(n, segments)` times, and the loop runs `log(n, segments)` times.
        (A function in this place is decorated at once: `@zg.checkpointed`.)

    Returns
    -------
    callable
        A decorator. What it returns is a function of the same name, which behaves as the given one does, and
        which may be differentiated like any other; the given one is left as it is.

    Only the outermost loops of the function itself are divided, not those of functions that it calls. What a
    loop prints is printed again when it runs again. Random numbers are the same ones, and what the loop
    changes, arrays, containers and objects, is copied at the start of each stretch.

    Raises
    ------
    ValueError
        If `segments` is less than two.
    UnsupportedSyntaxError
        When the function is differentiated: if a loop cannot be run again, because it walks over an iterator
        (a list is fine), or changes the list that it walks over; rebinds a global variable or one that an
        inner function has captured; stands in a `try`; or may not bind a variable that is read behind it. In
        the backward pass: if data in a global or captured variable that the loop reads has changed.

    Examples
    --------
    >>> import math
    >>> import zygpy as zg
    >>> @zg.checkpointed
    ... def swing(angle, steps):
    ...     speed = 0.0
    ...     for _ in range(steps):
    ...         speed = speed - 0.001 * math.sin(angle)
    ...         angle = angle + 0.001 * speed
    ...     return angle
    >>> slope, _ = zg.gradient(swing, 1.0, 10_000)
    >>> round(slope, 6)
    -0.944085
    """
    if isinstance(segments, FunctionType):
        return _divided(segments, Plan(None))
    if segments is not None and (type(segments) is not int or segments < 2):
        raise ValueError(f"a loop can be divided into two segments or more, not into {segments!r}")

    def decorated(f: F) -> F:
        return cast("F", _divided(f, Plan(segments)))

    return decorated


def _divided(f: Any, plan: Plan) -> Any:
    return _with_plan(f, plan)


def _with_plan(f: Any, plan: Plan) -> Any:
    """The same function under another code object, by which its derivations are found."""
    if not isinstance(f, FunctionType):
        raise TypeError(
            f"loops of functions written in Python can be checkpointed, not those of a {type(f).__name__}"
        )
    code = _own_code(f.__code__, f.__code__.co_filename, plan)
    made: Any = FunctionType(code, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    made.__kwdefaults__ = f.__kwdefaults__
    made.__qualname__, made.__module__, made.__doc__ = f.__qualname__, f.__module__, f.__doc__
    made.__annotations__ = f.__annotations__
    made.__dict__.update(f.__dict__)
    setattr(made, STRETCHES, plan)
    return made


@lru_cache(maxsize=1024)
def _own_code(code: CodeType, filename: str, plan: Plan) -> CodeType:
    """The same code as an object of its own, one for each plan. (Codes of two files may be equal.)"""
    return code.replace()


def _divided_inside(f: Any, plan: Plan) -> Any:
    """The same in a program that is differentiated: what is made carries what `f` does."""
    return _with_plan(f, plan), lambda bar: (bar, None)


custom.add(custom.made(_divided, _divided_inside, "checkpointed"))
non_differentiable(_with_plan, kind="unknown")
