"""Calls and operations of which it is found when they are made what they are, in forward mode: against
differences and reverse mode."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing

WEIGHTS = np.array([1.0, -2.0, 0.5])


def functions_in_a_list(x: Any) -> Any:
    def scaled(y: Any) -> Any:
        return y * x * x

    total = 0.0
    for f in [scaled, lambda z: z * z * x, math.sin]:
        total = total + f(x + 1.0)
    return total


def made_by_functions(x: Any) -> Any:
    def power(k: Any) -> Any:
        def g(y: Any) -> Any:
            return y**k * x

        return g

    def twice(f: Any) -> Any:
        return lambda v: f(f(v))

    return twice(power(2))(x)


def default_values(x: Any) -> Any:
    def scaled(y: Any, factor: Any = 3.0) -> Any:
        return y * factor * x

    return [scaled][0](x)


def constants_are_given(x: Any) -> Any:
    weights = WEIGHTS

    def weighed(y: Any, w: Any) -> Any:
        return np.sum(w * y)

    return {"f": weighed}["f"](x * x, weights)


def changes_what_it_captures(x: Any) -> Any:
    seen: list[Any] = []
    total = [0.0]

    def visit(y: Any) -> Any:
        seen.append(y * x)
        total[0] = total[0] + y * y
        return y + x

    last = x
    for f in (visit, lambda z: z * 2.0, visit):
        last = f(last)
    return sum(seen) * total[0] + last


def captures_what_is_constant_at_first(x: Any) -> Any:
    kept: list[Any] = []

    def keep(value: Any) -> None:
        kept.append(value)

    for f in [keep]:
        f(x * x)
        f(3.0)
    return kept[0] * kept[1]


def fills_an_array(x: Any) -> Any:
    data = np.ones(3)

    def fill(place: Any, value: Any) -> Any:
        data[place] = value * x
        return data

    made = {"f": fill}["f"](1, x)
    made[0] = x
    return np.sum(data * data)


def gives_a_constant_of_its_own(x: Any) -> Any:
    constant = np.ones(2)

    def give(first: Any) -> Any:
        return constant if first else constant * x

    made = [give][0](x > 0)
    made[0] = x * x
    return constant[0] * 3.0


def items_of_all_kinds(x: Any) -> Any:
    table = {"a": x, "b": [x, 2.0], "c": "text", "d": (x * x, x)}
    total = 0.0
    for key in ("a", "b", "d"):
        found: Any = table[key]
        total = total + (found * 2.0 if key == "a" else found[0] * found[1])
    return total - -table["a"]  # type: ignore[operator]


def lists_are_joined(x: Any) -> Any:
    table: dict[str, Any] = {"a": [x], "b": [2.0 * x, 1.0], "c": x}
    joined: Any = []
    for key in ("a", "b"):
        joined = joined + table[key]
    return joined[0] * joined[1] + joined[2] * table["c"]


def deleted_behind(x: Any) -> Any:
    g = lambda a: a * x  # noqa: E731 (it is what is tested)
    result = g(x)
    del g
    return result


def bound_later(x: Any) -> Any:
    f = lambda: later * x  # noqa: E731 (it is what is tested)
    later = x * 3.0
    return [f][0]() + later


PROGRAMS = (
    functions_in_a_list,
    made_by_functions,
    default_values,
    constants_are_given,
    changes_what_it_captures,
    captures_what_is_constant_at_first,
    fills_an_array,
    gives_a_constant_of_its_own,
    items_of_all_kinds,
    lists_are_joined,
    deleted_behind,
    bound_later,
)


@pytest.mark.parametrize("function", PROGRAMS)
def test_agrees(function: Any) -> None:
    x, step = 1.3, 1e-6
    slope = (function(x + step) - function(x - step)) / (2.0 * step)
    assert zg.pushforward(function, x)(2.0) == pytest.approx(2.0 * slope, rel=1e-8)
    assert zg.gradient(function, x)[0] == pytest.approx(slope, rel=1e-8)
    assert zg.pushforward(function, x)(2.0) == pytest.approx(2.0 * zg.gradient(function, x)[0], rel=1e-13)


@pytest.mark.parametrize(
    "function",
    [
        functions_in_a_list,
        made_by_functions,
        constants_are_given,
        changes_what_it_captures,
        captures_what_is_constant_at_first,
        items_of_all_kinds,
        lists_are_joined,
        deleted_behind,
    ],
)
def test_has_tangent_code(function: Any) -> None:
    found = pushing.push_of(function, (1.3,), any_result=True)
    assert isinstance(found, pushing.Push), found.why
    found.run((1.0,))


class Pair:
    """What is multiplied by a method of its own."""

    def __init__(self, first: Any) -> None:
        self.first = first

    def __mul__(self, other: Any) -> Any:
        return self.first * other


def of_objects(x: Any, items: Any) -> Any:
    total = 0.0
    for one in items:
        total = total + one * x
    return total


def test_operators_of_objects_have_tangent_code() -> None:
    x, items = 1.3, [2.0, Pair(3.0)]
    found = pushing.push_of(of_objects, (x, items), any_result=True)
    assert isinstance(found, pushing.Push)
    assert found.run((1.0, None)) == pytest.approx((6.5, 5.0))
    assert zg.pushforward(of_objects, x, items)(1.0, None) == pytest.approx(5.0)


def a_text_meets_a_number(x: Any) -> Any:
    total = x
    for one in [x, "text"]:
        total = one * total  # type: ignore[operator]
    return total


def test_what_fails_fails_as_it_does() -> None:
    with pytest.raises(TypeError, match="can't multiply sequence"):
        zg.pushforward(a_text_meets_a_number, 1.3)(1.0)


def test_no_perturbation_confusion() -> None:
    def outer(x: Any) -> Any:
        def inner(y: Any) -> Any:
            total = 0.0
            for f in [lambda u: u * x, lambda u: u * y]:
                total = total + f(y)
            return total

        return zg.pushforward(inner, 2.0)(1.0) * x  # (x + 2 y) x

    assert zg.pushforward(outer, 3.0)(1.0) == pytest.approx(10.0)
    assert zg.gradient(outer, 3.0)[0] == pytest.approx(10.0)


def test_a_rule_of_the_users_is_obeyed() -> None:
    def doubled(y: Any) -> Any:
        return y * 2.0

    @zg.adjoint(doubled)
    def _(y: Any) -> Any:
        return doubled(y), lambda bar: (bar * 7.0,)

    def program(x: Any) -> Any:
        total = 0.0
        for f in [doubled, math.sin]:
            total = total + f(x)
        return total

    assert zg.pushforward(program, 1.3)(1.0) == pytest.approx(7.0 + math.cos(1.3))


def test_vectors() -> None:
    def program(x: Any) -> Any:
        total = x * 0.0
        for f in (np.sin, lambda u: u * u[::-1], np.cumsum):
            total = total + f(x)
        return total

    x, v = np.array([0.3, 1.2, -0.4]), np.array([1.0, -2.0, 0.5])
    matrix = np.array([zg.pushforward(program, x)(unit) for unit in np.eye(3)]).T
    assert np.allclose(zg.jacobian(program, x)[0], matrix, rtol=1e-13)
    step = 1e-6
    differences = (program(x + step * v) - program(x - step * v)) / (2.0 * step)
    assert np.allclose(zg.pushforward(program, x)(v), differences, rtol=1e-7)


def test_functions_that_are_found_run_at_the_level_of_the_program(capsys):
    def told(x):
        print(zg.nestlevel())
        return 2.0 * x

    table = [told, lambda x: told(x) + x]

    def f(x, place):
        print(zg.nestlevel())
        return table[place](x) * x

    for place in (0, 1):
        zg.gradient(lambda x, place=place: f(x, place), 2.0)
        expected = capsys.readouterr().out
        assert expected == "1\n1\n"
        zg.pushforward(lambda x, place=place: f(x, place), 2.0)(1.0)
        assert capsys.readouterr().out == expected
