"""Containers of other classes: those of `collections`, and the user's own; heaps and sorted lists."""

import bisect
import functools
import heapq
import itertools
import types
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])


# ------------------------------------------------------------------------------ dicts that make values


@program((1.3,), (2,))
def sums_by_key(x):
    total = defaultdict(float)
    for k in range(4):
        total[k % 2] += x * k
    return total[0] * total[1] + total["none"]


@program((1.3,))
def lists_by_key(x):
    groups = defaultdict(list)
    for k in range(4):
        groups["odd" if k % 2 else "even"].append(x**k)
    other = groups.copy()
    other["new"].append(x)
    return sum(groups["odd"]) * sum(groups["even"]) + len(groups) * sum(other["new"])


@program((1.3,))
def values_made_of_a_variable(x):
    squares = defaultdict(lambda: x * x)
    return squares["q"] * x + squares["r"] + squares["q"]


@program((1.3,))
def dicts_in_dicts(x):
    groups = defaultdict(lambda: defaultdict(list))
    for i in range(3):
        groups[i % 2]["k"].append(x**i)
    return sum(v for inner in groups.values() for values in inner.values() for v in values) * len(groups)


@program((1.3,))
def given_items_and_a_factory(x):
    d = defaultdict(int, {"a": x}, b=x * x)
    d["c"] += x
    d["a"] *= d["b"]
    return sum(d.values()) + len(d)


@program((defaultdict(float, a=2.0, b=3.0),), tags="writes-arguments")
def argument_that_makes_values(d):
    return d["a"] * d["b"] + d["c"]


class Powers(dict):
    """Computes what it does not have."""

    def __init__(self, x):
        super().__init__()
        self.x = x

    def __missing__(self, k):
        value = self[k] = self.x**k
        return value


class Labelled(dict):
    """Has fields besides its items."""


@program((1.3,))
def fields_and_items_of_one_name(x):
    values = Labelled(scale=x)
    values.scale = x * x
    values["scale"] *= 2.0
    return values.scale * values["scale"] + values.scale**2


@program((1.3,))
def computed_once(x):
    powers = Powers(x)
    return powers[2] + powers[2] * powers[3]


# ---------------------------------------------------------------------------------- ordered and counting


@program((1.3,))
def order_of_keys(x):
    d = OrderedDict([("a", x), ("b", x * x), ("c", 3.0)])
    d.move_to_end("a")
    key, last = d.popitem()
    first = d.popitem(last=False)[1]
    return last * 2 + first + len(key) + sum(k * v for k, v in enumerate(d.values()))


@program((1.3,))
def items_in_order(x):
    d = OrderedDict()
    for k in range(3):
        d[k] = x**k
    total = 0
    for k, v in d.items():
        total += k * v
    return total * d.pop(2) + d.get(5, x)


@program((OrderedDict(w=1.5, b=2.0), 0.5))
def ordered_parameters(parameters, x):
    return parameters["w"] * x + parameters["b"] ** 2


@program((1.3,))
def counted(x):
    weights = Counter(a=x, b=2 * x)
    weights.update({"a": x})
    more = weights + Counter(a=1.0)
    return more["a"] * more["b"] + sum(weights.values()) + weights["none"]


@program((1.3,))
def letters_counted(x):
    count = Counter("abca")
    return x * count["a"] + count.most_common(1)[0][1] * x


@program((1.3,))
def chained_maps(x):
    scopes = ChainMap({"a": x}, {"b": x * x, "a": 3.0})
    scopes["c"] = scopes["a"] * 2
    return scopes["a"] * scopes["b"] + scopes["c"]


@program((1.3,))
def dicts_and_lists_in_python(x):
    d, xs = UserDict(a=x), UserList([x, 2 * x])
    d["b"] = x * x
    xs.append(d["a"] * d["b"])
    return xs[0] * xs[2] + xs.pop()


# ------------------------------------------------------------------------------------------------ queues


@program((1.3,))
def both_ends(x):
    queue = deque([x, x * x])
    queue.append(x**3)
    queue.appendleft(2 * x)
    first, last = queue.popleft(), queue.pop()
    return first * last + queue[0] + sum(queue)


