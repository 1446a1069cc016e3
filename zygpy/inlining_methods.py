"""Context managers that methods make, in place: which methods these are is known when the program has been
interpreted, and holds if it is still so when it is interpreted with their bodies in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from zygpy.analyse import fields
from zygpy.analyse.facts import Facts, Guard
from zygpy.analyse.paths import Scope
from zygpy.inlining import Bodies
from zygpy.ir import core
from zygpy.ir.kinds import Object
from zygpy.runtime.lookup import in_class
from zygpy.transform.bodies import IN_CLASS, Body
from zygpy.transform.inline_managers import with_managers_in_place
from zygpy.units import Unit


@dataclass(frozen=True)
class OfMethods:
    """A program with such managers in place, what its names mean, and where which method was found."""

    program: core.Function
    scope: Scope
    found: Mapping[tuple[core.Loc, str], Any]

    def hold(self, program: core.Function, facts: Facts) -> bool:
        """Whether the program as it is derived finds the same methods, as far as it comes there."""
        asking = [one for one in core.walk(program.body) if _asked(one) is not None]
        return all(self._holds(statement, facts) for statement in asking)

    def _holds(self, statement: core.Statement, facts: Facts) -> bool:
        asked = _asked(statement)
        assert asked is not None
        receiver, name = asked
        made = self.found.get((statement.loc, name))
        if made is None:
            return True
        kind = facts.value(statement, receiver).kind
        if not isinstance(kind, Object) or in_class(kind.cls, name) is not made:
            return False
        return kind.fields is not None and name not in dict(kind.fields)


def _asked(statement: core.Statement) -> tuple[core.Var, str] | None:
    """The object and the name of a method that a statement finds in a class."""
    match statement:
        case core.Assign(op=core.Call(path, (core.Var() as receiver, core.Const(str() as name)))):
            return (receiver, name) if path == IN_CLASS else None
    return None


def managers_of_methods(
    unit: Unit, scope: Scope, program: core.Function, facts: Facts, before: OfMethods | None
) -> OfMethods | None:
    """The program with managers in place that methods make, besides those of `before`; None if there are no
    more."""
    bodies = Bodies(unit, scope, program, [], [])
    found: dict[tuple[core.Loc, str], Any] = {}

    def find(statement: core.Assign, op: core.Call | core.CallMethod) -> Body | None:
        if not isinstance(op, core.CallMethod) or not isinstance(op.value, core.Var):
            return None
        kind = facts.value(statement, op.value).kind
        made = _method(kind, op.name, scope)
        args = (op.value, *op.args)
        if made is None or any(isinstance(arg, core.Star) for arg in args):
            return None
        body = bodies.of_manager(core.Call(op.value, args, op.keywords), made, op.name)
        if body is None or found.setdefault((statement.loc, op.name), made) is not made:
            return None
        bodies.guards.append(Guard(kind.cls, op.name, made))  # type: ignore[attr-defined]
        return replace(body, method=(op.value, op.name))

    made = with_managers_in_place(program, find)
    if made is program:
        return None
    around = replace(
        scope, rests_on=(*scope.rests_on, *bodies.guards), in_place=scope.in_place.union(bodies.found)
    )
    return OfMethods(made, around, {**(before.found if before else {}), **found})


def _method(kind: Any, name: str, scope: Scope) -> Any:
    """What the class of an object has under a name, if attributes are found there as Python finds them."""
    if not isinstance(kind, Object) or name in scope.replaced or not fields.is_read_plainly(kind.cls):
        return None
    found = in_class(kind.cls, name)
    return found if getattr(kind.cls, name, None) is found else None
