"""Operations in a `try` that may be methods in Python: which method, and whose cotangents are whose."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import CO_GENERATOR
from typing import Any, NamedTuple

from zygpy import dispatch
from zygpy.analyse.machinery import is_own
from zygpy.identity.attributes import read_attribute
from zygpy.identity.calls import call, is_of_python
from zygpy.identity.classes import python_method
from zygpy.identity.methods import read_item
from zygpy.identity.operators import SPELLED, combined, joining_by_c, operator_program, unary_method
from zygpy.ir.classes import HEAP_TYPE
from zygpy.rules import custom
from zygpy.runtime.iteration import is_walk
from zygpy.runtime.lookup import in_class, is_written, own_fields
from zygpy.runtime.operations import AUGMENTED, AUGMENTED_METHODS, OPERATIONS, operated
from zygpy.runtime.otherwise_given import Reading, by_descriptor, by_property, has_nothing
from zygpy.runtime.protocols import stored_item
from zygpy.runtime.ways import Way


class Entry(NamedTuple):
    """The function in Python that a call or operation comes down to, its arguments, and where among them
    those of the call stand (None: they have no cotangent)."""

    function: Any
    args: tuple[Any, ...]
    places: tuple[int | None, ...]

    def at(self, places: tuple[int | None, ...]) -> Entry:
        """The same with the arguments elsewhere."""
        return Entry(self.function, self.args, places)


def entry_of(function: Any, args: tuple[Any, ...]) -> Entry | None:
    """The method that a call of a builtin, or of an object, comes down to; None where there is none."""
    if function is operated:
        return _of_operation(*args)
    if function is getattr and len(args) == 2 and isinstance(args[1], str):
        found = _of_attribute(*args)
        return None if found is None else found.at((found.places[0], None))
    if function is stored_item:
        found = _of_operation("[]=", *args)
        return None if found is None else found.at(found.places[1:])
    protocol = _of_protocol(function, args)
    if protocol is not None:
        return protocol
    method = unary_method(function, args)
    if method is None and function is iter and len(args) == 1 and not is_walk(args[0]):
        method = python_method(args[0], "__iter__")
        method = None if method is None or method.__code__.co_flags & CO_GENERATOR else method
    return None if method is None else Entry(method, args, tuple(range(len(args))))


def own_call(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The `__call__` in Python of an object that is called; None where it is called in another way."""
    if not type(function).__flags__ & HEAP_TYPE or isinstance(function, type):
        return None
    method = python_method(function, "__call__")
    if method is None or is_own(method) or custom.is_ruled_object(type(function)):
        return None
    return None if dispatch.has_own_way(function, args, kwargs) else method


def _of_operation(symbol: str, *operands: Any) -> Entry | None:
    """The same of `operated(symbol, *operands)`."""
    if symbol in METHODS:
        method = python_method(operands[0], METHODS[symbol])
    elif symbol in (".", ".="):
        found = _of_attribute(*operands)
        return None if found is None else found.at((None, *found.places))
    elif symbol in AUGMENTED and python_method(operands[0], _augmented(symbol)) is not None:
        return _of_augmented(symbol, *operands)
    else:
        return _of_operator(symbol.removesuffix("="), *operands)
    return None if method is None else Entry(method, operands, (None, *range(len(operands))))


METHODS = {"[]": "__getitem__", "[]=": "__setitem__", "del []": "__delitem__"}


def _augmented(symbol: str) -> str:
    return AUGMENTED_METHODS[symbol.removesuffix("=")][0]


def _of_operator(symbol: str, *operands: Any) -> Entry | None:
    function = OPERATIONS[symbol]
    if len(operands) == 1:
        method = unary_method(function, operands)
        return None if method is None else Entry(method, operands, (None, 0))
    found = _of_protocol(function, operands)
    return None if found is None else found.at((None, *found.places))


def _of_protocol(function: Any, operands: tuple[Any, ...]) -> Entry | None:
    """The same of an operator of two operands, called as a function."""
    protocol = operator_program(function, operands)
    if protocol is None:
        return None
    methods = (*protocol, joining_by_c(function, operands))
    first = 1 + len(methods)
    return Entry(combined, (SPELLED[function], *methods, *operands), (first, first + 1))


def _of_augmented(symbol: str, value: Any, operand: Any) -> Entry:
    """`value op= operand`: the method for that, or else the operator."""
    plain = _of_operator(symbol.removesuffix("="), value, operand)
    methods = (None, None, None) if plain is None else plain.args[1:-2]
    spelled = SPELLED[OPERATIONS[symbol.removesuffix("=")]]
    method = python_method(value, _augmented(symbol))
    return Entry(augmented, (spelled, method, *methods, value, operand), (None, 5, 6))


def augmented(
    symbol: Any, method: Any, forward: Any, backward: Any, joining: Any, value: Any, operand: Any
) -> Any:
    """`value op= operand` for objects."""
    result = method(value, operand)
    if result is not NotImplemented:
        return result
    return combined(symbol, forward, backward, joining, value, operand)


def _of_attribute(value: Any, name: str, *stored: Any) -> Entry | None:
    """The same of reading an attribute, or of storing in one."""
    if custom.of_attribute(type(value), name) is not None:
        return None
    return _of_stored(value, name, *stored) if stored else _of_read(value, name)


def _of_read(value: Any, name: str) -> Entry | None:
    found, asked = in_class(type(value), name, None), python_method(value, "__getattr__")
    if isinstance(found, property):
        if not is_written(found.fget):
            return None
        return _read_by(by_property(found.fget, asked, value, name))
    getter = in_class(type(found), "__get__", None)
    if is_written(getter) and not is_of_python(type(found).__module__):
        return _read_by(by_descriptor(getter, asked, value, name, found))
    if not is_written(asked) or (found is None and name in own_fields(value)):
        return None
    return Entry(asked, (value, name), (0, None)) if found is None or has_nothing(value, found) else None


def _read_by(reading: Reading) -> Entry:
    return Entry(reading.function, reading.args, (reading.place, None))


def _of_stored(value: Any, name: str, stored: Any) -> Entry | None:
    found = in_class(type(value), name, None)
    if isinstance(found, property):
        return Entry(found.fset, (value, stored), (0, None, 1)) if is_written(found.fset) else None
    setter = in_class(type(found), "__set__", None)
    if is_written(setter) and not is_of_python(type(found).__module__):
        return Entry(setter, (found, value, stored), (1, None, 2))
    asked = python_method(value, "__setattr__")
    return Entry(asked, (value, name, stored), (0, None, 2)) if is_written(asked) else None


def done(way: Way, symbol: str, *operands: Any) -> Any:
    """An operation that is no method in Python, or one that is entered otherwise; its pullback gives the
    cotangents of what stands behind a callee."""
    match symbol:
        case "[]":
            return read_item(way, *operands)
        case ".":
            y, back = read_attribute(way, *operands)
            return y, OfAttribute(back)
    return call(way, OPERATIONS[symbol], *operands)


class OfAttribute:
    """The pullback of a read attribute as that of a call with an object and a name."""

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, self.back(y_bar, store), None)


class Entered:
    """The pullback of a call, of that of the function which it comes down to."""

    def __init__(self, back: Any, places: tuple[int | None, ...]) -> None:
        self.back, self.places = back, places

    def __call__(self, y_bar: Any, store: Any) -> Any:
        bars = self.back(y_bar, store)
        return (None, *(None if place is None else bars[1 + place] for place in self.places))
