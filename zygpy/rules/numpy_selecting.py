"""Rules of NumPy's functions that leave elements out, put others in or order them by parts."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import rule

rule(
    np.delete,
    "y = delete(arr, obj, axis=None)",
    arr_bar="elements_transpose(y_bar, shape(arr), np.delete(numbered(shape(arr)), obj, axis), True)",
    kind="flat unless axis",
)
rule(
    np.insert,
    "y = insert(arr, obj, values, axis=None)",
    arr_bar="elements_transpose(y_bar, shape(arr),"
    " np.insert(numbered(shape(arr)), obj, nowhere(shape(values)), axis), True)",
    values_bar="elements_transpose(cast_back(y_bar, dtype_kept(dtype(arr), dtype(values))), shape(values),"
    " np.insert(nowhere(shape(arr)), obj, numbered(shape(values)), axis))",
    arr_dot="elements_at(y_bar, np.insert(numbered(shape(arr)), obj, nowhere(shape(values)), axis))",
    values_dot="elements_at(cast_back(y_bar, dtype_kept(dtype(arr), dtype(values))),"
    " np.insert(nowhere(shape(arr)), obj, numbered(shape(values)), axis))",
    at="nothing comes back to floats that are cast to integers",
    kind="flat unless axis",
)
rule(
    np.choose,
    "y = choose(a, choices, *, mode='raise')",
    choices_bar="choice_transpose(y_bar, a, shapes(choices), mode)",
    kind="number-or-array",
)
rule(
    np.partition,
    "y = partition(a, kth, axis=-1, kind='introselect')",
    a_bar="elements_transpose(y_bar, shape(a), places_of_order(a, y, axis), True)",
    a_dot="elements_at(y_bar, places_of_order(a, y, axis))",
    at="equal elements are taken in their order",
    kind="flat unless axis",
)
rule(
    np.sort_complex,
    "y = sort_complex(a)",
    a_bar="elements_transpose(y_bar, shape(a), places_of_order(a, y), True)",
    a_dot="elements_at(y_bar, places_of_order(a, y))",
    kind="unknown",
)
rule(
    np.trim_zeros,
    "y = trim_zeros(filt, trim='fb', axis=None)",
    filt_bar="elements_transpose(y_bar, shape(filt), trimmed_places(filt, trim, axis), True)",
    filt_dot="y_bar[trimmed_window(filt, trim, axis)]",
    at="what is zero stays away",
    shares="filt",
    kind="unknown",
)
rule(
    np.lib.stride_tricks.sliding_window_view,
    "y = sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False)",
    x_bar="elements_transpose(y_bar, shape(x),"
    " np.lib.stride_tricks.sliding_window_view(numbered(shape(x)), window_shape, axis))",
    shares="x",
    kind="array",
)
rule(
    np.unwrap,
    "y = unwrap(p, discont=None, axis=-1, *, period=6.283185307179586)",
    p_bar="y_bar",
    period_bar="np.sum(y_bar * np.round((y - p) / period))",
    p_dot="y_bar",
    period_dot="y_bar * np.round((y - p) / period)",
    at="jumps that are as large as `discont` count as none",
    kind="number-or-array",
)
