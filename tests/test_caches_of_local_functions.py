"""Functions that a program itself puts under `functools.lru_cache`, which capture what is differentiated."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.runtime.caching import may_be_kept
from zygpy.units import options

X = np.array([0.7, 1.3, 0.4, 1.1, 0.9, 1.6])


def recursion(x: np.ndarray) -> Any:
    @functools.lru_cache(None)
    def f(n: int) -> Any:
        return x[n] * f(n - 1) + f(max(n - 2, 0)) if n else x[0]

    return f(5) + f(2)


def time_warping(x: np.ndarray) -> Any:
    @functools.cache
    def d(i: int, j: int) -> Any:
        if i == 0 or j == 0:
            return 0.0
        return (x[i] - x[j]) ** 2 + min(d(i - 1, j), d(i, j - 1), d(i - 1, j - 1))

    return d(5, 3)


def one_list(x: np.ndarray) -> Any:
    @functools.lru_cache
    def f(n: int) -> list[Any]:
        return [x[n], 0.0]

    f(1)[1] = x[2]
    return f(1)[0] * f(1)[1] * f(n=2)[0]


def room_for_two(x: np.ndarray) -> Any:
    seen: list[int] = []

    @functools.lru_cache(maxsize=2, typed=True)
    def f(n: int) -> Any:
        seen.append(n)
        return x[int(n)] * len(seen)

    return sum(f(i) * (place + 1) for place, i in enumerate([1, 2, 1, 3, 2, 1, True]))


def room_for_none(x: np.ndarray) -> Any:
    seen: list[int] = []

    @functools.lru_cache(maxsize=0)
    def f(n: int) -> Any:
        seen.append(n)
        return x[n] * len(seen)

    return f(1) + f(1) * x[0]


def room_in_recursion(x: np.ndarray) -> Any:
    seen: list[Any] = []

    @functools.lru_cache(3)
    def f(n: int) -> Any:
        seen.append(n)
        return x[n] * f(n // 2) if n else x[0]

    @functools.lru_cache(maxsize=1)
    def g(name: str) -> Any:
        seen.append(name)
        return x[len(name)] + len(seen)

    return f(4) * f(1) * f(3) * f(4) + g("a") * g("bb") * g("a") + len(seen)


def of_other_numbers(x: np.ndarray) -> Any:
    @functools.cache
    def f(v: Any) -> Any:
        return v * x[0]

    return f(x[0]) * f(x[1]) * f(2)


def of_equal_numbers(x: np.ndarray) -> Any:
    @functools.cache
    def f(v: Any, k: int = 2) -> Any:
        return v**k * x[5]

    return f(x[2]) * f(x[2] + x[3] - 1.1, k=3)


def by_a_call(x: np.ndarray) -> Any:
    f = functools.lru_cache(maxsize=None)(lambda n, name="": x[n] ** 2)
    return f(1) * f(1) + f(n=3, name="three") * f(n=3, name="three")


class Tree:
    def __init__(self, x: np.ndarray) -> None:
        self.value = functools.cache(lambda n: x[n] * (self.value(2 * n + 1) if n < 2 else x[0]))


def held_by_an_object(x: np.ndarray) -> Any:
    tree = Tree(x)
    return tree.value(0) + tree.value(1)


def of_what_is_true(x: np.ndarray) -> Any:
    @functools.cache
    def f(v: Any) -> Any:
        return x[0] if v is True else x[v]

    return f(1) * f(True) * f(1)


PROGRAMS = (
    of_what_is_true,
    recursion,
    time_warping,
    one_list,
    room_for_two,
    room_for_none,
    of_other_numbers,
    of_equal_numbers,
    by_a_call,
    held_by_an_object,
)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_derivatives(f: Callable[..., Any], *, specialise: bool) -> None:
    v = np.array([1.0, -0.5, 0.3, 0.8, 0.1, -0.7])
    with options(specialise=specialise):
        y, back = zg.pullback(f, X)
        expected = differences(f, X)
        assert y == f(X)
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-7, abs=1e-9)
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-7, abs=1e-9)
        slopes = differences(lambda t: float(zg.gradient(f, X + t[0] * v)[0] @ v), np.zeros(1))
        assert zg.hvp(f, X, v) @ v == pytest.approx(slopes[0], rel=1e-6, abs=1e-7)


def test_room_in_recursion() -> None:
    f = room_in_recursion
    assert zg.withgradient(f, X) == (f(X), (pytest.approx(differences(f, X), rel=1e-8),))
    assert "under_a_cache" not in zg.show_adjoint(f, X)


def noted(x: np.ndarray) -> Any:
    seen: list[Any] = []

    @functools.cache
    def f(v: Any) -> Any:
        seen.append(v)
        return v * x[1]

    return f(x[0]) + f(x[0]) + sum(seen)


def stored_in(x: np.ndarray) -> Any:
    @functools.cache
    def f(v: Any) -> Any:
        return [v, 0.0]

    f(x[0])[1] = x[1]
    return f(x[0])[1]


def whole_and_not(x: np.ndarray) -> Any:
    @functools.cache
    def f(v: Any, w: int) -> Any:
        return v * x[w]

    return f(2, 1) * f(x[0] - x[0] + 2.0, 1)


def not_whole_and_whole(x: np.ndarray) -> Any:
    @functools.cache
    def f(v: Any, w: int) -> Any:
        return v * x[w]

    return f(x[0] - x[0] + 2.0, 1) * f(2, 1)


REFUSED = (noted, stored_in, whole_and_not, not_whole_and_whole)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("f", REFUSED, ids=lambda f: str(f.__name__))
def test_what_the_cache_would_know_again(f: Callable[..., Any], *, specialise: bool) -> None:
    """Entered again, it would change something twice, give another list, or have another gradient."""
    with options(specialise=specialise), pytest.raises(zg.UnsupportedSyntaxError, match="was given before"):
        zg.pullback(f, X)


def test_what_cannot_be_looked_up() -> None:
    def f(x: np.ndarray) -> Any:
        return functools.cache(lambda v: np.sum(v * x))(x)

    with pytest.raises(TypeError, match="unhashable"):
        f(X)
    with pytest.raises(TypeError, match="unhashable"):
        zg.pullback(f, X)


def test_what_is_kept_is_computed_once() -> None:
    count = 0

    def counted() -> None:
        nonlocal count
        count += 1

    def f(x: float) -> Any:
        @functools.cache
        def fibonacci(n: int) -> Any:
            counted()
            return x if n < 2 else fibonacci(n - 1) + fibonacci(n - 2) * x

        return fibonacci(20)

    f(1.1)
    once = count
    count = 0
    zg.pullback(f, 1.1)
    assert count == once == 21


@pytest.mark.parametrize("args", [(1.5,), (np.float64(2.0),), (1j,), ((1, 2.0),), ([1],)], ids=repr)
def test_what_is_not_kept(args: tuple[Any, ...]) -> None:
    assert not may_be_kept(args, {})
    assert not may_be_kept((1,), {"k": args[0]})


def dropped_for_others(x: np.ndarray) -> Any:
    seen: list[float] = []

    @functools.lru_cache(maxsize=2)
    def f(v: float) -> Any:
        seen.append(v)
        return x[0] * v * len(seen)

    return f(1) + f(0.5) * x[1] + f(0.7) + f(1)


def cleared(x: np.ndarray) -> Any:
    seen: list[int] = []

    @functools.lru_cache(maxsize=2)
    def f(n: int) -> Any:
        seen.append(n)
        return x[n] * len(seen)

    before = f(1) * f(1)
    if hasattr(f, "cache_clear"):
        f.cache_clear()
    return before * f(1) + x[0]


@pytest.mark.parametrize("f", [dropped_for_others, cleared])
def test_caches_that_drop_something_enter_the_function_again(f: Callable[[np.ndarray], Any]) -> None:
    (slopes,) = zg.gradient(f, X)
    np.testing.assert_allclose(slopes, differences(f, X), rtol=1e-6, atol=1e-8)


def test_what_a_cache_says_of_itself_is_refused() -> None:
    def f(x: float) -> float:
        @functools.lru_cache(maxsize=2)
        def g(n: int) -> float:
            return x * n

        return g(1) * g.cache_info().currsize

    with pytest.raises(zg.UnsupportedSyntaxError, match="cache_info"):
        zg.gradient(f, 0.7)
