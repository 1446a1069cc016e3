"""A call that is ready to be made, and what pulls its cotangents back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CellType, FunctionType, MethodType
from typing import Any, TypeAlias

import numpy as np

from zygpy.layout import Layout, text_of
from zygpy.load.code import annotate
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.cells import cells_of, content
from zygpy.runtime.native import SEQUENCES
from zygpy.runtime.own_places import check_own_places
from zygpy.runtime.project import project
from zygpy.runtime.records import fields_of
from zygpy.runtime.store import CELL, IMMUTABLE, Held, Store, carried_by
from zygpy.simplify.purity import WRITING_HELPERS
from zygpy.units import Pair


def as_it_is(value: Any) -> Any:
    """What the forward returns is the call's value."""
    return value


@dataclass(slots=True, eq=False)
class Prepared:
    """A call that is ready to be made: the pair, its canonical arguments, and the way back. (One is made for
    every call, as of what follows: none is ever changed.)"""

    pair: Pair
    values: list[Any]
    layout: Layout
    finish: Callable[[Any], Any] = as_it_is


def each_of(pair: Pair, returned: Any) -> tuple[Any, ...]:
    """The cotangents of all parameters, from what an adjoint has returned."""
    whole: tuple[Any, ...] = returned
    if pair.single is not None:
        whole = (None,) * pair.single + (returned,) + (None,) * (len(pair.slots) - pair.single - 1)
    return whole


@dataclass(slots=True, eq=False)
class Pullback:
    """What `back` is: pulls the cotangent of a value back to the callee and its arguments.

    One is made for every call, so that it is not frozen, which would take longer; once it is given away it is
    never changed.
    With `count` it is the public one: cotangents of the first `count` arguments only; `y` is what the seed is
    the cotangent of, where that is to be checked. `shared` are the
    variables that the arguments share with functions outside, which belong to the arguments if nobody else
    asks for them.
    """

    __zygpy_pure__ = True
    __zygpy_carries__ = True

    pair: Pair
    stash: Any
    layout: Layout
    count: int | None = None
    shared: tuple[Any, ...] = ()
    y: Any = None

    def text(self, names: Sequence[str]) -> str:
        """What it returns, as an expression on the canonical cotangents."""
        if self.count is None:
            return self.layout.text(names)
        parts = [text_of(part, names) for part in self.layout.arguments[: self.count]]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def __call__(self, y_bar: Any, cells: Store | None = None) -> tuple[Any, ...]:
        pair = self.pair
        if y_bar is None and not pair.writes and not pair.carries and not pair.always:
            return self._returned((None,) * len(pair.slots))
        store = Store() if cells is None and pair.carries else cells
        carried = (store,) if pair.carries else ()
        try:
            bars = pair.adjoint(self.stash, y_bar, *(None,) * len(pair.writes), *carried)
        except Exception as error:
            annotate(error)
            raise
        if pair.single is not None:
            bars = each_of(pair, bars)
        if cells is None and self.shared:
            bars = with_shares(bars, self.shared, store)
        return self._returned(bars)

    @property
    def slots(self) -> tuple[str, ...]:
        """What is known of the arguments' cotangents, if they are the first that the adjoint returns."""
        return self.pair.slots if self.layout.in_order else ()

    def _returned(self, bars: Sequence[Any]) -> tuple[Any, ...]:
        found = self.layout.spread(bars)
        return found if self.count is None else found[1 : 1 + self.count]


Step: TypeAlias = tuple[Any, int | None]
"""One step into a value: an entry's position and the number of entries, or a key or name and None."""


