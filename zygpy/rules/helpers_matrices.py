"""Rules of the run-time helpers of products and matrices."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime import einstein, hermitian, linear_algebra, products, sampling

for _name in ("matmul", "dot", "inner", "kron"):
    rule(
        getattr(products, f"{_name}_left"),
        f"y = {_name}_left(value, b, shape)",
        value_bar=f"np.{_name}(y_bar, conj(b))",
        b_bar=f"{_name}_right(conj(value), y_bar, shape(b))",
    )
    rule(
        getattr(products, f"{_name}_right"),
        f"y = {_name}_right(value, a, shape)",
        value_bar=f"np.{_name}(conj(a), y_bar)",
        a_bar=f"{_name}_left(conj(value), y_bar, shape(a))",
    )
rule(
    products.tensordot_left,
    "y = tensordot_left(value, b, shape, axes=2)",
    value_bar="np.tensordot(y_bar, conj(b), axes)",
    b_bar="tensordot_right(conj(value), y_bar, shape(b), axes)",
)
rule(
    products.tensordot_right,
    "y = tensordot_right(value, a, shape, axes=2)",
    value_bar="np.tensordot(conj(a), y_bar, axes)",
    a_bar="tensordot_left(conj(value), y_bar, shape(a), axes)",
)
rule(products.swapped, "y = swapped(x)", x_bar="swapped(y_bar)", shares="x", kind="like x")
rule(
    sampling.cross_left,
    "y = cross_left(value, b, shape, axisa=-1, axisb=-1, axisc=-1, axis=None)",
    value_bar="np.cross(y_bar, conj(b), axisa, axisb, axisc, axis)",
    b_bar="-cross_left(conj(value), y_bar, shape(b), axisb, axisa, axisc, axis)",
    kind="array",
)
rule(
    einstein.einsum_cotangents,
    "y = einsum_cotangents(value, subscripts, operands)",
    value_bar="einsum_tangent(subscripts, conjugated(operands), y_bar)",
    operands_bar="einsum_curvature(conj(value), subscripts, conjugated(operands), y_bar)",
    value_dot="einsum_cotangents(y_bar, subscripts, operands)",
    operands_dot="einsum_curvature(value, subscripts, operands, y_bar)",
    shares="value, operands",
    containers=True,
    kind="operands",
)
rule(
    einstein.einsum_tangent,
    "y = einsum_tangent(subscripts, operands, tangents)",
    operands_bar="einsum_curvature(y_bar, subscripts, conjugated(operands), conjugated(tangents))",
    tangents_bar="einsum_cotangents(y_bar, subscripts, conjugated(operands))",
    operands_dot="einsum_second(subscripts, operands, tangents, y_bar)",
    tangents_dot="einsum_tangent(subscripts, operands, y_bar)",
    containers=True,
)
rule(
    einstein.einsum_second,
    "y = einsum_second(subscripts, operands, tangents, others)",
    operands_bar="einsum_third(y_bar, subscripts, conjugated(operands), conjugated(tangents),"
    " conjugated(others))",
    tangents_bar="einsum_curvature(y_bar, subscripts, conjugated(operands), conjugated(others))",
    others_bar="einsum_curvature(y_bar, subscripts, conjugated(operands), conjugated(tangents))",
)
rule(
    einstein.einsum_curvature,
    "y = einsum_curvature(value, subscripts, operands, tangents)",
    value_bar="einsum_second(subscripts, conjugated(operands), conjugated(tangents), y_bar)",
    operands_bar="einsum_third(conj(value), subscripts, conjugated(operands), conjugated(tangents), y_bar)",
    tangents_bar="einsum_curvature(conj(value), subscripts, conjugated(operands), y_bar)",
    kind="tuple",
)
rule(
    einstein.einsum_third,
    "y = einsum_third(value, subscripts, operands, tangents, others)",
    value_bar="refuse_order()",
    operands_bar="refuse_order()",
    tangents_bar="refuse_order()",
    others_bar="refuse_order()",
    kind="tuple",
)
non_differentiable(einstein.refuse_order, einstein.refuse_sublists)
rule(
    sampling.conjugated,
    "y = conjugated(operands)",
    operands_bar="conjugated(y_bar)",
    shares="operands",
    kind="tuple",
)

rule(
    linear_algebra.diagonal_transpose,
    "y = diagonal_transpose(value, shape, offset=0, axis1=0, axis2=1)",
    value_bar="unbroadcast(np.diagonal(y_bar, offset, axis1, axis2), shape(value))",
    kind="array",
)
rule(
    linear_algebra.diag_transpose,
    "y = diag_transpose(value, shape, k=0)",
    value_bar="np.diag(y_bar, k)",
    shares="value",
    kind="array",
)
rule(
    linear_algebra.adjoint_solve,
    "y = adjoint_solve(a, value, vector=False)",
    a_bar="-unbroadcast(outer_products(y, conj(plain_solve(a, y_bar, vector)), vector), shape(a))",
    value_bar="plain_solve(a, y_bar, vector)",
    a_dot="-adjoint_solve(a, np.sum(conj(swapped(y_bar)) * np.expand_dims(y, -2), -1) if vector"
    " else np.matmul(conj(swapped(y_bar)), y), vector)",
    value_dot="adjoint_solve(a, y_bar, vector)",
    kind="array",
)
rule(
    linear_algebra.plain_solve,
    "y = plain_solve(a, value, vector=False)",
    a_bar="-unbroadcast(outer_products(adjoint_solve(a, y_bar, vector), conj(y), vector), shape(a))",
    value_bar="adjoint_solve(a, y_bar, vector)",
    a_dot="-plain_solve(a, np.sum(y_bar * np.expand_dims(y, -2), -1) if vector"
    " else np.matmul(y_bar, y), vector)",
    value_dot="plain_solve(a, y_bar, vector)",
    kind="array",
)
rule(
    linear_algebra.outer_products,
    "y = outer_products(a, b, vector=False)",
    a_bar="unbroadcast(inner_products(y_bar, conj(b), vector), shape(a))",
    b_bar="unbroadcast(inner_products(swapped(y_bar), conj(a), vector), shape(b))",
    kind="array",
)
rule(
    linear_algebra.inner_products,
    "y = inner_products(matrix, b, vector=False)",
    matrix_bar="unbroadcast(outer_products(y_bar, conj(b), vector), shape(matrix))",
    b_bar="unbroadcast(inner_products(conj(swapped(matrix)), y_bar, vector), shape(b))",
    kind="array",
)
rule(
    linear_algebra.cofactors,
    "y = cofactors(a)",
    a_bar="cofactors_cotangent(y_bar, conj(a))",
    a_dot="cofactors_cotangent(y_bar, a)",
    kind="like a",
)

# The third derivative of the determinant, for matrices that have an inverse B: with the bilinear
# second derivative det(a) (tr(Bu) tr(Bw) - tr(BuBw)) differentiated once more.


def _third(a: str, value: str) -> str:
    """The text of the third derivative."""
    b = f"np.linalg.inv({a})"
    u, w = f"np.matmul({b}, {value})", f"np.matmul({b}, y_bar)"
    return (
        f"np.expand_dims(np.linalg.det({a}), (-2, -1)) * swapped("
        f"(traces({u}) * traces({w}) - traces(np.matmul({u}, {w}))) * {b}"
        f" - traces({w}) * np.matmul({u}, {b}) - traces({u}) * np.matmul({w}, {b})"
        f" + np.matmul(np.matmul({u}, {w}) + np.matmul({w}, {u}), {b}))"
    )


rule(
    linear_algebra.cofactors_cotangent,
    "y = cofactors_cotangent(value, a)",
    value_bar="cofactors_cotangent(y_bar, conj(a))",
    a_bar=_third("conj(a)", "conj(value)"),
    value_dot="cofactors_cotangent(y_bar, a)",
    a_dot=_third("a", "value"),
    kind="like a",
)
rule(
    linear_algebra.traces,
    "y = traces(a)",
    a_bar="diagonal_transpose(y_bar[..., 0], shape(a), 0, -2, -1)",
    kind="array",
)
rule(
    linear_algebra.inverse,
    "y = inverse(a)",
    a_bar="-np.matmul(np.matmul(conj(swapped(y)), y_bar), conj(swapped(y)))",
    a_dot="-np.matmul(np.matmul(y, y_bar), y)",
    kind="like a",
)
rule(
    linear_algebra.phase_seed,
    "y = phase_seed(g, sign)",
    g_bar="1j * sign * np.imag(y_bar)",
    sign_bar="-1j * g * np.imag(y_bar)",
)
rule(
    linear_algebra.spread_norm,
    "y = spread_norm(value, x, order, axis=None, keepdims=False)",
    value_bar="gather_norm(y_bar, x, order, axis, keepdims)",
    shares="value",
    kind="spread norm",
)
rule(
    linear_algebra.gather_norm,
    "y = gather_norm(value, x, order, axis=None, keepdims=False)",
    value_bar="spread_norm(y_bar, x, order, axis, keepdims)",
)
rule(
    linear_algebra.power_or_zero,
    "y = power_or_zero(x, exponent)",
    x_bar="y_bar * exponent * power_or_zero(x, exponent - 1)",
    x_dot="y_bar * exponent * power_or_zero(x, exponent - 1)",
    kind="power or zero",
    at="0 where x == 0 and the exponent is negative",
)
rule(
    linear_algebra.signed_power,
    "y = signed_power(x, exponent)",
    x_bar="y_bar * power_or_zero(np.abs(x), exponent)"
    " + exponent * signed_power(x, exponent - 2) * np.real(conj(x) * y_bar)",
    x_dot="y_bar * power_or_zero(np.abs(x), exponent)"
    " + exponent * signed_power(x, exponent - 2) * np.real(conj(x) * y_bar)",
    shares="x",
    kind="power or zero",
)
non_differentiable(linear_algebra.norm_order, kind="unknown")
non_differentiable(linear_algebra.rounding_of, kind="float")
rule(linear_algebra.in_floats, "y = in_floats(x)", x_bar="y_bar", shares="x", kind="floats")
rule(
    hermitian.block_upper,
    "y = block_upper(a, value)",
    a_bar="diagonal_blocks(y_bar)",
    value_bar="upper_right(y_bar)",
    kind="array",
)
rule(
    hermitian.diagonal_blocks,
    "y = diagonal_blocks(block)",
    block_bar="block_upper(y_bar, np.zeros_like(y_bar))",
    kind="array",
)
rule(
    hermitian.upper_right,
    "y = upper_right(block)",
    block_bar="in_upper_right(y_bar)",
    shares="block",
    kind="array",
)
rule(
    hermitian.in_upper_right,
    "y = in_upper_right(value)",
    value_bar="upper_right(y_bar)",
    kind="array",
)
rule(hermitian.half_lower, "y = half_lower(a)", a_bar="half_lower(y_bar)", kind="like a")
rule(
    hermitian.triangle,
    "y = triangle(a, letter='L')",
    a_bar="triangle_transpose(y_bar, letter)",
    kind="like a",
)
rule(
    hermitian.triangle_transpose,
    "y = triangle_transpose(value, letter='L')",
    value_bar="triangle(y_bar, letter)",
    kind="like value",
)
rule(
    hermitian.gaps,
    "y = gaps(w)",
    w_bar="np.sum(y_bar, axis=-2) - np.sum(y_bar, axis=-1)",
    kind="array",
)
