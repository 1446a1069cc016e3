"""Rules of NumPy's products of arrays and of `np.linalg`.

Sources of the formulas: M. Giles, Collected matrix derivative results for forward and reverse mode
algorithmic differentiation (2008); I. Murray, Differentiation of the Cholesky decomposition (2016).
"""

from __future__ import annotations

import operator

import numpy as np

from zygpy.rules.declare import alias, non_differentiable, rule
from zygpy.runtime import least_squares

for _name in ("matmul", "dot", "inner"):
    rule(
        getattr(np, _name),
        f"y = {_name}(a, b)",
        a_bar=f"{_name}_left(y_bar, conj(b), shape(a))",
        b_bar=f"{_name}_right(y_bar, conj(a), shape(b))",
        kind=_name,
    )
rule(
    np.kron,
    "y = kron(a, b)",
    a_bar="kron_left(y_bar, conj(b), shape(a))",
    b_bar="kron_right(y_bar, conj(a), shape(b))",
    kind="kron",
)
rule(
    np.tensordot,
    "y = tensordot(a, b, axes=2)",
    a_bar="tensordot_left(y_bar, conj(b), shape(a), axes)",
    b_bar="tensordot_right(y_bar, conj(a), shape(b), axes)",
    kind="tensordot",
)
rule(
    np.outer,
    "y = outer(a, b)",
    a_bar="np.reshape(np.matmul(y_bar, conj(np.ravel(b))), shape(a))",
    b_bar="np.reshape(np.matmul(conj(np.ravel(a)), y_bar), shape(b))",
    kind="outer",
)
rule(
    np.vdot,
    "y = vdot(a, b)",
    a_bar="conj(y_bar) * np.reshape(b, shape(a))",
    b_bar="y_bar * np.reshape(a, shape(b))",
    kind="vdot",
)
rule(
    np.vecdot,
    "y = vecdot(a, b, axis=-1)",
    a_bar="unbroadcast(conj(np.expand_dims(y_bar, axis)) * b, shape(a))",
    b_bar="unbroadcast(np.expand_dims(y_bar, axis) * a, shape(b))",
)
rule(
    np.einsum,
    "y = einsum(subscripts, *operands, optimize=False)",
    subscripts_bar="refuse_sublists()",
    operands_bar="einsum_cotangents(y_bar, subscripts, conjugated(operands))",
    operands_dot="einsum_tangent(subscripts, operands, y_bar)",
    shares="single operands",
    kind="einsum",
)
rule(
    np.cross,
    "y = cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)",
    a_bar="cross_left(y_bar, conj(b), shape(a), axisa, axisb, axisc, axis)",
    b_bar="-cross_left(y_bar, conj(a), shape(b), axisb, axisa, axisc, axis)",
    at="vectors in the plane count as vectors in space",
    kind="unknown",
)
rule(
    np.linalg.cross,
    "y = cross(x1, x2, axis=-1)",
    x1_bar="cross_left(y_bar, conj(x2), shape(x1), axis, axis, axis)",
    x2_bar="-cross_left(y_bar, conj(x1), shape(x2), axis, axis, axis)",
    kind="unknown",
)
rule(
    np.linalg.tensordot,
    "y = tensordot(x1, x2, axes=2)",
    x1_bar="tensordot_left(y_bar, conj(x2), shape(x1), axes)",
    x2_bar="tensordot_right(y_bar, conj(x1), shape(x2), axes)",
    kind="tensordot",
)
rule(
    np.linalg.vecdot,
    "y = vecdot(x1, x2, axis=-1)",
    x1_bar="unbroadcast(conj(np.expand_dims(y_bar, axis)) * x2, shape(x1))",
    x2_bar="unbroadcast(np.expand_dims(y_bar, axis) * x1, shape(x2))",
)
rule(
    np.linalg.diagonal,
    "y = diagonal(x, offset=0)",
    x_bar="diagonal_transpose(y_bar, shape(x), offset, -2, -1)",
    shares="x",
    kind="diagonal",
)
rule(
    np.linalg.trace,
    "y = trace(x, *, offset=0, dtype=None)",
    x_bar="diagonal_transpose(np.expand_dims(cast_back(y_bar,"
    " None if dtype is None else dtype_kept(dtype, dtype(x))), -1), shape(x), offset, -2, -1)",
    x_dot="np.sum(cast_back(np.diagonal(y_bar, offset, -2, -1),"
    " None if dtype is None else dtype_kept(dtype, dtype(x))), axis=-1)",
    kind="trace",
)
rule(
    np.linalg.multi_dot,
    "y = multi_dot(arrays)",
    arrays_bar="least_squares.multi_dot_cotangents(arrays, y_bar)",
    arrays_dot="least_squares.multi_dot_along(arrays, y_bar)",
    containers=True,
)
rule(
    least_squares.chained,
    "y = chained(matrices)",
    matrices_bar="least_squares.multi_dot_cotangents(matrices, y_bar)",
    matrices_dot="least_squares.multi_dot_along(matrices, y_bar)",
    containers=True,
    kind="array",
)
if hasattr(np, "matvec"):
    rule(
        np.matvec,
        "y = matvec(x1, x2)",
        x1_bar="unbroadcast(outer_products(y_bar, conj(x2), True), shape(x1))",
        x2_bar="unbroadcast(inner_products(conj(swapped(x1)), y_bar, True), shape(x2))",
        kind="array",
    )
    rule(
        np.vecmat,
        "y = vecmat(x1, x2)",
        x1_bar="unbroadcast(inner_products(x2, conj(y_bar), True), shape(x1))",
        x2_bar="unbroadcast(outer_products(x1, y_bar, True), shape(x2))",
        kind="array",
    )
