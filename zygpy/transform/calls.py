"""The adjoints of calls: of functions derived beforehand, and of those found when the call is made."""

from __future__ import annotations

from typing import Any

from zygpy.analyse.facts import Bound, DictBound, Direct
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import Array, is_scalar
from zygpy.ir.nodes import constant, gast
from zygpy.ir.nodes import name as name_node
from zygpy.transform.context import (
    Bar,
    Callee,
    Context,
    add,
    certainly,
    cotangent_expression,
    exchanged,
    is_function,
    is_handed_over,
    is_in_memory,
    is_spread_out,
    is_thing,
    make_owned,
    materialise,
    measure_after,
    settle,
    take,
)


def direct(ctx: Context, statement: core.Assign, found: Direct) -> None:
    """`y = g(a, b)` with g's pair: `a_bar, b_bar = g_adjoint(g_stash, y_bar)`."""
    callee = ctx.callee(found)
    has_written = any(ctx.has_cotangent(_holder(found, name) or "") for name in callee.writes)
    has_result = statement.target in ctx.bars or is_in_memory(ctx, statement)
    always = found.summary.refuses or found.summary.always or callee.carries
    if not (has_result or has_written or always):
        return
    if ctx.identity:
        _direct_by_identity(ctx, statement, found, callee)
        return
    written = [_written_bar(ctx, statement, found, name) for name in callee.writes]
    seed = _seed(ctx, statement, found, callee)
    base = found.function.__name__ if found.function.__name__.isidentifier() else "function"
    stash = ctx.recorder.extra(statement, "stash", f"{base}_stash")
    extra = [cotangent_expression(bar) for bar in written]
    if callee.carries:
        extra.append(name_node(str(ctx.carrier)))
    for (_, bound), writes in ((pair, pair[0] in callee.writes) for pair in found.arguments):
        if writes and isinstance(bound, core.Var):
            ctx.bars.pop(bound.name, None)
    call = gast.Call(name_node(callee.adjoint), [stash, seed, *extra], [])
    _distribute(ctx, statement, found.arguments, callee, call)


def _seed(ctx: Context, statement: core.Assign, found: Direct, callee: Callee) -> gast.expr:
    """The cotangent of the result, for the callee's adjoint."""
    target = statement.target
    if is_in_memory(ctx, statement):
        return name_node(_from_memory(ctx, statement).name)
    bar: Bar | None = None
    if callee.result_bar:
        result, measure = ctx.facts.after(statement, target), measure_after(ctx, statement, target)
        if target not in ctx.bars and not found.summary.always:
            materialise(ctx, target, result, measure)
        bar = settle(ctx, target)
        if bar is not None:
            bar = certainly(ctx, bar, result.kind, measure)
    seed = cotangent_expression(bar)
    take(ctx, target)
    return seed


def _from_memory(ctx: Context, statement: core.Assign) -> Bar:
    """The cotangent of a result that may lie in storage which is shared, all that has come in by memory."""
    taken = ctx.names.fresh(f"{statement.target}_bar")
    array = ctx.recorder.reference(statement, statement.target, after=True)
    ctx.emit("$x = $store.exchange($array)", x=taken, store=ctx.memory, array=array)
    return Bar(taken, True, True)


def _direct_by_identity(ctx: Context, statement: core.Assign, found: Direct, callee: Callee) -> None:
    """The same where the callee finds things in the store: it gets what belongs to the result itself,
    and what its arrays have in the store, which it may keep elsewhere."""
    result = ctx.facts.after(statement, statement.target)
    bar = settle(ctx, statement.target)
    if result.active and (isinstance(result.kind, Array) or is_spread_out(result.kind)):
        if ctx.facts.is_shared(result):
            bar = exchanged(ctx, statement, statement.target, bar)
    elif not is_scalar(result.kind) and not is_function(result.kind):
        bar = None
    ctx.bars.pop(statement.target, None)
    base = found.function.__name__ if found.function.__name__.isidentifier() else "function"
    stash = ctx.recorder.extra(statement, "stash", f"{base}_stash")
    arguments = [stash, cotangent_expression(bar), name_node(str(ctx.carrier))]
    call = gast.Call(name_node(callee.adjoint), arguments, [])
    _distribute(ctx, statement, found.arguments, callee, call)


def _holder(found: Direct, parameter: str) -> str | None:
    bound = dict(found.arguments)[parameter]
    return bound.name if isinstance(bound, core.Var) else None


