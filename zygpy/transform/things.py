"""The adjoints of statements that change what is found by identity: run-time doors undo them."""

from __future__ import annotations

from zygpy.ir import core
from zygpy.ir.access import OF_EXCEPTIONS
from zygpy.ir.kinds import Array, NumberOrArray, is_numeric
from zygpy.ir.nodes import constant
from zygpy.transform import calls
from zygpy.transform.containers import add
from zygpy.transform.context import Bar, Context, settle


def write_by_identity(ctx: Context, statement: core.Statement) -> bool:
    """Emit the adjoint of a write to something that is not an array of known kind; False if it is none."""
    match statement:
        case core.SetAttr(name=name) if name in OF_EXCEPTIONS:
            pass
        case core.SetItem(target, _, value) | core.AugmentItem(target, _, _, value):
            if isinstance(ctx.facts.value(statement, target).kind, Array):
                return False
            _undo(ctx, statement, target, value)
        case core.SetAttr(target, _, value) | core.AugmentAttr(target, _, _, value):
            _undo(ctx, statement, target, value)
        case core.DelItem(target) | core.DelAttr(target):
            _undo(ctx, statement, target, None)
        case core.WriteGlobal(name, value):
            _undo_global(ctx, statement, name, value)
        case core.AugmentName():
            return _augment(ctx, statement)
        case _:
            return False
    return True


def _undo(ctx: Context, statement: core.Statement, target: core.Atom, value: core.Atom | None) -> None:
    if not isinstance(target, core.Var) or not ctx.facts.after_write(statement, target.name).active:
        return
    back = ctx.recorder.extra(statement, "back", f"{target.name}_back")
    part = "_" if value is None else ctx.names.fresh("part_bar")
    ctx.emit("$p = $back($store)", p=part, back=back, store=ctx.carrier)
    if value is not None:
        add(ctx, value, ctx.facts.value(statement, value), Bar(part, False, True))


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
