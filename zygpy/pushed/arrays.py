"""Methods that write into an array, which tangent code meets when it runs: its tangent is written to in the
same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from zygpy.rules.custom import is_ruled
from zygpy.runtime.lookup import in_class
from zygpy.runtime.zeros import CannotPush, is_plain_number, keeps_numbers

WRITING: Mapping[str, int] = {"fill": 1, "sort": 0}
"""These methods, and how many arguments they have here."""


def is_written(value: Any, name: Any) -> bool:
    """Whether a method writes into what it is a method of.

    >>> is_written(np.ones(2), "fill"), is_written(np.ones(2), "sum")
    (True, False)
    """
    return type(value) is np.ndarray and type(name) is str and name in WRITING


def array_written(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[None, None]:
    """What such a method does."""
    check_array_written(name, args, dots)
    x, x_dot = args[0], dots[0]
    if name == "fill":
        x[...] = args[1]
        x_dot[...] = 0.0 if dots[1] is None else dots[1]
        return None, None
    order = np.argsort(x, kind="stable")
    x[...] = x[order]
    x_dot[...] = x_dot[order]
    return None, None


def check_array_written(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> None:
    """Leave to reverse mode what is not done to the tangent in the same way."""
    x = args[0]
    plain = type(dots[0]) is np.ndarray and dots[0].shape == x.shape and keeps_numbers(x, 0.0)
    if not plain or len(args) - 1 != WRITING[name] or is_ruled(in_class(type(x), name, None)):
        raise CannotPush
    if name == "fill" and not (is_plain_number(args[1]) and keeps_numbers(x, args[1])):
        raise CannotPush
    if name == "sort" and (x.ndim != 1 or x.dtype.kind != "f"):
        raise CannotPush
