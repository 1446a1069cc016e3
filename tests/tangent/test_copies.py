"""Copies in forward mode, and in products with Hessians: a thing and its tangent are copied in one walk."""

from __future__ import annotations

import copy
import dataclasses
from collections import namedtuple
from enum import Enum
from typing import Any, ClassVar

import numpy as np
import pytest

import zygpy as zg
from zygpy import tangents_pulled


class Thing:
    pass


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any


@dataclasses.dataclass
class Base:
    a: Any
    b: Any
    sort: ClassVar[str] = "base"


@dataclasses.dataclass
class Grown(Base):
    c: Any = 2.0


class Slotted:
    __slots__ = ("u", "v")

    def __init__(self, u: Any, v: Any) -> None:
        self.u = u
        self.v = v


class Doubled:
    def __init__(self, a: Any) -> None:
        self.a = a

    def __copy__(self) -> Doubled:
        return Doubled(self.a * self.a)


class Tripled(Doubled):
    def __deepcopy__(self, memo: Any) -> Tripled:
        return Tripled(self.a * self.a * 3)


Named = namedtuple("Named", "p q")


class Mode(Enum):
    TWICE = 2


def one_array_in_two_fields(x: Any) -> Any:
    a, o = np.array([x, x * x, 2.0]), Thing()
    o.p, o.q, o.r = a, a, a[:2]
    made = copy.deepcopy(o)
    made.p[0] = x**3
    return float(made.q[0] * o.p[0] + made.r[0] * made.q[1] * x)


def two_views_of_one_memory(x: Any) -> Any:
    a, o = np.array([x, 1.0, 2.0, x * x]).reshape(2, 2), Thing()
    o.a, o.b, o.c = a.T, a.T, a[::-1]
    made = copy.deepcopy(o)
    made.a[0, 1] = x**3
    made.c[0] = made.c[0] * x
    return float(np.sum(made.a * o.b) + np.sum(made.b * o.c) * a[0, 0])


def one_list_thrice(x: Any) -> Any:
    a = [x, x * x]
    xs = [a, a, [a]]
    ys = copy.deepcopy(xs)
    ys[0][0] = x**3
    a[1] = a[1] * x
    return ys[1][0] * ys[2][0][1] * xs[0][1] * xs[2][0][0]


def cycle(x: Any) -> Any:
    o = Thing()
    o.me, o.v = o, x * x
    o.held = [o, x]
    made = copy.deepcopy(o)
    made.me.v = made.v * x
    return made.held[0].v * o.v + made.held[1] * made.me.me.v


def frozen_and_slots(x: Any) -> Any:
    f, s = Frozen(x, [x * x]), Slotted(x, [x * x])
    shared, own = [copy.copy(f), copy.copy(s)], [copy.deepcopy(f), copy.deepcopy(s)]
    f.b[0] = x**3
    s.u, s.v[0] = 5 * x, x
    return shared[0].b[0] * shared[1].v[0] * shared[1].u * own[0].b[0] * own[1].v[0] * f.a * s.u


def shares_fields(x: Any) -> Any:
    o = Thing()
    o.inner, o.f = Frozen(x, [x * x]), lambda v: v * x
    q = copy.copy(o)
    q.inner.b[0] = x**3
    q.inner = Frozen(2 * x, [x])
    return q.inner.a * q.f(o.inner.b[0]) * copy.deepcopy(q).f(x)


def tables_and_sets(x: Any) -> Any:
    d: Any = {"a": x, ("b", 1): [x * x], "n": "text", "s": {x, 2.0}}
    e, f = copy.deepcopy(d), copy.copy(d)
    e["b", 1][0] *= x
    e["s"].add(x * x)
    f["a"] = x**3
    del e["a"]
    return d["a"] * e["b", 1][0] * f["a"] * sum(e["s"]) * sum(d["s"]) * len(e)


def in_a_loop_and_a_try(x: Any) -> Any:
    state, history = {"p": [x, x * x], "v": [1.0, x]}, []
    for _ in range(2):
        history.append(copy.deepcopy(state))
        state["p"][0] *= state["p"][1]
        try:
            made = copy.copy(history[-1])
            made["v"] = [x]
            raise ValueError
        except ValueError:
            made["p"][0] = made["p"][0] + made["v"][0]
    return sum([h["v"][0] * h["p"][1] * h["p"][0] for h in history])


def method_that_copies(x: Any) -> Any:
    return copy.copy(Doubled(x)).a * copy.copy([Doubled(x)])[0].a


def records_and_members(x: Any) -> Any:
    t = Named(x, [x * x])
    u, v = copy.deepcopy(t), copy.copy(t)
    u.q[0] = x**3
    o = Thing()
    o.mode, o.v = Mode.TWICE, x
    made = copy.deepcopy(o)
    return t.p * u.q[0] * v.q[0] * u.p * (made.v if made.mode is Mode.TWICE else 1.0)


