"""The forward function: the user's program, which also stashes what the adjoint asked for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zygpy.analyse.facts import ByRule, Direct, Intrinsic, Made, Plain
from zygpy.analyse.opaque import makes_lazily, things_outside
from zygpy.analyse.sites import NAMED
from zygpy.analyse.versions import Region
from zygpy.errors import UnsupportedSyntaxError, locate
from zygpy.ir import core
from zygpy.ir.access import leaves, operands
from zygpy.ir.kinds import BOOL, Array, Object, Unknown, is_scalar
from zygpy.ir.nodes import constant, gast, quote, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.operations import BINARY, UNARY
from zygpy.transform import primal, yields
from zygpy.transform.bodies import handed_on_unbound
from zygpy.transform.context import Context, is_in_memory
from zygpy.transform.control import active_breaks
from zygpy.transform.items import as_value
from zygpy.transform.primal import cells_handed_on, path_expression, with_cells_handed_on
from zygpy.transform.stash import Item, primal_index
from zygpy.transform.stash import primal_atom as atom


@dataclass
class _Plan:
    """How one region stashes: where, and under which names the items are by then."""

    items: list[Item]
    point: int
    saved: dict[int, str]  # id of an item -> variable that keeps it


def forward_body(ctx: Context, function: core.Function) -> list[gast.stmt]:
    """The statements of the forward function."""
    ctx.code = []
    region = ctx.versions.regions[id(function.body)]
    for name in function.cells:
        item = ctx.recorder.items.get(("cell", name))
        if item is not None:
            ctx.emit("$cell = $f(lambda: $x)", cell=item.name, f=ctx.helper("cell_of"), x=name)
    for name in dict.fromkeys((*_bound_elsewhere(function), *_own_unbound(function))):
        ctx.emit("$x: None", x=name)
    rebound = {item.name for item in core.walk(function.body) if isinstance(item, core.WriteGlobal)}
    if rebound:
        ctx.code.append(gast.Global(sorted(rebound)))
    if ctx.facts.way.guarded and (ctx.facts.given or ctx.facts.guarded):
        given = gast.Tuple([name_node(name) for name in function.params.names], gast.Load())
        ctx.given = ctx.names.fresh("given")
        ctx.emit("$given = $parameters", given=ctx.given, parameters=given)
    _region(ctx, region, _plan(ctx, region))
    return ctx.code


def _own_unbound(function: core.Function) -> list[str]:
    """The variables that may have no value when another function captures them: of a function's own, and of
    those that it has captured itself."""
    own = [name for name in function.unbound if name not in function.captured]
    return [*own, *handed_on_unbound(function)]


def _bound_elsewhere(function: core.Function) -> list[str]:
    """The shared variables of a function that only functions inside it bind: its own all the same."""
    bound = {item.name for item in core.walk(function.body) if isinstance(item, core.WriteCell)}
    bound.update(function.params.names, function.captured)
    return [name for name in function.cells if name not in bound]


# ------------------------------------------------------------------------------------ stashing


def _plan(ctx: Context, region: Region) -> _Plan:
    items = ctx.recorder.of_region(region)
    point = _stash_point(region, items)
    saved = {}
    for item in items:
        if item.saved or item.killed < point:
            saved[id(item)] = ctx.names.fresh(item.wish or item.name)
    return _Plan(items, point, saved)


def _stash_point(region: Region, items: list[Item]) -> int:
    """The earliest statement in front of which everything is there and every exit is passed."""
    size = len(region.block)
    last = region.block[-1] if region.block else None
    if region.role != "loop":
        return size - 1 if isinstance(last, core.Return | core.Break) else size
    exits = [index + 1 for index, statement in enumerate(region.block) if _is_exit(statement)]
    defined = [item.defined + 1 for item in items]
    if any(item.name_is_exit for item in items):
        return size - 1 if isinstance(last, core.Break) else size
    return max([0, *exits, *defined])


def _is_exit(statement: core.Statement) -> bool:
    return isinstance(statement, core.If) and bool(active_breaks(statement))


def _is_absent(item: Item, before: int | None) -> bool:
    """Whether an item is not there on this way through: not made yet, or for another exit only."""
    if item.exit_only:
        return item.defined != before
    return before is not None and item.defined >= before


def _stashed(plan: _Plan, left: int = 0, before: int | None = None) -> gast.expr:
    """The stash of a region; with `before`, of an iteration that leaves in front of that statement."""
    values: list[gast.expr] = []
    for item in plan.items:
        if item.name_is_exit:
            values.append(constant(left))
        elif _is_absent(item, before):
            values.append(constant(None))
        else:
            values.append(name_node(plan.saved[id(item)]) if id(item) in plan.saved else item.expression)
    return values[0] if len(values) == 1 else gast.Tuple(values, gast.Load())


def _region(ctx: Context, region: Region, plan: _Plan) -> None:
    due: dict[int, list[Item]] = {}
    for item in plan.items:
        due.setdefault(item.defined + 1, []).append(item)
    for index, statement in enumerate(region.block):
        _saves(ctx, plan, due.get(index, ()))
        if index == plan.point:
            _stash(ctx, region, plan)
        ctx.at(statement.loc)
        _statement(ctx, statement, region, plan, index)
    _saves(ctx, plan, due.get(len(region.block), ()))
    if plan.point == len(region.block):
        _stash(ctx, region, plan)


def _saves(ctx: Context, plan: _Plan, items: Iterable[Item]) -> None:
    for item in items:
        if id(item) in plan.saved:
            ctx.emit("$x = $v", x=plan.saved[id(item)], v=item.expression)


def _stash(ctx: Context, region: Region, plan: _Plan) -> None:
    if region.role == "loop":
        _append(ctx, region, _stashed(plan) if plan.items else None)
    elif region.role in ("then", "orelse", "with") and region.parent is not None:
        item = ctx.recorder.items.get(("stash", region.parent, region.index))
        if item is not None:
            ctx.emit("$x = $v", x=item.name, v=_stashed(plan) if plan.items else constant(None))


def _append(ctx: Context, region: Region, value: gast.expr | None) -> None:
    tape = ctx.recorder.items.get(("tape", region))
    count = ctx.recorder.items.get(("count", region))
    if tape is not None:
        ctx.emit("$tape.append($v)", tape=tape.name, v=value)
    elif count is not None:
        ctx.emit("$n += 1", n=count.name)


# ---------------------------------------------------------------------------------- statements


def _statement(ctx: Context, statement: core.Statement, region: Region, plan: _Plan, index: int) -> None:
    for target in sorted(ctx.facts.given.get(id(statement), ())):
        ctx.emit("$check($x, $given)", check=ctx.helper("check_given"), x=target, given=ctx.given)
    if id(statement) in ctx.facts.refusals:
        why, instead = ctx.facts.refusals[id(statement)]
        _raise_refusal(ctx, statement, "this statement", why, instead)
    elif id(statement) in ctx.facts.guarded and isinstance(statement, core.Assign | core.AugmentName):
        _looked_at(ctx, statement, lambda: _write_out(ctx, statement, region, plan, index))
    else:
        _write_out(ctx, statement, region, plan, index)


CALLS = core.Call | core.CallMethod | core.Caught


def _looked_at(ctx: Context, statement: core.Assign | core.AugmentName, write: Callable[[], None]) -> None:
    """A statement of which nobody expects that it stores what has a gradient in things outside: they are
    looked at before and after it."""
    things = things_outside(ctx.facts, statement)
    noted = "contents_now" if _may_change_arrays(ctx, statement) else "objects_now"
    before = ctx.names.fresh("before")
    read = [path_expression(ctx, it) if isinstance(it, core.Path) else atom(it) for it in things]
    given = gast.Tuple(read, gast.Load())
    if isinstance(statement, core.Assign) and makes_lazily(ctx.facts, statement):
        ctx.emit("$check($things)", check=ctx.helper("check_harmless"), things=given)
    ctx.emit("$before = $noted($things)", before=before, noted=ctx.helper(noted), things=given)
    write()
    if ctx.facts.way.guarded:  # what the function was given is followed by its caller
        ctx.emit(
            "$check($before, $given)", check=ctx.helper("check_left_alone"), before=before, given=ctx.given
        )
    else:
        ctx.emit("$check($before)", check=ctx.helper("check_left_alone"), before=before)


def _may_change_arrays(ctx: Context, statement: core.Assign | core.AugmentName) -> bool:
    """Whether a statement that is looked at may change an array outside: a call may, and an augmented
    assignment of what was read by a name (of anything else, what has just been made, too)."""
    if isinstance(statement, core.AugmentName):
        return NAMED in ctx.facts.value(statement, core.Var(statement.target)).sites
    return isinstance(statement.op, CALLS)


def _write_out(ctx: Context, statement: core.Statement, region: Region, plan: _Plan, index: int) -> None:
    match statement:
        case core.Assign():
            _assign(ctx, statement)
        case core.If():
            _if(ctx, statement, region, plan, index)
        case core.For() | core.Loop() | core.With() | core.Attempt() | core.Handle():
            _compound(ctx, statement)
        case core.Break():
            ctx.emit("break")
        case core.Return():
            _return(ctx, statement, plan)
        case core.Refuse(construct, why, instead, _):
            _raise_refusal(ctx, statement, construct, why, instead)
        case _:
            _simple(ctx, statement)


def _compound(ctx: Context, statement: core.Statement) -> None:
    match statement:
        case core.For() | core.Loop():
            _loop(ctx, statement)
        case core.With():
            _with(ctx, statement)
        case core.Attempt():
            _attempt(ctx, statement)
        case core.Handle():
            _handle(ctx, statement)


def _raise_refusal(ctx: Context, statement: core.Statement, construct: str, why: str, instead: str) -> None:
    place = locate(ctx.filename, statement.loc.line, statement.loc.column, ctx.function)
    error = functools.partial(
        UnsupportedSyntaxError, f"{construct} cannot be differentiated", place, why, instead
    )
    ctx.emit("raise $error()", error=ctx.cell("unsupported", error))


def _return(ctx: Context, statement: core.Return, plan: _Plan) -> None:
    stash = _stashed(plan) if plan.items else constant(None)
    ctx.emit("return $v, $stash", v=atom(statement.value), stash=stash)


def _assign(ctx: Context, statement: core.Assign) -> None:
    op, target = statement.op, statement.target
    found = ctx.facts.calls.get(id(statement))
    stash = ctx.recorder.made(statement, "stash")
    back = ctx.recorder.made(statement, "back")
    if isinstance(found, Direct) and (stash is not None or found.summary.looks):
        _direct(ctx, statement, stash or ctx.names.fresh("unused"), found)
    elif back is not None and found == Intrinsic("update"):
        _update(ctx, target, back, op)
    elif back is not None:
        _through_the_door(ctx, statement, back)
    elif isinstance(op, core.Caught) and isinstance(op.call, core.Yield):
        yields.suspend(ctx, target, op.call, statement.loc)
    elif isinstance(op, core.MakeFunction) and isinstance(op.node, gast.FunctionDef):
        define(ctx, target, primal.definition(op))
        if cells_handed_on(ctx, op):
            ctx.emit("$f = $shared", f=target, shared=with_cells_handed_on(ctx, op, name_node(target)))
    else:
        ctx.emit("$y = $v", y=target, v=_computed(ctx, statement))
        primal.note_of_cache(ctx, statement)


def _computed(ctx: Context, statement: core.Assign) -> gast.expr:
    """What a statement computes by itself."""
    match statement.op:
        case core.Truth(value) if ctx.facts.value(statement, value).kind == BOOL:
            return atom(value)
        case core.Compare("is" | "is not" as symbol, left, right):
            kinds = [ctx.facts.value(statement, side).kind for side in (left, right)]
            if all(isinstance(kind, Array | Unknown) for kind in kinds):  # one may be shown as another one
                text = "$f($a, $b)" if symbol == "is" else "not $f($a, $b)"
                return quote_expression(text, f=ctx.helper("is_same"), a=atom(left), b=atom(right))
    return primal.expression(ctx, statement.op)


def _through_the_door(ctx: Context, statement: core.Assign, back: str) -> None:
    """A call that is found when it is made."""
    ctx.emit("$y, $back = $call", y=statement.target, back=back, call=_dynamic(ctx, statement))


def _update(ctx: Context, target: str, back: str, op: core.Op) -> None:
    """A method that may change its receiver: the door returns both the receiver and the result."""
    assert isinstance(op, core.CallMethod)
    assert isinstance(op.value, core.Var)
    args = [name_node(op.value.name), constant(op.name), *primal.arguments(op.args)]
    call = gast.Call(name_node(ctx.door("pull_update")), args, [])
    ctx.emit("($x, $y), $back = $call", x=op.value.name, y=target, back=back, call=call)


def define(ctx: Context, target: str, node: Any) -> None:
    """Write a function that is defined here as it stands, without what decorates it."""
    fields: dict[str, Any] = {field: getattr(node, field, None) for field in node._fields}
    definition = gast.FunctionDef(**{**fields, "name": target, "decorator_list": []})
    for attribute in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
        setattr(definition, attribute, getattr(node, attribute, None))
    ctx.code.append(definition)


def _direct(ctx: Context, statement: core.Assign, stash: str, found: Direct) -> None:
    if isinstance(found, Made):
        _made(ctx, statement, stash, found)
        return
    callee = ctx.callee(found)
    args = [_bound(bound) for _, bound in found.arguments]
    call = gast.Call(name_node(callee.forward), args, [])
    ctx.emit("$y, $stash = $call", y=statement.target, stash=stash, call=call)
    if found.summary.rule is not None and is_in_memory(ctx, statement):
        rule, given = ctx.cell("rule", found.summary.rule), gast.Tuple(args, gast.Load())
        check = ctx.helper("check_given_back")
        ctx.emit("$f($y, $given, $rule)", f=check, y=statement.target, given=given, rule=rule)


def _made(ctx: Context, statement: core.Assign, stash: str, found: Made) -> None:
    """An object is made, and initialised by its pair."""
    op, target = statement.op, statement.target
    callee = ctx.callee(found)
    made = ctx.names.fresh(target) if core.Var(target) in operands(op) else target
    cls = primal.called(ctx, op)
    ctx.emit("$y = $object.__new__($cls)", y=made, object=ctx.builtin("object"), cls=cls)
    args = [name_node(made), *[_bound(bound) for _, bound in found.arguments[1:]]]
    call = gast.Call(name_node(callee.forward), args, [])
    ctx.emit("$y, $stash = $call", y=ctx.names.fresh("done"), stash=stash, call=call)
    if made != target:
        ctx.emit("$y = $x", y=target, x=made)


def _bound(bound: Any) -> gast.expr:
    if isinstance(bound, tuple):
        return gast.Tuple([atom(item) for item in bound], gast.Load())
    if isinstance(bound, core.Var | core.Const):
        return atom(bound)
    keys: list[gast.expr | None] = [constant(key) for key, _ in bound.items]
    return gast.Dict(keys, [atom(value) for _, value in bound.items])


def _is_given_constants(ctx: Context, statement: core.Assign) -> bool:
    """Whether a call is given nothing with a gradient: it goes through a door because of the object whose
    method it is, or of what others find."""
    parts = [*operands(statement.op)]
    if isinstance(statement.op, core.CallMethod):
        kind = ctx.facts.value(statement, parts.pop(0)).kind
        if not isinstance(kind, Object | Unknown):
            return False
    given = not any(ctx.facts.value(statement, part).active for part in parts)
    return ctx.facts.way.identity and bool(parts) and given


def _dynamic(ctx: Context, statement: core.Assign) -> gast.expr:
    """`pull(function, *arguments)`: the run-time door."""
    op = statement.op
    if isinstance(op, core.Caught):
        return _caught(ctx, op.call)
    constant_only = isinstance(op, core.Call | core.CallMethod) and _is_given_constants(ctx, statement)
    pull: Any = name_node(ctx.door("pull_with_constants" if constant_only else "pull"))
    match op:
        case core.Call(func, args, keywords):
            callee = primal.path_expression(ctx, func) if isinstance(func, core.Path) else atom(func)
            return gast.Call(pull, [callee, *primal.arguments(args)], primal.keyword_nodes(keywords))
        case core.CallMethod(value, method, args, keywords):
            pull = name_node(ctx.door("pull_method_with_constants" if constant_only else "pull_method"))
            given = [atom(value), constant(method), *primal.arguments(args)]
            return gast.Call(pull, given, primal.keyword_nodes(keywords))
        case core.Binary(symbol, left, right):
            return gast.Call(pull, [_operator(ctx, BINARY[symbol]), atom(left), atom(right)], [])
        case core.Unary(symbol, operand):
            return gast.Call(pull, [_operator(ctx, UNARY[symbol]), atom(operand)], [])
        case core.GetItem(value, index):
            where = as_value(ctx, primal_index(index))
            return gast.Call(name_node(ctx.door("pull_item")), [atom(value), where], [])
        case core.GetAttr(value, attribute):
            return gast.Call(name_node(ctx.door("pull_attribute")), [atom(value), constant(attribute)], [])
    raise TypeError(type(op).__name__)


def _caught(ctx: Context, call: core.Call | core.CallMethod | core.Yield) -> gast.expr:
    """The door of a call whose exception is a value."""
    assert not isinstance(call, core.Yield)
    given: list[gast.expr] = primal.arguments(call.args)
    if isinstance(call, core.CallMethod):
        door, given = "pull_caught_method", [atom(call.value), constant(call.name), *given]
    elif isinstance(call.func, core.Path):
        door, given = "pull_caught", [primal.path_expression(ctx, call.func), *given]
    else:
        door, given = "pull_caught", [atom(call.func), *given]
    return gast.Call(name_node(ctx.door(door)), given, primal.keyword_nodes(call.keywords))


def _operator(ctx: Context, function: Any) -> gast.expr:
    return quote_expression(f"$o.{function.__name__}", o=ctx.helper("operator"))


def _simple(ctx: Context, statement: core.Statement) -> None:
    back = ctx.recorder.made(statement, "back")
    if back is not None:
        _dynamic_write(ctx, statement, back)
        return
    match statement:
        case core.Unpack(targets, star, value, _):
            names: list[gast.expr] = [name_node(item) for item in targets]
            if star is not None:
                names[star] = gast.Starred(names[star], gast.Load())
            whole: Any = gast.Tuple(names, gast.Load())
            ctx.emit("$targets = $v", targets=whole, v=atom(value))
        case core.WriteCell(variable, value, _):
            ctx.emit("$x = $v", x=primal.cell_content(ctx, variable), v=atom(value))
        case core.SetItem(target, index, value, _):
            item: Any = gast.Subscript(atom(target), primal_index(index), gast.Load())
            ctx.emit("$item = $v", item=item, v=atom(value))
        case core.AugmentName(variable, op, value, _):
            ctx.emit(f"$x {op}= $v", x=variable, v=atom(value))
        case core.AugmentItem(target, index, op, value, _, before):
            item = gast.Subscript(atom(target), primal_index(index), gast.Load())
            text = f"$item = $before {op} $v" if before else f"$item {op}= $v"
            ctx.emit(text, item=item, before=before, v=atom(value))
        case _:
            _rare(ctx, statement)


def _write_global(ctx: Context, statement: core.WriteGlobal) -> None:
    if id(statement) in ctx.facts.guarded:
        ctx.emit("$check($v)", check=ctx.helper("check_global"), v=atom(statement.value))
    ctx.emit("$x = $v", x=statement.name, v=atom(statement.value))


def _rare(ctx: Context, statement: core.Statement) -> None:
    match statement:
        case core.WriteGlobal():
            _write_global(ctx, statement)
        case core.SetAttr(target, attribute, value, _):
            place: Any = gast.Attribute(atom(target), attribute, gast.Load())
            ctx.emit("$place = $v", place=place, v=atom(value))
        case core.AugmentAttr(target, attribute, op, value, _):
            place = gast.Attribute(atom(target), attribute, gast.Load())
            ctx.emit(f"$place {op}= $v", place=place, v=atom(value))
        case core.DelItem(target, index, _):
            item = gast.Subscript(atom(target), primal_index(index), gast.Del())
            ctx.code.append(gast.Delete([item]))
        case core.DelAttr(target, attribute, _):
            ctx.code.append(gast.Delete([gast.Attribute(atom(target), attribute, gast.Del())]))
        case core.DelName() | core.DelCell():
            ctx.code.append(gast.Delete([_deleted(ctx, statement)]))
        case core.Raise(exception, cause, _):
            parts = [None if part is None else atom(part) for part in (exception, cause)]
            ctx.code.append(gast.Raise(*parts))
        case _:
            raise TypeError(type(statement).__name__)


def _deleted(ctx: Context, statement: core.DelName | core.DelCell) -> gast.expr:
    if isinstance(statement, core.DelCell):
        return primal.deleted_cell(ctx, statement.name)
    node: gast.expr = name_node(statement.name, gast.Del)
    return node


def _dynamic_write(ctx: Context, statement: core.Statement, back: str) -> None:
    """A write through a door, which returns the container (or new value) itself."""
    attribute = _attribute_write(statement)
    if attribute is not None:
        door, args = attribute
        ctx.emit("$back = $call", back=back, call=gast.Call(name_node(ctx.door(door)), args, []))
        return
    match statement:
        case core.DelItem(core.Var(variable), index, _):
            door, args = "pull_delete_item", [name_node(variable), _where(ctx, index)]
        case core.SetItem(core.Var(variable), index, value, _):
            door, args = "pull_set_item", [name_node(variable), _where(ctx, index), atom(value)]
        case core.AugmentItem(core.Var(variable), index, op, value, _):
            args = [constant(op), name_node(variable), _where(ctx, index), atom(value)]
            door = "pull_augment_item"
        case core.AugmentName(variable, op, value, _):
            door, args = "pull_augment", [constant(op), name_node(variable), atom(value)]
        case _:
            raise TypeError(type(statement).__name__)
    if ctx.identity and not isinstance(statement, core.AugmentName):
        ctx.emit("$back = $call", back=back, call=gast.Call(name_node(ctx.door(door)), args, []))
        return
    call = gast.Call(name_node(ctx.door(door)), args, [])
    ctx.emit("$x, $back = $call", x=variable, back=back, call=call)


def _attribute_write(statement: core.Statement) -> tuple[str, list[gast.expr]] | None:
    """The door of a write to an attribute, and what it is called with."""
    match statement:
        case core.SetAttr(target, name, value, _):
            return "pull_set_attribute", [atom(target), constant(name), atom(value)]
        case core.AugmentAttr(target, name, op, value, _):
            return "pull_augment_attribute", [constant(op), atom(target), constant(name), atom(value)]
        case core.DelAttr(target, name, _):
            return "pull_delete_attribute", [atom(target), constant(name)]
    return None


def _where(ctx: Context, index: core.Index) -> gast.expr:
    return as_value(ctx, primal_index(index))


# ------------------------------------------------------------------------------------- control


def _inner(ctx: Context, region: Region) -> list[gast.stmt]:
    outer, ctx.code = ctx.code, []
    _region(ctx, region, _plan(ctx, region))
    code, ctx.code = ctx.code, outer
    return code


def _if(ctx: Context, statement: core.If, region: Region, plan: _Plan, index: int) -> None:
    then = _inner(ctx, ctx.versions.arm(statement, statement.then))
    orelse = _inner(ctx, ctx.versions.arm(statement, statement.orelse))
    for block, code in ((statement.then, then), (statement.orelse, orelse)):
        if region.role == "loop" and leaves(block) and _breaks_loop(block):
            _append_at_exit(ctx, statement, region, plan, index, code)
    ctx.at(statement.loc)
    test = atom(statement.test)
    if then and orelse:
        ctx.emit("if $test:\n    $then\nelse:\n    $orelse", test=test, then=then, orelse=orelse)
    elif then or not orelse:
        ctx.emit("if $test:\n    $then", test=test, then=then or quote("pass"))
    else:
        ctx.emit("if not $test:\n    $orelse", test=test, orelse=orelse)


def _breaks_loop(block: core.Block) -> bool:
    return isinstance(block[-1], core.Break)


def _append_at_exit(
    ctx: Context, statement: core.If, region: Region, plan: _Plan, index: int, code: list[gast.stmt]
) -> None:
    """An iteration that leaves by an exit with an adjoint is stashed too, with the exit's number."""
    number = ctx.exit_numbers.get(id(statement))
    if number is None or not plan.items:
        return
    outer, ctx.code = ctx.code, []
    _append(ctx, region, _stashed(plan, number, index))
    code[-1:] = [*ctx.code, code[-1]]
    ctx.code = outer


