"""Things that are one of several: objects of several classes, and functions of several texts."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime.options import is_one
from zygpy.testing import check_gradient


class A:
    def __init__(self, v):
        self.v = v
        self.n = 0

    def step(self, x):
        self.v = self.v * x
        self.n += 1
        return self.v

    def val(self):
        return self.v * 2.0

    def __add__(self, o):
        return A(self.v + o.v)

    def __mul__(self, k):
        return A(self.v * k)

    def __lt__(self, o):
        return self.v < o.v

    def __getitem__(self, i):
        return self.v * i

    def __call__(self, x):
        return self.v + x

    def __neg__(self):
        return A(-self.v)

    def __len__(self):
        return 2

    def __iadd__(self, o):
        self.v = self.v + o.v
        return self

    @property
    def prop(self):
        return self.v**2

    @staticmethod
    def stat(x):
        return x * 3.0

    @classmethod
    def make(cls, x):
        return cls(x)


class B:
    def __init__(self, v):
        self.w = v
        self.v = v * 0.5
        self.log = []

    def step(self, x):
        self.w = self.w + x * self.v
        self.log.append(self.w)
        return self.w

    def val(self):
        return math.sin(self.w) + sum(self.log)

    def __add__(self, o):
        return B(self.w * o.v)

    def __mul__(self, k):
        return B(self.w + k)

    def __lt__(self, o):
        return self.w < o.v

    def __getitem__(self, i):
        return self.w + i

    def __call__(self, x):
        return self.w * x

    def __neg__(self):
        return B(1.0 / self.w)

    def __len__(self):
        return 3

    def __iadd__(self, o):
        self.w = self.w * o.v
        self.log.append(o.v)
        return self

    @property
    def prop(self):
        return math.cos(self.w)

    @staticmethod
    def stat(x):
        return x * x

    @classmethod
    def make(cls, x):
        return cls(x * 2.0)


@dataclasses.dataclass
class C:
    v: Any

    def step(self, x):
        self.v = math.exp(-x) * self.v
        return self.v

    def val(self):
        return self.v + 1.0


def steps(x, y):
    things = [A(x), B(y), A(y), C(x * y)]
    s = 0.0
    for k in range(3):
        for t in things:
            s += t.step(x) * (k + 1)
    return s + sum(t.val() for t in things)


def rebinds(x, y):
    t = A(x)
    s = 0.0
    for k in range(4):
        s += t.val()
        t = B(t.val()) if k % 2 == 0 else A(t.val() * y)
        t.step(y)
    return s + t.val()


def narrowed(x, y):
    s = 0.0
    for t in [A(x), B(y), A(x * y)]:
        if isinstance(t, A):
            s += t.v * y
            t.v = s
        else:
            s += t.w
            t = A(s)
        s += t.v
    return s


def shared(x, y):
    a = A(x)
    b = B(y)
    things = [a, b, a]
    for t in things:
        t.step(y)
    a.v = a.v * b.w
    return things[0].val() + things[2].val() * b.val() + a.n


def in_a_field(x, y):
    class Holder:
        def __init__(self, t):
            self.t = t

        def go(self, x):
            r = self.t.step(x)
            self.t = B(r) if isinstance(self.t, A) else A(r)
            return r

    h = Holder(A(x))
    s = 0.0
    for _ in range(4):
        s = s * 0.5 + h.go(y)
    return s + h.t.val()


def operators(x, y):
    things = [A(x), B(y)]
    total = A(1.0)
    for t in things:
        total = t + total
        total = total * y
    return total.val() + (-total).val()


def two_at_once(x, y):
    p = [A(x), B(y)]
    q = [B(x * y), A(y)]
    s = 0.0
    for a in p:
        for b in q:
            s += (a + b).val()
            if a < b:
                s += x
    return s


def items_and_calls(x, y):
    s = 0.0
    for t in [A(x), B(y)]:
        s += t[2] * t(y) + len(t) * t.prop + t.stat(x) + type(t).make(y).val()
    return s


def grows(x, y):
    things = []
    for k in range(5):
        things.append(A(x * k) if k % 2 else B(y + k))
        if len(things) > 3:
            things.pop(0)
        things[-1].step(x)
    things[0], things[-1] = things[-1], things[0]
    return sum((i + 1) * t.val() for i, t in enumerate(things))


def in_a_dict(x, y):
    d = {"a": A(x), "b": B(y)}
    s = 0.0
    for name in ["a", "b", "a"]:
        s += d[name].step(y)
        if name == "b":
            d["a"] = B(s)
    return s + d["a"].val()


def augmented(x, y):
    s = 0.0
    for t in [A(x), B(y)]:
        u = t
        t += A(y)
        s += u.val() + t.v
    return s


def set_from_outside(x, y):
    things = [A(x), B(y)]
    for t in things:
        t.v = t.v * x + y
        t.v += x
    return sum(t.val() * t.v for t in things)


def raises(x, y):
    s = 0.0
    for t in [A(x), B(y), C(x)]:
        try:
            s += t.w * x
        except AttributeError:
            s += t.v * y
    return s


def has(x, y):
    s = 0.0
    for t in [A(x), B(y), C(x)]:
        s += t.w * x if hasattr(t, "w") else t.v * y
        s += getattr(t, "n", 3.0)
    return s


def maybe(x, y):
    t = None
    s = 0.0
    for k in range(4):
        if t is not None:
            s += t.val()
        t = [A(x), None, B(y), A(y)][k]
    return s


def bound(x, y):
    fs = [A(x).step, B(y).step]
    s = 0.0
    for k in range(3):
        for f in fs:
            s += f(y) * (k + 1)
    return s


def maximum(x, y):
    things = [A(x), B(y), A(x * y)]
    best = max(things, key=lambda t: t.val())
    ordered = sorted(things, key=lambda t: -t.val())
    return best.val() * x + ordered[1].val() * y


class Num:
    def __init__(self, v):
        self.v = v

    def ev(self, env):
        return self.v


class Var:
    def __init__(self, n):
        self.n = n

    def ev(self, env):
        return env[self.n]


class Add:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def ev(self, env):
        return self.a.ev(env) + self.b.ev(env)


class Mul:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def ev(self, env):
        return self.a.ev(env) * self.b.ev(env)


def tree(x, y):
    e = Add(Mul(Var("x"), Num(2.0)), Mul(Var("y"), Add(Var("x"), Num(x))))
    return e.ev({"x": x, "y": y})


class Rec:
    def __init__(self, v):
        self.v = v

    def add(self, o, out):
        out.append(o)
        o.v = o.v + self.v


class Rec2(Rec):
    def add(self, o, out):
        out.insert(0, o)
        o.v = o.v * self.v


def mutual(x, y):
    things = [Rec(x), Rec2(y), Rec(x * y)]
    out = []
    for t in things:
        for o in things:
            if o is not t:
                t.add(o, out)
    return sum((i + 1) * o.v for i, o in enumerate(out))


def sq(v):
    return v * v + 0.5


def cube(v, k=2.0):
    return v**3 * k


def make(c):
    def g(v):
        return v * c

    return g


def module_writes_(a):
    a[0] = a[0] * a[1]


def module_writes2(a):
    a[1] += a[0] ** 2


def fs_change(x, y):
    ops = {"f": math.sin, "g": math.cos}
    s = x
    for k in range(5):
        s = ops["f"](s) * y + ops["g"](x)
        if k == 2:
            ops["f"] = sq
        if k == 3:
            ops["g"], ops["f"] = ops["f"], ops["g"]
    return s


def of_makers(x, y):
    fs = [make(x), sq, math.sin, functools.partial(cube, k=y), np.tanh, A(x)]
    s = y
    for f in fs:
        s = f(s)
    return s


def stack(x, y):
    fs = [sq, cube]
    s = x
    while fs:
        f = fs.pop()
        s = math.sin(f(s)) * y
        if len(fs) == 1 and s > 0:
            fs.append(math.tanh)
            fs.reverse()
            y = y * 0.5
        if s > -5 and y < 0.1:
            break
    return s


def arrays(x, y):
    z = np.array([x, y, x * y])
    for f in (np.sin, np.cumsum, np.sort, np.exp, lambda a: a[::-1] * 2.0):
        z = f(z) * 0.5
    return z.sum() + z[0]


def writes2(x, y):
    z = [x, y]
    for f in (module_writes_, module_writes2, module_writes_):
        f(z)
    return z[0] + 3.0 * z[1]


def compose(*fs):
    def composed(v):
        for f in fs:
            v = f(v)
        return v

    return composed


def local_list(x, y):
    c = x * 0.3
    fs = [lambda v: v * c, lambda v: math.sin(v) + y, sq, lambda v: v * c]
    s = y
    for k in range(6):
        s = fs[k % 4](s) + x
    return s


def same_line(x, y):
    fs = [lambda v: v * x, lambda v: v * y, lambda v: v + y, lambda v: v * x]
    s = 1.0
    for k, f in enumerate(fs):
        s = f(s) * (k + 1)
    return s


def dispatch(x, y):
    def a(v):
        return v * x

    def b(v, w=2.0):
        return v**w + y

    def c(v):
        t = 0.0
        for k in range(3):
            t += v * k * x
        return t

    table = {"a": a, "b": b, "c": c}
    s = 0.5
    for ch in "abcab":
        s = math.tanh(table[ch](s))
    return s


def conditional(x, y):
    f = (lambda v: v * x) if x > y else (lambda v: v + y * x)
    g = f if y > 1 else (lambda v: f(v) * 2.0)
    return f(y) * g(x)


def composed(x, y):
    return compose(math.tanh, sq, lambda v: v * x)(y) * compose(lambda v: v + y, math.sin)(x)


def bound_late(x, y):
    fs = [lambda v, k=k: v * k * x for k in range(3)]
    fs.append(lambda v: v - y)
    return sum(f(y) * f(x) for f in fs)


def counters(x, y):
    n = [0.0]

    def up(v):
        n[0] += v * x
        return n[0]

    def down(v):
        n[0] -= v * y
        return n[0] ** 2

    s = 0.0
    for f in (up, down, up, up, down):
        s += f(1.5)
    return s * n[0]


def nonlocals(x, y):
    n = 0.0

    def up(v):
        nonlocal n
        n += v * x
        return n

    def down(v):
        nonlocal n
        n -= v * y
        return n**2

    s = 0.0
    for f in [up, down, up]:
        s += f(1.5)
    return s * n


def rebinding(x, y):
    c = x

    def f(v):
        return v * c

    def g(v):
        return v + c

    s = 0.0
    for _ in range(3):
        s += f(s + 1.0) + g(y)
        c = c * y
        f, g = g, f
    return s


def returned(x, y):
    def pick(k):
        if k % 2:
            return lambda v: v * x + k

        def other(v):
            return math.sin(v * y)

        return other

    s = 1.0
    for k in range(4):
        s = pick(k)(s)
    return s


def nested(x, y):
    def outer(v):
        fs = [lambda w: w * v, lambda w: w + v * x]
        return fs[0](y) * fs[1](x)

    def outer2(v):
        return outer(v) * y

    return sum(f(x) for f in (outer, outer2))


def in_object(x, y):
    class Node:
        def __init__(self, f):
            self.f = f
            self.last = 0.0

        def run(self, v):
            self.last = self.f(v) + self.last
            return self.last

    nodes = [Node(lambda v: v * x), Node(sq), Node(lambda v: math.sin(v) * y)]
    s = 1.0
    for _ in range(3):
        for n in nodes:
            s = n.run(s) * 0.5
    return s


def swaps(x, y):
    class Node:
        def __init__(self, f):
            self.f = f

    a, b = Node(lambda v: v * x), Node(lambda v: v + y)
    s = 1.0
    for _ in range(3):
        s = a.f(s) * b.f(x)
        a.f, b.f = b.f, a.f
    return s


def callbacks(x, y):
    log = []

    def on_a(v):
        log.append(v * x)

    def on_b(v):
        log.append(v + y)

    handlers = {"a": [on_a, on_b], "b": [on_b]}
    for ev in "abab":
        for h in handlers[ev]:
            h(x * len(log))
    return sum(v * (i + 1) for i, v in enumerate(log))


def raising(x, y):
    def bad(v):
        raise ValueError(v * x)

    def good(v):
        return v * y

    s = 0.0
    for f in [good, bad, good]:
        try:
            s += f(s + x)
        except ValueError as e:
            s += e.args[0] * 2.0
    return s


def twice_made(x, y):
    def family(c, n):
        return [(lambda v: v * c) if k % 2 else (lambda v: v + c) for k in range(n)]

    s = 1.0
    for f in family(x, 3) + family(y, 2):
        s = f(s)
    return s


def made_plainly2(x, y):
    def table(c):
        return {"a": lambda v: v * c, "b": lambda v: v**2 + c}

    t = table(0.3)
    u = table(x)
    return (
        t["a"](x) * u["b"](y) + sum(f(y) for f in t.values()) + sum(f(x) for f in [*t.values(), *u.values()])
    )


THINGS = [
    steps,
    rebinds,
    narrowed,
    shared,
    in_a_field,
    operators,
    two_at_once,
    items_and_calls,
    grows,
    in_a_dict,
    augmented,
    set_from_outside,
    raises,
    has,
    maybe,
    bound,
    maximum,
    tree,
    mutual,
]
FUNCTIONS = [
    fs_change,
    of_makers,
    stack,
    arrays,
    writes2,
    local_list,
    same_line,
    dispatch,
    conditional,
    composed,
    bound_late,
    counters,
    nonlocals,
    rebinding,
    returned,
    nested,
    in_object,
    swaps,
    callbacks,
    raising,
    twice_made,
    made_plainly2,
]


class Doubling(type):
    def __call__(cls, v):
        return super().__call__(2.0 * v)


class Doubled(metaclass=Doubling):
    def __init__(self, v):
        self.v = v


def classes_of_what_is_called(x, y):
    """The class of a class, and that class itself: what is the second is of the first one's sort, too."""
    s = 0.0
    for pair in ([type, A], [Doubling, Doubled]):
        for k, make in enumerate(pair):
            if k:
                s += make(x * y).v * x
    return s


