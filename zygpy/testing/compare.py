"""Comparing a gradient with numerical slopes, entry by entry or along random directions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from zygpy.testing import trees
from zygpy.testing.numeric import Estimate, slope
from zygpy.testing.things import Field
from zygpy.testing.trees import Path

ALL_ENTRIES = 64
SAMPLED_ENTRIES = 8
DIRECTIONS = 3
COARSE = 1e-8
"""Rounding errors above this are those of less than double precision."""

Found: TypeAlias = Callable[[Any], tuple[float, float]]
"""Given a direction, the derivative along it as it was found, and the size of the terms that it is a sum
of."""


class GradientMismatch(AssertionError):
    """A gradient that is not the derivative.

    `argument` says which (`"0['w']"`), `index` which entry of it, `found` and `reference` are the
    two numbers, `seed` reproduces them; all but `seed` are None where they make no sense.
    """

    def __init__(
        self,
        problem: str,
        seed: int,
        argument: str | None = None,
        index: tuple[int, ...] | None = None,
        found: Any = None,
        reference: Any = None,
    ) -> None:
        super().__init__(f"{problem} (seed={seed})")
        self.argument = argument
        self.index = index
        self.found = found
        self.reference = reference
        self.seed = seed


@dataclass(frozen=True)
class Settings:
    """What the caller of `check_gradient` asked for, and whether a rule is checked: its cotangents have the
    dtypes of the gradient; those of a program are converted at its end."""

    order: int = 1
    rtol: float | None = None
    atol: float | None = None
    seed: int = 0
    of_rule: bool = False


@dataclass(frozen=True)
class Problem:
    """The real function `inner(weights, function(*args))`, whose slopes are the reference. It is `lenient` to
    pass over what has no slope, and `of` says what its arguments are. Its precision is `doubted` where what
    the function computes inside may be less precise, with this rounding error."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    weights: Any
    precision: float
    seed: int
    what: str = "gradient"
    lenient: bool = False
    of: str = "argument"
    doubted: float | None = None

    def value(self, args: tuple[Any, ...]) -> float:
        """The function's value at other arguments, which are not written to."""
        product = trees.product_with(self.weights)
        return float(product(self.weights, self.function(*trees.copy(args))))

    def slope(self, path: Path, direction: Any) -> Estimate:
        """The derivative when the argument at `path` moves along `direction`."""
        leaf = trees.lookup(self.args, path)
        size = float(np.max(np.abs(np.asarray(leaf, complex)), initial=0.0))

        def moved(distance: float) -> float:
            if distance == 0:  # an integer stays one
                return self.value(self.args)
            return self.value(trees.replace(self.args, path, trees.shift(leaf, direction, distance)))

        scale = max(1.0, size) / max(1.0, float(np.linalg.norm(direction)))
        found = slope(moved, scale, self.precision)
        if self.doubted is None:
            return found
        return found if is_fine(moved, found, scale) else slope(moved, scale, self.doubted)


def is_fine(function: Callable[[float], float], found: Estimate, scale: float) -> bool:
    """Whether a function goes along its slope in steps so short that single precision cannot tell them.

    >>> square, rough = (lambda t: (1 + t) ** 2), (lambda t: float(np.float32(1 + t) ** 2))
    >>> [is_fine(function, Estimate(2.0, 1e-9), 1.0) for function in (square, rough)]
    [True, False]
    """
    center = function(0.0)
    noise = 16 * 2.0**-52 * max(abs(center), 1e-3)
    return all(
        abs(function(step) - center - found.value * step)
        <= 1e-3 * abs(found.value * step) + 4 * found.error * step + noise
        for step in (scale * 2.0**-20 / 3, scale * 2.0**-23 / 5, scale * 2.0**-25 / 7)
    )