rule(
    np.linalg.solve,
    "y = solve(a, b)",
    a_bar="-unbroadcast(outer_products(adjoint_solve(a, y_bar, ndim(b) == 1), conj(y), ndim(b) == 1),"
    " shape(a))",
    b_bar="unbroadcast(adjoint_solve(a, y_bar, ndim(b) == 1), shape(b))",
    a_dot="-plain_solve(a, np.sum(y_bar * np.expand_dims(y, -2), -1) if ndim(b) == 1"
    " else np.matmul(y_bar, y), ndim(b) == 1)",
    b_dot="np.linalg.solve(a, y_bar)",
    kind="solution",
)
rule(
    np.linalg.inv,
    "y = inv(a)",
    a_bar="-np.matmul(np.matmul(conj(swapped(y)), y_bar), conj(swapped(y)))",
    a_dot="-np.matmul(np.matmul(y, y_bar), y)",
    kind="inverse",
)
rule(
    np.linalg.det,
    "y = det(a)",
    a_bar="np.expand_dims(y_bar, (-2, -1)) * conj(cofactors(a))",
    a_dot="np.sum(cofactors(a) * y_bar, (-2, -1))",
    kind="determinant",
    note="cofactors, exact for singular matrices",
)
rule(
    np.linalg.slogdet,
    "y = slogdet(a)",
    a_bar="decompositions.slogdet_cotangent(a, y, y_bar)",
    a_dot="decompositions_along.slogdet_along(a, y, y_bar)",
    kind="sign and logarithm",
    at="0 where the matrix is singular",
)
rule(
    np.linalg.matrix_power,
    "y = matrix_power(a, n)",
    a_bar="decompositions_along.power_along(conj(swapped(a)), y_bar, n)",
    a_dot="decompositions_along.power_along(a, y_bar, n)",
    shares="a where n=1",
    kind="matrix power",
)
non_differentiable(np.linalg.matrix_rank, kind="unknown")
alias(operator.matmul, np.matmul)
alias(np.linalg.matmul, np.matmul)
alias(np.linalg.outer, np.outer)
