"""Rules of `scipy.linalg` for functions of matrices beyond the exponential, Riccati equations, bases of
subspaces, and matrices of a special form.

Sources of the formulas: N. J. Higham, Functions of Matrices (2008), theorems 3.6 and 5.3; T.-C. Kao and
G. Hennequin, Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.linalg as sl

from zygpy.ir.kinds import Tuple
from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import scipy_matrices as matrices
from zygpy.runtime import scipy_matrices_along as along
from zygpy.runtime import scipy_riccati as riccati
from zygpy.runtime import tridiagonal

library("matrices", matrices)
library("matrices_along", along)

rule(
    sl.fractional_matrix_power,
    "y = fractional_matrix_power(A, t)",
    A_bar="matrices.power_to_matrix(A, t, y_bar)",
    t_bar="matrices.power_to_exponent(A, y, y_bar)",
    A_dot="matrices_along.power_along_matrix(A, t, y, y_bar)",
    t_dot="matrices_along.power_along_exponent(A, y, y_bar)",
    shares="A where t=1",
    kind="array",
    note="the principal branch",
)
rule(
    sl.signm,
    "y = signm(A)",
    A_bar="matrices.sign_cotangent(A, y, y_bar)",
    A_dot="matrices_along.sign_along(A, y, y_bar)",
    kind="array",
)
for _name, _equation in (("continuous", sl.solve_continuous_are), ("discrete", sl.solve_discrete_are)):
    _given = "np.atleast_2d(a), np.atleast_2d(b), np.atleast_2d(r), y"
    rule(
        _equation,
        f"y = solve_{_name}_are(a, b, q, r)",
        a_bar=f"unbroadcast(matrices.{_name}_to_state({_given}, y_bar), shape(a))",
        b_bar=f"unbroadcast(matrices.{_name}_to_input({_given}, y_bar), shape(b))",
        q_bar=f"unbroadcast(matrices.{_name}_weight({_given}, y_bar), shape(q))",
        r_bar=f"unbroadcast(matrices.{_name}_to_cost({_given}, y_bar), shape(r))",
        a_dot=f"matrices_along.{_name}_along_state({_given}, np.atleast_2d(y_bar))",
        b_dot=f"matrices_along.{_name}_along_input({_given}, np.atleast_2d(y_bar))",
        q_dot=f"matrices_along.{_name}_along_weight({_given}, np.atleast_2d(y_bar))",
        r_dot=f"matrices_along.{_name}_along_cost({_given}, np.atleast_2d(y_bar))",
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
    c_dot="-matrices.toeplitz_solved(c, r, matrices.toeplitz_applied(y_bar, np.zeros_like(r), y))",
    r_dot="-matrices.toeplitz_solved(c, r, matrices.toeplitz_applied(np.zeros_like(c), y_bar, y))",
    b_dot="matrices.toeplitz_solved(c, r, y_bar)",
    kind="array",
)
rule(
    matrices.toeplitz_applied,
    "y = toeplitz_applied(c, r, x)",
    c_bar="matrices.of_column(matrices.diagonal_sums(y_bar, x), c)",
    r_bar="matrices.of_row(matrices.diagonal_sums(y_bar, x), r)",
    x_bar=_APPLIED,
    c_dot="matrices.toeplitz_applied(y_bar, np.zeros_like(r), x)",
    r_dot="matrices.toeplitz_applied(np.zeros_like(c), y_bar, x)",
    x_dot="matrices.toeplitz_applied(c, r, y_bar)",
    kind="array",
)
rule(tridiagonal.on_diagonal, "y = on_diagonal(v, k=0)", v_bar="np.diagonal(y_bar, k)", kind="diag")
rule(
    sl.eigvalsh_tridiagonal,
    "y = eigvalsh_tridiagonal(d, e)",
    d_bar="matrices.tridiagonal_to_diagonal(d, e, y_bar)",
    e_bar="matrices.tridiagonal_beside(d, e, y_bar)",
    d_dot="matrices_along.tridiagonal_along_diagonal(d, e, y_bar)",
    e_dot="matrices_along.tridiagonal_along_beside(d, e, y_bar)",
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
}
for _function, _program in _INSTEAD.items():
    stands_for(_function, _program)


def _by_form(pair: Any, either: Any) -> Any:
    """The program for a column and a row in a tuple, where it is known beforehand that they are, or for both
    forms."""

    def choose(kinds: Sequence[Any], names: frozenset[str]) -> Any:
        return pair if kinds and isinstance(kinds[0], Tuple) else either

    return choose


for _function, _pair, _either in (
    (sl.solve_toeplitz, matrices.solve_toeplitz_of_two, matrices.solve_toeplitz),
    (sl.matmul_toeplitz, matrices.matmul_toeplitz_of_two, matrices.matmul_toeplitz),
):
    stands_for(_function, _either, choose=_by_form(_pair, _either))

non_differentiable(matrices.rank_of, kind="int")
non_differentiable(riccati.check_solution, kind="none")
non_differentiable(
    sl.hilbert, sl.invhilbert, sl.hadamard, sl.helmert, sl.pascal, sl.invpascal, sl.dft,
    sl.get_blas_funcs, sl.get_lapack_funcs, sl.find_best_blas_type,
)  # fmt: skip

for _function, _program in (
    (sl.solve_continuous_are, riccati.solve_continuous_are),
    (sl.solve_discrete_are, riccati.solve_discrete_are),
):
    stands_for(_function, _program, "e, s, balanced", 4)
stands_for(sl.eigh_tridiagonal, tridiagonal.eigh_tridiagonal)
stands_for(sl.eigvalsh_tridiagonal, tridiagonal.eigvalsh_tridiagonal)
non_differentiable(tridiagonal.nearest, tridiagonal.signs, tridiagonal.values_told, kind="array")
non_differentiable(tridiagonal.told, kind="two arrays")
