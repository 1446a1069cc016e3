"""Functions and methods of NumPy that write into an array: `out=`, `copyto`, `put`, `fill`, `sort`, `at`."""

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0, 0.25])
W = np.array([1.25, 0.75, -0.5, 3.0])
M = np.arange(6.0).reshape(2, 3) / 4 - 0.6
S = np.array([[1.5, 0.5, -0.25], [0.75, -1.0, 2.0], [0.1, 0.4, 0.9]])
Z = np.array([0.5 + 1.0j, -1.5 + 0.25j, 2.0 - 0.5j])

# ------------------------------------------------------------------------------ ufuncs with out=


@program((V, 2.0))
def out_of_a_product_and_its_result(v, x):
    y = np.empty(4)
    z = np.multiply(v, x, out=y)
    y[0] = 7.0
    return z * y * v


@program((V, W))
def out_given_by_position_and_in_a_tuple(v, w):
    y, z = np.zeros(4), np.zeros(4)
    np.multiply(v, w, y)
    np.sin(y, z)
    np.subtract(z, v, out=(y,))
    return y * z


@program((V, W))
def out_is_an_operand(v, w):
    y = v * 1.0
    np.multiply(y, w, out=y)
    np.exp(y, out=y)
    np.subtract(w, y, out=y)
    np.multiply(y, y, out=y)
    return y * v


@program((V, W))
def out_overwrites_what_a_product_needs(v, w):
    y, u = v * 1.0, w * 1.0
    z = y * u
    np.add(v, w, out=y)
    np.negative(v, out=u)
    return z * y * u


@program((V, W))
def inactive_out_overwrites_what_a_product_needs(v, w):
    factors = np.ones(4)
    mask = np.array([True, False, True, True])
    a = v * factors + np.where(mask, w, v)
    np.add(factors, 2.0, out=factors)
    np.logical_not(mask, out=mask)
    b = w * factors * np.where(mask, v, 1.0)
    np.greater(v, 0.3, out=mask)
    np.multiply(factors, 2, factors)
    return a * b + np.where(mask, a, w) * factors


@program((V,))
def out_shifts_within_itself(v):
    y = v * 2.0
    np.add(y[1:], y[:-1], out=y[1:])
    np.multiply(y[:-1], v[1:], out=y[1:])
    return y * v


@program((V, 2.0))
def out_through_an_alias_and_a_view(v, x):
    y = v * 3.0
    z, tail = y, y[1:]
    a = y[2] * x
    np.multiply(z, x, out=z)
    np.add(tail, a, out=tail)
    np.sin(tail[::-1], out=y[:3])
    return y * z * v + tail[0]


@program((M, 2.0))
def out_through_transpose_and_reshape(m, x):
    y = np.zeros((3, 2))
    np.multiply(m, x, out=y.T)
    np.add(y.reshape(6)[:3], m[0], out=y.reshape(-1)[::2])
    np.cos(m[:, 0], out=y[1])
    return y * m.T


@program((V, 3), (V, 0))
def out_in_a_loop(v, n):
    old, new = v * 1.0, np.empty(4)
    scratch = np.empty(4)
    for k in range(n):
        np.multiply(old, v, out=scratch)
        np.add(scratch, k, out=new)
        np.tanh(new, out=new)
        old, new = new, old
    return old * v


@program((V, M[:, :1]))
def out_is_larger_than_the_operands(v, column):
    y = np.ones((2, 4))
    np.add(v, 1.0, out=y)
    np.multiply(y, column, out=y)
    z = np.empty((3, 4))
    np.sin(v, out=z)
    return y.sum() * z


@program((V, 0.5))
def out_of_single_precision(v, x):
    y = np.zeros(4, np.float32)
    w = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
    wide = np.zeros(4)
    np.multiply(w, np.float32(2), out=wide)
    np.multiply(v, x, out=wide)
    np.add(w, w, out=y)
    return wide * y


@program((np.array([1.0, 2.0, 3.0], np.float32), 0.5))
def single_precision_argument_into_double(v, x):
    wide = np.zeros(3)
    np.multiply(v, v, out=wide)
    narrow = np.zeros(3, np.float32)
    np.multiply(wide, x, out=narrow, casting="same_kind")
    return narrow * v + wide[0]


@program((V, np.array([1, 2, 3, 4])))
def integer_out_casts(v, counts):
    y = np.arange(4)
    np.add(counts, 1, out=y)
    kept = v * y
    np.multiply(y, 3, out=y)
    return kept + v * v * y


