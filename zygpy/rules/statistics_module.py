"""Rules of the functions of `statistics` that compute with exact fractions of what they are given."""

from __future__ import annotations

import statistics
from typing import Any

from zygpy.rules.declare import rule

ITEMS = "np.asarray({0})"
CENTRE = f"(np.mean({ITEMS.format('data')}) if {{0}} is None else {{0}})"
DEVIATIONS = "(np.asarray({0}) - np.mean(np.asarray({0})))"


def _spread(function: Any, text: str, centre: str, scale: str) -> None:
    """A variance, or its root: `scale` has y_bar over the number that the squares are divided by."""
    about = f"({ITEMS.format('data')} - {CENTRE.format(centre)})"
    bars: Any = {
        "data_bar": f"mirrored({scale} * {about}, data)",
        f"{centre}_bar": f"-{scale} * np.sum({ITEMS.format('data')} - {centre})",
    }
    rule(function, text, kind="float", **bars)


rule(statistics.mean, "y = mean(data)", data_bar="each_added(y_bar / length(data), data)", kind="float")
rule(
    statistics.harmonic_mean,
    "y = harmonic_mean(data)",
    data_bar=f"mirrored(y_bar * y * y / length(data) / {ITEMS.format('data')} ** 2, data)",
    kind="float",
)
_spread(statistics.variance, "y = variance(data, xbar=None)", "xbar", "2 * y_bar / (length(data) - 1)")
_spread(statistics.pvariance, "y = pvariance(data, mu=None)", "mu", "2 * y_bar / length(data)")
_spread(statistics.stdev, "y = stdev(data, xbar=None)", "xbar", "divided(y_bar, y) / (length(data) - 1)")
_spread(statistics.pstdev, "y = pstdev(data, mu=None)", "mu", "divided(y_bar, y) / length(data)")


def _of_two(function: Any, share: str) -> None:
    """A function of two sequences: `share` says what each item of {0} gets where {1} is the other."""
    pairs = (("x", "other"), ("other", "x"))
    bars: Any = {f"{one}_bar": f"mirrored({share.format(one, two)}, {one})" for one, two in pairs}
    rule(function, f"y = {function.__name__}(x, other)", kind="float", **bars)


_of_two(statistics.covariance, f"y_bar / (length(x) - 1) * {DEVIATIONS.replace('{0}', '{1}')}")
_of_two(
    statistics.correlation,
    f"y_bar * ({DEVIATIONS.replace('{0}', '{1}')} / np.linalg.norm({DEVIATIONS.replace('{0}', '{1}')})"
    f" - y * {DEVIATIONS} / np.linalg.norm({DEVIATIONS})) / np.linalg.norm({DEVIATIONS})",
)
