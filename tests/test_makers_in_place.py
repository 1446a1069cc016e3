"""In place: functions that make others which share their variables, and `functools.reduce` of generators."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import pytest

import zygpy as zg
from zygpy import units

SCALE = 2.0


def counter(step: Any) -> Any:
    """What adds, and tells what there is."""
    total = 0.0

    def add(v: Any) -> Any:
        nonlocal total
        total += v * step
        return total

    return add


def two_of_one(a: Any, b: Any) -> Any:
    held = a * b

    def put(v: Any) -> None:
        nonlocal held
        held = held + v * a

    def get() -> Any:
        return held * SCALE

    return put, get


def twice(x: Any) -> Any:
    a, b = counter(x), 1.0
    c = counter(2 * x)
    d = counter(x)
    return c(b) * d(x) + c(x) - d(3.0) + a(x)


def names_that_mean_others(x: Any) -> Any:
    total = x * 3
    step = x * x
    add = x
    c = counter(step)
    return c(total) + c(add) + total + step + add


def a_global_that_is_hidden(x: Any) -> Any:
    SCALE = x  # noqa: N806
    put, get = two_of_one(x, 2.0)
    put(SCALE)
    return get() * SCALE


def made_in_a_loop(x: Any) -> Any:
    result = 0.0
    for i in range(3):
        c = counter(x * i)
        result += c(x) + c(2.0)
    return result


def made_again(x: Any) -> Any:
    c = counter(x)
    y = c(1.0)
    c = counter(y)
    return c(x) + c(y)


def failing(x: Any) -> Any:
    c = counter(x)
    try:
        c(x)
        raise ValueError
    except ValueError:
        c(2.0)
    return c(0.0)


def known_to_others(x: Any) -> Any:
    c = counter(x)

    def use(v: Any) -> Any:
        return c(v) + 1.0

    return use(x) + use(2.0) + sum(c(v) for v in (1.0, x))


def made_inside(x: Any) -> Any:
    k = x * 2

    def make(s: Any) -> Any:
        n = s

        def up(v: Any) -> Any:
            nonlocal n
            n = n * v + k
            return n

        return up

    u = make(x)
    w = make(3.0)
    k = k + x
    return u(x) * w(2.0) + u(1.0)


def asked_for_its_name(x: Any) -> Any:
    c = counter(x)
    return c(x) if c.__name__ == "add" else 0.0 * x


def left_early(x: Any) -> Any:
    c = counter(x)
    if c(x) > 0.3:
        return c(1.0)
    return c(2.0) * x


def called_like_a_parameter(x: Any) -> Any:
    def make(s: Any) -> Any:
        n = s

        def put(v: Any) -> Any:
            nonlocal n
            n = n * v
            return get() * v

        def get() -> Any:
            return n

        return put, get

    put, v = make(x)
    return put(x) + v()


def scaled(f: Any) -> Any:
    def inner(v: Any) -> Any:
        return f(v) * SCALE

    return inner


def with_a_captured_name(SCALE: Any) -> Any:  # noqa: N803
    def f(x: Any) -> Any:
        put, get = two_of_one(x, 2.0)
        put(SCALE)

        @scaled
        def times(z: Any) -> Any:
            return z * x

        return get() * SCALE + times(x) * SCALE

    return f


def with_an_imported_name(x: Any) -> Any:
    import math as SCALE  # noqa: N812

    put, get = two_of_one(x, 2.0)
    put(SCALE.pi)
    return get()


# ---------------------------------------------------------------------------------- reduce

LOG: list[Any] = []


def noting(x: Any) -> Iterator[Any]:
    for i in range(3):
        LOG.append(i)
        yield x + i
    LOG.append("end")


def in_order(x: Any) -> Any:
    LOG.clear()

    def times(a: Any, b: Any) -> Any:
        LOG.append("f")
        return a * b

    result = reduce(times, noting(x))
    assert LOG == [0, 1, "f", 2, "f", "end"]
    return result


def from_the_first(x: Any) -> Any:
    return reduce(lambda a, b: a * x + b, (x * i for i in range(5)))


def from_a_start(x: Any) -> Any:
    return functools.reduce(operator.add, (x * i for i in range(5)), x * x)


def of_nothing(x: Any) -> Any:
    return reduce(lambda a, b: a + b, (x for i in range(0)), x * 3)


def one_alone(x: Any) -> Any:
    return reduce(lambda a, b: a + b * 1e9, (x * i for i in range(2) if i))


def a_list_as_start(x: Any) -> Any:
    held: list[Any] = []
    found = reduce(lambda a, b: (a.append(b), a)[1], (x * i for i in range(4)), held)
    return sum(found) * len(held) + (x if found is held else 0)


def changed_meanwhile(x: Any) -> Any:
    state = {"k": 1.0}

    def add(a: Any, b: Any) -> Any:
        state["k"] = state["k"] * 0.5
        return a + b

    return reduce(add, (x * state["k"] for i in range(4)))


def stopped(x: Any) -> Any:
    def add(a: Any, b: Any) -> Any:
        if b > x * 2:
            raise StopIteration
        return a + b

    try:
        return reduce(add, (x * i for i in range(5)))
    except StopIteration:
        return x**3


def begun_before(x: Any) -> Any:
    items = noting(x)
    first = next(items)
    return reduce(lambda a, b: a + b * x, items) + first


def mixed(x: Any) -> Any:
    return reduce(lambda a, b: a + b, (x if i else 1 for i in range(3)))


MAKERS = [
    *(twice, names_that_mean_others, a_global_that_is_hidden, made_in_a_loop, made_again, failing),
    *(known_to_others, made_inside, asked_for_its_name, left_early),
    *(called_like_a_parameter, with_a_captured_name(5.0), with_an_imported_name),
]
FOLDS = [
    *(in_order, from_the_first, from_a_start, of_nothing, one_alone, a_list_as_start),
    *(changed_meanwhile, stopped, begun_before, mixed),
]


def slope(f: Callable[[float], Any], x: float) -> float:
    return (8 * (f(x + 1e-3) - f(x - 1e-3)) - f(x + 2e-3) + f(x - 2e-3)) / 12e-3


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("f", [*MAKERS, *FOLDS], ids=lambda f: str(f.__name__))
def test_gradients(f: Callable[[Any], Any], *, specialise: bool) -> None:
    with units.options(specialise=specialise):
        for x in (0.6, 2):
            value, back = zg.pullback(f, x)
            assert value == f(x) and type(value) is type(f(x))
            found = [back(seed)[0] for seed in (1.0, 2.0, 1.0)]
            assert found == pytest.approx([slope(f, x), 2 * slope(f, x), slope(f, x)], rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("f", [made_inside, from_the_first], ids=lambda f: str(f.__name__))
def test_second_order(f: Callable[[Any], Any]) -> None:
    expected = slope(lambda x: zg.gradient(f, x)[0], 0.6)
    assert zg.hvp(f, 0.6, 1.0) == pytest.approx(expected, rel=1e-7)


def with_a_counter(x: Any) -> Any:
    c = counter(x)
    return c(x) + c(1.0)


def test_another_maker_under_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """x * x + x * (x + 1), and twice 5 * x."""
    assert zg.gradient(with_a_counter, 0.6)[0] == pytest.approx(4 * 0.6 + 1)
    monkeypatch.setitem(globals(), "counter", lambda step: lambda v: 5.0 * step)
    assert zg.gradient(with_a_counter, 0.6)[0] == 10.0
    monkeypatch.undo()
    assert zg.gradient(with_a_counter, 0.6)[0] == pytest.approx(4 * 0.6 + 1)


def its_first(x: Any) -> Any:
    (c,) = counter(x)
    return c(x)


def ruled_counter(step: Any) -> Any:
    total = 0.0

    def add(v: Any) -> Any:
        nonlocal total
        total += v * step
        return total

    return add


def with_a_ruled_counter(x: Any) -> Any:
    c = ruled_counter(x)
    return c(x) + c(1.0) * x


def test_what_its_result_is() -> None:
    with pytest.raises(TypeError):
        zg.gradient(its_first, 0.6)


def test_a_rule_that_comes_later() -> None:
    """By the rule, the counter's step is no part of what is differentiated."""
    assert zg.gradient(with_a_ruled_counter, 0.6)[0] == pytest.approx(slope(with_a_ruled_counter, 0.6))
    zg.adjoint(ruled_counter)(lambda step: (ruled_counter(step), lambda c_bar: (None,)))
    assert zg.gradient(with_a_ruled_counter, 0.6)[0] == pytest.approx(0.6 + 2 * 0.6 * 0.6 + 0.6)


def of_none(x: Any) -> Any:
    return reduce(lambda a, b: a + b, (x * i for i in range(0)))


def of_none_by_identity(x: Any) -> Any:
    return reduce(lambda a, b: [*a, *b], ([x, i] for i in range(0)))[0]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("f", [of_none, of_none_by_identity])
def test_no_items(f: Callable[[Any], Any], *, specialise: bool) -> None:
    with (
        units.options(specialise=specialise),
        pytest.raises(TypeError, match="no initial value"),
    ):
        zg.gradient(f, 0.6)
