"""Fits of distributions by SciPy's source that may end at the edge of the samples; loaded with SciPy alone.

Where the likelihood grows without bound as the location comes near to the least sample, SciPy puts it there
but for a rounding error, and what else it finds depends on the logarithm of that error: it jumps, and what
comes back through the differences of such numbers is lost in rounding.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.distribution_calls import ENTERED, entered


def fit_inside(self: Any, data: Any, *args: Any, **kwds: Any) -> Any:
    """`fit` of a distribution whose location may be put at the least sample."""
    found = fit_of(self)(data, *args, **kwds)
    if "floc" not in kwds and "fix_loc" not in kwds:
        check_inside(data, found[-2])
    return found


def fit_of(distribution: Any) -> Any:
    """SciPy's source of the method."""
    method = type(distribution).fit
    if method not in ENTERED:
        ENTERED[method] = entered(method)
    return functools.partial(ENTERED[method], distribution)


def check_inside(data: Any, location: Any) -> None:
    """Refuse a location at the least sample, but for rounding."""
    least = np.min(data)
    if np.abs(least - location) <= EDGE * max(abs(least), np.ptp(data)):
        raise MissingRuleError(
            "there is no rule for a fit whose location is put at the least sample.",
            why="the likelihood has no maximum: what is found depends on how near to the sample SciPy stops",
            instead="give the location by floc=",
        )


EDGE = 1e-9
"""How far from the least sample a location is, by the size of the samples, that does not lie there."""
