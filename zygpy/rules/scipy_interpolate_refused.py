"""Functions and classes of `scipy.interpolate` without derivatives, refused where they are called."""

from __future__ import annotations

import scipy.interpolate as si

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import refused_interpolators as refused

non_differentiable(refused.refuse, kind="none")

for _program, _names in (
    (refused.scattered, ("griddata", "LinearNDInterpolator", "NearestNDInterpolator")),
    (refused.scattered, ("CloughTocher2DInterpolator",)),
    (refused.by_polynomials, ("BarycentricInterpolator", "barycentric_interpolate")),
    (refused.curves, ("splprep",)),
    (refused.roots, ("sproot",)),
    (refused.products, ("NdBSpline",)),
):
    for _name in _names:
        if hasattr(si, _name):
            stands_for(getattr(si, _name), _program)
