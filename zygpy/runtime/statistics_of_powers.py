"""Powers that make samples normal, of `scipy.stats`, as programs; loaded with SciPy alone.

The best power is where a likelihood, or a correlation, has no slope. It is what SciPy's search has found, and
two steps of Newton's method from there, which change nothing but have its first and second derivatives (by a
step with the curvature held, an error of order `n` becomes one of order `n + 1`). Sources: G. E. P. Box,
D. R. Cox (1964); I.-K. Yeo, R. A. Johnson (2000); J. J. Filliben (1975).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.library_values import as_given, depending
from zygpy.runtime.statistics_of_shares import signed_boxcox
from zygpy.runtime.statistics_programs import check, check_number, check_plain, floats, not_known, told


def boxcox(x: Any, lmbda: Any = None, alpha: Any = None, optimizer: Any = None) -> Any:
    """`scipy.stats.boxcox`, also by the power that is most likely."""
    check("boxcox", "propagate", x, lmbda)
    check_plain("boxcox", alpha, optimizer)
    if lmbda is not None:
        check_number("boxcox", lmbda)
        return as_given(told("boxcox", x, lmbda), sc.boxcox(floats(depending(x, alpha)), lmbda))
    value, found = told("boxcox", x)
    a = floats(depending(x, alpha))
    power = stationary("boxcox", found, np.log(a), 1.0 + 0.0 * a, None)
    return as_given(value, sc.boxcox(a, power)), as_given(found, power)


def yeojohnson(x: Any, lmbda: Any = None) -> Any:
    """`scipy.stats.yeojohnson`, also by the power that is most likely."""
    check("yeojohnson", "propagate", x, lmbda)
    if lmbda is not None:
        check_number("yeojohnson", lmbda)
        return as_given(told("yeojohnson", x, lmbda), signed_boxcox(floats(x), lmbda))
    value, found = told("yeojohnson", x)
    power = of_both_signs("yeojohnson", found, floats(x))
    return as_given(value, signed_boxcox(floats(x), power)), as_given(found, power)


def yeojohnson_normmax(x: Any, brack: Any = None) -> Any:
    """`scipy.stats.yeojohnson_normmax`."""
    check("yeojohnson_normmax", "propagate", x)
    found = told("yeojohnson_normmax", x, brack)
    return as_given(found, of_both_signs("yeojohnson_normmax", found, floats(x)))


def of_both_signs(name: str, found: Any, a: Any) -> Any:
    """The power for numbers of both signs; those below 0 have 2 less it."""
    signs = np.where(np.asarray(a) >= 0, 1.0, -1.0)
    return stationary(name, found, np.log1p(np.abs(a)), signs, None)


def boxcox_normmax(
    x: Any, brack: Any = None, method: Any = "pearsonr", optimizer: Any = None, *, ymax: Any = None
) -> Any:
    """`scipy.stats.boxcox_normmax`, in which no greatest value is asked for."""
    check("boxcox_normmax", "propagate", x)
    check_plain("boxcox_normmax", optimizer, ymax)
    found = told("boxcox_normmax", x, brack, method)
    a = floats(depending(x, ymax))
    u, signs, scores = np.log(a), 1.0 + 0.0 * a, normal_scores(a)
    if method == "mle":
        return as_given(found, stationary("boxcox_normmax", found, u, signs, None))
    if method == "pearsonr":
        return as_given(found, stationary("boxcox_normmax", found, u, signs, scores))
    both = [
        stationary("boxcox_normmax", found[place], u, signs, each)
        for place, each in enumerate((scores, None))
    ]
    return as_given(found, np.stack(both))


def normal_scores(a: Any) -> Any:
    """The medians of normal numbers in order, given to the numbers by their order."""
    n = np.size(a)
    ends = 0.5 ** (1.0 / n)
    medians = (np.arange(1, n + 1) - 0.3175) / (n + 0.365)
    medians[0], medians[-1] = 1 - ends, ends
    return sc.ndtri(medians)[np.argsort(np.argsort(a, kind="stable"), kind="stable")]


def stationary(name: str, found: Any, u: Any, signs: Any, scores: Any) -> Any:
    """The power where the likelihood has no slope, or the correlation with scores; `u` are logarithms."""
    curvature = curvature_at(name, found, u, signs, scores)
    power = found
    for _ in range(2):
        power = power - slope_at(power, u, signs, scores) / curvature
    return power


def transformed(power: Any, u: Any, signs: Any) -> Any:
    """What numbers become by a power, and the derivative by it."""
    z = np.where(signs > 0, power, 2.0 - power) * u
    return signs * u * sc.exprel(z), u**2 / 2 * sc.hyp1f1(2.0, 3.0, z)


def together(a: Any, b: Any) -> Any:
    """The mean product of the distances from the means."""
    return np.mean((a - np.mean(a)) * (b - np.mean(b)))


def slope_at(power: Any, u: Any, signs: Any, scores: Any) -> Any:
    """The slope of the logarithm of what is greatest, for one number of the sample."""
    y, by = transformed(power, u, signs)
    spread = together(y, by) / together(y, y)
    if scores is None:
        return np.mean(signs * u) - spread
    return together(scores, by) / together(scores, y) - spread


def curvature_at(name: str, power: Any, u: Any, signs: Any, scores: Any) -> Any:
    """The derivative of the slope; MissingRuleError where the power that was found is at a limit."""
    y, by = transformed(power, u, signs)
    again = signs * u**3 / 3 * sc.hyp1f1(3.0, 4.0, np.where(signs > 0, power, 2.0 - power) * u)
    spread = together(y, by) / together(y, y)
    curvature = 2 * spread**2 - (together(by, by) + together(y, again)) / together(y, y)
    if scores is not None:
        along = together(scores, y)
        curvature = curvature + together(scores, again) / along - (together(scores, by) / along) ** 2
    if not abs(slope_at(power, u, signs, scores)) <= 1e-4 * abs(curvature) * (1 + abs(power)):
        raise not_known(name, "the power that is found is not where the slope is 0", "give the power")
    return curvature
