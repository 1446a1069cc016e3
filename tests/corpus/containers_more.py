"""Lists and dicts in all the ways they are changed, iterators by hand, copies, and variables far out."""

# ruff: noqa: RUF015, RUF024
# Containers made and copied in roundabout ways are what is tested.

import copy
import math
import operator
from typing import NamedTuple

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])


# -------------------------------------------------------------------------------------------- dicts


@program((1.5, 0.5), (2, 0.5))
def setdefault_inserts_and_finds(x, y):
    table = {"a": x}
    alias = table
    first = table.setdefault("a", y)
    second = table.setdefault("b", x * y)
    alias.setdefault("list", []).append(second)
    alias.setdefault("list", [y]).append(first)
    table["b"] *= y
    return first * second + table["b"] * alias["list"][0] + len(alias["list"]) * alias["list"][1]


@program((1.5, 0.5))
def setdefault_on_a_known_dict(x, y):
    table = {"a": x}
    return table.setdefault("b", y * y) * table["b"] + table.setdefault("a") + len(table)


@program((1.5, 0.5))
def items_popped_from_the_end(x, y):
    table = {"a": x, "b": y, "c": [x]}
    alias = table
    key, value = alias.popitem()
    value.append(y)
    other, number = table.popitem()
    alias[other] = number * x
    return sum(value) * number + table["b"] * len(key) + len(alias)


@program((1.5, 0.5))
def popped_from_a_known_dict(x, y):
    table = {"a": x, "b": y}
    key, value = table.popitem()
    return value * table["a"] + table.pop("a") * len(key) + table.pop("z", x)


@program(({"a": 1.5, "b": 0.5},), tags="writes-arguments")
def argument_emptied_item_by_item(table):
    total = 0.0
    while table:
        key, value = table.popitem()
        total = total * value + value * len(key)
    return total


@program((1.5, 0.5), tags="raises")
def popped_from_an_empty_dict(x, y):
    table = {"a": x}
    table.popitem()
    return table.popitem()[1] * y


@program((1.5, 0.5))
def updates_in_all_forms(x, y):
    table = {"a": x}
    table.update({"b": y})
    table.update([("c", x * y), ("a", y)])
    table.update({"d": x * 2, "e": y * 2}.items())
    table.update(e=x, f=table["e"])
    table.update({"a": table["a"]}, g=table["b"])
    table.update()
    table.update([], h=x)
    return sum(value * number for number, value in enumerate(table.values())) * table["a"]


@program((1.5, 0.5))
def updates_of_a_dict_under_two_names(x, y):
    table = {"a": x, "b": [y]}
    alias = table
    pairs = [["a", y], ["c", alias["b"]]]
    alias.update(pairs)
    table["c"].append(x)
    table.update(alias)
    table.update(alias.items())
    alias |= {"a": alias["a"] * y}
    alias |= [("d", x)]
    return table["a"] * sum(table["b"]) + alias["d"] * pairs[0][1]


@program((1.5, 0.5))
def merged_dicts_stay_apart(x, y):
    one, two = {"a": x, "b": [y]}, {"a": y, "c": x}
    both = one | two
    other = two | one | {}
    both["a"] *= x
    both["b"].append(x)
    one["a"] = 0.5
    return both["a"] * other["a"] + sum(one["b"]) * both["c"] + two["a"] + len(other)


@program((1.5, 0.5))
def dicts_made_of_pairs(x, y):
    pairs = [("a", x), ("b", [y])]
    table = dict(pairs)
    table["b"].append(x)
    other = dict(table, a=y, c=x)
    third = dict([["a", x], ("b", y)], **{"c": other["a"]})
    fourth = dict(zip("ab", (y, x)))
    fifth = dict(table.items())
    return sum(pairs[1][1]) * other["a"] + third["c"] * fourth["b"] + fifth["a"] * len(fifth) + other["c"]


@program((1.5, 0.5))
def dicts_of_one_value(x, y):
    table = dict.fromkeys(["a", "b"], x)
    shared = dict.fromkeys("ab", [y])
    shared["a"].append(x)
    empty = dict.fromkeys([], x)
    nothing = dict.fromkeys({"a": y})
    nothing["a"] = table["b"] * y
    return table["a"] * sum(shared["b"]) + len(empty) + nothing["a"]


