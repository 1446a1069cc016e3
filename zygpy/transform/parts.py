"""Items of items: `t = xs[i]; y = t[j]` adds to the cotangent of `xs` in place, row by row.

Where `t` is a list, dict, tuple or object that was read out of another list, dict or object a moment ago,
what comes in for one of its items or fields has a place in the cotangent of what `t` was read from: none as
long as `t` is made for it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from zygpy.analyse.facts import Facts, Intrinsic
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.kinds import INT, Dict, List, Object, Row, Tuple


@dataclass
class Reads:
    """Which statements read an item of something that is itself an item, and what was read there."""

    reads: dict[int, core.Assign] = field(default_factory=dict)  # by the id of the inner read: the outer one
    roots: set[str] = field(default_factory=set)  # those whose cotangents are written to inside


def parts_of(function: core.Function, facts: Facts) -> Reads:
    """The items of items of a program in which nothing is found by identity."""
    parts = Reads()
    if facts.way.identity or facts.shared:
        return parts
    counts = Counter(name for statement in core.walk(function.body) for name in assigned(statement))
    counts.update(function.params.names)
    written = {name for names in facts.writes.values() for name in names}
    once = {name for name, count in counts.items() if count == 1}
    _Search(facts, parts, once - _given_parts(function, facts), written).block(function.body, {})
    return parts


def _given_parts(function: core.Function, facts: Facts) -> set[str]:
    """The variables into whose cotangents the adjoint puts others' as they are: where an item is taken out of
    a list or dict, and where a caller has those of what it finds changed."""
    found = set(facts.written_parameters)
    for statement in core.walk(function.body):
        grows = facts.calls.get(id(statement)) in (Intrinsic("append"), Intrinsic("extend"))
        if not grows and not isinstance(statement, core.SetItem):
            found |= facts.writes.get(id(statement), frozenset())
    return found


HOLDERS = (List, Row, Dict, Object)
"""Kinds of what has a cotangent that may be written to inside."""


def holder_of(read: core.Assign) -> str:
    """The variable that an item or a field is read from."""
    assert isinstance(read.op, core.GetItem | core.GetAttr)
    assert isinstance(read.op.value, core.Var)
    return read.op.value.name


Available = dict[str, core.Assign]
"""The variables that hold an item of something that is as it was when it was read."""


@dataclass
class _Search:
    facts: Facts
    parts: Reads
    once: set[str]
    written: set[str]

    def block(self, block: core.Block, available: Available) -> None:
        available = dict(available)
        for statement in block:
            if isinstance(statement, core.Assign):
                self._note(statement, available)
            elif isinstance(statement, core.If):
                self.block(statement.then, available)
                self.block(statement.orelse, available)
            else:
                for inner in core.blocks(statement):
                    self.block(inner, {})
            self._drop(statement, available)
            if isinstance(statement, core.Assign) and self._is_part(statement):
                available[statement.target] = statement

    def _note(self, statement: core.Assign, available: Available) -> None:
        op = statement.op
        if not isinstance(op, core.GetItem | core.GetAttr) or not isinstance(op.value, core.Var):
            return
        outer = available.get(op.value.name)
        if outer is None or not self._is_read(statement):
            return
        self.parts.reads[id(statement)] = outer
        if id(outer) not in self.parts.reads:
            self.parts.roots.add(holder_of(outer))

    def _drop(self, statement: core.Statement, available: Available) -> None:
        """Forget what was read from something that is bound or changed here."""
        gone: set[str] = set()
        for found in [statement, *(inner for block in core.blocks(statement) for inner in core.walk(block))]:
            gone |= assigned(found) | self.facts.writes.get(id(found), frozenset())
        for name, read in list(available.items()):
            if name in gone or holder_of(read) in gone:
                del available[name]

    def _is_part(self, statement: core.Assign) -> bool:
        """Whether a statement reads a container or an object out of a list, dict or object, both of which
        nobody changes."""
        op, target = statement.op, statement.target
        if not isinstance(op, core.GetItem | core.GetAttr) or not isinstance(op.value, core.Var):
            return False
        if not {target, op.value.name} <= self.once or target in self.written:
            return False
        value = self.facts.value(statement, op.value)
        kind = self.facts.after(statement, target).kind
        return (
            value.active
            and isinstance(value.kind, HOLDERS)
            and isinstance(kind, (*HOLDERS, Tuple))
            and self._is_read(statement)
        )

    def _is_read(self, statement: core.Assign) -> bool:
        """Whether a statement reads one item, and no more than that."""
        found = self.facts.calls.get(id(statement))
        op = statement.op
        if isinstance(op, core.GetAttr):
            return found in (Intrinsic("field"), Intrinsic("attribute"))
        assert isinstance(op, core.GetItem)
        if found != Intrinsic("item"):
            return False
        kind = self.facts.value(statement, op.value).kind
        if isinstance(kind, Tuple):
            return isinstance(op.index, core.Const) and type(op.index.value) is int
        return isinstance(kind, Dict) or self._is_whole(statement, op.index)

    def _is_whole(self, statement: core.Statement, index: core.Index) -> bool:
        if isinstance(index, core.Const):
            return type(index.value) is int
        return isinstance(index, core.Var) and self.facts.value(statement, index).kind == INT
