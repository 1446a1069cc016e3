"""Which programs stand for methods of ufuncs, and for calls of them with keywords that no rule knows."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from zygpy.ir.kinds import Kind
from zygpy.rules.declare import find
from zygpy.runtime import numpy_programs, ufunc_programs

Choice: TypeAlias = "Callable[[Sequence[Kind], frozenset[str]], Any]"

OF_CALLS = frozenset({"dtype", "casting", "order", "subok"})
OF_AXES = frozenset({"axes", "axis", "keepdims"})

GENERAL: Mapping[str, tuple[Any, frozenset[str], int]] = {
    "outer": (ufunc_programs.outer, OF_CALLS, 2),
    "reduce": (ufunc_programs.reduce, frozenset({"axis", "dtype", "keepdims", "initial", "where"}), 3),
    "accumulate": (ufunc_programs.accumulate, frozenset({"axis", "dtype"}), 3),
    "reduceat": (ufunc_programs.reduceat, frozenset({"indices", "axis", "dtype"}), 4),
}
"""What makes the program for a method, the keywords that it takes, and how many positional arguments."""

WITH_MASKS = {
    np.add.reduce: ufunc_programs.summed,
    np.multiply.reduce: ufunc_programs.multiplied,
    np.maximum.reduce: ufunc_programs.largest,
    np.minimum.reduce: ufunc_programs.smallest,
}
"""Programs for reductions with `initial=` and `where=` that have rules of their own."""


def choice(callee: Any) -> Choice | None:
    """How the program is chosen for a ufunc or a method of one, if it has a derivative."""
    if isinstance(callee, np.ufunc):
        return functools.partial(_for_call, callee) if is_differentiable(callee) else None
    ufunc = getattr(callee, "__self__", None)
    if not isinstance(ufunc, np.ufunc) or callee.__name__ not in GENERAL or not is_differentiable(ufunc):
        return None
    return functools.partial(_for_method, ufunc, callee)


def is_differentiable(ufunc: np.ufunc) -> bool:
    """Whether a ufunc has one result, and derivatives."""
    rule = find(ufunc)
    return ufunc.nout == 1 and rule is not None and bool(rule.bars)


def _for_call(ufunc: np.ufunc, kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    if not names or (names == {"axis"} and ufunc is np.vecdot):
        return None
    if ufunc.signature is not None:
        return _made(ufunc_programs.along_axes, ufunc) if names <= OF_CALLS | OF_AXES else None
    return _made(ufunc_programs.as_numbers_of, ufunc) if names <= {"where", *OF_CALLS} else None


def _for_method(ufunc: np.ufunc, method: Any, kinds: Sequence[Kind], names: frozenset[str]) -> Any:
    special = numpy_programs.OF_UFUNCS.get(method)
    if special is not None and _takes(special, len(kinds), names):
        return special
    masked = WITH_MASKS.get(method)
    if masked is not None and _takes(masked, len(kinds), names):
        return masked
    make, named, count = GENERAL[method.__name__]
    return _made(make, ufunc) if names <= named and 0 < len(kinds) <= count else None


def _takes(program: Any, given: int, names: frozenset[str]) -> bool:
    """Whether a program has parameters for a call with so many arguments and these keywords."""
    count = program.__code__.co_argcount
    named = program.__code__.co_varnames[: count + program.__code__.co_kwonlyargcount]
    return names <= frozenset(named) and 0 < given <= count


@functools.cache
def _made(make: Any, ufunc: np.ufunc) -> Any:
    """The program of a ufunc, always the same."""
    return ufunc_programs.program(make, ufunc)
