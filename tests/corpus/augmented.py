"""Augmented assignments of everything that is no number: tuples, lists, dicts, queues, objects."""

import copy
from collections import deque, namedtuple
from dataclasses import dataclass

import numpy as np

from tests.corpus.registry import program

Pair = namedtuple("Pair", "x y")


@dataclass
class Sum:
    """Takes what is added to it."""

    total: object

    def __iadd__(self, other):
        self.total = self.total * 0.5 + other
        return self


@dataclass
class Point:
    """Has no operator in place."""

    x: object
    y: object

    def __add__(self, other):
        return Point(self.x + other.x, self.y * other.y)


@dataclass
class Greedy:
    """Changes what it is given."""

    factor: object

    def __iadd__(self, other):
        other[0] = self.factor * other[1]
        return self


@dataclass
class Passing:
    """Gives away what it is given."""

    factor: object

    def __iadd__(self, other):
        return other


@dataclass
class Reflected:
    """Comes before a list that would grow."""

    value: object

    def __radd__(self, other):
        return other[0] * self.value


# ---------------------------------------------------------------------------------------------- tuples


@program((1.5, 2.0))
def tuple_of_an_argument(a, b):
    t = (a,)
    t += (b, a * b)
    return t[0] * t[1] + t[2]


@program(((1.5, 2.0), 0.7))
def tuple_that_is_an_argument(t, a):
    s = t
    t += (a,)
    t *= 2
    return t[0] * t[4] + t[5] * a + len(s) * s[1]


@program((Pair(1.5, 2.0), 0.7))
def named_tuple_and_more(p, a):
    p += (a,)
    return p[0] * p[1] + p[2] * a


@program((1.1, 4))
def tuple_that_grows_in_a_loop(a, n):
    t = ()
    for k in range(n):
        t += (a**k, k * a)
        if k == 2:
            t += t
    return sum(t) * t[-1]


def extended(t, value):
    t += (value, value * value)
    return t


@program((1.1, 4))
def tuple_that_a_callee_extends(a, n):
    t = (a,)
    for k in range(n):
        t = extended(t, a * k)
    return sum(t) * t[-1]


# ----------------------------------------------------------------------------------- lists and queues


@program(([1.5, 2.0], (0.7, 0.4)), tags="writes-arguments")
def list_and_a_tuple(xs, t):
    other = xs
    xs += t
    return other[0] * other[2] + xs[3] * t[0]


@program(([1.5, 2.0], {"a": 0.7}), tags="writes-arguments")
def list_and_the_values_of_a_dict(xs, d):
    xs += d.values()
    xs += [x * x for x in xs[:1]]
    return xs[0] * xs[2] + xs[3]


@program(([1.5, 2.0], 3), tags="writes-arguments")
def list_again_and_again(xs, n):
    alias = xs
    xs *= n
    xs[0] = xs[2] * xs[1]
    return sum(alias) * alias[0]


@program(([1.5, 2.0], np.array([0.5, 0.25])))
def list_that_numpy_adds_to(xs, v):
    ys = xs
    ys += v
    return ys[0] * ys[1] * xs[0]


@program(([1.5, 2.0], Reflected(0.5)))
def list_that_is_asked_second(xs, r):
    y = xs
    y += r
    return y * xs[1]


@program((deque([1.5, 2.0]), [0.7]), tags="writes-arguments")
def queue_and_a_list(q, xs):
    q += xs
    q += (xs[0] * q[0],)
    return q[0] * q[2] + q[3]


# ------------------------------------------------------------------------------------------------ dicts


@program(({"a": 1.5}, {"b": 2.0}), tags="writes-arguments")
def dict_and_a_dict(d, e):
    d |= e
    return d["a"] * d["b"]


@program(({"a": 1.5}, np.array([2.0, 0.5])), tags="writes-arguments")
def dict_and_a_literal(d, v):
    other = d
    d |= {"c": v, "a": d["a"] * v[0]}
    v[1] = other["a"]
    return d["c"].sum() * other["a"]


@program(({"a": 1.5}, 2.0), tags="writes-arguments")
def dict_and_pairs(d, x):
    d |= [("b", x), ("a", x * d["a"])]
    return d["a"] * d["b"]


# ---------------------------------------------------------------------------------------------- objects


@program((2.0, 1.5, 0.7), (2.0, np.array([1.0, 2.0]), 0.7))
def object_that_takes(a, v, c):
    s = Sum(c)
    s += v
    return np.sum(s.total) * a


@program((2.0, 1.5, 0.7))
def object_that_takes_by_another_name(a, b, c):
    s = other = Sum(c)
    for _ in range(3):
        s += a * b
        other += s.total
    return s.total * a


@program((Point(1.5, 2.0), Point(0.7, 0.4)))
def object_without_an_operator_in_place(p, q):
    first = p
    p += q
    p += first
    return p.x * p.y + first.x


@program((2.0, [1.0, 2.0, 3.0], Greedy(0.7)), tags="writes-arguments")
def object_that_changes_what_it_is_given(a, xs, g):
    g += xs
    return sum(xs) * a * g.factor


@program((2.0, np.array([1.0, 2.0, 3.0]), Greedy(0.7)), tags="writes-arguments")
def object_that_changes_an_array(a, v, g):
    g += v
    return np.sum(v) * a * g.factor


@program((2.0, [1.0, 2.0], Passing(0.7)), tags="writes-arguments")
def object_that_becomes_what_it_is_given(a, xs, p):
    p += xs
    xs[0] = xs[1] * a
    return p[0] * a


@program((2.0, 0.7))
def objects_in_a_list_that_take(a, c):
    sums = [Sum(c), Sum(0.4)]
    kept = copy.copy(sums)
    for s in sums:
        s += a
    sums[0] += sums[1].total
    return kept[0].total * kept[1].total
