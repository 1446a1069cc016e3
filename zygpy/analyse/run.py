"""The state of one interpretation, shared by the functions that interpret its parts."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

from zygpy.analyse.facts import Dynamic, Facts, Guard, Oracle, Summary, constant
from zygpy.analyse.paths import Resolved, Scope, resolve
from zygpy.analyse.sites import Site, called_site, container_site, fresh_site
from zygpy.analyse.values import INERT, Environment, Value, age
from zygpy.ir import core
from zygpy.ir.kinds import Object
from zygpy.ir.names import Names


@dataclass
class Run:
    """Facts as they are found, and where to ask."""

    facts: Facts
    scope: Scope
    oracle: Oracle
    live: dict[int, frozenset[str]]
    numbers: dict[int, int]
    rebound: frozenset[str]  # variables that a plain assignment binds somewhere
    ending: dict[int, frozenset[str]]  # temporaries that are of no interest behind a block
    stored: frozenset[tuple[str, ...]] = frozenset()  # names of attributes that the program itself sets
    attempted: frozenset[int] = frozenset()  # statements of which an exception is caught
    allocated: set[Site] = field(default_factory=set)  # by statements that were interpreted before
    parts: dict[tuple[int, Any], core.Block] = field(default_factory=dict)  # that stand for statements
    names: Names | None = None
    resolved: dict[core.Path, Resolved] = field(default_factory=dict)  # nothing of the user's runs meanwhile

    @functools.cached_property
    def naming(self) -> tuple[tuple[core.Assign, core.Read | core.Call], ...]:
        """The statements that read something by its name, or call it, with the operations that do so."""
        found = []
        for statement in core.walk(self.facts.function.body):
            if not isinstance(statement, core.Assign):
                continue
            op = statement.op.call if isinstance(statement.op, core.Caught) else statement.op
            if isinstance(op, core.Read) or (isinstance(op, core.Call) and isinstance(op.func, core.Path)):
                found.append((statement, op))
        return tuple(found)

    def value(self, atom: core.Atom, env: Environment) -> Value:
        """The abstract value of an atom."""
        return constant(atom) if isinstance(atom, core.Const) else env.get(atom.name, INERT)

    def allocate(
        self,
        statement: core.Statement,
        env: Environment | None = None,
        *,
        container: bool = False,
        called: bool = False,
    ) -> Site:
        """The site of what the statement allocates; what it allocated before becomes older.

        With `container` it is one whose content is known, and is not the container itself; with `called`
        it is what a call has made alone.
        """
        number = self.numbers[id(statement)]
        site = (container_site if container else called_site if called else fresh_site)(number)
        if env is not None:
            if site in self.allocated:
                age(env, site)
            self.allocated.add(site)
        return site

    def resolve(self, path: core.Path) -> Resolved:
        """What a path names now; the guards that this needs are noted."""
        known = self.resolved.get(path)
        if known is not None:
            self.facts.objects[path.names] = known.value
            return known
        found = self.resolved[path] = resolve(path, self.scope)
        for guard in found.guards:
            self.note(guard)
        self.facts.objects[path.names] = found.value
        return found

    def sets(self, path: core.Path) -> bool:
        """Whether the program itself sets an attribute that a path leads through."""
        return any(path.names[:count] in self.stored for count in range(2, len(path.names) + 1))

    def note(self, guard: Guard) -> None:
        """Remember a condition of the derivation; one by identity says more than one by kind."""
        key = id(guard.owner), f"{guard.name} in depth" if guard.deep else guard.name
        known = self.facts.guards.get(key)
        if known is None or known.kind is not None:
            self.facts.guards[key] = guard

    def note_lasting(self, guard: Guard) -> None:
        """The same of one by which the program is spelled in another way, where nothing else tells of it."""
        self.note(guard)
        self.facts.lasting.append(guard)

    def summary(self, function: Any, given: tuple[Value, ...]) -> Summary | None:
        """What a call does, asked only in order to decide how the program is derived: that rests on all that
        the answer rests on."""
        summary = self.oracle.summary(function, given)
        for guard in () if summary is None else summary.guards:
            self.note(guard)
        return summary

    def found_when_run(self, statement: core.Statement) -> None:
        """The operation goes through a run-time door, and takes part in what the store is for."""
        self.facts.calls[id(statement)] = Dynamic()
        self.facts.unseen.add(id(statement))

    def by_identity(self) -> bool:
        """Note that what the program does can be followed only by identity, and tell whether it is."""
        self.facts.needs = self.facts.needs._replace(identity=True)
        return self.facts.way.identity

    def everywhere(self) -> bool:
        """The same of active values that are stored where other functions find them."""
        self.facts.needs = self.facts.needs._replace(identity=True, everywhere=True)
        return self.facts.way.everywhere

    def is_own(self) -> bool:
        """Whether the program is one of zygpy's, which stores nothing outside of what it is given."""
        return str(self.scope.globals.get("__name__")).startswith("zygpy.")

    def note_taking_apart(self, value: Value) -> None:
        """Note that an object is unpacked or walked over, which may run code of its class."""
        if value.active and isinstance(value.kind, Object):
            self.by_identity()

    def refuse(self, statement: core.Statement, why: str, instead: str) -> None:
        """The statement cannot be differentiated; it is refused when it is transformed."""
        self.facts.refusals[id(statement)] = (why, instead)
