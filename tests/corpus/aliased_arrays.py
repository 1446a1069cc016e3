"""Arrays whose memory is reachable on several ways while it is written: containers, views, buffers."""

import copy

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0, 0.25])
M = np.arange(6.0).reshape(2, 3) / 4 - 0.6
S = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])

workspace = {"buffer": np.zeros(4), "weights": np.array([1.0, 2.0, 0.5, -1.0])}


class Box:
    def __init__(self, content):
        self.content = content


def double_in_place(array, start=0):
    array[start:] *= 2
    return array


@program((V, 1.5))
def one_array_in_list_dict_tuple_and_object(v, x):
    y = v * x
    kept, table, pair, box = [y], {"y": y}, (y, x), Box(y)
    kept[0][0] = x
    table["y"][1] *= y[0]
    pair[0][2:] += box.content[:2]
    box.content -= v
    kept[0] = kept[0] * 2
    table["y"][3] = kept[0][1] * box.content[0]
    return (y * v).sum() + (kept[0] * pair[0]).sum()


@program((M, 1.5))
def rows_of_a_matrix_kept_in_a_list(m, x):
    a = m * 2
    rows = [row for row in a]
    rows[0] += x
    a[1, 2] = rows[0][1] * x
    rows[1][0] *= rows[1][2]
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][1] = 3 * x
    a = a * m
    rows[1][:] = 0.0
    return (a * m).sum() + rows[0] @ rows[1] + rows[0][0]


@program((M, 1.5))
def rows_changed_in_a_loop(m, x):
    a = m.copy()
    for row in a:
        row *= x
        row[0] += row[2]
    for i, row in enumerate(a.T):
        row += a[0, i] * row[1]
    for row in a:
        row = row + 100.0
    return (a * m).sum() + row[0]


@program((np.arange(24.0).reshape(2, 3, 4) / 10 - 1.1, 1.5))
def views_of_views_of_views(t, x):
    y = t * 1.0
    a = y[1]
    b = a.T[::2]
    c = b[1, 1:][::-1]
    c[0] = x
    b[0] *= c[1]
    a[2, 2] += c[0] * y[1, 2, 0]
    y[1, 1:] -= b[:, 0] @ t[0, :2, 0]
    c *= 2
    return (y * t).sum() + c @ a[1, :2]


@program((M, 1.5))
def transposed_and_reshaped_names(m, x):
    a = m * x
    t, flat, column = a.T, a.reshape(-1), a.reshape(3, 2)[:, 1]
    t[2, 0] = flat[4] * x
    flat[1:4] *= column
    column += t[:, 1]
    t.reshape(-1)[0] = 100.0  # a copy
    a.swapaxes(0, 1)[1, 1] = column[0]
    return (a * m).sum() + flat[2] * t[2, 1]


@program((M, False), (M, True))
def view_or_copy_depending_on_the_memory(m, turned):
    a = np.asfortranarray(m) * 1.0 if turned else m * 1.0
    flat = a.reshape(-1)
    same = np.ascontiguousarray(a)
    flat[1] = a[0, 0] * 3
    same[1] *= flat[1]
    a[0, 1] += flat[4]
    return (a * m).sum() + flat @ flat + (same * m)[1].sum()


@program((V, 1.5))
def write_into_copies_of_every_kind(v, x):
    y = v * 2
    copies = [y.copy(), np.array(y), y + 0, y[[0, 1, 2, 3]], y.astype(float), y.flatten(), copy.copy(y), +y]
    for k, z in enumerate(copies):
        z[k % 4] = x * k
        y[(k + 1) % 4] += z[k % 4] / 10
    return sum((z * v).sum() for z in copies) + (y * y).sum()


@program((V, 1.5))
def names_that_are_no_copies(v, x):
    y = v * 2
    names = [
        np.asarray(y),
        y[:],
        y.view(),
        y.astype(float, copy=False),
        y.ravel(),
        np.atleast_1d(y),
        y[None, :][0],
        np.squeeze(y.reshape(4, 1)),
        y[...],
    ]
    for k, z in enumerate(names):
        z[k % 4] = z[(k + 1) % 4] * x + y[0] / 5
    return sum((k + 1) * z[k % 4] for k, z in enumerate(names)) + (y * v).sum()


