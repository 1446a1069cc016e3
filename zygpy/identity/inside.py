"""The doors by identity inside of gradients that are differentiated once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import CO_GENERATOR
from types import FunctionType
from typing import Any

from zygpy import derivation, dispatch, nested_identity
from zygpy.analyse.machinery import is_tool
from zygpy.derivation import no_rule_on
from zygpy.errors import missing_rule
from zygpy.identity.calls import (
    attempted,
    call,
    call_with_constants,
    called,
    guarded,
    is_foreign,
    is_plain_data,
    is_stored,
    is_unseen,
    made_by,
    made_caught,
    made_caught_step,
    made_step,
    untouched,
)
from zygpy.identity.generators import Suspended, suspended, traits_of
from zygpy.ir.classes import is_generated
from zygpy.ir.kinds import is_number, kind_of
from zygpy.layout import Group, Layout, Nothing, Part, Row
from zygpy.prepared import Prepared
from zygpy.rules import declare
from zygpy.runtime.callables import called_as_it_stands
from zygpy.runtime.places import Ignored
from zygpy.runtime.ways import Way


def _goes_directly(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether no attempt has to be asked about a callable."""
    given = (*args, *kwargs.values())
    if isinstance(function, FunctionType):
        plain = not function.__code__.co_flags & CO_GENERATOR
        return plain and (is_generated(function) or not (function.__module__ or "").startswith("zygpy."))
    ruled = declare.find(function) is not None and not isinstance(function, type)
    return ruled and all(is_number(value) for value in given)


def call_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """A call through this door that is differentiated itself."""
    inner, function, *rest = args
    if _goes_directly(function, tuple(rest), kwargs):
        prepared = guarded(inner, lambda inner: dispatch.prepare(function, tuple(rest), kwargs, inner))
        if prepared is not None:
            slots = (Nothing(), prepared.layout.own, *prepared.layout.arguments)
            return nested_identity.shared(prepared, slots, way)
    if is_tool(function):
        return _derived(answered, (inner, function, *rest), kwargs, way)
    return _derived(attempted, (inner, function, *rest), kwargs, way)


def _derived(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """The call of a function in Python that does what a door does."""
    prepared = dispatch.prepare(function, args, kwargs, way)
    if prepared is None:
        raise missing_rule(function)
    return replace(prepared, layout=Layout(Nothing(), prepared.layout.arguments))


def answered(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A call through which no gradient goes."""
    return function(*args, **kwargs), Ignored(1 + len(args) + len(kwargs))


def answered_with_constants(way: Way, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A call of what is not written in Python, and is given nothing that has a gradient."""
    return called_as_it_stands(function, args, kwargs), Ignored(1 + len(args) + len(kwargs))


def constants_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """A call through the door for what has nothing with a gradient that is differentiated itself."""
    function, rest = args[1], args[2:]
    if is_foreign(function) and all(map(is_plain_data, (*rest, *kwargs.values()))):
        return _derived(answered_with_constants, args, kwargs, way)
    return call_inside(args, kwargs, way)


def without_path(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of what has neither rule nor source."""
    return untouched(function, args, kwargs)


def called_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """The same of what no attempt has known."""
    inner, function, rest, named = args
    prepared = guarded(inner, lambda inner: dispatch.prepare(function, tuple(rest), named, inner))
    if prepared is None:
        return _derived(without_path, args, {}, way)
    if prepared.pair.identity and prepared.pair.primitive and not is_stored(function, tuple(rest), named):
        function(*rest, **named)
        raise no_rule_on(
            getattr(function, "__name__", "primitive"), [kind_of(v) for v in (*rest, *named.values())]
        )
    return nested_identity.shared(prepared, _in_rows(prepared.layout, len(rest), named), way)


def made_by_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """What one of the ways of preparing gives."""
    _, preparing, *rest = args
    prepared = preparing(*rest, **kwargs)
    own, given = prepared.layout.own, prepared.layout.arguments
    owns = () if preparing is dispatch.prepare_item else (own, Nothing())
    return nested_identity.shared(prepared, (Nothing(), Nothing(), *owns, *given), way)


def step_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """A step of an iterator."""
    return _step_inside(dispatch.prepare_step, args, way)


def caught_step_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """The same with its exception as a value."""
    return _step_inside(dispatch.prepare_caught_step, args, way)


def _step_inside(prepare: Callable[..., Prepared], args: tuple[Any, ...], way: Way) -> Prepared:
    inner, method, iterator = args
    prepared = guarded(inner, lambda inner: prepare(method, iterator, inner))
    return nested_identity.shared(prepared, (Nothing(), prepared.layout.own, *prepared.layout.arguments), way)


def caught_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """A call that gives its exception as a value."""
    inner, function, rest, named = args
    prepared = guarded(inner, lambda inner: dispatch.prepare_caught(function, rest, named, inner))
    return nested_identity.shared(prepared, _in_rows(prepared.layout, len(rest), named), way)


def suspended_inside(args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    """The call of a generator function."""
    inner, function, rest, named = args
    prepared = guarded(inner, lambda inner: dispatch.prepare_generator(function, rest, named, inner))
    if is_unseen(prepared, inner):
        raise dispatch.unseen_write(prepared)
    return nested_identity.suspended(
        prepared, traits_of(function), Suspended, _in_rows(prepared.layout, len(rest), named), way
    )


def _in_rows(layout: Layout, count: int, named: Mapping[str, Any]) -> tuple[Part, ...]:
    """Where the cotangents of a door's arguments are: the way, the callee, a tuple and a dict."""
    given = layout.arguments
    keywords = Group(tuple(zip(named, given[count:], strict=True)))
    return (Nothing(), layout.own, Row(given[:count]), keywords)


def register() -> None:
    """Let generated code find what the doors do when it is differentiated once more."""
    found = {
        call: call_inside,
        call_with_constants: constants_inside,
        called: called_inside,
        made_by: made_by_inside,
        made_step: step_inside,
        made_caught_step: caught_step_inside,
        made_caught: caught_inside,
        suspended: suspended_inside,
    }
    dispatch.SPECIAL.update(found)
    derivation.OPAQUE.update(found)
