"""Rules of NumPy's functions that move, join, split, repeat or pick elements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from zygpy.rules.declare import REGISTRY, alias, non_differentiable, rule, stands_for
from zygpy.runtime import layouts, methods
from zygpy.runtime.joining import JOINING

MANY = 99
"""More positional arguments than any call has."""

rule(
    np.reshape,
    "y = reshape(a, shape, order='C', *, copy=None)",
    a_bar="reshape_back(y_bar, shape(a), order)",
    shares="a",
    kind="reshape",
)
rule(
    np.ravel,
    "y = ravel(a, order='C')",
    a_bar="reshape_back(y_bar, shape(a), order)",
    shares="a",
    kind="flat",
)
REGISTRY[methods.ravel] = replace(
    REGISTRY[np.ravel],
    call="y = ravel(a, order=None)",
    bars={"a": "reshape_back(y_bar, shape(a)) if order is None else reshape_back(y_bar, shape(a), order)"},
    dots={"a": "np.ravel(y_bar) if order is None else layouts.ravel_along(y_bar, a, order)"},
)
rule(
    layouts.reshaped,
    "y = reshaped(a, shape, order, copy=None)",
    a_bar="reshape_back(y_bar, shape(a), order)",
    shares="a",
    kind="reshape",
)
non_differentiable(layouts.axes_as_read, kind="unknown")
non_differentiable(layouts.settled_order, kind="str")
stands_for(np.ravel, layouts.ravel, "order", 1)
stands_for(np.reshape, layouts.reshape, "order", 2)
stands_for(methods.ravel, layouts.ravel, "order", 1)
stands_for(methods.flatten, layouts.flatten, "order", 1)
stands_for(methods.reshape, layouts.reshape_method, "order", MANY)
rule(
    np.transpose,
    "y = transpose(a, axes=None)",
    a_bar="np.transpose(y_bar, inverse_axes(axes))",
    shares="a",
    kind="view a",
)
rule(
    np.matrix_transpose,
    "y = matrix_transpose(x)",
    x_bar="np.matrix_transpose(y_bar)",
    shares="x",
    kind="view x",
)
rule(
    np.swapaxes,
    "y = swapaxes(a, axis1, axis2)",
    a_bar="np.swapaxes(y_bar, axis1, axis2)",
    shares="a",
    kind="view a",
)
rule(
    np.moveaxis,
    "y = moveaxis(a, source, destination)",
    a_bar="np.moveaxis(y_bar, destination, source)",
    shares="a",
    kind="view a",
)
rule(
    np.rollaxis,
    "y = rollaxis(a, axis, start=0)",
    a_bar="np.transpose(y_bar, inverse_axes(rolled_axes(ndim(a), axis, start)))",
    shares="a",
    kind="view a",
)
rule(
    np.squeeze,
    "y = squeeze(a, axis=None)",
    a_bar="np.reshape(y_bar, shape(a))",
    shares="a",
    kind="squeeze",
)
rule(
    np.expand_dims,
    "y = expand_dims(a, axis)",
    a_bar="np.reshape(y_bar, shape(a))",
    shares="a",
    kind="expand",
)
rule(
    np.broadcast_to,
    "y = broadcast_to(array, shape, subok=False)",
    array_bar="unbroadcast(y_bar, shape(array))",
    shares="array",
    kind="broadcast",
)
rule(
    np.broadcast_arrays,
    "y = broadcast_arrays(*args, subok=False)",
    args_bar="unbroadcast_each(y_bar, shapes(args))",
    shares="args",
    kind="tuple",
)
_LEAST = {
    np.atleast_1d: "at least vector",
    np.atleast_2d: "at least matrix",
    np.atleast_3d: "unknown",
}
for _function, _kind in _LEAST.items():
    rule(
        _function,
        f"y = {_function.__name__}(*arys)",
        arys_bar="reshape_each(y_bar, shapes(arys))",
        shares="arys",
        kind=_kind,
    )

rule(
    np.concatenate,
    "y = concatenate(arrays, axis=0)",
    arrays_bar="split_parts(y_bar, shapes(arrays), axis)",
    kind="concatenate",
)
rule(np.stack, "y = stack(arrays, axis=0)", arrays_bar="unstack(y_bar, axis)", kind="stack")
rule(
    np.vstack,
    "y = vstack(tup)",
    tup_bar="split_parts(y_bar, shapes(tup), 0, 'rows')",
    kind="rows",
)
rule(
    np.hstack,
    "y = hstack(tup)",
    tup_bar="split_parts(y_bar, shapes(tup), line_axis(shapes(tup)), 'line')",
    kind="line",
)
rule(
    np.column_stack,
    "y = column_stack(tup)",
    tup_bar="split_parts(y_bar, shapes(tup), 1, 'columns')",
    kind="rows",
)
rule(
    np.dstack,
    "y = dstack(tup)",
    tup_bar="split_parts(y_bar, shapes(tup), 2, 'depth')",
    kind="depth",
)
rule(
    np.append,
    "y = append(arr, values, axis=None)",
    arr_bar="split_parts(y_bar, (shape(arr), shape(values)), axis)[0]",
    values_bar="split_parts(y_bar, (shape(arr), shape(values)), axis)[1]",
    kind="append",
)

if hasattr(np, "unstack"):
    rule(
        np.unstack,
        "y = unstack(x, *, axis=0)",
        x_bar="restack(y_bar, shape(x), axis)",
        shares="x",
        kind="tuple",
    )
rule(
    np.block,
    "y = block(arrays)",
    arrays_bar="block_parts(y_bar, arrays)",
    tangent="together",
    kind="number-or-array",
)

for _split in ("split", "array_split"):
    rule(
        getattr(np, _split),
        f"y = {_split}(ary, indices_or_sections, axis=0)",
        ary_bar="join_split(y_bar, shape(ary), indices_or_sections, axis)",
        shares="ary",
        kind="pieces",
    )
rule(
    np.vsplit,
    "y = vsplit(ary, indices_or_sections)",
    ary_bar="join_split(y_bar, shape(ary), indices_or_sections, 0)",
    shares="ary",
    kind="pieces",
)
rule(
    np.hsplit,
    "y = hsplit(ary, indices_or_sections)",
    ary_bar="join_split(y_bar, shape(ary), indices_or_sections, line_axis((shape(ary),)))",
    shares="ary",
    kind="pieces",
)
rule(
    np.dsplit,
    "y = dsplit(ary, indices_or_sections)",
    ary_bar="join_split(y_bar, shape(ary), indices_or_sections, 2)",
    shares="ary",
    kind="pieces",
)

rule(
    np.repeat,
    "y = repeat(a, repeats, axis=None)",
    a_bar="unrepeat(y_bar, shape(a), repeats, axis)",
    kind="flat unless axis",
)
rule(np.tile, "y = tile(A, reps)", A_bar="untile(y_bar, shape(A), reps)", kind="tile")
rule(np.flip, "y = flip(m, axis=None)", m_bar="np.flip(y_bar, axis)", shares="m", kind="like m")
rule(np.fliplr, "y = fliplr(m)", m_bar="np.fliplr(y_bar)", shares="m", kind="like m")
rule(np.flipud, "y = flipud(m)", m_bar="np.flipud(y_bar)", shares="m", kind="like m")
rule(
    np.rot90,
    "y = rot90(m, k=1, axes=(0, 1))",
    m_bar="np.rot90(y_bar, -k, axes)",
    shares="m",
    kind="like m",
)
rule(
    np.roll,
    "y = roll(a, shift, axis=None)",
    a_bar="unroll(y_bar, shift, axis)",
    kind="view a",
)
rule(
    np.pad,
    "y = pad(array, pad_width, mode='constant', constant_values=0)",
    array_bar="pad_transpose(y_bar, shape(array), pad_width, mode)",
    constant_values_bar="pad_constant(y_bar, shape(array), pad_width, mode, shape(constant_values))",
    kind="same rank",
    note="modes constant, empty, edge, reflect, symmetric and wrap",
)

rule(
    np.take,
    "y = take(a, indices, axis=None, *, mode='raise')",
    a_bar="take_transpose(y_bar, shape(a), indices, axis, mode)",
    kind="taken",
)
rule(
    np.take_along_axis,
    "y = take_along_axis(arr, indices, axis=-1)",
    arr_bar="take_along_transpose(y_bar, shape(arr), indices, axis)",
    kind="flat unless axis",
)
rule(
    np.compress,
    "y = compress(condition, a, axis=None)",
    a_bar="take_transpose(y_bar, shape(a), np.flatnonzero(condition), axis)",
    kind="unknown",
)
rule(
    np.extract,
    "y = extract(condition, arr)",
    arr_bar="take_transpose(y_bar, shape(arr), np.flatnonzero(condition))",
    kind="unknown",
)
rule(
    np.meshgrid,
    "y = meshgrid(*xi, copy=True, sparse=False, indexing='xy')",
    xi_bar="meshgrid_transpose(y_bar, shapes(xi), sparse, indexing)",
    shares="xi where copy=0",
    kind="tuple",
)
rule(
    np.diagonal,
    "y = diagonal(a, offset=0, axis1=0, axis2=1)",
    a_bar="diagonal_transpose(y_bar, shape(a), offset, axis1, axis2)",
    shares="a",
    kind="diagonal",
)
rule(np.diag, "y = diag(v, k=0)", v_bar="diag_transpose(y_bar, shape(v), k)", shares="v", kind="diag")
rule(
    np.diagflat,
    "y = diagflat(v, k=0)",
    v_bar="np.reshape(np.diagonal(y_bar, k), shape(v))",
    kind="unknown",
)
rule(
    np.trace,
    "y = trace(a, offset=0, axis1=0, axis2=1, dtype=None)",
    a_bar="diagonal_transpose(np.expand_dims(cast_back(y_bar,"
    " None if dtype is None else dtype_kept(dtype, dtype(a))), -1), shape(a), offset, axis1, axis2)",
    a_dot="np.sum(cast_back(np.diagonal(y_bar, offset, axis1, axis2),"
    " None if dtype is None else dtype_kept(dtype, dtype(a))), axis=-1)",
    kind="trace",
)
rule(np.triu, "y = triu(m, k=0)", m_bar="unbroadcast(np.triu(y_bar, k), shape(m))", kind="triangle")
rule(np.tril, "y = tril(m, k=0)", m_bar="unbroadcast(np.tril(y_bar, k), shape(m))", kind="triangle")

alias(getattr(np, "row_stack", np.vstack), np.vstack)
alias(np.permute_dims, np.transpose)
alias(np.concat, np.concatenate)
alias(np.linalg.matrix_transpose, np.matrix_transpose)
for _join in JOINING:
    alias(_join, getattr(np, _join.__name__))
