"""Gauss's rule on intervals: places, weights, and whether a sum by it is to be trusted.

An estimate of the error is the null rule on the same places, which is zero for polynomials up to a degree
(D. P. Laurie, Practical error estimation in numerical integration, 1985): the intervals into which QUADPACK
has divided a range are fit for the integrand, but need not be for its derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zygpy.errors import MissingRuleError

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(21)
MORE_POINTS, MORE_WEIGHTS = np.polynomial.legendre.leggauss(41)


def _null_rule(points: Any, weights: Any) -> Any:
    """The weights of the null rule, with that of the weights in the middle: the middle place is left out."""
    apart = points[:, None] - points
    np.fill_diagonal(apart, 1.0)
    rule = 1 / np.prod(apart, axis=1)
    middle = len(points) // 2
    return rule * (weights[middle] / rule[middle])


NULL, MORE_NULL = _null_rule(POINTS, WEIGHTS), _null_rule(MORE_POINTS, MORE_WEIGHTS)


class Grid(NamedTuple):
    """Places in (0, 1), and for each its weight, its weight in the null rule, and its interval."""

    places: Any
    weights: Any
    nulls: Any
    intervals: Any


def grid_in(ends: Any) -> Grid:
    """The places for a sum over intervals that have these ends, a row each; where there are several, those at
    the ends of the range are crowded there."""
    middle, half = (ends[:, 1:] + ends[:, :1]) / 2, np.abs(ends[:, 1:] - ends[:, :1]) / 2
    if len(ends) == 1:
        return Grid(
            np.ravel(middle + half * POINTS),
            np.ravel(half * WEIGHTS),
            np.ravel(half * NULL),
            np.zeros(len(POINTS), int),
        )
    outer = (np.min(ends, axis=1) <= np.min(ends)) | (np.max(ends, axis=1) >= np.max(ends))
    inner = np.logical_not(outer)
    bent, slope = bent_points()
    parts = [(inner, POINTS, WEIGHTS, NULL), (outer, bent, MORE_WEIGHTS * slope, MORE_NULL * slope)]
    rows = []
    for own, points, weights, nulls in parts:
        width, numbers = half[own], np.flatnonzero(own)
        rows.append(
            (middle[own] + width * points, width * weights, width * nulls, np.repeat(numbers, len(points)))
        )
    return Grid(*[np.concatenate([np.ravel(one) for one in row]) for row in zip(*rows, strict=True)])


def bent_points() -> Any:
    """Points in (-1, 1), crowded at both ends so that there may be a singularity, and how they are spread."""
    v = (MORE_POINTS + 1) / 2
    bent = v**4 * (35 - 84 * v + 70 * v**2 - 20 * v**3)
    return 2 * bent - 1, 140 * v**3 * (1 - v) ** 3


def nodes_of(a: Any, b: Any, places: Any, weights: Any) -> Any:
    """Where an integrand is taken between limits, and with which weights, from such parts of the range, or
    of (0, 1) if it is infinite."""
    if np.isfinite(a) and np.isfinite(b):
        return a + (b - a) * places, (b - a) * weights
    far, weights = (1 - places) / places, weights / places**2
    if np.isfinite(a):
        return a + far, weights
    if np.isfinite(b):
        return b - far, weights
    return np.concatenate([far, -far]), np.concatenate([weights, weights])


class Nodes(NamedTuple):
    """Where an integrand is taken between limits: places, weights, those of the null rules, and some of the
    size of the weights."""

    places: list[float]
    weights: Any
    nulls: Any
    rough: Any


def nodes_between(a: Any, b: Any, ends: Any) -> Nodes:
    """The places between limits in these intervals."""
    grid = grid_in(ends)
    places, weights = nodes_of(a, b, grid.places, grid.weights)
    _, nulls = nodes_of(a, b, grid.places, grid.nulls)
    intervals = np.resize(grid.intervals, len(places))
    nulls = nulls * np.resize(SIGNS, len(ends))[intervals]
    if np.isfinite(a) and np.isfinite(b):
        kept = inside(inside(places, (a + (b - a) * ends)[intervals]), np.array([[a, b]]))
        nulls = np.where(kept == places, nulls, weights)  # what comes from places that are moved is in doubt
        places = kept
    rough = weights * np.resize(SIGNS, len(weights))
    return Nodes(places.tolist(), weights, nulls, rough)


def inside(places: Any, ends: Any) -> Any:
    """Places that do not round to the ends of their intervals, where an integrand may have no value.

    >>> inside(np.array([0.0, 0.5, 1.0]), np.array([[0.0, 0.5], [0.0, 1.0], [0.5, 1.0]])) < 1
    array([ True,  True,  True])
    """
    low, high = np.min(ends, axis=1), np.max(ends, axis=1)
    return np.clip(places, np.nextafter(low, high), np.nextafter(high, low))


SIGNS = np.random.default_rng(0).choice([-1.0, 1.0], 257) * np.linspace(0.5, 1.5, 257)
"""Factors by which a sum is no sum of the function's any more, so that it is not zero by symmetry."""


