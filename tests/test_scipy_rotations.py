"""Rotations of `scipy.spatial.transform`: gradients against differences, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import zygpy as zg
from tests.rules import reference
from zygpy.errors import MissingRuleError

VECTORS = np.array([[0.3, -0.8, 0.5], [0.1, 0.4, -0.3], [-0.7, 0.2, 0.9]])
MATRIX = np.array([[1.1, 0.2, -0.3], [-0.1, 0.9, 0.2], [0.3, -0.2, 1.2]])
FIXED = Rotation.from_rotvec(VECTORS[::-1])
TIMES = np.array([0.0, 1.0, 3.0])
WEIGHTS = np.cos(np.arange(40.0))

PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "quat": (lambda q: Rotation.from_quat(q).as_matrix(), np.array([0.3, -0.8, 0.5, 0.7])),
    "integers": (lambda q: Rotation.from_quat(q).as_quat(), np.array([1, 2, 0, 2])),
    "canonical": (lambda q: Rotation(q).as_quat(True), np.array([0.3, -0.8, 0.5, -0.7])),
    "rotvec": (lambda v: Rotation.from_rotvec(v).as_rotvec(), VECTORS),
    "rotvec, of none": (lambda v: Rotation.from_rotvec(v).as_rotvec(degrees=True), np.zeros(3)),
    "degrees": (lambda v: Rotation.from_rotvec(v, degrees=True).as_quat(), 90 * VECTORS),
    "mrp": (lambda p: Rotation.from_mrp(p).as_mrp(), 2 * VECTORS),
    "matrix": (lambda m: Rotation.from_matrix(m).as_quat(), MATRIX),
    "orthogonal": (lambda m: Rotation.from_matrix(m).as_quat(), FIXED.as_matrix()),
    "euler": (lambda a: Rotation.from_euler("xyz", a).as_euler("ZXZ"), VECTORS),
    "two axes": (lambda a: Rotation.from_euler("XZ", a, degrees=True).as_euler("zyx", True), VECTORS[0, :2]),
    "apply": (lambda v: Rotation.from_rotvec(v).apply(v[:, ::-1], inverse=True), VECTORS),
    "one to all": (lambda v: Rotation.from_rotvec(v).apply(VECTORS), VECTORS[0]),
    "constant": (lambda v: FIXED.apply(v), VECTORS),
    "product": (lambda v: (Rotation.from_rotvec(v) * FIXED.inv()).as_quat(), VECTORS),
    "magnitude": (lambda v: (Rotation.from_rotvec(v)[1:] ** 1.5).magnitude(), VECTORS),
    "power": (lambda n: (FIXED**n).as_mrp(), 0.7),
    "mean": (lambda v: Rotation.from_rotvec(v).mean(v[:, 0] ** 2).as_quat(), VECTORS),
    "joined": (lambda v: Rotation.concatenate([Rotation.from_rotvec(v), FIXED]).as_mrp(), VECTORS[0]),
    "align": (lambda v: Rotation.align_vectors(v, VECTORS + 0.1)[0].as_quat(), VECTORS),
    "distance": (lambda v: np.atleast_1d(Rotation.align_vectors(VECTORS[::-1], v)[1]), VECTORS),
    "slerp": (lambda v: Slerp(TIMES, Rotation.from_rotvec(v))(np.array([0.0, 0.4, 2.5])).as_quat(), VECTORS),
    "slerp, by time": (lambda t: Slerp(TIMES, FIXED)(t).as_quat(), 1.7),
    "slerp, by times": (lambda t: Slerp(t, FIXED)(1.7).as_quat(), TIMES),
}
if hasattr(Rotation, "__iter__"):  # since SciPy 1.17
    PROGRAMS["loop"] = (lambda v: [(one * FIXED).as_mrp() for one in Rotation.from_rotvec(v)], VECTORS)
    PROGRAMS["mean, along an axis"] = (
        lambda v: (
            Rotation.from_rotvec([v, v / 2, v[::-1] / 3]).mean(np.array([[1], [2], [3]]), axis=0).as_quat()
        ),
        VECTORS,
    )
if hasattr(Rotation, "from_davenport"):  # since SciPy 1.11
    PROGRAMS["davenport"] = (
        lambda a: Rotation.from_davenport([[0, 0, 2], [a[0], a[1], 0], [0, 0, 1]], "intrinsic", a).as_mrp(),
        np.array([0.6, 0.8, -0.4]),
    )
PROGRAMS["reduce"] = (
    lambda v: Rotation.from_rotvec(v).reduce(Rotation.create_group("D4"), FIXED).as_quat(),
    VECTORS,
)
SECOND = tuple(PROGRAMS) if "ZYGPY_ALL_CASES" in os.environ else ("rotvec", "orthogonal")


def weighted(name: str) -> Callable[[Any], Any]:
    program, _ = PROGRAMS[name]

    def total(x: Any) -> Any:
        found = np.ravel(program(x))
        return np.sum(found**2 * WEIGHTS[: len(found)] + found * WEIGHTS[1 : 1 + len(found)])

    return total


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    x = PROGRAMS[name][1]
    found = zg.withgradient(weighted(name), x)
    assert found.val == weighted(name)(x)
    assert np.shape(found.grad[0]) == np.shape(x)
    direction = np.reshape(np.cos(1.0 + np.arange(np.size(x))), np.shape(x))
    expected = reference.directional(lambda t: weighted(name)(x + t * direction), 1e-4)
    np.testing.assert_allclose(np.sum(found.grad[0] * direction), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name: str) -> None:
    x = PROGRAMS[name][1]
    direction = np.reshape(np.cos(1.0 + np.arange(np.size(x))), np.shape(x))

    def slope(x: Any) -> Any:
        return np.sum(zg.gradient(weighted(name), x)[0] * direction)

    expected = reference.directional(lambda t: slope(x + t * direction), 1e-4)
    (second,) = zg.gradient(slope, 1.0 * x)
    np.testing.assert_allclose(np.sum(second * direction), expected, rtol=1e-5, atol=1e-6)


REFUSED: dict[str, Callable[[Any], Any]] = {
    "gimbal lock": lambda v: Rotation.from_rotvec(0 * v).as_euler("xyx"),
    "no nearest": lambda v: Rotation.from_matrix(np.diag([1.0, 1e-13, 1e-13]) * v[0]).as_quat(),
    "one vector": lambda v: Rotation.align_vectors(v, VECTORS[0])[0].as_quat(),
    "davenport angles": lambda v: Rotation.from_rotvec(v).as_davenport(np.eye(3), "extrinsic"),
}


@pytest.mark.filterwarnings("ignore:Gimbal lock")
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(MissingRuleError, match=r"Rotation|align_vectors"):
        zg.gradient(lambda v: np.sum(REFUSED[name](v)), np.abs(VECTORS[0]))
