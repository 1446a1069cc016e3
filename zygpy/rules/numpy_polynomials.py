"""Rules of NumPy's functions of polynomials, which are given by their coefficients."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import rule

rule(
    np.polymul,
    "y = polymul(a1, a2)",
    a1_bar="np.reshape(np.correlate(with_leading_zeros(y_bar, size(a1) + size(a2) - 1),"
    " np.atleast_1d(a2)), shape(a1))",
    a2_bar="np.reshape(np.correlate(with_leading_zeros(y_bar, size(a1) + size(a2) - 1),"
    " np.atleast_1d(a1)), shape(a2))",
    a1_dot="without_leading_terms(np.convolve(np.atleast_1d(y_bar), np.atleast_1d(a2)), y)",
    a2_dot="without_leading_terms(np.convolve(np.atleast_1d(a1), np.atleast_1d(y_bar)), y)",
    at="leading coefficients that are zero stay away",
    kind="vector",
)
