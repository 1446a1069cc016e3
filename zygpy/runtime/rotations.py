"""`scipy.spatial.transform.Rotation` as programs that are differentiated; loaded with SciPy alone.

A rotation is its unit quaternion `x, y, z, w`: that is read of the objects, which SciPy makes and which hold
it in a way of its own, and given to them. Those that a program computes are turned to the sign of SciPy's.

Source of the formulas: J. Diebel, Representing attitude: Euler angles, unit quaternions, and rotation vectors
(2006); F. L. Markley, Unit quaternion from rotation matrix, J. Guidance, Control, and Dynamics 31 (2008);
E. Bernardes and S. Viollet, Quaternion to Euler angles conversion, PLoS ONE 17 (2022).
"""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.rotation_objects import (
    check_free,
    check_simple,
    dominant,
    made_by,
    numbers_of,
    of_angle,
    per_sine,
    refuse,
    with_numbers,
)

DEGREE = math.pi / 180


def rotation_of(made: Any, q: Any) -> Any:
    """The rotation, with the derivatives of a quaternion that may have the other sign."""
    return with_numbers(made, turned(q, told_quaternions(made)))


def told_quaternions(rotation: Any) -> Any:
    """The quaternions as constants."""
    return rotation.as_quat()


def unit(q: Any) -> Any:
    """Vectors of length 1."""
    return q / np.sqrt(np.sum(q * q, axis=-1, keepdims=True))


def angles_of(numbers: Any, degrees: Any) -> Any:
    """Angles in radians."""
    return np.asarray(numbers) * (DEGREE if degrees else 1.0)


# ------------------------------------------------------------------------------- made of numbers


def from_quat(quat: Any, *, scalar_first: Any = False) -> Any:
    """`Rotation.from_quat`."""
    made = made_by(Rotation, Rotation.from_quat, (quat,), {"scalar_first": scalar_first or None})
    q = np.asarray(quat) * 1.0
    if scalar_first:
        q = np.concatenate([q[..., 1:], q[..., :1]], axis=-1)
    return rotation_of(made, unit(q))


def rotation(quat: Any, normalize: Any = True, copy: Any = True, scalar_first: Any = False) -> Any:
    """The class itself."""
    if not normalize:
        refuse("'Rotation' with normalize=False", "the quaternion may be none of a rotation", "leave it out")
    return from_quat(quat, scalar_first=scalar_first)


def from_rotvec(rotvec: Any, degrees: Any = False) -> Any:
    """`Rotation.from_rotvec`."""
    made = made_by(Rotation, Rotation.from_rotvec, (rotvec, degrees), {})
    return rotation_of(made, exponential(angles_of(rotvec, degrees)))


def exponential(v: Any) -> Any:
    """The quaternion of a rotation vector."""
    return of_angle(np.sum(v * v, axis=-1, keepdims=True), v)


def from_mrp(mrp: Any) -> Any:
    """`Rotation.from_mrp`, of modified Rodrigues parameters."""
    made = made_by(Rotation, Rotation.from_mrp, (mrp,), {})
    p = np.asarray(mrp) * 1.0
    square = np.sum(p * p, axis=-1, keepdims=True)
    return rotation_of(made, np.concatenate([2 * p, 1 - square], axis=-1) / (1 + square))


def from_euler(seq: Any, angles: Any, degrees: Any = False) -> Any:
    """`Rotation.from_euler`: a product of rotations about axes."""
    made = made_by(Rotation, Rotation.from_euler, (seq, angles, degrees), {})
    halves = np.reshape(angles_of(angles, degrees), (*places_of(made), len(seq))) / 2
    q = about("xyz".index(seq[0].lower()), halves[..., 0])
    for place, axis in enumerate(seq[1:], start=1):
        other = about("xyz".index(axis.lower()), halves[..., place])
        q = product(q, other) if seq.isupper() else product(other, q)
    return rotation_of(made, q)


