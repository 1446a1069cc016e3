"""Transforms of the older `scipy.fftpack`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fftpack as fp

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError

X = 1.9 * np.sin(1.0 + 2.3 * np.arange(20)).reshape(4, 5)
Z = X + 1j * np.cos(X)
ALONG_ONE: Any = [(), (3, 0), (7,), (None, 0), (4, -1)]
ALONG_SEVERAL: Any = [(), ((3, 7),), (None, (1, 0)), ((6,), (0,))]
CALLS = [(name, Z, options) for name in ("fft", "ifft") for options in ALONG_ONE]
CALLS += [(name, Z, options) for name in ("fftn", "ifftn") for options in ALONG_SEVERAL]
CALLS += [(name, Z, ()) for name in ("fft2", "ifft2")]
CALLS += [(name, X, options) for name in ("rfft", "irfft") for options in ALONG_ONE]
for _type in (1, 2, 3, 4):
    for _norm in (None, "ortho"):
        CALLS += [(name, X, (_type, 6, 0, _norm)) for name in ("dct", "idct", "dst", "idst")]
        CALLS += [(name, X, (_type, (3, 6), None, _norm)) for name in ("dctn", "idctn", "dstn", "idstn")]


def weighed(y: Any) -> Any:
    factors = np.cos(np.arange(np.size(y))).reshape(np.shape(y))
    return np.sum(np.real(y) * factors) + np.sum(np.imag(y) * np.sin(factors))


@pytest.mark.parametrize(("name", "x", "options"), CALLS, ids=[f"{name}{rest}" for name, _, rest in CALLS])
def test_transforms(name: str, x: Any, options: Any) -> None:
    """The value is SciPy's, the gradient that of differences; they are linear, so that these are exact."""
    function = getattr(fp, name)
    f = lambda x: weighed(function(x, *options))  # noqa: E731
    np.testing.assert_array_equal(zg.pullback(lambda x: function(x, *options), x)[0], function(x, *options))
    (found,) = zg.gradient(f, x)
    assert (found.dtype, found.shape) == (x.dtype, x.shape)
    for direction in (np.cos(3.0 * X), 1j * np.sin(5.0 * X))[: 1 + np.iscomplexobj(x)]:
        expected = reference.directional(lambda t, v=direction: f(x + t * v))
        assert np.real(np.vdot(direction, found)) == pytest.approx(float(expected), rel=1e-7, abs=1e-9)


def test_single_precision_and_integers() -> None:
    for name in ("fft", "rfft", "irfft", "dct", "idst"):
        function = getattr(fp, name)
        (found,) = zg.gradient(lambda x, f=function: weighed(f(x)), X.astype(np.float32))
        assert found.dtype == np.float32
        whole = np.arange(20).reshape(4, 5)
        (found,) = zg.gradient(lambda x, f=function: weighed(f(x)), whole)
        (expected,) = zg.gradient(lambda x, f=function: weighed(f(x)), whole * 1.0)
        np.testing.assert_allclose(found, expected)


def test_second_derivatives() -> None:
    (found,) = zg.gradient(lambda x: np.sum(fp.rfft(x) ** 3), X)
    direction = np.cos(3.0 * X)
    expected = reference.directional(
        lambda t: zg.gradient(lambda x: np.sum(fp.rfft(x) ** 3), X + t * direction)[0]
    )
    np.testing.assert_allclose(
        zg.hvp(lambda x: np.sum(fp.rfft(x) ** 3), X, direction), expected, rtol=1e-6, atol=1e-6
    )
    assert found.shape == X.shape


def test_what_may_be_destroyed_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="overwrite_x"):
        zg.gradient(lambda x: weighed(fp.dct(x * 1.0, overwrite_x=True)), X)
