"""Filters of `scipy.signal` that run both ways over mirrored signals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError
from zygpy.pushing import Push, push_of
from zygpy.runtime import symmetric_filters as symmetric

X = 1.5 + np.cos(np.arange(40.0) ** 1.2)
V = np.sin(1.0 + np.arange(40.0))

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "signal, 1": lambda x: ss.symiirorder1(x, 0.7, 0.4),
    "rows, 1": lambda x: ss.symiirorder1(np.reshape(x, (2, 20)), 0.7, -0.2, precision=1e-3),
    "all, 1": lambda x: ss.symiirorder1(x, x[0], x[1] / 5.0),
    "coefficients, 1": lambda x: ss.symiirorder1(X, x[0], x[1] / 5.0, 1e-2),
    "signal, 2": lambda x: ss.symiirorder2(x, 0.5, 0.8),
    "rows, 2": lambda x: ss.symiirorder2(np.reshape(x, (2, 20)), 0.3, -1.2, precision=1e-3),
    "all, 2": lambda x: ss.symiirorder2(x, x[0] / 25.0, x[1], 1e-28),
    "coefficients, 2": lambda x: ss.symiirorder2(X, x[0] / 5.0, x[1], 1e-2),
    "a double pole": lambda x: ss.symiirorder2(x, x[2] / 25.0, 0.0, 1e-28),
}


def total(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: np.sum(np.sin(program(x)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, f = PROGRAMS[name], total(PROGRAMS[name])
    assert np.array_equal(zg.pullback(program, X)[0], program(X))
    expected = reference.directional(lambda t: f(X + t * V))
    assert zg.gradient(f, X)[0] @ V == pytest.approx(float(expected), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("name", ["all, 1", "all, 2"])
def test_second_derivatives(name: str) -> None:
    f = total(PROGRAMS[name])
    second = reference.directional(lambda t: zg.gradient(f, X + t * V)[0])
    np.testing.assert_allclose(zg.hvp(f, X, V), second, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("name", ["all, 1", "rows, 2", "all, 2"])
def test_tangents(name: str) -> None:
    program = PROGRAMS[name]
    assert isinstance(push_of(program, (X,)), Push)
    expected = reference.directional(lambda t: program(X + t * V))
    np.testing.assert_allclose(zg.pushforward(program, X)(V), expected, rtol=1e-8, atol=1e-9)


def by_plain_operations(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], args: Any) -> Any:
    """What the program computes beside the value that SciPy gives."""
    monkeypatch.setattr(symmetric, "as_given", lambda value, computed: computed)
    return function(*args)


@pytest.mark.parametrize("precision", [-1.0, 1e-3, 0.4])
@pytest.mark.parametrize("x", [X, np.stack([X, V])])
def test_what_is_computed_is_what_scipy_gives(
    x: Any, precision: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for z in (0.0, 0.02, 0.5, -0.4):
        args = (x, 0.7, z, precision)
        found = by_plain_operations(monkeypatch, symmetric.symiirorder1, args)
        np.testing.assert_allclose(found, ss.symiirorder1(*args), rtol=1e-12, atol=1e-13)
    for r, omega in ((0.0, 0.3), (0.002, 0.0), (0.3, 1e-9), (0.4, -1.0), (0.2, 3.0)):
        args = (x, r, omega, precision)
        found = by_plain_operations(monkeypatch, symmetric.symiirorder2, args)
        np.testing.assert_allclose(found, ss.symiirorder2(*args), rtol=1e-12, atol=1e-13)


def test_single_precision() -> None:
    x = X.astype(np.float32)
    for name in ("signal, 1", "signal, 2"):
        program = PROGRAMS[name]
        assert zg.pullback(program, x)[0].dtype == program(x).dtype == np.float32
        (found,) = zg.gradient(lambda x, f=program: np.sum(f(x)), x)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, zg.gradient(lambda x, f=program: np.sum(f(x)), X)[0], rtol=1e-3)


@pytest.mark.parametrize(("r", "omega"), [(-0.3, 0.4), (0.3, math.pi), (0.3, 2 * math.pi)])
def test_filters_that_scipy_starts_in_another_way_are_refused(r: float, omega: float) -> None:
    with pytest.raises(
        MissingRuleError, match=r"'scipy\.signal\.symiirorder2' has no rule for r < 0"
    ) as found:
        zg.gradient(lambda x: np.sum(ss.symiirorder2(x, r, omega)), X)
    assert "abs(r)" in str(found.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda x: ss.symiirorder1(x, 1.0, 1.5), r"z1\| must be less"),
        (lambda x: ss.symiirorder1(x[:4], 1.0, 0.5), "did not converge"),
        (lambda x: ss.symiirorder2(x, 1.5, 0.3), "r must be less"),
    ],
)
def test_what_scipy_refuses_is_refused_alike(call: Callable[[Any], Any], said: str) -> None:
    for run in (call, lambda x: zg.gradient(lambda x: np.sum(call(x)), x)):
        with pytest.raises(ValueError, match=said):
            run(X)


def test_designs_by_exchange_are_refused() -> None:
    bands, wanted = [0.0, 0.1, 0.2, 0.5], np.array([1.0, 0.0])
    for program, name in (
        (lambda w: ss.remez(15, bands, wanted, weight=w + 1.0), "weight"),
        (lambda d: ss.remez(15, bands, d), "desired"),
    ):
        with pytest.raises(MissingRuleError, match=rf"(?s)'remez' by '{name}'.*firls") as found:
            zg.gradient(lambda w, f=program: np.sum(f(w)), wanted)
        assert "firwin2" in str(found.value)
    (slope,) = zg.gradient(lambda s: np.sum(ss.remez(15, bands, wanted) * s), 2.0)
    assert slope == pytest.approx(np.sum(ss.remez(15, bands, wanted)))
