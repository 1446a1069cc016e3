"""What the rules of `np.linalg` and of diagonals need beyond NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.runtime.broadcast import Shape, axes_of, unreduce
from zygpy.runtime.indexing import float_dtype
from zygpy.runtime.products import swapped
from zygpy.runtime.reductions import max_positions, min_positions, put_positions, take_positions

Array = np.ndarray[Any, Any]


def diagonal_transpose(value: Any, shape: Shape, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Zeros of this shape with `value` on the diagonal: the transpose of `np.diagonal`."""
    result = np.zeros(shape, float_dtype(value))
    diagonal = np.diagonal(result, offset, axis1, axis2)
    diagonal.flags.writeable = True  # a view of what was made here
    diagonal[...] = value
    return result


def diag_transpose(value: Any, shape: Shape, k: int = 0) -> Any:
    """The transpose of `np.diag` on an array of this shape."""
    return np.diagonal(value, k) if len(shape) == 1 else diagonal_transpose(value, shape, k)


def adjoint_solve(a: Any, value: Any, vector: bool = False) -> Any:
    """Solve with the conjugate transpose of `a`; `value` holds vectors or matrices."""
    back = np.conj(swapped(a))
    if vector:
        return np.linalg.solve(back, np.expand_dims(value, -1))[..., 0]
    return np.linalg.solve(back, value)


def plain_solve(a: Any, value: Any, vector: bool = False) -> Any:
    """Solve with `a`; `value` holds vectors or matrices of the full stack."""
    if vector:
        return np.linalg.solve(a, np.expand_dims(value, -1))[..., 0]
    return np.linalg.solve(a, value)


def inner_products(matrix: Any, b: Any, vector: bool = False) -> Any:
    """The matrix times stacked vectors or matrices."""
    if vector:
        return np.matmul(matrix, np.expand_dims(b, -1))[..., 0]
    return np.matmul(matrix, b)


def outer_products(a: Any, b: Any, vector: bool = False) -> Any:
    """a b^T of stacked vectors or matrices."""
    if vector:
        return np.expand_dims(a, -1) * np.expand_dims(b, -2)
    return np.matmul(a, swapped(b))


def cofactors(a: Any) -> Any:
    """The matrix of cofactors, the derivative of the determinant; exact for singular matrices.

    With the singular value decomposition a = u s v, cof(a) = det(u) det(v) conj(u) cof(s) conj(v).
    """
    quick = _cofactors_by_inverse(a)
    if quick is not None:
        return quick
    u, s, v = _decomposed(a)
    scale = np.linalg.det(u) * np.linalg.det(v)
    others = np.prod(_without_diagonal(s), axis=-1)
    return scale[..., None, None] * np.matmul(np.conj(u) * others[..., None, :], np.conj(v))


def _decomposed(a: Any) -> tuple[Array, Array, Array]:
    """The singular value decomposition, with singular values nan where an element is not finite."""
    finite = np.isfinite(a).all((-2, -1))
    u, s, v = np.linalg.svd(np.where(finite[..., None, None], a, 0))
    return u, np.where(finite[..., None], s, np.nan).astype(s.dtype), v


def _cofactors_by_inverse(a: Any) -> Any:
    """The same as det(a) times the transpose of the inverse, which takes a tenth of the time; None where a
    matrix is too close to a singular one for that."""
    a = np.asarray(a)
    found = _inverse_and_determinant(a)
    if found is None:
        return None
    inverse, det, certain = found
    if certain:
        return det[..., None, None] * swapped(inverse)
    with np.errstate(all="ignore"):
        return _scaled_by_determinant(a, swapped(inverse))


def _inverse_and_determinant(a: Array) -> tuple[Any, Any, bool] | None:
    """Both, and whether the determinants are far from the limits of their numbers; None where a matrix is too
    close to a singular one."""
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(a)
        except np.linalg.LinAlgError:
            return None
        det = np.linalg.det(a)
        largest = [np.abs(matrices).max((-2, -1), initial=0) for matrices in (a, inverse)]
        information = np.finfo(inverse.dtype)
        far = largest[0] * largest[1] * a.shape[-1] < 0.1 / np.sqrt(information.eps)
        certain = far & np.isfinite(det) & (np.abs(det) > information.tiny)
    return (inverse, det, bool(np.all(certain))) if np.all(far) else None


def _scaled_by_determinant(a: Any, matrices: Any) -> Any:
    """Matrices times determinants that overflow or vanish, where the products need not."""
    sign, logarithm = np.linalg.slogdet(a)
    half = np.exp(logarithm / 2)[..., None, None]
    return np.where(matrices == 0, 0, sign[..., None, None] * half * matrices * half).astype(matrices.dtype)


def _without_diagonal(s: Array) -> Any:
    """Row i holds s with s[i] replaced by one."""
    eye = np.eye(s.shape[-1], dtype=bool)
    return np.where(eye, s.dtype.type(1), s[..., None, :])


