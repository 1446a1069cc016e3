"""Python's protocols on objects: `super`, iteration, operators, attributes by name, copies of objects."""

# Attributes by name, copying loops and comparisons with themselves are what is tested.

import copy
import dataclasses
import functools
import math
from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])


# ------------------------------------------------------------------------------------------- super


class Root:
    def __init__(self, a, **rest):
        self.a = a
        self.trace = [a]
        super().__init__(**rest)

    def value(self):
        return self.a * 2

    def step(self, x):
        self.a = self.a + x
        self.trace.append(self.a)
        return self

    @property
    def size(self):
        return self.a * self.a

    @size.setter
    def size(self, new):
        self.a = new / 2

    @classmethod
    def made(cls, a):
        return cls(a)

    @staticmethod
    def mixed(a, b):
        return a * b + a


class Left(Root):
    def __init__(self, a, left=1.0, **rest):
        super().__init__(a * left, **rest)
        self.left = left

    def value(self):
        return super().value() * self.left

    def step(self, x):
        super().step(x * self.left)
        self.left *= self.a
        return self

    @property
    def size(self):
        return super().size + self.left

    @classmethod
    def made(cls, a):
        found = super().made(a * 3)
        found.left = a
        return found

    @staticmethod
    def mixed(a, b):
        return super(Left, Left).mixed(b, a) * a


class Right(Root):
    def __init__(self, a, right=2.0, **rest):
        super().__init__(a + right, **rest)
        self.right = right

    def value(self):
        return super().value() + self.right * self.a

    def step(self, x):
        self.right += x
        return super().step(x * self.right)


class Bottom(Left, Right):
    def value(self):
        return super().value() + math.sin(self.a)

    def step(self, x):
        return super().step(x).again(x)

    def again(self, x):
        self.trace[-1] *= x
        return self


@program((1.5, 0.5), (0.4, -1.2))
def cooperative_chain_of_a_diamond(x, y):
    bottom = Bottom(x, left=y, right=x * y)
    bottom.step(y).step(x)
    return bottom.value() * bottom.left + bottom.right + sum(bottom.trace)


@program((1.5, 0.5))
def super_with_its_arguments(x, y):
    bottom = Bottom(x, left=y)
    first = super(Bottom, bottom).value()
    second = super(Left, bottom).value()
    third = super(Right, bottom)
    bottom.a *= y
    return first * second + third.value() * third.size


@program((1.5, 0.5))
def super_in_properties_and_class_methods(x, y):
    left = Left.made(x)
    alias = left
    alias.a += y
    return left.size * alias.left + Left.mixed(x, y) + super(Left, left).size


