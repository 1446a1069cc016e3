"""Objects with state: attributes, properties, operators, links between objects, layers, simulations."""

import dataclasses
import math
from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tests.corpus.registry import program

V = np.array([0.5, -1.5, 2.0])
W = np.array([[0.3, -0.2, 0.5], [0.1, 0.8, -0.4]])


class Account:
    """Everything plain: attributes set, read, added to, deleted."""

    rate = 0.5

    def __init__(self, balance):
        self.balance = balance
        self.total = 0.0

    def deposit(self, amount):
        self.balance += amount
        self.total += amount * self.rate
        return self

    def twice(self):
        return self.balance * 2


@program((1.5, 0.5))
def attributes_added_to_under_two_names(x, y):
    account = Account(x)
    alias = account
    alias.balance += y
    account.deposit(alias.balance * x)
    alias.total *= account.balance
    return account.balance * alias.total + alias.twice()


@program((1.5, 0.5))
def methods_that_return_self(x, y):
    account = Account(x)
    same = account.deposit(y).deposit(x * y).deposit(account.balance)
    account.balance *= same.total
    return same.deposit(x).balance * same.twice() + (same is account) * y


@program((1.5, 0.5))
def attribute_of_the_class_hidden_and_uncovered(x, y):
    a, b = Account(x), Account(y)
    a.rate = y
    a.deposit(x)
    b.deposit(x)
    first = a.total * b.total
    del a.rate
    a.deposit(b.total)
    return first + a.total * a.rate


class Shared:
    scale: Any = 1.0
    members: ClassVar[list] = []

    def __init__(self, value):
        self.value = value * self.scale
        self.members.append(self)

    @classmethod
    def make(cls, value, scale):
        cls.scale = scale
        return cls(value)

    @staticmethod
    def join(a, b):
        a.value, b.value = b.value, a.value * b.value
        return Shared.scale

    @property
    def rank(self):
        return sum(member.value for member in self.members) - self.value


@program((1.5, 0.5))
def class_attributes_as_storage(x, y):
    Shared.scale = 1.0
    Shared.members.clear()
    a = Shared(x)
    b = Shared.make(y, x)
    first = a.join(a, b) * Shared.join(b, a)
    c = Shared(first)
    Shared.scale *= c.value
    result = a.value * b.rank + c.rank * Shared.scale + len(c.members)
    Shared.scale = 1.0
    Shared.members.clear()
    return result


class Slotted:
    __slots__ = ("history", "value")

    def __init__(self, value):
        self.value = value
        self.history = (value,)

    def step(self, factor):
        self.value = self.value * factor
        self.history += (self.value,)
        return self.value


@program((1.5, 0.5))
def slots_written_and_kept_in_a_history(x, y):
    a, b = Slotted(x), Slotted(y)
    pair = [a, b, a]
    for k, item in enumerate(pair):
        item.step(y + k)
    pair[2].value -= b.value
    a.step(b.history[-1])
    return a.value * sum(a.history) + b.value * len(pair[0].history)


class Base:
    def __init__(self, a):
        self.a = a
        self.setup()

    def setup(self):
        self.b = self.a * 2

    def energy(self):
        return self.a * self.b


class Derived(Base):
    def __init__(self, a, c):
        self.c = c
        super().__init__(a * c)
        self.a += c

    def setup(self):
        super().setup()
        self.b *= self.c

    def energy(self):
        self.c = super().energy() * self.c
        return self.c + self.b


@program((1.5, 0.5))
def overridden_methods_and_super(x, y):
    items = [Base(x), Derived(x, y)]
    total = 0.0
    for item in items:
        total += item.energy() * item.a
        item.b = total
    return total * items[1].c + items[0].energy() * items[1].energy()


class Mixed(Derived):
    def __init__(self, a, c, **more):
        super().__init__(a, c)
        for name, value in more.items():
            setattr(self, name, value)

    def setup(self):
        super(Derived, self).setup()
        vars(self)["d"] = self.b + self.c


