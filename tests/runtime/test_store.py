"""The store of one call of `back`: cotangents of things by identity and place."""

from __future__ import annotations

import functools
import types
from dataclasses import dataclass
from fractions import Fraction
from types import CellType
from typing import Any

import numpy as np
import pytest

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.records import Record
from zygpy.runtime.store import Held, Store, described, fields_of, form_of, place_of


class Plain:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def method(self, x: float) -> float:
        return x


class Slotted:
    __slots__ = ("first", "never", "second")

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second


class Both(Slotted):
    __slots__ = ("__dict__", "third")


class OneName:
    __slots__ = "only"

    def __init__(self, only: Any) -> None:
        self.only = only


@dataclass
class Pair:
    first: Any
    second: Any


def keeps(scale: Any, things: Any) -> Any:
    def inner(x: Any) -> Any:
        return x * scale + things[0]

    return inner


def keeps_unbound() -> Any:
    def inner(x: Any) -> Any:
        return x * later

    if len("") > 0:
        later = 1.0
    return inner


def two(a: Any, b: Any) -> Any:
    return a * b


# --------------------------------------------------------------------------------------------- lists


def test_entries_are_the_place_itself() -> None:
    store, xs = Store(), [1.0, 2.0]
    entries = store.entries(xs, 2)
    assert entries == [None, None]
    entries[1] = 5.0
    assert store.entries(xs, 2) is entries and store.take_entries(xs) == [None, 5.0]
    assert store.take_entries(xs) is None


def test_entries_of_an_item_add_up() -> None:
    store, xs = Store(), [1.0, 2.0, 3.0]
    store.add_entry(xs, 3, 1, 2.0)
    store.add_entry(xs, 3, -1, 1.0)
    store.add_entry(xs, 3, 1, 0.5)
    store.add_entry(xs, 3, 0, None)
    store.add_entries(xs, [None, 1.0, 1.0])
    store.add_entries(xs, None)
    assert store.take_entries(xs) == [None, 3.5, 2.0]


def test_nothing_is_entered_for_none() -> None:
    store = Store()
    store.add_entry([1.0], 1, 0, None)
    store.add_entries([1.0], None)
    store.add_key({}, "a", None)
    store.add_keys({}, None)
    assert store.lists == {} and store.places == {}


def test_entries_can_be_replaced_by_more_or_fewer() -> None:
    store, xs = Store(), [1.0, 2.0]
    store.add_entry(xs, 2, 0, 1.0)
    store.replace_entries(xs, [None, 2.0, 3.0])
    store.add_entry(xs, 3, 0, 4.0)
    assert store.entries(xs, 3) == [4.0, 2.0, 3.0]


def test_equal_lists_are_different_things() -> None:
    store, xs, ys = Store(), [1.0], [1.0]
    store.add_entry(xs, 1, 0, 2.0)
    assert store.take_entries(ys) is None and store.take_entries(xs) == [2.0]


# ---------------------------------------------------------------------------- dicts, objects and cells


def test_keys_of_a_thing_add_up() -> None:
    store, table = Store(), {"a": 1.0}
    store.add_key(table, "a", 2.0)
    store.add_keys(table, {"a": 1.0, ("b", 1): 4.0, "c": None})
    assert store.keys(table) == {"a": 3.0, ("b", 1): 4.0}
    assert store.take_key(table, "a") == 3.0 and store.take_key(table, "a") is None
    assert store.take_keys(table) == {("b", 1): 4.0} and store.take_keys(table) is None


def test_keys_are_the_place_itself() -> None:
    store, thing = Store(), Plain()
    store.keys(thing)["x"] = 1.0
    assert store.take_key(thing, "x") == 1.0
    assert store.take_key(Plain(), "x") is None


def test_containers_under_a_key_add_up_by_entry() -> None:
    store, thing = Store(), Plain()
    store.add_key(thing, "pair", (1.0, None))
    store.add_key(thing, "pair", (1.0, 2.0))
    store.add_key(thing, "array", np.array([1.0, 2.0]))
    store.add_key(thing, "array", np.array([10.0, 20.0]))
    assert store.take_key(thing, "pair") == (2.0, 2.0)
    assert store.take_key(thing, "array").tolist() == [11.0, 22.0]