@program((1.5, 0.5))
def dicts_in_dicts_filled_by_default(x, y):
    groups = {}
    for number, value in enumerate((x, y, x * y, x + y)):
        groups.setdefault(number % 2, {}).setdefault("values", []).append(value)
    for group in groups.values():
        group["total"] = sum(group["values"])
    return groups[0]["total"] * groups[1]["total"] + groups[1]["values"][0]


@program((1.5, 0.5))
def cleared_and_filled_again(x, y):
    table = {"a": x, "b": y}
    alias, kept = table, table.copy()
    table.clear()
    alias["a"] = kept["b"] * x
    del kept["b"]
    kept.update(table)
    return table["a"] * kept["a"] + len(kept)


@program((V, 0.5))
def dicts_of_arrays_merged(v, y):
    table = {"a": v * 2, "b": v}
    other = dict(table)
    other["a"][0] = y
    both = table | {"b": other["a"] * v}
    both.update(c=both["b"][1:])
    both["c"][0] *= 2.0
    return np.sum(both["a"] * both["b"]) + np.sum(table["b"])


# -------------------------------------------------------------------------------------------- lists


@program((1.5, 0.5))
def inserted_and_removed(x, y):
    items = [x, y, 3.0]
    alias = items
    items.insert(1, x * y)
    items.insert(-1, y)
    items.insert(99, x)
    alias.remove(3.0)
    alias.remove(y)
    return sum(a * b for a, b in zip(items, range(1, 9))) * len(items)


@program((1.5, 0.5))
def sorted_in_place_by_a_key(x, y):
    items = [[x, 1], [y, 2], [x * y, 0]]
    alias = items
    items.sort(key=lambda item: item[0])
    alias[0][0] *= x
    items.sort(key=operator.itemgetter(1), reverse=True)
    return items[0][0] * alias[1][0] + items[2][0] ** 2


@program((1.5, 0.5))
def slices_assigned_and_deleted(x, y):
    items = [x, y, x * y, 1.0]
    alias = items
    items[1:3] = [y * y]
    items[:0] = (x, x)
    items[1:2] = iter([x * 2, y * 2])
    alias[::2] = [y, x, items[4]]
    del items[1:2]
    del alias[-1]
    items[2:] = items
    items[1:1] = {"k": y}.values()
    return sum(a * b for a, b in zip(items, range(1, 20)))


@program((1.5, 0.5))
def lists_extended_by_what_has_no_length(x, y):
    table = {"a": x, "b": y}
    items = []
    alias = items
    items.extend(table.values())
    items.extend(value * y for value in (x, y))
    items += table.values()
    items.extend(map(operator.neg, [x]))
    items.extend(zip((x,), (y,)))
    items.extend(reversed([x, y]))
    alias[0] *= y
    return sum(items[:4]) * items[5] + items[6] + alias[7][0] * alias[7][1] + items[8] * items[9]


@program((1.5, 0.5))
def cleared_copied_and_filled(x, y):
    items = [x, [y]]
    kept, alias = items.copy(), items
    items.clear()
    alias.append(kept[0] * y)
    alias.extend(kept)
    kept[1].append(x)
    kept *= 2
    kept[1][0] *= x
    return items[0] * items[1] + sum(items[2]) * len(kept) + sum(kept[3])


@program(([1.5, 0.5, 2.0],), ([3, 1, 2],), tags="writes-arguments")
def argument_rearranged(items):
    alias = items
    items.sort()
    alias.insert(0, items.pop() * 2)
    items.reverse()
    del alias[0:1]
    items[1:] = [items[0] * items[1], items[0]]
    return items[0] * alias[1] + len(items) * items[-1]


@program((1.5, 0.5), tags="raises")
def removed_what_is_not_there(x, y):
    items = [x, y]
    items.remove(x + y)
    return items[0]


@program((1.5, 0.5), tags="raises")
def slice_of_another_length(x, y):
    items = [x, y, x]
    items[::2] = [y]
    return items[0] * x


@program((V,))
def rows_sorted_and_sliced(v):
    rows = [v * 2, v[1:], v[:1] * v[2]]
    rows.sort(key=len)
    rows[0][0] = 4.0
    rows[1:] = [rows[2][:2], rows[1]]
    rows.insert(0, rows[1] * rows[2])
    del rows[2]
    return np.sum(rows[0]) * rows[1][0] + np.sum(rows[2])


