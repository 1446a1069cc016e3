"""Calls of the transforms of `scipy.fft`, in every form that their rules name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import scipy.fft as sf

from tests.rules.calls import Call, array, call
from tests.rules.fourier_calls import complex_array

SIZES: tuple[dict[str, Any], ...] = (
    {},
    {"axes": (-1, 0), "norm": "forward"},
    {"s": (5, 2), "norm": "backward"},
    {"s": (-1, 4), "axes": (0, 1)},
)


def along_one_axis() -> Iterator[Call]:
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        function = getattr(sf, name)
        yield call(function, array(5))
        yield call(function, array(5, 2), 6, axis=0, norm="forward", workers=1)
        yield call(function, array(2, 4), 3, norm="ortho")
        if name not in ("rfft", "ihfft"):
            yield call(function, complex_array(4, 2), 5, 0)


def along_several_axes() -> Iterator[Call]:
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        for ending in "2n":
            function = getattr(sf, name + ending)
            for keywords in SIZES:
                yield call(function, array(2, 3, 4), **keywords)
            if name not in ("rfft", "ihfft"):
                yield call(function, complex_array(2, 3), norm="forward")
    yield call(sf.fftn, array(2, 3), 4)
    yield call(sf.fftn, array(2, 3), axes=0)
    yield call(sf.ifftn, array(2, 3), axes=())


def sinusoids() -> Iterator[Call]:
    for name in ("dct", "idct", "dst", "idst"):
        function = getattr(sf, name)
        for kind in (1, 2, 3, 4):
            for norm, orthogonal in ((None, True), ("ortho", None), ("ortho", False)):
                yield call(function, array(5), kind, norm=norm, orthogonalize=orthogonal)
            yield call(function, array(2, 4), kind, 3)
            yield call(function, array(4, 2), kind, 6, 0, "backward")
        several = getattr(sf, name + "n")
        for keywords in (*SIZES, {"axes": ()}, {"s": 3}, {"type": 3, "orthogonalize": True}, {"type": 1}):
            yield call(several, array(2, 3, 4), **keywords)


def frequencies() -> Iterator[Call]:
    for name in ("fftshift", "ifftshift"):
        for axes in (None, 0, (0, 2)):
            yield call(getattr(sf, name), array(3, 4, 5), axes)
    for name in ("fftfreq", "rfftfreq"):
        yield call(getattr(sf, name), 5, 0.3)
        yield call(getattr(sf, name), 4, d=1.5)


GROUPS = (along_one_axis, along_several_axes, sinusoids, frequencies)

REAL = {sf.rfft, sf.ihfft, sf.rfft2, sf.ihfft2, sf.rfftn, sf.ihfftn}
"""Functions of real numbers."""