def from_davenport(axes: Any, order: Any, angles: Any, degrees: Any = False) -> Any:
    """`Rotation.from_davenport`: a product of rotations about axes that are given."""
    made = made_by(Rotation, Rotation.from_davenport, (axes, order, angles, degrees), {})
    lines = unit(np.atleast_2d(np.asarray(axes) * 1.0))
    count = np.shape(lines)[-2]
    halves = np.reshape(angles_of(angles, degrees), (*places_of(made), count)) / 2
    q = about_line(lines[..., 0, :], halves[..., 0])
    for place in range(1, count):
        other = about_line(lines[..., place, :], halves[..., place])
        q = product(q, other) if order in ("i", "intrinsic") else product(other, q)
    return rotation_of(made, q)


def about_line(line: Any, half: Any) -> Any:
    """The quaternion of a rotation about a line by twice an angle."""
    half = np.expand_dims(half, -1)
    return np.concatenate([np.sin(half) * line, np.cos(half)], axis=-1)


def places_of(rotation: Any) -> Any:
    """The shape of an array of rotations."""
    return np.shape(rotation.as_quat())[:-1]


def about(axis: int, half: Any) -> Any:
    """The quaternion of a rotation about an axis by twice an angle."""
    parts = [np.zeros_like(half)] * 3 + [np.cos(half)]
    parts[axis] = np.sin(half)
    return np.stack(parts, axis=-1)


def from_matrix(matrix: Any, *, assume_valid: Any = False) -> Any:
    """`Rotation.from_matrix`: of the orthogonal factor of a matrix, in versions of SciPy that take that."""
    made = made_by(Rotation, Rotation.from_matrix, (matrix,), {"assume_valid": assume_valid or None})
    k = of_matrix(np.asarray(matrix) * 1.0)
    if projects() and not assume_valid:
        check_simple(k, "from_matrix")
        return with_numbers(made, dominant(k, told_quaternions(made)))
    return rotation_of(made, unit(largest_row(k)))


def of_matrix(m: Any) -> Any:
    """The matrix K of `q K q = trace(R^T m)`, for the rotation R of each unit quaternion q."""
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    x, y, z = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    rows = (
        (xx - yy - zz, xy, xz, x),
        (xy, yy - zz - xx, yz, y),
        (xz, yz, zz - xx - yy, z),
        (x, y, z, xx + yy + zz),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def largest_row(k: Any) -> Any:
    """The row of `1 + K`, four times the quaternion's product with itself, in which most is."""
    whole = k + np.eye(4)
    choice = np.argmax(np.diagonal(whole, axis1=-2, axis2=-1), axis=-1)
    return np.take_along_axis(whole, np.reshape(choice, (*np.shape(choice), 1, 1)), axis=-2)[..., 0, :]


@functools.cache
def projects() -> bool:
    """Whether this SciPy takes the orthogonal factor of a matrix, and not the matrix as it is."""
    probe = np.eye(3)
    probe[0, 1] = 0.5
    plain = unit(largest_row(of_matrix(probe)))
    return not np.allclose(Rotation.from_matrix(probe).as_quat(), plain, atol=1e-6)


# ------------------------------------------------------------------------------- numbers of rotations


def as_quat(self: Any, canonical: Any = False, *, scalar_first: Any = False) -> Any:
    """`Rotation.as_quat`."""
    value = told_by(Rotation.as_quat, (self, canonical), {"scalar_first": scalar_first or None})
    q = canonical_of(self) if canonical else numbers_of(self)
    if scalar_first:
        q = np.concatenate([q[..., 3:], q[..., :3]], axis=-1)
    return as_given(value, q)


def canonical_of(rotation: Any) -> Any:
    """The quaternions with the sign that makes the last entry positive."""
    return turned(numbers_of(rotation), told_by(Rotation.as_quat, (rotation, True), {}))


def turned(q: Any, told: Any) -> Any:
    """Quaternions, with the signs of those that are told."""
    return q * np.where(np.sum(told * q, axis=-1, keepdims=True) < 0, -1.0, 1.0)


def as_matrix(self: Any) -> Any:
    """`Rotation.as_matrix`."""
    return as_given(told_by(Rotation.as_matrix, (self,), {}), matrix_of(numbers_of(self)))


def matrix_of(q: Any) -> Any:
    """The matrix of a unit quaternion."""
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = (
        (x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), y * y - x * x - z * z + w * w, 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), z * z - x * x - y * y + w * w),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def as_rotvec(self: Any, degrees: Any = False) -> Any:
    """`Rotation.as_rotvec`."""
    value = told_by(Rotation.as_rotvec, (self, degrees), {})
    return as_given(value, logarithm(canonical_of(self)) / (DEGREE if degrees else 1.0))


