"""A program and the facts about it -> the pair: forward and adjoint as trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from zygpy.analyse.facts import Direct, Facts
from zygpy.analyse.sites import parameter_site, sites_of
from zygpy.analyse.versions import versions
from zygpy.ir import core
from zygpy.ir.access import assigned_inside
from zygpy.ir.kinds import Array, Dict, List, Row, is_scalar
from zygpy.ir.names import Names
from zygpy.ir.nodes import copied, gast, name_nodes, quote, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.transform.adjoint import adjoint_block, cell
from zygpy.transform.context import (
    GENUINE,
    Bar,
    Callee,
    Context,
    contribute,
    cotangent_expression,
    is_handed_over,
    is_plain,
)
from zygpy.transform.control import unpack_items
from zygpy.transform.forward import forward_body
from zygpy.transform.parts import parts_of
from zygpy.transform.shapes import read_from_values
from zygpy.transform.stash import Recorder


@dataclass(frozen=True)
class Surroundings:
    """What the transformation asks of the pipeline."""

    callee: Callable[[Context, Direct], Callee]
    door: Callable[[Context, str], str]
    filename: str
    globals: Mapping[str, Any]
    taken: frozenset[str]
    carries: bool
    space: Any
    single: int | None = None  # the place of the only cotangent, if the adjoint is to return no tuple


@dataclass(frozen=True)
class Trees:
    """The pair as trees, and what `load` has to supply."""

    name: str
    forward: gast.FunctionDef
    adjoint: gast.FunctionDef
    cells: Mapping[str, Any]
    slots: tuple[str, ...]
    writes: tuple[str, ...]
    result_bar: bool
    carries: bool


def transform(function: core.Function, facts: Facts, surroundings: Surroundings) -> Trees:
    """Write the forward and the adjoint of a program.

    Requires: `function` is flattened and `facts` are about it. Ensures: the adjoint reads nothing
    but its parameters; the stash holds exactly what it reads.
    """
    ctx = _context(function, facts, surroundings)
    signature, slots, writes = _adjoint(ctx, function, surroundings)
    body = forward_body(ctx, function)
    base = function.name if function.name.isidentifier() else "function"
    forward = definition(f"{base}_forward", list(function.params.names), body)
    adjoint = definition(f"{base}_adjoint", *signature)
    return Trees(base, forward, adjoint, ctx.cells, slots, writes, facts.result.active, surroundings.carries)


def _context(function: core.Function, facts: Facts, surroundings: Surroundings) -> Context:
    primal = frozenset(function.params.names) | assigned_inside(function.body)
    base = function.name if function.name.isidentifier() else "function"
    taken = {*primal, *surroundings.taken, f"{base}_forward", f"{base}_adjoint"}
    names = Names(taken)
    table = versions(function, facts.writes)
    recorder = Recorder(facts, table, names, primal, lambda helper: ctx.helper(helper))
    ctx = Context(
        facts,
        table,
        recorder,
        names,
        lambda found: surroundings.callee(ctx, found),
        lambda door: surroundings.door(ctx, door),
        surroundings.filename,
        function.name,
        surroundings.globals,
        surroundings.space,
        parts=parts_of(function, facts),
    )
    return ctx


Signature = tuple[list[str], list[gast.stmt]]


def _adjoint(
    ctx: Context, function: core.Function, surroundings: Surroundings
) -> tuple[Signature, tuple[str, ...], tuple[str, ...]]:
    """Parameters and body of the adjoint, which parameters get a cotangent, which are written."""
    facts = ctx.facts
    stash, seed = ctx.names.fresh("stash"), ctx.names.fresh("y_bar")
    writes = tuple(name for name in function.params.names if name in facts.written_parameters)
    writes = tuple(name for name in writes if facts.exit_value(name).active and not facts.way.identity)
    *body, last = function.body
    assert isinstance(last, core.Return)
    ctx.at(last.loc)
    ctx.statement = last
    if facts.shared and not facts.way.identity:
        ctx.store = ctx.names.fresh("cotangents")
        ctx.emit("$store = $make()", store=ctx.store, make=ctx.helper("Memory"))
    if surroundings.carries:
        _open_cells(ctx, function)
    for parameter in writes:
        _written(ctx, function, parameter)
    if facts.result.active and isinstance(last.value, core.Var):
        # Of what it writes, and of the variables that it shares, more may come in.
        carries = surroundings.carries
        maybe = bool(writes) or carries or facts.way.identity or not is_plain(facts.result.kind)
        maybe = maybe or facts.acts_always
        contribute(ctx, last.value.name, facts.result.kind, name_node(seed), owned=False, maybe=maybe)
    adjoint_block(ctx, tuple(body))
    arguments = [stash, seed, *(ctx.bar_name(parameter) for parameter in writes)]
    if ctx.carrier is not None:
        arguments.append(ctx.carrier)
    if ctx.store is not None:
        _shared_parameters(ctx, function)
    slots = tuple(_slot(ctx, name) for name in function.params.names)
    values: list[Any] = [_given_back(ctx, name) for name in function.params.names]
    whole = gast.Tuple(values, gast.Load())
    ctx.emit("return $values", values=whole if surroundings.single is None else values[surroundings.single])
    region = ctx.versions.regions[id(function.body)]
    measured = read_from_values(ctx, region)
    items = ctx.recorder.of_region(region)
    code = [*unpack_items(ctx, items, name_node(stash)), *measured, *ctx.code]
    _call_genuine_builtins(ctx, code)
    return (arguments, code), slots, writes


def _given_back(ctx: Context, parameter: str) -> gast.expr:
    """The cotangent of a parameter; that of a tuple of any number of items, which was a list while it was
    added to, is a tuple."""
    bar = ctx.bars.get(parameter)
    found = cotangent_expression(bar)
    if not isinstance(ctx.facts.arguments[parameter].kind, Row) or not isinstance(bar, Bar) or ctx.identity:
        return found
    if not bar.maybe:
        return quote_expression("$tuple($v)", tuple=ctx.builtin("tuple"), v=found)
    return quote_expression("None if $v is None else $tuple($v)", tuple=ctx.builtin("tuple"), v=found)


def _call_genuine_builtins(ctx: Context, code: list[gast.stmt]) -> None:
    """Where the user has another object by the name of a builtin, the adjoint, which has no variable
    of that name, calls the genuine one by another."""
    for statement in code:
        for node in name_nodes(statement):
            if node.id in GENUINE:
                node.id = ctx.builtin(node.id)


def _open_cells(ctx: Context, function: core.Function) -> None:
    """Take the cotangents of shared variables as a parameter; this function's own are routed there."""
    ctx.carrier = ctx.names.fresh("store")
    ctx.shares_cells = bool(function.cells)
    for name in function.cells:
        ctx.emit("$cells.own($cell)", cells=ctx.carrier, cell=cell(ctx, name))


