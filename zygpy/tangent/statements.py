"""Statements and their tangents, in the order of the program.

The tangent of a temporary waits until it is read, and is written there, unless something may change before
what it is computed from.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from zygpy.analyse.effects import is_container
from zygpy.analyse.facts import ByRule, Direct, Dynamic, Intrinsic, Made, Plain
from zygpy.analyse.unseen import ASKING_NOTHING
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import BOOL, Array, Closure, NumberOrArray, Unknown
from zygpy.ir.names import is_temporary
from zygpy.ir.nodes import gast, names_in, nodes, quote
from zygpy.ir.nodes import name as name_node
from zygpy.rules.declare import is_measurement
from zygpy.runtime import zeros
from zygpy.simplify.trees import size
from zygpy.tangent import (
    added,
    containers,
    doors,
    exceptions,
    generators,
    objects,
    outside,
    own_lists,
    several,
    shared,
    unseen,
    writes,
)
from zygpy.tangent.attempts import attempt, caught, handle
from zygpy.tangent.calls import direct
from zygpy.tangent.control import If, Iteration
from zygpy.tangent.local_functions import is_only_called
from zygpy.tangent.paired import changeable, has_tangent, may_carry_things
from zygpy.tangent.rules import alike_as, tangent_of_rule
from zygpy.tangent.state import RESULT, NotPushed, Tangents, replaced, with_result
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom

WIDTH = 60
"""A tangent that is wider than this many characters gets a line of its own."""


def block(t: Tangents, statements: core.Block) -> list[gast.stmt]:
    """A block with its tangents."""
    t.settle()
    outer, t.ctx.code, start = t.ctx.code, [], t.start
    t.start = 0
    for statement in statements:
        t.ctx.at(statement.loc)
        t.ctx.statement = statement
        _statement(t, statement)
    t.settle()
    code, t.ctx.code, t.start = t.ctx.code, outer, start
    return code


def _statement(t: Tangents, statement: core.Statement) -> None:
    if id(statement) in t.ctx.facts.refusals:
        raise NotPushed(t.ctx.facts.refusals[id(statement)][0], statement.loc)
    if isinstance(statement, core.Assign):
        _assign(t, statement)
    elif isinstance(statement, core.Return):
        _return(t, statement, statement.value)
    else:
        t.settle()
        _other(t, statement)
        t.start = len(t.ctx.code)


def _other(t: Tangents, statement: core.Statement) -> None:
    match statement:
        case core.If(test):
            then, orelse = block(t, statement.then), block(t, statement.orelse)
            If(primal_atom(test), then, orelse).write(t)
        case core.For():
            loop = Iteration(t, statement)
            loop.write(block(t, statement.body))
        case core.Loop():
            body = block(t, statement.body)
            t.emit("while True:\n    $body", body=body or quote("pass"))
        case core.Break():
            t.emit("break")
        case core.With():
            _with(t, statement)
        case core.Attempt():
            outside, t.attempted = t.attempted, True
            body = block(t, statement.body)
            t.attempted = outside
            attempt(t, statement, body)
        case core.Handle():
            handle(t, statement, block(t, statement.body))
        case _:
            writes.write(t, statement)


def _return(t: Tangents, statement: core.Return, value: core.Atom) -> None:
    given = has_tangent(t, t.ctx.facts.result)
    dot = t.tangent(statement, value) if given else gast.Constant(None, None)
    dot = _with_waiting(t, dot)
    t.settle()
    t.emit("return $y, $dot", y=primal_atom(value), dot=dot)


def _with(t: Tangents, statement: core.With) -> None:
    if statement.target is not None and statement.target in t.paired:
        raise NotPushed("a 'with' that gives something differentiable", statement.loc)
    unseen.check_all(t, statement, [statement.context])
    body = block(t, statement.body)
    item = gast.withitem(primal_atom(statement.context), None)
    if statement.target is not None:
        item.optional_vars = name_node(statement.target, gast.Store)
    node = gast.With([item], body or quote("pass"), None)
    node.lineno, node.col_offset = statement.loc.line, statement.loc.column
    t.ctx.code.append(node)


# -------------------------------------------------------------------------------------- assignments


def _assign(t: Tangents, statement: core.Assign) -> None:
    special = _of_exceptions(t, statement) or _of_generators(t, statement, statement.op)
    if special or outside.finds(t, statement) or _takes_all(t, statement):
        return
    found = t.ctx.facts.calls.get(id(statement), Plain())
    walked = doors.walked_over(statement.op)
    if walked is not None:
        _walked(t, statement, replace(statement, op=core.Copy(walked)))
        return
    unknown = isinstance(found, Dynamic) and not containers.is_known(t, statement)
    if unknown and not doors.goes_through(statement, t.ctx.facts):
        raise NotPushed("a call, or an operation, that is found when it is made", statement.loc)
    if is_only_called(t, statement):
        return
    if unknown and doors.only_reads(t, statement):
        _primal_of_numbers(t, statement, statement.op)
    elif _is_found_when_made(t, statement, unknown=unknown):
        doors.through(t, statement)
    else:
        unseen.check(t, statement, found)
        _known(t, statement, found)
    if not is_temporary(statement.target):
        t.settle()
        t.start = len(t.ctx.code)


def _walked(t: Tangents, statement: core.Assign, copied: core.Assign) -> None:
    """What is walked over, or taken apart: it is itself, but for generators, of which a part is taken."""
    if generators.is_taking_apart(statement.op):
        generators.take_apart(t, statement, statement.op, lambda: _assign(t, copied))
    elif not generators.walk(t, statement, copied.op.value):  # type: ignore[union-attr]
        _assign(t, copied)


def _is_found_when_made(t: Tangents, statement: core.Assign, *, unknown: bool) -> bool:
    """Whether the tangent is found when the operation is made."""
    if unseen.goes_through_door(t, statement) and doors.goes_through(statement, t.ctx.facts):
        return True
    if not unknown:
        return containers.is_unknown_item(t, statement)
    return statement.target in t.paired or isinstance(statement.op, core.Call | core.CallMethod)


def _of_exceptions(t: Tangents, statement: core.Assign) -> bool:
    """An assignment of what is caught, made to be raised, or inherited; whether it is one."""
    op, facts = statement.op, t.ctx.facts
    if isinstance(op, core.Caught):
        caught(t, statement, op.call)
    elif exceptions.is_super(op, facts):
        exceptions.inherited(t, statement)
    elif exceptions.makes_exception(op, facts) and _brings(t, statement):
        exceptions.make_exception(t, statement)
    else:
        return False
    return True


def _of_generators(t: Tangents, statement: core.Assign, op: Any) -> bool:
    """An assignment that only generators have, or those who walk over them; whether it is one."""
    if isinstance(op, core.Yield):
        generators.give(t, statement, op)
    elif generators.is_left_alone(op, t.ctx.facts):
        generators.leave(t, statement, op)
    elif generators.is_delegated(op, t.ctx.facts):
        generators.delegate(t, statement, op)
    else:
        return False
    return True


def _takes_all(t: Tangents, statement: core.Assign) -> bool:
    """What takes all items of a generator, or of a list that is the program's own; whether it is that."""
    found = t.ctx.facts.calls.get(id(statement))
    if not isinstance(found, Dynamic) or containers.is_known(t, statement):
        return False
    own = own_lists.takes_all(t, statement)
    if not own and not generators.takes_all(t, statement):
        return False
    doors.take_all(t, statement, statement.op, own=own)
    return True