@program((1.3,))
def moving_average(x):
    window, out = deque(maxlen=3), []
    for k in range(6):
        window.append(x * k)
        out.append(sum(window) / len(window))
    return sum(o * o for o in out)


@program((1.3,))
def rearranged_queue(x):
    queue = deque([x, 2 * x, 3 * x])
    queue.rotate(1)
    queue[1] = queue[0] * x
    queue.extend([x])
    queue.extendleft([x * x, x])
    queue.insert(1, x**3)
    queue.reverse()
    del queue[0]
    other = queue.copy()
    other[0] *= 3
    return sum(k * v for k, v in enumerate(queue)) + other[0] + max(queue)


@program((1.3,))
def full_queue(x):
    queue = deque((k * x for k in range(4)), 3)
    queue.appendleft(x * x)
    queue.extend([x, 2 * x, 3 * x, 4 * x, 5 * x])
    queue += [x**3]
    queue *= 2
    longer = queue + queue
    return longer[0] * queue[1] + queue[-1] * sum(longer)


@program((1.3,))
def breadth_first(x):
    waiting, total = deque([(x, 0)]), 0.0
    while waiting:
        value, depth = waiting.popleft()
        total += value
        if depth < 3:
            waiting.append((value * x, depth + 1))
            waiting.append((value + 1.0, depth + 1))
    return total


@program((V,))
def arrays_in_a_queue(v):
    queue = deque([v * 2, v[1:]])
    first = queue[0]
    first *= v
    a, b = queue
    return np.sum(a) + np.sum(queue.pop() * b)


@program((deque([2.0, 3.0]),), tags="writes-arguments")
def queue_as_an_argument(queue):
    return queue[0] * queue[1] + queue.popleft() * sum(queue)


@program((1.3,))
def empty_queue(x):
    queue = deque()
    try:
        queue.popleft()
    except IndexError:
        queue.append(x)
    return queue[0] * x


# ----------------------------------------------------------------------------------------- own classes


class Stack(list):
    """A list with methods of its own."""

    def push(self, value):
        self.append(value)

    @property
    def top(self):
        return self[-1]


class Tripled(list):
    """A list that changes what goes in and out."""

    def __init__(self, *items):
        super().__init__(items)
        self.count = 0

    def append(self, value):
        super().append(2 * value)
        self.count += 1

    def __getitem__(self, index):
        return super().__getitem__(index) * 3

    def __iadd__(self, other):
        for value in other:
            self.append(value)
        return self


@program((1.3,))
def stack(x):
    values = Stack()
    values.push(x)
    values.push(x * x)
    values.extend(v * x for v in (1.0, 2.0))
    return values.top * values[0] + sum(values)


@program((1.3,))
def list_with_hooks(x):
    values = Tripled(x, x * x)
    values.append(x)
    values.extend([x])
    values += [x, 1.0]
    plain = values + [x]  # noqa: RUF005  (the operator is the question)
    return values[0] + values[2] * values[1] + values.count + sum(plain)


class Vector(list):
    """Items that add."""

    def __add__(self, other):
        return Vector(a + b for a, b in zip(self, other, strict=True))

    def __mul__(self, factor):
        return Vector(factor * a for a in self)

    __rmul__ = __mul__


@program((1.3,))
def vectors(x):
    v = Vector([x, 2.0])
    w = v + v * x
    return sum(a * b for a, b in zip(w, 3.0 * v, strict=True))


@program((Vector([1.5, 2.0]),))
def vector_as_an_argument(v):
    return sum(v * 2.0) * v[0]


class Bunch(dict):
    """Keys as attributes."""

    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__


class Folded(dict):
    """Keys in lower case, values doubled."""

    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value * 2)

    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def get(self, key, default=None):
        return self[key] if key.lower() in self else default


@program((1.3,))
def keys_as_attributes(x):
    values = Bunch(a=x, c=1.0)
    values.d = values.a * x
    del values.c
    return values.d * values["a"] + (values.zz is None)


@program((Bunch(a=2.0, b=3.0),))
def attributes_of_an_argument(values):
    return values.a * values.b + values["a"]