FUNCTIONS.append(classes_of_what_is_called)


@pytest.mark.parametrize("program", [*THINGS, *FUNCTIONS])
def test_gradients(program: Callable[..., float]) -> None:
    """The value, both gradients, `back` called twice, and the tangent along both arguments."""
    x, y = 0.7, 1.3
    check_gradient(program, x, y)
    dx, dy = (bar or 0.0 for bar in zg.gradient(program, x, y))
    assert zg.pushforward(program, x, y)(1.0, 0.5) == pytest.approx(dx + 0.5 * dy, rel=1e-12)


@pytest.mark.parametrize("program", [steps, dispatch, returned, of_makers])
def test_second_order(program: Callable[..., float]) -> None:
    x, y, h = 0.7, 1.3, 1e-4
    slope = [zg.gradient(program, x + step, y + 0.5 * step)[0] for step in (h, -h, h / 2, -h / 2)]
    wide, narrow = (slope[0] - slope[1]) / (2 * h), (slope[2] - slope[3]) / h
    along = zg.hvp(lambda v: program(v[0], v[1]), (x, y), (1.0, 0.5))[0]
    assert along == pytest.approx((4 * narrow - wide) / 3, rel=1e-7)


PLAIN = [local_list, same_line, conditional, composed]


@pytest.mark.parametrize("program", PLAIN)
def test_what_is_called_is_known(program: Callable[..., float]) -> None:
    """No operation is looked up when the program runs."""
    text = zg.show_adjoint(program, 0.7, 1.3)
    assert "is_one(" in text
    assert "pull" not in text


class Endless:
    """Has items without end."""

    def __init__(self, v):
        self.v = v

    def __getitem__(self, index):
        return self.v * index

    def __add__(self, other):
        return self.v + other.v


def of_endless(x, y):
    things = [Endless(x), A(y), Endless(x * y)]
    return sum((a + b) if isinstance(a, Endless) else (a + b).val() ** 2 for a in things for b in things)


def test_objects_are_not_asked_for_items() -> None:
    """To tell of which shape they are."""
    along = zg.hvp(lambda v: of_endless(v[0], v[1]), (0.7, 1.3), (1.0, 0.0))[0]
    h = 1e-4
    slope = [zg.gradient(of_endless, 0.7 + step, 1.3)[0] for step in (h, -h)]
    assert along == pytest.approx((slope[0] - slope[1]) / (2 * h), rel=1e-6)


class Equal(list):
    """Is called, and says that it is equal to the question."""

    def __call__(self, x):
        return x * x

    def __eq__(self, other):
        return other is is_one

    __hash__ = None


EQUAL = Equal()


def test_what_says_that_it_is_equal_is_no_question() -> None:
    assert zg.gradient(lambda x: EQUAL(x) * 3.0, 0.7)[0] == pytest.approx(4.2)
