"""Which variables have a tangent beside them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zygpy.analyse.effects import is_container
from zygpy.analyse.facts import ByRule, Facts
from zygpy.analyse.sites import NOWHERE, OUTSIDE, Sites, all_of, parameter_site, reachable, sites_of
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.kinds import Closure, Kind, Known, LocalFunction, Nothing, Text, is_mutable
from zygpy.ir.names import is_temporary
from zygpy.rules.declare import is_measurement


def paired(facts: Facts) -> frozenset[str]:
    """The variables that are active anywhere, and all that may hold something that an active one holds: what
    can be changed has one tangent, which changes with it, by whatever name.

    Where things are found by identity, all parameters that can be changed have tangents, as a function may
    store in one another whatever it is given.
    """
    held, spent = _held(facts), _spent(facts)
    for name in _spent(facts, measured=True):
        held.pop(name, None)  # what is never reached has no values
    if facts.way.identity:
        for name in facts.arguments:
            if any(changeable(value) for value in held[name]):
                held[name] = [value._replace(active=True) for value in held[name]]
    reached = {
        name: NOWHERE.union(*map(changeable, () if name in spent else values))
        for name, values in held.items()
    }
    found = {name for name, values in held.items() if any(_has_tangent(value) for value in values)}
    more = found
    while more:
        sites = all_of(reached[name] for name in found)
        more = {name for name in held if name not in found and not sites.isdisjoint(reached[name])}
        found |= more
    return frozenset(found | _functions_over(facts, found) if facts.way.identity else found)


def _spent(facts: Facts, *, measured: bool = False) -> set[str]:
    """The temporaries that nothing reads but calls that neither keep nor change what they are given, such as
    tuples of arguments; or only calls of helpers without a differentiable path, if they are `measured`."""
    every, spending, computed = Counter[str](), Counter[str](), set[str]()
    for statement in core.walk(facts.function.body):
        found = read(statement)
        every.update(found)
        if isinstance(statement, core.Assign) and _spends(statement, facts, measured):
            spending.update(found)
        if not (isinstance(statement, core.Assign) and isinstance(statement.op, core.Display | core.Copy)):
            computed |= assigned(statement)
    kept = computed if measured else frozenset()  # what makes them may have to be done to tangents, too
    return {name for name, count in spending.items() if count == every[name] and is_temporary(name)} - kept


def _spends(statement: core.Assign, facts: Facts, measured: bool) -> bool:
    """Whether a statement is such a call."""
    op, found = statement.op, facts.calls.get(id(statement))
    if not measured and isinstance(found, ByRule):
        return not (found.rule.shares or found.rule.writes)
    if not (isinstance(op, core.Call) and isinstance(op.func, core.Path)):
        return False
    return is_measurement(facts.objects.get(op.func.names))


def _functions_over(facts: Facts, found: set[str]) -> set[str]:
    """The functions that are defined in the program and capture such variables: what they are called with may
    be stored in these."""
    made = [
        statement
        for statement in core.walk(facts.function.body)
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.MakeFunction)
    ]
    return {one.target for one in made if not found.isdisjoint(getattr(one.op, "captured", ()))}


def _held(facts: Facts) -> dict[str, list[Value]]:
    """What the variables hold at one point or another."""
    held: dict[str, list[Value]] = {}
    for table in (facts.values, facts.results):
        for (_, name), value in table.items():
            held.setdefault(name, []).append(value)
    for name, value in facts.arguments.items():
        own = value._replace(sites=value.sites | sites_of(parameter_site(name)))
        held.setdefault(name, []).append(own)
    return held


def _has_tangent(value: Value) -> bool:
    return value.active and not (isinstance(value.kind, Text | Nothing | Known) or _has_nothing(value.kind))


def _has_nothing(kind: Kind) -> bool:
    """Whether a function that is defined in the program captures nothing, and has no default values."""
    return isinstance(kind, LocalFunction) and not kind.captured


def has_tangent(t: Any, result: Value) -> bool:
    """Whether a tangent function returns a tangent, and not None in its place: where things are found by
    identity that of all that can be changed, as that may be an argument, or lie in one."""
    return result.active or (t.ctx.facts.way.identity and is_mutable(result.kind) and not t.count)


def changeable(value: Value) -> Sites:
    """The allocations that a value can reach, as far as they can be changed and are the program's own."""
    if not is_mutable(value.kind) or not _may_hold_changes(value.kind):
        return NOWHERE
    return reachable(value.sites) - sites_of(OUTSIDE)


def _may_hold_changes(kind: Kind) -> bool:
    """Whether something of a kind may come to hold more with a tangent than when it was made: a function may
    where it has captured a list, a dict or an object."""
    if isinstance(kind, LocalFunction):
        return any(is_container(item) and _may_hold_changes(item) for _, item in kind.captured)
    return not isinstance(kind, Closure)


def may_carry_things(facts: Facts, function: str, names: frozenset[str]) -> bool:
    """Whether a function that a variable holds may carry lists, dicts or objects among these variables; not
    one that is defined in the program, and captures none."""
    made = [one for one in core.walk(facts.function.body) if isinstance(one, core.Assign)]
    made = [one for one in made if one.target == function]
    ops = [one.op for one in made if isinstance(one.op, core.MakeFunction)]
    if not ops or len(ops) < len(made):  # what it carries is only changed where that is followed by identity
        return facts.way.identity
    held = _held(facts)
    captured = [value for op in ops for name in op.captured if name in names for value in held.get(name, ())]
    shared = any(name in facts.function.cells for op in ops for name in op.captured)
    return shared or any(is_container(value.kind) for value in captured)
