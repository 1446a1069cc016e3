"""Dicts that are reachable under several names and change: methods, views, memo tables, globals."""

import collections
import math

import numpy as np

from tests.corpus.registry import LOG, program

V = np.array([0.5, -1.5, 2.0])

board = {}
registry = {"items": [], "scale": 1.0}


@program((1.5, 0.5))
def one_dict_under_two_names(x, y):
    a = {"x": x}
    b = a
    pair = (a, {"inner": b})
    b["x"] = x * y
    pair[1]["inner"]["y"] = a["x"] * y
    pair[0]["x"] *= b["y"]
    return a["x"] * b["y"] + pair[0]["y"] * x


@program((1.5, 0.5))
def update_in_all_its_forms(x, y):
    a = {"x": x}
    alias = a
    alias.update({"y": y, "x": x * y})
    a.update([("z", a["x"] * 2), ("y", alias["y"] * x)])
    alias.update(w=x + y, x=a["z"] * y)
    a.update(alias)
    return a["x"] * alias["y"] + a["z"] * alias["w"]


@program((1.5, 0.5))
def setdefault_gives_the_stored_object(x, y):
    groups = {}
    alias = groups
    for key, value in (("a", x), ("b", y), ("a", x * y), ("b", 2.0), ("a", 3 * x)):
        groups.setdefault(key, []).append(value)
    alias.setdefault("a", [0.0])[0] *= y
    kept = groups.setdefault("c", [x])
    kept[0] = alias["a"][2] * kept[0]
    return groups["a"][0] * groups["a"][1] + groups["b"][0] * alias["c"][0]


@program((1.5, 0.5))
def popped_with_and_without_a_default(x, y):
    table = {"a": x, "b": [y]}
    alias = table
    a = alias.pop("a", 100.0)
    again = table.pop("a", x * y)
    b = alias.pop("b")
    b[0] *= a
    missing = table.pop("b", [7.0])
    table["a"] = b[0] + again
    return a * again + alias["a"] * missing[0] + b[0] ** 2 + len(alias)


@program((1.5, 0.5))
def last_items_popped(x, y):
    table = {"a": x, "b": y, "c": x * y}
    alias = table
    key, value = alias.popitem()
    alias["a"] = value * x
    other, second = table.popitem()
    table[key] = second * alias["a"]
    _, third = alias.popitem()
    return value * second + third * table["a"] + len(key + other)


@program((1.5, 0.5))
def deleted_and_stored_again_in_another_order(x, y):
    table = {"a": x, "b": y, "c": 2.0}
    alias = table
    del alias["a"]
    table["a"] = x * y
    table["b"] *= 3
    result = 0.0
    for value in alias.values():
        result = result * x + value
    return result


@program((1.5, 0.5))
def merged_in_place_and_anew(x, y):
    a, b = {"p": x, "q": y}, {"q": x * y, "r": 2.0}
    alias = a
    a |= b
    b["q"] = 50.0
    a = a | {"p": y}
    a["r"] = x * 5
    alias["p"] *= x
    return alias["p"] * alias["q"] + alias["r"] * a["r"] + a["p"] * a["q"]


@program((1.5, 0.5))
def keys_that_are_numbers_and_tuples(x, y):
    table = {1: x, (0, 1): y, None: x * y, "1": 2.0}
    alias = table
    alias[1.0] = x * 3
    table[True] += y
    i = 1
    alias[0, i] *= table[1]
    alias[frozenset([1])] = table[(0, 1)] * x
    return table[1] * alias[0, 1] + table[None] * table["1"] + table[frozenset([1])] + len(table) * y


class Cell:
    def __init__(self, row, column):
        self.place = row, column

    def __eq__(self, other):
        return self.place == other.place

    def __hash__(self):
        return hash(self.place)


@program((1.5, 0.5))
def keys_that_are_equal_objects(x, y):
    table = {Cell(0, 0): x, Cell(0, 1): y}
    corner = Cell(0, 0)
    table[corner] *= y
    table[Cell(0, 1)] = table[Cell(0, 0)] * x
    table.setdefault(Cell(0, 1), 9.0)
    table[Cell(2, 2)] = table.pop(Cell(0, 1)) * 2
    return table[corner] * table[Cell(2, 2)] + len(table) * x


@program((1.5, 0.5))
def values_changed_while_items_are_walked(x, y):
    table = {"a": x, "b": y, "c": x * y}
    total = 0.0
    for key, value in table.items():
        table[key] = value * x + total
        table["c"] += value
        total += table[key]
    for key in table:
        table[key] *= table["a"]
    return total * table["b"] + table["c"] + sum(table.values())


@program((1.5, 0.5))
def views_see_later_changes(x, y):
    table = {"a": x}
    keys, values, items = table.keys(), table.values(), table.items()
    table["b"] = x * y
    first = sum(values)
    table["a"] = first * y
    table["c"] = y
    return first * sum([table[key] for key in keys]) + math.prod(value for _, value in items) + len(values)