def _loop(ctx: Context, loop: core.For | core.Loop) -> None:
    region = ctx.versions.regions[id(loop.body)]
    if ("tape", region) in ctx.recorder.items:
        ctx.emit("$tape = []", tape=ctx.recorder.items["tape", region].name)
    elif ("count", region) in ctx.recorder.items:
        ctx.emit("$n = 0", n=ctx.recorder.items["count", region].name)
    body = _inner(ctx, region) or quote("pass")
    ctx.at(loop.loc)
    if isinstance(loop, core.Loop):
        ctx.emit("while True:\n    $body", body=body)
        return
    iterable = primal.iterable(ctx, loop.iterable)
    ctx.emit("for $x in $xs:\n    $body", x=primal.target(loop.target), xs=iterable, body=body)


QUIET = (np.errstate,)
"""Context managers that are known to let every exception pass."""


def _with(ctx: Context, statement: core.With) -> None:
    body = _inner(ctx, ctx.versions.regions[id(statement.body)])
    kind = ctx.facts.value(statement, statement.context).kind
    quiet = isinstance(kind, Object) and kind.cls in QUIET
    done = "" if quiet else ctx.names.fresh("completed")
    if done:
        ctx.emit("$done = False", done=done)
        body = [*body, *quote("$done = True", ctx.place, done=done)]
    item = gast.withitem(atom(statement.context), None)
    if statement.target is not None:
        item.optional_vars = name_node(statement.target, gast.Store)
    node = gast.With([item], body or quote("pass"), None)
    node.lineno, node.col_offset = statement.loc.line, statement.loc.column
    ctx.code.append(node)
    if done:
        outer, ctx.code = ctx.code, []
        why = "its body was left by an exception that the context manager swallowed"
        _raise_refusal(ctx, statement, "this 'with'", why, "let the exception pass")
        refusal, ctx.code = ctx.code, outer
        ctx.emit("if not $done:\n    $refusal", done=done, refusal=refusal)