def logarithm(q: Any) -> Any:
    """The rotation vector of a unit quaternion whose last entry is not negative."""
    return per_sine(np.sum(q[..., :3] ** 2, axis=-1, keepdims=True), q[..., 3:]) * q[..., :3]


def as_mrp(self: Any) -> Any:
    """`Rotation.as_mrp`."""
    q = numbers_of(self)
    sign = np.where(q[..., 3:] < 0, -1.0, 1.0)
    return as_given(told_by(Rotation.as_mrp, (self,), {}), q[..., :3] / (sign + q[..., 3:]))


def as_euler(self: Any, seq: Any, degrees: Any = False, *, suppress_warnings: Any = False) -> Any:
    """`Rotation.as_euler`."""
    keywords = {"suppress_warnings": suppress_warnings or None}
    value = told_by(Rotation.as_euler, (self, seq, degrees), keywords)
    check_free(value, seq, degrees)
    angles = euler_of(numbers_of(self), mixing(seq), ordering(seq))
    return as_given(value, angles / (DEGREE if degrees else 1.0))


def euler_of(q: Any, mixing: Any, ordering: Any) -> Any:
    """The angles about three axes, but for constants."""
    mixed = np.matmul(q, mixing)
    a, b, c, d = mixed[..., 0], mixed[..., 1], mixed[..., 2], mixed[..., 3]
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    second = 2 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    angles = np.stack([half_sum - half_difference, second, half_sum + half_difference], axis=-1)
    return np.matmul(angles, ordering)


def mixing(seq: str) -> Any:
    """The matrix that makes of a quaternion the four numbers of whose angles Euler's are sums."""
    i, j, k, sign = axes_of(seq)
    made = np.zeros((4, 4))
    made[3, 0] = made[i, 1] = made[j, 2] = 1
    made[k, 3] = sign
    if seq[0].lower() == seq[2].lower():
        return made
    a, b, c, d = made.T
    return np.stack([a - c, b + d, c + a, d - b], axis=-1)


def ordering(seq: str) -> Any:
    """The matrix that brings three angles in order, the last with its sign."""
    made = np.eye(3)
    if seq[0].lower() != seq[2].lower():
        made[2, 2] = axes_of(seq)[3]
    return made if seq.islower() else made[:, ::-1]


def axes_of(seq: str) -> tuple[int, int, int, int]:
    """The numbers of three different axes, those of turns about fixed axes, and the sign of their order."""
    i, j, k = ("xyz".index(axis) for axis in (seq if seq.islower() else seq[::-1]).lower())
    k = 3 - i - j if i == k else k
    return i, j, k, (i - j) * (j - k) * (k - i) // 2


def magnitude(self: Any) -> Any:
    """`Rotation.magnitude`."""
    q = numbers_of(self)
    angle = 2 * np.arctan2(np.linalg.norm(q[..., :3], axis=-1), np.abs(q[..., 3]))
    return as_given(told_by(Rotation.magnitude, (self,), {}), angle)


# ------------------------------------------------------------------------------- operations


def apply(self: Any, vectors: Any, inverse: Any = False) -> Any:
    """`Rotation.apply`."""
    value = told_by(Rotation.apply, (self, vectors, inverse), {})
    q = numbers_of(self)
    m = matrix_of(q * np.array([-1.0, -1.0, -1.0, 1.0]) if inverse else q)
    return as_given(value, np.sum(m * np.expand_dims(np.asarray(vectors), -2), axis=-1))


