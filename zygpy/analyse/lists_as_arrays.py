"""Lists that meet arrays, spelled out: they are made arrays first, as NumPy does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from zygpy.analyse import transfer
from zygpy.analyse.array_writes import is_numpys
from zygpy.analyse.replaced import has_program, is_mixed
from zygpy.analyse.spelling import Spelling, called_by
from zygpy.ir import core
from zygpy.ir.kinds import (
    Array,
    Kind,
    List,
    NumpyScalar,
    Row,
    Tuple,
    may_be_object,
)
from zygpy.rules import declare

ARRAY = core.Path(("np", "array"), "helper")
ROWS = core.Path(("as_rows",), "helper")
TUPLE = core.Path(("tuple",), "builtin")
STORED_IN_ARRAY = core.Path(("check_stored",), "helper")


def is_check_of(block: list[core.Statement]) -> bool:
    """Whether a statement checks what the next one stores in an array."""
    op = block[0].op if block and isinstance(block[0], core.Assign) else None
    return isinstance(op, core.Call) and op.func == STORED_IN_ARRAY


def _is_of_arrays(kind: Kind) -> bool:
    """Whether a list or tuple has arrays in it, or lists and tuples of whatever sort."""
    items = kind.items if isinstance(kind, Tuple) and kind.cls is None else ()
    inner = (kind.element,) if isinstance(kind, List | Row) else items
    return any(isinstance(item, Array | List | Tuple | Row) for item in inner)


def _meets(symbol: str, kind: Kind, other: Kind) -> bool:
    """Whether an operator makes an array of a list because of its other operand. (The product of a list and
    a scalar of NumPy is what it is with a number of Python.)"""
    scalar = isinstance(kind, NumpyScalar) and symbol not in ("*", "=")
    return (scalar or isinstance(kind, Array)) and isinstance(other, List | Tuple | Row)


def _takes_numbers(callee: Any, count: int) -> bool:
    """Whether a function of so many arguments takes a named tuple for the numbers that are in it. (One of
    several is what `max` gives.)"""
    if callee in (max, min):
        return count == 1
    return callee is sum or is_numpys(callee) or getattr(callee, "__module__", None) == "math"


def with_arrays(s: Spelling, statement: core.Statement) -> tuple[list[core.Statement], core.Statement]:
    """A statement in which a list that meets an array is made one first, as NumPy does."""
    match statement:
        case core.Assign(op=core.Binary(symbol, left, right)):
            before, left, right = _as_arrays(s, statement, symbol, left, right)
            return before, replace(statement, op=core.Binary(symbol, left, right)) if before else statement
        case core.AugmentName(target, symbol, value):
            before, value = _as_array(s, statement, symbol, core.Var(target), value)
            return before, replace(statement, value=value) if before else statement
        case core.AugmentItem(target, _, _, value) | core.SetItem(target, _, value):
            before, value = _as_array(s, statement, "=", target, value)
            return before, replace(statement, value=value) if before else statement
        case core.Assign(op=core.Call() as op):
            made = _rows_as_arrays(s, statement, op) | _named_as_plain(s, statement, op)
            given = tuple(core.Var(made[arg].target) if arg in made else arg for arg in op.args)
            return [*made.values()], replace(
                statement, op=core.Call(op.func, given, op.keywords)
            ) if made else statement
    return [], statement


def _rows_as_arrays(
    s: Spelling, statement: core.Assign, op: core.Call
) -> dict[core.Atom | core.Star, core.Assign]:
    """What makes arrays of rows that a function of NumPy is given which has a rule about arrays: of rows
    of several sorts, and for an elementwise one of any."""
    given = [(arg, kind) for arg in op.args if (kind := _kind_of_rows(s, statement, arg)) is not None]
    callee = called_by(s, statement) if given else None
    rule = declare.find(callee) if is_numpys(callee) else None
    if rule is None or rule.style == "none" or has_program(callee) or callee in TAKING_ARRAYS:
        return {}
    made = {arg: _array_of(s, statement, arg, ROWS) for arg, kind in given if is_mixed(kind)}
    if rule.style == "elementwise":
        made |= {arg: _array_of(s, statement, arg) for arg, _ in given if arg not in made}
    return made


def _named_as_plain(
    s: Spelling, statement: core.Assign, op: core.Call
) -> dict[core.Atom | core.Star, core.Assign]:
    """What makes plain tuples of the named ones that a function is given whose rule is about numbers."""
    given = [arg for arg in op.args if isinstance(arg, core.Var) and _is_named(s, statement, arg)]
    callee = called_by(s, statement) if given else None
    rule = declare.find(callee) if given else None
    if rule is None or rule.style == "none" or not _takes_numbers(callee, len(op.args)):
        return {}
    taken = op.args[:1] if callee is sum else op.args
    return {arg: _array_of(s, statement, arg, TUPLE) for arg in given if arg in taken}


def _is_named(s: Spelling, statement: core.Assign, arg: core.Var) -> bool:
    value = s.facts.value(statement, arg)
    return value.active and isinstance(value.kind, Tuple) and value.kind.cls is not None


def _kind_of_rows(s: Spelling, statement: core.Assign, arg: core.Atom | core.Star) -> Kind | None:
    if isinstance(arg, core.Star):
        return None
    value = s.facts.value(statement, arg)
    return value.kind if value.active and (is_mixed(value.kind) or _is_of_arrays(value.kind)) else None


def _as_arrays(
    s: Spelling, statement: core.Statement, symbol: str, left: core.Atom, right: core.Atom
) -> tuple[list[core.Statement], core.Atom, core.Atom]:
    """Two operands, and what makes an array of the one that is a list."""
    before, right = _as_array(s, statement, symbol, left, right)
    if before:
        return before, left, right
    before, left = _as_array(s, statement, symbol, right, left)
    return before, left, right


def _as_array(
    s: Spelling, statement: core.Statement, symbol: str, array: core.Atom, other: core.Atom
) -> tuple[list[core.Statement], core.Atom]:
    """What meets an array, and what makes an array of it if it is a list."""
    first, second = s.facts.value(statement, array), s.facts.value(statement, other)
    if not (first.active or second.active) or not _meets(symbol, first.kind, second.kind):
        return [], other
    made = _array_of(s, statement, other)
    return [made], core.Var(made.target)


def _array_of(
    s: Spelling, statement: core.Statement, atom: core.Atom | core.Star, maker: core.Path = ARRAY
) -> core.Assign:
    made = core.Assign(s.names.temporary(), core.Call(maker, (atom,)), statement.loc)
    s.found.append(made)
    return made


def stores_unknown(s: Spelling, statement: core.Statement) -> bool:
    """Whether what is stored in an array of numbers may be an object, of which NumPy makes them."""
    if not isinstance(statement, core.SetItem) or not isinstance(statement.value, core.Var):
        return False
    stored = s.facts.value(statement, statement.value)
    parts = transfer.element(stored.kind) if isinstance(stored.kind, List | Tuple | Row) else stored.kind
    target = s.facts.value(statement, statement.target).kind
    return stored.active and isinstance(target, Array) and may_be_object(parts)


def stored_in_array(s: Spelling, statement: core.Statement) -> core.Assign:
    """`check_stored(v)`."""
    assert isinstance(statement, core.SetItem)
    call = core.Call(STORED_IN_ARRAY, (statement.value,))
    return core.Assign(s.names.temporary(), call, statement.loc)


TAKING_ARRAYS = frozenset({np.block, np.linalg.multi_dot, np.choose})
"""Functions that are given lists of arrays which are not one array."""
