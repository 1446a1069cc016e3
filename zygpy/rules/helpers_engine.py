"""Rules of the helpers that the transformation itself calls, so that its output can be differentiated."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import attempts, changes, given, protocols
from zygpy.runtime.accumulate import (
    accumulate,
    add_key,
    as_array,
    between,
    bounds_in,
    containers_now,
    drop_key,
    dtype_of,
    entries,
    from_items,
    from_values,
    gives_counts,
    holds_key,
    item_count,
    items_at,
    key_of,
    keys_of,
    keys_unpacked,
    layout_of,
    listed,
    owned,
    owned_dict,
    owned_list,
    put_between,
    real_parts,
    refuse_key,
    remaining,
    shapes_of,
    snapshot,
    stacked,
    taken,
    taken_list,
    values_at,
    which_are_real,
    with_entry,
    with_key,
    without_key,
)
from zygpy.runtime.asked_again import check_end
from zygpy.runtime.callables import called_as_it_stands
from zygpy.runtime.cells import check_bound, made_class
from zygpy.runtime.custom import (
    arguments_of,
    arguments_pushed,
    bars_of,
    bars_pushed,
    behind_callee,
    check_apart,
    check_given_back,
    form_of,
    in_form,
    kept,
    kept_as_bound,
    kept_deeply,
)
from zygpy.runtime.imports import imported, imported_from, imported_top
from zygpy.runtime.iteration import places, places_around
from zygpy.runtime.lenders import is_same
from zygpy.runtime.lookup import defining_class, filled_slots
from zygpy.runtime.measures import measured
from zygpy.runtime.memory import base_of, firsts, groups, overlaps_itself, owner_of, summed
from zygpy.runtime.native import is_copied_by_c
from zygpy.runtime.own_places import check_own_places
from zygpy.runtime.project import (
    as_given,
    check_scalar,
    one_like,
    project,
    scalar_seed,
    seed_of_first,
    unproject,
    zero_like,
)
from zygpy.runtime.queues import queue_limit, turns
from zygpy.runtime.records import read_attribute, read_method
from zygpy.runtime.seeds import as_it_is, as_seed, is_alike
from zygpy.runtime.still_objects import check_still

rule(
    accumulate,
    "y = accumulate(a, b)",
    a_bar="unproject(y_bar, a)",
    b_bar="unproject(y_bar, b)",
    tangent="together",
    kind="cotangent sum",
    containers=True,
    shares="a, b",
)
rule(
    owned,
    "y = owned(value, shape, dtype=None)",
    value_bar="unproject(y_bar, value)",
    value_dot="owned(y_bar, shape, dtype)",
    kind="owned array",
    containers=True,
)
rule(
    owned_dict,
    "y = owned_dict(value)",
    value_bar="unproject(y_bar, value)",
    value_dot="owned_dict(y_bar)",
    kind="same value",
    containers=True,
    shares="in value",
)
rule(
    owned_list,
    "y = owned_list(value, length, entry)",
    value_bar="unproject(y_bar, value)",
    value_dot="owned_list(y_bar, length, entry)",
    kind="same value",
    containers=True,
    shares="in value",
)
rule(
    taken,
    "y = taken(value, shape, dtype=None)",
    value_bar="unproject(y_bar, value)",
    value_dot="owned(y_bar, shape, dtype)",
    kind="owned array",
    containers=True,
)
rule(
    taken_list,
    "y = taken_list(value, length, entry)",
    value_bar="unproject(y_bar, value)",
    value_dot="owned_list(y_bar, length, entry)",
    kind="same value",
    containers=True,
    shares="in value",
)
rule(
    entries,
    "y = entries(value, length)",
    value_bar="unproject(y_bar, value)",
    value_dot="entries_dot(y_bar, value, length)",
    kind="cotangent entries",
    containers=True,
    shares="value",
)
rule(
    with_entry,
    "y = with_entry(value, length, index, added)",
    value_bar="unproject(y_bar, value)",
    added_bar="entries(y_bar, length)[index]",
    tangent="together",
    kind="unknown",
    containers=True,
    shares="in value, in added",
)
rule(
    key_of,
    "y = key_of(value, key)",
    value_bar="{key: y_bar}",
    kind="unknown",
    containers=True,
    shares="value",
)
for _add in (with_key, add_key):
    rule(
        _add,
        f"y = {_add.__name__}(value, key, added)",
        value_bar="y_bar",
        added_bar="key_of(y_bar, key)",
        kind="unknown",
        containers=True,
        shares="in value, in added",
    )
for _drop in (without_key, drop_key):
    rule(
        _drop,
        f"y = {_drop.__name__}(value, key)",
        value_bar="without_key(y_bar, key)",
        kind="unknown",
        containers=True,
        shares="in value",
    )
for _made, _taken, _of in ((from_values, values_at, "values"), (from_items, items_at, "items")):
    rule(
        _made,
        f"y = {_made.__name__}(positions, keys)",
        positions_bar=f"{_of}_at(y_bar, keys, positions)",
        positions_dot=f"{_of}_dot(y_bar, keys)",
        kind="unknown",
        containers=True,
        shares="in positions",
    )
    rule(
        _taken,
        f"y = {_of}_at(value, keys, positions)",
        value_bar=f"from_{_of}(y_bar, keys)",
        value_dot=f"{_of}_at(y_bar, keys, positions)",
        kind="unknown",
        containers=True,
        shares="in value",
    )
rule(
    read_method,
    "y = read_method(value, name)",
    value_bar="key_of(y_bar, '__self__')",
    kind="unknown",
    containers=True,
    shares="value",
)
rule(
    read_attribute,
    "y = read_attribute(value, name)",
    value_bar="{name: y_bar}",
    kind="unknown",
    containers=True,
    shares="value",
)
rule(snapshot, "y = snapshot(value)", value_bar="y_bar", kind="same value", containers=True)
rule(
    as_seed,
    "y = as_seed(like, value)",
    value_bar="y_bar",
    value_dot="as_seed(like, y_bar)",
    kind="same value",
    containers=True,
    shares="in value",
)
non_differentiable(as_it_is, kind="same value", call="y = as_it_is(value)")
non_differentiable(is_alike, kind="bool")
rule(containers_now, "y = containers_now(value)", value_bar="y_bar", kind="unknown", containers=True)
rule(
    between,
    "y = between(bars, first, after, layout)",
    bars_bar="put_between(y_bar, bars, first, layout)",
    kind="unknown",
    containers=True,
    shares="in bars",
)
rule(
    put_between,
    "y = put_between(bar, bars, first, layout)",
    bar_bar="between(y_bar, first, remaining(bars, first, layout), layout)",
    kind="unknown",
    containers=True,
    shares="in bar",
)
rule(stacked, "y = stacked(items, shape)", items_bar="listed(y_bar)", kind="array", containers=True)
rule(as_array, "y = as_array(items)", items_bar="listed(y_bar)", kind="array", containers=True)
rule(
    listed,
    "y = listed(value)",
    value_bar="stacked(y_bar, shape(value))",
    kind="items of cotangent",
    containers=True,
    shares="in value",
)
rule(
    project,
    "y = project(bar, primal)",
    bar_bar="unproject(y_bar, bar)",
    bar_dot="project(y_bar, primal)",
    kind="gradient",
    containers=True,
)
rule(
    unproject,
    "y = unproject(grad_bar, bar)",
    grad_bar_bar="unproject(y_bar, grad_bar)",
    kind="unprojected",
    containers=True,
    shares="grad_bar",
)
non_differentiable(scalar_seed, seed_of_first, one_like, zero_like, kind="number-or-array")
non_differentiable(called_as_it_stands)
non_differentiable(as_given, kind="same value", call="y = as_given(value)")
non_differentiable(check_scalar, refuse_key, check_end, kind="none")
non_differentiable(
    attempts.check_is_undone,
    attempts.check_is_whole,
    attempts.check_exception_is_inert,
    changes.check_harmless,
    changes.check_left_alone,
    given.check_given,
    check_bound,
    check_still,
    check_own_places,
    protocols.check_global,
    protocols.check_stored,
    kind="none",
)
non_differentiable(changes.contents_now, changes.objects_now, kind="unknown")
non_differentiable(attempts.is_caught, holds_key, is_copied_by_c, is_same, kind="bool")
non_differentiable(made_class, imported, imported_top, imported_from, kind="unknown")
non_differentiable(attempts.caught, attempts.if_bound, attempts.traceback_of, kind="unknown")
non_differentiable(attempts.exception_kept, attempts.refusal_of_others, kind="unknown")
non_differentiable(remaining, item_count, queue_limit, turns, kind="int")
non_differentiable(places, places_around, kind="ints")
non_differentiable(defining_class, filled_slots, keys_unpacked, kind="unknown")
non_differentiable(bounds_in, dtype_of, keys_of, layout_of, shapes_of, which_are_real, kind="unknown")
rule(
    real_parts,
    "y = real_parts(bars, reals)",
    bars_bar="in_one_array(real_parts(y_bar, reals), shape_of_array(bars))",
    containers=True,
    kind="unknown",  # a list for a list
)
non_differentiable(overlaps_itself, gives_counts, kind="bool")
non_differentiable(base_of, owner_of, groups, firsts, kind="unknown")
rule(
    summed,
    "y = summed(value, numbers, count)",
    value_bar="y_bar[numbers]",
    kind="array",
)

for own_parts, bar, dot in (
    (bars_of, "unproject(y_bar, bars)", "bars_pushed(y_bar, y)"),
    (arguments_of, "behind_callee(y_bar, bars)", "arguments_pushed(y_bar, y)"),
):
    rule(
        own_parts,
        f"y = {own_parts.__name__}(bars, given, rule)",
        bars_bar=bar,
        bars_dot=dot,
        kind="unknown",
        containers=True,
        shares="in bars",
    )
non_differentiable(bars_pushed, arguments_pushed, kind="unknown")
rule(
    behind_callee,
    "y = behind_callee(grad_bar, bars)",
    grad_bar_bar="y_bar[1:]",
    kind="unknown",
    containers=True,
)
rule(in_form, "y = in_form(bar, form)", bar_bar="y_bar", kind="unknown", containers=True, shares="in bar")
rule(kept, "y = kept(back, arguments)", back_bar="y_bar", kind="unknown", containers=True, shares="back")
for keeping in (kept_deeply, kept_as_bound):
    text = f"y = {keeping.__name__}(back)"
    rule(keeping, text, back_bar="y_bar", kind="unknown", containers=True, shares="back")
non_differentiable(measured, kind="unknown", call="y = measured(arguments)")
non_differentiable(form_of, kind="unknown")
non_differentiable(check_apart, check_given_back, kind="none")
