"""Builtins, `functools` and `itertools` on containers of active values, and methods of lists and dicts."""

import collections
import copy
import functools
import itertools
import math
import operator
from typing import NamedTuple

import numpy as np

from tests.corpus.registry import LOG, program

V = np.array([0.5, -1.5, 2.0])


class Segment(NamedTuple):
    """Two ends with a default, and a method."""

    start: float
    end: float = 2.0

    def length(self):
        return self.end - self.start


Pair = collections.namedtuple("Pair", "first second", defaults=(4.0,))


@program(([3.0, -1.0, 2.0], 0.5), ([1.0], 2.0))
def sorted_in_reverse(values, x):
    ordered = sorted(values, reverse=True)
    weighted = sorted([v * x for v in values], key=abs, reverse=True)
    return ordered[0] * x + weighted[0] * ordered[-1] + sum(w * k for k, w in enumerate(weighted))


@program(([(2.0, 1.0), (1.0, 5.0), (1.5, 0.5)],))
def sorted_pairs(pairs):
    total = 0.0
    for rank, (a, b) in enumerate(sorted(pairs, key=lambda pair: pair[1])):
        total += (rank + 1) * a * b
    best = max(pairs, key=lambda pair: pair[0] * pair[1])
    return total + best[0] ** 2


@program(([3.0, 1.0, 2.0], 0.5), ([2.0], 0.5))
def sort_in_place(values, x):
    mine = [v * x for v in values]
    mine.sort()
    first = mine[0]
    mine.sort(key=lambda v: -v)
    return first + mine[0] * 10 + sum(v * k for k, v in enumerate(mine))


@program(([1.0, 2.0, 3.0], [0.5, 1.5]), ([], [1.0]), tags="effects")
def map_with_effects(xs, ys):
    LOG.clear()
    LOG.append("begins")

    def note(a):
        LOG.append("called")
        return a * a

    doubled = list(map(note, xs))
    return sum(doubled) + sum(map(lambda a, b: a * b, xs, ys)) + len(LOG)


@program(([1.0, 2.25, 3.0, 4.0], 0.5), ([], 0.5))
def filters(xs, y):
    large = list(filter(lambda a: a > 1.5, xs))
    present = tuple(filter(None, [x - 2.0 for x in xs]))
    return sum(large) * y + sum(p**2 for p in present)


@program(([1.0, 2.0, 3.0], 2.0), ([4.0], 2.0))
def reductions(xs, y):
    product = functools.reduce(operator.mul, xs)
    horner = functools.reduce(lambda a, b: a * y + b, xs, 0.0)
    views = functools.reduce(lambda a, b: a + b * b, {"a": y, "b": xs[0]}.values())
    return product * horner + views


@program(([1.0, 2.0, 3.0, 4.0], 0.5), ([2.0], 0.5), ([], 0.5))
def itertools_that_rearrange(xs, y):
    total = y
    for a, b in itertools.pairwise(xs):
        total += a * b
    for a in itertools.chain(xs, [y, y * y]):
        total += a**2
    for a, b in itertools.product(xs, [y, 2.0]):
        total += a * b
    for a, b in itertools.combinations(xs, 2):
        total += a * b * y
    for a in itertools.islice(xs, 1, None, 2):
        total += a**3
    return total + sum(itertools.islice(xs, 2)) * y


@program(([1.0, 2.0, 3.0], 0.5), ([], 0.5))
def itertools_that_call(xs, y):
    sums = list(itertools.accumulate(xs))
    products = list(itertools.accumulate([x * y for x in xs], operator.mul))
    powers = list(itertools.starmap(pow, [(x, 2) for x in xs]))
    small = list(itertools.takewhile(lambda a: a < 2.5, xs))
    flat = list(itertools.chain.from_iterable([xs, powers]))
    return sum(sums) * y + sum(products) + sum(powers) + sum(small) ** 2 + sum(flat)


@program(([1.0, 2.0, 3.0], (4.0, 5.0)), ([1.0], ()))
def zips_and_enumerations_as_values(xs, ys):
    pairs = list(zip(xs, ys))
    numbered = dict(enumerate(xs, 1))
    total = numbered[1] * 2
    for (k, a), b in zip(enumerate(xs), reversed(xs)):
        total += k * a * b
    for a, b in pairs:
        total += a * b
    return total + sum(list(reversed(xs))[:1]) ** 2


