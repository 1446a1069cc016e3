"""Functions that change a list or an array that they are given: the caller hands its cotangent over, so that
a call costs what it changes, and not what the whole thing holds."""

import heapq
import sys
from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose

import zygpy as zg
from tests.differences import differences
from zygpy.gradients_pushed import gradient_push
from zygpy.pushing import Push
from zygpy.runtime.accumulate import taken, taken_list
from zygpy.units import options


def added(h, i, v):
    h[i] = v * 2 + h[i]


def doubled(h):
    for i in range(len(h)):
        h[i] = h[i] * 2


def last_of(h):
    return h.pop() if len(h) > 1 else 0.5


def both(a, b, i):
    a[i] = a[i] * b[i]
    b[i] = b[i] + a[i]


def down(h, i):
    if i == len(h):
        return 1.0
    h[i] = h[i] * 1.5
    r = down(h, i + 1)
    h[0] = h[0] + r
    return r * h[i]


def spread(h, v):
    h[0] = v[0] * 2
    h += v


def in_a_loop(x):
    h = [x] * 4
    for i in range(4):
        added(h, i, x * i)
    doubled(h)
    added(h, 1, x)
    return sum(v * v for v in h)


def two_of_them(x):
    a, b = [x, x * x], [1.0, x]
    for i in range(2):
        both(a, b, i)
        both(b, a, 1 - i)
    return a[0] * b[1] + a[1] * b[0]


def one_twice(x):
    a = [x, x * x]
    both(a, a, 0)
    both(a, a, 1)
    return a[0] * a[1]


def read_in_between(x):
    h = [x, x * x, 2.0]
    before = sum(h)
    doubled(h)
    u = h[0] * before
    h[1] = u
    doubled(h)
    return u * h[1]


def taken_out(x):
    h = [x * i for i in range(1, 5)]
    s = 0.0
    for _ in range(5):
        s = s * 0.5 + last_of(h) * x
    return s + h[0]


def recursive(x):
    h = [x, x * x, 2.0]
    return down(h, 0) * h[0]


def heap(x):
    h = []
    for i in range(6):
        heapq.heappush(h, x * ((i * 5) % 7))
    s = 0.0
    while h:
        s = s * 0.7 + heapq.heappop(h) * x
    return s


def heap_until_it_is_empty(x):
    h, s = [], 0.0
    for i in range(5):
        heapq.heappush(h, (x * ((i * 3) % 5), i))
    while True:
        try:
            v, i = heapq.heappop(h)
        except IndexError:
            break
        s = s * 0.7 + v * i
    return s


def larger_of(h, a, b, v):
    if h[a] + v > h[b]:
        h[b] = h[a] * v
        return
    if b == 0:
        h.append(v)


def in_one_arm(x):
    h = [x, 2.0, 0.1, x * x]
    for i in range(3):
        larger_of(h, i, i + 1, x * i)
        larger_of(h, i + 1, 0, x)
    return sum(v * v for v in h)


def relax(far, a, b, v):
    if far[a] + v < far[b]:
        far[b] = far[a] + v * v


def relaxed(x):
    far = [9.0] * 4
    far[0] = x
    for i in range(3):
        relax(far, i, i + 1, x * i)
        relax(far, i, (i * 2) % 4, x)
    return far[1] * far[2] + far[3]


def leaves_early(d, k, v):
    if k in d:
        d[k] = d[k] * v
        return v
    if k > 3:
        return d[0]
    d[k] = v * v
    return 1.0


def dict_in_one_arm(x):
    d, s = {0: x, 1: 2.0}, 0.0
    for i in range(6):
        s = s * 0.5 + leaves_early(d, i % 5, x + i) * d[i % 3 if i > 2 else 0]
    return s + sum(v * k for k, v in d.items())


def counted(d, k, v):
    d[k] = d.get(k, 0.0) + v


def taken_from(d, k):
    return d.pop(k, 1.0) if len(d) > 1 else 0.5


def both_dicts(a, b, k):
    counted(a, k, b.get(k, 2.0) * a[0])
    b[k] = b[0] + a[k]
    c = b[k] * 0.5
    del a[0]
    a[0] = c


def dict_in_a_loop(x):
    d = {}
    for i in range(6):
        counted(d, i % 3, x * i)
    before = sum(d.values())
    counted(d, 1, before * x)
    s = 0.0
    for k in (1, 7, 0, 2):
        s = s * 0.5 + taken_from(d, k) * x
    return s * before + d.get(2, 0.0)


def two_dicts(x):
    a, b = {0: x, 1: x * x}, {0: 1.5}
    for k in range(3):
        both_dicts(a, b, k)
        both_dicts(b, a, 2 - k)
    return a[0] * b[0] + a[1] + b[2]


def one_dict_twice(x):
    a = {0: x, 1: x * x}
    both_dicts(a, a, 0)
    both_dicts(a, a, 1)
    return a[0] * a[1]


def rows_in_a_dict(x):
    row = [x, 1.0]
    d, other = {0: row, 1: [2.0, x]}, [x, x]
    for i in range(2):
        d[i][0] = d[i][0] * x
        put_row(d, i, other, x)
    other[0] = other[0] * 2
    return d[0][0] * d[0][1] + d[1][0] + other[1] * row[0]


def put_row(d, k, row, v):
    d[k][1] = d[k][1] * v
    if k:
        d[k] = row
    d[0][0] = d[0][0] + v


class Unlike:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        if self.v * other.v > 6:
            raise ValueError
        return self.v < other.v


