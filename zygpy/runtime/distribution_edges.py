"""Distributions of `scipy.stats` whose methods leave the formula at one value of a parameter, where what is
computed instead does not depend on it; loaded with SciPy alone.

Their sources are entered. A gradient by such a parameter would be 0 there, which is not that of the function:
it is refused.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import scipy.stats as st

from zygpy.runtime.distribution_calls import ENTERED, entered
from zygpy.runtime.library_values import as_given

FLAT = 0.000016
"""Below this skewness SciPy takes the normal distribution for Pearson's of type III."""


def beside(found: Any, parameter: Any) -> Any:
    """What was found by a formula without the parameter."""
    return found


def apart(found: Any, parameter: Any, width: float = 0.0) -> Any:
    """What was found, marked where the parameter is 0 but for a width."""
    return beside(found, parameter) if np.any(np.abs(parameter) <= width) else found


def source(distribution: Any, name: str) -> Any:
    """SciPy's source of a distribution's own method."""
    method = getattr(type(distribution), name)
    if method not in ENTERED:
        ENTERED[method] = entered(method)
    return functools.partial(ENTERED[method], distribution)


def pearson3_logpdf(self: Any, x: Any, skew: Any) -> Any:
    """The density of `pearson3`."""
    return apart(source(self, "_logpdf")(x, skew), skew, FLAT)


def pearson3_cdf(self: Any, x: Any, skew: Any) -> Any:
    """The distribution function of `pearson3`."""
    return apart(source(self, "_cdf")(x, skew), skew, FLAT)


def pearson3_sf(self: Any, x: Any, skew: Any) -> Any:
    """What the distribution function of `pearson3` leaves."""
    return apart(source(self, "_sf")(x, skew), skew, FLAT)


def pearson3_ppf(self: Any, q: Any, skew: Any) -> Any:
    """Quantiles of `pearson3`."""
    return apart(source(self, "_ppf")(q, skew), skew, FLAT)


def genextreme_stats(self: Any, c: Any) -> Any:
    """Moments of `genextreme`."""
    mean, variance, skewness, excess = source(self, "_stats")(c)
    return apart(mean, c), apart(variance, c), apart(skewness, c), apart(excess, c)


def genpareto_moment(self: Any, n: Any, c: Any) -> Any:
    """Moments of `genpareto` around 0."""
    return apart(source(self, "_munp")(n, c), c)


def kappa4_logpdf(self: Any, x: Any, h: Any, k: Any) -> Any:
    """The density of `kappa4`."""
    return apart(apart(source(self, "_logpdf")(x, h, k), h), k)


def kappa4_logcdf(self: Any, x: Any, h: Any, k: Any) -> Any:
    """The distribution function of `kappa4`."""
    return apart(apart(source(self, "_logcdf")(x, h, k), h), k)


def kappa4_ppf(self: Any, q: Any, h: Any, k: Any) -> Any:
    """Quantiles of `kappa4`."""
    return apart(apart(source(self, "_ppf")(q, h, k), h), k)


def ncx2_logpdf(self: Any, x: Any, df: Any, nc: Any) -> Any:
    """The density of `ncx2`, for which SciPy takes that of `chi2` where it is central."""
    return apart(source(self, "_logpdf")(x, df, nc), nc)


def ncx2_cdf(self: Any, x: Any, df: Any, nc: Any) -> Any:
    """The distribution function of `ncx2`."""
    return apart(source(self, "_cdf")(x, df, nc), nc)


def ncx2_ppf(self: Any, q: Any, df: Any, nc: Any) -> Any:
    """Quantiles of `ncx2`."""
    return apart(source(self, "_ppf")(q, df, nc), nc)


def trapezoid_moment(self: Any, n: Any, c: Any, d: Any) -> Any:
    """Moments of `trapezoid` around 0, sums of powers, of which SciPy takes limits without a slope.

    Source: J. R. van Dorp and S. Kotz, Generalized trapezoidal distributions (2003).
    """
    powers = 1.0
    for _ in range(int(n) + 1):
        powers = powers * d + 1.0
    moment = 2.0 / (1.0 + d - c) * (powers - c ** (n + 1)) / ((n + 1) * (n + 2))
    return as_given(moment_told(self, n, c, d), moment)


def moment_told(self: Any, n: Any, *shapes: Any) -> Any:
    """The moment around 0 that SciPy gives."""
    return self._munp(n, *shapes)


EDGES = (
    (st.pearson3, "_logpdf", pearson3_logpdf),
    (st.pearson3, "_cdf", pearson3_cdf),
    (st.pearson3, "_sf", pearson3_sf),
    (st.pearson3, "_ppf", pearson3_ppf),
    (st.genextreme, "_stats", genextreme_stats),
    (st.genpareto, "_munp", genpareto_moment),
    (st.trapezoid, "_munp", trapezoid_moment),
    (st.kappa4, "_logpdf", kappa4_logpdf),
    (st.kappa4, "_logcdf", kappa4_logcdf),
    (st.kappa4, "_ppf", kappa4_ppf),
    (st.ncx2, "_logpdf", ncx2_logpdf),
    (st.ncx2, "_cdf", ncx2_cdf),
    (st.ncx2, "_ppf", ncx2_ppf),
)
"""Which programs stand for which methods, whose names are SciPy's own and may change."""
