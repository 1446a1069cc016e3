"""Rules of what stands for NumPy's functions that write into an array."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import array_writes

rule(
    array_writes.written_out,
    "y = written_out(out, value, function, options, *args)",
    value_bar="written_cotangent(y_bar, shape(value), dtype(value), dtype(out))",
    value_dot="cast_back(y_bar, dtype_kept(dtype(out), dtype(value)))",
    shares="value",
    kind="like out",
)
rule(
    array_writes.written_cotangent,
    "y = written_cotangent(value, shape, dtype, stored)",
    value_bar="written_tangent(y_bar, shape(value), dtype(value), dtype_kept(stored, dtype))",
    shares="value",
)
rule(
    array_writes.written_tangent,
    "y = written_tangent(value, shape, dtype, stored)",
    value_bar="written_cotangent(y_bar, shape(value), dtype(value), dtype_kept(stored, dtype))",
    shares="value",
)
rule(
    array_writes.written_where,
    "y = written_where(out, value, mask, function, options, *args)",
    value_bar="written_cotangent(y_bar, shape(value), dtype(value), dtype(out))",
    tangent="affine",  # of another dtype it calls the function again
    shares="value",
)
rule(
    array_writes.chosen,
    "y = chosen(value, mask)",
    value_bar="unnest(chosen_transpose(y_bar, mask, shape(value)), nesting(value))",
    kind="chosen",
)
rule(
    array_writes.chosen_transpose,
    "y = chosen_transpose(value, mask, shape)",
    value_bar="chosen(y_bar, mask)",
    shares="value",
)
rule(
    array_writes.cycled,
    "y = cycled(v, places, by_place)",
    v_bar="unnest(cycled_transpose(y_bar, shape(v), places, by_place), nesting(v))",
    kind="cycled",
)
rule(
    array_writes.cycled_transpose,
    "y = cycled_transpose(value, shape, places, by_place)",
    value_bar="cycled(y_bar, places, by_place)",
)
rule(
    array_writes.stored_part,
    "y = stored_part(buffer, index, dtype)",
    buffer_bar="stored_part_transpose(y_bar, shape(buffer), index, dtype)",
)
rule(
    array_writes.stored_part_transpose,
    "y = stored_part_transpose(value, shape, index, dtype)",
    value_bar="stored_part(y_bar, index, dtype)",
)
rule(
    array_writes.add_to_items,
    "y = add_to_items(add, a, indices, b)",
    a_bar="a_bar",
    b_bar="unnest(unbroadcast(as_real_as(stored_part(a_bar, indices, dtype_kept(dtype(a), dtype(b))), "
    "dtype(b)), shape(b)), nesting(b))",
    writes="a",
    kind="none",
    note="a_bar is the cotangent of the array after the call",
)
rule(
    array_writes.subtract_from_items,
    "y = subtract_from_items(subtract, a, indices, b)",
    a_bar="a_bar",
    b_bar="unnest(unbroadcast(-as_real_as(stored_part(a_bar, indices, dtype_kept(dtype(a), dtype(b))), "
    "dtype(b)), shape(b)), nesting(b))",
    writes="a",
    kind="none",
    note="a_bar is the cotangent of the array after the call",
)
non_differentiable(
    array_writes.where_written,
    kind="mask",
    call="y = where_written(out, where, function, options, *args)",
)
non_differentiable(
    array_writes.where_copied, kind="mask", call="y = where_copied(function, dst, src, casting, where)"
)
non_differentiable(
    array_writes.put_places,
    array_writes.place_places,
    array_writes.putmask_places,
    array_writes.diagonal_places,
    kind="places in order",
)
non_differentiable(array_writes.places_along_axis, kind="places along axis")
non_differentiable(array_writes.at_places)
non_differentiable(
    array_writes.check_shapes,
    array_writes.check_outs,
    array_writes.check_copy,
    array_writes.check_fill,
    array_writes.check_partition,
    array_writes.check_sort,
    kind="none",
)
non_differentiable(array_writes.write_items, writes="a", kind="none")
