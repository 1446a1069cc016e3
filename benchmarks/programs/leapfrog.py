"""Bodies that attract each other, by the leapfrog method: rows of arrays, and objects with attributes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]

BODIES, STEPS, DT, SOFT = 8, 10, 0.01, 0.1


def rows(start: Array, speed: Array, masses: Array) -> Any:
    x, v = start.copy(), speed.copy()
    n = len(masses)
    for _ in range(STEPS):
        x += DT * v
        for i in range(n):
            for j in range(i):
                d = x[j] - x[i]
                near = d @ d + SOFT
                pull = DT * d / (near * np.sqrt(near))
                v[i] += masses[j] * pull
                v[j] -= masses[i] * pull
    return np.sum(x * x) + np.sum(v * v)


def rows_hand(start: Array, speed: Array, masses: Array) -> tuple[Any, tuple[Array, Array, Array]]:
    x, v = start.copy(), speed.copy()
    n = len(masses)
    tape = []
    for _ in range(STEPS):
        x += DT * v
        for i in range(n):
            for j in range(i):
                d = x[j] - x[i]
                near = d @ d + SOFT
                cube = near * np.sqrt(near)
                pull = DT * d / cube
                tape.append((d, near, cube, pull))
                v[i] += masses[j] * pull
                v[j] -= masses[i] * pull
    value = np.sum(x * x) + np.sum(v * v)
    x_bar, v_bar, masses_bar = 2.0 * x, 2.0 * v, np.zeros(n)
    entries = reversed(tape)
    for _ in range(STEPS):
        for i in range(n - 1, -1, -1):
            for j in range(i - 1, -1, -1):
                d, near, cube, pull = next(entries)
                masses_bar[j] += v_bar[i] @ pull
                masses_bar[i] -= v_bar[j] @ pull
                pull_bar = masses[j] * v_bar[i] - masses[i] * v_bar[j]
                d_bar = pull_bar * (DT / cube) - d * (3.0 * (pull_bar @ pull) / near)
                x_bar[j] += d_bar
                x_bar[i] -= d_bar
        v_bar += DT * x_bar
    return value, (x_bar, v_bar, masses_bar)


class Body:
    """A mass at a place, with a speed."""

    def __init__(self, mass: Any, place: Any, speed: Any) -> None:
        self.mass = mass
        self.place = place
        self.speed = speed


def objects(start: Array, speed: Array, masses: Array) -> Any:
    """On a line, and with forces like springs."""
    bodies = [Body(masses[i], start[i], speed[i]) for i in range(len(masses))]
    for _ in range(STEPS):
        for body in bodies:
            body.place += DT * body.speed
        for one in bodies:
            for other in bodies:
                one.speed += DT * other.mass * (other.place - one.place)
    total = 0.0
    for body in bodies:
        total += body.place * body.place + body.speed * body.speed
    return total


def objects_forward(start: Array, speed: Array, masses: Array) -> tuple[Any, list[Body], list[Any]]:
    bodies = [Body(masses[i], start[i], speed[i]) for i in range(len(masses))]
    tape = []
    for _ in range(STEPS):
        for body in bodies:
            body.place += DT * body.speed
        for one in bodies:
            for other in bodies:
                gap = other.place - one.place
                tape.append(gap)
                one.speed += DT * other.mass * gap
    total = 0.0
    for body in bodies:
        total += body.place * body.place + body.speed * body.speed
    return total, bodies, tape


def objects_adjoint(bodies: list[Body], tape: list[Any]) -> list[Body]:
    bars = [Body(0.0, 2.0 * body.place, 2.0 * body.speed) for body in bodies]
    gaps = reversed(tape)
    for _ in range(STEPS):
        for one_bar in reversed(bars):
            for other_bar, other in zip(reversed(bars), reversed(bodies), strict=True):
                bar = DT * one_bar.speed
                other_bar.mass += bar * next(gaps)
                bar *= other.mass
                other_bar.place += bar
                one_bar.place -= bar
        for body_bar in bars:
            body_bar.speed += DT * body_bar.place
    return bars


def objects_hand(start: Array, speed: Array, masses: Array) -> tuple[Any, tuple[Array, Array, Array]]:
    value, bodies, tape = objects_forward(start, speed, masses)
    bars = objects_adjoint(bodies, tape)
    places, speeds = [bar.place for bar in bars], [bar.speed for bar in bars]
    return value, (np.array(places), np.array(speeds), np.array([bar.mass for bar in bars]))


def _bodies(*dimensions: int) -> tuple[Array, Array, Array]:
    random = np.random.default_rng(0)
    start, speed = random.normal(size=(2, BODIES, *dimensions))
    return start, speed, random.uniform(0.5, 1.5, size=BODIES)


ROWS = Case("stencil: leapfrog by rows", rows, rows_hand, lambda: _bodies(3), None, 1.5)
OBJECTS = Case("mutation: leapfrog of objects", objects, objects_hand, _bodies)
