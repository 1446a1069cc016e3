"""Buffers written by index: against element-by-element definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.rules.array_calls import INDICES
from zygpy.runtime import indexing

SHAPE = (3, 4)


def numbered(shape: tuple[int, ...]) -> Any:
    return np.arange(1.0, 1.0 + np.prod(shape, dtype=int)).reshape(shape)


def selection(index: Any) -> Any:
    """The flat positions that an index selects."""
    return np.arange(12).reshape(SHAPE)[index]


def added(index: Any, value: Any) -> Any:
    """Zeros with `value` added at the index, one element after another."""
    result = np.zeros(12)
    places = selection(index)
    for place, one in zip(np.ravel(places), np.ravel(np.broadcast_to(value, np.shape(places))), strict=True):
        result[place] += one
    return result.reshape(SHAPE)


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_add_at(index: Any) -> None:
    value = numbered(np.shape(selection(index)))
    buffer = np.zeros(SHAPE)
    indexing.add_at(buffer, index, value)
    np.testing.assert_array_equal(buffer, added(index, value))
    indexing.add_at(buffer, index, 2.0)
    np.testing.assert_array_equal(buffer, added(index, value + 2.0))


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_add_at_sums_a_larger_value_to_the_selection(index: Any) -> None:
    value = numbered((2, *np.shape(selection(index))))
    buffer = np.zeros(SHAPE)
    indexing.add_at(buffer, index, value)
    np.testing.assert_array_equal(buffer, added(index, value[0] + value[1]))


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_getitem_cotangent(index: Any) -> None:
    value = numbered(np.shape(selection(index)))
    found = indexing.getitem_cotangent(value, SHAPE, np.dtype(float), index)
    np.testing.assert_array_equal(found, added(index, value))


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_setitem_cotangent_counts_only_what_was_not_overwritten(index: Any) -> None:
    shape = np.shape(selection(index))
    found = indexing.setitem_cotangent(numbered(SHAPE), index, shape, np.dtype(float))
    stored = np.full(SHAPE, -1.0)
    stored[index] = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    expected = np.zeros(int(np.prod(shape, dtype=int)))
    for owner, bar in zip(stored.ravel(), numbered(SHAPE).ravel(), strict=True):
        if owner >= 0:
            expected[int(owner)] = bar
    np.testing.assert_array_equal(found, expected.reshape(shape))


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_setitem_cotangent_of_a_scalar_sums_the_places_written(index: Any) -> None:
    found = indexing.setitem_cotangent(numbered(SHAPE), index, (), np.dtype(float))
    assert found == sum(numbered(SHAPE).ravel()[place] for place in set(np.ravel(selection(index)).tolist()))


def test_setitem_cotangent_never_aliases_the_buffer() -> None:
    buffer = numbered(SHAPE)
    for index in INDICES:
        part = indexing.setitem_cotangent(buffer, index, np.shape(selection(index)), np.dtype(float))
        assert not np.shares_memory(part, buffer)


def test_setitem_cotangent_takes_leading_axes_of_length_one() -> None:
    found = indexing.setitem_cotangent(numbered(SHAPE), 1, (1, 1, 4), np.dtype(float))
    assert found.tolist() == [[[5.0, 6.0, 7.0, 8.0]]]


@pytest.mark.parametrize("dtype", [int, bool])
def test_nothing_comes_back_from_a_store_in_integers(dtype: Any) -> None:
    assert indexing.setitem_cotangent(numbered(SHAPE), 0, (4,), np.dtype(dtype)).tolist() == [0.0] * 4
    assert not indexing.setitem_tangent(np.ones(4), SHAPE, np.dtype(dtype), 0).any()


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [(int, float), (bool, float), (np.float32, np.float32), (complex, complex), (object, object)],
)
def test_buffers_are_never_integer(dtype: Any, expected: Any) -> None:
    assert indexing.zeros((2,), dtype).dtype == expected


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_clearing(index: Any) -> None:
    buffer = numbered(SHAPE)
    expected = np.where(added(index, 1.0) > 0, 0.0, buffer)
    np.testing.assert_array_equal(indexing.cleared(buffer, index), expected)
    np.testing.assert_array_equal(buffer, numbered(SHAPE))
    indexing.clear_at(buffer, index)
    np.testing.assert_array_equal(buffer, expected)


def test_a_real_buffer_drops_imaginary_parts() -> None:
    buffer = np.zeros(3)
    indexing.add_at(buffer, slice(None), np.array([1 + 1j, 2j, 3]))
    indexing.add_at(buffer, 0, 2 + 5j)
    indexing.add_at(buffer, [1, 1], 1j + 1)
    assert buffer.tolist() == [3.0, 2.0, 3.0]


def test_zero_dimensional_buffers() -> None:
    buffer = np.zeros(())
    indexing.add_at(buffer, (), 2.0)
    indexing.add_at(buffer, Ellipsis, np.array([1.0, 2.0]))
    assert buffer == 5.0


def test_single_precision_stays() -> None:
    buffer = indexing.zeros((3,), np.float32)
    indexing.add_at(buffer, [0, 0], np.ones(2))
    assert buffer.dtype == np.float32
    assert buffer.tolist() == [2.0, 0.0, 0.0]


def test_only_integer_arrays_may_repeat() -> None:
    assert [
        indexing.may_repeat(index) for index in (0, slice(None), (0, None), np.array([True]), [True, False])
    ] == [False] * 5
    assert indexing.may_repeat([0, 1])
    assert indexing.may_repeat((slice(None), np.array([0, 0])))