def test_cells() -> None:
    store, first, second = Store(), CellType(1.0), CellType(1.0)
    store.add_cell(first, 2.0)
    store.add_cell(first, 3.0)
    store.add_cell(second, None)
    assert store.take_cell(second) is None
    assert store.take_cell(first) == 5.0 and store.take_cell(first) is None


def test_things_are_kept_alive_with_their_cotangents() -> None:
    store = Store()
    for number in range(40):
        store.add_key(Plain(), "x", float(number))
        store.add_entry([None], 1, 0, float(number))
    assert sorted(keys["x"] for _, keys in store.places.values()) == [float(n) for n in range(40)]
    assert sorted(bars[0] for _, bars in store.lists.values()) == [float(n) for n in range(40)]


# ------------------------------------------------------------------------------------------------ add


@pytest.mark.parametrize("value", [1.0, 2, 1j, np.float32(1.0), Fraction(1, 2), None, "text", {"a": 1.0}])
def test_the_cotangent_of_a_number_or_dict_is_left_over(value: Any) -> None:
    store = Store()
    assert store.add(value, 3.0) == 3.0
    assert store.places == {} and store.lists == {} and store.memory.buffers == {}


def test_the_cotangent_of_an_array_is_kept() -> None:
    store, x = Store(), np.zeros(3)
    assert store.add(x[1:], np.array([1.0, 2.0])) is None
    assert store.add(x, None) is None
    assert store.memory.view(x).tolist() == [0.0, 1.0, 2.0]


def test_of_a_tuple_the_numbers_are_left_over() -> None:
    store, x, xs = Store(), np.zeros(2), [1.0, 2.0]
    left = store.add((2.0, x, xs, (x, 3.0)), (5.0, np.ones(2), [None, 1.0], (np.ones(2), 6.0)))
    assert left == (5.0, None, None, (None, 6.0))
    assert store.memory.view(x).tolist() == [2.0, 2.0]
    assert store.take_entries(xs) == [None, 1.0]


def test_nothing_is_left_over_of_a_tuple_of_arrays() -> None:
    store, x, y = Store(), np.zeros(2), np.zeros(1)
    assert store.add((x, (y,)), (np.ones(2), (np.array([4.0]),))) is None
    assert store.memory.view(y).tolist() == [4.0]
    assert store.add((1.0, 2.0), None) is None
    assert store.add((1.0, 2.0), (None, None)) is None


def test_a_list_of_arrays_gives_to_the_arrays() -> None:
    store, x = Store(), np.zeros(2)
    xs: list[Any] = [x, 1.0, (x, 2.0)]
    assert store.add(xs, [np.ones(2), 3.0, (np.ones(2), 4.0)]) is None
    assert store.memory.view(x).tolist() == [2.0, 2.0]
    assert store.take_entries(xs) == [None, 3.0, (None, 4.0)]


def test_a_tuple_takes_the_cotangent_of_a_list() -> None:
    assert Store().add((1.0, 2.0), [3.0, None]) == (3.0, None)


# ------------------------------------------------------------------------------------------- exchange


def test_exchange_gives_what_has_come_in_to_arrays() -> None:
    store, x = Store(), np.zeros(2)
    store.memory.add(x, np.array([1.0, 2.0]))
    assert store.exchange(x, np.array([10.0, 10.0])).tolist() == [11.0, 12.0]
    assert store.exchange(x, None).tolist() == [0.0, 0.0]
    assert store.exchange(np.zeros(2), None) is None


def test_exchange_of_a_tuple() -> None:
    store, x = Store(), np.zeros(1)
    store.memory.add(x, 2.0)
    whole = store.exchange((1.0, (x,)), None)
    assert whole[0] is None and whole[1][0].tolist() == [2.0]
    assert store.exchange((1.0, 2.0), None) is None
    assert store.exchange((1.0, 2.0), (None, 3.0)) == (None, 3.0)
    assert store.exchange(1.0, 4.0) == 4.0