# ---------------------------------------------------------------------------------------- iterators


@program((1.5, 0.5), (2, 0.5))
def iterators_of_lists_and_tuples(x, y):
    items = [x, y]
    it = iter(items)
    first = next(it)
    items.append(first * y)
    items[1] *= 2
    pair = iter((x, y))
    total = next(pair) * next(it) + next(it) + next(it, y)
    return total + next(pair) * next(pair, x) + next(iter([]), y)


@program((1.5, 0.5))
def iterator_shared_by_two_loops(x, y):
    it = iter([x, y, x * y, x + y])
    total = 0.0
    for value in it:
        total += value * value
        total *= next(it)
    again = iter(it)
    return total + next(again, y) + (again is it)


@program((V,), (V.astype(np.float32),), (np.array([1, 2, 3]),))
def iterators_of_arrays(v):
    matrix = np.outer(v, v) * 1.0
    rows = iter(matrix)
    first, second = next(rows), next(rows)
    second[0] = first[1] * v[0]
    it = iter(v)
    total = next(it) * next(it)
    for value in it:
        total = total + value * value
    return np.sum(first * second) + total + np.sum(next(rows)) + next(it, 1.0) + np.sum(matrix)


@program((1.5, 0.5))
def iterators_taken_apart(x, y):
    it = iter([x, y, x * y, 2.0])
    a, b = next(it), next(it)
    c, d = it
    pairs = iter([(x, y), (y, c)])
    (e, f), g = next(pairs), next(pairs)
    return a * b + c * d + e * f * g[1] + sum(iter((x, y))) + len(list(iter([x]))) + max(iter([a, b]))


@program((1.5, 0.5))
def iterator_kept_in_a_dict(x, y):
    state = {"it": iter([x, y]), "seen": []}
    while True:
        value = next(state["it"], None)
        if value is None:
            break
        state["seen"].append(value * value)
    return state["seen"][0] * state["seen"][1]


@program((1.5, 0.5))
def consecutive_pairs_from_one_iterator(x, y):
    it = iter([x, y, x * y, x + y])
    total = 0.0
    for a, b in zip(it, it):
        total = total * x + a * b
    return total


@program((1.5, 0.5), tags="raises")
def behind_the_end_of_a_list(x, y):
    it = iter([x])
    return next(it) * next(it) * y


# -------------------------------------------------------------------------------------------- copies


@program((1.5, 0.5))
def copies_of_containers(x, y):
    inner = [x, y]
    table = {"a": inner, "b": (inner, y), "n": x}
    shallow, deep = copy.copy(table), copy.deepcopy(table)
    again = copy.copy([inner, inner])
    inner[0] *= y
    deep["a"][1] *= 3
    same = deep["a"] is deep["b"][0]
    return shallow["a"][0] * deep["a"][0] * deep["b"][0][1] * same + again[1][0] + deep["n"] * deep["b"][1]


@program((1.5, 0.5))
def copies_of_tuples_and_numbers(x, y):
    pair = copy.deepcopy((x, y))
    nested = copy.copy(((x, y), [x]))
    deep = copy.deepcopy(nested)
    nested[1].append(copy.copy(y))
    deep[1][0] *= copy.deepcopy(x)
    return pair[0] * nested[1][1] + deep[0][1] * deep[1][0] + nested[1][0] + len(copy.deepcopy([]))


@program((1.5, 0.5))
def copy_of_a_list_that_holds_itself(x, y):
    items = [x]
    items.append(items)
    items.append((items, y))
    deep = copy.deepcopy(items)
    deep[1][0] *= y
    return deep[0] * items[0] + deep[2][0][1][0] * deep[2][1] + (deep[2][0] is deep) * y


@program((V,), (V.astype(np.float32),))
def copies_of_arrays_in_containers(v):
    rows = [v * 2, v[1:]]
    rows.append(rows[0])
    deep, shallow = copy.deepcopy(rows), copy.copy(rows)
    deep[0][0] = v[1] * v[2]
    shallow[1] = shallow[0] * 3
    rows[0][2] = 7.0
    return np.sum(deep[2] * rows[0]) + np.sum(shallow[1]) + np.sum(deep[1]) * shallow[2][2]


