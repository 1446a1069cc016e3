"""Calls of functions and methods that are found when the code runs, with tangents beside the arguments."""

from __future__ import annotations

from types import FunctionType, MethodType, WrapperDescriptorType
from typing import Any

import numpy as np

from zygpy.pushed.arrays import array_written, is_written
from zygpy.pushed.asking import asked
from zygpy.pushed.attributes import (
    CONSTANT,
    FIELD,
    GIVEN,
    PARTNER,
    check_access,
    given_by_method,
    left,
    owner_of,
)
from zygpy.pushed.classes import class_of, constructed, is_class, is_of_class
from zygpy.pushed.containers import is_container, method_of_container, shares_memory
from zygpy.pushed.copies import copies_things, copying_method
from zygpy.pushed.entries import Slots, entered, is_entry
from zygpy.pushed.generators import (
    asks_iterators,
    method_of_generator,
    with_items,
)
from zygpy.pushed.in_order import called_in_order
from zygpy.pushed.namespaces import is_namespace, namespace_made
from zygpy.pushed.operators import is_operator, operated
from zygpy.pushed.sets import set_made
from zygpy.pushed.subclasses import (
    inherited_called,
    is_native,
    unbound_called,
)
from zygpy.pushed.tables import is_table_class, table_made
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.copies_beside import copied_beside
from zygpy.runtime.lookup import MISSING, has_own, in_class
from zygpy.runtime.object_arrays import holds_objects
from zygpy.runtime.paired_generators import is_paired
from zygpy.runtime.partials import RECEIVER
from zygpy.runtime.partner_partials import bound_in, is_partial
from zygpy.runtime.subclasses import inherited_container, is_unbound
from zygpy.runtime.tangents import alike
from zygpy.runtime.zeros import (
    CannotPush,
    Carried,
    has_partner,
    is_number_or_array,
    or_zeros,
    zero_tangent,
)
from zygpy.tangent.exceptions import PLAIN_EXCEPTIONS


