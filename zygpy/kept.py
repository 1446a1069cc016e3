"""What was found for calls with arguments of some kinds, to be found at once when such a call comes again."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

from zygpy.errors import ZygpyError
from zygpy.load.guards import Checks, together
from zygpy.rules.custom import RULES, is_ruled
from zygpy.units import OPTIONS, UNITS, Unit, unit_of


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


def kept(push: Any, checks: Checks, first: int = 0, plan: Any = None) -> Kept:
    """What is kept of a call that was made ready."""
    tangent = push.tangent
    return Kept(push, checks, tangent.function, tangent.failed, tangent.places == (True,), first, plan)


def kept_push(unit: Unit, key: Any) -> Any:
    """What was found before, if everything is as it was then; else None."""
    known: Any = unit.tangents.get(key)
    if known is None or not known.checks.hold():
        return None
    return None if known.failed else known.push


def kept_at_hand(function: Any, what: str, of: Any) -> Kept | None:
    """The same, for a function that has been differentiated before; `of` tells what it was called with.

    Every call comes through here, so that nothing is asked that its unit knows already.
    """
    if type(function) is not FunctionType or function.__closure__ or function.__defaults__:
        return None
    code = function.__code__
    unit = UNITS.get((id(code), id(function.__globals__)))
    if unit is None or unit.code is not code or function.__kwdefaults__ or (RULES and is_ruled(function)):
        return None
    known: Kept | None = unit.tangents.get((what, of, OPTIONS.get()))
    if known is None or known.failed or not known.checks.hold():
        return None
    return known


def keep_plan(function: Any, what: str, x: Any, several: Any, plan: Any) -> None:
    """Keep how the tangents by an array were taken along all unit vectors; that rests on what the tangents
    along one direction rest on too, which are kept for `what`."""
    unit = unit_of_plain(function)
    base: Kept | None = (
        None if unit is None else unit.tangents.get((what, ((x.dtype, x.ndim),), OPTIONS.get()))
    )
    if unit is not None and base is not None and base.alone:
        checks = together(base.checks, several.tangent.checks)
        unit.tangents[f"{what}, columns", None, OPTIONS.get()] = kept(several, checks, base.first, plan)


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
