"""Mappings that are no dicts, unpacked into a dict: refused, as what they give is told by their methods."""

from __future__ import annotations

import collections
import collections.abc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zygpy


class Kept(collections.abc.Mapping):  # type: ignore[type-arg]
    def __init__(self, **held: Any) -> None:
        self.held = held

    def __getitem__(self, key: str) -> Any:
        return self.held[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)


class Keys:
    """Has keys and items, and no end where it is walked over."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def keys(self) -> list[str]:
        return ["a", "b"]

    def __getitem__(self, key: Any) -> Any:
        return self.v


class Named(dict[str, Any]):
    pass


MAPPINGS: dict[str, Callable[[Any], Any]] = {
    "mapping": lambda b: {**Kept(b=b)},
    "keys": lambda b: {**Keys(b)},
    "user's dict": lambda b: {"a": 1.0, **collections.UserDict(b=b)},
    "chain": lambda b: {**collections.ChainMap({"b": b})},
}

DICTS: dict[str, Callable[[Any], Any]] = {
    "made of a mapping": lambda b: {**dict(Kept(b=b))},
    "ordered": lambda b: {"a": b, **collections.OrderedDict(b=b)},
    "of a class": lambda b: {**Named(b=b)},
    "with defaults": lambda b: {**collections.defaultdict(float, b=b)},
}


@pytest.mark.parametrize("what", MAPPINGS)
def test_mappings_are_refused(what: str) -> None:
    """The gradient was missing."""
    unpacked = MAPPINGS[what]
    with pytest.raises(zygpy.UnsupportedSyntaxError, match="is unpacked into a dict"):
        zygpy.gradient(lambda a, b: unpacked(b)["b"] * a, 1.5, 0.5)


@pytest.mark.parametrize("what", DICTS)
def test_dicts_are_followed(what: str) -> None:
    unpacked = DICTS[what]
    assert zygpy.gradient(lambda a, b: unpacked(b)["b"] * a, 1.5, 0.5) == (0.5, 1.5)
