"""Filters of minimum phase of `scipy.signal`, as a program; imported with its rules alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by


def minimum_phase(h: Any, method: Any = "homomorphic", n_fft: Any = None, *, half: Any = True) -> Any:
    """`scipy.signal.minimum_phase` by logarithms; the source is entered up to SciPy 1.17."""
    check_method(method)
    value = told_by(ss.minimum_phase, (h, method, n_fft), {"half": half})
    taps = np.asarray(h) * 1.0
    count = length_of_spectrum(len(taps)) if n_fft is None else int(n_fft)
    found = by_logarithms(taps, count, bool(half))[: len(value)]
    check_same(value, found)
    return as_given(value, found)


def check_method(method: Any) -> None:
    """Refuse the method that takes the logarithm of a spectrum where it is zero."""
    if method == "hilbert":
        raise MissingRuleError(
            "'scipy.signal.minimum_phase' has no rule for method='hilbert'.",
            why="it takes the logarithm of a spectrum that is zero at its least place",
            instead="use method='homomorphic'",
        )


def check_same(value: Any, computed: Any) -> None:
    """Refuse filters of another version's formula."""
    if not np.allclose(value, computed, rtol=1e-3, atol=1e-4 * np.max(np.abs(value)), equal_nan=True):
        raise MissingRuleError(
            "'scipy.signal.minimum_phase' has no rule in this version of SciPy.",
            why="it gives something else than what is differentiated",
            instead="write the steps with NumPy's transforms",
        )


def length_of_spectrum(taps: int) -> int:
    """The length of the transform that SciPy takes where none is given."""
    return int(2 ** math.ceil(math.log2(2 * (taps - 1) / 0.01)))


def by_logarithms(h: Any, count: int, halved: bool) -> Any:
    """The filter whose logarithm of the spectrum has no part before the origin of time."""
    size = np.abs(np.fft.fft(h, count))
    logarithm = np.log(size + 1e-7 * np.min(size, initial=np.inf, where=size > 0))
    parts = np.real(np.fft.ifft(logarithm * 0.5 if halved else logarithm))
    return np.real(np.fft.ifft(np.exp(np.fft.fft(parts * doubled_behind(count)))))


def doubled_behind(count: int) -> Any:
    """Weights that keep the origin, double what is behind it, and leave out what is before."""
    weights = np.zeros(count)
    weights[0] = 1
    weights[1 : count // 2] = 2
    weights[count // 2] = 1 + count % 2
    return weights
