"""Rules of `scipy.interpolate`, there once a program has imported it: programs stand for what evaluates
piecewise polynomials, and for the slopes of monotone ones."""

from __future__ import annotations

import scipy.interpolate as si

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import monotone_slopes, piecewise

stands_for(si.PPoly.__call__, piecewise.evaluated)
if monotone_slopes.OWN is not None:
    stands_for(monotone_slopes.OWN, monotone_slopes.slopes)

non_differentiable(monotone_slopes.found_slopes, piecewise.told, piecewise.seen, kind="array")
non_differentiable(piecewise.way_of, piecewise.axes_of_points, piecewise.places_of_points, kind="unknown")
non_differentiable(piecewise.intervals, kind="array")
