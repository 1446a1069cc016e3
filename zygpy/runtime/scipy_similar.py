"""Matrices that are similar to others in `scipy.linalg`: Hessenberg's form, and balanced ones.

This module is imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.decompositions import adjoint
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.scipy_told import check_found, check_nonzero, gathered, in_form_of, matrices


def hessenberg(a: Any, calc_q: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.hessenberg`, by reflections (Golub and Van Loan, Matrix Computations, algorithm 7.4.2).

    By the theorem of the implicit Q (7.4.2) the matrix tells both factors but for signs, which are LAPACK's.
    """
    value = told_by(sl.hessenberg, (a, True, False, check_finite), {})
    if np.ndim(a) == 2 and len(a) < 3:  # which has the form, and is given back
        form = np.asarray(a)
        return (form, value[1]) if calc_q else form
    h, q = value
    stack = np.shape(h)[:-2]
    every, forms, bases = matrices(a, stack), matrices(h, stack), matrices(q, stack)
    found = [reflected(every[k], forms[k], bases[k]) for k in range(len(forms))]
    if calc_q:
        return in_form_of(value, (gathered(h, found, 0), gathered(q, found, 1)))
    return gathered(h, found, 0)


def reflected(a: Any, h: Any, q: Any) -> Any:
    """Hessenberg's form of one matrix and its basis, of which the library gave these.

    Two rows have that form; the last row of others is reflected where it is complex.
    """
    form, basis = a, np.eye(len(a), dtype=q.dtype)
    for k in range(len(a) - (1 if np.iscomplexobj(q) and len(a) > 2 else 2)):
        check_nonzero("hessenberg", form[k + 1 :, k], a, APART)
        vector, share = reflection(form[:, k], k + 1)
        form = form - np.conj(share) * vector * np.matmul(adjoint(vector), form)
        form = form - np.matmul(form, share * vector) * adjoint(vector)
        basis = basis - np.matmul(basis, share * vector) * adjoint(vector)
    turn = signs(q, basis)
    form, basis = np.triu(np.expand_dims(turn, 1) * form * turn, -1), basis * turn
    check_found("hessenberg", h, form)
    check_found("hessenberg", q, basis)
    return form, basis


APART = "a column of the matrix has nothing to reflect, where the basis turns suddenly"


def reflection(column: Any, first: int) -> Any:
    """The vector v, as a column, and the number t of a reflection I - t v v^H.

    Its adjoint leaves what is before an entry of a column, and takes the rest to that entry, which is real.
    """
    rest = column[first:]
    length = np.sqrt(np.sum(np.real(rest) ** 2 + np.imag(rest) ** 2))
    end = np.where(np.real(rest[0]) < 0, 1.0, -1.0) * length
    vector = np.concatenate(
        [np.zeros_like(column[:first]), np.ones_like(rest[:1]), rest[1:] / (rest[0] - end)]
    )
    return np.expand_dims(vector, 1), (end - rest[0]) / end


def signs(given: Any, computed: Any) -> Any:
    """What the columns of a basis are multiplied by to be those that are given."""
    return np.where(np.sum(np.real(np.conj(computed) * given), axis=0) < 0, -1.0, 1.0).astype(
        np.real(given).dtype
    )


def matrix_balance(
    A: Any,  # noqa: N803 (SciPy's name)
    permute: Any = True,
    scale: Any = True,
    separate: Any = False,
    overwrite_a: Any = False,
) -> Any:
    """`scipy.linalg.matrix_balance`, whose scales are powers of 2 and constants almost everywhere."""
    value = told_by(sl.matrix_balance, (A, permute, scale, separate), {})
    scales = told_by(scaling, (A, permute, scale), {})
    balanced = np.matmul(told_by(np.linalg.inv, (scales,), {}), np.matmul(np.atleast_2d(A), scales))
    return as_given(value[0], balanced), value[1]


def scaling(A: Any, permute: Any, scale: Any) -> Any:  # noqa: N803
    """The matrix that balances another one."""
    return sl.matrix_balance(A, permute, scale)[1]
