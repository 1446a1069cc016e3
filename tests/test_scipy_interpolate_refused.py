"""What `scipy.interpolate` has and zygpy refuses: at the call, by a reason, with something else to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as si

import zygpy as zg
from zygpy.errors import MissingRuleError

PLACES, POINTS = np.linspace(0.0, 1.0, 6), np.random.default_rng(0).random((6, 2))
INSIDE, X = np.mean(POINTS, axis=0)[np.newaxis], np.cos(np.arange(6.0))
KNOTS = np.arange(8.0)

REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "CloughTocher2DInterpolator": (lambda y: si.CloughTocher2DInterpolator(POINTS, y)(INSIDE), "triangles"),
    "spalde": (lambda y: si.spalde(0.3, (KNOTS, y, 1))[0], "splev"),
    "BSpline, a knot": (lambda y: si.BSpline(KNOTS, y, 1).insert_knot(2.5).c[1], "insert_knot"),
    "SmoothBivariateSpline": (lambda y: si.SmoothBivariateSpline(*POINTS.T, y, kx=1, ky=1)(0, 0), "RBF"),
}


@pytest.mark.parametrize("name", [name for name in REFUSED if hasattr(si, name.partition(",")[0])])
def test_refused_where_it_is_called(name: str) -> None:
    program, said = REFUSED[name]
    with pytest.raises(MissingRuleError, match=said) as caught:
        zg.gradient(lambda y: np.sum(program(y)), X)
    assert f"{__file__}:{program.__code__.co_firstlineno}:" in str(caught.value)
    assert "of 'scipy.interpolate' have no rule" in str(caught.value)


def test_without_a_gradient_they_are_called() -> None:
    made = si.griddata(POINTS, X, INSIDE) + si.krogh_interpolate(PLACES, X, 0.3)
    found = zg.withgradient(
        lambda y: np.sum(y * (si.griddata(POINTS, X, INSIDE) + si.krogh_interpolate(PLACES, X, 0.3))),
        X.copy(),
    )
    assert found.val == pytest.approx(np.sum(X) * made[0], rel=1e-14)
    np.testing.assert_allclose(found.grad[0], np.full(6, made[0]))
