"""Any callable: the pair of what it does, and where the cotangents of what it carries are."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from zygpy import nested, rules
from zygpy.analyse.containers import is_record
from zygpy.analyse.replaced import BY_CODE
from zygpy.dispatch import under_caches
from zygpy.dispatch.functions import python_function
from zygpy.dispatch.parts import of_wrapped, prepare_attribute
from zygpy.dispatch.primitives import (
    has_program,
    has_rule,
    is_data,
    on_data,
    parameters,
    primitive,
    program_for,
)
from zygpy.errors import MissingRuleError, missing_rule
from zygpy.ir import core
from zygpy.ir.kinds import carries_gradient, is_number, kind_of
from zygpy.layout import Group, Layout, Nothing, Part, Row
from zygpy.prepared import Prepared, Pullback
from zygpy.rules import custom, declare
from zygpy.runtime.asked_again import under_cache
from zygpy.runtime.draw_programs import is_drawing, program_of_draw
from zygpy.runtime.given import hold_numbers
from zygpy.runtime.instances import the_same
from zygpy.runtime.kept_results import is_looked_up
from zygpy.runtime.lookup import in_class
from zygpy.runtime.named_tuples import in_a_row
from zygpy.runtime.partials import CACHED, FUNCTION, is_generic, position
from zygpy.runtime.reads import reads_data
from zygpy.runtime.shown import shown
from zygpy.runtime.special_methods import DESCRIPTORS, is_method_of, operator_for
from zygpy.runtime.standard_library import GETTERS, as_function
from zygpy.runtime.ways import COPYING, Way
from zygpy.runtime.without_derivative import stands_as_it_is
from zygpy.units import primitive_unit

Special: TypeAlias = "Callable[..., Prepared]"

SPECIAL: dict[Any, Special] = {}
"""Functions with a way of their own through the door, such as the entry points: (args, kwargs,
way) -> the call of a function that does the same and can be derived."""


def prepare(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """Find the pair of a callee for these arguments; None where there is neither rule nor source."""
    rules.load()
    ruled = _by_custom_rule(function, args, kwargs, way) if custom.is_ruled(function) else None
    return _prepare(function, args, kwargs, way) if ruled is None else ruled


def _prepare(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """The same of what no user has declared a rule for."""
    function = the_same(function)
    if way.identity:
        program = program_for(function, args, kwargs)
        if program is not None:
            return python_function(program, args, kwargs, way)
    if is_generic(function) and args:
        return prepare(function.dispatch(type(args[0])), args, kwargs, way)
    if type(function) is types.FunctionType:
        function = BY_CODE.get(function.__code__, function)
        special = SPECIAL.get(function)
        if special is not None:
            return special(args, kwargs, way)
        if has_program(function, args, kwargs):
            return _by_program(function, args, kwargs, way)
        if declare.find(function) is None:
            return python_function(function, args, kwargs, way)
    return (_draw if is_drawing(function) else _other)(function, args, kwargs, way)


def _by_program(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    """The pair of a function for which a program stands; of the program itself where that calls what is known
    only then, such as a function that it is given."""
    try:
        return primitive(function, args, kwargs, way)
    except MissingRuleError:
        program = program_for(function, args, kwargs)
        if program is None:
            raise
        return python_function(program, args, kwargs, way)


def _by_custom_rule(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """A call for which a user has declared how it is differentiated; None for any other."""
    if id(function) not in custom.RULES:
        return None  # a bound method, of which its function is asked
    classes = [(type(value),) for value in args], {name: (type(value),) for name, value in kwargs.items()}
    found = custom.chosen(function, *classes)
    if found is not None and found.receives:
        return _callable_object(found.stand_in, function, args, kwargs, way)
    if found is not None:
        return python_function(found.stand_in, args, kwargs, way)
    if not custom.is_opted_out(function, *classes):
        return None
    if type(function) is types.FunctionType:
        return python_function(function, args, kwargs, way)
    raise missing_rule(function, why="its rules are not to be used for arguments of these classes")


def is_special(function: types.FunctionType) -> bool:
    return function in SPECIAL or function in declare.REGISTRY or id(function) in custom.RULES


def _cached(cache: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """A call of a function under a cache, which is not asked if anything may have a gradient: the function
    may change nothing."""
    function = cache.__wrapped__
    if way.everywhere and not hold_numbers((*args, *kwargs.values())) and not reads_data(function):
        return None
    stands = under_caches.standing(cache, args)
    prepared = prepare(function if stands is None else stands.function, args, kwargs, way)
    if prepared is None:
        return None
    refused = under_caches.refused_if_changing(function, prepared.pair) or under_caches.refused_if_nested(
        cache
    )
    if refused is not None:
        raise refused
    looked_up = all(map(is_looked_up, prepared.values))
    plain = prepare(function, args, kwargs, COPYING) if way.identity and looked_up else prepared
    under = under_cache(cache, len(args), kwargs)
    kept = under_caches.kept(function, plain, way, under) if plain is not None and looked_up else None
    prepared = under_caches.noted(function, prepared, under, stands) if kept is None else kept
    return under_caches.settled(function, prepared) if way.everywhere else prepared


def _other(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    if isinstance(function, types.MethodType):
        return _bound_method(function.__func__, function.__self__, args, kwargs, way)
    if isinstance(function, types.MethodWrapperType) and type(function.__self__) in CALLED_BY_NAME:
        return _called_by_name(function.__self__, args, kwargs, way) if _is_call(function) else None
    if isinstance(function, functools.partial):
        return _partial(function, args, kwargs, way)
    if isinstance(function, CACHED):
        return _cached(function, args, kwargs, way)
    if isinstance(function, Pullback):
        return nested.applied(function, args, way)
    if isinstance(function, tuple(GETTERS)) and not kwargs and len(args) == 1:
        return _call_of_getter(function, args[0], way)
    if has_rule(function) or has_program(function, args, kwargs):
        made = _record(function, args, kwargs, way)
        return primitive(function, args, kwargs, way) if made is None else made
    return _method_or_object(function, args, kwargs, way)


def _record(cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """`cls(...)` for a class of named tuples, which shares its pair with all others: a program may make a
    class at each call. None for any other class, and where the arguments do not fit."""
    if not (isinstance(cls, type) and is_record(cls)):
        return None
    fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    names = (*fields[: len(args)], *kwargs)
    given = {**cls._field_defaults, **dict(zip(names, (*args, *kwargs.values()), strict=False))}  # type: ignore[attr-defined]
    if len(args) > len(fields) or len({*names}) < len(names) or given.keys() != {*fields}:
        return None
    program: Any = in_a_row
    made = python_function(program, tuple([given[name] for name in fields]), {}, way)
    places = [made.layout.arguments[fields.index(name)] for name in names]
    return replace(made, layout=replace(made.layout, arguments=tuple(places)), finish=lambda row: cls(*row))


def _draw(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """A method of a source of random numbers, for which there may be a program."""
    program = program_of_draw(function, args, kwargs)
    return None if program is None else _bound_method(program, function.__self__, args, kwargs, way)


def _method_or_object(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """A method of a builtin type, or an object whose class can be called."""
    if _is_of_classes(function, args) or stands_as_it_is(function, args, kwargs):
        return None
    if _is_bound_to_data(function):
        return _bound_to_data(function, args, kwargs, way)
    if isinstance(function, DESCRIPTORS) and args and is_method_of(function, args[0]):
        return _data_method(args[0], function.__name__, args[1:], kwargs, way)
    if isinstance(function, np.ufunc | types.BuiltinFunctionType | type):
        return None
    call = getattr(type(function), "__call__", None)  # noqa: B004 (its code is wanted)
    if not isinstance(call, types.FunctionType) and call in declare.PROGRAMS:
        call = declare.PROGRAMS[call].program
    if isinstance(call, types.FunctionType):
        return _callable_object(call, function, args, kwargs, way)
    return None


def _bound_to_data(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """A method of a builtin type; None of an object that is no data, such as a lock, if there is no rule and
    nothing that is given may have a gradient: by identity it is then asked whether anything reaches it."""
    receiver = function.__self__
    declared = declare.PROGRAMS.get(in_class(type(receiver), function.__name__))
    if declared is not None:
        return _bound_method(declared.program, receiver, args, kwargs, way)
    try:
        return _received(_data_method(receiver, function.__name__, args, kwargs, way))
    except MissingRuleError:
        if not way.identity or is_data(kind_of(receiver)) or carry_gradients((*args, *kwargs.values())):
            raise
    return None


def carry_gradients(values: Sequence[Any]) -> bool:
    return any(carries_gradient(kind_of(value)) for value in values if not isinstance(value, type))


def _is_of_classes(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a function is the `__new__` of a builtin class, and given nothing but classes."""
    bound = isinstance(function, types.BuiltinFunctionType) and isinstance(function.__self__, type)
    return bound and function.__name__ == "__new__" and all(isinstance(arg, type) for arg in args)


