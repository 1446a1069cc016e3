"""Classes that are generated from their fields, and functions for iterators, lists and dicts."""

from __future__ import annotations

import math
from typing import Any

import attrs
import more_itertools
import numpy as np
import similaritymeasures
import spatialmath as sm
import toolz
from deap import benchmarks

from tests.libraries.table import at


@attrs.define
class Spring:
    k: Any
    x: Any = attrs.field(validator=attrs.validators.gt(0))
    marks: list[Any] = attrs.Factory(list)
    energy: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.energy = 0.5 * self.k * self.x**2


@attrs.frozen
class Place:
    x: Any
    y: Any = attrs.field(converter=lambda y: 2 * y)


@at(1.3, 2.0, 0.5)
def spring(a: Any, b: Any, c: Any) -> Any:
    made = Spring(a, b)
    made.marks.append(c)
    made.x = made.x * c
    return made.energy * made.x + sum(made.marks)


@at(1.3, 2.0, 0.5)
def moved_place(a: Any, b: Any, c: Any) -> Any:
    place = Place(a, b)
    other = attrs.evolve(place, x=c)
    return math.hypot(place.x, place.y) * other.x + other.y


@at(1.3, 2.0, 0.5)
def neighbours(a: Any, b: Any, c: Any) -> Any:
    return sum(p * q for p, q in more_itertools.windowed([a, b, c, a * b], 2))


@at(1.3, 2.0, 0.5)
def apart(a: Any, b: Any, c: Any) -> Any:
    small, large = more_itertools.partition(lambda item: item > 1, [a, b, c])
    return sum(small) * 2 + math.prod(large)


@at(1.3, 2.0, 0.5)
def merged(a: Any, b: Any, c: Any) -> Any:
    found = toolz.valmap(lambda v: v**2, toolz.merge_with(sum, {"a": a, "b": b}, {"a": c}))
    return toolz.pipe(found, lambda d: d["a"] * d["b"], math.sin)


@at(0.3, 0.7, 0.2)
def known_valleys(a: Any, b: Any, c: Any) -> Any:
    return (
        benchmarks.rosenbrock([a, b, c])[0]
        + benchmarks.ackley([a, b])[0]
        + sum(benchmarks.kursawe([a, b, c]))
    )


@at(0.3, 0.7, 0.2)
def poses(a: Any, b: Any, c: Any) -> Any:
    return (sm.SE3(a, b, c) * sm.SE3.Rx(a) * sm.SE3.Tx(b)).A[1].sum()


@at(0.3, 0.8, 0.4)
def curves(a: Any, b: Any, c: Any) -> Any:
    curve = np.array([[0.0, a], [0.5, b], [1.1, c]])
    other = np.array([[0.0, 0.1], [0.4, 0.3], [1.0, 0.6]])
    return similaritymeasures.mse(curve, other) + similaritymeasures.frechet_dist(curve, other)
