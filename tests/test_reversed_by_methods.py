"""`reversed` of objects whose class says what that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import zygpy
from zygpy.testing.numeric import slope

X = 0.7


class Scaled:
    """A sequence that is another one backwards."""

    def __init__(self, xs: Any) -> None:
        self.xs = xs

    def __len__(self) -> int:
        return len(self.xs)

    def __getitem__(self, i: int) -> Any:
        return self.xs[i]

    def __reversed__(self) -> Iterator[Any]:
        return iter([x * 10.0 for x in self.xs])


class Noting(Scaled):
    def __reversed__(self) -> Iterator[Any]:
        self.first = self.xs[0] * 2.0
        return super().__reversed__()


class Alone:
    def __init__(self, xs: Any) -> None:
        self.xs = xs

    def __reversed__(self) -> Iterator[Any]:
        for x in self.xs:
            yield x * 3.0


class OfList(list):  # type: ignore[type-arg]
    def __reversed__(self) -> Iterator[Any]:
        return iter([x * x for x in self])


class OfDict(dict):  # type: ignore[type-arg]
    def __reversed__(self) -> Iterator[Any]:
        return iter(sorted(self))


def looped(o: Any, x: Any) -> Any:
    total = 0.0
    for v in reversed(o):
        total = total * x + v
    return total


def listed(o: Any, x: Any) -> Any:
    return list(reversed(o))[0] * x  # noqa: RUF015


def unpacked(o: Any, x: Any) -> Any:
    return [*reversed(o)][1] * x


def zipped(o: Any, x: Any) -> Any:
    return sum(i * v for i, v in zip((1.0, 2.0), reversed(o), strict=True))


def numbered(o: Any, x: Any) -> Any:
    total = 0.0
    for i, v in enumerate(reversed(o), 1):
        total += i * v * x
    return total


def stepped(o: Any, x: Any) -> Any:
    walk = reversed(o)
    return next(walk) * next(walk)


CLASSES = [Scaled, Noting, Alone, OfList, list, tuple]


@pytest.mark.parametrize(
    "use", [looped, listed, unpacked, zipped, numbered, stepped], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_gradient(cls: Any, use: Callable[[Any, Any], Any]) -> None:
    def f(x: Any) -> Any:
        return use(cls([x, x * x]), x)

    check(f)


def test_a_dict_is_walked_as_its_class_says() -> None:
    def f(x: Any) -> Any:
        table, total = OfDict(b=x, a=x * x), 0.0
        for key in reversed(table):
            total = total * x + table[key]
        return total

    check(f)


def test_what_the_method_stores_is_there() -> None:
    def f(x: Any) -> Any:
        o = Noting([x, x * x])
        return sum(reversed(o)) * o.first

    check(f)


def check(f: Callable[[Any], Any]) -> None:
    value, back = zygpy.pullback(f, X)
    assert value == f(X)
    expected = slope(lambda t: f(X + t), 0.02).value
    for _ in range(2):
        assert back(1.0)[0] == pytest.approx(expected, rel=1e-8)
