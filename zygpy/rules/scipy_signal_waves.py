"""Rules of `scipy.signal` for waves, responses and resampling, which programs stand for."""

from __future__ import annotations

import scipy.signal as ss

from zygpy.rules.declare import non_differentiable, stands_for, zero_gradient
from zygpy.runtime import scipy_waves as waves

zero_gradient(ss.square, "y = square(t, duty=0.5)", wrt="t, duty", kind="number-or-array")
stands_for(ss.sawtooth, waves.sawtooth)
stands_for(ss.lfilter_zi, waves.lfilter_zi)
stands_for(ss.freqz, waves.freqz)
stands_for(ss.resample, waves.resample)

non_differentiable(waves.check_filter, waves.check_response, waves.check_resampled, kind="none")
non_differentiable(waves.evenly_spaced, kind="array")
