"""Formulas of distances along the last axes of arrays of vectors, by SciPy's names of metrics."""

from __future__ import annotations

from typing import Any

import numpy as np

QUADRATIC = ("euclidean", "sqeuclidean")
OF_POWERS = ("cityblock", "minkowski", "chebyshev")
OF_SHARES = ("braycurtis", "canberra", "cosine", "correlation", "jensenshannon")


def as_doubles(x: Any) -> Any:
    """The numbers as SciPy computes with them; an array also where there are none."""
    return np.array(x, dtype=np.float64)


def weighted(values: Any, w: Any = None, exponent: Any = 1) -> Any:
    """The numbers, times powers of weights if there are any."""
    return np.array(values) if w is None else values * np.asarray(w, np.float64) ** exponent


def transformed(d: Any, matrix: Any) -> Any:
    """Vectors along the last axis times a matrix."""
    return np.matmul(d, np.asarray(matrix, np.float64))


def outer_sums(d: Any, y_bar: Any) -> Any:
    """The sum of the products of two sets of vectors, each entry with each."""
    count = np.shape(d)[-1]
    return np.matmul(np.transpose(np.reshape(d, (-1, count))), np.reshape(y_bar, (-1, count)))


def by_variance(d: Any, points: Any) -> Any:
    """The distances by the variances of points."""
    return root(np.sum(squares(d) / np.var(points, axis=0, ddof=1), axis=-1))


def by_covariance(d: Any, points: Any) -> Any:
    """The distances of Mahalanobis by the covariance of points."""
    centred = points - np.mean(points, axis=0, keepdims=True)
    covariance = np.matmul(np.transpose(centred), centred) / (len(points) - 1)
    return root(np.sum(np.matmul(d, np.linalg.inv(covariance)) * d, axis=-1))


def formula(name: str, a: Any, b: Any, p: Any, w: Any) -> Any:
    """The distance along the last axis, by the metric of this name."""
    if name in QUADRATIC:
        return quadratic(name, a - b, w)
    if name in OF_POWERS:
        return of_powers(name, a - b, p, w)
    if name == "jensenshannon":
        return root(divergence(a, b))
    if name == "dice":
        return dissimilarity(a, b)
    return of_shares(name, a, b, w)


def quadratic(name: str, d: Any, w: Any) -> Any:
    """A square of differences, or its root."""
    if name == "sqeuclidean":
        return np.sum(weighted(d * d, w), axis=-1)
    return root(np.sum(weighted(squares(d), w), axis=-1))


def by_matrix(d: Any, matrix: Any) -> Any:
    """The root of the square by a matrix."""
    return root(np.sum(transformed(d, matrix) * d, axis=-1))


def counted(w: Any) -> Any:
    """1 for what has a weight, 0 for what has none."""
    return np.ones(1) if w is None else np.not_equal(w, 0) * 1.0


def squares(d: Any) -> Any:
    """The squares of the absolute values."""
    return np.real(d * np.conj(d))


def root(square: Any) -> Any:
    """The square root, 0 where there is nothing, with the derivative 0."""
    there = np.greater(square, 0)
    return np.where(there, np.sqrt(np.where(there, square, 1.0)), 0.0)


def of_powers(name: str, d: Any, p: Any, w: Any) -> Any:
    """A norm of differences."""
    size = np.abs(d)
    if np.shape(d)[-1] == 0:
        return np.sum(size, axis=-1)
    if name == "chebyshev" or p == np.inf:
        return np.max(counted(w) * size, axis=-1)
    if name == "cityblock":
        return np.sum(weighted(size, w), axis=-1)
    there = np.not_equal(size, 0)
    powers = np.where(there, np.where(there, size, 1.0) ** p, squares(d) if p == 2 else 0.0)
    whole = np.sum(weighted(powers, w), axis=-1)
    far = np.not_equal(whole, 0)
    return np.where(far, np.where(far, whole, 1.0) ** (1.0 / p), 0.0)


def of_shares(name: str, a: Any, b: Any, w: Any) -> Any:
    """A quotient that is 0 where the vectors are equal."""
    if name == "canberra":
        terms = quotient(np.abs(a - b), np.abs(a) + np.abs(b))
        return np.sum(weighted(terms, w), axis=-1)
    if name == "braycurtis":
        return quotient(
            np.sum(weighted(np.abs(a - b), w), axis=-1), np.sum(weighted(np.abs(a + b), w), axis=-1)
        )
    return angle(a, b, w, name == "correlation")


def dissimilarity(a: Any, b: Any) -> Any:
    """Dice's dissimilarity of shares: what is in one of both alone, over all that is in each."""
    apart, both = np.sum(a * (1.0 - b) + b * (1.0 - a), axis=-1), np.sum(a * b, axis=-1)
    return quotient(apart, 2.0 * both + apart)


def angle(a: Any, b: Any, w: Any, centred: Any) -> Any:
    """One less the cosine of the angle between vectors, or between their distances from their means."""
    if centred:
        whole = np.sum(weighted(np.ones(np.shape(a)[-1]), w))
        a = a - np.sum(weighted(a, w), axis=-1, keepdims=True) / whole
        b = b - np.sum(weighted(b, w), axis=-1, keepdims=True) / whole
    lengths = np.sum(weighted(a * a, w), axis=-1) * np.sum(weighted(b * b, w), axis=-1)
    return 1.0 - quotient(np.sum(weighted(a * b, w), axis=-1), root(lengths))


def quotient(a: Any, b: Any) -> Any:
    """The quotient, where there is one, else a constant 0."""
    there = np.not_equal(b, 0)
    return np.where(there, a / np.where(there, b, 1.0), 0.0)


def divergence(a: Any, b: Any) -> Any:
    """The square of the distance of Jensen and Shannon between shares along the last axis."""
    a = a / np.sum(a, axis=-1, keepdims=True)
    b = b / np.sum(b, axis=-1, keepdims=True)
    middle = (a + b) / 2.0
    return np.sum(relative(a, middle) + relative(b, middle), axis=-1) / 2.0


def relative(a: Any, middle: Any) -> Any:
    """The terms of the relative entropy; what is empty counts as constant."""
    there = np.greater(a, 0)
    return np.where(there, a, 0.0) * np.log(np.where(there, a, 1.0) / np.where(there, middle, 1.0))
