"""The lists of zygpy's own functions that are looked into, or just run, name what there is."""

from __future__ import annotations

import functools
import importlib
from types import FunctionType

import pytest

import zygpy.identity
from zygpy.analyse import machinery
from zygpy.runtime.native import native
from zygpy.runtime.store import Store


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
