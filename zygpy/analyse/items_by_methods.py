"""Items of objects that methods of their class read and change, spelled out as calls of these.

    a[i, j] = v         ->      t = (i, j); u = a.__setitem__(t, v)
    x = a[i, j]         ->      t = (i, j); x = a[t]
    a[i] += v           ->      b = a[i]; b += v; u = a.__setitem__(i, b)

While kinds are being found, the statements are interpreted in place of the one that they stand for.
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

from zygpy.analyse import fields
from zygpy.analyse.facts import Facts
from zygpy.analyse.operators import is_of_python_alone
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.access import assigned, mentioned, read
from zygpy.ir.kinds import Object
from zygpy.ir.names import Names

METHODS: dict[type[core.Statement], tuple[str, ...]] = {
    core.SetItem: ("__setitem__",),
    core.DelItem: ("__delitem__",),
    core.AugmentItem: ("__getitem__", "__setitem__"),
    core.Assign: ("__getitem__",),
}
"""The methods that a statement calls which reads, or changes, an item of an object."""


def with_items_by_methods(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such statements spelled out; the very same if there are none."""
    if not facts.parts:
        return program
    return replace(program, body=core.rewritten(program.body, lambda one: facts.parts.get(id(one), (one,))))


def in_parts(run: Run, statement: core.Statement, env: Environment) -> core.Block:
    """The statements that stand for one, where it is known that it calls methods of an object's class; none
    otherwise."""
    run.facts.parts.pop(id(statement), None)
    item = _item(statement)
    if item is None or not _calls_methods(run, item[0], METHODS[type(statement)], env):
        return ()
    parts = run.parts.get(id(statement)) or _spelled(run, statement, *item)
    run.parts[id(statement)] = run.facts.parts[id(statement)] = parts
    return parts


def _item(statement: core.Statement) -> tuple[core.Var, core.Index] | None:
    """The variable, and the index, of which a statement reads or changes an item (what is read by a single
    index is asked for it as it stands); None of any other statement, and of slices."""
    match statement:
        case core.Assign(op=core.GetItem(core.Var() as owner, core.IndexTuple() as index)):
            pass
        case core.SetItem(core.Var() as owner, index) | core.DelItem(core.Var() as owner, index):
            pass
        case core.AugmentItem(core.Var() as owner, index):
            pass
        case _:
            return None
    items = index.items if isinstance(index, core.IndexTuple) else (index,)
    return None if any(isinstance(one, core.Slice) for one in items) else (owner, index)


def _calls_methods(run: Run, owner: core.Var, names: tuple[str, ...], env: Environment) -> bool:
    kind = run.value(owner, env).kind
    if not isinstance(kind, Object) or kind.fields is None or run.is_own() or run.oracle.is_generated():
        return False
    known = is_of_python_alone(kind.cls)
    return known and all(isinstance(fields.of_class(run, kind, name), FunctionType) for name in names)


def _spelled(run: Run, statement: core.Statement, owner: core.Var, index: core.Index) -> core.Block:
    run.names = run.names or Names(mentioned(run.facts.function))
    parts: list[core.Statement] = []
    loc = statement.loc
    if isinstance(index, core.IndexTuple):
        items = tuple(one for one in index.items if not isinstance(one, core.Slice))
        pair = run.names.temporary()
        parts.append(core.Assign(pair, core.Display("tuple", items), loc))
        index = core.Var(pair)
    assert not isinstance(index, core.Slice)
    parts += _on_item(run.names, statement, owner, index)
    _note_parts(run, statement, parts)
    return tuple(parts)


def _on_item(
    names: Names, statement: core.Statement, owner: core.Var, index: core.Atom
) -> list[core.Statement]:
    """What a statement does to an item whose index is in a variable."""
    loc = statement.loc
    match statement:
        case core.Assign():
            return [replace(statement, op=core.GetItem(owner, index))]
        case core.DelItem():
            return [core.Assign(names.temporary(), core.CallMethod(owner, "__delitem__", (index,)), loc)]
        case core.SetItem(_, _, value):
            stored = core.CallMethod(owner, "__setitem__", (index, value))
            return [core.Assign(names.temporary(), stored, loc)]
    assert isinstance(statement, core.AugmentItem)
    item = statement.before or names.temporary()
    before = [] if statement.before else [core.Assign(item, core.GetItem(owner, index), loc)]
    stored = core.CallMethod(owner, "__setitem__", (index, core.Var(item)))
    return [
        *before,
        core.AugmentName(item, statement.op, statement.value, loc),
        core.Assign(names.temporary(), stored, loc),
    ]


def _note_parts(run: Run, statement: core.Statement, parts: list[core.Statement]) -> None:
    """What is live behind each of the statements, and their numbers."""
    live = run.live[id(statement)]
    for part in reversed(parts):
        run.live[id(part)] = live
        run.numbers[id(part)] = len(run.numbers)
        live = (live - assigned(part)) | read(part)
