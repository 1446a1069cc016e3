"""The adjoints of `y = xs[i]`, `xs[i] = v` and `xs.append(v)` for lists and dicts that are found by identity:
the cotangents of their items are in the store."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.kinds import Array, Dict, is_scalar
from zygpy.transform.context import Bar, Context, Cotangent, TupleBar, add, cotangent_expression
from zygpy.transform.items import as_value, index_expression


def read_entry(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = xs[i]`: what has come in for y is the item's."""
    op = statement.op
    assert isinstance(op, core.GetItem)
    assert isinstance(op.value, core.Var)
    kind = ctx.facts.after(statement, statement.target).kind
    if isinstance(kind, Array):
        thing = ctx.recorder.reference(statement, statement.target, after=True)
        ctx.emit("$store.add($x, $v)", store=ctx.carrier, x=thing, v=cotangent_expression(cotangent))
    elif is_scalar(kind):
        parts = _owner(ctx, statement, op.value.name)
        if isinstance(ctx.facts.value(statement, op.value).kind, Dict):
            _add_to_key(ctx, statement, op, cotangent, parts)
            return
        parts["n"] = ctx.recorder.measure("length", statement, op.value.name)
        index = index_expression(ctx, statement, op.index)
        ctx.emit("$store.add_entry($x, $n, $i, $v)", i=index, v=cotangent_expression(cotangent), **parts)


def _add_to_key(
    ctx: Context, statement: core.Assign, op: core.GetItem, cotangent: Cotangent, parts: dict[str, Any]
) -> None:
    key = as_value(ctx, index_expression(ctx, statement, op.index))
    add_one = "add_key" if isinstance(cotangent, TupleBar) or cotangent.maybe else "add_to_field"
    ctx.emit(f"$store.{add_one}($x, $k, $v)", k=key, v=cotangent_expression(cotangent), **parts)


def set_entry(ctx: Context, statement: core.SetItem) -> None:
    """`xs[i] = v`: what has come in for the item is v's, and what was there before starts with nothing."""
    target, stored = statement.target, ctx.facts.value(statement, statement.value)
    assert isinstance(target, core.Var)
    if not is_scalar(stored.kind) or not ctx.facts.after_write(statement, target.name).active:
        return
    part = ctx.names.fresh("part_bar") if stored.active else "_"
    index = index_expression(ctx, statement, statement.index)
    take = "take_field" if isinstance(ctx.facts.value(statement, target).kind, Dict) else "take_entry"
    ctx.emit(f"$p = $store.{take}($x, $i)", p=part, i=index, **_owner(ctx, statement, target.name))
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
