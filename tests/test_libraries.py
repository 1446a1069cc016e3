"""Libraries that nobody wrote for differentiation, as they are published."""

from __future__ import annotations

import cmath
import colorsys
import fractions
import os
import statistics
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import zygpy as zg
from zygpy.testing import check_gradient

with warnings.catch_warnings(), np.printoptions():  # which it sets for everybody
    warnings.simplefilter("ignore")
    import colour
    from sklearn import metrics
    from sklearn.gaussian_process import kernels


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def colour_difference(first: Any, second: Any) -> Any:
    """The CIE 2000 difference of two sRGB colours."""
    one, other = [colour.XYZ_to_Lab(colour.sRGB_to_XYZ(rgb)) for rgb in (first, second)]
    return colour.delta_E(one, other)


@pytest.mark.acceptance
def test_colour_difference() -> None:
    check_gradient(colour_difference, np.array([0.2, 0.5, 0.7]), np.array([0.3, 0.4, 0.6]))


def test_rosenbrock() -> None:
    point = np.array([1.2, 0.7, 1.5])
    np.testing.assert_allclose(zg.gradient(optimize.rosen, point)[0], optimize.rosen_der(point))


def test_density_of_the_normal_distribution() -> None:
    def logpdf(x: Any, loc: Any, scale: Any) -> Any:
        return np.sum(stats.norm.logpdf(x, loc, scale=scale) * np.arange(1.0, 4.0))

    check_gradient(logpdf, np.array([0.7, -0.2, 1.5]), 0.2, 1.3)
    assert zg.gradient(stats.norm.logpdf, 0.7, 0.2, 0.5)[0] == pytest.approx(-2.0)


def test_density_of_the_gamma_distribution() -> None:
    def logpdf(x: Any, a: Any, scale: Any) -> Any:
        return np.sum(stats.gamma.logpdf(x, a, scale=scale))

    check_gradient(logpdf, np.array([0.7, 0.2, 1.5]), 2.2, 1.3)


def test_frozen_normal_distribution_of_several_variables() -> None:
    """Its documentation, which it puts together when it is made, is text."""
    cov = np.array([[1.0, 0.3], [0.3, 2.0]])
    found = zg.gradient(
        lambda mean: stats.multivariate_normal(mean, cov).logpdf([0.7, -0.2]), np.array([0.5, 1.5])
    )
    np.testing.assert_allclose(found[0], np.linalg.solve(cov, [0.7 - 0.5, -0.2 - 1.5]))


def test_kernels_of_gaussian_processes() -> None:
    points = np.array([[0.3, 0.5], [1.0, -0.2], [0.4, 0.7]])
    weights = np.arange(9.0).reshape(3, 3)

    def of_points(x: Any, y: Any) -> Any:
        return np.sum(kernels.DotProduct(1.5)(x, y) * weights[:, :2])

    def of_scale(scale: Any) -> Any:
        kernel = kernels.DotProduct(scale) ** 2 + kernels.ConstantKernel(scale)
        return np.sum(kernel(points) * weights)

    check_gradient(of_points, points, points[:2])
    check_gradient(of_scale, 1.5)
    (bar,) = zg.gradient(lambda kernel: np.sum(kernel(points) * weights), kernels.DotProduct(1.5))
    assert bar == {"sigma_0": 2 * 1.5 * np.sum(weights)}


METRICS = ["rbf_kernel"]
MORE = ["r2_score", "cosine_similarity", "mean_squared_error", "mean_poisson_deviance", "log_loss"]


@pytest.mark.parametrize("name", [*METRICS, *(MORE if "ZYGPY_ALL_CASES" in os.environ else ())])
def test_metrics_that_check_their_arguments(name: str) -> None:
    """Decorated with checks of every argument, which ask several libraries what an array is."""
    metric = getattr(metrics.pairwise if name in ("rbf_kernel", "cosine_similarity") else metrics, name)
    known, given = np.array([0.2, 1.5, 0.7, 1.0]), np.array([0.4, 0.9, 0.8, 0.6])
    if name == "log_loss":
        check_gradient(lambda x: metric([0, 1, 1, 0], x), given)
    elif metric.__module__ == "sklearn.metrics.pairwise":
        weights = np.array([[1.0, 2.0], [-1.0, 0.5]])
        check_gradient(lambda x, y: np.sum(metric(x, y) * weights), known.reshape(2, 2), given.reshape(2, 2))
    else:
        check_gradient(metric, known, given)


