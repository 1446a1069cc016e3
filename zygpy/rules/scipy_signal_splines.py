"""Programs for the splines of `scipy.signal`."""

from __future__ import annotations

import scipy.signal as ss

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import signal_splines as splines

for _name in (
    "cspline1d", "qspline1d", "cspline2d", "qspline2d", "spline_filter", "cspline1d_eval", "qspline1d_eval",
):  # fmt: skip
    stands_for(getattr(ss, _name), getattr(splines, _name))

non_differentiable(splines.check_line, splines.check_image, splines.check_same, kind="none")
non_differentiable(splines.least, kind="float")
non_differentiable(splines.turned_back, kind="unknown")
