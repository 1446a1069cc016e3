"""What the elements of an iterated container get, at the beginning of every iteration."""

from __future__ import annotations

from collections.abc import Callable

from zygpy.analyse.plain_entries import is_of_numbers
from zygpy.analyse.spelling import may_run_code
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import iterable_atoms
from zygpy.ir.kinds import Array, Dict, Iterator, List, Row, Tuple, Unknown, is_scalar
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.transform.context import (
    Bar,
    Context,
    Cotangent,
    Parts,
    TupleBar,
    add_to_key,
    contribute,
    cotangent_expression,
    is_spread_out,
    own_measured,
    settle,
    take,
)

Where = gast.expr


def deliver_elements(ctx: Context, loop: core.For) -> None:
    """Take the cotangents of the loop's targets and add them to what was iterated."""
    _deliver(ctx, loop, loop.target, loop.iterable, backwards=False)


def _deliver(
    ctx: Context, loop: core.For, target: core.Target, iterable: core.Atom | core.Iterate, *, backwards: bool
) -> None:
    _to_iterable(ctx, loop, _target_cotangent(ctx, target), iterable, backwards)


def _target_cotangent(ctx: Context, target: core.Target) -> Cotangent | None:
    if isinstance(target, str):
        return take(ctx, target)
    items = tuple(_target_cotangent(ctx, item) for item in target)
    return None if all(item is None for item in items) else TupleBar(items)


def finish_walks(ctx: Context, loop: core.For | core.Loop, count: Callable[[], gast.expr]) -> None:
    """In front of the adjoint loop: reverse the steps that came behind the iterations it goes through."""
    atoms = list(iterable_atoms(loop.iterable)) if isinstance(loop, core.For) else []
    for atom in reversed(atoms):
        if isinstance(atom, core.Var) and _is_walk(ctx, ctx.facts.value(loop, atom)):
            thing = ctx.recorder.reference(loop, atom.name)
            ctx.emit("$store.finish($x, $n)", store=ctx.carrier, x=thing, n=count())


def _is_walk(ctx: Context, value: Value) -> bool:
    """Whether the steps of a loop over a value may have run code, and are reversed in any case."""
    return ctx.identity and may_run_code(value)


def _to_iterable(
    ctx: Context,
    loop: core.For,
    cotangent: Cotangent | None,
    iterable: core.Atom | core.Iterate,
    backwards: bool,
) -> None:
    if not isinstance(iterable, core.Iterate):
        if isinstance(iterable, core.Var):
            _to_source(ctx, loop, cotangent, iterable, backwards)
        return
    name = iterable.func.names[-1]
    if name == "reversed":
        inner = iterable.args[0]
        _to_iterable(ctx, loop, cotangent, inner, not backwards)
    elif name == "enumerate":
        _to_parts(ctx, loop, cotangent, [None, iterable.args[0]], backwards)
    elif name == "zip":
        _to_parts(ctx, loop, cotangent, list(iterable.args), backwards)


def _to_parts(
    ctx: Context,
    loop: core.For,
    cotangent: Cotangent | None,
    parts: list[core.Atom | core.Iterate | None],
    backwards: bool,
) -> None:
    items = (None,) * len(parts) if cotangent is None else _entries(ctx, cotangent, len(parts))
    pairs = list(zip(items, parts, strict=True))
    for item, part in reversed(pairs) if ctx.identity else pairs:  # the steps of walks, in reverse
        if part is not None:
            _to_iterable(ctx, loop, item, part, backwards)


def _entries(ctx: Context, cotangent: Cotangent, count: int) -> tuple[Cotangent | None, ...]:
    if isinstance(cotangent, TupleBar):
        return cotangent.items
    names = [ctx.names.fresh("part_bar") for _ in range(count)]
    targets = gast.Tuple([name_node(name) for name in names], gast.Load())
    ctx.emit(
        "$t = $entries($v, $n)", t=targets, entries=ctx.helper("entries"), v=cotangent.name, n=constant(count)
    )
    return tuple(Bar(name, False, True) for name in names)


def _to_source(
    ctx: Context, loop: core.For, cotangent: Cotangent | None, source: core.Var, backwards: bool
) -> None:
    value = ctx.facts.value(loop, source)
    if not value.active or (cotangent is None and not _is_walk(ctx, value)):
        return
    added = constant(None) if cotangent is None else cotangent_expression(cotangent)
    position = name_node(ctx.position(loop))
    where = _from_behind(ctx, loop, source.name, value, position) if backwards else position
    if ctx.identity and isinstance(value.kind, Row) and is_of_numbers(value.kind):
        _to_row(ctx, loop, source.name, where, added)
    elif ctx.identity and not isinstance(value.kind, Array | Tuple):
        _to_thing(ctx, loop, source.name, value, where, added)
    elif isinstance(value.kind, Array | List | Row):
        _to_buffer(
            ctx, loop, source.name, value, where, added, maybe=isinstance(cotangent, Bar) and cotangent.maybe
        )
    else:
        _to_other(ctx, loop, source.name, value, where, added)


