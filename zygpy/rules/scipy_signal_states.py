"""Programs for filters of `scipy.signal` with states and boundaries, filters that run both ways, and changes
of the rate."""

from __future__ import annotations

import scipy.signal as ss

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import signal_boundaries as boundaries
from zygpy.runtime import signal_states as states

stands_for(ss.lfilter, states.lfilter, keywords="zi", positional=4)
stands_for(ss.savgol_filter, boundaries.savgol_filter, keywords="mode, cval", positional=6)
stands_for(ss.sepfir2d, boundaries.sepfir2d)
stands_for(ss.upfirdn, boundaries.upfirdn, keywords="mode, cval", positional=5)
for _name in ("convolve2d", "correlate2d"):
    _program = getattr(boundaries, _name)
    stands_for(getattr(ss, _name), _program, keywords="boundary, fillvalue", positional=3)
for _name in ("sosfilt", "filtfilt", "sosfiltfilt", "decimate", "resample_poly"):
    stands_for(getattr(ss, _name), getattr(states, _name))

non_differentiable(
    states.check_whole, states.check_filter, states.check_sections, boundaries.check_reach, kind="none"
)
non_differentiable(boundaries.taps, boundaries.mirrored, kind="array")
non_differentiable(states.edge_of, states.taps_of, kind="int")
non_differentiable(states.taps_by_hamming, states.sections_by_chebyshev, states.taps_by_name, kind="array")
