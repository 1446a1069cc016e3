"""What was found for calls with arguments of some kinds, to be found at once when such a call comes again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast
from weakref import ref

import numpy as np

from zygpy import dispatch
from zygpy.errors import ZygpyError
from zygpy.layout import Layout, Whole
from zygpy.load.guards import Checks, together
from zygpy.rules import custom, declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.tangents import DOUBLE
from zygpy.units import NEAR, OPTIONS, Pair, Unit, captured_values, unit_of


@dataclass(frozen=True, slots=True)
class Kept:
    """What was found for calls with arguments of some kinds, without these, and on what it rests."""

    push: Any
    checks: Checks
    function: FunctionType  # the tangent function itself
    failed: list[Exception]  # what calls of it were left to reverse mode for
    alone: bool  # whether the only parameter has a tangent
    first: int = 0  # where the argument's gradient is in the result, if that is a tuple of gradients
    plan: Any = None  # how several directions are taken, if it is known
    quick: FunctionType | None = (
        None  # the same of the only parameter, which is right if its result is finite
    )


def kept(push: Any, checks: Checks, first: int = 0, plan: Any = None) -> Kept:
    """What is kept of a call that was made ready."""
    tangent = push.tangent
    alone = tangent.places == (True,)
    quick = tangent.unguarded if alone else None
    return Kept(push, checks, tangent.function, tangent.failed, alone, first, plan, quick)


def kept_push(unit: Unit, key: Any) -> Any:
    """What was found before, if everything is as it was then; else None."""
    known: Any = unit.tangents.get(key)
    if known is None or not known.checks.hold():
        return None
    return None if known.failed else known.push


def kept_at_hand(what: str, function: Any, rank: int) -> Kept | None:
    """The same by a function that was differentiated before, of an array of doubles with so many axes, or of
    a float (`NUMBER`).

    Every call comes through here, so that nothing is asked once more that is known of the very function:
    rules that are declared are seen by what it all rests on.
    """
    found = NEAR[what].get(id(function))
    if found is not None:
        reference, code, options, own, known = found
        same = reference() is function and function.__code__ is code and rank == own
        plain = not (known.failed or function.__defaults__ or function.__kwdefaults__)
        if same and plain and OPTIONS.get() is options and known.checks.hold():
            return cast("Kept", known)
    return _near(what, function, rank)


def _near(what: str, function: Any, rank: int) -> Kept | None:
    """What the unit of a function keeps, if everything is as it was then; the function has it from now on."""
    unit, options = unit_of_plain(function), OPTIONS.get()
    key = (what, (float if rank == NUMBER else (DOUBLE, rank),), options)
    known: Kept | None = None if unit is None else unit.tangents.get(key)
    if known is None or known.failed or not known.checks.hold():
        return None
    found = NEAR[what]
    if len(found) >= NEAR_KEPT:
        found.clear()
    found[id(function)] = ref(function), function.__code__, options, rank, known
    return known


NUMBER = -1
"""In place of the number of axes."""

NEAR_KEPT = 256
"""Of so many functions at most."""


def keep_plan(function: Any, what: str, x: Any, several: Any, plan: Any) -> None:
    """Keep how the tangents by an array were taken along all unit vectors; that rests on what the tangents
    along one direction rest on too, which are kept for `what`."""
    unit, of, options = unit_of_plain(function), ((x.dtype, x.ndim),), OPTIONS.get()
    base: Kept | None = None if unit is None else unit.tangents.get((what, of, options))
    if unit is not None and base is not None and base.alone:
        checks = together(base.checks, several.tangent.checks)
        unit.tangents[f"{what}, columns", of, options] = kept(several, checks, base.first, plan)
        NEAR[f"{what}, columns"].pop(id(function), None)


def unit_of_plain(function: Any) -> Unit | None:
    """The unit of a function that carries no values; None of any other."""
    if type(function) is not FunctionType or function.__closure__ or function.__defaults__:
        return None
    if function.__kwdefaults__ or is_ruled(function):
        return None
    try:
        return unit_of(function)
    except (ZygpyError, SyntaxError):  # which is said where it is differentiated
        return None


def unit_with_captured(function: Any, args: tuple[Any, ...]) -> tuple[Unit | None, tuple[Any, ...]]:
    """The unit of a function that is called with what it captures and the arguments, and these values; None
    and the arguments of any other."""
    if type(function) is not FunctionType or not function.__closure__:
        return unit_of_plain(function), args
    if function.__defaults__ or function.__kwdefaults__ or has_own_rule(function):
        return None, args
    try:
        unit = unit_of(function)
        return unit, (*captured_values(unit, function), *args)
    except (ZygpyError, SyntaxError, NameError):  # which is said where it is differentiated
        return None, args


def has_own_rule(function: FunctionType) -> bool:
    """Whether a function is not differentiated by its own code."""
    return id(function) in custom.RULES or function in declare.REGISTRY or function in dispatch.SPECIAL


def is_plain_call(unit: Unit, pair: Pair, values: Sequence[Any], layout: Layout, count: int) -> bool:
    """Whether a call consists of the calls of the pair, with captured values in front of the arguments."""
    by_identity = pair.identity or pair.carries or pair.writes or pair.changes or pair.always
    if by_identity or pair.followed or set(unit.captured) & set(unit.source.rebound):
        return False
    if pair.outside and any(isinstance(value, np.ndarray) for value in values):
        return False  # it may be what the program changes by another name
    first = len(unit.captured)
    in_order = layout.arguments == tuple(Whole(first + place) for place in range(count))
    return in_order and len(pair.slots) == len(values) == first + count
