"""Functions of NumPy that are given lists and tuples of numbers where they want arrays."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from zygpy.testing import check_gradient

A, B = [1.5, 2.0, -0.5], [0.3, 1.0, 2.0]
M, N = [[1.0, 2.0], [3.0, 0.5]], [[0.3, 1.0], [0.2, 2.0]]


class Values(list[float]):
    """A list of another class."""


OF_ONE: dict[str, Callable[[Any], Any]] = {
    "prod": np.prod,
    "var": np.var,
    "std": np.std,
    "cumprod": lambda a: np.cumprod(a)[1],
    "max": np.max,
    "sort": lambda a: np.sort(a)[0],
    "exp": lambda a: np.exp(a).sum(),
    "average": lambda a: np.average(a, weights=a),
    "power": lambda a: np.power(a, 2).sum(),
    "flip": lambda a: np.flip(a)[0] * a[0],
    "norm": np.linalg.norm,
    "dot with itself": lambda a: np.dot(a, a),
    "times a number": lambda a: np.dot(a, 2.0).sum(),
    "mean": np.mean,
    "array": lambda a: np.array(a) @ np.asarray(a),
}

OF_VECTORS: dict[str, Callable[[Any, Any], Any]] = {
    "dot": np.dot,
    "inner": np.inner,
    "vdot": np.vdot,
    "outer": lambda a, b: np.outer(a, b)[0].sum(),
    "matmul": np.matmul,
    "cross": lambda a, b: np.cross(a, b).sum(),
    "kron": lambda a, b: np.kron(a, b)[1:].sum(),
    "einsum": lambda a, b: np.einsum("i,i", a, b),
    "multiply": lambda a, b: np.multiply(a, b).prod(),
    "where": lambda a, b: np.where([True, False, True], a, b).prod(),
    "hypot": lambda a, b: np.hypot(a, b).sum(),
    "convolve": lambda a, b: np.convolve(a, b)[1],
}

OF_MATRICES: dict[str, Callable[[Any, Any], Any]] = {
    "matmul": lambda a, b: np.matmul(a, b)[0, 1],
    "dot": lambda a, b: np.dot(a, b)[0].sum(),
    "tensordot": lambda a, b: np.tensordot(a, b, 1)[1].sum(),
    "solve": lambda a, b: np.linalg.solve(a, b)[0].sum(),
    "det": lambda a, b: np.linalg.det(a) * np.trace(b),
    "inv": lambda a, b: np.linalg.inv(a)[0, 1] * b[0][1],
}


@pytest.mark.parametrize("make", [list, tuple, Values, deque])
@pytest.mark.parametrize("function", OF_ONE.values(), ids=OF_ONE)
def test_one_vector(function: Callable[[Any], Any], make: Callable[[Any], Any]) -> None:
    check_gradient(function, make(A))
    check_gradient(lambda x: function(make([x, x * x, 2.0])), 1.5)


@pytest.mark.parametrize("function", OF_VECTORS.values(), ids=OF_VECTORS)
def test_two_vectors(function: Callable[[Any, Any], Any]) -> None:
    check_gradient(function, A, B)
    check_gradient(function, tuple(A), B)


@pytest.mark.parametrize("function", OF_MATRICES.values(), ids=OF_MATRICES)
def test_two_matrices(function: Callable[[Any, Any], Any]) -> None:
    check_gradient(function, M, N)
