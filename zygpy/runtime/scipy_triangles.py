"""The RQ factors of `scipy.linalg`, as a program that is differentiated in their place.

This module is imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by


def rq(
    a: Any, overwrite_a: Any = False, lwork: Any = None, mode: Any = "full", check_finite: Any = True
) -> Any:
    """`scipy.linalg.rq`: `a = R Q` is `a^H = Q^H R^H`, which with the rows of `a` in reverse order are the QR
    factors, whose rows and columns are reversed back; LAPACK chooses their phases."""
    check_shape(a, mode)
    value = told_by(sl.rq, (a, False, lwork, mode, check_finite), {})
    turned, triangle = np.linalg.qr(np.conj(np.asarray(a)[::-1].T))
    r, q = np.conj(triangle[::-1, ::-1].T), np.conj(turned[:, ::-1].T)
    before = np.shape(value)[1] - len(r) if mode == "r" else 0
    phase = phases(value[:, before:] if mode == "r" else value[0], r)
    if mode == "r":
        return as_given(value, np.pad(r * phase, ((0, 0), (before, 0))))
    return as_given(value[0], r * phase), as_given(value[1], q * np.conj(phase)[:, None])


def check_shape(a: Any, mode: Any) -> None:
    """Refuse stacks, and factors with rows beside the range, or of more rows than columns."""
    shape = np.shape(a)
    if len(shape) != 2 or shape[0] > shape[1] or (mode == "full" and shape[0] < shape[1]):
        raise MissingRuleError(
            "'scipy.linalg.rq' has no rule for these matrices in this mode.",
            why="both factors are told by the matrix only if it is square, or has more columns than rows and"
            " mode='economic' is given",
            instead="use mode='economic', or 'scipy.linalg.qr' of the transpose",
        )


def phases(given: Any, computed: Any) -> Any:
    """What the columns of a triangle are multiplied by to be those that are given."""
    ratios = np.diagonal(given) * np.conj(np.diagonal(computed))
    return np.where(ratios == 0, 1.0, ratios / np.where(ratios == 0, 1.0, np.abs(ratios)))
