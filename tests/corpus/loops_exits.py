"""Loops over all kinds of things, and every way to leave them early."""

import math

import numpy as np

from tests.corpus.registry import program


@program((1.5, 3), (1.5, 0), (1.5, 1), gradient=lambda x, n: (n * x ** (n - 1) if n else 0.0, None))
def power(x, n):
    r = 1
    for _ in range(n):
        r = r * x
    return r


@program((0.5, 4), (0.5, 0))
def scalar_loop(x, n):
    r = x
    for _ in range(n):
        r = r * x + math.sin(r)
    return r


@program((0.5,), tags="analytic")
def range_with_start_and_step(x):
    total = 0.0
    for i in range(7, 0, -2):
        total += x**i / i
    for i in range(2, 9, 3):
        total = total * (x + i)
    return total


@program((0.5, [1.0, -2.0, 3.0]), (0.5, []))
def over_a_list(x, values):
    total = 0.0
    for value in values:
        total = total + value * value * x
    return total


@program((0.5, (1.0, -2.0, 3.0)), (0.5, ()))
def over_a_tuple(x, values):
    product = x
    for value in values:
        product *= value + x
    return product


@program((0.5, np.array([1.0, -2.0, 3.0])), (0.5, np.array([])))
def over_an_array(x, values):
    state = x
    for value in values:
        state = math.tanh(state * value + x)
    return state


@program((np.arange(6.0).reshape(2, 3) / 7,))
def over_the_rows_of_a_matrix(m):
    total = 1.0
    for row in m:
        total = total * (row * row).sum() + row[1]
    return total


@program(([1.0, 2.0, 3.0], np.array([4.0, 5.0])))
def over_zip_of_uneven_lengths(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys):
        total += x**2 * y
    return total


@program(([1.0, 2.0, 3.0], 0.5))
def over_enumerate(xs, y):
    total = y
    for i, x in enumerate(xs, 1):
        total = total + i * x**i * y
    return total


@program(([1.0, 2.0], np.array([[3.0, 4.0], [5.0, 6.0]])))
def over_nested_zip_and_enumerate(xs, m):
    total = 0.0
    for k, (x, (a, b)) in enumerate(zip(xs, m)):
        total += (k + 1) * x * a - b * b
    return total


@program(([1.0, 2.0, 3.0],), ([],))
def over_reversed(xs):
    total = 1.0
    for x in reversed(xs):
        total = x + x / (1 + total * total)
    return total


@program(([1.0, 2.0, 3.0],))
def over_enumerate_of_reversed(xs):
    total = 0.0
    for i, x in enumerate(reversed(xs)):
        total = total * x + x ** (i + 1)
    return total


@program(({"a": 1.0, "b": 2.0}, 0.5))
def over_dict_items(weights, x):
    total = 0.0
    for key, value in weights.items():
        total = total + value**2 * x if key == "a" else total * value
    return total


@program(({"a": 1.0, "b": 2.0},))
def over_dict_keys_and_values(weights):
    total = 0.0
    for key in weights:
        total += weights[key] ** 2
    for value in weights.values():
        total *= value
    return total


@program((0.5, "aba"), (0.5, ""))
def over_a_string(x, word):
    for letter in word:
        x = x * 2 if letter == "a" else x**2
    return x


@program((2.0,), (30.0,))
def newton(a):
    x = a
    while abs(x * x - a) > 1e-13 * a:
        x = 0.5 * (x + a / x)
    return x


@program((0.5,), (20.0,))
def while_not_entered_or_entered(x):
    while x < 10:
        x = x * x + 3
    return x * 2


@program((1.2, 5), (1.2, 0))
def while_with_counter(x, n):
    i = 0
    y = x
    while i < n:
        y = y * math.cos(x) + i
        i += 1
    return y


@program((1.1, 2.0), (1.1, 100.0))
def break_from_loop(x, limit):
    y = x
    for i in range(8):
        y = y * x + i
        if y > limit:
            break
        y = y + 0.1
    return y * 3


@program((0.7,))
def continue_in_loop(x):
    total = 0.0
    for i in range(6):
        if i % 2 == 0:
            continue
        total = total * x + i
    return total


