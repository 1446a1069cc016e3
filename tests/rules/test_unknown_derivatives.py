"""Arguments by which there is no derivative: orders and parameters of special functions."""

from __future__ import annotations

import argparse
import functools
from typing import Any

import numpy as np
import pytest
import scipy.special as sc
from scipy.optimize import root

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.runtime.project import as_given, project
from zygpy.runtime.unknown_derivatives import UnknownCotangent, unknown_cotangent, unknown_derivative


def bessel(v: Any, x: Any) -> Any:
    return sc.jv(v, x) * 2.0


def slope(v: float, x: float) -> float:
    return float(sc.jvp(v, x)) * 2.0


def test_the_order_is_refused_with_its_place() -> None:
    with pytest.raises(MissingRuleError, match="'jv' by 'v'") as caught:
        zg.gradient(bessel, 1.5, 2.0)
    assert caught.value.place is not None
    assert "sc.jv(v, x)" in caught.value.place.text


@pytest.mark.parametrize("order", [np.float64(1.5), np.array([0.5, 1.5]), np.float32(0.5)])
def test_so_are_orders_of_every_kind(order: Any) -> None:
    with pytest.raises(MissingRuleError, match="order"):
        zg.gradient(lambda v: np.sum(bessel(v, 2.0)), order)


def test_integers_are_constants() -> None:
    assert zg.gradient(bessel, 1, 2.0) == (None, pytest.approx(slope(1, 2.0)))
    assert zg.gradient(bessel, np.int64(1), 2.0)[0] is None
    assert zg.gradient(lambda n: np.sum(bessel(n, 2.0)), np.arange(3)) == (None,)


class Wave:
    def __init__(self, order: float) -> None:
        self.order = order

    def __call__(self, x: float) -> Any:
        return bessel(self.order + 1.0, x)


def made(order: float) -> Any:
    return lambda x: bessel(order + 1.0, x)


@pytest.mark.parametrize("function", [Wave(0.5), made(0.5), functools.partial(bessel, 1.5)])
def test_orders_that_are_carried_along_are_constants(function: Any) -> None:
    assert zg.gradient(function, 2.0) == (pytest.approx(slope(1.5, 2.0)),)
    expected = (slope(1.5, 2.0 + 1e-6) - slope(1.5, 2.0 - 1e-6)) / 2e-6
    assert zg.derivative(zg.derivative(function))(2.0) == pytest.approx(expected)
    assert zg.hessian(function, 2.0) == pytest.approx(expected)
    assert zg.pushforward(function, 2.0)(1.0) == pytest.approx(slope(1.5, 2.0))


def test_functions_found_when_they_are_called() -> None:
    functions = {"bessel": sc.jv}

    def f(x: float, name: str = "bessel") -> Any:
        return functions[name](1.5, x) * 2.0

    assert zg.gradient(f, 2.0) == (pytest.approx(slope(1.5, 2.0)),)


def test_directions_that_leave_the_order_alone() -> None:
    assert zg.pushforward(lambda x: bessel(1.5, x), 2.0)(1.0) == pytest.approx(slope(1.5, 2.0))
    with pytest.raises(MissingRuleError, match="order"):
        zg.pushforward(bessel, 1.5, 2.0)(1.0, 0.0)


def test_a_pullback_refuses_too_unless_nothing_comes_in() -> None:
    _, back = zg.pullback(bessel, 1.5, 2.0)
    with pytest.raises(MissingRuleError, match="order"):
        back(1.0)
    assert back(0.0) == (0.0, 0.0)


def test_other_gradients_are_what_they_are() -> None:
    assert zg.gradient(lambda v, x: bessel(v, 1.0) * 0.0 + x, 1.5, 2.0) == (0.0, 1.0)


def test_what_has_no_closed_form() -> None:
    for name, args in (("zeta", (2.5, 0.3)), ("zetac", (2.5,))):
        with pytest.raises(MissingRuleError, match="no closed form"):
            zg.gradient(lambda a, name=name, args=args: getattr(sc, name)(a, *args[1:]), args[0])


