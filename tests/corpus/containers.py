"""Tuples, lists and dicts: literals, indexing, append, unpacking, comprehensions, aliasing."""

import collections
import math

import numpy as np

from tests.corpus.registry import program

Point = collections.namedtuple("Point", "x y")


@program((1.5, 0.5))
def tuple_literal_and_index(x, y):
    t = (x * y, x + y, 3.0)
    return t[0] * t[1] + t[-1] * t[0]


@program((1.5, 0.5))
def nested_tuples(x, y):
    t = ((x, y), (y * 2, (x, 5.0)))
    return t[0][1] * t[1][1][0] + t[1][0] * t[1][1][1]


@program((1.5, 0.5))
def nested_unpacking(x, y):
    (a, b), [c, (d, e)] = (x, y), (x * y, (2.0, x))
    return a * b + c * d - e**2


@program(([1.0, 2.0, 3.0, 4.0],))
def starred_unpacking(values):
    first, *middle, last = values
    return first * last + sum(middle) ** 2 + len(middle)


@program((1.5,))
def chained_assignment(x):
    a = b = x * x
    a = a + 1
    c = [d, e] = (x, b)
    return a * b + c[0] * e + d


@program((1.5, 0.5))
def swap(x, y):
    x, y = y, x * y
    x, y = y + x, y - x
    return x**2 * y


@program(([1.0, 2.0, 3.0],))
def list_argument(values):
    return values[0] * values[1] + values[-1] ** 2


@program(([1.0, 2.0, 3.0],), ([4.0],))
def list_argument_partly_used(values):
    return values[0] ** 2


@program((1.5, 3), (1.5, 0))
def append_in_a_loop(x, n):
    values = [x]
    for i in range(n):
        values.append(values[-1] * x + i)
    return values[-1] + sum(values)


@program((1.5, 4))
def append_and_read_back(x, n):
    states = []
    for i in range(n):
        states.append(math.sin(x * i))
    total = 0.0
    for i in range(len(states)):
        total += states[i] * states[n - 1 - i]
    return total


@program((1.5,))
def list_of_lists_with_append(x):
    rows = [[], []]
    for i in range(4):
        rows[i % 2].append(x**i)
    return rows[0][1] * rows[1][0] + rows[1][1]


@program((1.5,))
def aliased_lists(x):
    a = [x]
    b = a
    b.append(x * x)
    a.append(3.0)
    return a[1] * b[2] + len(a) * x


@program((1.5,))
def list_in_a_tuple_is_the_same_list(x):
    values = []
    pair = (values, x)
    pair[0].append(x**2)
    values.append(x**3)
    return pair[0][1] * values[0]


@program(([1.0, 2.0, 3.0], 0.5))
def list_comprehension(values, x):
    squares = [v * v * x for v in values]
    return squares[0] * squares[1] + squares[2]


@program(([1.0, -2.0, 3.0], 0.5), ([-1.0], 0.5))
def comprehension_with_condition(values, x):
    kept = [math.log(v) * x for v in values if v > 0]
    return sum(kept) + x


@program((0.5, 3))
def nested_comprehension(x, n):
    table = [[x**i * j for j in range(n)] for i in range(n)]
    return sum([table[i][i] for i in range(n)]) + table[1][2]


@program((0.5,))
def comprehension_with_two_loops(x):
    return sum([x**i * (j + 1) for i in range(3) for j in range(i)])


@program(([1.0, 2.0, 3.0], 0.5))
def generator_expression(values, x):
    return sum(v**2 * x for v in values) + max(v * x for v in values) + math.prod(v + x for v in values)


@program((0.5,))
def generator_expression_with_condition(x):
    return sum(x**i for i in range(6) if i % 2) * sum((x * i for i in range(3)), start=x)


@program((1.5, 0.5))
def dict_literal(x, y):
    d = {"a": x * y, "b": x, 3: 2.0}
    return d["a"] * d["b"] + d[3] * d["a"]