@program((1.5, 0.5))
def attributes_by_name(x, y):
    item = Mixed(x, y, e=x * y, b=3 * x)
    for name in ("a", "b"):
        setattr(item, name, getattr(item, name) * getattr(item, "missing", y))
    item.__dict__["e"] *= item.d
    if hasattr(item, "f"):
        item.e = 100.0
    names = sorted(vars(item))
    return item.energy() + item.e * x + sum(getattr(item, name) for name in names) + len(names)


class Thermometer:
    def __init__(self, celsius):
        self._celsius = celsius
        self.readings = 0

    @property
    def fahrenheit(self):
        self.readings += 1
        return self._celsius * 1.8 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self._celsius = (value - 32) / 1.8

    @fahrenheit.deleter
    def fahrenheit(self):
        self._celsius = self._celsius / 2


@program((1.5, 0.5))
def property_with_a_setter(x, y):
    a = Thermometer(x)
    alias = a
    a.fahrenheit *= y
    alias.fahrenheit += a.fahrenheit * x
    del a.fahrenheit
    alias.fahrenheit = a.fahrenheit**2 / 100
    return alias.fahrenheit * x + a.readings * y + a._celsius


@dataclass
class Particle:
    position: float
    velocity: float
    mass: float = 2.0
    trail: list = field(default_factory=list)
    momentum: float = field(init=False)

    def __post_init__(self):
        self.momentum = self.mass * self.velocity
        self.trail.append(self.position)

    def move(self, dt):
        self.velocity -= dt * self.position
        self.position += dt * self.velocity
        self.trail.append(self.position * self.mass)
        return self


@program((1.5, 0.5))
def dataclass_with_factories_and_post_init(x, y):
    a, b = Particle(x, y), Particle(y, velocity=x, mass=x * y)
    c = Particle(b.position, a.momentum, trail=a.trail)
    for item in (a, b, c, a):
        item.move(0.25)
    c.trail[1] *= a.trail[2]
    return sum(a.trail) * b.trail[-1] + len(c.trail) * b.momentum + c.position * a.velocity


@program((1.5, 0.5))
def dataclass_replaced_and_compared(x, y):
    a = Particle(x, y)
    b = dataclasses.replace(a, mass=x * 3)
    b.trail.append(y)
    a.trail[0] *= b.momentum
    equal = a == b
    a.mass = b.mass * y
    fields = dataclasses.astuple(dataclasses.replace(a, velocity=2.0))
    return a.trail[2] * b.trail[0] + a.mass * fields[4] + fields[2] * (2 if equal else 3)


@dataclass(frozen=True)
class Frozen:
    x: float
    values: list
    inner: Any = None

    def moved(self, dx):
        return dataclasses.replace(self, x=self.x + dx, inner=self)


@program((1.5, 0.5))
def frozen_dataclass_that_holds_a_list(x, y):
    a = Frozen(x, [y])
    b = a.moved(y)
    b.values.append(a.x * y)
    c = b.moved(b.values[1])
    a.values[0] *= c.x
    try:
        a.x = 100.0
    except dataclasses.FrozenInstanceError:
        b.values.append(x)
    return c.inner.inner.x * c.values[0] + c.values[1] * b.x + a.values[2] * c.x


class Vector:
    def __init__(self, *items):
        self.items = list(items)

    def __add__(self, other):
        if isinstance(other, Vector):
            return Vector(*[a + b for a, b in zip(self.items, other.items)])
        if isinstance(other, str):
            return NotImplemented
        return Vector(*[a + other for a in self.items])

    __radd__ = __add__

    def __iadd__(self, other):
        for i, value in enumerate(other):
            self.items[i] += value
        return self

    def __mul__(self, other):
        if isinstance(other, Vector):
            return sum(a * b for a, b in zip(self, other))
        return Vector(*[a * other for a in self])

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return -1 * self

    def __matmul__(self, other):
        return NotImplemented

    def __rsub__(self, other):
        return other + -self

    def __getitem__(self, key):
        return Vector(*self.items[key]) if isinstance(key, slice) else self.items[key]

    def __setitem__(self, key, value):
        self.items[key] = value

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, value):
        return any(value is item for item in self.items)

    def __eq__(self, other):
        return self.items == other.items

    def __abs__(self):
        return math.sqrt(self * self)


