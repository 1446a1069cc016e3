"""Sets: the cotangents of their elements stand under the elements, as those of a dict's values stand under
their keys, and each goes back to where the element that was kept came from.

Of equal elements a set keeps the first. What has to be known of an operation is therefore, for every
element of its result, which operand brought it (`Origins`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from zygpy.runtime.native import is_set, native
from zygpy.runtime.places import CopyOf, Ignored

Origins: TypeAlias = dict[Any, tuple[int, int]]
"""For every element the number of the operand that brought it, and its position in there."""


def origins_in(items: Any, number: int = 0) -> Origins:
    """The first of equal items, in the order in which they come.

    >>> origins_in([2.0, 3.0, 2.0])
    {2.0: (0, 0), 3.0: (0, 1)}
    """
    found: Origins = {}
    for position, item in enumerate(items):
        if item not in found:
            found[item] = (number, position)
    return found


def origins_by_identity(result: Any, operands: list[Any]) -> Origins:
    """For every element of a set the first operand in which this very object is.

    >>> origins_by_identity({2.0}, [[3.0], [2, 2.0]])
    {2.0: (1, 1)}
    """
    kept = {id(item): item for item in result}
    found: Origins = {}
    for number, operand in enumerate(operands):
        for position, item in enumerate(operand):
            if id(item) in kept:
                found.setdefault(item, (number, position))
    return found


def united(known: Origins, other: Any, number: int) -> Origins:
    """What is there stays, and what is new comes from the other operand.

    >>> united({2.0: (0, 0)}, [3.0, 2.0], 1)
    {3.0: (1, 0), 2.0: (0, 0)}
    """
    return origins_in(other, number) | known


def met(known: Origins, other: Any, number: int) -> Origins:
    """Python walks over the smaller of two sets, the second if they are of one size, and keeps its elements;
    of other iterables it keeps the items.

    >>> met({2.0: (0, 0), 3.0: (0, 1)}, {2.0, 4.0}, 1)[2.0][0], met({2.0: (0, 0)}, {2.0, 4.0}, 1)[2.0][0]
    (1, 0)
    """
    if is_set(other) and len(other) > len(known):
        return {item: origin for item, origin in known.items() if item in other}
    return {item: origin for item, origin in origins_in(other, number).items() if item in known}


def left_of(known: Origins, other: Any, number: int) -> Origins:
    """What the other operand does not have.

    >>> left_of({2.0: (0, 0), 3.0: (0, 1)}, [3.0], 1)
    {2.0: (0, 0)}
    """
    others = origins_in(other, number)
    return {item: origin for item, origin in known.items() if item not in others}


def in_one_of(known: Origins, other: Any, number: int) -> Origins:
    """What only one of two operands has.

    >>> in_one_of({2.0: (0, 0), 3.0: (0, 1)}, [3.0, 4.0], 1)
    {2.0: (0, 0), 4.0: (1, 1)}
    """
    others = origins_in(other, number)
    own = {item: origin for item, origin in known.items() if item not in others}
    return own | {item: origin for item, origin in others.items() if item not in known}


COMBINING: Mapping[str, Callable[[Origins, Any, int], Origins]] = {
    "union": united,
    "intersection": met,
    "difference": left_of,
    "symmetric_difference": in_one_of,
    "intersection_update": met,
}
"""Methods that put a set together from the elements of several."""

ADDING = ("update", "symmetric_difference_update")
"""Methods by which a set takes the elements that it does not have."""

TAKING = frozenset({*COMBINING, *ADDING, "difference_update"})
"""Methods that are given iterables of elements."""


class Put:
    """`s.add(v)`; an element that is there already stays."""

    def __init__(self, owner: Any, item: Any, found: bool) -> None:
        self.owner, self.item, self.found = owner, item, found

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, None if self.found else store.take_key(self.owner, self.item))


class TakenOut:
    """`y = s.pop()`."""

    def __init__(self, owner: Any, item: Any) -> None:
        self.owner, self.item = owner, item

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.add_key(self.owner, self.item, store.add(self.item, y_bar))
        return (None,)


class Combined:
    """Elements of `y` came from these operands: sets, and lists of items."""

    def __init__(self, operands: Any, origins: Origins, y: Any) -> None:
        self.operands, self.origins, self.y = operands, origins, y
        self.lengths = [len(operand) for operand in operands]

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = [(item, store.take_key(self.y, item)) for item in self.origins]
        for item, bar in taken:
            number, position = self.origins[item]
            operand = self.operands[number]
            if is_set(operand):
                store.add_key(operand, item, bar)
            else:
                store.add_entry(operand, self.lengths[number], position, bar)
        return (None,) * len(self.operands)


def made_set(cls: Any, items: Any) -> Any:
    """`cls(items)`, items being a list, and the pullback of this: it gives (None,)."""
    y = cls(items)
    return y, Combined([items], origins_in(items), y)


def set_method(value: Any, name: str, args: Any) -> Any:
    """`value.name(*args)` for a set, given sets and lists: the result and its pullback."""
    if name == "add":
        found = args[0] in value
        native(value, name)(*args)
        return None, Put(value, args[0], found)
    if name == "pop":
        item = native(value, name)()
        return item, TakenOut(value, item)
    if name == "copy":
        y = native(value, name)()
        return y, CopyOf(value, y)
    if name in COMBINING:
        origins = combined_origins(COMBINING[name], value, args)
        result = native(value, name)(*args)
        return result, Combined([value, *args], origins, value if name.endswith("_update") else result)
    if name in ADDING:
        origins = added_origins(value, args)
        return native(value, name)(*args), Combined([value, *args], origins, value)
    return native(value, name)(*args), Ignored(1 + len(args))


def combined_origins(step: Any, value: Any, others: Any) -> Origins:
    """Where the elements of a set come from that is put together step by step."""
    known = origins_in(value)
    for number, other in enumerate(others, 1):
        known = step(known, other, number)
    return known


def added_origins(value: Any, others: Any) -> Origins:
    """Where the elements come from that a set does not have before it is given those of others."""
    known: Origins = {}
    for number, other in enumerate(others, 1):
        known = united(known, other, number)
    return {item: origin for item, origin in known.items() if item not in value}
