"""Containers of a program's own classes: which of their methods C code asks, and which it passes by."""

# ruff: noqa: RUF005, RUF015
# The operators and functions are what is tested.

from __future__ import annotations

import bisect
import collections
import copy
import functools
import heapq
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import zygpy
from zygpy.testing.numeric import slope

X = 0.7


class Joining(list):  # type: ignore[type-arg]
    """A list that says by the methods of `list` what operators make of it."""

    def __add__(self, other: Any) -> Any:
        return Joining(super().__add__(other))

    def __mul__(self, count: Any) -> Any:
        return Joining(super().__mul__(count))

    def __rmul__(self, count: Any) -> Any:
        return Joining(super().__rmul__(count))


class Merging(dict):  # type: ignore[type-arg]
    def __or__(self, other: Any) -> Any:
        return Merging(super().__or__(other))

    def __ror__(self, other: Any) -> Any:
        return Merging(super().__ror__(other))


class Doubling(list):  # type: ignore[type-arg]
    """A list whose methods change what they are given."""

    def append(self, item: Any) -> None:
        super().append(item * 2.0)

    def pop(self, *place: Any) -> Any:
        return super().pop(*place) * 3.0

    def __setitem__(self, place: Any, item: Any) -> None:
        super().__setitem__(place, item * 5.0)


class Tenfold(list):  # type: ignore[type-arg]
    """A list that gives other items than it has."""

    def __iter__(self) -> Iterator[Any]:
        return iter([item * 10.0 for item in super().__iter__()])


class Far(list):  # type: ignore[type-arg]
    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(place) * 10.0


class Hollow(list):  # type: ignore[type-arg]
    """A list that hides its length."""

    def __len__(self) -> int:
        return 0


class Loud(dict):  # type: ignore[type-arg]
    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key) * 10.0


class Sorted(dict):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        return iter(sorted(super().keys()))


class Listing(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        return [(key, value * 10.0) for key, value in super().items()]

    def __contains__(self, key: Any) -> bool:
        return bool(key == "z")


class Made(dict):  # type: ignore[type-arg]
    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return super().__new__(cls)


class Queue(collections.deque):  # type: ignore[type-arg]
    def __new__(cls, *args: Any) -> Any:
        return super().__new__(cls)


class Again(list):  # type: ignore[type-arg]
    def __mul__(self, count: Any) -> Any:
        return Again([item * 3.0 for item in self])

    def index(self, *args: Any) -> int:
        return 0


class Base(NamedTuple):
    a: float
    b: float


class Replacing(Base):
    __slots__ = ()

    def _replace(self, **fields: Any) -> Any:
        return Base(self.a * 2.0, self.b * 3.0)


def weighed(items: Any) -> Any:
    total = 0.0
    for place, item in enumerate(items):
        total = total + item * (place + 1.0)
    return total


def keywords(b: Any = 0.0, a: Any = 0.0) -> Any:
    return a + 3.0 * b


def heaped(x: Any) -> Any:
    heap = Doubling([3.0 * x, x, 2.0 * x])
    heapq.heapify(heap)
    heapq.heappush(heap, x * 0.5)
    top = heapq.heappop(heap)
    return top * 7.0 + heapq.heapreplace(heap, 4.0) + weighed(list.__iter__(heap))


def sliced(x: Any) -> Any:
    taken = [1.0, 2.0]
    taken[1:] = Tenfold([x, x * x])
    taken.extend(Tenfold([x]))
    taken += Tenfold([3.0 * x])
    return weighed(taken)


def hidden(x: Any) -> Any:
    items = Hollow([x, 2.0, x * x])
    items.append(x)
    items.insert(1, 2.0 * x)
    items[0] = x * 4.0
    first, *rest = items
    del items[2]
    return first * rest[2] + weighed(items) + (items + [x])[4] + Hollow(items)[1]


def lengthened(x: Any) -> Any:
    """The items of a sum have their places in lists that change afterwards."""
    items = Joining([x, 2.0])
    both = Joining([x * x]) + items
    items.append(x)
    items.append(x)
    return weighed(both) + weighed(items)


def unpacked(x: Any) -> Any:
    table = Sorted(b=x, a=2.0 * x)
    return keywords(**table) + weighed({"c": x, **table}.values()) + sorted(table.values())[0]


def of_types(x: Any) -> Any:
    rows = functools.reduce(list.__add__, [[x], [x * x]])
    table = functools.reduce(dict.__or__, [{"a": x}, {"b": x * x}])
    return weighed(rows) + weighed(table.values()) + [x].__add__([x * 3.0])[1] + [x].__mul__(2)[1]


def multiplied(x: Any) -> Any:
    items = kept = Again([x, x * x])
    items *= 2
    return weighed(items) + len(kept)


def removed(x: Any) -> Any:
    items = Again([1.0, x, 2.0 * x])
    items.remove(2.0 * x)
    return weighed(items)


def counted(x: Any) -> Any:
    return weighed((collections.Counter(a=x) | {"b": x * x}).values())


def inserted(x: Any) -> Any:
    items = Doubling([x, 3.0 * x])
    bisect.insort(items, 2.0 * x)
    return weighed(items)


def by_name(x: Any) -> Any:
    table = collections.defaultdict(float, a=x).__copy__()
    queue = collections.deque([x, 2.0]).__copy__()
    queue.append(x * x)
    return table["a"] * 3.0 + weighed(queue)


def in_order(x: Any) -> Any:
    items = Doubling([3.0 * x, x, 2.0 * x])
    items.sort(key=operator.neg)
    return weighed(items)


FOLLOWED: dict[str, Callable[[Any], Any]] = {
    "sum by super": lambda x: weighed(Joining([x, 2.0]) + [x * x]),
    "product by super": lambda x: weighed(Joining([x, x * x]) * 2) + weighed(2 * Joining([x])),
    "merged by super": lambda x: weighed((Merging(a=x) | {"b": x * x}).values()),
    "merged from the left": lambda x: weighed(({"b": x * x} | Merging(a=x)).values()),
    "of types": of_types,
    "lengthened": lengthened,
    "heaps": heaped,
    "in order": in_order,
    "insort": inserted,
    "taken by lists": sliced,
    "copied item by item": lambda x: weighed(copy.copy(Doubling([x, x * x]))),
    "copied deeply": lambda x: weighed(copy.deepcopy([Doubling([x, x * x]), x])[0]),
    "copied by iteration": lambda x: list.__getitem__(copy.copy(Tenfold([x, 1.0])), 0),
    "copied by items": lambda x: copy.copy(Listing(a=x))["a"] + copy.deepcopy(Listing(a=x))["a"],
    "reversed": lambda x: list(reversed(Far([x, x * x])))[0] + weighed(reversed(Hollow([x, 2.0 * x]))),
    "hidden length": hidden,
    "dict of one that computes": lambda x: dict(Loud(a=x))["a"] + dict(Loud(a=x), b=x)["b"],
    "updated by one that computes": lambda x: weighed((Made() | Loud(a=x)).values()),
    "ordered of one that computes": lambda x: collections.OrderedDict(Loud(a=x))["a"],
    "unpacked": unpacked,
    "asked past contains": lambda x: Listing(a=x).get("a") * 3.0 + Listing(a=x).pop("a"),
    "made by new": lambda x: Made(a=x)["a"] * 3.0 + Queue([x, x * x])[1],
    "multiplied in place": multiplied,
    "removed": removed,
    "counted": counted,
    "by name": by_name,
    "other replacement": lambda x: Replacing(x, x * x)._replace(a=1.0).b,
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_value_and_gradient_are_those_of_the_plain_call(name: str) -> None:
    f = FOLLOWED[name]
    value, back = zygpy.pullback(f, X)
    assert value == f(X)
    expected = slope(lambda t: f(X + t), 0.02).value
    assert back(1.0)[0] == pytest.approx(expected, rel=1e-7)
    assert back(1.0)[0] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("name", ["taken by lists"])
def test_second_derivative(name: str) -> None:
    f = FOLLOWED[name]
    expected = slope(lambda t: zygpy.gradient(f, X + t)[0], 0.02).value
    assert zygpy.hvp(f, X, 1.0) == pytest.approx(expected, rel=1e-6, abs=1e-8)


class Keyed(dict):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        return iter(["a"])

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key) * 10.0


class Ordered(collections.OrderedDict):  # type: ignore[type-arg]
    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key) * 10.0


