"""Rules of NumPy's sums, products, extremes, moments and scans."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import alias, rule

_CAST = "(a if dtype is None else as_dtype(a, dtype))"
_CAST_X = "(x if dtype is None else as_dtype(x, dtype))"
"""The numbers that a reduction multiplies."""
_KEPT = "(None if dtype is None else dtype_kept(dtype, dtype({})))"
_KEPT_A, _KEPT_X = _KEPT.format("a"), _KEPT.format("x")
"""The dtype that cuts what comes back: integers that are added up as others stay what they are."""

rule(
    np.sum,
    "y = sum(a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True)",
    a_bar="unreduce(y_bar, shape(a), axis, keepdims, dtype, where) if dtype is None"
    " else unreduce(y_bar, shape(a), axis, keepdims, dtype_kept(dtype, dtype(a)), where)",
    initial_bar="np.sum(cast_back(y_bar, None if dtype is None else dtype_kept(dtype, dtype(initial))))",
    kind="sum",
)
rule(
    np.mean,
    "y = mean(a, axis=None, dtype=None, *, keepdims=False, where=None)",
    a_bar="unreduce(y_bar / count_reduced(shape(a), axis), shape(a), axis, keepdims, dtype)"
    " if where is None else"
    " unreduce(y_bar / count_chosen(shape(a), dtype(a), axis, keepdims, where),"
    " shape(a), axis, keepdims, dtype, where)",
    kind="mean",
)
rule(
    np.prod,
    "y = prod(a, axis=None, dtype=None, *, keepdims=False, initial=None, where=None)",
    a_bar="unreduce(y_bar if initial is None else y_bar * conj(initial),"
    f" shape(a), axis, keepdims, {_KEPT_A})"
    f" * conj(products_of_others({_CAST}, axis))"
    " if where is None else"
    " unreduce(y_bar if initial is None else y_bar * conj(initial),"
    f" shape(a), axis, keepdims, {_KEPT_A}, where)"
    f" * conj(products_of_others(np.where(where, {_CAST}, 1), axis))",
    initial_bar=f"np.sum(cast_back(y_bar, dtype) * conj(np.prod({_CAST}, axis=axis, keepdims=keepdims)))"
    " if where is None else"
    " np.sum(cast_back(y_bar, dtype)"
    f" * conj(np.prod(np.where(where, {_CAST}, 1), axis=axis, keepdims=keepdims)))",
    a_dot=f"cast_back(np.sum((products_of_others({_CAST}, axis) if where is None else"
    f" np.where(where, products_of_others(np.where(where, {_CAST}, 1), axis), 0)) * y_bar,"
    f" axis=axis, keepdims=keepdims) * (1 if initial is None else initial), {_KEPT_A})",
    initial_dot=f"cast_back(y_bar * np.prod({_CAST} if where is None else np.where(where, {_CAST}, 1),"
    " axis=axis, keepdims=keepdims), dtype)",
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
    a_dot="np.average(y_bar, axis, weights, keepdims=keepdims)",
    weights_dot="np.sum(spread_weights(y_bar, shape(a), axis, dtype(a))"
    " * (a - unreduce(y, shape(a), axis, keepdims)), axis=axis, keepdims=keepdims)"
    " / np.sum(spread_weights(weights, shape(a), axis, dtype(a)), axis=axis, keepdims=keepdims)",
    kind="average",
)

for _name in ("max", "min"):
    _places = f"extreme_places(a, axis, keepdims, initial, where, {_name == 'min'})"
    rule(
        getattr(np, _name),
        f"y = {_name}(a, axis=None, *, keepdims=False, initial=None, where=None)",
        a_bar=f"put_positions(y_bar, {_name}_positions(a, axis), shape(a), axis, keepdims)"
        f" if initial is None else elements_transpose(y_bar, shape(a), {_places})",
        initial_bar=f"np.sum(np.where({_places} < 0, y_bar, 0))",
        a_dot=f"take_positions(y_bar, {_name}_positions(a, axis), axis, keepdims)"
        f" if initial is None else elements_at(y_bar, {_places})",
        initial_dot=f"np.where({_places} < 0, y_bar, 0)",
        at="the first of equal elements gets it all, before the initial value",
        kind="extreme",
    )
for _name in ("nanmax", "nanmin"):
    rule(
        getattr(np, _name),
        f"y = {_name}(a, axis=None, *, keepdims=False)",
        a_bar=f"put_positions(y_bar, {_name}_positions(a, axis), shape(a), axis, keepdims)",
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
# The mean to which deviations refer is that of the numbers themselves: deviations may be no larger than what
# rounding to fewer digits does to it.
_PRECISE = "(a if dtype is None else as_dtype(a, np.result_type(np.asarray(np.real(a)), dtype)))"
_PLAIN_DEVIATION = f"(a - np.mean({_PRECISE}, axis=axis, keepdims=True))"
_DEVIATION = (
    "np.where(mask_of(where), a"
    f" - (np.mean({_PRECISE}, axis=axis, keepdims=True, where=mask_of(where))"
    " if mean is None else mean), 0)"
)
_FREEDOM = "freedom_chosen(shape(a), dtype(a), axis, keepdims, where, ddof, correction)"
_SUMMED = "axis=axis, keepdims=keepdims, where=mask_of(where)"
_TOGETHER = "(shape(a) if mean is None else np.broadcast_shapes(shape(a), shape(mean)))"
_SQUARES = "dtype_of_squares(dtype(a), dtype(mean))"
_SEED = f"(np.real(y_bar) if mean is None else as_real_as(y_bar, {_SQUARES}))"
_CONJUGATE = f"({_DEVIATION} if mean is None else conj_as({_DEVIATION}, {_SQUARES}))"
_PRODUCT = (
    f"(np.real(conj({_DEVIATION}) * y_bar) if mean is None else"
    f" as_real_as(conj(conj_as({_DEVIATION}, {_SQUARES})) * y_bar, {_SQUARES}))"
)
for _name, _seed, _any, _moved, _at in (  # `_any`: with a mean that may be complex
    ("var", "np.real(y_bar) * 2", f"{_SEED} * 2", "2 * {}", ""),
    (
        "std",
        "quotient(np.real(y_bar), y)",
        f"quotient({_SEED}, conj(y))",
        "quotient({}, y)",
        "0 where y == 0",
    ),
):
    _plain = (
        f"unreduce({_seed} / freedom(shape(a), axis, ddof), shape(a), axis, keepdims, dtype)"
        f" * {_PLAIN_DEVIATION}"
    )
    _general = (
        f"unreduce({_any} / {_FREEDOM}, {_TOGETHER}, axis, keepdims, dtype, mask_of(where)) * {_CONJUGATE}"
    )
    _dot = f"cast_back({_moved.format(f'np.sum({_PRODUCT}, {_SUMMED})')} / {_FREEDOM}, dtype)"
    rule(
        getattr(np, _name),
        f"y = {_name}(a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=None, mean=None,"
        " correction=None)",
        a_bar=f"((({_plain}) if correction is None else ({_general})) if where is None else ({_general}))"
        f" if mean is None else unbroadcast({_general}, shape(a))",
        mean_bar=f"-unbroadcast({_general}, shape(mean))",
        a_dot=_dot,
        mean_dot=f"-({_dot})",
        at=_at,
        kind="spread",
        refused=dict.fromkeys(("ddof", "correction"), "degrees of freedom are counted."),
    )
rule(
    np.cumsum,
    "y = cumsum(a, axis=None, dtype=None)",
    a_bar=f"reverse_cumsum(y_bar, shape(a), axis, {_KEPT_A})",
    kind="scan",
)
rule(
    np.cumprod,
    "y = cumprod(a, axis=None, dtype=None)",
    a_bar=f"cast_back(unmerge_axes(products_before(conj(merge_axes({_CAST}, axis)))"
    f" * recur_down(merge_axes(y_bar, axis), conj(merge_axes({_CAST}, axis))), shape(a), axis),"
    f" {_KEPT_A})",
    a_dot="cast_back(np.reshape(unmerge_axes(recur_up(merge_axes(y_bar, axis)"
    f" * products_before(merge_axes({_CAST}, axis)), shift_left(merge_axes({_CAST}, axis))), shape(a), axis),"
    f" np.shape(y)), {_KEPT_A})",
    kind="scan",
)
if hasattr(np, "cumulative_sum"):
    rule(
        np.cumulative_sum,
        "y = cumulative_sum(x, *, axis=None, dtype=None, include_initial=False)",
        x_bar=f"reverse_cumsum(without_initial(y_bar, axis, include_initial), shape(x), axis, {_KEPT_X})",
        kind="scan",
    )
    rule(
        np.cumulative_prod,
        "y = cumulative_prod(x, *, axis=None, dtype=None, include_initial=False)",
        x_bar=f"cast_back(unmerge_axes(products_before(conj(merge_axes({_CAST_X}, axis)))"
        " * recur_down(merge_axes(without_initial(y_bar, axis, include_initial), axis),"
        f" conj(merge_axes({_CAST_X}, axis))), shape(x), axis), {_KEPT_X})",
        x_dot="cast_back(with_initial(unmerge_axes(recur_up(merge_axes(y_bar, axis)"
        f" * products_before(merge_axes({_CAST_X}, axis)),"
        f" shift_left(merge_axes({_CAST_X}, axis))), shape(x), axis),"
        f" axis, include_initial), {_KEPT_X})",
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
