"""Cotangents of functions of one complex number that are not their derivative's conjugate alone."""

from __future__ import annotations

import cmath
from typing import Any

from zygpy.runtime.derivatives import divided
from zygpy.runtime.numbers import conj


def per_complex_log(value: Any, base: Any) -> Any:
    """`value` divided by the conjugate of the logarithm of `base`; the base None is e."""
    return value if base is None else value / conj(cmath.log(base))


def turned(g: Any, z: Any) -> Any:
    """The cotangent of `z`, where `g` is that of its angle; 0 for real numbers, and at 0.

    >>> turned(1.0, 2j), turned(1.0, -3.0)
    ((-0.5+0j), 0.0)
    """
    if not isinstance(z, complex):
        return 0.0
    return divided(1j * g, conj(z)) if z else 0j
