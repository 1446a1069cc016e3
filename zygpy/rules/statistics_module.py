"""Rules of the functions of `statistics` that compute with exact fractions of what they are given."""

from __future__ import annotations

import statistics
from typing import Any

from zygpy.rules.declare import rule

ITEMS = "np.asarray({0})"
CENTRE = f"(np.mean({ITEMS.format('data')}) if {{0}} is None else {{0}})"
DEVIATIONS = "(np.asarray({0}) - np.mean(np.asarray({0})))"


def _spread(function: Any, text: str, centre: str, scale: str) -> None:
    """A variance, or its root: `scale` has what is pulled back, or pushed, over the number that the squares
    are divided by."""
    about = f"({ITEMS.format('data')} - {CENTRE.format(centre)})"
    rest = f"np.sum({ITEMS.format('data')} - {centre})"
    pulled, pushed = scale.format("y_bar"), scale.format(f"np.sum(y_bar * {about})")
    bars: Any = {
        "data_bar": f"mirrored({pulled} * {about}, data)",
        f"{centre}_bar": f"-{pulled} * {rest}",
        "data_dot": f"float({pushed})",
        f"{centre}_dot": f"-float({pulled} * {rest})",
    }
    rule(function, text, kind="float", **bars)


rule(
    statistics.mean,
    "y = mean(data)",
    data_bar="each_added(y_bar / length(data), data)",
    data_dot="float(np.mean(y_bar))",
    kind="float",
)
WEIGHTS = "(np.ones(length(data)) if weights is None else np.asarray(weights))"
RATES = f"({WEIGHTS} / {ITEMS.format('data')})"
TOTAL = f"np.sum({WEIGHTS})"

rule(
    statistics.harmonic_mean,
    "y = harmonic_mean(data, weights=None)",
    data_bar=f"mirrored(y_bar * y * y / {TOTAL} * {RATES} / {ITEMS.format('data')}, data)",
    data_dot=f"float(np.sum(y_bar * {RATES} / {ITEMS.format('data')}) * y * y / {TOTAL})",
    weights_bar=f"mirrored(y_bar * y * (1 - y / {ITEMS.format('data')}) / {TOTAL}, weights)",
    weights_dot=f"float(np.sum(y_bar * (1 - y / {ITEMS.format('data')})) * y / {TOTAL})",
    kind="float",
)
_spread(statistics.variance, "y = variance(data, xbar=None)", "xbar", "2 * {} / (length(data) - 1)")
_spread(statistics.pvariance, "y = pvariance(data, mu=None)", "mu", "2 * {} / length(data)")
_spread(statistics.stdev, "y = stdev(data, xbar=None)", "xbar", "divided({}, y) / (length(data) - 1)")
_spread(statistics.pstdev, "y = pstdev(data, mu=None)", "mu", "divided({}, y) / length(data)")


def _of_two(function: Any, share: str) -> None:
    """A function of two sequences: `share` says what each item of {0} counts for where {1} is the other."""
    pairs = (("x", "other"), ("other", "x"))
    bars: Any = {f"{one}_bar": f"mirrored(y_bar * {share.format(one, two)}, {one})" for one, two in pairs}
    dots: Any = {f"{one}_dot": f"float(np.sum(y_bar * {share.format(one, two)}))" for one, two in pairs}
    bars |= dots
    rule(function, f"y = {function.__name__}(x, other)", kind="float", **bars)


_of_two(statistics.covariance, f"(1 / (length(x) - 1)) * {DEVIATIONS.replace('{0}', '{1}')}")
_of_two(
    statistics.correlation,
    f"({DEVIATIONS.replace('{0}', '{1}')} / np.linalg.norm({DEVIATIONS.replace('{0}', '{1}')})"
    f" - y * {DEVIATIONS} / np.linalg.norm({DEVIATIONS})) / np.linalg.norm({DEVIATIONS})",
)

SLOPE = "y_bar * sigma * math.sqrt(2 * math.pi) * math.exp(((y - mu) / sigma) ** 2 / 2)"

rule(
    statistics._normal_dist_inv_cdf,  # type: ignore[attr-defined]
    "y = inv_cdf(p, mu, sigma)",
    p_bar=SLOPE,
    mu_bar="y_bar",
    sigma_bar="y_bar * (y - mu) / sigma",
    p_dot=SLOPE,
    mu_dot="y_bar",
    sigma_dot="y_bar * (y - mu) / sigma",
    kind="float",
)