@program((V, 1.5))
def slices_that_overlap(v, x):
    y = np.concatenate([v, v * x])
    a, b, c = y[:5], y[3:], y[1::2]
    a += b
    b[1:3] = c[:2] * x
    c -= a[::2].sum() * b[0]
    y[2:] = y[:-2] + c[0]
    y[::-1][:3] = a[:3]
    return a @ b + c @ v


@program((V, 1.5))
def broadcast_view_read_while_its_base_is_written(v, x):
    base = v * 2
    wide = np.broadcast_to(base, (3, 4))
    column = np.broadcast_to(base[1:2], (3,))
    first = wide[0] @ wide[1]
    base[1] = x * base[0]
    second = (wide * np.arange(3.0)[:, None]).sum()
    base += wide[2] * column[0]
    return first * column.sum() + second + (wide * v).sum()


@program((V, 1.5))
def windows_read_while_their_base_is_written(v, x):
    base = v * x
    windows = np.lib.stride_tricks.sliding_window_view(base, 2)
    sums = windows.sum(axis=1)
    base[1] = sums[2] * x
    base[2:] *= windows[0, 1]
    return (windows.sum(axis=1) * sums).sum() + windows[1] @ windows[2]


@program((V, 0.2, 4), (V, 0.2, 1))
def heat_equation_with_two_buffers(v, rate, steps):
    buffers = [v * 1.0, np.zeros(4)]
    for k in range(steps):
        old, new = buffers[k % 2], buffers[1 - k % 2]
        new[1:-1] = old[1:-1] + rate * (old[2:] - 2 * old[1:-1] + old[:-2])
        new[0], new[-1] = old[0] * (1 - rate), old[-1]
    return buffers[0] @ v + (buffers[1] ** 2).sum()


@program((V, 0.2))
def swapped_buffers_with_a_name_left_behind(v, x):
    old, new = v * 1.0, v * x
    left = new
    spare = np.zeros(4)
    for k in range(3):
        new[:] = old[::-1] * x + left
        old, new, spare = new, spare, old
        left[k] += 0.1 * old[0]
    return old @ new + left @ v + spare[0]


