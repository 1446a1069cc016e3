"""Calls of the Fourier transforms and of their transposes, in every form that their rules name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.rules.calls import Call, array, call
from zygpy.runtime import fourier

NORMS = (None, "backward", "ortho", "forward")


def complex_array(*shape: int, start: int = 0) -> Any:
    """Complex numbers of both signs."""
    return array(*shape, start=start) + 1j * array(*shape, start=start + 31)


def along_one_axis() -> Iterator[Call]:
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        function, make = getattr(np.fft, name), array
        for shape in ((5,), (6,), (2, 3, 4), (2, 3, 5)):
            yield call(function, make(*shape))
        for n in (1, 2, 3, 4, 6, 7):
            yield call(function, make(4), n)
            yield call(function, make(2, 5), n=n, norm="ortho")
            yield call(function, make(5, 2), n, axis=0)
        for norm in NORMS:
            yield call(function, make(2, 4), norm=norm)
            yield call(function, make(4, 2), 3, 0, norm)
    for name in ("fft", "ifft", "irfft", "hfft"):
        for n in (None, 3, 8):
            yield call(getattr(np.fft, name), complex_array(3, 5), n)
            yield call(getattr(np.fft, name), complex_array(5, 2), n, axis=0, norm="ortho")


SIZES: tuple[dict[str, Any], ...] = (
    {},
    {"norm": "ortho"},
    {"norm": "forward"},
    {"axes": (0, 2)},
    {"axes": (-1, 0), "norm": "ortho"},
    {"axes": (1,)},
    {"s": (3, 6), "axes": (0, 1)},
    {"s": (5, 2), "axes": (2, 1)},
    {"s": (-1, 3), "axes": (1, 2)},
    {"s": (2, -1), "axes": (1, 2)},
    {"s": (4, 3), "axes": (1, 1)},
    {"axes": (2, 2)},
)


def along_several_axes() -> Iterator[Call]:
    for name in ("fft", "ifft", "rfft", "irfft"):
        for ending in "2n":
            function = getattr(np.fft, name + ending)
            for keywords in SIZES:
                yield call(function, array(2, 3, 4), **keywords)
                if name != "rfft":
                    yield call(function, complex_array(2, 3, 4), **keywords)
    for name in ("fftn", "ifftn"):
        yield call(getattr(np.fft, name), array(2, 3), axes=())
        yield call(getattr(np.fft, name), array(3), (5,), (0,))


def transposes() -> Iterator[Call]:
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        for shape, n, axis, norm in (
            ((2, 5), None, -1, None),
            ((4, 3), 6, 0, "ortho"),
            ((5,), 3, 0, "forward"),
        ):
            y = getattr(np.fft, name)(array(*shape), n, axis, norm)
            yield call(getattr(fourier, f"{name}_transpose"), y, shape, np.dtype(float), n, axis, norm)
    for name in ("fftn", "ifftn", "rfftn", "irfftn"):
        for s, axes, norm in ((None, None, None), ((3, 6), (0, 1), "ortho"), (None, (2, 0), "forward")):
            y = getattr(np.fft, name)(array(2, 3, 4), s, axes, norm)
            yield call(getattr(fourier, f"{name}_transpose"), y, (2, 3, 4), np.dtype(float), s, axes, norm)


def frequencies() -> Iterator[Call]:
    for name in ("fftshift", "ifftshift"):
        for axes in (None, 0, (0, 2), -1):
            yield call(getattr(np.fft, name), array(3, 4, 5), axes)
    for name in ("fftfreq", "rfftfreq"):
        for n in (1, 4, 5):
            yield call(getattr(np.fft, name), n, 0.3)
            yield call(getattr(np.fft, name), n, d=1.5)


GROUPS = (along_one_axis, along_several_axes, transposes, frequencies)

REAL = {
    np.fft.rfft, np.fft.ihfft, np.fft.rfft2, np.fft.rfftn, fourier.irfft_transpose, fourier.hfft_transpose,
    fourier.irfftn_transpose,
}  # fmt: skip
"""Functions of real numbers."""