def cofactors_cotangent(value: Any, a: Any) -> Any:
    """What comes back to `a` in `cofactors(a)`, without conjugation (the derivative is symmetric)."""
    quick = _inverse_and_determinant(np.asarray(a))
    if quick is not None and quick[2]:
        inverse, det, _ = quick
        product = np.matmul(inverse, value)
        return det[..., None, None] * swapped(traces(product) * inverse - np.matmul(product, inverse))
    u, s, v = _decomposed(a)
    left, right = np.conj(u), np.conj(v)
    scale = np.linalg.det(u) * np.linalg.det(v)
    pairs = _products_without_pairs(s)
    inner = np.matmul(np.matmul(swapped(left), value), swapped(right))
    diagonal = np.matmul(pairs, np.diagonal(inner, axis1=-2, axis2=-1)[..., None])
    core = diagonal * np.eye(s.shape[-1], dtype=s.dtype) - pairs * swapped(inner)
    return scale[..., None, None] * np.matmul(np.matmul(left, core), right)


def _products_without_pairs(s: Array) -> Any:
    """Element i, j is the product of s without s[i] and s[j]; zero on the diagonal."""
    size = s.shape[-1]
    ones = np.eye(size, dtype=bool)
    drop = ones[:, None, :] | ones[None, :, :]
    products = np.prod(np.where(drop, s.dtype.type(1), s[..., None, None, :]), axis=-1)
    return np.where(ones, s.dtype.type(0), products)


def traces(a: Any) -> Any:
    """The traces of a stack of matrices, with axes of length one in their place."""
    return np.expand_dims(np.trace(a, axis1=-2, axis2=-1), (-2, -1))


def phase_seed(g: Any, sign: Any) -> Any:
    """What the cotangent g of the sign of a determinant adds to that of its logarithm."""
    return 1j * np.imag(g * np.conj(sign)) if np.iscomplexobj(sign) else 0.0


def inverse(a: Any) -> Any:
    """`np.linalg.inv`, with zeros in place of the inverse of a singular matrix."""
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return _inverse_each(a)


def _inverse_each(a: Any) -> Array:
    result = np.zeros(np.shape(a), float_dtype(a))
    for place in np.ndindex(np.shape(a)[:-2]):
        try:
            result[place] = np.linalg.inv(a[place])
        except np.linalg.LinAlgError:
            continue
    return result


def in_floats(x: Any) -> Array:
    """An array of floating-point numbers.

    >>> in_floats([1, 2]).tolist(), in_floats(np.ones(2, np.float32)).dtype.name
    ([1.0, 2.0], 'float32')
    """
    return np.asarray(x, float_dtype(x))


def rounding_of(x: Any) -> float:
    """The unit of rounding in the precision of an array.

    >>> rounding_of(np.ones(2, np.float32)) == 2.0**-23
    True
    """
    return float(np.finfo(x.dtype).eps)


def norm_order(order: Any, rank: int, axis: Any = None) -> Any:
    """The exponent p of the norm (sum |x|^p)^(1/p); 1 for those that pick an extreme.

    Raises NotImplementedError for the matrix norms that are not of this form.
    """
    if order is None or order == "fro":
        return 2
    if len(axes_of(axis, rank)) == 2:
        raise NotImplementedError(f"np.linalg.norm: ord={order!r} of matrices has no gradient here")
    return 1 if order in (0, np.inf, -np.inf) else order


def spread_norm(value: Any, x: Any, order: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Stretch a norm's cotangent over x; where the norm picks an extreme, only over what it picked."""
    if order == 0:
        return np.zeros(np.shape(x), float_dtype(value))
    if not _picks(order):
        return unreduce(value, np.shape(x), axis, keepdims)
    return put_positions(value, _extreme(x, order, axis), np.shape(x), axis, keepdims)


def gather_norm(value: Any, x: Any, order: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The transpose of `spread_norm` in its first argument."""
    if _picks(order):
        return take_positions(value, _extreme(x, order, axis), axis, keepdims)
    return np.sum(np.zeros(np.shape(value)) if order == 0 else value, axis=axis, keepdims=keepdims)


def _picks(order: Any) -> bool:
    return order in (np.inf, -np.inf)


def _extreme(x: Any, order: float, axis: Any) -> Any:
    return (max_positions if order > 0 else min_positions)(np.abs(x), axis)


def power_or_zero(x: Any, exponent: float) -> Any:
    """x ** exponent for x >= 0; zero, not infinity, where x is zero and the exponent negative."""
    if exponent >= 0:
        return x**exponent
    if np.ndim(x) == 0:
        return x**exponent if x != 0 else np.zeros_like(x)[()]
    return np.power(x, exponent, out=np.zeros_like(x), where=np.not_equal(x, 0))


def signed_power(x: Any, exponent: float) -> Any:
    """x |x| ** exponent, zero at zero.

    >>> signed_power(np.array([-3.0, 0.0]), -1).tolist()
    [-1.0, 0.0]
    """
    return x if exponent == 0 else x * power_or_zero(np.abs(x), exponent)
