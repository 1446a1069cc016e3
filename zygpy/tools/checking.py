"""Comparing every gradient with a numerical one as it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from zygpy.api import gradient, withgradient
from zygpy.runtime.modes import CHECKING, add_mode
from zygpy.testing import trees
from zygpy.testing.compare import Problem, Settings, compare_along, tolerance_of

__all__ = ["checking"]


@contextmanager
def checking(*, on: bool = True) -> Iterator[None]:
    """In this context every outermost `gradient` and `withgradient` is compared with the slope of the
    function along a random direction of each number and array among the arguments.

    The function is called some dozen times more, with copies of the arguments; what it does beside is done
    as often. The environment variable `ZYGPY_CHECK=1` does the same for a whole program.

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
    zygpy.testing.compare.GradientMismatch: ...
    """
    token = CHECKING.set(on)
    try:
        yield
    finally:
        CHECKING.reset(token)


SEED = 0
ENTRIES = {"gradient": gradient, "withgradient": withgradient}


def _checked(entry: str, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A gradient, or value and gradient, when it has been compared; None where that is not asked for."""
    if not CHECKING.get() or entry not in ENTRIES:
        return None
    given = trees.copy(args)
    with checking(on=False):
        result = ENTRIES[entry](f, *args, **kwargs)
        grads = result.grad if hasattr(result, "grad") else result
        _compare(lambda *args: _first(f(*args, **kwargs)), getattr(f, "__qualname__", f), given, grads)
    return result


def _first(y: Any) -> Any:
    """What is differentiated of a result."""
    if isinstance(y, dict):
        return next(iter(y.values()))
    return y[0] if isinstance(y, tuple) else y


def _compare(function: Callable[..., Any], name: Any, args: tuple[Any, ...], grads: Any) -> None:
    function.__qualname__ = str(name)
    problem = Problem(function, args, 1.0, trees.precision(args), SEED)
    for path, leaf in trees.leaves(args):
        bar = trees.lookup(grads, path)
        if bar is None and trees.is_integer(leaf):
            continue
        random = np.random.default_rng(SEED)
        direction = trees.random_like(random, leaf)
        compare_along(problem, path, direction, bar, tolerance_of(problem, bar, Settings()))


add_mode("checking", _checked)