def _brings(t: Tangents, statement: core.Assign) -> bool:
    """Whether an exception is made of what has a tangent."""
    return not t.count and any(t.is_active(statement, atom) for atom in operands(statement.op))


def _known(t: Tangents, statement: core.Assign, found: Any) -> None:
    """An assignment of what is known beforehand."""
    if isinstance(statement.op, core.ReadCell):
        _read_cell(t, statement, statement.op.name)
    elif isinstance(statement.op, core.MakeFunction):
        doors.make_function(t, statement)
    elif isinstance(found, Made):
        objects.make(t, statement, found)
    elif isinstance(found, Direct):
        _direct(t, statement, found)
    elif added.is_added(statement.op):
        t.settle()
        added.add(t, statement)
        t.start = len(t.ctx.code)
    elif objects.is_set_by_call(t, statement):
        t.settle()
        objects.set_by_call(t, statement)
        t.start = len(t.ctx.code)
    elif containers.is_change(statement.op, t, statement):
        t.settle()
        containers.change(t, statement)
        t.start = len(t.ctx.code)
    else:
        _operation(t, statement, found)


def _read_cell(t: Tangents, statement: core.Assign, name: str) -> None:
    """What is in a variable that functions share."""
    t.settle()
    _primal(t, statement)
    if statement.target in t.paired:
        if not shared.is_read_with_tangent(t, name):
            raise NotPushed("a variable that others share", statement.loc)
        t.emit("$x = $v", x=t.dot(statement.target), v=shared.content_dot(t, name))
    t.start = len(t.ctx.code)


