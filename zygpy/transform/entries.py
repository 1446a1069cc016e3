"""The adjoints of `y = xs[i]`, `xs[i] = v`, `xs.append(v)` and `xs.pop()` for lists and dicts that are found
by identity: the cotangents of their items are in the store."""

from __future__ import annotations

from typing import Any

from zygpy.analyse.plain_entries import has_places, is_of_numbers
from zygpy.ir import core
from zygpy.ir.kinds import Array, Dict, is_scalar, something
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.transform.context import (
    Bar,
    Context,
    Cotangent,
    Parts,
    TupleBar,
    add,
    cotangent_expression,
    measure_after,
)
from zygpy.transform.items import as_value, index_expression


def read_entry(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = xs[i]`: what has come in for y is the item's."""
    op = statement.op
    assert isinstance(op, core.GetItem)
    assert isinstance(op.value, core.Var)
    kind = ctx.facts.after(statement, statement.target).kind
    if isinstance(something(kind), Array):
        thing = ctx.recorder.reference(statement, statement.target, after=True)
        ctx.emit("$store.add($x, $v)", store=ctx.carrier, x=thing, v=cotangent_expression(cotangent))
    elif not has_places(something(kind)):
        number = is_scalar(kind) and is_number_bar(cotangent)
        _add_to_entry(ctx, statement, op, left_over(ctx, statement, cotangent), number=number)


def is_number_bar(cotangent: Cotangent) -> bool:
    """Whether the cotangent of a number surely is one."""
    return not (isinstance(cotangent, TupleBar) or cotangent.maybe)


def _add_to_entry(
    ctx: Context, statement: core.Assign, op: core.GetItem, added: gast.expr, *, number: bool
) -> None:
    assert isinstance(op.value, core.Var)
    parts = _owner(ctx, statement, op.value.name)
    if isinstance(ctx.facts.value(statement, op.value).kind, Dict):
        key = as_value(ctx, index_expression(ctx, statement, op.index))
        add_one = "add_to_field" if number else "add_key"
        ctx.emit(f"$store.{add_one}($x, $k, $v)", k=key, v=added, **parts)
        return
    parts["n"] = ctx.recorder.measure("length", statement, op.value.name)
    ctx.emit(
        "$store.add_entry($x, $n, $i, $v)", i=index_expression(ctx, statement, op.index), v=added, **parts
    )


def left_over(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> gast.expr:
    """What of the cotangent of a number or tuple that was read is left over for where it was, when the parts
    of a tuple have theirs."""
    added = cotangent_expression(cotangent)
    kind = something(ctx.facts.after(statement, statement.target).kind)
    if is_scalar(kind) or is_of_numbers(kind):
        return added
    parts: Parts = {"store": ctx.carrier, "v": added}
    parts["x"] = ctx.recorder.reference(statement, statement.target, after=True)
    return quote_expression("$store.add($x, $v)", **parts)


def set_entry(ctx: Context, statement: core.SetItem) -> None:
    """`xs[i] = v`: what has come in for the item is v's, and what was there before starts with nothing."""
    target, stored = statement.target, ctx.facts.value(statement, statement.value)
    assert isinstance(target, core.Var)
    number = is_scalar(stored.kind)
    if has_places(something(stored.kind)) or not ctx.facts.after_write(statement, target.name).active:
        return
    part = ctx.names.fresh("part_bar") if stored.active else "_"
    index = index_expression(ctx, statement, statement.index)
    in_dict = isinstance(ctx.facts.value(statement, target).kind, Dict)
    take = TAKEN[in_dict, number]
    ctx.emit(f"$p = $store.{take}($x, $i)", p=part, i=index, **_owner(ctx, statement, target.name))
    if stored.active:
        add(ctx, statement.value, stored, Bar(part, False, not number))


TAKEN = {
    (True, True): "take_field",
    (True, False): "take_key",
    (False, True): "take_entry",
    (False, False): "take_place",
}
"""How the cotangent of an entry is taken out: whether it is a dict's, whether that of a number."""


def append_entry(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.append(v)`: the last entry is v's."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    (atom,) = op.args
    assert not isinstance(atom, core.Star)
    added = ctx.facts.value(statement, atom)
    number = is_scalar(added.kind)
    here = added.active and not has_places(something(added.kind))
    part, take = (
        ctx.names.fresh("part_bar") if here else "_",
        "take_last_entry" if number else "take_last_place",
    )
    ctx.emit(f"$p = $store.{take}($x)", p=part, **_owner(ctx, statement, op.value.name))
    if here:
        add(ctx, atom, added, Bar(part, False, not number))


def pop_entry(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`y = xs.pop()`, `y = xs.pop(i)`: what has come in for y is the item's, which is there again."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    (atom,) = op.args or (core.Const(-1),)
    assert not isinstance(atom, core.Star)
    index = ctx.recorder.value(statement, atom)
    left: gast.expr = constant(None)
    if cotangent is not None and not has_places(something(ctx.facts.after(statement, statement.target).kind)):
        left = left_over(ctx, statement, cotangent)
    elif cotangent is not None:
        thing = ctx.recorder.reference(statement, statement.target, after=True)
        ctx.emit("$store.add($x, $v)", store=ctx.carrier, x=thing, v=cotangent_expression(cotangent))
    length = measure_after(ctx, statement, op.value.name)("length")
    parts = {**_owner(ctx, statement, op.value.name), "n": length, "i": index, "v": left}
    ctx.emit("$store.put_back($x, $n, $i, $v)", **parts)


def _owner(ctx: Context, statement: core.Statement, name: str) -> dict[str, Any]:
    return {"store": ctx.carrier, "x": ctx.recorder.reference(statement, name)}