def leaves(tree: Any, place: Any = ()) -> dict[Any, Any]:
    """The numbers in cotangents, by where they stand."""
    if tree is None or isinstance(tree, str):
        return {}
    if isinstance(tree, list | tuple):
        items: Any = enumerate(tree)
    elif isinstance(tree, dict):
        items = tree.items()
    elif hasattr(tree, "_asdict"):
        items = tree._asdict().items()
    else:
        numbers = np.asarray(tree)
        return {place: numbers} if numbers.dtype.kind in "fc" else {}
    found: dict[Any, Any] = {}
    for key, item in items:
        found |= leaves(item, (*place, key))
    return found


def size_of(value: Any) -> float:
    """The size of a number, or of the largest one in an array."""
    return float(np.max(np.abs(value), initial=0.0))


def is_doubtful(total: Any, rough: Any, null: Any) -> bool:
    """Whether a null rule says that cotangents are no integrals; of nan there is nothing to be said."""
    sizes, more = leaves(total), leaves(rough)
    for place, error in leaves(null).items():
        size = size_of(sizes.get(place, 0.0)) + size_of(more.get(place, 0.0))
        if size_of(error) > DOUBT * size:
            return True
    return False


DOUBT = 1e-7
"""How large the null rule may be, by the size of a sum; the error of the sum is much smaller then."""

ROUNDS, MANY = 25, 100
"""How often intervals are halved, and how many there may be then."""


def halved_until_sure(ends: Any, look: Callable[[Any], Any]) -> Any:
    """The ends of intervals, of which those are halved whose cotangents are doubtful, as long as there are
    few; `look` tells, of one interval, the integral of them, a rough one, and that by the null rule.

    Raises MissingRuleError where that leaves a doubt which is no matter of digits."""
    rows = {tuple(row): [leaves(tree) for tree in look(row)] for row in np.sort(ends, axis=1).tolist()}
    for _ in range(ROUNDS):
        sizes = _sizes_of(rows.values())
        bad = [row for row, found in rows.items() if _is_beyond(found[2], sizes, FINE_DOUBT)]
        if not bad or len(rows) + len(bad) > MANY:
            break
        for row in bad:
            del rows[row]
            rows |= {half: [leaves(tree) for tree in look(half)] for half in _halves(row)}
    _check_sure(rows.values())
    return np.array(sorted(rows))


def _check_sure(found: Any) -> None:
    """Refuse integrands whose derivatives are too singular to have an integral."""
    sizes = _sizes_of(found)
    if any(_is_beyond(trees[2], sizes, COARSE_DOUBT) for trees in found):
        raise MissingRuleError(
            "there is no rule for the integral of this integrand.",
            why="the integral of its derivative does not come to an end: that is singular",
            instead="substitute, so that what is singular does not depend on what is differentiated",
        )


def _halves(row: Any) -> Any:
    low, high = row
    return (low, (low + high) / 2), ((low + high) / 2, high)


def _is_beyond(null: Any, sizes: Any, part: float) -> bool:
    return any(size_of(error) > part * sizes.get(place, 0.0) for place, error in null.items())


FINE_DOUBT = 1e-8
"""The same for one of several intervals."""

COARSE_DOUBT = 1e-3
"""The same where intervals are as short as they get."""


def _sizes_of(found: Any) -> dict[Any, float]:
    """The size of every number, by where it stands, of the sums over intervals."""
    sizes: dict[Any, float] = {}
    for trees in found:
        for tree in trees[:2]:
            for place, numbers in tree.items():
                sizes[place] = sizes.get(place, 0.0) + size_of(numbers)
    return sizes
