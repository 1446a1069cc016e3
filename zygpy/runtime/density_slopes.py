"""Slopes of the logarithms of densities in standard form: plain programs.

Rules mention them as `slopes.NAME`; a second derivative enters their source. The argument is inside of the
support. Source of the densities: N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate
Distributions; C. Forbes et al., Statistical Distributions; the documentation of `scipy.stats` for its
parameters.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.densities import raised_to
from zygpy.runtime.derivatives import divided
from zygpy.runtime.special_derivatives import log_ratio_derivative, logarithm


def hazard(u: Any) -> Any:
    """The slope of the logarithm of the normal distribution function."""
    return math.sqrt(2 / math.pi) / sc.erfcx(-u / math.sqrt(2))


def norm(z: Any) -> Any:
    return -z


def halfnorm(z: Any) -> Any:
    return -z


def expon(z: Any) -> Any:
    return -1.0


def uniform(z: Any) -> Any:
    return 0.0


def laplace(z: Any) -> Any:
    return -np.sign(z)


def logistic(z: Any) -> Any:
    return -np.tanh(z / 2)


def halflogistic(z: Any) -> Any:
    return -np.tanh(z / 2)


def cauchy(z: Any) -> Any:
    return -2 * z / (1 + z * z)


def halfcauchy(z: Any) -> Any:
    return -2 * z / (1 + z * z)


def gumbel_r(z: Any) -> Any:
    return np.expm1(-z)


def gumbel_l(z: Any) -> Any:
    return -np.expm1(z)


def rayleigh(z: Any) -> Any:
    return divided(1.0, z) - z


def maxwell(z: Any) -> Any:
    return divided(2.0, z) - z


def wald(z: Any) -> Any:
    return -1.5 / z - 0.5 + 0.5 / (z * z)


def levy(z: Any) -> Any:
    return -1.5 / z + 0.5 / (z * z)


def levy_l(z: Any) -> Any:
    return -1.5 / z - 0.5 / (z * z)


def gibrat(z: Any) -> Any:
    return -(1 + logarithm(z)) / z


def moyal(z: Any) -> Any:
    return np.expm1(-z) / 2


def hypsecant(z: Any) -> Any:
    return -np.tanh(z)


def cosine(z: Any) -> Any:
    return -np.tan(z / 2)


def arcsine(z: Any) -> Any:
    return divided(0.5, 1 - z) - divided(0.5, z)


def semicircular(z: Any) -> Any:
    return -divided(z, (1 - z) * (1 + z))


def anglit(z: Any) -> Any:
    return -2 * np.tan(2 * z)


def gamma(z: Any, a: Any) -> Any:
    return divided(a - 1, z) - 1


def beta(z: Any, a: Any, b: Any) -> Any:
    return divided(a - 1, z) - divided(b - 1, 1 - z)


def betaprime(z: Any, a: Any, b: Any) -> Any:
    return divided(a - 1, z) - (a + b) / (1 + z)


def t(z: Any, df: Any) -> Any:
    return -(1 + 1 / df) * z / (1 + z * z / df)


def chi(z: Any, df: Any) -> Any:
    return divided(df - 1, z) - z


def chi2(z: Any, df: Any) -> Any:
    return divided(df / 2 - 1, z) - 0.5


def f(z: Any, dfn: Any, dfd: Any) -> Any:
    return divided(dfn / 2 - 1, z) - (dfn + dfd) / 2 * dfn / (dfd + dfn * z)


def lognorm(z: Any, s: Any) -> Any:
    return -(1 + logarithm(z) / (s * s)) / z


def weibull_min(z: Any, c: Any) -> Any:
    return divided(c - 1 - c * raised_to(z, c), z)


def weibull_max(z: Any, c: Any) -> Any:
    return divided(c - 1 - c * raised_to(-z, c), z)


def dweibull(z: Any, c: Any) -> Any:
    return divided(c - 1 - c * raised_to(np.abs(z), c), z)


def invweibull(z: Any, c: Any) -> Any:
    return (c * raised_to(z, -c) - c - 1) / z


def exponweib(z: Any, a: Any, c: Any) -> Any:
    power = raised_to(z, c)
    return divided(c - 1 + c * power * ((a - 1) / np.expm1(power) - 1), z)


def pareto(z: Any, b: Any) -> Any:
    return -(b + 1) / z


def lomax(z: Any, c: Any) -> Any:
    return -(c + 1) / (1 + z)


def genpareto(z: Any, c: Any) -> Any:
    return -(1 + c) / (1 + c * z)


def genextreme(z: Any, c: Any) -> Any:
    rest = np.exp(z * log_ratio_derivative(1 - c * z, 0))
    return (rest + c - 1) / (1 - c * z)


def powerlaw(z: Any, a: Any) -> Any:
    return divided(a - 1, z)


def gompertz(z: Any, c: Any) -> Any:
    return 1 - c * np.exp(z)


def fisk(z: Any, c: Any) -> Any:
    return divided(-1 - c * np.tanh(c * logarithm(z) / 2), z)


def burr(z: Any, c: Any, d: Any) -> Any:
    return divided((d + 1) * c * sc.expit(-c * logarithm(z)) - c - 1, z)


def burr12(z: Any, c: Any, d: Any) -> Any:
    return divided(c - 1 - (d + 1) * c * sc.expit(c * logarithm(z)), z)


def gengamma(z: Any, a: Any, c: Any) -> Any:
    return divided(c * a - 1 - c * raised_to(z, c), z)


def gennorm(z: Any, beta: Any) -> Any:
    return -beta * raised_to(np.abs(z), beta - 1) * np.sign(z)


def halfgennorm(z: Any, beta: Any) -> Any:
    return -beta * raised_to(z, beta - 1)


def genlogistic(z: Any, c: Any) -> Any:
    return (c + 1) * sc.expit(-z) - 1


def loggamma(z: Any, c: Any) -> Any:
    return c - np.exp(z)


def loglaplace(z: Any, c: Any) -> Any:
    return divided(-c * np.sign(z - 1) - 1, z)


def laplace_asymmetric(z: Any, kappa: Any) -> Any:
    return np.where(np.greater_equal(z, 0), -kappa, 1 / kappa)[()]


def foldnorm(z: Any, c: Any) -> Any:
    return c * np.tanh(c * z) - z


def dgamma(z: Any, a: Any) -> Any:
    return divided(a - 1, z) - np.sign(z)


def skewnorm(z: Any, a: Any) -> Any:
    return a * hazard(a * z) - z


def powernorm(z: Any, c: Any) -> Any:
    return -z - (c - 1) * hazard(-z)


def truncnorm(z: Any, a: Any, b: Any) -> Any:
    return -z


def truncexpon(z: Any, b: Any) -> Any:
    return -1.0


def bradford(z: Any, c: Any) -> Any:
    return -c / (1 + c * z)


def loguniform(z: Any, a: Any, b: Any) -> Any:
    return -1 / z


def nakagami(z: Any, nu: Any) -> Any:
    return divided(2 * nu - 1, z) - 2 * nu * z


def johnsonsu(z: Any, a: Any, b: Any) -> Any:
    root = np.hypot(1.0, z)
    return -(z / root + b * (a + b * np.arcsinh(z))) / root


def johnsonsb(z: Any, a: Any, b: Any) -> Any:
    return -(1 - 2 * z + b * (a + b * sc.logit(z))) / (z * (1 - z))


def vonmises(z: Any, kappa: Any) -> Any:
    return -kappa * np.sin(z)


def rice(z: Any, b: Any) -> Any:
    return divided(1.0, z) - z + b * sc.i1e(z * b) / sc.i0e(z * b)


def rdist(z: Any, c: Any) -> Any:
    return -divided((c - 2) * z, (1 - z) * (1 + z))


def alpha(z: Any, a: Any) -> Any:
    return -2 / z - (a - 1 / z) / (z * z)


def invgamma(z: Any, a: Any) -> Any:
    return -(a + 1) / z + 1 / (z * z)


def invgauss(z: Any, mu: Any) -> Any:
    return -1.5 / z - 0.5 / (mu * mu) + 0.5 / (z * z)


def fatiguelife(z: Any, c: Any) -> Any:
    return 1 / (1 + z) - 1.5 / z - (1 - 1 / (z * z)) / (2 * c * c)


def norminvgauss(z: Any, a: Any, b: Any) -> Any:
    root = np.hypot(1.0, z)
    return b - 2 * z / (root * root) - a * z / root * sc.k0e(a * root) / sc.k1e(a * root)


def triang(z: Any, c: Any) -> Any:
    return np.where(np.less(z, c), divided(1.0, z), -divided(1.0, 1 - z))[()]
