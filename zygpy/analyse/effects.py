"""Writes: who else may see them, and what becomes active through them."""

from __future__ import annotations

from zygpy.analyse.run import Run
from zygpy.analyse.values import (
    OUTSIDE,
    Environment,
    Site,
    Value,
    contained,
    everything,
    make,
    newest,
    reachable,
    with_holders,
)
from zygpy.ir import core
from zygpy.ir.kinds import NEVER, Array, Dict, List, NumberOrArray, Unknown, join, join_all

NO_CONTENT = Value(NEVER)
"""What is stored where something is only taken away."""


def store_into(
    run: Run,
    statement: core.Statement,
    target: core.Atom,
    stored: Value,
    env: Environment,
    key: core.Index | None = None,
) -> None:
    """`target[...] = stored`: the content of `target`, and of all that may be it, changes."""
    if not isinstance(target, core.Var) or target.name not in env:
        return
    value = env[target.name]
    if OUTSIDE in value.sites and stored.active:
        run.refuse(
            statement,
            "an active value is stored where other code can reach it",
            "return the value instead of storing it in a global or captured object",
        )
    changed = with_holders(value.sites)
    note_write(run, statement, target.name, env, changed)
    for name, other in list(env.items()):
        if name == target.name or not other.sites.isdisjoint(changed):
            env[name] = _with_content(other, stored)
    env[target.name] = _with_key(value, env[target.name], stored, key)


def _with_key(before: Value, after: Value, stored: Value, key: core.Index | None) -> Value:
    """A dict of known keys keeps them where the key that is written is a literal."""
    kind = before.kind
    if not isinstance(kind, Dict) or kind.items is None:
        return after
    if not (isinstance(key, core.Const) and type(key.value) is str):
        return after
    items = {**dict(kind.items), key.value: stored.kind}
    return make(Dict(tuple(items.items()), join_all(items.values())), after.active, after.sites)


def _with_content(holder: Value, stored: Value) -> Value:
    kind = holder.kind
    if isinstance(kind, Array | NumberOrArray):
        active = holder.active or (stored.active and not _casts(kind))
        return make(kind, active, holder.sites)
    if isinstance(kind, List):
        kind = List(join(kind.element, stored.kind))
    elif isinstance(kind, Dict):
        kind = Dict(None, join(kind.element, stored.kind))
    return make(kind, holder.active or stored.active, holder.sites | contained(stored.sites))


def _casts(kind: Array | NumberOrArray) -> bool:
    return isinstance(kind, Array) and kind.dtype in ("i", "b")


def note_write(
    run: Run,
    statement: core.Statement,
    name: str,
    env: Environment,
    changed: frozenset[Site] | None = None,
) -> None:
    """`statement` changes the content of variable `name`, or of these allocations alone: note who
    shares the storage."""
    facts, value = run.facts, env[name]
    if not value.sites:
        return
    changed = everything(value.sites) if changed is None else changed
    facts.writes[id(statement)] = facts.writes.get(id(statement), frozenset()) | {name}
    others = {
        other
        for other in (*run.live[id(statement)], *(entry for entry in env if entry.startswith("<cell")))
        if other != name and other in env and not env[other].sites.isdisjoint(changed)
    }
    shared = bool(others) or any(_leaves(run, name, site) for site in changed)
    if shared and _may_be_number(run, statement):
        mark_reachable(run, changed)  # if it is a write at all it is refused when it happens
    else:
        mark_written(run, changed)
    if shared:
        facts.shared |= reachable(changed)
        facts.conflicts.append(statement)


def _leaves(run: Run, name: str, site: Site) -> bool:
    """Whether the site is a parameter's that the caller knows under another name than this."""
    return site[0] == "param" and (site[1] != name or name in run.rebound)


def mark_written(run: Run, sites: frozenset[Site]) -> None:
    """The content of these allocations may change."""
    facts = run.facts
    mark_reachable(run, sites)
    for site in reachable(sites):
        if site[0] == "param":
            facts.written_parameters.add(str(site[1]))
        elif site == OUTSIDE:
            facts.outside = True


def unknown_effects(run: Run, values: list[Value]) -> None:
    """A call of which nothing is known may write whatever it can reach."""
    for value in values:
        mark_reachable(run, value.sites)
    run.facts.written.add(OUTSIDE)


def mark_reachable(run: Run, sites: frozenset[Site]) -> None:
    """The content of these allocations may change, so that what is stashed of them is copied.

    What is an older allocation now may have been stashed when it was the most recent one.
    """
    found = reachable(sites)
    run.facts.written |= found
    run.facts.written |= {newest(site) for site in found}


def activate(env: Environment, sites: frozenset[Site]) -> None:
    """An active value was stored in these allocations: all that may be one, or hold one, is active."""
    reached = with_holders(sites)
    for name, value in env.items():
        if not value.active and not value.sites.isdisjoint(reached):
            env[name] = make(value.kind, True, value.sites)


def refuse_what_cannot_be_shared(run: Run) -> None:
    """Shared storage is found by memory, so all that lies in it must be arrays whose kind is known;
    otherwise the writes that make it shared are refused."""
    facts = run.facts
    found = [*facts.values.values(), *facts.results.values()]
    if all(_can_be_shared(value) for value in found if value.active and facts.is_shared(value)):
        return
    if all(_may_be_number(run, statement) for statement in facts.conflicts):
        facts.guarded.update(id(statement) for statement in facts.conflicts)
        facts.shared.clear()
        return
    facts.shared.clear()  # none of the refused writes happens
    for statement in facts.conflicts:
        run.refuse(
            statement,
            "it writes to storage that another variable, still in use, may share",
            "write to a copy, or use only one name for what is written",
        )


def _may_be_number(run: Run, statement: core.Statement) -> bool:
    """Whether `x op= v` writes in place only if x turns out to be an array or list; then it is
    refused when it runs."""
    if not isinstance(statement, core.AugmentName):
        return False
    kind = run.facts.value(statement, core.Var(statement.target)).kind
    return isinstance(kind, Unknown | NumberOrArray)


def _can_be_shared(value: Value) -> bool:
    return isinstance(value.kind, Array) and value.kind.rank is not None