def _written_bar(ctx: Context, statement: core.Assign, found: Direct, parameter: str) -> Bar | None:
    """The cotangent of what an argument holds after a call that writes it."""
    bound = dict(found.arguments)[parameter]
    if not isinstance(bound, core.Var):
        return None
    if ctx.is_shared(bound.name):
        taken = ctx.names.fresh(f"{bound.name}_bar")
        array = ctx.recorder.reference(statement, bound.name)
        ctx.emit("$x = $store.exchange($array)", x=taken, store=ctx.memory, array=array)
        return Bar(taken, True)
    if bound.name == statement.target:  # the variable has the result by then
        return None
    return _handed_over(ctx, statement, bound.name)


def _handed_over(ctx: Context, statement: core.Assign, variable: str) -> Bar | None:
    """The cotangent of what a variable holds after a call, which the callee may write to: a copy where
    others may hold it, too."""
    bar = settle(ctx, variable)
    kinds = (ctx.facts.after(statement, variable).kind, ctx.facts.value(statement, core.Var(variable)).kind)
    kind = next(filter(is_handed_over, kinds), None)
    if bar is None or bar.owned or kind is None:
        return bar
    ctx.wanted.add(variable)  # so that a loop around the call has it owned before it begins
    make_owned(ctx, variable, bar.name, kind, measure_after(ctx, statement, variable))
    return Bar(bar.name, True)


def _distribute(
    ctx: Context,
    statement: core.Statement,
    arguments: tuple[tuple[str, Bound], ...],
    callee: Callee,
    call: gast.expr,
) -> None:
    """Emit the call of an adjoint and add what it returns to the arguments' cotangents."""
    slots = callee.slots
    names = [
        ctx.names.fresh("part_bar") if slot != "none" and _reaches(ctx, statement, bound) else "_"
        for (_, bound), slot in zip(arguments, slots, strict=True)
    ]
    targets: Any = gast.Tuple([name_node(name) for name in names], gast.Load())
    if callee.single:
        (targets,) = (item for item, slot in zip(targets.elts, slots, strict=True) if slot != "none")
    ctx.emit("$targets = $call", targets=targets, call=call)
    for (_, bound), name, slot in zip(arguments, names, slots, strict=True):
        if name != "_":
            _add_bound(ctx, statement, bound, Bar(name, slot in ("owned", "own"), slot in ("maybe", "own")))


def _reaches(ctx: Context, statement: core.Statement, bound: Bound) -> bool:
    if isinstance(bound, DictBound):
        return any(ctx.facts.value(statement, atom).active for _, atom in bound.items)
    if isinstance(bound, tuple):
        return any(ctx.facts.value(statement, atom).active for atom in bound)
    return ctx.facts.value(statement, bound).active


def _add_bound(ctx: Context, statement: core.Statement, bound: Bound, bar: Bar) -> None:
    name = bar.name
    if isinstance(bound, DictBound):
        for key, atom in bound.items:
            part = ctx.names.fresh("part_bar")
            ctx.emit("$p = $f($v, $k)", p=part, f=ctx.helper("key_of"), v=name, k=constant(key))
            add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))
    elif isinstance(bound, tuple):
        for position, atom in enumerate(bound):
            part = ctx.names.fresh("part_bar")
            parts = {"f": ctx.helper("entries"), "n": constant(len(bound)), "k": constant(position)}
            ctx.emit("$p = $f($v, $n)[$k]", p=part, v=name, **parts)
            add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))
    else:
        value = ctx.facts.value(statement, bound)
        add(ctx, bound, value, bar)


def dynamic(ctx: Context, statement: core.Assign, bar: Bar | None) -> None:
    """An operation whose callee was found at run time: its `back` returns a cotangent for the callee
    (or receiver) and for every argument, in order."""
    back = ctx.recorder.extra(statement, "back", f"{statement.target}_back")
    unseen = id(statement) in ctx.facts.unseen
    carrier: list[gast.expr] = [name_node(str(ctx.carrier))] if unseen else []
    call = gast.Call(back, [cotangent_expression(bar), *carrier], [])
    slots = dynamic_slots(statement.op)
    if any(star for _, star in slots):
        _starred(ctx, statement, slots, call)
        return
    atoms = [atom for atom, _ in slots]
    active = [atom is not None and takes_part(ctx, ctx.facts.value(statement, atom)) for atom in atoms]
    names = [ctx.names.fresh("part_bar") if wanted else "_" for wanted in active]
    targets: Any = gast.Tuple([name_node(name) for name in names], gast.Load())
    ctx.emit("$targets = $call", targets=targets, call=call)
    for atom, name in zip(atoms, names, strict=True):
        if name != "_" and atom is not None:
            add(ctx, atom, ctx.facts.value(statement, atom), Bar(name, False, True))