def _operation(t: Tangents, statement: core.Assign, found: Any) -> None:
    """An operation that changes nothing that has a tangent."""
    _check_untouched(t, statement)
    if isinstance(statement.op, core.Call | core.CallMethod) and isinstance(found, Plain):
        _check_handed_on(t, statement)
        t.settle()
        t.start = len(t.ctx.code)
    if statement.target in t.paired:
        _with_tangent(t, statement, _tangent(t, statement, found))
        return
    if not is_temporary(statement.target):
        t.settle()
    _primal(t, statement)


def _check_handed_on(t: Tangents, statement: core.Assign) -> None:
    """Refuse to hand a function that carries things with tangents to one that may call it."""
    path = getattr(statement.op, "func", None)
    callee = t.ctx.facts.objects.get(path.names) if isinstance(path, core.Path) else None
    if any(callee is known for known in ASKING_NOTHING):
        return
    given = [atom for atom in operands(statement.op) if isinstance(atom, core.Var) and atom.name in t.paired]
    functions = [atom.name for atom in given if isinstance(t.value(statement, atom).kind, Closure)]
    if any(may_carry_things(t.ctx.facts, name, t.paired) for name in functions):
        raise NotPushed("a call of what may change what has a tangent", statement.loc)


def _check_untouched(t: Tangents, statement: core.Assign) -> None:
    """Refuse a call that changes the structure of what has a tangent."""
    for name in t.ctx.facts.writes.get(id(statement), ()):
        if name in t.paired and is_container(t.value(statement, core.Var(name)).kind):
            raise NotPushed("a call that changes a list, a dict or an object", statement.loc)
    rule = t.ctx.facts.write_rules.get(id(statement))
    if rule is not None and any(
        atom.name in t.paired for atom in operands(statement.op) if isinstance(atom, core.Var)
    ):
        raise NotPushed("a call that writes to an argument", statement.loc)


def _primal(t: Tangents, statement: core.Assign) -> None:
    op, target = statement.op, statement.target
    if isinstance(op, core.Truth) and t.value(statement, op.value).kind == BOOL:
        t.emit("$y = $v", y=target, v=primal_atom(op.value))
    else:
        t.emit("$y = $v", y=target, v=primal.expression(t.ctx, op))
        primal.note_of_cache(t.ctx, statement)


def _primal_of_numbers(t: Tangents, statement: core.Assign, op: core.Op) -> None:
    """A call that gives what has no tangent, if all that is given are numbers, arrays and the like."""
    t.settle()
    given = [primal_atom(atom) for atom in operands(op)]
    check = t.ctx.cell("check_plain", zeros.check_plain)
    t.ctx.code.append(gast.Expr(gast.Call(name_node(check), given, [])))
    _primal(t, statement)
    t.start = len(t.ctx.code)


def _direct(t: Tangents, statement: core.Assign, found: Direct) -> None:
    t.settle()
    call = direct(t, statement, found)
    dot = t.dot(statement.target) if statement.target in t.paired else t.unused
    t.emit("$y, $dot = $call", y=statement.target, dot=dot, call=call)
    if statement.target in t.paired and not has_tangent(t, found.summary.result):
        apart = zeros_apart(t, statement)
        kind = t.ctx.facts.after(statement, statement.target).kind
        zero = t.zero(kind, name_node(statement.target))
        t.emit("$dot = $v", dot=dot, v=zero if apart is None else with_result(apart, statement.target))
    t.start = len(t.ctx.code)


