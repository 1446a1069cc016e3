"""Rules of `np.fft`: each transform's transpose is a transform.

Source of the formulas: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992),
sections 1.1 (the matrix of the transform) and 4.3 (real data).
"""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import library, non_differentiable, rule
from zygpy.runtime import fourier

library("fourier", fourier)

KINDS = {"fft": "spectrum", "ifft": "spectrum", "rfft": "spectrum", "ihfft": "spectrum",
         "irfft": "signal", "hfft": "signal"}  # fmt: skip

for _name, _kind in KINDS.items():
    rule(
        getattr(np.fft, _name),
        f"y = {_name}(a, n=None, axis=-1, norm=None)",
        a_bar=f"fourier.{_name}_transpose(y_bar, shape(a), dtype(a), n, axis, norm)",
        kind=_kind,
    )
    _seed = "np.real(y_bar)" if _name in ("rfft", "ihfft") else "y_bar"
    rule(
        getattr(fourier, f"{_name}_transpose"),
        f"y = {_name}_transpose(value, shape, dtype, n, axis=-1, norm=None)",
        value_bar=f"as_real_as(np.fft.{_name}({_seed}, n, axis, norm), dtype(value))",
        kind="transform back",
    )

for _name, _kind in {"fft": "spectra", "ifft": "spectra", "rfft": "spectrum", "irfft": "signal"}.items():
    for _ending, _axes in {"2": "(-2, -1)", "n": "None"}.items():
        rule(
            getattr(np.fft, _name + _ending),
            f"y = {_name}{_ending}(a, s=None, axes={_axes}, norm=None)",
            a_bar=f"fourier.{_name}n_transpose(y_bar, shape(a), dtype(a), s, axes, norm)",
            kind=_kind,
            shares="a" if _kind == "spectra" else None,
        )
    _seed = "np.real(y_bar)" if _name == "rfft" else "y_bar"
    rule(
        getattr(fourier, f"{_name}n_transpose"),
        f"y = {_name}n_transpose(value, shape, dtype, s=None, axes=None, norm=None)",
        value_bar=f"as_real_as(np.fft.{_name}n({_seed}, s, axes, norm), dtype(value))",
        kind="transform back",
        shares="value" if _kind == "spectra" else None,
    )

rule(np.fft.fftshift, "y = fftshift(x, axes=None)", x_bar="np.fft.ifftshift(y_bar, axes)", kind="view x")
rule(np.fft.ifftshift, "y = ifftshift(x, axes=None)", x_bar="np.fft.fftshift(y_bar, axes)", kind="view x")
for _name in ("fftfreq", "rfftfreq"):
    rule(
        getattr(np.fft, _name),
        f"y = {_name}(n, d=1.0, device=None)",
        d_bar="-unbroadcast(y_bar * conj(y / d), shape(d))",
        d_dot="-y_bar * (y / d)",
        kind="array",
    )

non_differentiable(fourier.other_side, fourier.lengths, fourier.sizes, fourier.chosen)
