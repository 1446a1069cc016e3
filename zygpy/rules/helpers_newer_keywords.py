"""Rules of what refuses calls with arguments of later versions of a library."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import newer_keywords, writing_programs

non_differentiable(newer_keywords.refuse, kind="none")
non_differentiable(writing_programs.refuse_sorting, kind="none")
rule(
    newer_keywords.opaque,
    "y = opaque(given)",
    given_bar="y_bar",
    containers=True,
    shares="in given",
    kind="unknown",
)
