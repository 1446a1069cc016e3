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
