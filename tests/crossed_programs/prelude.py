"""What every crossed program begins with: the functions and classes that its tables of text speak of."""

import abc
import bisect
import collections
import contextlib
import copy
import dataclasses
import enum
import fractions
import functools
import heapq
import inspect
import itertools
import math
import operator
import threading
import types
import typing

import numpy as np

import zygpy as zg

G = {}
L = []


class Box:
    def __init__(self, v):
        self.v = v

    def times(self, u):
        return self.v * u

    def take(self, e):
        self.e = e
        return self


class Slot:
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v


class Model:
    def __init__(self, v, w):
        self.v = v
        self.w = w

    def bump(self, x):
        self.v += x
        self.w[0] = self.v * x

    def __iadd__(self, x):
        self.v = self.v + x * 3
        return self

    def __setitem__(self, k, v):
        self.w[k] = v * 2

    def __getitem__(self, k):
        return self.w[k]


class Child(Model):
    def bump(self, x):
        super().bump(x)
        self.v *= 2


class Hold:
    def __init__(self, v):
        self.v = v

    def get(self):
        return self.v

    @property
    def prop(self):
        return self.v

    @classmethod
    def make(cls, v):
        return cls(v)

    @staticmethod
    def same(v):
        return v

    def __call__(self):
        return self.v

    def __enter__(self):
        return self.v

    def __exit__(self, *a):
        pass

    def __getitem__(self, k):
        return self.v

    def __iter__(self):
        return iter([self.v])

    def __add__(self, o):
        return self.v


class Sub(Hold):
    def get(self):
        return super().get()


class Acc:
    def __init__(self, v):
        self.v = v

    def __call__(self, u):
        return self.v * u

    def mul(self, u):
        return self.v * u


NT = collections.namedtuple("NT", "v w")


class NTM(collections.namedtuple("NTM", "v w")):
    def total(self, u):
        return self.v * u


class Stop(Exception):
    def __init__(self, v, *rest):
        super().__init__(v, *rest)
        self.v = v


class Bare(Exception):
    pass


class Walk:
    def __init__(self, xs):
        self.xs = xs
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= len(self.xs):
            raise StopIteration
        self.i += 1
        return self.xs[self.i - 1]


class Seq:
    def __init__(self, xs):
        self.xs = xs

    def __getitem__(self, i):
        return self.xs[i]

    def __len__(self):
        return len(self.xs)


class CM:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v

    def __exit__(self, *a):
        return True


def ident(v):
    return v


IDENT = {"ident": ident}


def second(a, v):
    return v


def tupled(v):
    return (v, 1.0)


def boxed(v):
    return Box(v)


def listed(v):
    return [v]


def unboxed(b):
    return b.v


def chosen(v, w):
    return v if w > 0 else None


def tried(v):
    try:
        return v
    except ValueError:
        return None


def looped(v):
    r = None
    for i in range(2):
        r = v
    return r


def nested(v):
    return ident(ident(v))


def kw(*, v):
    return v


def stars(*v):
    return v[0]


def kws(**k):
    return k["v"]


def lam(v):
    return (lambda: v)()


def dflt(v=None):
    return v


def kwf(u, *, k):
    return u * k


def star(*a, **k):
    return a[0] if a else k["a"]


def default(a=None, *, b=None):
    return b if a is None else a


def counter(v):
    state = v

    def get():
        nonlocal state
        state = state
        return state

    return get


def fail(v):
    raise Stop(v)


def failbare(v):
    raise Bare(v, 2.0)


def gen(v):
    yield v
    yield v


def deleg(v):
    got = yield from gen(v)
    return got


def ret(v):
    yield 1.0
    return v


def getret(v):
    got = yield from ret(v)
    yield got


@contextlib.contextmanager
def cm(v):
    yield v


def wrapping(v):
    def inner(u):
        return u * v

    @functools.wraps(inner)
    def wrapper(u):
        return inner(u)

    return wrapper


def ruled(v):
    return v


@zg.adjoint(ruled)
def _ruled(v):
    return v, lambda bar: (bar,)


def entered(o):
    with o as u:
        return u