def test_cotangents_that_are_not_known_stay_so() -> None:
    bar = unknown_derivative(np.array([1.0, 0.0]), 1.5, "f by x")
    assert np.isnan(bar).tolist() == [True, False]
    for other in (bar * 2.0, np.sum(bar), bar[0], 3.0 + bar[:1], np.where(True, bar, 0.0) + bar):
        assert isinstance(other, UnknownCotangent) and other.why == "f by x"
    assert unknown_derivative(np.zeros(2), 1.5, "f by x").tolist() == [0.0, 0.0]
    assert not isinstance(unknown_derivative(0.0, 1.5, "f by x"), np.ndarray)
    assert np.isnan(unknown_cotangent((None, np.ones(2)), np.ones(3), "f by x")).all()
    assert unknown_cotangent((None, np.ones(2)), np.ones(3, int), "f by x").tolist() == [0.0, 0.0, 0.0]


def test_cotangents_that_are_not_known_are_none_of_objects() -> None:
    given = as_given(argparse.Namespace(x=1.0))
    assert project({"x": 2.0}, given).x == 2.0
    with pytest.raises(MissingRuleError, match="f by x"):
        project(unknown_derivative(np.ones(2), 1.5, "f by x"), given)


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (lambda x: sc.jv(x[0], x[1]) + x[1], np.array([1.5, 2.0])),
        (lambda x: sc.jv(x[0], x[1]) * x[1], np.array([1.5, 2.0], np.float32)),
        (lambda x: np.sum(sc.jv(x[:1], x[1:])), np.array([1.5, 2.0, 3.0])),
        (lambda x: np.sum(x @ np.array([sc.jv(x[0], 1.0), 2.0])), np.array([1.5, 2.0])),
        (lambda p: sc.jv(*p["x"]), {"x": [1.5, 2.0]}),
        (lambda z: abs(sc.jv(z.real[0], 2.0) * z[1]), np.array([1.5, 2.0 + 1j])),
    ],
)
def test_one_among_other_parameters_in_an_array_is_refused(function: Any, argument: Any) -> None:
    with pytest.raises(MissingRuleError, match="'jv' by 'v'"):
        zg.gradient(function, argument)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_raw_pullback_gives_nan_among_others(dtype: Any) -> None:
    _, back = zg.pullback(lambda x: sc.jv(x[0], x[1]) + x[1], np.array([1.5, 2.0], dtype))
    assert np.isnan(back(1.0)[0]).tolist() == [True, False]


def test_a_constant_among_other_parameters_in_an_array_is_none() -> None:
    joined = zg.gradient(lambda x: sc.jv(*np.stack([1.5, x])), 2.0)
    assert joined == (pytest.approx(slope(1.5, 2.0) / 2.0),)


def test_another_nan_is_a_nan() -> None:
    assert np.isnan(zg.gradient(lambda x: np.sum(x * np.nan), np.ones(2))[0]).all()


def test_complex_gradients_of_any_layout_are_looked_at() -> None:
    """What has been refused before makes all gradients be looked at: in an array whose last axis is not
    contiguous, and in an array without axes."""
    with pytest.raises(MissingRuleError):
        zg.gradient(lambda x: sc.jv(x[0], x[1]), np.array([1.5, 2.0]))
    order = np.array([[1.0, 2.0], [3.0, 4.0]]) + 1j
    (gradient,) = zg.gradient(lambda x: np.sum(np.real(x.T @ order)), np.ones((2, 2), complex, order="F"))
    assert gradient.tolist() == np.conj(np.ones((2, 2)) @ order.T).T.tolist()
    with pytest.raises(MissingRuleError):
        zg.gradient(lambda z: sc.jv(*np.stack([np.real(z), 2.0])), np.array(1.5 + 1j))


