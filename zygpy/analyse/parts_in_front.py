"""Parts of tuples, dicts and objects that are read again in every round of a loop are read in front of it.

    def f(p, n):                        def f(p, n):
        for i in range(n):                  p_weights = p.weights
            s += p.weights[i]               for i in range(n):
                                                s += p_weights[i]

What comes in for the part has one variable then, where it would be put into the cotangent of the whole in
every round. A tuple, and a dict or an object that nobody changes, stays as it is, and reading a part of one
that is known runs no code and cannot fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from zygpy.analyse.facts import Facts, Intrinsic
from zygpy.analyse.paths import Scope
from zygpy.analyse.replacing import names_of
from zygpy.analyse.sites import reachable
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import assigned, mentioned
from zygpy.ir.kinds import Array, Dict, List, Object, Row, Tuple
from zygpy.ir.names import Names, is_temporary
from zygpy.ir.renaming import renamed

Part: TypeAlias = "tuple[str, str, int | str]"
"""A parameter, how a part is read from it ("at" or "field"), and its position, key or name."""


def with_parts_in_front(program: core.Function, facts: Facts, scope: Scope) -> core.Function:
    """The program with such parts read at its beginning, under names that nothing has; the very same if there
    are none. (Where things are found by identity, what comes in for them has its place already.)"""
    if facts.way.identity or facts.shared:
        return program
    found = dict(_read_in_loops(program, facts))
    if not found or any(_captures(statement, found) for statement in core.walk(program.body)):
        return program
    names = Names(
        {*mentioned(program), *program.captured, *program.cells, *names_of(program), *scope.globals}
    )
    first: dict[Part, core.Assign] = {}
    instead: dict[str, str] = {}
    for target, (part, read) in found.items():
        if part not in first:
            first[part] = replace(read, target=names.fresh(_name(part)))
        instead[target] = first[part].target
    body = core.rewritten(program.body, lambda s: () if getattr(s, "target", None) in instead else (s,))
    return replace(program, body=(*first.values(), *renamed(body, instead)))


def _read_in_loops(program: core.Function, facts: Facts) -> Iterator[tuple[str, tuple[Part, core.Assign]]]:
    """The temporaries that hold a part of a parameter, which is read in a loop."""
    statements = list(core.walk(program.body))
    counts = Counter(name for statement in statements for name in assigned(statement))
    written = {name for names in facts.writes.values() for name in names}
    lasting = {name for name in program.params.names if not counts[name]} - written
    loops = [statement for statement in statements if isinstance(statement, core.For | core.Loop)]
    for read in {id(inner): inner for loop in loops for inner in core.walk(loop.body)}.values():
        if not isinstance(read, core.Assign) or counts[read.target] != 1 or read.target in written:
            continue
        part = _part(read, facts) if is_temporary(read.target) else None
        if part is not None and part[0] in lasting:
            yield read.target, (part, read)


def _part(read: core.Assign, facts: Facts) -> Part | None:
    """Which part of which variable a statement reads, if it is a container or an array."""
    op = read.op
    if not isinstance(op, core.GetItem | core.GetAttr) or not isinstance(op.value, core.Var):
        return None
    value, result = facts.value(read, op.value), facts.after(read, read.target)
    if not (value.active and isinstance(result.kind, WITH_PARTS)):
        return None
    call = facts.calls.get(id(read))
    if isinstance(op, core.GetAttr):
        lasting = call == Intrinsic("attribute") and _is_never_stored(op.name, facts)
        return (op.value.name, "field", op.name) if lasting or call == Intrinsic("field") else None
    if not _stays(value, facts):
        return None
    assert isinstance(value.kind, Tuple | Dict)
    if call != Intrinsic("item") or not isinstance(op.index, core.Const):
        return None
    key = op.index.value
    known = type(key) is int if isinstance(value.kind, Tuple) else key in dict(value.kind.items or ())
    return (op.value.name, "at", key) if known else None


def _stays(value: Value, facts: Facts) -> bool:
    """Whether a value is a tuple, or a dict that nobody changes."""
    if isinstance(value.kind, Dict):
        return reachable(value.sites).isdisjoint(facts.written)
    return isinstance(value.kind, Tuple)


def _is_never_stored(name: str, facts: Facts) -> bool:
    """Whether a field surely is what it was, of whatever object."""
    return not facts.forgets and all(stored != name for _, stored, _ in facts.stores)


def _name(part: Part) -> str:
    whole, _, which = part
    name = f"{whole}_{which}"
    return name if name.isidentifier() else whole


WITH_PARTS = (Array, List, Dict, Tuple, Row, Object)
"""Kinds of what parts are read from in turn."""


def _captures(statement: core.Statement, names: dict[str, tuple[Part, core.Assign]]) -> bool:
    """Whether a function that is made here captures one of the variables."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op, core.MakeFunction) and not names.keys().isdisjoint(op.captured)
