"""Forward mode as users see it: text, values, refusals, and what is left to reverse mode."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing
from zygpy.derivatives import pushforward_by_reverse


def power(x: Any, n: int) -> Any:
    r = 1
    for _ in range(n):
        r = r * x
    return r


def relaxed(u: Any, rate: float) -> Any:
    v = np.zeros(len(u))
    for i in range(1, len(u)):
        v[i] = u[i] * rate + v[i - 1]
    v[1:] *= u[:-1]
    return np.sum(v * v)


def recurrence(x: float, n: int) -> float:
    r = 1.0
    for _ in range(n):
        r = r * x + math.sin(r)
    return r


POWER = """\
def power_tangent(x, x_dot, n, n_dot):
    r = 1
    r_dot = 0.0
    for _ in range(n):
        r_dot = r_dot * x + x_dot * r
        r = r * x
    return r, r_dot
"""

RELAXED = """\
def relaxed_tangent(u, u_dot, rate, rate_dot):
    v = np.zeros(len(u))
    v_dot = np.zeros_like(v)
    for i in range(1, len(u)):
        t_3 = u[i]
        t_4 = t_3 * rate
        t_5 = i - 1
        t_7 = t_4 + v[t_5]
        t_7_dot = u_dot[i] * rate + rate_dot * t_3 + v_dot[t_5]
        v[i] = t_7
        v_dot[i] = t_7_dot
    t_8 = u[:-1]
    t_8_dot = u_dot[:-1]
    v_dot[1:] = v_dot[1:] * t_8 + v[1:] * t_8_dot
    v[1:] *= t_8
    return np.sum(v * v), np.sum(2.0 * v * v_dot)
