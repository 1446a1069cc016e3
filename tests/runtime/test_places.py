"""Every change of a builtin container, undone: the cotangents of the state before, from those after."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zygpy.runtime import places
from zygpy.runtime.places import delete_entry, dict_method, list_method, merge, read_entry, write_entry
from zygpy.runtime.store import Store

NUMBERS = [1.0, 2.0, 3.0, 4.0]


def after(owner: Any, bars: Any) -> Store:
    """A store that holds these cotangents of a list or dict."""
    store = Store()
    if isinstance(owner, list):
        assert len(owner) == len(bars)
        store.replace_entries(owner, list(bars))
    else:
        store.add_keys(owner, bars)
    return store


def before(store: Store, owner: Any) -> Any:
    """The cotangents that the store has now."""
    return store.entries(owner, -1) if isinstance(owner, list) else store.keys(owner)


# ------------------------------------------------------------------------------------- methods of lists


def test_append() -> None:
    xs = [1.0]
    result, back = list_method(xs, "append", (5.0,))
    assert result is None and xs == [1.0, 5.0]
    store = after(xs, [10.0, 20.0])
    assert back(None, store) == (None, 20.0) and before(store, xs) == [10.0]


def test_appends_in_a_row_are_undone_backwards() -> None:
    xs: list[Any] = []
    backs = [list_method(xs, "append", (value,))[1] for value in NUMBERS]
    store = Store()
    store.add_entry(xs, 4, 2, 7.0)
    assert [back(None, store)[1] for back in reversed(backs)] == [None, 7.0, None, None]
    assert before(store, xs) == []


@pytest.mark.parametrize(
    ("index", "found"),
    [
        (0, (10.0, [20.0, 30.0, 40.0, 50.0])),
        (2, (30.0, [10.0, 20.0, 40.0, 50.0])),
        (-1, (40.0, [10.0, 20.0, 30.0, 50.0])),
        (4, (50.0, [10.0, 20.0, 30.0, 40.0])),
        (99, (50.0, [10.0, 20.0, 30.0, 40.0])),
        (-99, (10.0, [20.0, 30.0, 40.0, 50.0])),
    ],
)
def test_insert(index: int, found: Any) -> None:
    xs, plain = list(NUMBERS), list(NUMBERS)
    _, back = list_method(xs, "insert", (index, 9.0))
    plain.insert(index, 9.0)
    assert xs == plain
    store = after(xs, [10.0, 20.0, 30.0, 40.0, 50.0])
    assert back(None, store) == (None, None, found[0]) and before(store, xs) == found[1]


@pytest.mark.parametrize(
    ("value", "found"), [(1.0, [None, 10.0, 20.0, 30.0]), (3.0, [10.0, 20.0, None, 30.0])]
)
def test_remove(value: float, found: Any) -> None:
    xs = list(NUMBERS)
    result, back = list_method(xs, "remove", (value,))
    assert result is None and xs == [item for item in NUMBERS if item != value]
    store = after(xs, [10.0, 20.0, 30.0])
    assert back(None, store) == (None, None) and before(store, xs) == found


def test_remove_takes_the_first_of_equal_items() -> None:
    xs = [1.0, 2.0, 1.0]
    _, back = list_method(xs, "remove", (1.0,))
    store = after(xs, [10.0, 20.0])
    back(None, store)
    assert xs == [2.0, 1.0] and before(store, xs) == [None, 10.0, 20.0]


@pytest.mark.parametrize("name", ["extend", "__iadd__"])
@pytest.mark.parametrize(
    ("given", "bar"), [((8.0, 9.0), (20.0, 30.0)), ([8.0, 9.0], None), (np.array([8.0, 9.0]), None)]
)
def test_extend(name: str, given: Any, bar: Any) -> None:
    xs = [1.0]
    result, back = list_method(xs, name, (given,))
    assert xs == [1.0, 8.0, 9.0] and result is (xs if name == "__iadd__" else None)
    store = after(xs, [10.0, 20.0, 30.0])
    assert back(None, store) == (None, bar) and before(store, xs) == [10.0]
    if isinstance(given, list):
        assert before(store, given) == [20.0, 30.0]
    if isinstance(given, np.ndarray):
        assert store.memory.view(given).tolist() == [20.0, 30.0]


def test_extend_adds_to_what_the_other_list_has() -> None:
    xs, ys = [1.0], [2.0, 3.0]
    _, back = list_method(xs, "extend", (ys,))
    store = after(xs, [10.0, None, 30.0])
    store.add_entries(ys, [1.0, 2.0])
    back(None, store)
    assert before(store, ys) == [1.0, 32.0]


def test_extend_by_a_view_of_an_array() -> None:
    xs: list[Any] = []
    array = np.arange(6.0).reshape(3, 2)
    _, back = list_method(xs, "extend", (array[::-1],))
    store = after(xs, [np.array([1.0, 2.0]), None, np.array([3.0, 4.0])])
    back(None, store)
    assert store.memory.view(array).tolist() == [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]


def test_extend_by_nothing() -> None:
    xs = [1.0]
    _, back = list_method(xs, "extend", ([],))
    store = after(xs, [10.0])
    assert back(None, store) == (None, None) and before(store, xs) == [10.0]


def test_extend_by_what_has_no_cotangent() -> None:
    xs = [1.0]
    _, back = list_method(xs, "extend", (range(2),))
    assert xs == [1.0, 0, 1]
    store = after(xs, [10.0, 20.0, 30.0])
    assert back(None, store) == (None, None) and before(store, xs) == [10.0]


@pytest.mark.parametrize("name", ["extend", "__iadd__"])
def test_a_list_that_is_extended_by_itself(name: str) -> None:
    xs = [1.0, 2.0]
    result, back = list_method(xs, name, (xs,))
    assert xs == [1.0, 2.0, 1.0, 2.0] and result is (xs if name == "__iadd__" else None)
    store = after(xs, [1.0, 10.0, 100.0, None])
    assert back(None, store) == (None, None) and before(store, xs) == [101.0, 10.0]


@pytest.mark.parametrize("count", [-1, 0, 1, 3])
def test_repetition_in_place(count: int) -> None:
    xs = [1.0, 2.0]
    result, back = list_method(xs, "__imul__", (count,))
    assert result is xs and xs == [1.0, 2.0] * count
    bars = [1.0, 2.0, 10.0, 20.0, 100.0, None][: len(xs)]
    found = {0: [None, None], 2: [1.0, 2.0], 6: [111.0, 22.0]}[len(xs)]
    store = after(xs, bars)
    assert back(None, store) == (None, None) and before(store, xs) == found


def test_reverse() -> None:
    xs = [1.0, 2.0, 3.0]
    _, back = list_method(xs, "reverse", ())
    store = after(xs, [10.0, 20.0, None])
    assert back(None, store) == (None,)
    assert xs == [3.0, 2.0, 1.0] and before(store, xs) == [None, 20.0, 10.0]


def test_clear() -> None:
    xs = [1.0, 2.0]
    _, back = list_method(xs, "clear", ())
    store = after(xs, [])
    assert back(None, store) == (None,) and xs == [] and before(store, xs) == [None, None]


@pytest.mark.parametrize(("bar", "found"), [(9.0, [10.0, 20.0, 9.0]), (None, [10.0, 20.0, None])])
def test_pop_of_the_last(bar: Any, found: Any) -> None:
    xs = [1.0, 2.0, 3.0]
    result, back = list_method(xs, "pop", ())
    assert result == 3.0 and xs == [1.0, 2.0]
    store = after(xs, [10.0, 20.0])
    assert back(bar, store) == (None,) and before(store, xs) == found


@pytest.mark.parametrize(
    ("index", "value", "found"),
    [
        (0, 1.0, [9.0, 10.0, 20.0]),
        (1, 2.0, [10.0, 9.0, 20.0]),
        (-1, 3.0, [10.0, 20.0, 9.0]),
        (-3, 1.0, [9.0, 10.0, 20.0]),
        (True, 2.0, [10.0, 9.0, 20.0]),
        (np.int64(2), 3.0, [10.0, 20.0, 9.0]),
    ],
)
def test_pop_at(index: Any, value: float, found: Any) -> None:
    xs = [1.0, 2.0, 3.0]
    result, back = list_method(xs, "pop", (index,))
    assert result == value
    store = after(xs, [10.0, 20.0])
    assert back(9.0, store) == (None, None) and before(store, xs) == found


def test_the_cotangent_of_an_array_that_was_popped_stays_with_it() -> None:
    x = np.zeros(2)
    for args in ((), (0,)):
        xs = [x]
        _, back = list_method(xs, "pop", args)
        store = Store()
        back(np.ones(2), store)
        assert before(store, xs) == [None] and store.memory.view(x).tolist() == [1.0, 1.0]


def test_copy() -> None:
    xs = [1.0, 2.0]
    ys, back = list_method(xs, "copy", ())
    assert ys == xs and ys is not xs
    store = after(xs, [10.0, None])
    store.add_entries(ys, [1.0, 2.0])
    assert back(None, store) == (None,)
    assert before(store, xs) == [11.0, 2.0] and store.take_entries(ys) is None


def test_copy_of_which_nothing_was_used() -> None:
    xs = [1.0]
    _, back = list_method(xs, "copy", ())
    store = Store()
    back(None, store)
    assert store.lists == {}


@pytest.mark.parametrize(("name", "result"), [("index", 1), ("count", 1)])
def test_methods_without_a_gradient(name: str, result: int) -> None:
    xs = [1.0, 2.0]
    found, back = list_method(xs, name, (2.0,))
    store = after(xs, [10.0, 20.0])
    assert found == result and back(None, store) == (None, None) and before(store, xs) == [10.0, 20.0]


@pytest.mark.parametrize(
    ("name", "args"), [("pop", ()), ("pop", (0,)), ("remove", (1.0,)), ("index", (1.0,)), ("append", ())]
)
def test_methods_of_lists_fail_as_python_does(name: str, args: Any) -> None:
    with pytest.raises((IndexError, ValueError, TypeError)) as expected:
        getattr([], name)(*args)
    with pytest.raises(expected.type):
        list_method([], name, args)


# -------------------------------------------------------------------------------- entries of lists


@pytest.mark.parametrize(
    ("index", "found"), [(0, [15.0, 20.0]), (-1, [10.0, 25.0]), (np.int64(1), [10.0, 25.0])]
)
def test_reading_an_entry(index: Any, found: Any) -> None:
    xs = [1.0, 2.0]
    result, back = read_entry(xs, index)
    store = after(xs, [10.0, 20.0])
    assert result == xs[index] and back(5.0, store) == (None, None, None) and before(store, xs) == found


def test_reading_an_entry_without_a_cotangent() -> None:
    xs = [1.0]
    _, back = read_entry(xs, 0)
    store = Store()
    back(None, store)
    assert store.lists == {}


def test_reading_arrays_and_tuples_from_a_list() -> None:
    x = np.zeros(1)
    xs: list[Any] = [x, (x, 1.0)]
    store = Store()
    read_entry(xs, 0)[1](np.ones(1), store)
    read_entry(xs, 1)[1]((np.ones(1), 3.0), store)
    assert store.memory.view(x).tolist() == [2.0] and before(store, xs) == [None, (None, 3.0)]


@pytest.mark.parametrize(
    ("where", "bars", "found"),
    [
        (slice(1, 3), [1.0, 2.0], [10.0, 21.0, 32.0, None]),
        (slice(None), [1.0, 2.0, None, 4.0], [11.0, 22.0, 30.0, 4.0]),
        (slice(None, None, -2), [1.0, 2.0], [10.0, 22.0, 30.0, 1.0]),
        (slice(3, 1), [], [10.0, 20.0, 30.0, None]),
    ],
)
def test_reading_a_slice_of_a_list(where: slice, bars: Any, found: Any) -> None:
    xs = list(NUMBERS)
    ys, back = read_entry(xs, where)
    assert ys == NUMBERS[where]
    store = after(xs, [10.0, 20.0, 30.0, None])
    store.add_entries(ys, bars)
    assert back(None, store) == (None, None, None)
    assert before(store, xs) == found and store.take_entries(ys) is None


@pytest.mark.parametrize(
    ("index", "bar", "found"),
    [
        (1, 5.0, (None, 5.0, None)),
        (-1, 5.0, (None, None, 5.0)),
        (slice(1, None), (5.0, None), (None, 5.0, None)),
        (slice(None, None, -1), (5.0, 6.0, 7.0), (7.0, 6.0, 5.0)),
        (0, None, None),
    ],
)
def test_reading_a_tuple(index: Any, bar: Any, found: Any) -> None:
    values = (1.0, 2.0, 3.0)
    result, back = read_entry(values, index)
    assert result == values[index] and back(bar, Store()) == (None, found, None)


@pytest.mark.parametrize(
    ("index", "found"), [(0, [None, 20.0]), (-1, [10.0, None]), (np.int64(0), [None, 20.0])]
)
def test_writing_an_entry(index: Any, found: Any) -> None:
    xs = [1.0, 2.0]
    back = write_entry(xs, index, 5.0)
    store = after(xs, [10.0, 20.0])
    assert xs[index] == 5.0 and back(store) == [10.0, 20.0][index] and before(store, xs) == found


@pytest.mark.parametrize(
    ("where", "given", "bars", "new", "found"),
    [
        (slice(1, 3), (8.0,), [10.0, 20.0, 30.0], (20.0,), [10.0, None, None, 30.0]),
        (slice(1, 1), (8.0, 9.0), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], (2.0, 3.0), [1.0, 4.0, 5.0, 6.0]),
        (slice(None), (), [], (), [None, None, None, None]),
        (slice(None, None, 2), (8.0, 9.0), [1.0, 2.0, 3.0, 4.0], (1.0, 3.0), [None, 2.0, None, 4.0]),
        (slice(3, 1), (8.0,), [1.0, 2.0, 3.0, 4.0, 5.0], (4.0,), [1.0, 2.0, 3.0, 5.0]),
        (slice(-1, 99), (8.0, 9.0), [1.0, 2.0, 3.0, 4.0, 5.0], (4.0, 5.0), [1.0, 2.0, 3.0, None]),
    ],
)
@pytest.mark.parametrize("form", [list, np.array])
def test_writing_a_slice_of_a_list(
    where: slice, given: Any, bars: Any, new: Any, found: Any, form: Any
) -> None:
    xs, plain, stored = list(NUMBERS), list(NUMBERS), form(given)
    back = write_entry(xs, where, stored)
    plain[where] = given
    assert xs == plain
    store = after(xs, bars)
    bar = back(store)
    assert before(store, xs) == found
    assert bar is None
    if form is list:
        assert store.entries(stored, len(new)) == list(new)
    else:
        assert store.memory.view(stored).tolist() == list(new)


def test_writing_a_list_into_itself() -> None:
    xs = [1.0, 2.0]
    back = write_entry(xs, slice(1, 1), xs)
    assert xs == [1.0, 1.0, 2.0, 2.0]
    store = after(xs, [1.0, 10.0, 100.0, 1000.0])
    assert back(store) is None and before(store, xs) == [11.0, 1100.0]


@pytest.mark.parametrize(
    ("where", "bars", "found"),
    [
        (1, [10.0, 20.0, 30.0], [10.0, None, 20.0, 30.0]),
        (-1, [10.0, 20.0, 30.0], [10.0, 20.0, 30.0, None]),
        (slice(None, None, 2), [10.0, 20.0], [None, 10.0, None, 20.0]),
        (slice(3, 1), [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]),
        (slice(None), [], [None, None, None, None]),
    ],
)
def test_deleting_entries(where: Any, bars: Any, found: Any) -> None:
    xs = list(NUMBERS)
    back = delete_entry(xs, where)
    store = after(xs, bars)
    assert back(store) == [] and before(store, xs) == found


def test_a_program_is_undone_backwards() -> None:
    xs = [1.0, 2.0, 3.0]
    first = list_method(xs, "insert", (1, 9.0))[1]  # 1 9 2 3
    second = list_method(xs, "reverse", ())[1]  # 3 2 9 1
    third = delete_entry(xs, 0)  # 2 9 1
    fourth = write_entry(xs, 0, 7.0)  # 7 9 1
    fifth = list_method(xs, "extend", (xs,))[1]  # 7 9 1 7 9 1
    assert xs == [7.0, 9.0, 1.0, 7.0, 9.0, 1.0]
    store = after(xs, [1.0, 2.0, 3.0, 10.0, 20.0, 30.0])
    fifth(None, store)
    assert fourth(store) == 11.0
    third(store)
    second(None, store)
    assert first(None, store) == (None, None, 22.0) and before(store, xs) == [33.0, None, None]


# -------------------------------------------------------------------------------------- dicts


def test_reading_a_key() -> None:
    x = np.zeros(1)
    table = {"a": 1.0, "x": x}
    store = after(table, {"a": 10.0, "b": 20.0})
    assert read_entry(table, "a")[1](5.0, store) == (None, None, None)
    assert read_entry(table, "x")[1](np.ones(1), store) == (None, None, None)
    assert before(store, table) == {"a": 15.0, "b": 20.0} and store.memory.view(x).tolist() == [1.0]


def test_writing_a_key() -> None:
    table = {"a": 1.0}
    first, second = write_entry(table, "a", 5.0), write_entry(table, "b", 6.0)
    assert table == {"a": 5.0, "b": 6.0}
    store = after(table, {"a": 10.0, "b": 20.0, "c": 30.0})
    assert second(store) == 20.0 and first(store) == 10.0 and before(store, table) == {"c": 30.0}
    assert first(store) is None


def test_deleting_a_key() -> None:
    table = {"a": 1.0, "b": 2.0}
    back = delete_entry(table, "a")
    store = after(table, {"b": 20.0})
    assert back(store) is None and before(store, table) == {"b": 20.0} and table == {"b": 2.0}


def test_a_key_that_is_deleted_and_written_again_is_another_entry() -> None:
    table = {"a": 1.0}
    deleted, written = delete_entry(table, "a"), write_entry(table, "a", 5.0)
    store = after(table, {"a": 10.0})
    assert written(store) == 10.0 and deleted(store) is None and before(store, table) == {}


@pytest.mark.parametrize(
    ("name", "args", "result", "left", "bars", "found"),
    [
        ("get", ("a",), 1.0, {"a": 1.0}, (None, None), {"a": 17.0}),
        ("get", ("a", 5.0), 1.0, {"a": 1.0}, (None, None, None), {"a": 17.0}),
        ("get", ("b",), None, {"a": 1.0}, (None, None), {"a": 10.0}),
        ("get", ("b", 5.0), 5.0, {"a": 1.0}, (None, None, 7.0), {"a": 10.0}),
        ("setdefault", ("a", 5.0), 1.0, {"a": 1.0}, (None, None, None), {"a": 17.0}),
        ("setdefault", ("a",), 1.0, {"a": 1.0}, (None, None), {"a": 17.0}),
        ("pop", ("b", 5.0), 5.0, {"a": 1.0}, (None, None, 7.0), {"a": 10.0}),
    ],
)
def test_looking_a_key_up(name: str, args: Any, result: Any, left: Any, bars: Any, found: Any) -> None:
    table = {"a": 1.0}
    value, back = dict_method(table, name, args, {})
    store = after(table, {"a": 10.0})
    assert value == result and table == left
    assert back(7.0, store) == bars and before(store, table) == found


@pytest.mark.parametrize("args", [("a",), ("a", 5.0)])
def test_pop_of_a_key(args: Any) -> None:
    table = {"a": 1.0, "b": 2.0}
    value, back = dict_method(table, "pop", args, {})
    store = after(table, {"b": 20.0})
    assert value == 1.0 and table == {"b": 2.0}
    assert back(7.0, store) == (None,) * (1 + len(args)) and before(store, table) == {"a": 7.0, "b": 20.0}


def test_setdefault_of_a_missing_key() -> None:
    table = {"a": 1.0}
    value, back = dict_method(table, "setdefault", ("b", 5.0), {})
    store = after(table, {"a": 10.0, "b": 20.0})
    assert value == 5.0 and table == {"a": 1.0, "b": 5.0}
    assert back(7.0, store) == (None, None, 27.0) and before(store, table) == {"a": 10.0}


def test_setdefault_of_a_list() -> None:
    table: dict[str, Any] = {}
    value, back = dict_method(table, "setdefault", ("b", [1.0]), {})
    store = Store()
    store.add_entry(value, 1, 0, 4.0)
    assert back(None, store) == (None, None, None)
    assert store.take_entries(value) == [4.0] and before(store, table) == {}


def test_get_of_an_array_gives_to_the_array() -> None:
    x, y = np.zeros(1), np.zeros(1)
    table = {"a": x}
    store = Store()
    assert dict_method(table, "get", ("a", y), {})[1](np.ones(1), store) == (None, None, None)
    assert dict_method(table, "get", ("b", y), {})[1](np.array([2.0]), store) == (None, None, None)
    assert store.memory.view(x).tolist() == [1.0] and store.memory.view(y).tolist() == [2.0]


BARS = {"a": 10.0, "b": 20.0, "c": 30.0}


@pytest.mark.parametrize("name", ["update", "__ior__"])
def test_update_by_a_dict(name: str) -> None:
    table, other = {"a": 1.0, "b": 2.0}, {"b": 5.0, "c": 6.0}
    result, back = dict_method(table, name, (other,), {})
    assert table == {"a": 1.0, "b": 5.0, "c": 6.0} and result is (table if name == "__ior__" else None)
    store = after(table, BARS)
    store.add_key(other, "c", 1.0)
    assert back(None, store) == (None, None)
    assert before(store, table) == {"a": 10.0} and before(store, other) == {"b": 20.0, "c": 31.0}


def test_update_by_keywords() -> None:
    table = {"a": 1.0, "b": 2.0}
    _, back = dict_method(table, "update", (), {"b": 5.0, "c": 6.0})
    store = after(table, BARS)
    assert table == {"a": 1.0, "b": 5.0, "c": 6.0}
    assert back(None, store) == (None, 20.0, 30.0) and before(store, table) == {"a": 10.0}


def test_update_by_a_dict_and_keywords() -> None:
    table, other = {"a": 1.0}, {"a": 4.0, "b": 5.0}
    _, back = dict_method(table, "update", (other,), {"b": 7.0, "c": 6.0})
    store = after(table, BARS)
    assert table == {"a": 4.0, "b": 7.0, "c": 6.0}
    assert back(None, store) == (None, None, 20.0, 30.0)
    assert before(store, table) == {} and before(store, other) == {"a": 10.0}


@pytest.mark.parametrize("args", [(), ({},)])
def test_update_by_nothing(args: Any) -> None:
    table = {"a": 1.0}
    _, back = dict_method(table, "update", args, {})
    store = after(table, {"a": 10.0})
    assert back(None, store) == (None,) * (1 + len(args)) and before(store, table) == {"a": 10.0}


def test_update_by_itself_changes_nothing() -> None:
    table = {"a": 1.0, "b": 2.0}
    _, back = dict_method(table, "update", (table,), {})
    store = after(table, {"a": 10.0})
    assert back(None, store) == (None, None) and before(store, table) == {"a": 10.0}


def test_popitem() -> None:
    table = {"a": 1.0, "b": 2.0}
    pair, back = dict_method(table, "popitem", (), {})
    store = after(table, {"a": 10.0})
    assert pair == ("b", 2.0) and table == {"a": 1.0}
    assert back((None, 7.0), store) == (None,) and before(store, table) == {"a": 10.0, "b": 7.0}
    assert back(None, store) == (None,) and before(store, table) == {"a": 10.0, "b": 7.0}


def test_values() -> None:
    x = np.zeros(1)
    table = {"a": 1.0, "b": 2.0, "x": x}
    view, back = dict_method(table, "values", (), {})
    store = after(table, {"a": 10.0})
    assert type(view) is type({}.values()) and list(view)[:2] == [1.0, 2.0]
    assert back({0: 5.0, 1: None, 2: np.ones(1)}, store) == (None,)
    assert before(store, table) == {"a": 15.0} and store.memory.view(x).tolist() == [1.0]
    assert back(None, store) == (None,) and before(store, table) == {"a": 15.0}


def test_items() -> None:
    table = {"a": 1.0, "b": 2.0, "c": 3.0}
    view, back = dict_method(table, "items", (), {})
    store = after(table, {"b": 10.0})
    assert list(view) == [("a", 1.0), ("b", 2.0), ("c", 3.0)]
    assert back({0: (None, 5.0), 1: (None, 6.0), 2: None}, store) == (None,)
    assert before(store, table) == {"a": 5.0, "b": 16.0}


def test_copy_of_a_dict() -> None:
    table = {"a": 1.0, "b": 2.0}
    copied, back = dict_method(table, "copy", (), {})
    store = after(table, {"a": 10.0})
    store.add_keys(copied, {"a": 1.0, "b": 2.0})
    assert copied == table and copied is not table and back(None, store) == (None,)
    assert before(store, table) == {"a": 11.0, "b": 2.0} and store.take_keys(copied) is None


def test_merge() -> None:
    first, second = {"a": 1.0, "b": 2.0}, {"b": 5.0, "c": 6.0}
    both, back = merge(first, second)
    assert both == {"a": 1.0, "b": 5.0, "c": 6.0}
    store = after(both, BARS)
    store.add_key(first, "b", 1.0)
    assert back(None, store) == (None, None, None) and store.take_keys(both) is None
    assert before(store, first) == {"a": 10.0, "b": 1.0}
    assert before(store, second) == {"b": 20.0, "c": 30.0}


def test_merge_with_itself_and_of_what_was_not_used() -> None:
    table = {"a": 1.0}
    both, back = merge(table, table)
    store = after(both, {"a": 10.0})
    back(None, store)
    assert before(store, table) == {"a": 10.0}
    unused = Store()
    back(None, unused)
    assert unused.places == {}


def test_merge_with_a_dict_that_is_changed_later() -> None:
    first, second = {"a": 1.0}, {"b": 5.0}
    both, back = merge(first, second)
    second["a"] = 7.0
    store = after(both, {"a": 10.0, "b": 20.0})
    back(None, store)
    assert before(store, first) == {"a": 10.0} and before(store, second) == {"b": 20.0}


@pytest.mark.parametrize(("name", "args"), [("keys", ()), ("__contains__", ("a",)), ("__len__", ())])
def test_methods_of_dicts_without_a_gradient(name: str, args: Any) -> None:
    table = {"a": 1.0}
    result, back = dict_method(table, name, args, {})
    store = after(table, {"a": 10.0})
    assert result == getattr(table, name)(*args)
    assert back(None, store) == (None,) * (1 + len(args)) and before(store, table) == {"a": 10.0}


def test_clear_of_a_dict() -> None:
    table = {"a": 1.0}
    _, back = dict_method(table, "clear", (), {})
    store = Store()
    assert back(None, store) == (None,) and table == {} and before(store, table) == {}


def test_clear_of_a_dict_that_is_filled_again() -> None:
    table = {"a": 1.0}
    cleared, written = dict_method(table, "clear", (), {})[1], write_entry(table, "a", 5.0)
    store = after(table, {"a": 10.0})
    assert written(store) == 10.0
    cleared(None, store)
    assert before(store, table) == {}


@pytest.mark.parametrize(("name", "args"), [("pop", ("b",)), ("popitem", ()), ("get", ())])
def test_methods_of_dicts_fail_as_python_does(name: str, args: Any) -> None:
    with pytest.raises((KeyError, TypeError)) as expected:
        getattr({}, name)(*args)
    with pytest.raises(expected.type):
        dict_method({}, name, args, {})


# ------------------------------------------------------------------------------------- arrays, others


def test_a_view_of_an_array_has_its_place_already() -> None:
    x = np.zeros((2, 3))
    row, back = read_entry(x, 1)
    store = Store()
    store.memory.add(row, np.array([1.0, 2.0, 3.0]))
    assert back(None, store) == (None, None, None)
    assert store.memory.view(x).tolist() == [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]


@pytest.mark.parametrize(
    ("index", "bar", "found"),
    [
        (1, 5.0, [0.0, 5.0, 0.0]),
        (-1, 5.0, [0.0, 0.0, 5.0]),
        ([0, 2], np.array([1.0, 2.0]), [1.0, 0.0, 2.0]),
        ([1, 1], np.array([1.0, 2.0]), [0.0, 3.0, 0.0]),
        (np.array([True, False, True]), np.array([1.0, 2.0]), [1.0, 0.0, 2.0]),
        (1, None, [0.0, 0.0, 0.0]),
    ],
)
def test_reading_copies_of_elements(index: Any, bar: Any, found: Any) -> None:
    x = np.array([1.0, 2.0, 3.0])
    _, back = read_entry(x, index)
    store = Store()
    assert back(bar, store) == (None, None, None)
    assert store.memory.view(x).tolist() == found


def test_the_index_is_that_of_the_reading() -> None:
    x, index = np.zeros(3), [0, 1]
    value, back = read_entry(x, index)
    index[0] = 2
    store = Store()
    store.memory.add(value, np.array([1.0, 2.0]))
    back(None, store)
    assert store.memory.view(x).tolist() == [1.0, 2.0, 0.0]


@pytest.mark.parametrize(
    ("index", "stored", "bar", "left"),
    [
        (1, 5.0, 20.0, [10.0, 0.0, 30.0]),
        (slice(1, None), 5.0, 50.0, [10.0, 0.0, 0.0]),
        (slice(None, None, -2), (5.0, 6.0), (30.0, 10.0), [0.0, 20.0, 0.0]),
        ([0, 0], (5.0, 6.0), (0.0, 10.0), [0.0, 20.0, 30.0]),
        (np.array([True, False, True]), 5.0, 40.0, [0.0, 20.0, 0.0]),
        (..., 5.0, 60.0, [0.0, 0.0, 0.0]),
    ],
)
def test_writing_elements(index: Any, stored: Any, bar: Any, left: Any) -> None:
    x, plain = np.zeros(3), np.zeros(3)
    back = write_entry(x, index, stored)
    plain[index] = stored
    assert x.tolist() == plain.tolist()
    store = Store()
    store.memory.add(x, np.array([10.0, 20.0, 30.0]))
    assert back(store) == bar and store.memory.view(x).tolist() == left


def test_writing_an_array_into_an_array() -> None:
    x, stored = np.zeros((2, 3)), np.array([1.0, 2.0, 3.0])
    back = write_entry(x, slice(None), stored)
    store = Store()
    store.memory.add(x, np.arange(6.0).reshape(2, 3))
    assert back(store) is None
    assert store.memory.view(stored).tolist() == [3.0, 5.0, 7.0]
    assert store.memory.view(x).tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_writing_a_list_into_an_array() -> None:
    x, stored = np.zeros(2), [1.0, 2.0]
    back = write_entry(x, slice(None), stored)
    store = Store()
    store.memory.add(x, np.array([3.0, 4.0]))
    assert back(store) is None and store.take_entries(stored) == [3.0, 4.0]


def test_a_complex_number_in_a_real_array_is_refused_by_numpy() -> None:
    with pytest.raises(TypeError):
        write_entry(np.zeros(2), 0, 1j)


def test_a_real_number_in_a_complex_array_has_a_real_cotangent() -> None:
    x = np.zeros(2, complex)
    back = write_entry(x, 0, 5.0)
    store = Store()
    store.memory.add(x, np.array([1 + 2j, 3.0]))
    assert back(store) == 1.0 and store.memory.view(x).tolist() == [0.0, 3.0]


def test_a_number_in_an_array_of_integers_has_no_influence() -> None:
    x = np.zeros(2, int)
    back = write_entry(x, 0, 5.5)
    store = Store()
    store.memory.add(x, np.array([1.0, 3.0]))
    assert x.tolist() == [5, 0] and back(store) == 0.0 and store.memory.view(x).tolist() == [0.0, 3.0]


def test_what_has_no_cotangent_is_read_all_the_same() -> None:
    result, back = read_entry("text", 1)
    assert result == "e" and back is places.NOTHING and back(1.0, Store()) == (None, None, None)
    with pytest.raises(TypeError):
        read_entry(5, 0)
