"""What is told of a function that was looked at: to callers, and to those who make its calls."""

from __future__ import annotations

from dataclasses import replace

from zygpy.analyse.boxed import without_boxed
from zygpy.analyse.exceptions import FAILING_AT_ONCE, may_be_active
from zygpy.analyse.facts import Direct, Dynamic, Facts, Resolution, Summary
from zygpy.analyse.sites import (
    BY_NAME,
    CALLED,
    FRESH,
    MADE,
    OUTSIDE,
    PARAMETER,
    RETURNED,
    Sites,
    all_of,
    allocations,
    called_site,
    contained,
    made_so,
    names_of_parameters,
    parameter_site,
    reachable,
    sites_of,
    with_holders,
)
from zygpy.analyse.values import Value
from zygpy.analyse.walks import asks_when_run
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.kinds import Dict, Kind, Object, join
from zygpy.runtime.attempts import LEAVING_TRACES
from zygpy.transform.pair import Trees
from zygpy.units import Unit

PATIENCE = 6
"""So many times a function that calls itself is looked at before what was assumed of it counts as true."""

MAY = ("outside", "fills", "mingles", "forgets", "trusts", "looks", "brings")

SETS = ("escapes", "stores", "handed", "inside", "keeping", "operated", "mixed")
"""What a summary says that a function may do, of which it may do more than it does."""


def summary_of(facts: Facts, before: Summary | None = None) -> Summary:
    """What a caller must know. The function may do, too, whatever was assumed of it `before`: what is found
    may go up and down with what is assumed else, and never settle."""
    found = without_boxed(_found_summary(facts), facts.function.boxes)
    if before is None:
        return found
    flags = {name: getattr(found, name) or getattr(before, name) for name in MAY}
    sets = {name: getattr(found, name) | getattr(before, name) for name in SETS}
    return replace(found, raised=_raised_too(found, before), **flags, **sets)


def _raised_too(found: Summary, before: Summary) -> tuple[tuple[str, Kind, bool], ...]:
    """What changed parameters may hold where the function ends with an exception: what was found, or assumed
    `before`."""
    now = {name: (kind, name in found.writes) for name, kind in found.exits}
    now |= {name: (kind, active) for name, kind, active in found.raised}
    joined = {name: (kind, active) for name, kind, active in found.raised}
    for name, kind, active in before.raised:
        other, also = now.get(name, (kind, active))
        joined[name] = (join(kind, other), active or also)
    return tuple((name, *joined[name]) for name in sorted(joined))


def _found_summary(facts: Facts) -> Summary:
    raised = _raised(facts)
    writes = frozenset(name for name in facts.written_parameters if facts.exit_value(name).active)
    if facts.way.identity:
        writes |= {name for name, _, active in raised if active}
    result, shared = facts.result, frozenset[str]()
    if facts.way.identity:
        shared = frozenset(name for name in facts.function.params.names if _in_store(facts, name))
        if facts.is_shared(result) and not _is_given(result):
            others = _others(facts, result)
            own = isinstance(result.kind, Dict)  # what is in it is the store's in any case
            result = result._replace(sites=result.sites | (contained(others) if own else others))
    callees = [found.summary for found in facts.calls.values() if isinstance(found, Direct)]
    refuses = facts.refused or bool(facts.refusals) or any(summary.refuses for summary in callees)
    guards = tuple(facts.guards.values())
    exits = tuple((name, facts.exit_value(name).kind) for name in sorted(facts.written_parameters))
    keeps = bool(facts.shared) or any(summary.keeps for summary in callees)
    return Summary(
        result,
        writes,
        facts.outside,
        exits,
        carries(facts),
        refuses,
        facts.mingles,
        keeps,
        shared,
        facts.needs,
        guards,
        frozenset(names_of_parameters(facts.escaped)),
        frozenset(facts.stores),
        _states(facts),
        facts.forgets,
        facts.acts_always,
        frozenset(facts.handed),
        facts.trusts,
        frozenset(facts.written_inside),
        facts.keeps_variables,
        frozenset(facts.keeping),
        frozenset(facts.operated),
        frozenset(facts.replacing),
        bool(facts.guarded) or any(map(_is_looked_at, facts.calls.values())) or asks_when_run(facts.function),
        _holding(facts),
        raised,
        may_be_active(facts, facts.function.body),
        frozenset(facts.mixed),
        frozenset(facts.trusted),
        facts.fills,
    )


def _others(facts: Facts, result: Value) -> Sites:
    """What a result may be, or hold, beside what the function is given, where its cotangents are in the
    store."""
    if not _is_handed_over(facts, result):
        return sites_of(RETURNED, OUTSIDE)
    reached = reachable(result.sites)
    apart = reached == made_so(reached, MADE, FRESH, CALLED, PARAMETER)
    return sites_of(called_site(0) if apart else RETURNED)


