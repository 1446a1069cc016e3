"""Functions of `scipy.ndimage` that write into arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.ndimage as nd

import zygpy as zg
from zygpy.errors import MissingRuleError

IMAGE = np.sin(np.arange(30.0) ** 1.3).reshape(5, 6)
WEIGHTS = np.cos(np.arange(30.0)).reshape(5, 6)
TURN = np.array([[0.9, 0.1], [-0.1, 1.0]])

FILTERS: dict[str, Callable[..., Any]] = {
    "gaussian_filter": lambda x, out: nd.gaussian_filter(x, 1.0, output=out),
    "median_filter": lambda x, out: nd.median_filter(x, 3, output=out),
    "sobel": lambda x, out: nd.sobel(x, 0, out),
    "grey_opening": lambda x, out: nd.grey_opening(x, 3, output=out),
    "white_tophat": lambda x, out: nd.white_tophat(x, 3, output=out),
    "affine_transform": lambda x, out: nd.affine_transform(x, TURN, output=out),
    "spline_filter": lambda x, out: nd.spline_filter(x, output=np.float64 if out is None else out),
}


@pytest.mark.parametrize("name", FILTERS)
def test_results_in_arrays(name: str) -> None:
    function = FILTERS[name]

    def written(x: Any) -> Any:
        whole = np.ones((2, 5, 6))
        found = function(x, whole[1])
        return np.sum(WEIGHTS * np.sin(whole)) + np.sum(found)

    def plain(x: Any) -> Any:
        found = function(x, None)
        return np.sum(WEIGHTS * np.sin(found)) + np.sum(found)

    np.testing.assert_allclose(zg.gradient(written, IMAGE)[0], zg.gradient(plain, IMAGE)[0], atol=1e-13)


def test_the_image_itself_as_output() -> None:
    def program(x: Any) -> Any:
        y = x * 1.0
        nd.gaussian_filter(y, 1.0, output=y)
        return np.sum(y**2)

    y, back = zg.pullback(program, IMAGE)
    assert y == program(IMAGE)
    expected = zg.gradient(lambda x: np.sum(nd.gaussian_filter(x, 1.0) ** 2), IMAGE)[0]
    for _ in range(2):
        np.testing.assert_allclose(back(1.0)[0], expected, atol=1e-13)
    with pytest.raises(MissingRuleError, match="memory of its input"):
        zg.gradient(lambda x: np.sum(nd.laplace(x, output=x)), IMAGE)


def test_arrays_of_other_shapes_and_types() -> None:
    def program(x: Any, shape: Any, dtype: Any) -> Any:
        found = np.zeros(shape, dtype)
        nd.gaussian_filter(x, 1.0, output=found)
        return np.sum(found) * 1.0

    with pytest.raises(RuntimeError, match="output shape"):
        zg.gradient(program, IMAGE, (2, 5, 6), float)
    single = zg.gradient(program, IMAGE, (5, 6), np.float32)[0]
    np.testing.assert_allclose(single, zg.gradient(program, IMAGE, (5, 6), float)[0], atol=1e-6)
    assert not np.any(zg.gradient(program, IMAGE, (5, 6), int)[0])
