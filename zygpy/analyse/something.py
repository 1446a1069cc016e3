"""What may be None is something where an operation goes through that None does not have.

t_1 = self.last                   t_1 = self.last                  (None, or a number)
y = v + t_1                       y = v + t_1                      (t_1 is a number, or this fails)

t_2 = self.left                   t_2 = self.left                  (None, or a node)
y = t_2.total()                   t_3 = check_something(t_2, "total")
                                  y = t_2.total()
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import BuiltinFunctionType
from typing import TypeAlias

from zygpy.analyse.facts import Facts, Guard
from zygpy.analyse.fields import field_of, may_set
from zygpy.analyse.paths import MISSING
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, remade
from zygpy.ir import core
from zygpy.ir.kinds import (
    Array,
    Dict,
    Kind,
    List,
    Object,
    Optional,
    Row,
    Text,
    Tuple,
    is_numeric,
    is_scalar,
    options_of,
)
from zygpy.ir.names import Names
from zygpy.runtime.options import check_something

CHECK_SOMETHING = core.Path(("check_something",), "helper")

ORDERED = ("<", "<=", ">", ">=")

Write: TypeAlias = core.SetAttr | core.AugmentAttr


def note_something(run: Run, statement: core.Statement, read: Iterable[str], env: Environment) -> None:
    """What is known in front of a statement of what may be None, if the statement, which reads these
    variables, fails on None of itself: that it is what else it may be (in place)."""
    if run.is_own() or not _hold_optional(env, read):
        if id(statement) in run.facts.checked and _hold_optional(env, env):
            del run.facts.checked[id(statement)]
        return
    for name in _failing_on_none(run, statement, env):
        narrow(env, name)
    checked = None if run.oracle.is_generated() else _to_be_checked(run, statement, env)
    run.facts.checked.pop(id(statement), None)
    if checked is not None:
        run.facts.checked[id(statement)] = checked
        if not is_asked_for_its_truth(run.facts, statement):
            narrow(env, checked)


def _hold_optional(env: Environment, names: Iterable[str]) -> bool:
    """Whether one of these variables may be None."""
    return any(name in env and isinstance(env[name].kind, Optional) for name in names)


def narrow(env: Environment, name: str) -> None:
    """A variable's value is not None."""
    value = env[name]
    if isinstance(value.kind, Optional):
        env[name] = remade(value, value.kind.kind, value.active, value.sites)


def is_asked_for_its_truth(facts: Facts, statement: core.Statement) -> bool:
    """Whether a statement asks for the truth of what is always true, or None."""
    asking = isinstance(statement, core.Assign) and isinstance(statement.op, core.Truth | core.Unary)
    return asking and id(statement) in facts.checked


def _to_be_checked(run: Run, statement: core.Statement, env: Environment) -> str | None:
    """The variable that may be None whose method is called, whose attribute is read, or that is asked for its
    truth: it is not None behind a check that fails as the statement would, or where it is
    true."""
    match statement:
        case core.Assign(
            op=core.CallMethod(core.Var(variable), name)
            | core.GetAttr(core.Var(variable), name)
            | core.Call(core.Path(("called_in_class",), "helper"), (core.Var(variable), core.Const(name)))
        ):
            kind = _optional(env, core.Var(variable))
            having = kind is not None and all(
                isinstance(one, HAVING_METHODS) for one in options_of(kind.kind)
            )
            return variable if having and not hasattr(None, name) else None
        case core.Assign(op=core.Truth(core.Var(variable)) | core.Unary("not", core.Var(variable))):
            kind = _optional(env, core.Var(variable))
            return variable if kind is not None and _is_always_true(run, kind.kind) else None
    return None


HAVING_METHODS = (Object, List, Dict, Array, Text)


def _is_always_true(run: Run, kind: Kind) -> bool:
    """Whether all objects of a kind are true, as their class does not say anything else."""
    if not isinstance(kind, Object) or kind.fields is None or not run.facts.way.replaced.isdisjoint(TRUTH):
        return False
    if any(hasattr(kind.cls, name) for name in TRUTH):
        return False
    for name in TRUTH:
        run.note_lasting(Guard(kind.cls, name, MISSING))
    return True


TRUTH = ("__bool__", "__len__")
"""Methods that say whether an object is true."""


def with_check(statement: core.Statement, variable: str, names: Names) -> core.Block:
    """The statement behind a check that fails as it would on None; the question for the truth of what is
    always true as one for None."""
    assert isinstance(statement, core.Assign)
    match statement.op:
        case core.CallMethod(_, name) | core.GetAttr(_, name) | core.Call(_, (_, core.Const(name))):
            called = core.Call(CHECK_SOMETHING, (core.Var(variable), core.Const(name)))
            return core.Assign(names.temporary(), called, statement.loc), replace(statement)
    symbol = "is not" if isinstance(statement.op, core.Truth) else "is"
    return (replace(statement, op=core.Compare(symbol, core.Var(variable), core.Const(None))),)


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
    return (
        [atom.name]
        if kind is not None and isinstance(atom, core.Var) and isinstance(kind.kind, kinds)
        else ()
    )


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
    return found if scalars == len(atoms) or (len(found) == 1 and scalars == len(atoms) - 1) else ()


def _takes_numbers(run: Run, path: core.Path) -> bool:
    """Whether a function takes numbers alone."""
    found = run.resolve(path)
    callee = found.value if found.depth == len(path.names) else None
    is_of_math = isinstance(callee, BuiltinFunctionType) and callee.__module__ == "math"
    return is_of_math or callee is abs or callee is float
