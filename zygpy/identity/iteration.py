"""Iteration by Python's protocol: `iter`, `next`, and what loops and unpacking do with objects."""

from __future__ import annotations

import gc
import itertools
import operator
from collections import OrderedDict, deque
from collections.abc import Mapping
from types import FunctionType, MethodWrapperType
from typing import Any

import numpy as np

from zygpy import units
from zygpy.errors import UnsupportedSyntaxError
from zygpy.identity.as_data import is_flat, next_element
from zygpy.identity.calls import Receiver, call, is_entered, made_caught, made_caught_step, made_step
from zygpy.identity.classes import changes_something, is_walked_by_c, python_method
from zygpy.ir import core
from zygpy.runtime.accumulate import RE_ITERABLE, SIZED, from_positions, is_nothing, refuse_key
from zygpy.runtime.generators import is_generator
from zygpy.runtime.iteration import END, Walk, is_walk, taken_apart, walked, watched
from zygpy.runtime.lazy import called_until
from zygpy.runtime.native import POSITIONAL, SEQUENCES, is_set, native, size_of, state_of, table_of
from zygpy.runtime.object_arrays import holds_objects, one_by_one
from zygpy.runtime.places import EntryRead, ItemRead, KeyRead, read_entry
from zygpy.runtime.replaced import listed
from zygpy.runtime.ways import Way

BUILTIN = (*SIZED, frozenset, type({}.keys()))
"""What is iterated without running code: by position or key."""

OF_QUEUE: Any = type(iter(deque()))
"""One that knows them in another way."""

OF_SET: Any = type(iter(set()))

OF_ORDERED: Any = type(iter(OrderedDict()))
"""One over an `OrderedDict`, its values or its items, in either direction."""

OF_DICTS: Mapping[type, str] = {
    type(iter({})): "keys",
    type(iter({}.values())): "values",
    type(iter({}.items())): "items",
    type(reversed({})): "keys",
    type(reversed({}.values())): "values",
    type(reversed({}.items())): "items",
}

BACKWARDS: Any = (type(reversed({})), type(reversed({}.values())), type(reversed({}.items())))
"""Those of them that begin at the end."""


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`iter`, `next`, and what stands in front of loops."""
    if function is walked or (function is watched and not isinstance(args[0], list)):
        return walk(way, args[0])
    if function is watched:
        return begin_walk(way, args[0])
    if function is taken_apart:
        return apart(way, *args)
    if function is iter and len(args) == 1:
        y, back = iterator_of(way, args[0])
        return y, Second(back, 2)
    if function is iter and len(args) == 2:
        return call(way, called_until, *args)
    if function is next and args and not kwargs:
        return following(way, *args)
    if type(function) is MethodWrapperType and function.__name__ == "__next__" and not args:
        y, back = following(way, function.__self__)
        return y, OfMethod(back)
    return None


class OfMethod:
    """The pullback of an iterator's `__next__` that was taken for a function."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if not is_nothing(self.back(y_bar, store)[1]):
            raise UnsupportedSyntaxError(
                "the `__next__` of an iterator over a tuple is called by a name of its own.",
                why="the cotangents of numbers in a tuple belong to the variable that has the tuple",
                instead="call `next`, or iterate over a list",
            )
        return (None,)


class Second:
    """The cotangent of the first argument behind the callee, of a pullback that gives it alone."""

    def __init__(self, back: Any, count: int) -> None:
        self.back, self.count = back, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, self.back(y_bar, store), *(None,) * (self.count - 2))


def same(y_bar: Any, store: Any) -> Any:
    """The pullback of what gives its argument back."""
    return y_bar


# -------------------------------------------------------------------------------------------- loops


def walk(way: Way, value: Any) -> Any:
    """What a loop over a value walks over: itself, if that runs no code."""
    if is_walked_by_c(value, BUILTIN):
        return value, Second(same, 2)
    return begin_walk(way, value)


def begin_walk(way: Way, value: Any) -> Any:
    """A walk that keeps its steps."""
    iterator, began = iterator_of(way, value)
    found = Walk(iterator, lambda: step(way, iterator), began)
    return found, Reversed(found, 2)