@program(({"a": [1.0, 2.0], "b": [0.5]}, 1.5), tags="writes-arguments")
def lists_in_a_dict_argument_are_walked_and_changed(table, x):
    for key, values in table.items():
        values.append(values[0] * x)
        if key == "b":
            table["a"][0] = values[-1]
            table["a"] = values
    return table["a"][1] * table["b"][0] + len(table["a"]) * x


@program(({"w": 2.0, "b": 0.5, "unused": 7.0}, 1.5), tags="writes-arguments")
def dict_argument_changed_by_a_helper(parameters, x):
    rescale(parameters, x)
    parameters["new"] = parameters["w"] * parameters.pop("b")
    rescale(parameters, parameters["new"])
    return parameters["w"] * parameters["new"]


def rescale(table, factor):
    table["w"] = table["w"] * factor
    table.setdefault("new", factor)


@program((1.5, 0.5))
def dict_of_shared_lists(x, y):
    shared = [x]
    table = dict.fromkeys(["a", "b"], shared)
    table["c"] = [y]
    table["a"].append(x * y)
    table["b"][0] = table["c"][0] * 2
    table["c"] = table["b"] + table["c"]
    table["c"][0] = x
    shared.append(table["c"][1])
    return table["a"][0] * table["b"][1] + table["a"][2] * table["c"][0] + table["c"][2]


@program(([1.0, 2.0, 0.5, 1.5, 3.0], 1.5))
def groups_and_counts_with_default_factories(numbers, x):
    groups, sums = collections.defaultdict(list), collections.defaultdict(float)
    for k, number in enumerate(numbers):
        groups[k % 2].append(number * x)
        sums[k % 3] += number**2
        sums[k % 2] *= x
    groups[0][1] = sums[5] + sums[1]
    return sum(groups[0]) * groups[1][0] + sums[0] * sums[2] + len(sums) * x


@program((["a", "b", "a", "c", "b", "a"], 1.5))
def counted_with_get(words, x):
    counts = {}
    for k, word in enumerate(words):
        counts[word] = counts.get(word, x) * x + counts.get("a", 0.0) + k
    return counts["a"] * 2 + counts["b"] * counts.get("d", x) + counts["c"]


@program((1.2, 8), (1.2, 1))
def memoised_fibonacci(x, n):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        if k < 2:
            return x + k
        memo[k] = fib(k - 1) * x + fib(k - 2)
        return memo[k]

    return fib(n) + sum(memo.values())


