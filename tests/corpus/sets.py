"""Sets of numbers: of equal elements the first is kept, and its gradient counts."""

# ruff: noqa: RUF005
# Sets made in roundabout ways, and of equal elements, are what is tested.

import copy
import functools
import math
import operator
from collections import deque

import numpy as np

from tests.corpus.registry import program

SEEN = set()
KINDS = frozenset({"a", "b"})


class Bag:
    def __init__(self, items):
        self.items = set(items)

    def add(self, item):
        self.items.add(item)
        return self

    def __iter__(self):
        return iter(self.items)


# ---------------------------------------------------------------------------------------- made and read


@program((1.5, 0.5), (2, 0.5), (np.float32(1.5), np.float32(0.5)))
def display(x, y):
    total = 0.0
    for value in {x, y, x * y, y}:
        total += value * value
    return total * x


@program((1.5, 0.5))
def displays_with_stars(x, y):
    items = [x, y]
    return sum({*items, x * y, *(x, y)}) * max({*items}) + sum({*[]}, y)


@program((1.5, 0.5), (2, 0.5))
def made_of_iterables(x, y):
    of_list, of_tuple = set([x, y, x]), set((x * y, y))
    of_generator = set(v * v for v in (x, y))
    of_map, of_set = frozenset(map(math.sin, [x, y])), set({x, y})
    of_values = set({"a": x, "b": x * y}.values())
    return (
        sum(of_list) * sum(of_tuple)
        + sum(of_generator) * sum(of_map)
        + sum(of_set) * max(of_values)
        + len(set()) * x
        + sum(frozenset(), y)
    )


@program((1.5, 0.5))
def comprehension(x, y):
    squares = {v * w for v in (x, y) for w in (x, y) if v > 0}
    total = 1.0
    for square in squares:
        total *= square
    return total + len(squares)


@program((1.5, 0.5))
def comprehension_of_what_is_captured(x, y):
    made = {(lambda: v * x)() for v in (x, y, x)}
    return sum(made) * len(made)


@program(([1.5, 0.5, 2.5],))
def read_by_builtins(values):
    s = set(values)
    t = sorted(s, reverse=True)
    first, *rest = sorted(s)
    return sum(s) * max(s) + min(s) * t[0] * t[1] + math.fsum(s) * math.prod(s) + first * sum(rest)


@program(([1.5, 0.5, 2.5],))
def given_to_functions(values):
    s = set(values)
    return (
        functools.reduce(lambda a, b: a * b, s)
        + max(s, key=lambda v: -v) * min(s, default=0.0)
        + np.sum(np.array(list(s)) ** 2)
        + sum(deque(s)) * len(s)
        + sum(functools.reduce(operator.or_, [s, {values[0] * values[1]}]))
        + sum(set.union(*[{v * v} for v in values]))
    )


@program((1.5, 0.5))
def unpacked(x, y):
    (only,) = {x * y}
    one, two = {x, y}
    head, *tail = {x * x, y, x}
    return only * one * two + head * sum(tail) + max(*{x, y}) * sum([*{x, y}], y)


@program((1.5, 0.5))
def iterated_by_hand(x, y):
    s = {x, y, x * y}
    steps = iter(s)
    first = next(steps)
    rest = 0.0
    for value in steps:
        rest += value * value
    return first * rest + next(iter({x * y})) + next(iter(set()), x) + next(steps, y)


@program((1.5, 0.5))
def walked_with_others(x, y):
    s = {x, y}
    total = 0.0
    for position, value in enumerate(s):
        total += value * (position + 1) * value
    for left, right in zip(s, sorted(s)):
        total += left * right
    for left in s:
        for right in s:
            total += left * right * right
    return total


@program((1.5, 0.5))
def asked_only(x, y):
    s = {x, y}
    t = frozenset(s)
    found = (x in s) + (x * y in t) + (s == t) + (s <= {x}) + s.isdisjoint({x}) + t.issuperset([y]) + bool(s)
    return found * x * y + len(s)


@program((1.5, 0.5))
def of_several_sorts(x, y):
    s = {x, "a", None, (x, y), 3, ("a", x)}
    total = 0.0
    for value in s:
        if isinstance(value, float):
            total += value * y
        elif isinstance(value, tuple):
            total += value[1] * value[1] * (value[0] if isinstance(value[0], float) else 1.0)
        elif isinstance(value, int):
            total *= 1.0
    return total


@program((1.5, 0.5))
def sets_in_sets(x, y):
    s = {frozenset({x, y}), frozenset({x * y}), frozenset()}
    return sum(max(inner, default=0.0) * sum(inner) for inner in s)


@program((np.array([1.5, 0.5, 2.5]),))
def of_array_items(values):
    s = set(values)
    s.add(values[0] * values[1])
    return sum(s) * max(s) + sum(set(values.tolist()))


# -------------------------------------------------------------------------------------------- changed


@program((1.5, 0.5), (2, 0.5))
def added_and_taken_out(x, y):
    s = set()
    s.add(x)
    s.add(y)
    s.add(x)
    s.discard(y)
    s.discard(7.0)
    s.add(x * y)
    s.remove(x)
    s.add(x * x)
    last = max(s)
    s.clear()
    s.add(y)
    return last * s.pop() + len(s)


@program((1.5, 0.5))
def taken_out_and_put_in_again(x, y):
    s = {x, y}
    before = sum(s)
    s.remove(x)
    s.add(x * 1.0)
    total = before * sum(s)
    while s:
        total += s.pop() ** 2
    return total


