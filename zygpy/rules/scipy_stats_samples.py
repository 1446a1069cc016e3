"""Statistics of samples of `scipy.stats`: the value is SciPy's, the derivative that of a program.

What orders numbers or decides, tests by ranks, and what draws random numbers has no gradient.
"""

from __future__ import annotations

import scipy.stats as st

from zygpy.rules.declare import non_differentiable, of_instances, rule, stands_for
from zygpy.runtime import statistics_of_order as order
from zygpy.runtime import statistics_of_shares as shares
from zygpy.runtime import statistics_programs as programs
from zygpy.runtime import tests_of_means as tests
from zygpy.runtime.distribution_calls import named

for _module, _names in (
    (programs, ("gmean", "hmean", "pmean", "moment", "skew", "kurtosis", "variation", "sem", "gstd")),
    (programs, ("kstat", "kstatvar", "zscore", "gzscore", "zmap")),
    (order, ("iqr", "median_abs_deviation", "quantile", "scoreatpercentile", "trim_mean")),
    (order, ("tmean", "tvar", "tstd", "tsem", "tmin", "tmax")),
    (shares, ("circmean", "circvar", "circstd", "entropy", "expectile")),
    (shares, ("boxcox", "boxcox_llf", "yeojohnson", "yeojohnson_llf")),
):
    for _name in _names:
        if hasattr(st, _name):
            stands_for(getattr(st, _name), getattr(_module, _name))

rule(
    programs.at_zero,
    "y = at_zero(power)",
    refused={"power": "at 0 it has another form."},
    kind="number-or-array",
)
non_differentiable(
    programs.check, programs.check_plain, programs.check_number, order.check_method,
    kind="none",
)  # fmt: skip
non_differentiable(programs.told, order.inside, order.both, kind="unknown")
non_differentiable(order.kept, kind="array")
non_differentiable(programs.count, programs.over, order.in_units, kind="float")

# Ranks, counts and numbers of ties: they are steps. So are the statistics that are made of them.

for _name in (
    "rankdata", "tiecorrect", "percentileofscore", "cumfreq", "relfreq", "kendalltau", "spearmanr",
    "spearmanrho",
    "weightedtau", "somersd", "chatterjeexi", "mannwhitneyu", "wilcoxon", "kruskal", "friedmanchisquare",
    "ranksums",
    "brunnermunzel", "mood", "ansari", "fligner", "page_trend_test", "ks_2samp", "cramervonmises_2samp",
    "fisher_exact", "barnard_exact", "boschloo_exact", "median_test", "test",
):  # fmt: skip
    if hasattr(st, _name):
        non_differentiable(getattr(st, _name), kind="unknown")

# Functions that give objects with fields.

for _name in (
    "pearsonr", "linregress", "ttest_1samp", "ttest_rel", "ttest_ind", "describe", "f_oneway", "jarque_bera",
    "chisquare", "pointbiserialr", "energy_distance",
):  # fmt: skip
    if hasattr(st, _name):
        stands_for(getattr(st, _name), getattr(tests, _name))
rule(
    tests.as_pair,
    "y = as_pair(result, first, second)",
    first_bar="part(y_bar, 0) + np.zeros(shape(first))",
    second_bar="part(y_bar, 1) + np.zeros(shape(second))",
    tangent="affine",
    kind="unknown",
)
rule(
    tests.as_line,
    "y = as_line(result, slope, intercept, rvalue, pvalue, stderr)",
    slope_bar="part(y_bar, 0) + np.zeros(shape(slope))",
    intercept_bar="part(y_bar, 1) + np.zeros(shape(intercept))",
    rvalue_bar="part(y_bar, 2) + np.zeros(shape(rvalue))",
    pvalue_bar="part(y_bar, 3) + np.zeros(shape(pvalue))",
    stderr_bar="part(y_bar, 4) + np.zeros(shape(stderr))",
    tangent="affine",
    kind="unknown",
)
rule(
    tests.as_description,
    "y = as_description(result, low, high, mean, spread, skew, kurtosis)",
    low_bar="part_inside(y_bar, 1, 0, 2) + np.zeros(shape(low))",
    high_bar="part_inside(y_bar, 1, 1, 2) + np.zeros(shape(high))",
    mean_bar="part(y_bar, 2) + np.zeros(shape(mean))",
    spread_bar="part(y_bar, 3) + np.zeros(shape(spread))",
    skew_bar="part(y_bar, 4) + np.zeros(shape(skew))",
    kurtosis_bar="part(y_bar, 5) + np.zeros(shape(kurtosis))",
    tangent="affine",
    kind="unknown",
)
non_differentiable(tests.told_by, kind="unknown")
for _name, _program in (("logpdf", tests.dirichlet_logpdf), ("pdf", tests.dirichlet_pdf)):
    _function = named(st.dirichlet, _name, "dirichlet")
    stands_for(_function, _program)
    of_instances(_function, st.dirichlet, _name)
