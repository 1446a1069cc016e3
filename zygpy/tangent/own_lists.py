"""Lists that a program makes and keeps to itself: their tangents have all that is in them.

(What else is found by identity may have been changed by a method that nobody saw.)
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.access import assigned, operands, read
from zygpy.ir.kinds import List
from zygpy.runtime.lookup import is_among
from zygpy.runtime.paired_generators import TAKING_ALL
from zygpy.tangent.state import Tangents

CHANGES = frozenset({"append", "extend", "insert", "pop", "clear", "reverse"})
"""Methods of lists that give the list to nobody."""


def takes_all(t: Tangents, statement: core.Assign) -> bool:
    """Whether a statement takes all items of such a list."""
    op: Any = statement.op
    if t.count or not _is_taking(t, op) or not isinstance(t.value(statement, op.args[0]).kind, List):
        return False
    (things,) = operands(op)
    return isinstance(things, core.Var) and things.name in t.paired and _is_own(t, things.name)


def _is_taking(t: Tangents, op: Any) -> bool:
    """Whether an operation is the call of a builtin that takes all items of its only argument."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords:
        return False
    single = len(op.args) == 1 and not isinstance(op.args[0], core.Star)
    callee = t.ctx.facts.objects.get(op.func.names)
    return single and (is_among(callee, TAKING_ALL) or callee is len)


def _is_own(t: Tangents, name: str) -> bool:
    """Whether a variable is bound once, to a new list, and that is given to nobody; by other names, neither
    is that."""
    function = t.ctx.facts.function
    body = list(core.walk(function.body))
    names = _names(body, name)
    if not names.isdisjoint((*function.params.names, *function.cells)):
        return False
    made = [one for one in body for bound in assigned(one) if bound in names]
    new = [one for one in made if not isinstance(getattr(one, "op", None), core.Copy)]
    once = len(made) == len(names) and len(new) == 1 and _makes(t, new[0])
    using = [(one, used) for one in body for used in _mentioned(one) if used in names]
    return once and all(_keeps_to_itself(t, one, used) for one, used in using)


def _names(body: list[core.Statement], name: str) -> set[str]:
    """All names by which what a variable holds is known."""
    assigns = [one for one in body if isinstance(one, core.Assign)]
    copies: list[tuple[str, Any]] = [(one.target, operand) for one in assigns for operand in _copied(one.op)]
    names, more = set[str](), {name}
    while more - names:
        names |= more
        for target, value in copies:
            pair = {target, value.name}
            more |= pair if pair & names else set()
    return names


def _copied(op: core.Op) -> list[core.Var]:
    """The variable that an operation copies, if it does."""
    return [op.value] if isinstance(op, core.Copy) and isinstance(op.value, core.Var) else []


def _mentioned(statement: core.Statement) -> set[str]:
    """What a statement reads, or hands to a function that is defined there."""
    return {*read(statement), *getattr(getattr(statement, "op", None), "captured", ())}


def _makes(t: Tangents, statement: core.Statement) -> bool:
    op: Any = getattr(statement, "op", None)
    if isinstance(op, core.Display):
        return op.kind == "list"
    callee = t.ctx.facts.objects.get(op.func.names) if _is_taking(t, op) else None
    return callee is list or callee is sorted


def _keeps_to_itself(t: Tangents, statement: core.Statement, name: str) -> bool:
    """Whether a statement that has a list among what it reads gives it to nobody."""
    if isinstance(statement, core.For):
        return statement.iterable == core.Var(name)
    op: Any = getattr(statement, "op", None)
    if isinstance(op, core.Copy):
        return True
    if isinstance(op, core.CallMethod):
        given = [atom for atom in operands(op) if atom == core.Var(name)]
        return op.name in CHANGES and op.value == core.Var(name) and len(given) == 1
    return _is_taking(t, op)
