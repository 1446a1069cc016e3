"""Arrays in a variable that functions share and rebind, changed in place by these functions, while the
program goes on with them by other names; and arrays that a function only
stores there, in a variable that may have no value before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units

Array = Any


def changed_by_a_call(x: Array) -> Any:
    s = np.outer(x, x)
    b = s * s
    t = s[1:]

    def inner() -> None:
        nonlocal t
        t += 2.0

    inner()
    return np.sum(s) ** 2 + np.sum(b) * x[1]


def stored_later(x: Array) -> Any:
    t = x

    def inner() -> None:
        nonlocal t
        t += x[0]

    s = x * 1.0
    b = s * s
    t = s
    inner()
    c = s * s
    return np.sum(b) * np.sum(c)


def call(function: Callable[[], None]) -> None:
    function()


def handed_on(x: Array) -> Any:
    s = x * 1.0
    t = s

    def inner() -> None:
        nonlocal t
        t += x[0]

    b = s * s
    call(inner)
    return np.sum(b) * np.sum(s * s)


class Keeper:
    def __init__(self, function: Callable[[], None]) -> None:
        self.function = function

    def go(self) -> None:
        self.function()


def kept_by_an_object(x: Array) -> Any:
    s = x * 1.0
    t = s

    def inner() -> None:
        nonlocal t
        t += x[0]

    b = s * s
    Keeper(inner).go()
    return np.sum(b) * np.sum(s * s)


def rebound_in_a_loop(x: Array) -> Any:
    s = x * 1.0
    t = s

    def inner() -> None:
        nonlocal t
        t *= x[0]
        t = t * 1.0

    total = 0.0
    for _ in range(3):
        total = total + np.sum(s * s)
        inner()
    return total * np.sum(s) + np.sum(t)


def changed_by_a_generator(x: Array) -> Any:
    s = x * 1.0
    t = s

    def steps() -> Iterator[int]:
        nonlocal t
        for i in range(3):
            t *= x[0]
            yield i

    total = 0.0
    for _ in steps():
        total = total + np.sum(s * s)
    return total * np.sum(s) + np.sum(t)


def changed_further_in(x: Array) -> Any:
    s = x * 1.0
    t = s

    def outer() -> None:
        def inner() -> None:
            nonlocal t
            t *= x[0]

        inner()

    b = s * s
    outer()
    return np.sum(b) * np.sum(s * s)


def scaler(s: Array) -> Callable[[Any], Any]:
    t = s

    def scale(factor: Any) -> Any:
        nonlocal t
        t *= factor
        return t

    return scale


def handed_back(x: Array) -> Any:
    s = x * 1.0
    scale = scaler(s)
    b = s * s
    scale(x[0])
    return np.sum(b) * np.sum(s * s)


def given_an_item(x: Array) -> Any:
    s = x * 1.0
    t = s

    def inner() -> None:
        nonlocal t
        t[0] = x[1] * x[2]
        t = t * 2.0

    b = s * s
    inner()
    return np.sum(b) * np.sum(s * t)


def given_an_item_only(x: Array) -> Any:
    t = x * 1.0

    def inner() -> None:
        nonlocal t
        t[0] = x[1] * x[2]

    inner()
    return np.sum(t * t) * x[0]


def only_stored(x: Array) -> Any:
    if len(x) > 9:
        a: Any = None

    def put() -> None:
        nonlocal a
        a = np.multiply(x, x[::-1])

    [put][0]()
    return np.sum((lambda: a)() ** 2)


def the_argument_stored(x: Array) -> Any:
    if len(x) > 9:
        a: Any = None

    def put() -> None:
        nonlocal a
        a = x

    def get() -> Any:
        return a

    put()
    return np.sum(get() * x)


def stored_in_a_tuple(x: Array) -> Any:
    if len(x) > 9:
        a: Any = None

    def put() -> None:
        nonlocal a
        a = (np.sin(x), {"k": np.outer(x, x)})

    def get() -> Any:
        nonlocal a
        b, a = a, 1.0
        return b

    [put][0]()
    first, rest = get()
    return np.sum(first) * np.sum(rest["k"])


PROGRAMS = [
    only_stored,
    the_argument_stored,
    stored_in_a_tuple,
    given_an_item,
    given_an_item_only,
    changed_by_a_call,
    stored_later,
    handed_on,
    kept_by_an_object,
    rebound_in_a_loop,
    changed_by_a_generator,
    changed_further_in,
    handed_back,
]


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradient(program: Callable[[Any], Any], specialise: bool) -> None:
    with units.options(specialise=specialise):
        zg.testing.check_gradient(program, np.array([0.7, 1.3, 0.4]), order=1)
