"""Generators that tangent code meets when it runs: their methods, and builtins that ask them for items.

What stands for a program's generator is told by the generator beside it, which gives pairs
(`zygpy.runtime.paired_generators`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy.pushed.found import Ready, ready_call
from zygpy.runtime.lazy import ASKING, LAZY, branch_of_tee, check_taken, check_teed, teed
from zygpy.runtime.lookup import HEAP_TYPE, in_class, is_among
from zygpy.runtime.paired_generators import TAKING_ALL, InPairs, is_paired, listed
from zygpy.runtime.set_tangents import SETS, is_set_with_dot
from zygpy.runtime.subclasses import items_as
from zygpy.runtime.tangent_items import items_of
from zygpy.runtime.zeros import CannotPush, has_partner, zero_tangent

STANDING_IN = {**LAZY, **ASKING}
"""The function in Python that stands for a builtin which asks iterators for items, one by one."""


def asks_iterators(function: Any) -> bool:
    """Whether a builtin asks what it is given for items."""
    return is_among(function, TAKING_ALL) or is_among(function, STANDING_IN)


def is_by_rule(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call of such a builtin is one by its rule."""
    plain = is_among(function, TAKING_ALL) and function is not list and function is not tuple
    return plain and bool(args) and not is_paired(args[0]) and type(args[0]) not in SETS


def standing_in(function: Any) -> Any:
    """The function in Python that does what a builtin does, if it asks for items one by one."""
    return STANDING_IN[function] if is_among(function, STANDING_IN) else function


def check_standing_in(function: Any, args: tuple[Any, ...]) -> None:
    """Raise what such a builtin raises as soon as it is called, where the function in Python would not."""
    if is_among(function, LAZY):
        check_taken(function, args, {})


def with_items(args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The arguments of what takes all items of the first, with a list in place of a generator."""
    if is_set_with_dot(args[0], dots[0]):
        return (list(args[0]), *args[1:]), (items_of(dots[0], args[0]), *dots[1:])
    if items_as(args[0]) is not type(args[0]):
        return (list(args[0]), *args[1:]), (list(items_of(dots[0], args[0])), *dots[1:])
    if not is_paired(args[0]):
        return args, dots
    items, beside = listed(dots[0])
    return (items, *args[1:]), (beside, *dots[1:])


def branched(args: tuple[Any, ...], begun: Any, beside: Any) -> tuple[Any, Any]:
    """`itertools.tee` of what is walked over, whose items go out in pairs with their tangents."""
    check_teed(begun, *args[1:], *(2,) * (2 - len(args)))
    pairs = beside if is_paired(begun) else in_pairs(begun, items_of(beside, begun))
    branches = teed(pairs, *args[1:])
    return tuple([InPairs(BRANCH, True) for _ in branches]), branches


BRANCH = branch_of_tee.__name__


def in_pairs(items: Any, dots: Any) -> Iterator[Any]:
    """Items in pairs with their tangents.

    >>> list(in_pairs([1.0, 2.0], [0.5, 0.25]))
    [(1.0, 0.5), (2.0, 0.25)]
    """
    beside = iter(dots)
    for item in items:
        yield item, next(beside)


def taken(cls: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """`list(x)`, or `tuple(x)`."""
    beside = items_of(dots[0], args[0])
    return cls(args[0]), cls(beside)


def iteration_method(value: Any, name: str) -> Any:
    """The method in Python by which something is walked over; None if it is a container or iterator of
    Python's.

    Raises CannotPush where it may be anything else.
    """
    if is_paired(value) or not items_as(value).__flags__ & HEAP_TYPE:
        return None
    found = in_class(type(value), name, None)
    if found is None and name == "__next__":
        return None
    if type(found) is not FunctionType or not has_partner(value):
        raise CannotPush
    return found


def ready_generator(
    function: Any, names: tuple[str, ...], args: tuple[Any, ...], dots: tuple[Any, ...]
) -> Ready:
    """The tangent function of a generator function that captures what stands behind its arguments.

    Raises CannotPush where there is none.
    """
    count, every = len(args) - len(names), len(args)
    own = {name: (args[count + k], dots[count + k]) for k, name in enumerate(names)}
    ready = ready_call(function, own, args[:count], dots[:count], True)
    if ready.suspended is None:
        raise CannotPush

    def moved(place: int) -> int:
        """Where something is among all arguments, and behind these their tangents."""
        if count <= place < 2 * count:
            return every + place - count
        if 2 * count <= place < 2 * every:
            which, is_dot = divmod(place - 2 * count, 2)
            return count + which + every * is_dot
        return place

    return replace(ready, order=tuple(map(moved, ready.order)))


def method_of_generator(name: str, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """A method of a generator.

    Raises CannotPush for `throw` where it hands on items of others.
    """
    generator, beside = args[0], dots[0]
    if name == "send" and len(args) == 2 and args[1] is not None:
        y, y_dot = beside.send((args[1], zero_tangent(args[1]) if dots[1] is None else dots[1]))
        return y, y_dot
    if name in ("__next__", "send"):
        y, y_dot = next(beside)
        return y, y_dot
    if name == "close":
        beside.close()
        return None, None
    if name != "throw" or generator.delegates:
        raise CannotPush
    y, y_dot = beside.throw(*args[1:])
    return y, y_dot
