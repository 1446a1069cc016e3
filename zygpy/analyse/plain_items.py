"""Augmented assignment of numbers in lists and dicts, spelled out: a number is never changed in place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from zygpy.analyse import transfer
from zygpy.analyse.facts import Facts
from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.kinds import Dict, List, is_scalar
from zygpy.ir.names import Names


def with_plain_items(program: core.Function, facts: Facts) -> core.Function:
    """The same program with `t = xs[i]`, `u = t + v`, `xs[i] = u` for `xs[i] += v`, where `xs` is a list or
    dict of numbers; the very same if there is none."""
    if not any(isinstance(statement, core.AugmentItem) for statement in core.walk(program.body)):
        return program
    mentioned = set(program.params.names)
    for statement in core.walk(program.body):
        mentioned |= assigned(statement) | set(read(statement))
    spelling = _Spelling(facts, Names(mentioned))
    body = spelling.block(program.body)
    return replace(program, body=body) if spelling.found else program


@dataclass
class _Spelling:
    facts: Facts
    names: Names
    found: list[core.Statement] = field(default_factory=list)

    def block(self, block: core.Block) -> core.Block:
        return tuple(new for statement in block for new in self.statement(statement))

    def statement(self, statement: core.Statement) -> core.Block:
        match statement:
            case core.AugmentItem() if self._is_number(statement):
                return self._spelled(statement)
            case core.If():
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                return (replace(statement, then=then, orelse=orelse),)
            case core.For() | core.Loop() | core.With() | core.Attempt() | core.Handle():
                return (replace(statement, body=self.block(statement.body)),)
        return (statement,)

    def _is_number(self, statement: core.AugmentItem) -> bool:
        """Whether what is changed is surely a number in a list or dict."""
        kind = self.facts.value(statement, statement.target).kind
        if not isinstance(kind, List | Dict) or not isinstance(statement.index, core.Var | core.Const):
            return False
        return is_scalar(
            transfer.getitem(kind, statement.index, lambda atom: self.facts.value(statement, atom).kind)
        )

    def _spelled(self, statement: core.AugmentItem) -> core.Block:
        self.found.append(statement)
        target, index, loc = statement.target, statement.index, statement.loc
        before, after = self.names.temporary(), self.names.temporary()
        return (
            core.Assign(before, core.GetItem(target, index), loc),
            core.Assign(after, core.Binary(statement.op, core.Var(before), statement.value), loc),
            core.SetItem(target, index, core.Var(after), loc),
        )
