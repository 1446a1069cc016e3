"""Functions of `scipy.linalg` that are told they may overwrite their arguments, as programs that do not.

What is in an array that may be overwritten is not defined afterwards, so that they give the same.
"""

from __future__ import annotations

from typing import Any

import scipy.linalg as sl


def solve(
    a: Any,
    b: Any,
    lower: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    assume_a: Any = None,
    transposed: Any = False,
) -> Any:
    """`scipy.linalg.solve`."""
    return sl.solve(a, b, lower, check_finite=check_finite, assume_a=assume_a, transposed=transposed)


def solve_triangular(
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: Any = False,
    unit_diagonal: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.solve_triangular`."""
    return sl.solve_triangular(a, b, trans, lower, unit_diagonal, check_finite=check_finite)


def solve_banded(
    l_and_u: Any,
    ab: Any,
    b: Any,
    overwrite_ab: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.solve_banded`."""
    return sl.solve_banded(l_and_u, ab, b, check_finite=check_finite)


def solveh_banded(
    ab: Any,
    b: Any,
    overwrite_ab: Any = False,
    overwrite_b: Any = False,
    lower: Any = False,
    check_finite: Any = True,
) -> Any:
    """`scipy.linalg.solveh_banded`."""
    return sl.solveh_banded(ab, b, lower=lower, check_finite=check_finite)


def cholesky(a: Any, lower: Any = False, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.cholesky`."""
    return sl.cholesky(a, lower, check_finite=check_finite)


def det(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.det`."""
    return sl.det(a, check_finite=check_finite)


def svd(
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    overwrite_a: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = "gesdd",
) -> Any:
    """`scipy.linalg.svd`."""
    return sl.svd(a, full_matrices, compute_uv, check_finite=check_finite, lapack_driver=lapack_driver)


def svdvals(a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """`scipy.linalg.svdvals`."""
    return sl.svdvals(a, check_finite=check_finite)


def lstsq(
    a: Any,
    b: Any,
    cond: Any = None,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = None,
) -> Any:
    """`scipy.linalg.lstsq`."""
    return sl.lstsq(a, b, cond, check_finite=check_finite, lapack_driver=lapack_driver)
