"""Arrays of other classes than NumPy's own, which say what operations on them do: whatever meets one is
refused, at its place and with what to do instead. Memory maps are arrays like any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.testing import check_gradient


class Quantity(np.ndarray):
    """An array with a unit."""

    unit: Any

    def __new__(cls, values: Any, unit: str = "m") -> Quantity:
        made = np.asarray(values).view(cls)
        made.unit = unit
        return made

    def __array_finalize__(self, other: Any) -> None:
        self.unit = getattr(other, "unit", None)


class Doubling(np.ndarray):
    """An array with functions of its own."""

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        return getattr(function, method)(*[np.asarray(item) * 2 for item in inputs], **keywords)


MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
DOUBLING = np.array([1.0, 2.0]).view(Doubling)
A = np.array([0.7, 1.3])

OF_A_CLASS: dict[str, Callable[[Any], Any]] = {
    "view": lambda a: a.view(Quantity).sum(),
    "view by keyword": lambda a: a.view(type=Quantity).sum(),
    "made": lambda a: Quantity(a).sum(),
    "made, and converted back": lambda a: np.asarray(Quantity(a, "s")).sum(),
    "made, and indexed": lambda a: Quantity(a)[0] * a[1],
    "joined by a function": lambda a: np.multiply(a, np.ones(2).view(Doubling)).sum(),
    "joined by an operator": lambda a: (a * np.ones(2).view(Doubling)).sum(),
    "joined by an operator, global": lambda a: (a * DOUBLING).sum(),
    "masked, product of arrays": lambda a: np.dot(a, MASKED).sum(),
    "masked, on the right": lambda a: (a * MASKED).sum(),
    "masked, on the left": lambda a: (MASKED * a).sum(),
    "masked, by a function": lambda a: np.multiply(a, MASKED).sum(),
    "masked, made inside": lambda a: np.multiply(a, np.ma.array([1.0, 2.0], mask=[0, 1])).sum(),
}


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("name", OF_A_CLASS)
def test_what_meets_one_is_refused(name: str, specialise: bool) -> None:
    with units.options(specialise=specialise), pytest.raises(zg.MissingRuleError) as caught:
        zg.gradient(OF_A_CLASS[name], A)
    message = str(caught.value)
    assert "on an array of the class '" in message
    assert "Instead: give the function plain arrays" in message
    assert Path(__file__).name in message


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("argument", [Quantity(A), A.view(Doubling), np.ma.array(A, mask=[0, 1])])
@pytest.mark.parametrize(
    "program", [lambda q: np.sin(q).sum(), lambda q: q[0] * q[1], lambda q: np.asarray(q).sum()]
)
def test_arguments_are_refused(program: Any, argument: Any, specialise: bool) -> None:
    with units.options(specialise=specialise), pytest.raises(zg.MissingRuleError, match="of the class '"):
        zg.gradient(program, argument)


def test_what_is_only_handed_on_is_left_alone() -> None:
    assert zg.gradient(lambda q, x: x * len([q]), Quantity(A), 2.0) == (None, 1.0)


WALKS: dict[str, Callable[[Any], Any]] = {
    "items": lambda a: sum(float(v) ** 2 for v in np.nditer(a)),
    "two arrays": lambda a: sum(float(u * v) for u, v in np.nditer([a, a[::-1]])),
    "indices": lambda a: sum(v[()] for v in np.nditer(a, flags=["multi_index"])),
}


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("name", WALKS)
def test_walks_by_buffers_are_refused(name: str, specialise: bool) -> None:
    with (
        units.options(specialise=specialise),
        pytest.raises(zg.MissingRuleError, match=r"'numpy.nditer' has no rule[^|]*Instead: walk over"),
    ):
        zg.gradient(WALKS[name], A)


def mapped(folder: Path) -> Any:
    made = np.memmap(folder / "numbers", dtype=float, shape=(3, 2), mode="w+")
    made[:] = np.arange(6).reshape(3, 2) / 3
    return made


READING: list[Callable[[Any, Any], Any]] = [
    lambda x, w: ((x @ w) ** 2).sum(),
    lambda x, w: sum((row @ w) ** 2 for row in x),
    lambda x, w: np.sum((x[1:] @ w) ** 3) + (w * x[0]).sum(),
    lambda x, w: np.einsum("ij,j->", x, w) * np.multiply(x, w).sum(),
]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", READING)
def test_memory_maps(program: Callable[[Any, Any], Any], specialise: bool, tmp_path: Path) -> None:
    x = mapped(tmp_path)
    with units.options(specialise=specialise):
        check_gradient(lambda w: program(x, w), A)
        of_x, of_w = zg.gradient(program, x, A)
        expected = zg.gradient(program, np.array(x), A)
    assert type(of_x) is np.ndarray
    np.testing.assert_allclose(of_x, expected[0])
    np.testing.assert_allclose(of_w, expected[1])
