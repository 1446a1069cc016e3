"""Lists that are reachable under several names and change: helpers, rows, containers in containers."""

import copy
import math

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])


class Holder:
    def __init__(self, values):
        self.values = values


@program((1.5, 0.5))
def one_list_under_two_names(x, y):
    a = [x, y]
    b = a
    b[0] = x * y
    a[1] = b[0] * a[1] + x
    b[0] = a[1] * b[0]
    return a[0] * b[1] + b[0]


@program((1.5, 0.5))
def one_list_in_every_kind_of_container(x, y):
    values = [x]
    inside_tuple, inside_dict, inside_list = (values, y), {"v": values}, [values, values]
    holder = Holder(values)
    inside_tuple[0].append(x * y)
    inside_dict["v"][0] *= y
    inside_list[1].append(inside_list[0][1] * x)
    holder.values.insert(0, 3 * y)
    return values[0] * values[1] + values[2] * values[3] ** 2 + len(inside_dict["v"])


def push(values, value):
    values.append(value)


def put(values, index, value):
    values[index] = values[index] * value


@program((1.5, 0.5))
def helpers_append_and_set(x, y):
    mine = [x, 2.0]
    yours = mine
    push(yours, x * y)
    put(mine, 1, yours[2])
    put(yours, -1, mine[1])
    push(mine, yours[0])
    return yours[1] * mine[2] + mine[3] * yours[-1]


def take(values, index=-1):
    return values.pop(index) * 2


@program((1.5, 0.5))
def helpers_pop_and_insert(x, y):
    stack = [x, y, x * y, x + y]
    seen = (stack,)
    a = take(stack)
    seen[0].insert(1, a * x)
    b = take(seen[0], 0)
    stack.insert(-1, b * y)
    return stack[0] * seen[0][1] + stack[2] * take(stack) + a * b


@program((1.5, 0.5), (0.5, 1.25))
def sorted_and_reversed_under_another_name(x, y):
    values = [3 * x, y, x * y + 5, x]
    alias = values
    alias.sort()
    first = values[0] * values[1]
    values.reverse()
    return first + 10 * alias[0] ** 2 + 100 * alias[1] * values[3]


@program((1.5, 0.5))
def sort_by_a_key_that_logs_what_it_sees(x, y):
    seen = []

    def key(value):
        seen.append(value * x)
        return -value

    values = [y, x * 3, x + y]
    values.sort(key=key)
    return values[0] * seen[0] + values[1] * seen[1] + values[2] * seen[2] ** 2


@program((1.5, 0.5))
def cleared_under_another_name(x, y):
    values = [x, y]
    alias = values
    before = list(values)
    alias.clear()
    values.append(before[0] * before[1])
    alias += [before[1], values[0] * x]
    return values[0] * alias[2] + before[0] * values[1] + len(alias) * x


@program((1.5, 0.5))
def deleted_items_and_slices(x, y):
    values = [x**k + y for k in range(8)]
    alias = values
    del alias[1:3]
    del values[-1]
    del alias[::2]
    values[0] *= x
    return values[0] * alias[1] + len(values) * x


@program((1.5, 0.5))
def slices_replaced_by_longer_and_shorter_ones(x, y):
    values = [x, y, x * y, 2.0]
    alias = values
    alias[1:2] = [x * 2, y * 2, x + y]
    values[::3] = [alias[1] * x, 5 * y]
    alias[4:] = []
    values[1:1] = alias[:2]
    return sum((k + 1) * value**2 for k, value in enumerate(alias))


@program((1.5,))
def extended_by_itself(x):
    values = [x, x * x]
    alias = values
    values.extend(alias)
    alias += values[1:]
    values[0] = 7.0
    alias[2] *= values[1]
    return sum((k + 1) * value for k, value in enumerate(values)) + len(alias)


@program((1.5, 0.5))
def in_place_addition_keeps_the_alias_and_addition_breaks_it(x, y):
    values = [x]
    alias = values
    values += [y]
    more = [x * y]
    values = values + more
    values += [5.0]
    values[0] = y
    alias.append(x + y)
    return alias[0] * alias[1] + alias[2] * values[0] + values[2] * values[3]


@program((1.5, 0.5))
def repeated_in_place(x, y):
    values = [x, y]
    alias = values
    alias *= 3
    values[2] = values[2] * alias[5]
    alias[0] = x * values[4]
    return values[0] * values[1] + values[2] * values[3] + len(values)


