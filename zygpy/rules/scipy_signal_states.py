"""Programs for filters of `scipy.signal` with states and boundaries, filters that run both ways, and changes
of the rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.signal as ss

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import signal_boundaries as boundaries
from zygpy.runtime import signal_states as states
from zygpy.runtime import symmetric_filters as symmetric

stands_for(ss.lfilter, states.lfilter, keywords="zi", positional=4)
stands_for(ss.savgol_filter, boundaries.savgol_filter, keywords="mode, cval", positional=6)
stands_for(ss.detrend, boundaries.detrend, keywords="overwrite_data", positional=4)
stands_for(ss.sepfir2d, boundaries.sepfir2d)
stands_for(ss.upfirdn, boundaries.upfirdn, keywords="mode, cval", positional=5)
for _name in ("convolve2d", "correlate2d"):
    _program = getattr(boundaries, _name)
    stands_for(getattr(ss, _name), _program, keywords="boundary, fillvalue", positional=3)


def _of_sections(kinds: Sequence[Any], names: frozenset[str]) -> Any:
    """The program for `sosfilt`, by whether there may be a state."""
    return states.sosfilt if "zi" in names or len(kinds) > 3 else states.sosfilt_from_rest


stands_for(ss.sosfilt, states.sosfilt, choose=_of_sections)
for _name in ("filtfilt", "sosfiltfilt", "decimate", "resample_poly"):
    stands_for(getattr(ss, _name), getattr(states, _name))
for _name in ("symiirorder1", "symiirorder2"):
    stands_for(getattr(ss, _name), getattr(symmetric, _name))

non_differentiable(
    states.check_whole, states.check_filter, states.check_sections, boundaries.check_reach, kind="none"
)
non_differentiable(symmetric.check_angle, kind="none")
non_differentiable(symmetric.terms, kind="int")
non_differentiable(symmetric.limit, symmetric.root_of, kind="float")
non_differentiable(boundaries.taps, boundaries.mirrored, kind="array")
non_differentiable(states.edge_of, states.taps_of, kind="int")
non_differentiable(states.taps_by_hamming, states.sections_by_chebyshev, states.taps_by_name, kind="array")
