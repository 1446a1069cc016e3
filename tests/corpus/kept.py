"""What is stored, or handed over, while it has no gradient, and becomes active where it is known by another
name: by functions and methods that keep it, in globals and classes, in containers of all sorts."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any, ClassVar

import numpy as np

from tests.corpus.registry import program

KEPT: list[Any] = []
NAMED: dict[str, Any] = {}
GRID = np.zeros(3)
HELD: Any = None


def put(items, value):
    items.append(value)


def put_under_a_key(table, value):
    table["k"] = value


def put_deeper(items, value):
    items[0] = [value]


def keep(value):
    KEPT.append(value)


def hold(value):
    global HELD
    HELD = value


class Box:
    held: ClassVar[Any] = None
    items: ClassVar[list] = []

    def add(self, value):
        self.items.append(value)


class Filled:
    def __init__(self, value=None):
        self.value = value


class Taking:
    """Every way to hand something over."""

    def __init__(self):
        self.items = []

    def __setitem__(self, index, value):
        self.items.append(value)

    def __iadd__(self, value):
        self.items.append(value)
        return self

    def __call__(self, value):
        self.items.append(value)


def fill(target, value):
    target.value = value


@program((1.3,))
def put_into_containers_by_functions(x):
    items, table, nested = [], {}, [0]
    a, b, c = np.zeros(3), np.zeros(3), np.zeros(3)
    put(items, a)
    put_under_a_key(table, b)
    put_deeper(nested, c)
    items[0][1] = x
    table["k"][1] = x * x
    nested[0][0][1] = 3 * x
    return np.sum(a) * np.sum(b) + np.sum(c)


@program((1.3,))
def array_that_a_function_has_put_into_a_list(x):
    z, items = np.zeros(3), []
    put(items, z)
    z[1] = x
    return np.sum(items[0])


@program((1.3,))
def list_that_a_function_has_put_into_a_list(x):
    outer, inner, other = [], [], []
    put(outer, inner)
    put(outer, other)
    inner.append(x)
    outer[1].append(x * x)
    return outer[0][0] * other[0]


@program((1.3,))
def array_in_a_field_that_is_set_by_a_function(x):
    filled, z = Filled(), np.zeros(3)
    fill(filled, z)
    filled.value[0] = x
    z[1] = x * x
    return np.sum(filled.value) * np.sum(z)


@program((1.3,))
def array_in_a_field_that_is_set_by_the_constructor(x):
    filled = Filled(np.zeros(3))
    filled.value[1] = x
    filled.value[1:] += x * x
    before = filled.value
    filled.value = filled.value * 2
    before[0] = x
    return np.sum(filled.value) * np.sum(before)


@program((1.3,))
def array_in_a_global_list(x):
    KEPT.clear()
    z = np.zeros(3)
    KEPT.append(z)
    z[1] = x
    return np.sum(KEPT[0])


@program((1.3,))
def array_that_a_function_keeps(x):
    KEPT.clear()
    z = np.zeros(3)
    keep(z)
    z[1] = x
    return np.sum(KEPT[0])


@program((1.3,))
def array_in_a_global_variable(x):
    global HELD
    z = HELD = np.zeros(3)
    z[1] = x
    result = np.sum(HELD)
    HELD = None
    return result


@program((1.3,))
def array_that_a_function_holds(x):
    z = np.zeros(3)
    hold(z)
    z[1] = x
    return np.sum(HELD)


@program((1.3,))
def array_in_a_class(x):
    z = np.zeros(3)
    Box.held = z
    z[1] = x
    return np.sum(Box.held)


@program((1.3,))
def array_in_a_list_of_a_class(x):
    Box.items.clear()
    box, z = Box(), np.zeros(3)
    box.add(z)
    z[1] = x
    return np.sum(Box.items[0])


@program((1.3,))
def lists_in_global_containers(x):
    KEPT.clear()
    a, b = [0.0, 0.0], [0.0]
    KEPT.append(a)
    NAMED["k"] = b
    a[1] = x
    b.append(x * x)
    return KEPT[0][1] * NAMED["k"][1] * x


@program((1.3,))
def object_in_a_global_list(x):
    KEPT.clear()
    a, b = Filled(), Filled()
    KEPT.append(a)
    keep(b)
    a.value = x
    b.value = x * x
    return KEPT[0].value * KEPT[1].value * x


@program((1.3,))
def global_array_written_in_every_way(x):
    GRID[:] = 0.0
    alias = GRID
    alias += x
    np.add.at(GRID, [0], x * x)
    GRID[1:] *= GRID[0]
    GRID[2:].fill(x)
    return np.sum(GRID * GRID)


@program((1.3,))
def handed_to_a_function_in_a_list(x):
    items, z = [], np.zeros(3)

    def add(target, value):
        target.append(value)

    functions = [add]
    functions[0](items, z)
    z[1] = x
    return np.sum(items[0])


@program((1.3,))
def handed_over_by_operators_and_calls(x):
    taking = Taking()
    a, b, c = np.zeros(2), np.zeros(2), np.zeros(2)
    taking[0] = a
    taking += b
    taking(c)
    a[1], b[1], c[1] = x, x * x, 2 * x
    return np.sum(taking.items[0]) * np.sum(taking.items[1]) + np.sum(taking.items[2])


@program((1.3,))
def kept_in_containers_of_other_classes(x):
    queue, table = deque(), defaultdict(list)
    z = np.zeros(3)
    queue.append(z)
    table["k"].append(z)
    z[1] = x
    return np.sum(queue[0]) * np.sum(table["k"][0])
