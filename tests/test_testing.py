"""Tests of the tester: hand-made pullbacks, right and wrong, against `zygpy.testing`'s checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from zygpy.testing import trees
from zygpy.testing.check import Engine, check
from zygpy.testing.compare import GradientMismatch, Settings
from zygpy.testing.numeric import slope

Back = Callable[[Any], tuple[Any, ...]]


def engine_of(bars: Callable[..., tuple[Any, ...]]) -> Engine:
    """An engine whose `back(seed)` for `f(*args)` is `bars(seed, *args)`."""

    def pullback(function: Callable[..., Any], *args: Any) -> tuple[Any, Back]:
        kept = trees.copy(args)
        return function(*args), lambda seed: bars(seed, *trees.copy(kept))

    def gradient(function: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
        names = getattr(function, "__code__", cube.__code__).co_freevars
        cells = getattr(function, "__closure__", None) or ()
        inside = {name: cell.cell_contents for name, cell in zip(names, cells, strict=True)}
        return bars(inside.get("weights", 1), *args)

    return Engine(pullback, gradient)


def run(
    function: Callable[..., Any], bars: Callable[..., tuple[Any, ...]], *args: Any, **settings: Any
) -> None:
    check(engine_of(bars), function, args, Settings(**settings))


def mismatch(
    function: Callable[..., Any], bars: Callable[..., tuple[Any, ...]], *args: Any, **settings: Any
) -> GradientMismatch:
    with pytest.raises(GradientMismatch) as caught:
        run(function, bars, *args, **settings)
    return caught.value


def cube(x: float) -> float:
    return x**3


def broadcast_product(x: Any, y: Any) -> Any:
    return np.sum(x * y)


@pytest.mark.parametrize("x", [1e-6, 0.3, 2.0, -7.0, 1e5])
@pytest.mark.parametrize(
    ("function", "derivative"),
    [
        (cube, lambda x: 3 * x**2),
        (math.sin, math.cos),
        (lambda x: 1 / x, lambda x: -1 / x**2),
        (lambda x: 5.0, lambda x: 0.0),
        (lambda x: math.log(abs(x)), lambda x: 1 / x),
    ],
)
def test_slope_is_accurate_and_knows_how_accurate(
    function: Callable[[float], float], derivative: Callable[[float], float], x: float
) -> None:
    estimate = slope(lambda t: function(x + t), max(1.0, abs(x)))
    error = abs(estimate.value - derivative(x))
    assert error <= 4 * estimate.error
    assert estimate.error <= 1e-6 * max(abs(derivative(x)), 1e-3)


def test_slope_passes_over_steps_outside_the_domain() -> None:
    estimate = slope(lambda t: math.sqrt(1e-3 + t))
    assert estimate.value == pytest.approx(0.5 / math.sqrt(1e-3), rel=1e-8)


def test_slope_stays_on_the_near_side_of_a_branch() -> None:
    estimate = slope(lambda t: math.exp(t) if t < 1e-3 else 100.0)
    assert estimate.value == pytest.approx(1.0, rel=1e-7)


def test_slope_of_single_precision_knows_its_noise() -> None:
    def noisy(t: float) -> float:
        return float(np.sin(np.float32(1.0) + np.float32(t)))

    estimate = slope(noisy, precision=float(np.finfo(np.float32).eps))
    assert abs(estimate.value - math.cos(1.0)) <= 4 * estimate.error < 0.02


def test_slope_reports_a_function_that_always_fails() -> None:
    with pytest.raises(ZeroDivisionError):
        slope(lambda t: 1 / 0)


def test_slope_at_a_jump_is_known_to_be_worthless() -> None:
    estimate = slope(lambda t: 1.0 if t > 0 else 0.0)
    assert estimate.error > 0.1 * abs(estimate.value) or math.isnan(estimate.value)


def test_a_right_gradient_passes() -> None:
    run(cube, lambda seed, x: (seed * 3 * x**2,), 1.7)
    run(cube, lambda seed, x: (seed * 3 * x**2,), Fraction(1, 4))
    run(cube, lambda seed, x: (float(seed * 3 * x**2),), 3)
    run(cube, lambda seed, x: (seed * 3 * x**2,), np.float32(0.5))
    run(cube, lambda seed, x: (complex(seed * np.conj(3 * x**2)),), 0.5 + 0.25j)


def test_a_right_array_gradient_passes() -> None:
    x, y = np.arange(6.0).reshape(2, 3), np.array([1.0, -2.0, 0.5])
    run(broadcast_product, lambda seed, x, y: (seed * y + 0 * x, (seed * x).sum(axis=0)), x, y)
    tall = np.linspace(0.1, 2.0, 200)
    run(np.sin, lambda seed, x: (seed * np.cos(x),), tall)
    run(lambda x: np.sin(x), lambda seed, x: (seed * np.cos(x),), tall.astype(np.float32))


def test_containers_are_walked() -> None:
    def model(p: dict[str, Any], scale: list[float]) -> tuple[Any, dict[str, Any]]:
        return p["w"] * scale[0], {"b": p["b"] * scale[1], "name": "model"}

    def bars(seed: Any, p: dict[str, Any], scale: list[float]) -> tuple[Any, ...]:
        first, second = seed[0], seed[1]["b"]
        grads = {"w": first * scale[0], "b": second * scale[1]}
        return grads, [float(np.sum(first * p["w"])), second * p["b"]]

    run(model, bars, {"w": np.array([1.0, 2.0]), "b": 3.0, "unused": 1.0}, [0.5, 0.25])


def test_an_argument_that_is_written_counts_as_it_was() -> None:
    def write(x: Any) -> Any:
        x[0] = x[0] ** 2
        return np.sum(x**2)

    run(write, lambda seed, x: (seed * np.array([4 * x[0] ** 3, 2 * x[1]]),), np.array([1.5, 2.0]))


def test_an_error_of_a_twentieth_percent_is_caught() -> None:
    error = mismatch(cube, lambda seed, x: (seed * 3.0015 * x**2,), 1.7)
    assert (error.argument, error.index) == ("0", ())
    assert error.found == pytest.approx(3.0015 * 1.7**2)
    assert error.reference == pytest.approx(3 * 1.7**2)
    assert "argument 0" in str(error) and "seed=0" in str(error)


def test_the_seed_is_reported_and_reproduces() -> None:
    x = np.linspace(0.0, 1.0, 100)
    errors = [mismatch(np.sin, lambda seed, x: (seed * np.sin(x),), x, seed=7) for _ in range(2)]
    assert errors[0].seed == 7 and "seed=7" in str(errors[0])
    assert str(errors[0]) == str(errors[1])


def test_a_missing_conjugate_is_caught() -> None:
    error = mismatch(cube, lambda seed, x: (seed * 3 * x**2,), 0.5 + 0.25j)
    assert error.argument == "0"


def test_a_lost_broadcast_is_caught() -> None:
    x, y = np.arange(6.0).reshape(2, 3), np.array([1.0, -2.0, 0.5])
    error = mismatch(broadcast_product, lambda seed, x, y: (seed * y + 0 * x, seed * x), x, y)
    assert error.argument == "1"
    assert "(2, 3)" in str(error) and "(3,)" in str(error)


def test_a_broadcast_that_keeps_one_row_is_caught() -> None:
    x, y = np.arange(6.0).reshape(2, 3), np.array([1.0, -2.0, 0.5])
    error = mismatch(broadcast_product, lambda seed, x, y: (seed * y + 0 * x, seed * x[0]), x, y)
    assert (error.argument, error.index) == ("1", (0,))


@pytest.mark.parametrize(
    ("argument", "bar", "found"),
    [
        (1.5, np.float64(3.0), "float64"),
        (np.float32(1.5), 3.0, "float"),
        (np.array([1.5, 2.0], np.float32), np.array([3.0, 4.0]), "float64"),
        (np.array(1.5), 3.0, "float"),
        (3, 6, "int"),
        (np.array([1, 2]), np.array([2, 4]), "int64"),
        (1.5, 3.0 + 0j, "complex"),
        (Fraction(3, 2), 3.0, "float"),
    ],
)
def test_a_wrong_type_is_caught(argument: Any, bar: Any, found: str) -> None:
    error = mismatch(lambda x: np.sum(x**2) if np.ndim(x) else x**2, lambda seed, x: (bar,), argument)
    assert found in str(error)


def test_one_wrong_entry_in_ten_thousand_is_caught_and_named() -> None:
    def bars(seed: Any, x: Any) -> tuple[Any]:
        bar = seed * np.cos(x)
        bar[61, 7] *= 1.5
        return (bar,)

    error = mismatch(np.sin, bars, np.linspace(0.0, 1.0, 10_000).reshape(100, 100))
    assert error.index == (61, 7)


def test_a_small_relative_error_everywhere_in_a_large_array_is_caught() -> None:
    x = np.linspace(0.0, 1.0, 10_000)
    error = mismatch(np.sin, lambda seed, x: (seed * np.cos(x) * 1.0005,), x)
    assert error.argument == "0"


def test_double_counting_on_the_second_back_is_caught() -> None:
    def pullback(function: Callable[..., Any], x: float) -> tuple[Any, Back]:
        total = [0.0]

        def back(seed: Any) -> tuple[Any, ...]:
            total[0] += seed * 3 * x**2
            return (total[0],)

        return function(x), back

    with pytest.raises(GradientMismatch, match="called again"):
        check(Engine(pullback, lambda f, x: (3 * x**2,)), cube, (1.7,), Settings())


def test_a_buffer_handed_out_twice_is_caught() -> None:
    def pullback(function: Callable[..., Any], x: Any) -> tuple[Any, Back]:
        buffer = np.zeros_like(x)

        def back(seed: Any) -> tuple[Any, ...]:
            np.add(buffer, seed * np.cos(x), out=buffer)
            return (buffer,)

        return function(x), back

    with pytest.raises(GradientMismatch, match="called again"):
        check(Engine(pullback, lambda f, x: (np.cos(x),)), np.sin, (np.ones(3),), Settings())


def test_writing_to_an_argument_in_back_is_caught() -> None:
    def pullback(function: Callable[..., Any], x: Any) -> tuple[Any, Back]:
        def back(seed: Any) -> tuple[Any, ...]:
            bar = seed * 2 * x
            x[0] = 0.0
            return (bar,)

        return function(x), back

    with pytest.raises(GradientMismatch, match="back writes"):
        check(Engine(pullback, lambda f, x: (2 * x,)), lambda x: np.sum(x**2), (np.ones(3),), Settings())


@pytest.mark.parametrize("change", [lambda y: y + 1e-16 + 2e-16 * abs(y), np.float64, lambda y: -y])
def test_a_changed_value_is_caught(change: Callable[[float], Any]) -> None:
    def pullback(function: Callable[..., Any], x: float) -> tuple[Any, Back]:
        return change(function(x)), lambda seed: (seed * 3 * x**2,)

    with pytest.raises(GradientMismatch, match="plain call"):
        check(Engine(pullback, lambda f, x: (3 * x**2,)), cube, (1.7,), Settings())


def test_a_path_taken_for_none_is_caught() -> None:
    error = mismatch(lambda x, y: x * y, lambda seed, x, y: (seed * y, None), 2.0, 3.0)
    assert (error.argument, error.found, error.reference) == ("1", 0.0, pytest.approx(2.0))


def test_a_count_may_have_none_and_other_things_are_held_fixed() -> None:
    def power(x: float, n: int, mode: str, flag: bool, function: Callable[[float], float]) -> float:
        assert mode == "fast" and flag is True
        for _ in range(n):
            x = function(x)
        return x

    def bars(seed: Any, x: float, *rest: Any) -> tuple[Any, ...]:
        return (seed * math.cos(x), *[None] * len(rest))

    run(power, bars, 0.3, 1, "fast", True, math.sin)


def test_a_gradient_for_a_string_is_caught() -> None:
    error = mismatch(lambda x, mode: x * 2, lambda seed, x, mode: (seed * 2.0, 0.0), 1.5, "fast")
    assert "str" in str(error)


def test_a_nan_gradient_is_caught() -> None:
    assert math.isnan(mismatch(cube, lambda seed, x: (math.nan,), 1.7, rtol=1.0).found)


def second_order_engine(factor: float) -> Engine:
    """An engine for `cube` alone, whose second derivative is wrong by `factor`."""

    def pullback(function: Callable[..., Any], x: float) -> tuple[Any, Back]:
        return function(x), lambda seed: (seed * 3 * x**2,)

    def gradient(function: Callable[..., Any], x: float) -> tuple[Any, ...]:
        if function is cube:
            return (3 * x**2,)
        return (factor * 6 * x * function(1.0) / 3,)

    return Engine(pullback, gradient)


def test_second_order() -> None:
    check(second_order_engine(1.0), cube, (1.7,), Settings(order=2))
    check(second_order_engine(1.0005), cube, (1.7,), Settings(order=1))
    with pytest.raises(GradientMismatch, match="second derivative"):
        check(second_order_engine(1.0005), cube, (1.7,), Settings(order=2))


def test_a_noisy_function_raises_no_false_alarm() -> None:
    def noisy(x: float) -> float:
        return x**3 + 1e-9 * math.sin(1e9 * x)

    run(noisy, lambda seed, x: (seed * 3 * x**2,), 1.7)


def test_explicit_tolerances_are_used() -> None:
    run(cube, lambda seed, x: (seed * 3.0015 * x**2,), 1.7, rtol=1e-2)
    mismatch(cube, lambda seed, x: (seed * 3 * x**2 + 1e-4,), 1.7, rtol=0.0, atol=1e-5)


def test_copies_keep_aliases_among_arguments() -> None:
    x = np.ones(2)
    a, b = trees.copy((x, [x]))
    assert a is b[0] and a is not x


def test_slope_at_a_kink_or_an_isolated_value_is_known_to_be_worthless() -> None:
    assert slope(abs).error > 0.1
    assert slope(lambda t: 5.0 if t == 0 else t).error > 0.1


def test_an_integer_that_selects_a_branch_raises_no_false_alarm() -> None:
    def select(x: float, n: int) -> float:
        return x**3 * n if n == 1 else x * n

    run(select, lambda seed, x, n: (seed * 3 * x**2, seed * x**3), 1.5, 1)
