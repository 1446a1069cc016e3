"""Cotangents of arrays are found by memory: whatever shares storage shares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime import memory
from zygpy.runtime.memory import Memory

View = Callable[[Any], Any]
VIEWS: dict[str, View] = {
    "itself": lambda x: x,
    "slice": lambda x: x[1:, ::2],
    "row": lambda x: x[-1],
    "element": lambda x: x[1, 2:3].reshape(()),
    "transpose": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-1],
    "backwards": lambda x: x[:0:-1, ::-2],
    "reshape": lambda x: x.reshape(2, 6),
    "ravel": lambda x: x.ravel(),
    "new axis": lambda x: x[:, None, 1:],
    "swapped": lambda x: np.swapaxes(x.reshape(2, 3, 2), 0, 2),
    "view of a view": lambda x: x[1:][:, ::-1].T[1:3],
    "diagonal": lambda x: x.reshape(-1)[::5],
    "nothing": lambda x: x[3:],
}
each_view = pytest.mark.parametrize("of", VIEWS.values(), ids=VIEWS.keys())


def numbered(array: Any) -> Any:
    """Different numbers in the shape of an array."""
    return np.arange(1.0, array.size + 1).reshape(array.shape)


def windows(array: Any, length: int = 2) -> Any:
    return sliding_window_view(array, length, writeable=True)


# ------------------------------------------------------------------------------------ what is shared


@each_view
def test_a_contribution_to_a_view_is_one_to_its_place_in_the_base(of: View) -> None:
    store, base = Memory(), np.zeros((3, 4))
    store.add(of(base), numbered(of(base)))
    expected = np.zeros((3, 4))
    of(expected)[...] = numbered(of(expected))
    np.testing.assert_array_equal(store.view(base), expected)


@each_view
def test_a_contribution_to_the_base_is_seen_through_a_view(of: View) -> None:
    store, base = Memory(), np.zeros((3, 4))
    store.add(base, numbered(base))
    np.testing.assert_array_equal(store.view(of(base)), of(numbered(base)))
    assert store.view(of(base)).shape == of(base).shape


@each_view
def test_views_of_fortran_order_find_their_place(of: View) -> None:
    store = Memory()
    base = np.zeros((3, 4), order="F")
    part = of(base)
    if memory.base_of(part) is base:  # some of these reshapes are copies
        store.add(part, numbered(part))
        part[...] = numbered(part)
        np.testing.assert_array_equal(store.view(base), base)
    else:
        store.add(part, numbered(part))
        np.testing.assert_array_equal(store.view(base), np.zeros((3, 4)))


@each_view
def test_two_views_add_up(of: View) -> None:
    store, base = Memory(), np.zeros((3, 4))
    store.add(base, numbered(base))
    store.add(of(base), 10.0)
    expected = numbered(base)
    of(expected)[...] += 10.0
    np.testing.assert_array_equal(store.view(base), expected)


def test_every_view_has_the_same_base() -> None:
    base = np.zeros((3, 4))
    for of in VIEWS.values():
        assert memory.base_of(of(base)) is base


def test_the_base_of_a_copy_is_the_copy() -> None:
    base = np.zeros((3, 4))
    copied = base[1:].copy()
    assert memory.base_of(copied) is copied
    store = Memory()
    store.add(copied, 1.0)
    np.testing.assert_array_equal(store.view(base), np.zeros((3, 4)))


def test_the_view_is_the_place_itself() -> None:
    store, base = Memory(), np.zeros(3)
    store.view(base)[1:] += 2.0
    store.view(base[::-1])[0] *= 5.0
    assert store.view(base).tolist() == [0.0, 2.0, 10.0]


def test_the_values_of_the_arrays_are_left_alone() -> None:
    store, base = Memory(), np.array([1.0, 2.0, 3.0])
    store.add(base[1:], 5.0)
    store.exchange(base)
    assert base.tolist() == [1.0, 2.0, 3.0]


def test_a_real_and_an_imaginary_part_share_with_the_number() -> None:
    store, z = Memory(), np.zeros(3, complex)
    store.add(z.imag, np.array([1.0, 2.0, 3.0]))
    store.add(z.real[1:], 5.0)
    assert store.view(z).tolist() == [1j, 5 + 2j, 5 + 3j]
    assert store.exchange(z.imag[::-1]).tolist() == [3.0, 2.0, 1.0]
    assert store.view(z).tolist() == [0, 5, 5]


def test_memory_that_is_lent_by_something_else_is_described_from_its_lowest_address() -> None:
    backwards = np.ndarray((3,), np.float64, bytearray(24), 16, (-8,))
    store = Memory()
    store.add(backwards, np.array([1.0, 2.0, 3.0]))
    assert store.view(backwards).tolist() == [1.0, 2.0, 3.0]
    assert store.view(backwards[:0:-1]).tolist() == [3.0, 2.0]
    assert memory.base_of(backwards[1:]) is backwards


def test_a_base_with_gaps_finds_its_elements() -> None:
    gaps = np.ndarray((3, 2), np.float64, bytearray(96), 16, (24, 8))
    store = Memory()
    store.add(gaps[::2, ::-1], np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert store.view(gaps).tolist() == [[2.0, 1.0], [0.0, 0.0], [4.0, 3.0]]


# ------------------------------------------------------------------------- add, take, exchange, cut


def test_nothing_is_added_for_none() -> None:
    store, x = Memory(), np.zeros(2)
    store.add(x, None)
    assert store.buffers == {}
    assert store.exchange(x) is None and store.take(x) is None


def test_exchange_gives_all_and_leaves_zeros() -> None:
    store, x = Memory(), np.zeros(3)
    store.add(x, np.array([1.0, 2.0, 3.0]))
    given = store.exchange(x[1:])
    assert given.tolist() == [2.0, 3.0]
    assert store.view(x).tolist() == [1.0, 0.0, 0.0]
    assert store.exchange(x).tolist() == [1.0, 0.0, 0.0]
    assert store.exchange(x).tolist() == [0.0, 0.0, 0.0]


def test_what_was_exchanged_is_a_copy() -> None:
    store, x = Memory(), np.zeros(2)
    store.add(x, 1.0)
    given = store.exchange(x)
    given[:] = 7.0
    store.add(x, 2.0)
    assert given.tolist() == [7.0, 7.0] and store.view(x).tolist() == [2.0, 2.0]


def test_what_is_added_is_not_kept() -> None:
    store, x, bar = Memory(), np.zeros(2), np.array([1.0, 2.0])
    store.add(x, bar)
    store.add(x, 10.0)
    bar[:] = 7.0
    assert store.view(x).tolist() == [11.0, 12.0]


def test_cut_gives_zeros_where_nothing_has_come_in() -> None:
    store, x = Memory(), np.zeros((2, 2))
    assert store.cut(x).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    store.add(x[0], 3.0)
    assert store.cut(x[:, 0]).tolist() == [3.0, 0.0]
    assert store.view(x).tolist() == [[0.0, 3.0], [0.0, 0.0]]


def test_take_of_an_array_that_was_made_here() -> None:
    store, x, y = Memory(), np.zeros(2), np.zeros(2)
    assert store.take(y, x) is None
    store.add(y, 4.0)
    assert store.take(y, x).tolist() == [4.0, 4.0]
    assert store.view(y).tolist() == [0.0, 0.0]


@each_view
def test_take_leaves_what_lies_in_a_source(of: View) -> None:
    store, x, other = Memory(), np.zeros((3, 4)), np.zeros(2)
    store.add(x, numbered(x))
    assert store.take(of(x), other, x) is None
    assert store.take(x, other, of(x)) is None
    np.testing.assert_array_equal(store.view(x), numbered(x))


def test_a_scalar_is_added_to_every_element() -> None:
    store, x = Memory(), np.zeros((2, 2))
    store.add(x.T, np.array([1.0, 2.0]))
    store.add(x, 0.5)
    assert store.view(x).tolist() == [[1.5, 1.5], [2.5, 2.5]]


def test_arrays_that_share_nothing_have_cotangents_of_their_own() -> None:
    store, x, y = Memory(), np.ones(2), np.ones(2)
    store.add(x, 1.0)
    store.add(y, 2.0)
    assert store.view(x).tolist() == [1.0, 1.0] and store.view(y).tolist() == [2.0, 2.0]
    assert store.take(x, y).tolist() == [1.0, 1.0]


def test_the_arrays_live_as_long_as_their_cotangents() -> None:
    store = Memory()
    for number in range(50):
        store.add(np.zeros(4), float(number))
    assert len(store.buffers) == 50
    assert sorted(place[0] for _, place, _ in store.buffers.values()) == [float(n) for n in range(50)]


# ------------------------------------------------------------------------------------ overlapping views


def test_a_broadcast_array_adds_into_one_place() -> None:
    store, x = Memory(), np.zeros(3)
    wide = np.broadcast_to(x, (2, 3))
    store.add(wide, np.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]))
    assert store.view(x).tolist() == [11.0, 22.0, 33.0]
    assert store.view(wide).tolist() == [[11.0, 22.0, 33.0]] * 2


def test_the_cotangent_of_a_broadcast_array_is_given_once() -> None:
    store, x = Memory(), np.zeros(3)
    store.add(x, np.array([1.0, 2.0, 3.0]))
    assert store.exchange(np.broadcast_to(x, (2, 3))).tolist() == [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]
    assert store.view(x).tolist() == [0.0, 0.0, 0.0]


def test_a_number_added_to_a_broadcast_array_counts_for_each_element() -> None:
    store, x = Memory(), np.array(0.0)
    store.add(np.broadcast_to(x, (2, 3)), 1.0)
    assert store.view(x) == 6.0


def test_windows_add_into_their_places() -> None:
    place = np.zeros(4)
    memory.add_into(windows(place), np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]]))
    assert place.tolist() == [1.0, 12.0, 120.0, 200.0]
    memory.add_into(windows(place), 1.0)
    assert place.tolist() == [2.0, 14.0, 122.0, 201.0]


def test_windows_backwards_add_into_their_places() -> None:
    place = np.zeros(4)
    memory.add_into(windows(place)[::-1, ::-1], np.array([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]]))
    assert place.tolist() == [200.0, 120.0, 12.0, 1.0]


def test_of_windows_the_first_takes_all() -> None:
    place = np.array([1.0, 2.0, 3.0, 4.0])
    assert memory.taken_from(windows(place)).tolist() == [[1.0, 2.0], [0.0, 3.0], [0.0, 4.0]]
    assert place.tolist() == [0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_what_is_taken_from_windows_adds_up_to_what_was_there(length: int) -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0])
    place, again = values.copy(), np.zeros(4)
    memory.add_into(windows(again, length), memory.taken_from(windows(place, length)))
    np.testing.assert_array_equal(again, values)


def test_windows_over_two_axes_add_into_their_places() -> None:
    place = np.zeros((3, 3))
    memory.add_into(sliding_window_view(place, (2, 2), writeable=True), 1.0)
    assert place.tolist() == [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]


@pytest.mark.parametrize(
    ("array", "overlaps"),
    [
        (np.zeros(3), False),
        (np.zeros((2, 3)).T, False),
        (np.zeros((2, 3))[::-1, ::-2], False),
        (np.zeros(()), False),
        (np.broadcast_to(np.zeros(3), (1, 3)), False),
        (np.broadcast_to(np.zeros(3), (2, 3)), True),
        (np.broadcast_to(np.zeros((2, 1)), (2, 3)), True),
        (sliding_window_view(np.zeros(4), 1), False),
        (sliding_window_view(np.zeros(4), 2), True),
        (sliding_window_view(np.zeros(4), 2)[::2], False),
        (sliding_window_view(np.zeros(4), 4), False),
    ],
)
def test_whether_elements_overlap(array: Any, overlaps: bool) -> None:
    assert memory.overlaps_itself(array) is overlaps


def test_places_are_equal_where_elements_overlap() -> None:
    assert memory.places(sliding_window_view(np.zeros(4), 2)).tolist() == [[0, 8], [8, 16], [16, 24]]
    assert memory.places(np.broadcast_to(np.zeros(2), (2, 2))).tolist() == [[0, 8], [0, 8]]
    assert memory.places(np.zeros(3, np.float32)[::-1]).tolist() == [0, -4, -8]


def test_groups_of_overlapping_elements() -> None:
    indices, numbers = memory.groups(sliding_window_view(np.zeros(4), 2))
    assert [tuple(int(part) for part in index) for index in indices] == [(0, 0), (0, 1), (1, 1), (2, 1)]
    assert numbers.tolist() == [[0, 1], [1, 2], [2, 3]]


def test_groups_of_a_broadcast_array() -> None:
    indices, numbers = memory.groups(np.broadcast_to(np.zeros((2, 1)), (2, 3)))
    assert [tuple(int(part) for part in index) for index in indices] == [(0, 0), (1, 0)]
    assert numbers.tolist() == [[0, 0, 0], [1, 1, 1]]


def test_the_first_in_its_place() -> None:
    assert memory.firsts(np.broadcast_to(np.zeros(2), (2, 2))).tolist() == [[True, True], [False, False]]
    assert memory.firsts(sliding_window_view(np.zeros(3), 2)).tolist() == [[True, True], [False, True]]
    assert memory.firsts(np.zeros((2, 2)).T).all()


def test_sums_of_values_by_number() -> None:
    numbers = np.array([[0, 1], [1, 2]])
    assert memory.summed(np.array([[1.0, 2.0], [4.0, 8.0]]), numbers, 3).tolist() == [1.0, 6.0, 8.0]
    assert memory.summed(2.0, numbers, 4).tolist() == [2.0, 4.0, 2.0, 0.0]
    assert memory.summed(np.array([1j, 1.0]), numbers, 3).tolist() == [1j, 1 + 1j, 1.0]


# ----------------------------------------------------------------------------------------------- dtypes


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64, np.complex128])
def test_cotangents_have_the_dtype_of_the_memory(dtype: Any) -> None:
    store, x = Memory(), np.zeros((2, 3), dtype)
    store.add(x[:, 1:].T, numbered(x[:, 1:].T))
    assert store.view(x).dtype == dtype and store.exchange(x[0]).dtype == dtype
    assert store.view(x)[1].tolist() == [0.0, 2.0, 4.0]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, bool])
def test_integers_have_float64_cotangents(dtype: Any) -> None:
    store, x = Memory(), np.zeros((2, 3), dtype)
    store.add(x[::-1, 1:], np.array([[0.5, 1.5], [2.5, 3.5]]))
    store.add(x.ravel()[::5], 0.25)
    assert store.view(x).dtype == np.float64
    assert store.view(x).tolist() == [[0.25, 2.5, 3.5], [0.0, 0.5, 1.75]]
    assert store.exchange(x.T[1]).tolist() == [2.5, 0.5]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_a_real_array_keeps_the_real_part(dtype: Any) -> None:
    store, x = Memory(), np.zeros(2, dtype)
    store.add(x, np.array([1 + 5j, 2 - 5j]))
    store.add(x[1:], 3 + 1j)
    assert store.view(x).dtype.kind == "f" and store.view(x).tolist() == [1.0, 5.0]


def test_overlapping_real_elements_keep_the_real_part() -> None:
    place = np.zeros(3)
    memory.add_into(windows(place), np.array([[1 + 1j, 2j], [3.0, 4 - 1j]]))
    assert place.tolist() == [1.0, 3.0, 4.0]


def test_a_complex_array_keeps_both_parts() -> None:
    store, z = Memory(), np.zeros(2, complex)
    store.add(z, np.array([1 + 2j, 3.0]))
    store.add(np.broadcast_to(z, (2, 2)), 1j)
    assert store.exchange(z).tolist() == [1 + 4j, 3 + 2j]


@pytest.mark.parametrize(
    ("base", "dtype"),
    [
        (np.zeros(4), np.int64),
        (np.zeros(4), np.float32),
        (np.zeros(4), np.complex64),
        (np.zeros(4, np.float32), np.float64),
        (np.zeros(4, np.complex64), np.complex128),
        (np.zeros(4, np.int64), np.int8),
        (np.zeros(4, np.int8), np.int32),
        (np.zeros(4), np.uint8),
    ],
)
def test_memory_that_is_used_as_two_dtypes_is_refused(base: Any, dtype: Any) -> None:
    store, other = Memory(), base.view(dtype)
    with pytest.raises(UnsupportedSyntaxError, match=f"array of {base.dtype} is used as {other.dtype}"):
        store.add(other, np.ones(other.shape))
    store.add(base, 1.0)
    assert store.view(base).tolist() == [1.0] * 4


def test_a_field_of_a_structured_array_is_refused() -> None:
    table = np.zeros(3, [("a", np.float64), ("b", np.int32)])
    with pytest.raises(UnsupportedSyntaxError, match="Why: "):
        Memory().add(table["a"], 1.0)


# ----------------------------------------------------------------------------------- empty and of rank 0


@pytest.mark.parametrize("shape", [(0,), (0, 4), (3, 0), (2, 0, 3)])
def test_empty_arrays_have_empty_cotangents(shape: tuple[int, ...]) -> None:
    store, x = Memory(), np.zeros(shape)
    assert store.exchange(x) is None
    store.add(x, np.zeros(shape))
    assert store.view(x).shape == shape and store.exchange(x).shape == shape
    assert store.cut(x.T).shape == shape[::-1] and memory.taken_from(store.view(x)).shape == shape


def test_an_empty_part_of_an_array() -> None:
    store, x = Memory(), np.zeros(3)
    store.add(x[3:], np.zeros(0))
    store.add(x[1:1], 5.0)
    assert store.exchange(x[2:2]).shape == (0,)
    assert store.view(x).tolist() == [0.0, 0.0, 0.0]


def test_an_empty_broadcast_array() -> None:
    store, x = Memory(), np.zeros((1, 3))
    store.add(np.broadcast_to(x, (0, 3)), np.zeros((0, 3)))
    assert store.exchange(np.broadcast_to(x, (0, 3))).shape == (0, 3)
    assert store.view(x).tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("value", [2.0, np.array(2.0), np.float64(2.0), 2])
def test_arrays_of_rank_zero(value: Any) -> None:
    store, x = Memory(), np.array(1.0)
    store.add(x, value)
    store.add(x.reshape(1), 1.0)
    given = store.exchange(x)
    assert isinstance(given, np.ndarray) and given.shape == () and given == 3.0
    assert store.view(x) == 0.0 and store.cut(x).shape == ()


def test_an_element_of_rank_zero_lies_in_its_array() -> None:
    store, x = Memory(), np.zeros(3)
    store.add(x[1:2].reshape(()), 4.0)
    assert store.view(x).tolist() == [0.0, 4.0, 0.0]
    assert store.take(x[1:2].reshape(()), x) is None
