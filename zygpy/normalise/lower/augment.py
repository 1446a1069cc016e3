"""Augmented assignment: the owner and the index are evaluated once."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast, own_nodes
from zygpy.normalise.lower.expressions import BINARY, atom, index, kept, operation, walruses_in
from zygpy.normalise.lower.state import State
from zygpy.normalise.lower.targets import store_name


def augment(state: State, node: Any) -> None:
    """Lower `target op= value`."""
    if isinstance(node.target, gast.Name):
        _augment_name(state, node)
    else:
        _augment_place(state, node)


def _augment_name(state: State, node: Any) -> None:
    loc, op, target = state.loc(node), BINARY[type(node.op)], node.target
    rebound = target.id in walruses_in([node.value])
    if state.kind(target.id) == "local" and not rebound:
        state.emit(core.AugmentName(target.id, op, atom(state, node.value), loc))
        return
    held = state.assign(operation(state, target), loc)
    state.emit(core.AugmentName(held.name, op, atom(state, node.value), loc))
    store_name(state, target.id, held, loc)


def _augment_place(state: State, node: Any) -> None:
    """An item or attribute, which is read before the value is computed, as Python does."""
    loc, op = state.loc(node), BINARY[type(node.op)]
    place = _place(state, node)
    if _is_fixed(state, node.value):
        state.emit(_augmented(place, op, atom(state, node.value), loc))
        return
    if _is_quiet(state, node.value):
        before = state.names.fresh("before")
        state.made.add(before)
        state.emit(core.Assign(before, _read(place), loc))
        state.emit(_augmented(place, op, atom(state, node.value), loc, before))
        return
    held = state.assign(_read(place), loc)
    state.emit(core.AugmentName(held.name, op, atom(state, node.value), loc))
    state.emit(_write(place, held, loc))


def _is_fixed(state: State, value: Any) -> bool:
    """Whether a value is a constant, or a variable that reading what is augmented cannot bind anew."""
    is_local = isinstance(value, gast.Name) and state.kind(value.id) == "local"
    return is_local or isinstance(value, gast.Constant)


Place = tuple[core.Atom, "core.Index | str"]


def _place(state: State, node: Any) -> Place:
    """The owner, and the index or the attribute name."""
    target = node.target
    is_item = isinstance(target, gast.Subscript)
    later = [node.value, *([target.slice] if is_item else [])]
    owner = kept(state, atom(state, target.value), later)
    assert owner is not None
    if not is_item:
        return owner, target.attr
    where = index(state, target.slice)
    if walruses_in([node.value]):
        where = _held_index(state, where)
    return owner, where


def _held_index(state: State, where: core.Index) -> core.Index:
    """The index in temporaries, where the value rebinds variables."""
    if isinstance(where, core.IndexTuple):
        items = [_held_index(state, item) for item in where.items]
        return core.IndexTuple(tuple(item for item in items if not isinstance(item, core.IndexTuple)))
    if isinstance(where, core.Slice):
        return core.Slice(*(_held(state, part) for part in (where.lower, where.upper, where.step)))
    return state.assign(core.Copy(where), state.here)


def _held(state: State, part: core.Atom | None) -> core.Atom | None:
    return None if part is None else state.assign(core.Copy(part), state.here)


RUNS_OTHERS = (gast.Yield, gast.YieldFrom, gast.Starred)
"""What lets other code run before the value is there."""


def _is_quiet(state: State, value: Any) -> bool:
    """Whether computing a value calls nothing, and runs no generator, that could write what is augmented.
    (What an operator, an index or an attribute may run is found out when kinds are known.)"""
    if any(isinstance(node, RUNS_OTHERS) for node in own_nodes([value])):
        return False
    calls = (node for node in own_nodes([value]) if isinstance(node, gast.Call))
    return all(_is_harmless(state, call) for call in calls)


def _is_harmless(state: State, call: Any) -> bool:
    """Whether the callee writes nothing, `out=` included."""
    if any(keyword.arg in ("out", None) for keyword in call.keywords):
        return False
    if any(isinstance(arg, gast.Starred) for arg in call.args):
        return False
    path = state.path(call.func)
    return path is not None and state.harmless(path, len(call.args))


def _augmented(place: Place, op: str, value: core.Atom, loc: core.Loc, before: str = "") -> core.Statement:
    owner, where = place
    if isinstance(where, str):
        return core.AugmentAttr(owner, where, op, value, loc, before)
    return core.AugmentItem(owner, where, op, value, loc, before)


def _read(place: Place) -> core.Op:
    owner, where = place
    return core.GetAttr(owner, where) if isinstance(where, str) else core.GetItem(owner, where)


def _write(place: Place, value: core.Atom, loc: core.Loc) -> core.Statement:
    owner, where = place
    if isinstance(where, str):
        return core.SetAttr(owner, where, value, loc)
    return core.SetItem(owner, where, value, loc)
