"""Items that one expression reads twice: between the reads nothing may have changed, or something did."""

import math

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0, 0.25])
M = np.arange(6.0).reshape(2, 3) / 4 - 0.6


@program((V, 2), (V.astype(np.float32), 1), (np.array([3, 1, 2, 5]), 0))
def square_and_cube_of_an_item(v, i):
    return v[i] * v[i] + v[i] ** 2 * v[i] * v[i - 1] * v[i - 1]


@program((V, 2.0))
def written_between_the_reads(v, x):
    y = v * 1.0

    def put(value):
        y[1] = value * x
        return value

    return y[1] * put(y[0] * y[0]) * y[1] * y[1]


@program((V, 2.0))
def written_by_a_callee_between_the_reads(v, x):
    y = v * x
    return y[1] * _doubled_in_place(y, 1) * y[1]


def _doubled_in_place(y, i):
    y[i] *= 2.0
    return y[i] * y[i]


@program((V, 2.0))
def index_rebound_between_the_reads(v, x):
    i = 0
    return v[i] * v[i] * v[(i := i + 1)] * v[i] * v[i] * x


@program((V, M))
def array_rebound_between_the_reads(v, m):
    y = v
    return y[1] * y[1] * (y := m[0])[1] * y[1] * y[1]


@program((M, 1), (M, 0))
def rows_are_views(m, i):
    a = m * 1.0
    row = a[i]
    a[i][0] = row[1] * row[1] * a[i][1]
    return a[i][0] * row[0] * row[0] + a[i, 2] * a[i, 2] * a[i][2]


@program((1.5, 0.5))
def items_of_lists_and_tuples(x, y):
    xs, pair = [x, y, x * y], (x + y, x - y)
    total = xs[0] * xs[0] + pair[1] * pair[1] * pair[1]
    xs[0] = xs[0] * xs[0] * y
    return total * xs[0] * xs[0]


@program((1.5, 2))
def list_that_shrinks_between_the_reads(x, n):
    xs = [x, x * 2, x * 3, x * 4]
    return xs[-1] * xs.pop() * xs[-1] * xs.pop() * xs[-1] * xs[-1] * n


@program((V, 0.5))
def reads_in_both_arms_and_after(v, x):
    total = 0.0
    for i in range(len(v)):
        if v[i] > x and v[i] * v[i] > 1:
            total = total + v[i] * v[i]
        elif v[i] < 0:
            v[i] * v[i]
            total = total - v[i] * v[i - 1] * v[i]
        total += v[i] * v[i] * x
    return total


class Counting:
    """Each read of an item gives more."""

    def __init__(self, value):
        self.value = value
        self.count = 0

    def __getitem__(self, i):
        self.count = self.count + 1
        return self.value * self.count + i


@program((1.5,))
def reads_that_count(x):
    c = Counting(x)
    return c[1] * c[1] * c[1]


@program((V, 1.5))
def conditional_reads(v, x):
    return v[0] * (v[0] if x > 1 else v[1]) * (v[1] and v[1]) * v[1] + math.sin(v[2]) * v[2]


@program((np.array([1.0 + 2.0j, 0.5 - 1.0j]), 1))
def complex_items(z, i):
    return (z[i] * z[i] * z[i - 1] * z[i - 1]).real


@program((V, True), (V, False))
def one_and_true_are_no_equal_indices(v, flag):
    return v[1] * v[1] + np.sum(v[True]) * v[1] + v[int(flag)] * v[1]
