"""Results that have several parts, and what an adjoint gives for each: what it gives for any cotangent is a
sum of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
PARTS = 64
"""An array may have so many elements."""

Adjoint = Callable[[Any, Any], Any]


def seeds_of(y: Any) -> list[Any] | None:
    """A cotangent for each number of a result; None where it is no number, tuple or small array of numbers.

    >>> seeds_of((2.0, "text", 1j)), seeds_of([2.0])
    ([(1.0, None, None), (None, None, (1+0j)), (None, None, 1j)], None)
    """
    cls = type(y)
    if cls in REAL:
        return [REAL[cls]]
    if cls in COMPLEX:
        return [*COMPLEX[cls]]
    if cls is tuple:
        return _seeds_of_row(y)
    if cls is np.ndarray and y.dtype == np.float64 and y.ndim and 0 < y.size <= PARTS:
        return [*np.eye(y.size).reshape(y.size, *y.shape)]
    return [] if cls in SEEDLESS else None


def _seeds_of_row(y: tuple[Any, ...]) -> list[Any] | None:
    found: list[Any] = []
    for place, item in enumerate(y):
        seeds = seeds_of(item)
        if seeds is None or len(found) > PARTS:
            return None
        before, behind = (None,) * place, (None,) * (len(y) - place - 1)
        found.extend([(*before, seed, *behind) for seed in seeds])
    return found


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
    """A call that gave a result of several parts, and what its adjoint gives for each of their seeds, once it
    has been asked as often as there are any."""

    __slots__ = ("asked", "rows", "seeds", "stash", "y")

    def __init__(self, y: Any, stash: Any, seeds: Sequence[Any]) -> None:
        self.y, self.stash, self.seeds = y, stash, seeds
        self.rows: list[Any] | None = None
        self.asked = 0

    def pulled(self, adjoint: Adjoint, y_bar: Any, count: int) -> Any:
        """What the adjoint gives, which has `count` cotangents (0: a single one, in no tuple)."""
        if self.rows is None and self.asked >= len(self.seeds) > 0:
            self.rows = self._rows(adjoint, count)
        if not self.rows:
            self.asked += 1
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
            found = [adjoint(self.stash, seed) for seed in self.seeds]
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