"""


@pytest.mark.parametrize(
    ("function", "args", "text"), [(power, (2.0, 3), POWER), (relaxed, (np.ones(4), 0.5), RELAXED)]
)
def test_text(function: Any, args: Any, text: str) -> None:
    assert str(zg.show_tangent(function, *args)) == text


def agrees(function: Any, args: Any, tangents: Any) -> None:
    """Forward mode gives what reverse mode gives."""
    found = zg.pushforward(function, *args)(*tangents)
    expected = pushforward_by_reverse(function, *args)(*tangents)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    assert type(found) is type(expected)


def overwritten(x: Any) -> Any:
    y = x
    y = y * y
    x = y + x
    x, y = y, x * y
    return x - y


def views(x: Any) -> Any:
    a = np.zeros((2, 3))
    b = a.T
    c = a.reshape(6)
    row = a[1]
    b[0, 1] = x
    c[5] = x * x
    row += x
    return a * np.arange(6.0).reshape(2, 3)


def shared_rows(x: Any) -> Any:
    row = [0.0, 1.0]
    rows = [row, row]
    rows[0][1] = x
    return rows[1][1] * x


def late(x: Any) -> Any:
    xs = [1.0]
    xs.append(1.0)
    xs.append(0.5)
    xs[1] = x
    total = 0
    for value, k in zip(xs, range(3), strict=False):
        total += value**2 * k
    return total


def small_result(x: Any) -> Any:
    y = x + np.ones(3)
    y[0] = x * x
    return y * 2


def whole_numbers(x: Any) -> Any:
    counts = np.zeros(3, int)
    counts[1] = x
    return counts * x


def returned_early(x: float) -> float:
    for i in range(10):
        x = x * 1.5
        if x > 4:
            return x * i
    else:
        x = -x
    return x


def nested(x: float) -> float:
    return x * zg.derivative(lambda t: t**3 * x)(x)


def confused(x: float) -> float:
    return x * zg.pushforward(lambda y: x + y, 1.0)(1.0)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (overwritten, (1.5,)),
        (views, (1.5,)),
        (shared_rows, (1.5,)),
        (late, (1.5,)),
        (small_result, (1.5,)),
        (whole_numbers, (1.5,)),
        (returned_early, (1.5,)),
        (nested, (1.5,)),
        (confused, (1.5,)),
        (power, (1.5, 4)),
        (relaxed, (np.array([1.0, 2.0, -1.0, 0.5]), 0.3)),
        (recurrence, (0.3, 6)),
        (np.arctan2, (0.3, -0.7)),
        (lambda z: z * z / abs(z), (1.5 + 0.5j,)),
        (lambda z: np.real(z) * z, (np.array([1.5 + 0.5j, 1.0]),)),
    ],
)
def test_agrees_with_reverse_mode(function: Any, args: Any) -> None:
    tangents = [np.ones_like(arg) * 0.7 if not isinstance(arg, int) else 0.0 for arg in args]
    agrees(function, args, tangents)


def test_no_perturbation_confusion() -> None:
    assert zg.pushforward(confused, 1.5)(1.0) == 1.0
    assert zg.gradient(confused, 1.5) == (1.0,)
    assert zg.pushforward(lambda x: zg.pushforward(lambda y: x * y * y, x)(1.0), 3.0)(1.0) == pytest.approx(
        12
    )
    assert zg.derivative(lambda x: zg.pushforward(lambda y: x * y * y, x)(1.0))(3.0) == pytest.approx(12)


def test_the_arguments_are_those_of_the_call() -> None:
    x = np.array([1.0, 2.0])
    push = zg.pushforward(lambda x: x * x, x)
    x[0] = 100.0
    assert push(np.array([1.0, 1.0])).tolist() == [2.0, 4.0]
    assert push(np.array([1.0, 0.0])).tolist() == [2.0, 0.0]


def test_none_is_a_tangent_of_zeros() -> None:
    assert zg.pushforward(lambda x, y: x * y, 2.0, 3.0)(1.0, None) == 3.0


def test_exceptions_are_those_of_the_program() -> None:
    def root(x: float) -> float:
        x = math.log(x)
        return x + 1

    with pytest.raises(ValueError, match=r"math domain error|expected a positive input"):
        zg.pushforward(root, 0.0)(1.0)


def added_up(x: float) -> float:
    return sum({x, 2.0}) * x


def test_what_has_no_tangent_function_says_so_and_works() -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="no tangent function") as caught:
        zg.show_tangent(added_up, 3.0)
    assert "Why: " in str(caught.value)
    assert zg.pushforward(added_up, -3.0)(1.0) == -4.0


def test_a_changed_helper_is_seen() -> None:
    first = zg.pushforward(calling, 2.0)(1.0)
    globals()["scaled"] = tripled
    try:
        assert (first, zg.pushforward(calling, 2.0)(1.0)) == (2.0, 3.0)
    finally:
        globals()["scaled"] = doubled


def doubled(x: float) -> float:
    return 2.0 * x


def tripled(x: float) -> float:
    return 3.0 * x


scaled = doubled


def calling(x: float) -> float:
    return scaled(x)


def test_a_rule_of_the_users_is_obeyed() -> None:
    @zg.adjoint(halved)
    def _(x: float) -> Any:
        return halved(x), lambda bar: (bar * 100.0,)

    try:
        assert zg.pushforward(lambda x: halved(x), 3.0)(1.0) == 100.0
    finally:
        from zygpy.rules import custom, declare

        custom.RULES.pop(id(halved), None)
        declare.REGISTRY.changed()


def halved(x: float) -> float:
    return x / 2


def in_order(xs: Any) -> Any:
    ys = list(xs)
    ys.sort()
    return np.array([ys[0] * ys[1], ys[0]])


def yielded(x: float) -> Any:
    def powers(count: int) -> Any:
        value = x
        for _ in range(count):
            yield value
            value = value * x

    return sum(value * x for value in powers(3))


def made_over_a_range(x: float) -> Any:
    total = 0.0

    def add(value: float) -> float:
        nonlocal total
        total += value * x
        return total

    made = [lambda: k * x for k in range(3)]  # noqa: B023
    return add(x) * sum([function() for function in made])


@pytest.mark.parametrize(
    ("function", "args", "tangents", "expected"),
    [
        (made_over_a_range, (2.0,), (1.0,), 6 * 3 * 2.0**2),
        (in_order, ([2.0, 1.5],), ([1.0, 10.0],), [21.5, 10.0]),
        (yielded, (2.0,), (1.0,), 4.0 + 12.0 + 32.0),
        (lambda x: (1 + 2j) * yielded(x), (2.0,), (1.0,), (1 + 2j) * 48.0),
        (lambda x: np.array([yielded(x), x]), (2.0,), (1.0,), [48.0, 1.0]),
    ],
)
def test_what_can_be_pulled_back_can_be_pushed_forward(
    function: Any, args: Any, tangents: Any, expected: Any
) -> None:
    np.testing.assert_allclose(zg.pushforward(function, *args)(*tangents), expected, rtol=1e-13)


A = np.array([[2.0, 0.3, 0.1], [0.3, 3.1, 0.2], [0.1, 0.2, 1.5]])


def spectral(a: Any) -> Any:
    values, vectors = np.linalg.eigh(a @ a.T)
    return np.sum(values**2) * vectors[0] ** 2


def factors(a: Any) -> Any:
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return (u * s**2) @ vh + np.linalg.pinv(a) * np.linalg.slogdet(a)[1]


def triangles(a: Any) -> Any:
    q, r = np.linalg.qr(a)
    return q @ np.linalg.cholesky(a @ a.T + np.eye(3)) * np.sum(r * r)


def turned_factors(a: Any) -> Any:
    u, s, vh = np.linalg.svd(a + 0.3j * a.T @ a, full_matrices=False)
    return (u * np.arange(1.0, 4.0)) @ vh + np.abs(u) * s[0]


@pytest.mark.parametrize("function", [spectral, factors, triangles, turned_factors])
def test_functions_that_have_nothing_but_a_rule_of_cotangents(function: Any) -> None:
    assert isinstance(pushing.push_of(function, (A,)), pushing.Push)
    direction, step = np.cos(np.arange(9.0)).reshape(3, 3), 1e-5
    expected = (function(A + step * direction) - function(A - step * direction)) / (2 * step)
    np.testing.assert_allclose(zg.pushforward(function, A)(direction), expected, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(pushforward_by_reverse(function, A)(direction), expected, rtol=1e-7, atol=1e-7)


def threefold(*xs: Any) -> Any:
    return xs[0] * 3.0


@zg.adjoint(threefold)
def _(*xs: Any) -> Any:
    return threefold(*xs), lambda y_bar: (y_bar * 3.0,)


def squared(x: Any) -> Any:
    return x * x


CALLED: Any = threefold


def calls(x: Any) -> Any:
    return CALLED(x) * x


def test_what_has_no_tangent_function_is_looked_at_again_when_a_global_is_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert zg.hvp(calls, 2.0, 1.0) == pytest.approx(6.0)
    assert not isinstance(pushing.push_of(calls, (2.0,)), pushing.Push)
    monkeypatch.setitem(globals(), "CALLED", squared)
    assert isinstance(pushing.push_of(calls, (2.0,)), pushing.Push)
    assert zg.hvp(calls, 2.0, 1.0) == pytest.approx(12.0)
