"""The adjoints of methods and statements that change a list or dict: each undoes what was done."""

from __future__ import annotations

from collections.abc import Mapping

from zygpy.ir import core
from zygpy.ir.kinds import Dict, List
from zygpy.ir.nodes import gast, quote_expression
from zygpy.transform import containers, things
from zygpy.transform.containers import Writer, frozen
from zygpy.transform.context import (
    Bar,
    Context,
    Cotangent,
    add,
    add_to_key,
    cotangent_expression,
    drop_key,
    measure_after,
    own_measured,
    settle,
)
from zygpy.transform.contributions import adjoint_of_write
from zygpy.transform.items import as_value, index_expression


def _receiver(statement: core.Assign) -> tuple[core.CallMethod, str]:
    op = statement.op
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    return op, op.value.name


def _argument(op: core.CallMethod, position: int) -> core.Atom:
    atom = op.args[position]
    assert not isinstance(atom, core.Star)
    return atom


def _buffer(ctx: Context, statement: core.Statement, variable: str) -> str:
    """The name of the cotangent of a list after the statement, as a list that may be changed."""
    after = ctx.facts.after(statement, variable)
    return own_measured(ctx, variable, after, measure_after(ctx, statement, variable))


def _entry(ctx: Context, statement: core.Statement, variable: str, cotangent: Cotangent | None) -> gast.expr:
    """What becomes the entry of an item that was taken out of a list."""
    return containers.entry_of(ctx.facts.after(statement, variable).kind, cotangent)