def weighted(parts: Any) -> Any:
    return sum(part * weight for weight, part in enumerate(parts, 1))


@pytest.mark.parametrize(
    "function",
    [
        lambda r, g, b: weighted(colorsys.rgb_to_hsv(r, g, b)),
        lambda r, g, b: weighted(colorsys.hsv_to_rgb(r, g, b)),
        lambda r, g, b: weighted(colorsys.hls_to_rgb(*colorsys.rgb_to_hls(r, g, b))),
        lambda r, g, b: weighted(colorsys.yiq_to_rgb(*colorsys.rgb_to_yiq(r, g, b))),
    ],
)
def test_colorsys(function: Callable[..., Any]) -> None:
    check_gradient(function, 0.2, 0.5, 0.7)


def test_cmath() -> None:
    def f(x: float) -> Any:
        z = cmath.exp(1j * x) * cmath.sqrt(x + 2j) * cmath.log(x + 1j)
        return z.real + cmath.phase(x + 1j) + cmath.polar(x * 1j + 1)[0] + cmath.rect(x, x).real

    check_gradient(f, 1.5)


def test_fractions() -> None:
    third = fractions.Fraction(1, 3)
    assert zg.gradient(lambda x: float(third * 2) * x, 1.5) == (float(third * 2),)
    assert zg.gradient(lambda q: q * q + q, third) == (fractions.Fraction(5, 3),)
    for x in (np.float64(2.0), np.float32(2.0)):  # with these Python's numbers are the result
        (bar,) = zg.gradient(lambda x: x**third + third**x + (x + third) / third, x)
        slope = 2.0 ** (-2 / 3) / 3 + np.log(1 / 3) / 9 + 3
        assert type(bar) is type(x) and bar == pytest.approx(slope, rel=1e-6)


VALUES = [1.0, 2.0, 4.0, 3.5]


@pytest.mark.parametrize(
    "name",
    [
        *("mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high"),
        *("pstdev", "pvariance", "stdev", "variance"),
    ],
)
def test_statistics(name: str) -> None:
    function = getattr(statistics, name)
    check_gradient(function, VALUES)
    y, _ = zg.pullback(function, VALUES)
    assert y == function(VALUES)


@pytest.mark.parametrize("name", ["variance", "pvariance", "stdev", "pstdev"])
def test_statistics_about_a_given_centre(name: str) -> None:
    check_gradient(getattr(statistics, name), VALUES, 2.25)


def test_statistics_of_iterators_and_of_two() -> None:
    check_gradient(lambda x: statistics.mean(value * x for value in VALUES) * x, 1.5)
    check_gradient(lambda x: statistics.stdev(map(lambda value: value**x, VALUES)), 1.5)  # noqa: C417
    others = [2.0, 1.5, 3.0, 5.0]
    check_gradient(statistics.covariance, VALUES, others)
    check_gradient(statistics.correlation, VALUES, others)
    check_gradient(statistics.harmonic_mean, VALUES, others)
    check_gradient(lambda p, m, s: statistics.NormalDist(m, s).inv_cdf(p), 0.3, 1.5, 2.0)


def test_second_derivatives_of_statistics() -> None:
    def slope(values: list[float]) -> Any:
        return sum(entry * entry for entry in zg.gradient(statistics.variance, values)[0])

    check_gradient(slope, VALUES)


def test_normal_distribution() -> None:
    check_gradient(
        lambda m, s: statistics.NormalDist(m, s).pdf(1.0) + statistics.NormalDist(m, s).cdf(0.5), 0.3, 1.2
    )


def test_what_is_exact_has_no_rule() -> None:
    with pytest.raises(zg.MissingRuleError, match="as_integer_ratio"):
        zg.gradient(lambda x: float(fractions.Fraction(x)) * x, 1.5)
