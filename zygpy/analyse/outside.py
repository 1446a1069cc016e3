"""Kinds of what is found by names: it is as it is now, as long as guards tell so when the program is run, and
nobody changes it meanwhile."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from zygpy.analyse import fields
from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Resolved
from zygpy.analyse.run import Run
from zygpy.codes import own_name
from zygpy.ir.kinds import (
    CLOSURE,
    Dict,
    Kind,
    Known,
    List,
    LocalFunction,
    Object,
    Tuple,
    carrying,
    is_empty,
    kind_of,
    with_any_content,
)
from zygpy.runtime.cells import content
from zygpy.runtime.partials import RECEIVER, position


def kind_outside(run: Run, kind: Kind) -> Kind:
    """The kind of what is read from outside of the program. What lists and dicts hold, or will hold when they
    are empty now, is known as long as nobody changes them while the program runs."""
    anything = with_any_content(kind)
    if run.facts.way.changing or is_empty(kind):
        return anything
    run.facts.trusts = run.facts.trusts or anything != kind
    return kind


def kind_of_objects_outside(run: Run, found: Resolved) -> Kind | None:
    """The kind of an object, or of what holds some, with what is known of their fields, as long as nobody
    changes these while the program runs; None of anything else."""
    if not found.guards:
        return None
    last = found.guards[-1]
    return _with_fields(run, Guard(last.owner, last.name), found.value)


def _trusts(run: Run) -> bool:
    """Whether a program may count on what it finds that can be changed."""
    return not (run.facts.way.changing or run.facts.way.everywhere or run.is_own())


def _with_fields(run: Run, where: Guard, value: Any) -> Kind | None:
    """The kind of an object, or of what holds some, that is found somewhere; None of anything else."""
    known = kind_of(value)
    if not isinstance(known, Object | List | Dict | Tuple) or not _trusts(run):
        return None
    kind = fields.kind_outside(value)
    if kind == known:
        return None
    run.note(replace(where, kind=kind, deep=True))
    run.facts.trusted.add(kind)
    return kind_outside(run, kind)


def kind_of_function_outside(run: Run, function: Any) -> LocalFunction | None:
    """The kind of a function that carries something, with what is known of that; None of anything else, and
    where what it carries may be changed."""
    kind = fields.kind_of_function(function)
    if not isinstance(kind, LocalFunction) or "__class__" in dict(kind.captured):
        return None
    if "cell_contents" in run.scope.replaced:  # it may carry something else when it is called
        return None
    if not fields.is_still(kind) and (run.facts.way.everywhere or run.is_own()):
        return None
    own = own_name(kind.function)
    held = dict(_held(run, function, own))
    return carrying(
        kind.function, tuple([(name, held[name]) for name, _ in kind.captured]), partial=kind.partial
    )


def calls_functions_alone(kind: LocalFunction) -> bool:
    """Whether what a function has captured is data, or functions: nothing whose attributes it may call."""
    things = [item.value for name, item in kind.captured if isinstance(item, Known) and name != RECEIVER]
    return all(isinstance(thing, FunctionType | BuiltinFunctionType) for thing in things)


def _held(run: Run, function: Any, own: str | None = None) -> Iterator[tuple[str, Kind]]:
    """The kinds of what a function carries, by name: it may be set from outside. By its `own` name it has
    itself."""
    if isinstance(function, functools.partial):
        known = _kind_held(run, Guard(function, "args"), function.args)
        for place, kind in enumerate(known.items if isinstance(known, Tuple) else ()):
            yield position(place), kind_of_function_outside(run, function.args[place]) or kind
        for name, value in function.keywords.items():
            yield name, _kind_held(run, Guard(function.keywords, name), value)
    elif isinstance(function, MethodType):
        yield RECEIVER, _kind_held(run, Guard(function, RECEIVER), function.__self__)
        yield from _held(run, function.__func__)
    else:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            where = Guard(cell, "cell_contents")
            if name == own:
                run.note(replace(where, value=function))
            yield name, CLOSURE if name == own else _kind_held(run, where, content(cell))


def _kind_held(run: Run, where: Guard, value: Any) -> Kind:
    """The kind of what is held somewhere, on condition that it is still there."""
    if isinstance(value, fields.FUNCTIONS):
        run.note(replace(where, value=value))
        return kind_of_function_outside(run, value) or kind_of(value)
    known = _with_fields(run, where, value)
    if known is not None:
        return known
    run.note(replace(where, kind=kind_of(value)))
    return kind_outside(run, kind_of(value))
