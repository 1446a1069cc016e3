"""Class patterns whose positions are known when the program is derived: `case Point(a, b)` of a `Point`.

positions = match_positional(subject, Point, 2)         t_1 = subject.x
t_3 = positions is not None                             t_2 = subject.y
                                                        positions = (t_1, t_2)
                                                        t_3 = True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from zygpy.analyse.facts import Facts, Guard
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import Kind, Known, Object, Unknown, is_scalar
from zygpy.ir.names import Names
from zygpy.runtime.lookup import in_class
from zygpy.runtime.matching import SELF_MATCHING

POSITIONAL, ATTRIBUTE = ("match_positional",), ("match_attribute",)


def with_known_matches(program: core.Function, facts: Facts) -> core.Function:
    """The same program with reads of fields for the positions of patterns, where it is known that the subject
    has these fields; the very same if there is none."""
    if not any(_asks(statement, POSITIONAL) for statement in core.walk(program.body)):
        return program
    spelling = _Spelling(facts, Names(mentioned(program)))
    body = core.rewritten(program.body, spelling.statement)
    return replace(program, body=body) if spelling.found else program


def _asks(statement: core.Statement, names: tuple[str, ...]) -> bool:
    """Whether a statement asks a helper of patterns."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op, core.Call) and op.func == core.Path(names, "helper")


def has_attribute(statement: core.Assign, facts: Facts) -> bool | None:
    """Whether a subject has the attribute that a pattern asks for; None where that is not known."""
    if not _asks(statement, ATTRIBUTE):
        return None
    assert isinstance(statement.op, core.Call)
    subject, name = statement.op.args
    if not isinstance(subject, core.Var) or not isinstance(name, core.Const):
        return None
    return True if name.value in _fields(facts.value(statement, subject).kind) else None


def _fields(kind: Kind) -> frozenset[str]:
    """The fields that an object surely has, where it gives them when it is asked."""
    if not isinstance(kind, Object) or kind.fields is None:
        return frozenset()
    if in_class(kind.cls, "__getattribute__") is not object.__getattribute__:
        return frozenset()
    return frozenset(name for name, field_kind in kind.fields if not isinstance(field_kind, Unknown))


@dataclass
class _Spelling:
    facts: Facts
    names: Names
    found: list[core.Statement] = field(default_factory=list)

    def statement(self, statement: core.Statement) -> core.Block:
        if not _asks(statement, POSITIONAL):
            return (self._found(statement),)
        assert isinstance(statement, core.Assign) and isinstance(statement.op, core.Call)
        subject, asked, count = statement.op.args
        kind = self.facts.value(statement, asked).kind if isinstance(asked, core.Var) else None
        cls = kind.value if isinstance(kind, Known) else None
        if not isinstance(cls, type) or not isinstance(subject, core.Var):
            return (statement,)
        assert isinstance(count, core.Const)
        return self._spelled(statement, subject, cls, count.value) or (statement,)

    def _found(self, statement: core.Statement) -> core.Statement:
        """A statement; the question whether there are positions is answered where they are spelled out."""
        match statement:
            case core.Assign(target, core.Compare("is not", core.Var(name), core.Const(None)), loc):
                known = any(name == getattr(made, "target", "") for made in self.found)
                return core.Assign(target, core.Copy(core.Const(True)), loc) if known else statement
        return statement

    def _spelled(
        self, statement: core.Assign, subject: core.Var, cls: type, count: int
    ) -> tuple[core.Statement, ...]:
        kind = self.facts.value(statement, subject).kind
        labels: Any = in_class(cls, "__match_args__", None)
        if labels is None:
            itself = count == 1 and issubclass(cls, SELF_MATCHING) and is_scalar(kind)
            return tuple(self._displayed(statement, (subject,))) if itself else ()
        if type(labels) is not tuple or count > len(labels) or not _fields(kind).issuperset(labels[:count]):
            return ()
        guard = Guard(cls, "__match_args__", labels)
        self.facts.guards.setdefault((id(cls), guard.name), guard)
        self.facts.lasting.append(guard)
        held = tuple(core.Var(self.names.temporary()) for _ in labels[:count])
        reads = [
            core.Assign(variable.name, core.GetAttr(subject, label), statement.loc)
            for variable, label in zip(held, labels[:count], strict=True)
        ]
        return (*reads, *self._displayed(statement, held))

    def _displayed(self, statement: core.Assign, items: tuple[core.Var, ...]) -> Iterator[core.Statement]:
        self.found.append(statement)
        yield core.Assign(statement.target, core.Display("tuple", items), statement.loc)
