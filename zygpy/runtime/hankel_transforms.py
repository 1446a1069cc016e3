"""The fast Hankel transform of `scipy.fft` as a program: a product of spectra.

Source of the formulas: A. J. S. Hamilton, Uncorrelated modes of the non-linear power spectrum (Monthly
Notices of the Royal Astronomical Society 312, 2000), appendix B.
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
    first, rest = coefficients(np.shape(a)[-1], dln, mu, offset, bias)
    u = np.concatenate([np.reshape(first, (1,)), rest])
    found = turned(np.asarray(a) * np.exp(-bias * lines), u)
    return as_given(value, found * np.exp(-bias * (lines + offset)))


def ifht(A: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Any:  # noqa: N803
    """`scipy.fft.ifht`, which divides by what belongs to a bias of the other sign."""
    value = told_by(sf.ifht, (A, dln, mu, offset, bias), {})
    lines = steps(np.shape(A)[-1]) * dln
    first, rest = coefficients(np.shape(A)[-1], dln, mu, offset, bias)
    u = np.concatenate([np.reshape(inverted(first), (1,)), 1.0 / np.conj(rest)])
    found = turned(np.asarray(A) * np.exp(bias * (lines + offset)), u)
    return as_given(value, found * np.exp(bias * lines))


def steps(count: int) -> Any:
    """How far so many samples are from the one in the middle."""
    return np.arange(count) - (count - 1) / 2


def coefficients(count: int, dln: Any, mu: Any, offset: Any, bias: Any) -> tuple[Any, Any]:
    """What the spectrum of so many real samples is multiplied by: the first number, and the others."""
    half = count // 2
    y = np.arange(1, half + 1) * (math.pi / count) / dln
    rest = ratio(mu, bias, y) * np.exp(2j * y * (math.log(2) - offset))
    if count % 2 == 0:
        rest = np.where(np.arange(1, half + 1) == half, np.real(rest) + 0j, rest)
    if is_singular(mu, bias):
        return depending(first_coefficient(mu, bias), (mu, bias)), rest
    return ratio(mu, bias, 0.0), rest


def ratio(mu: Any, bias: Any, y: Any) -> Any:
    """A power of 2 times the quotient of two gamma functions."""
    gammas = sc.loggamma((mu + 1 + bias) / 2 + 1j * y) - sc.loggamma((mu + 1 - bias) / 2 - 1j * y)
    return np.exp(gammas + math.log(2) * bias)


def inverted(first: Any) -> Any:
    """What divides by the first number, 0 where that is 0."""
    return 1.0 / np.conj(first) if first != 0 else 0.0 * first


def turned(x: Any, u: Any) -> Any:
    """Samples whose spectrum is multiplied, in the opposite order."""
    return np.flip(sf.irfft(sf.rfft(x) * u, np.shape(x)[-1]), -1)


def is_singular(mu: Any, bias: Any) -> bool:
    """Whether a gamma function of the first coefficient has a pole."""
    return any(one <= 0 and one == round(one) for one in ((mu + 1 + bias) / 2, (mu + 1 - bias) / 2))


def first_coefficient(mu: Any, bias: Any) -> complex:
    """The first coefficient where a gamma function has a pole; SciPy takes 0 where it is infinite."""
    found = 2.0**bias * sc.poch((mu + 1 - bias) / 2, bias)
    return complex(found if np.isfinite(found) else 0.0)
