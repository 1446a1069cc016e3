"""Generators that ask for their own items, in lists, where nothing is changed meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import rules
from zygpy.analyse.paths import Scope
from zygpy.inlining import in_place
from zygpy.ir import core
from zygpy.runtime.still_objects import check_still
from zygpy.runtime.stillness import all_still
from zygpy.units import HELPERS, listing_function, unit_of

X = np.array([0.3, 1.1, 0.7, -0.4, 0.9])


class Node:
    def __init__(self, value: Any, left: Any = None, right: Any = None) -> None:
        self.value, self.left, self.right = value, left, right


def tree(xs: Any) -> Any:
    if len(xs) == 0:
        return None
    middle = len(xs) // 2
    return Node(xs[middle], tree(xs[:middle]), tree(xs[middle + 1 :]))


def nodes(node: Any) -> Iterator[Any]:
    if node is None:
        return
    yield from nodes(node.left)
    yield node
    yield from nodes(node.right)


def values(node: Any, scale: float = 1.0) -> Iterator[Any]:
    if node is None:
        return
    yield from values(node.left, scale * 0.5)
    yield scale * node.value
    yield from values(node.right, scale=scale * 0.5)


def flat(items: Any) -> Iterator[Any]:
    for item in items:
        if isinstance(item, list):
            yield from flat(item)
        else:
            yield item


def even(node: Any) -> Iterator[Any]:
    if node is not None:
        yield node.value
        yield from odd(node.left)
        yield from odd(node.right)


def odd(node: Any) -> Iterator[Any]:
    if node is not None:
        yield -node.value
        yield from even(node.left)
        yield from even(node.right)


def drained(iterator: Any) -> Iterator[Any]:
    for item in iterator:
        yield item
        yield from drained(iterator)


def given_on(iterator: Any, count: int) -> Iterator[Any]:
    if count > 0:
        yield iterator
        for item in iterator:
            yield [item]
            break
        yield from given_on(iterator, count - 1)


def counted(x: Any) -> Any:
    return sum(k * v**2 for k, v in enumerate(values(tree(x))))


def of_two_kinds(x: Any) -> Any:
    total = 0.0
    for v in flat([x[0], [x[1], [x[2] * x[3]]], [], x[4]]):
        total = total * v + math.sin(v)
    return total


def each_other(x: Any) -> Any:
    root, total = tree(x), 0.0
    filled = []
    for v in even(root):
        filled.append(v * v * v)
        for w in values(root):
            total += v * w * w
    return total + sum(filled)


def whole(x: Any) -> Any:
    return max(values(tree(x))) * sum(list(flat([x[0], [x[1]]]))) + sum(values(None))


def left(x: Any) -> Any:
    total = 0.0
    for v in values(tree(x)):
        if total > 1.0:
            break
        total += v
    return total


def changed_later(x: Any) -> Any:
    total = 0.0
    for node in nodes(tree(x)):
        total += node.value
        if node.right is not None:
            node.right.value = node.right.value * 2.0
    return total


def doubled(node: Any) -> Any:
    node.value = node.value * 2.0
    return node.value


def changed_by_another(x: Any) -> Any:
    root = tree(x)
    total = 0.0
    for node in nodes(root):
        total += node.value * doubled(root)
    return total


def grown(x: Any) -> Any:
    items, total = [x[0], [x[1]], x[2]], 0.0
    for k, v in enumerate(flat(items)):
        total += v * k
        if k < 2:
            items.append(v * x[3])
    return total


def grown_by_name(x: Any) -> Any:
    filled = [x[0]]
    for v in flat([filled, x[1]]):
        if len(filled) < 4:
            filled.append(v * 1.5)
    return sum(filled)


def added_in_place(x: Any) -> Any:
    rows = [x[:2] * 1.0, [x[2:4] * 1.0]]
    first = rows[0]
    total = 0.0
    for row in flat(rows):
        first += row
        total = total + (first * row).sum()
    return total


def asked_meanwhile(x: Any) -> Any:
    iterator = iter(list(x))
    total = 0.0
    for k, v in enumerate(drained(iterator)):
        total += v * (k + 1)
        if k == 1:
            total += sum(iterator) * v
    return total


def asks_what_it_gives(x: Any) -> Any:
    total = 0.0
    for items in given_on(iter(list(x)), 2):
        for v in items:
            total = total * 1.3 + v
            if v > 1.0:
                break
    return total


def failing(node: Any) -> Iterator[Any]:
    if node is None:
        raise ValueError
    yield node.value
    yield from failing(node.right)


def handled(x: Any) -> Any:
    total = 0.0
    try:
        for v in failing(tree(x)):
            total += v
    except ValueError:
        pass
    return total


Program = Callable[[Any], Any]

LISTED = [counted, of_two_kinds, each_other, whole]
OTHERS = [
    *(left, changed_later, changed_by_another, grown, grown_by_name, added_in_place, asked_meanwhile),
    *(asks_what_it_gives, handled),
]


def is_listed(f: Any) -> bool:
    rules.load()
    unit = unit_of(f)
    program = in_place(unit, Scope(unit.source.globals, {}, HELPERS, unit.fixed)).program
    ops = [getattr(statement, "op", None) for statement in core.walk(program.body)]
    paths = [op.func for op in ops if isinstance(op, core.Call) and isinstance(op.func, core.Path)]
    return any(path.names[0] in unit.listed for path in paths)


@pytest.mark.parametrize("f", LISTED)
def test_they_are_listed(f: Program) -> None:
    assert is_listed(f)
    (gradient,) = zg.gradient(f, X)
    np.testing.assert_allclose(gradient, differences(f, X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", OTHERS)
def test_they_are_not_where_something_is_seen_of_it(f: Program) -> None:
    assert not is_listed(f)


def changing(self: Any, other: Any) -> Any:
    self.node.right = None
    return self.value * other


class Weight:
    def __init__(self, value: Any, node: Any) -> None:
        self.value, self.node = value, node

    def __mul__(self, other: Any) -> Any:
        return self.value * other


def weighted(x: Any, kind: Any) -> Any:
    top = tree(x)
    for node in list(nodes(top)):
        node.weight = kind(node.value, top)
    total = 0.0
    for node in nodes(top):
        total = total * 0.5 + node.weight * x[0]
    return total


def test_they_are_not_where_a_class_changes_something_by_an_operator() -> None:
    counting = type("Counting", (), {"__mul__": changing})
    made = "def f():\n    class Counting:\n        def __mul__(self, other): self.count = 1\n"
    space: dict[str, Any] = {"__name__": "program", "Node": Node}
    assert all_still(space)
    assert not all_still({**space, "Counting": counting})
    exec(made, space)
    assert not all_still(space)


def test_objects_that_may_change_something_then_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(x: Any) -> Any:
        return weighted(x, Weight)

    def of_another_class(x: Any) -> Any:
        return weighted(x, type("Other", (Weight,), {"__mul__": changing}))

    assert zg.gradient(program, X)[0] is not None
    with pytest.raises(zg.UnsupportedSyntaxError, match="objects of 'Other', which may change"):
        zg.gradient(of_another_class, X)
    monkeypatch.setattr(Weight, "__mul__", changing)
    with pytest.raises(zg.UnsupportedSyntaxError, match="objects of 'Weight', which may change"):
        zg.gradient(program, X)


# -- by methods


class Branch:
    def __init__(self, value: Any, low: Any = None, high: Any = None) -> None:
        self.value, self.low, self.high = value, low, high

    def __iter__(self) -> Iterator[Any]:
        if self.low is not None:
            yield from self.low
        yield self.value
        if self.high is not None:
            yield from self.high

    def descend(self, scale: Any = 1.0) -> Iterator[Any]:
        if self.low is not None:
            yield from self.low.descend(scale * 0.5)
        yield self
        if self.high is not None:
            yield from self.high.descend(scale=scale)

    def scaled(self, scale: Any, by: float = 2.0) -> Iterator[Any]:
        if self.low is not None:
            yield from self.low.scaled(scale * 0.5)
        yield self.value * scale * by
        if self.high is not None:
            yield from self.high.scaled(scale * 0.25, by=3.0)

    def halved(self) -> Iterator[Any]:
        self.value = self.value * 0.5
        yield self.value
        if self.low is not None:
            yield from self.low.halved()

    def told(self) -> Iterator[Any]:
        yield self.value * 2.0
        if self.low is not None:
            yield from self.low.told()


class Leaf(Branch):
    def scaled(self, scale: Any, by: float = 2.0) -> Iterator[Any]:
        yield self.value * scale

    def told(self) -> Iterator[Any]:
        self.value = self.value * 0.5
        yield self.value


def branches(xs: Any) -> Any:
    if len(xs) == 0:
        return None
    middle = len(xs) // 2
    return Branch(xs[middle], branches(xs[:middle]), branches(xs[middle + 1 :]))


def iterated(x: Any) -> Any:
    total = 0.0
    for value in branches(x):
        total = total * 0.5 + value * value
    return total


def walked(x: Any) -> Any:
    total = 0.0
    for node in branches(x).descend():
        total = total * 0.5 + node.value * node.value
    return total


def scaled(x: Any) -> Any:
    top, total = branches(x), 0.0
    for value in top.scaled(x[0]):
        total = total * 0.5 + value * value
    return total


def of_two_classes(x: Any) -> Any:
    shared, total = Leaf(x[0] * x[1]), 0.0
    for value in Branch(x[1], shared, Branch(x[2], shared)).scaled(1.5):
        total = total * 0.5 + value * value
    return total


def taken_whole(x: Any) -> Any:
    values = list(branches(x).scaled(1.5))
    values[0] = values[0] * values[1]
    return sum(values)


def cut(x: Any) -> Any:
    total = 0.0
    for node in branches(x).descend():
        total = total + node.value * node.value
        node.high = None
    return total


def left_early(x: Any) -> Any:
    total = 0.0
    for node in branches(x).descend():
        total = total + node.value * node.value
        if total > 0.3:
            break
    return total


def changing_itself(x: Any) -> Any:
    top, total = branches(x), 0.0
    for value in top.halved():
        total = total * 0.5 + value * top.value
    return total


def changing_in_another_class(x: Any) -> Any:
    shared, total = Leaf(x[0]), 0.0
    for value in Branch(x[1], Branch(x[2], shared)).told():
        total = total + value * shared.value
    return total


def of_none(x: Any) -> Any:
    total = 0.0
    for node in branches(x[:0]).descend():
        total = total + node.value
    return total


def over_none(x: Any) -> Any:
    total = 0.0
    for value in branches(x[:0]):
        total = total + value
    return total


@pytest.mark.parametrize("f", [iterated, walked, scaled, of_two_classes, taken_whole])
def test_those_of_methods_are_listed(f: Program) -> None:
    assert "_listed" in str(zg.show_adjoint(f, X))
    y, back = zg.pullback(f, X)
    assert y == f(X)
    assert all(np.array_equal(back(1.0)[0], back(1.0)[0]) for _ in range(2))
    np.testing.assert_allclose(back(1.0)[0], differences(f, X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [cut, left_early, changing_itself, changing_in_another_class])
def test_those_of_methods_are_not_where_something_is_seen_of_it(f: Program) -> None:
    assert "_listed" not in str(zg.show_adjoint(f, X))
    np.testing.assert_allclose(zg.gradient(f, X)[0], differences(f, X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(("f", "error"), [(of_none, AttributeError), (over_none, TypeError)])
def test_none_fails_as_it_does(f: Program, error: type[Exception]) -> None:
    with pytest.raises(error) as expected:
        f(X)
    with pytest.raises(error) as raised:
        zg.gradient(f, X)
    assert str(raised.value) == str(expected.value)


def halving(self: Any, scale: Any, by: float = 2.0) -> Iterator[Any]:
    self.value = self.value * 0.5
    yield self.value


def test_objects_that_have_another_such_method_are_refused() -> None:
    zg.gradient(scaled, X)
    listing, changing = listing_function(Branch.scaled), type("Changing", (Leaf,), {"scaled": halving})
    hiding = Leaf(2.0)
    hiding.scaled = lambda scale: iter([scale])  # type: ignore[method-assign, misc]
    check_still(listing, Branch(1.0, Leaf(2.0), [Branch(3.0), None]))
    for other in (changing(2.0), hiding):
        with pytest.raises(zg.UnsupportedSyntaxError, match="whose 'scaled' may change"):
            check_still(listing, Branch(1.0, [other]))