def shared_by(pair: Pair, values: Sequence[Any]) -> tuple[Any, ...]:
    """The shared variables of functions in the arguments: of which argument, by which steps, the cell."""
    if not pair.carries:
        return ()
    found: list[Any] = []
    seen: set[int] = set()
    for place, value in enumerate(values):
        waiting: list[tuple[tuple[Step, ...], Any]] = [((), value)]
        while waiting:
            path, held = waiting.pop()
            if isinstance(held, CellType):
                found.append((place, path, held))
                held = content(held)
            if is_searched(held, seen) and len(path) <= DEPTH:
                waiting += [((*path, step), part) for step, part in reversed(steps_into(held))]
    return tuple(found)


DEPTH = 8
"""How deep functions, containers and objects in each other are looked into."""


def is_searched(value: Any, seen: set[int]) -> bool:
    """Whether there may be functions in a value, which was not met before."""
    if isinstance(value, (*IMMUTABLE, np.ndarray)) or id(value) in seen:
        return False
    if not isinstance(value, tuple):
        seen.add(id(value))
    return True


def steps_into(value: Any) -> list[tuple[Step, Any]]:
    """What a value holds, each part with the step that leads there; of a function the cells."""
    if isinstance(value, FunctionType):
        return [((name, None), cell) for name, cell in cells_of(value).items()]
    if isinstance(value, MethodType | functools.partial):
        return [((name, None), part) for name, part in carried_by(value)]
    if isinstance(value, dict):
        return [((key, None), part) for key, part in value.items()]
    if isinstance(value, (tuple, *SEQUENCES)):
        return [((position, len(value)), part) for position, part in enumerate(value)]
    return [((name, None), part) for name, part in fields_of(value)]


def with_shares(bars: Sequence[Any], shared: Sequence[Any], store: Store | None) -> list[Any]:
    """The arguments' cotangents with those of the variables that functions among them share."""
    whole = list(bars)
    for place, path, cell in shared:
        share = None if store is None else store.take_cell(cell)
        if share is not None:
            whole[place] = accumulate(whole[place], at_steps(path, share))
    return whole


def at_steps(path: Sequence[Step], share: Any) -> Any:
    """The cotangent of a value of which a part has one.

    >>> at_steps([(1, 2), ("w", None)], 3.0)
    (None, {'w': 3.0})
    """
    for key, count in reversed(path):
        share = {key: share} if count is None else (None,) * key + (share,) + (None,) * (count - key - 1)
    return share


@dataclass(frozen=True, slots=True, eq=False)
class ByIdentity:
    """The pullback of a call whose things are found by identity, for a caller who knows nothing of that.

    Of a caller's store only the shared variables in it are the caller's concern.
    """

    __zygpy_pure__ = True

    pair: Pair
    stash: Any
    layout: Layout
    y: Any
    given: tuple[Any, ...]
    count: int | None = None

    def __call__(self, y_bar: Any, cells: Any = None) -> tuple[Any, ...]:
        store = Store() if cells is None else cells
        seed = store.seed(self.y, y_bar)
        bars = reversed_by(self.pair, self.stash, seed, store)
        whole = whole_of(bars, self.given, self.layout.carried, store)
        if cells is None:  # nobody takes out of the store what belongs to shared variables
            whole = [of_variable(what, bar, store) for what, bar in zip(self.given, whole, strict=True)]
        found = self.layout.spread(whole)
        return found if self.count is None else found[1 : 1 + self.count]


def of_variable(what: Any, bar: Any, store: Store) -> Any:
    """The cotangent of a parameter, that of a shared variable taken out of the store."""
    if not isinstance(what, Held) or what.form != CELL:
        return bar
    within = store.withdraw(what.items["cell_contents"], None)
    return accumulate(accumulate(within, store.take_cell(what.owner)), bar)


def whole_of(bars: Sequence[Any], given: Sequence[Any], carried: Sequence[int], store: Store) -> list[Any]:
    """The cotangents of a call's parameters, and of what they hold, taken out of the store: what can be
    reached in several ways has its cotangent where it is found first, in the arguments before what callees
    carry, such as the variables that they have captured."""
    whole: list[Any] = list(bars)
    arguments = [position for position in range(len(whole)) if position not in carried]
    check_own_places(tuple([given[position] for position in arguments]), store.memory)
    for position in (*arguments, *carried):
        whole[position] = store.withdraw(given[position], whole[position], cells=True)
    return whole