def _tangent(t: Tangents, statement: core.Assign, found: Any) -> gast.expr | None:
    """The tangent of what an operation gives; None where that is zero."""
    result = t.ctx.facts.after(statement, statement.target)
    if isinstance(statement.op, core.Copy):
        return t.tangent(statement, statement.op.value)
    if isinstance(statement.op, core.GetAttr) and objects.is_field(t, statement, statement.op.value):
        return objects.field_dot(t, statement, statement.op.value, statement.op.name)
    if isinstance(found, ByRule):
        return tangent_of_rule(t, statement, found, result.kind, statement.op)
    if isinstance(found, Intrinsic | Dynamic) or containers.keeps_things(statement.op):
        dot = containers.tangent(t, statement, found)
        return zeros_apart(t, statement) if dot is None and not result.active else dot
    if result.active:
        raise NotPushed("an operation without a tangent", statement.loc)
    part = containers.of_method(t, statement) or _part(t, statement)
    return zeros_apart(t, statement) if part is None else part


PARTS = frozenset({"reshape", "ravel", "transpose", "swapaxes", "squeeze"})
"""Methods of arrays whose result may lie in the memory of the array."""


def _part(t: Tangents, statement: core.Assign) -> gast.expr | None:
    """The tangent of what lies in the memory of an array that gets its tangent later: that part of it."""
    op = statement.op
    if isinstance(op, core.GetAttr) and _is_transpose(t, statement, op):
        if t.count:
            return several.transpose_of(t, statement, op.value)
        return gast.Attribute(t.tangent(statement, op.value), "T", gast.Load())
    if isinstance(op, core.Call):
        return _part_by_call(t, statement, op)
    if t.count or not (isinstance(op, core.CallMethod) and op.name in PARTS and doors.is_positional(op)):
        return None
    whole = op.value.name if isinstance(op.value, core.Var) else ""
    if whole not in t.paired or not isinstance(t.value(statement, op.value).kind, Array):
        return None
    method = gast.Attribute(name_node(t.dot(whole)), op.name, gast.Load())
    part = gast.Call(method, [primal_atom(arg) for arg in op.args if not isinstance(arg, core.Star)], [])
    return alike_as(t, part, whole)


VIEWING = frozenset(
    {
        *(np.asarray, np.asanyarray, np.atleast_1d, np.atleast_2d, np.reshape, np.ravel, np.squeeze),
        *(np.expand_dims, np.transpose, np.swapaxes, np.moveaxis, np.broadcast_to),
    }
)
"""Functions whose result may lie in the memory of their first argument."""


def _part_by_call(t: Tangents, statement: core.Assign, op: core.Call) -> gast.expr | None:
    """The same, where a function gives it."""
    if t.count or not (isinstance(op.func, core.Path) and op.args and doors.is_positional(op)):
        return None
    whole, *others = [arg for arg in op.args if not isinstance(arg, core.Star)]
    if not isinstance(whole, core.Var) or whole.name not in t.paired or not _may_view(t, statement, op.func):
        return None
    if not isinstance(t.value(statement, whole).kind, Array | NumberOrArray | Unknown):
        return None
    given = [name_node(t.dot(whole.name)), *map(primal_atom, others)]
    return alike_as(t, gast.Call(primal.path_expression(t.ctx, op.func), given, []), whole.name)


def _may_view(t: Tangents, statement: core.Assign, path: core.Path) -> bool:
    """Whether a function is one of those, and what it gives may be written to."""
    own = changeable(t.ctx.facts.after(statement, statement.target))
    return t.ctx.facts.objects.get(path.names) in VIEWING and not own.isdisjoint(t.ctx.facts.written)


def _is_transpose(t: Tangents, statement: core.Assign, op: core.GetAttr) -> bool:
    """Whether an attribute is the transpose of an array, and not what a class calls `T`."""
    return op.name == "T" and isinstance(t.value(statement, op.value).kind, Array | NumberOrArray)


