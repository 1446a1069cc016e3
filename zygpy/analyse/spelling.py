"""What is known while a program is spelled out, and what has been spelled out of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zygpy.analyse.facts import Facts
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import (
    Known,
    may_be_object,
)
from zygpy.ir.names import Names


@dataclass
class Spelling:
    """The findings about a program that is spelled out, its names, the variables that hold what a door gave
    already, whether answers are checked, and the statements that were made or changed."""

    facts: Facts
    names: Names
    done: set[str]
    checks: bool
    found: list[core.Statement] = field(default_factory=list)


def may_run_code(value: Value) -> bool:
    """Whether iterating over a value may run code whose effects or results take part."""
    return value.active and may_be_object(value.kind)


def called_by(s: Spelling, statement: core.Assign) -> Any:
    """What a statement calls, if that is known."""
    func = getattr(statement.op, "func", None)
    if isinstance(func, core.Path):
        return s.facts.objects.get(func.names)
    kind = s.facts.value(statement, func).kind if isinstance(func, core.Var) else None
    return kind.value if isinstance(kind, Known) else None
