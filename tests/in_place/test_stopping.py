"""Generators that StopIteration leaves, whose bodies run in place: Python makes a RuntimeError of it, and
other handlers run (PEP 479)."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences


def stopping(v: Any) -> Any:
    if v > 1:
        raise StopIteration
    return v * v


@contextlib.contextmanager
def stopping_first(x: Any) -> Iterator[Any]:
    y = stopping(x * 2)
    yield y


@contextlib.contextmanager
def stopping_last(x: Any) -> Iterator[Any]:
    yield x
    stopping(x * 2)


@contextlib.contextmanager
def passing_on(x: Any) -> Iterator[Any]:
    try:
        yield x
    finally:
        x = x * 1


class Tree:
    def __init__(self, v: Any, below: Any = ()) -> None:
        self.v = v
        self.below = below

    def walk(self, x: Any) -> Iterator[Any]:
        yield stopping(self.v * x)
        for one in self.below:
            yield from one.walk(x)

    def __iter__(self) -> Iterator[Any]:
        yield self.v
        for one in self.below:
            yield from one

    def multiples(self, x: Any) -> Iterator[Any]:
        for k in range(3):
            yield stopping(k * x)


def downwards(x: Any, n: int) -> Iterator[Any]:
    yield stopping(x * n)
    if n > 0:
        yield from downwards(x, n - 1)


def entered(x: Any) -> Any:
    try:
        with stopping_first(x) as y:
            return y * 5
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def left(x: Any) -> Any:
    try:
        with stopping_last(x) as y:
            x = y * 5
        return x * 2
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def inside_a_manager(x: Any) -> Any:
    try:
        with passing_on(x) as y:
            x = stopping(y * 5)
        return x * 2
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def through_a_tree(x: Any) -> Any:
    t = Tree(0.5, [Tree(1.0, [Tree(3.0)]), Tree(0.2)])
    try:
        return sum(t.walk(x))
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def outside_a_generator(x: Any) -> Any:
    t = Tree(0.5 * x, [Tree(x, [Tree(3.0 * x)]), Tree(0.2)])
    s = 0.0
    try:
        for v in t:
            s = s + stopping(v)
    except StopIteration:
        return s * 3
    except RuntimeError:
        return s * 2
    return s


def of_a_method(x: Any) -> Any:
    t = Tree(x)
    s = 0.0
    try:
        for v in t.multiples(x):
            s = s + v
    except StopIteration:
        return s * 3
    except RuntimeError:
        return s * 2
    return s


def asked_early(x: Any) -> Any:
    try:
        return x if any(stopping(x * k) > 5 for k in range(3)) else x * 4
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def asked_by_next(x: Any) -> Any:
    g = (stopping(x * k) for k in range(3))
    try:
        return next(g) + next(g) + next(g)
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def listed(x: Any) -> Any:
    try:
        a = list(stopping(x * k) for k in range(3))  # noqa: C400
        return sum(a)
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def in_a_list_display(x: Any) -> Any:
    try:
        a = [stopping(x * k) for k in range(3)]
        return sum(a)
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def in_a_condition(x: Any) -> Any:
    try:
        return sum(x * k for k in range(3) if stopping(x * k) < 5)
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def folded(x: Any) -> Any:
    try:
        return functools.reduce(lambda a, b: a + b, (stopping(x * k) for k in range(3)))
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def unpacked(x: Any) -> Any:
    try:
        a, b, c = (stopping(x * k) for k in range(3))
        return a + b + c
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def splatted(x: Any) -> Any:
    f = lambda *a: sum(a)  # noqa: E731
    try:
        return f(*(stopping(x * k) for k in range(3)))
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def nested(x: Any) -> Any:
    try:
        return sum(sum(stopping(x * k * j) for k in range(2)) for j in range(3))
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def delegated(x: Any) -> Any:
    def g():
        r = yield from h()
        yield r

    def h():
        yield x
        return stopping(x * 2)

    try:
        return sum(g())
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def counted(x: Any) -> Any:
    s = 0
    try:
        for i, v in enumerate(stopping(x * k) for k in range(3)):
            s += i * v
    except StopIteration:
        return s * 3
    except RuntimeError:
        return s * 2
    return s


def zipped(x: Any) -> Any:
    s = 0
    try:
        for i, v in zip([1, 2, 3], (stopping(x * k) for k in range(3))):  # noqa: B905
            s += i * v
    except StopIteration:
        return s * 3
    except RuntimeError:
        return s * 2
    return s


def into_a_dict(x: Any) -> Any:
    try:
        return sum({k: v for k, v in ((k, stopping(x * k)) for k in range(3))}.values())  # noqa: C416
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def greatest(x: Any) -> Any:
    try:
        return max((stopping(x * k) for k in range(3)), key=lambda v: v, default=0)
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def listed_on_its_way(x: Any) -> Any:
    try:
        return sum(downwards(x, 3))
    except StopIteration:
        return x * 3
    except RuntimeError:
        return x * 2


def caught_inside(x: Any) -> Any:
    def items() -> Iterator[Any]:
        for k in range(3):
            try:
                v = stopping(x * k)
            except StopIteration:
                v = x * 7
            yield v

    s = 0.0
    try:
        for v in items():
            s = s + v
    except RuntimeError:
        return s * 2
    return s


def caused(x: Any) -> Any:
    try:
        return sum(stopping(x * k) for k in range(3))
    except RuntimeError as error:
        return x * 5 if isinstance(error.__cause__, StopIteration) else x * 4


PROGRAMS = [
    entered,
    left,
    inside_a_manager,
    through_a_tree,
    outside_a_generator,
    of_a_method,
    asked_early,
    asked_by_next,
    listed,
    in_a_list_display,
    in_a_condition,
    folded,
    unpacked,
    splatted,
    nested,
    delegated,
    counted,
    zipped,
    into_a_dict,
    greatest,
    listed_on_its_way,
    caught_inside,
    caused,
]


def derivative(f: Any, x: float) -> float:
    return float(differences(lambda v: f(float(v[0])), np.array([x]))[0])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_the_handler_for_what_python_makes_of_it_runs(f: Any) -> None:
    for g in (f, lambda x: [f][0](x)):
        y, back = zg.pullback(g, 0.7)
        assert y == f(0.7)
        assert back(1.0) == back(1.0) == pytest.approx((derivative(f, 0.7),), rel=1e-6)
        assert zg.pullback(g, 0.3)[0] == f(0.3)
        assert (zg.gradient(g, 0.3)[0] or 0.0) == pytest.approx(derivative(f, 0.3), rel=1e-6)


def test_what_leaves_is_what_leaves_a_plain_call() -> None:
    def f(x: Any) -> Any:
        return sum(stopping(x * k) for k in range(3))

    with pytest.raises(RuntimeError, match="generator raised StopIteration") as info:
        zg.gradient(f, 0.7)
    assert isinstance(info.value.__cause__, StopIteration)


def test_calls_that_raise_none_have_no_attempts() -> None:
    def f(x: Any) -> Any:
        square = lambda v: v * v  # noqa: E731
        return sum(square(x * k) + abs(k) for k in range(3))

    assert "except" not in zg.show_adjoint(f, 0.7)
    assert zg.gradient(f, 0.7)[0] == pytest.approx(2 * 0.7 * 5)
