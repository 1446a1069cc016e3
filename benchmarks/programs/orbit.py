"""A body around a fixed sun: its place and its speed are objects, added and scaled by operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case

Array = NDArray[np.float64]

STEPS, DT = 500, 0.01


class Vector:
    """Two coordinates."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, scale: Any) -> Vector:
        return Vector(self.x * scale, self.y * scale)

    __rmul__ = __mul__

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y)

    def squared(self) -> Any:
        return self.x * self.x + self.y * self.y


def orbit(start: Array) -> Any:
    place, speed = Vector(start[0], start[1]), Vector(start[2], start[3])
    for _ in range(STEPS):
        pull = (1.0 / (0.1 + place.squared())) * -place
        speed += DT * pull
        place += DT * speed
    return place.squared() + speed.squared()


def hand(start: Array) -> tuple[Any, tuple[Array]]:
    place, speed = Vector(start[0], start[1]), Vector(start[2], start[3])
    tape = []
    for _ in range(STEPS):
        strength = 1.0 / (0.1 + place.squared())
        tape.append((place, strength))
        speed = speed + DT * (strength * -place)
        place = place + DT * speed
    place_bar, speed_bar = 2.0 * place, 2.0 * speed
    for before, strength in reversed(tape):
        speed_bar = speed_bar + DT * place_bar
        pull_bar = DT * speed_bar
        strength_bar = -(pull_bar.x * before.x + pull_bar.y * before.y)
        place_bar = place_bar + -pull_bar * strength + before * (-2.0 * strength_bar * strength * strength)
    bars = place_bar.x, place_bar.y, speed_bar.x, speed_bar.y
    return place.squared() + speed.squared(), (np.array(bars),)


CASE = Case(
    "operators: an orbit of vectors", orbit, hand, lambda: (np.array([1.0, 0.2, -0.1, 0.8]),), None, 4
)