def followed_walk(way: Way, args: tuple[Any, ...]) -> Any:
    """The making of a walk in a gradient that is differentiated once more."""
    found = Walk(*args)
    found.followed = True
    return found, Followed(found)


class Followed:
    """Its pullback: what the walk was made of has its cotangents in the walk."""

    def __init__(self, found: Walk) -> None:
        self.found = found

    def __call__(self, y_bar: Any, store: Any) -> Any:
        store.take_key(self.found, "steps")
        return (None, *[store.take_key(self.found, name) for name in ("iterator", "advance", "began")])


class Reversed:
    """The pullback of a walk that has been reversed by the loop, but for its beginning."""

    def __init__(self, found: Walk, count: int) -> None:
        self.found, self.count = found, count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, self.found.reverse(store), *(None,) * (self.count - 2))


def apart(way: Way, value: Any, count: int) -> Any:
    """What is unpacked into `count` names (-1: into any number): itself, or a list of its items. (A view of a
    dict shows what is in the dict now.)"""
    if is_set(value) or isinstance(value, RE_ITERABLE):
        items, read = call(way, listed, value)
        return items, Listed(read)
    if holds_objects(value) and value.ndim > 0:
        items, read = call(way, one_by_one, value)
        return items, Listed(read)
    if is_walked_by_c(value, BUILTIN):
        return value, Second(same, 3)
    iterator, began = iterator_of(way, value)
    found = Walk(iterator, lambda: step(way, iterator), began)
    items = list(found if count < 0 else itertools.islice(found, count + 1))
    return items, Gathered(found, items)


class Listed:
    """The pullback of a list of the elements of a set, a view or an array of objects."""

    def __init__(self, read: Any) -> None:
        self.read = read

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (*self.read(y_bar, store), None)


class Gathered:
    """The pullback of a list of the items of a walk."""

    def __init__(self, found: Walk, items: list[Any]) -> None:
        self.found, self.items = found, items

    def __call__(self, y_bar: Any, store: Any) -> Any:
        taken = store.take_entries(self.items) or []
        for position in reversed(range(len(taken))):
            self.found.give(position, taken[position], store)
        return (None, self.found.reverse(store), None)


# ------------------------------------------------------------------------------------ iter and next


def refuse_outside(way: Way, method: FunctionType) -> None:
    """Refuse iteration in a method that reads global data, which the caller cannot know it may change."""
    names = method.__globals__
    for statement in core.walk(units.unit_of(method).program.body):
        op = statement.op if isinstance(statement, core.Assign) else None
        read = op.path.names[0] if isinstance(op, core.Read) and op.path.scope == "global" else ""
        if not way.everywhere and isinstance(names.get(read), list | dict | np.ndarray):
            raise UnsupportedSyntaxError(
                f"the iteration in '{method.__qualname__}' reads the global variable '{read}'.",
                why="whether what it gives is changed under that name is not known",
                instead="keep in the object what it iterates over",
            )


def iterator_of(way: Way, value: Any) -> Any:
    """`iter(value)`; `back` gives the cotangent of the value's variable alone."""
    if is_walk(value) or is_generator(value):
        return value, same
    method = python_method(value, "__iter__")
    if method is not None:
        refuse_outside(way, method)
        y, back = call(way, method, value)
        return y, lambda y_bar, store: back(y_bar, store)[1]
    getter = python_method(value, "__getitem__")
    if getter is not None and method is None and not hasattr(type(value), "__iter__"):
        return ByPosition(value), same
    y = iter(value)
    return y, same if y is value else Collected(value)


