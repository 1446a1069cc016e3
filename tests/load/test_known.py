"""What a call may change is looked for in what the program's globals hold, and in no more than that."""

from __future__ import annotations

import collections
import logging
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.linalg

from zygpy.load.guards import Checks
from zygpy.load.known import _things, is_known_elsewhere

NOTHING = Checks((), (), (), (), ())
items = [1.0]
row = np.ones(3)
shared = {"items": items, "row": row}
module = ModuleType("numpy_of_mine")
module.items = items  # type: ignore[attr-defined]
module.rows = [row[1:]]  # type: ignore[attr-defined]


def names_items() -> Any:
    return items


def names_dict() -> Any:
    return shared


def names_module() -> Any:
    return module.items, module.rows


def names_a_function() -> Any:
    return names_module()


def names_numpy() -> Any:
    return np.sum(np.ones(3)) + scipy.linalg.norm(np.ones(3))


@pytest.mark.parametrize("program", [names_items, names_dict, names_module, names_a_function])
@pytest.mark.parametrize("given", [items, [items], {"held": (items,)}])
def test_what_a_global_holds_is_found(program: Callable[[], Any], given: Any) -> None:
    assert is_known_elsewhere(program, NOTHING, [given])


@pytest.mark.parametrize("program", [names_dict, names_module, names_a_function])
def test_a_part_of_what_a_global_holds_is_found(program: Callable[[], Any]) -> None:
    assert is_known_elsewhere(program, NOTHING, [row[:2]])


@pytest.mark.parametrize("program", [names_items, names_dict, names_module, names_a_function, names_numpy])
@pytest.mark.parametrize("given", [[1.0], np.ones(3), {"held": [1.0]}])
def test_what_is_alike_is_not_the_same(program: Callable[[], Any], given: Any) -> None:
    assert not is_known_elsewhere(program, NOTHING, [given])


def test_modules_of_arrays_are_not_looked_through() -> None:
    """They hold thousands of things, and would be gone through at every call."""
    assert list(_things([np, scipy.linalg], program=True)) == []
    assert len(list(_things([names_numpy], program=True))) == 1
    assert any(thing is items for thing in _things([module], program=True))


def test_modules_of_pythons_own_are_not_looked_through() -> None:
    assert list(_things([collections, logging, math], program=True)) == []


def test_a_module_that_is_called_like_one_of_pythons_own_is() -> None:
    mine = ModuleType("calendar")
    mine.table = {"of mine": items}  # type: ignore[attr-defined]
    mine.__file__ = __file__
    space: dict[str, Any] = {"calendar": mine}
    exec("def reads():\n    return getattr(calendar, 'ta' + 'ble')", space)
    assert is_known_elsewhere(len, NOTHING, [items, space["reads"]])


def test_what_a_program_finds_by_name_in_a_module_of_pythons_own() -> None:
    space: dict[str, Any] = {"collections": collections}
    exec("def reads():\n    return collections.found_here", space)
    assert not is_known_elsewhere(len, NOTHING, [items, space["reads"]])
    collections.found_here = items  # type: ignore[attr-defined]
    try:
        assert is_known_elsewhere(len, NOTHING, [items, space["reads"]])
    finally:
        del collections.found_here  # type: ignore[attr-defined]


def test_modules_in_modules() -> None:
    outer = ModuleType("outer")
    outer.inner, module.outer = module, outer  # type: ignore[attr-defined]
    space: dict[str, Any] = {"outer": outer}
    exec("def reads():\n    return outer.inner.items", space)
    try:
        assert is_known_elsewhere(len, NOTHING, [items, space["reads"]])
        assert not is_known_elsewhere(len, NOTHING, [[1.0], space["reads"]])
    finally:
        del module.outer