@program((0.7, 3), (0.7, 99))
def continue_and_break(x, stop):
    total = 1.0
    for i in range(7):
        if i == 1:
            total = total + 5 * x
            continue
        if i == stop:
            total = total * x
            break
        total = total + math.sin(total * x)
    return total


@program((1.5, 3), (1.5, 30))
def for_else(x, needle):
    for i in range(5):
        x = x * 1.1
        if i == needle:
            x = x**2
            break
    else:
        x = 7 * x
    return x


@program((1.5, 2.0), (1.5, 1e9))
def while_else(x, limit):
    n = 0
    while n < 5:
        n += 1
        if x > limit:
            break
        x = x * x - 0.5
    else:
        x = math.sin(x)
    return x


@program((0.3,), (1.3,), (5.0,))
def early_return_from_a_loop(x):
    for i in range(6):
        if x > 4:
            return x * i
        x = x * x + 1
    return -x


@program((0.3, 0.4), (1.3, 0.4), (0.1, 9.0))
def early_return_from_nested_loops(x, y):
    total = 0.0
    for i in range(3):
        for j in range(3):
            total = total + x**i * y**j
            if total > 4:
                return total * x
        total = total * 1.5
    return total + y


@program((0.6, 1), (0.6, 2), (0.6, 99))
def break_inside_nested_loops_inside_a_branch(x, stop):
    if stop > 0:
        for i in range(4):
            for j in range(4):
                if j == stop:
                    break
                x = x * (1 + 0.1 * i) + 0.01 * j
            else:
                continue
            if i == stop:
                break
            x = math.sin(x) + i
    return x


@program((1.2, 0), (1.2, 1), (1.2, 2), (1.2, 3))
def every_exit_of_one_loop(x, way):
    y = x
    for i in range(4):
        y = y * x
        if way == 0 and i == 1:
            return y
        if way == 1 and i == 2:
            break
        if way == 2:
            continue
        y = y + math.cos(y)
    else:
        y = y * 13
    return y + x


@program((0.9, 3), (0.9, 0))
def triangular_loops(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i):
            total += x ** (i + j)
        total = total * x + i
    return total


@program((0.4, 3, 2), (0.4, 0, 2), (0.4, 3, 0))
def three_deep(x, n, m):
    y = x
    for i in range(n):
        y = y + i * x
        for j in range(m):
            y = y * x + j
            for _ in range(i):
                y = math.sin(y)
    return y


@program((0.5,))
def loop_variable_after_the_loop(x):
    for i in range(4):
        x = x * (i + 1)
    return x**i


@program((0.5, [1.0, 2.0]), (0.5, []))
def loop_target_shadows_argument(x, xs):
    y = x * 3
    for x in xs:
        y = y * x
    return y + x * x


@program((1.5,))
def loop_target_rebound_in_the_body(x):
    total = 0.0
    for y in [x, 2 * x, x * x]:
        y = y * y
        total = total + y * x
    return total


@program((0.5,), (2.0,))
def while_true(x):
    steps = 0
    while True:
        x = x * 1.5
        steps += 1
        if x > 10:
            return x * steps


@program((1.5, 2), (1.5, 0))
def unused_loop_and_dead_result(x, n):
    for i in range(n):
        waste = math.exp(x) * i
    y = 2 * x
    while n > 5:
        n -= 1
    return y * x


@program((1.5, 4))
def swap_in_a_loop(x, n):
    a, b = x, 1.0
    for _ in range(n):
        a, b = a + b * x, a
    return a * b


@program((0.8, 5))
def fibonacci_like_recurrence(x, n):
    previous, current = 0.0, x
    for _ in range(n):
        previous, current = current, current * x + previous
    return current


@program((0.8, 4))
def loop_carried_through_branches(x, n):
    a = x
    b = 2.0
    for i in range(n):
        if i % 2:
            a = a * b
        else:
            b = b + a * x
    return a - b


@program((1.5,))
def loop_with_unpacking_target(x):
    total = 0.0
    for (a, b), *rest in [((x, 1.0), 2.0, x), ((2.0, x * x), x)]:
        total += a * b + sum(rest) ** 2
    return total


@program((np.array([3.0, 1.0, 2.0]), 0.5))
def over_range_of_shape(v, x):
    total = 0.0
    for i in range(v.shape[0]):
        for j in range(len(v) - 1):
            total += v[i] * v[j + 1] * x ** (i + j)
    return total


