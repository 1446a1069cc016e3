"""Rules of the run-time helpers that move, join, pick and store elements."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import indexing, methods, shaping

rule(
    shaping.reshape_back,
    "y = reshape_back(value, shape, order='C')",
    value_bar="np.reshape(y_bar, shape(value), order=order)",
    shares="value",
    kind="to shape",
)
rule(
    shaping.with_rank,
    "y = with_rank(value, rank)",
    value_bar="np.reshape(y_bar, shape(value))",
    shares="value",
    kind="with rank",
)
non_differentiable(
    shaping.inverse_axes, shaping.rolled_axes, shaping.line_axis, methods.given_axes, kind="unknown"
)
rule(
    shaping.block_parts,
    "y = block_parts(value, arrays)",
    value_bar="unbroadcast(block_of_parts(y_bar, arrays), shape(value))",
    kind="unknown",
)
rule(
    shaping.block_of_parts,
    "y = block_of_parts(parts, arrays)",
    parts_bar="block_parts(y_bar, arrays)",
    kind="number-or-array",
)
rule(
    shaping.choice_transpose,
    "y = choice_transpose(value, a, outlines, mode='raise')",
    value_bar="unbroadcast(choice_of_parts(y_bar, a, outlines, mode), shape(value))",
    kind="list",
)
rule(
    shaping.choice_of_parts,
    "y = choice_of_parts(parts, a, outlines, mode='raise')",
    parts_bar="choice_transpose(y_bar, a, outlines, mode)",
    kind="number-or-array",
)
rule(
    shaping.unroll,
    "y = unroll(value, shift, axis=None)",
    value_bar="np.roll(y_bar, shift, axis)",
    kind="like value",
)
rule(
    shaping.unbroadcast_each,
    "y = unbroadcast_each(values, outlines)",
    values_bar="rebroadcast_each(y_bar, shapes(values))",
    shares="values",
    kind="tuple",
)
rule(
    shaping.rebroadcast_each,
    "y = rebroadcast_each(values, outlines)",
    values_bar="unbroadcast_each(y_bar, shapes(values))",
    shares="values",
    kind="tuple",
)
rule(
    shaping.reshape_each,
    "y = reshape_each(values, outlines)",
    values_bar="reshape_like(y_bar, values)",
    shares="values",
    kind="tuple",
)
rule(
    shaping.reshape_like,
    "y = reshape_like(parts, model)",
    parts_bar="reshape_each(y_bar, shapes(parts))",
    shares="parts",
    kind="unknown",
)
rule(
    shaping.split_parts,
    "y = split_parts(value, outlines, axis=0, promotion='')",
    value_bar="join_parts(y_bar, outlines, axis, promotion)",
    shares="value",
    kind="list",
)
rule(
    shaping.join_parts,
    "y = join_parts(parts, outlines, axis=0, promotion='')",
    parts_bar="split_parts(y_bar, outlines, axis, promotion)",
    kind="array",
)
rule(
    shaping.unstack,
    "y = unstack(value, axis=0)",
    value_bar="restack(y_bar, shape(value), axis)",
    shares="value",
    kind="list",
)
rule(
    shaping.restack,
    "y = restack(parts, shape, axis=0)",
    parts_bar="unstack(y_bar, axis)",
    containers=True,
    kind="array",
)
rule(
    shaping.join_split,
    "y = join_split(parts, shape, sections, axis=0)",
    parts_bar="np.array_split(y_bar, sections, axis)",
    containers=True,
    kind="array",
)
rule(
    shaping.unrepeat,
    "y = unrepeat(value, shape, repeats, axis=None)",
    value_bar="np.repeat(y_bar, repeats, axis)",
)
rule(shaping.untile, "y = untile(value, shape, reps)", value_bar="np.tile(y_bar, reps)")
rule(
    shaping.pad_transpose,
    "y = pad_transpose(value, shape, pad_width, mode='constant')",
    value_bar="np.pad(y_bar, pad_width, mode)",
    shares="value",
    kind="to shape",
)
rule(
    shaping.pad_constant,
    "y = pad_constant(value, shape, pad_width, mode, constant)",
    value_bar="pad_around(y_bar, shape, pad_width, mode)",
)
rule(
    shaping.pad_around,
    "y = pad_around(value, shape, pad_width, mode)",
    value_bar="pad_constant(y_bar, shape, pad_width, mode, ())",
    kind="array",
)
rule(
    shaping.take_transpose,
    "y = take_transpose(value, shape, indices, axis=None, mode='raise')",
    value_bar="np.take(y_bar, indices, axis, mode=mode)",
    kind="array",
)
rule(
    shaping.take_along_transpose,
    "y = take_along_transpose(value, shape, indices, axis=-1)",
    value_bar="np.take_along_axis(y_bar, indices, axis)",
    kind="array",
)
rule(
    shaping.meshgrid_transpose,
    "y = meshgrid_transpose(values, outlines, sparse=False, indexing='xy')",
    values_bar="meshgrid_tangent(y_bar, outlines, sparse, indexing)",
    kind="tuple",
)
rule(
    shaping.meshgrid_tangent,
    "y = meshgrid_tangent(values, outlines, sparse=False, indexing='xy')",
    values_bar="meshgrid_transpose(y_bar, outlines, sparse, indexing)",
    kind="tuple",
)

rule(
    indexing.getitem_cotangent,
    "y = getitem_cotangent(value, shape, dtype, index)",
    value_bar="unbroadcast(y_bar[index], shape(value))",
    kind="array",
)
rule(
    indexing.setitem_cotangent,
    "y = setitem_cotangent(buffer, index, shape, dtype)",
    buffer_bar="setitem_tangent(y_bar, shape(buffer), dtype, index)",
    kind="stored cotangent",
)
rule(
    indexing.setitem_tangent,
    "y = setitem_tangent(value, shape, dtype, index)",
    value_bar="setitem_cotangent(y_bar, index, shape(value), dtype)",
    kind="array",
)
rule(
    indexing.cleared,
    "y = cleared(buffer, index)",
    buffer_bar="cleared(y_bar, index)",
    kind="like buffer",
)
rule(
    indexing.add_at,
    "y = add_at(buffer, index, value)",
    buffer_bar="buffer_bar",
    value_bar="unbroadcast(buffer_bar[index], shape(value))",
    writes="buffer",
    kind="none",
    note="buffer_bar is the cotangent of the buffer after the call",
)
rule(
    indexing.clear_at,
    "y = clear_at(buffer, index)",
    buffer_bar="cleared(buffer_bar, index)",
    writes="buffer",
    kind="none",
    note="buffer_bar is the cotangent of the buffer after the call",
)
non_differentiable(indexing.dtype_kept, kind="dtype")
non_differentiable(indexing.zeros, indexing.last_writes, kind="array")
