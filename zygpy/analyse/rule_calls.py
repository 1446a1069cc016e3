"""Calls of what has a rule."""

from __future__ import annotations

import operator
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from zygpy.analyse.array_writes import is_in_place
from zygpy.analyse.containers import may_have_a_point
from zygpy.analyse.effects import store_into
from zygpy.analyse.opaque import Arguments, dynamic_call, handed_out
from zygpy.analyse.primitives import by_rule
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, Value, inert, make
from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.classes import has_operators
from zygpy.ir.kinds import UNKNOWN, Kind, Object, Tuple, Unknown, is_numeric, is_scalar
from zygpy.rules import declare


def ruled_call(
    run: Run,
    statement: core.Assign,
    callee: Any,
    rule: declare.Rule,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    if is_in_place(callee) and not all(is_scalar(value.kind) for value in values):
        return in_place(run, statement, call, values, env)
    kinds = [value.kind for value in values]
    if callee is slice and any(value.active and isinstance(value.kind, Unknown) for value in values):
        return dynamic_call(run, statement, values, env)  # which refuses bounds that have a cotangent
    if any(value.active for value in values) and (joins_things(rule, kinds) or _meets_objects(callee, kinds)):
        if not all(isinstance(value.kind, Unknown) or is_numeric(value.kind) for value in values):
            run.by_identity()
        return dynamic_call(run, statement, values, env)
    return handed_out(values, by_rule(run, statement, rule, call, values, env))


def method_of_set(
    run: Run, statement: core.Assign, owner: core.Atom | core.Star, values: list[Value], env: Environment
) -> Value:
    """A method of a set, which may put what it is given into the set; whole numbers and texts there, which
    nobody takes out again, have no gradient."""
    if _is_only_asked(run, owner):
        given = [value if may_have_a_point(value.kind) else inert(value) for value in values[1:]]
        values = [*values[:1], *given]
    if any(value.active for value in values):
        run.by_identity()
    for value in values[1:]:
        store_into(run, statement, owner.value if isinstance(owner, core.Star) else owner, value, env)
    return dynamic_call(run, statement, values, env)


def _is_only_asked(run: Run, owner: core.Atom | core.Star) -> bool:
    """Whether a variable holds a set that is asked what is in it, and nothing is ever taken out of: no
    function knows it, and it has no other name."""
    function = run.facts.function
    if not isinstance(owner, core.Var) or owner.name in (*function.cells, *function.captured):
        return False
    name = owner.name
    for statement in core.walk(function.body):
        if name in assigned(statement) and not _makes_a_set(run, statement):
            return False
        if name in read(statement) and not _only_asks(run, statement, name):
            return False
        if name in getattr(getattr(statement, "op", None), "captured", ()):  # a function knows it
            return False
    return name not in function.params.names


def _makes_a_set(run: Run, statement: core.Statement) -> bool:
    """Whether a statement is `s = set()`."""
    match statement:
        case core.Assign(_, core.Call(core.Path() as path, (), ())):
            return run.resolve(path).value is set
    return False


def _only_asks(run: Run, statement: core.Statement, name: str) -> bool:
    match getattr(statement, "op", None):
        case core.CallMethod(core.Var(owner), method, args) if method in ("add", "discard", "remove"):
            return owner == name and core.Var(name) not in args
        case core.Compare("in" | "not in", left, core.Var(owner)):
            return owner == name and left != core.Var(name)
        case core.Truth(core.Var(owner)):
            return owner == name
        case core.Call(core.Path() as path, (core.Var(owner),)):
            return owner == name and run.resolve(path).value is len
    return False


def _meets_objects(callee: Any, kinds: list[Kind]) -> bool:
    """Whether a callee is an operator that is given an object, whose class may say what it means."""
    if type(callee) is not BuiltinFunctionType or callee not in MEANT_BY_CLASSES:
        return False
    return any(map(_is_meant_by_class, kinds))


def _is_meant_by_class(kind: Kind) -> bool:
    if isinstance(kind, Tuple):
        return kind.cls is not None and has_operators(kind.cls)
    return isinstance(kind, Object) and not issubclass(kind.cls, NUMBERS)


def joins_things(rule: declare.Rule, kinds: list[Kind]) -> bool:
    """Whether a function is an operator without a gradient for numbers (`operator.or_`), and is given what
    may be dicts, sets or objects."""
    return (
        rule.style == "none"
        and type(rule.function) is BuiltinFunctionType
        and rule.function in JOINING
        and not all(map(is_numeric, kinds))
    )


JOINING: frozenset[Any] = frozenset(
    {operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.invert}
)
"""Operators without a gradient for numbers, which classes may give another meaning."""

MEANT_BY_CLASSES: frozenset[Any] = frozenset(
    {
        *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
        *(operator.pow, operator.matmul, operator.neg, operator.pos, abs, pow, divmod),
    }
)
"""Operators, called by a name, which mean what the classes of their operands say."""

NUMBERS = (int, float, complex, np.ndarray, np.generic)
"""Classes of which subclasses are still numbers."""


def in_place(
    run: Run,
    statement: core.Assign,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> Value:
    """`operator.iadd` and its like, called by another name."""
    active = any(value.active for value in values)
    if active:
        run.by_identity()
    if call[0] and isinstance(call[0][0], core.Var):
        store_into(run, statement, call[0][0], make(UNKNOWN, active), env)
    return dynamic_call(run, statement, values, env)
