"""Rules of NumPy's sums, products, extremes, moments and scans."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import alias, rule

rule(
    np.sum,
    "y = sum(a, axis=None, dtype=None, *, keepdims=False, where=True)",
    a_bar="unreduce(y_bar, shape(a), axis, keepdims, dtype, where)",
    kind="sum",
)
rule(
    np.mean,
    "y = mean(a, axis=None, dtype=None, *, keepdims=False)",
    a_bar="unreduce(y_bar / count_reduced(shape(a), axis), shape(a), axis, keepdims, dtype)",
    kind="mean",
)
rule(
    np.prod,
    "y = prod(a, axis=None, dtype=None, *, keepdims=False)",
    a_bar="unreduce(y_bar, shape(a), axis, keepdims, dtype) * conj(products_of_others(a, axis))",
    tangent="reduction",
    kind="sum",
)
rule(
    np.nansum,
    "y = nansum(a, axis=None, dtype=None, *, keepdims=False)",
    a_bar="np.where(np.isnan(a), 0, unreduce(y_bar, shape(a), axis, keepdims, dtype))",
    tangent="reduction",
    kind="sum",
)
rule(
    np.nanmean,
    "y = nanmean(a, axis=None, dtype=None, *, keepdims=False)",
    a_bar="np.where(np.isnan(a), 0,"
    " unreduce(y_bar / count_numbers(a, axis, keepdims), shape(a), axis, keepdims, dtype))",
    tangent="reduction",
    kind="mean",
)
rule(
    np.average,
    "y = average(a, axis=None, weights=None, *, keepdims=False)",
    a_bar="unreduce(y_bar, shape(a), axis, keepdims) * conj(spread_weights(weights, shape(a), axis, dtype(a))"
    " / np.sum(spread_weights(weights, shape(a), axis, dtype(a)), axis=axis, keepdims=True))",
    weights_bar="gather_weights(unreduce(y_bar, shape(a), axis, keepdims)"
    " * conj((a - unreduce(y, shape(a), axis, keepdims))"
    " / np.sum(spread_weights(weights, shape(a), axis, dtype(a)), axis=axis, keepdims=True)),"
    " shape(weights), axis)",
    tangent="reduction",
    kind="average",
)

for _name, _find in {
    "max": "max_positions",
    "min": "min_positions",
    "nanmax": "nanmax_positions",
    "nanmin": "nanmin_positions",
}.items():
    rule(
        getattr(np, _name),
        f"y = {_name}(a, axis=None, *, keepdims=False)",
        a_bar=f"put_positions(y_bar, {_find}(a, axis), shape(a), axis, keepdims)",
        at="the first of equal elements gets it all",
        tangent="reduction",
        kind="extreme",
    )

alias(np.amax, np.max)
alias(np.amin, np.min)

rule(
    np.ptp,
    "y = ptp(a, axis=None, *, keepdims=False)",
    a_bar="put_positions(y_bar, max_positions(a, axis), shape(a), axis, keepdims)"
    " - put_positions(y_bar, min_positions(a, axis), shape(a), axis, keepdims)",
    tangent="reduction",
    kind="extreme",
)
rule(
    np.median,
    "y = median(a, axis=None, *, keepdims=False)",
    a_bar="put_positions(y_bar / 2, lower_median_positions(a, axis), shape(a), axis, keepdims)"
    " + put_positions(y_bar / 2, upper_median_positions(a, axis), shape(a), axis, keepdims)",
    tangent="reduction",
    kind="mean",
)
rule(
    np.var,
    "y = var(a, axis=None, dtype=None, *, ddof=0, keepdims=False)",
    a_bar="unreduce(np.real(y_bar) * 2 / freedom(shape(a), axis, ddof), shape(a), axis, keepdims, dtype)"
    " * (a - np.mean(a, axis=axis, keepdims=True))",
    tangent="reduction",
    kind="modulus",
)
rule(
    np.std,
    "y = std(a, axis=None, dtype=None, *, ddof=0, keepdims=False)",
    a_bar="unreduce(quotient(np.real(y_bar), y) / freedom(shape(a), axis, ddof),"
    " shape(a), axis, keepdims, dtype) * (a - np.mean(a, axis=axis, keepdims=True))",
    at="0 where y == 0",
    tangent="reduction",
    kind="modulus",
)
rule(
    np.cumsum,
    "y = cumsum(a, axis=None, dtype=None)",
    a_bar="reverse_cumsum(y_bar, shape(a), axis, dtype)",
    kind="scan",
)
rule(
    np.cumprod,
    "y = cumprod(a, axis=None, dtype=None)",
    a_bar="cast_back(unmerge_axes(products_before(conj(merge_axes(a, axis)))"
    " * recur_down(merge_axes(y_bar, axis), conj(merge_axes(a, axis))), shape(a), axis), dtype)",
    a_dot="cast_back(np.reshape(unmerge_axes(recur_up(merge_axes(y_bar, axis)"
    " * products_before(merge_axes(a, axis)), shift_left(merge_axes(a, axis))), shape(a), axis),"
    " np.shape(y)), dtype)",
    kind="scan",
)
if hasattr(np, "cumulative_sum"):
    rule(
        np.cumulative_sum,
        "y = cumulative_sum(x, *, axis=None, dtype=None, include_initial=False)",
        x_bar="reverse_cumsum(without_initial(y_bar, axis, include_initial), shape(x), axis, dtype)",
        kind="scan",
    )
    rule(
        np.cumulative_prod,
        "y = cumulative_prod(x, *, axis=None, dtype=None, include_initial=False)",
        x_bar="cast_back(unmerge_axes(products_before(conj(merge_axes(x, axis)))"
        " * recur_down(merge_axes(without_initial(y_bar, axis, include_initial), axis),"
        " conj(merge_axes(x, axis))), shape(x), axis), dtype)",
        x_dot="cast_back(with_initial(unmerge_axes(recur_up(merge_axes(y_bar, axis)"
        " * products_before(merge_axes(x, axis)), shift_left(merge_axes(x, axis))), shape(x), axis),"
        " axis, include_initial), dtype)",
        kind="scan",
    )
rule(
    np.diff,
    "y = diff(a, n=1, axis=-1)",
    a_bar="diff_transpose(y_bar, shape(a), n, axis)",
    shares="a where n=0",
    kind="same rank",
)
rule(
    np.ediff1d,
    "y = ediff1d(ary)",
    ary_bar="np.reshape(diff_transpose(y_bar, (size(ary),)), shape(ary))",
    kind="flat",
)
rule(
    np.trapezoid,
    "y = trapezoid(f, x=None, dx=1.0, axis=-1)",
    f_bar="sum_pairs_transpose(np.expand_dims(y_bar, axis) * conj(widths(x, dx, axis, ndim(f)) / 2),"
    " shape(f), axis)",
    x_bar="widths_transpose(np.expand_dims(y_bar, axis) * conj(sum_pairs(f, axis) / 2), shape(x), axis)",
    dx_bar="np.sum(unless_none(x, np.expand_dims(y_bar, axis) * conj(sum_pairs(f, axis) / 2)))",
    kind="integrated",
)
