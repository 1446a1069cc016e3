"""The lists of zygpy's own functions that are looked into, or just run, name what there is."""

from __future__ import annotations

import functools
import importlib
import operator
import weakref
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import zygpy.identity
from zygpy.analyse import machinery
from zygpy.identity.attempts import ATTEMPTS, attempts_for
from zygpy.runtime.native import native
from zygpy.runtime.store import Store
from zygpy.runtime.ways import BY_IDENTITY


def named(text: str) -> object:
    """What a dotted name stands for: a module, then attributes."""
    parts = text.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        return functools.reduce(getattr, parts[count:], found)
    raise ModuleNotFoundError(text)


@pytest.mark.parametrize("text", sorted(machinery.ANSWERS | machinery.DOORS))
def test_functions_that_are_named_are_there(text: str) -> None:
    assert isinstance(named(text), FunctionType)


@pytest.mark.parametrize(
    "text", sorted({*machinery.FOLLOWED, *machinery.STORES, *machinery.TOOLS, *machinery.CLOSED})
)
def test_modules_that_are_named_are_there(text: str) -> None:
    assert importlib.import_module(text).__name__ == text


def test_what_belongs_where() -> None:
    assert machinery.is_tool(native) and not machinery.is_followed(native)
    assert machinery.is_followed(zygpy.identity.calls.call) and not machinery.is_tool(
        zygpy.identity.calls.call
    )
    assert machinery.is_closed(zygpy.dispatch.prepare) and machinery.serves_all_kinds(Store.add)
    assert not any(map(machinery.is_own, (test_what_belongs_where, len, machinery.FOLLOWED)))


class Thing:
    def __init__(self, x: float = 1.0) -> None:
        self.x = x

    def __call__(self, x: float) -> float:
        return self.x * x


def doubled(x: Any) -> Any:
    return x * 2.0


def items(x: Any) -> Any:
    yield x


@pytest.mark.parametrize(
    "function",
    [
        doubled,
        items,
        Thing,
        Thing(),
        Thing().__call__,
        functools.partial(doubled, 1.0),
        operator.sub,
        operator.iadd,
        np.add,
        np.sum,
        max,
        list,
        dict,
        float,
        [].append,
        list.append,
        np.ones(2).fill,
        getattr,
        object.__setattr__,
        weakref.ref,
        set,
        zip,
        iter,
        ValueError(1.0).__init__,
    ],
)
def test_whoever_is_not_asked_knows_nothing_of_a_call(function: Any) -> None:
    """An attempt that is not made, because of what it is about, would have given None."""
    for given in [(), (1.5,), (np.ones(2), 2.0), ([1.5], [2.5]), (Thing(), Thing()), (Thing,)]:
        asked = attempts_for(function, *given)
        left = {known.attempt for known in ATTEMPTS}.difference(asked)
        assert [attempt for attempt in left if attempt(BY_IDENTITY, function, given, {}) is not None] == []