def _from_behind(ctx: Context, loop: core.For, variable: str, value: Value, position: Where) -> Where:
    """The index of an item of what is walked over from its end, as which counts the end before the loop."""
    region = ctx.versions.regions[id(loop.body)]
    may_grow = isinstance(value.kind, List | Unknown) and ctx.recorder.head(region, variable) is not None
    if not may_grow and not isinstance(value.kind, Iterator):  # the places in a view have no other end
        return quote_expression("-1 - $k", k=position)
    length = ctx.recorder.measure("count", loop, variable)
    return quote_expression("$n - 1 - $k", n=length, k=position)


def _to_thing(
    ctx: Context, loop: core.For, variable: str, value: Value, where: Where, added: gast.expr
) -> None:
    """To what is found by identity; what belongs to the variable itself is left over."""
    thing = ctx.recorder.reference(loop, variable)
    region = ctx.versions.regions[id(loop.body)]
    length = ctx.recorder.measure_head("count", region, loop, variable)
    place: gast.expr = constant(None)
    if isinstance(value.kind, Iterator | Unknown | Dict):
        places = ctx.recorder.measure("places", loop, variable)
        place = quote_expression("$f($p, $k)", f=ctx.helper("place_at"), p=places, k=where)
    parts: Parts = {"store": ctx.carrier, "x": thing, "n": length, "k": where, "p": place, "v": added}
    call = quote_expression("$store.add_element($x, $n, $k, $p, $v)", **parts)
    if not is_spread_out(value.kind):
        ctx.emit("$call", call=call)
        return
    contribute(ctx, variable, value.kind, call, owned=False, maybe=True)


def _to_row(ctx: Context, loop: core.For, variable: str, where: Where, added: gast.expr) -> None:
    """To a tuple of numbers, of any length, whose cotangent belongs to the variable."""
    length = ctx.recorder.measure_head("count", ctx.versions.regions[id(loop.body)], loop, variable)
    bar = settle(ctx, variable)
    target = ctx.bar_name(variable)
    current = name_node(bar.name) if bar else constant(None)
    parts: Parts = {"f": ctx.helper("with_entry"), "b": current, "n": length, "k": where, "v": added}
    ctx.emit("$x = $f($b, $n, $k, $v)", x=target, **parts)
    ctx.bars[variable] = Bar(target, False, True)


def _to_buffer(
    ctx: Context, loop: core.For, variable: str, value: Value, where: Where, added: gast.expr, *, maybe: bool
) -> None:
    region = ctx.versions.regions[id(loop.body)]
    buffer = own_measured(
        ctx, variable, value, lambda what: ctx.recorder.measure_head(what, region, loop, variable)
    )
    item = gast.Subscript(name_node(buffer), where, gast.Load())
    if variable in ctx.parts.roots:
        added = quote_expression("$f($v)", f=ctx.helper("owned_rows"), v=added)
    if maybe or (isinstance(value.kind, List | Row) and not is_scalar(value.kind.element)):
        ctx.emit("$item = $add($item, $v)", item=item, v=added, add=ctx.helper("accumulate"))
    else:
        ctx.emit("$item += $v", item=item, v=added)


def _to_other(
    ctx: Context, loop: core.For, variable: str, value: Value, where: Where, added: gast.expr
) -> None:
    if isinstance(value.kind, Iterator):
        add_to_key(ctx, variable, where, added)
        return
    bar = settle(ctx, variable)
    target = ctx.bar_name(variable)
    current = name_node(bar.name) if bar else constant(None)
    if isinstance(value.kind, Tuple):
        size = constant(len(value.kind.items))
        ctx.emit(
            "$x = $f($b, $n, $k, $v)",
            x=target,
            f=ctx.helper("with_entry"),
            b=current,
            n=size,
            k=where,
            v=added,
        )
    else:
        like = ctx.recorder.value(loop, core.Var(variable))
        text = "$x = $f($b, $like, $k, $v)"
        ctx.emit(text, x=target, f=ctx.helper("with_element"), b=current, like=like, k=where, v=added)
    ctx.bars[variable] = Bar(target, False, True)