@program(([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],), ([[1.0, 2.0]],))
def transposed_by_zip(rows):
    columns = list(zip(*rows))
    return sum(math.prod(column) for column in columns) + columns[0][0] * columns[1][-1]


@program(([[1.0], [2.0, 3.0], []], 0.5))
def sums_of_lists(parts, x):
    flat = sum(parts, [])
    pairs = sum([(x, 1.0), (x * x, 3.0)], ())
    return flat[0] * flat[-1] + pairs[0] * pairs[2]


@program(([1.0, -3.0, 2.0], 0.25), ([], 0.25))
def extremes_with_defaults(xs, y):
    return max(xs, default=y) * min([x * y for x in xs], default=y**2) + max(map(abs, [y, y - 1.0]))


@program(({"a": 1.5, "b": -0.5}, 2.0), ({}, 2.0))
def sums_over_views(table, x):
    largest = max(table.values(), default=x)
    total = sum(table.values()) * x + largest
    for key, value in table.items():
        total += value**2 * len(key)
    return total + sum(sorted(table.values())) + math.prod(table.values())


@program(([1.0, 2.0, 3.0], 0.5), ([4.0], 0.5))
def list_methods(xs, y):
    mine = [x * y for x in xs]
    mine.insert(0, y)
    mine.insert(-1, y * 2)
    mine.insert(99, y * 3)
    last = mine.pop()
    second = mine.pop(1)
    mine.reverse()
    mine.append(last * second)
    del mine[0]
    return sum(v * (k + 1) for k, v in enumerate(mine)) + last


@program(([1.0, 2.0, 3.0, 4.0, 5.0], 0.5))
def deletions(xs, y):
    mine = [x * x for x in xs]
    gone = mine[1] * y
    del mine[1]
    del mine[-1]
    mine.remove(mine[0])
    kept = list(mine)
    del kept[::2]
    mine.clear()
    mine.extend((y, gone))
    return kept[0] * mine[0] + mine[1] ** 2


@program((1.5, 4), (1.5, 0))
def stack_in_a_loop(x, n):
    stack = [x]
    total = 0.0
    for k in range(n):
        stack.append(stack[-1] * x + k)
        if k % 2:
            total += stack.pop() ** 2
    while stack:
        total += stack.pop() * 3
    return total


@program((1.5, 0.5))
def dict_writes(x, y):
    table = {"a": x, "b": y}
    table["a"] = table["a"] * y
    table["c"] = x**2
    table["c"] += y
    for k in range(3):
        table[k] = x * k
    del table["b"]
    return table["a"] * table["c"] + table[2] * table.get("b", y) + len(table)


@program((1.5, 0.5))
def dict_methods(x, y):
    table = {"a": x, "b": y}
    table.update({"b": x * y, "c": 3.0})
    taken = table.pop("a") * table.pop("missing", y)
    kept = table.setdefault("b", 7.0) * table.setdefault("d", x**3)
    again = table.copy()
    again["b"] = 1.0
    table.clear()
    table["z"] = y
    return taken + kept * again["d"] + again["b"] * again["c"] + table["z"] ** 2


@program((1.5, {"w": 2.0, "b": 0.5}))
def dict_constructors(x, parameters):
    a = dict(w=x, b=2.0)
    b = dict(parameters)
    c = dict([("p", x * x), ("q", 3.0)])
    d = dict(zip(["r", "s"], [x, x**3]))
    b["w"] = b["w"] * x
    return a["w"] * b["w"] * c["p"] + d["s"] * b["b"] + parameters["w"]


@program(({"layer1": {"w": 2.0, "b": (0.5, 1.0)}, "layer2": {"w": 3.0, "b": (1.5, 2.0)}, "unused": 1.0}, 0.4))
def nested_dicts(model, x):
    for name in ["layer1", "layer2"]:
        layer = model[name]
        x = math.tanh(layer["w"] * x + layer["b"][0])
    squares = {key: value["w"] ** 2 for key, value in model.items() if key.startswith("layer")}
    return x + squares["layer1"] * squares["layer2"]