class Collected:
    """The pullback of an iterator over a builtin container: cotangents by position."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return None if y_bar is None else from_positions(y_bar, self.value)


class ByPosition:
    """The iterator over an object that only has items."""

    def __init__(self, owner: Any) -> None:
        self.owner, self.index = owner, 0

    def __iter__(self) -> ByPosition:
        return self

    def __next__(self) -> Any:
        raise UnsupportedSyntaxError(
            f"code that is not written in Python iterates over a {type(self.owner).__name__}.",
            why="its items are computed in Python when they are asked for",
            instead="make a list of it first: `list(...)`",
        )


def following(way: Way, iterator: Any, *default: Any) -> Any:
    """`next(iterator)`, or with a default."""
    y, back = step(way, iterator)
    if y is not END:
        return y, Second(back, 2 + len(default))
    if not default:
        raise StopIteration
    return default[0], Ended(back)


class Ended:
    """The pullback of `next` with a default that was asked for."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, self.back(None, store), y_bar)


def nothing(y_bar: Any, store: Any) -> Any:
    """The pullback of what has no cotangent."""
    return None


def step(way: Way, iterator: Any) -> Any:
    """The next item, or END; `back` gives what belongs to the iterator's variable."""
    if is_walk(iterator):
        return iterator.advance()
    if is_generator(iterator):
        return iterator.run.step()
    if isinstance(iterator, ByPosition):
        return _item(way, iterator)
    method = python_method(iterator, "__next__")
    if method is not None:
        return _computed(way, method, iterator)
    if type(iterator) in OF_DICTS:
        return _of_dict(iterator, OF_DICTS[type(iterator)])
    if isinstance(iterator, OF_SET):
        return _of_set(iterator)
    if isinstance(iterator, OF_ORDERED):
        return _of_ordered(iterator)
    return _of_builtin(iterator)


def step_or_failure(way: Way, iterator: Any) -> Any:
    """The same with the exception that a method in Python ends with, or None: inside a `try`."""
    if is_walk(iterator) or is_generator(iterator):
        return (*step(way, iterator), None)
    if isinstance(iterator, ByPosition):
        return _turn_by_position(way, iterator)
    method = python_method(iterator, "__next__")
    if method is None:
        return (*step(way, iterator), None)
    refuse_outside(way, method)
    (turn, failure), back = made_caught_step(way, method, iterator)
    ended = failure is not None or not turn[0]
    given = None if isinstance(failure, StopIteration) else failure
    return END if ended else turn[1], CaughtStep(back, failure), given


class CaughtStep:
    """The pullback of a step whose exception is a value."""

    def __init__(self, back: Any, failure: BaseException | None) -> None:
        self.back, self.failure = back, failure

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = None if self.failure is not None else ((None, y_bar), None)
        return self.back(bar, store)[1]


def _of_builtin(iterator: Any) -> Any:
    """A step of an iterator that is not written in Python."""
    known = isinstance(iterator, (*POSITIONAL, OF_QUEUE))
    state: Any = state_of(iterator) if known else ()
    try:
        if is_flat(iterator):
            y, read = next_element(iterator)
            return y, Alone(read)
        y = next(iterator)
    except StopIteration:
        return END, nothing
    if len(state) == 3:
        return y, _of_sequence(state[1][0], state[2], y)
    if isinstance(iterator, OF_QUEUE):
        owner, place = state[1]
        return y, _of_sequence(owner, place, y)
    return y, Untold(iterator)


class Untold:
    """The pullback of an item that comes from where nobody knows: there may be no cotangent."""

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return from_positions({} if is_nothing(y_bar) else {0: y_bar}, self.iterator)


def _of_sequence(owner: Any, index: int, y: Any) -> Any:
    """The pullback of reading an item of what an iterator walks over."""
    if isinstance(owner, SEQUENCES):
        return Alone(EntryRead(owner, size_of(owner), index, y))
    if holds_objects(owner):
        return Alone(read_entry(owner, index)[1])
    if isinstance(owner, np.ndarray):
        return Alone(ItemRead(owner, index, y))
    if isinstance(owner, tuple):
        return lambda y_bar, store: None if y_bar is None else {index: y_bar}
    return Untold(owner)


