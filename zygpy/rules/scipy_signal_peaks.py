"""Rules of `scipy.signal` for peaks, medians of images, and prototypes of filters that are constants."""

from __future__ import annotations

import scipy.signal as ss
from scipy.signal import _peak_finding_utils as utilities

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import signal_peaks as peaks

stands_for(utilities._peak_prominences, peaks.prominences)
stands_for(utilities._peak_widths, peaks.widths)
for _name in ("medfilt", "medfilt2d", "order_filter"):
    stands_for(getattr(ss, _name), getattr(peaks, _name))
non_differentiable(peaks.sized, kind="array")
non_differentiable(utilities._local_maxima_1d, ss.buttap, ss.besselap, kind="unknown")
non_differentiable(utilities._select_by_peak_distance, peaks.starts, kind="array")