class Guarded(Root):
    """A setter of its own, which goes to that of `object`."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2 if name == "a" else value)

    def __getattr__(self, name):
        if name.startswith("half_"):
            return getattr(self, name[5:]) / 2
        return super().__getattribute__(name)


@program((1.5, 0.5))
def super_in_setattr(x, y):
    thing = Guarded(x)
    thing.b = y * x
    thing.a = thing.a * y
    return thing.a * thing.b + thing.trace[0]


@program((1.5, 0.5))
def missing_attributes_computed(x, y):
    thing = Guarded(x)
    thing.b = y
    return thing.half_a * thing.half_b + thing.a


class Countdown(Root):
    def energy(self, n):
        if n == 0:
            return self.a
        return super().value() * self.energy(n - 1) / 4


class Deep(Countdown):
    def energy(self, n):
        self.a += 0.25
        return super().energy(n) + self.a * n


@program((0.7, 3), (1.1, 0))
def super_in_a_recursion(x, n):
    return Deep(x).energy(n)


class Plugin:
    registry: Any = None

    def __init_subclass__(cls, **rest):
        super().__init_subclass__(**rest)

    def __new__(cls, *args):
        made = super().__new__(cls)
        made.made_of = args
        return made

    def __init__(self, a):
        self.a = a * self.made_of[0]


@program((1.5, 0.5))
def super_in_new(x, y):
    one, two = Plugin(x), Plugin(y)
    return one.a * two.a + two.made_of[0]


class Triple(namedtuple("Triple", "a b c")):
    def total(self):
        return self.a + self.b * self.c

    def plus(self, x):
        return self._replace(a=self.a * x)


class LongTriple(Triple):
    def total(self):
        return super().total() * self.a

    def plus(self, x):
        return super().plus(x)._replace(c=x)


@program((1.5, 0.5))
def super_of_a_named_tuple(x, y):
    triple = LongTriple(x, y, x * y)
    return triple.total() + triple.plus(y).total()


class Wrapper:
    def __init__(self, inner):
        self.inner = inner

    def value(self):
        return self.inner


class Doubled(Wrapper):
    def value(self):
        own = super()
        return [own.value() * factor for factor in (1.0, self.inner)][1]

    def later(self):
        def inner(me):
            return super().value() * self.inner

        return inner(self)

    def klass(self):
        return isinstance(self, __class__) * self.inner


@program((1.5,), (np.float32(1.5),), (V,))
def super_kept_in_a_variable(x):
    doubled = Doubled(x)
    doubled.inner = doubled.inner * 2
    return np.sum(doubled.value() + doubled.later() * doubled.klass())


@program((1.5, 0.5), tags="raises")
def super_without_the_method(x, y):
    return super(Root, Root(x)).value() * y


# --------------------------------------------------------------------------------------- iteration


class Bag:
    """Iterates over its list."""

    def __init__(self, *items):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        return any(item is mine for mine in self.items)

    def add(self, item):
        self.items.append(item)


@program((1.5, 0.5), (2, 0.5))
def loops_over_an_object(x, y):
    bag = Bag(x, y, x * y)
    total = 0.0
    for item in bag:
        total = total * x + item * item
    for position, item in enumerate(bag):
        total += position * item
    for a, b in zip(bag, bag):
        total += a * b
    return total


@program((1.5, 0.5))
def objects_unpacked(x, y):
    bag = Bag(x, y, x * y)
    a, b, c = bag
    first, *rest = bag
    bag.items[0] = b * c
    both = [*bag, a]
    return a * b * c + first * rest[1] + both[0] * both[3] + max(*bag)


@program((1.5, 0.5))
def builtins_on_an_object(x, y):
    bag = Bag(x, y, x * y)
    listed, tupled = list(bag), tuple(bag)
    listed[0] *= y
    bag.add(sum(bag))
    return listed[0] * tupled[0] + sum(bag) * len(bag) + max(bag) * min(bag) + sorted(bag)[1] + (x in bag)


@program((1.5, 0.5))
def object_that_grows_while_it_is_walked(x, y):
    bag = Bag(x, y)
    total = 0.0
    for item in bag:
        if len(bag) < 5:
            bag.add(item * y)
        total += item * item
        bag.items[0] = total
    return total + bag.items[0] * bag.items[4]


@program((1.5, 0.5))
def empty_and_single_objects(x, y):
    total = x
    for item in Bag():
        total *= item
    for item in Bag(y):
        total *= item
    return total + sum(Bag()) + sum(Bag(), x) + len(list(Bag())) + sum(Bag(x, y), y)


@program((V,), (V.astype(np.float32),), (np.array([1, 2, 3]),))
def object_over_an_array(v):
    bag = Bag()
    bag.items = v * 2.0
    total = 0.0
    for item in bag:
        total = total + item * item
    a, b, c = bag
    bag.items[1] = a * c
    return total + a * b + sum(bag)


class Steps:
    """An iterator: what it gives depends on what it gave."""

    def __init__(self, start, ratio, count):
        self.value, self.ratio, self.count = start, ratio, count

    def __iter__(self):
        return self

    def __next__(self):
        if self.count == 0:
            raise StopIteration
        self.count -= 1
        found = self.value
        self.value = found * self.ratio
        return found


@program((1.5, 0.5), (0.3, 2.0))
def iterator_with_state_of_its_own(x, y):
    steps = Steps(x, y, 4)
    total = 0.0
    for value in steps:
        total += value * value
        steps.ratio += total
    return total * steps.value


@program((1.5, 0.5))
def iterator_left_in_the_middle(x, y):
    steps = Steps(x, y, 9)
    total = 0.0
    for value in steps:
        if value < 0.2:
            break
        total += value * steps.value
    for value in steps:
        total *= 1.0 + value
        if steps.count < 3:
            break
    return total * steps.value


class Writing(Steps):
    """Changes itself before it ends."""

    def __next__(self):
        self.value = self.value * self.ratio
        self.count -= 1
        if self.count < 0:
            self.ratio = self.value
            raise StopIteration()
        return self.value


@program((1.5, 0.5))
def iterator_that_changes_when_it_ends(x, y):
    steps = Writing(x, y, 3)
    total = 0.0
    for value in steps:
        total += value * x
    return total + steps.value * steps.ratio


class Halves:
    def __init__(self, inner):
        self.inner = iter(inner)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.inner) / 2


@program((1.5, 0.5))
def iterator_around_an_iterator(x, y):
    halves = Halves(Halves([x, y, x * y]))
    first = next(halves)
    total = first * y
    for value in halves:
        total += value * value
    return total + sum(Halves((x, y))) + next(halves, x)


@program((1.5, 0.5))
def next_by_hand(x, y):
    steps = Steps(x, y, 2)
    a, b = next(steps), next(steps)
    c = next(steps, x * y)
    d = next(steps, None)
    bag = iter(Bag(x, y))
    return a * b + c + (d is None) * y + next(bag) * next(bag) + next(bag, a)


@program((1.5, 0.5), tags="raises")
def next_behind_the_end(x, y):
    steps = Steps(x, y, 1)
    return next(steps) * next(steps)


class Items:
    """The old protocol: items by position."""

    def __init__(self, scale, count):
        self.scale, self.count = scale, count

    def __getitem__(self, index):
        if index >= self.count:
            raise IndexError(index)
        return self.scale * index + self.scale**2

    def __len__(self):
        return self.count


@program((1.5, 0.5))
def items_by_position(x, y):
    items = Items(x, 3)
    total = y
    for item in items:
        total += item * item
    a, b, c = items
    return total * items[2] + a * b * c + sum(items) + len(list(items)) + items[1]


class Node:
    def __init__(self, value, following=None):
        self.value, self.following = value, following

    def __iter__(self):
        return Walk(self)


class Walk:
    def __init__(self, node):
        self.node = node

    def __iter__(self):
        return self

    def __next__(self):
        if self.node is None:
            raise StopIteration
        node = self.node
        self.node = node.following
        return node


@program((1.5, 0.5))
def linked_list_walked_by_another_object(x, y):
    last = Node(x * y)
    chain = Node(x, Node(y, last))
    total = 0.0
    for node in chain:
        node.value *= 2
        for later in node:
            total += node.value * later.value
    return total + last.value


@program((1.5, 0.5))
def nodes_in_a_comprehension(x, y):
    chain = Node(x, Node(y))
    values = [node.value**2 for node in chain if node.value > 0.6]
    table = {node.value > 1: node.value for node in chain}
    return sum(values) + table[True] * table[False] + sum(node.value for node in chain)


# ----------------------------------------------------------------------------- copies of objects


@dataclass
class Particle:
    position: Any
    velocity: Any = 1.0
    history: list = field(default_factory=list)
    mass: Any = field(default=2.0, kw_only=True)

    def moved(self, dt):
        return dataclasses.replace(self, position=self.position + dt * self.velocity)


@dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any
    c: Any = field(init=False, default=0.0)

    def __post_init__(self):
        object.__setattr__(self, "c", self.a * self.b)


@program((1.5, 0.5))
def dataclasses_replaced(x, y):
    particle = Particle(x, y, [x])
    other = particle.moved(y).moved(x)
    other.history.append(y)
    heavy = dataclasses.replace(other, mass=x * y, velocity=other.position)
    frozen = dataclasses.replace(Frozen(x, y), a=y * y)
    return sum(particle.history) * heavy.velocity * heavy.mass + particle.position + frozen.c * frozen.a


@program((1.5, 0.5))
def dataclasses_as_dicts_and_tuples(x, y):
    particle = Particle(x, Frozen(x, y), [y, (x, y)])
    table = dataclasses.asdict(particle)
    table["history"].append(x)
    items = dataclasses.astuple(particle)
    particle.position = y
    deep = table["velocity"]["c"] * table["history"][1][0]
    return deep + table["position"] * items[0] + items[1][2] * items[2][0] + len(particle.history)


@program((1.5, 0.5), tags="raises")
def dataclass_replaced_with_what_it_has_not(x, y):
    return dataclasses.replace(Particle(x), colour=y).position


Point = namedtuple("Point", "a b")


@program((1.5, 0.5), (V, 0.5))
def named_tuples_replaced(x, y):
    point = Point(x, y)
    moved = point._replace(b=point.a * 2)
    made = Point._make([moved.b, x])
    table = moved._asdict()
    table["a"] = table["a"] * y
    return np.sum(moved.a * moved.b + made.a * made.b + table["a"] * table["b"]) * y


@program((1.5, 0.5))
def copied_objects_share_what_they_hold(x, y):
    particle = Particle(x, y, [x, y])
    shallow, deep = copy.copy(particle), copy.deepcopy(particle)
    shallow.position *= y
    shallow.history.append(x * y)
    deep.history[0] *= 3
    return (
        particle.position * shallow.position
        + sum(particle.history) * deep.history[0]
        + deep.position * deep.velocity
        + len(deep.history)
    )


@program((1.5, 0.5))
def deep_copies_keep_what_is_shared(x, y):
    shared = [x, y]
    one = Particle(x, shared, [shared, shared])
    two = Particle(y, one, [one, shared])
    one.history.append(two)
    group = copy.deepcopy({"a": one, "b": (two, shared), "c": [x, (y, shared)]})
    group["a"].velocity[0] *= 5
    group["b"][0].velocity.position *= x
    same = group["a"].history[1] is group["b"][1] and group["a"] is group["b"][0].velocity
    return shared[0] * group["b"][1][0] * group["a"].position * same + group["c"][1][1][0] + group["c"][0] * y


class Handle:
    """Has copies of its own kind."""

    def __init__(self, value, links=()):
        self.value, self.links = value, list(links)

    def __copy__(self):
        return Handle(self.value * 2, self.links)

    def __deepcopy__(self, memo):
        made = Handle(self.value * 3)
        memo[id(self)] = made
        made.links = copy.deepcopy(self.links, memo)
        return made


@program((1.5, 0.5))
def copies_of_its_own_kind(x, y):
    handle = Handle(x, [[y]])
    handle.links.append(handle)
    shallow, deep = copy.copy(handle), copy.deepcopy([handle, handle])
    shallow.links[0][0] *= x
    deep[0].links[0][0] *= 7
    same = deep[0] is deep[1] and deep[0].links[1] is deep[0]
    return handle.value * shallow.value * deep[1].value * same + handle.links[0][0] * deep[1].links[0][0]


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self, left, right):
        self.left, self.right = left, right


@program((1.5, 0.5), (np.float32(1.5), np.float32(0.5)))
def copies_of_slots(x, y):
    one = Slotted(x, [y, x])
    two, three = copy.copy(one), copy.deepcopy(one)
    two.left *= y
    two.right[0] *= x
    del one.left
    return two.left * three.left + one.right[0] * three.right[0]


@program((V,))
def copies_of_objects_with_arrays(v):
    one = Slotted(v * 2, [v, v])
    two, three = copy.copy(one), copy.deepcopy(one)
    two.left[0] = v[1] * v[2]
    three.left[1] *= 4.0
    three.right[0][2] = 5.0
    return np.sum(one.left * three.left) + np.sum(three.right[1] * one.right[0])


# ------------------------------------------------------------------------------ attributes by name


class Plain:
    rate = 3.0

    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)


@program((1.5, 0.5))
def attributes_by_computed_names(x, y):
    thing = Plain(a=x, b=y)
    for name in ("a", "b"):
        setattr(thing, name, getattr(thing, name) * 2)
        setattr(thing, name + name, getattr(thing, name, 0.0) * x)
    delattr(thing, "b")
    return thing.aa * thing.bb + getattr(thing, "b", y * y) + hasattr(thing, "b") * x + getattr(thing, "rate")


@program((1.5, 0.5))
def fields_in_a_dict(x, y):
    thing = Plain(a=x, b=y)
    fields = vars(thing)
    total = sum(fields.values()) * thing.__dict__["a"]
    fields["c"] = thing.a * thing.b
    thing.a = y
    thing.__dict__.update(d=x, e=thing.c)
    for name, value in thing.__dict__.items():
        total += value * len(name)
    return total + thing.c * fields["a"] + thing.d * thing.e + len(vars(thing))


@program((1.5, 0.5))
def object_filled_from_the_fields_of_another(x, y):
    one = Plain(a=x, b=[y])
    two = Plain(**vars(one))
    two.a *= y
    two.b.append(x)
    three = Plain()
    three.__dict__.update(one.__dict__)
    del three.__dict__["b"]
    return one.a * two.a + sum(one.b) * three.a + len(vars(three))


class Tracked:
    """Everything that is done to it by name is intercepted."""

    def __init__(self, value):
        self.__dict__["log"] = []
        self.value = value

    def __setattr__(self, name, value):
        self.log.append(value)
        self.__dict__[name] = value * 2

    def __getattr__(self, name):
        if name == "missing":
            return self.value * len(self.log)
        raise AttributeError(name)

    def __delattr__(self, name):
        self.log.append(self.__dict__.pop(name))


@program((1.5, 0.5))
def interception_through_the_dict(x, y):
    thing = Tracked(x)
    thing.value *= y
    thing.other = x
    thing.value += thing.missing
    del thing.other
    return thing.value * sum(thing.log) + getattr(thing, "absent", y)


@program((1.5, 0.5), tags="raises")
def attribute_that_is_nowhere(x, y):
    thing = Tracked(x)
    return thing.value * thing.nowhere * y


# ---------------------------------------------------------------------------------------- operators


class Vec:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return Vec(self.a + other.a, self.b + other.b)

    def __radd__(self, other):
        return Vec(other + self.a, other + self.b)

    def __mul__(self, other):
        if isinstance(other, Vec):
            return self.a * other.a + self.b * other.b
        return Vec(self.a * other, self.b * other)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.a, -self.b)

    def __iadd__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        self.a += other.a
        self.b += other.b
        return self

    def __imul__(self, other):
        return Vec(self.a * other, self.b / other)

    def __eq__(self, other):
        return isinstance(other, Vec) and self.a == other.a and self.b == other.b

    __hash__ = None

    def __lt__(self, other):
        return self.a < other.a

    def __bool__(self):
        return self.a > 1

    def __call__(self, x):
        return self.a * x + self.b

    def __abs__(self):
        return math.hypot(self.a, self.b)

    def __getitem__(self, index):
        return (self.a, self.b)[index]

    def __setitem__(self, index, value):
        if index:
            self.b = value
        else:
            self.a = value

    def __contains__(self, value):
        return value in (self.a, self.b)


class Point3(Vec):
    def __radd__(self, other):
        return Vec(other.a * self.a, other.b) if isinstance(other, Vec) else super().__radd__(other)

    def __add__(self, other):
        return NotImplemented


@program((1.5, 0.5))
def reflected_and_not_implemented(x, y):
    v, w = Vec(x, y), Point3(y, x)
    s = v + w
    t = 2.0 + v
    u = sum([v, w], Vec(0.0, x))
    return s * t + u * w + x * v * w + (w + v if False else abs(y * -w))


@program((1.5, 0.5))
def in_place_operators_that_keep_or_replace(x, y):
    v = Vec(x, y)
    alias = v
    v += Vec(y, x)
    kept = alias is v
    v *= x
    alias += alias
    box = [v]
    box[0] += alias
    return v * alias + kept * box[0].a * abs(v)


@program((1.5, 0.5), tags="raises")
def operator_that_nobody_implements(x, y):
    return (Point3(x, y) + 1.0).a


@program((1.5, 0.5))
def objects_as_conditions(x, y):
    v, w = Vec(x, y), Vec(y, x)
    total = v(y) if v else w(x)
    total += (w or v).a * (v and w).b
    if not w and v == Vec(x, y) and v != w and w < v:
        total *= v[0]
    v[1] = total
    v[0] *= y
    return total * v.b + max(v, w).a + (x in w) + sorted([v, w])[0].b


@functools.total_ordering
class Ranked:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value

    __hash__ = None


@program((1.5, 0.5), (0.2, 0.9))
def ordering_filled_in(x, y):
    a, b = Ranked(x), Ranked(y)
    high = a if a >= b else b
    low = min([a, b])
    high.value *= 3
    return high.value * low.value + max(a, b).value ** 2


class Layer:
    def __init__(self, w):
        self.w = w
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        self.seen = x
        return np.tanh(self.w * x)


class Chain:
    def __init__(self, *layers):
        self.layers = layers

    def __iter__(self):
        return iter(self.layers)

    def __getitem__(self, index):
        return self.layers[index]

    def __len__(self):
        return len(self.layers)

    def __call__(self, x):
        for layer in self:
            x = layer(x)
        return x


@program((0.7, 1.3, V), (0.7, 1.3, V.astype(np.float32)))
def layers_in_a_chain_that_is_iterated(a, b, v):
    one = Layer(a)
    chain = Chain(one, Layer(b), one)
    out = chain(v)
    return np.sum(out * one.seen) + chain[1].w * len(chain) + one.calls


@program((1.5, 0.5), tags="analytic")
def polynomial_object(x, y):
    poly = Chain(x, y, x * y)
    total = 0
    for coefficient in poly:
        total = total * y + coefficient
    return total


@program((1.5, 0.5), tags="effects")
def iteration_that_logs(x, y):
    total = x
    for item in Bag(x, y):
        print("item")
        total *= item
    return total


# Methods that change an item and compute with the index.


class Ledger:
    def __init__(self):
        self.total = 0.0
        self.keys = []

    def __setitem__(self, key, value):
        self.total += key * value
        self.keys.append(key)

    def __getitem__(self, key):
        return self.total * key


class Scaling(dict):
    def __setitem__(self, key, value):
        super().__setitem__("last", value * key)


class Paired:
    def __setitem__(self, key, value):
        one, two = key
        self.value = one * two * value


@program((1.5, 0.5), (2, 0.5))
def index_that_is_computed_with(x, y):
    ledger = Ledger()
    ledger[x] = y
    ledger[y] = x * y
    ledger[3] = y
    return ledger.total * ledger.keys[0] * ledger.keys[2]


@program((1.5, 0.5))
def index_that_is_computed_with_twice(x, y):
    ledger = Ledger()
    for key in (x, y, x):
        ledger[key] += y * key
        ledger[key * y] *= x
    return ledger.total + sum(ledger.keys)


@program((1.5, 0.5))
def index_of_a_dict_that_computes(x, y):
    table = Scaling()
    table[x] = y
    table[x * y] = table["last"]
    return table["last"] * y


@program((1.5, 0.5))
def index_that_is_a_pair(x, y):
    paired = Paired()
    both = (x, y)
    paired[both] = x
    first = paired.value
    paired[x * y, first] = y
    return paired.value * first


@program((1.5, 0.5))
def index_of_what_is_not_known(x, y):
    things = [Ledger(), {}, [0.0, y]]
    for thing, key in zip(things, (x, y, 1), strict=True):
        thing[key] = x * y
        thing[key] += y
    return things[0].total * things[1][y] * things[2][1]


# Attributes whose names are not known beforehand.


@program((1.5, 0.5))
def attributes_by_name_of_a_record(x, y):
    pair = Point(x * y, y)
    total = sum(getattr(pair, name) * x for name in pair._fields)
    match pair:
        case Point(one, two):
            total += one * two
    return total + getattr(x * y, "real") * getattr(pair, "nothing", x)
