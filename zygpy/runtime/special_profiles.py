"""Derivatives of the Voigt profile: plain programs, which a second derivative enters.

The profile is the real part of a function of `x + 1j * gamma`, Faddeeva's (DLMF 7.19), and of `1j / (pi z)`
where `sigma` is 0; these are the first two derivatives of that function.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zygpy.runtime import special_derivatives as special


def voigt_slope(x: Any, sigma: Any, gamma: Any) -> Any:
    """The first derivative."""
    sharp = np.equal(sigma, 0)
    place, width = x + 1j * gamma, np.where(sharp, 1.0, sigma)
    spread = special.wofz_derivative(place / (width * math.sqrt(2)), 1)
    alone = np.where(sharp, place, 1.0)
    return np.where(sharp, -1j / (math.pi * alone**2), spread / (2 * math.sqrt(math.pi) * width**2))


def voigt_bend(x: Any, sigma: Any, gamma: Any) -> Any:
    """The second derivative."""
    sharp = np.equal(sigma, 0)
    place, width = x + 1j * gamma, np.where(sharp, 1.0, sigma)
    spread = special.wofz_derivative(place / (width * math.sqrt(2)), 2)
    alone = np.where(sharp, place, 1.0)
    return np.where(sharp, 2j / (math.pi * alone**3), spread / (2 * math.sqrt(2 * math.pi) * width**3))