def _attempt(ctx: Context, statement: core.Attempt) -> None:
    """A `try` around a body; what becomes of an exception is decided behind it."""
    region = ctx.versions.regions[id(statement.body)]
    body = _inner(ctx, region)
    ctx.at(statement.loc)
    error = ctx.names.fresh("error")
    outer, ctx.code = ctx.code, []
    if statement.failure is None:
        why = "an exception came from a loop's own iterator, or from another place that is not recorded"
        _raise_refusal(ctx, statement, "this 'try'", why, "iterate over a list of the items")
    else:
        if not leaves(statement.body):
            body = [*body, *quote("$failure = None", ctx.place, failure=statement.failure)]
        ctx.emit("$failure = $error", failure=statement.failure, error=error)
        running = [inner for inner in core.walk(statement.body) if not isinstance(inner, core.Raise)]
        if any(_may_leave_traces(ctx, inner) for inner in running):
            manager = ctx.facts.told_of.get(statement.failure)
            managers = [] if manager is None else [name_node(manager)]
            call = gast.Call(name_node(ctx.helper("check_is_undone")), [name_node(error), *managers], [])
            ctx.emit("$call", call=call)
        if statement.body and _writes_an_array(ctx, statement.body[-1]):
            ctx.emit("$check($error)", check=ctx.helper("check_is_whole"), error=error)
        item = ctx.recorder.items.get(("stash", region.parent, region.index))
        if item is not None:
            ctx.emit("$x = None", x=item.name)
    caught, ctx.code = ctx.code, outer
    everything = name_node(ctx.builtin("BaseException"))
    bound: Any = name_node(error, gast.Store)  # gast has a node where Python has a string
    handler = gast.ExceptHandler(everything, bound, caught)
    node = gast.Try(body or quote("pass"), [handler], [], [])
    node.lineno, node.col_offset = statement.loc.line, statement.loc.column
    ctx.code.append(node)


