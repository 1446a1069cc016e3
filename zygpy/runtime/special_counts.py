"""Derivatives of the distribution functions of counts by a probability, and of Tukey's distribution by its
shape: plain programs, which a second derivative enters.

Source: DLMF 8.17.20 (incomplete beta functions of whole numbers).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special as sc

from zygpy.runtime.special_derivatives import exprel_derivative


def binomial_slope(k: Any, n: Any, p: Any) -> Any:
    """Minus the derivative by `p` of the probability of at most `k` in `n`: 0 where that is certain."""
    open_ = (k >= 0) & (k < n)
    known, others = np.where(open_, k, 0.0), np.where(open_, n - k, 1.0)
    logarithm = sc.xlogy(known, p) + sc.xlog1py(others - 1, -p) - sc.betaln(known + 1, others)
    return np.where(open_, np.exp(logarithm), 0.0)


def negative_slope(k: Any, n: Any, p: Any) -> Any:
    """The derivative by `p` of the probability of at most `k` failures before `n` successes."""
    return np.exp(sc.xlogy(n - 1, p) + sc.xlog1py(k, -p) - sc.betaln(n, k + 1.0))


def tukey_shift(y: Any, lmbda: Any) -> Any:
    """Minus the derivative by the shape of Tukey's distribution function `y`: 0 beyond the support.

    Its quantile is a difference of two transforms of Box and Cox.
    """
    inside = (y > 0) & (y < 1)
    p = np.where(inside, y, 0.5)
    turn = np.log(p) ** 2 * exprel_derivative(sc.xlogy(lmbda, p), 1)
    turn = turn - np.log1p(-p) ** 2 * exprel_derivative(sc.xlog1py(lmbda, -p), 1)
    slope = np.exp(sc.xlogy(lmbda - 1, p)) + np.exp(sc.xlog1py(lmbda - 1, -p))
    return np.where(inside, turn / slope, 0.0)