def test_mixed_second_derivatives_by_an_order_are_no_more_known() -> None:
    point = np.array([0.5, 1.5])
    for second in (zg.hessian, zg.hessian_reverse, zg.diaghessian):
        with pytest.raises(MissingRuleError, match="'jv' by 'v'"):
            second(lambda a: bessel(a[0], a[1]), point)
    expected = (slope(0.5, 1.5 + 1e-6) - slope(0.5, 1.5 - 1e-6)) / 2e-6
    assert zg.hessian(lambda a: bessel(0.5, a[1]), point)[1, 1] == pytest.approx(expected)
    with pytest.raises(MissingRuleError, match="order"):
        zg.jacobian(lambda v: bessel(v, np.ones(2)), 0.5)


def test_so_are_those_of_functions_with_several_results() -> None:
    def first(a: np.ndarray) -> float:
        return a[2] * sc.pbdv(0.5, a[1])[0]

    point = np.array([0.5, 1.5, 2.0])
    for hessian in (zg.hessian(first, point), zg.hessian_reverse(first, point)):
        value, slope_there = sc.pbdv(0.5, 1.5)
        curvature = (1.5**2 / 4 - 0.5 - 0.5) * value
        expected = [[2.0 * curvature, slope_there], [slope_there, 0.0]]
        np.testing.assert_allclose(hessian[1:, 1:], expected, rtol=1e-12)
    for second in (zg.hessian, zg.hessian_reverse):
        with pytest.raises(MissingRuleError, match="'pbdv' by 'v'"):
            second(lambda a: a[2] * sc.pbdv(a[0], a[1])[0], point)
    hessian = zg.hessian_reverse(lambda a: sc.pbdv(0.5, a[1])[0] * a[0], point)
    assert not np.isnan(hessian).any()


def among_others(x: float) -> Any:
    return np.sum(sc.jv(x * np.array([1.0, 2.0]), 1.5) ** 2)


def chosen(x: float) -> Any:
    return np.where(x > 0, sc.jv(x, 1.5), x) * 1.0


def one_of_several(x: float) -> Any:
    return sc.pbdv(x, np.array([0.3, 0.4]))[1][0]


@pytest.mark.parametrize("function", [among_others, chosen, one_of_several])
def test_no_way_of_differentiating_gives_nan_where_gradients_are_refused(function: Any) -> None:
    ways: list[Any] = [
        lambda x: zg.gradient(function, x),
        lambda x: zg.jacobian(function, x),
        lambda x: zg.withjacobian(function, x),
        lambda x: zg.pushforward(function, x)(1.0),
        lambda x: zg.hvp(function, x, 1.0),
        lambda x: zg.hessian(function, x),
        lambda x: zg.diaghessian(function, x),
        lambda x: zg.hessian_reverse(function, x),
        lambda x: zg.hessian(lambda z: function(z[0]), np.array([x])),
        lambda x: zg.jacobian(lambda z: np.stack([z[0], function(z[0])]), np.array([x])),
    ]
    for way in ways:
        for _ in range(2):  # the second call finds what the first one kept
            with pytest.raises(MissingRuleError, match="derivative of"):
                way(0.7)


def test_nor_do_reports_of_solvers() -> None:
    def reported(x: float) -> Any:
        found = root(lambda z: z - x, [0.5])
        return found.x[0] * found.fjac[0, 0]

    for way in (zg.gradient, zg.jacobian):
        with pytest.raises(MissingRuleError, match="'reported' by 'solution'"):
            way(reported, 0.7)


def test_refused_tangents_tell_the_line_of_the_user() -> None:
    for way in (zg.jacobian, lambda f, x: zg.hessian(lambda z: f(z[0]), np.array([x]))):
        with pytest.raises(MissingRuleError) as caught:
            way(among_others, 0.7)
        assert caught.value.place is not None
        assert "sc.jv(x * np.array" in caught.value.place.text


def test_tangents_of_zero_are_zero_where_the_derivative_is_not_known() -> None:
    for function in (among_others, chosen, one_of_several):
        assert zg.pushforward(function, 0.7)(0.0) == 0.0
