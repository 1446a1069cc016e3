"""Rules of NumPy's sorting and interpolation, and of searching, counting and testing (no gradient)."""

from __future__ import annotations

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from zygpy.rules.declare import non_differentiable, rule

rule(
    np.sort,
    "y = sort(a, axis=-1, kind=None, *, stable=None)",
    a_bar="unsort(y_bar, np.argsort(a, axis=axis, kind=kind, stable=stable), shape(a), axis)",
    a_dot="np.take_along_axis(y_bar, np.argsort(a, axis=axis, kind=kind, stable=stable), axis)",
    kind="flat unless axis",
)
_RISES = "np.diff(np.multiply({}, np.float64(1.0)))"  # in which the differences of small integers fit
_SLOPES = f"quotient({_RISES.format('fp')}, {_RISES.format('xp')})"
_WHERE_GIVEN = "(({0}) if right is None else ({1})) if left is None else ({1})"
rule(
    np.interp,
    "y = interp(x, xp, fp, left=None, right=None)",
    x_bar=f"y_bar * conj(interval_values({_SLOPES}, x, xp))",
    fp_bar=_WHERE_GIVEN.format(
        "interpolate_transpose(y_bar, x, xp)",
        "interpolate_transpose(np.where(taken_outside(x, xp, left, right), 0, y_bar), x, xp)",
    ),
    x_dot=f"y_bar * interval_values({_SLOPES}, x, xp)",
    fp_dot=_WHERE_GIVEN.format(
        "np.interp(x, xp, y_bar)",
        "np.where(taken_outside(x, xp, left, right), 0, np.interp(x, xp, y_bar))",
    ),
    xp_dot=f"-np.interp(x, xp, y_bar) * interval_values({_SLOPES}, x, xp)",
    left_dot="np.where(np.less(x, xp[0]), y_bar, 0)",
    right_dot="np.where(np.greater(x, xp[-1]), y_bar, 0)",
    left_bar="np.sum(np.where(np.less(x, xp[0]), y_bar, 0))",
    right_bar="np.sum(np.where(np.greater(x, xp[-1]), y_bar, 0))",
    xp_bar=f"-interpolate_transpose(y_bar * conj(interval_values({_SLOPES}, x, xp)), x, xp)",
    at="the slope to the right at a sample, 0 outside",
    kind="interpolated",
)
rule(
    np.convolve,
    "y = convolve(a, v, mode='full')",
    a_bar="np.correlate(convolve_full(y_bar, size(a), size(v), mode), v)",
    v_bar="np.correlate(convolve_full(y_bar, size(a), size(v), mode), a)",
    kind="vector",
)
rule(
    np.correlate,
    "y = correlate(a, v, mode='valid')",
    a_bar="np.correlate(correlate_full(y_bar, size(a), size(v), mode), conj(np.flip(v)))",
    v_bar="conj(np.flip(np.correlate(correlate_full(y_bar, size(a), size(v), mode), a)))",
    kind="vector",
)
rule(
    np.polyval,
    "y = polyval(p, x)",
    p_bar="np.tensordot(y_bar, conj(np.reshape(powers(np.ravel(x), length(p)), shape(x) + (length(p),))),"
    " ndim(x))",
    x_bar="y_bar * conj(np.polyval(p[:-1] * falling(length(p), dtype(p)), x))",
    p_dot="np.polyval(y_bar, x)",
    x_dot="y_bar * np.polyval(p[:-1] * falling(length(p), dtype(p)), x)",
    kind="values of polynomial",
)

rule(
    np.bincount,
    "y = bincount(x, weights=None, minlength=0)",
    weights_bar="np.reshape(np.take(y_bar, x), shape(weights))",
    kind="counts",
)

for _position in (np.argmax, np.argmin, np.nanargmax, np.nanargmin):
    non_differentiable(_position, kind="position", call="y = argmax(a, axis=None, *, keepdims=False)")
non_differentiable(
    np.argsort, kind="order", call="y = argsort(a, axis=-1, kind=None, order=None, *, stable=None)"
)
non_differentiable(
    np.argpartition, kind="order", call="y = argpartition(a, kth, axis=-1, kind='introselect', order=None)"
)
non_differentiable(np.searchsorted, kind="places", call="y = searchsorted(a, v, side='left', sorter=None)")
non_differentiable(
    np.digitize,
    np.count_nonzero,
    np.lexsort,
    np.flatnonzero,
    np.argwhere,
    kind="unknown",
)
non_differentiable(np.nonzero, np.unravel_index, np.broadcast_shapes, kind="tuple")
non_differentiable(normalize_axis_index, normalize_axis_tuple, kind="unknown")
non_differentiable(np.shape, kind="shape", call="y = shape(a)")
non_differentiable(np.ndim, np.size, kind="int")
non_differentiable(np.ravel_multi_index, kind="unknown")
non_differentiable(
    np.array_equal,
    np.array_equiv,
    np.allclose,
    np.iscomplexobj,
    np.isrealobj,
    np.isscalar,
    np.may_share_memory,
    np.shares_memory,
    np.can_cast,
    np.issubdtype,
    np.isdtype,
    np.isfortran,
    np.iterable,
    kind="bool",
)
for _test in (np.all, np.any):
    non_differentiable(_test, kind="truth", call="y = all(a, axis=None, *, keepdims=False, where=True)")
non_differentiable(np.isin, np.mask_indices, np.common_type, np.einsum_path, kind="unknown")
non_differentiable(np.mintypecode, kind="str")
non_differentiable(np.result_type, np.promote_types, np.min_scalar_type, np.finfo, np.iinfo, kind="unknown")
non_differentiable(np.array2string, np.array_repr, np.array_str, kind="str")