@program((V,), tags="raises")
def floats_into_an_integer_out(v):
    y = np.zeros(4, int)
    np.multiply(v, 2.0, out=y)
    return y * v


@program((V,), tags="raises")
def out_of_a_wrong_shape(v):
    y = np.zeros(3)
    np.multiply(v, 2.0, out=y)
    return y


@program((V, M), tags="raises")
def operands_that_do_not_fit_with_out(v, m):
    y = np.zeros((2, 3))
    np.add(m, v, out=y)
    return y


@program((V,), tags="raises")
def out_that_cannot_be_written(v):
    y = np.broadcast_to(np.zeros(4), (2, 4))
    np.add(v, v, out=y)
    return y


@program((V, 2.0), tags="writes-arguments")
def out_is_an_argument(v, x):
    a = v[1] * x
    np.multiply(v, x, out=v)
    np.add(v[1:], a, out=v[1:])
    return (v * a).sum()


@program((V, np.zeros(4), 2.0), tags="writes-arguments")
def out_is_another_argument_and_returned(v, y, x):
    z = np.add(v, x, out=y)
    np.multiply(z, v, out=z)
    return z


def scaled(v, x, out=None):
    return np.multiply(v, x, out=out)


@program((V, 2.0))
def out_that_may_be_none(v, x):
    y = scaled(v, x)
    z = scaled(y, x, out=y)
    w = np.add(z, v, out=None)
    return w * y


@program((V, 2.0), (-V, 2.0))
def out_chosen_in_a_branch(v, x):
    y, z = v * 1.0, v * x
    target = y if v[0] > 0 else z
    np.sin(v, out=target)
    if v[1] > 0:
        np.multiply(y, z, out=z)
    return y * z


@program((V, 2.0))
def function_chosen_at_run_time_with_out(v, x):
    y = np.empty(4)
    for f in (np.add, np.multiply):
        f(v, x, out=y)
        v = v * y
    return v


@program((Z, 2.0))
def complex_out_of_real_and_complex_operands(z, x):
    y = np.zeros(3, complex)
    np.multiply(z, x, out=y)
    np.conjugate(y, out=y)
    np.add(y.real, z.imag, out=y.imag)
    np.absolute(z, out=y.real)
    return y * z


@program((V, 2.0))
def powers_and_quotients_into_one_operand(v, x):
    y = v * v + 1.0
    np.power(y, x, out=y)
    np.divide(v, y, out=y)
    np.maximum(y, v, out=y)
    np.clip(y, -0.5, 0.6, out=y)
    return y


@program((np.array(0.5), np.array(2.0)))
def out_of_rank_zero(a, b):
    y = np.zeros(())
    np.multiply(a, b, out=y)
    z = np.exp(y, out=y)
    return z * y * a


@program((np.array(0.5), np.array(2.0)))
def places_of_rank_zero(a, b):
    y = np.zeros(())
    np.putmask(y, b > 1.0, a * a)
    np.place(y, b > 3.0, b)
    z = np.ones(())
    np.put(z, [0], a * b)
    np.place(z, z > 0.0, np.array([1.0, 2.0]) * y)
    return z * y * b


# ------------------------------------------------------------------------------ out= with where=


@program((np.array([0.5, 0.0, 2.0, -0.25]), W))
def quotient_where_it_exists(a, b):
    y = np.ones(4)
    np.divide(b, a, out=y, where=[True, False, True, True])
    return y * b


@program((V, W))
def where_keeps_what_was_there(v, w):
    y = v * w
    z = np.add(y, v, out=y, where=v > 0)
    np.log(w, out=y, where=w > 0)
    return z * y


@program((M, np.array([True, False, True])))
def where_that_broadcasts(m, mask):
    y, mask = m * 2.0, mask.copy()
    np.multiply(m[0], m[1:2], out=y, where=mask)
    np.sqrt(m, out=y, where=m > 0)
    mask[:] = False
    return y * m


@program((V, True), (V, False))
def where_is_one_truth_value(v, flag):
    y = v * 2.0
    np.exp(v, out=y, where=flag)
    return y * v


# ------------------------------------------------------------- reductions and products with out=


@program((M, 2.0))
def sums_and_means_with_out(m, x):
    y = np.zeros(3)
    np.sum(m * x, axis=0, out=y)
    z = np.mean(m, axis=0, out=y[:])
    y[0] *= x
    rows = np.empty(2)
    np.sum(m, 1, None, rows)
    np.max(m, axis=1, out=rows[::-1])
    return y * z * rows.sum()