@program(([1.0, 2.0, 3.0, 4.0],), ((1.0, 2.0, 3.0),), (np.array([1.0, 2.0, 3.0]),))
def unpacking_with_stars(values):
    first, *rest = values
    *start, last = values
    a, b, *_ = values
    return first * sum(rest) + last * sum(start) + a * b**2


def weighted(a, b=2.0, *more, scale=1.0, **options):
    return (a * b + sum(more)) * scale + sum(options.values())


@program(([1.0, 2.0, 3.0], {"scale": 0.5, "extra": 4.0}), ([1.0, 2.0], {}), ([5.0], {"other": 1.0}))
def starred_arguments(args, keywords):
    return weighted(*args, **keywords) + weighted(3.0, *args[:1], **keywords) ** 2


@program((1.5, 0.5))
def namedtuples_made_inside(x, y):
    p = Pair(x * y)
    q = Pair(second=x, first=y)
    s = Segment(start=x)
    moved = q._replace(first=x)
    return p.first * p.second + q.first / q.second + s.length() ** 2 + moved.first


@program((1.5, 0.5))
def partials(x, y):
    def scaled(a, b, c=1.0):
        return a * b + c * x

    f = functools.partial(scaled, x)
    g = functools.partial(f, c=y)
    h = functools.partial(g, y)
    return f(y) * g(2.0) + h() + functools.partial(math.pow, x)(2.0)


@program((V, 0.5), (np.array([]), 0.5))
def builtins_over_arrays(v, x):
    total = sum(v) * x + sum(map(lambda a: a * a, v))
    for a, b in zip(v, list(reversed(v))):
        total += a * b * x
    return total + sum(sorted(v)[:1]) + functools.reduce(lambda a, b: a + b**3, v, x)


@program((1.5, [1.0, 2.0]))
def shallow_copies(x, values):
    a = copy.copy(values)
    b = copy.deepcopy(values)
    c = list(values)
    a[0] = x
    b[1] = x * x
    c.append(x)
    return a[0] * a[1] + b[0] * b[1] + c[2] * values[0]


@program((1.5, {"a": [1.0, 2.0]}))
def operator_objects(x, table):
    first = operator.itemgetter("a")
    upper = operator.attrgetter("real")
    return first(table)[1] * x + upper(x) ** 2 + operator.getitem([x, 2.0], 0) * 3


@program((0.5, 3))
def lists_of_tuples(x, n):
    history = [(x**k, k) for k in range(n)]
    (a, _), *others = history
    return a + sum(value * weight for value, weight in others) + history[-1][0]


@program(([3.0, 1.0, 2.0],), ([1.1, 0.9],))
def ties_and_order(values):
    indices = sorted(range(len(values)), key=lambda k: round(values[k]))
    total = 0.0
    for rank, k in enumerate(indices):
        total += rank * values[k]
    return total + values[indices[-1]] ** 2


@program((2.0, [1.0, 2.0]), tags="raises")
def reduce_of_nothing(x, values):
    return functools.reduce(lambda a, b: a * b, [x * v for v in values if v > 5])


@program((2.0, [1.0]), tags="raises")
def unpacking_too_few(x, values):
    a, b = map(lambda v: v * x, values)
    return a + b


@program((2.0, {"a": 1.0}), tags="raises")
def missing_key(x, table):
    return x * table["a"] * table.pop("b")


@program(([1.0, -2.0, 3.0], 0.5), ([], 0.5))
def iterators_that_are_only_looked_at(xs, y):
    scale = 2.0 if any(map(lambda a: a < 0, xs)) else 3.0
    if all(map(math.isfinite, xs)):
        scale = scale * y
    return scale * y + sum(xs) * y


# ------------------------------------------------------------------------------------ views of dicts


@program(({"a": 1.5, "bb": 2.0}, 0.5))
def lists_of_views(d, x):
    values, pairs = list(d.values()), list(d.items())
    total = sum(list(d.values())) * x + values[0] * values[-1]
    for key, value in pairs:
        total = total + value * len(key)
    return total * sum(sorted(list(d.values()))[:1]) + len(list(d))


