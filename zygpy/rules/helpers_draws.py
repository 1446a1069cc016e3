"""Rules of what draws from sources of random numbers are made of: the numbers themselves are constants."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable
from zygpy.runtime import draw_programs

non_differentiable(
    draw_programs.standard, kind="unknown", call="y = standard(source, name, parameters, size, *given)"
)
non_differentiable(
    draw_programs.chosen_places,
    draw_programs.places_before,
    draw_programs.to_the_power,
    draw_programs.logarithms,
    kind="unknown",
)
non_differentiable(draw_programs.as_it_is, kind="unknown", call="y = as_it_is(name, source, *given)")
non_differentiable(draw_programs.check_not_negative, draw_programs.check_span, kind="none")
