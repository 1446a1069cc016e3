"""A primitive applied: what its rule may ask of the operands and of the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zygpy.analyse.facts import Bound, DictBound
from zygpy.ir import core
from zygpy.ir.kinds import Kind, Tuple
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.rules.declare import Rule
from zygpy.transform.context import Context


class Operand(NamedTuple):
    """An argument of a primitive, as the adjoint sees it."""

    bound: Bound
    kind: Kind
    active: bool
    value: Callable[[], gast.expr]
    measure: Callable[[str], gast.expr]


class Application(NamedTuple):
    """A primitive applied: operands by parameter, and the result."""

    rule: Rule
    operands: Mapping[str, Operand]
    result_kind: Kind
    result: Callable[[], gast.expr]
    y_bar: gast.expr
    statement: core.Statement
    in_place: bool = False  # whether the result lies in the memory of the first operand


def operand(ctx: Context, statement: core.Statement, bound: Bound) -> Operand:
    """What a rule may ask of one argument."""
    if isinstance(bound, core.Const):
        return _literal(ctx, bound)
    if isinstance(bound, core.Var):
        value = ctx.facts.value(statement, bound)
        return Operand(
            bound,
            value.kind,
            value.active,
            lambda: ctx.recorder.value(statement, bound),
            lambda what: ctx.recorder.measure(what, statement, bound.name),
        )
    assert not isinstance(bound, DictBound)
    return _group(ctx, statement, bound)


def _literal(ctx: Context, bound: core.Const) -> Operand:
    value = ctx.facts.value(core.Break(core.Loc(0, 0)), bound)
    return Operand(
        bound, value.kind, False, lambda: literal(bound.value), lambda what: _measure(ctx, bound, what)
    )


def _measure(ctx: Context, bound: core.Const, what: str) -> gast.expr:
    """A measurement of a literal number."""
    if what == "dtype":
        return quote_expression("$f($v)", f=ctx.helper("dtype_of"), v=literal(bound.value))
    if what == "reals":
        return constant(isinstance(bound.value, int | float))
    return _tuple([]) if what == "shape" else constant({"ndim": 0, "size": 1}[what])


def _group(ctx: Context, statement: core.Statement, atoms: tuple[core.Atom, ...]) -> Operand:
    items = [operand(ctx, statement, atom) for atom in atoms]

    def value() -> gast.expr:
        return _tuple([item.value() for item in items])

    def measure(what: str) -> gast.expr:
        if what == "length":
            return constant(len(items))
        return _tuple([item.measure(what if what == "reals" else "shape") for item in items])

    kind = Tuple(tuple(item.kind for item in items))
    return Operand(atoms, kind, any(item.active for item in items), value, measure)


def _tuple(items: list[gast.expr]) -> gast.expr:
    return gast.Tuple(items, gast.Load())


def literal(value: Any) -> gast.expr:
    """A literal as an expression; a rule's default may be a tuple."""
    if isinstance(value, tuple):
        return _tuple([literal(item) for item in value])
    return constant(value)
