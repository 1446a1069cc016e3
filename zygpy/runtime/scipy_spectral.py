"""Functions of the eigenvalues of matrices of `scipy.linalg`.

This module is imported with the rules of `scipy.linalg`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg as sl

from zygpy.runtime.decompositions import adjoint, hermitian_of
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.scipy_told import check_found, check_separate, matrices


def funm(A: Any, func: Any, disp: Any = True) -> Any:  # noqa: N803 (SciPy's name)
    """`scipy.linalg.funm`: the function of the eigenvalues, in a basis of eigenvectors.

    The estimate of the error has no derivative.
    """
    value = told_by(sl.funm, (A, func, disp), {})
    given = value if disp else value[0]
    every, stack = matrices(A, np.shape(given)[:-2]), matrices(given, np.shape(given)[:-2])
    found = [of_eigenvalues(every[k], func, stack[k]) for k in range(len(every))]
    result = as_given(given, np.reshape(np.stack(found), np.shape(given)))
    return result if disp else (result, value[1])


def of_eigenvalues(a: Any, func: Any, given: Any) -> Any:
    """The function of one matrix, of which the library gave this."""
    check_separate("funm", np.asarray(a))
    values, vectors = np.linalg.eig(a)
    whole = np.matmul(vectors * func(values + 0j), np.linalg.inv(vectors))
    found = whole if np.iscomplexobj(given) else np.real(whole)
    check_found("funm", given, found)
    return found


def pinvh(
    a: Any,
    atol: Any = None,
    rtol: Any = None,
    lower: Any = True,
    return_rank: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.pinvh`, of which one triangle is read."""
    value = told_by(sl.pinvh, (a, atol, rtol, lower, return_rank, check_finite), {})
    a = np.asarray(a)
    found = sl.pinv(hermitian_of(a if lower else adjoint(a)), atol=atol, rtol=rtol)
    return (as_given(value[0], found), value[1]) if return_rank else as_given(value, found)