class Started(collections.deque):  # type: ignore[type-arg]
    def __init__(self, items: Any = ()) -> None:
        super().__init__([item * 2.0 for item in items])


def matched(x: Any) -> Any:
    match Loud(a=x):
        case {"a": a}:
            return a
    return x


def matched_in_a_proxy(x: Any) -> Any:
    match types.MappingProxyType({"a": x * x}):
        case {"a": a}:
            return a * x
    return x


def matched_in_a_proxy_that_computes(x: Any) -> Any:
    match types.MappingProxyType(Loud(a=x)):
        case {"a": a}:
            return a
    return x


REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "unpacked": (lambda x: keywords(**Keyed(a=x)), "'__getitem__' of its own"),
    "setdefault": (lambda x: Ordered(a=x).setdefault("a", 1.0), "calls its '__getitem__'"),
    "copied": (lambda x: Started([x]).copy()[0], "calls its '__init__'"),
    "joined": (lambda x: (Started([x]) * 2)[1], "calls its '__init__'"),
    "matched": (matched, "class gives items itself"),
    "matched in a proxy": (matched_in_a_proxy_that_computes, "class gives items itself"),
    "of another class": (lambda x: dict.copy(collections.defaultdict(float, a=x))["a"], "'dict.copy'"),
    "reduced": (lambda x: [x].__reduce_ex__(2)[3].__next__(), "'__reduce_ex__' of a list"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_refused(name: str) -> None:
    f, said = REFUSED[name]
    with pytest.raises(zygpy.ZygpyError, match=said):
        zygpy.gradient(f, X)


def test_a_proxy_of_a_plain_dict_is_matched() -> None:
    assert zygpy.gradient(matched_in_a_proxy, X)[0] == pytest.approx(3.0 * X * X, rel=1e-12)


def test_a_heap_that_fails_is_left_as_heapq_leaves_it() -> None:
    left: list[Any] = []

    def f(x: Any) -> Any:
        heap = Doubling([x, 2.0 * x])
        left.append(heap)
        heapq.heappush(heap, "text")
        return heap[0]

    with pytest.raises(TypeError):
        zygpy.gradient(f, X)
    with pytest.raises(TypeError):
        f(X)
    assert list(left[0]) == list(left[1])