def test_exchange_gives_an_array_that_is_there_twice_once() -> None:
    store, x = Store(), np.zeros(1)
    store.memory.add(x, 2.0)
    first, second = store.exchange((x, x), None)
    assert first.tolist() == [2.0] and second.tolist() == [0.0]


# ---------------------------------------------------------------------------------------- add_element


def test_an_element_of_a_list() -> None:
    store, xs = Store(), [1.0, 2.0, 3.0]
    assert store.add_element(xs, 3, 1, None, 4.0) is None
    assert store.add_element(xs, 3, 1, None, None) is None
    assert store.take_entries(xs) == [None, 4.0, None]


def test_an_element_of_a_list_that_was_longer_when_it_was_iterated() -> None:
    store, xs = Store(), [1.0]
    store.add_element(xs, 2, 1, None, 4.0)
    assert store.take_entries(xs) == [None, 4.0]


def test_an_element_of_an_array() -> None:
    store, x = Store(), np.zeros((2, 2))
    assert store.add_element(x, 2, 1, None, np.array([1.0, 2.0])) is None
    assert store.add_element(x.T, 2, 0, None, np.array([5.0, 6.0])) is None
    assert store.memory.view(x).tolist() == [[5.0, 0.0], [7.0, 2.0]]


def test_an_element_of_a_dicts_values_and_items() -> None:
    store, table = Store(), {"a": 1.0, "b": 2.0}
    assert store.add_element(table.values(), 2, 0, "a", 3.0) is None
    assert store.add_element(table.items(), 2, 1, "b", (None, 4.0)) is None
    assert store.add_element(table.items(), 2, 0, "a", (None, 1.0)) is None
    assert store.take_keys(table) == {"a": 4.0, "b": 4.0}


def test_an_element_of_a_tuple_is_left_over() -> None:
    store = Store()
    assert store.add_element((1.0, 2.0, 3.0), 3, 2, None, 4.0) == (None, None, 4.0)
    x = np.zeros(2)
    assert store.add_element((1.0, x), 2, 1, None, np.ones(2)) is None
    assert store.memory.view(x).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("value", [{"a": 1.0}, "ab", range(3), {"a": 1.0}.keys()])
def test_elements_without_cotangents(value: Any) -> None:
    store = Store()
    assert store.add_element(value, 1, 0, None, 2.0) is None
    assert store.places == {} and store.lists == {}


def test_an_element_of_a_set_is_found_by_equality() -> None:
    store, owner = Store(), {1.0}
    store.add_element(owner, 1, 0, 1.0, 2.0)
    store.add_element(owner, 1, 0, 1, 3.0)
    assert store.take_keys(owner) == {1.0: 5.0}


def test_an_element_of_a_set_of_another_class_is_refused() -> None:
    class Numbers(set[float]):
        pass

    with pytest.raises(UnsupportedSyntaxError, match="iteration over a Numbers"):
        Store().add_element(Numbers({1.0}), 1, 0, None, 2.0)


# -------------------------------------------------------------------------------------- own and route


def test_nothing_is_routed_without_owned_cells() -> None:
    bar = {"scale": 2.0}
    assert Store().route(keeps(1.0, [2.0]), bar) is bar


def test_a_functions_share_of_an_owned_cell_is_routed_there() -> None:
    store, function = Store(), keeps(1.0, [2.0])
    cells = dict(zip(function.__code__.co_freevars, function.__closure__, strict=True))
    store.own(cells["scale"])
    assert store.route(function, {"scale": 2.0, "things": [3.0]}) == {"things": [3.0]}
    assert store.route(function, None) is None
    assert store.take_cell(cells["scale"]) == 2.0
    assert store.take_cell(cells["things"]) is None


def test_functions_in_containers_are_routed_too() -> None:
    store, function = Store(), keeps(1.0, [2.0])
    cell = function.__closure__[function.__code__.co_freevars.index("scale")]
    store.own(cell)
    bar = {"scale": 2.0}
    assert store.route((1.0, function), (5.0, bar)) == (5.0, {})
    assert store.route([function, 1.0], [bar, None]) == [{}, None]
    assert store.route({"f": function, "x": 1.0}, {"f": bar, "x": 3.0}) == {"f": {}, "x": 3.0}
    assert store.take_cell(cell) == 6.0