@program((M, 2.0))
def methods_with_out(m, x):
    y, rows = np.zeros(3), np.empty((2, 3))
    m.sum(axis=0, out=y)
    (m * x).cumsum(axis=1, out=rows)
    rows.clip(-1.0, 1.0, out=rows)
    m.dot(rows.T).sum(axis=1, out=y[:2])
    return y.sum() * rows


@program((S, M))
def products_with_out(s, m):
    y = np.empty((2, 3))
    np.dot(m, s, out=y)
    z = np.matmul(y, s, out=np.zeros((2, 3)))
    np.matmul(z, s, out=z)
    np.cumsum(y, axis=1, out=y)
    np.outer(m[0], s[1], out=s[:, :].copy())
    return y * z


@program((M, 2.0))
def joined_and_taken_with_out(m, x):
    y = np.empty((4, 3))
    np.concatenate((m, m * x), out=y)
    z = np.empty((2, 3))
    np.take(y, [3, 0], axis=0, out=z)
    np.stack((m[0], m[1] * x), out=z[::-1])
    return z * y[1:3]


@program((np.array([1.0, 2.0, 3.0], np.float32),))
def sum_of_single_precision_in_double(v):
    y = np.zeros(1)
    np.sum(v * v, axis=0, keepdims=True, out=y)
    return y * v


@program((M,), tags="raises")
def sum_into_a_wrong_shape(m):
    y = np.zeros(2)
    np.sum(m, axis=0, out=y)
    return y


@program((M, S), tags="raises")
def dot_into_an_array_of_another_dtype(m, s):
    y = np.zeros((2, 3), np.float32)
    np.dot(m, s, out=y)
    return y


@program((M,))
def positions_written_into_an_index(m):
    where = np.zeros(3, np.intp)
    first = m[where, [0, 1, 2]]
    np.argmax(m, axis=0, out=where)
    second = m[where, [0, 1, 2]]
    np.argmin(m, axis=0, out=where)
    return first * second + m[where, [2, 1, 0]]


# ------------------------------------------------------------------------- copyto, fill, put, ...


@program((V, 2.0))
def copyto_from_arrays_and_numbers(v, x):
    y = np.zeros(4)
    np.copyto(y, v * x)
    a = y[1] * y[2]
    np.copyto(y[:2], x)
    np.copyto(y[2:], y[:2] * v[0])
    return y * a * v


@program((M, np.array([1.0, 2.0, 3.0])))
def copyto_with_broadcast_and_where(m, v):
    y = m * 2.0
    np.copyto(y, v, where=m > 0)
    np.copyto(y.T, m[:, 0] * v[0], where=[[True], [False], [True]])
    np.copyto(y, v[1], where=False)
    return y * m


@program((V, 2.0))
def copyto_within_itself(v, x):
    y = v * x
    np.copyto(y[1:], y[:-1])
    np.copyto(y, y)
    np.copyto(y, y[::-1], where=v > 0)
    return y * v


@program((V, 2.6))
def copyto_into_integers(v, x):
    y = np.arange(4)
    kept = v * y
    np.copyto(y, v * x, casting="unsafe")
    return kept + y * v


@program((V,), tags="raises")
def copyto_refuses_to_round(v):
    y = np.arange(4)
    np.copyto(y, v)
    return y * v


@program((V, M), tags="raises")
def copyto_of_a_wrong_shape(v, m):
    y = m * 1.0
    np.copyto(y, v)
    return y


@program((V, 2.0), tags="writes-arguments")
def copyto_into_an_argument(v, x):
    a = v[0] * v[1]
    np.copyto(v, x * a, where=v < 0)
    np.copyto(v[:2], v[2:])
    return (v * a).sum()


@program((V, 2.0))
def fill_of_arrays_and_views(v, x):
    y = v * 1.0
    a = y * y
    y[1:3].fill(x * v[0])
    z = np.empty((2, 2))
    z.fill(x)
    z.T[0].fill(v[3])
    counts = np.zeros(4, int)
    counts.fill(x * 1.6)
    return a * y * z.sum() + counts * v


@program((V, 2.0), tags="writes-arguments")
def fill_of_an_argument(v, x):
    a = v.sum()
    v.fill(x * a)
    return v @ v


@program((V, 2))
def fill_in_a_loop(v, n):
    y, total = np.empty(4), 0.0
    for k in range(n):
        y.fill(v[k] * v[k + 1])
        total = total + y * v
        y[k] = v[0]
        total = total * y
    return total