@program((1.1, 1), (1.1, 3), (1.1, 6))
def return_from_while_in_for_in_branch(x, n):
    y = 1.0
    if n > 2:
        for i in range(n):
            while y < 5 * (i + 1):
                y = y * x + 1
                if y > 20:
                    return y * x
            y = y - i * x
    else:
        y = x
    return y * y


@program((0.5, 3))
def else_of_an_inner_loop_that_continues(x, n):
    for i in range(n):
        for j in range(i):
            if j == 1:
                x = x + 0.3
                break
            x = x * 1.2
        else:
            x = x * x
            continue
        x = x * 5
    return x


@program((0.7, 1), (0.7, 4))
def loop_that_always_leaves(x, n):
    while True:
        if n > 3:
            x = x * 2
            break
        x = x * x * 3
        break
    for k in range(n):
        x = x * x + k
        break
    return x


@program((0.7, 1), (0.7, 5), (0.7, 9))
def exits_inside_an_exit(x, n):
    for k in range(10):
        if k > n:
            x = x * 2
            if x > 3:
                x = x * x
                break
            x = math.sin(x)
            break
        x = x * 1.5
    return x


@program((0.7, 1), (0.7, 2), (0.7, 4), (0.7, 20))
def exits_on_both_sides_of_a_branch(x, n):
    for k in range(10):
        if k % 2:
            x = x * 1.1
            if k > n:
                x = math.cos(x)
                break
            x = x + x * x / 9
        else:
            if k + 1 > n:
                x = x * x
                for j in range(3):
                    if j == 1:
                        break
                    x = x * x
                break
            x = x + 0.1
    return x


@program((0.7, 1), (0.7, 3))
def loop_with_an_empty_body(x, n):
    for last in [x, x * x, x**3][:n]:
        pass
    return last


# What every iteration makes anew, reads in the middle, and the last of which is read behind the loop.


@program((1.5, 0.5), (2, 0.5))
def list_of_the_last_iteration(x, y):
    total = 0.0
    for u in (x, y):
        p = [x * x, u * u]
        total += p[0]
    return total * p[1]


@program((1.5, 0.5))
def comprehension_of_the_last_iteration(x, y):
    firsts = [(p := [v * v for v in (x, u)])[0] for u in (x, y)]
    return firsts[0] * p[1] * firsts[1]


@program((1.5, 0.5), (np.float32(1.5), np.float32(0.5)))
def array_of_the_last_iteration(x, y):
    total = 0.0
    for n in range(1, 4):
        p = np.arange(n) * x
        p[n - 1] = y * n
        total += p[0] * p[-1]
    return total * p[1] * p.sum()


@program((1.5, 0.5))
def lists_of_growing_length(x, y):
    total = 0.0
    for n in range(1, 4):
        for m in range(n):
            p = [x * k for k in range(m + 1)]
            p.append(y)
            total += p[0] + p[-1]
        total += p[m] * y
    return total * p[1]


@program((1.5, 0.5))
def list_of_one_iteration(x, y):
    total = 0.0
    for n in range(4):
        if n == 2:
            p = [x * n, y]
        if n > 2:
            total += p[0] * p[1]
    return total * p[0]


@program((1.5, 0.5))
def array_of_the_iteration_that_leaves(x, y):
    total, n = 0.0, 0
    while True:
        p = np.array([x * n, y])
        if n > 1:
            break
        total += p[0] * p[1]
        n += 1
    return total * p[0]


@program((1.5, 0.5))
def array_of_iterations_that_go_on(x, y):
    total = 0.0
    for n in range(3):
        p = np.zeros(2)
        p[0] = x * n
        if n == 1:
            continue
        p[1] = y
        total += p[0] * p[1]
    return total * p[0] + p[1]


ELEMENTS = np.array([0.5, -1.5, 0.25])


@program((ELEMENTS,))
def array_that_is_bound_again_while_it_is_walked_over(v):
    for element in v:
        v = v - element
    return v @ np.array([0.3, -0.7, 1.1])


@program((ELEMENTS,))
def array_that_is_bound_again_under_enumerate(v):
    for i, element in enumerate(reversed(v)):
        v = v * element + i
    return v @ np.array([0.3, -0.7, 1.1])


