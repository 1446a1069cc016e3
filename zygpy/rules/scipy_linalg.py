"""Rules of `scipy.linalg`, there once a program has imported it.

Sources of the formulas: M. Giles, Collected matrix derivative results for forward and reverse mode
algorithmic differentiation (2008); N. J. Higham, Functions of Matrices (2008); A. H. Al-Mohy and
N. J. Higham, Computing the Frechet derivative of the matrix exponential (2009); T.-C. Kao and G. Hennequin,
Automatic differentiation of Sylvester, Lyapunov, and algebraic Riccati equations (2020).
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import Any, cast

import scipy.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.rules.numpy_matrix_norms import BY_ORDER
from zygpy.runtime import scipy_eigenvalues as eigenvalues
from zygpy.runtime import scipy_factors as factors
from zygpy.runtime import scipy_factors_along as factors_along
from zygpy.runtime import scipy_flags as flags
from zygpy.runtime import scipy_functions as functions
from zygpy.runtime import scipy_solutions as solutions

library("sl", sl)
library("solutions", solutions)
library("factors", factors)
library("factors_along", factors_along)
library("functions", functions)

# Solvers.

rule(
    sl.solve,
    "y = solve(a, b, lower=False, check_finite=True, assume_a=None, transposed=False)",
    a_bar="solutions.solve_to_matrix(a, b, y, y_bar, lower, assume_a, transposed)",
    b_bar="solutions.solve_to_right(a, b, y_bar, lower, assume_a, transposed)",
    a_dot="solutions.solve_along(a, b, y, y_bar, lower, assume_a, transposed)",
    b_dot="sl.solve(a, y_bar, lower, assume_a=assume_a, transposed=transposed)",
    kind="solution",
    note="only what `assume_a` lets it read has a gradient",
)
rule(
    sl.solve_triangular,
    "y = solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, check_finite=True)",
    a_bar="solutions.triangular_to_matrix(a, b, y, y_bar, trans, lower, unit_diagonal)",
    b_bar="solutions.triangular_to_right(a, b, y_bar, trans, lower, unit_diagonal)",
    a_dot="solutions.triangular_along(a, b, y, y_bar, trans, lower, unit_diagonal)",
    b_dot="sl.solve_triangular(a, y_bar, trans, lower, unit_diagonal)",
    kind="solution",
    note="only the triangle that is read has a gradient",
)
rule(
    sl.solve_banded,
    "y = solve_banded(l_and_u, ab, b, check_finite=True)",
    ab_bar="solutions.banded_to_diagonals(l_and_u, ab, y, y_bar)",
    ab_dot="-sl.solve_banded(l_and_u, ab, factors_along.banded_along(l_and_u, y, y_bar))",
    b_dot="sl.solve_banded(l_and_u, ab, y_bar)",
    b_bar="solutions.banded_back(l_and_u, ab, y_bar)",
    kind="right side b",
)
rule(
    sl.solveh_banded,
    "y = solveh_banded(ab, b, lower=False, check_finite=True)",
    ab_bar="solutions.hermitian_banded_to_diagonals(ab, b, y, y_bar, lower)",
    ab_dot="-sl.solveh_banded(ab, factors_along.hermitian_banded_along(y, y_bar, lower), lower=lower)",
    b_dot="sl.solveh_banded(ab, y_bar, lower=lower)",
    b_bar="sl.solveh_banded(ab, y_bar, lower=lower)",
    kind="right side b",
)
rule(
    sl.solve_sylvester,
    "y = solve_sylvester(a, b, q)",
    a_bar="-np.matmul(sl.solve_sylvester(conj(swapped(a)), conj(swapped(b)), y_bar), conj(swapped(y)))",
    b_bar="-np.matmul(conj(swapped(y)), sl.solve_sylvester(conj(swapped(a)), conj(swapped(b)), y_bar))",
    q_bar="sl.solve_sylvester(conj(swapped(a)), conj(swapped(b)), y_bar)",
    a_dot="-sl.solve_sylvester(a, b, np.matmul(y_bar, y))",
    b_dot="-sl.solve_sylvester(a, b, np.matmul(y, y_bar))",
    q_dot="sl.solve_sylvester(a, b, y_bar)",
    kind="array",
)
rule(
    sl.solve_continuous_lyapunov,
    "y = solve_continuous_lyapunov(a, q)",
    a_bar="functions.continuous_to_first(a, y, y_bar)",
    q_bar="functions.continuous_to_second(a, q, y_bar)",
    a_dot="functions.continuous_along(a, y, y_bar)",
    q_dot="sl.solve_continuous_lyapunov(a, y_bar)",
    kind="array",
)
rule(
    sl.solve_discrete_lyapunov,
    "y = solve_discrete_lyapunov(a, q, method=None)",
    a_bar="functions.discrete_to_first(a, y, y_bar, method)",
    q_bar="sl.solve_discrete_lyapunov(conj(swapped(a)), y_bar, method)",
    a_dot="sl.solve_discrete_lyapunov(a, np.matmul(np.matmul(y_bar, y), conj(swapped(a)))"
    " + np.matmul(np.matmul(a, y), conj(swapped(y_bar))), method)",
    q_dot="sl.solve_discrete_lyapunov(a, y_bar, method)",
    kind="array",
)

# Factors.

rule(
    sl.cholesky,
    "y = cholesky(a, lower=False, check_finite=True)",
    a_bar="decompositions.cholesky_cotangent(y, y_bar, not lower)",
    a_dot="decompositions_along.cholesky_along(y, y_bar, not lower)",
    kind="inverse",
    note="only the triangle that `lower` names is read, so only it has a gradient",
)
rule(
    factors.factored,
    "y = factored(a, lower=False, check_finite=True)",
    a_bar="factors.factored_cotangent(y, y_bar, lower)",
    a_dot="factors_along.factored_along(y, y_bar, lower)",
    kind="inverse",
)
rule(
    factors.cho_solved,
    "y = cho_solved(c, lower, b, check_finite=True)",
    c_bar="factors.cho_solved_to_factor(c, lower, b, y, y_bar)",
    b_bar="unbroadcast(factors.cho_solved(c, lower, y_bar), shape(b))",
    c_dot="factors_along.cho_solved_along(c, lower, b, y, y_bar)",
    b_dot="factors.cho_solved(c, lower, y_bar)",
    kind="array",
)
rule(
    factors.lu_factored,
    "y = lu_factored(a, check_finite=True)",
    a_bar="factors.lu_factored_cotangent(y, y_bar)",
    a_dot="factors_along.lu_factored_along(y, y_bar)",
    kind="matrix and pivots",
    note="the exchanges of rows have no derivative",
)
rule(
    factors.lu_solved,
    "y = lu_solved(lu, pivots, b, trans=0, check_finite=True)",
    lu_bar="factors.lu_solved_to_factors(lu, pivots, b, y, y_bar, trans)",
    b_bar="factors.lu_solved_to_right(lu, pivots, b, y_bar, trans)",
    lu_dot="factors_along.lu_solved_along(lu, pivots, b, y, y_bar, trans)",
    b_dot="factors.lu_solved(lu, pivots, y_bar, trans)",
    kind="array",
)
rule(
    factors.in_three,
    "y = in_three(a, check_finite=True)",
    a_bar="factors.in_three_cotangent(y, y_bar)",
    a_dot="factors_along.in_three_along(y, y_bar)",
    kind="order and two matrices",
    note="the exchanges of rows have no derivative",
)
rule(
    factors.whole,
    "y = whole(a)",
    a_bar="factors.whole_cotangent(a, y, y_bar)",
    a_dot="factors_along.factors_of_whole(a, y, y_bar)",
    at="0 where the first columns are not independent",
    note="columns beyond the smaller number of rows and columns count by the space that they span",
    kind="two factors",
)
rule(
    factors.in_mode,
    "y = in_mode(a, mode='full', pivoting=False, check_finite=True)",
    a_bar="factors.in_order_cotangent(a, y, y_bar, mode) if pivoting"
    " else factors.in_mode_cotangent(a, y, y_bar, mode)",
    a_dot="factors_along.in_order_along(a, y, y_bar, mode) if pivoting"
    " else factors_along.in_mode_along(a, y, y_bar, mode)",
    at="0 where the first columns are not independent",
    note="columns beyond the smaller number of rows and columns count by the space that they span",
    kind="unknown",
)
rule(
    sl.polar,
    "y = polar(a, side='right')",
    a_bar="functions.polar_cotangent(a, y, y_bar, side)",
    a_dot="factors_along.polar_along(a, y, y_bar, side)",
    at="singular values of 0 do not count",
    kind="two matrices",
)

# Eigenvalues and singular values.

rule(
    sl.svd,
    "y = svd(a, full_matrices=True, compute_uv=True, check_finite=True, lapack_driver='gesdd')",
    a_bar="decompositions.svd_cotangent(a, y, y_bar) if compute_uv"
    " else decompositions.values_cotangent(a, y_bar)",
    a_dot="decompositions_along.singular_along(y[0], y[1], y[2], y_bar) if compute_uv"
    " else decompositions_along.values_along(a, y_bar)",
    kind="plain singular values and vectors",
    at="vectors of equal singular values, and of zero, do not contribute by turning into each other",
    note="vectors beyond the smaller number of rows and columns count by the space that they span",
)
rule(
    sl.svdvals,
    "y = svdvals(a, check_finite=True)",
    a_bar="decompositions.from_singular_values(a, np.real(y_bar))",
    a_dot="decompositions.turned_into_values(a, y_bar)",
    kind="singular values",
)
_LETTER = "'L' if lower else 'U'"
_VALUES = (
    f"decompositions.eigvalsh_cotangent(a, y_bar, {_LETTER}) if b is None"
    " else factors.eigvalsh_to_first(a, b, y_bar, lower)"
)
_VALUES_ALONG = (
    f"decompositions_along.eigvalsh_along(a, y_bar, {_LETTER}) if b is None"
    " else factors_along.eigvalsh_along_first(a, b, y_bar, lower)"
)
rule(
    sl.eigh,
    "y = eigh(a, b=None, lower=True, eigvals_only=False, check_finite=True, driver=None)",
    a_bar=f"({_VALUES}) if eigvals_only else decompositions.eigh_cotangent(y, y_bar, {_LETTER})"
    " if b is None else factors.eigh_to_first(y, y_bar, lower)",
    b_bar="factors.eigvalsh_to_second(a, b, y, y_bar, lower) if eigvals_only"
    " else factors.eigh_to_second(y, y_bar, lower)",
    a_dot=f"({_VALUES_ALONG}) if eigvals_only"
    f" else decompositions_along.hermitian_along(y[0], y[1], y_bar, {_LETTER}) if b is None"
    " else factors_along.eigh_along_first(y, y_bar, lower)",
    b_dot="factors_along.eigvalsh_along_second(a, b, y, y_bar, lower) if eigvals_only"
    " else factors_along.eigh_along_second(y, y_bar, lower)",
    kind="plain values and vectors",
    at="eigenvectors of equal eigenvalues do not contribute",
    note="only the triangle that `lower` names is read, so only it has a gradient",
)
rule(
    sl.eigvalsh,
    "y = eigvalsh(a, b=None, lower=True, check_finite=True, driver=None)",
    a_bar=_VALUES,
    b_bar="factors.eigvalsh_to_second(a, b, y, y_bar, lower)",
    a_dot=_VALUES_ALONG,
    b_dot="factors_along.eigvalsh_along_second(a, b, y, y_bar, lower)",
    kind="real values",
    note="only the triangle that `lower` names is read, so only it has a gradient",
)
rule(
    factors.pairs,
    "y = pairs(a, check_finite=True)",
    a_bar="decompositions.eig_cotangent(y, y_bar)",
    a_dot="decompositions_along.pairs_along(y[0], y[1], y_bar)",
    kind="plain any values and vectors",
    at="nan where there is no basis of eigenvectors; those of equal eigenvalues do not contribute",
)
rule(
    factors.values_alone,
    "y = values_alone(a, check_finite=True)",
    a_bar="decompositions.eigvals_cotangent(a, y, y_bar)",
    a_dot="decompositions_along.eigvals_along(a, y, y_bar)",
    kind="any values",
    at="nan where there is no basis of eigenvectors",
)

# Functions of matrices.

rule(
    sl.inv,
    "y = inv(a, check_finite=True)",
    a_bar="-np.matmul(np.matmul(conj(swapped(y)), y_bar), conj(swapped(y)))",
    a_dot="-np.matmul(np.matmul(y, y_bar), y)",
    kind="inverse",
)
rule(
    sl.det,
    "y = det(a, check_finite=True)",
    a_bar="np.expand_dims(y_bar, (-2, -1)) * conj(cofactors(a))",
    a_dot="np.sum(cofactors(a) * y_bar, (-2, -1))",
    kind="scalar determinant",
    note="cofactors, exact for singular matrices",
)
rule(
    sl.norm,
    "y = norm(a, ord=None, axis=None, keepdims=False, check_finite=True)",
    a_bar="unreduce(np.real(y_bar), shape(a), axis, keepdims) * matrix_norms.weights(a, ord, axis)",
    tangent="reduction",
    at="0 where y == 0; the first of equal extremes; singular values of 0 do not count",
    kind="number-or-array",
    refused=BY_ORDER,
)
rule(
    sl.pinv,
    "y = pinv(a, atol=None, rtol=None, return_rank=False, check_finite=True)",
    a_bar="least_squares.pinv_cotangent(a, y[0], part(y_bar, 0) + np.zeros_like(y[0])) if return_rank"
    " else least_squares.pinv_cotangent(a, y, y_bar)",
    a_dot="(least_squares.pinv_along(a, y[0], y_bar), 0.0) if return_rank"
    " else least_squares.pinv_along(a, y, y_bar)",
    kind="inverse or rank",
    note="the rank is held, or the number of singular values that are not cut off",
)
rule(
    sl.lstsq,
    "y = lstsq(a, b, cond=None, check_finite=True, lapack_driver=None)",
    a_bar="least_squares.lstsq_to_matrix(a, b, y, y_bar, -1 if cond is None else cond)",
    b_bar="least_squares.lstsq_to_right(a, b, y, y_bar, -1 if cond is None else cond)",
    a_dot="least_squares.lstsq_along_matrix(a, b, y, y_bar, -1 if cond is None else cond)",
    b_dot="least_squares.lstsq_along_right(a, b, y, y_bar, -1 if cond is None else cond)",
    kind="plain least squares",
    note="the rank is held, and has no gradient",
)
rule(
    sl.expm,
    "y = expm(A)",
    A_bar="np.reshape(functions.frechet(conj(swapped(np.atleast_2d(A))), y_bar), shape(A))",
    A_dot="functions.frechet(np.atleast_2d(A), np.atleast_2d(y_bar))",
    kind="inverse",
)
rule(
    functions.frechet,
    "y = frechet(a, direction, method=None)",
    a_bar="functions.frechet_to_matrix(a, direction, y_bar)",
    direction_bar="functions.frechet(conj(swapped(a)), y_bar)",
    a_dot="factors_along.frechet_along(a, direction, y_bar)",
    direction_dot="functions.frechet(a, y_bar)",
    kind="array",
)
rule(
    functions.with_frechet,
    "y = with_frechet(a, direction, method=None)",
    a_bar="functions.frechet(conj(swapped(a)), part(y_bar, 0) + np.zeros_like(y[0]))"
    " + functions.frechet_to_matrix(a, direction, part(y_bar, 1) + np.zeros_like(y[1]))",
    direction_bar="functions.frechet(conj(swapped(a)), part(y_bar, 1) + np.zeros_like(y[1]))",
    a_dot="(functions.frechet(a, y_bar), factors_along.frechet_along(a, direction, y_bar))",
    direction_dot="(np.zeros_like(y[0]), functions.frechet(a, y_bar))",
    kind="two arrays",
)
rule(
    sl.logm,
    "y = logm(A)",
    A_bar="functions.logarithm_cotangent(y, y_bar)",
    A_dot="functions.logarithm_cotangent(conj(swapped(y)), y_bar)",
    kind="any matrices",
    note="the principal branch",
)
rule(
    sl.sqrtm,
    "y = sqrtm(A)",
    A_bar="functions.root_cotangent(y, functions.of_matrix(y_bar, A))",
    A_dot="functions.root_cotangent(conj(swapped(y)), functions.of_matrix(y_bar, A))",
    kind="any matrices",
    note="the principal branch",
)

# Programs: functions that look at their arguments, make tuples of them, or only put numbers in places.

_BOTH = "overwrite_b" in inspect.signature(sl.eigvals).parameters  # since SciPy 1.18
_INSTEAD: dict[Any, Any] = {
    sl.cho_factor: factors.cho_factor,
    sl.cho_solve: factors.cho_solve,
    sl.lu_factor: factors.lu_factor,
    sl.lu_solve: factors.lu_solve,
    sl.lu: factors.lu,
    sl.eig: eigenvalues.eig,
    sl.eigvals: eigenvalues.eigvals_of_both if _BOTH else eigenvalues.eigvals,
    sl.expm_frechet: functions.expm_frechet,
    sl.toeplitz: functions.toeplitz,
    sl.circulant: functions.circulant,
    sl.hankel: functions.hankel,
    sl.block_diag: functions.block_diag,
    sl.khatri_rao: functions.khatri_rao,
    sl.companion: functions.companion,
}
for _function, _program in _INSTEAD.items():
    stands_for(_function, _program)


def _factors_of(kinds: Sequence[Any], names: frozenset[str]) -> FunctionType:
    """`scipy.linalg.qr`: without a mode it gives two factors, which is known beforehand."""
    program: Any = factors.qr_full if len(kinds) == 1 and not names else factors.qr
    return cast(FunctionType, program)


stands_for(sl.qr, factors.qr, choose=_factors_of)

for _function, _program, _before in (
    (sl.solve, flags.solve, 3),
    (sl.solve_triangular, flags.solve_triangular, 5),
    (sl.solve_banded, flags.solve_banded, 3),
    (sl.solveh_banded, flags.solveh_banded, 2),
    (sl.cholesky, flags.cholesky, 2),
    (sl.det, flags.det, 1),
    (sl.svd, flags.svd, 3),
    (sl.svdvals, flags.svdvals, 1),
    (sl.lstsq, flags.lstsq, 3),
):
    stands_for(_function, _program, "overwrite_a, overwrite_b, overwrite_ab", _before)

stands_for(sl.inv, eigenvalues.inv, "overwrite_a, assume_a, lower", 1)
for _function, _program in ((sl.eigh, eigenvalues.eigh), (sl.eigvalsh, eigenvalues.eigvalsh)):
    _options = "overwrite_a, overwrite_b, type, subset_by_index, subset_by_value"
    stands_for(_function, _program, _options, 2)

non_differentiable(
    eigenvalues.check_ratios, eigenvalues.check_single, eigenvalues.check_regular,
    eigenvalues.check_structure, factors.check_mode,
    functions.check_vectors, functions.check_matrix, functions.check_flat, functions.check_alike,
    functions.check_band,
    functions.check_khatri_rao, functions.check_companion,
    kind="none",
)  # fmt: skip
non_differentiable(factors.as_matrix, kind="unknown")
non_differentiable(functions.times_to_halve, solutions.code_of, eigenvalues.place_of_first, kind="int")
non_differentiable(eigenvalues.is_plain, kind="bool")
non_differentiable(eigenvalues.turns, eigenvalues.places, kind="array")
non_differentiable(factors.order_of, kind="places along axis")
non_differentiable(sl.issymmetric, sl.ishermitian, sl.bandwidth)