def times(self: Any, other: Any) -> Any:
    """`Rotation.__mul__`."""
    made = made_by(Rotation, operator.mul, (self, other), {})
    return rotation_of(made, product(numbers_of(self), numbers_of(other)))


def product(p: Any, q: Any) -> Any:
    """Hamilton's product of quaternions."""
    a, b, c, d = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    entries = (
        d * x + w * a + b * z - c * y,
        d * y + w * b + c * x - a * z,
        d * z + w * c + a * y - b * x,
        d * w - a * x - b * y - c * z,
    )
    return np.stack(entries, axis=-1)


def power(self: Any, n: Any, modulus: Any = None) -> Any:
    """`Rotation.__pow__`: the rotation by a multiple of the angle, which is not more than half a turn."""
    made = made_by(Rotation, pow, (self, n, modulus), {})
    return rotation_of(made, exponential(np.reshape(n, ()) * logarithm(canonical_of(self))))


def inverse_of(self: Any) -> Any:
    """`Rotation.inv`."""
    made = made_by(Rotation, Rotation.inv, (self,), {})
    return rotation_of(made, numbers_of(self) * np.array([-1.0, -1.0, -1.0, 1.0]))


def part(self: Any, indexer: Any) -> Any:
    """`Rotation.__getitem__`."""
    made = made_by(Rotation, operator.getitem, (self, indexer), {})
    return rotation_of(made, numbers_of(self)[indexer])


def each(self: Any) -> Any:
    """`Rotation.__iter__`."""
    check_several(self)
    return iter([self[place] for place in range(count_of(self))])


def check_several(rotation: Any) -> None:
    """Raise what SciPy raises for a single rotation."""
    if rotation.single:
        raise TypeError("Single rotation is not iterable.")


def count_of(rotation: Any) -> int:
    """How many rotations there are."""
    return len(rotation)


def not_followed(*args: Any, **kwargs: Any) -> Any:
    """What has no derivative of its own here."""
    refuse(
        "a method of 'Rotation' or 'RotationSpline' that is called here",
        "of these only the usual ones have: those that make, read, turn, join and average rotations",
        "use quaternions or matrices (`as_quat`, `as_matrix`)",
    )
    return args, kwargs


def concatenate(rotations: Any) -> Any:
    """`Rotation.concatenate`."""
    made = made_by(Rotation, Rotation.concatenate, (rotations,), {})
    if isinstance(rotations, Rotation):
        return rotation_of(made, numbers_of(rotations))
    return rotation_of(made, np.concatenate([np.atleast_2d(numbers_of(one)) for one in rotations]))


def mean(self: Any, weights: Any = None, axis: Any = None) -> Any:
    """`Rotation.mean`: the quaternion nearest to all, up to their signs.

    Source: F. L. Markley et al., Averaging quaternions, J. Guidance, Control, and Dynamics 30 (2007).
    """
    made = made_by(Rotation, Rotation.mean, (self, weights), {"axis": axis})
    q = np.atleast_2d(numbers_of(self))
    rank = np.ndim(q) - 1
    along = tuple(range(rank)) if axis is None else over(axis, rank)
    shares = np.ones(np.shape(q)[:-1]) if weights is None else np.asarray(weights) * np.ones(np.shape(q)[:-1])
    weighted = np.expand_dims(shares, (-2, -1)) * (np.expand_dims(q, -1) * np.expand_dims(q, -2))
    k = np.sum(weighted, axis=along) / np.expand_dims(np.sum(shares, axis=along), (-2, -1))
    check_simple(k, "mean")
    return with_numbers(made, dominant(k, told_quaternions(made)))


def over(axis: Any, rank: int) -> tuple[int, ...]:
    """The axes that are meant, counted from the first."""
    return tuple(one % rank for one in (axis if isinstance(axis, tuple) else (axis,)))