def function_called(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What `pushed_call` does, in the same way."""
    if is_entry(function, carried):
        return entered(Slots(function, carried, args, dots), changing)
    if makes_container(function):
        return container_made(function, carried, args, dots, changing)
    if asks_iterators(function):
        return asked(function, args, dots, changing)
    if is_class(function):
        return constructed(function, args, dots)
    if copies_things(function):
        return copied(function, carried, args, dots, changing)
    if is_operator(function, args):
        return operated(function, args, dots)
    return function_in_python(function, carried, args, dots, changing)


def function_in_python(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """The same of a function, a method, what binds arguments, and objects that are called."""
    if is_unbound(function):
        return unbound_called(function, args, dots)
    if is_partial(function, carried) and not is_ruled(function):
        return partial_called(carried, args, dots, changing)
    if has_partner(function) and not is_ruled(function):
        return method_called("__call__", (function, *args), (carried, *dots))
    if is_bound(function, carried):
        return bound_called(function, carried, args, dots, changing)
    if is_of_class(function):
        return called_in_order(function.__func__, None, (function.__self__, *args), (None, *dots), changing)
    return called_in_order(function, carried, args, dots, changing)


def is_bound(function: Any, carried: Any) -> bool:
    """Whether what is called, perhaps by keyword, is a method that was read of an object with a tangent."""
    method = class_of(function)
    return type(method) is MethodType and type(method.__func__) is FunctionType and type(carried) is Carried


def bound_called(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What such a method gives."""
    own, own_dot = carried.pairs()[RECEIVER]
    return called_in_order(unbound(function), None, (own, *args), (own_dot, *dots), changing)


def unbound(function: Any) -> Any:
    """The function behind such a method, perhaps by keyword."""
    method = class_of(function)
    plain = method.__func__
    return ByKeyword(plain, function.names) if method is not function else plain


def partial_called(
    carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What a `functools.partial` gives, whose tangent tells what it binds."""
    (function, dot), placed, named = bound_in(carried)
    pairs = [*placed, *zip(args, dots, strict=True), *named.values()]
    given = ByKeyword(function, tuple(named)) if named else function
    return function_called(
        given, dot, tuple([pair[0] for pair in pairs]), tuple([pair[1] for pair in pairs]), changing
    )


def makes_container(function: Any) -> bool:
    """Whether what is called is a class of sets, or of dicts of `collections`, or of namespaces."""
    return function is set or function is frozenset or is_table_class(function) or is_namespace(function)


def container_made(
    cls: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """What such a class makes."""
    if is_namespace(cls):
        return namespace_made(cls, args, dots)
    if is_table_class(cls):
        return table_made(cls, args, dots)
    return set_made(cls, *with_items(args, dots)) if args else (cls(), {})


def copied(
    function: Any, carried: Any, args: tuple[Any, ...], dots: tuple[Any, ...], changing: bool
) -> tuple[Any, Any]:
    """A copy of something, and its tangent."""
    method = copying_method(function, args, dots)
    if method is not None:
        return called_in_order(method, None, args, dots, True)
    return copied_beside(function, args[0], or_zeros(dots[0], args[0]))


def method_called(name: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """What `pushed_method` does, in the same way."""
    if is_paired(args[0]):
        return method_of_generator(name, args, dots)
    if is_container(args[0]):
        return method_of_container(name, args, dots)
    if is_written(args[0], name):
        return array_written(name, args, dots)
    return method_in_python(name, args, dots)


def method_in_python(name: Any, args: tuple[Any, ...], dots: tuple[Any, ...]) -> tuple[Any, Any]:
    """The same of an object, or of what is called with a rule."""
    function = method_of(args[0], name)
    if function is INHERITED:
        return inherited_called(name, (owner_of(args[0]), *args[1:]), dots)
    if function is SET_ANEW:
        args[0].__init__(*args[1:])
        dots[0].args = dots[1:]
        return None, None
    if function is CONSTANT:
        given = getattr(args[0], name)(*args[1:])
        return given, zero_tangent(given)
    if function is FIELD:
        return function_called(getattr(args[0], name), getattr(dots[0], name), args[1:], dots[1:], True)
    if function is GIVEN:
        y, y_dot = given_by_method(name, args[:1], dots[:1])
        return function_called(y, y_dot, args[1:], dots[1:], True)
    y, y_dot = called_in_order(function, None, (owner_of(args[0]), *args[1:]), dots, True)
    if shares_memory(y, args[0]):
        alike(y_dot, y, dots[0], args[0])
    return y, y_dot


SET_ANEW = object()
"""What an inherited method is that sets the arguments of an exception."""
INHERITED = object()
"""What a method is that a class in Python inherits from `list` or `dict`."""


def method_of(value: Any, name: Any) -> Any:
    """The function that a method of an object, or array, is; or of what `super` gives, where it may be
    SET_ANEW; CONSTANT where it gives what has no tangent; FIELD where the object itself has it.

    Raises CannotPush where that takes more than to look it up in the classes.
    """
    if type(name) is ByKeyword:
        return _method_by_keyword(value, name)
    if isinstance(value, np.ndarray | np.generic | float | int | complex):
        return _method_of_number(value, name)
    if type(value) in (str, range):
        return CONSTANT
    owner = owner_of(value)
    check_access(owner, PARTNER)
    if owner is value and has_own(value, name):
        return FIELD if inherited_container(type(value)) is None else left(name)
    found = in_class(type(value), name) if owner is value else _inherited(value, name)
    if name == "__init__" and type(found) is WrapperDescriptorType and isinstance(owner, BaseException):
        return SET_ANEW if found.__objclass__ in PLAIN_EXCEPTIONS else left(name)
    if type(found) is FunctionType:
        return found
    if owner is value and _is_given(type(value), name):
        return GIVEN
    return INHERITED if is_native(owner, found, name) else left(name)


def _is_given(cls: type, name: str) -> bool:
    """Whether the objects of a class have a method by what `__getattr__` says alone."""
    return in_class(cls, name, MISSING) is MISSING and type(in_class(cls, "__getattr__")) is FunctionType


def _method_by_keyword(value: Any, named: ByKeyword) -> Any:
    """The same with the names of the last arguments."""
    found = method_of(value, named.function)
    if found is INHERITED and named.function == "__init__":
        return found
    if any(found is other for other in (SET_ANEW, CONSTANT, FIELD, INHERITED, GIVEN)) or "out" in named.names:
        raise CannotPush
    return ByKeyword(found, named.names)


def _method_of_number(value: Any, name: str) -> Any:
    """The function with a rule that a method of a number, or array, is."""
    found = declare.METHODS.get(name)
    rule = None if found is None else declare.find(found)
    plain = is_number_or_array(value) and not holds_objects(value)
    if rule is None or rule.writes or not plain or is_ruled(in_class(type(value), name, None)):
        raise CannotPush
    return found


def _inherited(value: Any, name: str) -> Any:
    """What the classes behind the one that `super` was asked in have by a name."""
    order = type(owner_of(value)).__mro__
    behind = order[order.index(value.__thisclass__) + 1 :]
    return next((vars(cls)[name] for cls in behind if name in vars(cls)), None)
