"""Rules of `scipy.signal` for waves, responses and resampling, which programs stand for."""

from __future__ import annotations

import scipy.signal as ss

from zygpy.rules.declare import non_differentiable, stands_for, zero_gradient
from zygpy.runtime import scipy_waves as waves
from zygpy.runtime import signal_envelopes as envelopes
from zygpy.runtime import signal_sweeps as sweeps

zero_gradient(ss.square, "y = square(t, duty=0.5)", wrt="t, duty", kind="number-or-array")
stands_for(ss.sawtooth, waves.sawtooth)
stands_for(ss.lfilter_zi, waves.lfilter_zi)
stands_for(ss.lfiltic, waves.lfiltic)
stands_for(ss.freqz, waves.freqz)
stands_for(ss.resample, waves.resample)
stands_for(ss.chirp, sweeps.chirp)
stands_for(ss.sosfreqz, waves.freqz_sos)
stands_for(ss.hilbert2, waves.hilbert2)
stands_for(ss.czt, waves.czt)
stands_for(ss.firls, waves.firls)
stands_for(ss.zoom_fft, waves.zoom_fft)
if hasattr(ss, "freqz_sos"):  # from SciPy 1.15 on, as the next
    stands_for(ss.freqz_sos, waves.freqz_sos)
if hasattr(ss, "envelope"):
    stands_for(ss.envelope, envelopes.envelope)

non_differentiable(waves.check_filter, waves.check_response, waves.check_same, kind="none")
non_differentiable(sweeps.cycles_of, kind="unknown")
non_differentiable(waves.evenly_spaced, waves.quadrants, kind="array")
non_differentiable(envelopes.band_weights, envelopes.rest_weights, envelopes.unpaired, kind="array")
