"""Functions that call themselves, and are made in others."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient


def fib(x, y):
    def f(k):
        return x if k < 2 else f(k - 1) * y + f(k - 2)

    return f(6)


def changes(x, y):
    def f(k, s):
        if k == 0:
            return s
        return f(k - 1, s * x + y)

    return f(4, y) + f(0, x)


def memo(x, y):
    c = {}

    def f(k):
        if k not in c:
            c[k] = x if k < 2 else f(k - 1) * y + f(k - 2)
        return c[k]

    return f(8) + c[3]


def writes_list(x, y):
    out = []

    def f(k):
        if k > 0:
            out.append(x * k)
            f(k - 1)
            out[-1] = out[-1] * y

    f(4)
    return sum(v * (i + 1) for i, v in enumerate(out))


def default(x, y):
    def f(k, s=2.0):
        return s if k == 0 else f(k - 1, s * x) + f(k - 1) * y

    return f(3)


def mutual(x, y):
    def even(k):
        return x if k == 0 else odd(k - 1) * y

    def odd(k):
        return y if k == 0 else even(k - 1) + x

    return even(5) * odd(4)


def as_value(x, y):
    def f(v):
        return v * x if v > 5 else sum(map(f, [v + y, v * 2.0 + 1]))

    return f(y)


def listed(x, y):
    def f(k):
        return x if k == 0 else f(k - 1) * y

    def g(k):
        return y if k == 0 else g(k - 1) + x

    return sum(h(3) for h in [f, g, f]) + (f if x > 0 else g)(2)


def nonlocal_(x, y):
    n = 0.0

    def f(k):
        nonlocal n
        n += x * k
        return n if k == 0 else f(k - 1) * y

    return f(3) + n


def rebound(x, y):
    def f(k):
        return x if k == 0 else f(k - 1) * y

    g = f

    def f(k):
        return y if k == 0 else g(k - 1) + x

    return g(3) + f(2)


def factory(x, y):
    def make(c):
        def f(k):
            return c if k == 0 else f(k - 1) * y + c

        return f

    a, b = make(x), make(y)
    return a(3) * b(2) + sum(h(1) for h in (a, b))


def inner(x, y):
    def f(k):
        def g(v):
            return f(k - 1) * v

        return x if k == 0 else g(y) + 1.0

    return f(3)


def comp(x, y):
    def f(k):
        return x if k == 0 else sum([f(j) * y for j in range(k)])

    return f(4)


def raises(x, y):
    def f(k):
        if k == 0:
            raise ValueError(x)
        try:
            return f(k - 1)
        except ValueError as e:
            if k < 3:
                raise
            return e.args[0] * y

    return f(4)


def arrays(x, y):
    a = np.zeros(4)

    def f(k):
        if k == 4:
            return
        a[k] = x * k if k == 0 else a[k - 1] * y + x
        f(k + 1)

    f(0)
    return a.sum() + a[2] ** 2


def quick(x, y):
    def sort(v):
        if len(v) < 2:
            return v
        p = v[0]
        return [*sort([u for u in v[1:] if u < p]), p, *sort([u for u in v[1:] if u >= p])]

    r = sort([x, y, x * y, 0.3, 2.0 * x])
    return sum(u * (i + 1) for i, u in enumerate(r))


def simpson(x, y):
    def f(t):
        return math.sin(x * t) + y

    def go(a, b, n):
        m = 0.5 * (a + b)
        if n == 0:
            return (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
        return go(a, m, n - 1) + go(m, b, n - 1)

    return go(0.0, y, 3)


def kw(x, y):
    def f(k, *, s):
        return s * x if k == 0 else f(k=k - 1, s=s * y)

    return f(3, s=y)


def star(x, y):
    def f(k, *r):
        return sum(r) * x if k == 0 else f(k - 1, y, *r)

    return f(3)


def tables(x, y):
    kept = {}

    def a(n):
        if n in kept:
            return kept[n]
        kept[n] = x if n == 0 else math.sin(a(n - 1)) * y
        return kept[n]

    def b(n):
        if n in kept:
            return kept[n]
        kept[n] = y if n == 0 else a(n - 1) * b(n - 1)
        return kept[n]

    found = b(3) + a(5) * x
    kept[2] = kept[2] * y
    del kept[1]
    return found + a(2) * b(1) + len(kept)


PROGRAMS = [
    tables,
    fib,
    changes,
    memo,
    writes_list,
    default,
    mutual,
    as_value,
    listed,
    nonlocal_,
    rebound,
    factory,
    inner,
    comp,
    raises,
    arrays,
    quick,
    simpson,
    kw,
    star,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[..., float]) -> None:
    check_gradient(program, 0.7, 1.3)
    dx, dy = (bar or 0.0 for bar in zg.gradient(program, 0.7, 1.3))
    assert zg.pushforward(program, 0.7, 1.3)(1.0, 0.5) == pytest.approx(dx + 0.5 * dy, rel=1e-12)


@pytest.mark.parametrize("program", [fib, changes, comp, inner, simpson, tables])
def test_what_is_called_is_known(program: Callable[..., float]) -> None:
    assert "pull" not in zg.show_adjoint(program, 0.7, 1.3)


def test_second_derivatives() -> None:
    h = 1e-4
    for program in (fib, changes):
        slope = [zg.gradient(program, 0.7 + step, 1.3)[0] for step in (h, -h, h / 2, -h / 2)]
        wide, narrow = (slope[0] - slope[1]) / (2 * h), (slope[2] - slope[3]) / h
        along = zg.hvp(lambda v, program=program: program(v[0], v[1]), (0.7, 1.3), (1.0, 0.0))[0]
        assert along == pytest.approx((4 * narrow - wide) / 3, rel=1e-7, abs=1e-9)


def test_deep_ones() -> None:
    def deep(x):
        def f(k):
            return x if k == 0 else f(k - 1) * 0.99 + 1.0

        return f(200)

    assert zg.gradient(deep, 0.7)[0] == pytest.approx(0.99**200, rel=1e-12)
