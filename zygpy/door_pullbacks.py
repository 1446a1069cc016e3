"""Pullbacks of doors of tangent code: each cotangent goes where what it belongs to was given, captured, or
bound as a default value."""

from __future__ import annotations

from types import CellType
from typing import Any

from zygpy.arranged import out_of_places
from zygpy.runtime.accumulate import accumulate, entries


class Paired:
    """The pullback of a call that may have failed as that of what it gives."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        nothing = y_bar is None or all(part is None for part in y_bar)
        return self.back(None if nothing else (y_bar, None), store)


class Suspended:
    """The pullback of a call that gave a generator of pairs: what its items got went there."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, *store: Any) -> Any:
        return self.back(None, *store)


class DoorPullback:
    """The pullback of a door: that of the tangent function, each cotangent where its argument was given."""

    def __init__(
        self, back: Any, order: tuple[int, ...], count: int, place: int, given: int, moves: bool
    ) -> None:
        self.back = back
        self.order = order
        self.count = count
        self.place = place
        self.given = given
        self.moves = moves

    def __call__(self, bar: Any, *store: Any) -> tuple[Any, ...]:
        y_bar, dot_bar = entries(bar, 2)
        bars = self.back((y_bar, dot_bar if self.moves else None), *store)
        parts: list[Any] = [None] * (2 * self.count)
        for place, part in zip(self.order, bars[1:], strict=True):
            if place < 2 * self.count:
                parts[place] = accumulate(parts[place], part)
        args, dots = tuple(parts[: self.count]), tuple(parts[self.count :])
        front: list[Any] = [None] * (1 + self.place)
        behind: list[Any] = [None] * (self.given - self.place - 2)
        return (*front, args, dots, *behind)


class ArrangedPullback:
    """The pullback of a door that has arranged its arguments: each gets its own cotangent."""

    def __init__(self, back: DoorPullback, places: tuple[Any, ...], count: int, at: int) -> None:
        self.back = back
        self.places = places
        self.count = count
        self.at = at

    def __call__(self, bar: Any, *store: Any) -> tuple[Any, ...]:
        found = self.back(bar, *store)
        front, behind = found[: self.at], found[self.at + 2 :]
        both = [out_of_places(self.places, bars, self.count) for bars in found[self.at : self.at + 2]]
        return (*front, *both, *behind)


class OwnPullback:
    """The pullback of a tangent function that was given what a function has captured."""

    def __init__(
        self, back: Any, order: tuple[int, ...], first: int, names: tuple[str, ...], pairs: Any, read: Any
    ) -> None:
        self.back = back
        self.order = order
        self.first = first
        self.names = names
        self.pairs = pairs
        self.read = read

    def __call__(self, bar: Any, store: Any) -> Any:
        bars = self.back(bar, store)
        parts: list[Any] = [None] * (2 * len(self.names))
        for place, part in zip(self.order, bars[1:], strict=True):
            if 0 <= place - self.first < len(parts):
                parts[place - self.first] = accumulate(parts[place - self.first], part)
        for which, name in enumerate(self.names):
            add_pair(store, self.pairs, name, parts[2 * which], parts[2 * which + 1])
        self.read(store)
        return bars


class CalleePullback:
    """The pullback of a door that gives what it calls, which is an object, as the first argument."""

    def __init__(self, back: Any, at: int) -> None:
        self.back = back
        self.at = at

    def __call__(self, bar: Any, *store: Any) -> tuple[Any, ...]:
        found = self.back(bar, *store)
        bars, dots = found[self.at : self.at + 2]
        return (*found[: self.at - 2], bars[0], dots[0], bars[1:], dots[1:], *found[self.at + 2 :])


class DefaultsPullback:
    """The pullback of a door that gives default values as arguments behind the others."""

    def __init__(self, back: Any, defaults: Any, at: int) -> None:
        self.back = back
        self.defaults = defaults
        self.at = at

    def __call__(self, bar: Any, store: Any) -> tuple[Any, ...]:
        found = self.back(bar, store)
        bars, dots = found[self.at : self.at + 2]
        count = len(bars) - len(self.defaults.names)
        for name, *both in zip(self.defaults.names, bars[count:], dots[count:], strict=True):
            add_pair(store, self.defaults.pairs, name, *both)
        return (*found[: self.at], bars[:count], dots[:count], *found[self.at + 2 :])


def add_pair(store: Any, pairs: Any, name: str, bar: Any, dot_bar: Any) -> None:
    """Add to the cotangents of a value and its tangent, which are found by name."""
    value, dot = pairs[name]
    if type(value) is not CellType:
        both = store.add_stored(value, bar), store.add_stored(dot, dot_bar)
        store.add_key(pairs, name, None if both == (None, None) else both)
