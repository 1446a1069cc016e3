"""Objects whose fields are known beforehand, and what may change them unseen: aliases, callees, closures,
generators, operators, other objects."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field

import numpy as np

from tests.corpus.registry import program


class P:
    def __init__(self, x, v=1.0):
        self.x = x
        self.v = v

    def norm(self):
        return math.sqrt(self.x * self.x + self.v * self.v)

    def kick(self, d):
        self.v += d

    def widen(self):
        self.x = np.array([self.x, 2 * self.x])

    @property
    def both(self):
        return self.x * self.v

    @staticmethod
    def twice(a):
        return 2 * a

    @classmethod
    def unit(cls, x):
        return cls(x, 1.0)


class Q(P):
    def __init__(self, x):
        super().__init__(x, 2.0)
        self.w = 3.0 * x

    def norm(self):
        return 10 * super().norm()


class Slots:
    __slots__ = ("v", "x")

    def __init__(self, x):
        self.x = x
        self.v = 2.0


@dataclass
class D:
    x: float
    items: list = field(default_factory=list)
    scale: float = 2.0


@dataclass(frozen=True)
class F:
    x: float
    y: float = 3.0

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    def __add__(self, o):
        return F(self.x + o.x, self.y + o.y)


class Default:
    k = 4.0

    def __init__(self, x):
        self.x = x


REG = []


class Cnt:
    n = 0

    def __init__(self, x):
        self.x = x
        Cnt.n += 1


@program((1.3,))
def kind_changed_by_an_alias(x):
    p = P(x)
    q = p
    q.x = np.array([x, 2 * x])
    return np.sum(p.x * p.x)


@program((1.3,))
def kind_changed_in_a_list(x):
    ps = [P(x), P(2 * x)]
    ps[0].x = np.array([x, 2 * x])
    return np.sum(ps[0].x * 3) + ps[1].x * ps[1].v


@program((1.3,))
def kind_changed_by_a_method(x):
    p = P(x)
    p.widen()
    return np.sum(p.x * p.x) * p.v


def poke(o, x):
    o.v = x * o.x


@program((1.3,))
def field_set_by_a_function(x):
    p = P(x)
    poke(p, x)
    return p.v * p.x


@program((1.3,))
def kind_changed_by_a_function_in_a_list(x):
    p = P(x)

    def g(o):
        o.x = np.array([o.x, 3 * o.x])

    fs = [g]
    fs[0](p)
    return np.sum(p.x * p.x)


@program((1.3,))
def changed_through_a_global_list_by_a_closure(x):
    del REG[:]
    p = P(x)
    REG.append(p)

    def h():
        REG[0].x = np.array([x, x])

    h()
    return np.sum(p.x * 2)


def change_reg(x):
    REG[0].x = np.array([x, x * x])


@program((1.3,))
def changed_through_a_global_list_by_a_function(x):
    REG.clear()
    p = P(x)
    REG.append(p)
    y = p.x
    change_reg(x)
    return np.sum(p.x * 2) * y


@program((1.3,))
def field_in_front_of_a_method(x):
    p = P(x)
    p.norm = lambda: 7 * x
    return p.norm() * p.x


@program((1.3,))
def deleted_field_in_front_of_a_class_attribute(x):
    d = Default(x)
    d.k = x * x
    a = d.k
    del d.k
    return a * d.k * d.x


@program((1.3,))
def set_through_vars(x):
    p = P(x)
    vars(p)["x"] = np.array([x, x])
    return np.sum(p.x * x)


@program((1.3,))
def set_through_the_dict(x):
    p = P(x)
    p.__dict__["x"] = np.array([x, x])
    return np.sum(p.x * x)


@program((1.3,))
def set_by_setattr(x):
    p = P(x)
    setattr(p, "x", np.array([x, x * x]))
    return np.sum(p.x * x)


@program((1.3,))
def inherited_fields_and_methods(x):
    q = Q(x)
    q.kick(x)
    return q.norm() * q.w + q.both


@program((1.3,))
def fields_in_slots(x):
    s = Slots(x)
    s.v *= x
    return s.x * s.v


@program((1.3,))
def dataclass_with_a_factory(x):
    d = D(x)
    d.items.append(x)
    d.items.append(d.x * d.scale)
    d.scale = x
    return d.items[0] * d.items[1] * d.scale


@program((1.3,))
def frozen_dataclass_with_operators(x):
    a = F(x)
    b = F(2 * x, x)
    c = a + b
    return c.dot(a)


@program((1.3,))
def class_and_static_methods_of_an_object(x):
    p = P.unit(x)
    return p.twice(p.x) * p.both


@program((1.3,))
def kind_changed_in_a_loop(x):
    p = P(x)
    s = 0.0
    for i in range(3):
        s = s + np.sum(p.x * 2.0)
        p.x = np.array([x, x * i])
    return s


@program((1.3,))
def field_set_in_one_branch(x):
    p = P(x)
    if x > 0:
        p.w = x
    else:
        p.x = 2 * x
    return p.w * p.x


@program((1.3,))
def fields_set_before_an_exception(x):
    p = P(x)
    try:
        p.x = x * x
        if p.x > 0:
            raise ValueError
        p.x = 7.0
    except ValueError:
        p.v = p.x
    return p.v * p.x


@program((1.3,))
def object_that_holds_itself(x):
    p = P(x)
    p.me = p
    p.me.x = x * x
    return p.x * p.me.me.v * p.me.x


@program((1.3,))
def chain_of_objects(x):
    head = None
    for i in range(4):
        n = P(x * i)
        n.next = head
        head = n
    s = 0.0
    while head is not None:
        s += head.x * head.v
        head = head.next
    return s


@program((1.3,))
def list_in_a_field_grown_by_an_alias(x):
    p = P([x, 2 * x])
    items = p.x
    items.append(np.array([x, x]))
    return np.sum(p.x[2]) * p.x[0]


@program((1.3,))
def list_in_two_objects(x):
    p = P([x, 2 * x])
    q = P(p.x)
    q.x[0] = np.array([x, x])
    return np.sum(p.x[0]) * p.x[1]


@program((1.3,))
def array_in_a_field_changed_in_place(x):
    p = P(np.array([x, 2 * x]))
    a = p.x
    p.x *= 2.0
    return np.sum(a * p.x)


@program((1.3,))
def list_in_a_field_grown_in_place(x):
    p = P([x])
    a = p.x
    p.x += [2 * x]
    return a[1] * p.x[0]


@program((1.3,))
def counter_in_a_field(x):
    p = P(x)
    p.n = 0
    while p.n < 3:
        p.x = p.x * x
        p.n += 1
    return p.x * p.n


@program((1.3,))
def class_attribute_of_an_object(x):
    d = Default(x)
    return d.k * d.x


@program((1.3,))
def constructor_that_counts(x):
    a = Cnt(x)
    b = Cnt(2 * x)
    return a.x * b.x


def gen(p):
    yield p.x
    p.x = np.array([p.v, p.v])
    yield p.v


@program((1.3,))
def changed_between_items_of_a_generator(x):
    p = P(x)
    s = 0.0
    for y in gen(p):
        s = s + y
    return s * np.sum(p.x) * x


@program((1.3,))
def copies_of_an_object_with_fields(x):
    p = P(x)
    q = copy.copy(p)
    q.x = x * x
    r = copy.deepcopy(p)
    r.v = q.x
    return p.x * q.x * r.v


@program((1.3,))
def objects_in_each_other(x):
    p = P(P(x))
    p.x.x = x * x
    q = p.x
    q.v = 3 * x
    return p.x.x * p.x.v * p.v


@program((1.3,))
def fields_swapped(x):
    a = P(x)
    b = P(2 * x)
    a, b = b, a
    a.x *= x
    a.x, b.x = b.x, a.x
    return a.x * a.x * b.x


@program((1.3,))
def function_in_a_field(x):
    p = P(np.sin)
    y = p.x(x)
    p.x = np.cos
    return y * p.x(x)


@program((1.3,))
def object_chosen_by_a_condition(x):
    a = P(x)
    b = P(2 * x)
    c = a if x > 0 else b
    c.v = x * x
    return a.v * b.v


@program((1.3,))
def return_in_the_middle_of_objects(x):
    ps = [P(x * i) for i in range(4)]
    for p in ps:
        p.v += p.x
        if p.v > 3:
            return p.v * ps[0].v
    return x


@program((1.3,))
def changed_by_a_closure(x):
    p = P(x)

    def bump():
        p.x = p.x * p.x

    bump()
    bump()
    return p.x


@program((1.3,))
def read_by_a_lambda_with_a_parameter(x):
    p = P(x)
    f = lambda q: q.norm() + p.v
    p.v = x
    return f(p)


class Op:
    def __init__(self, x):
        self.x = x
        self.c = 1.0

    def __mul__(self, o):
        self.c = np.array([self.x, self.x])
        return Op(self.x * o.x)

    def __call__(self, y):
        return self.x * y

    def __len__(self):
        self.c = 2
        return 2

    def __iter__(self):
        self.c = self.x * self.x
        return iter([self.x, self.c])

    def __enter__(self):
        self.c = self.x
        return self

    def __exit__(self, *a):
        self.x = self.x * 2

    def __getitem__(self, i):
        return self.x * i


@program((1.3,))
def operator_that_changes_its_object(x):
    a = Op(x)
    b = a * a
    return np.sum(a.c * b.x)


@program((1.3,))
def called_object_with_items(x):
    a = Op(x)
    return a(x) * a[3]


@program((1.3,))
def iteration_that_changes_its_object(x):
    a = Op(x)
    s = 0.0
    for y in a:
        s += y
    return s * a.c


@program((1.3,))
def context_manager_with_fields(x):
    a = Op(x)
    with a as b:
        y = b.c * b.x
    return y * a.x * a.c


@program((1.3,))
def one_object_given_twice(x):
    p = P(x)

    def g(a, b):
        a.x = a.x * 2
        b.x = b.x * b.x
        return a.x * b.v

    return g(p, p)


@program((1.3,))
def object_made_anew_in_a_loop(x):
    p = P(x)
    for i in range(3):
        p = P(p.x * x, p.v + i)
    return p.x * p.v


@program((1.3,))
def object_made_of_itself(x):
    p = P(x)
    p = P(p.x * 2, p.x)
    return p.x * p.v


def many(p):
    p = P(p.x * 2)
    p.v = 7.0
    return p


@program((1.3,))
def parameter_rebound_to_another_object(x):
    p = P(x, x)
    q = many(p)
    return p.v * q.v * q.x * p.x


@program((1.3,))
def objects_in_a_dict(x):
    d = {"a": P(x), "b": P(2 * x)}
    d["a"].x = np.array([x, x])
    return np.sum(d["a"].x) * d["b"].x


@program((1.3,))
def integer_in_a_field(x):
    p = P(2)
    return x**p.x * p.v


@program((1.3,))
def field_set_behind_where_it_is_read(x):
    p = P(x)
    for i in range(2):
        if i == 1:
            y = p.z * p.x
        p.z = x * x
    return y


class Halves:
    def __init__(self, inner):
        self.inner = iter(inner)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.inner) / 2


@program((1.3,))
def iterator_over_a_tuple_in_a_field(x):
    return sum(Halves((x, x * x))) + next(Halves([x, x * x]))


class Scaled:
    scale = 1.0

    def __init__(self, value):
        self.value = value * self.scale


@program((1.3,))
def active_class_attribute_read_by_the_constructor(x):
    a = Scaled(x)
    Scaled.scale = x
    b = Scaled(x)
    result = a.value * b.value * b.scale
    Scaled.scale = 1.0
    return result


class Network:
    """Layers in a list, a function in a field, a method that calls methods."""

    def __init__(self, sizes):
        self.layers = [Layer(0.1 * (i + 1), np.tanh) for i in range(sizes)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def scaled(self, factor):
        for layer in self.layers:
            layer.weight *= factor
        return self


class Layer:
    def __init__(self, weight, activation):
        self.weight = weight
        self.activation = activation

    def __call__(self, x):
        return self.activation(self.weight * x)


@program((1.3,))
def network_of_layers(x):
    return Network(3).scaled(x)(x) + Network(2)(x)


class Account:
    """A property with a setter stands in front of the field that it sets."""

    def __init__(self, balance):
        self._balance = balance

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        self._balance = value * 2.0


@program((1.3,))
def property_with_a_setter(x):
    account = Account(x)
    account.balance = account.balance * x
    account.balance += x
    return account.balance


@program((1.3,))
def default_of_the_class_behind_a_missing_field(x):
    a = Default(x)
    before = a.k
    if x > 0:
        a.k = x * x
    return before * a.k * a.x


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def total(self):
        result = self.value
        for child in (self.left, self.right):
            if child is not None:
                result = result + child.total() * self.value
        return result


@program((1.3,))
def tree_of_objects(x):
    return Tree(x, Tree(2.0 * x, Tree(x * x)), Tree(3.0)).total()
