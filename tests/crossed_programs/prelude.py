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
