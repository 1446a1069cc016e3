"""Cotangents of lists, dicts and partial objects: every helper undoes what the primal did."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from zygpy.errors import ZygpyError
from zygpy.runtime import accumulate as helpers
from zygpy.runtime.partials import carried_count, carried_parts, gathered_parts

NAMES = ["a", "b", "c", "d"]


@pytest.mark.parametrize("index", [-9, -5, -1, 0, 2, 4, 9])
def test_take_out_undoes_insert(index: int) -> None:
    items: list[Any] = list(NAMES)
    items.insert(index, "new")
    assert helpers.take_out(items, index) == "new"
    assert items == NAMES


@pytest.mark.parametrize("index", [-4, -1, 0, 3])
def test_put_back_undoes_pop(index: int) -> None:
    items: list[Any] = list(NAMES)
    taken = items.pop(index)
    helpers.put_back(items, index, taken)
    assert items == NAMES


@pytest.mark.parametrize(
    "where", [slice(1, 3), slice(None), slice(None, None, 2), slice(-2, None), slice(3, 1)]
)
def test_put_back_slice_undoes_del(where: slice) -> None:
    items: list[Any] = list(NAMES)
    del items[where]
    helpers.put_back_slice(items, where, len(NAMES), None)
    kept = [name if position not in range(4)[where] else None for position, name in enumerate(NAMES)]
    assert items == kept


def test_keys_are_taken_without_changing_the_dict() -> None:
    bars = {"a": 1.0, "b": 2.0}
    assert helpers.without_key(bars, "a") == {"b": 2.0}
    assert helpers.without_key(None, "a") is None
    assert bars == {"a": 1.0, "b": 2.0}


def test_two_positions_of_one_key_add_up() -> None:
    assert helpers.from_values({0: 1.0, -2: 2.0, 1: 5.0}, ["a", "b"]) == {"a": 1.0, "b": 5.0} | {"a": 3.0}


def test_elements_of_any_iterable() -> None:
    assert helpers.with_element(None, (1.0, 2.0), 1, 3.0) == (None, 3.0)
    assert helpers.with_element([1.0, None], [1.0, 2.0], -1, 3.0) == [1.0, 3.0]
    assert helpers.with_element({0: 1.0}, {"a": 1.0}.values(), 0, 2.0) == {0: 3.0}
    assert helpers.with_element(None, {"a": 1.0}, 0, 2.0) is None
    seed = np.ones(2)
    assert helpers.with_element(seed, np.zeros(2), 0, 1j).tolist() == [1 + 1j, 1]
    assert seed.tolist() == [1.0, 1.0]


def test_iteration_over_something_else_is_refused() -> None:
    with pytest.raises(ZygpyError, match="iteration over a set"):
        helpers.with_element(None, {1.0}, 0, 2.0)
    assert helpers.with_element(None, {1.0}, 0, None) is None


def test_parts_of_a_partial() -> None:
    inner = functools.partial(divmod, 7.0)
    assert (carried_count(divmod), carried_count(inner)) == (None, 1)
    bar = {"args[0]": 1.0, "args[1]": 2.0, "scale": 3.0, "__wrapped__": None}
    own, second, scale = carried_parts(bar, 1, 1, ("scale",))
    assert (own, second, scale) == ({"args[0]": 1.0, "__wrapped__": None}, 2.0, 3.0)
    assert carried_parts(None, None, 2, ()) == (None, None, None)
    assert gathered_parts((own, second, scale), 1, 1, ("scale",)) == bar
