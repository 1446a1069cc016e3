"""Eigenvalues of two matrices, or some, of `scipy.linalg`; inverses and Riccati equations with options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg as sl

import zygpy as zg
from tests.rules.calls import array
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

A = array(3, 3) + np.diag([1.0, 4.0, -2.0])
H = A @ A.T + np.diag([1.0, 3.0, 6.0])
B = array(3, 3, start=20) @ array(3, 3, start=20).T + 4 * np.eye(3)
W = array(3, 3, start=40)


def mixed(*parts: Any) -> Any:
    """A number that depends on all entries of arrays."""
    return sum(
        np.sum(np.sin(part) * (1.0 + 0.1 * np.arange(part.size).reshape(part.shape))) for part in parts
    )


def accepts_stacks() -> bool:
    """Whether this SciPy solves stacks of matrices one by one."""
    try:
        sl.eigvals(np.stack([A, A]), B)
        sl.lstsq(np.stack([A, A]), W)
    except ValueError:
        return False
    return True


def sizes(*parts: Any) -> Any:
    """The same of their sizes, which do not depend on phases."""
    return mixed(*[np.abs(part) for part in parts])


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "of a product": (lambda a, b: sizes(*sl.eigh(a, b, type=2)), (H, B)),
    "of a product the other way": (lambda a, b: sizes(*sl.eigh(a, b, type=3, lower=False)), (H, B)),
    "values of a product": (lambda a, b: mixed(sl.eigvalsh(a, b, type=2)), (H, B)),
    "some by place": (lambda a: sizes(*sl.eigh(a, subset_by_index=[1, 2])), (H,)),
    "some by size": (lambda a: mixed(sl.eigvalsh(a, subset_by_value=[2.0, np.inf])), (H,)),
    "some values of two": (
        lambda a, b: mixed(sl.eigh(a, b, eigvals_only=True, subset_by_index=[0, 1])), (H, B),
    ),
    "of two": (lambda a, b: sizes(*sl.eig(a, b)), (A, B)),
    "of two, on both sides": (lambda a, b: sizes(*sl.eig(a, b, left=True)), (A, B)),
    "values of two": (lambda a, b: sizes(sl.eigvals(a, b)) + sizes(sl.eig(a, b, right=False)), (A, B)),
    "on both sides": (lambda a: sizes(*sl.eig(a, left=True)), (A,)),
    "on the left": (lambda a: sizes(*sl.eig(a, left=True, right=False)), (A,)),
}  # fmt: skip
if "assume_a" in inspect.signature(sl.inv).parameters:
    PROGRAMS |= {
        "inverse, triangular": (lambda a: mixed(sl.inv(a, assume_a="upper triangular")), (np.triu(B),)),
        "inverse, positive": (lambda a: mixed(sl.inv(a, assume_a="pos", lower=True)), (H,)),
        "inverse, symmetric": (lambda a: mixed(sl.inv(a, overwrite_a=True, assume_a="sym")), (H,)),
    }  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    f, given = PROGRAMS[name]
    check_gradient(f, *given, order=2 if name in TWICE else 1)


TWICE = {"values of a product", "some by size", "values of two", "inverse, positive"}


RICCATI: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "mixed weights": (
        lambda a, s: mixed(sl.solve_continuous_are(a, W[:, :2], B, B[:2, :2], s=s)), (A, W[:, 1:] / 9),
    ),
    "a matrix beside": (
        lambda a, e: mixed(sl.solve_discrete_are(a, W[:, :2], B, B[:2, :2], e, balanced=False)),
        (A / 9, np.eye(3) + W / 9),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RICCATI)
def test_gradients_of_riccati_equations(name: str) -> None:
    f, given = RICCATI[name]
    for place, bar in enumerate(zg.gradient(f, *given)):
        way = np.cos(np.arange(bar.size)).reshape(bar.shape)

        def along(step: float, place: int = place, way: Any = way) -> Any:
            return f(*[one + step * way if k == place else one for k, one in enumerate(given)])

        slopes = [(along(h) - along(-h)) / (2 * h) for h in (1e-3, 5e-4)]
        np.testing.assert_allclose(np.sum(bar * way), (4 * slopes[1] - slopes[0]) / 3, rtol=1e-7)


@pytest.mark.parametrize("name", ["of two, on both sides", "of a product", "some by place"])
def test_gradients_of_complex_matrices(name: str) -> None:
    f, given = PROGRAMS[name]
    turned = W - W.T
    check_gradient(f, *(one + 0.1j * turned for one in given))


@pytest.mark.parametrize(
    ("f", "given", "words"),
    [
        (lambda a: np.sum(np.abs(sl.eigvals(a, homogeneous_eigvals=True))), A, "homogeneous_eigvals"),
        (lambda b: np.sum(np.abs(sl.eigvals(A, b))), np.diag([1.0, 2.0, 0.0]), "singular"),
        (lambda f: np.sum(sl.leslie(f, W[0, :2])), np.stack([W[0], W[0]]), "stacks"),
    ],
)
def test_what_is_refused(f: Callable[[Any], Any], given: Any, words: str) -> None:
    with pytest.raises(MissingRuleError, match=words):
        zg.gradient(f, given)


@pytest.mark.skipif(not accepts_stacks(), reason="this SciPy takes single matrices")
@pytest.mark.parametrize(
    "f", [lambda a: np.sum(np.abs(sl.eigvals(a, B))), lambda a: np.sum(sl.lstsq(a, W)[0])]
)
def test_stacks_are_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(MissingRuleError, match="stacks"):
        zg.gradient(f, np.stack([A, A]))


def test_equal_eigenvalues_have_no_vectors_of_their_own() -> None:
    inverse = np.linalg.inv(B)
    with pytest.raises(MissingRuleError, match="has no rule for this matrix"):
        zg.gradient(lambda a: np.sum(sl.eigh(a, B, type=2, subset_by_index=[0, 1])[1]), inverse)


def test_what_has_not_the_structure_is_refused() -> None:
    if "assume_a" in inspect.signature(sl.inv).parameters:
        with pytest.raises(MissingRuleError, match="structure"):
            zg.gradient(lambda a: np.sum(sl.inv(a, assume_a="diagonal")), A)
