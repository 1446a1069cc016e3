"""Functions that carry something and are found by a name, global or of a class, and dicts of keywords."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient


def wrapped(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapper


def scaled(by: float) -> Callable[..., Any]:
    def decorate(f: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(f)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return by * f(*args, **kwargs)

        return wrapper

    return decorate


def logged(f: Callable[..., Any]) -> Callable[..., Any]:
    log: list[int] = []

    def wrapper(*args: Any) -> Any:
        log.append(len(log))
        return f(*args)

    return wrapper


class Gain:
    def __init__(self, k=1.0, **more):
        self.k = k
        self.more = more

    def times(self, v):
        return v * self.k

    @classmethod
    def made(cls, v, **more):
        return cls(v, **more)

    @classmethod
    @wrapped
    def also_made(cls, v, **more):
        return cls(v, **more)

    @staticmethod
    @scaled(2.0)
    def area(v, a=1.0):
        return v * v * a

    @property
    @wrapped
    def twice(self):
        return 2 * self.k

    @wrapped
    def grow(self, v):
        self.k = self.k * v
        return self.k


class Squared(Gain):
    @classmethod
    def made(cls, v, **more):
        return super().made(v * v, **more)

    def times(self, v):
        return super().times(v) + self.more.get("b", 0.0)


@wrapped
def product(v, w=1.0):
    return v * w + v


@scaled(2.5)
def scaled_product(v, w=1.0):
    return v * w + v


@logged
def square(v):
    return v * v


def multiplying(c):
    return lambda v: v * c


TWICE = multiplying(2.0)
PARTIAL = functools.partial(product, w=0.5)
GAIN = Gain(1.5)
TIMES = GAIN.times


def decorated(x, y):
    s = 0.0
    for _ in range(3):
        s = s + product(x, w=y) * scaled_product(y) + TWICE(s) * 0.1 + square(x)
    return s


def partial_and_method(x, y):
    return PARTIAL(x) * TIMES(y) + PARTIAL(y, w=x)


def of_classes(x, y):
    gain = Gain(x)
    s = gain.grow(y) * gain.area(y, a=x) + Gain.area(x)
    return s + gain.twice * gain.made(y, b=x).more["b"] * Squared.made(x, b=y).times(y) * gain.also_made(x).k


def set_in_the_program(x, y):
    GAIN.k = x
    try:
        return TIMES(y) + GAIN.k * TIMES(x)
    finally:
        GAIN.k = 1.5


def shadowed(x, y):
    gain = Gain(x)
    s = gain.made(y).k
    gain.made = lambda v: Gain(v * v * y)  # type: ignore[method-assign]
    return s * gain.made(x).k


def keywords_are_a_dict(x, y):
    kept = []

    def inner(v, p=1.0, q=2.0):
        return v * p + q

    def f(v, **kw):
        kept.append(kw)
        kw["a"] = kw["a"] * v
        return kw["a"] + inner(v, p=kw.pop("b", y))

    given = {"a": x, "b": y}
    s = f(x, **given) + f(y, a=x, b=x) + f(x, a=y)
    return s + kept[0]["a"] * kept[1]["a"] ** 2 + given["a"] * given["b"] * len(kept[2])


@pytest.mark.parametrize(
    "f", [decorated, partial_and_method, of_classes, set_in_the_program, shadowed, keywords_are_a_dict]
)
def test_gradients(f):
    check_gradient(f, 0.7, 1.3)


def test_entered_by_their_own_text():
    def by_decorator(x):
        return product(x, w=x) + TIMES(x)

    text = str(zg.show_adjoint(by_decorator, 0.7))
    assert "wrapper_forward(" in text
    assert "times_forward(" in text
    assert "pull" not in text


def test_what_they_carry_may_be_set_between_calls():
    def f(x):
        return TWICE(x) * x + np.sum(TIMES(x)) + Gain(x).made(x).k

    (cell,) = TWICE.__closure__ or ()
    made = Gain.__dict__["made"]
    try:
        for c, k, new in [
            (2.0, 1.5, made),
            (5, np.array([1.0, 2.0]), classmethod(lambda cls, v: cls(v**3))),
            (0.5, 7, staticmethod(lambda v: Gain(v * v * 2))),
            (0.5, 7, lambda self, v: Gain(self.k * v * 3)),
        ]:
            cell.cell_contents, GAIN.k = c, k
            Gain.made = new  # type: ignore[method-assign,assignment]
            check_gradient(f, 0.7)
    finally:
        cell.cell_contents, GAIN.k, Gain.made = 2.0, 1.5, made  # type: ignore[method-assign]
