"""Methods that are called by their special names, and parts of classes that say what is done to classes."""

import contextlib
import dataclasses
import functools
import itertools
import math
import operator
from collections import ChainMap, Counter, deque
from typing import NamedTuple

from tests.corpus.registry import program


class Plain:
    def __init__(self, v):
        self.v = v

    def __getitem__(self, key):
        return self.v * (key + 1)

    def __call__(self, other):
        return self.v * other


@program((0.7, 1.3))
def attributes_set_by_dunders(x, y):
    made = Plain(x)
    made.__setattr__("v", made.v * y)
    for k in range(2):
        object.__setattr__(made, "v", made.v * y + k)
    found = made.__getattribute__("v") * object.__getattribute__(made, "v")
    made.w = x
    made.__delattr__("w")
    return found if not hasattr(made, "w") else x


@program((0.7, 1.3))
def functions_called_by_dunder(x, y):
    def scaled(value):
        return value * x * y

    by_name = scaled.__call__
    return scaled.__call__(y) * sum(map(by_name, [x, y])) * math.sin.__call__(x)


@program((0.7, 1.3))
def variable_rebound_by_a_dunder(x, y):
    total = x

    def times(value):
        nonlocal total
        total = total * value
        return total

    times.__call__(y)
    return total * times.__call__(x)


@program((0.7, 1.3))
def objects_called_by_dunders(x, y):
    made = Plain(x)
    listed = [x, y]
    listed.__setitem__(0, x * y)
    found = made.__call__(y) + made.__getitem__(1) + Plain.__call__(made, y)
    return found * listed.__getitem__(0) * float.__mul__(x, y) + x.__pow__(2)


@program((0.7, 1.3))
def operators_in_place_and_deleted(x, y):
    a = operator.imul(operator.iadd(x, y), x)
    listed = [x]
    operator.iadd(listed, [y, a])
    operator.setitem(listed, 0, a)
    operator.delitem(listed, 1)
    return sum(listed) * operator.attrgetter("v")(Plain(x)) * operator.itemgetter(1)(listed)


@dataclasses.dataclass
class Point:
    a: float
    b: float = 2.0
    rest: list = dataclasses.field(default_factory=list)


class Pair(NamedTuple):
    a: float
    b: float = 3.0

    def dot(self, other):
        return self.a * other.a + self.b * other.b


class Doubled(Pair):
    def dot(self, other):
        return 2 * super().dot(other)


@program((0.7, 1.3))
def matched_by_position_and_converted(x, y):
    total = 0.0
    for found in (Point(x, y), Pair(y, x), [Point(x), y], {"k": x}):
        match found:
            case Point(a, b=b):
                total += a**b
            case Pair(a, b):
                total += a * b * b
            case [Point(a), *rest]:
                total += a * rest[0]
            case {"k": value}:
                total += value
    as_dict = dataclasses.asdict(Point(x, y, [Point(x * y)]))
    replaced = dataclasses.replace(Point(x, y), b=total)
    return as_dict["rest"][0]["a"] * replaced.b + Doubled(x, y).dot(Pair(y))


@program((0.7, 1.3))
def windows_and_counts(x, y):
    window = deque(maxlen=2)
    counts = Counter()
    table = ChainMap({}, {"a": x})
    for key, value in (("a", x), ("b", y), ("a", x * y)):
        window.append(value)
        counts[key] += sum(window) * table["a"]
        table["a"] = value
    return counts["a"] * counts["b"] + table.parents["a"] + counts["none"]


class Resource:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        self.v = self.v * 2
        return self

    def __exit__(self, *failure):
        self.v = self.v / 3

    @functools.cached_property
    def squared(self):
        return self.v**2


@program((0.7, 1.3), tags="order1-only")
def stack_of_resources(x, y):
    made = [Resource(x), Resource(y)]
    with contextlib.ExitStack() as stack:
        product = math.prod(stack.enter_context(one).v for one in made)
        stack.callback(setattr, made[0], "w", x)
    first = made[0].squared
    made[0].v = y
    return product * first * made[0].squared + made[1].v + made[0].w


class Kept(Exception):
    def __init__(self, v):
        super().__init__(v)
        self.v = v


@program((0.7, 1.3), tags="order1-only")
def thrown_into_a_generator_and_grouped(x, y):
    def running():
        total = x
        while True:
            try:
                total = total * (yield total)
            except Kept as failure:
                total = failure.v
            finally:
                total = total + 1

    steps = running()
    found = next(steps) * steps.send(y) * steps.throw(Kept(x * y))
    steps.close()
    try:
        raise ExceptionGroup("both", [Kept(x), ExceptionGroup("inner", [Kept(y)])])
    except* Kept as group:
        found += group.exceptions[0].v * group.exceptions[1].exceptions[0].v
    return found


@program((0.7, 1.3))
def defaults_that_are_changed(x, y):
    def summed(value, seen=[]):
        seen.append(value)
        return sum(seen)

    def found(key, value, known={}):
        return known.setdefault(key, value * y)

    return summed(x) * summed(y) + found(1, x) + found(1, y) * found(2, summed(x))


@program((0.7, 1.3))
def tools_of_iteration(x, y):
    running = list(itertools.accumulate([x, y, x * y], operator.mul, initial=y))
    first, second = itertools.tee(v * y for v in (x, y))
    next(second)
    by_size = itertools.groupby(sorted([x, y, 3 * y]), key=lambda v: v > 1)
    grouped = {key: math.prod(values) for key, values in by_size}
    padded = sum(a * b for a, b in itertools.zip_longest(running, [y], fillvalue=x))
    return padded * sum(p * q for p, q in zip(first, second)) + grouped[True] * grouped[False]


class Registry:
    table: dict = {}  # noqa: RUF012

    @classmethod
    def put(cls, key, value):
        cls.table[key] = value

    @classmethod
    def get(cls, key):
        return cls.table[key]


@program((0.7, 1.3), tags="order1-only")
def kept_by_a_class(x, y):
    Registry.put("a", x)
    Registry.put("b", Registry.get("a") * y)
    return Registry.get("b") * Registry.table["a"]


class Scaled:
    def __init__(self, v):
        self.v = v

    def __class_getitem__(cls, factor):
        return cls(factor * 2)


class Meta(type):
    def __getitem__(cls, value):
        return cls(value)

    @property
    def two(cls):
        return 2.0


class Indexed(metaclass=Meta):
    def __init__(self, v):
        self.v = v

    def twice(self):
        return self.v * type(self).two


@program((0.7, 1.3))
def classes_that_are_indexed(x, y):
    made = Indexed[x * y]
    made.v += y
    return Scaled[y].v * made.twice() * Indexed(x).v