@program(([1.5, [0.5, 2.0]],))
def copy_of_an_argument(items):
    mine = copy.deepcopy(items)
    mine[1].append(mine[0])
    mine[1][0] *= items[1][1]
    return sum(mine[1]) * items[0] + copy.copy(items)[1][0]


# ------------------------------------------------------------------------------- variables far out


@program((1.5, 0.5))
def rebound_two_functions_out(x, y):
    total = x

    def middle(factor):
        def inner(value):
            nonlocal total
            total = total * factor + value
            return total

        inner(y)
        return inner

    first, second = middle(y), middle(x)
    first(x)
    total *= 2
    return second(total) * first(y) + total


@program((1.5, 0.5))
def rebound_three_functions_out(x, y):
    a, b = x, y

    def one():
        c = a * b

        def two():
            nonlocal a
            d = c + b

            def three():
                nonlocal a, b, c
                a, b, c = b * d, a + c, a
                return a

            a += three()
            return three

        three = two()
        return three() * c + three() * c

    return one() * a + b


@program((1.5, 0.5))
def read_two_functions_out_while_it_changes(x, y):
    level = x

    def maker():
        def reader():
            return level * y

        return reader

    reader = maker()
    before = reader()
    level = level * before
    return reader() * before + level


@program((1.5, 0.5, 3))
def counter_two_functions_out_in_a_loop(x, y, n):
    calls, total = 0, 0.0

    def visit(value):
        def record(part):
            nonlocal calls, total
            calls += 1
            total += part * calls
            return part

        return record(value) * record(value * y)

    for number in range(n):
        total += visit(x + number)
    return total * calls


@program((1.5, 0.5))
def shared_by_brothers_and_their_parent(x, y):
    def bank():
        money = x

        def account():
            def put(amount):
                nonlocal money
                money += amount
                return money

            def get():
                return money

            return put, get

        put, get = account()
        put2, get2 = account()
        put(y)
        money *= get2()
        put2(x * y)
        return get() * money

    return bank() * y


@program((1.5, 0.5, 3))
def inner_recursion_that_rebinds_far_out(x, y, n):
    best = x

    def search():
        def descend(depth):
            nonlocal best
            if depth == 0:
                return y
            best = best * y + depth
            return best + descend(depth - 1)

        return descend(n)

    return search() * best


@program((1.5, 0.5))
def rebound_far_out_by_a_lambda_inside(x, y):
    state = x

    def middle():
        def write(value):
            nonlocal state
            state = value

        return [lambda v: write(v * state), lambda: state]

    write, read = middle()
    write(y)
    write(x)
    return read() * state


# ---------------------------------------------------------------------------------- numbers as keys


@program((1.5, 0.5))
def numbers_as_keys_that_are_looked_up(x, y):
    memo = {}

    def square(v):
        if v not in memo:
            memo[v] = v * v
        return memo[v]

    return square(x) * square(y) + square(x)


@program((1.5, 0.5))
def constant_keys_that_are_read(x, y):
    table = {1: x, 2: y, 0.5: x * y}
    total = 0.0
    for key in table:
        total += key * table[key]
    for key, value in table.items():
        total += key * value
    return total + list(table)[1] * x + max(table) * y


@program((1.5, 0.5))
def keys_that_carry_a_gradient(x, y):
    table = {x: y}
    return list(table)[0] * y


@program((1.5, 0.5))
def keys_that_carry_a_gradient_in_a_loop(x, y):
    table = {}
    table[x * y] = 1.0
    table[x] = 2.0
    total = 0.0
    for key, weight in table.items():
        total += key * weight
    return total + sum(table.keys())


@program((1.5, 0.5))
def set_elements_that_carry_a_gradient(x, y):
    total = 0.0
    for value in {x, y}:
        total += value * value
    return total


@program((1.5, 0.5))
def sets_that_are_only_asked(x, y):
    seen = set()
    total = 0.0
    for value in (x, y, x):
        if value not in seen:
            seen.add(value)
            total += value * value
    return total * len(seen)


# Lists of numbers in which something else takes the place of a number.


@program(([1.0, 2.0, 3.0], 1.5), tags="writes-arguments")
def numbers_become_lists(c, x):
    s = sum([q * k for k, q in enumerate(c)])
    c[0] = [x, c[1]]
    c.append("a")
    c.insert(1, [x])
    return s + c[0][1] * c[1][0]


