"""Lists and dicts that are found in globals may hold other things when they are read than at the start."""

from __future__ import annotations

import importlib.util
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import zygpy
from zygpy import units

HEADER = """
import types

import numpy as np


class Class:
    pass


def function():
    pass


module = types.ModuleType("module")
thing = Class()
space = types.SimpleNamespace()
table = {}
"""

DICTS = """
{place} = {{}}


def row_{k}(n):
    if n in {place}:
        return {place}[n]
    {place}[n] = np.ones(n)
    return {place}[n]


def keeping_{k}(p):
    return (p[1] * np.sum(row_{k}(2)), None)[0]


def stored_{k}(p):
    {place}["k"] = 2.0
    return {place}["k"] * p[1]


def read_{k}():
    return {place}["r"]


def read_elsewhere_{k}(p):
    {place}["r"] = 2.0
    return read_{k}() * p[1]


def iterated_{k}(p):
    {place}["i"] = 2.0
    total = 0.0
    for name, value in {place}.items():
        if name == "i":
            total = total + value * p[1]
    return total


def updated_{k}(p):
    {place}.update(u=np.full((2, 2), 0.5))
    return np.sum({place}.get("u") * p[1])


def by_another_{k}(p):
    def store():
        {place}["a"] = np.full(2, 1.0)

    for act in [store]:
        act()
    return np.sum({place}["a"] * p[1])
"""

LISTS = """
{place} = {content}


def stored_{k}(p):
    {place}.append(2.0)
    return {place}[-1] * p[1]


def taken_{k}():
    return {place}.pop()


def read_elsewhere_{k}(p):
    {place}.append(np.ones(2))
    return (np.sum(taken_{k}()) * p[1], None)[0]


def append_{k}():
    {place}.append(np.full((2, 2), 0.5))


def keeping_{k}(p):
    append_{k}()
    return np.sum({place}[-1] * p[1])


def iterated_{k}(p):
    {place}.extend([1.5, 0.5])
    return sum([value * p[1] for value in {place}[-2:]])


def by_another_{k}(p):
    for act in [append_{k}]:
        act()
    return np.sum({place}[-1] * p[1])
"""

PLACES = ("table['d']", "Class.d", "module.d", "thing.d", "space.d", "function.d", "plain")
OF_DICTS = ("keeping", "stored", "read_elsewhere", "iterated", "updated", "by_another")
OF_LISTS = ("stored", "read_elsewhere", "keeping", "iterated", "by_another")

CASES = [
    *(("dict", place, k, name) for k, place in enumerate(PLACES) for name in OF_DICTS),
    *(("empty", place, k, name) for k, place in enumerate(PLACES, 10) for name in OF_LISTS),
    *(("full", place, k, name) for k, place in enumerate(PLACES, 20) for name in OF_LISTS),
]


def text(sort: str, place: str, number: int) -> str:
    if sort == "dict":
        return DICTS.format(place=place, k=number)
    return LISTS.format(place=place, k=number, content="[1]" if sort == "full" else "[]")


@pytest.fixture
def programs(request: pytest.FixtureRequest, tmp_path: Any) -> ModuleType:
    """A module that is made afresh, as what it keeps would not be as it was."""
    sort, place, number, _ = request.node.callspec.params["case"]
    path = tmp_path / "later.py"
    own = text(sort, place, number)
    path.write_text(HEADER + own)
    spec = importlib.util.spec_from_file_location("later", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_what_is_stored_counts(programs: ModuleType, case: tuple[Any, ...], specialise: bool) -> None:
    function = getattr(programs, f"{case[3]}_{case[2]}")
    for _ in range(2):
        with units.options(specialise=specialise):
            val, (gradient,) = zygpy.withgradient(function, np.array([1.5, 0.75]))
        assert val == 1.5
        assert gradient.tolist() == [0.0, 2.0]


def test_attributes_of_functions_are_looked_at_again() -> None:
    def factor() -> None:
        pass

    def product(p: Any) -> Any:
        return np.sum(factor.value * p)

    for value, expected in ((2.0, 2.0), (np.ones((2, 3)), 2.0), (3, 3.0)):
        factor.value = value  # type: ignore[attr-defined]
        assert zygpy.gradient(product, np.ones(3))[0].tolist() == [expected] * 3
