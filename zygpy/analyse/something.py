"""What may be None is something where an operation goes through that None does not have.

t_1 = self.last                   t_1 = self.last                  (None, or a number)
y = v + t_1                       y = v + t_1                      (t_1 is a number, or this fails)

t_2 = self.left                   t_2 = self.left                  (None, or a node)
y = t_2.total()                   t_3 = check_something(t_2, "total")
                                  y = t_2.total()
"""

from __future__ import annotations

from collections.abc import Iterable
from types import BuiltinFunctionType
from typing import TypeAlias

from zygpy.analyse.fields import field_of, may_set
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, remade
from zygpy.ir import core
from zygpy.ir.kinds import Array, Dict, Kind, List, Object, Optional, Row, Text, Tuple, is_numeric, is_scalar
from zygpy.runtime.options import check_something

CHECK_SOMETHING = core.Path(("check_something",), "helper")

ORDERED = ("<", "<=", ">", ">=")

Write: TypeAlias = core.SetAttr | core.AugmentAttr


def note_something(run: Run, statement: core.Statement, env: Environment) -> None:
    """What is known in front of a statement of what may be None, if the statement fails on None of itself:
    that it is what else it may be (in place)."""
    if run.is_own() or not any(isinstance(value.kind, Optional) for value in env.values()):
        return
    for name in _failing_on_none(run, statement, env):
        narrow(env, name)


def narrow(env: Environment, name: str) -> None:
    """A variable's value is not None."""
    value = env[name]
    if isinstance(value.kind, Optional):
        env[name] = remade(value, value.kind.kind, value.active, value.sites)


def to_be_checked(statement: core.Statement, env: Environment) -> tuple[str, Optional] | None:
    """The variable that may be None whose method is called, or whose attribute is read, and its kind: it is
    not None behind a check that fails as the statement would."""
    match statement:
        case core.Assign(op=core.CallMethod(core.Var(variable), name) | core.GetAttr(core.Var(variable), name)):
            kind = _optional(env, core.Var(variable))
            known = kind is not None and isinstance(kind.kind, HAVING_METHODS) and not hasattr(None, name)
            return (variable, kind) if kind is not None and known else None
    return None


HAVING_METHODS = (Object, List, Dict, Array, Text)


def check(statement: core.Statement, variable: str, target: str) -> core.Assign:
    """The check that fails as a statement would on None."""
    assert isinstance(statement, core.Assign)
    assert isinstance(statement.op, core.CallMethod | core.GetAttr)
    called = core.Call(CHECK_SOMETHING, (core.Var(variable), core.Const(statement.op.name)))
    return core.Assign(target, called, statement.loc)


def note_checked(run: Run, op: core.Call, env: Environment) -> None:
    """What is known behind such a check (in place)."""
    assert isinstance(op.func, core.Path)
    if run.resolve(op.func).value is check_something and isinstance(op.args[0], core.Var):
        narrow(env, op.args[0].name)


def _optional(env: Environment, atom: object) -> Optional | None:
    """The kind of what may be None."""
    value = env.get(atom.name) if isinstance(atom, core.Var) else None
    return value.kind if value is not None and value.certain and isinstance(value.kind, Optional) else None


def _failing_on_none(run: Run, statement: core.Statement, env: Environment) -> Iterable[str]:
    """The variables on whose being None a statement fails."""
    match statement:
        case core.Assign(op=core.Binary(_, left, right)):
            return _computed_with(run, (left, right), env)
        case core.Assign(op=core.Compare(symbol, left, right)) if symbol in ORDERED:
            return _computed_with(run, (left, right), env)
        case core.AugmentName(target, _, value):
            return _computed_with(run, (core.Var(target), value), env)
        case core.Assign(op=core.Unary("-" | "+" | "~", value)):
            return _computed_with(run, (value,), env)
        case core.Assign(op=core.Call(core.Path() as path, args)) if _takes_numbers(run, path):
            atoms = [arg for arg in args if not isinstance(arg, core.Star)]
            return [name for atom in atoms for name in _computed_with(run, (atom,), env)]
        case core.Assign(op=core.GetItem(value)) | core.SetItem(value) | core.AugmentItem(value):
            return _named(env, value, WITH_ITEMS)
    return _with_attribute(run, statement, env)


WITH_ITEMS = (List, Dict, Tuple, Row, Array, Text)


def _with_attribute(run: Run, statement: core.Statement, env: Environment) -> Iterable[str]:
    """The variable of whose object a statement reads, or sets, a field."""
    match statement:
        case core.Assign(op=core.GetAttr(value, name)):
            kind = _optional(env, value)
            found = kind is not None and field_of(run, kind.kind, name) is not None
        case core.SetAttr(value, name) | core.AugmentAttr(value, name):
            kind = _optional(env, value)
            found = kind is not None and may_set(run, kind.kind, name)
        case _:
            return ()
    return _named(env, value, (Object,)) if found and not hasattr(None, name) else ()


def _named(env: Environment, atom: core.Atom, kinds: tuple[type[Kind], ...]) -> Iterable[str]:
    """The name of a variable that may be None, and is of one of some kinds otherwise."""
    kind = _optional(env, atom)
    return [atom.name] if kind is not None and isinstance(atom, core.Var) and isinstance(kind.kind, kinds) else ()


def _computed_with(run: Run, atoms: tuple[core.Atom, ...], env: Environment) -> Iterable[str]:
    """The variables that may be None, else numbers, where something is computed with them and nothing but
    numbers: an array without items takes part with None in what it likes."""
    found, scalars = [], 0
    for atom in atoms:
        optional = _optional(env, atom)
        kind = run.value(atom, env).kind if optional is None else optional.kind
        if not is_numeric(kind) or (optional is None and not is_scalar(kind)):
            return ()
        scalars += is_scalar(kind)
        found += [atom.name] if optional is not None and isinstance(atom, core.Var) else []
    return found if scalars >= len(atoms) - 1 else ()


def _takes_numbers(run: Run, path: core.Path) -> bool:
    """Whether a function takes numbers alone."""
    found = run.resolve(path)
    callee = found.value if found.depth == len(path.names) else None
    is_of_math = isinstance(callee, BuiltinFunctionType) and callee.__module__ == "math"
    return is_of_math or callee is abs or callee is float