@program((1.5, 0.5))
def equal_by_construction(x, y):
    s = {x * 2, x + x}
    s.add(2 * x)
    t = {x + x} | {2 * x, y}
    return sum(s) * sum(t) * len(s)


@program((1.5, 0.5))
def in_a_loop_and_a_branch(x, y):
    seen = set()
    total = 0.0
    value = x
    for step in range(4):
        if value not in seen:
            seen.add(value)
            total += sum(seen) * y
        if step % 2:
            seen = {v * y for v in seen}
        value = value * y if step else x
    return total + sum(seen)


@program((1.5, 0.5))
def grown_from_iterables(x, y):
    s = {x}
    s.update([y, x], (x * y,), {x * x: 1}.keys() and [x * x])
    s.update(v + 1 for v in (x, y))
    s.update()
    s.update({y * y}, frozenset({x + y}))
    s.difference_update([x], (v for v in [y]))
    s.symmetric_difference_update([x * y, x * 7, x * 7])
    s.intersection_update([x * 7, x * x, y * y, 3.0], set(s))
    return sum(v * v for v in s) * len(s)


@program((1.5, 0.5))
def put_together(x, y):
    a, b = {x, y, x * y}, {y, x * x, x + y}
    whole, common, left, apart = a | b, a & b, a - b, a ^ b
    return (
        sum(whole) * max(common)
        + sum(left) * sum(apart)
        + sum(a.union([x * 3], b)) * max(a.intersection([y, x], b))
        + sum(b.difference(a, [x * x])) * sum(a.symmetric_difference([y, y * 5]))
        + sum(a.union()) * sum(a.copy())
    )


@program((1.5, 0.5))
def augmented(x, y):
    s = {x, y}
    alias = s
    s |= {x * y, y}
    s -= {x}
    s ^= {y, x * 9}
    s &= {x * y, x * 9, 1.0}
    fixed = frozenset({x})
    other = fixed
    fixed |= {y}
    fixed -= {x * 4}
    return sum(alias) * sum(fixed) * sum(other) + len(alias)


@program((1.5, 0.5))
def under_two_names(x, y):
    s = {x}
    alias = s
    holder = [s, {"set": alias}]
    alias.add(y)
    total = sum(s)
    holder[1]["set"].add(x * y)
    holder[0].discard(x)
    s = {1.0}
    s.add(x)
    return total * sum(alias) + sum(s) * max(holder[0])


@program((1.5, 0.5))
def changed_behind_a_copy(x, y):
    s = {x, y}
    one, two, three, four = s.copy(), copy.copy(s), copy.deepcopy([s])[0], frozenset(s)
    s.clear()
    s.add(x * y)
    one.discard(x)
    two.add(sum(s))
    return sum(one) * sum(two) * sum(three) * sum(four) + max(s)


@program((1.5, 0.5))
def kept_by_an_object(x, y):
    bag = Bag([x, y]).add(x * y)
    bag.add(x)
    total = sum(v * v for v in bag)
    bag.items = {y}
    return total * sum(bag.add(x * x))


@program((1.5, 0.5))
def changed_by_a_callee(x, y):
    def put(into, *values):
        for value in values:
            into.add(value * y)
        return into

    s = set()
    t = put(s, x, y, x)
    put(t, x * x)
    return sum(s) * len(t)


@program((1.5, 0.5))
def changed_by_a_closure(x, y):
    seen = set()
    remember = seen.add

    def forget(value):
        seen.discard(value)
        return value * value

    remember(x)
    remember(y)
    kept = sum(seen)
    return kept * forget(x) + sum(seen)


@program((1.5, 0.5))
def in_a_global_variable(x, y):
    SEEN.clear()
    SEEN.add(x)
    SEEN.update([y, x * y])
    return sum(SEEN) * _from_the_global_set(y)


def _from_the_global_set(y):
    return sum(v * v for v in SEEN) * y


@program((1.5, 0.5))
def left_by_an_exception(x, y):
    def failing():
        yield x * y
        raise ValueError("no more")

    s = {x}
    try:
        s.update(failing())
    except ValueError:
        s.add(y)
    try:
        s.remove(99.0)
    except KeyError:
        s.add(sum(s))
    return sum(v * v for v in s)


@program((1.5, 0.5))
def keys_of_a_dict(x, y):
    table = {"a": x, "b": y}
    names = set(table)
    names |= {"c"}
    total = 0.0
    for name in sorted(names & set(table) | KINDS):
        total += table[name] * len(names)
    return total


@program(([1.5, 0.5, 2.0],))
def distinct_in_order(values):
    seen = set()
    add = seen.add
    values = values + [values[0]]
    distinct = [v for v in values if not (v in seen or add(v))]
    return sum(v * (place + 1) for place, v in enumerate(distinct)) * len(distinct)


@program((1.5, 0.5))
def given_by_a_generator(x, y):
    def each(values):
        yield from values
        values.add(x * y)
        yield max(values)

    s = {x, y}
    return sum(v * v for v in each(s)) * sum(s)


@program((1.5, 0.5))
def rebound_to_something_else(x, y):
    s = {x, y}
    t = s | {x * y}
    s = sum(s)
    t = [v * s for v in t]
    s = {s, *t}
    return sum(s) * t[0] * t[1] * t[2]


@program((1.5, 0.5), tags="raises")
def no_such_element(x, y):
    s = {x}
    s.discard(y)
    s.remove(y)
    return sum(s)


@program((1.5, 0.5), tags="raises")
def arrays_are_no_elements(x, y):
    s = {x}
    s.add(np.array([y]))
    return sum(s)
