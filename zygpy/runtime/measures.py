"""What is known of the arguments of a user's rule, and checks that a pullback gives the like for them."""

from __future__ import annotations

from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from zygpy.errors import CotangentShapeError, locate


class Tangent:
    """What a portable rule gives where there is no cotangent."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self) -> Tangent:
        """The same, as the portable protocol spells it: `NoTangent()`."""
        return self

    def __repr__(self) -> str:
        return self._name


NoTangent = Tangent("NoTangent")
ZeroTangent = Tangent("ZeroTangent")

NUMERIC = (int, float, complex, np.generic, np.ndarray)


class Measure(NamedTuple):
    """What is known of a number or array among the arguments of a rule."""

    shape: tuple[int, ...]
    real: bool


class Row(NamedTuple):
    """What is known of a tuple or list: how many items it has, and of a short one their measures."""

    length: int
    items: tuple[Any, ...]


SHORT = 64
"""How many items a list may have of which each is measured."""


def measured(arguments: Any) -> tuple[Any, ...]:
    """The measures of the arguments of a call, None of what is no number, array or row of them.

    >>> measured((1.0, np.ones(3), "text"))
    (Measure(shape=(), real=True), Measure(shape=(3,), real=True), None)
    """
    return tuple([_measure(value) for value in arguments])


def _measure(value: Any, depth: int = 0) -> Any:
    if isinstance(value, NUMERIC):
        return Measure(np.shape(value), not np.iscomplexobj(value))
    if not isinstance(value, tuple | list) or depth == DEEP:
        return None
    items = value if len(value) <= SHORT else ()
    return Row(len(value), tuple([_measure(item, depth + 1) for item in items]))


DEEP = 8
"""How many rows inside of each other are measured: a list may hold itself."""


def check(bar: Any, measure: Any, position: int, rule: Any) -> None:
    """Refuse what cannot be the cotangent of what has this measure."""
    if isinstance(measure, Measure):
        check_shape(bar, measure.shape, position, rule)
    elif isinstance(measure, Row) and isinstance(bar, tuple | list):
        if len(bar) != measure.length:
            raise _of_another_length(rule, position, len(bar), measure.length)
        for item, inner in zip(bar, measure.items, strict=False):  # of long rows there are none
            check(item, inner, position, rule)
    elif isinstance(measure, Row) and isinstance(bar, Number):
        raise _no_row(rule, position, bar, measure.length)


def check_shape(bar: Any, shape: tuple[int, ...], position: int, rule: Any) -> None:
    """Refuse what cannot be the cotangent of a number, or of an array of a shape."""
    if bar is None or isinstance(bar, Tangent):
        return
    if not isinstance(bar, (*NUMERIC, Number, tuple, list)) or _is_of_no_numbers(bar):
        raise _no_number(rule, position, bar)
    if _shape_of(bar) != shape:
        raise _misshapen(rule, position, _shape_of(bar), shape)


def _is_of_no_numbers(bar: Any) -> bool:
    return isinstance(bar, np.ndarray | np.generic) and bar.dtype.kind not in "biufcO"


def _shape_of(bar: Any) -> tuple[int, ...] | None:
    """The shape of a number, an array, or of what can be made one; None if rows are not equally long."""
    try:
        shape: tuple[int, ...] = np.shape(bar)
    except ValueError:
        return None
    return shape


def _no_number(rule: Any, position: int, bar: Any) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a {type(bar).__name__} for argument {position}, which is a number "
        "or an array",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the form of the value that it belongs to",
        instead="give a number or an array, or None for what has no gradient",
    )


def _of_another_length(rule: Any, position: int, found: int, count: int) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a cotangent with {found} items for argument {position}, or for "
        f"something in it, which has {count}",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the form of the value that it belongs to",
        instead="give None for items that have no gradient",
    )


def _no_row(rule: Any, position: int, bar: Any, count: int) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a {type(bar).__name__} for argument {position}, or for something in "
        f"it, which is a row of {count} items",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the form of the value that it belongs to",
        instead="give a tuple or list with an item for each, or None for what has no gradient",
    )


def _misshapen(rule: Any, position: int, found: Any, shape: tuple[int, ...]) -> CotangentShapeError:
    return CotangentShapeError(
        f"the pullback of the rule gives a cotangent of shape {found} for argument {position}, "
        f"which has shape {shape}",
        locate(rule.__code__.co_filename, rule.__code__.co_firstlineno, 0),
        why="a cotangent has the shape of the value that it belongs to",
        instead="sum over the axes that were broadcast",
    )
