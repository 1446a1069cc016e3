"""Writes to values of any kind: augmented assignments, stores of items, methods that change values."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

import numpy as np

from zygpy import derivation, rules
from zygpy.dispatch.callables import prepared_call
from zygpy.dispatch.primitives import on_data, parameters
from zygpy.dispatch.refusals import unseen_write
from zygpy.errors import UnsupportedSyntaxError
from zygpy.ir import core
from zygpy.ir.kinds import is_number, is_numeric, kind_of
from zygpy.layout import Layout
from zygpy.prepared import Prepared
from zygpy.runtime.lookup import in_class
from zygpy.runtime.operations import BINARY
from zygpy.runtime.ways import COPYING
from zygpy.units import primitive_unit


def prepare_augment(symbol: str, value: Any, added: Any) -> Prepared:
    """`value op= added`: the new value, which may be the same object."""
    method = in_class(type(value), f"__i{BINARY[symbol].__name__.strip('_')}__", None)
    if method is None and not is_number(value):
        return prepared_call(BINARY[symbol], value, added)
    if isinstance(method, types.FunctionType):
        return _augmented_by_method(method, value, added)
    write = core.AugmentName("a", symbol, core.Var("v"), HERE)
    return _write(("augment", symbol), "augment", ("a", "v"), (write,), [value, added])


def _augmented_by_method(method: types.FunctionType, value: Any, added: Any) -> Prepared:
    """`value op= added` where its class has a method for that, which may change nothing but the value."""
    prepared = prepared_call(method, value, added)
    if prepared.pair.changes and prepared.pair.changes != prepared.pair.program.params.names[:1]:
        raise unseen_write(prepared)

    def result(y: Any) -> Any:
        if y is NotImplemented or (y is added and not isinstance(y, float | int | complex | np.generic)):
            raise UnsupportedSyntaxError(
                f"'{method.__name__}' gives {'nothing' if y is NotImplemented else 'what it was given'}.",
                why="the caller was derived when it was not known that this might be called",
                instead="let it change the object and return it",
            )
        return y

    return replace(prepared, finish=lambda y: result(prepared.finish(y)))


def prepare_set_item(value: Any, index: Any, stored: Any) -> Prepared:
    """`value[index] = stored`: the container itself."""
    if not hasattr(type(value), "__setitem__"):
        value[index] = stored  # which raises what Python raises
    write = core.SetItem(core.Var("a"), core.Var("i"), core.Var("v"), HERE)
    return _write(("set item",), "set_item", ("a", "i", "v"), (write,), [value, index, stored])


def prepare_update(value: Any, name: str, /, *args: Any) -> Prepared:
    """`value.name(*args)` where that changes the value: (the value itself, what the method returns)."""
    params = ("a", *parameters(len(args), {}))
    positional = tuple(core.Var(param) for param in params[1:])
    steps = (
        core.Assign("result", core.CallMethod(core.Var("a"), name, positional), HERE),
        core.Assign("both", core.Display("tuple", (core.Var("a"), core.Var("result"))), HERE),
    )
    prepared = _write(("update", name, params), name, params, steps, [value, *args], "both")
    first, *rest = prepared.layout.arguments
    return replace(prepared, layout=Layout(first, tuple(rest)))


def prepare_augment_item(symbol: str, value: Any, index: Any, added: Any) -> Prepared:
    """`value[index] op= added`: the container itself."""
    a, i, v, item = core.Var("a"), core.Var("i"), core.Var("v"), core.Var("item")
    params = ("a", "i", "v")
    if isinstance(value, np.ndarray):
        write = core.AugmentItem(a, i, symbol, v, HERE)
        return _write(("augment item", symbol), "augment_item", params, (write,), [value, index, added])
    steps = (
        core.Assign("item", core.GetItem(a, i), HERE),
        core.AugmentName("item", symbol, v, HERE),
        core.SetItem(a, i, item, HERE),
    )
    return _write(("augment entry", symbol), "augment_entry", params, steps, [value, index, added])


HERE = core.Loc(1, 0)


def _write(
    key: tuple[Any, ...],
    name: str,
    params: tuple[str, ...],
    steps: core.Block,
    values: list[Any],
    result: str = "a",
) -> Prepared:
    rules.load()
    if isinstance(values[0], np.ndarray) and not is_numeric(kind_of(values[0])):
        raise derivation.no_rule_on(name, [kind_of(values[0])])
    unit = primitive_unit(key, name, params, core.Copy(core.Var("a")), {})
    unit.given = core.Function(name, core.Params(params), (*steps, core.Return(core.Var(result), HERE)))
    return on_data(unit, values, COPYING)
