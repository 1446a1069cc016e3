"""Statistics of samples of `scipy.stats`: the value is SciPy's, the derivative that of a program.

What orders numbers or decides, tests by ranks, and what draws random numbers has no gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.stats as st

from zygpy.ir.kinds import Array, List, Row, Tuple
from zygpy.rules.declare import library, non_differentiable, of_instances, rule, stands_for
from zygpy.runtime import density_kernels as kernels
from zygpy.runtime import refused_statistics as refused
from zygpy.runtime import statistics_of_order as order
from zygpy.runtime import statistics_of_powers as powers
from zygpy.runtime import statistics_of_shares as shares
from zygpy.runtime import statistics_programs as programs
from zygpy.runtime import tests_of_fits as fits
from zygpy.runtime import tests_of_means as tests
from zygpy.runtime import tests_of_spreads as spreads
from zygpy.runtime.distribution_calls import named

for _module, _names in (
    (programs, ("gmean", "hmean", "pmean", "moment", "skew", "kurtosis", "variation", "sem", "gstd")),
    (programs, ("kstat", "kstatvar", "zscore", "gzscore", "zmap")),
    (order, ("iqr", "median_abs_deviation", "quantile", "scoreatpercentile", "trim_mean")),
    (order, ("tmean", "tvar", "tstd", "tsem", "tmin", "tmax")),
    (shares, ("circmean", "circvar", "circstd", "entropy", "expectile")),
    (shares, ("boxcox_llf", "yeojohnson_llf")),
    (powers, ("boxcox", "boxcox_normmax", "yeojohnson", "yeojohnson_normmax")),
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
    order.check_along,
    kind="none",
)  # fmt: skip
non_differentiable(programs.told, order.inside, order.both, kind="unknown")
non_differentiable(order.kept, kind="array")
non_differentiable(programs.count, programs.over, order.in_units, kind="float")

# Ranks, counts and numbers of ties: they are steps. So are the statistics that are made of them.

for _name in (
    "rankdata", "tiecorrect", "percentileofscore", "kendalltau", "spearmanr",
    "spearmanrho",
    "weightedtau", "somersd", "chatterjeexi", "mannwhitneyu", "wilcoxon", "kruskal", "friedmanchisquare",
    "ranksums",
    "brunnermunzel", "mood", "ansari", "fligner", "page_trend_test", "ks_2samp", "cramervonmises_2samp",
    "fisher_exact", "barnard_exact", "boschloo_exact", "median_test", "test", "bws_test", "anderson_ksamp",
    "logrank",
):  # fmt: skip
    if hasattr(st, _name):
        non_differentiable(getattr(st, _name), kind="unknown")

for _program in refused.REFUSED:
    if hasattr(st, _program.__name__):
        stands_for(getattr(st, _program.__name__), _program)
stands_for(st.rv_discrete, refused.rv_discrete, keywords="values", positional=5)
non_differentiable(refused.refuse, kind="none")
non_differentiable(powers.curvature_at, kind="float")

# Functions that give objects with fields.

for _name in (
    "pearsonr", "linregress", "ttest_1samp", "ttest_rel", "describe", "jarque_bera",
    "chisquare", "pointbiserialr", "energy_distance",
):  # fmt: skip
    if hasattr(st, _name):
        stands_for(getattr(st, _name), getattr(tests, _name))
for _module, _names in (
    (spreads, ("bartlett", "levene", "alexandergovern", "f_oneway", "ttest_ind")),
    (fits, ("skewtest", "kurtosistest", "normaltest", "shapiro", "ks_1samp", "cramervonmises")),
    (fits, ("anderson", "epps_singleton_2samp")),
):
    for _name in _names:
        stands_for(getattr(st, _name), getattr(_module, _name))


def _of_samples(kinds: Sequence[Any], names: frozenset[str]) -> Any:
    """The program for `kstest`, by whether there are two samples."""
    listed = len(kinds) > 1 and isinstance(kinds[1], Array | List | Tuple | Row)
    return fits.kstest_of_two if listed else fits.kstest


stands_for(st.kstest, fits.kstest, choose=_of_samples)
rule(
    tests.as_pair,
    "y = as_pair(result, first, second)",
    first_bar="part(y_bar, 0) + np.zeros(shape(first))",
    second_bar="part(y_bar, 1) + np.zeros(shape(second))",
    tangent="affine",
    kind="unknown",
)
library("tests", tests)
rule(
    tests.as_object,
    "y = as_object(result, statistic, pvalue)",
    statistic_bar="tests.field(y_bar, 'statistic', statistic)",
    pvalue_bar="tests.field(y_bar, 'pvalue', pvalue)",
    kind="unknown",
)
rule(
    tests.field,
    "y = field(fields, name, like)",
    fields_bar="tests.of_field(name, y_bar)",
    containers=True,
    kind="array",
)
rule(
    tests.of_field,
    "y = of_field(name, value)",
    value_bar="tests.field(y_bar, name, value)",
    containers=True,
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
rule(
    fits.given,
    "y = given(probability, statistic)",
    refused={"statistic": "this probability has no derivative in closed form."},
    kind="number-or-array",
)
non_differentiable(fits.normal_order, fits.rank_of, kind="array")
non_differentiable(tests.told_by, kind="unknown")
for _name, _program in (("logpdf", tests.dirichlet_logpdf), ("pdf", tests.dirichlet_pdf)):
    _function = named(st.dirichlet, _name, "dirichlet")
    stands_for(_function, _program)
    of_instances(_function, st.dirichlet, _name)

# Sums of kernels, which SciPy computes in C.

stands_for(st.gaussian_kde.evaluate, kernels.evaluated)
stands_for(st.gaussian_kde.logpdf, kernels.log_evaluated)
non_differentiable(kernels.told, kernels.greatest, kind="unknown")
non_differentiable(kernels.check_rows, kind="none")
