"""Rules of values that a library computes, for programs that compute them once more."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import library_values

rule(
    library_values.as_given,
    "y = as_given(value, computed)",
    computed_bar="unbroadcast(y_bar, shape(computed))",
    computed_dot="snapshot(y_bar)",
    kind="given numbers",
)
rule(
    library_values.cast_as_given,
    "y = cast_as_given(value, computed)",
    computed_bar="uncast(unbroadcast(y_bar, shape(computed)), dtype(computed), dtype(value))",
    computed_dot="uncast(uncast(snapshot(y_bar), dtype(computed), dtype(value)), dtype(value),"
    " dtype(computed))",
    kind="given numbers",
)
rule(
    library_values.as_computed,
    "y = as_computed(value, computed, like=None, output=None)",
    computed_bar="uncast(unbroadcast(y_bar, shape(computed)), dtype(computed), dtype(value))",
    computed_dot="uncast(uncast(snapshot(y_bar), dtype(computed), dtype(value)), dtype(value),"
    " dtype(computed))",
    kind="as computed",
)
rule(
    library_values.depending,
    "y = depending(value, options)",
    value_bar="y_bar",
    value_dot="y_bar",
    options_bar="unknown_parts(y_bar, options, 'the derivative by an option')",
    options_dot="unknown_parts(y_bar, options, 'the derivative by an option')",
    shares="value",
    containers=True,
)
non_differentiable(library_values.told_by, kind="unknown", call="y = told_by(function, given, keywords)")
non_differentiable(library_values.check_real, kind="none")