def heap_that_fails_halfway(x):
    h = [Unlike(x), Unlike(2.0)]
    s = 0.0
    try:
        heapq.heappush(h, Unlike(1.0))
        heapq.heappush(h, Unlike(9.0))
    except ValueError:
        s = x * len(h)
    g = [x, 1 + 2j]
    try:
        heapq.heappush(g, x * 1j)
    except TypeError:
        s = s * len(g)
    return s * h[0].v + h[-1].v * g[0]


def rows_added(h, v):
    h.append((v, v * v))
    h[0] = (h[0][0] * 2, h[-1][1])


def list_of_tuples(x):
    h = [(x, 1.0)]
    for i in range(3):
        rows_added(h, x * i)
    return h[0][0] * h[0][1] + sum(a * b for a, b in h)


def array_in_a_loop(x):
    h = np.array([x, x * x, 1.0])
    v = h.copy()
    for i in range(3):
        added(h, i, x * v[i])
        spread(h, v)
    return h @ v + x * h[0]


def part_of_an_array(x):
    h = np.array([[x, x * x], [1.0, x]])
    for i in range(2):
        added(h[i], 1, x)
        doubled(h[:, i])
    return (h * h).sum()


def rows(x):
    h = [[x, 1.0], [x * x, x]]
    for row in h:
        added(row, 0, x)
        doubled(row)
    return h[0][0] * h[1][0] + h[1][1]


PROGRAMS = [
    in_a_loop,
    two_of_them,
    one_twice,
    read_in_between,
    taken_out,
    recursive,
    heap,
    heap_until_it_is_empty,
    heap_that_fails_halfway,
    list_of_tuples,
    in_one_arm,
    relaxed,
    dict_in_one_arm,
    dict_in_a_loop,
    two_dicts,
    one_dict_twice,
    rows_in_a_dict,
    array_in_a_loop,
    part_of_an_array,
    rows,
]


def slope(f: Callable[[float], float], x: float) -> float:
    return float(differences(lambda v: f(float(v[0])), np.array([x]))[0])


@pytest.mark.parametrize("f", PROGRAMS)
def test_what_functions_change_has_its_gradient(f):
    x, expected = 0.7, slope(f, 0.7)
    y, back = zg.pullback(f, x)
    assert y == f(x)
    assert_allclose([back(1.0)[0], back(2.0)[0] / 2, back(1.0)[0]], expected, rtol=1e-7)
    with options(specialise=False):
        assert_allclose(zg.gradient(f, x)[0], expected, rtol=1e-7)


SECOND = [
    *(in_a_loop, read_in_between, taken_out, array_in_a_loop, in_one_arm),
    *(dict_in_one_arm, dict_in_a_loop),
]


@pytest.mark.parametrize("f", SECOND)
def test_so_have_second_derivatives(f):
    def first(x):
        return zg.gradient(f, x)[0]

    expected = slope(first, 0.7)
    assert_allclose([zg.hvp(f, 0.7, 1.0), zg.gradient(first, 0.7)[0]], expected, rtol=1e-6)


def test_what_is_handed_over_is_written_to():
    whole, bars = [1.0, 2.0], np.array([1.0, 2.0])
    assert taken_list(whole, 2, 0.0) is whole
    assert taken_list(None, 2, 0.0) == [0.0, 0.0]
    assert taken(bars, (2,)) is bars
    for other in (np.array([1, 2]), bars[:1], np.broadcast_to(1.0, 2)):
        found = taken(other, (2,))
        assert found is not other
        assert found.dtype == float
        assert found.shape == (2,)
    assert taken(bars, (2,), complex).dtype == complex


@pytest.mark.parametrize("given", [[1.0, 2.0], np.array([1.0, 2.0])])
def test_nothing_is_copied_for_a_call(given):
    text = zg.show_adjoint(added, given, 0, 1.0)
    assert "taken" in text
    assert "owned" not in text
    assert "owned" not in zg.show_adjoint(in_one_arm, 0.7)
    text = zg.show_adjoint(leaves_early, {0: 1.0}, 0, 1.0)
    assert "drop_key" in text
    assert "with" not in text


@pytest.mark.parametrize("f", [relaxed, taken_out, dict_in_a_loop])
def test_nor_is_it_along_a_direction(f):
    found = gradient_push(f, (0.7,))
    assert isinstance(found, Push)
    expected = slope(lambda x: zg.gradient(f, x)[0], 0.7)
    names = []
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, _: names.append(frame.f_code.co_name) if event == "call" else None)
    try:
        dot = found.run((1.0,))[1][0]
    finally:
        sys.setprofile(before)
    assert dot == pytest.approx(expected, rel=1e-6)
    assert len(names) > 5
    assert {"owned_list", "without_key"}.isdisjoint(names)


def test_dicts_that_are_given_are_read_alone():
    def given(d, v):
        counted(d, "a", v)
        return counted(d, "b", v) or d

    d = {"a": 1.0, "b": 2.0}
    _, back = zg.pullback(given, d, 0.5)
    seed = {"a": 3.0, "b": 5.0}
    assert back(seed) == ({"a": 3.0, "b": 5.0}, 8.0)
    assert back(seed) == ({"a": 3.0, "b": 5.0}, 8.0)
    assert back(seed)[0] is not seed
    assert seed == {"a": 3.0, "b": 5.0}


def test_what_others_hold_is_copied_by_the_caller():
    def held(h, i):
        added(h, i, 2.0)
        return h

    h = [0.7, 1.3]
    _, back = zg.pullback(held, h, 0)
    seed = [1.0, 2.0]
    assert back(seed)[0] == [1.0, 2.0]
    assert back(seed)[0] is not seed
    assert seed == [1.0, 2.0]
