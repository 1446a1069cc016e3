"""Programs for spectra of `scipy.signal`, and the rules of what they need."""

from __future__ import annotations

import numpy as np
import scipy
import scipy.signal as ss

from zygpy.rules.declare import non_differentiable, rule, stands_for
from zygpy.runtime import filtering, minimum_phases
from zygpy.runtime import signal_spectra as spectra

for _name in ("csd", "welch", "periodogram", "coherence", "spectrogram", "stft", "lombscargle"):
    stands_for(getattr(ss, _name), getattr(spectra, _name))
if np.lib.NumpyVersion(scipy.__version__) >= "1.18.0":  # older ones are entered
    stands_for(ss.minimum_phase, minimum_phases.minimum_phase)

rule(
    filtering.framed,
    "y = framed(x, width, step)",
    x_bar="filtering.overlapped(y_bar, step, shape(x)[-1])",
    kind="frames",
)
rule(
    filtering.overlapped,
    "y = overlapped(frames, step, length)",
    frames_bar="filtering.framed(y_bar, shape(frames)[-1], step)",
    kind="signals of frames",
)

non_differentiable(
    spectra.check_segments, minimum_phases.check_same, minimum_phases.check_method, kind="none"
)
non_differentiable(spectra.longer, kind="int")
non_differentiable(spectra.folded, spectra.unit_frequencies, spectra.named_window, kind="vector of doubles")
non_differentiable(spectra.median_bias, kind="float")
non_differentiable(minimum_phases.length_of_spectrum, kind="int")
non_differentiable(minimum_phases.doubled_behind, kind="array")
