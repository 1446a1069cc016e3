"""The adjoints of statements that change what is found by identity: run-time doors undo them."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.access import OF_EXCEPTIONS
from zygpy.ir.kinds import Array, NumberOrArray, is_exact, is_numeric, is_scalar
from zygpy.ir.nodes import constant
from zygpy.transform import calls
from zygpy.transform.context import Bar, Context, add, is_thing, settle
from zygpy.transform.entries import set_entry


def write_by_identity(ctx: Context, statement: core.Statement) -> bool:
    """Emit the adjoint of a write to something that is not an array of known kind; False if it is none."""
    match statement:
        case core.SetAttr(name=name) if name in OF_EXCEPTIONS:
            pass
        case core.SetItem(target, _, value) | core.AugmentItem(target, _, _, value):
            if isinstance(ctx.facts.value(statement, target).kind, Array):
                return False
            _undo_item(ctx, statement, target, value)
        case core.SetAttr(target, _, value) | core.AugmentAttr(target, _, _, value):
            undo = _undo_set if id(statement) in ctx.facts.fields else _undo
            undo(ctx, statement, target, value)
        case core.DelItem(target) | core.DelAttr(target):
            _undo(ctx, statement, target, None)
        case core.WriteGlobal(name, value):
            _undo_global(ctx, statement, name, value)
        case core.AugmentName():
            return _augment(ctx, statement)
        case _:
            return False
    return True


def _undo_item(ctx: Context, statement: core.Statement, target: core.Atom, value: core.Atom) -> None:
    if isinstance(statement, core.SetItem) and id(statement) in ctx.facts.entries_set:
        set_entry(ctx, statement)
    else:
        _undo(ctx, statement, target, value)


def _undo(ctx: Context, statement: core.Statement, target: core.Atom, value: core.Atom | None) -> None:
    if not isinstance(target, core.Var) or not ctx.facts.after_write(statement, target.name).active:
        return
    back = ctx.recorder.extra(statement, "back", f"{target.name}_back")
    part = "_" if value is None else ctx.names.fresh("part_bar")
    ctx.emit("$p = $back($store)", p=part, back=back, store=ctx.carrier)
    if value is not None:
        add(ctx, value, ctx.facts.value(statement, value), Bar(part, False, True))


def _undo_set(ctx: Context, statement: core.Statement, target: core.Atom, value: core.Atom | None) -> None:
    assert isinstance(statement, core.SetAttr)
    assert isinstance(target, core.Var)
    undo_field(ctx, statement, target.name, statement.name, statement.value)


def undo_field(ctx: Context, statement: core.Statement, holder: str, name: str, value: core.Atom) -> None:
    """`o.name = v` into a field: what came in there is v's. (Of what has a place of its own that is all in
    the store.)"""
    stored = ctx.facts.value(statement, value)
    if not ctx.facts.after_write(statement, holder).active or is_thing(stored.kind):
        return
    if isinstance(stored.kind, Array):
        return
    parts: dict[str, Any] = {"store": ctx.carrier, "k": constant(name)}
    parts["x"] = ctx.recorder.reference(statement, holder)
    if not stored.active:
        ctx.emit("$store.take_key($x, $k)", **parts)
        return
    part, number = ctx.names.fresh("part_bar"), is_scalar(stored.kind) and not is_exact(stored.kind)
    take = "take_field" if number else "take_key"
    ctx.emit(f"$p = $store.{take}($x, $k)", p=part, **parts)
    add(ctx, value, stored, Bar(part, False, not number))


def _undo_global(ctx: Context, statement: core.Statement, name: str, value: core.Atom) -> None:
    part = ctx.names.fresh("part_bar")
    parts = {"store": ctx.carrier, "space": ctx.namespace(), "key": constant(name)}
    ctx.emit("$p = $store.take_key($space, $key)", p=part, **parts)
    add(ctx, value, ctx.facts.value(statement, value), Bar(part, False, True))


def _augment(ctx: Context, statement: core.AugmentName) -> bool:
    """`x op= v`, which may change x or bind it anew; False where its kind tells which."""
    variable = core.Var(statement.target)
    before, value = ctx.facts.value(statement, variable), ctx.facts.value(statement, statement.value)
    known = is_numeric(before.kind) and is_numeric(value.kind)
    if known and not (isinstance(before.kind, NumberOrArray) and ctx.facts.is_shared(before)):
        return False
    bar = settle(ctx, statement.target)
    ctx.bars.pop(statement.target, None)
    if before.active or value.active:
        calls.dynamic_augment(ctx, statement, bar)
    return True
