"""The adjoints of operations on tuples, lists and dicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zygpy.analyse.facts import Intrinsic
from zygpy.analyse.plain_entries import is_followed_tuple
from zygpy.analyse.transfer import constant_slice
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import Array, Kind, List, LocalFunction, Row, Tuple, is_scalar, something
from zygpy.ir.nodes import constant, gast, parameter_name, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.partials import RECEIVER
from zygpy.transform.context import (
    Bar,
    Context,
    Cotangent,
    TupleBar,
    add,
    add_to_key,
    cotangent_expression,
    entry_zero,
    measure_after,
    own,
    own_measured,
    settle,
)
from zygpy.transform.entries import append_entry, is_number_bar, left_over, pop_entry, read_entry
from zygpy.transform.inside import add_inside, alone
from zygpy.transform.items import as_value, index_expression, subscript


def frozen(ctx: Context, cotangent: Cotangent) -> Cotangent:
    """The same cotangent under names that nothing else assigns."""
    if isinstance(cotangent, TupleBar):
        return TupleBar(tuple(None if item is None else frozen(ctx, item) for item in cotangent.items))
    fresh = ctx.names.fresh("part_bar")
    ctx.emit("$x = $v", x=fresh, v=name_node(cotangent.name))
    return Bar(fresh, False, cotangent.maybe)


def entries_of(
    ctx: Context, cotangent: Cotangent, count: int, *, numbers: bool = False
) -> tuple[Cotangent | None, ...]:
    """The cotangents of a tuple's or list's entries; in an own list for `numbers` there are numbers."""
    if isinstance(cotangent, TupleBar):
        return cotangent.items
    names = [ctx.names.fresh("part_bar") for _ in range(count)]
    targets = gast.Tuple([name_node(name) for name in names], gast.Load())
    if numbers and cotangent.owned and not cotangent.maybe:
        ctx.emit("$t = $v", t=targets, v=cotangent.name)
        return tuple(Bar(name, False, False) for name in names)
    f = ctx.helper("entries")
    ctx.emit("$t = $f($v, $n)", t=targets, f=f, v=cotangent.name, n=constant(count))
    return tuple(Bar(name, False, True) for name in names)


# ---------------------------------------------------------------------------------- copies, displays


def copy(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = x`, and `y = tuple(x)` of a tuple."""
    atom = _copied(ctx, statement)
    add(ctx, atom, ctx.facts.value(statement, atom), cotangent)


def _copied(ctx: Context, statement: core.Assign) -> core.Atom:
    """What is copied: an argument of a call, the receiver of a method, or the value of an assignment."""
    resolution = ctx.facts.calls[id(statement)]
    assert isinstance(resolution, Intrinsic)
    return resolution.atoms[0] if resolution.atoms else next(iter(operands(statement.op)))


