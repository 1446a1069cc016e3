"""Tangents of `functools.partial` objects: they tell what is bound, each with its tangent."""

from __future__ import annotations

import functools
from typing import Any

from zygpy.runtime.partials import FUNCTION, position, position_in
from zygpy.runtime.zeros import CannotPush, Carried


def partial_dot(function: Any, dot: Any, args: Any, dots: Any, names: tuple[str, ...]) -> Carried:
    """The tangent of `partial(function, *args)`, where the last arguments have these names.

    >>> partial_dot(max, None, (2.0, 3.0), (0.5, 0.0), ("default",)).pairs()["args[0]"]
    (2.0, 0.5)

    Raises CannotPush where the function is one itself, whose arguments come first.
    """
    if not callable(function) or isinstance(function, functools.partial):
        raise CannotPush
    places = [*map(position, range(len(args) - len(names))), *names]
    pairs = dict(zip(places, zip(args, dots, strict=True), strict=True))
    return Carried(lambda: {FUNCTION: (function, dot), **pairs})


def is_partial(function: Any, carried: Any) -> bool:
    """Whether what is called binds arguments that have tangents."""
    return type(function) is functools.partial and type(carried) is Carried


def bound_in(carried: Carried) -> tuple[Any, list[Any], dict[str, Any]]:
    """What a partial calls, and what it is given first, and by name: all in pairs with the tangents."""
    pairs = carried.pairs()
    placed = [pairs[name] for name in pairs if position_in(name) is not None]
    named = {name: pairs[name] for name in pairs if position_in(name) is None and name != FUNCTION}
    return pairs[FUNCTION], placed, named
