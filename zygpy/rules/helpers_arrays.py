"""Rules of the run-time helpers of reductions, scans and sampling, so that adjoints have adjoints."""

from __future__ import annotations

from zygpy.rules.declare import library, non_differentiable, rule
from zygpy.runtime import broadcast, methods, nesting, reductions, sampling, scans, scans_along

library("scans_along", scans_along)

rule(
    broadcast.unbroadcast,
    "y = unbroadcast(value, shape)",
    value_bar="rebroadcast(y_bar, shape(value))",
    shares="value",
    kind="to shape",
)
rule(
    broadcast.rebroadcast,
    "y = rebroadcast(value, shape)",
    value_bar="unbroadcast(y_bar, shape(value))",
    shares="value",
    kind="to shape",
)
rule(
    broadcast.unreduce,
    "y = unreduce(value, shape, axis=None, keepdims=False, dtype=None, where=True)",
    value_bar="np.reshape(rereduce(y_bar, axis, keepdims, dtype, where), shape(value))",
    shares="value",
    kind="to shape",
)
rule(
    broadcast.rereduce,
    "y = rereduce(value, axis=None, keepdims=False, dtype=None, where=True)",
    value_bar="unreduce(y_bar, shape(value), axis, keepdims, dtype, where)",
)
non_differentiable(broadcast.count_reduced, kind="int")
non_differentiable(reductions.freedom, kind="float")
non_differentiable(reductions.count_chosen, reductions.freedom_chosen, kind="number-or-array")
non_differentiable(reductions.extreme_places, reductions.mask_of, kind="unknown")
non_differentiable(reductions.dtype_of_squares, kind="unknown")
non_differentiable(reductions.count_numbers, kind="number-or-array")
rule(
    reductions.mean_of_numbers,
    "y = mean_of_numbers(a, axis=None)",
    a_bar="np.where(np.isnan(a), 0, np.broadcast_to(y_bar / count_numbers(a, axis, True), shape(a)))",
    a_dot="np.sum(np.where(np.isnan(a), 0, y_bar), axis=axis, keepdims=True) / count_numbers(a, axis, True)",
)
rule(
    reductions.merge_axes,
    "y = merge_axes(value, axis)",
    value_bar="unmerge_axes(y_bar, shape(value), axis)",
    shares="value",
    kind="array",
)
rule(
    reductions.unmerge_axes,
    "y = unmerge_axes(value, shape, axis)",
    value_bar="np.reshape(merge_axes(y_bar, axis), shape(value))",
    shares="value",
    kind="to shape",
)
non_differentiable(
    reductions.max_positions,
    reductions.min_positions,
    reductions.nanmax_positions,
    reductions.nanmin_positions,
    reductions.lower_median_positions,
    reductions.upper_median_positions,
    kind="unknown",
)
rule(
    reductions.put_positions,
    "y = put_positions(value, positions, shape, axis=None, keepdims=False)",
    value_bar="take_positions(y_bar, positions, axis, keepdims)",
    kind="to shape",
)
rule(
    reductions.take_positions,
    "y = take_positions(value, positions, axis=None, keepdims=False)",
    value_bar="put_positions(y_bar, positions, shape(value), axis, keepdims)",
)
rule(
    reductions.spread_weights,
    "y = spread_weights(weights, shape, axis=None, dtype=None)",
    weights_bar="gather_weights(y_bar, shape(weights), axis)",
    shares="weights",
    kind="array",
)
rule(
    reductions.gather_weights,
    "y = gather_weights(value, shape, axis=None)",
    value_bar="spread_weights(y_bar, shape(value), axis)",
    shares="value",
    kind="to shape",
)
rule(
    reductions.quotient,
    "y = quotient(a, b)",
    a_bar="unbroadcast(quotient(y_bar, conj(b)), shape(a))",
    b_bar="-unbroadcast(quotient(y_bar * conj(y), conj(b)), shape(b))",
    a_dot="quotient(y_bar, b)",
    b_dot="-quotient(y_bar * y, b)",
    kind="quotient",
    at="0 where b == 0",
)
rule(
    reductions.as_dtype,
    "y = as_dtype(value, dtype=None)",
    value_bar="y_bar if dtype is None else uncast(y_bar, dtype(value), dtype)",
    shares="value",
)
rule(
    reductions.cast_back,
    "y = cast_back(value, dtype=None)",
    value_bar="cast_back(y_bar, dtype)",
    shares="value",
    kind="cast back",
)