def zeros_apart(t: Tangents, statement: core.Assign) -> gast.expr | None:
    """The zeros of what does not vary and may be a view of something, or be in something, that gets a tangent
    only later, which it is found not to be when it is there; None where that cannot be."""
    own = changeable(t.ctx.facts.after(statement, statement.target))
    if _is_new(t, statement) or own.isdisjoint(t.ctx.facts.written):
        return None
    found = [atom for atom in operands(statement.op) if isinstance(atom, core.Var)]
    given = [atom for atom in found if not own.isdisjoint(changeable(t.value(statement, atom)))]
    if not given:
        return None
    called = isinstance(t.ctx.facts.calls.get(id(statement)), Direct)  # its result is in the variable by then
    if t.count or (called and statement.target in [atom.name for atom in given]):
        raise NotPushed("what may be a view, and is written to later", statement.loc)
    callee = name_node(t.ctx.cell("zeros_apart", zeros.zeros_apart))
    return gast.Call(callee, [name_node(RESULT), *map(primal_atom, given)], [])


def _is_new(t: Tangents, statement: core.Assign) -> bool:
    """Whether what an operation gives is an array that is made of numbers."""
    op, facts = statement.op, t.ctx.facts
    if not (isinstance(op, core.Call) and isinstance(op.func, core.Path) and op.func.scope != "helper"):
        return False
    if any(one.name in (None, "copy") for one in op.keywords):
        return False  # which may be one that says that it is the array itself
    function = facts.objects.get(op.func.names)
    of_numbers = isinstance(facts.after(statement, statement.target).kind, Array)
    return (of_numbers and doors.makes_new(function)) or is_measurement(function)


def _with_tangent(t: Tangents, statement: core.Assign, dot: gast.expr | None) -> None:
    """The statement and its tangent, which is computed from what the variables hold before it."""
    target = statement.target
    dot = None if dot is None else _with_waiting(t, dot)
    if not is_temporary(target):
        t.settle()
    if dot is None:
        _primal(t, statement)
        kind = t.ctx.facts.after(statement, target).kind
        _keep(t, target, t.zero(kind, name_node(target)))
    elif target in names_in(dot):
        _self_update(t, statement, dot)
    else:
        _primal(t, statement)
        _keep(t, target, with_result(dot, target))


def _keep(t: Tangents, target: str, dot: gast.expr) -> None:
    if is_temporary(target) and t.reads.get(target, 0) == 1 and size(dot).width <= WIDTH:
        t.waiting[target] = dot
    else:
        t.emit("$x = $v", x=t.dot(target), v=dot)


def _self_update(t: Tangents, statement: core.Assign, dot: gast.expr) -> None:
    """`x = f(x)`: the tangent is computed from the old value."""
    target, used = statement.target, set(names_in(dot))
    ahead = {name for item in t.ctx.code[t.start :] for name in _bound(item)}
    wanted = {name for item in t.ctx.code[t.start :] for name in names_in(item)}  # as it was before
    moves = not used & (ahead | {RESULT}) and t.dot(target) not in wanted
    if moves and _cannot_raise(dot) and not t.attempted:
        outer, t.ctx.code = t.ctx.code, []
        t.emit("$x = $v", x=t.dot(target), v=dot)
        outer[t.start : t.start] = t.ctx.code
        t.ctx.code = outer
        _primal(t, statement)
        return
    new = t.ctx.names.temporary()
    t.emit("$y = $v", y=new, v=primal.expression(t.ctx, statement.op))
    t.emit("$x = $v", x=t.dot(target), v=with_result(dot, new))
    t.emit("$y = $v", y=target, v=name_node(new))


def _bound(statement: Any) -> list[str]:
    return [
        node.id
        for node in nodes(statement)
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
    ]


def _cannot_raise(expression: gast.expr) -> bool:
    """Whether an expression is a sum of products of variables."""
    return all(
        isinstance(node, gast.Name | gast.Constant)
        or (isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub))
        or (isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add | gast.Sub | gast.Mult))
        for node in nodes(expression)
    )


def _with_waiting(t: Tangents, dot: gast.expr) -> gast.expr:
    """The expression with the tangents that wait in their places."""
    used = names_in(dot)
    for variable in list(t.waiting):
        name = t.dot(variable)
        if used.count(name) == 1:
            value = t.waiting.pop(variable)
            dot = replaced(dot, {name: value})
        elif name in used:
            t.emit("$x = $v", x=name, v=t.waiting.pop(variable))
    return dot
