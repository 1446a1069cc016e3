"""The rule of values that a library gives, of which programs compute the derivative."""

from __future__ import annotations

from zygpy.rules.declare import rule
from zygpy.runtime import given_values

rule(
    given_values.as_given,
    "y = as_given(value, computed)",
    computed_bar="unbroadcast(y_bar, shape(computed))",
    computed_dot="y_bar",
)
