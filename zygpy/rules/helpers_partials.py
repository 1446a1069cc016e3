"""Rules of what adjoints of `functools.partial` call, so that they can be differentiated again."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import partials
from zygpy.runtime.accumulate import position_of

rule(
    partials.carried_parts,
    "y = carried_parts(bar, inner, count, names)",
    bar_bar="gathered_parts(y_bar, inner, count, names)",
    kind="unknown",
    containers=True,
    shares="bar",
)
rule(
    partials.gathered_parts,
    "y = gathered_parts(parts, inner, count, names)",
    parts_bar="carried_parts(y_bar, inner, count, names)",
    kind="unknown",
    containers=True,
    shares="parts",
)
non_differentiable(partials.carried_count, position_of, kind="unknown")
rule(
    partials.captured,
    "y = captured(function, name)",
    function_bar="{name: y_bar}",
    kind="unknown",
    containers=True,
    shares="function",
)
