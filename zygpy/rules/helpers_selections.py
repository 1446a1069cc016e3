"""Rules of the run-time helpers of selections and order statistics."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import finite_differences, selections

rule(
    selections.elements_at,
    "y = elements_at(value, places)",
    value_bar="elements_transpose(y_bar, shape(value), places)",
)
rule(
    selections.elements_transpose,
    "y = elements_transpose(value, shape, places, apart=False)",
    value_bar="unbroadcast(elements_at(y_bar, places), shape(value))",
)
rule(
    selections.values_of,
    "y = values_of(result)",
    result_bar="with_values(y_bar, nesting(result))",
    shares="result",
)
rule(
    selections.beside_others,
    "y = beside_others(values, result)",
    values_bar="values_of(y_bar)",
    values_dot="beside_others(y_bar, result)",
    shares="values",
    kind="unknown",
)
rule(
    selections.with_values,
    "y = with_values(value, structure)",
    value_bar="values_of(y_bar)",
    shares="value",
    kind="unknown",
)
rule(
    selections.interpolated,
    "y = interpolated(value, choice)",
    value_bar="interpolated_transpose(y_bar, choice, shape(value))",
    choice_bar="shares_only(np.expand_dims(y_bar, -1) * elements_at(value, part(choice, 0)))",
)
rule(
    selections.interpolated_transpose,
    "y = interpolated_transpose(value, choice, shape)",
    value_bar="unbroadcast(interpolated(y_bar, choice), shape(value))",
    choice_bar="shares_only(np.expand_dims(value, -1) * elements_at(y_bar, part(choice, 0)))",
)
rule(
    selections.choice_of_ranks,
    "y = choice_of_ranks(a, ranking, axis=None)",
    ranking_bar="weight_moved(y_bar)",
    ranking_dot="shares_only(np.stack((-y_bar, y_bar), -1))",
    kind="tuple",
)
rule(
    selections.weight_moved,
    "y = weight_moved(value)",
    value_bar="shares_only(np.stack((-y_bar, y_bar), -1))",
    kind="number-or-array",
)
rule(
    selections.shares_only,
    "y = shares_only(value)",
    value_bar="part(y_bar, 1)",
    shares="value",
    kind="tuple",
)
rule(
    selections.trailing_sums,
    "y = trailing_sums(value, rank)",
    value_bar="trailing_spread(y_bar, shape(value))",
)
rule(
    selections.trailing_spread,
    "y = trailing_spread(value, shape)",
    value_bar="trailing_sums(y_bar, ndim(value))",
    shares="value",
    kind="array",
)
non_differentiable(finite_differences.check_slopes, kind="none")
non_differentiable(
    selections.numbered,
    selections.nowhere,
    selections.found_places,
    selections.first_places,
    selections.places_found_only,
    selections.places_of_order,
    selections.trimmed_places,
    selections.ranks,
    kind="array",
)
non_differentiable(selections.choice_of_gaps, selections.trimmed_window, kind="tuple")
non_differentiable(selections.quantile_slopes, kind="number-or-array")
