"""Derivatives of the logarithms of densities in standard form by shape parameters: plain programs.

Rules mention them as `trends.NAME_PARAMETER`; a second derivative enters their source. The argument is inside
of the support. Sources as in `density_slopes`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as sc
import scipy.stats as st

from zygpy.runtime.densities import raised_to
from zygpy.runtime.density_slopes import hazard
from zygpy.runtime.derivatives import divided
from zygpy.runtime.special_derivatives import log_ratio_derivative, logarithm

HUGE = 1e300
"""What stands for infinitely many degrees of freedom."""


def gamma_a(z: Any, a: Any) -> Any:
    return logarithm(z) - sc.psi(a)


def dgamma_a(z: Any, a: Any) -> Any:
    return logarithm(np.abs(z)) - sc.psi(a)


def invgamma_a(z: Any, a: Any) -> Any:
    return -logarithm(z) - sc.psi(a)


def loggamma_c(z: Any, c: Any) -> Any:
    return z - sc.psi(c)


def nakagami_nu(z: Any, nu: Any) -> Any:
    return np.log(nu) + 1 - sc.psi(nu) + 2 * logarithm(z) - z * z


def gengamma_a(z: Any, a: Any, c: Any) -> Any:
    return c * logarithm(z) - sc.psi(a)


def gengamma_c(z: Any, a: Any, c: Any) -> Any:
    return 1 / c + (a - raised_to(z, c)) * logarithm(z)


def beta_a(z: Any, a: Any, b: Any) -> Any:
    return logarithm(z) - sc.psi(a) + sc.psi(a + b)


def beta_b(z: Any, a: Any, b: Any) -> Any:
    return logarithm(1 - z) - sc.psi(b) + sc.psi(a + b)


def betaprime_a(z: Any, a: Any, b: Any) -> Any:
    return logarithm(z) - np.log1p(z) - sc.psi(a) + sc.psi(a + b)


def betaprime_b(z: Any, a: Any, b: Any) -> Any:
    return -np.log1p(z) - sc.psi(b) + sc.psi(a + b)


def t_df(z: Any, df: Any) -> Any:
    df = np.where(np.isinf(df), HUGE, df)[()]
    square = z * z / df
    gammas = sc.psi((df + 1) / 2) - sc.psi(df / 2)
    return (gammas - np.log1p(square) - 1 / df + (1 + 1 / df) * square / (1 + square)) / 2


def rdist_c(z: Any, c: Any) -> Any:
    return (logarithm((1 - z) * (1 + z)) + sc.psi((c + 1) / 2) - sc.psi(c / 2)) / 2


def chi_df(z: Any, df: Any) -> Any:
    return logarithm(z) - (np.log(2.0) + sc.psi(df / 2)) / 2


def chi2_df(z: Any, df: Any) -> Any:
    return (logarithm(z / 2) - sc.psi(df / 2)) / 2


def f_dfn(z: Any, dfn: Any, dfd: Any) -> Any:
    total = dfd + dfn * z
    gammas = sc.psi((dfn + dfd) / 2) - sc.psi(dfn / 2)
    return (np.log(dfn) + 1 + logarithm(z) - np.log(total) - (dfn + dfd) * z / total + gammas) / 2


def f_dfd(z: Any, dfn: Any, dfd: Any) -> Any:
    total = dfd + dfn * z
    gammas = sc.psi((dfn + dfd) / 2) - sc.psi(dfd / 2)
    return (np.log(dfd) + 1 - np.log(total) - (dfn + dfd) / total + gammas) / 2


def lognorm_s(z: Any, s: Any) -> Any:
    return (logarithm(z) ** 2 / (s * s) - 1) / s


def weibull_min_c(z: Any, c: Any) -> Any:
    return 1 / c + logarithm(z) * (1 - raised_to(z, c))


def weibull_max_c(z: Any, c: Any) -> Any:
    return weibull_min_c(-z, c)


def dweibull_c(z: Any, c: Any) -> Any:
    return weibull_min_c(np.abs(z), c)


def invweibull_c(z: Any, c: Any) -> Any:
    return 1 / c + logarithm(z) * (raised_to(z, -c) - 1)


def exponweib_a(z: Any, a: Any, c: Any) -> Any:
    return 1 / a + logarithm(-np.expm1(-raised_to(z, c)))


def exponweib_c(z: Any, a: Any, c: Any) -> Any:
    power = raised_to(z, c)
    return 1 / c + logarithm(z) * (1 + power * ((a - 1) / np.expm1(power) - 1))


def pareto_b(z: Any, b: Any) -> Any:
    return 1 / b - np.log(z)


def lomax_c(z: Any, c: Any) -> Any:
    return 1 / c - np.log1p(z)


def genpareto_c(z: Any, c: Any) -> Any:
    base = 1 + c * z
    return z * log_ratio_derivative(base, 0) + (1 + c) * z * z * log_ratio_derivative(base, 1)


def genextreme_c(z: Any, c: Any) -> Any:
    base = 1 - c * z
    power = z * log_ratio_derivative(base, 0)
    return (np.exp(power) + c - 1) * z * z * log_ratio_derivative(base, 1) - power


def powerlaw_a(z: Any, a: Any) -> Any:
    return 1 / a + logarithm(z)


def gompertz_c(z: Any, c: Any) -> Any:
    return 1 / c - np.expm1(z)


def fisk_c(z: Any, c: Any) -> Any:
    return 1 / c - logarithm(z) * np.tanh(c * logarithm(z) / 2)


def burr_c(z: Any, c: Any, d: Any) -> Any:
    return 1 / c + logarithm(z) * ((d + 1) * sc.expit(-c * logarithm(z)) - 1)


def burr_d(z: Any, c: Any, d: Any) -> Any:
    return 1 / d + sc.log_expit(c * logarithm(z))


def burr12_c(z: Any, c: Any, d: Any) -> Any:
    return 1 / c + logarithm(z) * (1 - (d + 1) * sc.expit(c * logarithm(z)))


def burr12_d(z: Any, c: Any, d: Any) -> Any:
    return 1 / d + sc.log_expit(-c * logarithm(z))


def gennorm_beta(z: Any, beta: Any) -> Any:
    size = np.abs(z)
    return 1 / beta + sc.psi(1 / beta) / (beta * beta) - sc.xlogy(raised_to(size, beta), size)


def halfgennorm_beta(z: Any, beta: Any) -> Any:
    return gennorm_beta(z, beta)


def genlogistic_c(z: Any, c: Any) -> Any:
    return 1 / c + sc.log_expit(z)


def loglaplace_c(z: Any, c: Any) -> Any:
    return 1 / c - np.abs(logarithm(z))


def laplace_asymmetric_kappa(z: Any, kappa: Any) -> Any:
    square = kappa * kappa
    sides = np.where(np.greater_equal(z, 0), -z, -z / square)[()]
    return sides - (1 - 1 / square) / (kappa + 1 / kappa)


def foldnorm_c(z: Any, c: Any) -> Any:
    return z * np.tanh(c * z) - c


def skewnorm_a(z: Any, a: Any) -> Any:
    return z * hazard(a * z)


def powernorm_c(z: Any, c: Any) -> Any:
    return 1 / c + sc.log_ndtr(-z)


def truncnorm_a(z: Any, a: Any, b: Any) -> Any:
    return st.truncnorm.pdf(a, a, b)


def truncnorm_b(z: Any, a: Any, b: Any) -> Any:
    return -st.truncnorm.pdf(b, a, b)


def truncexpon_b(z: Any, b: Any) -> Any:
    return -1 / np.expm1(b)


def bradford_c(z: Any, c: Any) -> Any:
    return 1 / c - 1 / ((1 + c) * np.log1p(c)) - z / (1 + c * z)


def loguniform_a(z: Any, a: Any, b: Any) -> Any:
    return 1 / (a * np.log(b / a))


def loguniform_b(z: Any, a: Any, b: Any) -> Any:
    return -1 / (b * np.log(b / a))


def johnsonsu_a(z: Any, a: Any, b: Any) -> Any:
    return -(a + b * np.arcsinh(z))


def johnsonsu_b(z: Any, a: Any, b: Any) -> Any:
    return 1 / b - (a + b * np.arcsinh(z)) * np.arcsinh(z)


def johnsonsb_a(z: Any, a: Any, b: Any) -> Any:
    return -(a + b * sc.logit(z))


def johnsonsb_b(z: Any, a: Any, b: Any) -> Any:
    return 1 / b - (a + b * sc.logit(z)) * sc.logit(z)


def vonmises_kappa(z: Any, kappa: Any) -> Any:
    return np.cos(z) - sc.i1e(kappa) / sc.i0e(kappa)


def rice_b(z: Any, b: Any) -> Any:
    return z * sc.i1e(z * b) / sc.i0e(z * b) - b


def alpha_a(z: Any, a: Any) -> Any:
    return 1 / z - a - hazard(a)


def invgauss_mu(z: Any, mu: Any) -> Any:
    return (z / mu - 1) / (mu * mu)


def fatiguelife_c(z: Any, c: Any) -> Any:
    return ((z - 1) ** 2 / (z * c * c) - 1) / c


def norminvgauss_a(z: Any, a: Any, b: Any) -> Any:
    root = np.hypot(1.0, z)
    return a / np.sqrt(a * a - b * b) - root * sc.k0e(a * root) / sc.k1e(a * root)


def norminvgauss_b(z: Any, a: Any, b: Any) -> Any:
    return z - b / np.sqrt(a * a - b * b)


def triang_c(z: Any, c: Any) -> Any:
    return np.where(np.less(z, c), -divided(1.0, c), divided(1.0, 1 - c))[()]
