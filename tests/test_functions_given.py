"""Functions that carry something and are given as arguments, or found by a name, and what they share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

X = 1.5


class Thing:
    def __init__(self, v):
        self.v = v

    def times(self, x):
        return np.sum(self.v * x)


def times(c):
    return lambda x: np.sum(c * x)


def summed(values):
    return lambda x: sum(values) * x


def growing(values):
    def grow(x):
        values.append(x)
        return sum(values)

    return grow


def storing(values):
    def store(x):
        values[0] = x * x
        return values[0] + values[-1]

    return store


def of_object(thing):
    return lambda x: np.sum(thing.v * x)


def over(f):
    return lambda x: f(x) * x


def call(f, x):
    return f(x)


def steps(f, x):
    for _ in range(3):
        x = x + 0.1 * f(x)
    return x


def in_a_list(f, x):
    return sum([g(x) for g in [f, f]])


def by_recursion(f, x, n=2):
    return f(x) if n == 0 else by_recursion(f, f(x), n - 1)


GIVEN: dict[str, Callable[[], Any]] = {
    "number": lambda: times(2.0),
    "array": lambda: times(np.array([1.0, 2.0])),
    "function": lambda: over(times(2.0)),
    "list": lambda: summed([1.0, 2.0]),
    "list that grows": lambda: growing([1.0]),
    "empty list": lambda: growing([]),
    "list that is stored into": lambda: storing([1.0, 2.0]),
    "object": lambda: of_object(Thing(2.0)),
    "method": lambda: Thing(2.0).times,
    "partial": lambda: functools.partial(lambda a, b, x: a * b * x, 2.0, 3.0),
    "partial by name": lambda: functools.partial(lambda x, a: a * x, a=3.0),
}


def slope(f: Callable[[float], Any], step: float = 1e-4) -> float:
    """By Richardson's extrapolation of central differences."""
    wide, narrow = [(f(X + h) - f(X - h)) / (2 * h) for h in (step, step / 2)]
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("program", [call, steps, in_a_list, by_recursion])
@pytest.mark.parametrize("made", GIVEN.values(), ids=GIVEN)
def test_gradients(made: Callable[[], Any], program: Callable[..., Any]) -> None:
    expected = pytest.approx(slope(lambda x: program(made(), x)), rel=1e-7)
    value, back = zg.pullback(program, made(), X)
    assert value == program(made(), X)
    assert back(1.0)[1] == expected
    assert back(1.0)[1] == expected
    assert zg.pushforward(lambda x: program(made(), x), X)(1.0) == expected


def test_records_tell_what_is_captured_in_order() -> None:
    assert repr(zg.gradient(call, (lambda b, a: lambda x: x * a * b)(2.0, 3.0), X)[0]) == "(a=3.0, b=4.5)"
    found = zg.gradient(call, GIVEN["partial"](), X)[0]
    assert found._asdict() == {"__wrapped__": None, "args[0]": 4.5, "args[1]": 3.0}
    assert zg.gradient(call, Thing(2.0).times, X)[0].__self__.v == X


def test_they_are_called_by_their_text() -> None:
    for name in ("number", "function", "object", "method", "partial"):
        text = zg.show_adjoint(steps, GIVEN[name](), X)
        assert "store" not in text  # nothing is found by identity


SCALE = times(2.0)


def scaled(x):
    return call(SCALE, x) * x


def test_names_may_stand_for_other_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "store" not in zg.show_adjoint(scaled, X)
    assert zg.gradient(scaled, X)[0] == 4.0 * X
    for other, expected in [
        (times(3.0), 6.0 * X),
        (lambda x: x * x, 3.0 * X * X),
        (Thing(1.0).times, 2.0 * X),
    ]:
        monkeypatch.setitem(globals(), "SCALE", other)
        assert zg.gradient(scaled, X)[0] == pytest.approx(expected)


def made_of(c):
    def f(x):
        return c(x) if callable(c) else x * x if c is None else c * x

    return f


CHANGING = made_of(2.0)


def changing(x):
    return call(CHANGING, x)


def test_what_they_carry_may_be_set_to_something_of_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(changing, X)[0] == 2.0
    for other, expected in [(None, 2.0 * X), (times(3.0), 3.0), (times(4.0), 4.0), (5.0, 5.0)]:
        monkeypatch.setattr(CHANGING.__closure__[0], "cell_contents", other)
        assert zg.gradient(changing, X)[0] == expected


def test_functions_with_a_rule_keep_it() -> None:
    ruled, other = times(7.0), times(7.0)
    zg.gradient(call, other, X)

    @zg.adjoint(ruled)
    def _(x):
        return ruled(x), lambda y_bar: (100.0 * y_bar,)

    assert zg.gradient(call, ruled, X)[1] == 100.0
    assert zg.gradient(call, other, X)[1] == 7.0


# ------------------------------------------------------------------- what arguments share, and is written to


def first_set(f, shared, x):
    shared[0] = x
    return f(x)


def first_set_to_a_constant(f, shared, x):
    shared[0] = 7.0
    return f(x)


def first_set_of_a_thing(thing, shared, x):
    shared[0] = x
    return np.sum(thing.v * x)


SHARING = {
    "captured": times,
    "deeper": lambda a: over(times(a)),
    "default": lambda a: lambda x, a=a: np.sum(a * x),
    "partial": lambda a: functools.partial(lambda a, x: np.sum(a * x), a),
    "method": lambda a: Thing(a).times,
    "object": lambda a: of_object(Thing(a)),
}


@pytest.mark.parametrize("sharing", SHARING.values(), ids=SHARING)
def test_functions_share_arrays_with_other_arguments(sharing: Callable[..., Any]) -> None:
    def program(x: float) -> Any:
        array = np.ones(2)
        return first_set(sharing(array), array, x)

    array = np.ones(2)
    assert zg.gradient(first_set, sharing(array), array, X)[2] == pytest.approx(slope(program))
    np.testing.assert_array_equal(array, [X, 1.0])


def test_what_is_overwritten_has_no_gradient() -> None:
    array, listed = np.ones(2), [1.0, 2.0]
    assert zg.gradient(first_set_to_a_constant, times(array), array, X)[0].c.tolist() == [0.0, X]
    assert zg.gradient(first_set_to_a_constant, summed(listed), listed, X)[0].values == [0.0, X]


def test_objects_share_arrays_with_other_arguments() -> None:
    array = np.ones(2)
    thing_bar, array_bar, x_bar = zg.gradient(first_set_of_a_thing, Thing(array), array, X)
    assert x_bar == 2.0 * X + 1.0
    assert (thing_bar.v + array_bar).tolist() == [0.0, X]


def test_lists_that_functions_share_may_grow() -> None:
    def program(f, values, x):
        values.append(x)
        return f(x)

    values = [1.0]
    f_bar, _, x_bar = zg.gradient(program, summed(values), values, X)
    assert (f_bar.values, x_bar) == ([X], 1.0 + 2.0 * X)
