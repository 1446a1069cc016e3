"""What was found for calls with arguments of some kinds, to be found at once when such a call comes again."""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import Any

from zygpy.errors import ZygpyError
from zygpy.load.guards import Checks
from zygpy.rules.custom import is_ruled
from zygpy.units import Unit, unit_of


@dataclass(frozen=True)
class Kept:
    """What was found for calls with arguments of some kinds, without these, and on what it rests."""

    push: Any
    checks: Checks


def kept_push(unit: Unit, key: Any) -> Any:
    """What was found before, if everything is as it was then; else None."""
    known: Any = unit.tangents.get(key)
    if known is None or not known.checks.hold():
        return None
    push: Any = known.push
    return None if push.tangent.failed else push


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
