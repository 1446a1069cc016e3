"""Iteration that runs code: what a loop walks over, and what is reversed step by step."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any, TypeGuard

from zygpy.runtime.accumulate import accumulate


def walked(iterable: Any) -> Any:
    """What a loop over `iterable` walks over; the run-time door knows how its items are found."""
    return iterable


def watched(iterable: Any) -> Any:
    """The same for a loop in which others run, who may change what is walked over."""
    return iterable


def left_alone(walk: Any) -> None:
    """Behind a loop over a generator that has no name: where the loop has left it, it is closed."""


def taken_apart(iterable: Any, count: int) -> Any:
    """What gives its items at once, at most `count` of them (-1: all); known to the run-time door."""
    return iterable


def places(iterable: Any) -> Any:
    """An iterator over the places of items, which ends where one over the items does.

    >>> list(places([1.5, 2.5]))
    [0, 1]
    """
    return map(operator.itemgetter(0), enumerate(iterable))


def places_around(sequence: Any) -> Any:
    """An iterator over the places of items that goes round and round.

    >>> list(itertools.islice(places_around("ab"), 5))
    [0, 1, 0, 1, 0]
    """
    return itertools.cycle(range(len(sequence)))


class End:
    """Stands for the item that an iterator has no more."""


END = End()


class Walk:
    """An iterator that keeps how each of its steps is pulled back.

    `advance()` gives the next item of `iterator`, or END, and its pullback; `began` is that of making it.
    In the course of a call of `back` the steps are reversed in order, each when the cotangent of its item
    is delivered, and those that no iteration was recorded for where their turn is.
    """

    followed = False
    """Whether it belongs to a gradient that is differentiated once more, where it is like any object."""

    def __init__(self, iterator: Any, advance: Callable[[], tuple[Any, Any]], began: Any) -> None:
        self.iterator, self.advance, self.began = iterator, advance, began
        self.steps: list[Any] = []

    def __iter__(self) -> Walk:
        return self

    def __next__(self) -> Any:
        item, back = self.advance()
        self.steps.append(back)
        if item is END:
            raise StopIteration
        return item

    def give(self, index: int, bar: Any, store: Any) -> None:
        """Reverse the steps down to the one that gave the item of this position, whose cotangent is `bar`."""
        state = store.keys(self)
        left = state.get("left", len(self.steps))
        while left > index:
            left -= 1
            found = self.steps[left](bar if left == index else None, store)
            state["bar"] = accumulate(state.get("bar"), found)
        state["left"] = left

    def reverse(self, store: Any) -> Any:
        """Reverse what is left, and how the iterator was made."""
        self.give(0, None, store)
        return self.began(store.take_keys(self).get("bar"), store)


def is_walk(value: Any) -> TypeGuard[Walk]:
    """Whether a value is a walk that keeps its steps for the adjoint at hand."""
    return isinstance(value, Walk) and not value.followed


def is_walk_inside(value: Any) -> bool:
    """The same asked in a gradient that is differentiated once more."""
    return isinstance(value, Walk) and value.followed