def _written(ctx: Context, function: core.Function, parameter: str) -> None:
    """The cotangent of what a written parameter holds after the call comes in as an argument."""
    kind = ctx.facts.arguments[parameter].kind
    is_own = is_handed_over(kind) and not (isinstance(kind, Dict) and parameter in ctx.parts.roots)
    bar = Bar(ctx.bar_name(parameter), is_own, True)
    if not _is_shared(ctx, parameter):
        ctx.bars[parameter] = bar
        return
    array = ctx.recorder.reference_head(function.body, parameter)
    ctx.emit("$store.add($array, $v)", store=ctx.memory, array=array, v=bar.name)


def _is_shared(ctx: Context, parameter: str) -> bool:
    site = sites_of(parameter_site(parameter))
    return ctx.store is not None and not ctx.facts.shared.isdisjoint(site)


def _shared_parameters(ctx: Context, function: core.Function) -> None:
    """Take the cotangents of the parameters out of the store."""
    ctx.statement = None
    for parameter in function.params.names:
        value = ctx.facts.arguments[parameter]
        if value.active and isinstance(value.kind, Array) and _is_shared(ctx, parameter):
            array = ctx.recorder.reference_head(function.body, parameter)
            target = ctx.bar_name(parameter)
            ctx.emit("$x = $store.take($array)", x=target, store=ctx.store, array=array)
            ctx.bars[parameter] = Bar(target, True, True)


def _slot(ctx: Context, parameter: str) -> str:
    bar = ctx.bars.get(parameter)
    if bar is None:
        return "none"
    if not isinstance(bar, Bar):
        return "maybe"
    if bar.maybe:
        return "own" if bar.owned else "maybe"
    if parameter in ctx.unsure and _holds_numbers(ctx, parameter):  # as far as the caller knows
        return "maybe"
    return "owned" if bar.owned else "sure"


def _holds_numbers(ctx: Context, parameter: str) -> bool:
    kind = ctx.facts.arguments[parameter].kind
    return isinstance(kind, List | Row) and is_scalar(kind.element)


def definition(name: str, parameters: list[str], body: list[gast.stmt]) -> gast.FunctionDef:
    """The tree of a function."""
    (made,) = quote("def $name(): $body", name=name, body=body)
    assert isinstance(made, gast.FunctionDef)
    args = copied(made.args, {"args": [name_node(parameter, gast.Param) for parameter in parameters]})
    return cast(gast.FunctionDef, copied(made, {"args": args}))
