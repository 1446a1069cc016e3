"""Summing back over broadcast axes and stretching again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from zygpy.runtime.broadcast import count_reduced, rebroadcast, rereduce, unbroadcast, unreduce


@st.composite
def broadcast_pairs(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shape of a result and that of an operand that broadcasts to it."""
    result = draw(arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
    kept = result[draw(st.integers(0, len(result))) :]
    operand = tuple(1 if draw(st.booleans()) else length for length in kept)
    return result, operand


def summed_one_by_one(value: Any, shape: tuple[int, ...]) -> Any:
    result = np.zeros(shape)
    places = np.broadcast_to(np.arange(result.size).reshape(shape), value.shape)
    for place, one in zip(places.ravel(), value.ravel(), strict=True):
        result.ravel()[place] += one
    return result


@given(broadcast_pairs(), st.integers(0, 2**32 - 1))
def test_unbroadcast_sums_what_broadcasting_spread(pair: Any, seed: int) -> None:
    result, operand = pair
    value = np.random.default_rng(seed).integers(-5, 5, result).astype(float)
    found = unbroadcast(value, operand)
    assert np.shape(found) == operand
    np.testing.assert_array_equal(found, summed_one_by_one(value, operand))


@given(broadcast_pairs())
def test_rebroadcast_is_the_transpose(pair: Any) -> None:
    result, operand = pair
    generator = np.random.default_rng(0)
    value, other = generator.integers(-5, 5, result), generator.integers(-5, 5, operand)
    assert np.sum(unbroadcast(value, operand) * other) == np.sum(value * rebroadcast(other, result))


def test_equal_shapes_give_the_value_itself() -> None:
    value = np.ones((2, 3))
    assert unbroadcast(value, (2, 3)) is value
    assert rebroadcast(value, (2, 3)) is value


def test_a_scalar_operand_gets_a_numpy_scalar() -> None:
    assert type(unbroadcast(np.ones((2, 3), np.float32), ())) is np.float32


def test_a_smaller_value_is_stretched_into_a_fresh_array() -> None:
    stretched = unbroadcast(np.ones((1, 3)), (2, 3))
    stretched[0, 0] = 5.0
    assert stretched.tolist() == [[5.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert unbroadcast(0.0, (0, 2)).shape == (0, 2)


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (2, 1, 0), ()])
@pytest.mark.parametrize("keepdims", [False, True])
def test_unreduce_stretches_a_sum(axis: Any, keepdims: bool) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    y = np.sum(x, axis=axis, keepdims=keepdims)
    stretched = unreduce(y, x.shape, axis, keepdims)
    np.testing.assert_array_equal(stretched, np.broadcast_to(np.sum(x, axis=axis, keepdims=True), x.shape))
    np.testing.assert_array_equal(rereduce(x, axis, keepdims), y)
    assert count_reduced(x.shape, axis) == x.size // np.size(y)


def test_nothing_to_reduce() -> None:
    assert unreduce(2.0, (), None) == 2.0
    assert unreduce(np.array([[2.0]]), (), None) == 2.0
    assert count_reduced((3, 0), 1) == 1
