"""Rules of `scipy.linalg` for functions of matrices beyond the exponential, Riccati equations, bases of
subspaces, and matrices of a special form.

Sources of the formulas: N. J. Higham, Functions of Matrices (2008), theorems 3.6 and 5.3; T.-C. Kao and
G. Hennequin, Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations (2020).
"""

from __future__ import annotations

from typing import Any

import scipy.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import scipy_matrices as matrices
from zygpy.runtime import tridiagonal

library("matrices", matrices)

rule(
    sl.fractional_matrix_power,
    "y = fractional_matrix_power(A, t)",
    A_bar="matrices.power_to_matrix(A, t, y_bar)",
    t_bar="matrices.power_to_exponent(A, y, y_bar)",
    kind="array",
    note="the principal branch",
)
rule(
    sl.signm,
    "y = signm(A)",
    A_bar="matrices.sign_cotangent(A, y, y_bar)",
    kind="array",
)
rule(
    sl.solve_continuous_are,
    "y = solve_continuous_are(a, b, q, r)",
    a_bar="matrices.continuous_to_state(a, b, r, y, y_bar)",
    b_bar="matrices.continuous_to_input(a, b, r, y, y_bar)",
    q_bar="matrices.continuous_weight(a, b, r, y, y_bar)",
    r_bar="matrices.continuous_to_cost(a, b, r, y, y_bar)",
    kind="array",
)
rule(
    sl.solve_discrete_are,
    "y = solve_discrete_are(a, b, q, r)",
    a_bar="matrices.discrete_to_state(a, b, r, y, y_bar)",
    b_bar="matrices.discrete_to_input(a, b, r, y, y_bar)",
    q_bar="matrices.discrete_weight(a, b, r, y, y_bar)",
    r_bar="matrices.discrete_to_cost(a, b, r, y, y_bar)",
    kind="array",
)

_SOLVED = "matrices.toeplitz_solved(matrices.turned_row(c, r), matrices.turned_column(c, r), y_bar)"
_APPLIED = "matrices.toeplitz_applied(matrices.turned_row(c, r), matrices.turned_column(c, r), y_bar)"
rule(
    matrices.toeplitz_solved,
    "y = toeplitz_solved(c, r, b)",
    c_bar=f"-matrices.of_column(matrices.diagonal_sums({_SOLVED}, y), c)",
    r_bar=f"-matrices.of_row(matrices.diagonal_sums({_SOLVED}, y), r)",
    b_bar=_SOLVED,
    kind="array",
)
rule(
    matrices.toeplitz_applied,
    "y = toeplitz_applied(c, r, x)",
    c_bar="matrices.of_column(matrices.diagonal_sums(y_bar, x), c)",
    r_bar="matrices.of_row(matrices.diagonal_sums(y_bar, x), r)",
    x_bar=_APPLIED,
    kind="array",
)
rule(
    sl.eigvalsh_tridiagonal,
    "y = eigvalsh_tridiagonal(d, e)",
    d_bar="matrices.tridiagonal_to_diagonal(d, e, y_bar)",
    e_bar="matrices.tridiagonal_beside(d, e, y_bar)",
    kind="array",
)

_INSTEAD: dict[Any, Any] = {
    sl.cosm: matrices.cosm,
    sl.sinm: matrices.sinm,
    sl.tanm: matrices.tanm,
    sl.coshm: matrices.coshm,
    sl.sinhm: matrices.sinhm,
    sl.tanhm: matrices.tanhm,
    sl.orth: matrices.orth,
    sl.null_space: matrices.null_space,
    sl.subspace_angles: matrices.subspace_angles,
    sl.orthogonal_procrustes: matrices.orthogonal_procrustes,
    sl.diagsvd: matrices.diagsvd,
    sl.leslie: matrices.leslie,
    sl.solve_toeplitz: matrices.solve_toeplitz,
    sl.matmul_toeplitz: matrices.matmul_toeplitz,
}
for _function, _program in _INSTEAD.items():
    stands_for(_function, _program)

non_differentiable(matrices.rank_of, kind="int")
non_differentiable(
    sl.hilbert, sl.invhilbert, sl.hadamard, sl.helmert, sl.pascal, sl.invpascal, sl.dft,
    sl.get_blas_funcs, sl.get_lapack_funcs, sl.find_best_blas_type,
)  # fmt: skip

stands_for(sl.eigh_tridiagonal, tridiagonal.eigh_tridiagonal)
stands_for(sl.eigvalsh_tridiagonal, tridiagonal.eigvalsh_tridiagonal)
non_differentiable(tridiagonal.nearest, tridiagonal.signs, kind="array")
