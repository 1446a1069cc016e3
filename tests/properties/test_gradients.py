"""Random expressions and programs against differences, and identities that hold for every gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zygpy
from tests.properties.strategies import (
    Sample,
    array_lines,
    bounded,
    broadcastable_arrays,
    straight_lines,
    structured_programs,
)
from zygpy import units
from zygpy.testing import check_gradient, trees

MODES = pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
UFUNCS = (np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.hypot, np.arctan2, np.logaddexp)


@MODES
@bounded(40)
@given(sample=straight_lines())
def test_straight_lines(sample: Sample, specialise: bool) -> None:
    with units.options(specialise=specialise, simplify=True):
        check_gradient(sample.function, *sample.args)


@pytest.mark.acceptance
@MODES
@bounded(30)
@given(sample=structured_programs())
def test_structured_programs(sample: Sample, specialise: bool) -> None:
    with units.options(specialise=specialise, simplify=True):
        check_gradient(sample.function, *sample.args)


@pytest.mark.acceptance
@bounded(15)
@given(sample=straight_lines() | structured_programs())
def test_second_order(sample: Sample) -> None:
    check_gradient(sample.function, *sample.args, order=2)


@pytest.mark.acceptance
@MODES
@bounded(20)
@given(sample=array_lines())
def test_array_lines(sample: Sample, specialise: bool) -> None:
    with units.options(specialise=specialise, simplify=True):
        check_gradient(sample.function, *sample.args)


@bounded(15)
@given(args=broadcastable_arrays(2), ufunc=st.sampled_from(UFUNCS))
def test_ufuncs_broadcast(args: tuple[Any, ...], ufunc: Any) -> None:
    check_gradient(lambda x, y: ufunc(x, y), *args)


@pytest.mark.acceptance
@bounded(12)
@given(sample=structured_programs())
def test_simplification_and_specialisation_change_no_bit_that_matters(sample: Sample) -> None:
    found = []
    for specialise in (True, False):
        for simplify in (True, False):
            with units.options(specialise=specialise, simplify=simplify):
                found.append(zygpy.gradient(sample.function, *sample.args))
    for other in found[1:]:
        for bar, expected in zip(other, found[0], strict=True):
            assert (bar or 0.0) == pytest.approx(expected or 0.0, rel=1e-12, abs=1e-14)


@bounded(25)
@given(sample=array_lines(), scale=st.integers(-4, 4))
def test_back_is_linear_in_its_seed(sample: Sample, scale: int) -> None:
    value, back = zygpy.pullback(sample.function, *sample.args)
    random = np.random.default_rng(5)
    first, second = (trees.random_like(random, np.asarray(value)) for _ in range(2))
    together = back(first * scale + second)
    for bar, one, other in zip(together, back(first), back(second), strict=True):
        if bar is not None:
            np.testing.assert_allclose(bar, one * scale + other, rtol=1e-10, atol=1e-12)
