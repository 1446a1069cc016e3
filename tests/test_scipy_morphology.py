"""Grey morphology of `scipy.ndimage`: values are SciPy's, derivatives those of differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.ndimage as nd

import zygpy as zg
from tests.rules.calls import array
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

NAMES = (
    "grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient",
    "morphological_laplace", "white_tophat", "black_tophat",
)  # fmt: skip
FOOTPRINT = np.array([[False, True], [True, True], [True, False]])
LINE, TABLE, BLOCK = array(7), array(4, 5), array(3, 2, 4)
HEIGHTS = array(2, 3, start=30)
WINDOWS: tuple[dict[str, Any], ...] = (
    {"size": 3},
    {"size": (2, 1), "origin": (-1, 0)},
    {"footprint": FOOTPRINT},
    {"footprint": FOOTPRINT, "origin": (1, -1)},
    {"structure": HEIGHTS, "cval": 0.7},
    {"structure": array(3, 2, start=30), "footprint": FOOTPRINT, "origin": (-1, 0)},
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["reflect", "constant", "nearest", "mirror", "wrap"])
def test_windows_in_all_modes(name: str, mode: str) -> None:
    function = getattr(nd, name)
    for window in WINDOWS:
        program = lambda x, window=window: function(x, mode=mode, **window)  # noqa: E731
        value, _ = zg.pullback(program, TABLE)
        np.testing.assert_array_equal(value, program(TABLE))
        check_gradient(program, TABLE)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("x", [LINE, BLOCK, array(2, 1), TABLE.astype(np.float32)], ids=["1", "3", "2", "f4"])
def test_ranks_and_precision(name: str, x: Any) -> None:
    structure = array(*[3, 2, 2][: x.ndim], start=30).astype(x.dtype)
    for program in (
        lambda x: getattr(nd, name)(x, 2),
        lambda x: getattr(nd, name)(x, structure=structure),
    ):
        value, _ = zg.pullback(program, x)
        assert value.dtype == program(x).dtype
        np.testing.assert_array_equal(value, program(x))
        check_gradient(program, x)


def test_heights_are_added_in_the_type_of_the_image() -> None:
    program = lambda x, h: np.sum(nd.grey_dilation(x, structure=h) * TABLE)  # noqa: E731
    bars = zg.gradient(program, TABLE.astype(np.float32), HEIGHTS * 1.37)
    for bar, exact in zip(bars, zg.gradient(program, TABLE, HEIGHTS * 1.37), strict=True):
        np.testing.assert_allclose(bar, exact, rtol=1e-5)


PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    lambda x: nd.grey_erosion(x * x, structure=HEIGHTS * x[0, 0]),
    lambda x: nd.grey_dilation(x * x, structure=HEIGHTS * x[0, 0], mode="constant", cval=x[0, 1]),
    lambda x: nd.grey_opening(x * x, (2, 3)) * nd.grey_closing(x, structure=x[:2, :2]),
    lambda x: nd.morphological_gradient(x * x, 3) * nd.morphological_laplace(x * x, 2),
    lambda x: nd.white_tophat(x * x, 3) + nd.black_tophat(x * x, structure=HEIGHTS),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_to_second_order(program: Callable[[Any], Any]) -> None:
    check_gradient(program, TABLE, order=2)


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="as new as the SciPy that has them")
def test_some_of_the_axes() -> None:
    for name in NAMES:
        function = getattr(nd, name)
        check_gradient(lambda x, function=function: function(x, (2, 3), axes=(0, 2), origin=(0, -1)), BLOCK)


def test_the_first_of_equal_elements_counts() -> None:
    (found,) = zg.gradient(lambda x: np.sum(nd.grey_erosion(x, 3)), np.ones(4))
    assert found.tolist() == [2.0, 1.0, 1.0, 0.0]
    (found,) = zg.gradient(lambda s: np.sum(nd.grey_dilation(np.ones(4), structure=s)), np.ones(3))
    assert found.sum() == 4.0
    assert sorted(found.tolist()) == [0.0, 0.0, 4.0]


def test_integers_and_dtypes_asked_for() -> None:
    whole = np.array([3, 1, 4, 1, 5, 9])
    (found,) = zg.gradient(lambda x: np.sum(nd.grey_dilation(x, 2) * np.arange(6.0)), whole)
    assert found.tolist() == [0.0, 0.0, 3.0, 0.0, 3.0, 9.0]
    heights = np.array([0.5, 0.25])
    assert not zg.gradient(lambda s: np.sum(nd.grey_dilation(whole, structure=s)), heights)[0].any()
    for name in NAMES[:4]:
        program = lambda x, name=name: getattr(nd, name)(x, 3, output=np.float32)  # noqa: E731
        assert zg.pullback(program, TABLE)[0].dtype == np.float32
        check_gradient(lambda x, program=program: np.sum(program(x) ** 2), TABLE.astype(np.float32))


def test_empty_images_and_what_is_refused() -> None:
    assert zg.gradient(lambda x: np.sum(nd.grey_opening(x, 2)), np.zeros((0, 3)))[0].shape == (0, 3)
    for name in ("white_tophat", "morphological_laplace"):
        function = getattr(nd, name)
        with pytest.raises(MissingRuleError, match="output"):
            zg.gradient(lambda x, function=function: np.sum(function(x, 2, output=x)), TABLE)
    with pytest.raises(ValueError, match="must be specified"):
        zg.gradient(lambda x: np.sum(nd.grey_erosion(x)), TABLE)


@pytest.mark.parametrize("size", [0, 0.5, (1, 0), 1])
@pytest.mark.parametrize("name", ["minimum_filter", "maximum_filter", "grey_erosion"])
def test_windows_of_no_length_are_of_one(name: str, size: Any) -> None:
    image = np.array([[0.3, 0.5, 0.2], [0.7, 1.2, 0.9]])
    weights = np.arange(6.0).reshape(2, 3) + 1.0
    f = getattr(nd, name)
    assert np.array_equal(f(image, size), image)
    (found,) = zg.gradient(lambda m: np.sum(f(m, size) * weights), image)
    assert np.array_equal(found, weights)
    assert zg.pushforward(lambda m: f(m, size), image)(weights) == pytest.approx(weights)
