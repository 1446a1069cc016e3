"""Weak references, read-only views of dicts, iterators of `OrderedDict`, sums of `Counter`, texts joined of
what is lazy: as in a plain call, with the gradient that goes through them."""

from __future__ import annotations

import weakref
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

import pytest

import zygpy as zg
from zygpy import units

LOG: list[Any] = []


class Node:
    """A node of a tree that knows its parent weakly."""

    def __init__(self, value: float, parent: Node | None = None) -> None:
        self.value = value
        self._parent = None if parent is None else weakref.ref(parent)
        self.children: list[Node] = []

    @property
    def parent(self) -> Node | None:
        return None if self._parent is None else self._parent()

    def add(self, value: float) -> Node:
        self.children.append(Node(value, self))
        return self.children[-1]

    def path(self) -> float:
        parent = self.parent
        return self.value if parent is None else self.value * parent.path()


def tree(x: float, y: float) -> Any:
    root = Node(x)
    leaf = root.add(y).add(x * y)
    parent = leaf.parent
    assert parent is root.children[0]
    parent.value = parent.value * 2
    return leaf.path()


def changed_through_the_reference(x: float, y: float) -> Any:
    node = Node(1.0)
    reference = weakref.ref(node)
    LOG.append(reference() is node)
    reference().value = x * y  # type: ignore[union-attr]
    node.value *= x
    return reference().value * node.value  # type: ignore[union-attr]


CACHE: Any = weakref.WeakKeyDictionary()


def squared(node: Node) -> float:
    if node not in CACHE:
        LOG.append("computed")
        CACHE[node] = node.value * node.value
    found: float = CACHE[node]
    return found


def cached_by_object(x: float, y: float) -> Any:
    node = Node(x)
    return squared(node) * squared(node) * y


def values_held_weakly(x: float, y: float) -> Any:
    known: Any = weakref.WeakValueDictionary()
    node = Node(x * y)
    known["a"] = node
    LOG.append(known.get("b"))
    return known["a"].value * known.get("a").value


def seen_by_observers(x: float, y: float) -> Any:
    observers = [Node(x), Node(y)]
    references = [weakref.ref(node) for node in observers]
    for reference in references:
        node = reference()
        if node is not None:
            node.value = node.value * x
    return observers[0].value * observers[1].value


class Reference(weakref.ref):  # type: ignore[type-arg]
    """A class that goes on from `weakref.ref`."""


def functions_held_weakly(x: float, y: float) -> Any:
    def first(value: float) -> float:
        return value * y

    total = [0.0]

    def second(value: float) -> float:
        total[0] = total[0] + value * y
        return total[0]

    references = [weakref.ref(first), Reference(first), weakref.ref(second), weakref.ref(first)]
    named: Any = weakref.WeakValueDictionary()
    named["first"] = first
    together: Any = weakref.WeakSet([first, second])
    LOG.extend(function(x) for function in together)
    for reference in references:
        function = reference()
        if function is not None:
            x = x * function(x)
    return x * named["first"](x) + references[2]()(x) + sum(f(y) for f in named.values())


def read_only(x: float, y: float) -> Any:
    table = {"a": x}
    view = MappingProxyType(table)
    table["a"] *= y
    table["b"] = y
    return view["a"] * view.get("b") + sum(view.values()) + sum(value * y for _, value in view.items())


def ordered(x: float, y: float) -> Any:
    table = OrderedDict(a=x, b=y, c=x * y)
    table.move_to_end("a")
    items = iter(table.items())
    key, value = next(items)
    LOG.append((key, next(items)[0]))
    total = value * x
    for value, other in zip(table.values(), reversed(table.values())):  # noqa: B905
        total += value * value * other
    return total * next(iter(table.values()))


def counted(x: float, y: float) -> Any:
    left, right = Counter({"a": x, "b": y}), Counter({"a": y, "c": x * y})  # type: ignore[dict-item]
    both = left + right
    LOG.append(sorted(both))
    return both["a"] * both["c"] + (left & right)["a"] * 3 + (left | right)["a"] * (left - right)["b"]


def joined(x: float, y: float) -> Any:
    def texts() -> Iterator[str]:
        for value in (x, y):
            LOG.append("asked")
            yield f"{value:.2f}"

    LOG.append(",".join(map(str, [x, y])) + "-".join(texts()) + "".join(filter(None, ["a", "", str(x)])))
    return x * y


PROGRAMS = [
    tree,
    changed_through_the_reference,
    cached_by_object,
    values_held_weakly,
    seen_by_observers,
    functions_held_weakly,
    read_only,
    ordered,
    counted,
    joined,
]
AT = (1.25, 1.75)


def slopes(program: Callable[[float, float], float]) -> tuple[float, ...]:
    """The derivatives by central differences of fourth order."""
    found = []
    for place in range(2):

        def at(step: float, place: int = place) -> float:
            return program(*[value + step * (place == other) for other, value in enumerate(AT)])

        found.append((8 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3)
    return tuple(found)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_followed(program: Any, *, specialise: bool) -> None:
    LOG.clear()
    expected = program(*AT)
    noted = [*LOG]
    LOG.clear()
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, *AT)
    assert (value, LOG) == (expected, noted)
    assert back(1.0) == pytest.approx(slopes(program), rel=1e-8)
    assert back(1.0) == back(1.0)


@pytest.mark.parametrize("program", [changed_through_the_reference, read_only])
def test_tangents(program: Any) -> None:
    expected = slopes(program)[0] + 0.5 * slopes(program)[1]
    assert zg.pushforward(program, *AT)(1.0, 0.5) == pytest.approx(expected, rel=1e-8)


def test_second_derivatives() -> None:
    def program(x: float) -> Any:
        node = Node(x)
        reference = weakref.ref(node)
        node.value = node.value * x * x
        return reference().value * x  # type: ignore[union-attr]

    assert zg.hessian(program, 2.0) == pytest.approx(12 * 2.0**2)


class Constants:
    """A class with a number that programs change."""

    factor = 2.0


def by_get(x: float) -> Any:
    Constants.factor = x
    return vars(Constants).get("factor") * x  # type: ignore[operator]


def by_items(x: float) -> Any:
    Constants.factor = x
    return sum(value * x for name, value in vars(Constants).items() if name == "factor")


def by_merging(x: float) -> Any:
    Constants.factor = x
    return {**vars(Constants)}["factor"] * x


@pytest.mark.parametrize("program", [by_get, by_items, by_merging])
def test_numbers_of_a_class_are_not_read_past_it(program: Any) -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="in the table of its names"):
        zg.gradient(program, 3.0)
