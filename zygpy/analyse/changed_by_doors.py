"""Items and fields that are computed with or changed by methods, spelled out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType

from zygpy.analyse.containers import may_have_a_point
from zygpy.analyse.spelling import Spelling
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import (
    INT,
    Object,
    Unknown,
)
from zygpy.runtime.lookup import in_class

STORED = core.Path(("stored_item",), "helper")
CHANGED = core.Path(("changed_item",), "helper")
SLICE = core.Path(("slice",), "builtin")


def _bounds(part: core.Slice) -> tuple[core.Atom | None, ...]:
    return (part.lower, part.upper, part.step)


def item_read(
    s: Spelling, statement: core.Assign, value: core.Var, index: core.IndexTuple
) -> Iterator[core.Statement]:
    """An index that an object may compute with is a tuple."""
    computed = any(item.active and item.kind != INT for item in _given(s, statement, index))
    if not computed or not isinstance(s.facts.value(statement, value).kind, Object | Unknown):
        yield statement
        return
    before, whole = _as_tuple(s, statement, index)
    yield from before
    yield replace(statement, op=core.GetItem(value, whole))


def _given(s: Spelling, statement: core.Statement, index: core.Index) -> list[Value]:
    """The values of the variables in an index."""
    atoms = index.items if isinstance(index, core.IndexTuple) else (index,)
    return [s.facts.value(statement, atom) for atom in atoms if isinstance(atom, core.Var)]


def _as_tuple(
    s: Spelling, statement: core.Statement, index: core.IndexTuple
) -> tuple[list[core.Assign], core.Var]:
    """The variable of a tuple of what an index consists of, and what makes it."""
    before: list[core.Assign] = []
    parts: list[core.Atom | core.Star] = []
    for part in index.items:
        if isinstance(part, core.Slice):
            bounds = tuple(core.Const(None) if atom is None else atom for atom in _bounds(part))
            made = core.Assign(s.names.temporary(), core.Call(SLICE, bounds), statement.loc)
            before.append(made)
        parts.append(core.Var(made.target) if isinstance(part, core.Slice) else part)
    whole = core.Assign(s.names.temporary(), core.Display("tuple", tuple(parts)), statement.loc)
    s.found.append(whole)
    return [*before, whole], core.Var(whole.target)


def _computes_with_index(s: Spelling, statement: core.SetItem | core.AugmentItem) -> bool:
    """Whether a method that changes an item may compute with the index."""
    if not isinstance(statement.target, core.Var) or isinstance(statement.index, core.Slice):
        return False
    given = _given(s, statement, statement.index)
    owner = s.facts.value(statement, statement.target)
    if isinstance(owner.kind, Object):
        found = in_class(owner.kind.cls, "__setitem__")
        return isinstance(found, FunctionType) and any(item.active for item in (owner, *given))
    pointed = any(item.active and may_have_a_point(item.kind) for item in given)
    return pointed and isinstance(owner.kind, Unknown)


def _stored(s: Spelling, statement: core.SetItem | core.AugmentItem) -> Iterator[core.Statement]:
    """An assignment to an item is a call where a method may compute with the index."""
    if not _computes_with_index(s, statement):
        yield statement
        return
    owner, index, value, loc = statement.target, statement.index, statement.value, statement.loc
    if isinstance(index, core.IndexTuple):
        before, index = _as_tuple(s, statement, index)
        yield from before
    assert isinstance(index, core.Var | core.Const)
    op = core.Call(STORED, (owner, index, value))
    if isinstance(statement, core.AugmentItem):
        op = core.Call(CHANGED, (core.Const(statement.op), *op.args))
    call = core.Assign(s.names.temporary(), op, loc)
    s.found.append(call)
    yield call


def _field(s: Spelling, statement: core.Statement) -> Iterator[core.Statement]:
    """`o.name op= v` reads the field, changes what is there or makes something new, and sets it."""
    if not (isinstance(statement, core.AugmentAttr) and id(statement) in s.facts.fields):
        yield statement
        return
    target, name, loc = statement.target, statement.name, statement.loc
    value = s.names.temporary()
    read = core.Assign(value, core.GetAttr(target, name), loc)
    s.found.append(read)
    yield read
    yield core.AugmentName(value, statement.op, statement.value, loc)
    yield core.SetAttr(target, name, core.Var(value), loc)


def change_of_part(s: Spelling, statement: core.Statement) -> Iterator[core.Statement]:
    """A change of a field or an item."""
    if isinstance(statement, core.SetItem | core.AugmentItem):
        yield from _stored(s, statement)
    else:
        yield from _field(s, statement)
