"""Rational functions in which another one is put for the variable, of `scipy.signal`, as programs.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by


def lp2lp(b: Any, a: Any, wo: Any = 1.0) -> Any:
    """`scipy.signal.lp2lp`: `s / wo` for `s`."""
    value = told_by(ss.lp2lp, (b, a, wo), {})
    return replaced(value, b, a, np.array([1.0, 0.0]), np.stack([0.0, wo]))


def lp2hp(b: Any, a: Any, wo: Any = 1.0) -> Any:
    """`scipy.signal.lp2hp`: `wo / s`."""
    value = told_by(ss.lp2hp, (b, a, wo), {})
    return replaced(value, b, a, np.stack([0.0, wo]), np.array([1.0, 0.0]))


def lp2bp(b: Any, a: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """`scipy.signal.lp2bp`: `(s**2 + wo**2) / (bw * s)`."""
    value = told_by(ss.lp2bp, (b, a, wo, bw), {})
    return replaced(value, b, a, np.stack([1.0, 0.0, wo**2]), np.stack([0.0, bw, 0.0]))


def lp2bs(b: Any, a: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """`scipy.signal.lp2bs`: `bw * s / (s**2 + wo**2)`."""
    value = told_by(ss.lp2bs, (b, a, wo, bw), {})
    return replaced(value, b, a, np.stack([0.0, bw, 0.0]), np.stack([1.0, 0.0, wo**2]))


def bilinear(b: Any, a: Any, fs: Any = 1.0) -> Any:
    """`scipy.signal.bilinear`: `2 * fs * (z - 1) / (z + 1)`."""
    value = told_by(ss.bilinear, (b, a, fs), {})
    return replaced(value, b, a, np.stack([2.0 * fs, -2.0 * fs]), np.array([1.0, 1.0]))


def normalize(b: Any, a: Any) -> Any:
    """`scipy.signal.normalize`."""
    value = told_by(ss.normalize, (b, a), {})
    check_leading(np.atleast_1d(a))
    return normalized(value, np.atleast_1d(b), np.atleast_1d(a))


def replaced(value: Any, b: Any, a: Any, above: Any, below: Any) -> Any:
    """The two polynomials in which the quotient of two others, of one length, is put for the variable."""
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    count = max(len(b), len(a))
    check_leading(a)
    powers, under = [np.ones(1)], [np.ones(1)]
    for _ in range(count - 1):
        powers.append(np.convolve(powers[-1], above))
        under.append(np.convolve(under[-1], below))
    terms = np.stack([np.convolve(powers[count - 1 - place], under[place]) for place in range(count)])
    numerator = np.matmul(np.concatenate([np.zeros(count - len(b)), b]), terms)
    denominator = np.matmul(np.concatenate([np.zeros(count - len(a)), a]), terms)
    if count == len(a):  # otherwise there may be zeros in front wherever the coefficients are
        check_leading(denominator)
    return normalized(value, numerator, denominator)


def normalized(value: Any, numerator: Any, denominator: Any) -> Any:
    """Both divided by the first coefficient of the denominator, as many as SciPy leaves."""
    denominator = denominator[len(denominator) - len(value[1]) :]
    numerator = numerator[..., np.shape(numerator)[-1] - np.shape(value[0])[-1] :]
    return as_given(value[0], numerator / denominator[0]), as_given(value[1], denominator / denominator[0])


def check_leading(a: Any) -> None:
    """Refuse a first coefficient that is 0: near it there is a pole more."""
    if a[0] == 0:
        raise MissingRuleError(
            "'scipy.signal' has no rule for a denominator whose first coefficient is 0.",
            why="a pole comes from infinity where it is not 0",
            instead="leave it out",
        )