def _writes_an_array(ctx: Context, statement: core.Statement) -> bool:
    if not isinstance(statement, core.AugmentName | core.AugmentItem | core.SetItem):
        return False
    target = core.Var(statement.target) if isinstance(statement.target, str) else statement.target
    return not is_scalar(ctx.facts.value(statement, target).kind)


def _may_leave_traces(ctx: Context, statement: core.Statement) -> bool:
    """Whether a statement calls functions that may have changed something before they fail, or may be
    refused itself."""
    if ctx.identity or isinstance(statement, core.Refuse) or id(statement) in ctx.facts.refusals:
        return True
    return not isinstance(ctx.facts.calls.get(id(statement), Plain()), Plain | ByRule)


def _handle(ctx: Context, statement: core.Handle) -> None:
    """A handler runs while its exception is being handled, as far as Python can tell."""
    body = _inner(ctx, ctx.versions.regions[id(statement.body)])
    ctx.at(statement.loc)
    outer, ctx.code = ctx.code, []
    ctx.emit("raise $failure", failure=atom(statement.failure))
    raised, ctx.code = ctx.code, outer
    everything = name_node(ctx.builtin("BaseException"))
    node = gast.Try(raised, [gast.ExceptHandler(everything, None, body or quote("pass"))], [], [])
    node.lineno, node.col_offset = statement.loc.line, statement.loc.column
    ctx.code.append(node)