@program((1.5, 0.5))
def in_place_operator_of_a_vector_class(x, y):
    a, b = Vector(x, y, 1.0), Vector(y, x * y, x)
    alias = a
    a += b
    a += a
    b = b + alias
    b += [x, y, x]
    return a * b + abs(alias) * b[0] + len(b)


@program((1.5, 0.5))
def reflected_operators_of_a_vector_class(x, y):
    a = 2 * Vector(x, y) + x
    b = y + a * 3
    c = 1.0 - b
    total = sum([a, b, c])
    return total * a + c[0] * b[-1] + abs(total)


@program((1.5, 0.5))
def items_of_a_vector_class(x, y):
    a = Vector(x, y, x * y)
    part = a[1:]
    a[0] = part[1] * x
    a[-1] += a[0]
    part[0] *= 3
    first, *rest = a
    inside = 2.0 if y in a else 3.0
    for i in range(len(a)):
        a[i] = a[i] * a[i - 1]
    return first * rest[1] * inside + a * a + part[0] * part[1] + max(a)


class Loud:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        if not isinstance(other, Loud):
            return NotImplemented
        return Loud(self.value + other.value)

    def __rmatmul__(self, other):
        other[0] = other[0] * self.value
        return Loud(self.value * 2)


@program((1.5, 0.5))
def operator_not_implemented_on_the_left(x, y):
    a, v = Loud(x), Vector(y, x)
    b = v @ a
    c = b + v @ a
    try:
        c = c + y
        c.value = 100.0
    except TypeError:
        c.value *= v[0]
    return c.value * v[0] + b.value * v[1]


class Dual:
    def __init__(self, value, slope=0.0):
        self.value, self.slope = value, slope

    def __mul__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    __rmul__ = __mul__

    def __add__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__


@program((1.5, 0.5), gradient=lambda x, y: (6 * x * y + 4, 3 * x**2))
def dual_numbers_through_a_polynomial(x, y):
    def polynomial(t):
        return y * t * t * t + 2 * t * t + 7

    return polynomial(Dual(x, 1.0)).slope


class Matrix:
    """A small matrix that is a list of lists, with in-place row operations."""

    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    def __getitem__(self, place):
        i, j = place
        return self.rows[i][j]

    def __setitem__(self, place, value):
        i, j = place
        self.rows[i][j] = value

    def __matmul__(self, other):
        columns = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows])

    def swap(self, i, j):
        self.rows[i], self.rows[j] = self.rows[j], self.rows[i]
        return -1.0

    def subtract(self, i, j, factor):
        target, source = self.rows[i], self.rows[j]
        for k in range(len(target)):
            target[k] -= factor * source[k]


@program((1.5, 0.5))
def determinant_by_elimination_in_a_class(x, y):
    m = Matrix([[y, x, 1.0], [3.0, x * y, y], [x, 2.0, y]])
    sign = m.swap(0, 1)
    for j in range(3):
        for i in range(j + 1, 3):
            m.subtract(i, j, m[i, j] / m[j, j])
    determinant = sign
    for j in range(3):
        determinant *= m[j, j]
    return determinant


@program((1.5, 0.5))
def powers_of_a_small_matrix_class(x, y):
    m = Matrix([[x, y], [1.0, x * y]])
    result = m
    for k in range(3):
        result = result @ m
        m[0, 1] += result[1, 0] / 10
        result[k % 2, 1] *= x
    return result[0, 0] * m[0, 1] + result[1, 1]


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following

    def __iter__(self):
        node = self
        while node is not None:
            yield node
            node = node.following


@program((0.7, 4))
def linked_list_reversed_in_place(x, n):
    head = None
    for k in range(n):
        head = Node(x**k + k, head)
    last, previous, node = head, None, head
    while node is not None:
        node.value *= x if previous is None else previous.value
        node.following, previous, node = previous, node, node.following
    last.value += previous.value
    return sum((k + 1) * node.value for k, node in enumerate(previous))


