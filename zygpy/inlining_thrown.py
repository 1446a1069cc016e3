"""Exceptions that a program raises and catches itself: what they bring comes to be in variables, and the
bodies of the functions that raise them stand in place (`transform/thrown.py`)."""

from __future__ import annotations

import types
from dataclasses import dataclass, replace
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Scope
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.inlining import Bodies, InPlace, bound_to_names
from zygpy.ir import core
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.lookup import in_class
from zygpy.transform.bodies import Body
from zygpy.transform.thrown import Brought, brought_by_init, with_thrown_in_variables
from zygpy.units import Unit, unit_of

PLAIN = frozenset({"__init__", "__str__", "__repr__", "__module__", "__doc__", "__qualname__", "__dict__"})
"""What a class of exceptions may have of its own beside what no operation asks for."""

BUILTIN = (BaseException, Exception, ValueError, RuntimeError, NotImplementedError, AssertionError, object)
MORE = (ArithmeticError, LookupError, KeyError, IndexError, TypeError, ZeroDivisionError, OverflowError)
"""Python's own classes of exceptions that keep what they are given as `args`, and nothing else."""


def thrown_in_variables(unit: Unit, scope: Scope, program: core.Function) -> InPlace:
    """The program with what such exceptions bring in variables; the very same if there are none."""
    if unit.generated or unit.followed or unit.plan is not None or unit.given is not None or unit.is_own:
        return InPlace(program)
    if program.generator or not any(isinstance(one, core.Attempt) for one in core.walk(program.body)):
        return InPlace(program)
    known = _Known(Bodies(unit, scope, program, [], []))
    made = with_thrown_in_variables(program, known)
    if made is program:
        return InPlace(program)
    return InPlace(made, tuple(known.bodies.guards), frozenset(known.bodies.found))


@dataclass(frozen=True)
class _Known:
    """What the names in a program lead to."""

    bodies: Bodies

    def named(self, path: core.Path) -> Any:
        """What a path leads to now; None if it leads nowhere."""
        return self.bodies.named(path)

    def body_of(self, call: core.Call) -> Body | None:
        """The body of a function that is found by a name, for a call."""
        path = call.func
        if not isinstance(path, core.Path) or len(path.names) != 1 or path.scope == "helper":
            return None
        body = self.bodies.of_receiver(call, self.named(path), path.names[0])
        return None if body is None or body.program.cells else replace(body, path=path)

    def brought(self, cls: Any, call: core.Call) -> Brought | None:
        """What the attributes of an exception are that a call makes; None where its class does more."""
        if any(isinstance(arg, core.Star) for arg in call.args) or call.carried or not _is_plain(cls):
            return None
        init = in_class(cls, "__init__", None)
        guards = [Guard(cls, "__init__", cls.__init__), Guard(cls, "__new__", cls.__new__)]
        if isinstance(init, types.FunctionType):
            found = self._of_init(cls, init, call)
            guards.append(Guard(init, "__code__", init.__code__))
            guards.append(Guard(init, "__defaults__", init.__defaults__))
        elif call.keywords:
            return None
        else:
            found = {"args": tuple(arg for arg in call.args if not isinstance(arg, core.Star))}
        if found is None or any(_is_computed(cls, name) for name in found):
            return None
        self.bodies.guards.extend(guards)
        return found

    def _of_init(self, cls: type, init: types.FunctionType, call: core.Call) -> Brought | None:
        if init.__kwdefaults__ or is_ruled(init):
            return None
        try:
            program = unit_of(init).program
        except (SourceNotFoundError, ZygpyError, SyntaxError):
            return None
        params = program.params
        names = params.names
        if params.vararg or params.kwarg or params.keyword_only or params.positional_only or not names:
            return None
        values = init.__defaults__ or ()
        defaults = dict(zip(names[len(names) - len(values) :], map(core.Const, values), strict=True))
        given = bound_to_names(names[1:], call, defaults)
        return None if given is None else brought_by_init(program, given)


def _is_plain(cls: type) -> bool:
    """Whether a class of exceptions keeps what it is given, and nothing in it runs when that is read."""
    if type(cls) is not type or is_ruled(cls) or declare.find(cls) is not None:
        return False
    inits = [one for one in cls.__mro__ if isinstance(vars(one).get("__init__"), types.FunctionType)]
    if len(inits) > 1:
        return False
    return all(one in (*BUILTIN, *MORE) or _has_nothing_else(one) for one in cls.__mro__)


def _has_nothing_else(cls: type) -> bool:
    special = {name for name in vars(cls) if name.startswith("__") and name.endswith("__")}
    return cls.__module__ != "builtins" and special <= PLAIN | ANNOTATING


ANNOTATING = frozenset(
    {"__annotations__", "__static_attributes__", "__firstlineno__", "__weakref__", "__slots__"}
    | {"__annotate__", "__annotate_func__", "__annotations_cache__", "__parameters__"}
)
"""What Python itself puts into a class."""


def _is_computed(cls: type, name: str) -> bool:
    """Whether a class has something by the name of an attribute that exceptions of it keep."""
    found = in_class(cls, name, None)
    return found is not (BaseException.__dict__["args"] if name == "args" else None)
