"""Functions and classes of `scipy.interpolate` without derivatives, refused where they are called."""

from __future__ import annotations

import scipy.interpolate as si

from zygpy.rules.declare import non_differentiable, rule, stands_for
from zygpy.runtime import refused_interpolators as refused

non_differentiable(refused.refuse, kind="none")
rule(
    refused.opaque,
    "y = opaque(given)",
    given_bar="y_bar",
    containers=True,
    shares="in given",
    kind="unknown",
)

for _program, _names in (
    (refused.scattered, ("CloughTocher2DInterpolator",)),
    (refused.derivatives_of_parts, ("spalde",)),
    (
        refused.fitted_surfaces,
        ("SmoothBivariateSpline", "RectSphereBivariateSpline", "SmoothSphereBivariateSpline"),
    ),
):
    for _name in _names:
        if hasattr(si, _name):
            stands_for(getattr(si, _name), _program)

stands_for(si.BSpline.insert_knot, refused.knots)
