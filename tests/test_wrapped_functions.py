"""Functions that decorators of users have wrapped, and unpacked arguments, whoever is called with them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

X = np.array([1.1, 0.7, 1.3])


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapped


@logged
def filled(b: Any, x: Any, *, scale: float = 2.0) -> None:
    b[:] = scale * x**2


@logged
def power(x: Any, n: int = 2, **more: float) -> Any:
    return x**n * more.get("weight", 1.0)


@logged
@logged
def product(x: Any, y: Any) -> Any:
    return x * y


class Keeper:
    @logged
    def keep(self, x: Any) -> Any:
        self.kept = x * x
        return self.kept


def writes(x: Any) -> Any:
    b = np.zeros(3)
    filled(b, x, scale=3.0)
    return np.sum(b)


def writes_in_a_loop(x: Any) -> Any:
    b, total = np.zeros(3), 0.0
    for n in range(3):
        filled(b, x * b + n)
        total = total + np.sum(b)
    return total


def keeps(x: Any) -> Any:
    keeper = Keeper()
    keeper.keep(x)
    return np.sum(keeper.kept)


def of_a_tuple(x: Any) -> Any:
    given = (x, 3)
    return np.sum(power(*given))


def of_tuples_in_a_loop(x: Any) -> Any:
    total = 0.0
    for n in range(3):
        total = total + np.sum(power(*(x, n)))
    return total


def of_an_array(x: Any) -> Any:
    return np.sum(power(*np.array([x, x])[:1]))


def given_twice(x: Any) -> Any:
    try:
        return np.sum(power(x, 3, n=3))
    except TypeError:
        return np.sum(x)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "writes": writes,
    "writes in a loop": writes_in_a_loop,
    "keeps": keeps,
    "of a tuple": of_a_tuple,
    "of tuples in a loop": of_tuples_in_a_loop,
    "given twice": given_twice,
    "more keywords": lambda x: np.sum(power(x, 3, weight=2.0)),
    "of a dict": lambda x: np.sum(power(x, n=3)),
    "wrapped twice": lambda x: np.sum(product(x, x) + product(y=x, x=x)),
    "of NumPy": lambda x: np.sum(np.multiply(*(x, x))),
    "of NumPy, with a dict": lambda x: np.sum(np.sum(*(x,), axis=0)),
}


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gradients(program: Callable[[Any], Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        zg.testing.check_gradient(program, X, order=2)


def test_unpacked_arrays() -> None:
    zg.testing.check_gradient(of_an_array, X)


def test_a_wrapper_calls_what_it_wraps_directly() -> None:
    assert "pull" not in zg.show_adjoint(power, X, 3)


def test_what_is_changed_at_first_order_is_changed_inside_a_gradient() -> None:
    def inner(x: Any) -> Any:
        b = np.zeros(3)
        [filled][0](b, x)
        return np.sum(b**2)

    def outer(x: Any) -> Any:
        _, back = zg.pullback(inner, x)
        return np.sum(back(1.0)[0])

    assert zg.gradient(inner, X)[0] == pytest.approx(16.0 * X**3)
    assert zg.gradient(outer, X)[0] == pytest.approx(48.0 * X**2)


def test_numbers_stored_in_arrays_of_rank_zero_in_closures() -> None:
    def inner(a: Any) -> Any:
        y = np.zeros(())
        y[...] = a
        z = y * y
        y[...] = 2.0
        return y * z

    def outer(x: Any) -> Any:
        return inner(x)

    for x in (np.array(0.5), 0.5, np.array([0.5])):
        (second,) = zg.gradient(lambda z: np.sum(zg.gradient(lambda q: np.sum(outer(q)), z)[0]), x)
        assert second == 4.0
