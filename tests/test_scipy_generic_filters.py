"""Filters of `scipy.ndimage` by functions of a program's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy
import scipy.ndimage as nd

import zygpy as zg
from tests.rules.calls import array
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

LINE, TABLE = array(6), array(3, 4)
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])


def spread(v: Any, power: Any = 2.0, scale: Any = 1.0) -> Any:
    return np.sum(np.abs(v - np.mean(v)) ** power) * scale


def middle(v: Any) -> Any:
    v.sort()
    return v[len(v) // 2] + v[0] * v[-1]


def products(line: Any, out: Any, w: Any = 2.0) -> None:
    out[...] = line[:-2] * line[2:] * w + line[1:-1]


def second(x: Any, axis: Any, output: Any, mode: Any, cval: Any, w: Any = 1.0) -> Any:
    return nd.correlate1d(x, [1.0, -2.0, 1.0], axis, output, mode, cval, 0) * 1.0


def weighted(x: Any, axis: Any, output: Any, mode: Any, cval: Any, w: Any = 1.0) -> Any:
    y = (np.roll(x, 1, axis) - x) ** 2 * w
    if isinstance(output, np.ndarray):
        output[...] = y
        return output
    return y


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "windows": lambda x: nd.generic_filter(x, spread, 3),
    "crosses": lambda x: nd.generic_filter(x, spread, footprint=CROSS, mode="wrap"),
    "constants beyond": lambda x: nd.generic_filter(x, spread, (2, 3), mode="constant", cval=x[0, 0]),
    "moved windows": lambda x: nd.generic_filter(x, spread, 3, origin=(1, -1), mode="nearest"),
    "arguments": lambda x: nd.generic_filter(
        x, spread, 2, extra_arguments=(x[0, 1] + 2.5,), extra_keywords={"scale": x[1, 1]}
    ),
    "captured": lambda x: nd.generic_filter(x, lambda v: np.prod(v) * x[1, 2], 2),
    "sorted in place": lambda x: nd.generic_filter(x, middle, 3),
    "lines": lambda x: nd.generic_filter1d(x, products, 3),
    "lines down": lambda x: nd.generic_filter1d(x, products, 3, 0, mode="constant", cval=x[0, 0]),
    "lines with a weight": lambda x: nd.generic_filter1d(
        x, products, 3, origin=1, extra_arguments=(x[0, 0],)
    ),
    "laplace": lambda x: nd.generic_laplace(x, second, mode=("wrap", "nearest")),
    "laplace, written": lambda x: nd.generic_laplace(x, weighted, extra_arguments=(x[0, 0],)),
    "magnitude": lambda x: nd.generic_gradient_magnitude(x, nd.sobel),
    "magnitude, written": lambda x: nd.generic_gradient_magnitude(
        x, weighted, mode="mirror", extra_keywords={"w": x[0, 0]}
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    before = TABLE.copy()
    check_gradient(PROGRAMS[name], TABLE)
    assert np.array_equal(TABLE, before)


def mixed(y: Any) -> Any:
    return np.sum(np.cos(y))


def test_second_derivatives() -> None:
    agrees_to_second_order(lambda x: mixed(nd.generic_filter(x, spread, 2)), LINE[:3])
    agrees_to_second_order(lambda x: mixed(nd.generic_gradient_magnitude(x, nd.sobel)), TABLE[:2, :2])


def test_lines_and_integers() -> None:
    agrees(lambda x: mixed(nd.generic_filter(x, spread, 3)), LINE)
    (bar,) = zg.gradient(lambda x: np.sum(nd.generic_filter(x, spread, 3, output=float)), np.arange(4))
    (same,) = zg.gradient(lambda x: np.sum(nd.generic_filter(x, spread, 3)), np.arange(4.0))
    np.testing.assert_allclose(bar, same)
    (bar,) = zg.gradient(lambda x: np.sum(nd.generic_filter(x, spread, 3)), LINE.astype(np.float32))
    assert bar.dtype == np.float32


@pytest.mark.skipif(np.lib.NumpyVersion(scipy.__version__) < "1.16.0", reason="they have axes since")
def test_some_of_the_axes() -> None:
    agrees(lambda x: mixed(nd.generic_filter(x, spread, 2, axes=1)), TABLE)
    agrees(lambda x: mixed(nd.generic_laplace(x, second, axes=(0,))), TABLE)
    agrees(lambda x: mixed(nd.generic_gradient_magnitude(x, nd.prewitt, axes=(1,))), TABLE)
    agrees(lambda x: mixed(nd.generic_laplace(x, second, axes=())), TABLE)


def test_a_flat_image_has_the_derivative_zero() -> None:
    (bar,) = zg.gradient(lambda x: np.sum(nd.generic_gradient_magnitude(x, nd.sobel)), np.ones((3, 3)))
    assert np.all(bar == 0)


def test_what_counts_its_calls_is_refused() -> None:
    calls = []

    def numbered(v: Any) -> Any:
        calls.append(0)
        return np.sum(v) * len(calls)

    with pytest.raises(MissingRuleError):
        zg.gradient(lambda x: np.sum(nd.generic_filter(x, numbered, 3)), TABLE)


def test_what_is_not_written_is_refused() -> None:
    def returned(x: Any, axis: Any, output: Any, mode: Any, cval: Any) -> Any:
        return x * 2.0

    with pytest.raises(MissingRuleError, match="called once more"):
        zg.gradient(lambda x: np.sum(nd.generic_laplace(x, returned)), TABLE)


def test_an_array_for_the_result_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="output= that is an array"):
        zg.gradient(lambda x: np.sum(nd.generic_filter(x, spread, 3, output=np.zeros((3, 4)))), TABLE)
    with pytest.raises(MissingRuleError, match="complex"):
        zg.gradient(lambda x: np.sum(nd.generic_gradient_magnitude(x * 1j, nd.sobel)), TABLE)
