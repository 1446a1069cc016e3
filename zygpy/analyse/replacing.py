"""Which functions a program may replace while it runs, in globals, modules and classes.

A derivation relies on what the names of functions mean. What the program itself binds, or what it may call
does, is compared with that: where they meet, the names are looked up when they are read (`Way.replaced`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from types import FunctionType

from zygpy.analyse.candidates import MANY, functions_within
from zygpy.analyse.facts import Dynamic
from zygpy.analyse.run import Run
from zygpy.ir import core

ANY = "*"
"""Stands for the names of all attributes of classes."""

NAMED = {"setattr": 3, "delattr": 2}
"""Functions that bind an attribute which they are given by its name, with the number of their arguments."""


def bound_outside(program: core.Function) -> Iterator[str]:
    """The names of globals that a program binds, and those of attributes, whoever they belong to."""
    for statement in core.walk(program.body):
        op = getattr(statement, "op", None)
        op = op.call if isinstance(op, core.Caught) else op
        match statement:
            case core.WriteGlobal() | core.SetAttr() | core.AugmentAttr() | core.DelAttr():
                yield statement.name
        if isinstance(op, core.Call) and isinstance(op.func, core.Path):
            yield from _by_name(op)


def _by_name(call: core.Call) -> Iterator[str]:
    """The name of the attribute that a call of `setattr` or `delattr` binds."""
    assert isinstance(call.func, core.Path)
    if NAMED.get(call.func.names[-1]) == len(call.args):
        owner, name = call.args[:2]
        if isinstance(name, core.Const):
            yield str(name.value)
        elif owner != core.Var("self"):  # whose fields these are
            yield ANY


def note_replaced(run: Run) -> None:
    """What the derivation relies on, and the program replaces, is to be found when it is read."""
    facts = run.facts
    facts.replacing.update(bound_outside(facts.function))
    if any(isinstance(found, Dynamic) for found in facts.calls.values()) and not run.is_own():
        facts.replacing.update(_bound_by_others(run, functions_within(run)))
    by_name = [guard for guard in facts.guards.values() if guard.kind is None]
    of_classes = {guard.name for guard in by_name if isinstance(guard.owner, type)}
    relied_on = {guard.name for guard in by_name} & facts.replacing
    replaced = relied_on | of_classes if ANY in facts.replacing else relied_on
    facts.needs = facts.needs._replace(replaced=frozenset(replaced))


def _bound_by_others(run: Run, functions: Iterable[FunctionType]) -> Iterator[str]:
    """What functions bind that the program may call without naming them, and those that they call."""
    found = dict.fromkeys(islice(functions, MANY))
    waiting = list(found)
    while waiting and len(found) < MANY:
        function = waiting.pop()
        names, called = run.oracle.bound_by(function)
        yield from names
        fresh = [other for other in called if other not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
