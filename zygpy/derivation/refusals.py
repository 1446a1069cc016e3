"""Errors for primitives that no rule speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zygpy.analyse.values import Value
from zygpy.errors import MissingRuleError, ZygpyError, missing_rule, no_rule_on_arrays_of
from zygpy.ir import core
from zygpy.ir.kinds import Kind, Known, Object
from zygpy.rules import declare
from zygpy.rules.unknown_arguments import no_rule_with
from zygpy.units import Unit


def no_rule(unit: Unit, values: Sequence[Value]) -> ZygpyError:
    """The error for a primitive on operands that no rule speaks of."""
    name = unit.source.name
    callee = unit.source.globals.get(name)
    if callee is not None and declare.find(callee) is None:
        return missing_rule(callee)
    unknown = _with_unknown_arguments(callee, unit)
    return unknown or no_rule_on(name, [value.kind for value in values])


def _with_unknown_arguments(callee: Any, unit: Unit) -> ZygpyError | None:
    """The error where a primitive is called with arguments that its rule has no names for."""
    first = unit.given.body[0] if unit.given is not None else None
    if not isinstance(first, core.Assign) or not isinstance(first.op, core.Call):
        return None
    keywords = [keyword.name for keyword in first.op.keywords if keyword.name is not None]
    return no_rule_with(callee, len(first.op.args), keywords)


def _of_another_array(kind: Kind) -> type | None:
    """The class that an array of another class than NumPy's own is of, or is made of; else None."""
    cls = kind.cls if isinstance(kind, Object) else kind.value if isinstance(kind, Known) else None
    return cls if isinstance(cls, type) and issubclass(cls, np.ndarray) and cls is not np.ndarray else None


def no_rule_on(name: str, kinds: Sequence[Kind]) -> ZygpyError:
    """The error for a primitive of this name on operands of these kinds."""
    other = next((cls for cls in map(_of_another_array, kinds) if cls is not None), None)
    if other is not None:
        return no_rule_on_arrays_of(name, other)
    classes = [kind.cls.__name__ for kind in kinds if isinstance(kind, Object)]
    operands = f"an object of class {classes[0]}" if classes else "these arguments"
    return MissingRuleError(
        f"There is no rule for {name!r} on {operands}.",
        why="the rules are about numbers, arrays of numbers, and the containers of Python.",
        instead="convert the data first, for example with `float` or `np.asarray`.",
    )