def test_a_function_in_an_owned_cell_is_routed_in_turn() -> None:
    store, inner = Store(), keeps(1.0, [2.0])
    outer = keeps(inner, [3.0])
    scale = inner.__closure__[inner.__code__.co_freevars.index("scale")]
    holder = outer.__closure__[outer.__code__.co_freevars.index("scale")]
    store.own(scale)
    store.own(holder)
    assert store.route(outer, {"scale": {"scale": 2.0, "things": [1.0]}}) == {}
    assert store.take_cell(scale) == 2.0 and store.take_cell(holder) == {"things": [1.0]}


# ---------------------------------------------------------------------------------------- descriptions


@pytest.mark.parametrize(
    "value",
    [
        1,
        1.5,
        True,
        2j,
        "text",
        b"text",
        None,
        Fraction(1, 3),
        np.float32(1),
        float,
        np,
        len,
        np.sin,
        CellType(1),
    ],
)
def test_there_is_nothing_to_be_found_in_a_number(value: Any) -> None:
    assert described(value) is None


def test_arrays_stand_for_themselves_and_tuples_for_descriptions() -> None:
    x = np.zeros(2)
    assert described(x) is x
    what = described((1.0, x, (x, "text")))
    assert what[0] is None and what[1] is x and what[2][0] is x and what[2][1] is None


@pytest.mark.parametrize(
    ("value", "form", "keys"),
    [
        ([1.0, 2.0], "list", [0, 1]),
        ({"a": 1.0, 2: 3.0}, "dict", ["a", 2]),
        (Plain(x=1.0, y=[2.0]), "object", ["x", "y"]),
        (Pair(1.0, 2.0), "object", ["first", "second"]),
        (Slotted(1.0, 2.0), "object", ["first", "second"]),
        (OneName(1.0), "object", ["only"]),
        (keeps(1.0, [2.0]), "function", ["scale", "things"]),
        (keeps_unbound(), "function", []),
        (two, "function", []),
        (Plain().method, "function", ["__self__"]),
        (functools.partial(two, 1.0, b=2.0), "function", ["__wrapped__", "args[0]", "b"]),
        ([], "list", []),
        ({}, "dict", []),
    ],
)
def test_what_a_thing_consists_of(value: Any, form: str, keys: list[Any]) -> None:
    held = described(value)
    assert isinstance(held, Held) and held.owner is value
    assert held.form == form == form_of(value) and list(held.items) == keys


def test_fields_of_slots_and_dict() -> None:
    both = Both(1.0, 2.0)
    both.other = 4.0
    both.third = 3.0
    assert dict(fields_of(both)) == {"first": 1.0, "second": 2.0, "third": 3.0, "other": 4.0}


def test_a_description_is_of_what_was_held_then() -> None:
    xs, x = [1.0, 2.0], np.zeros(1)
    thing = Plain(xs=xs, x=x)
    what = described(thing)
    xs.append(3.0)
    thing.x, thing.z = None, 1.0
    assert list(what.items) == ["xs", "x"] and what.items["x"] is x
    assert list(what.items["xs"].items) == [0, 1]


def test_a_thing_reached_twice_is_described_once() -> None:
    shared = [1.0]
    what = described({"a": shared, "b": (shared,)})
    assert what.items["a"] is what.items["b"][0]


def test_things_that_contain_themselves_are_described() -> None:
    xs: list[Any] = [1.0]
    xs.append(xs)
    thing = Plain(x=1.0)
    thing.itself = thing
    what = described(xs)
    assert what.items[1] is what
    what = described((thing, xs))
    assert what[0].items["itself"] is what[0] and what[1].items[1] is what[1]


def test_modules_and_objects_are_found_by_their_dicts() -> None:
    module, thing, table = types.ModuleType("module"), Plain(), {"a": 1.0}
    assert place_of(module) is module.__dict__ and place_of(thing) is thing.__dict__
    assert place_of(table) is table and place_of(Plain) is Plain
    assert described(module) is None


