"""Of which kind something is once a program has bound the name or attribute under which it is found.

A derivation may rest on the kind of what a name stands for. Where the program itself binds the name to
something of another kind, that holds no longer while it runs.
"""

from __future__ import annotations

from typing import NamedTuple

from zygpy.analyse import transfer
from zygpy.analyse.facts import Facts
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.kinds import BOOL, FLOAT, INT, UNKNOWN, Kind, join, kind_of
from zygpy.ir.names import is_temporary


class Change(NamedTuple):
    """What is bound, or (with the operator) what is combined with what is there."""

    kind: Kind = UNKNOWN
    operator: str = ""

    def keeps(self, before: Kind) -> bool:
        """Whether what is there then is of the kind that it was before."""
        after = transfer.binary(self.operator, before, self.kind) if self.operator else self.kind
        if before == FLOAT and after in (INT, BOOL):  # what holds for all floats does so for these
            return True
        return join(before, after) == before


def change_by(statement: core.Statement, program: core.Function, facts: Facts | None) -> Change:
    """What a statement of a program binds; without facts, only what stands in the program itself is known."""
    match statement:
        case core.WriteGlobal(name, core.Var(value)) if facts is None:
            return _counted(program, name, value) or Change()
        case core.WriteGlobal(_, value) | core.SetAttr(_, _, value):
            return Change(_kind(statement, value, facts))
        case core.AugmentAttr(_, _, operator, value):
            return Change(_kind(statement, value, facts), operator)
    return Change()


def _kind(statement: core.Statement, value: core.Atom, facts: Facts | None) -> Kind:
    if facts is None:
        return kind_of(value.value) if isinstance(value, core.Const) else UNKNOWN
    return facts.value(statement, value).kind


def _counted(program: core.Function, name: str, value: str) -> Change | None:
    """What `name += 1` does, which reads it into a variable of its own; None of any other binding."""
    binding = [statement for statement in core.walk(program.body) if value in assigned(statement)]
    match binding:
        case [
            core.Assign(op=core.Read(core.Path((read,)))),
            core.AugmentName(_, operator, core.Const(added)),
        ]:
            return Change(kind_of(added), operator) if read == name and is_temporary(value) else None
    return None
