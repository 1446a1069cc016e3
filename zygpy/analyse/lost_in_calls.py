"""What a call would lose: refused, or followed in another way."""

from __future__ import annotations

import re
from typing import Any

from zygpy.analyse.effects import store_into
from zygpy.analyse.opaque import Arguments
from zygpy.analyse.run import Run
from zygpy.analyse.sites import OUTSIDE
from zygpy.analyse.values import Environment, Value, make
from zygpy.ir import core
from zygpy.ir.kinds import (
    FLOAT,
    UNKNOWN,
    Array,
    Kind,
    Known,
    Nothing,
    NumpyScalar,
    RealScalar,
    Text,
    is_scalar,
)
from zygpy.runtime.cells import made_class


def note_out(run: Run, statement: core.Assign, op: core.Call, values: list[Value], env: Environment) -> None:
    """What a function that is not known is given as `out`, it writes to."""
    named = [keyword.value for keyword in op.keywords if keyword.name == "out"]
    active = any(value.active for value in values)
    if named and active and not isinstance(run.value(named[0], env).kind, Nothing):
        run.by_identity()
        store_into(run, statement, named[0], make(UNKNOWN, True), env)


def refuse_lost_numbers(run: Run, statement: core.Assign, callee: Any, values: list[Value]) -> None:
    """Refuse slices of numbers, and classes made of them, which nothing is known to read again."""
    if callee is slice and any(value.active and _is_floating(value.kind) for value in values):
        run.refuse(statement, "a slice has no cotangent for its bounds", "use a tuple")
    if callee is made_class:
        _note_class(run, statement, values[2:])
    if callee is type and len(values) > 1 and any(value.active for value in values):
        run.refuse(statement, "a class made at every call has no derivative", "define it at the top level")


def refuse_lost_matches(
    run: Run,
    statement: core.Assign,
    callee: Any,
    call: tuple[Arguments, tuple[core.Keyword, ...]],
    values: list[Value],
    env: Environment,
) -> None:
    """Refuse `re.sub(pattern, function, string)`, where something active may reach the function."""
    if callee is not re.sub or not any(value.active for value in values):
        return
    args, keywords = call
    written = [arg for arg in args if not isinstance(arg, core.Star)]
    plain = len(args) == len(written) > 1 and not keywords
    if not (plain and isinstance(run.value(written[1], env).kind, Text)):
        why = "what the function that is given to 're.sub' does is not recorded"
        run.refuse(statement, why, "put the text together in a loop over 're.finditer'")


def _note_class(run: Run, statement: core.Assign, read: list[Value]) -> None:
    """A class that the program makes holds its variables, and what is stored in it later. (Of what is found
    by a name of the module it is seen at run time whether it has a gradient.)"""
    run.everywhere()
    if any(value.active and (isinstance(value.kind, Array) or is_scalar(value.kind)) for value in read):
        why = "what a class computes from active values while it is made is not followed"
        run.refuse(statement, why, "compute it before, and store it in the class when it is made")


def note_attribute_outside(run: Run, callee: Any, values: list[Value]) -> None:
    """`setattr` may store what is active in a class, a module or a global object."""
    if callee is not setattr or len(values) != 3 or not values[2].active:
        return
    if is_known_outside(values[0]):
        run.everywhere()


def _is_floating(kind: Kind) -> bool:
    return (
        isinstance(kind, Array | RealScalar)
        or kind == FLOAT
        or (isinstance(kind, NumpyScalar) and kind.dtype[0] == "f")
    )


SETTING = (setattr, object.__setattr__, type.__setattr__)


def is_known_outside(value: Value) -> bool:
    """Whether a value is a class or a module, or may be something else that others find."""
    return isinstance(value.kind, Known) or OUTSIDE in value.sites