# ------------------------------------------------------------------------------------------------ give


def test_giving_to_numbers_and_arrays() -> None:
    store, x = Store(), np.zeros(2)
    assert store.give(None, 2.0) == 2.0 and store.give(None, None) is None
    assert store.give(described(x), np.ones(2)) is None
    assert store.give(described((1.0, x, 2.0)), (3.0, np.ones(2), None)) == (3.0, None, None)
    assert store.give(described((x,)), (np.ones(2),)) is None
    assert store.memory.view(x).tolist() == [3.0, 3.0]


def test_giving_to_a_list() -> None:
    store, x = Store(), np.zeros(1)
    xs: list[Any] = [1.0, x, [2.0]]
    assert store.give(described(xs), [5.0, np.ones(1), [6.0]]) is None
    assert store.give(described(xs), [1.0, None, None]) is None
    assert store.take_entries(xs[2]) == [6.0]
    assert store.take_entries(xs) == [6.0, None, None]
    assert store.memory.view(x).tolist() == [1.0]


@pytest.mark.parametrize("make", [dict, Record])
def test_giving_to_a_dict_or_an_object(make: Any) -> None:
    store, x = Store(), np.zeros(1)
    table, thing = {"a": 1.0, "x": x}, Plain(a=1.0, x=x)
    for owner in (table, thing):
        assert store.give(described(owner), make({"a": 2.0, "x": np.ones(1)})) is None
        assert store.take_keys(owner) == {"a": 2.0}
    assert store.memory.view(x).tolist() == [2.0]


def test_giving_to_slots() -> None:
    store, inner = Store(), [1.0]
    thing = Slotted(1.0, inner)
    assert store.give(described(thing), {"first": 2.0, "second": [3.0]}) is None
    assert store.take_keys(thing) == {"first": 2.0} and store.take_entries(inner) == [3.0]


def test_a_function_keeps_what_belongs_to_its_variables() -> None:
    store, things = Store(), [1.0]
    function = keeps(2.0, things)
    assert store.give(described(function), {"scale": 3.0, "things": [4.0]}) == {"scale": 3.0, "things": None}
    assert store.take_entries(things) == [4.0] and store.places == {}


def test_giving_to_a_bound_method() -> None:
    store, thing = Store(), Plain(x=1.0)
    assert store.give(described(thing.method), {"__self__": {"x": 2.0}}) == {"__self__": None}
    assert store.take_keys(thing) == {"x": 2.0}


def test_giving_to_a_partial() -> None:
    store, xs = Store(), [1.0]
    part = functools.partial(two, xs, b=2.0)
    left = store.give(described(part), {"__wrapped__": None, "args[0]": [5.0], "b": 6.0})
    assert left == {"__wrapped__": None, "args[0]": None, "b": 6.0}
    assert store.take_entries(xs) == [5.0]


def test_a_key_that_a_dict_did_not_have_has_no_cotangent() -> None:
    store, table = Store(), {"a": 1.0}
    assert store.give(described(table), {"a": 2.0, "new": 3.0}) is None
    assert store.take_keys(table) == {"a": 2.0}


# ------------------------------------------------------------------------------------------------ seed


def test_seeds_of_arrays_and_numbers_are_left_over() -> None:
    store, x = Store(), np.zeros(1)
    bar = np.ones(1)
    assert store.seed(described(x), bar) is bar
    assert store.seed(described((1.0, x)), (2.0, None)) == (2.0, None)
    assert store.seed(described((1.0, x)), (None, bar))[1] is bar
    assert store.seed(described((1.0,)), (None,)) is None
    assert store.memory.buffers == {}


def test_seeds_of_things_are_kept() -> None:
    store, x = Store(), np.zeros(1)
    xs: list[Any] = [1.0, x]
    left = store.seed(described((1.0, xs, {"a": 1.0})), (4.0, [2.0, np.ones(1)], None))
    assert left == (4.0, None, None)
    assert store.take_entries(xs) == [2.0, None] and store.memory.view(x).tolist() == [1.0]