def _is_bound_to_data(function: Any) -> bool:
    """Whether a callable is a method of a builtin type, bound to an object; a special one, to data."""
    if isinstance(function, types.MethodWrapperType):
        return is_data(kind_of(function.__self__))
    bound = isinstance(function, types.BuiltinFunctionType)
    return bound and not isinstance(function.__self__, types.ModuleType | None)


def _call_of_getter(function: Any, value: Any, way: Way) -> Prepared | None:
    """The call of an `operator.itemgetter` or the like."""
    made: Any = function.__reduce__() if isinstance(function, operator.attrgetter) else (None, ())
    names = made[1]
    if len(names) == 1 and is_number(value):
        return _on_receiver(prepare_attribute(value, names[0]))
    prepared = prepare(as_function(function), (value,), {}, way)
    return (
        None if prepared is None else replace(prepared, layout=Layout(Nothing(), prepared.layout.arguments))
    )


def _on_receiver(prepared: Prepared) -> Prepared:
    """The receiver's slot is that of the one argument."""
    return replace(prepared, layout=Layout(Nothing(), (prepared.layout.own,)))


def _bound_method(
    function: Any, receiver: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    prepared = prepare(function, (receiver, *args), kwargs, way)
    return None if prepared is None else _received(prepared)


CALLED_BY_NAME = (types.FunctionType, types.BuiltinFunctionType, functools.partial)
"""Classes of what may be called by its `__call__`."""


def _is_call(function: types.MethodWrapperType) -> bool:
    return function.__name__ == "__call__"


def _called_by_name(
    function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    """`function.__call__(...)`: what the function carries is carried by the object of a bound method."""
    prepared = prepare(function, args, kwargs, way)
    if prepared is None:
        return None
    own = Group((("__self__", prepared.layout.own),))
    return replace(prepared, layout=replace(prepared.layout, own=own))


def _callable_object(
    call: types.FunctionType, receiver: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    prepared = prepare(call, (receiver, *args), kwargs, way)
    if prepared is None:
        return None
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(first, tuple(rest)))


def _received(prepared: Prepared) -> Prepared:
    """The first argument is the receiver that a bound method carries."""
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(Group((("__self__", first),)), tuple(rest)))


def _partial(
    function: functools.partial[Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared | None:
    keywords = {**function.keywords, **kwargs}
    prepared = prepare(function.func, (*function.args, *args), keywords, way)
    if prepared is None:
        return None
    given, count = len(function.args), len(args)
    slots = prepared.layout.arguments
    named = dict(zip(keywords, slots[given + count :], strict=True))
    own = [(FUNCTION, prepared.layout.own)]
    own += [(position(index), slot) for index, slot in enumerate(slots[:given])]
    own += [(name, slot) for name, slot in named.items() if name not in kwargs]
    arguments = (*slots[given : given + count], *(named[name] for name in kwargs))
    return replace(prepared, layout=Layout(Group(tuple(own)), arguments))


def prepare_method(value: Any, name: str, /, *args: Any, **kwargs: Any) -> Prepared:
    """`value.name(*args, **kwargs)`; the callee's slot is the receiver's."""
    rules.load()
    value = shown(value)
    if not is_data(kind_of(value)):
        method = getattr(value, name)
        prepared = prepared_call(method, *args, **kwargs)
        return replace(prepared, layout=replace(prepared.layout, own=_receiver(prepared, value, name)))
    prepared = _data_method(value, name, args, kwargs, COPYING)
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(first, tuple(rest)))


def _receiver(prepared: Prepared, value: Any, name: str) -> Part:
    """Where the cotangent of a receiver is: of a function in one of its fields, in that field."""
    own = prepared.layout.own
    if name in getattr(type(value), "_fields", ()):
        return Row(tuple(own if field == name else Nothing() for field in value._fields))
    if isinstance(value, functools.partial) and name == "func":
        return Group(((FUNCTION, own),))
    if isinstance(value, types.FunctionType) and name == "__wrapped__":
        return of_wrapped(value, own)
    return dict(own.items).get("__self__", own) if isinstance(own, Group) else own


def _data_method(
    value: Any, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    """A method of an array, number, list, dict or string, which has no function of its own."""
    ruled = in_class(type(value), name)
    own = _by_custom_rule(ruled, (value, *args), kwargs, way) if custom.is_ruled(ruled) else None
    if own is not None:
        return own
    found = None if kwargs else operator_for(value, name, args)
    prepared = None if found is None else prepare(found, (value, *args), {}, way)
    if prepared is not None:
        return prepared
    params = ("value", *parameters(len(args), kwargs))
    positional = tuple(core.Var(param) for param in params[1 : 1 + len(args)])
    named = tuple(core.Keyword(key, core.Var(key)) for key in kwargs)
    op = core.CallMethod(core.Var("value"), name, positional, named)
    unit = primitive_unit(("method", name, params), name, params, op, {})
    return on_data(unit, [value, *args, *kwargs.values()], way)


def prepared_call(function: Any, /, *args: Any, **kwargs: Any) -> Prepared:
    """`function(*args, **kwargs)`, which must have a rule or a source."""
    prepared = prepare(function, args, kwargs, COPYING)
    if prepared is None:
        raise missing_rule(function)
    return prepared
