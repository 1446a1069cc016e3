"""The adjoint of every statement: the walk backwards over a block, dispatching on the statement."""

from __future__ import annotations

from zygpy.analyse.facts import ByRule, Direct, Dynamic, Intrinsic, Plain, Resolution
from zygpy.ir import core
from zygpy.ir.access import read
from zygpy.ir.kinds import Array, Dict, Kind, List, Row, is_numeric
from zygpy.ir.nodes import constant, gast
from zygpy.rules import declare
from zygpy.rules.texts import texts
from zygpy.runtime.operations import BINARY
from zygpy.transform import calls, containers, control, mutations, things, yields
from zygpy.transform.context import (
    Bar,
    Context,
    Cotangent,
    add,
    cotangent_expression,
    entry_zero,
    fill_out,
    make_owned,
    measure_before,
    settle,
    take,
)
from zygpy.transform.contributions import adjoint_of_rule, adjoint_of_spread
from zygpy.transform.items import augment_item, read_array_item, write_item

AS_IT_STANDS = Plain()


def adjoint_block(ctx: Context, block: core.Block) -> None:
    """Emit the adjoint of a block: its statements in reverse."""
    for statement in reversed(block):
        adjoint_statement(ctx, statement)
    fill_out(ctx)


def _goes_on(ctx: Context, statement: core.Statement) -> bool:
    """Whether cotangents in a smaller form may outlive the statement: it is a primitive, a part of another
    array, or nothing."""
    if not isinstance(statement, core.Assign):
        return False
    resolution = ctx.facts.calls.get(id(statement), AS_IT_STANDS)
    if isinstance(resolution, Intrinsic) and resolution.name == "array item":
        return ctx.spread.keys().isdisjoint((statement.target, *read(statement)))
    return isinstance(resolution, ByRule) or (
        isinstance(resolution, Plain) and statement.target not in ctx.spread
    )


def adjoint_statement(ctx: Context, statement: core.Statement) -> None:
    """Emit the adjoint of one statement and bring the cotangents to the state before it."""
    if id(statement) in ctx.facts.refusals:
        return
    ctx.at(statement.loc)
    if not _goes_on(ctx, statement):
        fill_out(ctx)
    ctx.statement = statement
    if not (ctx.identity and things.write_by_identity(ctx, statement)):
        _adjoint_of(ctx, statement)
        _settle_entries(ctx, statement)


def _settle_entries(ctx: Context, statement: core.Statement) -> None:
    """Before a list of numbers got something else, its entries are numbers: zeros where nothing came in."""
    if not ctx.bars:
        return
    for variable, before, after in _kinds_around(ctx, statement):
        bar = ctx.bars.get(variable)
        if isinstance(bar, Bar) and _entry(before) == "0.0" != _entry(after):
            make_owned(ctx, variable, bar.name, before, measure_before(ctx, statement, variable))
            ctx.bars[variable] = Bar(bar.name, True)


def _kinds_around(ctx: Context, statement: core.Statement) -> list[tuple[str, Kind, Kind]]:
    """The variables with cotangents that a statement may change, with their kinds before and behind it."""
    facts, bars = ctx.facts, ctx.bars
    found: list[tuple[str, Kind, Kind]] = []
    if core.blocks(statement):
        entry, exit = facts.entries.get(id(statement), {}), facts.exits.get(id(statement), {})
        both = [name for name in exit if name in bars and name in entry]
        found += [(name, entry[name].kind, exit[name].kind) for name in both]
    for name in facts.writes.get(id(statement), ()):
        variable = core.Var(name)
        found.append((name, facts.value(statement, variable).kind, facts.after_write(statement, name).kind))
    return found


def _entry(kind: Kind) -> str:
    """What stands in the cotangent of a list where nothing has come in."""
    return entry_zero(kind) if isinstance(kind, List | Row) else ""


