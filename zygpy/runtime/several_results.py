"""Results that have several parts, and what an adjoint gives for each: what it gives for any cotangent is a
sum of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from zygpy.errors import ZygpyError
from zygpy.runtime.accumulate import accumulate

REAL: dict[type, Any] = {
    float: 1.0,
    int: 1.0,
    np.float64: 1.0,
    np.float32: np.float32(1),
    Fraction: Fraction(1),
}
"""The seeds of real numbers by their classes."""

COMPLEX: dict[type, tuple[Any, Any]] = {
    complex: (1 + 0j, 1j),
    np.complex128: (1 + 0j, 1j),
    np.complex64: (np.complex64(1), np.complex64(1j)),
}
"""Those of complex ones, whose two parts have an adjoint each."""

SEEDLESS = frozenset({str, bool, type(None)})
PARTS = 8
"""So many numbers a result may have of which each is asked for alone: whatever is asked for then, and
however often, is the same sum."""

Adjoint = Callable[[Any, Any], Any]


def form_of(y: Any) -> Any:
    """The classes of a result and of its parts; None where it is no number, tuple or small array of numbers.

    >>> form_of((2.0, "text")), form_of(np.zeros(2)), form_of([2.0])
    ((<class 'tuple'>, <class 'float'>, <class 'str'>), (<class 'numpy.ndarray'>, (2,)), None)
    """
    cls = type(y)
    if cls is tuple:
        forms = [form_of(item) for item in y]
        return None if any(form is None for form in forms) else (cls, *forms)
    if cls is np.ndarray:
        return (cls, y.shape) if y.dtype == np.float64 and y.ndim and 0 < y.size <= PARTS else None
    return cls if cls in REAL or cls in COMPLEX or cls in SEEDLESS else None


def seeds_of(y: Any) -> list[Any]:
    """A cotangent for each number of a result.

    >>> seeds_of((2.0, "text", 1j))
    [(1.0, None, None), (None, None, (1+0j)), (None, None, 1j)]
    """
    cls = type(y)
    if cls is tuple:
        return [
            (*(None,) * place, seed, *(None,) * (len(y) - place - 1))
            for place, item in enumerate(y)
            for seed in seeds_of(item)
        ]
    if cls is np.ndarray:
        return [*np.eye(y.size).reshape(y.size, *y.shape)]
    return [REAL[cls]] if cls in REAL else [*COMPLEX.get(cls, ())]


def shares_of(y: Any, y_bar: Any) -> Iterator[Any]:
    """By how much each of the seeds counts in a cotangent; None where nothing has come.

    >>> [*shares_of((2.0, "text", 1j), (3.0, None, 4 + 5j))], [*shares_of((2.0, 1j), None)]
    ([3.0, 4.0, 5.0], [None, None, None])
    """
    cls = type(y)
    if cls in REAL:
        yield y_bar
    elif cls in COMPLEX:
        yield from (None, None) if y_bar is None else (y_bar.real, y_bar.imag)
    elif cls is tuple:
        nothing = y_bar is None or (type(y_bar) is float and y_bar == 0.0)
        for place, item in enumerate(y):
            yield from shares_of(item, None if nothing else y_bar[place])
    elif cls is np.ndarray:
        yield from [None] * y.size if y_bar is None else np.broadcast_to(y_bar, y.shape).ravel().tolist()


class Several:
    """A call that gave a result of several parts, of this form, and what its adjoint gives for each of their
    seeds (nothing where there are too many, or none)."""

    __slots__ = ("count", "form", "rows", "stash", "y")

    def __init__(self, y: Any, stash: Any, form: Any) -> None:
        self.y, self.stash, self.form = y, stash, form
        self.count = sum(1 for _ in shares_of(y, None))
        self.rows: list[Any] | None = None if 0 < self.count <= PARTS else []

    def pulled(self, adjoint: Adjoint, y_bar: Any, count: int) -> Any:
        """What the adjoint gives, which has `count` cotangents (0: a single one, in no tuple)."""
        if self.rows is None:
            self.rows = self._rows(adjoint, count)
        if not self.rows:
            return adjoint(self.stash, y_bar)
        shares = [*shares_of(self.y, y_bar)]
        if all(share is None for share in shares):
            shares = [0.0] * len(shares)
        bars: list[Any] = [None] * (count or 1)
        for row, share in zip(self.rows, shares, strict=True):
            if share is not None:
                bars = [accumulate(bar, scaled(slope, share)) for bar, slope in zip(bars, row, strict=True)]
        return tuple(bars) if count else bars[0]

    def _rows(self, adjoint: Adjoint, count: int) -> list[Any]:
        """What it gives for the seeds; nothing where it fails, which is said where it is asked."""
        try:
            found = [adjoint(self.stash, seed) for seed in seeds_of(self.y)]
        except (ArithmeticError, ZygpyError):
            return []
        return found if count else [(row,) for row in found]


def scaled(slope: Any, share: Any) -> Any:
    """A cotangent by a slope, of which a zero makes nothing of an infinite one.

    >>> [scaled(*two) for two in ((3.0, 2.0), (0.0, np.inf), (np.inf, 0.0), (0.0, np.nan))]
    [6.0, 0.0, 0.0, nan]
    >>> scaled((2.0, None), 3.0)
    (6.0, None)
    """
    if slope is None or share is None:
        return None
    if type(slope) is tuple:
        return tuple([scaled(part, share) for part in slope])
    x_bar = slope * share
    if x_bar != x_bar and (share == 0 or (slope == 0 and share == share)):
        return 0.0
    return x_bar