@dataclass(frozen=True)
class Tolerance:
    """How far a gradient may be from the reference."""

    rtol: float
    atol: float

    def covers(self, found: float, reference: Estimate, size: float = 0.0) -> bool:
        """Whether the two agree within the tolerance and the reference's own error.

        `size` is that of the terms of which both are sums.
        """
        allowed = self.atol + self.rtol * max(abs(reference.value), size) + 4 * reference.error
        return bool(abs(found - reference.value) <= allowed) and np.isfinite(found)


def compare(problem: Problem, args: tuple[Any, ...], bars: Any, settings: Settings) -> None:
    """Compare a gradient with the slopes of `problem`, leaf by leaf."""
    random = np.random.default_rng(settings.seed + 1)
    found = trees.parts_of(args, bars)
    for path, leaf in trees.leaves(args):
        bar = summed(leaf, found.get(path, []), path, settings.seed)
        if not (bar is None and trees.is_integer(leaf)):
            compare_leaf(problem, path, leaf, bar, settings, random)


def summed(leaf: Any, bars: list[Any], path: Path, seed: int) -> Any:
    """The cotangent of a leaf: of what is found in several places, the sum of those that are given there."""
    total = None
    for bar in bars:
        check_shape(leaf, bar, path, seed)
        total = bar if total is None else total + bar
    return total


def check_shape(leaf: Any, bar: Any, path: Path, seed: int) -> None:
    """A cotangent has the shape of what it belongs to."""
    if bar is not None and np.shape(bar) != np.shape(leaf):
        name = spell(path)
        problem = f"the gradient of argument {name} has shape {np.shape(bar)}, the argument {np.shape(leaf)}"
        raise GradientMismatch(problem, seed, argument=name, found=bar)


def compare_leaf(
    problem: Problem, path: Path, leaf: Any, bar: Any, settings: Settings, random: np.random.Generator
) -> None:
    """Compare the cotangent of one leaf entry by entry, or along random directions."""
    tolerance = tolerance_of(problem, bar, settings)
    units = list(unit_directions(leaf))
    if len(units) > ALL_ENTRIES:
        for _ in range(DIRECTIONS):
            compare_along(problem, path, trees.random_like(random, leaf), along(bar), tolerance)
        units = [units[k] for k in random.choice(len(units), SAMPLED_ENTRIES, replace=False)]
    for index, unit in units:
        estimate = reference(problem, path, leaf, one_hot(leaf, index, unit))
        if estimate is not None:
            found = part(bar, index, unit)
            report(tolerance.covers(found, estimate), problem, path, index, found, estimate)


def tolerance_of(problem: Problem, bar: Any, settings: Settings) -> Tolerance:
    """The tolerances asked for, or those that suit the precision and the size of the gradient."""
    coarse = problem.precision > COARSE
    rtol = settings.rtol if settings.rtol is not None else (1e-3 if coarse else 1e-6)
    atol = settings.atol if settings.atol is not None else (1e-5 if coarse else 1e-10)
    size = 0.0 if bar is None else float(np.max(np.abs(np.asarray(bar, complex)), initial=0.0))
    return Tolerance(rtol, atol * max(1.0, size if np.isfinite(size) else 1.0))


def unit_directions(leaf: Any) -> Iterator[tuple[tuple[int, ...], complex]]:
    """Every real degree of freedom of a leaf: an index, and 1 or 1j."""
    for index in np.ndindex(np.shape(leaf)):
        yield index, 1.0
        if trees.is_complex(leaf):
            yield index, 1j


def one_hot(leaf: Any, index: tuple[int, ...], unit: complex) -> Any:
    """The direction that moves one entry of a leaf."""
    if not isinstance(leaf, np.ndarray):
        return unit
    direction = np.zeros(leaf.shape, type(unit))
    direction[index] = unit
    return direction


def part(bar: Any, index: tuple[int, ...], unit: complex) -> float:
    """The part of a cotangent that belongs to one real degree of freedom."""
    if bar is None:
        return 0.0
    entry = complex(np.asarray(bar)[index])
    return entry.imag if unit == 1j else entry.real