def _adjoint_of(ctx: Context, statement: core.Statement) -> None:
    match statement:
        case core.Assign():
            _assign(ctx, statement)
        case core.Unpack():
            containers.unpack(ctx, statement)
        case core.AugmentName():
            _augment_name(ctx, statement)
        case core.SetItem():
            _set_item(ctx, statement)
        case core.AugmentItem():
            _augment_item(ctx, statement)
        case _:
            _other(ctx, statement)


def _other(ctx: Context, statement: core.Statement) -> None:
    """Statements that hold others, and rare ones."""
    match statement:
        case core.DelItem():
            mutations.delete_item(ctx, statement)
        case core.WriteCell(name, atom, _):
            part = ctx.names.fresh("part_bar")
            ctx.emit("$p = $store.take_cell($cell)", p=part, store=ctx.carrier, cell=cell(ctx, name))
            add(ctx, atom, ctx.facts.value(statement, atom), Bar(part, False, True))
        case core.If():
            control.adjoint_if(ctx, statement, adjoint_block)
        case core.For() | core.Loop():
            control.adjoint_loop(ctx, statement, adjoint_block)
        case core.With() | core.Handle():
            control.adjoint_with(ctx, statement, adjoint_block)
        case core.Attempt():
            control.adjoint_attempt(ctx, statement, adjoint_block)


def _assign(ctx: Context, statement: core.Assign) -> None:
    if isinstance(statement.op, core.Caught) and isinstance(statement.op.call, core.Yield):
        yields.resume(ctx, statement, statement.op.call)
        return
    resolution = ctx.facts.calls.get(id(statement), AS_IT_STANDS)
    if isinstance(resolution, Direct):
        calls.direct(ctx, statement, resolution)
    elif isinstance(resolution, Intrinsic) and resolution.name in mutations.WRITERS:
        mutations.WRITERS[resolution.name](ctx, statement, take(ctx, statement.target))
    elif isinstance(resolution, ByRule) and statement.target in ctx.spread:
        adjoint_of_spread(ctx, statement, resolution)
    else:
        cotangent = take(ctx, statement.target)
        if cotangent is not None:
            _carry(ctx, statement, resolution, cotangent)
        elif id(statement) in ctx.facts.unseen:
            # What the callee does to variables that it shares, and its hooks, is not known here.
            calls.dynamic(ctx, statement, None)


def _carry(ctx: Context, statement: core.Assign, resolution: Resolution, cotangent: Cotangent) -> None:
    """Carry the cotangent of what was assigned to what was read."""
    if isinstance(resolution, Plain):
        return
    if isinstance(resolution, Intrinsic):
        if statement.target in read(statement):
            # `x = x[1:]`: the name is about to hold the cotangent of the earlier value.
            cotangent = containers.frozen(ctx, cotangent)
        _intrinsic(ctx, statement, resolution.name, cotangent)
        return
    bar = _as_bar(ctx, statement.target, cotangent)
    if isinstance(resolution, ByRule):
        adjoint_of_rule(ctx, statement, resolution, bar)
    elif isinstance(resolution, Dynamic):
        calls.dynamic(ctx, statement, bar)


def cell(ctx: Context, name: str) -> gast.expr:
    """The cell object of a shared variable, as the adjoint knows it."""
    function = ctx.facts.function
    return ctx.recorder.cell(function.body, name, name in function.captured)


def _as_bar(ctx: Context, target: str, cotangent: Cotangent) -> Bar:
    """The cotangent as one value held in a variable."""
    if isinstance(cotangent, Bar):
        return cotangent
    ctx.bars[target] = cotangent
    bar = settle(ctx, target)
    del ctx.bars[target]
    assert bar is not None
    return bar


