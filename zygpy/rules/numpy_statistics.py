"""Rules of NumPy's quantiles, of moments and slopes, and of statistics that leave NaN out."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import library, rule
from zygpy.runtime import finite_differences, moments

library("finite_differences", finite_differences)
library("moments", moments)

_CAST = "(a if dtype is None else as_dtype(a, dtype))"
"""The numbers that a reduction multiplies."""
_MEAN = "(mean_of_numbers(a, axis) if dtype is None else as_real_as(mean_of_numbers(a, axis), dtype))"
"""The mean that deviations are from: a real number where NumPy adds up real parts alone."""
_HYNDMAN_FAN = "R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, 1996"

for _name in ("quantile", "nanquantile", "percentile", "nanpercentile"):
    _ranking = f"np.{_name}(ranks(a, axis), q, axis=axis, method=method, keepdims=keepdims)"
    _hundred = " / 100" if "percent" in _name else ""
    _slopes = f"quantile_slopes(a, q{_hundred}, {_ranking}, axis, keepdims, method){_hundred}"
    rule(
        getattr(np, _name),
        f"y = {_name}(a, q, axis=None, *, method='linear', keepdims=False)",
        a_bar=f"interpolated_transpose(y_bar, choice_of_ranks(a, {_ranking}, axis), shape(a))",
        q_bar=f"trailing_sums(y_bar * {_slopes}"
        f" * interpolated(a, choice_of_gaps(a, {_ranking}, axis)),"
        " ndim(q))",
        q_dot="trailing_spread(y_bar, np.shape(y))"
        f" * {_slopes}"
        f" * interpolated(a, choice_of_gaps(a, {_ranking}, axis))",
        a_dot=f"interpolated(y_bar, choice_of_ranks(a, {_ranking}, axis))",
        at="by q the slope to the right at an element, and 0 where an end is taken or a method has steps",
        source=_HYNDMAN_FAN,
        domain="0 < q < 1",
        kind="quantile",
    )
rule(
    np.nanmedian,
    "y = nanmedian(a, axis=None, *, keepdims=False)",
    a_bar="interpolated_transpose(y_bar, choice_of_ranks(a,"
    " np.nanmedian(ranks(a, axis), axis=axis, keepdims=keepdims), axis), shape(a))",
    a_dot="interpolated(y_bar, choice_of_ranks(a,"
    " np.nanmedian(ranks(a, axis), axis=axis, keepdims=keepdims), axis))",
    kind="mean",
)
rule(
    np.nanprod,
    "y = nanprod(a, axis=None, dtype=None, *, keepdims=False)",
    a_bar="np.where(np.isnan(a), 0, unreduce(y_bar, shape(a), axis, keepdims, dtype)"
    f" * conj(products_of_others(np.where(np.isnan(a), 1, {_CAST}), axis)))",
    tangent="reduction",
    kind="sum",
)
rule(
    np.nancumsum,
    "y = nancumsum(a, axis=None, dtype=None)",
    a_bar="np.where(np.isnan(a), 0, reverse_cumsum(y_bar, shape(a), axis, dtype))",
    a_dot="np.cumsum(cast_back(np.where(np.isnan(a), 0, y_bar), dtype), axis)",
    kind="scan",
)
rule(
    np.nancumprod,
    "y = nancumprod(a, axis=None, dtype=None)",
    a_bar="np.where(np.isnan(a), 0, cast_back(unmerge_axes("
    f"products_before(conj(merge_axes(np.where(np.isnan(a), 1, {_CAST}), axis)))"
    f" * recur_down(merge_axes(y_bar, axis), conj(merge_axes(np.where(np.isnan(a), 1, {_CAST}), axis))),"
    " shape(a), axis), dtype))",
    a_dot="cast_back(np.reshape(unmerge_axes(recur_up(merge_axes(np.where(np.isnan(a), 0, y_bar), axis)"
    f" * products_before(merge_axes(np.where(np.isnan(a), 1, {_CAST}), axis)),"
    f" shift_left(merge_axes(np.where(np.isnan(a), 1, {_CAST}), axis))), shape(a), axis),"
    " np.shape(y)), dtype)",
    kind="scan",
)
rule(
    np.nanvar,
    "y = nanvar(a, axis=None, dtype=None, *, ddof=0, keepdims=False)",
    a_bar="np.where(np.isnan(a), 0, unreduce(quotient(np.real(y_bar) * 2,"
    " count_numbers(a, axis, keepdims) - ddof), shape(a), axis, keepdims, dtype)"
    f" * (np.where(np.isnan(a), 0, a) - {_MEAN}))",
    tangent="reduction",
    kind="modulus",
    refused={"ddof": "degrees of freedom are counted."},
)
rule(
    np.nanstd,
    "y = nanstd(a, axis=None, dtype=None, *, ddof=0, keepdims=False)",
    a_bar="np.where(np.isnan(a), 0, unreduce(quotient(quotient(np.real(y_bar), y),"
    " count_numbers(a, axis, keepdims) - ddof), shape(a), axis, keepdims, dtype)"
    f" * (np.where(np.isnan(a), 0, a) - {_MEAN}))",
    at="0 where y == 0",
    tangent="reduction",
    kind="modulus",
    refused={"ddof": "degrees of freedom are counted."},
)

# Of vectors of doubles at equal distances, and of variables in arrays of doubles; else there are programs.

rule(
    np.gradient,
    "y = gradient(f, spacing=1.0)",
    f_bar="finite_differences.slopes_transpose(y_bar, conj(spacing))",
    spacing_bar="-np.sum(y_bar * conj(y)) / conj(spacing)",
    f_dot="np.gradient(y_bar, spacing)",
    spacing_dot="-y_bar * y / spacing",
    kind="slopes of vector",
)
rule(
    finite_differences.slopes_transpose,
    "y = slopes_transpose(value, spacing=1.0)",
    value_bar="np.gradient(y_bar, conj(spacing))",
    spacing_bar="-np.sum(y_bar * conj(y)) / conj(spacing)",
    value_dot="finite_differences.slopes_transpose(y_bar, spacing)",
    spacing_dot="-y_bar * y / spacing",
    kind="like value",
)
_OF_COV = "moments.share(moments.centred(m, other, rowvar).shape[1], bias, ddof)"
_BACK = f"moments.covariances_back(m, other, y_bar, rowvar, {_OF_COV})"
rule(
    np.cov,
    "y = cov(m, other=None, rowvar=True, bias=False, ddof=None)",
    m_bar=f"moments.first_of({_BACK}, m, rowvar)",
    other_bar=f"moments.last_of({_BACK}, other, rowvar)",
    m_dot="moments.covariances_along(m, other, (y_bar, None if other is None else np.zeros_like(other)),"
    f" rowvar, {_OF_COV}, y)",
    other_dot=f"moments.covariances_along(m, other, (np.zeros_like(m), y_bar), rowvar, {_OF_COV}, y)",
    kind="moments",
)
_BACK = "moments.normed_back(m, other, y, y_bar, rowvar)"
rule(
    np.corrcoef,
    "y = corrcoef(m, other=None, rowvar=True)",
    m_bar=f"moments.first_of({_BACK}, m, rowvar)",
    other_bar=f"moments.last_of({_BACK}, other, rowvar)",
    m_dot="moments.normed_along(m, other, (y_bar, None if other is None else np.zeros_like(other)),"
    " rowvar, y)",
    other_dot="moments.normed_along(m, other, (np.zeros_like(m), y_bar), rowvar, y)",
    kind="moments",
)