class Alone:
    """A read whose cotangent has its place, so that nothing is left for the variable."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        self.back(y_bar, store)


def _of_set(iterator: Any) -> Any:
    owner = table_of(iterator)
    try:
        y = next(iterator)
    except StopIteration:
        return END, nothing
    return y, Alone(KeyRead(owner, y, y)) if is_set(owner) else Untold(owner)


def _of_dict(iterator: Any, what: str) -> Any:
    owner = table_of(iterator)
    left = operator.length_hint(iterator)
    try:
        y = next(iterator)
    except StopIteration:
        return END, nothing
    if what == "keys":
        return y, lambda y_bar, store: refuse_key(y, y_bar)
    place = left - 1 if isinstance(iterator, BACKWARDS) else size_of(owner) - left
    key = next(itertools.islice(native(owner, "__iter__")(), place, None))
    read = KeyRead(owner, key, native(owner, "__getitem__")(key))
    if what == "values":
        return y, Alone(read)
    return y, PairRead(key, read)


def _of_ordered(iterator: Any) -> Any:
    """The same over an `OrderedDict`, whose iterators know the next key, but are all of one class."""
    owner, *keys = gc.get_referents(iterator)[:2] or [None]
    try:
        y = next(iterator)
    except StopIteration:
        return END, nothing
    key, value = keys[0], native(owner, "__getitem__")(keys[0])
    if y is key:  # it may be the value as well, and which of them is not told
        return y, lambda y_bar, store: refuse_key(y, y_bar)
    if y is value:
        return y, Alone(KeyRead(owner, key, value))
    return y, PairRead(key, KeyRead(owner, key, value))


class PairRead:
    """The pullback of reading a key and its value."""

    def __init__(self, key: Any, read: KeyRead) -> None:
        self.key, self.read = key, read

    def __call__(self, y_bar: Any, store: Any) -> Any:
        if y_bar is not None:
            refuse_key(self.key, y_bar[0])
            self.read(y_bar[1], store)


def _computed(way: Way, method: FunctionType, iterator: Any) -> Any:
    """A step that is written in Python."""
    refuse_outside(way, method)
    try:
        (found, y), back = made_step(way, method, iterator)
    except StopIteration:
        refuse_lost_changes(method)
        return END, nothing
    return (y if found else END), Step(Receiver(back, 1))


class Step:
    """The pullback of a call that tells whether there was an item, and which."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return self.back((None, y_bar), store)[0]


def _item(way: Way, iterator: ByPosition) -> Any:
    y, back, failure = _turn_by_position(way, iterator)
    if failure is not None:
        raise failure
    return y, back


def _turn_by_position(way: Way, iterator: ByPosition) -> Any:
    """The item of the next position, or END, its pullback, and the exception that is no end."""
    if iterator.owner is None:
        return END, nothing, None
    owner, method = iterator.owner, python_method(iterator.owner, "__getitem__")
    refuse_outside(way, method)
    given = (owner, iterator.index)
    if not is_entered(method, given, {}):
        return (*_item_of_a_rule(way, method, iterator), None)
    (y, failure), back = made_caught(way, method, given, {})
    if failure is None:
        iterator.index += 1
        return y, lambda y_bar, store: back((y_bar, None), store)[1], None
    ends = isinstance(failure, IndexError | StopIteration)
    iterator.owner = None if ends else owner
    return END, lambda y_bar, store: back(None, store)[1], None if ends else failure


def _item_of_a_rule(way: Way, method: FunctionType, iterator: ByPosition) -> Any:
    """The same where a user has declared how the method is differentiated."""
    try:
        y, back = call(way, method, iterator.owner, iterator.index)
    except (IndexError, StopIteration):
        iterator.owner = None
        return END, nothing
    iterator.index += 1
    return y, lambda y_bar, store: back(y_bar, store)[1]


def refuse_lost_changes(method: FunctionType) -> None:
    """Refuse the end of an iteration in a method that may have changed something before it ended."""
    if changes_something(units.unit_of(method).program):
        raise UnsupportedSyntaxError(
            f"'{method.__qualname__}' ends an iteration by an exception that comes from what it calls.",
            why="what it had changed by then would have to be undone",
            instead="test for the end, and `raise StopIteration` there",
        )
