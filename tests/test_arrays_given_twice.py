"""Arrays that a program by identity is given twice, or of which it is given views: each
argument has its own share as long as nothing changes in the memory; what is changed is one thing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp

import zygpy as zg
from zygpy.load.known import may_ask_which, may_write_to_arrays
from zygpy.units import options

POINT = np.array([0.7, 1.3, 0.4])


class Made:
    def __init__(self, value: Any) -> None:
        self.value = value

    def put(self, number: Any) -> None:
        self.value[0] = number


def objects(a: Any, b: Any) -> Any:
    one, other = Made(a), Made(b)
    return np.sum(one.value * np.sin(other.value))


def views_in_objects(a: Any, b: Any) -> Any:
    one, other = Made(a[1:]), Made(b[::-1])
    return np.sum(one.value) * other.value[0] * a[0]


def in_rows(a: Any, b: Any) -> Any:
    rows: dict[int, list[Any]] = {}
    for place, value in enumerate((a, b, a)):
        rows.setdefault(place % 2, []).append(value)
    return np.sum(rows[0][0] * rows[0][1] * rows[1][0])


def by_generators(a: Any, b: Any) -> Any:
    def products() -> Any:
        for left, right in zip(a, b, strict=True):
            yield left * right * right

    kept = deque(products(), 2)
    return sum(kept) * np.max(a)


def asked_by_itself(a: Any, b: Any) -> Any:
    one, other = Made(a), Made(b)
    if one.value is not other.value or a[1:] is b[1:]:
        return np.sum(one.value)
    return np.sum(one.value * other.value**2)


def is_it(a: Any, b: Any) -> bool:
    return a is b


def asked_elsewhere(a: Any, b: Any) -> Any:
    one, other = Made(a), Made(b)
    return np.sum(one.value * other.value**2) * (3.0 if is_it(one.value, b) else 1.0)


def changed(a: Any, b: Any) -> Any:
    Made(a).put(b[1] * 2.0)
    return np.sum(a * np.sin(b))


def overwritten(a: Any, b: Any) -> Any:
    Made(a).put(5.0)
    other = Made(b)
    return np.sum(a * np.sin(other.value))


def with_what_was_there(a: Any, b: Any) -> Any:
    Made(a).put(b[0])
    return np.sum(a * np.sin(b))


def shares(program: Callable[..., Any], point: Any) -> list[Any]:
    """By central differences, for each of the arguments that are arrays of their own."""
    step = 1e-5 * np.eye(3)
    left = [(program(point + h, point.copy()) - program(point - h, point.copy())) / 2e-5 for h in step]
    right = [(program(point.copy(), point + h) - program(point.copy(), point - h)) / 2e-5 for h in step]
    return [np.array(left), np.array(right)]


def whole(program: Callable[..., Any], point: Any) -> Any:
    """The same for both at once, which are one array."""

    def at(x: Any) -> Any:
        return program(x, x)

    step = 1e-5 * np.eye(3)
    return np.array([(at(point + h) - at(point - h)) / 2e-5 for h in step])


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", [objects, views_in_objects, in_rows, by_generators])
def test_each_has_its_own_share(program: Callable[..., Any], specialise: bool) -> None:
    x = POINT.copy()
    expected = shares(program, POINT)
    with options(specialise=specialise):
        y, back = zg.pullback(program, x, x)
    assert y == program(POINT, POINT)
    for seed in (1.0, 2.0, 1.0):
        for found, one in zip(back(seed), expected, strict=True):
            assert found == pytest.approx(seed * one, rel=1e-8, abs=1e-8)
    assert x.tolist() == POINT.tolist()


@pytest.mark.parametrize("specialise", [True, False])
def test_so_has_an_array_beside_its_view(specialise: bool) -> None:
    x = POINT.copy()
    with options(specialise=specialise):
        found = zg.gradient(objects, x, x[::-1])
    assert found[0] == pytest.approx(np.sin(POINT[::-1]))
    assert found[1] == pytest.approx(POINT * np.cos(POINT[::-1]))


@pytest.mark.parametrize("specialise", [True, False])
def test_who_asks_whether_they_are_the_same_is_told(specialise: bool) -> None:
    x = POINT.copy()
    with options(specialise=specialise):
        y, back = zg.pullback(asked_by_itself, x, x)
    assert y == asked_by_itself(POINT, POINT)
    assert back(1.0)[0] == pytest.approx(POINT**2)
    assert back(1.0)[1] == pytest.approx(2.0 * POINT**2)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", [asked_elsewhere, changed, overwritten])
def test_what_is_changed_or_asked_for_elsewhere_is_one_thing(
    program: Callable[..., Any], specialise: bool
) -> None:
    x = POINT.copy()
    with options(specialise=specialise):
        y, back = zg.pullback(program, x, x)
    again = POINT.copy()
    assert y == program(again, again)
    assert x.tolist() == again.tolist()
    first, second = back(1.0)
    assert first == pytest.approx(whole(program, POINT), rel=1e-8, abs=1e-8)
    assert not np.any(second)


def test_where_it_is_not_known_whether_it_is_changed_is_it_refused() -> None:
    x = POINT.copy()
    with pytest.raises(
        zg.UnsupportedSyntaxError, match=r"(?s)is changed, or may have been, by another.*pass a copy"
    ):
        zg.gradient(with_what_was_there, x, x)


def test_what_is_given_back_is_the_argument() -> None:
    def chosen(a: Any, b: Any) -> Any:
        kept = [Made(a), Made(b)]
        return kept[1].value

    x = POINT.copy()
    y, back = zg.pullback(chosen, x, x)
    assert y is x
    first, second = back(np.ones(3))
    assert not np.any(first)
    assert second == pytest.approx(np.ones(3))


@pytest.mark.parametrize("late", [lambda f, x: f(x), lambda f, x: zg.checkpoint(f, x)])
def test_views_kept_by_objects_are_not_changed(late: Callable[..., Any]) -> None:
    def kept(x: Any) -> Any:
        one = Made(x[1:])
        one.first = x[0]  # type: ignore[attr-defined]
        return np.sum(one.value**2) * one.first  # type: ignore[attr-defined]

    (found,) = zg.gradient(lambda x: late(kept, x), POINT)
    expected = np.array([np.sum(POINT[1:] ** 2), *(2.0 * POINT[1:] * POINT[0])])
    assert found == pytest.approx(expected)


def test_second_derivatives_of_what_is_given_one_array_twice_are_refused() -> None:
    weights = np.array([0.3, -0.5, 0.8])
    with pytest.raises(zg.UnsupportedSyntaxError, match="given one array twice"):
        zg.gradient(lambda x: np.dot(zg.gradient(objects, x, x)[0], weights), POINT)
    (found,) = zg.gradient(lambda x: np.dot(zg.gradient(objects, x, x.copy())[0], weights), POINT)
    assert found == pytest.approx(np.cos(POINT) * weights)


@pytest.mark.parametrize("program", [objects, views_in_objects, in_rows, by_generators, asked_by_itself])
def test_directions_of_each(program: Callable[..., Any]) -> None:
    x, other = POINT.copy(), np.array([0.3, -0.5, 0.8])
    found = zg.gradient(program, x, x)
    for left, right in ((other, POINT), (other, other)):
        expected = found[0] @ left + found[1] @ right
        assert zg.pushforward(program, x, x)(left, right) == pytest.approx(expected)


def of_one(a: Any, b: Any) -> Any:
    return np.sum(a * b * b) if a is b else np.sum(b)


def of_one_in_a_list(a: Any, b: Any) -> Any:
    items = [b]
    return np.sum(a * items[0] * b) if is_it(a, items[0]) else np.sum(b)


def of_the_global(a: Any, b: Any) -> Any:
    return np.sum(a * b) if b is POINT else np.sum(b)


@pytest.mark.parametrize("program", [of_one, of_one_in_a_list, of_the_global])
def test_forward_mode_tells_which_they_are(program: Callable[..., Any]) -> None:
    direction = np.array([0.3, -0.5, 0.8])
    for x in (POINT, POINT.copy()):
        for other in (x, x.copy()):
            y, back = zg.pullback(program, x, other)
            first, second = (0.0 if bar is None else bar for bar in back(1.0))
            assert y == program(x, other)
            expected = np.sum(first * direction) + np.sum(second * direction)
            assert zg.pushforward(program, x, other)(direction, direction) == pytest.approx(expected)


@pytest.mark.parametrize("specialise", [True, False])
def test_what_is_given_back_or_kept_in_things_is_the_argument(specialise: bool) -> None:
    def kept(thing: Any, a: Any, b: Any) -> Any:
        thing.value = b
        held = Holding(a)
        return held, {"a": a, "rows": [a, (b, 2.0)]}, (a, b[1:])

    x, thing = POINT.copy(), Holding(1.0)
    with options(specialise=specialise):
        (held, made, (first, view)), back = zg.pullback(kept, thing, x, x)
    assert thing.value is x
    assert held.value is x
    assert made["a"] is x
    assert [made["rows"][0] is x, made["rows"][1][0] is x, first is x, view.base is x] == [True] * 3 + [False]
    seed = np.array([1.0, 2.0, 3.0])
    bars = back((None, {"a": seed, "rows": [None, (seed * 10.0, None)]}, (seed * 100.0, seed[1:])))
    assert bars[1] == pytest.approx(101.0 * seed)
    assert bars[2] == pytest.approx(10.0 * seed + np.array([0.0, 2.0, 3.0]))
    x[0] = 7.0
    assert held.value[0] == made["a"][0] == 7.0


class Holding:
    def __init__(self, value: Any) -> None:
        self.value = value


KEPT = Holding(None)


def test_what_was_kept_elsewhere_is_one_thing_with_the_array() -> None:
    def keeps(a: Any, b: Any) -> Any:
        KEPT.value = Holding(a).value
        return np.sum(a * b)

    def uses(x: Any) -> Any:
        held = Made(KEPT.value)
        held.value[0] = x[1] * 3.0
        return np.sum(x * x)

    x = POINT.copy()
    zg.gradient(keeps, x, x)
    assert np.shares_memory(KEPT.value, x)
    (found,) = zg.gradient(uses, x)
    # 9 x1^2 + x1^2 + x2^2
    assert found == pytest.approx(np.array([0.0, 20.0 * POINT[1], 2.0 * POINT[2]]))


def test_code_of_libraries_is_not_looked_at() -> None:
    def soft(x: Any) -> Any:
        return logsumexp(x)  # which writes to arrays of its own

    def hard(x: Any) -> Any:
        x[0] = soft(x)
        return is_it(x, x)

    assert [may_write_to_arrays(soft, []), may_ask_which(soft, [])] == [False, False]
    assert [may_write_to_arrays(hard, []), may_ask_which(hard, [])] == [True, True]
