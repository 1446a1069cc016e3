"""Calls of what has a rule, or a program that stands for it."""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping, Sequence
from typing import Any

from zygpy.analyse.array_writes import writes_argument
from zygpy.analyse.containers import is_record
from zygpy.analyse.replaced import program_at_once
from zygpy.errors import MissingRuleError
from zygpy.ir import core
from zygpy.ir.kinds import (
    Dict,
    Iterator,
    Kind,
    List,
    Object,
    Row,
    Text,
    Tuple,
    is_numeric,
    kind_of,
    may_be_anything,
)
from zygpy.layout import plain
from zygpy.pipeline import pair_for
from zygpy.prepared import Prepared
from zygpy.rules import declare
from zygpy.runtime.operations import BINARY, UNARY
from zygpy.runtime.ways import Way
from zygpy.units import Unit, primitive_unit


def has_program(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a program stands for a builtin on such arguments, or it makes a known container."""
    if function is functools.partial or (isinstance(function, type) and is_record(function)):
        return True
    return program_for(function, args, kwargs) is not None


def program_for(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> types.FunctionType | None:
    """The program that stands for a builtin on such arguments."""
    return program_at_once(function, map(_kind_with_objects, args), kwargs)


def _kind_with_objects(value: Any) -> Kind:
    """The kind of an argument; of a list of objects of several classes, and whatever else, that of one of
    these objects."""
    kind = kind_of(value)
    if not isinstance(kind, List) or not may_be_anything(kind.element):
        return kind
    found = (item for item in map(kind_of, value) if isinstance(item, Object))
    return List(next(found, kind.element))


def has_own_way(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a callable has a rule, or a program that stands for it."""
    return has_rule(function) or has_program(function, args, kwargs)


def has_rule(function: Any) -> bool:
    return declare.find(function) is not None or function is list or function is tuple


def unit_of_primitive(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Unit:
    """The unit of a call of a function that has a rule."""
    name = _identifier(getattr(function, "__name__", "primitive"))
    symbol = SYMBOLS.get(function)
    op: core.Op
    if symbol is not None and not kwargs and len(args) == 2:
        params: tuple[str, ...] = ("a", "b")
        op = core.Binary(symbol, core.Var("a"), core.Var("b"))
    else:
        params = parameters(len(args), kwargs)
        positional = tuple(core.Var(param) for param in params[: len(args)])
        named = tuple(core.Keyword(key, core.Var(key)) for key in kwargs)
        op = core.Call(core.Path((name,)), positional, named)
    writes = isinstance(op, core.Call) and writes_argument(function, op.args, op.keywords)
    return primitive_unit(("call", id(function), params), name, params, op, {name: function}, writes=writes)


def primitive(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared:
    unit = unit_of_primitive(function, args, kwargs)
    try:
        return on_data(unit, [*args, *kwargs.values()], way)
    except MissingRuleError:
        if function in OPERATORS:
            function(*args)  # which raises what it raises for such operands, if it does
        raise


OPERATORS = frozenset((*BINARY.values(), *UNARY.values()))


def on_data(unit: Unit, values: list[Any], way: Way) -> Prepared:
    return Prepared(pair_for(unit, values, None, way), values, plain((), len(values)))


SYMBOLS: Mapping[Any, str] = {function: symbol for symbol, function in BINARY.items()}


def parameters(count: int, kwargs: Mapping[str, Any]) -> tuple[str, ...]:
    return (*(f"a{position}" for position in range(count)), *kwargs)


def _identifier(name: str) -> str:
    return name if name.isidentifier() else "primitive"


def is_data(kind: Kind) -> bool:
    plain_tuple = isinstance(kind, Tuple) and kind.cls is None
    return plain_tuple or is_numeric(kind) or isinstance(kind, List | Row | Dict | Text | Iterator)
