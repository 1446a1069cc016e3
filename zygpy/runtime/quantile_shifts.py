"""How quantiles of distributions in standard form move with a shape parameter: plain programs.

The derivative of `z` by the parameter where the probability below `z` stays as it is; that of the
distribution function is the same times the density, with the sign turned round (M. Figurnov, S. Mohamed and
A. Mnih, Implicit reparameterization gradients, 2018). Rules mention them as `shifts.NAME_PARAMETER`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.special as sc
import scipy.stats as st

from zygpy.runtime.densities import raised_to
from zygpy.runtime.density_slopes import hazard
from zygpy.runtime.derivatives import divided, times
from zygpy.runtime.incomplete_functions import beta_ratio, gamma_ratio
from zygpy.runtime.special_derivatives import log_ratio_derivative, logarithm


def _of_power(z: Any, c: Any) -> Any:
    """Where a power of `z` has a distribution that the exponent does not change."""
    return -times(z, logarithm(np.abs(z))) / c


def lognorm_s(z: Any, s: Any) -> Any:
    return times(z, logarithm(z)) / s


def weibull_min_c(z: Any, c: Any) -> Any:
    return _of_power(z, c)


def weibull_max_c(z: Any, c: Any) -> Any:
    return _of_power(z, c)


def dweibull_c(z: Any, c: Any) -> Any:
    return _of_power(z, c)


def invweibull_c(z: Any, c: Any) -> Any:
    return _of_power(z, c)


def exponweib_c(z: Any, a: Any, c: Any) -> Any:
    return _of_power(z, c)


def exponweib_a(z: Any, a: Any, c: Any) -> Any:
    power = raised_to(z, c)
    return -divided(logarithm(-np.expm1(-power)) * np.expm1(power) * z, a * c * power)


def pareto_b(z: Any, b: Any) -> Any:
    return _of_power(z, b)


def lomax_c(z: Any, c: Any) -> Any:
    return -(1 + z) * np.log1p(z) / c


def genpareto_c(z: Any, c: Any) -> Any:
    return (1 + c * z) * z * z * log_ratio_derivative(1 + c * z, 1)


def genextreme_c(z: Any, c: Any) -> Any:
    return -(1 - c * z) * z * z * log_ratio_derivative(1 - c * z, 1)


def powerlaw_a(z: Any, a: Any) -> Any:
    return _of_power(z, a)


def gompertz_c(z: Any, c: Any) -> Any:
    return np.expm1(-z) / c


def fisk_c(z: Any, c: Any) -> Any:
    return _of_power(z, c)


def burr_c(z: Any, c: Any, d: Any) -> Any:
    return _of_power(z, c)


def burr_d(z: Any, c: Any, d: Any) -> Any:
    power = c * logarithm(z)
    return -divided(z * sc.log_expit(power), c * d * sc.expit(-power))


def burr12_c(z: Any, c: Any, d: Any) -> Any:
    return _of_power(z, c)


def burr12_d(z: Any, c: Any, d: Any) -> Any:
    power = c * logarithm(z)
    return divided(z * sc.log_expit(-power), c * d * sc.expit(power))


def gengamma_c(z: Any, a: Any, c: Any) -> Any:
    return _of_power(z, c)


def genlogistic_c(z: Any, c: Any) -> Any:
    return -divided(sc.log_expit(z), c * sc.expit(-z))


def loglaplace_c(z: Any, c: Any) -> Any:
    return _of_power(z, c)


def laplace_asymmetric_kappa(z: Any, kappa: Any) -> Any:
    return -(2 / (kappa * kappa + 1) + np.abs(z) / kappa)


def foldnorm_c(z: Any, c: Any) -> Any:
    return np.tanh(c * z)


def skewnorm_a(z: Any, a: Any) -> Any:
    return hazard(a * z) / (1 + a * a)


def powernorm_c(z: Any, c: Any) -> Any:
    return sc.log_ndtr(-z) / (c * hazard(-z))


def truncnorm_a(z: Any, a: Any, b: Any) -> Any:
    return np.exp((z * z - a * a) / 2) * st.truncnorm.sf(z, a, b)


def truncnorm_b(z: Any, a: Any, b: Any) -> Any:
    return np.exp((z * z - b * b) / 2) * st.truncnorm.cdf(z, a, b)


def truncexpon_b(z: Any, b: Any) -> Any:
    return np.expm1(z) / np.expm1(b)


def bradford_c(z: Any, c: Any) -> Any:
    return ((1 + c * z) * np.log1p(c * z) / np.log1p(c) / (1 + c) - z) / c


def loguniform_a(z: Any, a: Any, b: Any) -> Any:
    return z * np.log(b / z) / (np.log(b / a) * a)


def loguniform_b(z: Any, a: Any, b: Any) -> Any:
    return z * np.log(z / a) / (np.log(b / a) * b)


def johnsonsu_a(z: Any, a: Any, b: Any) -> Any:
    return -np.hypot(1.0, z) / b


def johnsonsu_b(z: Any, a: Any, b: Any) -> Any:
    return -np.arcsinh(z) * np.hypot(1.0, z) / b


def johnsonsb_a(z: Any, a: Any, b: Any) -> Any:
    return -z * (1 - z) / b


def johnsonsb_b(z: Any, a: Any, b: Any) -> Any:
    return -z * (1 - z) * sc.logit(z) / b


def rice_b(z: Any, b: Any) -> Any:
    return sc.i1e(z * b) / sc.i0e(z * b)


def alpha_a(z: Any, a: Any) -> Any:
    return z * z * (hazard(a) / hazard(a - 1 / z) - 1)


def invgauss_mu(z: Any, mu: Any) -> Any:
    density = -((z / mu - 1) ** 2) / (2 * z) - 1.5 * logarithm(z) - math.log(2 * math.pi) / 2
    tail = sc.log_ndtr(-(z / mu + 1) / np.sqrt(z))
    return 2 * np.exp(2 / mu + tail - density) / (mu * mu)


def fatiguelife_c(z: Any, c: Any) -> Any:
    return 2 * z * (z - 1) / ((z + 1) * c)


def triang_c(z: Any, c: Any) -> Any:
    return np.where(np.less(z, c), divided(z, 2 * c), divided(1 - z, 2 * (1 - c)))[()]


# Distributions of functions of a variable with a gamma distribution: its logarithm moves by minus the ratio
# of the derivatives of the incomplete gamma function.


def gamma_a(z: Any, a: Any) -> Any:
    return -times(z, gamma_ratio(a, logarithm(z), 1))


def invgamma_a(z: Any, a: Any) -> Any:
    return times(z, gamma_ratio(a, -logarithm(z), 1))


def loggamma_c(z: Any, c: Any) -> Any:
    return -gamma_ratio(c, z, 1)


def gengamma_a(z: Any, a: Any, c: Any) -> Any:
    return -times(z, gamma_ratio(a, c * logarithm(z), 1)) / c


def dgamma_a(z: Any, a: Any) -> Any:
    return -times(z, gamma_ratio(a, logarithm(np.abs(z)), 1))


def chi2_df(z: Any, df: Any) -> Any:
    return -times(z, gamma_ratio(df / 2, logarithm(z / 2), 1)) / 2


def chi_df(z: Any, df: Any) -> Any:
    return -times(z, gamma_ratio(df / 2, 2 * logarithm(z) - math.log(2), 1)) / 4


def nakagami_nu(z: Any, nu: Any) -> Any:
    return -times(z, gamma_ratio(nu, logarithm(nu) + 2 * logarithm(z), 1) + 1 / nu) / 2


def gennorm_beta(z: Any, beta: Any) -> Any:
    far = beta * logarithm(np.abs(z))
    return -times(z, far - gamma_ratio(1 / beta, far, 1) / beta) / (beta * beta)


def halfgennorm_beta(z: Any, beta: Any) -> Any:
    return gennorm_beta(z, beta)


# Distributions of functions of a variable with a beta distribution, whose log-odds move likewise.


def beta_a(z: Any, a: Any, b: Any) -> Any:
    return -times(z * (1 - z), beta_ratio(a, b, sc.logit(z), 1, 0))


def beta_b(z: Any, a: Any, b: Any) -> Any:
    return -times(z * (1 - z), beta_ratio(a, b, sc.logit(z), 0, 1))


def betaprime_a(z: Any, a: Any, b: Any) -> Any:
    return -times(z, beta_ratio(a, b, logarithm(z), 1, 0))


def betaprime_b(z: Any, a: Any, b: Any) -> Any:
    return -times(z, beta_ratio(a, b, logarithm(z), 0, 1))


def f_dfn(z: Any, dfn: Any, dfd: Any) -> Any:
    moved = beta_ratio(dfn / 2, dfd / 2, logarithm(np.divide(dfn * z, dfd)), 1, 0)
    return -times(z, np.divide(1, dfn) + moved / 2)


def f_dfd(z: Any, dfn: Any, dfd: Any) -> Any:
    moved = beta_ratio(dfn / 2, dfd / 2, logarithm(np.divide(dfn * z, dfd)), 0, 1)
    return times(z, np.divide(1, dfd) - moved / 2)


def t_df(z: Any, df: Any) -> Any:
    half = np.ones_like(df) / 2  # in the precision of `df`
    moved = beta_ratio(half, df / 2, 2 * logarithm(np.abs(z)) - np.log(df), 0, 1)
    return times(z, np.divide(1, df) - moved / 2) / 2


def rdist_c(z: Any, c: Any) -> Any:
    odds = logarithm((1 + z) / (1 - z))
    moved = beta_ratio(c / 2, c / 2, odds, 1, 0) + beta_ratio(c / 2, c / 2, odds, 0, 1)
    return -times((1 - z) * (1 + z), moved) / 4