rule(
    scans.added_in_pieces,
    "y = added_in_pieces(array, indices, axis=0, dtype=None)",
    array_bar="spread_over_pieces("
    "cast_back(y_bar, None if dtype is None else dtype_kept(dtype, dtype(array))),"
    " shape(array), indices, axis)",
    array_dot="cast_back(added_in_pieces(y_bar, indices, axis),"
    " None if dtype is None else dtype_kept(dtype, dtype(array)))",
    kind="array",
)
rule(
    scans.spread_over_pieces,
    "y = spread_over_pieces(value, shape, indices, axis=0)",
    value_bar="added_in_pieces(y_bar, indices, axis)",
    kind="array",
)
rule(
    scans.products_of_others,
    "y = products_of_others(x, axis=None)",
    x_bar="unmerge_axes("
    "products_before(conj(merge_axes(x, axis))) * recur_down(shift_left(merge_axes(y_bar, axis)"
    " * products_after(conj(merge_axes(x, axis)))), conj(merge_axes(x, axis)))"
    " + products_after(conj(merge_axes(x, axis))) * recur_up(shift_right(merge_axes(y_bar, axis)"
    " * products_before(conj(merge_axes(x, axis)))), conj(merge_axes(x, axis))), shape(x), axis)",
    x_dot="scans_along.products_of_others_along(x, y_bar, axis)",
)
rule(
    scans.products_before,
    "y = products_before(x)",
    x_bar="products_before(conj(x)) * recur_down(shift_left(y_bar), conj(x))",
    x_dot="recur_up(shift_right(y * y_bar), x)",
    kind="like x",
)
rule(
    scans.products_after,
    "y = products_after(x)",
    x_bar="products_after(conj(x)) * recur_up(shift_right(y_bar), conj(x))",
    x_dot="recur_down(shift_left(y * y_bar), x)",
    kind="like x",
)
rule(
    scans.recur_down,
    "y = recur_down(value, x)",
    value_bar="recur_up(y_bar, shift_left(conj(x)))",
    x_bar="shift_right(recur_up(y_bar, shift_left(conj(x)))) * conj(y)",
    value_dot="recur_down(y_bar, x)",
    x_dot="recur_down(shift_left(y_bar * y), x)",
    kind="array",
)
rule(
    scans.recur_up,
    "y = recur_up(value, x)",
    value_bar="recur_down(y_bar, shift_right(conj(x)))",
    x_bar="shift_left(recur_down(y_bar, shift_right(conj(x)))) * conj(y)",
    value_dot="recur_up(y_bar, x)",
    x_dot="recur_up(shift_right(y_bar * y), x)",
    kind="array",
)
rule(scans.shift_right, "y = shift_right(value)", value_bar="shift_left(y_bar)", kind="like value")
rule(scans.shift_left, "y = shift_left(value)", value_bar="shift_right(y_bar)", kind="like value")
rule(
    scans.reverse_cumsum,
    "y = reverse_cumsum(value, shape, axis=None, dtype=None)",
    value_bar="cast_back(np.cumsum(y_bar, axis=axis), dtype)",
)
rule(
    scans.without_initial,
    "y = without_initial(value, axis, include_initial)",
    value_bar="with_initial(y_bar, axis, include_initial)",
    shares="value",
    kind="array",
)
rule(
    scans.with_initial,
    "y = with_initial(value, axis, include_initial)",
    value_bar="without_initial(y_bar, axis, include_initial)",
    shares="value",
    kind="array",
)
rule(
    scans.with_leading_zeros,
    "y = with_leading_zeros(value, count)",
    value_bar="without_leading_terms(y_bar, value)",
    tangent="together",
    kind="array",
)
rule(
    scans.without_leading_terms,
    "y = without_leading_terms(value, model)",
    value_bar="with_leading_zeros(y_bar, length(value))",
    shares="value",
    kind="array",
)
rule(
    scans.diff_transpose,
    "y = diff_transpose(value, shape, n=1, axis=-1)",
    value_bar="np.diff(y_bar, n, axis)",
    shares="value",
    kind="array",
)
rule(
    scans.sum_pairs,
    "y = sum_pairs(f, axis=-1)",
    f_bar="sum_pairs_transpose(y_bar, shape(f), axis)",
    kind="array",
)
rule(
    scans.sum_pairs_transpose,
    "y = sum_pairs_transpose(value, shape, axis=-1)",
    value_bar="rebroadcast(unbroadcast(sum_pairs(y_bar, axis), shape(value)), shape(value))",
    kind="array",
)
rule(
    scans.widths,
    "y = widths(x, dx, axis, rank)",
    x_bar="widths_transpose(y_bar, shape(x), axis)",
    dx_bar="np.sum(unless_none(x, y_bar))",
    x_dot="widths(y_bar, 1.0, axis, rank)",
    dx_dot="y_bar if x is None else np.zeros(np.shape(y))",
)
rule(
    scans.widths_transpose,
    "y = widths_transpose(value, shape, axis=-1)",
    value_bar="rebroadcast(widths(y_bar, 1.0, axis, ndim(value)), shape(value))",
    kind="array",
)

