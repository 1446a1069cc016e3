"""Calls whose arguments are put in the order of the parameters, with their tangents beside them."""

from __future__ import annotations

from typing import Any

from zygpy.arranged import arrangement_of, in_places
from zygpy.pushed.defaults import has_defaults, with_defaults
from zygpy.pushed.found import called
from zygpy.runtime.zeros import (
    or_zeros,
)


def called_in_order(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """The call of a function, which is given an argument for each of its parameters."""
    if has_defaults(carried):
        function, carried, args, dots = with_defaults(function, carried, args, dots)
    arranged = arrangement_of(function, len(args))
    if arranged is None:
        return called(function, carried, args, dots, changing)
    given = in_places(arranged.places, (*args, *arranged.constants))
    return called(arranged.function, carried, given, dots_in_places(arranged, args, dots), changing)


def dots_in_places(arranged: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tangents of what each parameter takes."""
    filled = [or_zeros(dot, value) for dot, value in zip(dots, args, strict=True)]
    return in_places(arranged.places, (*filled, *[None] * len(arranged.constants)))
