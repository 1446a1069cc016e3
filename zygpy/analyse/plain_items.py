"""Augmented assignment of numbers in lists and dicts, spelled out: a number is never changed in place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from zygpy.analyse.facts import Facts
from zygpy.analyse.read_before import is_of_numbers
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import Dict, List, is_scalar
from zygpy.ir.names import Names


def with_plain_items(program: core.Function, facts: Facts) -> core.Function:
    """The same program with `t = xs[i]`, `u = t + v`, `xs[i] = u` for `xs[i] += v`, where `xs` is a list or
    dict of numbers; the very same if there is none."""
    if not any(isinstance(statement, core.AugmentItem) for statement in core.walk(program.body)):
        return program
    spelling = _Spelling(facts, Names(mentioned(program)))
    body = core.rewritten(program.body, spelling.statement)
    return replace(program, body=body) if spelling.found else program


@dataclass
class _Spelling:
    facts: Facts
    names: Names
    found: list[core.Statement] = field(default_factory=list)

    def statement(self, statement: core.Statement) -> core.Block:
        if isinstance(statement, core.AugmentItem) and self._is_number(statement):
            return self._spelled(statement)
        return (statement,)

    def _is_number(self, statement: core.AugmentItem) -> bool:
        """Whether what is changed is surely a number in a list or dict."""
        kind = self.facts.value(statement, statement.target).kind
        if self.facts.way.identity:  # where those of dicts go through a door
            added = self.facts.value(statement, statement.value).kind
            return isinstance(kind, List) and is_scalar(added) and is_of_numbers(self.facts, statement)
        return isinstance(kind, List | Dict) and is_of_numbers(self.facts, statement)

    def _spelled(self, statement: core.AugmentItem) -> core.Block:
        self.found.append(statement)
        target, index, loc = statement.target, statement.index, statement.loc
        before = statement.before or self.names.temporary()
        after = self.names.temporary()
        read = () if statement.before else (core.Assign(before, core.GetItem(target, index), loc),)
        return (
            *read,
            core.Assign(after, core.Binary(statement.op, core.Var(before), statement.value), loc),
            core.SetItem(target, index, core.Var(after), loc),
        )
