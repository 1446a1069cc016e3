"""Models, likelihoods, optimal transport, and functions that a computer algebra system has written."""

from __future__ import annotations

from typing import Any

import lmfit
import numpy as np
import ot
import pykalman
import statsmodels.api as sm
import sympy
from hmmlearn import stats
from lmfit import lineshapes
from statsmodels.nonparametric import kernels
from statsmodels.robust import norms
from statsmodels.tsa.arima_process import arma2ma
from statsmodels.tsa.stattools import acf, acovf

from tests.libraries.table import at

PLACES = np.linspace(-1.0, 2.0, 7)
WEIGHTS = np.arange(7.0)


@at(1.1, 0.3, 0.7)
def peaks(height: Any, centre: Any, width: Any) -> Any:
    names = ["gaussian", "lorentzian", "logistic", "students_t", "voigt", "pvoigt", "doniach"]
    return sum(np.sum(getattr(lineshapes, name)(PLACES, height, centre, width) * WEIGHTS) for name in names)


@at(1.1, 0.3, 0.7)
def peaks_with_more_parameters(height: Any, centre: Any, width: Any) -> Any:
    names = ["pearson7", "moffat", "breit_wigner", "expgaussian", "skewed_gaussian"]
    return sum(np.sum(getattr(lineshapes, name)(PLACES, height, centre, width, 0.8)) for name in names)


@at(1.1, 0.3, 0.7)
def steps(height: Any, centre: Any, width: Any) -> Any:
    step = lineshapes.step(PLACES, height, centre, width, form="erf")
    step = step + lineshapes.rectangle(PLACES, height, centre, width, 1.3, 0.4, form="logistic")
    return np.sum(step + lineshapes.powerlaw(PLACES + 2, height, width))


GAUSSIAN = lmfit.models.GaussianModel()


@at(1.1, 0.3, 0.7)
def model_of_a_peak(height: Any, centre: Any, width: Any) -> Any:
    return np.sum(GAUSSIAN.eval(x=PLACES, amplitude=height, center=centre, sigma=width) * WEIGHTS)


KNOWN = np.column_stack([np.ones(8), np.linspace(0, 1, 8), np.sin(np.arange(8.0))])
CHOSEN = np.array([0.0, 1, 0, 1, 1, 0, 1, 1])
COUNTED = np.array([0.0, 2, 1, 3, 1, 0, 4, 1])
CHOICES = sm.Logit(CHOSEN, KNOWN), sm.Probit(CHOSEN, KNOWN)
COUNTS = sm.Poisson(COUNTED, KNOWN)
LINEAR = sm.OLS(np.cos(np.arange(8.0)) + 1, KNOWN)
GENERAL = sm.GLM(COUNTED, KNOWN, family=sm.families.Poisson())


@at(0.1, 0.2, 0.3)
def likelihoods_of_choices(a: Any, b: Any, c: Any) -> Any:
    return sum(model.loglike(np.array([a, b, c])) for model in CHOICES)


@at(0.1, 0.2, 0.3)
def likelihoods_of_counts(a: Any, b: Any, c: Any) -> Any:
    return COUNTS.loglike(np.array([a, b, c])) + GENERAL.loglike(np.array([a, b, c]))


@at(0.1, 0.2, 0.3)
def likelihoods_of_a_line(a: Any, b: Any, c: Any) -> Any:
    return LINEAR.loglike(np.array([a, b, c])) + LINEAR.loglike(np.array([a, b, c]), scale=1.3)


@at(0.7, 1.2)
def robust_norms(z: Any, t: Any) -> Any:
    residuals = np.array([z, -2 * z, 4 * z])
    hampel = norms.Hampel(a=t, b=2 * t, c=4 * t)
    used = [norms.HuberT(t=t), norms.TukeyBiweight(c=4 * t), norms.AndrewWave(a=t), hampel]
    return sum(np.sum(norm.rho(residuals)) + np.sum(norm.weights(residuals)) for norm in used)


@at(0.3, 0.4)
def series(a: Any, b: Any) -> Any:
    moving = arma2ma(np.array([1.0, -a]), np.array([1.0, b]), 6)
    seen = np.cos(np.arange(12.0) * a) * b + np.arange(12.0) * 0.1
    alike = acf(seen, nlags=4, fft=False)
    return np.sum(moving * np.arange(6.0)) + np.sum(alike * np.arange(5.0)) + acovf(seen, fft=False)[2]


