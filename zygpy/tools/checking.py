"""Comparing every derivative with a numerical one as it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from zygpy import derivatives
from zygpy.api import gradient, pullback, withgradient
from zygpy.derivatives import is_implicit
from zygpy.runtime.instead import differentiated_as
from zygpy.runtime.modes import CHECKING, add_mode
from zygpy.tools import comparing
from zygpy.tools.comparing import Asked

__all__ = ["checking"]


@contextmanager
def checking(*, on: bool = True) -> Iterator[None]:
    """In this context every outermost derivative is compared with slopes of the function along a random
    direction of each number and array among the arguments.

    These are what `gradient`, `withgradient`, `derivative`, `jacobian`, `withjacobian`, `hessian`,
    `hessian_reverse`, `diaghessian` and `hvp` give, and the functions that `pullback` and `pushforward` give
    when they are called. Of second derivatives the gradient is compared with slopes of the function, and they
    with slopes of the gradient. Of `Params` each array is moved, where it is, and put back.

    The function is called some dozen times more for each of them, with copies of the arguments and of what
    it has captured; what it does beside is done as often. Where it cannot be evaluated nearby, nothing is
    compared. The environment variable `ZYGPY_CHECK=1` does the same for a whole program.

    Raises
    ------
    GradientMismatch
        An `AssertionError` that names the argument, the entry and both numbers.

    Examples
    --------
    >>> import zygpy as zg
    >>> def cube(x):
    ...     return x**3
    >>> @zg.adjoint(cube)
    ... def _(x):
    ...     return x**3, lambda y_bar: (3.0 * x * y_bar,)
    >>> with zg.checking():
    ...     zg.gradient(cube, 2.0)
    Traceback (most recent call last):
        ...
    zygpy.testing.compare.GradientMismatch: gradient of cube is wrong: argument 0, index (): ...
    >>> with zg.checking():
    ...     zg.hvp(cube, 2.0, 1.0)
    Traceback (most recent call last):
        ...
    zygpy.testing.compare.GradientMismatch: gradient of cube is wrong: argument 0, index (): ...
    """
    token = CHECKING.set(on)
    try:
        yield
    finally:
        CHECKING.reset(token)


Compare = Callable[[Asked, Any], None]
"""Compares what an entry point gave."""

ENTRIES: dict[str, tuple[Callable[..., Any], Compare]] = {
    "gradient": (gradient, comparing.gradients),
    "withgradient": (withgradient, lambda asked, found: comparing.gradients(asked, found.grad)),
    "jacobian": (derivatives.jacobian, comparing.jacobians),
    "withjacobian": (
        derivatives.withjacobian,
        lambda asked, found: comparing.jacobians(asked, found.grad),
    ),
    "hessian": (derivatives.hessian, comparing.hessians),
    "hessian_reverse": (derivatives.hessian_reverse, comparing.hessians),
    "diaghessian": (derivatives.diaghessian, comparing.diagonals),
    "hvp": (derivatives.hvp, comparing.products),
}
"""What they are, and how their results are compared."""


def _checked(entry: str, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What an entry point gives, when it has been compared; None where that is not asked for."""
    if not CHECKING.get() or (is_implicit(args) and entry not in BY_PARAMETERS):
        return None
    asked = comparing.asked_of(f, args, kwargs)
    with checking(on=False):
        if entry == "pullback":
            return _checked_pullback(asked, *pullback(f, *args, **kwargs))
        if entry == "pushforward":
            return _checked_pushforward(asked, derivatives.pushforward(f, *args))
        function, compare = ENTRIES[entry]
        found = function(f, *args, **kwargs)
        compare(asked, found)
    return found


BY_PARAMETERS = frozenset({"pullback", "gradient", "withgradient", "jacobian", "withjacobian"})
"""The entry points that take implicit parameters."""


def _checked_pullback(asked: Asked, y: Any, pull: Callable[[Any], Any]) -> tuple[Any, Callable[[Any], Any]]:
    def back(y_bar: Any) -> Any:
        return _compared(comparing.pulled, asked, pull, y_bar)

    return y, back


def _checked_pushforward(asked: Asked, pushed: Callable[..., Any]) -> Callable[..., Any]:
    def push(*tangents: Any) -> Any:
        return _compared(comparing.pushed, asked, pushed, *tangents)

    return push


def _called(compare: Any, asked: Any, function: Callable[..., Any], *given: Any) -> Any:
    """The same as `_compared` where it is differentiated itself."""
    return function(*given)


@differentiated_as(_called)
def _compared(compare: Any, asked: Asked, function: Callable[..., Any], *given: Any) -> Any:
    """What a pullback or pushforward gives, when it has been compared, where that is asked for."""
    if not CHECKING.get():
        return function(*given)
    with checking(on=False):
        found = function(*given)
        compare(asked, function, given, found)
    return found


add_mode("checking", _checked, first=True)
