"""The adjoints of reading items of items, whose cotangents have places in that of the whole."""

from __future__ import annotations

from zygpy.ir import core
from zygpy.ir.kinds import Dict, List, Object, Row, Tuple, is_scalar
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.transform.context import (
    Bar,
    Context,
    Cotangent,
    cotangent_expression,
    entry_zero,
    name,
    own,
    own_keys,
)
from zygpy.transform.items import as_value, index_expression
from zygpy.transform.parts import holder_of


def alone(ctx: Context, variable: str, cotangent: Cotangent) -> gast.expr:
    """The expression of a cotangent that becomes part of the variable's: as lists and dicts that nobody else
    has, where these may be written to."""
    added = cotangent_expression(cotangent)
    if variable not in ctx.parts.roots:
        return added
    return quote_expression("$f($v)", f=ctx.helper("owned_rows"), v=added)


def add_inside(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`t = xs[i]; y = t[j]`: add to the cotangent of `xs`, at its place."""
    outer = ctx.parts.reads[id(statement)]
    part = core.Var(outer.target)
    kind, added = ctx.facts.value(statement, part).kind, cotangent_expression(cotangent)
    number = isinstance(cotangent, Bar) and not cotangent.maybe
    if isinstance(kind, Tuple):
        _add_to_tuple(ctx, statement, outer, kind, added)
        return
    index = _where(ctx, statement)
    number = number and is_scalar(ctx.facts.after(statement, statement.target).kind)
    if isinstance(kind, Dict | Object):
        f = ctx.helper("add_to_named" if number else "add_to_place")
        ctx.emit("$f($x, $j, $v)", f=f, x=_place(ctx, statement, outer), j=index, v=added)
        return
    number = number and isinstance(kind, List | Row) and is_scalar(kind.element)
    if number and isinstance(_kind_of_holder(ctx, outer), List | Row):
        length = ctx.recorder.measure("length", statement, part.name)
        parts = {"f": ctx.helper("add_to_row"), "i": _where(ctx, outer), "n": length}
        ctx.emit("$f($x, $i, $n, $j, $v)", x=_holder(ctx, outer), j=index, v=added, **parts)
        return
    f = ctx.helper("add_to_number" if number else "add_to_place")
    ctx.emit("$f($x, $j, $v)", f=f, x=_place(ctx, statement, outer), j=index, v=added)


def _add_to_tuple(
    ctx: Context, statement: core.Assign, outer: core.Assign, kind: Tuple, added: gast.expr
) -> None:
    """The same where `t` is a tuple, in the place of which there is another one then."""
    op = statement.op
    if isinstance(op, core.GetAttr):
        fields: tuple[str, ...] = getattr(kind.cls, "_fields", ())
        position = fields.index(op.name)
    else:
        assert isinstance(op, core.GetItem)
        assert isinstance(op.index, core.Const)
        position = range(len(kind.items))[op.index.value]
    holder, where = name(ctx.names.fresh("holder_bar")), _where(ctx, outer)
    ctx.emit("$x = $holder", x=holder, holder=_holder(ctx, outer))
    keyed = isinstance(_kind_of_holder(ctx, outer), KEYED)
    before = quote_expression("$x.get($i)" if keyed else "$x[$i]", x=holder, i=where)
    parts = {"f": ctx.helper("with_entry"), "n": constant(len(kind.items)), "k": constant(position)}
    ctx.emit("$x[$i] = $f($b, $n, $k, $v)", x=holder, i=where, b=before, v=added, **parts)


KEYED = (Dict, Object)
"""Kinds whose cotangents are dicts."""


def _kind_of_holder(ctx: Context, outer: core.Assign) -> List | Row | Dict | Object:
    kind = ctx.facts.value(outer, core.Var(holder_of(outer))).kind
    assert isinstance(kind, List | Row | Dict | Object)
    return kind


def _where(ctx: Context, read: core.Assign) -> gast.expr:
    """The position, key or name by which something is read."""
    if isinstance(read.op, core.GetAttr):
        return constant(read.op.name)
    assert isinstance(read.op, core.GetItem)
    return as_value(ctx, index_expression(ctx, read, read.op.index))


def _holder(ctx: Context, outer: core.Assign) -> gast.expr:
    """The cotangent, to be written to, of what an item was read from."""
    if id(outer) in ctx.parts.reads:
        return _place(ctx, outer, ctx.parts.reads[id(outer)])
    variable = holder_of(outer)
    if isinstance(_kind_of_holder(ctx, outer), KEYED):
        return name(own_keys(ctx, variable))
    return name(own(ctx, outer, variable, ctx.facts.value(outer, core.Var(variable))))


def _place(ctx: Context, statement: core.Assign, outer: core.Assign) -> gast.expr:
    """The cotangent, to be written to, of what was read out of a list, dict or object: what a statement reads
    from."""
    kind = ctx.facts.value(statement, core.Var(outer.target)).kind
    keyed = isinstance(_kind_of_holder(ctx, outer), KEYED)
    parts = {"x": _holder(ctx, outer), "i": _where(ctx, outer)}
    if isinstance(kind, KEYED):
        f = ctx.helper("keys_under" if keyed else "keys_at")
        return quote_expression("$f($x, $i)", f=f, **parts)
    assert isinstance(kind, List | Row)
    length = ctx.recorder.measure("length", statement, outer.target)
    entry = quote_expression(entry_zero(kind))
    f = ctx.helper("row_under" if keyed else "row_at")
    return quote_expression("$f($x, $i, $n, $entry)", f=f, n=length, entry=entry, **parts)