@at(0.3, 0.4)
def kernel_densities(a: Any, b: Any) -> Any:
    one = np.sum(kernels.gaussian(b, np.array([[0.1], [0.5]]), a))
    return one + np.sum(kernels.gaussian_cdf(b, np.array([0.1, 0.5]), a))


@at(0.3, 0.6)
def hidden_densities(a: Any, b: Any) -> Any:
    seen, means = np.array([[0.1, 0.2], [1.0, 2.0]]), np.array([[a, b], [b, a]])
    whole = np.array([[[1.0, a], [a, 2.0]], [[1.5, b], [b, 1.0]]])
    single = np.array([[1 + a, b], [b, 1.0]])
    densities = stats.log_multivariate_normal_density(seen, means, single, "diag")
    return np.sum(densities + stats.log_multivariate_normal_density(seen, means, whole, "full"))


@at(0.5, 0.3, refused=r"masked arrays \('numpy\.ma'\)")
def likelihood_of_a_filter(a: Any, b: Any) -> Any:
    model = pykalman.KalmanFilter(
        transition_matrices=np.array([[1.0, a], [0.0, 1.0]]),
        observation_matrices=np.array([[1.0, b]]),
        initial_state_mean=np.zeros(2),
    )
    return model.loglikelihood(np.array([[1.0], [2.0], [1.5]]))


def costs(a: Any, b: Any) -> Any:
    return np.array([[0.0, 1.0 + a], [b, 0.1]])


@at(0.3, 0.6)
def transport(a: Any, b: Any) -> Any:
    halves = np.array([0.5, 0.5])
    plan = ot.sinkhorn(np.array([a, 1 - a]), halves, costs(a, b), 0.5)
    loose = ot.unbalanced.sinkhorn_unbalanced(np.array([a, 1 - a]), halves, costs(a, b), 0.5, 1.0)
    return np.sum((plan + loose) * costs(a, b))


@at(0.3, 0.6)
def transport_by_logarithms(a: Any, b: Any) -> Any:
    given, halves = np.array([a, 1 - a]), np.array([0.5, 0.5])
    return ot.bregman.sinkhorn2(given, halves, costs(a, b), 0.5, method="sinkhorn_log")


@at(0.3, 0.6)
def distances_of_distributions(a: Any, b: Any) -> Any:
    one, other = np.array([[a, b], [1.0, 2.0]]), np.array([[b, a], [0.5, 0.3]])
    line = ot.wasserstein_1d(np.array([a, b, 1.1]), np.array([0.2, 0.5, 0.8]), p=2)
    means = np.array([a, b]), np.array([0.0, 1.0])
    spread = np.array([[1.0, a], [a, 2.0]]), np.array([[1.5, 0.0], [0.0, b]])
    return np.sum(ot.dist(one, other)) + line + ot.gaussian.bures_wasserstein_distance(*means, *spread)


@at(0.3, 0.6, refused=r"emd_c' has no rule")
def exact_transport(a: Any, b: Any) -> Any:
    return ot.emd2(np.array([0.4, 0.6]), np.array([0.5, 0.5]), costs(a, b))


X, Y = sympy.symbols("x y")
PIECES = sympy.sin(X * Y) * sympy.exp(X) + sympy.Piecewise((X**2, X < Y), (Y**3, True)) + sympy.Max(X, Y)
BY_NUMPY = sympy.lambdify((X, Y), PIECES + sympy.sqrt(X), "numpy")
BY_MATH = sympy.lambdify((X, Y), PIECES + sympy.sqrt(X), "math")
BY_SCIPY = sympy.lambdify((X, Y), sympy.atan2(Y, X) + sympy.gamma(X) + sympy.besselj(1, Y), "scipy")
INVERSE = sympy.lambdify((X, Y), sympy.Matrix([[X * Y, sympy.cos(X)], [1, Y]]).inv(), "numpy", cse=True)


@at(0.3, 0.6)
def written_by_a_computer(a: Any, b: Any) -> Any:
    inverse = np.sum(INVERSE(a, b) * np.arange(4.0).reshape(2, 2))
    return BY_NUMPY(a, b) + BY_MATH(a, b) + BY_SCIPY(a, b) + inverse