def _intrinsic(ctx: Context, statement: core.Assign, name: str, cotangent: Cotangent) -> None:
    if name == "array item":
        assert isinstance(statement.op, core.GetItem)
        assert isinstance(cotangent, Bar)
        read_array_item(ctx, statement, statement.op, cotangent)
    elif name == "read cell":
        assert isinstance(statement.op, core.ReadCell)
        parts = {
            "store": ctx.carrier,
            "cell": cell(ctx, statement.op.name),
            "v": cotangent_expression(cotangent),
        }
        ctx.emit("$store.add_cell($cell, $v)", **parts)
    elif name == "read global":
        assert isinstance(statement.op, core.Read)
        names = statement.op.path.names
        key = constant(names[-1])
        owner = ctx.namespace() if len(names) == 1 else ctx.owner(names[:-1])
        if len(names) > 1 and isinstance(ctx.found_at(names[:-1]), type):
            owner = ctx.recorder.defining_class(statement, owner, names[-1])
        parts = {"store": ctx.carrier, "space": owner, "v": cotangent_expression(cotangent)}
        ctx.emit("$store.add_key($space, $key, $v)", key=key, **parts)
    else:
        containers.READERS[name](ctx, statement, cotangent)


def _augment_name(ctx: Context, statement: core.AugmentName) -> None:
    """`x op= v` is `x = x op v`, whether or not it happens in place."""
    variable = core.Var(statement.target)
    before, value = ctx.facts.value(statement, variable), ctx.facts.value(statement, statement.value)
    if ctx.is_shared(statement.target):
        _augment_shared(ctx, statement)
        return
    cotangent = take(ctx, statement.target)
    if cotangent is None or not (before.active or value.active):
        return
    ctx.bars[statement.target] = cotangent
    bar = settle(ctx, statement.target)
    assert bar is not None
    if is_numeric(before.kind) and is_numeric(value.kind):
        del ctx.bars[statement.target]
        rule = declare.find(BINARY[statement.op])
        if rule is None or rule.style == "none":
            return
        parameters = texts(rule).names()
        found = ByRule(rule, tuple(zip(parameters, (variable, statement.value), strict=True)))
        op = core.Binary(statement.op, variable, statement.value)
        adjoint_of_rule(ctx, as_assignment(ctx, statement, op), found, bar, in_place=True)
    elif isinstance(before.kind, List) and isinstance(value.kind, List) and statement.op == "+":
        containers.shrink(ctx, statement, statement.target, statement.value)
    else:
        del ctx.bars[statement.target]
        calls.dynamic_augment(ctx, statement, bar)


def _augment_shared(ctx: Context, statement: core.AugmentName) -> None:
    """`x op= v` on an array in shared storage: what came in is taken out and comes back reversed."""
    variable = core.Var(statement.target)
    rule = declare.find(BINARY[statement.op])
    if rule is None or rule.style == "none":
        return
    array = ctx.recorder.reference(statement, statement.target)
    bar = ctx.names.fresh(f"{statement.target}_bar")
    ctx.emit("$x = $store.cut($array)", x=bar, store=ctx.memory, array=array)
    found = ByRule(rule, tuple(zip(texts(rule).names(), (variable, statement.value), strict=True)))
    op = core.Binary(statement.op, variable, statement.value)
    made = as_assignment(ctx, statement, op)
    ctx.statement = made
    adjoint_of_rule(ctx, made, found, Bar(bar, True), in_place=True)


def as_assignment(ctx: Context, statement: core.AugmentName, op: core.Op) -> core.Assign:
    """The augmented assignment as an assignment that has the same facts."""
    result = core.Assign(statement.target, op, statement.loc)
    ctx.keep(result, statement)
    return result


def _set_item(ctx: Context, statement: core.SetItem) -> None:
    value = ctx.facts.value(statement, statement.target)
    if isinstance(value.kind, Array | List):
        write_item(ctx, statement)
    elif isinstance(value.kind, Dict):
        mutations.write_key(ctx, statement)
    elif isinstance(statement.target, core.Var) and statement.target.name in ctx.bars:
        containers.write_unknown_item(ctx, statement)


def _augment_item(ctx: Context, statement: core.AugmentItem) -> None:
    value = ctx.facts.value(statement, statement.target)
    if isinstance(value.kind, Array):
        augment_item(ctx, statement)
    elif isinstance(statement.target, core.Var) and statement.target.name in ctx.bars:
        containers.augment_unknown_item(ctx, statement)