def by_parameter(store: Store, array: Any, like: Any) -> Any:
    """The gradient by an array that is read wherever it is; of several in one memory, each has its own."""
    return project(store.memory.view(array).copy(), like) if store.memory.knows(array) else None


def reversed_by(pair: Pair, stash: Any, seed: Any, *rest: Any) -> Any:
    """The call of an adjoint; an exception names the user's lines too."""
    try:
        return pair.adjoint(stash, seed, *rest)
    except Exception as error:
        annotate(error)
        raise


@dataclass(frozen=True, slots=True, eq=False)
class ByParameters:
    """The pullback of a call, in differentiated code, by arrays that it reads wherever they are; `values` are
    those of the call, `likes` the arrays as they were, and `collect` makes of the gradients what is given."""

    __zygpy_pure__ = True

    pair: Pair
    stash: Any
    y: Any
    values: Sequence[Any]
    arrays: Sequence[Any]
    likes: Sequence[Any]
    collect: Callable[[Sequence[Any]], Any]

    def __call__(self, y_bar: Any) -> Any:
        store = Store()
        bars = reversed_by(self.pair, self.stash, store.seed(self.y, y_bar), store)
        for value, bar in zip(self.values, bars, strict=True):
            store.add(value, bar)
        pairs = zip(self.arrays, self.likes, strict=True)
        return self.collect([by_parameter(store, array, like) for array, like in pairs])


@dataclass(slots=True, eq=False)
class SharedPullback:
    """The pullback of a call made in a program whose things are found by identity."""

    pair: Pair
    stash: Any
    layout: Layout
    y: Any
    values: Sequence[Any]

    def __call__(self, y_bar: Any, store: Any) -> tuple[Any, ...]:
        seed = store.exchange(self.y, y_bar)
        bars = self.pair.adjoint(self.stash, seed, store)
        return left_over(self.values, self.layout, bars, store)


def left_over(values: Sequence[Any], layout: Layout, bars: Sequence[Any], store: Any) -> tuple[Any, ...]:
    """Of the cotangents of a call's parameters, what belongs to the caller's variables."""
    left = [None if bar is None else store.add(value, bar) for value, bar in zip(values, bars, strict=True)]
    for position in layout.gathered:
        left[position] = accumulate(store.take_keys(values[position]), left[position])
    return layout.spread(left)


@dataclass(slots=True, eq=False)
class Boundary:
    """The same of a call whose pair knows nothing of identity, such as a primitive's."""

    pair: Pair
    stash: Any
    layout: Layout
    y: Any
    given: Sequence[Any]

    def __call__(self, y_bar: Any, store: Any) -> tuple[Any, ...]:
        pair = self.pair
        seed = store.withdraw(self.y, y_bar, cells=False)
        if seed is None and not pair.always:
            return self.layout.spread((None,) * len(self.given))
        carried = (store,) if pair.carries else ()
        bars = each_of(pair, pair.adjoint(self.stash, seed, *(None,) * len(pair.writes), *carried))
        left = [store.give(what, bar) for what, bar in zip(self.given, bars, strict=True)]
        return self.layout.spread(left)


def leaves_alone(pair: Pair) -> bool:
    """Whether the things that a call gives of those it was given are as they were, so that the cotangents of
    what is in them stay where they are."""
    return pair.primitive and pair.program.name not in CHANGING_HELPERS


CHANGING_HELPERS = WRITING_HELPERS | {"with_entries"}
"""Helpers that give what they are given with something else in it."""


def make_back(pair: Pair, stash: Any, layout: Layout, count: int | None = None) -> Pullback:
    """The pullback of a call that was made; a function, so that it can have a rule."""
    return Pullback(pair, stash, layout, count)
