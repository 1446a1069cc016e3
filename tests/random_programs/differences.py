"""The reference: differences of plain calls along a direction of all the numbers in the arguments."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from tests.random_programs.subject import Subject
from zygpy.testing.numeric import Estimate, slope

STEP, OTHER_STEPS = 0.1, (0.1 / 2.7182818, 0.01 / 1.4422)


def weights_like(value: Any, random: Random) -> Any:
    """A seed for a result: 1.0 for a number, random numbers for several."""
    several = isinstance(value, tuple | list | dict | np.ndarray)
    return random_like(value, random) if several else 1.0


def random_like(value: Any, random: Random) -> Any:
    """Random numbers in the form of a value."""
    match value:
        case tuple() | list():
            return type(value)(random_like(item, random) for item in value)
        case dict():
            return {key: random_like(item, random) for key, item in value.items()}
        case np.ndarray():
            flat = [random.uniform(-1, 1) for _ in range(value.size)]
            return np.array(flat, value.dtype).reshape(value.shape)
    return random.uniform(-1, 1)


def weighted(value: Any, seed: Any) -> float:
    """The inner product of a result with its seed."""
    if isinstance(seed, dict):
        return sum(weighted(value[key], part) for key, part in seed.items())
    if isinstance(seed, tuple | list):
        return sum(weighted(item, part) for item, part in zip(value, seed, strict=True))
    return float(np.sum(np.asarray(value) * seed))


def difference(
    subject: Subject, way: int, numbers: list[float], direction: np.ndarray, seed: Any, step: float = STEP
) -> Estimate | None:
    """The derivative along a direction; None if the program fails beside the point."""
    return difference_of(subject.call, subject, way, numbers, direction, seed, step)


def difference_of(
    call: Callable[..., Any],
    subject: Subject,
    way: int,
    numbers: list[float],
    direction: np.ndarray,
    seed: Any = 1.0,
    step: float = STEP,
) -> Estimate | None:
    """The same of something that is computed with the program."""

    def along(distance: float) -> float:
        moved = [float(number + distance * step) for number, step in zip(numbers, direction, strict=True)]
        return weighted(call(*subject.arguments(moved, way)), seed)

    try:
        return slope(along, step)
    except Exception:  # whatever programs raise
        return None


def settled(estimate: Estimate | None) -> bool:
    """Whether there is a derivative to compare with: not where the program jumps or has a kink."""
    return estimate is not None and estimate.error < 1e-4 * max(1.0, abs(estimate.value))


def trusted(
    subject: Subject, way: int, numbers: list[float], direction: np.ndarray, seed: Any, estimate: Estimate
) -> bool:
    """Whether steps of other lengths give the same derivative.

    Where a program varies much faster than the steps are long, such as the sine of a large number, all
    differences of one family can agree on something that is no derivative.
    """
    for step in OTHER_STEPS:
        other = difference(subject, way, numbers, direction, seed, step)
        if other is None or not settled(other):
            return False
        if abs(other.value - estimate.value) > 1e-7 * abs(estimate.value) + 10 * (
            estimate.error + other.error
        ):
            return False
    return True


def agree(bars: np.ndarray, direction: np.ndarray, estimate: Estimate, coarse: bool) -> bool:
    """Whether a gradient has the derivative along a direction."""
    if not np.all(np.isfinite(bars)):
        return False
    size = max(1.0, float(np.max(np.abs(bars), initial=0.0)), abs(estimate.value))
    allowed = (3e-3 if coarse else 1e-6) * size + 10 * estimate.error
    return bool(abs(float(bars @ direction) - estimate.value) <= allowed)


def report(subject: Subject, way: int, numbers: list[float], bars: np.ndarray, seed: Any) -> str:
    """The gradient and the differences, number by number."""
    lines = [f"n={way} {subject.mode}", f"arguments={subject.arguments(numbers, way)} seed={seed}"]
    for k, bar in enumerate(bars):
        direction = np.zeros(len(numbers))
        direction[k] = 1.0
        estimate = difference(subject, way, numbers, direction, seed)
        lines.append(f"  number {k}: {bar}, by differences {estimate and estimate.value}")
    return "\n".join(lines)
