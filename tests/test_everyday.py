"""Everyday statements on numbers: written out, not looked up when they run, and right at odd values."""

from __future__ import annotations

import itertools
import linecache
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from benchmarks.probes import everyday
from tests.counting import counted

LINES = (
    "r = max(r, x) * x",
    "r = min(r, 2.0) * x",
    "r = max(r, 0.1, x, -r) * x",
    "r = min(max(r, 0.0), 1.0) * x",
    "r = max([r, x * r]) * x",
    "r = abs(r - x) * x",
    "r = math.fabs(r) * x",
    "r = r**2 * x",
    "r = r**3 * x - r**-2",
    "r = (r * r + 1.0) ** 0.5 * x",
    "r = (r * r + 1.0) ** -1.5 * x",
    "r = (r * r + 1.0) ** x",
    "r = abs(r) ** 0.5 * x + max(r, 0.0) ** 1.5",
    "r = r**i * x",
    "r = r**x if r > 0 else x",
    "r = pow(r, 3) * x",
    "r = 2.0**r * x",
    "r = math.sqrt(r * r + x)",
    "r = math.hypot(r, x) + math.hypot(r, x, 2.0)",
    "r = math.atan2(r, x) * x",
    "r = math.log(r + 2.0, 3) * x",
    "r = math.copysign(r, -x) * x",
    "r = round(r, 2) * x + r",
    "r = divmod(r, 0.71)[1] * x",
    "r = sum([r, x, 1.0]) * r",
    "r = sum((r, x, 2)) * r",
    "r = sum(r * k for k in range(3)) * x",
    "r = math.prod([r, x, 2.0])",
    "a = [r, x]; a[0] += 1.0; a[1] *= r; r = a[0] * a[1]",
    "a = {'p': r, 'q': 2}; a['p'] *= x; a['q'] += r; a['q'] /= 2; r = a['p'] * a['q']",
    "a = [r, x]; r = a[0] * a[-1]",
    "r = complex(r, x).real * x + complex(r, x).imag",
    "r = np.float64(r) * x",
    "r = np.array([r, x]).item(0) * x",
    "r = math.modf(r * 3.1)[0] * x",
    "s = 0\n    for e in (r, x): s += e * e\n    r = s**0.5",
)


def program(line: str) -> Callable[..., Any]:
    """`r` goes through the line three times."""
    body = "\n        ".join(part.strip() for part in re.split(r";|\n", line))
    body = body.replace("for e in (r, x): s", "for e in (r, x):\n            s")
    text = f"def f(x):\n    r = 0.6\n    for i in range(1, 4):\n        {body}\n"
    text += "        r = 0.5 * r + 0.3\n    return r\n"
    filename = f"<everyday {line}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    space: dict[str, Any] = {"math": math, "np": np}
    exec(compile(text, filename, "exec"), space)
    found: Callable[..., Any] = space["f"]
    return found


def slope(f: Callable[[Any], Any], x: float, h: float = 1e-3) -> float:
    """The derivative by central differences, extrapolated twice."""
    steps = [(f(x + h / 2**k) - f(x - h / 2**k)) / (2 * h / 2**k) for k in range(3)]
    once = [(4 * fine - coarse) / 3 for coarse, fine in itertools.pairwise(steps)]
    return float((16 * once[1] - once[0]) / 15)


@pytest.mark.parametrize("line", LINES)
def test_is_written_out(line: str) -> None:
    text = str(zg.show_adjoint(program(line), 0.9))
    assert not re.search(r"\bpull\w*\(|\bstore\b", text), text


@pytest.mark.parametrize("x", [0.9, 1.7])
@pytest.mark.parametrize("line", LINES)
def test_first_and_second_derivative(line: str, x: float) -> None:
    f = program(line)
    np.testing.assert_allclose(zg.gradient(f, x)[0], slope(f, x), rtol=1e-8, atol=1e-8)
    second = slope(lambda z: zg.gradient(f, z)[0], x)
    np.testing.assert_allclose(zg.derivative(zg.derivative(f))(x), second, rtol=1e-7, atol=1e-7)


