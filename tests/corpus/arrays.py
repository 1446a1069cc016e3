"""Arrays read only: arithmetic with broadcasting, indexing of every kind, methods, attributes."""

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])
M = np.arange(6.0).reshape(2, 3) / 4 - 0.6
T = np.arange(24.0).reshape(2, 3, 4) / 10 - 1.05


@program((V, 2.0), tags="analytic")
def array_times_scalar(v, x):
    return (v * x + x / 3 - x) * v


@program((M, V), tags="analytic")
def row_broadcast(m, v):
    return m * v + v / (m + 5)


@program((M, np.array([[2.0], [3.0]])))
def column_broadcast(m, c):
    return (m - c) ** 2 * c


@program((M[:1], np.array([[2.0], [3.0]]), 4.0))
def broadcast_of_both(row, column, x):
    return row * column**2 + x * row


@program((V, np.ones((1, 1, 3)), np.array(2.0)))
def broadcast_of_ranks(v, t, zero):
    return (v * t + zero) * zero


@program((M, V))
def matrix_products(m, v):
    return m @ v, v @ m.T, m @ m.T, v @ v


@program((T, np.ones((4, 2)) / 3))
def batched_matrix_product(t, w):
    return t @ w


@program((V, 2.0))
def powers(v, x):
    return v**2 + x**v + (v * v + 1) ** x + v**0


@program((V,))
def unary_and_negative_power(v):
    return -v + +(v**-2) + abs(v) * 3


@program((V, 3.0))
def comparisons_make_masks(v, x):
    return v * (v > 0) + x * (v <= 0) * v**2


@program((V,))
def integer_indices(v):
    return v[0] * v[-1] + v[1] ** 2


@program((M,))
def index_pairs(m):
    return m[0, 1] * m[1, -1] + m[1][2] * m[0, 0]


@program((T,))
def slices(t):
    return t[0, 1:, ::2] * 2, t[..., 1] ** 2, t[:, -1], t[::-1, 0, 3]


@program((M,))
def new_axes(m):
    return m[:, None, :] * m[None, 0, :, None], m[np.newaxis]


@program((V,))
def boolean_mask(v):
    return v[v > 0] ** 2, v[np.array([False, False, False])]


@program((M,))
def mask_of_a_matrix(m):
    return (m[m > 0] ** 3).sum() + m[[True, False]] * 2


@program((V, np.array([0, 2, 2, 0, 2])))
def fancy_index_with_repeats(v, index):
    return v[index] * np.arange(1.0, 6.0)


@program((M, [0, 1, 1], [2, 0, 0]))
def paired_fancy_indices(m, rows, columns):
    return m[rows, columns] ** 2 * np.array([1.0, 10.0, 100.0])


@program((T,))
def fancy_mixed_with_slices(t):
    return t[:, [0, 0, 2], 1:3], t[[1, 1], :, 0], t[0, :, [1, 2]]


@program((M,))
def index_of_an_index(m):
    return m[1:][0, ::2][1] * m[:, 1][0]


@program((M, 1), (M, -2))
def index_computed_at_run_time(m, k):
    return m[0, k] * m[1, k - 1] + m[:, k].sum()


@program((M,))
def transposes(m):
    return m.T @ m, m.transpose(1, 0)[2] * m.T[0]


@program((T,))
def reductions(t):
    return t.sum(), t.sum(axis=1), t.mean(axis=(0, 2)), t.sum(axis=-1, keepdims=True) * t


@program((T,))
def more_reductions(t):
    return t.max(), t.min(axis=0), t.prod(axis=2), t.var(), t.std(axis=1)


@program((T,))
def shape_methods(t):
    a = t.reshape(6, 4)
    b = t.reshape((4, -1))
    return a[0] * b[:, 1], t.ravel()[::5], t.flatten()[3], t[:1].squeeze() ** 2, t.swapaxes(0, 1)


@program((V,))
def other_methods(v):
    w = v.copy()
    return w.dot(v), v.cumsum(), v.clip(-1, 1), v.astype(float) * 2, v.repeat(2), v.item(1)


@program((M,))
def attributes(m):
    return m * m.shape[0] + m.size - m.ndim, m.real * 2, m.flat[1]


@program((M, V))
def mean_squared_error(m, v):
    residual = m @ v - np.array([1.0, 2.0])
    return (residual**2).mean()


@program((V,))
def branches_on_array_values(v):
    if v[0] > 0 and (v < 5).all():
        y = v * 3
    else:
        y = v
    if y.sum() > 100:
        y = y * y
    return y.max() * v[1]


@program((np.array(2.0), 3.0))
def zero_dimensional(a, x):
    return a * x + a**2, a * a


@program((V,), (np.array([]),))
def empty_arrays(v):
    return (v * 2).sum() + (v[:0] ** 2).sum()


@program((V, 2), (V, 0))
def accumulator_that_starts_as_zero(v, n):
    s = 0
    for i in range(n):
        s = s + v * (i + 1)
    return s * v


@program((np.eye(3) + 0.1, V, 3), (np.eye(3), V, 0))
def recurrent(w, x, n):
    h = np.zeros(3)
    for t in range(n):
        h = np.tanh(w @ h + x * t)
    return h @ x


@program(([V, V * 2, V + 1],))
def list_of_arrays(arrays):
    total = arrays[0]
    for a in arrays[1:]:
        total = total * a
    return total


@program((V.astype(np.float32), 2.0))
def single_precision(v, x):
    return v * x + v * v


@program((V + 1j * V[::-1],))
def complex_array(z):
    return z * z + np.conj(z) * 3, (z * z.conj()).real.sum()


@program((V, V * 1j))
def real_with_complex(v, z):
    return (v * z + z**2).imag


@program((M,))
def iterate_rows_and_stack(m):
    rows = [row * (i + 1) for i, row in enumerate(m)]
    return np.stack(rows) @ rows[0]


@program((V,), tags="raises")
def shapes_that_do_not_match(v):
    return v + v[:2]


@program((V,), tags="raises")
def index_beyond_the_end(v):
    return v[1] * v[7]


@program((np.array(1.5), 0.5), (np.array(-0.5), 2.0))
def rank_zero_arrays_changed_in_place(a, x):
    total = np.array(0.0)
    alias = total
    total += a
    alias *= x
    alias[()] = alias * x + a
    total **= 2
    return float(total) * x + float(alias)


@program((V,), tags="analytic")
def log_sum_exp_from_the_largest(v):
    largest = v[2]
    return largest * largest + np.log(np.sum(np.exp(v - largest)))


@program((V,))
def sum_of_powers_beside_what_else_reads_them(v):
    largest = np.max(v)
    distances = v - largest
    powers = np.exp(distances)
    total = np.sum(powers)
    return total * total * largest + distances[0] * distances[1], np.sum(powers / total * v)


@program((V,))
def sum_of_powers_that_change_later(v):
    first = v[0]
    powers = np.exp(v - first)
    total = np.sum(powers)
    powers[1] = 0.0
    powers *= first
    return total * total + np.sum(powers) * total


@program((V, np.array([True, False, True])))
def sum_of_some_powers(v, mask):
    first = v[0]
    return first * np.sum(np.exp(first - v), where=mask) + np.sum(np.exp(v - first), keepdims=True)[0]


@program((V,), (-V,))
def sums_of_powers_in_a_loop_and_a_branch(v):
    base, total = v[1], 0.0
    for i in range(3):
        distances = v - base if base > 0 else v + base
        powers = np.exp(distances)
        total = total + np.sum(powers) * base
        base = 0.1 * base * total
    return total
