"""Targets: where values are stored, unpacked and deleted."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.normalise.lower.expressions import assign_to, atom, index, kept
from zygpy.normalise.lower.refusals import refuse
from zygpy.normalise.lower.state import State


def store(state: State, target: Any, value: core.Atom, loc: core.Loc) -> None:
    """`target = value` for a target of any form."""
    match target:
        case gast.Name():
            store_name(state, target.id, value, loc)
        case gast.Attribute():
            state.emit(core.SetAttr(atom(state, target.value), target.attr, value, loc))
        case gast.Subscript():
            owner = kept(state, atom(state, target.value), [target.slice])
            assert owner is not None
            state.emit(core.SetItem(owner, index(state, target.slice), value, loc))
        case _:
            unpack(state, target, value, loc)


def store_name(state: State, name: str, value: core.Atom, loc: core.Loc) -> None:
    kind = state.kind(name)
    if kind == "cell":
        state.emit(core.WriteCell(name, value, loc))
    elif kind == "local":
        state.emit(core.Assign(name, core.Copy(value), loc))
    else:
        state.emit(core.WriteGlobal(name, value, loc))


def is_local_name(state: State, target: Any) -> bool:
    return isinstance(target, gast.Name) and state.kind(target.id) == "local"


def mentions(nodes: list[Any]) -> Counter[str]:
    """How often each name is mentioned in some expressions or targets."""
    return Counter(found.id for node in nodes for found in gast.walk(node) if isinstance(found, gast.Name))


def unpack(state: State, target: Any, value: core.Atom, loc: core.Loc) -> None:
    """`a, *b.c, (d, e) = value`: names that are mentioned once are unpacked into directly."""
    counts = mentions([target])
    names: list[str] = []
    waiting: list[tuple[Any, str]] = []
    star = None
    for position, item in enumerate(target.elts):
        if isinstance(item, gast.Starred):
            star, item = position, item.value
        direct = is_local_name(state, item) and counts[item.id] == 1
        names.append(item.id if direct else state.temporary())
        if not direct:
            waiting.append((item, names[-1]))
    state.emit(core.Unpack(tuple(names), star, value, loc))
    for item, temporary in waiting:
        store(state, item, core.Var(temporary), loc)


def pairs(target: Any, value: Any) -> list[tuple[Any, Any]] | None:
    """The single targets and values of `a, (b, c) = x, (y, z)`; None where the shapes differ."""
    if not isinstance(target, gast.Tuple | gast.List):
        return [(target, value)]
    if not isinstance(value, gast.Tuple | gast.List) or len(value.elts) != len(target.elts):
        return [(target, value)]
    if any(isinstance(item, gast.Starred) for item in [*target.elts, *value.elts]):
        return [(target, value)]
    nested = [pairs(*pair) or [] for pair in zip(target.elts, value.elts, strict=True)]
    return [pair for group in nested for pair in group]


def assign_parallel(state: State, found: list[tuple[Any, Any]], loc: core.Loc) -> None:
    """Store several values whose tuple nobody sees: all are evaluated before any is visible."""
    targets, values = [target for target, _ in found], [value for _, value in found]
    ready: list[core.Atom] = []
    for position, (target, value) in enumerate(found):
        if _may_go_straight(state, position, targets, values, ready):
            assign_to(state, target.id, value, loc)
            ready.append(core.Var(target.id))
        else:
            held = kept(state, atom(state, value), values[position + 1 :])
            assert held is not None
            ready.append(_survives(state, held, targets[:position]))
    for target, held in zip(targets, ready, strict=True):
        if not (isinstance(target, gast.Name) and held == core.Var(target.id)):
            store(state, target, held, loc)


def _may_go_straight(
    state: State, position: int, targets: list[Any], values: list[Any], ready: list[core.Atom]
) -> bool:
    """Whether nothing can see that a variable gets its value before the others are evaluated."""
    target = targets[position]
    if state.guarded or not is_local_name(state, target) or isinstance(values[position], gast.Name):
        return False
    others = [*values[position + 1 :], *targets[:position], *targets[position + 1 :]]
    return core.Var(target.id) not in ready and target.id not in mentions(others)


def _survives(state: State, held: core.Atom, targets: list[Any]) -> core.Atom:
    """The atom, in a temporary if a target that is stored before it is the same variable."""
    if isinstance(held, core.Var) and held.name in mentions(targets) and held.name not in state.made:
        return state.assign(core.Copy(held), state.here)
    return held


def delete(state: State, target: Any, loc: core.Loc) -> None:
    match target:
        case gast.Name() if state.kind(target.id) == "local":
            state.emit(core.DelName(target.id, loc))
        case gast.Name() if state.kind(target.id) == "cell":
            state.emit(core.DelCell(target.id, loc))
        case gast.Name():
            refuse(state, target, "Delete")
        case gast.Attribute():
            state.emit(core.DelAttr(atom(state, target.value), target.attr, loc))
        case gast.Subscript():
            owner = kept(state, atom(state, target.value), [target.slice])
            assert owner is not None
            state.emit(core.DelItem(owner, index(state, target.slice), loc))
        case _:
            for item in target.elts:
                delete(state, item, loc)