@program((1.5, 0.5))
def ring_of_nodes(x, y):
    a, b = Node(x), Node(y)
    c = Node(x * y, a)
    a.following, b.following = b, c
    node = a
    for k in range(7):
        node.following.value += node.value * (k + 1) / 8
        node = node.following
    b.following = b
    b.following.following.value *= a.value
    return a.value * b.value + c.following.following.value


class Tree:
    def __init__(self, key, value, left=None, right=None):
        self.key, self.value, self.left, self.right = key, value, left, right

    def insert(self, key, value):
        if key == self.key:
            self.value += value
            return
        side = "left" if key < self.key else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Tree(key, value))
        else:
            child.insert(key, value)

    def total(self, weight):
        below = sum(child.total(weight * 0.5) for child in (self.left, self.right) if child)
        self.value = self.value * weight + below
        return self.value


@program(([1.0, 2.0, 0.5, 1.5, 3.0], 1.5))
def binary_tree_filled_by_insertion(values, x):
    root = Tree(3, x)
    for key, value in zip([1, 5, 3, 4, 1], values):
        root.insert(key, value * x)
    root.left.right = Tree(2, x, root.right.left)
    first = root.total(x)
    return first * root.right.left.value + root.total(1.0)


@program((1.5, 0.5))
def one_object_reached_on_two_paths(x, y):
    shared = Account(x)
    left, right = Node(shared), Node(shared, Node(y))
    nodes = {"l": left, "r": [right]}
    left.value.deposit(y)
    nodes["r"][0].value.balance *= left.value.total
    right.following.value = nodes["l"].value
    right.following.value.total += x
    right.value = Account(y)
    right.value.deposit(shared.balance)
    return shared.balance * shared.total + nodes["r"][0].value.balance * right.following.value.rate


@program(([1.0, 2.0, 0.5], 1.5))
def objects_made_in_a_loop_and_kept_in_a_dict(values, x):
    accounts = {}
    for k, value in enumerate(values * 2):
        account = accounts.get(k % 2) or Account(x)
        account.deposit(value)
        accounts[k % 2] = account
        scratch = Account(account.total)
        scratch.balance *= value
        account.total = scratch.balance
    first, second = accounts.values()
    return first.balance * second.total + first.total * second.balance


class Lazy:
    def __init__(self, x):
        self.x = x
        self.asked = []

    def __getattr__(self, name):
        if not name.startswith("power"):
            raise AttributeError(name)
        value = self.x ** int(name[5:])
        self.asked.append(value)
        setattr(self, name, value)
        return value


@program((1.5,))
def attributes_made_when_first_asked_for(x):
    lazy = Lazy(x)
    first = lazy.power3 * lazy.power2
    lazy.x = lazy.power3 + 1
    lazy.power2 *= x
    second = lazy.power3 * lazy.power4
    return first + second * lazy.power2 / 100 + sum(lazy.asked) + getattr(lazy, "other", x)


class Guarded:
    def __init__(self, x):
        self.changes = 0
        self.x = x

    def __setattr__(self, name, value):
        if name == "x":
            object.__setattr__(self, "squared", value * value)
            self.changes += 1
        super().__setattr__(name, value)

    def __delattr__(self, name):
        self.x = self.squared
        super().__delattr__(name)


@program((1.5, 0.5))
def attribute_writes_intercepted(x, y):
    a = Guarded(x)
    a.x *= y
    first = a.squared
    a.y = a.x + x
    del a.y
    return first * a.squared + a.x * y + a.changes * x


class Counted:
    """A descriptor that keeps the values of all its owners in one dict."""

    def __init__(self):
        self.values = {}

    def __get__(self, owner, kind=None):
        return self.values[owner.name]

    def __set__(self, owner, value):
        self.values[owner.name] = value + self.values.get(owner.name, 0.0)


class Described:
    value = Counted()

    def __init__(self, name, value):
        self.name = name
        self.value = value


