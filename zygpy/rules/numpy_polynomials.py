"""Rules of NumPy's functions of polynomials, which are given by their coefficients."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import polynomial, polyutils

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import polynomial_series, polynomials

library("polynomials", polynomials)
stands_for(np.poly1d, polynomials.polynomial)
stands_for(np.polydiv, polynomials.polydiv)
stands_for(polynomial.polyadd, polynomial_series.added)
stands_for(polynomial.polysub, polynomial_series.subtracted)
stands_for(polynomial.polydiv, polynomial_series.divided)
stands_for(polynomial.polyval2d, polynomial_series.on_points)
stands_for(polynomial.polygrid2d, polynomial_series.on_grid)
for _name, _program in (("_add", polynomial_series.added), ("_sub", polynomial_series.subtracted)):
    if hasattr(polyutils, _name):
        stands_for(getattr(polyutils, _name), _program)
rule(
    polynomials.remainder_terms,
    "y = remainder_terms(rest, missing)",
    rest_bar="polynomials.all_terms(y_bar, missing)",
    rest_dot="polynomials.all_terms(y_bar, missing)",
)
rule(
    polynomials.all_terms,
    "y = all_terms(bar, missing)",
    bar_bar="polynomials.all_terms(y_bar, missing)",
    bar_dot="polynomials.all_terms(y_bar, missing)",
)
non_differentiable(polynomials.check_leading, polynomials.check_dropped, kind="none")
non_differentiable(polynomials.dtype_of_terms, kind="dtype")

rule(
    np.polymul,
    "y = polymul(a1, a2)",
    a1_bar="np.reshape(np.correlate(polynomials.with_leading_terms(y_bar, size(a1) + size(a2) - 1, a2),"
    " np.atleast_1d(a2)), shape(a1))",
    a2_bar="np.reshape(np.correlate(polynomials.with_leading_terms(y_bar, size(a1) + size(a2) - 1, a1),"
    " np.atleast_1d(a1)), shape(a2))",
    a1_dot="polynomials.kept_terms(np.convolve(np.atleast_1d(y_bar), np.atleast_1d(a2)), y)",
    a2_dot="polynomials.kept_terms(np.convolve(np.atleast_1d(a1), np.atleast_1d(y_bar)), y)",
    at="leading coefficients that are zero stay away, and are refused where they have a gradient",
    kind="vector",
)
rule(
    np.roots,
    "y = roots(p)",
    p_bar="polynomials.roots_back(p, y, y_bar)",
    p_dot="polynomials.roots_along(p, y, y_bar)",
    at="nan at roots of higher order; of leading zeros, how the roots that are there move",
    kind="unknown",
    source="where p(x) = 0, dx = -dp(x) / p'(x)",
)
