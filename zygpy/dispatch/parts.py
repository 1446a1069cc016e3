"""Attributes and items of values of any kind."""

from __future__ import annotations

import functools
import types
from dataclasses import replace
from typing import Any

import numpy as np

from zygpy import rules
from zygpy.dispatch.functions import python_function
from zygpy.dispatch.primitives import is_data, on_data, primitive
from zygpy.dispatch.refusals import intercepted, kept_unseen, read_past
from zygpy.errors import missing_rule
from zygpy.ir import core
from zygpy.ir.classes import is_record_class
from zygpy.ir.kinds import kind_of
from zygpy.layout import Group, Layout, Nothing, Part
from zygpy.prepared import Prepared
from zygpy.rules import custom
from zygpy.runtime import methods
from zygpy.runtime.computed import Getter, getter_of, is_cached
from zygpy.runtime.lookup import in_class, own_fields
from zygpy.runtime.native import check_beside_items
from zygpy.runtime.numbers import plain_number
from zygpy.runtime.partials import CARRIED, FUNCTION, carried_values, name_of_wrapped, not_captured
from zygpy.runtime.records import read_attribute, read_method
from zygpy.runtime.replaced import itself
from zygpy.runtime.shown import shown
from zygpy.runtime.special_methods import DESCRIPTORS
from zygpy.runtime.ways import COPYING
from zygpy.units import primitive_unit


def of_wrapped(function: types.FunctionType, own: Part) -> Part:
    """Where the cotangent of what a function wraps is: in the variable in which it is captured."""
    carrying = name_of_wrapped(function)
    if carrying is None and carried_values(vars(function)["__wrapped__"]):
        raise not_captured()
    return Nothing() if carrying is None else Group(((carrying, own),))


def prepare_item(value: Any, index: Any) -> Prepared:
    """`value[index]`."""
    rules.load()
    value = shown(value)
    if isinstance(value, np.generic):
        return primitive(methods.part_of_number, (value, index), {}, COPYING)
    if isinstance(value, tuple) and (_is_record(value) or not hasattr(type(value), "_fields")):
        value = (*tuple.__iter__(value),)  # of whatever class without a method for its items
    where: core.Index = core.Var("index")
    index = plain_number(index) if isinstance(value, list | tuple) else index
    if isinstance(value, list | tuple) and type(index) is slice:
        where = core.Slice(*(core.Const(bound) for bound in (index.start, index.stop, index.step)))
    elif isinstance(value, tuple) and type(index) is int:
        where = core.Const(index)
    op = core.GetItem(core.Var("value"), where)
    return on_data(
        primitive_unit(("item", where), "item", ("value", "index"), op, {}), [value, index], COPYING
    )


def _is_record(value: Any) -> bool:
    """Whether a value is a named tuple. (All of one length share their pairs: a program may make a class at
    each call.)"""
    return isinstance(value, tuple) and is_record_class(type(value))


def _is_unheard_of(cls: type, name: str) -> bool:
    """Whether a class has no attribute of a name, and none that gives all."""
    return in_class(cls, name, None) is None and in_class(cls, "__getattr__", None) is None


WITHOUT_FIELDS = frozenset({list, tuple, dict, int, float, complex, np.ndarray})
"""Types whose values have the attributes of their class, and no others."""


def prepare_attribute(value: Any, name: str) -> Prepared:
    """`value.name`; the callee's slot is the object's."""
    rules.load()
    if type(value) in WITHOUT_FIELDS or (_is_record(value) and _is_unheard_of(type(value), name)):
        getattr(value, name)  # raises what Python raises where there is none
    if isinstance(value, tuple) and name in own_fields(value):
        check_beside_items(value)
    if _is_record(value) and name in value._fields:
        read = prepare_item(value, value._fields.index(name))
        return replace(read, layout=Layout(read.layout.arguments[0], ()))
    _refuse_what_is_kept_or_intercepted(value, name)
    if is_past_call(value, name):
        return _prepare_part(value, name)
    ruled = custom.of_attribute(type(value), name)
    if ruled is None and (getter := getter_of(value, name)) is not None:
        return _given_by(getter)
    reader = _reader(value, name)
    if ruled is not None:
        prepared = python_function(ruled.stand_in, (value,), {}, COPYING)
    elif reader is read_method or not (is_data(kind_of(value)) or hasattr(type(value), "_fields")):
        prepared = primitive(reader, (value, name), {}, COPYING)
    else:
        op = core.GetAttr(core.Var("value"), name)
        prepared = on_data(primitive_unit(("attribute", name), name, ("value",), op, {}), [value], COPYING)
    return replace(prepared, layout=Layout(prepared.layout.arguments[0], ()))


def _refuse_what_is_kept_or_intercepted(value: Any, name: str) -> None:
    if isinstance(in_class(type(value), "__getattribute__", None), types.FunctionType):
        raise intercepted(type(value))
    if is_cached(value, name):
        raise kept_unseen(value, name)


def _prepare_part(function: Any, name: str) -> Prepared:
    """What a function carries, read past it: the function that it wraps, or is a partial call of."""
    give: Any = itself
    prepared = python_function(give, (getattr(function, name),), {}, COPYING)
    own = prepared.layout.arguments[0]
    if name == "__wrapped__" and isinstance(function, types.FunctionType):
        return replace(prepared, layout=Layout(of_wrapped(function, own), ()))
    if name == "func" and isinstance(function, functools.partial):
        return replace(prepared, layout=Layout(Group(((FUNCTION, own),)), ()))
    raise read_past(name)


def is_past_call(function: Any, name: str) -> bool:
    """Whether something that a function carries is called past it."""
    return isinstance(function, types.FunctionType | functools.partial) and name in CARRIED


METHODS = (types.FunctionType, *DESCRIPTORS)
"""The types of what is in a class, and bound to an object when it is read there."""


def _reader(value: Any, name: str) -> Any:
    """The primitive that reads an attribute: the gradient of a bound method is its object's."""
    found = in_class(type(value), name, None)
    bound = isinstance(found, METHODS) and name not in own_fields(value)
    return read_method if bound else read_attribute


def _given_by(getter: Getter) -> Prepared:
    """An attribute that a function gives."""
    if not isinstance(getter.function, types.FunctionType):
        raise missing_rule(getter.function)
    prepared = python_function(getter.function, getter.args, {}, COPYING)
    return replace(prepared, layout=Layout(prepared.layout.arguments[getter.place], ()))
