"""Functions of NumPy that write into an array, called by another name than their own."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

WEIGHTS = np.arange(1.0, 10.0).reshape(3, 3)
X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]])
V = np.array([0.5, 1.5, 2.5])

Call = Callable[[Any, Any, Any], Any]

WRITERS: dict[str, tuple[Any, Call]] = {
    "fill_diagonal": (np.fill_diagonal, lambda f, y, v: f(y, v[0], wrap=False)),
    "copyto": (np.copyto, lambda f, y, v: f(y, v, where=WEIGHTS > 4)),
    "put": (np.put, lambda f, y, v: f(y, [1, 2, 2], v)),
    "place": (np.place, lambda f, y, v: f(y, WEIGHTS > 4, v)),
    "putmask": (np.putmask, lambda f, y, v: f(y, WEIGHTS > 4, v)),
    "put_along_axis": (np.put_along_axis, lambda f, y, v: f(y, np.array([[0], [1], [2]]), v[:, None], 1)),
    "add.at": (np.add.at, lambda f, y, v: f(y, [0, 0, 2], v)),
    "subtract.at": (np.subtract.at, lambda f, y, v: f(y, [0, 0, 2], v)),
    "multiply.at": (np.multiply.at, lambda f, y, v: f(y, [0, 0, 2], v)),
    "divide.at": (np.divide.at, lambda f, y, v: f(y, [0, 0, 2], v)),
    "ndarray.fill": (np.ndarray.fill, lambda f, y, v: f(y, v[1])),
    "ndarray.put": (np.ndarray.put, lambda f, y, v: f(y, [1, 2], v[:2])),
    "ndarray.sort": (np.ndarray.sort, lambda f, y, v: f(y, 0)),
    "ndarray.partition": (np.ndarray.partition, lambda f, y, v: f(y, 1)),
    "setitem": (operator.setitem, lambda f, y, v: f(y, 1, v)),
    "imul": (operator.imul, lambda f, y, v: f(y, v)),
    "ndarray.__isub__": (np.ndarray.__isub__, lambda f, y, v: f(y, v)),
}


def called(f: Any, *args: Any, **kwargs: Any) -> Any:
    return f(*args, **kwargs)


def result(y: Any, v: Any) -> Any:
    return np.sum(y * y * WEIGHTS) * v[1]


def in_a_list(f: Any, call: Call) -> Any:
    def program(x: Any, v: Any) -> Any:
        y = x * 2.0
        call([f][0], y, v)
        return result(y, v)

    return program


def in_a_partial(f: Any, call: Call) -> Any:
    def program(x: Any, v: Any) -> Any:
        y = x * 2.0
        call(functools.partial(f), y, v)
        return result(y, v)

    return program


def in_a_field(f: Any, call: Call) -> Any:
    held = SimpleNamespace(writer=f)

    def program(x: Any, v: Any) -> Any:
        y = x * 2.0
        call(held.writer, y, v)
        return result(y, v)

    return program


def in_a_dict_through_a_view(f: Any, call: Call) -> Any:
    table = {"writer": f}

    def program(x: Any, v: Any) -> Any:
        y = x * 2.0
        view = y[:]
        square = y * y
        call(table["writer"], view, v)
        return result(y, v) + np.sum(square) * v[2]

    return program


def handed_on_twice(f: Any, call: Call) -> Any:
    def program(x: Any, v: Any) -> Any:
        y = x * 2.0
        kept = [y]
        for scale in (1.0, 2.0):
            call(functools.partial(called, f), kept[0], v * scale)
            y += x
        return result(y, v)

    return program


HOW = [in_a_list, in_a_partial, in_a_field, in_a_dict_through_a_view, handed_on_twice]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", WRITERS)
def test_gradient(name: str, how: Any) -> None:
    zg.testing.check_gradient(how(*WRITERS[name]), X, V, order=1)


@pytest.mark.parametrize("name", ["fill_diagonal", "multiply.at"])
def test_unspecialised(name: str) -> None:
    with units.options(specialise=False):
        for how in (in_a_field, handed_on_twice):
            zg.testing.check_gradient(how(*WRITERS[name]), X, V, order=1)


OUT: dict[str, tuple[Any, Call]] = {
    "add": (np.add, lambda f, y, v: f(y, v, out=y)),
    "sin": (np.sin, lambda f, y, v: f(y, out=y)),
    "cumsum": (np.cumsum, lambda f, y, v: f(y, axis=0, out=y)),
    "matmul": (np.matmul, lambda f, y, v: f(y * 1.0, y * v, out=y)),
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", OUT)
def test_out(name: str, how: Any) -> None:
    zg.testing.check_gradient(how(*OUT[name]), X / 4.0, V, order=1)


def test_what_a_name_leads_to_only_when_it_runs_is_refused() -> None:
    def program(x: Any, v: Any, name: str) -> Any:
        y = x * 2.0
        called(getattr(np, name), y, v)
        return result(y, v)

    with pytest.raises(zg.UnsupportedSyntaxError, match="by a name that was not known"):
        zg.gradient(lambda x, v: program(x, v, "copyto"), X, V)


def test_method_of_a_module() -> None:
    def diagonal(y: Any, value: Any, xp: Any) -> None:
        xp.fill_diagonal(y, value, wrap=False)

    def program(x: Any, v: Any) -> Any:
        y = x * 2.0
        diagonal(y, v[0], np)
        for module in (np,):
            module.copyto(y, v, where=WEIGHTS > 6)
        return result(y, v)

    zg.testing.check_gradient(program, X, V, order=1)


@pytest.mark.skipif("ZYGPY_ALL_CASES" not in os.environ, reason="takes a minute")
def test_kernel_of_one_set_of_points() -> None:
    """scikit-learn sets the diagonal of the distances of points from themselves by the module it is told."""
    pairwise = pytest.importorskip("sklearn.metrics.pairwise")
    x = X[:, :2] / 10.0
    (found,) = zg.gradient(lambda x: np.sum(pairwise.rbf_kernel(x, gamma=0.5) * WEIGHTS), x)
    differences = x[:, None] - x[None]
    kernel = np.exp(-0.5 * np.sum(differences**2, axis=-1))
    expected = -np.sum(((WEIGHTS + WEIGHTS.T) * kernel)[..., None] * differences, axis=1)
    assert found == pytest.approx(expected, rel=1e-10)