def grow(values, x):
    values += [x]
    more = [100 * x]
    values = values + more
    values.append(1000 * x)
    return values


@program((1.5, 0.5))
def helper_rebinds_its_parameter_between_writes(x, y):
    mine = [y]
    theirs = grow(mine, x)
    mine[0] = mine[1] * y
    theirs[1] *= x
    return mine[0] * theirs[0] + mine[1] * theirs[1] + theirs[2] * theirs[3] / 1000 + len(mine)


@program((1.5, 0.5))
def rows_that_are_one_row(x, y):
    grid = [[0.0] * 3] * 4
    grid[0][1] = x
    grid[2][1] += y
    grid[3][0] = grid[1][1] * x
    for row in grid:
        row[2] += x
    return grid[1][0] * grid[0][2] + grid[2][1] ** 2


@program((1.5, 0.5))
def rows_swapped_while_named(x, y):
    grid = [[x * i + y * j for j in range(3)] for i in range(3)]
    top = grid[0]
    grid[0], grid[2] = grid[2], grid[0]
    grid[0][1] = x * y
    top[2] *= x
    grid[1] = grid[2]
    grid[1][0] = y
    return grid[2][0] * grid[2][2] + grid[0][1] * grid[1][1] + top[0] * top[2]


@program(([3.0, 1.0, 2.5, 0.5], 1.5))
def bubble_sort_under_another_name(values, x):
    work = [value * x for value in values]
    alias = work
    for end in range(len(work) - 1, 0, -1):
        for i in range(end):
            if work[i] > alias[i + 1]:
                alias[i], work[i + 1] = work[i + 1], alias[i]
    return sum(value * 10**k for k, value in enumerate(work)) * x


@program((V, 1.5))
def array_in_a_list_written_under_its_own_name(v, x):
    y = v * 2
    kept = [y, y, y.copy()]
    y[0] = x
    kept[0][1] *= 3 * x
    kept[2][2] = y[0] * v[1]
    y = y * 2
    kept[1][2] += y[1]
    return (kept[0] * v).sum() + kept[1][0] * y[2] + kept[2][2] * kept[2][0]


@program((V, 1.5))
def augmented_item_that_is_an_array(v, x):
    y, z = v * 2, v + x
    kept = [y, z]
    kept[0] += v
    kept[1] = kept[1] + v
    kept[1] *= x
    kept[0] *= kept[1]
    return (y * v).sum() + (z * kept[1]).sum() + (kept[0] * z).sum()


@program((0.75, 6), (0.75, 1))
def appended_to_while_iterated(x, n):
    values = [x]
    total = 0.0
    for value in values:
        total += value * len(values)
        if len(values) < n:
            values.append(value * x + 0.1)
    return total * values[-1]


@program(([1.0, 2.0, 0.5, 1.5],))
def written_ahead_of_the_iteration(numbers):
    values = [number * 1.0 for number in numbers]
    total = 0.0
    for i, value in enumerate(values):
        if i + 1 < len(values):
            values[i + 1] = values[i + 1] * value
        values[0] = value + i
        total += value * values[0]
    return total


@program((0.7, 1.3))
def work_list_that_grows_and_shrinks(x, y):
    queue = [(x, 3)]
    pending = queue
    total = 0.0
    while queue:
        value, depth = queue.pop(0)
        total += value * y
        if depth:
            pending.append((value * x, depth - 1))
            if depth % 2:
                pending.insert(0, (value + y, 0))
    return total + len(pending)


@program((1.5, 0.5))
def default_argument_of_an_inner_function(x, y):
    def remember(value, kept=[x]):
        kept.append(value * kept[-1])
        return kept

    first = remember(y)
    first[0] = y * y
    second = remember(x)
    third = remember(1.0, [y])
    return second[0] * first[2] + second[1] * third[1]


def remember_everywhere(value, kept=[]):
    if value is None:
        kept.clear()
    else:
        kept.append(value)
    return kept


@program((1.5, 0.5))
def default_argument_of_a_module_function(x, y):
    remember_everywhere(None)
    kept = remember_everywhere(x)
    remember_everywhere(y * kept[0])
    kept[0] = kept[1] * 2
    result = remember_everywhere(x)[0] * kept[1] + kept[2]
    remember_everywhere(None)
    return result + len(kept)


