"""Context managers and generators that methods make, and methods that are given generators, in place: which
methods these are is known when the program has been interpreted, and holds if it is still so when it is
interpreted with their bodies in it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from zygpy.analyse import fields
from zygpy.analyse.facts import Facts, Guard
from zygpy.analyse.paths import Scope
from zygpy.analyse.read_before import spelled_in_attempts
from zygpy.analyse.stillness import IN_CLASS
from zygpy.inlining import Bodies
from zygpy.inlining_listed import Quiet, lists_hold, with_all_looked_at
from zygpy.ir import core
from zygpy.ir.kinds import Kind, Object, Optional
from zygpy.runtime.lookup import in_class
from zygpy.transform.bodies import Body
from zygpy.transform.inline import inlined
from zygpy.transform.inline_managers import has_managers, with_managers_in_place
from zygpy.transform.inline_receivers import with_receivers_in_place
from zygpy.units import Unit


@dataclass(frozen=True)
class OfMethods:
    """A program with such bodies in place, what its names mean, and where which method was found."""

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


def bodies_of_methods(
    unit: Unit,
    scope: Scope,
    program: core.Function,
    facts: Facts,
    before: OfMethods | None,
    asking: set[Any],
) -> OfMethods | None:
    """The program with bodies in place that methods are found to have, besides those of `before`; None if
    there are no more. Generators that ask for their own items stay where they are: those that are found here
    are put into `asking`."""
    bodies = Bodies(unit, scope, program, [], [])
    quiet = Quiet(scope.replaced, [])
    methods = _Methods(bodies, facts, {}, asking, quiet)
    made = methods.in_place(program)
    if not lists_hold(unit, made, quiet):
        bodies = Bodies(unit, scope, program, [], [])
        methods = _Methods(bodies, facts, {}, asking, None)
        made = methods.in_place(program)
    if made is program:
        return None
    bodies.guards.extend(quiet.guards)
    made = with_all_looked_at(unit, made)
    around = replace(
        scope,
        fixed=unit.given_names,
        rests_on=(*scope.rests_on, *bodies.guards),
        in_place=scope.in_place.union(bodies.found),
    )
    made = replace(made, body=spelled_in_attempts(made.body))  # where the bodies stand now
    return OfMethods(made, around, {**(before.found if before else {}), **methods.found})


Call = core.Call | core.CallMethod


@dataclass(frozen=True)
class _Methods:
    """What a program calls, of which facts are known, and the methods that were found in it."""

    bodies: Bodies
    facts: Facts
    found: dict[tuple[core.Loc, str], Any]
    asking: set[Any]
    quiet: Quiet | None

    def in_place(self, program: core.Function) -> core.Function:
        """The program with all of these in place."""
        made = with_managers_in_place(program, self.manager)
        bodies = replace(self.bodies, program=made)
        return replace(self, bodies=bodies).with_generators(made)

    def with_generators(self, program: core.Function) -> core.Function:
        """The program with generators of methods in place, and with methods that are given generators."""
        bodies = self.bodies
        made = inlined(program, bodies.body, bodies.named, bodies.takes, bodies.may_end, self.generator)
        return with_receivers_in_place(made, self.receiver, self.makes)

    def manager(self, statement: core.Assign, op: Call) -> Body | None:
        """The body behind a context manager that a method makes."""
        return self._body(statement, op, self.bodies.of_manager)

    def generator(self, statement: core.Statement, op: core.CallMethod) -> Body | None:
        """The body of a generator that a method makes, and that does not ask for its own items."""
        made = self._method(statement, op)
        if _is_generator(made) and _stands_in(statement.loc, made):
            self.asking.add(made)
        if made is None:
            return None
        listed = None
        by_name = self.quiet is not None and _is_generator(made) and self.quiet.methods(made)
        if made in self.asking or by_name:
            listed = self._body(statement, op, self._listing)
        if listed is not None or made in self.asking:
            return listed
        return self._body(statement, op, self.bodies.of_generator)

    def _listing(self, call: core.Call, function: FunctionType, name: str) -> Body | None:
        """The body of a generator that walks over a list of the items of one that asks for its own."""
        if self.quiet is None:
            return None
        return self.bodies.of_listed(call, function, name, self.quiet)

    def receiver(self, statement: core.Assign, op: Call) -> Body | None:
        """The body of what a call gives generators."""
        return self.bodies.receiver(statement, op) or self._body(statement, op, self.bodies.of_receiver)

    def makes(self, statement: core.Assign, op: Call) -> bool:
        """Whether a call makes a generator whose body may stand in a loop."""
        return self.bodies.makes_generator(statement, op) or _is_generator(self._method(statement, op))

    def _body(self, statement: core.Statement, op: Call, find: Any) -> Body | None:
        made = self._method(statement, op)
        if made is None:
            return None
        assert isinstance(op, core.CallMethod) and isinstance(op.value, core.Var)
        args = (op.value, *op.args)
        if any(isinstance(arg, core.Star) for arg in args):
            return None
        body: Body | None = find(core.Call(op.value, args, op.keywords), made, op.name)
        if body is None or self.found.setdefault((statement.loc, op.name), made) is not made:
            return None
        kind: Any = self._kind(statement, op.value)
        self.bodies.guards.append(Guard(kind.cls, op.name, made))
        return replace(body, method=(op.value, op.name))

    def _kind(self, statement: core.Statement, receiver: core.Var) -> Kind:
        """The kind of an object; where it may be None, that fails where its method is looked up."""
        kind = self.facts.value(statement, receiver).kind
        return kind.kind if isinstance(kind, Optional) else kind

    def _method(self, statement: core.Statement, op: Call) -> Any:
        """The function that a call of a method goes to, if attributes of the object are found as Python finds
        them."""
        if not isinstance(op, core.CallMethod) or not isinstance(op.value, core.Var):
            return None
        kind = self._kind(statement, op.value)
        known = isinstance(kind, Object) and op.name not in dict(kind.fields or ())
        if not known or op.name in self.bodies.scope.replaced or not fields.is_read_plainly(kind.cls):  # type: ignore[attr-defined]
            return None
        found = in_class(kind.cls, op.name)  # type: ignore[attr-defined]
        return found if getattr(kind.cls, op.name, None) is found else None  # type: ignore[attr-defined]


def _is_generator(function: Any) -> bool:
    return type(function) is FunctionType and bool(function.__code__.co_flags & inspect.CO_GENERATOR)


def _stands_in(loc: core.Loc, function: FunctionType) -> bool:
    """Whether a statement stands in the text of a function of the same file."""
    code = function.__code__
    lines = [line for *_, line in code.co_lines() if line]
    return code.co_firstlineno <= loc.line <= max(lines, default=0)


# -- whether there may be any


def may_call_such_methods(unit: Unit, scope: Scope, program: core.Function) -> bool:
    """Whether a program calls methods by names that generators have in the classes around it, or gives
    generators to methods, or has managers that methods may have made."""
    if has_managers(program):
        return True
    bodies, asked = Bodies(unit, scope, program, [], []), []
    names = _names_of_generators(unit.source.globals)

    def generator(statement: core.Statement, op: core.CallMethod) -> None:
        asked.append(op.name in names)

    def receiver(statement: core.Assign, op: Call) -> None:
        asked.append(isinstance(op, core.CallMethod))

    def makes(statement: core.Assign, op: Call) -> bool:
        of_method = isinstance(op, core.CallMethod) and op.name in names
        return of_method or bodies.makes_generator(statement, op)

    inlined(program, lambda *_: None, bodies.named, lambda *_: False, bodies.may_end, generator)
    with_receivers_in_place(program, receiver, makes)
    return any(asked)


def _names_of_generators(space: Mapping[str, Any]) -> frozenset[str]:
    """The names of the generator functions that the classes of a module have."""
    own = [
        one
        for one in list(space.values())
        if isinstance(one, type) and one.__module__ == space.get("__name__")
    ]
    return frozenset(name for cls in own for name, found in list(vars(cls).items()) if _is_generator(found))