@program((1.5, [0.5, -2.0]))
def list_that_is_bound_again_while_it_is_walked_over(x, values):
    for value in values:
        values = [value, x * value]
    return values[0] * values[1]


@program((1.5,))
def lists_that_are_bound_again_under_zip(x):
    xs, ys, total = [x, 2.0 * x], [x * x, 1.0], 0.0
    for a, b in zip(xs, ys, strict=True):
        xs = [a * b]
        ys = xs
        total = total + xs[0] * b
    return total + ys[0]


@program((1.5,))
def target_with_the_name_of_what_is_walked_over(x):
    rows, total = np.array([[x, 1.0], [2.0, x]]), 0.0
    for rows in rows:
        for rows in rows:
            total = total + rows * rows
    return total


@program((1.5,))
def dict_that_is_bound_again_while_it_is_walked_over(x):
    table = {"a": x, "b": x * x}
    for _, value in table.items():
        table = {"c": value * 2.0}
    return table["c"]


@program((1.5,))
def list_that_a_comprehension_binds_again(x):
    v = [x, x * x]
    return sum([(v := [e * 2.0, e])[0] for e in v]) + v[1]


@program((1.5,))
def list_that_shrinks_while_it_is_walked_over(x):
    v, total = [x, 3.0 * x], 0.0
    while v:
        for e in v:
            v = v[1:]
            total = total + e * e
    return total


@program(([1.5, 0.5, 2.0],), ([1.5],))
def element_under_the_name_of_the_list(xs):
    for k, xs in enumerate(xs):
        y = xs * (k + 1)
    return y + xs


@program((1.5,), (0.3,))
def elements_under_the_name_of_the_number(x):
    x = [x, x * x, 2.0]
    for x, z in zip(x, x):
        y = x * z
    return y * x


@program((np.array([[1.5, 0.5], [2.0, 0.3]]),))
def rows_under_the_name_of_the_matrix(x):
    total = 0.0
    for x in x:
        total = total + x[0] * x
    return total.sum() + x[1] * x[0]


POINT = np.array([0.3, 0.7, -0.4, 1.1])


@program((POINT,))
def element_at_which_a_loop_was_left(x):
    for v in x:
        if v < 0:
            break
    return v * x[0]


@program(([0.3, 0.7, -0.4, 1.1],))
def item_at_which_a_loop_was_left(xs):
    for k, v in enumerate(xs):
        if v < 0:
            break
    return v * xs[0] * k


@program((POINT,))
def elements_side_by_side_at_which_a_loop_was_left(x):
    for u, v in zip(x, x * x):
        if u > 0.5:
            break
        if u < 0:
            break
    return v * x[0] + u


@program((POINT,))
def value_at_which_a_loop_was_left(x):
    for key, v in {"a": x[0], "b": x[2], "c": x[1]}.items():
        if v < 0 and key != "a":
            break
    else:
        v = x[3]
    return v * x[0]


@program((POINT,))
def parts_at_which_a_loop_was_left(x):
    for a, (b, c) in [(x[0], (x[1], x[2])), (x[2], (x[0], x[3])), (x[0], (x[1], x[2]))]:
        if a < 0:
            break
    return a * b * c


@program((POINT,))
def row_at_which_a_loop_was_left(x):
    for row in np.outer(x, x):
        if row[2] > 0:
            break
    return row[0] * row[3]


@program((POINT,))
def elements_at_which_inner_loops_were_left(x):
    total = 0.0
    for j in range(3):
        for v in reversed(x):
            if v * (j - 0.5) > 0.1:
                break
        total += v * v * (j + 1)
    return total


@program((POINT,))
def element_at_which_a_loop_in_a_try_was_left(x):
    try:
        for v in x:
            with np.errstate(all="ignore"):
                if v < 0:
                    break
    except ValueError:
        return x[0]
    return v * x[0]


@program((POINT,))
def element_of_a_generator_at_which_a_loop_was_left(x):
    for v in (u * u * u for u in x):
        if v < 0:
            break
    return v * x[0]


@program((POINT,))
def element_of_an_iterator_at_which_a_loop_was_left(x):
    kept = [x[0], x[1], x[2]]
    other = kept
    other[1] = x[3] * x[1]
    elements = iter(kept)
    for v in elements:
        if v > 0.5:
            break
    return v * x[0] + sum(elements)
