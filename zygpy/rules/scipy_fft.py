"""Rules of `scipy.fft`, there once a program has imported it: each transform's transpose is a transform.

Source of the formulas: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992),
sections 1.1 (the matrix of the transform), 4.3 (real data) and 4.4 (cosines and sines).
"""

from __future__ import annotations

import scipy.fft as sf

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import hankel_transforms, sinusoids

library("sf", sf)
library("sinusoids", sinusoids)

_SOURCE = "Van Loan 1992, sections 1.1, 4.3, 4.4"

KINDS = {"fft": "spectrum", "ifft": "spectrum", "rfft": "spectrum", "ihfft": "spectrum",
         "irfft": "signal", "hfft": "signal"}  # fmt: skip

for _name, _kind in KINDS.items():
    rule(
        getattr(sf, _name),
        f"y = {_name}(x, n=None, axis=-1, norm=None, *, workers=None)",
        x_bar=f"fourier.{_name}_transpose(y_bar, shape(x), dtype(x), n, axis, norm)",
        kind=_kind,
        source=_SOURCE,
    )

_SEVERAL = "shape(x), dtype(x), fourier.sizes(s), fourier.chosen(s, axes)"
_BACK = {
    **{
        name: f"fourier.{name}n_transpose(y_bar, {_SEVERAL}, norm)"
        for name in ("fft", "ifft", "rfft", "irfft")
    },
    "hfft": f"conj(fourier.irfftn_transpose(y_bar, {_SEVERAL}, fourier.other_side(norm)))",
    "ihfft": f"fourier.rfftn_transpose(conj(y_bar), {_SEVERAL}, fourier.other_side(norm))",
}
for _name, _text in _BACK.items():
    for _ending, _axes in {"2": "(-2, -1)", "n": "None"}.items():
        _whole = _name in ("fft", "ifft")
        rule(
            getattr(sf, _name + _ending),
            f"y = {_name}{_ending}(x, s=None, axes={_axes}, norm=None, *, workers=None)",
            x_bar=_text,
            kind="spectra of SciPy" if _whole else KINDS[_name],
            shares="x" if _whole else None,
            source=_SOURCE,
        )

for _name in ("dct", "idct", "dst", "idst"):
    rule(
        getattr(sf, _name),
        f"y = {_name}(x, type=2, n=None, axis=-1, norm=None, *, workers=None, orthogonalize=None)",
        x_bar=f"sinusoids.along_one("
        f"y_bar, {_name!r}, shape(x), dtype(x), type, n, axis, norm, orthogonalize)",
        kind="sinusoids",
        source=_SOURCE,
    )
    rule(
        getattr(sf, _name + "n"),
        f"y = {_name}n(x, type=2, s=None, axes=None, norm=None, *, workers=None, orthogonalize=None)",
        x_bar=f"sinusoids.along_several("
        f"y_bar, {_name!r}, shape(x), dtype(x), type, s, axes, norm, orthogonalize)",
        kind="several sinusoids",
        shares="x",
        source=_SOURCE,
    )

rule(sf.fftshift, "y = fftshift(x, axes=None)", x_bar="np.fft.ifftshift(y_bar, axes)", kind="view x")
rule(sf.ifftshift, "y = ifftshift(x, axes=None)", x_bar="np.fft.fftshift(y_bar, axes)", kind="view x")
for _name in ("fftfreq", "rfftfreq"):
    rule(
        getattr(sf, _name),
        f"y = {_name}(n, d=1.0)",
        d_bar="-np.sum(y_bar * conj(y / d))",
        d_dot="-y_bar * (y / d)",
        kind="array",
    )

non_differentiable(sf.next_fast_len, sf.get_workers, kind="int")
if hasattr(sf, "prev_fast_len"):  # SciPy 1.14
    non_differentiable(sf.prev_fast_len, kind="int")
non_differentiable(sinusoids.columns, kind="tuple")
non_differentiable(sinusoids.is_orthogonal, kind="bool")

for _name in ("fht", "ifht"):
    stands_for(getattr(sf, _name), getattr(hankel_transforms, _name))
non_differentiable(hankel_transforms.is_singular, kind="bool")
non_differentiable(hankel_transforms.steps, kind="array")
non_differentiable(hankel_transforms.first_coefficient, kind="complex")