def takes_part(ctx: Context, value: Value) -> bool:
    """Whether anything of a cotangent may belong to the variable itself that holds a value."""
    return value.active and not (ctx.identity and is_thing(value.kind))


def dynamic_slots(op: core.Op) -> list[tuple[core.Atom | None, str]]:
    """The atoms to which the entries of a run-time `back` belong (None: nothing), and of those that stand for
    several entries by what these are put together; "" of the others."""
    match op:
        case core.Caught(call):
            return dynamic_slots(call)
        case core.Call(func, args, keywords):
            receiver: list[tuple[core.Atom | None, str]] = [
                (func if isinstance(func, core.Var) else None, "")
            ]
        case core.CallMethod(value, _, args, keywords):
            receiver = [(value, "")]
        case core.Binary(_, left, right):
            return [(None, ""), (left, ""), (right, "")]
        case core.Unary(_, value):
            return [(None, ""), (value, "")]
        case core.GetItem(value, index):
            own = index if isinstance(index, core.Var) else None  # which an object may compute with
            return [(None, ""), (value, ""), (own, "")]
        case core.GetAttr(value, _):
            return [(value, "")]
        case _:
            raise TypeError(type(op).__name__)
    plain = [(arg.value, "walked_layout") if isinstance(arg, core.Star) else (arg, "") for arg in args]
    named = [(keyword.value, "layout" if keyword.name is None else "") for keyword in keywords]
    return receiver + plain + named


def _starred(
    ctx: Context, statement: core.Assign, slots: list[tuple[core.Atom | None, str]], call: gast.expr
) -> None:
    """Entries taken from the end, as many for each argument as it was unpacked into."""
    rest = ctx.names.fresh("rest_bar")
    if sum(star != "" for _, star in slots) == 1:
        _one_star(ctx, statement, slots, call, rest)
        return
    ctx.emit("$x = list($call)", x=rest, call=call)
    for atom, star in reversed(slots):
        part = ctx.names.fresh("part_bar")
        if not star:
            ctx.emit("$p = $x.pop()", p=part, x=rest)
        else:
            assert isinstance(atom, core.Var)
            like = ctx.recorder.measure(star, statement, atom.name)
            ctx.emit("$p = $f($x, $like)", p=part, f=ctx.helper("gathered"), x=rest, like=like)
        if atom is not None:
            add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


def _one_star(
    ctx: Context,
    statement: core.Assign,
    slots: list[tuple[core.Atom | None, str]],
    call: gast.expr,
    rest: str,
) -> None:
    """With one unpacked argument: its entries are those between the others'."""
    ctx.emit("$x = $call", x=rest, call=call)
    where = next(place for place, (_, star) in enumerate(slots) if star)
    for position, (atom, star) in enumerate(slots):
        if atom is None or not ctx.facts.value(statement, atom).active:
            continue
        part = ctx.names.fresh("part_bar")
        if star:
            assert isinstance(atom, core.Var)
            layout = ctx.recorder.measure(star, statement, atom.name)
            parts = {"first": constant(position), "after": constant(len(slots) - 1 - position)}
            helper = ctx.helper("between")
            ctx.emit("$p = $f($x, $first, $after, $layout)", p=part, f=helper, x=rest, layout=layout, **parts)
        else:
            index = constant(position if position < where else position - len(slots))
            ctx.emit("$p = $x[$i]", p=part, x=rest, i=index)
        add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))


def dynamic_augment(ctx: Context, statement: core.AugmentName, bar: Bar | None) -> None:
    """`x op= v` on values whose kinds are not known."""
    back = ctx.recorder.extra(statement, "back", f"{statement.target}_back")
    parts = [ctx.names.fresh("part_bar"), ctx.names.fresh("part_bar")]
    names = parts if ctx.identity else ["_", *parts]
    targets: Any = gast.Tuple([name_node(name) for name in names], gast.Load())
    given: list[Any] = [cotangent_expression(bar)]
    if ctx.identity:
        given.append(name_node(str(ctx.carrier)))
    ctx.emit("$targets = $call", targets=targets, call=gast.Call(back, given, []))
    for atom, name in zip((core.Var(statement.target), statement.value), parts, strict=True):
        add(ctx, atom, ctx.facts.value(statement, atom), Bar(name, False, True))