def reduced(self: Any, left: Any = None, right: Any = None, return_indices: Any = False) -> Any:
    """`Rotation.reduce`: of products with rotations, of which SciPy chooses, those nearest to none."""
    made, *places = chosen(self, left, right)
    q = numbers_of(self)
    if left is not None:
        q = product(numbers_of(left)[places[0]], q)
    if right is not None:
        q = product(q, numbers_of(right)[places[1]])
    found = rotation_of(made, q)
    return (found, *places) if return_indices else found


def chosen(rotation: Any, left: Any, right: Any) -> Any:
    """What SciPy gives, and which rotations of both groups it has chosen."""
    return Rotation.reduce(rotation, left, right, return_indices=True)


def align_vectors(a: Any, b: Any, weights: Any = None, return_sensitivity: Any = False) -> Any:
    """`Rotation.align_vectors`: the rotation of `b` that is nearest to `a`, and how far it is off."""
    check_alignment(a, weights, return_sensitivity)
    value = told_by(Rotation.align_vectors, (a, b, weights), {})
    given, turned_ones = np.asarray(a) * 1.0, np.asarray(b) * 1.0
    shares = np.expand_dims(np.ones(len(given)) if weights is None else np.asarray(weights) * 1.0, -1)
    k = of_matrix(np.transpose(shares * given) @ turned_ones)
    check_simple(k, "align_vectors")
    q = dominant(k, told_quaternions(value[0]))
    total = np.sum(shares * (given - np.sum(matrix_of(q) * np.expand_dims(turned_ones, -2), axis=-1)) ** 2)
    apart = total > 0
    rest = np.where(apart, np.sqrt(np.where(apart, total, 1.0)), 0.0)
    return with_numbers(first(Rotation, value), q), as_given(value[1], rest)


def first(of: Any, made: Any) -> Any:
    """The first of several things, an object of just this class."""
    return made_by(of, operator.getitem, (made, 0), {})


def check_alignment(a: Any, weights: Any, return_sensitivity: Any) -> None:
    """Refuse what is not found as the nearest rotation."""
    if return_sensitivity:
        refuse("'align_vectors' with return_sensitivity=", "it is not implemented", "leave it out")
    if np.ndim(a) != 2 or len(a) < 2 or (weights is not None and np.any(np.isinf(weights))):
        refuse(
            "'align_vectors' of one vector, or with infinite weights",
            "vectors that are to be met exactly are aligned in another way",
            "give two or more vectors, and weights that are large",
        )


# ------------------------------------------------------------------------------- interpolation


def interpolating(times: Any, rotations: Any) -> Any:
    """`Slerp`, which turns evenly from each rotation to the next."""
    made = made_by(Slerp, Slerp, (times, rotations), {})
    q = numbers_of(rotations)
    step = product(q[:-1] * np.array([-1.0, -1.0, -1.0, 1.0]), q[1:])
    vectors = logarithm(step * np.where(step[..., 3:] < 0, -1.0, 1.0))
    parts = (np.asarray(times) * 1.0, np.reshape(q[:-1], (-1,)), np.reshape(vectors, (-1,)))
    return with_numbers(made, np.concatenate(parts))


def between(self: Any, times: Any) -> Any:
    """The rotations at some times."""
    made = made_by(Rotation, Slerp.__call__, (self, times), {})
    where, count = pieces(self, times)
    numbers = numbers_of(self)
    grid = numbers[: count + 1]
    start = np.reshape(numbers[count + 1 : 5 * count + 1], (count, 4))
    vectors = np.reshape(numbers[5 * count + 1 :], (count, 3))
    share = (np.asarray(times) - grid[where]) / (grid[where + 1] - grid[where])
    turn = exponential(vectors[where] * np.expand_dims(share, -1))
    return rotation_of(made, product(start[where], turn))


def pieces(slerp: Any, times: Any) -> Any:
    """Between which times each of some stands, and how many pieces there are."""
    grid = slerp.times
    count = len(grid) - 1
    return np.maximum(np.searchsorted(grid, times) - 1, 0), count
