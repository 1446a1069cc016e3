"""Elementwise operations of sparse arrays, and their norms."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

ROWS, COLUMNS = np.array([3, 0, 1, 2, 0, 2, 3]), np.array([3, 2, 1, 0, 0, 3, 1])
VALUES = np.array([1.1, -0.7, 0.9, -2.1, 1.4, 0.4, 0.6])
OTHER = sp.csr_array(([1.0, 2.0, -1.0, 0.5], ([0, 1, 2, 3], [0, 1, 0, 2])), shape=(4, 4))
DENSE = np.sin(np.arange(16.0)).reshape(4, 4)
ENTRYWISE = (
    "sin", "tan", "arcsin", "arctan", "sinh", "tanh", "arcsinh", "arctanh", "sqrt", "expm1",
    "log1p", "deg2rad", "rad2deg", "sign", "floor", "ceil", "trunc",
)  # fmt: skip
ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether more programs are differentiated twice, which takes minutes."""


def made(v: Any) -> Any:
    return sp.csr_array((v, (ROWS, COLUMNS)), shape=(4, 4))


def dense(made_of: Any) -> Any:
    return made_of.toarray() if sp.issparse(made_of) else made_of


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "abs": lambda v: abs(made(v)).toarray(),
    "power": lambda v: made(v).power(3).toarray(),
    "root of absolute values": lambda v: abs(made(v)).power(0.5).toarray(),
    "maximum": lambda v: made(v).maximum(OTHER).toarray(),
    "minimum": lambda v: made(v).minimum(OTHER).toarray(),
    "maximum of two": lambda v: made(v).maximum(made(v[::-1]) * 0.7).toarray(),
    "maximum with 0": lambda v: made(v).maximum(0).toarray(),
    "minimum with a number": lambda v: made(v).minimum(0.5).toarray(),
    "norm": lambda v: sl.norm(made(v)),
    "norm of Frobenius": lambda v: sl.norm(made(v), "fro"),
    "norm 1": lambda v: sl.norm(made(v), 1),
    "norm -1": lambda v: sl.norm(made(v), -1),
    "norm inf": lambda v: sl.norm(made(v), np.inf),
    "norm -inf": lambda v: sl.norm(made(v), -np.inf, axis=(0, 1)),
    "norm 2": lambda v: sl.norm(made(v), 2),
    "norms of rows": lambda v: sl.norm(made(v), axis=1),
    "norms of columns": lambda v: sl.norm(made(v), 3, axis=0),
    "sums of rows": lambda v: sl.norm(made(v), 1, axis=-1),
    "extremes of rows": lambda v: sl.norm(made(v), np.inf, axis=1) + sl.norm(made(v), -np.inf, axis=0),
}
SECOND = ("maximum of two", *(("power", "norm", "norms of columns") if ALL else ()))


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    check_gradient(PROGRAMS[name], VALUES, order=2 if name in SECOND else 1)


@pytest.mark.parametrize("name", ENTRYWISE)
def test_functions_of_entries(name: str) -> None:
    def program(v: Any) -> Any:
        return getattr(made(v), name)().toarray()

    check_gradient(program, np.abs(VALUES) * 0.35)


@pytest.mark.parametrize("form", ["csc", "coo", "bsr", "dia"])
def test_other_forms(form: str) -> None:
    def program(v: Any) -> Any:
        a = made(v).asformat(form)
        both = abs(a).toarray() + a.power(2).toarray() + a.sinh().toarray()
        return both + dense(a.maximum(OTHER)) * sl.norm(a)

    check_gradient(program, VALUES)


def test_given_arrays_and_complex_entries() -> None:
    gradient = zg.gradient(lambda a: sl.norm(a), OTHER)[0]
    assert np.allclose(gradient.data, OTHER.data / sl.norm(OTHER))
    check_gradient(lambda v: abs(made(v)).toarray(), VALUES * np.exp(1j * VALUES))
    check_gradient(lambda v: sl.norm(made(v), 1), VALUES * np.exp(1j * VALUES))


def test_derivatives_where_there_is_a_kink() -> None:
    zeros = VALUES * 0
    assert not np.any(zg.gradient(lambda v: sl.norm(made(v)), zeros)[0])
    assert not np.any(zg.gradient(lambda v: np.sum(sl.norm(made(v), axis=0)), zeros)[0])
    assert not np.any(zg.gradient(lambda v: np.sum(v) * 0 + np.sum(sl.norm(made(v), 0, axis=1)), VALUES)[0])


def test_zeros_that_are_left_out() -> None:
    values = np.where(VALUES > 1, 0.0, VALUES)
    with pytest.raises(MissingRuleError, match="which SciPy leaves out"):
        zg.gradient(lambda v: made(v).maximum(OTHER * -1).sum(), values)


@pytest.mark.filterwarnings("ignore:Taking maximum")
def test_dense_results() -> None:
    check_gradient(lambda v: dense(made(v).maximum(0.3)), VALUES)
    check_gradient(lambda v: made(v).maximum(DENSE), VALUES)


def test_entries_in_no_order() -> None:
    """SciPy puts those of the array that it is given in order, in that array."""
    norm = zg.gradient(lambda v: sl.norm(sp.coo_array((v, (ROWS, COLUMNS)))), VALUES)[0]
    np.testing.assert_allclose(norm, VALUES / np.linalg.norm(VALUES))
    assert np.all(
        zg.gradient(lambda v: sp.dia_array(sp.coo_array((v, (ROWS, COLUMNS)))).sum(), VALUES)[0] == 1
    )
