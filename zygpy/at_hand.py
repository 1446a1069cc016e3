"""Second derivatives and Jacobians by one array or number, where everything is known from a call before.

Where arrays are short, what takes long in such calls is to find out what is to be called. So all that depends
on the function and the kind of the argument alone is found once, and what is left are the conditions that the
function is still the same, and the call. None is returned where there is anything to find.
"""

from __future__ import annotations

import sys
from math import isfinite
from typing import Any

import numpy as np

from zygpy.kept import NUMBER, Kept, kept_at_hand
from zygpy.kept import keep_plan as keep_plan
from zygpy.load.code import annotate
from zygpy.load.guards import check_not_replaced
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.tangents import DOUBLE
from zygpy.runtime.unknown_derivatives import UnknownCotangent
from zygpy.runtime.zeros import Begun, CannotPush, let_go


@is_deeper
def product(function: Any, x: Any, v: Any) -> Any:
    """The product of the Hessian of a function with a direction."""
    shape = x.shape
    if x.dtype is not DOUBLE or v.dtype is not DOUBLE or v.shape != shape:
        return None
    kept = kept_at_hand("gradient", function, len(shape))
    if kept is None:
        return None
    if kept.quick is not None and len(shape) == 1:
        try:
            dot = kept.quick(x, v)[1][kept.first]
            own = isfinite(dot.dot(dot)) and dot.base is None and dot is not v
        except Exception:
            own = False  # it comes again
        if own:
            if kept.checks.functions:
                check_not_replaced(function.__name__, kept.checks)
            return _looked_at(dot) if BEGUN else dot
    if kept.alone and x.flags.c_contiguous and v.flags.c_contiguous:
        dot = _with_guards(kept, x, v.copy())
        return _looked_at(dot) if BEGUN else dot
    return None


@is_deeper
def product_of_number(function: Any, x: float, v: float) -> float | None:
    """The second derivative of a function by a float, times another."""
    kept = kept_at_hand("gradient", function, NUMBER)
    if kept is None or not kept.alone:
        return None
    with Begun():
        dot = _with_guards(kept, x, v)
    if BEGUN:
        check_end(sys._getframe())
    return None if dot is None else float(dot)


def _looked_at(found: Any) -> Any:
    """The same, where the functions under caches that were entered gave what the caches would give."""
    check_end(sys._getframe(1))
    return found


def _with_guards(kept: Kept, x: Any, v: Any) -> Any:
    """The product by the tangent function itself; None where that cannot be done."""
    try:
        dots = kept.function(x, v)[1]
    except CannotPush as error:  # so the next call does not begin in vain
        kept.failed.append(error)
        return None
    except Exception as error:
        let_go(error)
        annotate(error)
        raise
    check_not_replaced(kept.function.__name__, kept.checks)
    dot = None if dots is None else dots[kept.first]
    if dot is None:
        return 0.0 if type(x) is float else np.zeros(x.shape)
    return None if type(dot) is UnknownCotangent else dot


@is_deeper
def columns(function: Any, what: str, x: Any) -> Any:
    """The tangents along every unit vector, along the first axis: those of the gradient, or of the result."""
    kept = kept_at_hand(what, function, x.ndim) if x.dtype is DOUBLE else None
    if kept is None:
        return None
    plan = kept.plan
    if plan.size != len(x):
        return None
    try:
        y, dots = kept.function(x, plan.directions, plan.width)
    except Exception:
        return None  # what the program raises comes again where it is run for one direction
    if BEGUN:
        check_end(sys._getframe())
    check_not_replaced(kept.function.__name__, kept.checks)
    if what == "gradient, columns":
        return None if dots is None else plan.columns(dots[kept.first], x)
    return plan.columns(dots, y)
