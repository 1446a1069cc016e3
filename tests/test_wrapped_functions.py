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


def counted(function: Callable[..., Any]) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        wrapper.calls += 1  # type: ignore[attr-defined]
        return function(*args)

    wrapper.calls = 0  # type: ignore[attr-defined]
    return wrapper


def keeping_the_last(function: Callable[..., Any]) -> Any:
    def wrapper(x: Any) -> Any:
        wrapper.last = function(x)  # type: ignore[attr-defined]
        return wrapper.last  # type: ignore[attr-defined]

    return wrapper


def scaled_by_a_field(scale: float) -> Any:
    def scaled(x: Any) -> Any:
        return getattr(scaled, "factor", 1.0) * scale * x

    return scaled


def calling_itself(step: float) -> Any:
    def powers(x: Any, n: int) -> Any:
        return x if n == 0 else np.sin(x) * powers(x + step, n - 1)

    return powers


cube = counted(lambda x: x**3)
tripled, powers, scaled = keeping_the_last(lambda x: 3.0 * x * x), calling_itself(0.1), scaled_by_a_field(2.0)


def counts(x: Any) -> Any:
    cube.calls = 0
    total = sum(cube(v) * cube.calls for v in x)
    return total * cube.calls


def reads_the_last(x: Any) -> Any:
    tripled(x)
    first = tripled.last
    tripled(x * x)
    return np.sum(first * x + tripled.last)


def sets_a_field(x: Any) -> Any:
    setattr(scaled, "factor", x[0])  # noqa: B010  (it is another way)
    found = scaled(x[1])
    del scaled.factor
    return found + scaled(x[2])


def replaces_what_is_carried(x: Any) -> Any:
    cell = cube.__closure__[0]
    held = cell.cell_contents
    found = cube(x[0])
    cell.cell_contents = lambda v: v * v
    found += cube(x[1])
    cell.cell_contents = held
    return found + cube(x[2])


def deep(x: Any) -> Any:
    return powers(x[0], 3) + powers(x[1], 120)


FUNCTIONS_WITH_FIELDS = [counts, reads_the_last, sets_a_field, replaces_what_is_carried, deep]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", FUNCTIONS_WITH_FIELDS)
def test_functions_that_know_themselves(program: Callable[[Any], Any], specialise: bool) -> None:
    if program is deep and not specialise:
        return  # each call is one more in the others
    with units.options(specialise=specialise):
        zg.testing.check_gradient(program, X)


def test_a_wrapper_that_counts_is_entered() -> None:
    before = cube.calls
    assert "pull" not in zg.show_adjoint(lambda x: cube(x) * powers(x, 3), 0.7)
    assert zg.gradient(lambda x: cube(x), 2.0) == (12.0,)
    assert cube.calls == before + 1


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


COUNT = [0]


@functools.cache
def counting(v: Any) -> Any:
    COUNT[0] += 1
    return v * COUNT[0]


@functools.lru_cache
def remembering(v: Any, seen: list[Any] = []) -> Any:  # noqa: B006  (as people write it)
    seen.append(1)
    return v * len(seen)


@functools.cache
def summing(v: Any) -> Any:
    """What it changes it has made itself."""
    parts = []
    for k in range(1, 4):
        parts.append(v * k)  # noqa: PERF401  (which is what is asked here)
    return sum(parts)


@functools.lru_cache
def recursive(n: int, v: Any) -> Any:
    return v if n < 2 else recursive(n - 1, v) + v * recursive(n - 2, v)


@pytest.mark.parametrize("function", [counting, remembering])
def test_a_cached_function_that_changes_something_is_refused(function: Callable[[Any], Any]) -> None:
    """A cache would answer the second call."""
    for program in (lambda x: function(x) + function(x), lambda x: [function][0](x) * 2.0):
        with pytest.raises(zg.UnsupportedSyntaxError, match="cache"):
            zg.gradient(program, 1.5)


def test_a_cached_function_that_changes_nothing_of_others() -> None:
    assert zg.gradient(lambda x: summing(x) * summing(x), 1.5) == (2 * 36 * 1.5,)
    assert zg.gradient(lambda x: recursive(3, x), 1.5) == (1.0 + 2.0 * 2.0 * 1.5,)


class Rated:
    def __init__(self, v: Any) -> None:
        self.v = v

    def rate(self) -> Any:
        return 2.0 * self.v


ORIGINAL = Rated.rate


def replaced_in_its_class(x: Any) -> Any:
    rated = Rated(x[0])
    before = Rated.rate(rated)
    Rated.rate = lambda self: self.v**3  # type: ignore[method-assign]
    between = Rated.rate(rated) * rated.rate()
    Rated.rate = ORIGINAL  # type: ignore[method-assign]
    return before * x[1] + between + Rated.rate(rated)


def replaced_by_setattr(x: Any) -> Any:
    setattr(Rated, "rate", lambda self: self.v**2 * x[1])  # noqa: B010
    rated = Rated(x[0])
    between = Rated.rate(rated)
    setattr(Rated, "rate", ORIGINAL)  # noqa: B010
    return between + Rated.rate(rated) * x[2]


def replaced_in_a_namespace(x: Any) -> Any:
    SPACE.function = np.sin
    first = SPACE.function(x[0])
    SPACE.function = np.cos
    return first * SPACE.function(x[1])


class SPACE:
    function = np.exp


@pytest.mark.parametrize("program", [replaced_in_its_class, replaced_by_setattr, replaced_in_a_namespace])
@pytest.mark.parametrize("specialise", [True, False])
def test_functions_that_the_program_itself_replaces(program: Callable[[Any], Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        (found,) = zg.gradient(program, X)
    steps = 1e-5 * np.eye(3)
    expected = [(program(X + step) - program(X - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)


def remembering() -> Any:
    def remembers(x: Any) -> Any:
        remembers.last = x * x
        return x

    remembers.last = 1.0
    return remembers


def asked_for_its_field(function: Any, x: Any) -> Any:
    function(x)
    return function.last * 2.0


GIVEN: list[tuple[Callable[..., Any], Any]] = [
    (asked_for_its_field, remembering),
    (lambda functions, x: asked_for_its_field(functions[0], x), lambda: [remembering()]),
    (lambda functions, x: asked_for_its_field(functions["f"], x), lambda: {"f": remembering()}),
]


@pytest.mark.parametrize(("program", "given"), GIVEN, ids=["alone", "in a list", "in a dict"])
def test_functions_that_are_given_and_asked_for_what_they_keep(program: Any, given: Any) -> None:
    for _ in range(2):
        assert zg.gradient(program, given(), 3.0)[1] == 12.0


def test_a_function_that_is_found_when_it_is_called_may_not_keep_anything() -> None:
    class Holder:
        function = staticmethod(remembering())

    def program(holder: Any, x: Any) -> Any:
        return asked_for_its_field(holder().function, x)

    try:
        found = zg.gradient(program, lambda: Holder, 3.0)[1]
    except zg.UnsupportedSyntaxError:
        found = 12.0  # refused
    assert found == 12.0
