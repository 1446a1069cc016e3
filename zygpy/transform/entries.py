"""The adjoints of `y = xs[i]`, `xs[i] = v` and `xs.append(v)` for lists that are found by identity: the
cotangents of their items are in the store."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.kinds import is_scalar
from zygpy.transform.context import Bar, Context, Cotangent, add, cotangent_expression
from zygpy.transform.items import index_expression


def read_entry(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = xs[i]`: what has come in for y is the item's."""
    op = statement.op
    assert isinstance(op, core.GetItem)
    assert isinstance(op.value, core.Var)
    if is_scalar(ctx.facts.after(statement, statement.target).kind):
        parts = _owner(ctx, statement, op.value.name)
        parts["n"] = ctx.recorder.measure("length", statement, op.value.name)
        index = index_expression(ctx, statement, op.index)
        ctx.emit("$store.add_entry($x, $n, $i, $v)", i=index, v=cotangent_expression(cotangent), **parts)


def set_entry(ctx: Context, statement: core.SetItem) -> None:
    """`xs[i] = v`: what has come in for the item is v's, and what was there before starts with nothing."""
    target, stored = statement.target, ctx.facts.value(statement, statement.value)
    assert isinstance(target, core.Var)
    if not is_scalar(stored.kind) or not ctx.facts.after_write(statement, target.name).active:
        return
    part = ctx.names.fresh("part_bar") if stored.active else "_"
    index = index_expression(ctx, statement, statement.index)
    ctx.emit("$p = $store.take_entry($x, $i)", p=part, i=index, **_owner(ctx, statement, target.name))
    if stored.active:
        add(ctx, statement.value, stored, Bar(part))


def append_entry(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.append(v)`: the last entry is v's."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    (atom,) = op.args
    assert not isinstance(atom, core.Star)
    added = ctx.facts.value(statement, atom)
    number = is_scalar(added.kind) and added.active
    part = ctx.names.fresh("part_bar") if number else "_"
    ctx.emit("$p = $store.take_last_entry($x)", p=part, **_owner(ctx, statement, op.value.name))
    if number:
        add(ctx, atom, added, Bar(part))


def _owner(ctx: Context, statement: core.Statement, name: str) -> dict[str, Any]:
    return {"store": ctx.carrier, "x": ctx.recorder.reference(statement, name)}