def make_pair(x):
    values = [x, x * x]
    return values, values


@program((1.5, 0.5))
def returned_twice_by_a_helper(x, y):
    first, second = make_pair(x)
    first.append(y)
    second[0] = first[2] * second[1]
    other, _ = make_pair(y)
    other[1] = second[0]
    return first[0] * second[2] + other[1] * other[0] + first[1]


@program((1.5, 0.5))
def three_levels_down(x, y):
    data = {"a": [({"w": [x, y]}, 3.0)], "b": []}
    weights = data["a"][0][0]["w"]
    data["b"].append(data["a"][0])
    weights[0] = x * y
    data["b"][0][0]["w"][1] *= weights[0]
    data["a"][0][0]["w"].append(y)
    data["a"] = data["a"] + data["b"]
    data["a"][1][0]["w"][2] += x
    return weights[1] * weights[2] + data["a"][0][0]["w"][0] ** 2


@program((1.5,))
def list_that_holds_itself(x):
    values = [x]
    values.append(values)
    values[1][1][0] = values[0] * x
    values[1].append(values[1][0] * 3)
    return values[0] * values[1][1][2] + x


@program((1.5, 0.5))
def shallow_and_deep_copies(x, y):
    rows = [[x, 1.0], [y]]
    sliced, listed, copied = rows[:], list(rows), copy.deepcopy(rows)
    sliced[0][0] = x * y
    listed[1] = [5 * x]
    rows[1][0] *= copied[0][0]
    copied[1][0] = x
    rows[0] = [y]
    return (
        sliced[0][0] * listed[0][1]
        + sliced[1][0] * 3
        + listed[1][0] * copied[0][0] * copied[1][0]
        + rows[0][0] * rows[1][0]
    )


@program((1.5, 0.5))
def tuple_item_that_grows_although_it_raises(x, y):
    pair = ([x], y)
    try:
        pair[0] += [x * y]
    except TypeError:
        pair[0].append(y * 3)
    return pair[0][0] * pair[0][1] + pair[0][2] * len(pair[0])


@program((1.5, 0.5))
def equal_lists_are_not_one(x, y):
    a, b = [1.0], [1.0]
    pool = [a, b, a]
    pool.remove(b)  # the first that is equal, and that is `a`
    b[0] = y * 3
    pool[1][0] *= x
    same = [values is a for values in pool]
    return pool[0][0] * 2 + b[0] * y + sum(same) * x


@program((0.75, 5))
def short_lived_lists_whose_identity_is_reused(x, n):
    total = 0.0
    for i in range(n):
        scratch = [x * i, x]
        scratch[0] *= scratch[1] + total
        scratch.append(scratch[0])
        total += scratch.pop() * 0.5
        del scratch
        other = [total]
        other[0] += [x * x][0]
        total = other[0]
    return total


@program((1.5, 0.5), (0.5, 1.5))
def alias_that_depends_on_a_value(x, y):
    a, b = [x, y], [y, x * y]
    target = a if x > y else b
    target.append(x * 2)
    target[0] = a[1] * b[1]
    b[1] *= target[2]
    return a[0] * b[0] + a[1] * b[1] + len(a) * x


@program(([[1.0, 2.0], [3.0, 0.5]], 1.5), tags="writes-arguments")
def rows_of_an_argument_become_one(table, x):
    rows = table
    rows[0] = rows[1]
    rows[0][0] *= x
    table[1][1] = rows[0][0] * table[1][1]
    return table[0][1] * rows[1][0] + x


@program(([1.0, 2.0, 3.0], 1.5), tags="writes-arguments")
def argument_changed_by_helpers(values, x):
    alias = values
    put(values, 0, x)
    a = take(alias, 1)
    push(values, a * alias[0])
    alias[1:2] = [x, values[1]]
    return values[0] * alias[1] * values[2] + values[3]


@program((1.5, 0), (1.5, 2))
def appended_before_an_exception(x, y):
    values = [x]
    alias = values
    try:
        alias.append(x * x)
        values[0] = values[1] / y
        alias.append(values[0])
    except ZeroDivisionError:
        values.append(alias[1] * 3)
    finally:
        alias.append(x)
    return values[0] * alias[2] + values[1] * values[-1]


