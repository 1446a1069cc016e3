"""Arrays whose rows are taken apart by a star, and changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zygpy import units
from zygpy.testing import check_gradient

AT = np.array([0.7, -1.3, 2.1])


def first_row(x):
    b = np.outer(x, x)
    rows = [*b]
    v = rows[0]
    v += x[0]
    return np.sum(b * b)


def head_and_rest(x):
    b = np.outer(x, x)
    v, *rest = [*b]
    v *= x[0]
    rest[1][0] = v[2]
    return np.sum(b * b)


def rows_to_a_call(x):
    def change(*rows):
        rows[1][0] += x[2]
        return rows[0][1]

    b = np.outer(x, x)
    return np.sum(b * b) * change(*b) + np.sum(b * b)


def numbers(x):
    b = x * x[0]
    v = [*b]
    b *= x[1]
    _, *w = [*b, *x]
    return v[0] * w[1] + b[2]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("function", [first_row, head_and_rest, rows_to_a_call, numbers])
def test_rows_unpacked(function: Callable[[Any], Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        check_gradient(function, AT)


def test_rows_unpacked_twice() -> None:
    check_gradient(rows_to_a_call, AT, order=2)
