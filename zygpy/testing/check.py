"""What `check_gradient` checks, of any engine that has a `pullback` and a `gradient`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from zygpy import api
from zygpy.errors import UnsupportedSyntaxError
from zygpy.tangents_pulled import gradient_everywhere
from zygpy.testing import trees
from zygpy.testing.compare import COARSE, GradientMismatch, Problem, Settings, compare, spell
from zygpy.testing.types import dtype_error, type_error


@dataclass(frozen=True)
class Engine:
    """The two entry points under test."""

    pullback: Callable[..., Any]
    gradient: Callable[..., Any]


def check(engine: Engine, function: Callable[..., Any], args: tuple[Any, ...], settings: Settings) -> None:
    """Everything `check_gradient` promises; raises `GradientMismatch`."""
    value = function(*trees.copy(args))
    weights = functional(value, settings.seed)
    rounding = trees.precision((args, value))
    bars = checked_bars(engine, function, args, weights, value, settings.seed)
    check_dtypes(args, value, bars, settings)
    problem = widened(Problem(function, args, weights, rounding, settings.seed))
    compare(problem, args, bars, settings)
    compare(problem, args, checked_gradient(engine, function, args, weights, settings.seed), settings)
    if settings.order >= 2:
        check_second(engine, problem, args, settings)
    if rounding >= COARSE:
        check_in_double(engine, problem, settings)


def functional(value: Any, seed: int) -> Any:
    """The fixed random weights that reduce an output to a real number: 1 for a real number."""
    random = np.random.default_rng(seed)
    if trees.is_numeric(value) and np.ndim(value) == 0 and not trees.is_complex(value):
        return weight_like(value, 1.0)
    return trees.weights_of(lambda leaf: random_weight(random, leaf), value)


def random_weight(random: np.random.Generator, leaf: Any) -> Any:
    """A random weight of the type of one numeric leaf."""
    return weight_like(leaf, trees.random_like(random, leaf))


def weight_like(leaf: Any, weight: Any) -> Any:
    """`weight` in the type of `leaf` (floats for integers)."""
    if isinstance(leaf, Fraction):
        return Fraction(round(weight * 64), 64)
    if not trees.has_float_dtype(leaf):
        return weight
    array = np.asarray(weight).astype(leaf.dtype)
    return array if isinstance(leaf, np.ndarray) else array[()]


def checked_bars(
    engine: Engine, function: Callable[..., Any], args: tuple[Any, ...], weights: Any, value: Any, seed: int
) -> Any:
    """What `back(weights)` gives, after checks that it is repeatable and writes to nothing."""
    given = trees.copy(args)
    found, back = engine.pullback(function, *given)
    demand(trees.same(found, value), f"pullback returns {found!r}, a plain call {value!r}", seed)
    kept = trees.copy((given, weights, found))
    bars = back(weights)
    first = trees.copy(bars)
    again = back(weights)
    untouched = trees.same((given, weights, found), kept)
    demand(untouched, "back writes to the arguments, the seed or the value", seed)
    demand(trees.same(first, trees.copy(again)), "back gives something else when it is called again", seed)
    demand(isinstance(bars, tuple) and len(bars) == len(args), f"back returns {bars!r}", seed)
    return first


def check_dtypes(args: tuple[Any, ...], value: Any, bars: Any, settings: Settings) -> None:
    """Raise `GradientMismatch` where a cotangent has a precision that its argument does not call for."""
    wrong = dtype_error(args, value, bars, of_rule=settings.of_rule)
    if wrong is not None:
        path, problem = wrong
        found = trees.parts_of(args, bars)[path]
        text = f"the cotangent that back gives for argument {spell(path)} {problem}"
        raise GradientMismatch(text, settings.seed, argument=spell(path), found=found[0])


def demand(condition: bool, problem: str, seed: int) -> None:
    """Raise `GradientMismatch` unless the condition holds."""
    if not condition:
        raise GradientMismatch(problem, seed)


def checked_gradient(
    engine: Engine, function: Callable[..., Any], args: tuple[Any, ...], weights: Any, seed: int
) -> Any:
    """The projected gradient, after a check of its types, shapes and dtypes."""
    product = trees.product_with(weights)

    def reduced(*args: Any) -> Any:
        return product(weights, function(*args))

    plain = trees.is_numeric(weights) and np.ndim(weights) == 0 and weights == 1
    gradient = engine.gradient(function if plain else reduced, *trees.copy(args))
    for position, (argument, bar) in enumerate(zip(args, gradient, strict=True)):
        problem = type_error(argument, bar, str(position))
        if problem is not None:
            raise GradientMismatch(problem, seed, argument=str(position), found=bar)
    return gradient


def widened(problem: Problem) -> Problem:
    """The problem in double precision, where its function takes that."""
    if problem.precision < COARSE:
        return problem
    args = trees.transform(trees.widen, problem.args)
    wide = replace(problem, args=args)
    try:
        wide.value(args)
    except Exception:  # the function insists on the narrower dtype
        return problem
    return wide


def check_in_double(engine: Engine, problem: Problem, settings: Settings) -> None:
    """Compare the same at arguments of double precision, by tolerances that are closer than single precision
    allows; not where the function does not take these, or gives something less precise.

    A slope counts only where the function goes along it in steps too short for single precision: it may
    compute with less than it is given.
    """
    args = trees.transform(trees.widen, problem.args)
    try:
        value = problem.function(*trees.copy(args))
    except Exception:  # the function insists on the narrower dtype
        return
    rounding = trees.precision((args, value))
    if rounding >= COARSE:
        return
    closer = replace(
        settings,
        rtol=IN_DOUBLE[0] if settings.rtol is None else settings.rtol,
        atol=IN_DOUBLE[1] if settings.atol is None else settings.atol,
    )
    weights = functional(value, settings.seed)
    double = replace(
        problem,
        args=args,
        weights=weights,
        precision=rounding,
        doubted=problem.precision,
        what=WHAT_IN_DOUBLE,
    )
    compare(double, args, checked_gradient(engine, problem.function, args, weights, settings.seed), closer)
    if settings.order >= 2:
        check_second(engine, double, args, closer)


IN_DOUBLE = 1e-4, 1e-8
"""The tolerances in double precision, which single precision in a part of a program does not exceed."""

WHAT_IN_DOUBLE = "gradient in double precision"


def second_gradient(engine: Engine, weighted: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The gradient of a function of the gradient. What the function under test changes may be what others can
    reach, which `weighted` follows if it is told so."""
    try:
        return engine.gradient(weighted, *trees.copy(args))
    except UnsupportedSyntaxError:
        if engine.gradient is not api.gradient:
            raise
    return gradient_everywhere(weighted, trees.copy(args))


def check_second(engine: Engine, problem: Problem, args: tuple[Any, ...], settings: Settings) -> None:
    """Compare the gradient of `<v, gradient>` with differences of the gradient."""
    function, weights = problem.function, problem.weights
    random = np.random.default_rng(settings.seed + 2)
    directions = trees.weights_of(lambda leaf: random_weight(random, leaf), args, carried=True)
    product = trees.product_with(directions)

    def bars(*args: Any) -> Any:
        _, back = engine.pullback(function, *args)
        return back(weights)

    def weighted(*args: Any) -> Any:
        _, back = engine.pullback(function, *args)
        return product(directions, back(weights))

    second = second_gradient(engine, weighted, args)
    what = problem.what.replace("gradient", "second derivative")
    weighted_problem = replace(problem, function=bars, weights=directions, what=what)
    compare(weighted_problem, args, second, settings)