@program((1.3,))
def dict_with_hooks(x):
    values = Folded()
    values["AB"] = x
    values["c"] = x * x
    values.update(q=x)
    return values["ab"] * values.get("C") + values.get("zz", x) + dict.__getitem__(values, "q")


@program((1.3,))
def namespaces(x):
    first = types.SimpleNamespace(a=x)
    first.b = [first.a]
    second = types.SimpleNamespace(**vars(first))
    second.a = second.a * 2
    return first.a * second.a + second.b[0]


@program((types.SimpleNamespace(a=2.0, b=V),))
def namespace_as_an_argument(values):
    return values.a * np.sum(values.b * values.b)


# ------------------------------------------------------------------------------- heaps and sorted lists


@program((1.3,), (0.4,))
def heap(x):
    waiting = []
    for k in (3, 1, 2, 5, 4):
        heapq.heappush(waiting, (k * x, x**k))
    first = heapq.heappop(waiting)[1]
    second = heapq.heapreplace(waiting, (9.0, x))[1]
    third = heapq.heappushpop(waiting, (0.1, 7 * x))[1]
    return first + 10 * second + third + sum(k * v for k, (_, v) in enumerate(waiting))


@program(([3.0, 1.0, 2.0, 0.5],), tags="writes-arguments")
def heap_of_numbers(values):
    heapq.heapify(values)
    smallest = heapq.heappop(values)
    return smallest * values[0] + sum(k * v for k, v in enumerate(values))


@program(([3.0, 1.0, 2.0, 0.5],))
def largest_and_smallest(values):
    largest = heapq.nlargest(2, values)
    nearest = heapq.nsmallest(2, values, key=lambda v: abs(v - 1.2))
    return largest[0] * largest[1] + nearest[0] - nearest[1] ** 2


@program((1.3,))
def sorted_insertion(x):
    values = [0.0, 1.0, 2.0]
    place = bisect.bisect(values, x)
    bisect.insort(values, x * 1.2)
    bisect.insort_left(values, -x, key=lambda v: v)
    return values[place] * x + sum(k * v for k, v in enumerate(values))


# --------------------------------------------------------------------------------------------- caches


@functools.lru_cache(maxsize=64)
def chebyshev(n, x):
    """The polynomial of degree n."""
    return 1.0 if n == 0 else x if n == 1 else 2 * x * chebyshev(n - 1, x) - chebyshev(n - 2, x)


@functools.cache
def coefficients(n):
    """Data that are made once."""
    return np.arange(1.0, n + 1)


@program((0.3,))
def cached_recursion(x):
    return chebyshev(4, x) + chebyshev(3, x)


@program((V,))
def cached_data(v):
    return np.sum(coefficients(3) * v) * coefficients(3)[1]


class Tagged(list):
    """Made by `__new__` and filled by `__init__`."""

    def __new__(cls, *items):
        made = super().__new__(cls)
        made.tag = 2.0
        return made

    def __init__(self, *items):
        super().__init__(items)


class Defaults(dict):
    """Filled by the methods of `dict` itself."""

    def __new__(cls, *args, **kwargs):
        return dict.__new__(cls)

    def __init__(self, x, **items):
        dict.__init__(self, a=x)
        self.update(items)


@program((1.3,))
def made_in_two_steps(x):
    values, table = Tagged(x, x * x), Defaults(x, b=x * x)
    return values[1] * values.tag + table["a"] * table["b"]


# ------------------------------------------------------------------------------ places that are counted


@program((np.array([0.7, -1.3, 2.1]),))
def places_by_itertools(x):
    found = []
    same = found
    for i, j in itertools.product(range(3), repeat=2):
        found.append(x[i] * x[j] * (i + 2 * j))
    for i, j in itertools.permutations(range(3), 2):
        found[i] += x[j] * i
    for i, j in itertools.combinations([0, 1, 2], 2):
        same[j] -= x[i] * j
    numbers = itertools.count(1)
    for k in numbers:
        found.append(x[0] * k)
        if k > 2:
            break
    names = dict(zip("abc", range(3), strict=True))
    return sum(same) + same[names["b"]] * names["c"]