@program((1.5, 4))
def generator_that_yields_the_same_list(x, n):
    def states():
        state = [x, 1.0]
        for i in range(n):
            state[i % 2] = state[0] * state[1] + i / 10
            yield state

    total, last = 0.0, None
    for state in states():
        total += state[0] * 0.5
        state[1] += total / 10
        last = state
    return total * last[1]


@program((1.5, 0.5))
def comprehension_with_a_side_effect(x, y):
    values = [x]
    returned = [values.append(values[-1] * y + k) for k in range(3)]
    squares = [value * values[0] for value in values if values[0] != 0]
    return values[3] * squares[1] + squares[2] + len(returned)


@program((0.7, 3), (0.7, 0))
def output_list_passed_down_a_recursion(x, n):
    found = []
    walk(x, n, [x], found)
    return sum((k + 1) * value for k, value in enumerate(found))


def walk(x, depth, path, found):
    found.append(math.prod(path))
    for step in range(depth):
        path.append(x + step)
        walk(x, depth - 1 - step, path, found)
        path.pop()


@program((1.5, 0.5))
def one_list_as_both_arguments(x, y):
    def mix(target, source, factor):
        target[0] = source[1] * factor
        source[1] = target[0] + source[0]
        target.append(source[1])
        return target[0] * source[-1]

    values, other = [x, y], [y, x * x]
    first = mix(values, values, x)
    second = mix(values, other, y)
    return first * second + values[0] * values[-1] + other[1]


@program((["x", "y", "dup", "*", "swap", "+"], 1.5, 0.5))
def stack_machine_with_operations_in_a_table(words, x, y):
    stack = []
    operations = {
        "x": lambda s: s.append(x),
        "y": lambda s: s.append(y),
        "dup": lambda s: s.append(s[-1]),
        "*": lambda s: s.append(s.pop() * s.pop()),
        "+": lambda s: s.append(s.pop() + 2 * s.pop()),
        "swap": lambda s: s.insert(-1, s.pop()),
    }
    for word in words:
        operations[word](stack)
    return stack[0] * 3


@program((1.5, 0.5))
def lists_keep_their_identity_when_sorted(x, y):
    a, b, c = [3.0, x], [1.0, y], [2.0, x * y]
    table = [a, b, c]
    table.sort(key=lambda row: row[0])
    table[0][1] *= x
    table[2].append(b[1])
    c[1] = table[2][2] * table[1][1]
    return a[2] * b[1] + c[1] * table[1][1] + a[1]


@program((0.7, 7))
def list_of_integers_that_receives_floats(x, n):
    counts = [0] * 3
    bins = counts
    for i in range(n):
        bins[i % 3] += x * i
        counts[-1] -= counts[0] / 4
    return counts[0] * bins[1] + bins[2] ** 2


@program((1.5, 0.5))
def one_slot_under_many_indices(x, y):
    values = [x, y, x * y]
    alias = values
    values[-1] = alias[0] * 2
    alias[2] *= alias[-2]
    values[-3] += values[len(alias) - 1]
    alias[values.index(y)] = values[-1] * x
    return values[0] * values[1] * alias[2]


@program((1.5, 0.5))
def two_lists_that_change_names_in_a_loop(x, y):
    old, new = [x, y, 1.0], [0.0, 0.0, 0.0]
    first = new
    for _ in range(3):
        for i in range(3):
            new[i] = old[i - 1] * x + old[i] / 2
        old, new = new, old
    new[0] += first[1]
    return old[0] * first[0] + new[0] * old[2]


def product(a, b):
    return a * b


@program((1.3,))
def slice_in_a_variable(x):
    items, chosen = [x, 2 * x, x * x], slice(1, None)
    total = product(*items[chosen])
    for item in items[chosen]:
        total = total + item * item
    return total + sum(items[chosen]) * max(items[chosen])


@program((1.3,))
def slice_in_a_variable_of_a_list_with_two_names(x):
    items, chosen = [x, 2 * x, x * x], slice(1, None)
    alias = items
    alias[0] = x
    a, b = items[chosen]
    return a * b * alias[0]


@program((1.3,))
def slice_in_a_variable_of_a_tuple(x):
    items, chosen = (x, 2 * x, x * x), slice(1, None)
    a, b = items[chosen]
    return a * b + product(*items[chosen]) * items[:2][0]