@program(([1.0, 2.0, 3.0], 1.5), tags="writes-arguments")
def numbers_become_lists_in_a_loop(c, x):
    s = c[0] * c[1]
    for k in range(3):
        c[k % 2] = [c[2]]
    return s * x + c[0][0]


@program(([1.0, 2.0, 3.0], 1.5), tags="writes-arguments")
def numbers_become_lists_in_a_branch(c, x):
    s = c[0] * c[1]
    if x > 0:
        c[1] = [c[2]]
    return s * x + c[0]


@program(([1.0, 2.0, 3.0], 1.5), tags="writes-arguments")
def numbers_become_arrays(c, x):
    s = 0.0
    for q in c:
        s += q * q
    c[-1] = np.array([x, x * x])
    return s * c[-1].sum() + c[0]


@program((1.5, 0.5), (2, 0.5))
def methods_with_unpacked_and_named_arguments(x, y):
    table, items = [{"a": x, "b": y}, [x]]
    table.update(a=table["b"] * x, c=x)
    table.update({"d": y}, **{"b": x * x})
    table.setdefault(*("e", x * y))
    items.append(*(table.pop(*("d",)),))
    items.insert(*(0, table["c"] * y))
    items.sort(key=lambda v: -v)
    return table["a"] * table["b"] * table["e"] + items[0] * items[2] * items[1]


@program(({"a": 1.5, "b": 0.5}, 2.0), tags="writes-arguments")
def argument_updated_with_names(table, x):
    table.update(a=table["b"] * x, c=x)
    return table["a"] * table["c"]


@program((1.5, 0.5))
def methods_kept_before_anything_is_active(x, y):
    items, table = [], {}
    put, update = items.append, table.update
    for value in (x, y):
        put(value * x)
        update({len(items): value})
    return items[0] * items[1] + table[1] * table[2]


@program((0.5, [1.5, 2.0, 3.0]), tags="writes-arguments order2")
def deleted_from_a_given_list(a, xs):
    del xs[0]
    return a * xs[0] + xs[1] * xs[1]


@program((0.5, [1.5, 2.0, 3.0, 0.5]), tags="writes-arguments order2")
def deleted_and_taken_out_of_a_given_list(a, xs):
    del xs[-2]
    if a > 0:
        xs.pop(0)
    xs.append(a)
    return a * xs[0] * xs[-1] + xs[1] * xs[1]


@program((0.5, [1.5, 2.0, 3.0, 0.5, 0.7]), tags="writes-arguments order2")
def slices_of_a_given_list_replaced_and_deleted(a, xs):
    xs[1:2] = [a, xs[0] * a]
    del xs[3:5]
    xs += [a]
    xs[:0] = [xs[-1] * xs[-2]]
    del xs[::2]
    return a * xs[0] + xs[1] * xs[1]


@program((0.5, [1.5, 2.0, 3.0, 0.5]), tags="writes-arguments order2")
def a_given_list_put_in_another_order(a, xs):
    xs.insert(1, a * xs[2])
    xs.reverse()
    del xs[1]
    xs.sort()
    xs.extend(xs[:1])
    del xs[0]
    return a * xs[0] + xs[1] * xs[-1]


@program((0.5, {"u": 1.5, "v": 2.0, "w": 0.5}), tags="writes-arguments order2")
def deleted_from_a_given_dict(a, d):
    del d["u"]
    d["u"] = a * d["v"]
    kept = d.pop("w") * a
    d["w"] = kept * d["u"]
    del d["v"]
    return sum(d.values()) * a


class Vector3(NamedTuple):
    x: float
    y: float
    z: float = 1.0

    def norm(self):
        return math.sqrt(sum(c * c for c in self))


@program((1.5,))
def named_tuples_as_vectors(x):
    p = Vector3(x, x * x)
    q = Vector3(*[2.0, x, x * 3])
    numbers = sum(p) + math.fsum(p) + math.prod(p) + max(p) + min(*p) + math.dist(p, (1.0, x, 2.0))
    arrays = np.sum(p) + np.dot(p, [1.0, 2.0, 3.0]) + np.linalg.norm(np.array(p)) + np.mean([p, p], axis=0)[1]
    return numbers + arrays + p.norm() * sum(q) + sum(np.sin(p))
