"""The derivative of a real function of one real variable, by Richardson-extrapolated differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

LARGEST_STEP = 2.0**-4
LEVELS = 40
COLUMNS = 6
SETTLED = 1e-11
PATIENCE = 6


@dataclass(frozen=True, slots=True)
class Estimate:
    """A derivative and how far it may be off (infinite where nothing could be evaluated)."""

    value: float
    error: float


NOTHING = Estimate(math.nan, math.inf)


def slope(function: Callable[[float], float], scale: float = 1.0, precision: float = 2.0**-52) -> Estimate:
    """The derivative of `function` at 0, with an estimate of its error.

    Central differences with halved steps are extrapolated to step zero (L. F. Richardson, 1911; the
    choice among the extrapolants by their mutual differences is C. Ridders', 1982). So is the mean
    of the two values: where that is not the value at 0, the function jumps or has a kink there, and
    the error says so. Steps at which the function raises or is not finite are passed over. `scale`
    is that of the variable; `precision` the relative rounding error of the function's values.

    >>> estimate = slope(lambda t: math.exp(1 + t))
    >>> abs(estimate.value - math.e) <= estimate.error < 1e-9
    True
    """
    best, found_at, center = NOTHING, 0, function(0.0)
    row: Row = ()
    failure: Exception | None = None
    step = LARGEST_STEP * scale
    for level in range(LEVELS):
        try:
            new_row = extrapolate(row, central(function, center, step))
        except Exception as error:
            new_row, failure = (), error
        candidate = best_of(row, new_row, precision * max(abs(center), 1e-3) / step)
        if candidate.error < best.error:
            best, found_at = candidate, level
        if good_enough(best, level - found_at):
            break
        row, step = new_row, step / 2
    if best is NOTHING and failure is not None:
        raise failure
    return best


Entry: TypeAlias = tuple[float, float]
"""The slope of a function, and the gap between its mean around a point and its value, by the step."""

Row: TypeAlias = tuple[Entry, ...]
"""Extrapolants of rising order; empty where the function could not be evaluated."""


def central(function: Callable[[float], float], center: float, step: float) -> Entry | None:
    """Differences of one step, or None where they are not finite."""
    above, below = function(step), function(-step)
    entry = (above - below) / (2 * step), (above / 2 + below / 2 - center) / step
    return entry if all(map(math.isfinite, entry)) else None


def extrapolate(row: Row, first: Entry | None) -> Row:
    """The next row of the tableau: each column removes one more even power of the step."""
    if first is None:
        return ()
    new_row = [first]
    for column, (slope_there, gap_there) in enumerate(row[: COLUMNS - 1], start=1):
        slope_here, gap_here = new_row[-1]
        factor = 4.0**column - 1
        # A gap is divided by the step, which has halved since.
        gap = gap_here + (gap_here - gap_there * 2) / factor
        new_row.append((slope_here + (slope_here - slope_there) / factor, gap))
    return tuple(new_row)


def best_of(row: Row, new_row: Row, noise: float) -> Estimate:
    """The entry of `new_row` that differs least from the two it was made of, and has least gap."""
    best = NOTHING
    for column in range(1, len(new_row)):
        value, gap = new_row[column]
        scatter = max(abs(value - new_row[column - 1][0]), abs(value - row[column - 1][0]))
        error = max(scatter, abs(gap)) + noise
        if error < best.error:
            best = Estimate(value, error)
    return best


def good_enough(best: Estimate, since: int) -> bool:
    """Whether smaller steps can be spared: rounding has long taken over, or nothing is left to gain."""
    size = max(abs(best.value), 1e-3)
    return best.error <= SETTLED * size or (since >= PATIENCE and best.error <= 1e-3 * size)
