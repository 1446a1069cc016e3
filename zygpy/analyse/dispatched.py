"""Functions of `functools.singledispatch`, and methods of `singledispatchmethod`.

They are found by the class of what they are given: where that is known, so is the function, as long as no
other one is registered.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from zygpy.analyse.classes import classes_of, keeps_class
from zygpy.analyse.facts import Guard
from zygpy.analyse.fields import is_read_plainly
from zygpy.analyse.replacing import IMPLEMENTATION
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import Kind, Object, OneOf
from zygpy.runtime.lookup import in_class
from zygpy.runtime.partials import is_generic


class Registered:
    """What a function of `singledispatch` calls for objects of a class."""

    def __init__(self, function: Any, cls: type) -> None:
        self.function = function
        self.cls = cls

    @property
    def implementation(self) -> Any:
        """The function that is registered now."""
        return self.function.dispatch(self.cls)


@functools.lru_cache(maxsize=1024)
def _registered(function: Any, cls: type) -> Registered:
    """The same for the same function and class: conditions are told apart by what they are about."""
    return Registered(function, cls)


def implementation(run: Run, callee: Any, args: Sequence[core.Atom | core.Star], env: Environment) -> Any:
    """What a function of `singledispatch` calls for such arguments; None where that is not known, and of any
    other function."""
    if not is_generic(callee) or not args or isinstance(args[0], core.Star) or run.is_own():
        return None
    return _implementation(run, callee, run.value(args[0], env).kind)


def method_dispatched(run: Run, kind: Kind, op: core.CallMethod, env: Environment) -> Any:
    """What a method of `singledispatchmethod` of an object calls for such arguments; None where that is not
    known, and of any other method."""
    found = in_class(kind.cls, op.name) if isinstance(kind, Object) else None
    if type(found) is not functools.singledispatchmethod or not isinstance(kind, Object) or run.is_own():
        return None
    hidden = kind.fields is None or op.name in dict(kind.fields) or op.name in run.scope.replaced
    if hidden or not op.args or isinstance(op.args[0], core.Star) or not is_read_plainly(kind.cls):
        return None
    function = _implementation(run, found.dispatcher, run.value(op.args[0], env).kind)
    if type(function) is not FunctionType:
        return None
    run.note(Guard(kind.cls, op.name, found, raw=True))
    return function


def decides_dispatch(run: Run, statement: core.Statement, env: Environment) -> core.Var | None:
    """The variable by whose class it is found which function a statement calls; None of any other
    statement."""
    match statement:
        case core.Assign(op=core.Call(core.Path() as path, (core.Var() as thing, *_))):
            found = run.resolve(path).value if isinstance(_kind(thing, env), OneOf) else None
            return thing if is_generic(found) else None
        case core.Assign(op=core.CallMethod(core.Var() as owner, name, (core.Var() as thing, *_))):
            kind = _kind(owner, env)
            found = in_class(kind.cls, name) if isinstance(kind, Object) else None
            return thing if type(found) is functools.singledispatchmethod else None
    return None


def _kind(atom: core.Var, env: Environment) -> Kind | None:
    return env[atom.name].kind if atom.name in env else None


def _implementation(run: Run, callee: Any, kind: Kind) -> Any:
    """What is registered for the class of what is of a kind."""
    classes = classes_of(kind)
    if classes is None or len(classes) != 1 or in_class(classes[0], "__class__") is not CLASS:
        return None
    if IMPLEMENTATION in run.scope.replaced or not keeps_class(run, kind):
        return None
    registered = _registered(callee, classes[0])
    found = registered.implementation
    run.note(Guard(registered, IMPLEMENTATION, found))
    return found


CLASS = in_class(object, "__class__")
