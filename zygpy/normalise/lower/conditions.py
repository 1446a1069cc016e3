"""`and`, `or`, `not`, comparisons and conditional expressions: branches that assign a variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.normalise.lower.expressions import assign_to, atom, branches, kept
from zygpy.normalise.lower.state import INTO, OPERATIONS, State

COMPARISONS: dict[type, str] = {
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}
Assign = Callable[[State, str, Any, core.Loc], None]
BOOLEAN = ("is", "is not", "in", "not in")


def condition(state: State, node: Any) -> core.Atom:
    """The truth of an expression as an atom that holds a bool."""
    if isinstance(node, gast.BoolOp | gast.IfExp) or _is_chain(node):
        target = state.temporary()
        _truth_into(state, target, node)
        return core.Var(target)
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return _negation(state, node)
    return truth(state, atom(state, node), node, _is_boolean(state, node))


def truth(state: State, value: core.Atom, node: Any, is_bool: bool = False) -> core.Atom:
    """The truth of a value; a bool is its own."""
    if isinstance(value, core.Const):
        return core.Const(bool(value.value))
    return value if is_bool else state.assign(core.Truth(value), state.loc(node))


def _negation(state: State, node: Any) -> core.Atom:
    decided = isinstance(node.operand, gast.BoolOp | gast.IfExp) or _is_chain(node.operand)
    operand = condition(state, node.operand) if decided else atom(state, node.operand)
    if isinstance(operand, core.Const):
        return core.Const(not operand.value)
    return state.assign(core.Unary("not", operand), state.loc(node))


def _truth_into(state: State, target: str, node: Any) -> None:
    """Assign the truth of an expression: each operand is asked for its truth once."""
    if isinstance(node, gast.BoolOp):
        _boolean(state, target, node, condition)
    elif isinstance(node, gast.IfExp):
        _conditional(state, target, node, _truth_to)
    elif _is_chain(node):
        _chain(state, target, node, True)
    else:
        _truth_to(state, target, node, state.loc(node))


def _truth_to(state: State, target: str, node: Any, loc: core.Loc) -> None:
    if branches(node) is not None:
        _truth_into(state, target, node)
    elif _is_boolean(state, node):
        assign_to(state, target, node, loc)
    else:
        held = atom(state, node)
        constant = isinstance(held, core.Const)
        op = core.Copy(truth(state, held, node)) if constant else core.Truth(held)
        state.emit(core.Assign(target, op, loc))


def _is_chain(node: Any) -> bool:
    return isinstance(node, gast.Compare) and len(node.ops) > 1


def _is_boolean(state: State, node: Any) -> bool:
    if isinstance(node, gast.Name):
        return node.id in state.flags
    if isinstance(node, gast.Compare):
        return all(COMPARISONS[type(op)] in BOOLEAN for op in node.ops)
    return isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)


def _and_or(state: State, target: str, node: Any) -> None:
    _boolean(state, target, node, atom)


def _boolean(state: State, target: str, node: Any, value: Callable[[State, Any], core.Atom]) -> None:
    """`a and b and c`: each operand in the arm where the one before it did not decide."""
    loc, is_and = state.loc(node), isinstance(node.op, gast.And)
    open_levels: list[tuple[core.Atom, core.Atom, list[core.Statement]]] = []
    outer = state.out
    for operand in node.values[:-1]:
        held = value(state, operand)
        test = held if value is condition else truth(state, held, operand, _is_boolean(state, operand))
        open_levels.append((test, held, state.out))
        state.out = []
    (_truth_to if value is condition else assign_to)(state, target, node.values[-1], loc)
    for test, held, level in reversed(open_levels):
        inner, decided = tuple(state.out), _copy(target, held, loc)
        level.append(core.If(test, *((inner, decided) if is_and else (decided, inner)), loc))
        state.out = level
    assert state.out is outer


def _copy(target: str, value: core.Atom, loc: core.Loc) -> core.Block:
    return () if value == core.Var(target) else (core.Assign(target, core.Copy(value), loc),)


def _conditional(state: State, target: str, node: Any, assign: Assign = assign_to) -> None:
    """`a if c else b`; a chain of them is walked, so that its length needs no deep stack."""
    levels: list[tuple[core.Atom, core.Block, list[core.Statement]]] = []
    while isinstance(node, gast.IfExp):
        loc = state.loc(node)
        test = condition(state, node.test)
        with state.block() as then:
            assign(state, target, node.body, loc)
        levels.append((test, tuple(then), state.out))
        state.out, node = [], node.orelse
    assign(state, target, node, loc)
    for test, block, level in reversed(levels):
        level.append(core.If(test, block, tuple(state.out), loc))
        state.out = level


def _compare(state: State, node: Any) -> core.Op:
    left = kept(state, atom(state, node.left), node.comparators)
    assert left is not None
    return core.Compare(COMPARISONS[type(node.ops[0])], left, atom(state, node.comparators[0]))


def _chain(state: State, target: str, node: Any, as_condition: bool = False) -> None:
    """`a < b < c`: the next comparison is made if the one before it is true; each operand once."""
    loc = state.loc(node)
    left = atom(state, node.left)
    levels: list[tuple[core.Atom, core.Atom, list[core.Statement]]] = []
    for position, (op, operand) in enumerate(zip(node.ops, node.comparators, strict=True)):
        held = kept(state, left, [operand])
        assert held is not None
        left = atom(state, operand)
        kept_left = kept(state, left, node.comparators[position + 1 :])
        assert kept_left is not None
        comparison = core.Compare(COMPARISONS[type(op)], held, left)
        left = kept_left
        last = position == len(node.ops) - 1
        if last and (not as_condition or comparison.op in BOOLEAN):
            state.emit(core.Assign(target, comparison, loc))
            break
        result: core.Atom = state.assign(comparison, loc)
        if last:
            state.emit(core.Assign(target, core.Truth(result), loc))
            break
        test = truth(state, result, node, comparison.op in BOOLEAN)
        levels.append((test, test if as_condition else result, state.out))
        state.out = []
    for test, result, level in reversed(levels):
        level.append(core.If(test, tuple(state.out), _copy(target, result, loc), loc))
        state.out = level


INTO.update({gast.BoolOp: _and_or, gast.IfExp: _conditional, gast.Compare: _chain})
OPERATIONS[gast.Compare] = _compare
