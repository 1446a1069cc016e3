"""Measurements of `scipy.ndimage` by labels: values are SciPy's, derivatives those of differences."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.ndimage as nd

import zygpy as zg
from tests.rules.calls import array
from zygpy.testing import check_gradient

NAMES = (
    "sum_labels", "sum", "mean", "variance", "standard_deviation", "minimum", "maximum", "median",
)  # fmt: skip
TABLE = array(4, 5)
LABELS = np.array([[1, 1, 0, 2, 2], [1, 0, 0, 2, 3], [3, 3, 3, 0, 4], [4, 4, 1, 1, 0]])
ASKED: tuple[tuple[Any, ...], ...] = (
    (),
    (LABELS,),
    (LABELS, 2),
    (LABELS, [1, 2, 4]),
    (LABELS, np.array([[3, 1], [1, 0]])),
    (LABELS * 0.5, [0.5, 1.0]),
    (LABELS - 3, [-2, 0, 1]),
    (LABELS * 1000, [1000, 4000]),
    (LABELS > 0, [False, True]),
    (LABELS[:, :1], [3, 1]),
    (LABELS[0], np.int64(2)),
)


def same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.filterwarnings("ignore:invalid value encountered")  # SciPy's, of labels between those there
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("asked", ASKED, ids=range(len(ASKED)))
def test_regions(name: str, asked: tuple[Any, ...]) -> None:
    program = lambda x: getattr(nd, name)(x * x, *asked)  # noqa: E731
    same(zg.pullback(program, TABLE)[0], program(TABLE))
    check_gradient(program, TABLE, order=2)


@pytest.mark.parametrize("name", ["sum", "minimum", "maximum", "median"])
@pytest.mark.parametrize("labels", [LABELS, LABELS - 3, LABELS * 1000], ids=["counted", "negative", "large"])
def test_labels_that_are_not_there(name: str, labels: Any) -> None:
    program = lambda x: getattr(nd, name)(x, labels, [labels.max(), 7777, 5, -50])  # noqa: E731
    same(zg.pullback(program, TABLE)[0], program(TABLE))
    check_gradient(program, TABLE)


@pytest.mark.filterwarnings("ignore:invalid value encountered")
def test_means_of_nothing() -> None:
    for name in ("mean", "variance", "standard_deviation"):
        program = lambda x, name=name: getattr(nd, name)(x, LABELS, [1, 7])  # noqa: E731
        value, back = zg.pullback(program, TABLE)
        np.testing.assert_array_equal(value, program(TABLE))
        (found,) = back(np.array([1.0, 0.0]))
        np.testing.assert_array_equal(found, zg.gradient(lambda x, p=program: p(x)[0], TABLE)[0])
        assert np.isfinite(found).all()


PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    lambda x: nd.extrema(x * x, LABELS, [1, 2])[0] * nd.extrema(x, LABELS, [2, 3])[1],
    lambda x: nd.extrema(x * x)[0] * nd.extrema(x, LABELS)[1],
    lambda x: np.array(nd.center_of_mass(x * x)),
    lambda x: np.array(nd.center_of_mass(x * x, LABELS)) * nd.center_of_mass(x, LABELS, 2)[0],
    lambda x: np.array(nd.center_of_mass(x * x, LABELS, [1, 4])),
    lambda x: np.array(nd.center_of_mass(x, LABELS, np.array([[1, 4, 2], [2, 3, 1]]))),
    lambda x: nd.labeled_comprehension(x * x, LABELS, None, np.max, float, 0.5),
    lambda x: nd.labeled_comprehension(x * x, LABELS, 2, np.prod, float, 0.5),
)


EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 3  # each takes long to derive to second order


@pytest.mark.parametrize("place", range(len(PROGRAMS)))
def test_programs(place: int) -> None:
    program = PROGRAMS[place]
    np.testing.assert_array_equal(zg.pullback(program, TABLE)[0], program(TABLE))
    check_gradient(program, TABLE, order=1 if place % EVERY else 2)


COMPREHENSIONS: tuple[Callable[[Any], Any], ...] = (
    lambda x: nd.labeled_comprehension(x, LABELS, [4, 1, 7], lambda v: np.sum(v**2) * x[0, 0], float, 0.5),
    lambda x: nd.labeled_comprehension(x, LABELS, [4, 1], lambda v, p: np.sum(v * p), float, 0, True),
    lambda x: nd.labeled_comprehension(x, None, None, lambda v, p: np.sum(v * p), float, 0, True),
    lambda x: nd.labeled_comprehension(x, LABELS, 1, lambda v: v[0] * v[-1], float, None),
)


@pytest.mark.parametrize("program", COMPREHENSIONS)
def test_functions_of_a_program(program: Callable[[Any], Any]) -> None:
    np.testing.assert_array_equal(zg.pullback(program, TABLE)[0], program(TABLE))
    check_gradient(program, TABLE)


def test_calls_of_a_function_are_made_once_and_in_scipys_order() -> None:
    def run(x: Any) -> Any:
        seen: list[Any] = []

        def size(v: Any) -> Any:
            seen.append(len(v))
            return v.sum()

        return nd.labeled_comprehension(x, LABELS, [4, 1, 2], size, float, 0.0), seen

    expected = run(TABLE)
    value, _ = zg.pullback(run, TABLE)
    np.testing.assert_array_equal(value[0], expected[0])
    assert value[1] == expected[1]
    with pytest.raises(ValueError, match="without loss of precision"):
        zg.gradient(lambda x: nd.labeled_comprehension(x, LABELS, [1.5], np.sum, float, 0)[0], TABLE)


def test_ties_integers_precision_and_complex_numbers() -> None:
    (found,) = zg.gradient(lambda x: np.sum(nd.maximum(x, [1, 1, 2, 2], [1, 2])), np.ones(4))
    assert found.tolist() == [1.0, 0.0, 1.0, 0.0]
    (found,) = zg.gradient(lambda x: np.sum(nd.minimum(x, [1, 1, 2, 2], [1, 2])), np.array([2, 1, 3, 4]))
    assert found.tolist() == [0.0, 1.0, 1.0, 0.0]
    assert zg.gradient(lambda x: nd.standard_deviation(x), np.ones(3))[0].tolist() == [0.0, 0.0, 0.0]
    single = TABLE.astype(np.float32)
    for name in NAMES:
        (found,) = zg.gradient(lambda x, name=name: np.sum(getattr(nd, name)(x, LABELS, [1, 2])), single)
        assert found.dtype == np.float32
    z = TABLE * np.exp(2j * TABLE)
    for program in (
        lambda z: nd.sum_labels(z, LABELS, 1),
        lambda z: nd.mean(z, LABELS),
        lambda z: np.real(nd.variance(z, LABELS, 2)),
    ):
        check_gradient(program, z)


def test_two_positions_and_empty_images() -> None:
    value, _ = zg.pullback(lambda x: nd.extrema(x, LABELS, [1, 2]), TABLE)
    expected = nd.extrema(TABLE, LABELS, [1, 2])
    assert value[2:] == expected[2:]
    assert zg.gradient(lambda x: nd.sum_labels(x), np.zeros((0, 2)))[0].shape == (0, 2)
