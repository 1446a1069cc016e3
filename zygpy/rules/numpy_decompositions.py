"""Rules of the decompositions of `np.linalg`, and of what is made of them.

Sources of the formulas: M. Giles, Collected matrix derivative results for forward and reverse mode
algorithmic differentiation (2008); I. Murray, Differentiation of the Cholesky decomposition (2016);
J. Townsend, Differentiating the singular value decomposition (2016); Z. Wan and S. Zhang, Automatic
differentiation for complex valued SVD (2019); D. A. O. Roberts and L. R. Roberts, QR and LQ
decomposition matrix backpropagation algorithms for square, wide, and deep matrices (2020);
C. Boeddeker and others, On the computation of complex-valued gradients (2017).
"""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import library, non_differentiable, rule
from zygpy.runtime import decompositions, decompositions_along, least_squares

library("decompositions", decompositions)
library("decompositions_along", decompositions_along)
library("least_squares", least_squares)

rule(
    np.linalg.svd,
    "y = svd(a, full_matrices=True, compute_uv=True, hermitian=False)",
    a_bar="decompositions.svd_cotangent(a, y, y_bar, hermitian) if compute_uv"
    " else decompositions.values_cotangent(a, y_bar, hermitian)",
    a_dot="decompositions_along.svd_along(y, y_bar, hermitian) if compute_uv"
    " else decompositions_along.values_along(a, y_bar, hermitian)",
    kind="singular values and vectors",
    at="vectors of equal singular values, and of zero, do not contribute by turning into each other",
    note="vectors beyond the smaller number of rows and columns count by the space that they span",
)
rule(
    np.linalg.svdvals,
    "y = svdvals(x)",
    x_bar="decompositions.from_singular_values(x, np.real(y_bar))",
    x_dot="decompositions.turned_into_values(x, y_bar)",
    kind="singular values",
)
rule(
    np.linalg.eig,
    "y = eig(a)",
    a_bar="decompositions.eig_cotangent(y, y_bar)",
    a_dot="decompositions_along.eig_along(y, y_bar)",
    kind="any values and vectors",
    at="nan where there is no basis of eigenvectors; those of equal eigenvalues do not contribute",
)
rule(
    np.linalg.eigvals,
    "y = eigvals(a)",
    a_bar="decompositions.eigvals_cotangent(a, y, y_bar)",
    a_dot="decompositions_along.eigvals_along(a, y, y_bar)",
    kind="any values",
    at="nan where there is no basis of eigenvectors",
)
rule(
    np.linalg.eigvalsh,
    "y = eigvalsh(a, UPLO='L')",
    a_bar="decompositions.eigvalsh_cotangent(a, y_bar, UPLO)",
    a_dot="decompositions_along.eigvalsh_along(a, y_bar, UPLO)",
    kind="eigenvalues",
    note="only the triangle that UPLO names is read, so only it has a gradient",
)
rule(
    np.linalg.eigh,
    "y = eigh(a, UPLO='L')",
    a_bar="decompositions.eigh_cotangent(y, y_bar, UPLO)",
    a_dot="decompositions_along.eigh_along(y, y_bar, UPLO)",
    kind="values and vectors",
    at="eigenvectors of equal eigenvalues do not contribute",
    note="only the triangle that UPLO names is read, so only it has a gradient",
)
rule(
    np.linalg.cholesky,
    "y = cholesky(a, upper=False)",
    a_bar="decompositions.cholesky_cotangent(y, y_bar, upper)",
    a_dot="decompositions_along.cholesky_along(y, y_bar, upper)",
    kind="inverse",
    note="only the triangle that `upper` names is read, so only it has a gradient",
)
rule(
    decompositions.qr,
    "y = qr(a, mode='reduced')",
    a_bar="decompositions.qr_cotangent(a, y, y_bar, mode)",
    a_dot="decompositions_along.qr_along(a, y, y_bar, mode)",
    kind="orthogonal and triangular",
    at="0 where the first columns are not independent",
    note="columns beyond the smaller number of rows and columns count by the space that they span",
)
non_differentiable(decompositions.check_mode, kind="none")
non_differentiable(decompositions.is_real_row, least_squares.is_cut_off, kind="bool")
non_differentiable(least_squares.check_matrices, kind="none")
rule(
    np.linalg.pinv,
    "y = pinv(a, rcond=None, hermitian=False, rtol=None)",
    a_bar="least_squares.pinv_cotangent(a, y, y_bar, hermitian)",
    a_dot="least_squares.pinv_along(a, y, y_bar, hermitian)",
    kind="inverse",
    note="the rank is held, or the number of singular values that are not cut off",
    source="G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses (1973)",
)
rule(
    np.linalg.lstsq,
    "y = lstsq(a, b, rcond=None)",
    a_bar="least_squares.lstsq_to_matrix(a, b, y, y_bar, rcond)",
    b_bar="least_squares.lstsq_to_right(a, b, y, y_bar, rcond)",
    a_dot="least_squares.lstsq_along_matrix(a, b, y, y_bar, rcond)",
    b_dot="least_squares.lstsq_along_right(a, b, y, y_bar, rcond)",
    kind="least squares",
    note="the rank is held, and has no gradient",
    source="G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses (1973)",
)
rule(
    np.linalg.tensorinv,
    "y = tensorinv(a, ind=2)",
    a_bar="least_squares.tensorinv_cotangent(y, y_bar, ind)",
    a_dot="-np.tensordot(np.tensordot(y, y_bar, ind), y, ndim(a) - ind)",
    kind="array",
)
rule(
    np.linalg.tensorsolve,
    "y = tensorsolve(a, b, axes=None)",
    a_bar="least_squares.tensorsolve_to_matrix(a, b, y, y_bar, axes)",
    b_bar="least_squares.tensorsolve_to_right(a, b, y_bar, axes)",
    a_dot="-np.linalg.tensorsolve(a, least_squares.tensorsolve_right(a, b, y, y_bar, axes), axes)",
    b_dot="np.linalg.tensorsolve(a, y_bar, axes)",
    kind="array",
)