def dicts_of_fields(x: Any) -> Any:
    o = Frozen(Frozen(x, "text"), Grown(x * x, x, x * 3))
    d, e = dataclasses.asdict(o), dataclasses.asdict(Grown(x, None, True))
    o.b.a = o.b.a * x
    d["b"]["a"] = d["b"]["a"] * d["b"]["c"]
    return d["a"]["a"] * d["b"]["a"] * o.b.a + e["a"] * e["c"] + len(d["b"])


def dicts_of_arrays(x: Any) -> Any:
    v = np.array([x, x * x])
    d = dataclasses.asdict(Frozen(v, v))
    v[0] = 7.0
    d["a"] *= 2.0
    return float(d["a"] @ d["b"] + v[1])


def tuples_of_fields(x: Any) -> Any:
    o = Grown(x, Frozen(x * x, 2.0), x)
    (a, (b, c), d), (p, q) = dataclasses.astuple(o), dataclasses.astuple(o.b)
    o.a = 9.0
    return a * b * c + d * p * q


def rebuilt_in_rounds(x: Any) -> Any:
    o, to_dict = Grown(x, x * x, 1.0), dataclasses.asdict
    for _ in range(3):
        o = Grown(**to_dict(o))
        o.a, o.b = dataclasses.astuple(o)[1], to_dict(o)["a"] * x
    return o.a * o.b


def dicts_of_what_is_not_known(x: Any) -> Any:
    total = 0.0
    for o in [Frozen(x, x), Grown(x * 3, 1.0, x), Frozen([x], "text")]:
        for value in dataclasses.asdict(o).values():
            total = total + (
                value[0] ** 3 if isinstance(value, list) else value * value if value != "text" else 0.0
            )
    return total


def no_fields(x: Any) -> Any:
    try:
        return dataclasses.asdict(x)["a"]
    except TypeError:
        return x * x


TOGETHER = [
    dicts_of_arrays,
    tuples_of_fields,
    rebuilt_in_rounds,
    one_array_in_two_fields,
    two_views_of_one_memory,
    one_list_thrice,
    cycle,
    frozen_and_slots,
    shares_fields,
    tables_and_sets,
    in_a_loop_and_a_try,
    method_that_copies,
    records_and_members,
]


def in_a_memo(x: Any) -> Any:
    a: list[Any] = [x, x * x]
    memo: dict[int, Any] = {}
    b, c = copy.deepcopy(a, memo), copy.deepcopy(a, memo)
    c[0] = x**3
    return b[0] * b[1] * a[0]


def method_that_copies_deeply(x: Any) -> Any:
    return copy.deepcopy([Tripled(x)])[0].a * copy.deepcopy(Tripled(x)).a * x


def slopes(f: Any, x: float, h: float = 2e-3) -> tuple[float, float]:
    """The first and the second derivative, out of values alone."""
    a, b, y, c, d = [float(f(x + k * h)) for k in (-2, -1, 0, 1, 2)]
    return (a - 8 * b + 8 * c - d) / (12 * h), (-a + 16 * b - 30 * y + 16 * c - d) / (12 * h * h)


@pytest.mark.parametrize("f", TOGETHER)
def test_tangents_are_copied_beside_values(f: Any) -> None:
    first, second = slopes(f, 0.7)
    pull = tangents_pulled.tangent_pull(f, 0.7)
    assert pull is not None
    assert [pull.product(v) for v in (1.0, 2.0)] == pytest.approx([second, 2 * second], rel=1e-5)
    assert zg.pushforward(f, 0.7)(2.0) == pytest.approx(2 * first, rel=1e-6)
    assert zg.pullback(f, 0.7)[1](1.0)[0] == pytest.approx(first, rel=1e-6)


@pytest.mark.parametrize("f", [dicts_of_fields, dicts_of_what_is_not_known, no_fields])
def test_fields_by_their_names(f: Any) -> None:
    first, _ = slopes(f, 0.7)
    y, back = zg.pullback(f, 0.7)
    assert y == f(0.7)
    assert [back(2.0)[0], back(1.0)[0]] == pytest.approx([2 * first, first], rel=1e-6)


@pytest.mark.parametrize("f", [in_a_memo, method_that_copies_deeply])
def test_other_copies_are_left_to_reverse_mode(f: Any) -> None:
    first, second = slopes(f, 0.7)
    assert zg.hvp(f, 0.7, 1.0) == pytest.approx(second, rel=1e-5)
    assert zg.pushforward(f, 0.7)(2.0) == pytest.approx(2 * first, rel=1e-6)
