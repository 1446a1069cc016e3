"""Arrays of objects: of numbers, containers, functions and objects."""

import copy

import numpy as np

from tests.corpus.registry import program

X = np.array([1.3, 0.7, 2.1])


class P:
    """A number with operators."""

    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return P(self.v + other.v)

    def __mul__(self, other):
        return P(self.v * (other.v if isinstance(other, P) else other))

    def __rmul__(self, other):
        return P(self.v * other)


@program((X,))
def squares_summed(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)
    return np.sum(a * a) * a[0]


@program((X,))
def written_through_the_transpose(x):
    a = np.empty((2, 2), dtype=object)
    for i in range(2):
        for j in range(2):
            a[i, j] = x[i] * x[j + 1]
    b = a.T
    b[0, 1] = b[1, 0] * x[0]
    return a[1, 0] * a[0, 1] + b[1, 1] ** 2


@program((X,))
def dicts_through_a_reversed_view(x):
    a = np.array([{"v": x[0]}, {"v": x[1]}, {"v": x[2]}])
    b = a[::-1]
    b[0] = {"v": x[0] * x[1]}
    a[1]["v"] = a[1]["v"] * 2
    t = 0.0
    for k, d in enumerate(a):
        t = t + d["v"] ** (k + 1)
    return t * b[0]["v"]


@program((X,))
def objects_taken_twice_and_added(x):
    a = np.array([P(x[0]), P(x[1]), P(x[2])])
    b = a[[0, 0, 2]]
    b[1] = P(x[1] ** 2)
    c = a + b
    return c[0].v * c[1].v + (2.0 * c)[2].v


@program((X,))
def elements_moved_and_augmented(x):
    a = np.empty(3, dtype=object)
    a[:] = [0.0, 1.0, 2.0]
    a[:] = np.array([x[2], x[0], x[1]], dtype=object)
    a[0] = a[1]
    a[1] += x[2]
    return sum(v * v for v in a) + a[0]


@program((X,))
def rows_as_numbers(x):
    a = np.array([x[:2], x[1:]], dtype=object)
    return np.sum(a.astype(float) ** 2) + a[0, 1] * a[1, 0]


@program((X,))
def arrays_and_lists_in_an_array(x):
    a = np.empty(2, dtype=object)
    a[0] = x[:2] * 2
    a[1] = [x[2], x[0]]
    a[0][1] = a[1][0] * 3
    b = a.copy()
    b[1] = 5.0
    b[0][0] = x[1]
    return np.sum(a[0]) * a[1][1] + b[1]


@program((X,))
def with_none_among_them(x):
    a = np.array([x[0], None, x[2]], dtype=object)
    return sum(v for v in a if v is not None) ** 2 + len([v for v in a.tolist() if v is None])


@program((X,))
def rows_walked_and_written(x):
    a = np.array([[x[0], x[1]], [x[2], 1.0]], dtype=object)
    t = 0.0
    for row in a:
        for v in row:
            t = t + v * v
        row[0] = t
    return t + a[1, 0] * a.reshape(-1)[0] + a.ravel()[3]


@program((X,))
def written_by_a_function(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)

    def work(b, k):
        b[k] = b[k] * b[k - 1]
        return b[k]

    t = 0.0
    for k in range(3):
        t = t + work(a, k)
    return t


@program((X,))
def converted_and_written(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)
    b = np.asarray(a, dtype=float)
    b[0] = 3.0 * b[1]
    return np.sum(b * b) + a[0]


@program((X,))
def one_object_twice(x):
    o = {"a": np.array([P(x[0]), P(x[1])], dtype=object)}
    o["a"][0].v *= x[2]
    o["a"][1] = o["a"][0]
    o["a"][1].v += 1.0
    return o["a"][0].v * o["a"][1].v


@program((X,))
def functions(x):
    a = np.array([lambda v: v * x[0], lambda v: v + x[1]])
    return a[0](x[2]) * a[1](x[0])


@program((X,))
def filled(x):
    a = np.full(3, x[0], dtype=object)
    a[1] = x[1]
    return a[0] * a[1] * a[2]


@program((X,))
def unpacked_zipped_and_listed(x):
    a = np.array([x[0], x[1]], dtype=object)
    u, v = a
    first, second = list(a), tuple(a)
    z = [p * q for p, q in zip(a, reversed(a))]
    return u * v + first[0] * second[1] + sum(z) + max(a)


@program((X,))
def zeros_of_objects(x):
    a = np.zeros(3, dtype=object)
    for i in range(3):
        a[i] += x[i] ** 2
    return a.sum() * np.sum(a[1:])


@program((X,))
def written_by_a_mask(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)
    a[a > 1] = x[1]
    return np.sum(a)


@program((X,))
def copies(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)
    numbers = a.astype(np.float64)
    return np.linalg.norm(numbers) + np.exp(numbers).sum() + copy.copy(a)[0] + copy.deepcopy(a)[1]


@program((X,))
def numbers_as_objects(x):
    a = x.astype(object)
    b = a[a > 1]
    return a[0] ** 2 * a[1] + b[0] * b[1]


@program((X,))
def moved_within_itself(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)
    a[0], a[1] = a[1], a[0]
    a[:2] = a[1:]
    a[::2] = a[::-2]
    return a[0] * 2 + a[1] * 3 + a[2]


@program((X,))
def one_place_written_twice(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)
    a[[0, 0]] = x[1]
    return a[0] * a[2]


@program((X,))
def rearranged_by_functions(x):
    a = np.array([x[0], x[1], x[2]], dtype=object)
    b, c, d, e, f = np.repeat(a, 2), np.tile(a, 2), np.roll(a, 1), np.flip(a), np.take(a, [2, 0, 0])
    g = np.broadcast_to(a, (2, 3))
    return b[1] * c[4] + d[0] * e[0] + f[1] * f[2] * f[0] + g[0, 1] * g[1, 1]


def sum_of_unpacked(p, q, r):
    return p * q + r


@program((X,))
def view_unpacked_into_arguments(x):
    a = np.array([[x[0], 1.0], [x[1], 2.0], [x[2], 3.0]], dtype=object)
    column = a[::-1, 0]
    column[0] = x[0] * x[1]
    p, q, r = column
    return sum_of_unpacked(*column) * p + [*a[1], q * r][2]


@program((X,))
def view_unpacked_in_a_generator(x):
    a = np.array([[x[0], x[1], x[2]], [1.0, 2.0, 3.0]], dtype=object)

    def sums():
        for row in (a[0], a[0, ::-1]):
            yield sum_of_unpacked(*row)

    return sum(sums()) * a[0, 1]
