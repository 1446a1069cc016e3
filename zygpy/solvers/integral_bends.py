"""Whether the derivatives of an integrand's derivatives are integrated by the sum that gives its integral:
that is looked at where gradients are nested.

They may be rough where the first ones are zero, as those of `p**2 * sin(100 * x)**2` by `p` are at 0.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from zygpy.api import pullback
from zygpy.errors import ZygpyError
from zygpy.rules.declare import non_differentiable
from zygpy.runtime.directions import inner
from zygpy.runtime.levels import AGAIN, present_level
from zygpy.solvers.implicit import in_form_of
from zygpy.solvers.integral_grids import halved_until_sure, is_doubtful, nodes_between
from zygpy.structures import mirrored


def values_again(func: Any, places: Any, args: Any) -> Any:
    """The integrand at these places, which are constant."""
    return [func(place_at(places, number), *args) for number in range(len(places))]


def place_at(places: Any, number: int) -> float:
    """One of the places."""
    found: float = places[number]
    return found


def seed_like(value: Any) -> Any:
    """The cotangent of an integral for which its sums are looked at: of every entry another number."""
    size = np.size(value)
    return np.reshape(1 + np.arange(size) / size, np.shape(value)) if np.ndim(value) else 1.0


def seeds_of(values: Any, weights: Any, y_bar: Any) -> Any:
    """The cotangents of values, from that of their sum with weights."""
    if type(y_bar) is float and type(values[0]) is float:
        return [weight * y_bar for weight in weights.tolist()]
    pairs = zip(weights.tolist(), values, strict=True)
    return [in_form_of(np.multiply(weight, y_bar), value) for weight, value in pairs]


def second_bars(func: Any, args: Any, places: Any, parts: Any) -> list[Any]:
    """The derivatives of the swings of an integrand by all that it depends on."""
    _, pulled = pullback(swings, func, args, places, parts)
    places_of_parts = range(len(parts))
    bars = [pulled([1.0 if one == place else 0.0 for one in places_of_parts]) for place in places_of_parts]
    return [bar[:2] for bar in bars]


def swings(func: Any, args: Any, places: Any, parts: Any) -> list[float]:
    """The derivatives of the sums of an integrand by all that it depends on, put together to one number for
    the weights of each part."""
    values, pulled = pullback(values_again, func, places, args)
    seed = seed_like(values[0])
    bars = [pulled(seeds_of(values, part, seed))[::2] for part in parts]
    return [inner(bar, unlike_numbers(bar)) for bar in bars]


def unlike_numbers(bars: Any) -> Any:
    """For every number in cotangents a factor, so that they do not cancel each other when they are added."""

    numbers = count(1)

    def factors(path: Any, value: Any) -> Any:
        drawn = np.random.default_rng(next(numbers)).uniform(0.5, 1.5, np.shape(value))
        return drawn if np.ndim(value) else float(drawn)

    return mirrored(bars, factors)


def bent_ends(func: Any, a: Any, b: Any, args: Any, ends: Any) -> Any:
    """The ends of intervals on which the derivatives of an integrand's derivatives are integrated, too, if
    there are gradients around gradients. (Third ones are not looked at.)"""
    if present_level() < 2:
        return ends

    def look(rows: Any) -> Any:
        return _looked_at(0, func, args, nodes_between(a, b, rows))

    try:
        if not is_doubtful(*look(ends)):
            return ends
        return halved_until_sure(ends, lambda row: look(np.array([row])))
    except ZygpyError:  # of these there are no derivatives, so that nobody gets them
        return ends


def _looked_at(level: int, func: Any, args: Any, nodes: Any) -> Any:
    """The second derivatives for the sum, a rough one, and that by the null rule; the integrand is run as if
    there were no gradients around."""
    parts = nodes.weights, nodes.rough, nodes.nulls
    return second_bars(func, args, nodes.places, parts)


AGAIN.add(_looked_at.__code__)

non_differentiable(place_at, kind="float")
non_differentiable(unlike_numbers, kind="unknown")
non_differentiable(bent_ends, kind="array")
