"""Interpolation by radial functions, whose compiled parts programs compute once more."""

from __future__ import annotations

import scipy.interpolate as si

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import radial_functions as radial

stands_for(si.RBFInterpolator, radial.made)
stands_for(si.RBFInterpolator.__call__, radial.evaluated)
non_differentiable(radial.check_real, kind="none")
non_differentiable(radial.neighbourhoods, kind="unknown")