rule(
    sampling.unsort,
    "y = unsort(value, order, shape, axis=-1)",
    value_bar="np.take_along_axis(y_bar, order, axis)",
    kind="array",
)
rule(
    sampling.interval_values,
    "y = interval_values(values, x, xp)",
    values_bar="interval_sums(y_bar, x, xp)",
)
rule(
    sampling.interval_sums,
    "y = interval_sums(values, x, xp)",
    values_bar="interval_values(y_bar, x, xp)",
    kind="array",
)
_RISES = "np.diff(np.multiply(xp, np.float64(1.0)))"
_SLOPES = f"quotient(np.diff(np.broadcast_to(y_bar, shape(xp))), {_RISES})"
rule(
    sampling.interpolate_transpose,
    "y = interpolate_transpose(value, x, xp)",
    value_bar="np.interp(x, xp, np.broadcast_to(y_bar, shape(xp)))",
    x_bar=f"conj(value) * interval_values({_SLOPES}, x, xp)",
    xp_bar=f"-interpolate_transpose(conj(value) * interval_values({_SLOPES}, x, xp), x, xp)",
    value_dot="interpolate_transpose(y_bar, x, xp)",
    x_dot=f"diff_transpose(quotient(interval_sums(value * y_bar, x, xp), {_RISES}), shape(xp))",
    xp_dot=f"-diff_transpose(quotient(interval_sums(value * np.interp(x, xp, y_bar), x, xp), {_RISES}),"
    " shape(xp))",
    kind="array",
)
for _name, _mode in (("convolve", "full"), ("correlate", "valid")):
    rule(
        getattr(sampling, f"{_name}_full"),
        f"y = {_name}_full(value, length_a, length_v, mode={_mode!r})",
        value_bar=f"{_name}_part(y_bar, length_a, length_v, mode)",
        kind="array",
    )
    rule(
        getattr(sampling, f"{_name}_part"),
        f"y = {_name}_part(value, length_a, length_v, mode={_mode!r})",
        value_bar=f"{_name}_full(y_bar, length_a, length_v, mode)",
        shares="value",
        kind="array",
    )
non_differentiable(sampling.taken_outside, kind="number-or-array")
non_differentiable(sampling.window_arcs, sampling.falling, sampling.steps, kind="array")
rule(
    sampling.powers,
    "y = powers(x, count)",
    x_bar="np.sum(y_bar[:, :-1] * conj(powers(x, count - 1)) * falling(count, dtype(x)), axis=1)",
    x_dot="polynomials.slopes_of_powers(x, y_bar, np.shape(y)[1])",
    kind="array",
)
non_differentiable(sampling.chosen_dtype, nesting.if_regular, kind="unknown")
non_differentiable(nesting.nesting, call="y = nesting(x)", kind="nesting")
rule(
    sampling.range_start,
    "y = range_start(value, stop)",
    value_bar="range_start_transpose(y_bar, stop, size(value))",
)
rule(
    sampling.range_start_transpose,
    "y = range_start_transpose(value, stop, count)",
    value_bar="range_start(y_bar, stop)",
    kind="array",
)
rule(sampling.unless_none, "y = unless_none(given, value)", value_bar="unless_none(given, y_bar)")
rule(
    nesting.unnest,
    "y = unnest(value, structure, dtype=None)",
    value_bar="renest(y_bar, shape(value), dtype)",
    shares="value",
    kind="unnested",
)
rule(
    nesting.renest,
    "y = renest(parts, shape, dtype=None)",
    parts_bar="unnest(y_bar, nesting(parts), dtype)",
    shares="parts",
    containers=True,
    kind="nested again",
)
rule(
    nesting.in_one_array,
    "y = in_one_array(parts, shape)",
    parts_bar="y_bar if shape is None else unnest(y_bar, nesting(parts))",
    shares="parts",
    containers=True,
    kind="unknown",
)
non_differentiable(nesting.shape_of_array, kind="unknown")
rule(
    methods.uncast,
    "y = uncast(value, source, target)",
    value_bar="cast_back(y_bar, dtype_kept(target, source))",
    shares="value",
)
rule(
    methods.item_transpose,
    "y = item_transpose(value, shape, args)",
    value_bar="item_of(y_bar, args)",
)
rule(methods.part_of_number, "y = part_of_number(a, index)", a_bar="unbroadcast(y_bar, shape(a))")
rule(
    methods.item_of,
    "y = item_of(a, args)",
    a_bar="item_transpose(y_bar, shape(a), args)",
)
non_differentiable(scans.tame, kind="bool")