def insert(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.insert(i, v)`."""
    op, variable = _receiver(statement)
    if variable not in ctx.bars:
        return
    buffer, part = _buffer(ctx, statement, variable), ctx.names.fresh("part_bar")
    where = ctx.recorder.value(statement, _argument(op, 0))
    ctx.emit("$p = $f($x, $i)", p=part, f=ctx.helper("take_out"), x=buffer, i=where)
    atom = _argument(op, 1)
    add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


def pop(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`y = xs.pop()`, `xs.pop(i)`, `d.pop(k)` and `d.pop(k, default)`."""
    op, variable = _receiver(statement)
    if variable not in ctx.bars and cotangent is None:
        return
    if isinstance(ctx.facts.value(statement, op.value).kind, Dict):
        if cotangent is not None:
            _from_key(ctx, statement, op, variable, cotangent)
    elif not op.args:
        containers.pop(ctx, statement, cotangent)
    else:
        _put_back(ctx, statement, variable, ctx.recorder.value(statement, _argument(op, 0)), cotangent)


def _put_back(
    ctx: Context, statement: core.Statement, variable: str, where: gast.expr, cotangent: Cotangent | None
) -> None:
    entry = _entry(ctx, statement, variable, cotangent)
    buffer = _buffer(ctx, statement, variable)
    ctx.emit("$f($x, $i, $v)", f=ctx.helper("put_back"), x=buffer, i=where, v=entry)


def remove(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.remove(v)`: where v was is looked up before it goes."""
    op, variable = _receiver(statement)
    if variable in ctx.bars:
        where = ctx.recorder.position(statement, variable, _argument(op, 0))
        _put_back(ctx, statement, variable, where, None)


def reverse(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.reverse()`."""
    _, variable = _receiver(statement)
    if variable in ctx.bars:
        ctx.emit("$x.reverse()", x=_buffer(ctx, statement, variable))


def clear(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.clear()`: nothing that was there counts."""
    _, variable = _receiver(statement)
    ctx.bars.pop(variable, None)


def _from_key(
    ctx: Context, statement: core.Assign, op: core.CallMethod, variable: str, cotangent: Cotangent
) -> None:
    """`y` is what a dict had under a key, or else the default."""
    key, bar = _argument(op, 0), frozen(ctx, cotangent)
    added, where = cotangent_expression(bar), ctx.recorder.value(statement, key)
    if len(op.args) == 1:
        _add_to_key(ctx, variable, where, added)
        return
    there = ctx.recorder.has_key(statement, variable, key)
    inside, outside = ctx.names.fresh("inside_bar"), ctx.names.fresh("outside_bar")
    ctx.emit("$i = $v if $there else None", i=inside, v=added, there=there)
    _add_to_key(ctx, variable, where, quote_expression("$i", i=inside))
    default = _argument(op, 1)
    ctx.emit("$o = None if $there else $v", o=outside, v=added, there=there)
    add(ctx, default, ctx.facts.value(statement, default), Bar(outside, False, True))


def _add_to_key(ctx: Context, variable: str, key: gast.expr, added: gast.expr) -> None:
    add_to_key(ctx, variable, as_value(ctx, key), added)


def setdefault(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`y = d.setdefault(k, v)`: y is d's own entry afterwards; it was v if there was none before."""
    op, variable = _receiver(statement)
    if variable not in ctx.bars and cotangent is None:
        return
    where = as_value(ctx, ctx.recorder.value(statement, _argument(op, 0)))
    if cotangent is not None:
        _add_to_key(ctx, variable, where, cotangent_expression(frozen(ctx, cotangent)))
    if len(op.args) == 2:
        there = ctx.recorder.has_key(statement, variable, _argument(op, 0))
        bar, part = settle(ctx, variable), ctx.names.fresh("part_bar")
        assert bar is not None
        parts = {"f": ctx.helper("key_of"), "b": bar.name, "k": where}
        ctx.emit("$p = None if $there else $f($b, $k)", p=part, there=there, **parts)
        drop_key(ctx, variable, where, unless=there)
        default = _argument(op, 1)
        add(ctx, default, ctx.facts.value(statement, default), Bar(part, False, True))


def dict_update(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`d.update(other)`: what stands under other's keys is other's."""
    op, variable = _receiver(statement)
    bar = settle(ctx, variable)
    other = _argument(op, 0)
    if bar is None or not isinstance(other, core.Var):
        return
    target, part = ctx.bar_name(variable), ctx.names.fresh("part_bar")
    keys = ctx.recorder.measure("keys", statement, other.name)
    ctx.emit("$x = dict($b or {})", x=target, b=bar.name)
    ctx.emit("$p = $f($x, $keys)", p=part, f=ctx.helper("split_keys"), x=target, keys=keys)
    ctx.bars[variable] = Bar(target, False, True)
    add(ctx, other, ctx.facts.value(statement, other), Bar(part, False, True))


def write_key(ctx: Context, statement: core.SetItem) -> None:
    """`d[k] = v`."""
    assert isinstance(statement.target, core.Var)
    variable = statement.target.name
    bar = settle(ctx, variable)
    if bar is None:
        return
    part = ctx.names.fresh("part_bar")
    where = as_value(ctx, index_expression(ctx, statement, statement.index))
    ctx.emit("$p = $f($b, $k)", p=part, f=ctx.helper("key_of"), b=bar.name, k=where)
    drop_key(ctx, variable, where)
    add(ctx, statement.value, ctx.facts.value(statement, statement.value), Bar(part, False, True))


def delete_item(ctx: Context, statement: core.DelItem) -> None:
    """`del xs[i]`, `del xs[i:j]` and `del d[k]`: what went away has no cotangent."""
    if not isinstance(statement.target, core.Var) or statement.target.name not in ctx.bars:
        return
    variable = statement.target.name
    if not isinstance(ctx.facts.value(statement, statement.target).kind, List):
        return
    where = index_expression(ctx, statement, statement.index)
    if isinstance(statement.index, core.Slice):
        length = ctx.recorder.measure("length", statement, variable)
        parts = {"i": as_value(ctx, where), "n": length, "v": _entry(ctx, statement, variable, None)}
        buffer = _buffer(ctx, statement, variable)
        ctx.emit("$f($x, $i, $n, $v)", f=ctx.helper("put_back_slice"), x=buffer, **parts)
    else:
        _put_back(ctx, statement, variable, where, None)


def set_field(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`object.__setattr__(o, "name", v)`."""
    op = statement.op
    assert isinstance(op, core.Call)
    holder, name, stored = op.args
    assert isinstance(holder, core.Var)
    assert isinstance(name, core.Const)
    assert not isinstance(stored, core.Star)
    things.undo_field(ctx, statement, holder.name, name.value, stored)


WRITERS: Mapping[str, Writer] = {
    **containers.WRITERS,
    "insert": insert,
    "pop": pop,
    "remove": remove,
    "reverse": reverse,
    "clear": clear,
    "setdefault": setdefault,
    "dict update": dict_update,
    "write rule": adjoint_of_write,
    "set field": set_field,
}
"""Adjoints of operations that change a container, by the name the interpretation gave them."""
