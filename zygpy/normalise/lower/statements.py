"""Statements: assignments, branches, loops and the rest, block by block."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.names import is_temporary
from zygpy.ir.nodes import gast
from zygpy.normalise.lower.augment import augment
from zygpy.normalise.lower.conditions import condition
from zygpy.normalise.lower.expressions import assign_to, atom, atoms, kept, operation
from zygpy.normalise.lower.functions import decorated
from zygpy.normalise.lower.loops import for_loop, while_loop
from zygpy.normalise.lower.state import STATEMENTS, State
from zygpy.normalise.lower.targets import (
    assign_parallel,
    delete,
    is_local_name,
    mentions,
    pairs,
    store,
    store_name,
)
from zygpy.normalise.tries import Attempting, Handling, failure_of


def lower_block(state: State, statements: list[Any]) -> core.Block:
    """The statements as a block of the core language."""
    with state.block() as out:
        for statement in statements:
            lower_statement(state, statement)
    return tuple(out)


def lower_statement(state: State, statement: Any) -> None:
    if hasattr(statement, "lineno"):
        state.here = state.loc(statement)
    STATEMENTS[type(statement)](state, statement)


def _assign(state: State, node: Any) -> None:
    loc = state.loc(node)
    found = pairs(node.targets[0], node.value) if len(node.targets) == 1 else None
    if found and len(found) != 1:
        assign_parallel(state, found, loc)
    elif is_local_name(state, node.targets[0]) and _is_apart(node.targets):
        assign_to(state, node.targets[0].id, node.value, loc)
        _store_all(state, node.targets[1:], core.Var(node.targets[0].id), loc)
    else:
        _store_all(state, node.targets, _lasting(state, node), loc)


def _is_apart(targets: list[Any]) -> bool:
    """Whether the first target, a name, is mentioned by no other."""
    return targets[0].id not in mentions(targets[1:])


def _lasting(state: State, node: Any) -> core.Atom:
    """The value of an assignment, safe from what storing it to one target does to the next."""
    value = kept(state, atom(state, node.value), node.targets)
    assert value is not None
    if isinstance(value, core.Var) and value.name not in state.made and value.name in mentions(node.targets):
        return state.assign(core.Copy(value), state.loc(node))
    return value


def _store_all(state: State, targets: list[Any], value: core.Atom, loc: core.Loc) -> None:
    for target in targets:
        store(state, target, value, loc)


def _annotated(state: State, node: Any) -> None:
    if node.value is not None:
        _assign(state, gast.copy_location(gast.Assign([node.target], node.value, None), node))


def _expression(state: State, node: Any) -> None:
    op = operation(state, node.value)
    if not isinstance(op, core.Copy) or _may_have_no_value(op.value):
        state.assign(op, state.loc(node))


def _may_have_no_value(atom: core.Atom) -> bool:
    """Whether it matters that an atom is read, though nothing is done with it."""
    return isinstance(atom, core.Var) and not is_temporary(atom.name)


def _if(state: State, node: Any) -> None:
    """A branch; `elif` is walked, so that a long chain needs no deep stack."""
    levels: list[tuple[core.Atom, core.Block, core.Loc, list[core.Statement]]] = []
    orelse: list[Any] = [node]
    while len(orelse) == 1 and isinstance(orelse[0], gast.If):
        node = orelse[0]
        state.here = state.loc(node)
        test = condition(state, node.test)
        levels.append((test, lower_block(state, node.body), state.loc(node), state.out))
        state.out, orelse = [], node.orelse
    last = lower_block(state, orelse)
    for test, then, loc, level in reversed(levels):
        level.append(core.If(test, then, last, loc))
        state.out, last = level, tuple(level)


def _for(state: State, node: Any) -> None:
    for_loop(state, node, lower_block)


def _while(state: State, node: Any) -> None:
    while_loop(state, node, lower_block)


def _with(state: State, node: Any) -> None:
    loc, item = state.loc(node), node.items[0]
    context = atom(state, item.context_expr)
    target, complex_target = item.optional_vars, None
    name = target.id if is_local_name(state, target) else None
    if target is not None and name is None:
        name, complex_target = state.temporary(), target
    state.guarded += 1
    with state.block() as out:
        if complex_target is not None:
            store(state, complex_target, core.Var(name or ""), loc)
        out.extend(lower_block(state, node.body))
    state.guarded -= 1
    state.emit(core.With(context, name, tuple(out), loc))


def _attempting(state: State, node: Any) -> None:
    state.guarded += 1
    body = lower_block(state, node.body)
    state.guarded -= 1
    state.emit(core.Attempt(failure_of(node), body, state.loc(node)))


def _handling(state: State, node: Any) -> None:
    state.guarded += 1
    body = lower_block(state, node.body)
    state.guarded -= 1
    state.emit(core.Handle(core.Var(failure_of(node)), body, state.loc(node)))


def _raise(state: State, node: Any) -> None:
    exception, cause = atoms(state, [node.exc, node.cause])
    state.emit(core.Raise(exception, cause, state.loc(node)))


def _return(state: State, node: Any) -> None:
    value = core.Const(None) if node.value is None else atom(state, node.value)
    state.emit(core.Return(value, state.loc(node)))


def _delete(state: State, node: Any) -> None:
    for target in node.targets:
        delete(state, target, state.loc(node))


def _definition(state: State, node: Any) -> None:
    loc = state.loc(node)
    op = decorated(state, node)
    if state.kind(node.name) == "local":
        state.emit(core.Assign(node.name, op, loc))
    else:
        store_name(state, node.name, state.assign(op, loc), loc)


def _break(state: State, node: Any) -> None:
    state.emit(core.Break(state.loc(node)))


def _nothing(_: State, __: Any) -> None:
    """`pass`, `global` and `nonlocal` leave nothing behind."""


STATEMENTS.update(
    {
        gast.Assign: _assign,
        gast.AnnAssign: _annotated,
        gast.AugAssign: augment,
        gast.Expr: _expression,
        gast.If: _if,
        gast.For: _for,
        gast.While: _while,
        gast.With: _with,
        Attempting: _attempting,
        Handling: _handling,
        gast.Raise: _raise,
        gast.Return: _return,
        gast.Delete: _delete,
        gast.FunctionDef: _definition,
        gast.Break: _break,
        gast.Pass: _nothing,
        gast.Global: _nothing,
        gast.Nonlocal: _nothing,
    }
)