def reference(problem: Problem, path: Path, leaf: Any, direction: Any) -> Estimate | None:
    """The slope, or None for what cannot be varied smoothly: an integer (a count, an index), and of a lenient
    problem anything around which its function cannot be evaluated."""
    whole = trees.is_integer(leaf)
    if not (whole or problem.lenient):
        return problem.slope(path, direction)
    try:
        estimate = problem.slope(path, direction)
    except Exception:  # whatever a float does where an integer is needed
        return None
    limit = 1e-3 * max(1.0, abs(estimate.value)) if whole else np.finfo(float).max
    return estimate if estimate.error <= limit else None


def along(bar: Any) -> Found:
    """The derivatives along directions that a cotangent stands for."""

    def found(direction: Any) -> tuple[float, float]:
        terms = np.zeros(0) if bar is None else np.asarray(bar * direction, complex)
        return float(trees.inner(bar, direction)), float(np.linalg.norm(terms))

    return found


def compare_randomly(problem: Problem, args: tuple[Any, ...], bars: Any, settings: Settings) -> None:
    """Compare a gradient with the slopes of `problem`, along one random direction of each leaf."""
    random = np.random.default_rng(settings.seed)
    parts = trees.parts_of(args, bars)
    for path, leaf in trees.leaves(args):
        bar = summed(leaf, parts.get(path, []), path, settings.seed)
        direction = trees.random_like(random, leaf)
        if not (bar is None and trees.is_integer(leaf)):
            compare_along(problem, path, direction, along(bar), tolerance_of(problem, bar, settings))


def compare_along(problem: Problem, path: Path, direction: Any, found: Found, tolerance: Tolerance) -> None:
    """Compare along one direction; where they differ, halve the direction to find an entry."""
    leaf = trees.lookup(problem.args, path)
    if agrees_along(problem, path, leaf, direction, found, tolerance):
        return
    places = np.arange(np.size(leaf))
    while len(places) > 1:
        half, rest = np.array_split(places, 2)
        masked = restricted(direction, half)
        places = rest if agrees_along(problem, path, leaf, masked, found, tolerance) else half
    index = tuple(int(k) for k in np.unravel_index(places[0], np.shape(leaf)))
    units: list[complex] = [1.0, 1j] if trees.is_complex(leaf) else [1.0]
    for masked in [*(one_hot(leaf, index, unit) for unit in units), restricted(direction, places)]:
        estimate = reference(problem, path, leaf, masked)
        if estimate is not None:
            value, size = found(masked)
            report(tolerance.covers(value, estimate, size), problem, path, index, value, estimate)


def restricted(direction: Any, places: Any) -> Any:
    """The direction with zeros everywhere but at the given flat positions."""
    if not isinstance(direction, np.ndarray):
        return direction
    masked = np.zeros_like(direction)
    masked.flat[places] = direction.flat[places]
    return masked


def agrees_along(
    problem: Problem, path: Path, leaf: Any, direction: Any, found: Found, tolerance: Tolerance
) -> bool:
    """Whether what was found and the reference agree along one direction."""
    estimate = reference(problem, path, leaf, direction)
    if estimate is None:
        return True
    value, size = found(direction)
    return tolerance.covers(value, estimate, size)


def report(
    agrees: bool, problem: Problem, path: Path, index: tuple[int, ...], found: float, estimate: Estimate
) -> None:
    """Raise unless gradient and reference agree."""
    if agrees:
        return
    name = spell(path)
    text = (
        f"{problem.what} of {getattr(problem.function, '__qualname__', problem.function)} is wrong: "
        f"{problem.of} {name}, index {index}: {problem.what} {found!r}, reference {estimate.value!r} "
        f"(+- {estimate.error:.1g})"
    )
    raise GradientMismatch(text, problem.seed, name, index, found, estimate.value)


def spell(path: Path) -> str:
    """A path as one would write it: argument number, then subscripts and fields.

    >>> spell((0, "w", 2))
    "0['w'][2]"
    """
    steps = [str(key) if isinstance(key, Field) else f"[{key!r}]" for key in path[1:]]
    return str(path[0]) + "".join(steps)
