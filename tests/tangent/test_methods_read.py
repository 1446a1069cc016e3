"""Methods that are read before they are called, iterators of `tee`, and dicts of other classes that are
filled with pairs: products with Hessians are those of the tangent function, pulled back."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.pushing import Push, push_of


class Gas:
    """Something with methods that are found by computed names."""

    def __init__(self, k: Any) -> None:
        self.k = k

    def pressure(self, v: Any) -> Any:
        return self.k * v * v

    def grow(self, v: Any, by: Any = 1.0) -> Any:
        self.k = self.k + v * by
        return self.k


class Handing:
    """Hands on what it has not."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["inner"], name)


def named(which: int) -> str:
    return ["pressure", "grow"][which]


def read_and_called_later(x: Any) -> Any:
    gas = Gas(x)
    pressure, grow = getattr(gas, named(0)), getattr(gas, named(1))
    early = pressure(x)
    return early * grow(x, by=x) * grow(2.0) * pressure(x) + gas.k


def kept_in_containers(x: Any) -> Any:
    one, other = Gas(x), Gas(x * x)
    table = {(k, j): getattr(gas, named(j)) for k, gas in enumerate((one, other)) for j in range(2)}
    other.own = table[0, 1]  # type: ignore[attr-defined]
    return table[1, 1](x) * other.own(x) * table[0, 0](2.0) * one.k  # type: ignore[attr-defined]


def bound_before_its_object_is_another(x: Any) -> Any:
    total, gas = 0.0, Gas(x)
    pressure = gas.pressure
    for k in range(2):
        total = total + pressure(x) * gas.k
        gas = Gas(x * (k + 2))
        if x > 0:
            pressure, gas = gas.pressure, Gas(x**3)
    return total + pressure(x)


def handed_on(x: Any) -> Any:
    gas = Handing(Gas(x))
    return gas.pressure(x) * gas.grow(x) + gas.inner.k


class Visitor:
    """Calls what the class of a node says, by its name."""

    def visit(self, node: Any) -> Any:
        return getattr(self, "visit_" + type(node).__name__)(node)

    def visit_Gas(self, node: Any) -> Any:
        return node.k**2

    def visit_Handing(self, node: Any) -> Any:
        return self.visit(node.inner) * node.k


def visited(x: Any) -> Any:
    visitor = Visitor()
    return visitor.visit(Gas(x)) * visitor.visit(Handing(Gas(x * x)))


def teed(x: Any) -> Any:
    xs = [x, 2.0 * x]
    a, b, c = itertools.tee(xs, 3)
    first = next(a)
    xs.append(x**3)
    xs[1] = 5.0 * x * x
    return first * sum(a) * sum(b) + sum(c)


class Steps:
    def __init__(self, x: Any) -> None:
        self.x, self.k = x, 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        self.k += 1
        if self.k > 3:
            raise StopIteration
        return self.x * self.k


def teed_steps(x: Any) -> Any:
    a, b = itertools.tee(Steps(x))
    lists, again = itertools.tee([[x], [x * x]])
    for one in lists:
        one.append(x**3)
    return sum([v * v for v in a]) * sum(b) + sum([sum(one) * one[0] for one in again])


class Table(dict[Any, Any]):
    def total(self) -> Any:
        return sum(self.values())


def filled_with_pairs(x: Any) -> Any:
    table = Table([("a", x), ("b", x * x), ("a", x**3)], c=x)
    return table["a"] * table.total() * len(table) * table["c"]


def filled_with_shared_lists(x: Any) -> Any:
    shared = [x]
    lists = Table([["a", shared], ["b", shared]])
    lists["a"].append(x * x)
    return sum(lists["b"])


def filled_by_generators(x: Any) -> Any:
    return Table(zip("ab", [x, x * x], strict=True))["b"] * Table((n, x**n) for n in range(3)).total()


PROGRAMS: list[Callable[[Any], Any]] = [
    read_and_called_later,
    kept_in_containers,
    bound_before_its_object_is_another,
    handed_on,
    visited,
    teed,
    filled_with_pairs,
]
OTHERS = [teed_steps, filled_by_generators, filled_with_shared_lists]
AT = 0.7


def by_differences(f: Callable[[Any], Any], x: float = AT) -> float:
    return float(differences(lambda v: f(float(v[0])), np.array([x]))[0])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_products_are_those_of_the_tangent_function(program: Callable[[Any], Any]) -> None:
    product = zg.hvp(program, AT, 1.0)
    push = push_of(program, (AT,), at_once=True, changing=True, elsewhere=True)
    assert isinstance(push, Push)
    assert len(push.tangent.unpulled) < 2
    wanted = by_differences(lambda z: by_differences(program, z))
    assert product == pytest.approx(wanted, rel=1e-6)
    assert zg.hvp(program, AT, 2.0) == pytest.approx(2 * wanted, rel=1e-6)


@pytest.mark.parametrize("program", [*PROGRAMS, *OTHERS], ids=lambda program: program.__name__)
def test_gradients_are_those_by_differences(program: Callable[[Any], Any]) -> None:
    y, back = zg.pullback(program, AT)
    wanted = by_differences(program)
    assert y == program(AT)
    assert back(1.0)[0] == pytest.approx(wanted, rel=1e-8)
    assert back(2.0)[0] == pytest.approx(2 * wanted, rel=1e-8)
    assert zg.pushforward(program, AT)(1.0) == pytest.approx(wanted, rel=1e-8)
    assert zg.gradient(program, np.float32(AT))[0] == pytest.approx(wanted, rel=1e-4)


def teed_twice(x: Any) -> Any:
    a, b = itertools.tee([x, 2.0 * x, 3.0 * x])
    c, d = itertools.tee(a)
    next(a)
    return sum(d) * sum(b) * len(list(c))


def copied_branch(x: Any) -> Any:
    a, _ = itertools.tee([x, x * x])
    return sum(copy.copy(a)) * sum(a)


def copied_inside(x: Any) -> Any:
    def steps() -> Iterator[Any]:
        yield x
        yield x * x

    held = [steps()]
    return sum(copy.deepcopy(held)[0])


@pytest.mark.parametrize("program", [teed_twice, copied_branch, copied_inside])
def test_iterators_that_others_go_on_with_are_refused(program: Callable[[Any], Any]) -> None:
    with pytest.raises(zg.ZygpyError, match="tee"):
        zg.gradient(program, AT)


def fewer_than_none(x: Any) -> Any:
    a, b = itertools.tee([x], -1)
    return sum(a) * sum(b)


def test_fewer_than_no_iterators_are_an_error() -> None:
    with pytest.raises(ValueError, match="n must be >= 0"):
        zg.pullback(fewer_than_none, AT)
    with pytest.raises(ValueError, match="n must be >= 0"):
        zg.hvp(fewer_than_none, AT, 1.0)
