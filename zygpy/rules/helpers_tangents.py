"""Rules of what tangent code calls, so that it can be differentiated backwards."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import (
    answers,
    asked_again,
    inherited,
    options,
    paired_generators,
    partner_fields,
    set_tangents,
    silence,
    sums,
    tables,
    tangent_items,
    tangents,
    zeros,
)

non_differentiable(answers.as_length, kind="int")
rule(
    tangents.in_form,
    "y = in_form(value, form)",
    value_bar="as_real_as(unbroadcast(y_bar, shape(value)), dtype(value))",
    kind="number-or-array",
)
non_differentiable(inherited.called_behind, inherited.called_in_class, inherited.setter_in_class)
non_differentiable(inherited.is_kept, inherited.note_kept, inherited.descriptor_in_class)
non_differentiable(
    zeros.are_numbers,
    zeros.has_parts,
    partner_fields.holds_field,
    partner_fields.takes_field,
    paired_generators.is_paired,
    sums.adds_numbers,
    zeros.has_partner,
    tangents.is_dict_alike,
    zeros.holds_constants,
    set_tangents.is_set_with_dot,
    options.is_one,
    answers.as_truth,
    kind="bool",
)
non_differentiable(
    zeros.check_apart,
    silence.check_asking,
    silence.check_reading,
    silence.check_silent,
    zeros.check_item,
    zeros.check_numbers,
    zeros.check_plain,
    zeros.check_scalar,
    zeros.check_slice,
    zeros.check_sought,
    zeros.check_store,
    set_tangents.check_elements,
    partner_fields.check_left_field,
    zeros.bring,
    zeros.let_pass,
    options.check_one,
    tables.check_entry,
    tables.check_left_entry,
    tables.note_copy,
    tables.note_entry,
    asked_again.check_info,
    asked_again.note_given,
    asked_again.refuse_info,
    options.check_something,
    tangent_items.check_steps,
    sums.check_summed,
    paired_generators.check_paired,
    paired_generators.nothing_sent,
    kind="none",
)
