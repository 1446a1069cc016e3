"""The factors of Hermitian and of symmetric matrices of `scipy.linalg` with blocks of one row or two.

This module is imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.decompositions import adjoint, hermitian_of
from zygpy.runtime.library_values import told_by
from zygpy.runtime.products import swapped
from zygpy.runtime.scipy_told import check_found, check_nonzero, gathered, in_form_of, matrices


def ldl(
    A: Any,  # noqa: N803 (SciPy's name)
    lower: Any = True,
    hermitian: Any = True,
    overwrite_a: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.ldl`: elimination by blocks, in the order of rows and with the sizes that LAPACK chose.

    Only the triangle that `lower` names is read, so only it has a gradient.
    """
    value = told_by(sl.ldl, (A, lower, hermitian, False, check_finite), {})
    outer, middle, order = value
    stack, rows = np.shape(outer)[:-2], np.reshape(order, (-1, np.shape(order)[-1]))
    whole = matrices(whole_of(np.asarray(A), lower, hermitian), stack)
    lefts, middles, step = matrices(outer, stack), matrices(middle, stack), 1 if lower else -1
    found = [eliminated(whole[k], lefts[k], middles[k], rows[k], step, hermitian) for k in range(len(whole))]
    return in_form_of(value, (gathered(outer, found, 0), gathered(middle, found, 1), order))


def whole_of(a: Any, lower: Any, hermitian: Any) -> Any:
    """The matrices that one triangle tells."""
    if hermitian:
        return hermitian_of(a if lower else adjoint(a))
    read = np.tril(a if lower else swapped(a))
    return read + swapped(np.tril(read, -1))


def eliminated(a: Any, outer: Any, middle: Any, order: Any, step: int, hermitian: Any) -> Any:
    """The factors of a matrix, of which the library gave these; with the step -1 it is eliminated from its
    end."""
    rest, unit = a[order[::step]][:, order[::step]], np.eye(len(a), dtype=outer.dtype)
    left, inner = np.zeros_like(outer), np.zeros_like(outer)
    for block in blocks(middle[::step, ::step]):
        here, later = unit[:, block], np.arange(len(a)) >= block.stop
        pivot, below = rest[block, block], np.expand_dims(later, 1) * rest[:, block]
        if block.stop < len(a):
            check_nonzero("ldl", pivot, a, NOTHING_LEFT)
            factor = np.matmul(below, np.linalg.inv(pivot))
        else:
            factor = below
        left = left + np.matmul(here + factor, here.T)
        inner = inner + np.matmul(np.matmul(here, pivot), here.T)
        rest = rest - np.matmul(factor, adjoint(below) if hermitian else swapped(below))
    left, inner = left[::step, ::step][np.argsort(order)], inner[::step, ::step]
    check_found("ldl", outer, left)
    check_found("ldl", middle, inner)
    return left, inner


NOTHING_LEFT = "nothing but rounding errors is left to eliminate with, of which the order of rows is made"


def blocks(middle: Any) -> list[slice]:
    """Where the blocks in a matrix of blocks are.

    >>> blocks(np.array([[1.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 3.0]]))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    together = np.append(np.diagonal(middle, -1) != 0, False)
    starts = [place for place in range(len(middle)) if place == 0 or not together[place - 1]]
    return [slice(place, place + 1 + int(together[place])) for place in starts]