@program((1.5, 0.5))
def descriptor_with_storage_of_its_own(x, y):
    vars(Described)["value"].values.clear()
    a, b = Described("a", x), Described("b", y)
    same = Described("a", x * y)
    same.value = b.value * a.value
    b.value += a.value
    return a.value * same.value + b.value


class Scheduler:
    def __init__(self, factor):
        self.factor = factor
        self.calls = []

    def __call__(self, value, *, twice=False):
        self.calls.append(value)
        self.factor = self.factor * 0.5 + value
        return self(value * self.factor) if twice else value * self.factor


@program((1.5, 0.5))
def callable_object_with_memory(x, y):
    schedule = Scheduler(x)
    first = schedule(y)
    second = schedule(first, twice=True)
    step = schedule.__call__
    third = step(x * 0.5)
    rest = list(map(schedule, [x, y]))
    return first * second + third * sum(schedule.calls) + rest[0] * rest[1] + schedule.factor


class Recording:
    def __init__(self, log, factor):
        self.log, self.factor = log, factor

    def __enter__(self):
        self.log.append(self.factor)
        return self

    def __exit__(self, kind, error, traceback):
        self.log[-1] *= self.factor if kind is None else 3.0
        return kind is ZeroDivisionError


@program((1.5, 0.5), (1.5, 0))
def context_manager_that_writes_a_log(x, y):
    log = [x]
    with Recording(log, x + 1) as outer:
        with Recording(log, x * x) as inner:
            outer.factor = inner.factor * log[0]
            log.append(1 / y)
            inner.factor = log[1]
        log[0] *= outer.factor
    return sum((k + 1) * value for k, value in enumerate(log))


class Cell:
    """A one-dimensional automaton whose state array is written in place."""

    def __init__(self, state):
        self.state = state
        self.time = 0.0

    def kick(self, i, value):
        self.state[i] += value
        return self.state

    def step(self, dt):
        old = self.state.copy()
        self.state[1:] += dt * (old[:-1] - old[1:])
        self.state *= 1 - dt
        self.time += dt


@program((V, 1.5))
def object_that_holds_an_array_written_in_place(v, x):
    state = v * 2
    cell = Cell(state)
    cell.kick(1, x)[0] *= x
    state[2] += cell.state[1]
    cell.step(0.25)
    cell.state = cell.state * v
    cell.kick(0, state[2])
    cell.step(0.1)
    return (cell.state * state).sum() + cell.time * x


@program((V, 1.5))
def two_objects_on_one_array(v, x):
    state = v * 1.0
    a, b = Cell(state), Cell(state[1:])
    a.kick(2, x)
    b.kick(0, a.state[2])
    b.step(0.5)
    a.step(0.25)
    b.state = a.state[:2]
    b.kick(1, x * x)
    return (a.state * v).sum() + b.state[1] * state[0]


@program(({"w": W, "b": np.array([0.1, -0.3])}, V, 0.2), tags="writes-arguments")
def network_trained_in_place_by_hand(p, v, rate):
    layer = Layer(p["w"], p["b"])
    for _ in range(2):
        y = layer(v)
        layer.backward(y - 0.5)
        layer.update(rate)
    return (layer(v) ** 2).sum() + p["w"][0, 1]


class Layer:
    def __init__(self, weight, bias):
        self.weight, self.bias = weight, bias
        self.gradients = {}

    def __call__(self, x):
        self.seen = x
        self.output = np.tanh(self.weight @ x + self.bias)
        return self.output

    def backward(self, bar):
        bar = bar * (1 - self.output**2)
        self.gradients["weight"] = np.outer(bar, self.seen)
        self.gradients["bias"] = bar

    def update(self, rate):
        for name, gradient in self.gradients.items():
            value = getattr(self, name)
            value -= rate * gradient


class Momentum:
    def __init__(self, parameters, rate):
        self.parameters, self.rate = parameters, rate
        self.velocity = [0.0] * len(parameters)

    def step(self, gradients):
        for i, gradient in enumerate(gradients):
            self.velocity[i] = 0.9 * self.velocity[i] - self.rate * gradient
            self.parameters[i] += self.velocity[i]
        self.rate *= 0.5