@program((V, np.array([3.0, -2.0])))
def put_with_repeats_and_cycles(v, w):
    y = v * 2.0
    np.put(y, [0, 2, 0], w)
    y.put([1, -1], v[:2] * w[0])
    np.put(y, 3, w[1] * y[3])
    return y * v


@program((M, V))
def put_into_rows_columns_and_transposes(m, v):
    y = m * 1.0
    np.put(y, [7, 9, 1], v, mode="wrap")
    np.put(y.T, [1, 2], v[2:] * y[0, 0], "clip")
    y[:, ::2].put([3, 0], v[1])
    return y * m


@program((V,), tags="raises")
def put_out_of_bounds(v):
    y = v * 2.0
    np.put(y, [0, 4], v[:2])
    return y


@program((M, V))
def place_and_putmask(m, v):
    y, z = m * 1.0, m * 2.0
    np.place(y, m > -0.4, v)
    np.putmask(z, m > -0.4, v)
    np.putmask(z.T, z.T > 0, y.T)
    np.place(y, m > 10, v[:1])
    return y * z


@program((V, 2.5))
def put_into_integers(v, x):
    y = np.arange(4)
    np.put(y, [0, 1], v[2:] * x)
    np.fill_diagonal(y.reshape(2, 2), x * v[0])
    return y * v


@program((V,), tags="raises")
def putmask_refuses_to_round(v):
    y = np.arange(4)
    np.putmask(y, y > 2, v)
    return y * v


@program((S, V, 2.0))
def diagonals_filled(s, v, x):
    y = s * 2.0
    a = y.trace()
    np.fill_diagonal(y, x * a)
    z = np.ones((4, 3)) * v[0]
    np.fill_diagonal(z, v[:2], wrap=True)
    np.fill_diagonal(y[::-1], v)
    return y * s * z.sum() + z[1:, :] @ s


@program((M, V))
def put_along_an_axis(m, v):
    y = m * 1.0
    order = np.argsort(-m, axis=1)
    np.put_along_axis(y, order, m * m, axis=1)
    np.put_along_axis(y, np.array([[1, 0, 1]]), v[:3], 0)
    order[...] = 0
    return y * m


# ------------------------------------------------------------------------------- ufunc.at, sort


@program((V, np.array([0, 2, 0, 0])))
def add_at_counts_every_time(v, where):
    y, where = np.ones(3), where.copy()
    np.add.at(y, where, v)
    a = y[0] * y[2]
    np.subtract.at(y, where[:2], v[2:] * a)
    where[:] = 1
    np.add.at(y, where, v[0])
    return (y * a).sum()


@program((M, V))
def add_at_of_rows_tuples_and_masks(m, v):
    y = m * 1.0
    np.add.at(y, ([0, 1, 0], [2, 0, 2]), v[:3])
    np.add.at(y, [0, 0], v[1:])
    np.add.at(y, m > 0, v[0] * v[1])
    np.subtract.at(y[:, 0], [1, 1], y[0, :2])
    np.add.at(y, (slice(None), 1), 2.0)
    return y * m


@program((V, np.array([1, 1, 3, 0])), tags="writes-arguments")
def add_at_of_an_argument(v, where):
    np.add.at(v, where, v[0] * v)
    np.subtract.at(v[1:], [0, 0], 1.5)
    return v @ v


@program((V, 2))
def add_at_in_a_loop_under_an_alias(v, n):
    y = v * 1.0
    z = y
    for k in range(n):
        np.add.at(y, [k, k, k + 1], z[k : k + 3] * v[k])
    return y * z


@program((V, np.array([1, 2, 3, 4])))
def add_at_of_floats_to_integers(v, given):
    counts = np.zeros(4, int)
    np.add.at(counts, [0, 0], v[2] * 1.2)
    given = given * 2
    np.add.at(given, [1, 1, 2], v[2] * 0.6)
    return counts * v + given * v


@program((V, W))
def multiply_at(v, w):
    y = v * 1.0
    np.multiply.at(y, [0, 1, 0], w[:3])
    return y


@program((V,))
def inactive_at_overwrites_an_index(v):
    where = np.array([2, 0, 1, 1])
    a = v[where]
    np.add.at(where, [1], 2)
    np.maximum.at(where, [0, 1], 3)
    return a * v[where]


