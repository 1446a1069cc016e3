"""Dicts that are only to be read."""

from __future__ import annotations

import gc
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.given import hold_numbers
from zygpy.runtime.native import stored_keys


def shown(value: Any) -> Any:
    """The dict that a `MappingProxyType` shows, and anything else as it is. Names of a class among which are
    numbers are refused: what is read of them is an attribute of the class.

    >>> table = {"a": 1.0}
    >>> shown(MappingProxyType(table)) is table, shown(2.0)
    (True, 2.0)
    """
    found = shown_dict(value)
    if found is not value or type(value) is not MappingProxyType:
        return found
    if any(_is_number(held) for name, held in value.items() if not name.startswith("__")):
        raise UnsupportedSyntaxError(
            "numbers are read past a class, in the table of its names.",
            why="whether they have a gradient is known by the class",
            instead="read an attribute: `getattr(cls, name)`",
        )
    return value


def shown_dict(value: Any) -> Any:
    """The dict that a `MappingProxyType` shows, unless it has the names of a class; anything else as it is.

    >>> shown_dict(MappingProxyType({"a": 1.0})), type(shown_dict(vars(Fraction)))
    ({'a': 1.0}, <class 'mappingproxy'>)
    """
    if type(value) is not MappingProxyType:
        return value
    found = gc.get_referents(value)[0]
    return value if set(stored_keys(found)) >= OF_CLASSES else found


def _is_number(held: Any) -> bool:
    """Whether a value is found by where it is alone. (Other things are found by what they are.)"""
    return (
        isinstance(held, NUMBERS)
        and not isinstance(held, bool)
        and (not isinstance(held, tuple) or hold_numbers((held,)))
    )


NUMBERS = (int, float, complex, np.generic, Fraction, tuple)

OF_CLASSES = frozenset({"__module__", "__doc__"})
"""What every class has a value for."""
