"""Generators in forward mode: beside each runs one that gives its items in pairs with their tangents."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing
from zygpy.doors_pulled import Paired, Suspended
from zygpy.runtime.paired_generators import InPairs
from zygpy.runtime.zeros import CannotPush, zero_tangent
from zygpy.tangents_pulled import tangent_pull

W, V = np.array([0.7, 1.3]), np.array([1.0, 0.5])


def two_consumers_and_a_list_that_grows(x: Any, y: Any) -> Any:
    def squares(xs: list[Any]) -> Iterator[Any]:
        for v in xs:
            yield v * v

    xs = [x, y]
    steps = squares(xs)
    total = next(steps)
    xs[1] = x * 3
    xs += [x * y, y, 2.0]
    for v in steps:
        total = total * y + v * next(steps)
        if total > 9:
            break
    return total + sum(steps)


def variables_that_change_meanwhile(x: Any, y: Any) -> Any:
    def growing() -> Iterator[Any]:
        while True:
            yield k * x
            yield k * np.sin(y)

    k = x
    steps = growing()
    first = next(steps)
    k = k + y
    return next(steps) * k * first


def sent_handed_on_and_returned(x: Any, y: Any) -> Any:
    def inner(v: Any) -> Iterator[Any]:
        sent = yield v
        other = yield v * (x if sent is None else sent)
        return v * y if other is None else other

    def outer() -> Any:
        value = yield from inner(x)
        sent = yield value * x
        if sent is not None:
            yield sent * value
        yield from inner(y)

    steps = outer()
    a = next(steps)
    b = steps.send(y * y)
    c = next(steps)
    d = steps.send(x)
    return a * b + c * d + sum(v * v for v in steps) + next(steps, y)


def exceptions_thrown_raised_and_at_the_end(x: Any, y: Any) -> Any:
    def steps() -> Iterator[Any]:
        try:
            yield x
        except ValueError:
            yield y * x
        raise KeyError

    thrown = steps()
    total = next(thrown) * thrown.throw(ValueError())
    try:
        next(thrown)
    except KeyError:
        total = total * y
    try:
        next(thrown)
    except StopIteration:
        total = total * x
    return total


def unpacked_one_too_many(x: Any, y: Any) -> Any:
    steps = (v * y for v in [x, y, x * y, 2.0])
    try:
        _a, _b = steps
    except ValueError:
        return next(steps) * x
    return x


def zipped_with_itself_and_cut(x: Any, y: Any) -> Any:
    def powers(v: Any) -> Iterator[Any]:
        while True:
            yield v
            v = v * x

    steps = powers(y)
    pairs = [a * b * b for _, a, b in zip(range(2), steps, steps, strict=False)]
    return sum(pairs) + sum(v for v in itertools.islice(steps, 2)) + max(powers_of(x, 3)) * y


def powers_of(x: Any, count: int) -> Iterator[Any]:
    for k in range(count):
        yield x**k


class Walked:
    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __iter__(self) -> Iterator[Any]:
        yield from self.items


def walked_twice(x: Any, y: Any) -> Any:
    walked, total = Walked([x, y]), x
    for v in walked:
        walked.items[1] = v * y
        total = total * x + v
    for v in walked:
        total = total * y + v
    return total


PROGRAMS = [
    two_consumers_and_a_list_that_grows,
    variables_that_change_meanwhile,
    sent_handed_on_and_returned,
    exceptions_thrown_raised_and_at_the_end,
    unpacked_one_too_many,
    zipped_with_itself_and_cut,
    walked_twice,
]


def slope(f: Callable[[float], Any], h: float = 1e-3) -> Any:
    wide, narrow = ((f(h) - f(-h)) / (2 * h), (f(h / 2) - f(-h / 2)) / h)
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("program", PROGRAMS)
def test_items_have_tangents(program: Any) -> None:
    found = pushing.push_of(program, (0.7, 1.3), at_once=True, changing=True)
    assert isinstance(found, pushing.Push), found.why
    value, tangent = found.run((1.0, 0.5))
    assert value == program(0.7, 1.3)
    assert tangent == pytest.approx(slope(lambda h: program(0.7 + h, 1.3 + h / 2)), rel=1e-7)


def test_products_with_hessians_go_through_items() -> None:
    def f(w: Any) -> Any:
        return variables_that_change_meanwhile(w[0], w[1])

    def along(h: float) -> Any:
        return np.array([slope(lambda k: f(W + h * V + k * unit)) for unit in np.eye(2)])  # noqa: B023

    pulled = tangent_pull(f, W)
    assert pulled is not None
    assert zg.hvp(f, W, V) == pytest.approx(slope(along), rel=1e-5)
    assert not pulled.push.tangent.unpulled


def test_a_generator_from_a_call_that_may_have_failed_gets_no_cotangent_of_its_own() -> None:
    """`yield from super().items()` in a product with a Hessian, which takes long to derive."""
    back = Suspended(Paired(lambda bar, store: (bar, store)))
    assert back((1.0, 2.0), "store") == (None, "store")


def test_handlers_that_the_garbage_collector_may_run_are_left_to_reverse_mode() -> None:
    def f(x: Any) -> Any:
        kept = [x]

        def restoring() -> Iterator[Any]:
            try:
                yield x
            finally:
                kept[0] = x * x

        next(restoring())
        return kept[0]

    found = pushing.push_of(f, (0.7,), at_once=True, changing=True)
    assert isinstance(found, pushing.Push)
    with pytest.raises(CannotPush):
        found.run((1.0,))
    assert zg.pushforward(f, 0.7)(1.0) == pytest.approx(1.4)


HELD: list[Any] = []


def keeps_a_generator(w: Any) -> Any:
    HELD.append(v * w[0] for v in (w[1], w[0]))
    return next(HELD[-1]) * w[0]


def goes_on(w: Any) -> Any:
    HELD.append(w[1])
    total = 0.0
    for v in HELD[0]:
        total += v * HELD[-1]
    return total


@pytest.mark.parametrize("is_pushed", [False, True])
def test_a_generator_that_a_derivative_has_left_elsewhere_does_not_go_on(is_pushed: bool) -> None:
    HELD.clear()
    if is_pushed:
        HELD.append(InPairs("squares", False))
    else:
        zg.gradient(keeps_a_generator, W)
    with pytest.raises(zg.UnsupportedSyntaxError):
        goes_on(W)
    with pytest.raises(zg.UnsupportedSyntaxError):
        zg.gradient(goes_on, W)
    if is_pushed:
        with pytest.raises(CannotPush):
            zero_tangent(HELD)


def test_nothing_may_go_back_to_what_made_a_generator() -> None:
    """As of `yield from` what gives no items, in a `try`."""
    assert Suspended(Paired(lambda bar, store: bar))(None, None) is None
