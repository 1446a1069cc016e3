"""Judging a program: value, effects and gradient against plain calls."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

import zygpy
from tests.random_programs.arguments import gathered, scrambled
from tests.random_programs.differences import (
    STEP,
    agree,
    difference,
    difference_of,
    report,
    settled,
    trusted,
    weighted,
    weights_like,
)
from tests.random_programs.program import Program
from tests.random_programs.subject import Call, Mode, Subject, TooLong, at_most, compiled, mode_of, performed
from zygpy import units
from zygpy.runtime.unknown_derivatives import check_entries

RIGHT, REFUSED, UNUSABLE, SLOW = "right", "refused", "not judged", "slow"
TWICE = "right, but the second derivative is refused"
FINE = (RIGHT, TWICE, REFUSED, UNUSABLE, SLOW)
WAYS = (0, 1, 2)
PLAIN_SECONDS, GRADIENT_SECONDS = 10.0, 20.0
LARGEST = 1e5
DIRECTIONS = 2


ORDER = (RIGHT, TWICE, UNUSABLE, REFUSED)
"""What the ways through a program are judged, the better first."""


@dataclass(frozen=True)
class Verdict:
    """What became of a program, and the details.

    The outcome is one of `FINE`, or says what is wrong: the "value" (or what the call did), the "exception",
    the "gradient" of `pullback`, the "whole gradient" of `gradient`, the "second back" that differs from
    the first, an "internal" error that is no refusal. `plain` is what a plain call raised.
    """

    outcome: str
    detail: str = ""
    plain: str = ""


def judge(
    program: Program,
    mode: Mode | None = None,
    ways: tuple[int, ...] = WAYS,
    seconds: float | None = GRADIENT_SECONDS,
) -> Verdict:
    """The verdict on a program: wrong where one of its ways is, else refused or not judged where one is.

    Every way may take some seconds. A way that cannot be judged where it is differentiated is tried once more
    somewhere else.
    """
    worst = Verdict(RIGHT)
    try:
        with np.errstate(all="ignore"), compiled(program, mode or mode_of(program.seed)) as subject:
            for way in ways:
                verdict = judged(subject, way, seconds)
                if verdict.outcome == UNUSABLE:
                    verdict = judged(replace(subject, point=1), way, seconds)
                if verdict.outcome not in ORDER:
                    return verdict
                worst = max(worst, verdict, key=lambda v: ORDER.index(v.outcome))
    except SyntaxError as error:
        return Verdict(UNUSABLE, f"SyntaxError: {error}")
    return worst


def judged(subject: Subject, way: int, seconds: float | None) -> Verdict:
    """One way through the program, with all that can be asked of it."""
    args = subject.arguments(subject.numbers(), way, subject.mode.dtype)
    overflows: list[Any] = []

    def note(*what: Any) -> None:
        overflows.append(what)

    try:
        with at_most(PLAIN_SECONDS), np.errstate(over="call", call=note):
            plain = performed(subject, args, subject.names["program"])
    except (TooLong, RecursionError) as error:
        return Verdict(UNUSABLE, type(error).__name__)
    if isinstance(plain.failure, RecursionError):
        return Verdict(UNUSABLE, "RecursionError")
    if overflows or not moderate(plain.value):
        return Verdict(UNUSABLE, "numbers grow too large")
    if subject.mode.integers and not as_with_floats(subject, way, plain):
        return Verdict(UNUSABLE, "with floats it computes something else")
    options = units.options(specialise=subject.mode.specialise, simplify=subject.mode.simplify)
    try:
        with options, at_most(seconds):
            return differentiated(subject, way, plain)
    except TooLong as error:
        return Verdict(SLOW, str(error))


def as_with_floats(subject: Subject, way: int, plain: Call) -> bool:
    """Whether a call with integers computes what it does with floats, of which differences are taken.

    (`np.full(3, 2)` is an array of integers, which rounds what is stored in it.)
    """
    args = subject.arguments([float(number) for number in subject.numbers()], way, subject.mode.dtype)
    other = performed(subject, args, subject.names["program"])
    if plain.failure is not None or other.failure is not None:
        return type(plain.failure) is type(other.failure)
    if other.value is None:
        return plain.value is None
    seed = weights_like(other.value, Random("floats"))
    return bool(np.isclose(weighted(plain.value, seed), weighted(other.value, seed), rtol=1e-9))


def moderate(value: Any) -> bool:
    """Whether a value is made of numbers, and all are of moderate size."""
    if isinstance(value, dict):
        return all(map(moderate, value.values()))
    if isinstance(value, list | tuple):
        return all(map(moderate, value))
    if isinstance(value, np.ndarray) and value.dtype == object:
        return False
    return value is None or (
        isinstance(value, int | float | np.ndarray | np.generic) and bool(np.all(np.abs(value) < LARGEST))
    )


def differentiated(subject: Subject, way: int, plain: Call) -> Verdict:
    """Compare value and effects with those of a plain call; then the gradient."""
    args = subject.arguments(subject.numbers(), way, subject.mode.dtype)
    made: list[Any] = []

    def forward(*args: Any) -> Any:
        value, back = zygpy.pullback(subject.names["program"], *args)
        made.append(back)
        return value

    found = performed(subject, args, forward)
    if isinstance(found.failure, zygpy.ZygpyError):
        return refusal(found.failure)
    failure = type(plain.failure).__name__
    if type(found.failure) is not type(plain.failure):
        detail = f"n={way}: {spelled(found.failure)}\ninstead of {plain.failure!r}"
        return Verdict("exception", detail, failure)
    if found.seen != plain.seen:
        detail = f"n={way}: {found.value!r} {found.seen}\nfor {plain.value!r} {plain.seen}"
        return Verdict("value", detail, failure)
    return (
        Verdict(RIGHT) if plain.failure is not None else pulled_back(subject, way, made[0], args, plain.value)
    )


def refusal(error: zygpy.ZygpyError) -> Verdict:
    """A refusal by its reason."""
    return Verdict(REFUSED, f"{error.message} Why: {error.why}")


def spelled(failure: BaseException | None) -> str:
    """An exception and where it came from."""
    return "no exception" if failure is None else "".join(traceback.format_exception(failure)[-4:])


def pulled_back(subject: Subject, way: int, back: Any, args: tuple[Any, ...], value: Any) -> Verdict:
    """Compare `back` with itself, after everything was written over, and with differences."""
    seed = weights_like(value, Random(f"weights {subject.program.seed}"))
    try:
        first = numbers_of(subject, back(seed))
        check_entries(first)  # a pullback gives nan for what is not known among others; a gradient refuses it
        scrambled(list(args))
        second = numbers_of(subject, back(seed))
        whole = whole_gradient(subject, way) if subject.mode.whole_gradient and seed == 1.0 else first
    except zygpy.ZygpyError as error:
        return refusal(error)
    except Exception as error:
        return Verdict("internal", f"n={way}: {spelled(error)}")
    if not np.array_equal(first, second, equal_nan=True):
        return Verdict("second back", f"n={way}: {second}\ninstead of {first}")
    for bars, what in ((first, "gradient"), (whole, "whole gradient")):
        verdict = compared(subject, way, bars, seed, what)
        if verdict.outcome != RIGHT:
            return verdict
    return further(subject, way, seed)


def further(subject: Subject, way: int, seed: Any) -> Verdict:
    """What else is asked of a program, by its mode."""
    if subject.mode.pushed:
        return pushed(subject, way, seed)
    if seed != 1.0:
        return Verdict(RIGHT)
    if subject.mode.product:
        return product(subject, way)
    return differentiated_twice(subject, way) if subject.mode.twice else Verdict(RIGHT)


def direction_of(subject: Subject) -> np.ndarray:
    """A direction of all numbers."""
    random = Random(f"directions {subject.program.seed}")
    return np.array([random.uniform(-1, 1) for _ in range(subject.count())])


def pushed(subject: Subject, way: int, seed: Any) -> Verdict:
    """Compare forward mode with differences: the direction is made as the arguments are."""
    args, direction = subject.arguments(subject.numbers(), way), direction_of(subject)
    along = subject.arguments(list(direction), 0)[:-1]
    subject.reset()
    try:
        found = weighted_tangent(zygpy.pushforward(subject.names["program"], *args)(*along, None), seed)
    except zygpy.ZygpyError:
        return Verdict(TWICE)
    except Exception as error:
        return Verdict("internal", f"n={way}: forward mode: {spelled(error)}")
    estimate = difference(subject, way, subject.numbers(), direction, seed)
    if estimate is None or not settled(estimate):
        return Verdict(UNUSABLE, "differences do not settle")
    if agree(np.array([found]), np.array([1.0]), estimate, coarse=False):
        return Verdict(RIGHT)
    return Verdict("tangent", f"n={way} {subject.mode}: {found}, by differences {estimate}")


def weighted_tangent(value: Any, seed: Any) -> float:
    """The inner product of a tangent, or of none, with a seed."""
    if value is None:
        return 0.0
    if isinstance(seed, dict):
        return sum(weighted_tangent(value.get(key), part) for key, part in seed.items())
    if isinstance(seed, tuple | list):
        return sum(weighted_tangent(item, part) for item, part in zip(value, seed, strict=True))
    return weighted(value, seed)


def product(subject: Subject, way: int) -> Verdict:
    """Compare `hvp` by all arguments in a tuple with differences of the gradient."""
    args, direction = subject.arguments(subject.numbers(), way), direction_of(subject)
    along, weights = subject.arguments(list(direction), 0)[:-1], direction_of(subject)[::-1]
    subject.reset()
    try:
        bars = zygpy.hvp(lambda things: subject.names["program"](*things, way), args[:-1], along)
        found = float(numbers_of(subject, bars) @ weights) if bars is not None else 0.0
    except zygpy.ZygpyError:
        return Verdict(TWICE)
    except Exception as error:
        return Verdict("internal", f"n={way}: product: {spelled(error)}")

    def slope_by_weights(*args: Any) -> float:
        subject.reset()
        return float(numbers_of(subject, zygpy.gradient(subject.names["program"], *args)[:-1]) @ weights)

    estimates = [
        difference_of(slope_by_weights, subject, way, subject.numbers(), direction, 1.0, step)
        for step in (STEP, STEP / 3)
    ]
    if not all(map(settled, estimates)):
        return Verdict(UNUSABLE, "differences of the gradient do not settle")
    alone = np.array([1.0])
    if all(agree(np.array([found]), alone, estimate, coarse=False) for estimate in estimates if estimate):
        return Verdict(RIGHT)
    return Verdict("product", f"n={way} {subject.mode}: {found}, by differences {estimates}")


def first_derivative(program: Any, *args: Any) -> Any:
    """The derivative with respect to the first argument, a number."""
    return zygpy.gradient(program, *args)[0]


def differentiated_twice(subject: Subject, way: int) -> Verdict:
    """Compare the gradient of the first derivative with differences of it."""
    args, program, numbers = (
        subject.arguments(subject.numbers(), way),
        subject.names["program"],
        subject.numbers(),
    )
    subject.reset()
    try:
        value, back = zygpy.pullback(first_derivative, program, *args)
        bars = np.zeros(len(numbers)) if value is None else numbers_of(subject, back(1.0)[1:])
    except zygpy.ZygpyError:
        return Verdict(TWICE)
    except Exception as error:
        return Verdict("internal", f"n={way}: second derivative: {spelled(error)}")

    def derivative(*args: Any) -> Any:
        subject.reset()
        return first_derivative(program, *args) or 0.0

    random = Random(f"directions {subject.program.seed}")
    direction = np.array([random.uniform(-1, 1) for _ in numbers])
    found = [
        difference_of(derivative, subject, way, numbers, direction, 1.0, step) for step in (STEP, STEP / 3)
    ]
    for estimate in found:
        if estimate is None or not settled(estimate):
            return Verdict(UNUSABLE, "differences of the gradient do not settle")
    if all(agree(bars, direction, estimate, coarse=False) for estimate in found if estimate):
        return Verdict(RIGHT)
    return Verdict("second derivative", f"n={way} {subject.mode}: {bars @ direction}, by differences {found}")


def whole_gradient(subject: Subject, way: int) -> np.ndarray:
    """What `gradient` gives, which may keep less than `pullback` does."""
    subject.reset()
    args = subject.arguments(subject.numbers(), way, subject.mode.dtype)
    return numbers_of(subject, zygpy.gradient(subject.names["program"], *args))


def numbers_of(subject: Subject, bars: tuple[Any, ...]) -> np.ndarray:
    """The cotangents of all the numbers; what is shared has the sum of what came through its names."""
    given, count = subject.probe()[:-1], subject.count()
    found = zip(given, bars[: len(given)], strict=True)
    return np.sum([gathered(probe, bar, count) for probe, bar in found], axis=0)


def compared(subject: Subject, way: int, bars: np.ndarray, seed: Any, what: str) -> Verdict:
    """Compare with differences along random directions."""
    random, numbers = Random(f"directions {subject.program.seed}"), subject.numbers()
    verdict = Verdict(RIGHT)
    for _ in range(DIRECTIONS):
        direction = np.array([random.uniform(-1, 1) for _ in numbers])
        estimate = difference(subject, way, numbers, direction, seed)
        if estimate is None or not settled(estimate):
            verdict = Verdict(UNUSABLE, "differences do not settle")
        elif not agree(bars, direction, estimate, subject.mode.dtype == "float32"):
            if not trusted(subject, way, numbers, direction, seed, estimate):
                return Verdict(UNUSABLE, "differences by other steps disagree")
            return Verdict(what, report(subject, way, numbers, bars, seed))
    return verdict
