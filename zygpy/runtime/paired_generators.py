"""Generators in tangent code: a program's generator has beside it one that gives its items in pairs with
their tangents, and runs in its place.

What the program itself holds only stands for it: nobody gets an item out of that alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import GeneratorType
from typing import Any

from zygpy.runtime.generators import delegated, taken_elsewhere
from zygpy.runtime.iteration import END
from zygpy.runtime.tangent_items import check_steps
from zygpy.runtime.zeros import RUNS, CannotPush


class InPairs:
    """What a program has in the place of a generator whose items come from the one beside it.

    >>> isinstance(InPairs("squares", False), GeneratorType)
    True
    """

    __slots__ = ("__weakref__", "delegates", "name")

    def __init__(self, name: str, delegates: bool) -> None:
        self.name = name
        self.delegates = delegates  # whether it gives items of others in a loop, to which nothing is thrown

    __class__ = property(lambda self: GeneratorType)  # so that `isinstance` says so

    def __repr__(self) -> str:
        return f"<generator object {self.name} at {id(self):#x}>"

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        raise _left_to_others(self.name)

    def send(self, value: Any) -> Any:
        """What is sent to it goes to the one beside it, or nowhere."""
        raise _left_to_others(self.name)

    throw = send

    def close(self) -> Any:
        """The same."""
        raise _left_to_others(self.name)


def _left_to_others(name: str) -> Exception:
    """What is raised where it is asked itself: reverse mode does better, and behind the run nobody does."""
    return taken_elsewhere(name) if RUNS.now is None else CannotPush()


def is_paired(value: Any) -> bool:
    """Whether something stands for a generator that gives its items in pairs with their tangents.

    >>> is_paired(InPairs("squares", False)), is_paired(iter([1.0]))
    (True, False)
    """
    return type(value) is InPairs


def check_paired(value: Any) -> None:
    """Leave it to reverse mode to take all items of something else.

    >>> check_paired(InPairs("squares", False))
    """
    if not is_paired(value):
        raise CannotPush


TAKING_ALL: frozenset[Any] = frozenset({list, tuple, sum, max, min, sorted, math.fsum, math.prod})
"""Builtins that take all items of their first argument before they do anything else."""


def listed(pairs: Any) -> tuple[list[Any], list[Any]]:
    """All items of such a generator that are left, and their tangents."""
    items, dots = [], []
    for item, dot in pairs:
        items.append(item)
        dots.append(dot)
    return items, dots


def items_apart(pairs: Any) -> tuple[Any, Any]:
    """What gives the items of such a generator, and what gives the tangent of each behind it.

    >>> items, dots = items_apart(iter([(1.0, 0.5), (2.0, 0.25)]))
    >>> next(items), next(dots), next(items), next(dots)
    (1.0, 0.5, 2.0, 0.25)
    """
    waiting: list[Any] = []
    return _first_of(pairs, waiting), _second_of(waiting)


def _first_of(pairs: Any, waiting: list[Any]) -> Iterator[Any]:
    for item, dot in pairs:
        waiting.append(dot)
        yield item


def _second_of(waiting: list[Any]) -> Iterator[Any]:
    while True:
        yield waiting.pop()


def delegated_in_pairs(
    iterator: Any, beside: Any, sent: Any, sent_dot: Any, failure: Any
) -> tuple[tuple[bool, Any], tuple[None, Any]]:
    """One step of `yield from` (`delegated`), and the tangent of what it gives.

    Raises CannotPush for what is sent or thrown to something that is no generator.
    """
    if not is_paired(iterator):
        check_steps(iterator, beside)
        if sent is not None or failure is not None:
            raise CannotPush
        item = next(iterator, END)
        if item is END:
            return (False, None), (None, None)
        return (True, item), (None, next(beside))
    more, both = delegated(beside, None if sent is None else (sent, sent_dot), failure)
    if both is None:
        return (more, None), (None, None)
    return (more, both[0]), (None, both[1])


def nothing_sent(value: Any) -> None:
    """Leave it to reverse mode to send something to what hands on items of others.

    >>> nothing_sent(None)
    """
    if value is not None:
        raise CannotPush
