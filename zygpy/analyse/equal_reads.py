"""What is computed twice in one expression is computed once: items that are read again, and their
positions.

`x[i] * x[i]` reads one item, as a person would write it; its adjoint adds one contribution to the
cotangent of `x` instead of two. Only what the programmer gave no name is merged, and only between
statements that change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeAlias, cast

from zygpy.analyse.facts import Facts
from zygpy.ir import core
from zygpy.ir.access import assigned, operands, read
from zygpy.ir.kinds import INT, Array, List, Row, Tuple, is_numeric, is_scalar
from zygpy.ir.names import is_temporary


def merge_equal_reads(program: core.Function, facts: Facts) -> core.Function:
    """The same program without the second of two equal reads; the very same if there are none."""
    merger = _Merger(facts, _assigned_once(program))
    body = merger.block(program.body)
    return replace(program, body=body) if merger.instead else program


def _assigned_once(program: core.Function) -> set[str]:
    counts = Counter(name for statement in core.walk(program.body) for name in assigned(statement))
    return {name for name, count in counts.items() if count == 1 and is_temporary(name)}


class _Merger:
    def __init__(self, facts: Facts, candidates: set[str]) -> None:
        self.facts = facts
        self.candidates = candidates
        self.instead: dict[str, core.Atom] = {}

    def block(self, block: core.Block) -> core.Block:
        """The block with equal reads merged, also in the blocks inside it."""
        return tuple(self._statements(block))

    def _statements(self, block: core.Block) -> Iterator[core.Statement]:
        known: dict[_Computed, core.Atom] = {}
        for statement in block:
            if isinstance(statement, core.Assign) and self._may_merge(statement):
                computed = _computed(self._renamed(statement.op))
                if computed in known:
                    self.instead[statement.target] = known[computed]
                    continue
                known[computed] = core.Var(statement.target)
            elif not self._changes_nothing(statement):
                known.clear()
            else:
                _forget(known, assigned(statement))
            yield self._inside(statement)

    def _inside(self, statement: core.Statement) -> core.Statement:
        """The statement with the names that are left, and with its blocks merged."""
        if isinstance(statement, core.If):
            then, orelse = self.block(statement.then), self.block(statement.orelse)
            statement = replace(statement, then=then, orelse=orelse)
        elif isinstance(statement, core.For | core.Loop | core.With | core.Attempt | core.Handle):
            statement = replace(statement, body=self.block(statement.body))
        return self._renamed(statement) if not self.instead.keys().isdisjoint(read(statement)) else statement

    def _renamed(self, part: Any) -> Any:
        """A statement, an operation or an index that speaks of the names that are left."""
        if isinstance(part, core.Var):
            return self.instead.get(part.name, part)
        if isinstance(part, tuple):
            return tuple([self._renamed(item) for item in part])
        if not is_dataclass(part):
            return part
        renamed = {field.name: self._renamed(getattr(part, field.name)) for field in fields(part)}
        return type(cast(Any, part))(**renamed)

    def _may_merge(self, statement: core.Statement) -> bool:
        """Whether a statement gives a temporary an immutable number: an item, or a sum of integers."""
        if not isinstance(statement, core.Assign) or statement.target not in self.candidates:
            return False
        kinds = [self.facts.value(statement, atom).kind for atom in operands(statement.op)]
        if isinstance(statement.op, core.GetItem):
            result = self.facts.after(statement, statement.target).kind
            return isinstance(kinds[0], Array | List | Tuple | Row) and is_scalar(result)
        return isinstance(statement.op, core.Binary | core.Unary) and all(kind == INT for kind in kinds)

    def _changes_nothing(self, statement: core.Statement) -> bool:
        """Whether what was read before a statement is the same behind it."""
        if not isinstance(statement, core.Assign):
            return False
        op = statement.op
        kinds = [self.facts.value(statement, atom).kind for atom in operands(op)]
        if isinstance(op, core.Copy | core.Read | core.Display | core.MakeFunction):
            return True
        if isinstance(op, core.GetItem):
            return isinstance(kinds[0], Array | List | Tuple | Row)
        return isinstance(op, core.Binary | core.Unary | core.Compare) and all(map(is_numeric, kinds))


_Computed: TypeAlias = "tuple[core.Op, tuple[type, ...]]"


def _computed(op: core.Op) -> _Computed:
    """An operation told apart from the like on literals of other types (`x[1]`, `x[True]`)."""
    return op, tuple([type(atom.value) for atom in operands(op) if isinstance(atom, core.Const)])


def _forget(known: dict[_Computed, core.Atom], names: set[str]) -> None:
    """Drop what was computed from variables that are bound anew."""
    for computed in list(known):
        if any(isinstance(atom, core.Var) and atom.name in names for atom in operands(computed[0])):
            del known[computed]