def remembered(k, x, memo):
    if k not in memo:
        memo[k] = x * remembered(k - 1, x, memo) + remembered(k // 2, x, memo)
    return memo[k]


@program((0.8, 1.3, 6))
def memo_table_given_as_an_argument(x, y, n):
    memo = {0: y}
    first = remembered(n, x, memo)
    memo[n] = first * memo[n // 2]
    second = remembered(n + 1, y, memo)
    return first * x + second


def cached_power(x, k, table={}):
    if k == 0:
        table.clear()
        return 1.0
    table[k] = cached_power(x, k - 1) * x
    return table[k] + len(table) * table[1]


@program((1.3, 4))
def memo_table_in_a_default_argument(x, n):
    depth = len(range(n))
    first = cached_power(x, depth)
    second = cached_power(first / 10, depth - 1)
    return first * second


@program((1.5, 0.5))
def nested_dicts_updated_by_helpers(x, y):
    def change(tree, path, value):
        for key in path[:-1]:
            tree = tree.setdefault(key, {})
        tree[path[-1]] = tree.get(path[-1], 1.0) * value
        return tree

    tree = {"a": {"b": {"c": x}}}
    inner = tree["a"]["b"]
    leaf = change(tree, ("a", "b", "c"), y)
    change(tree, ("a", "d"), inner["c"] * x)
    leaf["c"] += x
    tree["link"] = tree["a"]["b"]
    change(tree, ("link", "c"), tree["a"]["d"])
    return inner["c"] * tree["a"]["d"] + leaf["c"] * y


def store(x):
    board["x"] = x
    return board["x"] * board["x"]


def fetch():
    return board["x"] * 3 + board.get("y", 0.0)


@program((1.5,), (-0.5,), gradient=lambda x: (4 * x**3 + 27 * x**2,))
def global_dict_written_in_one_helper_and_read_in_another(x):
    board.clear()
    first = store(x)
    board["y"] = board["x"] ** 2 * x
    second = store(first)
    return second + fetch() - 3 * first + 8 * board.pop("y")


@program((1.5, 0.5), tags="effects")
def global_dict_reached_under_other_names(x, y):
    registry["items"], registry["scale"] = [], 1.0
    items, mine = registry["items"], registry
    mine["scale"] = x
    enlist(y)
    enlist(items[0])
    items[0] += mine["scale"]
    mine["items"] = [100.0]
    enlist(y)
    result = items[0] * items[1] + registry["items"][1] * x + len(items)
    LOG.append((list(items), list(mine["items"]), registry["scale"]))
    registry["items"], registry["scale"] = [], 1.0
    return result


def enlist(value):
    registry["items"].append(value * registry["scale"])
    registry["scale"] *= value


@program((1.5, 0.5))
def copies_share_what_is_inside(x, y):
    a = {"v": [x], "n": y}
    b, c = dict(a), {**a}
    d = {key: value for key, value in a.items()}
    b["v"][0] *= y
    c["n"] = x
    d["v"] = [a["v"][0] * 2]
    d["v"][0] *= x
    a.copy()["v"].append(b["n"] * c["n"])
    return a["v"][0] * b["v"][1] + c["n"] * d["v"][0] + d["n"] * a["n"]


class Defaults(dict):
    def __missing__(self, key):
        self[key] = value = self["base"] * len(key)
        return value


@program((1.5, 0.5))
def subclass_that_fills_missing_keys(x, y):
    table = Defaults(base=x)
    first = table["abc"]
    table["base"] = y * first
    table["abc"] += table["ab"]
    return table["abc"] * table["ab"] + table["base"] + len(table) * x


@program((1.5, 0.5), (1.5, 2.5))
def missing_key_behind_a_write(x, y):
    table = {"a": x}
    alias = table
    try:
        alias["a"] *= y
        table["b"] = table["a"] * x
        if y < 1:
            alias["a"] = table["zzz"]
        table["b"] += y
    except KeyError:
        alias["b"] *= 3
    return table["a"] * alias["b"]


@program((V, 1.5))
def arrays_in_a_dict_written_in_place(v, x):
    state = {"w": v * 2, "g": v + x}
    w, alias = state["w"], state
    for _ in range(2):
        alias["w"] -= 0.1 * state["g"]
        state["g"][1:] += w[:-1] * x
    w[0] = x * x
    state["w"] = state["w"] * 2
    state["w"][1] = w[2]
    return (w * v).sum() + (alias["w"] * state["g"]).sum()


@program((["t = x * y", "x = t + x", "y = x * t", "t = y + t"], 1.5, 0.5))
def variables_of_an_interpreter(lines, x, y):
    environment = {"x": x, "y": y}
    scopes = [environment, environment]
    for k, line in enumerate(lines):
        target, _, left, operator, right = line.split()
        a, b = scopes[k % 2][left], environment[right]
        scopes[-1][target] = a * b if operator == "*" else a + b
    return environment["x"] * environment["y"] + scopes[0]["t"]


@program(("abca", "aba", 0.7, 0.4))
def edit_distance_in_a_table(left, right, gap, change):
    table = {(0, 0): 0.0}
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            terms = []
            if i:
                terms.append(table[i - 1, j] + gap)
            if j:
                terms.append(table[i, j - 1] + gap * 1.1)
            if i and j:
                terms.append(table[i - 1, j - 1] + (0.0 if left[i - 1] == right[j - 1] else change))
            if terms:
                table[i, j] = -math.log(sum(math.exp(-term) for term in terms))
    return table.pop((len(left), len(right))) * gap + len(table) * change


@program(({"a": ["b", "c"], "b": ["c"], "c": ["a"]}, 0.85, 0.3))
def ranks_on_a_graph(links, damping, start):
    ranks, incoming = {node: start + len(node) for node in links}, {}
    for _ in range(3):
        incoming.clear()
        for node, targets in links.items():
            for target in targets:
                incoming[target] = incoming.get(target, 1 - damping) + damping * ranks[node] / len(targets)
        ranks, incoming = incoming, ranks
    return ranks["a"] * ranks["b"] + incoming["c"] ** 2


# --------------------------------------------------------- views for functions found when they are called


def grown(values):
    xs = []
    other = xs
    xs.extend(values)
    return other


def of_pairs(pairs):
    xs = [0.5]
    other = xs
    for key, value in pairs:
        xs.append(value * value * len(key))
    return other


FOUND = [grown, of_pairs]


@program(({"a": 1.5, "b": 2.0}, FOUND))
def values_for_what_is_not_known(d, functions):
    xs = functions[0](d.values())
    return xs[0] * xs[1] * d["a"]


@program(({"a": 1.5, "bb": 2.0}, FOUND))
def items_for_what_is_not_known(d, functions):
    pairs = d.items()
    xs = functions[1](pairs)
    d = {"c": xs[1]}
    return sum(xs) * xs[2] + functions[0](d.values())[0]


@program(({"a": 1.5, "b": 2.0}, [0.5]), tags="writes-arguments")
def values_that_a_list_takes(d, xs):
    values = d.values()
    xs.extend(values)
    xs += values
    d["a"] *= xs[1]
    xs[1:2] = values
    return sum(x * k for k, x in enumerate(xs)) * d["b"]