def matched(o):
    match o:
        case int() | float():
            return o.m(2.0)
        case object(m=m):
            return m(2.0)


LEVEL = 0.0


class State:
    """What changes whenever somebody bumps it."""

    seen = 0.0

    def __init__(self, x, hook):
        self.total = x
        self.items = [x, x * x]
        self.table = {"k": x * 1.5}
        self.array = np.array([x, 2.0 * x])
        self.inner = Box(x)
        self.grown = [x]
        self.hook = hook
        State.seen = x
        G["g"] = x
        self.set_level(x)

    def set_level(self, level):
        global LEVEL
        LEVEL = level

    def bump(self, by):
        self.total = self.total * 1.25 + by
        self.items[0] *= self.total
        self.table["k"] += self.total
        self.array[0] *= self.total
        self.inner.v = self.total * 0.5
        self.grown.append(self.total * by)
        State.seen = State.seen + by
        G["g"] = G["g"] * 0.75 + by
        self.set_level(LEVEL * 0.5 + by)
        self.hook(by)
        return self.total * 0.3

    def get(self):
        return self.total

    def weigh(self, p, q):
        return p - 2.0 * q + self.total

    @property
    def twice(self):
        return self.total * 2.0


class Event:
    """What bumps a state whenever Python asks it something."""

    def __init__(self, state, x):
        self.state = state
        self.x = x

    @staticmethod
    def tell(state, x):
        return state.bump(x)

    def __add__(self, other):
        return self.state.bump(self.x) + other

    def __radd__(self, other):
        return self.state.bump(self.x) - other

    def __matmul__(self, other):
        return self.state.bump(self.x) * other

    def __neg__(self):
        return self.state.bump(self.x)

    def __abs__(self):
        return self.state.bump(self.x)

    def __round__(self):
        return self.state.bump(self.x)

    def __float__(self):
        return abs(self.state.bump(self.x)) * 1.0

    @property
    def level(self):
        return self.state.bump(self.x)

    def __getattr__(self, name):
        if name != "missing":
            raise AttributeError(name)
        return self.state.bump(self.x)

    def __getitem__(self, index):
        return self.state.bump(self.x)

    def __call__(self, by):
        return self.state.bump(by)

    def __len__(self):
        self.state.bump(self.x)
        return 2

    def __bool__(self):
        self.state.bump(self.x)
        return True

    def __eq__(self, other):
        self.state.bump(self.x)
        return True

    def __lt__(self, other):
        self.state.bump(self.x)
        return False

    def __contains__(self, other):
        self.state.bump(self.x)
        return True

    def __iter__(self):
        self.state.bump(self.x)
        return iter([self.x, self.x * 2.0])

    def __format__(self, spec):
        self.state.bump(self.x)
        return "abc"

    def __str__(self):
        self.state.bump(self.x)
        return "ab"

    def __hash__(self):
        self.state.bump(self.x)
        return 3


class Noted:
    def __init__(self, state, x):
        self.v = state.bump(x)


class Carried(Exception):
    pass


def bump_by_function(state, x):
    return state.bump(x)


def bumps(state, x):
    yield state.bump(x)
    yield state.bump(x)


class Bumping:
    def __init__(self, state, x):
        self.state = state
        self.x = x

    def __enter__(self):
        return self.state.bump(self.x)

    def __exit__(self, *given):
        self.state.bump(self.x)


def by_manager(state, x):
    with Bumping(state, x) as v:
        return v + state.total


def by_handler(state, x):
    try:
        raise Carried(state.bump(x))
    except Carried as error:
        return error.args[0]
    finally:
        state.bump(x)


def weigh(p, q):
    return p - 2.0 * q


def weighing(v):
    return lambda u: v - 2.0 * u


def scaled(v):
    return lambda function: lambda: v * function()


@contextlib.contextmanager
def opened(v):
    yield v * 2.0


def given_back(v):
    return v


class Louder(Noted):
    def bump(self):
        return self.v * 2.0


def down(state, x, n):
    return state.bump(x) if n == 0 else down(state, x, n - 1) * 0.5
