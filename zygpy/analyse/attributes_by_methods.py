"""Attributes of objects that properties set, and that are read by `getattr`, spelled out.

o.a = v                 ->      f = setter_in_class(o, "a"); u = f(o, v)
o.a += v                ->      b = o.a; b += v; f = setter_in_class(o, "a"); u = f(o, b)
x = getattr(o, "a")     ->      x = o.a
x = setattr(o, "a", v)  ->      o.a = v; x = None
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any, TypeAlias

from zygpy.analyse import fields
from zygpy.analyse.facts import Guard
from zygpy.analyse.items_by_methods import Spelling
from zygpy.analyse.known_texts import text_of
from zygpy.analyse.operators import is_of_python_alone
from zygpy.analyse.paths import MISSING
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import UNKNOWN, Object
from zygpy.ir.names import Names

SETTER = core.Path(("setter_in_class",), "helper")


def spelling(run: Run, statement: core.Statement, env: Environment) -> Spelling | None:
    """The statements that stand for one, where it is known what it does to an attribute; None otherwise."""
    match statement:
        case core.SetAttr(core.Var() as owner, name, value) if _has_setter(run, owner, name, env):
            return Spelling(lambda names: _set(names, statement, owner, name, value))
        case core.AugmentAttr(core.Var() as owner, name) if _has_setter(run, owner, name, env):
            return Spelling(lambda names: _changed(names, statement, owner, name))
        case core.Assign(
            op=core.Call(
                core.Path() | core.Var() as func,
                (core.Var() as owner, core.Var() | core.Const() as told, *more),
                (),
            )
        ):
            text = text_of(run, told, env)
            found = None if text is None else _called(run, func, env)
            return None if text is None else _by_builtin(run, statement, found, (owner, text, more), env)
    return None


def _called(run: Run, func: core.Path | core.Var, env: Environment) -> Any:
    """What is called, by a name or by a variable."""
    if isinstance(func, core.Path):
        return run.resolve(func).value
    return getattr(run.value(func, env).kind, "value", None)


Named: TypeAlias = "tuple[core.Var, str, list[core.Atom | core.Star]]"
"""An object, the name of an attribute, and what else a builtin is given."""


def _by_builtin(
    run: Run, statement: core.Assign, callee: Any, named: Named, env: Environment
) -> Spelling | None:
    """The statements that stand for a call of `getattr` or `setattr` with a constant name."""
    owner, name, more = named
    if callee is setattr and len(more) == 1 and not isinstance(more[0], core.Star):
        value = more[0]
        written: list[core.Statement] = [
            core.SetAttr(owner, name, value, statement.loc),
            replace(statement, op=core.Copy(core.Const(None))),
        ]
        return Spelling(lambda _: written, (setattr, name)) if _is_plain(run, owner, env) else None
    op = _read(run, owner, name, more, env) if callee is getattr else None
    return None if op is None else Spelling(lambda _: [replace(statement, op=op)], op)


def _is_method(run: Run, kind: Object, name: str) -> bool:
    """Whether an attribute of an object is a method that its class has."""
    return isinstance(fields.of_class(run, kind, name), FunctionType)


def _is_plain(run: Run, owner: core.Var, env: Environment) -> bool:
    """Whether what an object does is written in Python, and its fields are known."""
    kind = run.value(owner, env).kind
    return isinstance(kind, Object) and kind.fields is not None and is_of_python_alone(kind.cls)


def _has_setter(run: Run, owner: core.Var, name: str, env: Environment) -> bool:
    found = fields.of_class(run, run.value(owner, env).kind, name)
    return isinstance(found, property) and isinstance(found.fset, FunctionType)


def _set(
    names: Names, statement: core.Statement, owner: core.Var, name: str, value: core.Atom
) -> list[core.Statement]:
    function, loc = names.temporary(), statement.loc
    return [
        core.Assign(function, core.Call(SETTER, (owner, core.Const(name))), loc),
        core.Assign(names.temporary(), core.Call(core.Var(function), (owner, value)), loc),
    ]


def _changed(names: Names, statement: core.AugmentAttr, owner: core.Var, name: str) -> list[core.Statement]:
    item, loc = statement.before or names.temporary(), statement.loc
    before = [] if statement.before else [core.Assign(item, core.GetAttr(owner, name), loc)]
    changed = core.AugmentName(item, statement.op, statement.value, loc)
    return [*before, changed, *_set(names, statement, owner, name, core.Var(item))]


def _read(
    run: Run, owner: core.Var, name: str, default: list[core.Atom | core.Star], env: Environment
) -> core.Op | None:
    """What `getattr` of a constant name does; None where that is not known."""
    kind = run.value(owner, env).kind
    if not isinstance(kind, Object) or kind.fields is None or not is_of_python_alone(kind.cls):
        return None
    if not default or dict(kind.fields).get(name, UNKNOWN) != UNKNOWN or _is_method(run, kind, name):
        return core.GetAttr(owner, name)
    missing = (
        name not in dict(kind.fields),
        *[getattr(kind.cls, one, MISSING) is MISSING for one in (name, "__getattr__")],
    )
    if not all(missing) or not fields.is_read_plainly(kind.cls) or isinstance(default[0], core.Star):
        return None
    for one in (name, "__getattr__"):
        run.note(Guard(kind.cls, one, MISSING))
    return core.Copy(default[0])