@program(({"a": 1.5, "bb": 2.0},))
def tuples_and_arrays_of_views(d):
    view = d.values()
    t = tuple(view)
    return t[0] * np.array(list(view)).sum() + sum([0.5, *tuple(d.items())[1][1:]])


def flexible(p, q=0.5, *rest, k=0.7, **more):
    return p * q + sum(rest) * k + more.get("w", 2.0)


@program(({"a": 1.5, "bb": 2.0}, 0.5))
def views_that_are_unpacked(d, x):
    view = d.values()
    total = flexible(*d.values(), w=x) * flexible(x, *view, k=x)
    first, *rest = view
    return total + sum([*view, x, *view]) * max(*d.values(), x) * first * sum(rest) + [*d.items()][1][1]


@program(({"a": 1.5, "bb": 2.0}, 0.5), tags="writes-arguments")
def views_that_are_unpacked_of_what_changes(d, x):
    other = d
    total = flexible(*d.values(), w=x)
    other["a"] *= x
    first, *rest = d.values()
    other["c"] = x
    return total * first * sum(rest) * sum([*d.values(), x]) * max(*other.values(), x)


@program(({"a": 1.5, "b": 2.0}, 0.5))
def sets_beside_what_is_followed(d, x):
    xs, s = [x], {"a"}
    ys, t = xs, s
    ys.append(x * x)
    s |= {"b"}
    s -= {"a"}
    u = s | {"a"}
    s ^= {"c"}
    s &= {"b", "q"}
    total = 0.0
    for key in sorted((u & t) | s):
        total += d[key] * xs[0]
    return total * xs[1] * len(t)


# --------------------------------------------------------------------- functions made of names and keys


class Held:
    def __init__(self, value, other):
        self.value, self.other = value, other

    def scaled(self, factor=2.0, *more, plus=0.0):
        return self.value * factor + self.other * sum(more) + plus * self.value


class Outer:
    def __init__(self, inner):
        self.inner = inner


@program((1.5, 0.5))
def several_attributes_by_name(x, y):
    first = operator.attrgetter("value", "other")(Held(x, y))
    second = operator.attrgetter("inner.value", "inner.other")(Outer(Held(y, x * y)))
    return first[0] * second[1] + first[1] * second[0] * operator.attrgetter("value")(Held(y, x))


@program((1.5, 0.5))
def several_items_by_key(x, y):
    first = operator.itemgetter(0, 2)([x, y, x * y])
    second = operator.itemgetter("a", "b")({"a": x, "b": y})
    return first[1] * second[1] + operator.itemgetter(1)((x, y)) * first[0]


@program((1.5, 0.5))
def methods_by_name(x, y):
    held = Held(x, y)
    plain, given = operator.methodcaller("scaled"), operator.methodcaller("scaled", 3.0, 2.0)
    named = operator.methodcaller("scaled", plus=2.0)
    items = []
    same = items
    operator.methodcaller("append", 4.0)(same)
    same.append(x)
    return plain(held) * given(held) + named(held) * items[0] * items[1]


@program((1.5, 0.5))
def keys_made_of_names(x, y):
    things = sorted([Held(x, y), Held(y, x)], key=operator.attrgetter("value"))
    rows = max([[x, 1.0], [y, 2.0]], key=operator.itemgetter(1))
    return things[0].value * things[1].other + rows[0] * sum(map(operator.itemgetter(0), [[x], [y]]))


# --------------------------------------------------------- what is walked over changes on the way


@program(([1.0, 2.0, 3.0], 1.3), tags="writes-arguments")
def neighbours_of_a_list_that_grows(xs, a):
    total = 0.0
    for first, second in itertools.pairwise(xs):
        if len(xs) < 6:
            xs[1:1] = [a]
        total += first * second
    return total


@program(([1.0, 2.0, 3.0], 1.3), tags="writes-arguments")
def chain_of_a_list_that_a_helper_changes(xs, a):
    total = 0.0
    for x in itertools.chain(xs, [a]):
        lengthened(xs, x * a)
        total = total * 0.5 + x
    for x in itertools.islice(xs, 4):
        xs[2] = x * a
        total += x
    return total


