"""Programs for spectra of `scipy.signal`, and the rules of what they need."""

from __future__ import annotations

import scipy.signal as ss

from zygpy.rules.declare import non_differentiable, rule, stands_for
from zygpy.runtime import filtering
from zygpy.runtime import signal_spectra as spectra

for _name in ("csd", "welch", "periodogram", "coherence", "spectrogram", "stft", "lombscargle"):
    stands_for(getattr(ss, _name), getattr(spectra, _name))

rule(
    filtering.framed,
    "y = framed(x, width, step)",
    x_bar="filtering.overlapped(y_bar, step, shape(x)[-1])",
    kind="array",
)
rule(
    filtering.overlapped,
    "y = overlapped(frames, step, length)",
    frames_bar="filtering.framed(y_bar, shape(frames)[-1], step)",
    kind="array",
)

non_differentiable(spectra.check_segments, kind="none")
non_differentiable(spectra.longer, kind="int")
non_differentiable(spectra.folded, spectra.unit_frequencies, kind="array")
non_differentiable(spectra.median_bias, kind="float")
