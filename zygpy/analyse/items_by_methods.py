"""Items of objects that methods of their class read and change, spelled out as calls of these.

a[i, j] = v         ->      t = (i, j); u = a.__setitem__(t, v)
x = a[i, j]         ->      t = (i, j); x = a[t]
a[i] += v           ->      b = a[i]; b += v; u = a.__setitem__(i, b)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any, NamedTuple

from zygpy.analyse import fields
from zygpy.analyse.operators import is_of_python_alone
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import Object
from zygpy.ir.names import Names


class Spelling(NamedTuple):
    """How the statements are made that stand for one, with variables of their own; `form` tells them from
    others that might stand for it."""

    make: Callable[[Names], list[core.Statement]]
    form: Any = None


METHODS: dict[type[core.Statement], tuple[str, ...]] = {
    core.SetItem: ("__setitem__",),
    core.DelItem: ("__delitem__",),
    core.AugmentItem: ("__getitem__", "__setitem__"),
    core.Assign: ("__getitem__",),
}
"""The methods that a statement calls which reads, or changes, an item of an object."""


def spelling(run: Run, statement: core.Statement, env: Environment) -> Spelling | None:
    """The statements that stand for one, where it is known that it calls methods of an object's class; None
    otherwise."""
    item = _item(statement)
    if item is None or not _calls_methods(run, item[0], METHODS[type(statement)], env):
        return None
    return Spelling(lambda names: _spelled(names, statement, *item))


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
    if not isinstance(kind, Object) or kind.fields is None:
        return False
    known = is_of_python_alone(kind.cls)
    return known and all(isinstance(fields.of_class(run, kind, name), FunctionType) for name in names)


def _spelled(
    names: Names, statement: core.Statement, owner: core.Var, index: core.Index
) -> list[core.Statement]:
    parts: list[core.Statement] = []
    if isinstance(index, core.IndexTuple):
        items = tuple(one for one in index.items if not isinstance(one, core.Slice))
        pair = names.temporary()
        parts.append(core.Assign(pair, core.Display("tuple", items), statement.loc))
        index = core.Var(pair)
    assert not isinstance(index, core.Slice)
    return parts + _on_item(names, statement, owner, index)


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
