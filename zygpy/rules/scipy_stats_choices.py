"""Programs for statistics of `scipy.stats` that choose, sort or put into bins, and tests of counts."""

from __future__ import annotations

from typing import Any, cast

import scipy.stats as st

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import statistics_of_bins as bins
from zygpy.runtime import statistics_of_choices as choices
from zygpy.runtime import statistics_of_spacings as spacings
from zygpy.runtime import tests_of_shares as shares

library("bins", bins)

for _module, _names in (
    (choices, ("trimboth", "trim1", "sigmaclip", "mode", "false_discovery_control")),
    (choices, ("theilslopes", "siegelslopes")),
    (spacings, ("lmoment", "differential_entropy")),
    (shares, ("combine_pvalues", "power_divergence", "chi2_contingency")),
    (bins, ("binned_statistic", "binned_statistic_2d", "binned_statistic_dd", "cumfreq", "relfreq")),
):
    for _name in _names:
        if hasattr(st, _name):
            stands_for(getattr(st, _name), getattr(_module, _name))

for _function, _fields in (
    (choices.as_three, ("first", "second", "third")),
    (choices.as_four, ("first", "second", "third", "fourth")),
    (bins.as_edges, ("statistic", "first", "second")),
):
    _bars = {
        f"{name}_bar": f"part(y_bar, {place}) + np.zeros(shape({name}))" for place, name in enumerate(_fields)
    }
    _call = f"y = {_function.__name__}(result, {', '.join(_fields)})"
    rule(_function, _call, tangent="affine", kind="unknown", **cast(Any, _bars))
rule(
    bins.as_bins,
    "y = as_bins(result, statistic, edges)",
    statistic_bar="part(y_bar, 0) + np.zeros(shape(statistic))",
    edges_bar="bins.asked_for(part(y_bar, 1), edges)",
    tangent="affine",
    kind="unknown",
)

non_differentiable(choices.along, choices.nearest, kind="int")
non_differentiable(
    choices.ranks, choices.clipped_places, choices.first_equal, choices.factors, choices.least_behind,
    choices.apart, spacings.weights, spacings.widths, bins.flat_places, bins.asked_for,
    bins.in_equal_bins, kind="array",
)  # fmt: skip
non_differentiable(choices.pairs, bins.filled_bins, kind="unknown")
non_differentiable(bins.check_statistic, kind="none")