@program((S, np.array([1.0, -0.5, 2.0]), 3))
def gauss_seidel_sweeps(a, b, sweeps):
    x = np.zeros(3)
    for _ in range(sweeps):
        for i in range(3):
            x[i] = (b[i] - a[i, :i] @ x[:i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x @ b


@program((V, np.array([0.5, 0.2, 0.3]), 3.0))
def tridiagonal_solve_in_its_arguments(b, off, middle):
    matrix = {"d": np.full(4, middle), "u": off * 1.0}
    solution = b.copy()
    thomas(off, matrix["d"], matrix["u"], solution)
    return solution @ solution + matrix["d"][3] * matrix["u"][0]


def thomas(lower, diagonal, upper, b):
    for i in range(1, len(b)):
        factor = lower[i - 1] / diagonal[i - 1]
        diagonal[i] -= factor * upper[i - 1]
        b[i] -= factor * b[i - 1]
    b[-1] /= diagonal[-1]
    for i in range(len(b) - 2, -1, -1):
        b[i] -= upper[i] * b[i + 1]
        b[i] /= diagonal[i]


@program((S,), (S[::-1, ::-1].copy(),))
def cholesky_in_place_by_columns(a):
    low = a.copy()
    for j in range(3):
        column = low[j:, j]
        for k in range(j):
            column -= low[j, k] * low[j:, k]
        column /= np.sqrt(column[0])
        low[j, j + 1 :] = 0.0
    return np.log(low.diagonal()).sum() + (low @ low.T * a).sum() / 10 + low[2, 0]


@program((S, np.array([1.0, -0.5, 2.0])))
def elimination_on_rows_with_pivoting(a, b):
    rows = [np.append(row, value) for row, value in zip(a, b)]
    rows[0], rows[2] = rows[2], rows[0]
    for j in range(3):
        pivot = max(range(j, 3), key=lambda i: abs(rows[i][j]))
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] /= rows[j][j]
        for i in range(3):
            if i != j:
                rows[i] -= rows[i][j] * rows[j]
    return sum((k + 1) * row[3] ** 2 for k, row in enumerate(rows))


@program((np.array([[1.0, 0.0], [-0.5, 0.8], [-0.3, -0.9]]), np.array([1.0, 0.5, 2.0]), 0.05))
def bodies_that_leapfrog_in_place(start, mass, dt):
    position, velocity = start.copy(), np.zeros((3, 2))
    force = np.empty((3, 2))
    for _ in range(2):
        attract(position, mass, force)
        velocity += dt / 2 * force
        position += dt * velocity
        attract(position, mass, force)
        velocity += dt / 2 * force
    return (mass[:, None] * velocity**2).sum() + (position * start).sum()


def attract(position, mass, force):
    force[...] = 0.0
    for i, p in enumerate(position):
        for j in range(i):
            d = position[j] - p
            pull = d / (d @ d + 0.1) ** 1.5
            force[i] += mass[j] * pull
            force[j] -= mass[i] * pull


@program((V, 1.5))
def helper_writes_what_others_name(v, x):
    y = v * 3
    head, kept = y[:2], {"all": [y]}
    z = double_in_place(y, 1)
    z[0] = x
    double_in_place(kept["all"][0][2:])
    w = double_in_place(head) * z[:2]
    double_in_place(w)
    double_in_place(y.T[::2], start=1)
    return y @ z + w @ head


def accumulate_into(target, source, factor):
    target += source * factor
    source[0] = target[1] * factor
    return target[0] * source[-1]


@program((V, 1.5))
def one_array_as_both_arguments(v, x):
    y, z = v * 2, v + x
    a = accumulate_into(y, y, x)
    b = accumulate_into(y, z, 0.5)
    c = accumulate_into(z, z.view(), y[0])
    return a + b * c / 10 + y @ z


@program((np.append(V, V * 0.3), 1.5))
def overlapping_parts_as_arguments(v, x):
    y = v * 1.0
    a = accumulate_into(y[:4], y[2:6], x)
    b = accumulate_into(y[1:7:2], y[6:0:-2], 0.5)
    c = accumulate_into(y[:4], y[4:], 0.5)
    return a * b + c + y @ v


@program((M, 1.5))
def matrix_and_its_transpose_as_arguments(m, x):
    a = m[:, :2] * 2
    accumulate_rows(a, a.T, x)
    accumulate_rows(a.T, a[::-1], 0.5)
    return (a * m[:, 1:]).sum()


def accumulate_rows(target, source, factor):
    for i in range(2):
        target[i] += source[i] * factor
        source[i, 0] *= target[i, 1]


@program((V, 1.5), tags="writes-arguments")
def argument_written_under_other_names(v, x):
    kept, part = [v], v[1:3]
    kept[0][0] = x * v[1]
    part *= v[0]
    v = v * 2
    v[3] = part[0]
    kept[0][3] += v[2]
    return v @ kept[0] + part[1]


@program((V, {"w": V[:2] * 2, "more": [V + 1]}, 1.5), tags="writes-arguments")
def arrays_in_argument_containers_written(v, table, x):
    w = table["w"]
    w += v[2:]
    table["more"].append(w)
    table["more"][0][1:3] = w * x
    table["more"][1][0] = x
    table["w"] = w * 3
    return (table["more"][0] * v).sum() + table["w"] @ table["more"][1]


@program((V, 1.5))
def closures_write_and_read_a_captured_array(v, x):
    buffer = v * 2
    half = buffer[2:]

    def deposit(place, value):
        buffer[place] += value
        return buffer

    def read():
        return half @ half

    before = read()
    deposit(2, x)[3] *= x
    middle = read()
    half[0] = before
    deposit(slice(0, 2), half * x)
    return middle * x + buffer @ v + read()


@program((V, 1.5))
def buffer_in_a_global_dict(v, x):
    buffer = workspace["buffer"]
    buffer[:] = v
    smooth(x)
    view = workspace["buffer"][::2]
    view += x
    smooth(buffer[1])
    result = buffer @ workspace["weights"] + view[0] * x
    buffer.fill(0.0)
    return result


def smooth(x):
    buffer = workspace["buffer"]
    buffer[1:] = (buffer[1:] + buffer[:-1]) * x / 2
    workspace["buffer"][0] = (buffer * workspace["weights"]).sum()


@program((np.append(V, [1.0, -0.5]), 1.5))
def masks_and_repeated_indices_on_an_alias(v, x):
    y = v * 2
    alias, picked = y[:], y[[0, 2, 2]]
    alias[y < 0] *= x
    picked[1] = x
    y[[1, 1, 3]] += alias[[0, 5, 2]]
    alias[[4, 0, 4]] = picked
    np.add.at(y, [0, 0, 1], alias[3] * v[:3])
    alias[alias > 2.5] = picked[0] * x
    return y @ v + picked @ alias[:3]


@program((M, 1.5))
def two_fancy_indices_on_a_matrix_with_named_rows(m, x):
    a = m * 2
    top, last = a[0], a[:, -1]
    a[[0, 1, 0], [2, 0, 2]] += m[0] * x
    last *= top[2]
    a[np.ix_([1], [0, 2])] = top[:2] * x
    top[[0, 1]] = top[[1, 0]]
    a[:, [0]] -= last[:, None]
    return (a * m).sum() + top @ top


@program((V, 1.5))
def in_place_operators_whose_operand_is_an_alias(v, x):
    y = v * 2
    z, reversed_view = y, y[::-1]
    y += z
    y *= reversed_view
    z -= y * x
    y += y[0]
    z[1:] /= z[:1] + 5
    reversed_view **= 2
    return y @ v + z[0] * reversed_view[0]


@program((V, 1.5))
def integer_target_under_two_names(v, x):
    counts = np.array([1, 2, 3, 4])
    alias, y = counts[1:], v * 2
    alias[0] = x + 5
    y *= counts
    counts[3] = y[2] + 0.3
    y[:3] += alias
    return y @ v + (counts * v).sum() * x


@program((np.array([0.5, -1.5, 2.0], np.float32), 1.5))
def single_precision_target_under_two_names(v, x):
    y = np.zeros(3, np.float32)
    kept = [y, y[1:]]
    y += v
    kept[1][0] = x * v[0]
    kept[0][2] *= kept[1][0]
    y[:2] -= kept[1] * np.float32(0.5)
    return (y * v).sum() + float(kept[1][1])


@program((V, 1.5))
def real_and_imaginary_parts_written(v, x):
    z = v * (1 + 0.5j)
    re, im, kept = z.real, z.imag[1:], [z]
    re[0] = x
    im *= re[:3]
    z *= 1j * x
    kept[0].imag = kept[0].real * v
    kept[0][2] += complex(x, re[1])
    return (abs(z) ** 2).sum() + re @ v + im[2] * x


@program((np.array([0.5 + 1.0j, -1.5 - 0.25j, 2.0j]), 1.5))
def complex_argument_under_two_names(c, x):
    y = c * 2
    alias, turned = [y], y[::-1]
    alias[0][0] *= c[1]
    turned[0] = np.conj(y[1]) * x
    y += turned * 1j
    y.real[1] = y.imag[2]
    return (y * np.conj(c)).real.sum() + abs(turned[2]) ** 2


@program((np.array(1.5), 0.5), (np.array(-0.5), 0.5))
def arrays_of_rank_zero_under_two_names(a, x):
    total = np.array(0.0)
    alias, kept = total, [total[...], a * 1]
    total += a
    alias[()] = alias * x + a
    kept[0][...] *= total[()]
    kept[1] += total
    kept[1] *= 2
    total = total * 2
    return float(total * alias + kept[0] * kept[1])


@program((V, 1.5))
def scalar_taken_from_an_array_is_no_view(v, x):
    y = v * 2
    a, b = y[0], y[1:2]
    y[0] = x
    y[1] *= x
    a += b[0]
    b[0] = a
    values = list(y)
    y[2:] = 0.0
    values[3] += y[1]
    return a * y[1] + b[0] * values[2] * values[3] + y[0]


@program((M, 1.5))
def diagonals_written_through_einsum_and_fill(m, x):
    a = m[:, :2] @ m[:, 1:].T + x
    view = np.einsum("ii->i", a)
    view *= x
    a.flat[1::2] += view[0]
    np.fill_diagonal(a.T[::-1], view[1] * x)
    a.diagonal().copy()[0] = 100.0
    a.flat[2] *= a.trace()
    return (a * m[:, :2]).sum() + view @ view


@program((V, 1.5))
def functions_that_write_their_first_argument(v, x):
    y = v * 2
    low, high = np.split(y, 2)
    np.copyto(low, high * x)
    np.multiply(high, low, out=high)
    np.put(y, [1, 3], [x, low[0] * x])
    np.negative(y[:2], out=y[2:])
    low.fill(x)
    high.sort()
    np.add(y, 1.0, out=y, where=y > 0)
    return y @ v + high[0] * low[1]


@program((np.append(V, [1.0, -0.5]), 1.5))
def sums_kept_as_views_of_a_result(v, x):
    a = np.outer(v[:3], v[3:]) * x
    parts = [*np.hsplit(a, 3), *np.array_split(a, 2)]
    parts[0][:] = parts[4][0, 1]
    parts[3][0] *= parts[2][:, 0].sum()
    a = a + parts[1]
    parts[1] += x
    return (a * parts[1]).sum() + (parts[3] * parts[3][:, ::-1]).sum()


@program((V, 1.5, 0.5), (V, 0.5, 1.5))
def alias_chosen_by_a_value(v, x, y):
    a, b = v * x, v * y
    target = a if x > y else b
    other = [a, b][int(x < 1)]
    target[1:] += other[:-1] * x
    other[0] = target[3]
    a, b = (b, a) if y < 1 else (a, b * 2)
    target *= y
    return a @ b + target[0] * other[1]


@program((V, 1.5, 3), (V, 1.5, 0))
def maybe_an_array_and_maybe_a_number(v, x, n):
    total, trail = 0.0, []
    for k in range(n):
        total += v * x
        trail.append(total)
        if k == 1:
            total = total * v
    total *= x
    total += 1.0
    return np.sum(total * x) + sum((k + 1) * np.sum(item) for k, item in enumerate(trail))


@program((V, 1.5))
def stored_in_a_list_by_name_and_by_copy(v, x):
    state, history, snapshots = v * 1.0, [], []
    for k in range(3):
        state[k] *= state[k + 1] * x
        history.append(state)
        snapshots.append(state.copy())
        history[0][k + 1] += snapshots[-1][0]
    return sum((k + 1) * (h * s).sum() for k, (h, s) in enumerate(zip(history, snapshots)))


def running(values, state):
    for value in values:
        state[1:] = state[:-1]
        state[0] = value
        yield state


@program((V, 1.5))
def generator_that_yields_one_buffer(v, x):
    state = np.zeros(3)
    kept, total = [], 0.0
    for window in running(v * x, state):
        total += window[0] * window[2] + window @ window
        window[1] *= x
        kept.append(window)
    return total + kept[0] @ kept[-1] * state[0]


def halves(array):
    if len(array) == 1:
        return array
    middle = len(array) // 2
    left, right = halves(array[:middle]), halves(array[middle:])
    right += left[-1]
    left *= right[0]
    return array


@program((V, 1.5))
def recursion_that_writes_halves_of_its_argument(v, x):
    y = v * x
    z = halves(y)
    z[0] += halves(y[1:])[2] * x
    return y @ v + z[3]


@program((V, 1.5))
def partly_written_before_an_exception(v, x):
    y, log = v * 2, []
    alias = y[1:]
    try:
        for k in range(5):
            alias[k] = alias[k] * x + y[0]
            log.append(y[k])
            y[0] += alias[k]
    except IndexError:
        y[3] *= log[-1]
        alias[1] += len(log)
    return y @ v + sum(log)


@program((V, np.array([3, 0, 2, 1]), 1.5))
def permuted_in_place_under_a_view(v, order, x):
    y = v * x
    view = y[1:]
    y[order] = y
    y[:] = y[order] * y
    view[...] = view[::-1]
    y[order[:2]], y[order[2:]] = view[:2], y[order[:2]]
    order[0] = 0
    order[1] = 3
    y[order[:2]] *= x
    order[:2] = 3, 0
    return y @ v


@program((M, 1.5))
def array_of_several_dtypes_through_where_and_out(m, x):
    a = np.where(m > 0, m * x, 0.5)
    b = np.empty((2, 3))
    out = np.matmul(a[:, :2], m[:, :2], out=b[:, 1:])
    b[:, 0] = out[:, 1]
    c = np.cumsum(b, axis=1, out=a)
    c[0] *= out[1, 0]
    np.maximum(a, b - 5, out=b)
    return (b * m).sum() + (a * out.sum()).sum()


@program((M, 1.5))
def transposed_by_einsum_and_written(m, x):
    y = m * x
    view = np.einsum("ij->ji", y)
    view[0] *= x
    y[1] += view[2, 0]
    total = np.einsum("ij->", view)
    product = np.einsum("ij,ij->i", y, m)
    product *= total
    return product.sum() * view[1, 1]


@program((V, 1), (V, 2), tags="order1-only writes-arguments")
def name_that_is_not_bound_on_every_way(v, n):
    if n > 0:
        w = np.asarray(v)
    y = w * w
    v[0] = 0.0
    w[1] *= y[0]
    return (y * v).sum() + w @ w


@program((V,), tags="order1-only writes-arguments")
def name_bound_in_a_try(v):
    kept = [v, v]
    try:
        w = kept[0][1:]
    except LookupError:
        pass
    y = w * w
    v[2] = 3.0
    try:
        np.multiply(kept[0], kept[1], out=v)
    finally:
        kept.pop()
    return y.sum() + v.sum()


def itself_or_its_square(a, b):
    return a if b[1] > 5.0 else a * b


def part_or_product(a, b):
    return a[1:] if b[1] > 5.0 else a[:3] * b[1:]


@program((V,), (-9.0 * V,))
def result_that_may_be_an_argument(v):
    y = v * 1.0
    z = itself_or_its_square(y, y)
    y[0] = 100.0
    return np.sum(z * z) + np.sum(y)


@program((V,), (-9.0 * V,))
def result_that_may_be_a_view_of_an_argument(v):
    y = v * 1.0
    z = part_or_product(y, y)
    y[1] = 7.0
    return np.sum(z * z) + np.sum(y)


@program((V,), (-9.0 * V,))
def result_that_may_be_an_argument_in_a_loop(v):
    y = v * 1.0
    total = 0.0
    for i in range(len(y)):
        z = itself_or_its_square(y, y)
        z[i] = z[i] * 2.0
        y[0] = y[0] + z[1] * 0.1
        total = total + np.sum(z * z) * 1e-3
    return total + np.sum(y)


@program((V,), (-9.0 * V,))
def view_of_a_result_that_may_be_an_argument(v):
    y = v * 1.0
    z = np.asarray(itself_or_its_square(y, y))
    end = z[1:]
    z[0] = 5.0
    y[2] = 3.0
    return np.sum(z * z) + np.sum(y * y) + np.sum(end)


class Namespace:
    """What a program is handed to compute with, of which nothing is known before."""

    def joined(self, parts, axis):
        return np.concatenate(parts, axis=axis)


NAMESPACE = Namespace()


@program((V,))
def a_parameter_that_is_kept_takes_another_rank_and_another_kind(y):
    kept = [y]
    other = kept
    if y.ndim == 1:
        y = y[:, None]
    if y.shape[1] == 1:
        y = NAMESPACE.joined([1 - y, y], axis=1)
    other.append(2.0)
    return np.sum(y * y * np.arange(1.0, 3)) + np.sum(kept[0]) * kept[1]


@program((V,))
def a_parameter_that_is_kept_loses_elements_in_a_try(y):
    kept, functions = [y], [NAMESPACE.joined]
    other = kept
    try:
        y = y[1:]
        if y[0] < 0:
            y = functions[0]([y, y * y], 0)
        if y[1] < 0:
            raise ValueError
    except ValueError:
        y = kept[0]
    other.append(y[0])
    return np.sum(np.sin(y)) + np.sum(kept[0]) * kept[1]


@program((M, 1.5), tags="writes-arguments")
def elements_with_their_indices(m, x):
    total = 0.0
    for (i, j), element in np.ndenumerate(m):
        m[1, 2] += element * x
        total += element * (i + 2 * j)
    for index, element in np.ndenumerate([x, total]):
        total += element * index[0]
    return total + m[1, 2]