def _is_handed_over(facts: Facts, result: Value) -> bool:
    """Whether others find what a function has made only if the caller gives it to them: neither it, nor
    anything in it, was stored in what they know, or given to code of which nothing is known."""
    return facts.given_away.isdisjoint(allocations(result.sites))


def _raised(facts: Facts) -> tuple[tuple[str, Kind, bool], ...]:
    """What changed parameters hold where the function ends with an exception, if that is something else than
    when it returns."""
    found = [(name, facts.raised_value(name)) for name in sorted(facts.written_parameters)]
    return tuple(
        (name, value.kind, value.active)
        for name, value in found
        if facts.raised is not None and (value.kind, value.active) != _left(facts, name)
    )


def _left(facts: Facts, name: str) -> tuple[Kind, bool]:
    value = facts.exit_value(name)
    return value.kind, value.active


def _holding(facts: Facts) -> tuple[tuple[str, Sites], ...]:
    """The parameters that may hold something that others find, and how that is found; also where the function
    is left by an exception then."""
    outside, function = contained(BY_NAME), facts.function
    values = [*facts.exits.get(id(function), {}).values(), *facts.results.values()]
    left = {value.sites for value in values if not outside.isdisjoint(value.sites)}
    if not left:
        return ()
    found = {name: with_holders(sites_of(parameter_site(name))) for name in function.params.names}
    held = {name: [sites & outside for sites in left if own & sites] for name, own in found.items()}
    return tuple([(name, all_of(sites)) for name, sites in held.items() if sites])


def _is_given(result: Value) -> bool:
    """Whether a result is surely one of the arguments, or in one: what is shared of these is known."""
    return made_so(result.sites, PARAMETER) == result.sites


def _is_looked_at(found: Resolution) -> bool:
    """Whether a call is found when it is made, or is one of a function that looks for something then."""
    return isinstance(found, Dynamic) or (isinstance(found, Direct) and found.summary.looks)


def _states(facts: Facts) -> tuple[tuple[str, Kind], ...]:
    """The kinds of the objects that the function was given, when it returns, by parameter."""
    rebound = {name for statement in core.walk(facts.function.body) for name in assigned(statement)}
    names = [name for name in facts.function.params.names if name not in rebound]
    kinds = [(name, facts.exit_value(name).kind) for name in names]
    return tuple([(name, kind) for name, kind in kinds if isinstance(kind, Object)])


def _in_store(facts: Facts, name: str) -> bool:
    """Whether the callee keeps the cotangents of what a parameter holds in the caller's store."""
    return not facts.shared.isdisjoint(sites_of(parameter_site(name)))


def same(a: Summary, b: Summary) -> bool:
    return replace(a, guards=()) == replace(b, guards=())


def carries(facts: Facts) -> bool:
    """Whether the adjoint has to do with variables that functions share: its own, or those of
    functions that it calls."""
    if facts.way.identity or facts.function.cells:
        return True
    calls = facts.calls.values()
    return bool(facts.unseen) or any(isinstance(found, Direct) and found.summary.carries for found in calls)


def makes_functions(program: core.Function) -> bool:
    """Whether a program makes functions of the user's, whose globals are the user's."""
    statements = [statement for statement in core.walk(program.body) if isinstance(statement, core.Assign)]
    return bool(program.generator) or any(isinstance(item.op, core.MakeFunction) for item in statements)


ELSEWHERE = "what other functions reach"
"""Stands among the parameters that a function changes for globals, and what is found through them."""


def changed(facts: Facts) -> tuple[str, ...]:
    """What callers would have to know that a function changes: arguments, and what others can reach."""
    names = [name for name in facts.function.params.names if name in facts.written_parameters]
    names = [name for name in names if facts.exit_value(name).active]
    return (*names, *((ELSEWHERE,) if facts.needs.everywhere else ()))


def what_is_reachable(facts: Facts) -> Sites:
    """What the user can still reach after the forward: arguments, what was stored in them, globals and the
    result."""
    names = facts.function.params.names
    stored = [reachable(facts.exit_value(name).sites) for name in names]
    return sites_of(*map(parameter_site, names)).union(BY_NAME, reachable(facts.result.sites), *stored)


AT_ONCE = frozenset(program.__code__ for program in FAILING_AT_ONCE)
"""The code of programs that have changed nothing when they fail."""


def leaves_traces(unit: Unit, facts: Facts, trees: Trees) -> bool:
    """Whether something may have changed when an exception leaves a forward function."""
    if unit.followed or unit.generated:
        return unit.code in LEAVING_TRACES
    if unit.code in AT_ONCE:  # what they call leaves its own
        return False
    return not changes_nothing(facts) if facts.way.identity else bool(trees.writes or facts.function.cells)


def changes_nothing(facts: Facts) -> bool:
    """Whether a program surely changes nothing that was there before, and runs no code that might."""
    changed = facts.written_parameters or facts.written_inside or facts.outside or facts.escaped
    kept = facts.keeps_variables or facts.function.cells or facts.generators
    return not (changed or kept or facts.forgets or facts.needs.everywhere)
