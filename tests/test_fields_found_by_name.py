"""Objects that are found by a name: what their fields hold is known, as long as nobody changes it."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg


@dataclasses.dataclass
class Params:
    k: Any = 0.3
    m: Any = 2.0
    n: int = 3
    xs: list = dataclasses.field(default_factory=lambda: [0.1, 0.2])
    w: Any = None


P1 = Params()
P2 = Params(k=0.5)
P3 = Params()
P4 = Params()
P5 = Params(w=np.array([1.0, 2.0]))
P6 = Params()
P7 = Params()
P8 = Params()


class Net:
    def __init__(self):
        self.w = np.array([0.1, 0.2])
        self.b = 0.3
        self.act = math.tanh
        self.calls = 0
        self.cache = {}

    def __call__(self, v):
        return self.act(self.w[0] * v + self.b)


class Counting(Net):
    def __call__(self, v):
        self.calls += 1
        return super().__call__(v) * self.calls


class Caching(Net):
    def __call__(self, v):
        self.cache["last"] = v
        return self.act(v) + self.cache["last"]


N1 = Net()
N2 = Counting()
N3 = Caching()
LAYERS = [Net(), Counting()]


def plain(x, y):
    return P1.k * x**P1.n + P1.m * y + sum(P1.xs) * x


def changed_before(x, y):
    P2.k = x * y
    r = P2.k * x + P2.m
    P2.k = 0.5
    return r


def kind_changed(x, y):
    P3.k = np.array([1.0, 2.0])
    r = (P3.k * x).sum() * y
    P3.k = 0.3
    return r + P3.k * x


def changed_in_helper(x, y):
    def setk(v):
        P4.k = v

    setk(3)
    r = P4.k**2 * x
    setk(x)
    r += P4.k**2 * y
    setk(0.3)
    return r


def array_written(x, y):
    old = P5.w.copy()
    P5.w[0] = x
    P5.w *= y
    r = P5.w.sum() ** 2
    P5.w[:] = old
    return r


def list_written(x, y):
    P6.xs.append(x)
    P6.xs[0] = y
    r = sum(P6.xs) * x
    P6.xs[:] = [0.1, 0.2]
    return r


def also_given(x, y):
    def f(p):
        p.k = x
        return P7.k * y + p.m

    r = f(P7)
    P7.k = 0.3
    return r


def loops(x, y):
    s = 0.0
    for i in range(4):
        s = s + P8.k * x
        P8.k = P8.k + y if i < 3 else 0.3
    return s


def net(x, y):
    return N1(x) * y + N1(y)


def counting(x, y):
    N2.calls = 0
    return N2(x) + N2(y) * N2(x)


def caching(x, y):
    return N3(x) * N3(y) + N3.cache["last"]


def layers(x, y):
    LAYERS[1].calls = 0
    s = x
    for layer in LAYERS:
        s = layer(s) * y
    return s


def copied(x, y):
    p = copy.copy(P1)
    p.k = x
    return p.k * y + P1.k * x


def replaced(x, y):
    p = dataclasses.replace(P1, k=x)
    return p.k * y + P1.k * x + sum(p.xs)


def aliased(x, y):
    p = P1
    q = p
    r = q.k * x
    return r + p.m * y


def stored(x, y):
    P1.w = x
    r = P1.w * P1.w * y
    P1.w = None
    return r


def conditional(x, y):
    return x * P1.m if P1.w is None else y


class Box:
    p = P1

    def go(self, x):
        return self.p.k * x


def by_class(x, y):
    return Box().go(x) + Box.p.m * y


PROGRAMS = [
    plain,
    changed_before,
    kind_changed,
    changed_in_helper,
    array_written,
    list_written,
    also_given,
    loops,
    net,
    counting,
    caching,
    layers,
    copied,
    replaced,
    aliased,
    stored,
    conditional,
    by_class,
]


def differences(program: Callable[..., float], x: float, y: float) -> list[float]:
    """Both derivatives, by Richardson's differences. (The program changes things, and puts them back.)"""
    h, found = 1e-3, []
    for dx, dy in ((1.0, 0.0), (0.0, 1.0)):
        wide = (program(x + h * dx, y + h * dy) - program(x - h * dx, y - h * dy)) / (2 * h)
        narrow = (program(x + h / 2 * dx, y + h / 2 * dy) - program(x - h / 2 * dx, y - h / 2 * dy)) / h
        found.append((4 * narrow - wide) / 3)
    return found


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[..., float]) -> None:
    expected = differences(program, 0.7, 1.3)
    value, back = zg.pullback(program, 0.7, 1.3)
    assert value == program(0.7, 1.3)
    for seed in (1.0, 2.0):
        assert [bar or 0.0 for bar in back(seed)] == pytest.approx([seed * one for one in expected], rel=1e-8)
    assert zg.pushforward(program, 0.7, 1.3)(1.0, 1.0) == pytest.approx(sum(expected), rel=1e-8)


def test_what_is_set_from_outside_counts() -> None:
    """Between two calls, also where it is of another kind then."""
    found = []
    try:
        for k in (0.3, 2, np.float32(0.5), True, 0.25):
            P1.k = k
            found.append(zg.gradient(aliased, 0.7, 1.3)[0])
        N1.act = np.sin
        assert zg.gradient(net, 0.7, 1.3) == pytest.approx(differences(net, 0.7, 1.3), rel=1e-8)
    finally:
        P1.k, N1.act = 0.3, math.tanh
    assert found == pytest.approx([0.3, 2.0, 0.5, 1.0, 0.25])


@pytest.mark.parametrize("program", [plain, aliased, net])
def test_nothing_is_looked_up(program: Callable[..., float]) -> None:
    assert "pull" not in zg.show_adjoint(program, 0.7, 1.3)


class Made:
    scale = 2.0

    def __init__(self, v):
        self.v = v

    @classmethod
    def unit(cls, x):
        return cls(x * cls.scale)


class MadeSo(Made):
    scale = 0.5


def of_classes(x, y):
    table = {"a": Made.unit, "b": MadeSo.unit}
    return Made.unit(x).v * MadeSo.unit(y).v ** 2 + table["a"](y).v * table["b"](x).v


def test_methods_of_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are followed, and noticed when they are others."""
    assert zg.gradient(of_classes, 0.7, 1.3) == pytest.approx(differences(of_classes, 0.7, 1.3), rel=1e-8)
    assert "pull" not in zg.show_adjoint(of_classes, 0.7, 1.3)
    monkeypatch.setattr(Made, "unit", classmethod(lambda cls, x: cls(x * x)))
    assert zg.gradient(of_classes, 0.7, 1.3) == pytest.approx(differences(of_classes, 0.7, 1.3), rel=1e-8)
