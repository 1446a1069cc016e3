"""Whether a statement leaves everything that others know as it is, as far as texts tell, where the classes of
the program do so too (`zygpy.runtime.stillness`)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import Any

import numpy as np

from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.rules import declare
from zygpy.runtime.lookup import is_among

PLAIN = (core.If, core.For, core.Loop, core.Break, core.Return, core.Unpack, core.Raise)
OPERATIONS = (
    *(core.Read, core.GetAttr, core.GetItem, core.Compare, core.Truth, core.Unary, core.Binary, core.Copy),
    *(core.Display, core.Yield),
)
CHECK = core.Path(("check_still",), "helper")
"""What looks at the objects that are there when a program runs (`zygpy.runtime.still_objects`)."""

IN_CLASS = core.Path(("called_in_class",), "helper")
"""What finds a method in the class of an object."""

ASKING = frozenset({"items", "values", "keys"})
"""Methods of dicts, which a class of the program may not have."""

CALLED: frozenset[Any] = frozenset(
    [
        *(
            isinstance,
            issubclass,
            type,
            len,
            range,
            enumerate,
            zip,
            reversed,
            list,
            tuple,
            abs,
            min,
            max,
            sum,
        ),
        *(int, float, bool, callable),
        *(value for module in (math, operator) for value in vars(module).values() if callable(value)),
    ]
) - {
    operator.setitem,
    operator.delitem,
    *(getattr(operator, name) for name in dir(operator) if name[:1] == "i"),
}
"""Builtins that change nothing of what they are given."""


@dataclass(frozen=True)
class Still:
    """The statements of a program, what its names mean, and which functions of the user's change nothing;
    what is found of those rests on the `guards`; so do methods by the names `methods`."""

    scope: Scope
    program: core.Function
    is_still: Callable[[FunctionType], bool]
    guards: list[Guard]
    methods: frozenset[str] = frozenset()

    def leaves(self, statement: core.Statement) -> bool:
        """Whether a statement leaves everything as it is but the variables of the program."""
        if isinstance(statement, core.AugmentName):
            return statement.target in self._numbers
        if not isinstance(statement, core.Assign):
            return isinstance(statement, PLAIN)
        op = statement.op
        if isinstance(op, core.CallMethod):
            return op.name in ASKING or (op.name in self.methods and self._is_found_in(op.value))
        return isinstance(op, OPERATIONS) or (isinstance(op, core.Call) and self._may_be_called(op))

    def _is_found_in(self, atom: core.Atom) -> bool:
        """Whether a variable holds what the program is given, or finds in that."""
        return isinstance(atom, core.Var) and atom.name in self._found

    @cached_property
    def _found(self) -> set[str]:
        """The variables that hold such things alone."""
        program = self.program
        bound = [(name, one) for one in core.walk(program.body) for name in assigned(one)]
        found = {*program.params.names, *(name for name, _ in bound)} - {*program.cells, *program.captured}
        while True:
            other = {name for name, one in bound if not _finds(one, found)}
            if found.isdisjoint(other):
                return found
            found -= other

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """The variables that are made numbers, and then added to: they hold what was made for them."""
        begun: dict[str, bool] = dict.fromkeys(self.program.params.names, False)
        for statement in core.walk(self.program.body):
            for name in () if isinstance(statement, core.AugmentName) else assigned(statement):
                op = statement.op if isinstance(statement, core.Assign) else None
                number = isinstance(op, core.Copy) and isinstance(op.value, core.Const)
                begun[name] = begun.get(name, True) and number
        return frozenset(name for name in begun if begun[name]) - {
            *self.program.cells,
            *self.program.captured,
        }

    def _may_be_called(self, op: core.Call) -> bool:
        if not isinstance(op.func, core.Path) or op.carried:
            return False
        if op.func.scope == "helper":
            return op.func in (CHECK, IN_CLASS)
        found = resolve(op.func, self.scope)
        if found.depth < len(op.func.names):
            return False
        called = found.value
        self.guards.extend(found.guards)
        if type(called) is FunctionType and declare.find(called) is None:
            return self.is_still(called)
        return _is_of_an_error(called) or is_among(called, CALLED) or _is_of_numpy(called, op)


def _finds(statement: core.Statement, found: set[str]) -> bool:
    """Whether a statement binds its variables to what is held by those that are `found`."""
    if isinstance(statement, core.For):
        return isinstance(statement.iterable, core.Var) and statement.iterable.name in found
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.GetAttr | core.GetItem | core.Copy):
        return False
    return isinstance(op.value, core.Var) and op.value.name in found


def _is_of_an_error(called: Any) -> bool:
    """Whether it is a builtin class of exceptions."""
    raised = isinstance(called, type) and issubclass(called, BaseException)
    return raised and called.__module__ == "builtins"


def _is_of_numpy(called: Any, op: core.Call) -> bool:
    """Whether a call is of an elementwise function of NumPy that is given no array to write to."""
    return isinstance(called, np.ufunc) and len(op.args) == called.nin and not op.keywords