ODD: tuple[tuple[Callable[[Any], Any], float, float, float], ...] = (
    (lambda x: x**2, 0.0, 0.0, 2.0),
    (lambda x: x**3, 0.0, 0.0, 0.0),
    (lambda x: abs(x), 0.0, 0.0, 0.0),
    (lambda x: max(x, 0.0), 0.0, 1.0, 0.0),
    (lambda x: max(0.0, x), 0.0, 0.0, 0.0),
    (lambda x: min(x, x * x), 1.0, 1.0, 0.0),
    (lambda x: max(x, 0.0, -x), 0.0, 1.0, 0.0),
    (lambda x: math.hypot(x, 2 * x), 0.0, 0.0, 0.0),
    (lambda x: math.atan2(x, x), 0.0, 0.0, 0.0),
    (lambda x: x**-1, 1e-160, -math.inf, math.inf),
)


@pytest.mark.parametrize(("f", "x", "first", "second"), ODD)
def test_at_kinks_and_edges(f: Callable[[Any], Any], x: float, first: float, second: float) -> None:
    assert zg.derivative(f)(x) == first
    assert zg.derivative(zg.derivative(f))(x) == second


def test_a_zero_derivative_beats_an_infinite_cotangent() -> None:
    for f in (lambda x: x**2, lambda x: x**3, lambda x: abs(x)):
        assert zg.pullback(f, 0.0)[1](math.inf) == (0.0,)


def test_an_infinite_slope_of_a_root() -> None:
    assert zg.gradient(math.sqrt, 0.0) == (math.inf,)
    assert zg.gradient(lambda x: math.sqrt(x**2), 0.0) == (0.0,)
    assert zg.pullback(math.sqrt, 0.0)[1](0.0) == (0.0,)
    assert zg.gradient(lambda x: x**0.5, 0.0) == (math.inf,)


def test_powers_that_are_integers_too_large_for_a_float() -> None:
    assert zg.gradient(lambda n: (2**n) % 7, 1100) == (math.inf,)
    assert zg.gradient(lambda n: 2**n, 5) == pytest.approx((32 * math.log(2),))


@pytest.mark.parametrize("cls", [int, np.float32, np.float64])
def test_types_of_numbers(cls: Any) -> None:
    def f(x: Any) -> Any:
        return max(x, 1) ** 2 * abs(x) + sum([x, x]) + min(x, 7)

    (found,) = zg.gradient(f, cls(3))
    assert found == 30.0
    assert type(found) is (float if cls is int else cls)


def test_a_power_of_a_negative_number_stays_complex() -> None:
    y, back = zg.pullback(lambda x: x**0.5, -4.0)
    assert y == (-4.0) ** 0.5
    np.testing.assert_allclose(back(1j)[0].real, -0.25, atol=1e-15)  # of the imaginary part, sqrt(-x)


def test_dicts_that_are_rewritten_twice_in_second_order() -> None:
    def f(x: float) -> float:
        d = {"a": x, "b": 2.0}
        d["a"] = d["a"] * x
        d["b"] = d["b"] + x
        return d["a"] * d["b"]

    assert zg.derivative(zg.derivative(f))(0.7) == pytest.approx(6 * 0.7 + 4)


def test_a_captured_variable_without_a_value() -> None:
    def early(x: float) -> float:
        def g() -> float:
            return k * x

        try:
            g()
        except NameError:
            x = x * 2
        k = x
        return g()

    assert zg.gradient(early, 0.7) == pytest.approx((8 * 0.7,))


@pytest.mark.parametrize("program", everyday.PROGRAMS, ids=lambda program: program.__name__)
def test_a_product_with_a_hessian_makes_few_calls(program: Callable[..., Any]) -> None:
    x, v = np.linspace(0.2, 1.1, 8), np.ones(8)

    def calls(run: Callable[[], Any]) -> int:
        run()
        return counted(run)[1]

    assert calls(lambda: zg.hvp(program, x, v)) < 5 * calls(lambda: zg.gradient(program, x))


def test_an_array_that_is_changed_while_its_parts_and_a_number_are_walked_over() -> None:
    def f(x: Any) -> Any:
        kept = [x * 1.0, x[0]]
        a, total = kept[0], 0.0
        for t in (a[1:], kept[1]):
            a *= 1.5
            total = total + np.sum(t * t)
        return total

    x = np.array([1.3, 0.7, -0.6])  # of the parts 2.25 times the square, of the number the square
    np.testing.assert_allclose(zg.gradient(f, x)[0], 2.0 * x * [1.0, 2.25, 2.25])