@program((M, V))
def partition_in_place(m, v):
    y = m * v[:3] * np.pi
    y.partition(1)
    z = y * m
    z.partition((0, 1), axis=0)
    v.copy().partition(0)
    return z * y[0] + z[::-1]


@program((V, 2.0))
def sort_in_place(v, x):
    y = v * x
    a = y * v
    y.sort()
    y[0] *= y[1]
    return y * a


@program((S, 2.0))
def sort_of_views_and_axes(s, x):
    y = s * x
    y[:, 1].sort()
    y.sort(axis=0)
    y.T[::-1].sort()
    y[2, ::-1].sort(kind="stable")
    return y * s


@program((V,), tags="writes-arguments")
def sort_of_an_argument(v):
    first = v[0] * v[1]
    v.sort()
    return v @ np.arange(1.0, 5.0) * first


@program((V,))
def inactive_sort_overwrites_an_index(v):
    where = np.array([3, 1, 2, 0])
    a = v[where]
    where.sort()
    b = v[where] * a
    where.fill(2)
    np.put(where, [0], 1)
    return b * v[where]


@program((V,))
def resize_in_place(v):
    y = v * 2.0
    y.resize((2, 2), refcheck=False)
    return y


# ----------------------------------------------------------------------- flat, real, imag, setitem


@program((M, 2.0))
def flat_is_read_and_written(m, x):
    y = m * 1.0
    y.flat[1] = x * y.flat[0]
    y.flat[2:5] = m[0] * y.flat[1]
    y.T.flat[[0, 0, 3]] += m[1]
    y.flat[y.flat[:] > 0.5] = x
    return y * m


@program((M, V))
def flat_of_an_alias_in_a_loop(m, v):
    y = m * 1.0
    z = y[:, ::2]
    for k in range(3):
        z.flat[k] *= v[k]
        y.flat[k + 1] += z.flat[3]
    y.flat[[1, 5]] = v
    return y * m


@program((M, V))
def flat_is_assigned_and_iterated(m, v):
    y = m * 1.0
    y.flat = v
    total = 0.0
    for item in y.flat:
        total = total * 0.5 + item * m[0, 1]
    return y * total


@program((Z, 2.0))
def real_and_imaginary_parts_assigned(z, x):
    y = z * x
    y.real[0] = x
    y.imag[1:] = y.real[:2] * x
    y.real *= x
    y.imag = z.real
    return y * z


@program((V, 2.0))
def real_part_of_a_real_array(v, x):
    y = v * x
    y.real[1:] = v[:3] * y[0]
    np.multiply(y.real, x, out=y)
    return y * v


# ------------------------------------------------------------------ through functions and objects


def normalise_into(source, target):
    np.divide(source, np.sum(source * source), out=target)
    return target


@program((V, 2.0))
def callee_writes_with_out(v, x):
    y = np.empty(4)
    z = normalise_into(v, y)
    normalise_into(y * x, y)
    np.copyto(normalise_into(z, z[:]), v, where=v < 0)
    return y * v


class Layer:
    def __init__(self, size):
        self.buffer = np.zeros(size)

    def forward(self, v, x):
        np.multiply(v, x, out=self.buffer)
        np.tanh(self.buffer, out=self.buffer)
        return self.buffer


@program((V, 2.0))
def buffer_of_an_object(v, x):
    layer = Layer(4)
    a = layer.forward(v, x) * v
    b = layer.forward(a, x)
    layer.buffer.fill(x)
    return a * b


@program((V, 2.0))
def buffers_in_a_list_and_a_dict(v, x):
    buffers = [np.zeros(4), np.zeros(4)]
    named = {"total": np.zeros(4)}
    for k, buffer in enumerate(buffers):
        np.multiply(v, x + k, out=buffer)
        np.add(named["total"], buffer, out=named["total"])
    np.copyto(buffers[0], named["total"], where=v > 0)
    np.add.at(named["total"], [0, 0], buffers[1][1:3])
    buffers[1].sort()
    return buffers[0] * buffers[1] * named["total"]


@program((V, 2.0))
def written_by_a_closure(v, x):
    y = np.zeros(4)

    def update(factor):
        np.multiply(v, factor, out=y)
        y[1:].fill(factor)

    update(x)
    a = y * v
    update(x * x)
    return a * y


@program(([V, W], 2.0), tags="writes-arguments")
def arrays_in_an_argument_list_written(arrays, x):
    first, second = arrays
    np.multiply(first, second, out=first)
    np.copyto(second[1:], first[:-1] * x)
    arrays[0].sort()
    return first @ second
