"""Rules of `scipy.fftpack`, there once a program has imported it: programs stand for its transforms."""

from __future__ import annotations

import scipy.fftpack as fp

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import fftpack_transforms as transforms

for _name in (
    *("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft", "irfft"),
    *("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn"),
):
    stands_for(getattr(fp, _name), getattr(transforms, _name))

non_differentiable(transforms.check_kept, kind="none")
non_differentiable(fp.next_fast_len, kind="int")
