"""What an iteration, or unpacking, gives."""

from __future__ import annotations

from zygpy.analyse import transfer
from zygpy.analyse.classes import with_members
from zygpy.analyse.run import Run
from zygpy.analyse.sites import NOWHERE, all_of, extracted, sites_of
from zygpy.analyse.values import Environment, Value, make
from zygpy.ir import core
from zygpy.ir.access import target_names
from zygpy.ir.kinds import INT, Kind, List, Tuple, join_all


def iterable_value(run: Run, iterable: core.Atom | core.Iterate, env: Environment) -> Value:
    """The value of one element of what a `For` walks over."""
    if not isinstance(iterable, core.Iterate):
        return element_of(with_members(run.value(iterable, env), everywhere=run.facts.way.everywhere))
    name = iterable.func.names[-1]
    if name == "range":
        return make(INT)
    inner = [iterable_value(run, arg, env) for arg in iterable.args]
    if name == "zip":
        return tuple_value(tuple(inner))
    if name == "enumerate":
        return tuple_value((make(INT), inner[0]))
    return inner[0]


def element_of(value: Value) -> Value:
    """One element of an iterable value."""
    return make(transfer.element(value.kind), value.active, extracted(value.sites))


def tuple_value(items: tuple[Value, ...]) -> Value:
    """The value of a tuple of values."""
    sites = all_of(item.sites for item in items)
    kind = Tuple(tuple(item.kind for item in items))
    return make(kind, any(item.active for item in items), sites)


def bind_targets(
    run: Run, target: core.Target, iterable: core.Atom | core.Iterate, before: Environment, env: Environment
) -> None:
    """Bind a loop's target to what it walks over: of `enumerate(zip(xs, ys))` each part to its own."""
    name = iterable.func.names[-1] if isinstance(iterable, core.Iterate) else ""
    args = iterable.args if isinstance(iterable, core.Iterate) else ()
    parts = target if isinstance(target, tuple) and _are_different(target) else ()
    if name == "zip" and len(parts) == len(args) > 0:
        for part, walked in zip(parts, args, strict=True):
            bind_targets(run, part, walked, before, env)
    elif name == "enumerate" and len(parts) == 2 and len(args) == 1 and not _is_keyed(iterable):
        bind_target(parts[0], make(INT), env)
        bind_targets(run, parts[1], args[0], before, env)
    else:
        bind_target(target, iterable_value(run, iterable, before), env)


def _are_different(target: core.Target) -> bool:
    names = list(target_names(target))
    return len(names) == len(set(names))


def _is_keyed(iterable: core.Atom | core.Iterate) -> bool:
    return isinstance(iterable, core.Iterate) and bool(iterable.keywords)


def bind_target(target: core.Target, value: Value, env: Environment) -> None:
    """Bind a loop's target to a value."""
    if isinstance(target, str):
        env[target] = value
        return
    for item, part in zip(target, parts_of(value, len(target)), strict=True):
        bind_target(item, part, env)


def parts_of(value: Value, count: int) -> list[Value]:
    """The values that unpacking into `count` names gives."""
    if isinstance(value.kind, Tuple) and len(value.kind.items) == count:
        return [make(kind, value.active, extracted(value.sites)) for kind in value.kind.items]
    return [element_of(value)] * count


def starred_parts(run: Run, statement: core.Unpack, value: Value, star: int) -> list[Value]:
    count = len(statement.targets)
    site = run.allocate(statement)
    kinds: list[Kind]
    if isinstance(value.kind, Tuple) and len(value.kind.items) >= count - 1:
        items = list(value.kind.items)
        stop = len(items) - (count - 1 - star)
        middle = join_all(items[star:stop])
        kinds = [*items[:star], List(middle), *items[stop:]]
    else:
        kind = transfer.element(value.kind)
        kinds = [kind] * count
        kinds[star] = List(kind)
    return [
        make(kind, value.active, extracted(value.sites) | (sites_of(site) if at == star else NOWHERE))
        for at, kind in enumerate(kinds)
    ]
