"""Lists that hold numbers at one point of a program, and at another perhaps an array, or a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

V = np.array([0.4, 1.1, 0.7])


def read(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        w = [b, 0.5]
        s = s + w[0] * w[1]
    return s * np.sum(w[1])


def stored(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        w = [b, 0.5]
        w[1] = b * b
        s = s + w[0] * w[1]
    return s * np.sum(w[1])


def appended(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        w = [b, 0.5]
        w.append(b * 3)
        s = s + w.pop() * w[1]
    return s * np.sum(w[1])


def unpacked_and_added_to(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        w = [b, 0.5]
        p, q = w
        w[0] += p
        s = s + w[0] * q
    return s * np.sum(w[1])


def summed(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        t = [b, 0.5]
        w = t
        s = s + sum(t)
    return s * np.sum(w[0])


def walked_over(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        w = [b, 0.5]
        for e in w:
            s = s + e * e
    return s * np.sum(w[0])


def in_dicts(b: Any, v: Any) -> Any:
    w: Any = {"a": b, "c": v}
    s = 0.0
    for _ in v:
        w = {"a": b, "c": 0.5 * b}
        s = s + w["a"]
    return s * np.sum(w["c"])


def in_a_branch(b: Any, v: Any) -> Any:
    w: Any = [b, v]
    if b > 0:
        w = [b, b * 2]
    return w[0] * np.sum(w[1])


def in_tuples(b: Any, v: Any) -> Any:
    w: Any = (b, v)
    s = 0.0
    for _ in v:
        w = (b, b * 2)
        s = s + w[0]
    return s * np.sum(w[1])


def joined(b: Any, v: Any) -> Any:
    w: Any = [b, v]
    s = 0.0
    for _ in v:
        w = [b, b * 2]
        more = [b]
        u = w + more
        s = s + u[2] * u[1]
        x = [e * 2 for e in w]
        s = s + x[0]
        w = list(w)
        w2 = w[:]
        s = s + w2[1]
        s = s + w[-1] * max(w)
    return s * np.sum(w[1])


def changed(b: Any, v: Any) -> Any:
    w: Any = [b, v]
    s = 0.0
    for _ in v:
        w = [b, b * 2]
        w.insert(0, b * b)
        del w[1]
        w.reverse()
        w = sorted(w)
        s = s + w[0] * 2
        w.extend([b])
        w *= 2
    return s * np.sum(w[1])


def make(b: Any) -> Any:
    return [b, b * 2]


def twice(w: Any) -> Any:
    return w[0] * w[1]


def given_by_a_function(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        w = make(b)
        s = s + twice(w)
    return s * np.sum(w[1])


def by_another_name(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    for _ in v:
        t = make(b)
        w = t
        p, q = t
        s = s + p * q
    return s * np.sum(w[1])


def inside_a_tuple(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = ([b, v], 1)
    for _ in v:
        t = [b, b * b]
        w = (t, 2)
        s = s + t[0] * t[1]
    return s * np.sum(w[0][1])


def with_texts(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, "a"]
    for _ in v:
        w = [b, b * b]
        s = s + w[0] * w[1]
    return s * w[0]


def through_another_name(b: Any, v: Any) -> Any:
    s: Any = 0.0
    w: Any = [b, v]
    u: Any = []
    for _ in v:
        w = [b, 0.5]
        u = w
        u[0] = u[0] * 2
        p = [*w, b]
        s = s + u[0] * w[1] * p[0] * p[2]
    return s * np.sum(w[1])


def left_alone(b: Any, v: Any) -> Any:
    w: Any = [b, v]
    for _ in v:
        _before, w = w, [b, 0.5]
    return w[1] * b


PROGRAMS = (
    read,
    stored,
    appended,
    unpacked_and_added_to,
    summed,
    walked_over,
    in_dicts,
    in_a_branch,
    in_tuples,
    joined,
    changed,
    given_by_a_function,
    by_another_name,
    inside_a_tuple,
    with_texts,
    through_another_name,
    left_alone,
)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("count", [3, 1, 0])
def test_gradient(program: Callable[[Any, Any], Any], count: int) -> None:
    v = V[:count]
    check_gradient(lambda b: program(b, v), 1.3)


@pytest.mark.parametrize("program", PROGRAMS)
def test_second_derivative(program: Callable[[Any, Any], Any]) -> None:
    check_gradient(lambda b: zg.gradient(program, b, V)[0], 1.3)
