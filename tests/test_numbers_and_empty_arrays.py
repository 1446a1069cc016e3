"""Functions of SciPy that take a number for a sample or an array, nothing at all, or edges of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl
import scipy.ndimage as nd
import scipy.signal as ss
import scipy.special as sc
import scipy.stats as st

import zygpy as zg
from tests.differences import differences
from zygpy.errors import MissingRuleError

Function = Callable[[Any], Any]

OF_NUMBERS: dict[str, Function] = {
    "gmean": lambda x: st.gmean(x, axis=-1),
    "hmean": lambda x: st.hmean(x, axis=0) ** 2,
    "pmean": lambda x: st.pmean(x, 3.0, axis=-1),
    "circstd of several": lambda x: st.circstd(np.stack([x, x * 2, x**3])),
    "circstd": lambda x: st.circstd(x) + x * x,
    "sici": lambda x: np.sum(sc.sici([x, 2 * x])[0] ** 2),
    "itairy": lambda x: np.sum(sc.itairy([x, 2 * x])[2] ** 2),
    "modfresnelp": lambda x: np.sum(np.real(sc.modfresnelp([x, 2 * x])[0])),
    "gradient along no axis": lambda x: nd.gaussian_gradient_magnitude(-x, 1.0) * x,
    "gradient of no direction": lambda x: nd.generic_gradient_magnitude(-x, nd.sobel) * x,
    "freqz": lambda x: np.abs(ss.freqz([1.0, x], [1.0, 0.2], x)[1][0]) + ss.freqz([1.0], [1.0], x)[0][0],
    "freqs": lambda x: np.abs(ss.freqs([1.0, x], [1.0, 0.2], x)[1][0]),
    "sosfreqz": lambda x: np.abs(ss.sosfreqz([[1.0, 0.4, 0.2, 1.0, 0.1, 0.3]], x)[1][0]),
    "freqz_zpk": lambda x: np.abs(ss.freqz_zpk([0.3], [0.2], 1.5, x)[1][0]),
    "freqs_zpk": lambda x: np.abs(ss.freqs_zpk([0.3], [0.2], 1.5, x)[1][0]),
    "item": lambda x: np.float64(x).item() ** 3,
}


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_gradients_by_a_number_agree_with_differences(name: str) -> None:
    f = OF_NUMBERS[name]
    expected = differences(lambda x: float(f(x[0])), np.array([0.6]))[0]
    for x in (0.6, np.array(0.6)):
        value, (found,) = zg.withgradient(f, x)
        assert value == f(x)
        assert type(found) is type(x)
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    np.testing.assert_allclose(zg.pushforward(f, 0.6)(1.0), expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["gmean", "circstd", "modfresnelp", "item"])
def test_second_derivatives_by_a_number_agree_with_differences(name: str) -> None:
    f = OF_NUMBERS[name]
    expected = differences(lambda x: zg.gradient(f, float(x[0]))[0], np.array([0.6]))[0]
    np.testing.assert_allclose(zg.hvp(f, 0.6, 1.0), expected, rtol=1e-6, atol=1e-9)


OF_NOTHING: dict[str, Function] = {
    "iqr": lambda x: np.sum(st.iqr(x, axis=0)),
    "quantile": lambda x: np.sum(st.quantile(x, 0.3)),
    "tmin": lambda x: np.sum(st.tmin(x)),
    "tmax": lambda x: np.sum(st.tmax(x)),
    "levene": lambda x: np.sum(st.levene(x, x * 2, axis=0, keepdims=True)[0]),
}


@pytest.mark.parametrize("shape", [(0,), (0, 3)])
@pytest.mark.parametrize("name", [name for name in OF_NOTHING if hasattr(st, name)])
@pytest.mark.filterwarnings("ignore")
def test_samples_of_nothing_have_gradients_of_their_shapes(name: str, shape: tuple[int, ...]) -> None:
    value, (found,) = zg.withgradient(OF_NOTHING[name], np.zeros(shape))
    assert np.isnan(value)
    assert found.shape == shape


AT_EDGES: dict[str, Function] = {
    "stdtr": lambda x: sc.stdtr(0.0, x),
    "stdtrit": lambda x: sc.stdtrit(0.0, x),
    "fdtr": lambda x: sc.fdtr(1.0, 0.0, x),
    "fdtrc": lambda x: sc.fdtrc(1.0, 0.0, x),
    "fdtri": lambda x: sc.fdtri(1.0, 0.0, x),
    "hyp2f1": lambda x: sc.hyp2f1(1.0, 1.5, 0.0, x),
    "hyp1f1": lambda x: sc.hyp1f1(1.0, 0.0, x),
}


@pytest.mark.parametrize("name", AT_EDGES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_parameters_without_a_value_raise_nothing(name: str) -> None:
    value, (found,) = zg.withgradient(AT_EDGES[name], 0.6)
    assert not np.isfinite(value)
    assert not np.isfinite(found)


def test_the_root_of_a_number_as_a_matrix_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="no matrix"):
        zg.gradient(lambda x: np.sum(sl.sqrtm(x)), 0.6)
