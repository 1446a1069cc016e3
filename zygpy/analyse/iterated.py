"""What an iteration, or unpacking, gives."""

from __future__ import annotations

from zygpy.analyse import transfer
from zygpy.analyse.classes import with_members
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, Value, extracted, make
from zygpy.ir import core
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
    sites = frozenset[tuple[str, str | int, bool]]().union(*(item.sites for item in items))
    kind = Tuple(tuple(item.kind for item in items))
    return make(kind, any(item.active for item in items), sites)


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
        make(kind, value.active, extracted(value.sites) | ({site} if at == star else frozenset()))
        for at, kind in enumerate(kinds)
    ]
