"""Sums and quotients of the series of `numpy.polynomial`, whose helpers write to copies that they make."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import polynomial, polyutils


def added(c1: Any, c2: Any) -> Any:
    """The sum of two series.

    >>> added([1.0, 2.0], [1.0])
    array([2., 2.])
    """
    first, second = polyutils.as_series([c1, c2])
    if len(first) > len(second):
        return polyutils.trimseq(_with_front(first, first[: len(second)] + second))
    return polyutils.trimseq(_with_front(second, second[: len(first)] + first))


def subtracted(c1: Any, c2: Any) -> Any:
    """The difference of two series.

    >>> subtracted([1.0], [1.0, 2.0])
    array([ 0., -2.])
    """
    first, second = polyutils.as_series([c1, c2])
    if len(first) > len(second):
        return polyutils.trimseq(_with_front(first, first[: len(second)] - second))
    turned = -second
    return polyutils.trimseq(_with_front(turned, turned[: len(first)] + first))


def _with_front(series: Any, front: Any) -> Any:
    """A series with other terms in front."""
    return np.concatenate([front, series[len(front) :]])


def divided(c1: Any, c2: Any) -> Any:
    """`numpy.polynomial.polynomial.polydiv`: the quotient and the remainder of two polynomials.

    >>> divided([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])
    (array([3.]), array([-8., -4.]))
    """
    rest, divisor = polyutils.as_series([c1, c2])
    if divisor[-1] == 0:
        raise ZeroDivisionError
    if len(rest) < len(divisor):
        return rest[:1] * 0, rest
    if len(divisor) == 1:
        return rest / divisor[-1], rest[:1] * 0
    lower = divisor[:-1] / divisor[-1]
    leading: list[Any] = []
    for _ in range(len(rest) - len(divisor) + 1):
        leading = [rest[-1:], *leading]
        last = len(rest) - 1
        begin = last - len(lower)
        rest = np.concatenate([rest[:begin], rest[begin:last] - lower * rest[-1]])
    return np.concatenate(leading) / divisor[-1], polyutils.trimseq(rest)


def on_points(x: Any, y: Any, c: Any) -> Any:
    """`numpy.polynomial.polynomial.polyval2d`."""
    x, y = np.asanyarray(x), np.asanyarray(y)
    if np.shape(x) != np.shape(y):
        raise ValueError("x, y are incompatible")
    return polynomial.polyval(y, polynomial.polyval(x, c), tensor=False)


def on_grid(x: Any, y: Any, c: Any) -> Any:
    """`numpy.polynomial.polynomial.polygrid2d`."""
    return polynomial.polyval(y, polynomial.polyval(x, c))
