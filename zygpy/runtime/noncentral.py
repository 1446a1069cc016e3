"""Densities of noncentral distributions, and of the one-sided deviation of an empirical distribution: plain
programs, which a second derivative enters.

Sources: N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate Distributions, chapters 29 to 31;
N. Smirnov, Table for estimating the goodness of fit of empirical distributions (1948).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.special_derivatives import in_precision_of


def chi_squared_density(x: Any, df: Any, nc: Any) -> Any:
    """The density of the noncentral chi-squared distribution."""
    logarithm = sc.xlogy(df / 2 - 1, x / 2) - (x + nc) / 2 - sc.gammaln(df / 2)
    return np.exp(logarithm) * sc.hyp0f1(df / 2, nc * x / 4) / 2


LARGEST = 600.0
"""How large the argument of the confluent function may be, so that it can be computed."""


def confluent(a: Any, b: Any, z: Any) -> Any:
    """Kummer's function of positive numbers, nan where SciPy would not come back."""
    known = (z >= 0) & (z < LARGEST) & (a > 0) & (a < LARGEST) & (b > 0) & (b < LARGEST)
    found = sc.hyp1f1(np.where(known, a, 1.0), np.where(known, b, 1.0), np.where(known, z, 1.0))
    return np.where(known, found, np.nan)[()]


def f_density(x: Any, dfn: Any, dfd: Any, nc: Any) -> Any:
    """The density of the noncentral F distribution."""
    total = dfd + dfn * x
    central = sc.xlogy(dfn / 2, dfn) + sc.xlogy(dfd / 2, dfd) + sc.xlogy(dfn / 2 - 1, x)
    central = central - sc.xlogy((dfn + dfd) / 2, total) - sc.betaln(dfn / 2, dfd / 2)
    return np.exp(central - nc / 2) * confluent((dfn + dfd) / 2, dfn / 2, nc * dfn * x / (2 * total))


def t_density(t: Any, df: Any, nc: Any) -> Any:
    """The density of the noncentral t distribution."""
    total = df + t * t
    z = (nc * t / np.sqrt(2 * total)) ** 2
    logarithm = sc.xlogy(df / 2, df / total) + sc.gammaln(df + 1) - sc.gammaln(df / 2)
    first = (
        math.sqrt(2)
        * nc
        * t
        / total
        * sc.rgamma((df + 1) / 2)
        * confluent(df / 2 + 1, in_precision_of(z, 1.5), z)
    )
    second = sc.rgamma(df / 2 + 1) / np.sqrt(total) * confluent((df + 1) / 2, in_precision_of(z, 0.5), z)
    return np.exp(logarithm - nc * nc / 2 - df * math.log(2)) * (first + second)


def t_shift(t: Any, df: Any, nc: Any) -> Any:
    """Minus the derivative of the noncentral t distribution by its noncentrality.

    That is the mean of the normal density at `t * sqrt(s / df) - nc` for s of the chi-squared distribution,
    whose power series in nc * t has two confluent functions; nan where these cancel each other.
    """
    total = df + t * t
    turn = math.sqrt(2) * nc * t / np.sqrt(total)
    z = (turn / 2) ** 2
    even = confluent(df / 2, in_precision_of(z, 0.5), z)
    ratio = np.exp(sc.gammaln((df + 1) / 2) - sc.gammaln(df / 2))
    odd = turn * ratio * confluent((df + 1) / 2, in_precision_of(z, 1.5), z)
    scale = np.exp(sc.xlogy(df / 2, df / total) - nc * nc / 2) / math.sqrt(2 * math.pi)
    return np.where(np.abs(even + odd) < CANCELLED * even, np.nan, scale * (even + odd))[()]


CANCELLED = 1e-8
"""What is left of two numbers that cancel each other for it to be of no use."""


def smirnov_slope(n: Any, d: Any) -> Any:
    """The derivative of the survival function of the largest deviation to one side in n samples.

    That is a sum over the samples, of which those take part that are not beyond `1 - d`.
    """
    total: Any = 0.0
    for j in range(largest(n) + 1):
        a = d + j / n
        b = np.maximum(1 - a, 0.0)
        inside = j <= n * (1 - d)
        if j == 0:
            slope = -n * b ** (n - 1.0)
        else:
            slope = a ** (j - 2.0) * (
                b ** (n - j) * (a + d * (j - 1)) - d * a * (n - j) * b ** np.maximum(n - j - 1.0, 0.0)
            )
        total = total + np.where(inside & (j <= n), sc.binom(n, j) * slope, 0.0)
    return np.where((d > 0) & (d < 1), total, 0.0)[()]


def largest(n: Any) -> int:
    """The largest of numbers of samples."""
    return int(np.max(n, initial=0))
