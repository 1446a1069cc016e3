"""Rules of the generalised Schur form of `scipy.linalg`."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import scipy_pencils as pencils

library("pencils", pencils)

stands_for(sl.qz, pencils.qz)
stands_for(sl.ordqz, pencils.ordqz)
rule(
    pencils.decomposed,
    "y = decomposed(both, s, t, q, z)",
    both_bar="pencils.decomposed_cotangent(y, y_bar)",
    kind="unknown",
    at="refused where eigenvalues are equal, and for what depends on phases of complex vectors",
)
rule(
    pencils.ratios_alone,
    "y = ratios_alone(alpha, beta, scaled)",
    alpha_bar="pencils.ratios_cotangents(alpha, beta, scaled, y_bar)[0]",
    beta_bar="pencils.ratios_cotangents(alpha, beta, scaled, y_bar)[1]",
    kind="two arrays",
    at="refused for what depends on scales that are not told",
)
non_differentiable(
    pencils.check_separate_pairs, pencils.check_regular, pencils.check_apart, pencils.check_scales,
    kind="none",
)  # fmt: skip
non_differentiable(pencils.unit, kind="array")
