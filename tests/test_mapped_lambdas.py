"""`map` and `filter` by lambdas whose items are all taken at once: loops, if nobody can tell."""

# ruff: noqa: C417, E731

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.array([0.7, 1.3, -0.4, 1.9])


def squares(x: Any) -> Any:
    return sum(map(lambda v: v * v, x))


def same_name(x: Any) -> Any:
    return sum(map(lambda x: x * x, x)) * x[0]


def two(x: Any) -> Any:
    return sum(map(lambda a, b: a * math.sin(b), x, x[1:]))


def three(x: Any) -> Any:
    return max(map(lambda a, b, c: a * b + c, x, [1.0, 2.0, 3.0], reversed(x)))


def filtered(x: Any) -> Any:
    return sum(filter(lambda v: v > 0.5, x)) ** 2


def both(x: Any) -> Any:
    return sum(map(lambda v: v**3, filter(lambda v: v < 1.5, x)))


def nested(x: Any) -> Any:
    return sum(map(lambda v: sum(map(lambda w: v * w, x)), x))


def taken_from_outside(x: Any) -> Any:
    k = x[0]
    return sum(list(map(lambda v: v * k, x))) + min(tuple(map(lambda v: v + k, x)))


def functions_kept(x: Any) -> Any:
    kept = list(map(lambda v: lambda: v * v, x))
    return sum(f() for f in kept)


def walrus(x: Any) -> Any:
    w = 2.0
    return sum(map(lambda v: (w := v) * w, x)) * w


def defaults(x: Any) -> Any:
    return sum(map(lambda v, k=2.0: v * k, x))


def stars(x: Any) -> Any:
    return sum(map(lambda *v: v[0] * v[1], x, x))


def starred(x: Any) -> Any:
    return sum(map(lambda a, b: a * b, *[x, x]))


def zip_of_its_own(x: Any) -> Any:
    zip = x[0]
    return sum(map(lambda a, b: a * b, x, x)) * zip


def map_of_its_own(x: Any) -> Any:
    map = lambda f, items: [f(item) * 2.0 for item in items]
    return sum(map(lambda v: v * v, x))


def none_filter(x: Any) -> Any:
    return sum(filter(None, [x[0], 0.0, x[1]])) ** 2


def conditions(x: Any) -> Any:
    return sum(map(lambda v: v * v if v > 1 else math.exp(v), x))


def to_dict(x: Any) -> Any:
    table = dict(map(lambda i: (i, x[i] ** 2), range(3)))
    return table[0] * table[2]


def in_order(x: Any) -> Any:
    return sorted(map(lambda v: v * v, x))[1]


def comprehension_inside(x: Any) -> Any:
    return sum(map(lambda v: sum([v * w for w in x if w > v]), x))


def empty(x: Any) -> Any:
    return sum(map(lambda v: v * v, x[:0])) + x[0]


def seen(x: Any) -> Any:
    log: list[float] = []
    total = sum(map(lambda v: log.append(float(len(log))) or v * len(log), x))
    return total * log[-1]


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(squares, same_name, two, three, filtered, both, nested, taken_from_outside, functions_kept, walrus),
    *(defaults, stars, starred, zip_of_its_own, map_of_its_own, none_filter, conditions, to_dict),
    *(in_order, comprehension_inside, empty, seen),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_gradient(program: Callable[..., Any]) -> None:
    assert zg.pullback(program, X.copy())[0] == program(X.copy())
    check_gradient(program, X.copy())


@pytest.mark.parametrize("program", [squares, two, nested, conditions, to_dict, taken_from_outside])
def test_second_order(program: Callable[..., Any]) -> None:
    check_gradient(program, X.copy(), order=2)


@pytest.mark.parametrize("argument", [3.0, None])
def test_exceptions_are_those_of_a_plain_call(argument: Any) -> None:
    for program in (squares, filtered):
        with pytest.raises(TypeError) as plain:
            program(argument)
        with pytest.raises(TypeError) as found:
            zg.pullback(program, argument)
        assert str(found.value) == str(plain.value)


def test_the_adjoint_has_no_doors() -> None:
    for program in (squares, two, filtered, conditions):
        assert "pull(" not in str(zg.show_adjoint(program, X))


def generator_in_an_array(x: Any) -> Any:
    return x, np.array(v for v in (1.0, 2.0)).shape


def test_numpy_is_given_the_generator() -> None:
    assert zg.pullback(generator_in_an_array, 2.0)[0] == (2.0, ())
