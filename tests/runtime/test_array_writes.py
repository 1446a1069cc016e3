"""What is stored by NumPy's functions that write into an array: against the calls themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime import array_writes

BASE = np.arange(12.0).reshape(3, 4)
TARGETS = [BASE, BASE.T, BASE[::-1, ::2], BASE[1], BASE.astype(np.float32), BASE.astype(int)]
VALUES = [np.array([0.5, -1.5, 2.5]), [7.25], 1.5]
MASK = np.array([True, False, True, True, False, True])


def with_strides(array: Any) -> Any:
    return array_writes.double(array)


@pytest.mark.parametrize("array", [*TARGETS, np.array(2.0), np.zeros((0, 3)), (BASE + 1j).real])
def test_a_double_is_laid_out_alike(array: Any) -> None:
    double = with_strides(array)
    assert (double.shape, double.strides, double.dtype) == (array.shape, array.strides, array.dtype)
    np.testing.assert_array_equal(double, array)
    assert not np.may_share_memory(double, array) or not array.size


def put(array: Any, values: Any) -> tuple[Any, bool, Callable[[Any], None]]:
    args = ([1, -1, 0, 1], values, "wrap")
    return array_writes.put_places(np.put, array, *args), False, lambda target: np.put(target, *args)


def place(array: Any, values: Any) -> tuple[Any, bool, Callable[[Any], None]]:
    mask = np.resize(MASK, array.shape)
    values = np.asarray(values, array.dtype)
    return (
        array_writes.place_places(np.place, array, mask, values),
        False,
        lambda target: np.place(target, mask, values),
    )


def putmask(array: Any, values: Any) -> tuple[Any, bool, Callable[[Any], None]]:
    mask, values = np.resize(MASK, array.shape), np.asarray(values, array.dtype)
    return (
        array_writes.putmask_places(np.putmask, array, mask, values),
        True,
        lambda target: np.putmask(target, mask, values),
    )


def fill_diagonal(array: Any, values: Any) -> tuple[Any, bool, Callable[[Any], None]]:
    return (
        array_writes.diagonal_places(np.fill_diagonal, array, values, True),
        False,
        lambda target: np.fill_diagonal(target, values, True),
    )


@pytest.mark.parametrize("values", VALUES, ids=str)
@pytest.mark.parametrize("array", TARGETS, ids=lambda array: f"{array.shape}{array.strides}{array.dtype}")
@pytest.mark.parametrize("write", [put, place, putmask, fill_diagonal])
def test_values_and_places_are_those_of_the_call(write: Any, array: Any, values: Any) -> None:
    if write is fill_diagonal and array.ndim == 1:
        return
    expected, found = with_strides(array), with_strides(array)
    places, by_place, call = write(array, values)
    call(expected)
    cycled = array_writes.cycled(np.asarray(values, float), places, by_place)
    found[array_writes.at_places(found, places)] = cycled
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(array, with_strides(array))


@pytest.mark.parametrize("by_place", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_cycled_and_its_transpose(size: int, by_place: bool) -> None:
    random = np.random.default_rng(size)
    values, places = random.normal(size=size), np.array([4, 0, 4, 7])
    weights = random.normal(size=4)
    back = array_writes.cycled_transpose(weights, (size,), places, by_place)
    assert array_writes.cycled(values, places, by_place) @ weights == pytest.approx(values @ back)


@pytest.mark.parametrize("shape", [(2, 3), (3,), (2, 1), ()])
def test_chosen_and_its_transpose(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    value, mask = np.asarray(random.normal(size=shape)), MASK.reshape(2, 3)
    weights = random.normal(size=4)
    back = array_writes.chosen_transpose(weights, mask, shape)
    assert np.shape(back) == shape
    assert array_writes.chosen(value, mask) @ weights == pytest.approx(np.sum(value * back))


OUTS = [np.zeros(4), np.zeros(4, np.float32), np.zeros((3, 4)), np.zeros(8)[::2], np.zeros(4, complex)]


@pytest.mark.parametrize("out", OUTS, ids=lambda out: f"{out.shape}{out.strides}{out.dtype}")
@pytest.mark.parametrize("function", [np.add, np.arctan2, np.multiply])
def test_what_is_written_to_out(function: Any, out: Any) -> None:
    args = (np.linspace(0.1, 2.0, 4), 0.3)
    if function is np.arctan2 and out.dtype == complex:
        args = (args[0], 2.0)
    expected = with_strides(out)
    function(*args, out=expected)
    found = array_writes.written_out(out, function(*args), function, None, *args)
    np.testing.assert_array_equal(np.broadcast_to(found, out.shape), expected)
    assert not out.any()


def test_sums_are_taken_in_the_precision_of_out() -> None:
    values = np.full(1000, 0.1, np.float32)
    out = np.zeros(1)
    options = {"axis": 0, "keepdims": True}
    found = array_writes.written_out(out, np.sum(values, **options), np.sum, options, values)
    np.sum(values, **options, out=out)
    assert found == out != np.sum(values)


@pytest.mark.parametrize("where", [True, False, MASK[:4], [[True], [False]]], ids=str)
def test_what_is_written_where(where: Any) -> None:
    a, b, out = np.array([-1.0, 0.5, 1.0, 2.0]), 0.0, np.ones((2, 4))
    expected = out.copy()
    with np.errstate(divide="ignore"):
        np.divide(a, b, out=expected, where=where)
        mask = array_writes.where_written(out, where, np.divide, None, a, b)
        value = np.divide(array_writes.chosen(a, mask), array_writes.chosen(b, mask))
    out[mask] = array_writes.written_where(out, value, mask, np.divide, None, a, b)
    np.testing.assert_array_equal(out, expected)


def test_operands_that_are_overwritten_while_they_are_read() -> None:
    y = np.zeros(6)
    parts = [y[:3], np.ones(3)]
    with pytest.raises(UnsupportedSyntaxError, match="writes to the memory that it reads"):
        array_writes.written_out(y, np.concatenate(parts), np.concatenate, None, parts)
