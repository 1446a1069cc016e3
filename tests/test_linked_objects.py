"""Objects that hold others of their class, or None: trees, lists that are linked, values that come later, and
what a class has for all of its objects; namespaces, and named tuples with operators. They are known with what
they hold, so that nothing is looked up when the program runs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy as zg


class Node:
    def __init__(self, value: Any, following: Any = None) -> None:
        self.value = value
        self.following = following


class Leaf:
    def __init__(self, key: Any, value: Any) -> None:
        self.key, self.value = key, value
        self.left: Any = None
        self.right: Any = None

    def total(self) -> Any:
        s = self.value * self.value
        if self.left is not None:
            s += self.left.total()
        return s * self.right.total() if self.right else s


class Memory:
    def __init__(self, rate: Any) -> None:
        self.last: Any = None
        self.rate = rate

    def step(self, v: Any) -> Any:
        if self.last is not None:
            v = v + 1.5 * self.last
        self.last = math.sin(v * self.rate)
        return self.last

    def forget(self) -> None:
        self.last = None


class Unit:
    def __init__(self, factor: Any) -> None:
        self.factor = factor

    def scaled(self, v: Any) -> Any:
        return v * self.factor


class Measured:
    unit: Any = Unit(0.7)

    def __init__(self, v: Any) -> None:
        self.v = v

    def get(self) -> Any:
        return self.unit.scaled(self.v)


class Tripled(Measured):
    @property
    def unit(self) -> Any:  # type: ignore[override]
        return Unit(self.v * 3)


class Pair(NamedTuple):
    x: Any
    y: Any

    def __add__(self, other: Any) -> Any:
        return Pair(self.x + other[0], self.y + other[1])

    def __rmul__(self, factor: Any) -> Any:
        return Pair(self.x * factor, self.y * factor)

    def __neg__(self) -> Any:
        return Pair(-self.x, -self.y)


class Backwards(Pair):
    def __radd__(self, other: Any) -> Any:
        return Backwards(other.x * 2 + self.x, other.y * 3 + self.y)


def insert(node: Any, key: int, value: Any) -> Any:
    if node is None:
        return Leaf(key, value)
    if key < node.key:
        node.left = insert(node.left, key, value)
    else:
        node.right = insert(node.right, key, value)
    return node


def in_a_tree(x: float, y: float) -> Any:
    root = None
    for i in range(7):
        root = insert(root, (i * 5) % 7, x + 0.1 * y * i)
    return root.total()


def in_a_list(x: float, y: float) -> float:
    head = None
    for i in range(5):
        head = Node(x * i + y, head)
    s, node = 0.0, head
    while node:
        s = math.sin(s + node.value)
        node = node.following
    return s


def with_a_memory(x: float, y: float) -> float:
    memory, s = Memory(y), x
    for _ in range(5):
        s = memory.step(s)
    return s


def of_classes(x: float, y: float) -> Any:
    s = x
    for i in range(3):
        s = math.sin(Measured(s).get()) + y * i
    return s


def in_namespaces(x: float, y: float) -> Any:
    p = SimpleNamespace(v=x, before=None)
    for i in range(4):
        p = SimpleNamespace(before=p, v=math.sin(p.v * y + i))
    s = 0.0
    while p is not None:
        s = s * x + p.v
        p = p.before
    return s


def of_named_tuples(x: float, y: float) -> Any:
    p, v = Pair(x, 1.0), Pair(0.1, y)
    for _ in range(4):
        p = p + 0.1 * v
        p += -v
    return p.x * p.y


def of_named_tuples_behind(x: float, y: float) -> Any:
    c = Pair(x, y) + Backwards(y, x)
    d = Backwards(y, x) + Pair(x, y)
    return c.x * c.y + d.x * d.y + c[0]


def of_namespaces_compared(x: float, y: float) -> Any:
    a, b = SimpleNamespace(v=x), SimpleNamespace(v=x)
    s = x * y if a == b else 5 * x
    b.w = y
    s += a.v * b.w if a != b else 0.0
    del b.w
    return s + (x if hasattr(b, "w") else y * y) + sum(vars(b).values())


def with_a_memory_forgotten(x: float, y: float) -> Any:
    memory, s = Memory(y), 0.0
    clear = memory.forget
    for i in range(5):
        s += memory.step(x) * (i + 1)
        if i == 2:
            clear()
    return s + (0.0 if memory.last is None else memory.last)


def read_after_a_branch(x: float, y: float) -> Any:
    memory = Memory(x)
    memory.last = x * y if x > 0.1 else None
    last = 0.0 if memory.last is None else memory.last
    return last * last + last


def of_itself(x: float, y: float) -> Any:
    a = Node(x)
    a.following = a
    s, node = 0.0, a
    for _ in range(4):
        s += node.value * node.following.value
        node = node.following
        node.value = node.value * y
    return s


def link(a: Any, b: Any) -> None:
    a.following = b


def in_a_ring(x: float, y: float) -> Any:
    a, b, c = Node(x), Node(y), Node(x * y)
    link(a, b)
    link(b, c)
    link(c, a)
    s, node = 0.0, a
    for _ in range(7):
        s = math.sin(s + node.value)
        node.value = s
        node = node.following
    return s + node.value


def of_other_kinds_below(x: float, y: float) -> float:
    head = Node(x, Node(y, Node(x)))
    node: Any = head
    while node.following is not None:
        node = node.following
    node.value = np.array([x, y * y])
    s: Any = 0.0
    while head:
        s = s + np.sum(head.value) * head.value
        head = head.following
    return float(np.sum(s))


def of_another_kind_above(x: float, y: float) -> float:
    head: Any = None
    for i in range(4):
        head = Node(x * i + y, head)
    head.value = np.array([x, y])
    s = 0.0
    while head:
        s += float(np.sum(head.value * head.value))
        head = head.following
    return s


def cut_by_others(x: float, y: float) -> Any:
    a = Node(x, Node(y))
    alias, s = a, 0.0
    if a.following is not None:
        s += a.following.value * x
        alias.following = None
        s += x if a.following is None else a.following.value
    return s * a.value


def not_there_once(x: float, y: float) -> Any:
    a, s = Node(x), y
    for i in range(3):
        try:
            s += a.value * a.following.value
        except AttributeError:
            a.following = Node(y * (i + 1))
        try:
            s = s * y + a.following.following  # type: ignore[operator]
        except TypeError:
            a.following.following = x * y
            s += 0.3 * x
    return s


def deleted(x: float, y: float) -> Any:
    a = Node(x, Node(y))
    s = a.following.value
    del a.following
    try:
        s += a.following.value
    except AttributeError:
        s += x * y
    a.following = None
    return s * (x if a.following is None else 0.0)


def in_front_of_classes(x: float, y: float) -> Any:
    a = Measured(x)
    s = a.get() * Tripled(y).get()
    a.unit = Unit(y)
    s *= a.get()
    del a.unit
    s += a.get() ** 2
    before = Measured.unit.factor
    Measured.unit.factor = 3.0
    s += a.get() * y
    Measured.unit.factor = before
    return s


class Branch:
    def __init__(self, value: Any) -> None:
        self.value = value
        self.kids: list[Any] = []


def made(value: Any) -> Any:
    return Branch(value)


def grown(value: Any, depth: int) -> Any:
    branch = Branch(value * (depth + 1))
    if depth > 0:
        for i in range(2):
            branch.kids.append(grown(value * (i + 0.5), depth - 1))
    return branch


def with_its_list(value: Any) -> Any:
    branch = Branch(value)
    branch.kids.append(value * value)
    return branch, branch.kids


def under_two_keys(value: Any) -> Any:
    rows = {"a": [value]}
    rows["b"] = rows["a"]
    return rows


def above(value: Any, branch: Any) -> Any:
    top = Branch(value)
    top.kids.append(branch)
    return top


def exchanged(value: Any, a: Any, b: Any) -> Any:
    a.kids, b.kids = b.kids, a.kids
    return Branch(value), a.kids


def added_to_the_top(value: Any, depth: int, top: Any = None) -> Any:
    branch = Branch(value * depth)
    top = top or branch
    for _ in range(2 if depth > 0 else 0):
        branch.kids.append(added_to_the_top(value, depth - 1, top))
        top.value = top.value + branch.kids[-1].value * value
    return branch


def summed(thing: Any) -> Any:
    if isinstance(thing, Branch):
        return thing.value * thing.value + sum([summed(kid) for kid in thing.kids])
    return 3.0 * thing.value if isinstance(thing, Node) else thing * 1.5


def of_kids_made_by_calls(x: float, y: float) -> Any:
    top = Branch(x)
    for i in range(3):
        top.kids.append(made(x * y + i))
    s = y
    for kid in top.kids:
        s = s * kid.value + math.sin(top.value)
    return s


def in_a_tree_that_grows(x: float, y: float) -> Any:
    s = y
    for kid in grown(x, 3).kids:
        s = s * kid.value
        for other in kid.kids:
            s = s + other.value * y
    return s


def in_a_list_of_its_own(x: float, y: float) -> Any:
    a, kids = with_its_list(x)
    kids.append(Node(x * y))
    b, others = with_its_list(y)
    others.append(a)
    kids[0] = b.value * x
    return summed(a) * summed(b)


def in_a_list_under_two_keys(x: float, y: float) -> Any:
    a, b = under_two_keys(x), under_two_keys(y)
    a["b"].append(Node(y))
    b["a"] = a["a"]
    a["a"][0] = x * y
    return sum([summed(v) for rows in (a, b) for key in ("a", "b") for v in rows[key]])


def held_by_calls(x: float, y: float) -> Any:
    a = made(x)
    b = above(y, a)
    c = above(x, b)
    c.kids[0].kids[0].value = x * y
    a.value += 1.0
    b.kids.append(c.value)
    return summed(c) + summed(a)


def with_lists_exchanged(x: float, y: float) -> Any:
    a, b = made(x), made(y)
    a.kids.append(x)
    b.kids.append(y * y)
    c, kids = exchanged(x * y, a, b)
    kids.append(c)
    c.value = c.value * 2
    return summed(a) * 1.1 + summed(b)


def with_changes_at_the_top(x: float, y: float) -> Any:
    a = added_to_the_top(x, 2)
    b = added_to_the_top(y, 1, a)
    a.kids.append(b)
    b.value = b.value * y
    return summed(a)


KNOWN = [
    in_a_tree, in_a_list, with_a_memory, of_classes, in_namespaces, of_named_tuples, of_kids_made_by_calls,
    in_a_tree_that_grows,
]  # fmt: skip
OTHERS = [
    with_a_memory_forgotten, read_after_a_branch, of_itself, in_a_ring, of_other_kinds_below,
    of_another_kind_above, cut_by_others, not_there_once, deleted, in_front_of_classes,
    of_named_tuples_behind, of_namespaces_compared, in_a_list_of_its_own, in_a_list_under_two_keys,
    held_by_calls, with_lists_exchanged, with_changes_at_the_top,
]  # fmt: skip


def slope(f: Callable[[float], Any], at: float) -> float:
    """The derivative by differences, extrapolated (Richardson)."""
    rows = [(f(at + h) - f(at - h)) / (2 * h) for h in (4e-3, 2e-3, 1e-3)]
    for order in (4, 16):
        rows = [(order * b - a) / (order - 1) for a, b in itertools.pairwise(rows)]
    return float(rows[0])


@pytest.mark.parametrize("f", KNOWN + OTHERS, ids=lambda f: f.__name__)
def test_gradients_of_what_holds_its_like(f: Callable[[float, float], Any]) -> None:
    x, y = 0.7, 1.3
    value, found = zg.withgradient(f, x, y)
    assert value == f(x, y)
    expected = slope(lambda v: f(v, y), x), slope(lambda v: f(x, v), y)
    np.testing.assert_allclose(found, expected, rtol=1e-7)
    _, back = zg.pullback(f, x, y)
    np.testing.assert_allclose([back(2.0), back(1.0)], [(2 * found[0], 2 * found[1]), found], rtol=1e-12)


@pytest.mark.parametrize("f", [in_a_list, with_a_memory, in_a_ring], ids=lambda f: f.__name__)
def test_second_derivatives_of_what_holds_its_like(f: Callable[[float, float], Any]) -> None:
    x, y = 0.7, 1.3
    expected = slope(lambda v: zg.gradient(f, v, y)[0], x)
    found = zg.gradient(lambda v: zg.gradient(f, v, y)[0], x)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("f", KNOWN, ids=lambda f: f.__name__)
def test_nothing_is_looked_up_in_what_holds_its_like(f: Callable[[float, float], Any]) -> None:
    assert "pull" not in str(zg.show_adjoint(f, 0.7, 1.3)).replace("pullback", "")


def test_what_is_none_fails_as_it_does() -> None:
    def called(x: float) -> Any:
        node = Leaf(1, x)
        return node.left.total() if x > 0.0 else node.total()

    def added(x: float) -> Any:
        memory = Memory(x)
        return x + memory.last

    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'total'"):
        zg.gradient(called, 0.7)
    with pytest.raises(TypeError, match="unsupported operand"):
        zg.gradient(added, 0.7)


def test_what_is_true_by_a_method_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(in_a_list, 0.7, 1.3)[0] != 0.0
    monkeypatch.setattr(Node, "__bool__", lambda self: self.value > 3.0, raising=False)
    expected = slope(lambda v: in_a_list(v, 1.3), 0.7)
    np.testing.assert_allclose(zg.gradient(in_a_list, 0.7, 1.3)[0], expected, rtol=1e-7)
