"""Which programs stand for functions of NumPy in calls with certain keywords."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import (
    kinds_of_arrays,
    methods,
    numpys_value,
    other_views,
    padding,
    shaping,
    ufunc_programs,
    vectorized,
    wider_numbers,
)
from zygpy.runtime import numpy_keywords as programs

rule(
    numpys_value.as_numpy_gives,
    "y = as_numpy_gives(value, computed)",
    computed_bar="unbroadcast(y_bar, shape(computed))",
    computed_dot="y_bar",
    shares="value",
    kind="as computed",
    at="the derivative is that of what was computed",
)
non_differentiable(numpys_value.numpys, kind="unknown")
non_differentiable(
    programs.places_of_quantiles,
    padding.reflections,
    padding.lengths_given,
    shaping.pad_pairs,
    padding.options_of,
    kind="unknown",
)
non_differentiable(programs.subscripts_of, kind="str")
rule(
    padding.padded_simply,
    "y = padded_simply(array, pad_width, mode='constant', constant_values=0)",
    array_bar="pad_transpose(y_bar, shape(array), pad_width, mode)",
    constant_values_bar="pad_constant(y_bar, shape(array), pad_width, mode, shape(constant_values))",
    kind="same rank",
)
_ZEROS = "np.zeros(({}, *shape(rows)[1:]))"
_LOW, _ROWS, _HIGH = (_ZEROS.format(f"length({one})") for one in ("low", "rows", "high"))
rule(
    padding.between,
    "y = between(low, rows, high)",
    low_bar="cast_back(y_bar[:length(low)], dtype_kept(dtype(rows), dtype(low)))",
    rows_bar="y_bar[length(low) : length(low) + length(rows)]",
    high_bar="cast_back(y_bar[length(low) + length(rows) :], dtype_kept(dtype(rows), dtype(high)))",
    low_dot=f"np.concatenate((cast_back(y_bar, dtype_kept(dtype(rows), dtype(low))), {_ROWS}, {_HIGH}))",
    rows_dot=f"np.concatenate(({_LOW}, y_bar, {_HIGH}))",
    high_dot=f"np.concatenate(({_LOW}, {_ROWS}, cast_back(y_bar, dtype_kept(dtype(rows), dtype(high)))))",
    kind="like rows",
)
non_differentiable(
    ufunc_programs.after, ufunc_programs.at_all, ufunc_programs.axes_given, ufunc_programs.bounds_of_pieces,
    ufunc_programs.rounds, ufunc_programs.shape_of_items, kind="unknown",
)  # fmt: skip
non_differentiable(
    programs.check_layout, programs.check_no_mask, padding.check_mode,
    ufunc_programs.check_same, ufunc_programs.check_everywhere,
    kind="none",
)  # fmt: skip
non_differentiable(ufunc_programs.dtypes_of_operands, ufunc_programs.is_same, kind="unknown")

NEVER = 99
"""More positional arguments than any call has."""

for _name in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin"):
    stands_for(getattr(np, _name), getattr(programs, _name), "initial, where", NEVER)
for _name in ("nanvar", "nanstd"):
    stands_for(getattr(np, _name), getattr(programs, _name), "where, mean, correction", NEVER)
for _name in ("quantile", "percentile"):
    stands_for(getattr(np, _name), getattr(programs, _name), "weights", NEVER)
stands_for(np.clip, programs.clip, "dtype, casting, where, order, subok", NEVER)
stands_for(np.linspace, programs.linspace, "retstep", 4)
stands_for(np.logspace, programs.logspace, "dtype, axis", 5)
stands_for(np.geomspace, programs.geomspace, "dtype, axis", 4)
stands_for(np.interp, programs.interp, "period", 5)
stands_for(np.vander, programs.vander, "increasing", 2)
stands_for(np.intersect1d, programs.intersect1d, "return_indices", 3)
for _name in ("sqrt", "log", "log2", "log10", "logn", "power", "arccos", "arcsin", "arctanh"):
    stands_for(getattr(np.emath, _name), getattr(wider_numbers, _name))
stands_for(np.vectorize.__call__, vectorized.vectorized_call)
rule(
    kinds_of_arrays.carried,
    "y = carried(args, keywords)",
    args_bar="y_bar[0]",
    keywords_bar="y_bar[1]",
    kind="unknown",
    containers=True,
)
stands_for(np.matrix, kinds_of_arrays.of_matrices)
stands_for(methods.view, other_views.viewed, "dtype, type", 1)
rule(
    other_views.viewed_as,
    "y = viewed_as(a, dtype)",
    a_bar="other_views.viewed_back(y_bar, dtype(a))",
    a_dot="other_views.viewed_along(y_bar, dtype(a), dtype)",
    shares="a",
    kind="unknown",
)
non_differentiable(other_views.wanted_dtype, kind="unknown")
rule(
    np.lib.stride_tricks.as_strided,
    "y = as_strided(x, shape=None, strides=None, subok=False, writeable=True)",
    x_bar="elements_transpose(y_bar, shape(x), other_views.strided_places(x, shape, strides))",
    x_dot="other_views.strided_along(y_bar, x, shape, strides)",
    shares="x",
    kind="unknown",
)
stands_for(np.lib.stride_tricks.as_strided, other_views.strided)
rule(
    other_views.strided_view,
    "y = strided_view(x, chosen, shape, strides, subok, writeable)",
    x_bar="elements_transpose(y_bar, shape(x), chosen)",
    x_dot="other_views.strided_along(y_bar, x, shape, strides)",
    shares="x",
    kind="unknown",
)
non_differentiable(other_views.strided_places, kind="array")
library("other_views", other_views)
stands_for(np.nditer, kinds_of_arrays.walked_over)
non_differentiable(kinds_of_arrays.refuse_masked, kinds_of_arrays.refuse_matrices, kind="none")
non_differentiable(kinds_of_arrays.refuse_nditer, kind="none")
non_differentiable(vectorized.check_vectorized, vectorized.check_results, kind="none")
non_differentiable(vectorized.types_of, vectorized.cores_of, vectorized.lengths_of, kind="unknown")
