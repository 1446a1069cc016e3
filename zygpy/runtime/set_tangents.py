"""Tangents of sets: a dict that has, under every element, the element's tangent.

Of equal elements a set keeps the first, and so is the tangent that of the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from zygpy.runtime.zeros import UNCHANGEABLE, CannotPush

SETS = (set, frozenset)


def beside_elements(items: list[Any], dots: list[Any]) -> dict[Any, Any]:
    """The tangent of a set that is made of these items.

    >>> beside_elements([2.0, 3.0, 2.0], [0.5, 1.0, 0.25])
    {2.0: 0.5, 3.0: 1.0}
    """
    check_elements(items)
    made: dict[Any, Any] = {}
    for item, dot in zip(items, dots, strict=True):
        if item not in made:
            made[item] = dot
    return made


def of_operands(elements: Any, first: Any, second: Any) -> dict[Any, Any]:
    """The tangent of a set whose elements were in one of two, in the first if they were in both.

    >>> of_operands({2.0, 3.0}, {2.0: 0.5}, {2.0: 1.0, 3.0: 0.25})
    {2.0: 0.5, 3.0: 0.25}
    """
    return {item: first[item] if item in first else second[item] for item in elements}


def check_elements(items: Iterable[Any]) -> None:
    """Leave it to reverse mode to compare what runs code of its own, or is equal to others that it is not.

    >>> check_elements([1.0, "text", (2, 3.0)])
    """
    for item in items:
        if isinstance(item, tuple | frozenset):
            check_elements(item)
        elif type(item) not in (*UNCHANGEABLE, bool) and not isinstance(item, np.number | np.bool_):
            raise CannotPush


def is_set_with_dot(value: Any, dot: Any) -> bool:
    """Whether something is a set of Python's own, and has a tangent of this form.

    >>> is_set_with_dot({1.0}, {1.0: 0.0}), is_set_with_dot({1.0: 2.0}, {1.0: 0.0})
    (True, False)
    """
    return type(value) in SETS and type(dot) is dict