def lengthened(xs, x):
    if len(xs) < 6:
        xs.append(x)


@program((np.array([0.5, -1.5, 2.0]), 1.3))
def neighbours_in_an_array_that_changes(v, a):
    w, total = v * a, 0.0
    for first, second in itertools.pairwise(w):
        w[2] = a * first
        total = total + first * second
    for x in itertools.chain(w, v):
        w += a
        total = total + x
    return total


@program(([1.0, 2.0, 3.0], 1.3))
def neighbours_while_others_change(xs, a):
    out, totals = [], {"s": 0.0}
    for first, second in itertools.pairwise(xs):
        product = 0.0
        for _ in range(2):
            product += first * second
        out.append(product * a)
        totals["s"] += math.sin(first)
    return sum(out) * totals["s"]


@program((V,))
def methods_of_data_as_functions(v):
    total, power = v.sum, v[0].__pow__
    table = {"a": v[0], "b": v[1] * v[2]}
    largest = max(table, key=table.get)
    items = [v[1] * 3.0, v[0], v[2] * 2.0]
    order = sorted(range(3), key=items.__getitem__)
    parts = [total(), power(2), table[largest], items[order[0]] * items[order[2]]]
    parts.extend(map(np.ndarray.sum, [v, v * v]))
    parts.append(float.__add__(float(v[0]), float(v[1])))
    return sum(parts)


@program((V,))
def operators_that_change_containers(v):
    w, entries, table = v * 2.0, [v[0]], {"a": v[1]}
    operator.setitem(w, slice(0, 1), v[1] * w[2])
    operator.setitem(table, "b", table["a"] * v[0])
    operator.delitem(table, "a")
    same = operator.iconcat(entries, [v[2] * v[0]])
    more = operator.concat(entries, [v[1]])
    more[0] = more[0] * 3.0
    return np.sum(w * v) + table["b"] + sum(same) * sum(more) + operator.call(np.sum, w)


def by_sine(a, b):
    return math.sin(a) - math.sin(b)


BY_SINE = functools.cmp_to_key(by_sine)


@program((1.5, 0.25))
def sorted_by_a_comparing_function(x, y):
    xs = [x, y, x * y, 3.0]
    upwards = sorted(xs, key=functools.cmp_to_key(lambda a, b: (a > b) - (a < b)))
    pairs = [(x, 1), (y, 0), (x * x, 2)]
    pairs.sort(key=functools.cmp_to_key(lambda a, b: b[1] - a[1]))
    return upwards[0] * 2 + upwards[1] * 3 + pairs[0][0] * pairs[2][0] + sorted(xs, key=BY_SINE)[0]


@program((1.5, 0.25))
def chosen_by_a_comparing_function(x, y):
    key = functools.cmp_to_key(lambda a, b: a - b)
    smallest = min([x, y, x * y], key=key)
    return smallest * x if key(x) > key(y) else y


@program((V, 5))
def ranges_in_variables(v, n):
    steps, back = range(n), range(n - 1, 0, -2)
    total = v[0] * len(steps) + v[1] * steps[2] + v[2] * steps[-1]
    for _ in range(2):  # a range may be walked over again
        for i in steps:
            total += v[i % 3] * (i + 1)
    inner = steps[1:3]
    total += sum(v[i] * i for i in inner) * (3 in steps) * inner.start
    items = [v[i % 3] * k for k, i in enumerate(back)] + list(map(lambda i: v[0] * i, reversed(steps)))
    first = iter(back)
    total += v[1] * next(first) * next(first)
    return total * sum(items) if back == range(4, 0, -2) else total * max(steps)


class Counted:
    """An object whose field is a range."""

    def __init__(self, n):
        self.steps = range(n)
        self.total = 0.0

    def run(self, x):
        for i in self.steps:
            self.total = self.total * x + i
        return self.total


@program((0.7, 4))
def ranges_in_fields(x, n):
    counted, kept = Counted(n), [range(n), range(2)]
    counted.run(x)
    for steps in kept:
        for i in steps:
            counted.total += x * x * i
    return counted.run(x) * len(kept[0]) + kept[1][1] * x
