"""The fast Hankel transform of `scipy.fft` as a program: a product of spectra; imported with its rules alone.

Source of the formulas: A. J. S. Hamilton, Uncorrelated modes of the non-linear power spectrum (Monthly Notices
of the Royal Astronomical Society 312, 2000), appendix B.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.fft as sf
import scipy.special as sc

from zygpy.runtime.library_values import as_given, depending, told_by


def fht(a: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Any:
    """`scipy.fft.fht`."""
    value = told_by(sf.fht, (a, dln, mu, offset, bias), {})
    lines = steps(np.shape(a)[-1]) * dln
    u = coefficients(np.shape(a)[-1], dln, mu, offset, bias)
    if is_singular(u):
        first = depending(first_coefficient(mu, bias), (mu, bias))
        u = np.concatenate([np.reshape(first, (1,)), u[1:]])
    found = turned(np.asarray(a) * np.exp(-bias * lines), u)
    return as_given(value, found * np.exp(-bias * (lines + offset)))


def ifht(A: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Any:  # noqa: N803
    """`scipy.fft.ifht`."""
    value = told_by(sf.ifht, (A, dln, mu, offset, bias), {})
    lines = steps(np.shape(A)[-1]) * dln
    u = coefficients(np.shape(A)[-1], dln, mu, offset, bias)
    back = 1.0 / np.conj(u)
    if is_singular(u):
        first = depending(first_inverse(mu, bias), (mu, bias))
        back = np.concatenate([np.reshape(first, (1,)), 1.0 / np.conj(u[1:])])
    found = turned(np.asarray(A) * np.exp(bias * (lines + offset)), back)
    return as_given(value, found * np.exp(bias * lines))


def steps(count: int) -> Any:
    """How far so many samples are from the one in the middle."""
    return np.arange(count) - (count - 1) / 2


def coefficients(count: int, dln: Any, mu: Any, offset: Any, bias: Any) -> Any:
    """What the spectrum of so many real samples is multiplied by."""
    half = count // 2
    y = np.linspace(0.0, math.pi * half / count, half + 1) / dln
    gammas = sc.loggamma((mu + 1 + bias) / 2 + 1j * y) - sc.loggamma((mu + 1 - bias) / 2 - 1j * y)
    u = np.exp(gammas + math.log(2) * bias + 2j * y * (math.log(2) - offset))
    if count % 2:
        return u
    return np.where(np.arange(half + 1) == half, np.real(u) + 0j, u)


def turned(x: Any, u: Any) -> Any:
    """Samples whose spectrum is multiplied, in the opposite order."""
    return np.flip(sf.irfft(sf.rfft(x) * u, np.shape(x)[-1]), -1)


def is_singular(u: Any) -> bool:
    """Whether a gamma function of the first coefficient has a pole."""
    return not bool(np.isfinite(u[0]) and u[0] != 0)


def first_coefficient(mu: Any, bias: Any) -> complex:
    """What SciPy takes for the first coefficient where a gamma function has a pole, 0 where it is infinite."""
    found = 2.0**bias * sc.poch((mu + 1 - bias) / 2, bias)
    return complex(found if np.isfinite(found) else 0.0)


def first_inverse(mu: Any, bias: Any) -> complex:
    """The same of what the transform back multiplies by, 0 where the coefficient is."""
    found = 2.0**bias * sc.poch((mu + 1 - bias) / 2, bias)
    return complex(1.0 / found if found != 0 else 0.0)
