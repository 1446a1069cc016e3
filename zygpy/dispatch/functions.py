"""Calls of functions whose source can be had: arguments in canonical order, and the pair for them."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

from zygpy import derivation, rules, units
from zygpy.errors import (
    MissingRuleError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
    dotted_name,
    missing_rule,
)
from zygpy.ir import core
from zygpy.ir.classes import carries_values
from zygpy.ir.kinds import kind_of
from zygpy.layout import of_call, plain
from zygpy.pipeline import pair_for, values_of
from zygpy.prepared import Prepared
from zygpy.rules import custom
from zygpy.runtime.ways import Way
from zygpy.units import Unit, unit_of


def python_function(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    unit = _unit(function, args, kwargs)
    if unit.program.generator:
        raise UnsupportedSyntaxError(
            f"the generator function '{function.__name__}' is called by a name that was not known when the "
            "caller was derived, or by none.",
            why="its body runs when the items are asked for, which the caller's adjoint has to mirror",
            instead="call it by its own name, in a function that takes its items",
        )
    return _of_unit(unit, function, args, kwargs, way)


def prepare_generator(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    """The call of a generator function, whose forward and adjoint are generators."""
    rules.load()
    return _of_unit(_unit(function, args, kwargs), function, args, kwargs, way)


def prepare_caught(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    """The call of a Python function that gives its exception as a value."""
    unit = units.catching_unit(_unit(function, args, kwargs))
    return _of_unit(unit, function, args, kwargs, way)


def _of_unit(
    unit: Unit, function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way
) -> Prepared:
    params = unit.program.params
    given = units.captured_values(unit, function)
    names = params.positional_only + params.positional
    if kwargs or params.vararg or params.kwarg or params.keyword_only or len(args) != len(names):
        arranged = _arrange(function, params, args, kwargs)
        layout = of_call(unit.captured, params, len(args), kwargs, defaults=carries_values(function))
    else:
        arranged = list(args)
        layout = plain(unit.captured, len(args))
    values = given + arranged
    return Prepared(pair_for(unit, values, function, way), values, layout)


def prepare_step(function: types.FunctionType, receiver: Any, way: Way) -> Prepared:
    """A call of `__next__` that returns whether there is an item, and the item."""
    rules.load()
    return _step(units.step_unit(function), function, receiver, way)


def prepare_caught_step(function: types.FunctionType, receiver: Any, way: Way) -> Prepared:
    """The same with its exception as a value."""
    rules.load()
    return _step(units.catching_unit(units.step_unit(function)), function, receiver, way)


def _step(unit: Unit, function: types.FunctionType, receiver: Any, way: Way) -> Prepared:
    values = [*units.captured_values(unit, function), receiver]
    return Prepared(pair_for(unit, values, function, way), values, plain(unit.captured, 1))


def _unit(function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Unit:
    try:
        return unit_of(function)
    except SourceNotFoundError as error:
        if any(value.active for value in values_of([kind_of(value) for value in (*args, *kwargs.values())])):
            raise
        raise missing_rule(function) from error


def _arrange(
    function: types.FunctionType, params: core.Params, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> list[Any]:
    """The arguments in canonical order, defaults filled in."""
    names = params.positional_only + params.positional
    defaults = derivation.defaults_of(function, params)
    keywords = dict(kwargs)
    values: dict[str, Any] = dict(zip(names, args, strict=False))
    for name in names[len(args) :] + params.keyword_only:
        if name in keywords and name not in params.positional_only:
            values[name] = keywords.pop(name)
        elif name in defaults:
            values[name] = defaults[name]
    if params.vararg:
        values[params.vararg] = args[len(names) :]
    if params.kwarg:
        values[params.kwarg] = keywords
    misfit = len(values) != len(params.names) or (keywords and not params.kwarg)
    twice = set(keywords) & set(names[: len(args)]).difference(params.positional_only)
    if misfit or (len(args) > len(names) and not params.vararg) or twice:
        _raise_misfit(function, args, kwargs)
    return [values[name] for name in params.names]


def _raise_misfit(function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """The arguments do not fit: raise Python's own TypeError."""
    ruled = getattr(function, custom.RULE, None)
    if ruled is not None:
        raise MissingRuleError(
            f"the rule for '{dotted_name(ruled.target)}' does not take the arguments of a call",
            ruled.place,
            why="a rule is given the arguments as they stand in the call",
            instead="give it the parameters that are missing, or let it take **keywords",
        )
    function(*args, **kwargs)
    raise TypeError(f"the arguments do not fit {function.__name__}()")
