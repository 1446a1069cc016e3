"""Augmented assignment, which may change its target or bind it anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from zygpy import dispatch
from zygpy.derivation import no_rule_on
from zygpy.identity import sets
from zygpy.identity.arithmetic import NUMBERS
from zygpy.identity.attributes import read_attribute, write_attribute
from zygpy.identity.calls import Prefixed, call
from zygpy.identity.classes import python_method
from zygpy.identity.methods import program_of_method, read_item, refuse_computed_index, write_item
from zygpy.identity.subclasses import filled, native_method
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import Object, kind_of
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.attempts import LEAVING_TRACES
from zygpy.runtime.native import CONTAINERS, is_of_another_class
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.operations import BINARY
from zygpy.runtime.protocols import IN_PLACE, changed_item, stored_item
from zygpy.runtime.ways import Way

FUNCTIONS: Mapping[str, Callable[..., Any]] = BINARY


def augment(way: Way, symbol: str, value: Any, added: Any) -> Any:
    """`value op= added`: the new value; `back` gives the cotangents of both as they were before."""
    if isinstance(value, np.ndarray):
        return augment_array(symbol, value, added)
    joined = sets.augmented(way, symbol, value, added)
    if joined is not None:
        return value, Augmented(joined, 0)
    if type(value) in NUMBERS:
        y, back = call(way, FUNCTIONS[symbol], value, added)
        return y, Augmented(back, 1)
    name = f"__i{FUNCTIONS[symbol].__name__.strip('_')}__"
    found = python_method(value, name)
    if found is not None:
        y, back = call(way, found, value, added)
        if y is not NotImplemented:
            return y, Augmented(back, 1)
    elif isinstance(value, CONTAINERS) and hasattr(value, name) and not _comes_first(symbol, value, added):
        return augment_container(way, symbol, name, value, added)
    y, back = call(way, FUNCTIONS[symbol], value, added)
    return y, Augmented(back, 1)


def _comes_first(symbol: str, value: Any, added: Any) -> bool:
    """Whether an operator is asked before a list or queue is changed: of the operand on the right, unless the
    class of the one on the left is written in Python, or for products of that one."""
    derived = bool(type(value).__flags__ & HEAP_TYPE)
    if symbol == "*" and not isinstance(value, dict):
        own = derived and (python_method(value, "__mul__") or python_method(value, "__rmul__"))
        return bool(own or python_method(added, "__rmul__"))
    if symbol != "+" or isinstance(value, dict) or derived:
        return False
    return isinstance(added, np.ndarray | np.generic) or python_method(added, "__radd__") is not None


def augment_container(way: Way, symbol: str, name: str, value: Any, added: Any) -> Any:
    """The same for a container, which is changed in place."""
    if symbol in GROWING and is_of_another_class(value):
        _, back = filled(way, value, (added,), {})
        return value, Augmented(back, 0)
    grown = program_of_method(value, GROWING.get(symbol, ""), (added,))
    if grown is not None:
        _, back = call(way, grown, value, added)
        return value, Augmented(back, 1)
    _, back = native_method(way, value, name, (added,), {})
    return value, Augmented(back, 0)


GROWING: Mapping[str, str] = {"+": "extend", "|": "update"}
"""The methods that augmented assignments to lists and dicts are."""


class Augmented:
    """The cotangents of both operands, of those of a method or function."""

    def __init__(self, back: Any, first: int) -> None:
        self.back, self.first = back, first

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = self.back(y_bar, store)
        return (bars[self.first], bars[self.first + 1])


def augment_array(symbol: str, value: Any, added: Any) -> Any:
    """The same for an array, which is changed in place."""
    if holds_objects(value):
        raise no_rule_on(FUNCTIONS[symbol].__name__, [kind_of(value)])
    if isinstance(kind_of(added), Object) and type(added).__flags__ & HEAP_TYPE:
        raise no_rule_on(FUNCTIONS[symbol].__name__, [kind_of(added)])  # which NumPy makes an array, or asks
    old = value.copy()
    given = added.copy() if isinstance(added, np.ndarray) else added
    result = IN_PLACE[symbol](value, added)
    _, back = dispatch.pull(FUNCTIONS[symbol], old, given)
    return result, ArrayAugmented(back, value, added)


SYMBOLS: Mapping[Callable[..., Any], str] = {function: symbol for symbol, function in IN_PLACE.items()}


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`operator.iadd(value, added)` and its like, and `changed_item`; None for anything else."""
    if function is changed_item:
        return change_item(way, *args)
    if type(function) is not BuiltinFunctionType or function not in SYMBOLS or len(args) != 2:
        return None
    y, back = augment(way, SYMBOLS[function], *args)
    return y, Prefixed(back)


class ArrayAugmented:
    """The pullback of an augmented assignment that changed an array."""

    def __init__(self, back: Any, array: Any, added: Any) -> None:
        self.back, self.array, self.added = back, array, added

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bar = store.exchange(self.array, y_bar)
        if self.array.dtype.kind not in "iufc" or (type(bar) is float and not bar):
            bar = None  # zero is a number where a variable may be one
        _, own, added = self.back(bar)
        return (store.add(self.array, own), store.add(self.added, added))


def augment_item(way: Way, symbol: str, value: Any, index: Any, added: Any) -> Any:
    """`value[index] op= added`; called with the store, what is returned is the cotangent of `added`."""
    item, read = read_item(way, value, index)
    new, back = augment(way, symbol, item, added)
    write = behind_a_change if new is item else at_once
    return ThreeSteps(read, back, write(write_item, way, value, index, new), 1)


def change_item(way: Way, symbol: str, value: Any, index: Any, added: Any) -> Any:
    """The same as a call, whose pullback gives the index's cotangent too."""
    item, read = read_item(way, value, index)
    new, back = augment(way, symbol, item, added)
    write = behind_a_change if new is item else at_once
    _, stored = write(call, way, stored_item, value, index, new)
    return None, IndexedSteps(read, back, stored)


class IndexedSteps:
    """The same three steps, in which a method may have computed with the index."""

    def __init__(self, read: Any, combine: Any, write: Any) -> None:
        self.read, self.combine, self.write = read, combine, write

    def __call__(self, y_bar: Any, store: Any) -> Any:
        _, own, index, new_bar = self.write(None, store)
        item_bar, added_bar = self.combine(new_bar, store)
        _, first_own, first_index = self.read(item_bar, store)
        return (None, None, accumulate(own, first_own), accumulate(index, first_index), added_bar)


def augment_attribute(way: Way, symbol: str, value: Any, name: str, added: Any) -> Any:
    """`value.name op= added`, the same way."""
    item, read = read_attribute(way, value, name)
    new, back = augment(way, symbol, item, added)
    write = behind_a_change if new is item else at_once
    return ThreeSteps(read, back, write(write_attribute, way, value, name, new), 0)


def at_once(write: Callable[..., Any], *args: Any) -> Any:
    """The write of a new value: if it fails, nothing has changed."""
    return write(*args)


def behind_a_change(write: Callable[..., Any], *args: Any) -> Any:
    """The write of an item that has changed already: a tuple refuses it, and the change stays."""
    return write(*args)


LEAVING_TRACES.add(behind_a_change.__code__)


class ThreeSteps:
    """Something was read, combined and written back."""

    def __init__(self, read: Any, combine: Any, write: Any, receiver: int) -> None:
        self.read, self.combine, self.write, self.receiver = read, combine, write, receiver

    def __call__(self, store: Any) -> Any:
        item_bar, added_bar = self.combine(self.write(store), store)
        found = self.read(item_bar, store)
        if self.receiver:
            refuse_computed_index(found)
        return added_bar