def display(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = (a, b)` and `y = [a, *b]`."""
    op = statement.op
    assert isinstance(op, core.Display)
    if any(isinstance(item, core.Star) for item in op.items):
        _starred_display(ctx, statement, op, cotangent)
        return
    atoms = list(operands(op))
    if not atoms:
        return
    kind = ctx.facts.after(statement, statement.target).kind
    numbers = isinstance(kind, List) and is_scalar(kind.element)
    for atom, item in zip(atoms, entries_of(ctx, cotangent, len(atoms), numbers=numbers), strict=True):
        add(ctx, atom, ctx.facts.value(statement, atom), item)


def _starred_display(ctx: Context, statement: core.Assign, op: core.Display, cotangent: Cotangent) -> None:
    """Pieces of the whole, taken from the front."""
    rest = ctx.names.fresh("rest_bar")
    size = _total(ctx, statement, op)
    f = ctx.helper("entries")
    ctx.emit("$x = list($f($v, $n))", x=rest, f=f, v=cotangent_expression(cotangent), n=size)
    for item in reversed(op.items):
        part = ctx.names.fresh("part_bar")
        if isinstance(item, core.Star):
            length = ctx.recorder.measure("length", statement, _variable(item.value))
            ctx.emit("$p = $f($x, $n)", p=part, f=ctx.helper("split_tail"), x=rest, n=length)
        else:
            ctx.emit("$p = $x.pop()", p=part, x=rest)
        atom = item.value if isinstance(item, core.Star) else item
        value = ctx.facts.value(statement, atom)
        if isinstance(value.kind, Array) and isinstance(item, core.Star):
            ctx.emit("$p = $f($p)", p=part, f=ctx.helper("as_array"))
        elif isinstance(item, core.Star) and not isinstance(value.kind, List | Tuple | Row):
            like = ctx.recorder.value(statement, atom)
            ctx.emit("$p = $f($p, $like)", p=part, f=ctx.helper("as_unpacked"), like=like)
        add(ctx, atom, value, Bar(part, False, True))


def _variable(atom: core.Atom) -> str:
    assert isinstance(atom, core.Var)
    return atom.name


def _total(ctx: Context, statement: core.Assign, op: core.Display) -> gast.expr:
    plain = sum(not isinstance(item, core.Star) for item in op.items)
    total: gast.expr = constant(plain)
    for item in op.items:
        if isinstance(item, core.Star):
            length = ctx.recorder.measure("length", statement, _variable(item.value))
            total = quote_expression("$a + $b", a=total, b=length)
    return total


def dict_display(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = {k: v, **d}`: of equal keys the last one wins."""
    op = statement.op
    assert isinstance(op, core.DictDisplay)
    if any(key is None for key, _ in op.items) or (len(op.items) > 1 and not _constant_keys(op)):
        _merged_display(ctx, statement, op, cotangent)
        return
    seen: set[Any] = set()
    for key, atom in reversed(op.items):
        assert key is not None
        if isinstance(key, core.Const):
            if key.value in seen:
                continue
            seen.add(key.value)
        part = ctx.names.fresh("part_bar")
        source, where = cotangent_expression(cotangent), ctx.recorder.value(statement, key)
        ctx.emit("$p = $f($v, $k)", p=part, f=ctx.helper("key_of"), v=source, k=where)
        add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


def _constant_keys(op: core.DictDisplay) -> bool:
    return all(isinstance(key, core.Const) for key, _ in op.items)


def _merged_display(ctx: Context, statement: core.Assign, op: core.DictDisplay, cotangent: Cotangent) -> None:
    rest = ctx.names.fresh("rest_bar")
    ctx.emit("$x = dict($v or {})", x=rest, v=cotangent_expression(cotangent))
    for key, atom in reversed(op.items):
        part = ctx.names.fresh("part_bar")
        if key is None:
            keys = ctx.recorder.measure("keys", statement, _variable(atom))
            ctx.emit("$p = $f($x, $k)", p=part, f=ctx.helper("split_keys"), x=rest, k=keys)
        else:
            ctx.emit("$p = $x.pop($k, None)", p=part, x=rest, k=ctx.recorder.value(statement, key))
        add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


def closure(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`f = lambda ...`: its cotangent has an entry for every captured variable, by name."""
    op = statement.op
    assert isinstance(op, core.MakeFunction)
    source = cotangent_expression(cotangent)
    if statement.target in op.captured:
        own = constant(statement.target)
        source = quote_expression("$f($v, $k)", f=ctx.helper("unrolled"), v=source, k=own)
    for key, atom in default_atoms(op):
        value = ctx.facts.value(statement, atom)
        if value.active:
            part = ctx.names.fresh("part_bar")
            ctx.emit("$p = $f($v, $k)", p=part, f=ctx.helper("key_of"), v=source, k=constant(key))
            add(ctx, atom, value, Bar(part, False, True))
    for captured in op.captured:
        value = ctx.facts.value(statement, core.Var(captured))
        if value.active and captured != statement.target:
            part = ctx.names.fresh("part_bar")
            parts = {"f": ctx.helper("key_of"), "v": source, "k": constant(captured)}
            ctx.emit("$p = $f($v, $k)", p=part, **parts)
            add(ctx, core.Var(captured), value, Bar(part, False, True))


def default_atoms(op: core.MakeFunction) -> list[tuple[str, core.Atom]]:
    """The atoms of the default values, with the keys that they have in the function's cotangent."""
    arguments = op.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    with_default += [parameter for parameter, default in pairs if default is not None]
    keys = [f"{parameter_name(parameter)}=" for parameter in with_default]
    return list(zip(keys, op.defaults, strict=True))


# --------------------------------------------------------------------------------------------- items


def item(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = t[i]` for a tuple, list or dict."""
    op = statement.op
    assert isinstance(op, core.GetItem)
    assert isinstance(op.value, core.Var)
    value = ctx.facts.value(statement, op.value)
    if id(statement) in ctx.parts.reads:
        add_inside(ctx, statement, cotangent)
    elif isinstance(value.kind, Tuple):
        _tuple_item(ctx, statement, op, value.kind, cotangent)
    elif isinstance(value.kind, List | Row):
        _list_item(ctx, statement, op, value, cotangent)
    else:
        key = index_expression(ctx, statement, op.index)
        _add_key(ctx, op.value.name, key, cotangent)


def field(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = t.name` for a namedtuple."""
    op = statement.op
    assert isinstance(op, core.GetAttr)
    assert isinstance(op.value, core.Var)
    kind = ctx.facts.value(statement, op.value).kind
    assert isinstance(kind, Tuple)
    if id(statement) in ctx.parts.reads:
        add_inside(ctx, statement, cotangent)
        return
    fields: tuple[str, ...] = getattr(kind.cls, "_fields", ())
    add_entry(ctx, op.value.name, len(kind.items), fields.index(op.name), cotangent)


def attribute(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = o.name` for a field of an object."""
    op = statement.op
    assert isinstance(op, core.GetAttr)
    assert isinstance(op.value, core.Var)
    if id(statement) in ctx.parts.reads:
        add_inside(ctx, statement, cotangent)
        return
    added, key = cotangent_expression(cotangent), constant(op.name)
    kind = something(ctx.facts.after(statement, statement.target).kind)
    if not ctx.identity:
        add_to_key(ctx, op.value.name, key, alone(ctx, op.value.name, cotangent))
    elif is_scalar(kind) or isinstance(kind, LocalFunction):
        owner = ctx.recorder.reference(statement, op.value.name)
        plain = is_scalar(kind) and is_number_bar(cotangent)
        add_one = "add_to_field" if plain else "add_key"
        ctx.emit(f"$store.{add_one}($x, $k, $v)", store=ctx.carrier, x=owner, k=key, v=added)
    elif is_followed_tuple(kind):
        owner, left = (
            ctx.recorder.reference(statement, op.value.name),
            left_over(ctx, statement, cotangent),
        )
        ctx.emit("$store.add_key($x, $k, $v)", store=ctx.carrier, x=owner, k=key, v=left)
    else:
        thing = ctx.recorder.reference(statement, statement.target, after=True)
        ctx.emit("$store.add($x, $v)", store=ctx.carrier, x=thing, v=added)


def bound_method(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`f = o.method`: its cotangent has an entry for the object."""
    op = statement.op
    assert isinstance(op, core.GetAttr)
    part = ctx.names.fresh("part_bar")
    source = cotangent_expression(cotangent)
    ctx.emit("$p = $f($v, $k)", p=part, f=ctx.helper("key_of"), v=source, k=constant(RECEIVER))
    add(ctx, op.value, ctx.facts.value(statement, op.value), Bar(part, False, True))


def captured(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """What a function has captured is read."""
    op = statement.op
    assert isinstance(op, core.Call)
    function, key = op.args
    assert isinstance(function, core.Var)
    assert isinstance(key, core.Const)
    variable = function.name
    add_to_key(ctx, variable, constant(key.value), alone(ctx, variable, cotangent))


def _tuple_item(
    ctx: Context, statement: core.Assign, op: core.GetItem, kind: Tuple, cotangent: Cotangent
) -> None:
    assert isinstance(op.value, core.Var)
    count = len(kind.items)
    bounds = constant_slice(op.index) if isinstance(op.index, core.Slice) else None
    if bounds is not None:
        chosen = range(count)[bounds]
        for position, entry in zip(chosen, entries_of(ctx, cotangent, len(chosen)), strict=True):
            if entry is not None:
                add_entry(ctx, op.value.name, count, position, entry)
    elif isinstance(op.index, core.Const):
        add_entry(ctx, op.value.name, count, range(count)[op.index.value], cotangent)
    else:
        _run_time_entry(ctx, statement, op, count, cotangent)


def _run_time_entry(
    ctx: Context, statement: core.Assign, op: core.GetItem, count: int, cotangent: Cotangent
) -> None:
    _add_to_place(ctx, statement, op, constant(count), cotangent_expression(cotangent))


def entry_of_row(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = t[i]` for a tuple of any length, found by identity: what y has no place for is the tuple's."""
    op = statement.op
    assert isinstance(op, core.GetItem)
    assert isinstance(op.value, core.Var)
    count = ctx.recorder.measure("length", statement, op.value.name)
    _add_to_place(ctx, statement, op, count, left_over(ctx, statement, cotangent))


def _add_to_place(
    ctx: Context, statement: core.Assign, op: core.GetItem, count: gast.expr, added: gast.expr
) -> None:
    assert isinstance(op.value, core.Var)
    variable = op.value.name
    bar = settle(ctx, variable)
    target = ctx.bar_name(variable)
    current = name_node(bar.name) if bar else constant(None)
    index = as_value(ctx, index_expression(ctx, statement, op.index))
    parts = {"f": ctx.helper("with_entry"), "b": current, "n": count, "k": index}
    ctx.emit("$x = $f($b, $n, $k, $v)", x=target, v=added, **parts)
    ctx.bars[variable] = Bar(target, False, True)


def add_entry(ctx: Context, variable: str, count: int, position: int, cotangent: Cotangent) -> None:
    """Add to one entry of a tuple's cotangent, known or held in a variable."""
    current = ctx.bars.get(variable)
    if isinstance(current, Bar):
        target = ctx.bar_name(variable)
        parts = {"f": ctx.helper("with_entry"), "n": constant(count), "k": constant(position)}
        ctx.emit("$x = $f($x, $n, $k, $v)", x=target, v=cotangent_expression(cotangent), **parts)
        ctx.bars[variable] = Bar(target, False, current.maybe)
        return
    items: list[Cotangent | None] = list(current.items) if current else [None] * count
    old = items[position]
    added = frozen(ctx, cotangent)
    items[position] = added if old is None else _sum(ctx, old, added)
    ctx.bars[variable] = TupleBar(tuple(items))


def _sum(ctx: Context, a: Cotangent, b: Cotangent) -> Cotangent:
    fresh = ctx.names.fresh("part_bar")
    parts = {"f": ctx.helper("accumulate"), "a": cotangent_expression(a), "b": cotangent_expression(b)}
    ctx.emit("$x = $f($a, $b)", x=fresh, **parts)
    return Bar(fresh, False, True)


def _list_item(
    ctx: Context, statement: core.Assign, op: core.GetItem, value: Value, cotangent: Cotangent
) -> None:
    assert isinstance(op.value, core.Var)
    assert isinstance(value.kind, List | Row)
    buffer = own(ctx, statement, op.value.name, value)
    index = index_expression(ctx, statement, op.index)
    maybe = isinstance(cotangent, TupleBar) or cotangent.maybe
    if isinstance(op.index, core.Slice):
        owned = isinstance(cotangent, Bar) and cotangent.owned and not cotangent.maybe
        numbers = owned and is_scalar(value.kind.element)
        f = ctx.helper("add_numbers" if numbers else "add_slice")
        added = alone(ctx, op.value.name, cotangent)
        ctx.emit("$f($x, $i, $v)", f=f, x=buffer, i=as_value(ctx, index), v=added)
        return
    added = alone(ctx, op.value.name, cotangent)
    where = subscript(name_node(buffer), index)
    if is_scalar(value.kind.element) and not maybe:
        ctx.emit("$item += $v", item=where, v=added)
    else:
        ctx.emit("$item = $f($item, $v)", item=where, f=ctx.helper("accumulate"), v=added)


def _add_key(ctx: Context, variable: str, key: gast.expr, cotangent: Cotangent) -> None:
    add_to_key(ctx, variable, as_value(ctx, key), alone(ctx, variable, cotangent))


def dict_get(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = d.get(k, default)`."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    key = op.args[0]
    assert not isinstance(key, core.Star)
    there = ctx.recorder.has_key(statement, op.value.name, key)
    bar = frozen(ctx, cotangent)
    added = cotangent_expression(bar)
    inside = ctx.names.fresh("inside_bar")
    where = ctx.recorder.value(statement, key)
    ctx.emit("$i = $v if $there else None", i=inside, v=added, there=there)
    _add_key(ctx, op.value.name, where, Bar(inside, False, True))
    if len(op.args) == 2 and isinstance(op.args[1], core.Var):
        default = op.args[1]
        outside = ctx.names.fresh("outside_bar")
        ctx.emit("$o = None if $there else $v", o=outside, v=added, there=there)
        add(ctx, default, ctx.facts.value(statement, default), Bar(outside, False, True))


def _dict_view(ctx: Context, statement: core.Assign, cotangent: Cotangent, helper: str) -> None:
    op = statement.op
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    keys = ctx.recorder.measure("keys", statement, op.value.name)
    part = ctx.names.fresh("part_bar")
    parts = {"f": ctx.helper(helper), "v": cotangent_expression(cotangent), "keys": keys}
    ctx.emit("$p = $f($v, $keys)", p=part, **parts)
    value = ctx.facts.value(statement, op.value)
    add(ctx, op.value, value, Bar(part, False, True))


def dict_values(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = d.values()`: its cotangent has entries by position."""
    _dict_view(ctx, statement, cotangent, "from_values")


def dict_items(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = d.items()`: its cotangent has pairs by position."""
    _dict_view(ctx, statement, cotangent, "from_items")


# ---------------------------------------------------------------------------------- whole containers


def unpack(ctx: Context, statement: core.Unpack) -> None:
    """`a, *b, c = t`."""
    found: dict[str, Cotangent] = {}
    for target in statement.targets:
        cotangent = ctx.bars.pop(target, None)
        if cotangent is not None:
            found[target] = cotangent
    if ctx.identity and statement.star is not None:
        _take_starred(ctx, statement, statement.targets[statement.star], found)
    value = ctx.facts.value(statement, statement.value)
    if not found or not value.active or not isinstance(statement.value, core.Var):
        return
    items = [found.get(target) for target in statement.targets]
    count = len(statement.targets)
    if isinstance(value.kind, Tuple) and statement.star is None and len(value.kind.items) == count:
        for position, cotangent in enumerate(items):
            if cotangent is not None:
                add_entry(ctx, statement.value.name, count, position, cotangent)
        return
    _unpack_sequence(ctx, statement, value, items)


def _take_starred(ctx: Context, statement: core.Unpack, target: str, found: dict[str, Cotangent]) -> None:
    """By identity, what has come in for the items of the list that a starred name is bound to."""
    if ctx.facts.after(statement, target).active:
        taken = ctx.names.fresh(f"{target}_bar")
        owner = ctx.recorder.reference(statement, target, after=True)
        ctx.emit("$x = $store.take_entries($owner)", x=taken, store=ctx.carrier, owner=owner)
        found[target] = Bar(taken, False, True)


def _unpack_sequence(
    ctx: Context, statement: core.Unpack, value: Value, items: list[Cotangent | None]
) -> None:
    assert isinstance(statement.value, core.Var)
    part = ctx.names.fresh("part_bar")
    elements: list[gast.expr] = [cotangent_expression(item) for item in items]
    whole: gast.expr = gast.List(elements, gast.Load())
    if statement.star is not None:
        length = ctx.recorder.measure("length", statement, statement.value.name)
        star, f = constant(statement.star), ctx.helper("spread")
        whole = quote_expression("$f($whole, $star, $n)", f=f, whole=whole, star=star, n=length)
    if isinstance(value.kind, Array):
        shape = ctx.recorder.measure("shape", statement, statement.value.name)
        whole = quote_expression("$f($v, $s)", f=ctx.helper("stacked"), v=whole, s=shape)
    elif isinstance(value.kind, Tuple):
        whole = quote_expression("tuple($v)", v=whole)
    elif not isinstance(value.kind, List | Row):
        like = ctx.recorder.value(statement, statement.value)
        whole = quote_expression("$f($v, $like)", f=ctx.helper("as_cotangent"), v=whole, like=like)
    ctx.emit("$p = $v", p=part, v=whole)
    add(ctx, statement.value, value, Bar(part, False, False))


def concatenate(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = a + b` for lists and tuples."""
    op = statement.op
    assert isinstance(op, core.Binary)
    parts = ctx.names.fresh("rest_bar"), ctx.names.fresh("part_bar")
    lengths = [_length(ctx, statement, atom) for atom in (op.left, op.right)]
    total = quote_expression("$a + $b", a=lengths[0], b=lengths[1])
    v = cotangent_expression(cotangent)
    ctx.emit("$x = list($f($v, $n))", x=parts[0], f=ctx.helper("entries"), v=v, n=total)
    ctx.emit("$p = $f($x, $n)", p=parts[1], f=ctx.helper("split_tail"), x=parts[0], n=lengths[1])
    for atom, part in zip((op.left, op.right), parts, strict=True):
        add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


def _length(ctx: Context, statement: core.Statement, atom: core.Atom) -> gast.expr:
    return ctx.recorder.measure("length", statement, _variable(atom))


def repeat(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = xs * n` or `n * xs` for a list or tuple."""
    op = statement.op
    assert isinstance(op, core.Binary)
    repeated = isinstance(ctx.facts.value(statement, op.left).kind, List | Tuple | Row)
    atom = op.left if repeated else op.right
    value = ctx.facts.value(statement, atom)
    part = ctx.names.fresh("part_bar")
    v, length = cotangent_expression(cotangent), _length(ctx, statement, atom)
    ctx.emit("$p = $f($v, $n)", p=part, f=ctx.helper("folded"), v=v, n=length)
    if isinstance(value.kind, Tuple):
        ctx.emit("$p = $f($p, $n)", p=part, f=ctx.helper("as_tuple"), n=length)
    add(ctx, atom, value, Bar(part, False, True))


def record(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = Point(a, b)` for a namedtuple."""
    resolution = ctx.facts.calls[id(statement)]
    assert isinstance(resolution, Intrinsic)
    atoms = resolution.atoms
    for atom, entry in zip(atoms, entries_of(ctx, cotangent, len(atoms)), strict=True):
        add(ctx, atom, ctx.facts.value(statement, atom), entry)


def replaced_fields(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = point._replace(x=x)`: the receiver stands for the fields that stay."""
    resolution, op = ctx.facts.calls[id(statement)], statement.op
    assert isinstance(resolution, Intrinsic)
    assert isinstance(op, core.CallMethod)
    atoms, given = resolution.atoms, {keyword.name for keyword in op.keywords}
    count, kind = len(atoms), ctx.facts.value(statement, op.value).kind
    assert isinstance(kind, Tuple)
    names = kind.cls._fields  # type: ignore[union-attr]
    for position, (atom, entry) in enumerate(zip(atoms, entries_of(ctx, cotangent, count), strict=True)):
        if names[position] in given:  # perhaps the receiver itself
            add(ctx, atom, ctx.facts.value(statement, atom), entry)
        elif entry is not None:
            add_entry(ctx, _variable(op.value), count, position, entry)


def partial(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`y = functools.partial(f, a, b=b)`: y's cotangent has an entry for everything that it carries."""
    resolution, op = ctx.facts.calls[id(statement)], statement.op
    assert isinstance(resolution, Intrinsic)
    assert isinstance(op, core.Call | core.CallMethod)  # `m.partial(f, a)`, `m` a variable
    function, *atoms = resolution.atoms
    inner: gast.expr = constant(None)
    if isinstance(function, core.Var):
        inner = ctx.recorder.measure("carried", statement, function.name)
    names: list[Any] = [constant(keyword.name) for keyword in op.keywords]
    parts = [ctx.names.fresh("part_bar") for _ in resolution.atoms]
    targets: Any = gast.Tuple([name_node(part) for part in parts], gast.Load())
    given = {"v": cotangent_expression(cotangent), "inner": inner, "n": constant(len(atoms) - len(names))}
    keywords: Any = gast.Tuple(names, gast.Load())
    text, f = "$t = $f($v, $inner, $n, $names)", ctx.helper("carried_parts")
    ctx.emit(text, t=targets, f=f, names=keywords, **given)
    for atom, part in zip(resolution.atoms, parts, strict=True):
        add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


def converted(ctx: Context, statement: core.Assign, cotangent: Cotangent) -> None:
    """`list(x)`, `tuple(x)`, `xs.copy()`."""
    atom = _copied(ctx, statement)
    assert isinstance(atom, core.Var)
    value = ctx.facts.value(statement, atom)
    part = ctx.names.fresh("part_bar")
    v = cotangent_expression(cotangent)
    if isinstance(value.kind, Array):
        shape = ctx.recorder.measure("shape", statement, atom.name)
        ctx.emit("$p = $f($v, $s)", p=part, f=ctx.helper("stacked"), v=v, s=shape)
    elif isinstance(value.kind, Tuple):
        ctx.emit(
            "$p = tuple($f($v, $n))", p=part, f=ctx.helper("entries"), v=v, n=constant(len(value.kind.items))
        )
    elif isinstance(value.kind, List | Row):
        ctx.emit(
            "$p = list($f($v, $n))", p=part, f=ctx.helper("entries"), v=v, n=_length(ctx, statement, atom)
        )
    else:
        ctx.emit("$p = $v", p=part, v=v)
    # Not owned: a list may have symbolic zeros in it where its own kind has numbers.
    add(ctx, atom, value, Bar(part, False, isinstance(value.kind, Tuple)))


# -------------------------------------------------------------------------------------------- writes


def append(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.append(v)`: the last entry is v's."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    buffer, kind = _written_list(ctx, statement, op)
    if buffer is None:
        return
    part = ctx.names.fresh("part_bar")
    ctx.emit("$p = $x.pop()", p=part, x=buffer)
    (atom,) = op.args
    assert not isinstance(atom, core.Star)
    add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, not _dense(kind)))


def _dense(kind: Kind) -> bool:
    return isinstance(kind, List | Row) and entry_zero(kind) != "None"


def _written_list(ctx: Context, statement: core.Assign, op: core.CallMethod) -> tuple[str | None, Kind]:
    """The list cotangent after a method changed the list, or None if there is none."""
    variable = _variable(op.value)
    after = ctx.facts.after(statement, variable)
    if variable not in ctx.bars:
        return None, after.kind
    return own_measured(ctx, variable, after, measure_after(ctx, statement, variable)), after.kind


def extend(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`xs.extend(ys)`."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    buffer, _ = _written_list(ctx, statement, op)
    (atom,) = op.args
    assert not isinstance(atom, core.Star)
    if buffer is not None:
        _take_tail(ctx, statement, buffer, atom)


def shrink(ctx: Context, statement: core.AugmentName, variable: str, added: core.Atom) -> None:
    """`xs += ys` for lists."""
    after = ctx.facts.after(statement, variable)
    buffer = own_measured(ctx, variable, after, measure_after(ctx, statement, variable))
    _take_tail(ctx, statement, buffer, added)


def _take_tail(ctx: Context, statement: core.Statement, buffer: str, atom: core.Atom) -> None:
    part = ctx.names.fresh("part_bar")
    ctx.emit("$p = $f($x, $n)", p=part, f=ctx.helper("split_tail"), x=buffer, n=_length(ctx, statement, atom))
    value = ctx.facts.value(statement, atom)
    if isinstance(value.kind, Tuple):
        ctx.emit("$p = tuple($p)", p=part)
    add(ctx, atom, value, Bar(part, False, False))


def pop(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`y = xs.pop()`: y's cotangent becomes the last entry again."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    variable = _variable(op.value)
    after = ctx.facts.after(statement, variable)
    if variable not in ctx.bars and cotangent is None:
        return
    buffer = own_measured(ctx, variable, after, measure_after(ctx, statement, variable))
    assert isinstance(after.kind, List)
    ctx.emit("$x.append($v)", x=buffer, v=entry_of(after.kind, cotangent))


def entry_of(kind: Kind, cotangent: Cotangent | None) -> gast.expr:
    """What stands in a list's cotangent for an item with this cotangent: a number where the others are."""
    zero = quote_expression(entry_zero(kind) if isinstance(kind, List) else "None")
    if cotangent is None:
        return zero
    found = cotangent_expression(cotangent)
    if _dense(kind) and isinstance(cotangent, Bar) and cotangent.maybe:
        return quote_expression("$zero if $v is None else $v", zero=zero, v=found)
    return found


def update(ctx: Context, statement: core.Assign, cotangent: Cotangent | None) -> None:
    """`y = x.append(v)` and the like for a value whose kind is not known."""
    op = statement.op
    assert isinstance(op, core.CallMethod)
    variable = _variable(op.value)
    bar = settle(ctx, variable)
    if bar is None and cotangent is None:
        return
    back = ctx.recorder.extra(statement, "back", f"{variable}_back")
    seeds: gast.expr = gast.Tuple([cotangent_expression(bar), cotangent_expression(cotangent)], gast.Load())
    atoms = [atom for atom in op.args if not isinstance(atom, core.Star)]
    names = [ctx.names.fresh("part_bar") for _ in atoms]
    target = ctx.bar_name(variable)
    targets = gast.Tuple([name_node(name) for name in (target, *names)], gast.Load())
    ctx.emit("$targets = $back($seeds)", targets=targets, back=back, seeds=seeds)
    ctx.bars[variable] = Bar(target, False, True)
    for atom, name in zip(atoms, names, strict=True):
        add(ctx, atom, ctx.facts.value(statement, atom), Bar(name, False, True))


def write_unknown_item(ctx: Context, statement: core.SetItem) -> None:
    """`x[i] = v` for a value whose kind is not known."""
    variable = _variable(statement.target)
    back = ctx.recorder.extra(statement, "back", f"{variable}_back")
    _write_back(ctx, statement, variable, back, statement.value)


def augment_unknown_item(ctx: Context, statement: core.AugmentItem) -> None:
    """`x[i] op= v` for a value whose kind is not known."""
    variable = _variable(statement.target)
    back = ctx.recorder.extra(statement, "back", f"{variable}_back")
    _write_back(ctx, statement, variable, back, statement.value)


def _write_back(
    ctx: Context, statement: core.Statement, variable: str, back: gast.expr, atom: core.Atom
) -> None:
    bar = settle(ctx, variable)
    assert bar is not None
    part = ctx.names.fresh("part_bar")
    ctx.emit("_, $x, _, $p = $back($x)", x=bar.name, p=part, back=back)
    ctx.bars[variable] = Bar(bar.name, False, True)
    add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


Reader = Callable[[Context, core.Assign, Cotangent], None]

READERS: Mapping[str, Reader] = {
    "copy": copy,
    "display": display,
    "dict display": dict_display,
    "closure": closure,
    "item": item,
    "entry": read_entry,
    "entry of a row": entry_of_row,
    "field": field,
    "attribute": attribute,
    "bound method": bound_method,
    "captured": captured,
    "dict get": dict_get,
    "dict values": dict_values,
    "dict items": dict_items,
    "dict copy": converted,
    "concatenate": concatenate,
    "partial": partial,
    "record": record,
    "replaced fields": replaced_fields,
    "repeat": repeat,
    "converted": converted,
}
"""Adjoints of operations that make a value, by the name the interpretation gave them."""

Writer = Callable[[Context, core.Assign, Cotangent | None], None]

WRITERS: Mapping[str, Writer] = {
    "append": append,
    "append entry": append_entry,
    "pop entry": pop_entry,
    "extend": extend,
    "pop": pop,
    "update": update,
}
"""Adjoints of operations that change a container."""