@program((1.5, {"w": 2.0, "b": 0.5, "unused": 7.0}))
def dict_argument(x, parameters):
    return x * parameters["w"] ** 2 + parameters["b"]


@program((1.5, {"w": 2.0}), (1.5, {"v": 3.0}))
def dict_get_and_in(x, parameters):
    if "w" in parameters:
        return x * parameters["w"] ** 2
    return x * parameters.get("v", 1.0) + parameters.get("z", 4.0) * x


@program((1.5,))
def dict_display_with_spread(x):
    a = {"p": x, "q": 2.0}
    b = {**a, "q": x * x, "r": 3.0}
    return b["p"] * b["q"] + a["q"] * b["r"]


@program((1.5,))
def dict_comprehension(x):
    table = {k: x**k for k in range(4)}
    return table[2] * table[3] + table[1]


@program((1.5, {"layers": [{"w": 2.0}, {"w": 3.0}], "scale": (0.5, 4.0)}))
def nested_parameters(x, model):
    for layer in model["layers"]:
        x = math.tanh(layer["w"] * x)
    return x * model["scale"][1]


@program((Point(1.5, 0.5),))
def namedtuple_argument(p):
    return p.x**2 * p.y + p[1]


@program((1.5, 0.5))
def namedtuple_made_inside(x, y):
    p = Point(x * y, y=x)
    x, y = p
    return p.x * y + p.y * x


@program((1.5,))
def concatenated_sequences(x):
    values = [x, 2.0] + [x * x] + [3.0] * 2
    pair = (x,) + (2 * x,) * 2
    return values[0] * values[2] * values[4] + pair[2] ** 2


@program(([1.0, 2.0, 3.0, 4.0],))
def slices_of_lists(values):
    head, tail = values[:2], values[2:]
    return sum(head) * sum(tail) + values[::-1][0] * values[1::2][1]


@program((1.5, 0.5))
def starred_displays(x, y):
    a = [x, y]
    b = (*a, x * y, *[3.0])
    return b[0] * b[2] + b[1] * b[3]


@program((3.0, 1.0, 2.0))
def sorted_min_max(x, y, z):
    low, middle, high = sorted([x, y, z])
    return low + 10 * middle**2 + 100 * high + min(x, y) * max([y, z]) + max(x, y, z)


@program(([3.0, -1.0, 2.0],))
def sorted_with_key(values):
    ordered = sorted(values, key=lambda v: -v)
    return ordered[0] * 1 + ordered[1] * 20 + ordered[2] * 300 + min(values, key=abs) ** 2


@program(([1.0, 2.0], [3.0, 4.0]))
def zip_into_lists(xs, ys):
    pairs = list(zip(xs, ys))
    columns = tuple(zip(*pairs))
    return pairs[0][1] * pairs[1][0] + columns[1][1]


@program((1.5,))
def returns_a_tuple(x):
    return x * x, (x, 3.0), 7


@program((1.5,))
def returns_a_list_and_a_dict(x):
    return {"a": [x, x**2], "b": x**3}


@program((1.5, np.array([1.0, 2.0])))
def mixed_container(x, v):
    things = [x, v, "name", None, (x * v, 3)]
    return (things[1] * things[4][0]).sum() * things[0] + len(things[2])


@program((1.5, 2), (1.5, 0))
def index_computed_at_run_time(x, k):
    values = [x, x**2, x**3]
    return values[k] * 2 + values[k - 1]


@program((1.5,))
def truth_of_containers(x):
    empty, full = [], [x]
    if empty or not full:
        return x
    return full[0] ** 2 * (3 if full else 4)


@program((1.5, 1.5))
def equal_values_are_not_one(x, y):
    values = [x, y]
    return values[0] ** 2 * values[1]


@program((2.0,), tags="raises")
def index_out_of_range(x):
    values = [x, x * x]
    return values[2]
