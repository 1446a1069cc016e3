"""Rules of norms and condition numbers.

Source of the formulas: G. A. Watson, Characterization of the subdifferential of some matrix norms (1992).
"""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import library, rule
from zygpy.runtime import matrix_norms

library("matrix_norms", matrix_norms)

BY_ORDER = {"ord": "the orders of norms are held; take the power of the sum of powers yourself."}

TIES = "0 where y == 0; the first of equal extremes; singular values of 0 do not count"

rule(
    np.linalg.norm,
    "y = norm(x, ord=None, axis=None, keepdims=False)",
    x_bar="spread_norm(np.real(y_bar) * power_or_zero(y, -1), x, 2, axis, keepdims) * x"
    " if ord is None else unreduce(np.real(y_bar), shape(x), axis, keepdims)"
    " * matrix_norms.weights(x, ord, axis)",
    at=TIES,
    tangent="reduction",
    kind="modulus",
    refused=BY_ORDER,
)
rule(
    np.linalg.vector_norm,
    "y = vector_norm(x, axis=None, keepdims=False, ord=2)",
    x_bar="unreduce(np.real(y_bar), shape(x), axis, keepdims)"
    " * matrix_norms.weights_of_vectors(x, ord, axis)",
    at=TIES,
    tangent="reduction",
    kind="modulus",
    refused=BY_ORDER,
)
rule(
    np.linalg.matrix_norm,
    "y = matrix_norm(x, keepdims=False, ord='fro')",
    x_bar="unreduce(np.real(y_bar), shape(x), (-2, -1), keepdims) * matrix_norms.weights(x, ord, (-2, -1))",
    x_dot="matrix_norms.along(matrix_norms.weights(x, ord, (-2, -1)), y_bar, keepdims)",
    at=TIES,
    kind="matrix norm",
)
rule(
    np.linalg.cond,
    "y = cond(x, p=None)",
    x_bar="matrix_norms.cond_cotangent(y_bar, x, p)",
    x_dot="matrix_norms.along(matrix_norms.cond_cotangent(matrix_norms.ones_for(x), x, p), y_bar)",
    at="0 where the matrix is singular",
    kind="matrix norm",
)
rule(
    matrix_norms.unitary_factor,
    "y = unitary_factor(x)",
    x_bar="matrix_norms.unitary_factor_cotangent(x, y_bar)",
    x_dot="matrix_norms.unitary_factor_cotangent(x, y_bar)",
    at="singular values of 0 do not count",
    kind="inverse",
)
for _name in ("weights", "weights_of_vectors"):
    rule(
        getattr(matrix_norms, _name),
        f"y = {_name}(x, order=2, axis=None)",
        x_bar=f"matrix_norms.{_name}_along(x, y_bar, order, axis)",
        x_dot=f"matrix_norms.{_name}_along(x, y_bar, order, axis)",
        at=TIES,
        kind="floats",
    )
