"""Writes into arrays: items, slices, masks, in-place operators, aliases, views, arguments."""

import operator

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0, 0.25])
M = np.arange(6.0).reshape(2, 3) / 4 - 0.6


@program((V, 3.0))
def write_an_item(v, x):
    y = v * 2
    y[1] = x * v[0]
    return y * v


@program((V, 3.0))
def write_over_what_was_used(v, x):
    y = v.copy()
    a = y[0] * y[1]
    y[0] = x
    return a * y[0] + y.sum()


@program((V, 3.0))
def write_over_what_a_product_needs(v, x):
    y = v.copy()
    z = y * y
    y[:] = x
    return z * y


@program((V, 3.0))
def add_to_an_item(v, x):
    y = np.zeros(4)
    y[2] += x * v[1]
    y[2] += v[2]
    y[0] -= x
    y[0] *= v[3]
    return y**2


@program((V, 3))
def fill_in_a_loop(v, n):
    y = np.zeros(4)
    y[0] = v[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * v[i] + v[i - 1] * n
    return y


@program((V, 3), (V, 0))
def overwrite_one_item_in_a_loop(v, n):
    y = v * 1.0
    for i in range(n):
        y[0] = y[0] * y[1] + i
        y[1] = np.sin(y[0])
    return y


@program((V, 2.0))
def write_a_slice(v, x):
    y = np.ones(6)
    y[1:5] = v * x
    y[::3] = v[:2]
    y[2:4] *= x
    return y


@program((M, 2.0))
def write_rows_and_columns(m, x):
    y = np.zeros((2, 3))
    y[0] = m[1]
    y[:, 1] = x
    y[1, ::2] += m[0, 1:] * x
    return y * m


@program((M, np.array([1.0, 2.0, 3.0])))
def write_with_broadcast(m, v):
    y = m.copy()
    y[...] = v
    y[0] += v[1]
    return y * m


@program((V, 3.0))
def write_through_a_mask(v, x):
    y = v * 1.5
    y[y < 0] = x
    y[v > 1] *= v[0]
    return y


@program((V, np.array([1.0, 2.0])))
def write_array_through_a_mask(v, values):
    y = v * v
    y[v > 0.3] = values
    return y * v


@program((V,))
def write_with_fancy_index(v):
    y = np.zeros(5)
    y[[0, 3, 1]] = v[:3] * 2
    y[[4, 0]] += v[2:]
    return y**2


@program((V,))
def fancy_write_with_repeats_keeps_the_last(v):
    y = np.ones(3)
    y[[1, 0, 1, 1]] = v * np.array([1.0, 2.0, 3.0, 4.0])
    return y


@program((V,))
def fancy_add_with_repeats_adds_once(v):
    y = np.ones(3)
    y[[1, 0, 1, 1]] += v
    return y * 2


@program((V, 2.0))
def in_place_operators(v, x):
    y = v.copy()
    y += x
    y *= v
    y -= x * v
    y /= x
    y **= 2
    return y


@program((V, 2.0))
def in_place_on_an_alias(v, x):
    y = v * 1.0
    z = y
    z *= x
    z[0] = 7.0
    return y * v


@program((V, 2.0))
def not_in_place_on_an_alias(v, x):
    y = v * 1.0
    z = y
    z = z * x
    return y * z


@program((V, 2.0))
def write_through_a_view(v, x):
    y = v * 3
    head = y[:2]
    head *= x
    head[1] = v[3]
    y[0] += 1
    return y * head[0]


@program((M, 2.0))
def write_through_transpose_and_reshape(m, x):
    y = m * 2
    y.T[1] = x
    y.reshape(-1)[0] = x * x
    y.ravel()[5] *= x
    return y * m


@program((M,))
def write_into_a_reshaped_copy(m):
    y = m * 2
    z = y.T.reshape(-1)
    z[0] = 100.0
    return y, z * 1.5


@program((V,))
def view_of_a_view(v):
    y = v * 1.0
    a = y[1:]
    b = a[::2]
    b[0] = v[0] * v[1]
    a[2] += y[1]
    return y


@program((V,))
def overlapping_views(v):
    y = v * 2
    a, b = y[:3], y[1:]
    a[1] = b[2] * 3
    b += a[0]
    return y * v


@program((V,))
def shift_within_itself(v):
    y = v * 1.0
    y[1:] = y[:-1] * 2
    y[:2] += y[2:]
    return y


@program((V,))
def swap_items(v):
    y = v * v
    y[0], y[1] = y[1], y[0] * 2
    y[[2, 3]] = y[[3, 2]]
    return y * v


@program((V, 2.0), tags="writes-arguments")
def write_an_argument(v, x):
    v[0] = v[0] * x
    v[1:] *= v[0]
    return v.sum()


@program((V, 2.0), tags="writes-arguments")
def write_an_argument_and_read_first(v, x):
    a = v[1] * 3
    v[1] = x
    v += 1
    return a * v[1] + v[0] ** 2


@program((V, V[::-1] * 2), tags="writes-arguments")
def write_one_argument_into_another(v, w):
    v[:2] = w[1:3] * v[2:]
    w[0] = v[0]
    return v @ w


@program((V, 3.0), tags="writes-arguments")
def returns_the_argument_it_wrote(v, x):
    v[2] = v[0] * x
    return v


def scale_in_place(array, factor):
    array *= factor


def set_first(array, value):
    array[0] = value
    return array


@program((V, 2.0))
def callee_writes_its_argument(v, x):
    y = v * 1.5
    before = y[1] * x
    scale_in_place(y, x)
    return y * before


@program((V, 2.0))
def callee_writes_and_returns(v, x):
    y = v + 1
    z = set_first(y, x * v[1])
    z[1] = x
    return y * z


@program((V, 2.0))
def callee_writes_a_view(v, x):
    y = v + 1
    scale_in_place(y[1:3], x)
    return y * v


@program((V, 3))
def callee_writes_in_a_loop(v, n):
    y = v + 1
    for i in range(n):
        set_first(y, y[0] * y[1] + i)
        scale_in_place(y[:2], v[0])
    return y


@program((V, 2.0), (V, -2.0))
def write_in_a_branch(v, x):
    y = v * 2
    if x > 0:
        y[0] = x
        y[1] *= 3
    else:
        y = y[::-1]
        y[0] = x * x
    return y * v


@program((V,))
def write_after_it_was_stored_in_a_list(v):
    y = v * 2
    kept = [y]
    y[0] = 5 * v[1]
    return kept[0] * v


@program((V,))
def copies_kept_in_a_list(v):
    y = v * 2
    kept = []
    for i in range(3):
        kept.append(y.copy())
        y[i] = y[i + 1] * v[0]
    return kept[0] * kept[1] + kept[2] * y


@program((V, 2.0))
def swap_of_buffers(v, x):
    old, new = v * 1.0, np.zeros(4)
    for _ in range(3):
        new[1:] = old[:-1] * x
        new[0] = old[-1]
        old, new = new, old
    return old


@program((V, 2.0))
def out_argument(v, x):
    y = np.empty(4)
    np.multiply(v, x, out=y)
    z = np.add(y, v, out=y)
    return z * y


@program((V,))
def integer_target_truncates(v):
    counts = np.zeros(4, dtype=int)
    counts[1] = 3
    y = v * counts
    return y + counts[1] * v[0]


@program((V,))
def write_an_integer_array_with_floats(v):
    y = np.array([1, 2, 3, 4])
    y[0] = v[2] + 0.5
    return y * v


@program((np.array([1.0, 2.0, 3.0], np.float32), 0.5))
def write_in_single_precision(v, x):
    y = np.zeros(3, np.float32)
    y[:2] = v[1:] * x
    y[2] = v[0] * v[0]
    return y


@program((np.zeros((2, 2)), 0.5, 3.0), tags="writes-arguments")
def build_a_matrix(m, a, b):
    m[0, 0] = np.cos(a)
    m[0, 1] = -np.sin(a) * b
    m[1] = m[0, ::-1]
    m[1, 0] *= -1
    return m @ m


@program((V, 4))
def prefix_sums_by_hand(v, n):
    total = np.empty(n)
    running = 0.0
    for i in range(n):
        running += v[i] ** 2
        total[i] = running
    return total


@program((np.array([2.0, -1.0, 4.0]), 2))
def finite_difference_heat(u, steps):
    u = u.copy()
    for _ in range(steps):
        previous = u.copy()
        u[1] = previous[1] + 0.1 * (previous[0] - 2 * previous[1] + previous[2])
        u[0] *= 0.9
    return u


@program((V,))
def write_then_slice_returned_view(v):
    y = v * 2
    view = y[1:3]
    y[1] = v[0]
    return view


@program((V,))
def unused_write(v):
    y = v * 1.0
    y[0] = 100.0
    y[1] = v[1]
    return y[2] * v[2]


@program((V,), tags="raises")
def write_of_a_wrong_shape(v):
    y = v * 2
    y[0] = 3 * y[1]
    y[:2] = v
    return y


def exponential(v):
    return np.exp(v)


@program((V,))
def callee_result_is_written_later(v):
    y = exponential(v)
    y *= 2
    y[0] = 3.0
    return y * v


@program((V,))
def masks_written_between_uses(v):
    mask = v > 0
    a = np.where(mask, v, 1.0)
    other = mask
    other[0] = False
    b = v * np.where(mask, v, 2.0)
    mask &= v > 1
    c = v[mask].sum()
    mask[...] = ~mask
    return a * b * c + np.where(mask, v * v, 0.0)


def bump(weights):
    weights += 1.0


def fill_with(target, values):
    target[...] = values


def hand_on(functions, target):
    for function in functions:
        function(target, False)


@program((V, 1, 2), (V, 2, 2))
def callees_hand_on_what_has_no_gradient(v, first, last):
    mask = v > 0
    a = np.where(mask, v * v, 1.0)
    hand_on((bump, fill_with)[first:last], mask)
    return a * np.where(mask, v, 2.0)


@program((V, 3), (V, 0))
def callees_write_what_has_no_gradient(v, n):
    weights, order = np.ones(4), np.array([3, 1, 2, 0])
    same = weights
    total = v * same
    for k in range(n):
        bump(weights[k:])
        total = total + v[order] * same * k
        fill_with(order, k)
    mask = v > 0
    a = np.where(mask, v, 1.0)
    for write in (bump, fill_with)[1:]:
        write(mask, False)
        write(weights, 0.5)
    return total * a * np.where(mask, v, 2.0) * weights


@program((V, 2.0))
def array_without_gradient_is_filled_by_a_closure(v, x):
    y, z = np.zeros(4), np.zeros((2, 4))

    def update(factor):
        y[:] = v * factor
        y[1:] += factor

    update(x)
    a = y * v
    update(x * x)
    list(map(lambda k: fill_with(z[k], y * k), (0, 1)))
    return a * y + z[1] * v


@program((V, 2.0))
def functions_of_operators_in_place(v, x):
    y = v * x
    alias = y
    z = operator.iadd(y, v)
    operator.imul(y[1:], v[:3])
    multiply = operator.imul
    multiply(z, x)
    number = operator.iadd(x, y[0])
    return alias * z * number


@program((V,))
def view_of_itself_is_stored_in_a_list(v):
    kept = [v * 2]
    for _ in range(2):
        y = kept[0]
        y[1:] = kept[0][:-1]
        kept.append(y)
    return kept[0] * kept[1] * v


@program((np.array(0.5), np.array(2.0)))
def array_of_rank_zero_is_written(a, b):
    y = np.zeros(())
    y[...] = a * b
    z = y * y
    y[...] = b
    y += z
    return y * z * a


# -------------------------------------------------- added to items of arrays that are found by identity


@program((V, 1.3), tags="writes-arguments")
def added_at_through_a_list(v, a):
    kept = [v, v[1:]]
    other = kept
    np.add.at(kept[1], [0, 0, 1], a * v[:3])
    np.subtract.at(other[0], [3, 3], a)
    other.append(v * a)
    return np.sum(other[0] ** 2) + np.sum(kept[-1] * v)


@program((V,), tags="writes-arguments")
def added_at_of_what_is_written_to(v):
    kept = [v]
    other = kept
    np.add.at(kept[0], [0, 0, 1, 3], v)
    np.add.at(other[0], [2, 2], v[1:3])
    return np.sum(other[0] ** 2)


@program((V, 1.3))
def added_at_of_views_and_masks(v, a):
    table = {"m": np.zeros((2, 3))}
    other = table
    other["m"][0] = v[:3]
    np.subtract.at(table["m"], (slice(None), [0, 0, 2]), v[1:])
    np.subtract.at(table["m"].T, (slice(None), [0, 0]), [a, a * a])
    np.add.at(table["m"], 0, a)
    np.add.at(table["m"], ([0, 1], [0, 0]), (a, v[1]))
    np.add.at(table["m"], table["m"] > 0.5, a)
    return np.sum(np.sin(other["m"]))


@program((V, 1.3), tags="writes-arguments")
def added_at_of_lists_that_change(v, a):
    xs, rows, where = [a, a * a, v[0]], [[a, v[0]], [v[1], 1.0]], [0, 1, 1]
    ys, more, kept = xs, rows, {"v": v, "m": np.zeros((2, 2))}
    np.add.at(kept["v"], where, xs)
    np.add.at(kept["m"], [1, 1], rows)
    where[0] = 2
    ys[0] = 5.0
    ys.pop()
    more[0][0] = 7.0
    more[1].append(a)
    return np.sum(kept["v"] ** 2) * xs[1] + np.sum(kept["m"] ** 2) * rows[0][1]


@program((V, 1.3))
def added_at_of_other_numbers(v, a):
    kept = [np.zeros(3, int), np.zeros(3, complex)]
    other = kept
    np.add.at(other[0], [0, 0], 2)
    np.add.at(other[1], [0, 0, 1], v[:3] * (a + 2j))
    np.add.at(other[1], [0, 0, 1], a * v[1:])
    return np.sum(np.abs(kept[1]) ** 2) + kept[0][0] * a


@program((V, 1.3), tags="writes-arguments")
def added_at_where_it_fails(v, a):
    kept = [v]
    other = kept
    for where in ([7], [0], "no"):
        try:
            np.add.at(other[0], where, a)
        except IndexError:
            kept[0][0] *= a
    try:
        np.add.at(other, [0], a)
    except TypeError:
        kept[0][1] *= a
    return np.sum(v**2)


@program((V, 1.3))
def rows_that_grow_when_they_were_stored(v, a):
    rows = ([a, v[0]], [v[1], 1.0])
    other, kept = rows, [np.zeros((2, 2))]
    kept[0][...] = rows
    for row in other:
        row.append(a)
    return np.sum(kept[0] ** 2) * rows[0][1]
