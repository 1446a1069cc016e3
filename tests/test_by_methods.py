"""Properties that are set, lengths, truths and members of objects, attributes read by `getattr`."""

from __future__ import annotations

import pytest

import zygpy as zg
from zygpy.testing import check_gradient


class W:
    scale = 2.0

    def __init__(self, a):
        self._a = a
        self.log = []

    @property
    def a(self):
        return self._a

    @a.setter
    def a(self, v):
        self.log.append(v)
        self._a = v if v > 0 else -v

    @property
    def b(self):
        return self._a * 2

    @b.setter
    def b(self, v):
        self.a = v / 2
        return 5

    def __len__(self):
        return len(self.log)

    def __abs__(self):
        return self._a * 3

    def __contains__(self, v):
        self.log.append(v)
        return v > self._a


class Sub(W):
    @property
    def a(self):
        return super().a * 1.5

    @a.setter
    def a(self, v):
        W.a.fset(self, v * 2)


class T:
    def __init__(self, v):
        self.v = v
        self.n = 0

    def __bool__(self):
        self.n += 1
        self.v = self.v * 0.9
        return self.v > 0.5

    def __len__(self):
        return 0


class Bad:
    def __init__(self, v):
        self.v = v

    def __bool__(self):
        return 1

    def __len__(self):
        return -1


class G:
    def __init__(self, v):
        self.v = v

    def __getattr__(self, name):
        if name == "zz":
            return self.v * 2
        raise AttributeError(name)

    @property
    def p(self):
        raise AttributeError("p")


def setters(x, y):
    w = W(x)
    w.a = y
    w.a *= x
    w.b += y
    w.b = w.b * w.a
    return w.a + len(w) * x + sum(w.log)


def setters_sub(x, y):
    w = Sub(x)
    w.a = y
    w.a += x
    w.b = x * y
    return w.a * w.b + sum(w.log)


def setters_either(x, y):
    s = 0.0
    for w in (W(x), Sub(y), W(y)):
        w.a = x * w.a
        w.b -= y
        s = s + w.a
    return s


def setter_alias(x, y):
    w = W(x)
    v = [w, {"w": w}]
    for _i in range(3):
        v[1]["w"].a = w.a * y
        v[0].b = w.b + x
    return w.a


def setter_in_try(x, y):
    w = W(x)
    try:
        w.a = y
        w.a = None
    except TypeError:
        w.b = w.a * 2
    return w.a * x + len(w.log)


def lengths(x, y):
    w = W(x)
    s = 0.0
    while len(w) < 4:
        w.a = w.a * y
        if len(w):
            s = s + w.a / len(w)
    return s + abs(w) * abs(w)


def truths(x, y):
    t = T(x)
    s = 0.0
    while t:
        s = s + t.v * y
    if not t:
        s = s + t.v
    return s + t.n * x + (1.0 if bool(t) else y)


def bad_truth(x, y):
    b = Bad(x)
    try:
        if b:
            return x
    except TypeError:
        b.v = b.v * y
    try:
        return x * len(b)
    except ValueError:
        return b.v


def contains(x, y):
    w = W(x)
    s = 0.0
    for v in (x * 0.5, x * 2, y):
        if v in w:
            s = s + v
        if v not in w:
            s = s - v * v
    return s + sum(w.log)


def gets(x, y):
    g = G(x)
    s = g.v * getattr(g, "zz", y) + getattr(g, "nope", y) + getattr(g, "p", y)
    w = W(y)
    s = s + getattr(w, "scale", 1.0) * getattr(w, "extra", x)
    w.extra = y * y
    s = s + getattr(w, "extra", x)
    del w.extra
    return s + getattr(w, "extra", x * 2) + getattr(w, "a", x) * w._a


def gets_class(x, y):
    s = 0.0
    w = W(y)
    for i in range(3):
        s = s + getattr(w, "late2", x)
        W.late2 = y * (i + 1)
    del W.late2
    return s


class Table:
    def __init__(self):
        self.kept = {}

    def __setitem__(self, i, v):
        self.kept[i] = v if v > 0 else -v


def item_in_try(x, y):
    table = Table()
    try:
        table[0] = x * y
        table[0] = None
    except TypeError:
        table[1] = table.kept[0] * y
    return table.kept[1] * x


PROGRAMS = [
    setters,
    setters_sub,
    setters_either,
    setter_alias,
    setter_in_try,
    lengths,
    truths,
    bad_truth,
    contains,
    gets,
    gets_class,
    item_in_try,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f):
    check_gradient(f, 0.7, 1.3)


def test_methods_are_called_directly():
    def f(x):
        w = W(x)
        w.a = x * x
        return w.a * len(w) if w else getattr(w, "_a")  # noqa: B009

    assert zg.gradient(f, 0.7)[0] == pytest.approx(1.4)
    assert "pull" not in str(zg.show_adjoint(f, 0.7))
