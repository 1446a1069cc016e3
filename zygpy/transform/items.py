"""The adjoints of reading and writing items: `y = x[i]`, `x[i] = v`, `x[i] += v`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zygpy.analyse.facts import ByRule
from zygpy.analyse.transfer import binary, dtype_of, getitem, keeps
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import FLOATING, Array, Kind, List, NumpyScalar, is_floating, is_real, is_scalar
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.rules import declare
from zygpy.rules.texts import texts
from zygpy.runtime.operations import BINARY
from zygpy.transform.applications import Application, Operand, operand
from zygpy.transform.context import Bar, Context, certainly, contribute, entry_zero, name, own
from zygpy.transform.contributions import contribution, guarded, is_surely_complex
from zygpy.transform.primal import builtin
from zygpy.transform.shapes import is_shape_of_item


def index_expression(ctx: Context, statement: core.Statement, index: core.Index) -> gast.expr:
    """The index as the adjoint writes it, made of recorded values."""
    if isinstance(index, core.IndexTuple):
        items: list[Any] = [index_expression(ctx, statement, item) for item in index.items]
        return gast.Tuple(items, gast.Load())
    if isinstance(index, core.Slice):
        parts = [None if part is None else ctx.recorder.value(statement, part) for part in _bounds(index)]
        return gast.Slice(*parts)
    return ctx.recorder.value(statement, index)


def _bounds(index: core.Slice) -> tuple[core.Atom | None, ...]:
    return (index.lower, index.upper, index.step)


def subscript(value: gast.expr, index: gast.expr) -> gast.expr:
    """`value[index]` as an expression to be read."""
    return gast.Subscript(value, index, gast.Load())


def may_repeat(ctx: Context, statement: core.Statement, index: core.Index) -> bool:
    """Whether one element may be selected twice: by anything but integers, slices and masks."""
    if isinstance(index, core.IndexTuple):
        return any(may_repeat(ctx, statement, item) for item in index.items)
    if isinstance(index, core.Slice):
        return False
    if isinstance(index, core.Const):
        return not (index.value is None or index.value is Ellipsis or isinstance(index.value, int))
    kind = ctx.facts.value(statement, index).kind
    return not (is_scalar(kind) and dtype_of(kind) == "i") and not (
        isinstance(kind, Array) and kind.dtype == "b"
    )


def _selects(ctx: Context, statement: core.Statement, index: core.Index) -> bool:
    """Whether there is a mask in the index: what it selects is a copy, and of an array whose cotangent is a
    window onto memory (a repeated view has elements that lie in one place) counts one by one."""
    if isinstance(index, core.IndexTuple):
        return any(_selects(ctx, statement, item) for item in index.items)
    return isinstance(index, core.Var) and isinstance(ctx.facts.value(statement, index).kind, Array)


def read_array_item(ctx: Context, statement: core.Assign, op: core.GetItem, bar: Bar) -> None:
    """`y = x[i]` for an array: add to the buffer of x, in place."""
    assert isinstance(op.value, core.Var)
    value = ctx.facts.value(statement, op.value)
    result = ctx.facts.after(statement, statement.target)
    target = statement.target
    bar = certainly(ctx, bar, result.kind, lambda what: ctx.recorder.measure_result(what, statement, target))
    added: gast.expr = name(bar.name)
    if is_real(value.kind) and not is_real(result.kind):
        added = quote_expression("$v.real", v=added)
    index = index_expression(ctx, statement, op.index)
    repeated = may_repeat(ctx, statement, op.index)
    if repeated and not ctx.has_cotangent(op.value.name):
        _first_items(ctx, statement, op.value, index, added)
        return
    buffer = own(ctx, statement, op.value.name, value)
    repeated = repeated or (_selects(ctx, statement, op.index) and ctx.is_shared(op.value.name))
    add_to_item(ctx, buffer, index, added, repeated=repeated)


def _first_items(
    ctx: Context, statement: core.Assign, array: core.Var, index: gast.expr, added: gast.expr
) -> None:
    """Nothing has come in for the array yet: its cotangent starts with these items."""
    kind = ctx.facts.value(statement, array).kind
    floating = isinstance(kind, Array) and kind.dtype in FLOATING
    if isinstance(kind, Array) and kind.dtype == "f8":
        dtype: gast.expr = name(builtin(ctx, "float"))
    else:
        dtype = ctx.recorder.measure("dtype", statement, array.name)
    parts: dict[str, Any] = {
        "f": ctx.helper("getitem_cotangent"),
        "v": added,
        "shape": ctx.recorder.measure("shape", statement, array.name),
        "dtype": dtype,
        "index": as_value(ctx, index),
    }
    expression = quote_expression("$f($v, $shape, $dtype, $index)", **parts)
    contribute(ctx, array.name, kind, expression, owned=floating)


def add_to_item(ctx: Context, buffer: str, index: gast.expr, added: gast.expr, *, repeated: bool) -> None:
    """Emit `buffer[index] += added`."""
    if repeated:
        ctx.emit("$add($x, $i, $v)", add=ctx.helper("add_at"), x=buffer, i=as_value(ctx, index), v=added)
    else:
        ctx.emit("$item += $v", item=subscript(name(buffer), index), v=added)


def write_item(ctx: Context, statement: core.SetItem) -> None:
    """`x[i] = v` for an array or a list: v gets what has come in there, and the slot is cleared."""
    assert isinstance(statement.target, core.Var)
    variable = statement.target.name
    if not ctx.has_cotangent(variable):
        return
    value = ctx.facts.value(statement, statement.target)
    buffer = own(ctx, statement, variable, value)
    index = index_expression(ctx, statement, statement.index)
    stored = ctx.facts.value(statement, statement.value)
    if isinstance(value.kind, List):
        _write_list_item(ctx, statement, buffer, index, stored, value.kind)
        return
    clear = quote_expression("$item", item=subscript(name(buffer), index))
    if not (stored.active and isinstance(statement.value, core.Var)):
        ctx.emit("$item = 0.0", item=clear)
        return
    expression, fresh = _stored_contribution(ctx, statement, buffer, index, value.kind, stored)
    if ctx.identity or ctx.is_shared(statement.value.name):
        # What is added to v may land in the very slot, so the slot is cleared first.
        part = ctx.names.fresh("part_bar")
        ctx.emit("$part = $v\n$item = 0.0", part=part, v=expression, item=clear)
        contribute(ctx, statement.value.name, stored.kind, name(part), owned=fresh)
        return
    contribute(ctx, statement.value.name, stored.kind, expression, owned=fresh)
    ctx.emit("$item = 0.0", item=clear)


def _write_list_item(
    ctx: Context, statement: core.SetItem, buffer: str, index: gast.expr, stored: Value, kind: List
) -> None:
    if isinstance(statement.index, core.Slice):
        raise NotImplementedError("slice of a list")
    item = subscript(name(buffer), index)
    if stored.active and isinstance(statement.value, core.Var):
        maybe = not is_scalar(kind.element)
        contribute(ctx, statement.value.name, stored.kind, item, owned=False, maybe=maybe)
    ctx.emit("$item = $zero", item=item, zero=quote_expression(entry_zero(kind)))


def item_kind(ctx: Context, statement: core.SetItem | core.AugmentItem, kind: Kind) -> Kind:
    """The kind of `x[i]`."""
    return getitem(kind, statement.index, lambda atom: ctx.facts.value(statement, atom).kind)


def _stored_contribution(
    ctx: Context, statement: core.SetItem, buffer: str, index: gast.expr, kind: Kind, stored: Value
) -> tuple[gast.expr, bool]:
    item = subscript(name(buffer), index)
    if isinstance(item_kind(ctx, statement, kind), NumpyScalar) and is_scalar(stored.kind):
        if keeps(kind, stored.kind):
            return _of_stored(ctx, statement, kind, item), True
        if dtype_of(kind) == "b" or (dtype_of(kind) == "i" and is_floating(stored.kind)):
            return constant(0.0), True
    assert isinstance(statement.value, core.Var)
    given = operand(ctx, statement, statement.value)
    part = quote_expression(
        "$f($buffer, $index, $shape, $dtype)",
        f=ctx.helper("setitem_cotangent"),
        buffer=buffer,
        index=as_value(ctx, index),
        shape=given.measure("shape"),
        dtype=_dtype_kept(ctx, statement, kind, stored.kind, lambda: given.measure("dtype")),
    )
    return _of_stored(ctx, statement, kind, part), True


def _of_stored(
    ctx: Context, statement: core.SetItem | core.AugmentItem, array: Kind, part: gast.expr
) -> gast.expr:
    """A contribution to what is stored in an array, or added to it: a real one, if that is real."""
    stored = ctx.facts.value(statement, statement.value)
    if is_real(array) or is_surely_complex(stored.kind):
        return part
    if is_real(stored.kind):
        return quote_expression("$v.real", v=part)
    dtype = operand(ctx, statement, statement.value).measure("dtype")
    return quote_expression("$f($v, $d)", f=ctx.helper("as_real_as"), v=part, d=dtype)


def dtype_expression(ctx: Context, statement: core.SetItem | core.AugmentItem, kind: Kind) -> gast.expr:
    """The dtype of the array that is written to, as the adjoint knows it."""
    if isinstance(kind, Array) and kind.dtype in ("f8", "c16"):
        return name({"f8": "float", "c16": "complex"}[kind.dtype])
    assert isinstance(statement.target, core.Var)
    return ctx.recorder.measure("dtype", statement, statement.target.name)


def _dtype_kept(
    ctx: Context,
    statement: core.SetItem | core.AugmentItem,
    array: Kind,
    stored: Kind,
    dtype_of_stored: Callable[[], gast.expr],
) -> gast.expr:
    """The dtype by which the cotangent of what is stored in an array is cut."""
    dtype = dtype_expression(ctx, statement, array)
    if dtype_of(array) in (*FLOATING, "b") or is_floating(stored):
        return dtype
    return quote_expression("$f($d, $s)", f=ctx.helper("dtype_kept"), d=dtype, s=dtype_of_stored())


def as_value(ctx: Context, index: Any) -> gast.expr:
    """An index as an ordinary expression: slices become calls of `slice`."""
    if isinstance(index, gast.Slice):
        parts = [constant(None) if part is None else part for part in (index.lower, index.upper, index.step)]
        slicer = builtin(ctx, "slice")
        return quote_expression("$f($a, $b, $c)", f=slicer, a=parts[0], b=parts[1], c=parts[2])
    if isinstance(index, gast.Tuple):
        return gast.Tuple([as_value(ctx, item) for item in index.elts], gast.Load())
    result: gast.expr = index
    return result


def augment_item(ctx: Context, statement: core.AugmentItem) -> None:
    """`x[i] op= v` for an array: the item is read, combined and written back."""
    assert isinstance(statement.target, core.Var)
    variable = statement.target.name
    if not ctx.has_cotangent(variable):
        return
    value = ctx.facts.value(statement, statement.target)
    buffer = own(ctx, statement, variable, value)
    index = index_expression(ctx, statement, statement.index)
    kind = item_kind(ctx, statement, value.kind)
    repeated = may_repeat(ctx, statement, statement.index)
    kept = keeps(value.kind, ctx.facts.value(statement, statement.value).kind)
    if statement.op in ("+", "-") and not repeated and kept:
        _deliver_to_value(ctx, statement, kind, subscript(name(buffer), index), statement.op == "-")
        return
    _general_augment(ctx, statement, buffer, index, kind, repeated)


def _deliver_to_value(
    ctx: Context, statement: core.AugmentItem, kind: Kind, item: gast.expr, negative: bool
) -> None:
    stored = ctx.facts.value(statement, statement.value)
    if not (stored.active and isinstance(statement.value, core.Var)):
        return
    expression = quote_expression("-$v", v=item) if negative else item
    fresh = negative
    if not (is_scalar(kind) and is_scalar(stored.kind)):
        expression, fresh = expression if negative else quote_expression("$v.copy()", v=item), True
        if not is_shape_of_item(ctx, statement):
            shape = operand(ctx, statement, statement.value).measure("shape")
            parts: dict[str, Any] = {"f": ctx.helper("unbroadcast"), "s": shape}
            expression = quote_expression("$f($v, $s)", v=expression, **parts)
    array = ctx.facts.value(statement, statement.target).kind
    expression = _of_stored(ctx, statement, array, expression)
    contribute(ctx, statement.value.name, stored.kind, expression, owned=fresh)


def _general_augment(
    ctx: Context, statement: core.AugmentItem, buffer: str, index: gast.expr, kind: Kind, repeated: bool
) -> None:
    """With the item's old value a: z = a op v; z's cotangent is taken out, a's is put back."""
    before = ctx.recorder.item_before(statement)
    bar = ctx.names.fresh("item_bar")
    shape = ctx.names.fresh("item_shape")
    np = ctx.helper("np")
    assert isinstance(statement.target, core.Var)
    array = ctx.facts.value(statement, statement.target).kind
    new = quote_expression(
        f"$a {statement.op} $b", a=before, b=ctx.recorder.value(statement, statement.value)
    )
    result = binary(statement.op, kind, ctx.facts.value(statement, statement.value).kind)
    if is_scalar(kind) and keeps(array, result):
        ctx.emit("$bar = $item", bar=bar, item=subscript(name(buffer), index))
    else:
        of_new = quote_expression("$f($x)", f=ctx.helper("dtype_of"), x=new)
        dtype = _dtype_kept(ctx, statement, array, result, lambda: of_new)
        ctx.emit("$shape = $np.shape($before)", shape=shape, np=np, before=before)
        text = "$bar = $f($buffer, $index, $shape, $dtype)"
        ctx.emit(
            text,
            bar=bar,
            f=ctx.helper("setitem_cotangent"),
            buffer=buffer,
            index=as_value(ctx, index),
            shape=shape,
            dtype=dtype,
        )
    ctx.emit("$item = 0.0", item=subscript(name(buffer), index))
    rule = declare.find(BINARY[statement.op])
    assert rule is not None
    if rule.style == "none":
        return
    found = guarded(ByRule(rule, tuple((key, statement.value) for key in texts(rule).names())), kind)
    rule, (left, right) = found.rule, texts(found.rule).names()
    dtype = quote_expression("$f($x)", f=ctx.helper("dtype_of"), x=before)
    old = Operand(
        core.Var(bar), kind, True, lambda: before, lambda what: dtype if what == "dtype" else name(shape)
    )
    operands = {left: old, right: operand(ctx, statement, statement.value)}
    application = Application(rule, operands, kind, lambda: new, name(bar), statement)
    if rule.style != "zero":
        _put_back(ctx, statement, application, Bar(bar), (left, right), buffer, index, repeated)


def _put_back(
    ctx: Context,
    statement: core.AugmentItem,
    application: Application,
    bar: Bar,
    parameters: tuple[str, str],
    buffer: str,
    index: gast.expr,
    repeated: bool,
) -> None:
    left, right = parameters
    stored = ctx.facts.value(statement, statement.value)
    if right in application.rule.bars and stored.active and isinstance(statement.value, core.Var):
        made = contribution(ctx, application, right, bar)
        array = ctx.facts.value(statement, statement.target).kind
        expression = _of_stored(ctx, statement, array, made.expression)
        contribute(ctx, statement.value.name, stored.kind, expression, owned=made.fresh)
    if left in application.rule.bars:
        made = contribution(ctx, application, left, bar)
        add_to_item(ctx, buffer, index, made.expression, repeated=repeated)