# -------------------------------------------------------------------------------------------- withdraw


def test_withdrawing_numbers_and_arrays() -> None:
    store, x = Store(), np.zeros(1)
    assert store.withdraw(None, 2.0) == 2.0 and store.withdraw(x, None) is None
    store.memory.add(x, 1.0)
    assert store.withdraw(x, np.ones(1)).tolist() == [2.0]
    store.memory.add(x, 1.0)
    whole = store.withdraw(described((1.0, x)), (3.0, None))
    assert whole[0] == 3.0 and whole[1].tolist() == [1.0]


@pytest.mark.parametrize("value", [[], {}, Plain(), [1.0, [2.0]], {"a": [1.0]}, (1.0, [2.0])])
def test_there_is_nothing_to_withdraw_at_first(value: Any) -> None:
    assert Store().withdraw(described(value), None) is None


def test_withdrawing_undoes_giving() -> None:
    store, x = Store(), np.zeros(2)
    inner = Slotted(1.0, [2.0])
    thing = Plain(a=1.0, table={"x": x, "inner": inner}, pair=(3.0, [4.0]), name="text")
    bar = {
        "a": 1.0,
        "table": {"x": np.array([1.0, 2.0]), "inner": {"first": 3.0, "second": [4.0]}},
        "pair": (5.0, [6.0]),
    }
    what = described(thing)
    assert store.give(what, bar) is None
    whole = store.withdraw(what, None)
    assert whole.pop("table").pop("x").tolist() == [1.0, 2.0]
    assert whole == {"a": 1.0, "pair": (5.0, [6.0])}
    assert store.lists == {} and store.places == {}


def test_untouched_items_of_a_list_have_none() -> None:
    store, xs = Store(), [1.0, 2.0, 3.0]
    store.add_entry(xs, 3, 1, 5.0)
    assert store.withdraw(described(xs), None) == [None, 5.0, None]
    assert store.withdraw(described(xs), None) is None


def test_the_cotangent_of_a_functions_variables_is_added() -> None:
    store, things = Store(), [1.0]
    function = keeps(2.0, things)
    store.add_entry(things, 1, 0, 4.0)
    assert store.withdraw(described(function), {"scale": 3.0}) == {"scale": 3.0, "things": [4.0]}


def test_withdrawing_from_a_bound_method_and_a_partial() -> None:
    store, thing = Store(), Plain(x=1.0)
    store.add_key(thing, "x", 2.0)
    assert store.withdraw(described(thing.method), None) == {"__self__": {"x": 2.0}}
    store.add_key(thing, "x", 2.0)
    part = functools.partial(two, thing, b=2.0)
    assert store.withdraw(described(part), {"b": 5.0}) == {"args[0]": {"x": 2.0}, "b": 5.0}


def test_a_thing_that_is_there_twice_gives_its_cotangent_at_the_first_place() -> None:
    store, shared = Store(), [1.0]
    table = {"a": shared, "b": shared, "c": (2.0, shared)}
    store.add_entry(shared, 1, 0, 3.0)
    assert store.withdraw(described(table), None) == {"a": [3.0]}


def test_an_array_that_is_there_twice_gives_its_cotangent_at_the_first_place() -> None:
    store, x = Store(), np.zeros(2)
    store.memory.add(x, np.array([1.0, 2.0]))
    whole = store.withdraw(described([x[:1], x, 1.0]), None)
    assert [bar if bar is None else bar.tolist() for bar in whole] == [[1.0], [0.0, 2.0], None]


def test_a_thing_that_contains_itself_is_withdrawn_once() -> None:
    store = Store()
    xs: list[Any] = [1.0]
    xs.append(xs)
    thing = Plain(x=1.0)
    thing.itself, thing.xs = thing, xs
    store.add_entry(xs, 2, 0, 3.0)
    store.add_key(thing, "x", 4.0)
    assert store.withdraw(described(thing), None) == {"x": 4.0, "xs": [3.0, None]}
    assert store.withdraw(described(thing), None) is None