@program((1.5, 0.5, 0.1))
def optimiser_that_updates_a_list_it_was_given(x, y, rate):
    parameters = [x, y]
    optimiser = Momentum(parameters, rate)
    for _ in range(3):
        a, b = parameters
        optimiser.step([2 * a * b, a**2 + 3 * b**2])
    optimiser.parameters = [100.0, 100.0]
    optimiser.step(parameters)
    return parameters[0] * parameters[1] + optimiser.velocity[0] * optimiser.rate


class Pendulum:
    def __init__(self, angle, speed, length):
        self.angle, self.speed, self.length = angle, speed, length
        self.observers = []

    def step(self, dt):
        self.speed -= dt * 9.81 / self.length * math.sin(self.angle)
        self.angle += dt * self.speed
        for observer in self.observers:
            observer(self)


@program((0.5, 1.2, 5), (0.5, 1.2, 0))
def simulation_with_observers(angle, length, n):
    pendulum, trail = Pendulum(angle, 0.0, length), []
    drift = Account(length)
    pendulum.observers.append(lambda p: trail.append(p.angle * p.length))
    pendulum.observers.append(lambda p: drift.deposit(p.speed * p.speed))
    for _ in range(n):
        pendulum.step(0.05)
        pendulum.length = pendulum.length * 1.01
    return sum(trail) * drift.balance + pendulum.angle * pendulum.length


State = namedtuple("State", "values total")


class Machine:
    def __init__(self, values):
        self.state = State(values, 0.0)
        self.past = [self.state]

    def advance(self, x):
        self.state.values.append(x * self.state.values[-1])
        self.state = self.state._replace(total=self.state.total + sum(self.state.values))
        self.past.append(self.state)


@program((1.5, 0.5))
def named_tuple_inside_an_object(x, y):
    machine = Machine([x])
    machine.advance(y)
    machine.past[0].values[0] *= y
    machine.advance(x)
    (values, first), *_, (_, last) = machine.past
    return last * machine.past[1].total + values[2] * machine.state.values[0] + first


class Number(float):
    """A subclass of float with state of its own."""

    def __new__(cls, value, weight):
        self = super().__new__(cls, value)
        self.weight = weight
        return self

    def weighed(self):
        self.weight = self.weight * self
        return self.weight


@program((1.5, 0.5))
def subclass_of_float_with_an_attribute(x, y):
    a = Number(x, y)
    b = a * 2 + a.weighed()
    return b * a.weighed() + a


class Stack(list):
    def push(self, value):
        self.append(value * (self[-1] if self else 1.0))
        self.peak = max(self)
        return self


@program((1.5, 0.5))
def subclass_of_list_with_an_attribute(x, y):
    stack = Stack()
    alias = stack.push(x).push(x)
    stack[0] = y
    alias.push(stack[0]).peak *= y
    return stack[0] * alias[1] + stack.peak * stack.pop() + len(alias)


class Complex:
    """A complex number whose parts are changed in place."""

    def __init__(self, re, im=0.0):
        self.re, self.im = re, im

    def __imul__(self, other):
        self.re, self.im = self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re
        return self

    def __iadd__(self, other):
        self.re += other.re
        self.im += other.im
        return self

    @property
    def conjugate(self):
        return Complex(self.re, -self.im)


@program((0.3, -0.4, 4))
def mandelbrot_orbit_in_place(x, y, n):
    c = Complex(x, y)
    z = Complex(0.0)
    for _ in range(n):
        z *= z
        z += c
    z *= z.conjugate
    c *= c
    return z.re * 10 + c.im


@program((1.5, 0.5))
def bound_methods_kept_while_the_object_changes(x, y):
    account = Account(x)
    deposit, twice = account.deposit, account.twice
    actions = [deposit, account.deposit, Account(y).deposit]
    deposit(y)
    account.balance *= x
    for action in actions:
        action(twice())
    account = actions[2](x)
    return twice() * account.balance + account.total
