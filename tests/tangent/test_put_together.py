"""Cotangents put together of parts: what may be stored instead of added, and what may not."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.gradients_pushed import gradient_push
from zygpy.ir.nodes import quote, to_python_ast
from zygpy.tangent.put_together import put_together
from zygpy.units import options

REAL = frozenset({"a", "b", "c", "t", "u"})


def rewritten(*lines: str) -> str:
    function = quote("def g(a, b, h, s):\n    $body", body=quote("\n".join(("y_bar = 1.0", *lines))))[0]
    made: Any = to_python_ast(put_together(function, "y_bar", REAL))
    return "\n".join(ast.unparse(statement) for statement in made.body[1:])


def test_parts_of_one_place_are_one() -> None:
    text = rewritten("d = np.zeros(s)", "d[1:] += a", "d[1:] -= b * a", "d[:-1] += a", "return d")
    assert text == "d = np.zeros(s)\nd[1:] = a - b * a\nd[:-1] += a\nreturn d"


@pytest.mark.parametrize(
    "lines",
    [
        ("d = np.zeros(s)", "d[1:] -= a", "return d"),  # a sign would be one pass more
        ("d = np.zeros(s)", "d[:-1] = a", "d[1:] += b", "d[:-1] += b", "return d"),  # they overlap
        ("d = np.zeros(s)", "e = d", "d[1:] += a", "return (d, e)"),
        ("d = np.zeros(s)", "e = d[1:]", "d[1:] += a", "return (d, e)"),
        ("d = np.zeros(s)", "h(d)", "d[1:] += a", "return d"),
        ("d = np.zeros(s)", "d[a] += b", "return d"),  # a place may be there twice
        ("d = np.zeros(s)", "d[0] += b", "return d"),
        ("d = np.zeros(s)", "d[1:] += h", "return d"),  # it may be complex
        ("d = np.zeros(s)", "d[1:] += h(a)", "return d"),
        ("d = np.zeros(s, int)", "d[1:] += a", "return d"),
        ("d = np.zeros(s)", "for i in h:\n    d[1:] += a", "return d"),
        ("d = np.zeros(s)", "d[1:] += d[:-1]", "return d"),
        ("d = np.zeros(s)", "d[1:] += a", "d = b", "return d"),
        ("d = np.zeros(s)", "d[1:] += a", "c = d[1:]", "return c"),
        ("d = np.ones(s)", "d[1:] += a", "return d"),
    ],
)
def test_what_stays(lines: tuple[str, ...]) -> None:
    assert rewritten(*lines) == "\n".join(lines)


@pytest.mark.parametrize(
    "between", ["a = b * b", "a += b", "b[1:] = 0.0", "h(a)", "for i in h:\n    a = i", "a, c = h"]
)
def test_what_changes_between(between: str) -> None:
    text = rewritten("d = np.zeros(s)", "d[1:] += a", between, "d[1:] += b", "return d")
    assert text == f"d = np.zeros(s)\nd[1:] = a\n{between}\nd[1:] += b\nreturn d"


def test_factors() -> None:
    assert (
        rewritten("t = 200.0 * a", "c = 2.0 * (b * t) - b", "return c") == "c = 400.0 * (b * a) - b\nreturn c"
    )
    assert rewritten("t = 200.0 * a", "c = b * (0.5 * t)", "return c") == "c = b * (100.0 * a)\nreturn c"


@pytest.mark.parametrize(
    "lines",
    [
        ("t = 200.0 * a", "c = 2.0 * (b * t)", "return (c, t)"),
        ("t = 200.0 * a", "c = 2.0 * (t * t)", "return c"),
        ("t = 0.0 * a", "c = 2.0 * (b * t)", "return c"),
        ("t = 1e+80 * a", "c = 1e+80 * (b * t)", "return c"),
        ("t = 200.0 * a", "a += b", "c = 2.0 * (b * t)", "return c"),
        ("t = 200.0 * a", "a = b * b", "c = 2.0 * (b * t)", "return c"),
        ("t = 200.0 * a", "h(a)", "c = 2.0 * (b * t)", "return c"),
        ("t = 200.0 * h", "c = 2.0 * (b * t)", "return c"),
        ("t = 200.0 * a", "c = 2.0 * (b + t)", "return c"),
        ("t = 200.0 * a", "c = 2.0 / (b * t)", "return c"),
    ],
)
def test_factors_that_stay(lines: tuple[str, ...]) -> None:
    assert rewritten(*lines) == "\n".join(lines)


def edges(x: Any) -> Any:
    return np.sum(3.0 * (x[1:] - x[:-1]) ** 2) + np.sum(x[1:] ** 3) - np.sum(x[:-1] * x[1:] * x[1:])


def steps(x: Any) -> Any:
    inner = x[1:-1]
    return np.sum((x[2:] - 2.0 * inner + x[:-2]) ** 2 * inner) + np.sum(inner**2) - 4.0 * np.sum(inner**4)


def planes(x: Any) -> Any:
    return np.sum((x[1:, :] - x[:-1, :]) ** 2 * x[1:, :]) + np.sum((x[:, 1:] * x[:, :-1]) ** 2)


def overlapping(x: Any) -> Any:
    return np.sum(x[:3] ** 3) + np.sum(x[2:] ** 2 * x[:-2]) - np.sum(x[:3] ** 2) * 5.0


def spread(x: Any) -> Any:
    return np.sum(x[1:] ** 2) * np.sum(x) + np.sum(2.0 * (x[:-1] - x[0]) ** 2)


def rows(x: Any) -> Any:
    return np.sum(100.0 * (x[1:] - x[:1] ** 2) ** 2 + np.exp(x[1:]))


X = np.array([0.3, -1.2, 0.0, 2.0, 0.7, -0.4])


@pytest.mark.parametrize("function", [edges, steps, planes, overlapping, spread, rows])
def test_second_derivatives(function: Any) -> None:
    x = X.reshape(2, 3) if function is planes else X
    v = np.cos(x)
    expected = zg.hessian_reverse(function, x)
    for _ in range(2):
        np.testing.assert_allclose(zg.hessian(function, x), expected, rtol=1e-12, atol=1e-12)
        product = np.tensordot(expected, v, x.ndim)
        np.testing.assert_allclose(zg.hvp(function, x, v), product, rtol=1e-12, atol=1e-12)
    with options(simplify=False):
        np.testing.assert_allclose(zg.hvp(function, x, v), product, rtol=1e-12, atol=1e-12)


def test_text_of_the_valley() -> None:
    def valley(x: Any) -> Any:
        return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    text = gradient_push(valley, (X,)).tangent.text.source  # type: ignore[union-attr]
    assert text.count("x_bar_dot[:-1] = ") == 1
    assert text.count("x_bar_dot[") == 2
    assert "400.0 * " in text


@pytest.mark.parametrize("dtype", [np.float32, np.complex128])
def test_other_dtypes_are_added(dtype: Any) -> None:
    def valley(x: Any) -> Any:
        return np.sum(np.abs(3.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2))

    x, v = X.astype(dtype), np.cos(X).astype(dtype)
    found, expected = zg.hvp(valley, x, v), zg.derivatives.hvp_by_reverse(valley, x, v)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, rtol=1e-4)


@pytest.mark.parametrize(
    "between",
    [
        "d[4] += c",
        "d[0] = 1.0",
        "d[h] -= c",
        "d[1:] += h",
        "if h:\n    d[1:] += a",
        "for i in h:\n    d[i] += a",
    ],
)
def test_what_is_written_in_another_way_is_not_zero_any_more(between: str) -> None:
    lines = "d = np.zeros(s)", between, "d[1:] += a", "return d"
    assert rewritten(*lines) == "\n".join(lines)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sum(x[1:] ** 2) + x[2] * x[4] * 2.0,
        lambda x: np.sum(x[1:] * x[:-1]) + np.sin(x[0]) * x[2] * x[4],
        lambda x: np.sum(x[:3] ** 3) + np.sum(x[[1, 1, 2]] ** 2 * x[:3]),
        lambda x: np.sum(x[1:] ** 2) + np.sum(x[x > 0.5] ** 3),
        lambda x: np.sum(x[1:] ** 2 * x[0]) + sum([x[i] ** 2 for i in range(3)]),
        lambda x: x[-1] * x[0] + np.sum(x[::2] ** 3) * x[1],
    ],
)
def test_entries_beside_parts(function: Any) -> None:
    x, v = np.sin(1.0 + np.arange(6.0)), np.cos(np.arange(6.0))
    expected = zg.hessian_reverse(function, x)
    for _ in range(2):
        np.testing.assert_allclose(zg.hvp(function, x, v), expected @ v, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(zg.hessian(function, x), expected, rtol=1e-12, atol=1e-12)


def test_parts_are_taken_once() -> None:
    text = rewritten("c = a[1:]", "t = a[1:] * b + 1.0 * c", "u = a[1:]", "return (t * u, h(1.0 * a, u))")
    assert text == "c = a[1:]\nt = c * b + c\nreturn (t * c, h(1.0 * a, c))"


@pytest.mark.parametrize(
    "lines",
    [
        ("c = a[1:]", "a = b * b", "return a[1:] * c"),
        ("c = a[1:]", "c = a[2:]", "return a[1:] * c"),
        ("c = a[1:]", "c += b", "return a[1:] * c"),
        ("c = a[1:]", "c[0] = 1.0", "t = a[1:]", "return t * c"),
        ("c = h[1:]", "t = h[1:]", "return t * c"),
        ("c = a[s:]", "s = 1", "return a[s:] * c"),
        ("c = a[1:]", "return [t * a for t in c]"),
        ("if h:\n    c = a[1:]", "return a[1:]"),
        ("t = 1.0 * a", "t += b", "return t"),  # it must be an array of its own
        ("c = h(1.0 * a)", "return c"),
        ("t = a + 1.0 * h", "return t"),
    ],
)
def test_parts_that_stay(lines: tuple[str, ...]) -> None:
    assert rewritten(*lines) == "\n".join(lines)


def test_powers_of_two_stand_in_front_of_sums() -> None:
    text = rewritten("t = 2.0 * a", "c = t - (2.0 * (a * b) + 6.0 * b)", "return c")
    assert text == "c = 2.0 * (a - (a * b + 3.0 * b))\nreturn c"
    lines = "u = 2.0 * b", "t = 2.0 * a - u * a", "c = t - u", "return c"
    assert rewritten(*lines) == "\n".join(lines)
    text = rewritten("u = 2.0 * b", "t = 4.0 * a - u", "c = t + 2.0 * a", "return c")
    assert text == "c = 2.0 * (2.0 * a - b + a)\nreturn c"
    assert rewritten("c = 4.0 * a - 4.0 * b", "return c") == "c = 4.0 * (a - b)\nreturn c"
    assert rewritten("c = 2.0 * a - 2.0 * b - a", "return c") == "c = 2.0 * (a - b) - a\nreturn c"


@pytest.mark.parametrize(
    "lines",
    [
        ("c = 2.0 * a - 6.0 * b", "return c"),  # nothing is saved
        ("c = 3.0 * a - 3.0 * b", "return c"),  # it would be rounded in another way
        ("t = 2.0 * a", "c = t - 2.0 * b", "return c * t"),
        ("t = 2.0 * a", "a = b * b", "c = t - 2.0 * b", "return c"),
        ("t = 2.0 * a", "h(a)", "c = t - 2.0 * b", "return c"),
        ("t = 2.0 * a", "a[1:] = b", "c = t - 2.0 * b", "return c"),
        ("c = 2.0 * h - 2.0 * b", "return c"),
    ],
)
def test_sums_that_stay(lines: tuple[str, ...]) -> None:
    assert rewritten(*lines) == "\n".join(lines)
