"""Calls of which it is known that they make a new object, which nobody else knows."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from types import BuiltinFunctionType
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import Dict, Known, List
from zygpy.runtime.lookup import in_class

CONTAINERS = (list, dict, set, deque, defaultdict, OrderedDict, Counter)
"""Classes whose objects nobody else knows when they are made."""

FACTORIES = (int, float, complex, bool, str, list, dict, set, tuple)
"""Classes whose objects are new ones, or cannot be changed."""


def makes_afresh(run: Run, op: core.Op, env: Environment) -> bool:
    """Whether a call is `object.__new__(cls)`, by that name or by `super()`, or makes an empty container."""
    op = op.call if isinstance(op, core.Caught) else op
    if isinstance(op, core.Call) and isinstance(op.func, core.Path):
        found = run.resolve(op.func).value
        bare = not op.args and not op.keywords and (makes_a_container(run, op, env) or _is_bare(run, found))
        return bare or found is object.__new__ or (found is defaultdict and _fills_itself(run, op, env))
    if not (isinstance(op, core.CallMethod) and op.name == "__new__" and len(op.args) == 1):
        return False
    cls = _known(run, op.args[0], env)
    if not isinstance(op.value, core.Var):
        return False
    around = _class_around(run, op.value.name, env)
    return isinstance(cls, type) and around is not None and _is_objects_own(cls, around)


def makes_a_container(run: Run, op: core.Op, env: Environment) -> bool:
    """Whether a call makes a new container of what it is given: what is in it may be anybody's."""
    op = op.call if isinstance(op, core.Caught) else op
    if isinstance(op, core.CallMethod) and op.name == "copy":
        return isinstance(run.value(op.value, env).kind, List | Dict)
    if not (isinstance(op, core.Call) and isinstance(op.func, core.Path)):
        return False
    found = run.resolve(op.func).value
    return any(found is cls for cls in CONTAINERS) or makes_bare_exception(found)


def makes_bare_exception(callee: Any) -> bool:
    """Whether it is the `__new__` of Python's own exceptions, which keep what it is given.

    >>> makes_bare_exception(ValueError.__new__), makes_bare_exception(object.__new__)
    (True, False)
    """
    cls = getattr(callee, "__self__", None) if type(callee) is BuiltinFunctionType else None
    known = isinstance(cls, type) and issubclass(cls, BaseException) and cls.__module__ == "builtins"
    return known and callee.__name__ == "__new__"


def _fills_itself(run: Run, op: core.Call, env: Environment) -> bool:
    """Whether a `defaultdict` is made that is empty, and gets new values of one of Python's own classes."""
    if op.keywords or len(op.args) != 1:
        return False
    return any(_known(run, op.args[0], env) is cls for cls in FACTORIES)


def _is_bare(run: Run, found: Any) -> bool:
    """Whether something is a class whose objects are made by `object` alone."""
    plain = type(found) is type and in_class(found, "__new__") is in_class(object, "__new__")
    if not plain or in_class(found, "__init__") is not in_class(object, "__init__"):
        return False
    if "__init__" in run.scope.replaced:
        return False
    run.note(Guard(found, "__init__", object.__init__))
    run.note(Guard(found, "__new__", object.__new__))
    return True


def _known(run: Run, atom: Any, env: Environment) -> Any:
    """The class that an atom is known to be."""
    kind = None if isinstance(atom, core.Star) else run.value(atom, env).kind
    return kind.value if isinstance(kind, Known) else None


def _class_around(run: Run, name: str, env: Environment) -> Any:
    """The class whose text a variable's `super()` stands in; None of anything else."""
    bindings = [
        statement.op
        for statement in core.walk(run.facts.function.body)
        if isinstance(statement, core.Assign) and statement.target == name
    ]
    match bindings:
        case [core.Call(core.Path() as path, (owner, _))] if run.resolve(path).value is super:
            return _known(run, owner, env)
    return None


def _is_objects_own(cls: type, around: type) -> bool:
    """Whether the `__new__` behind that of one class, for objects of another, is that of `object`."""
    if around not in cls.__mro__:
        return False
    behind = cls.__mro__[cls.__mro__.index(around) + 1 :]
    return next(vars(base)["__new__"] for base in behind if "__new__" in vars(base)) is object.__new__
