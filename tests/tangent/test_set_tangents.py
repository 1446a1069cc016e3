"""Sets, ordered dicts and deleted attributes in forward mode; a set's tangent has that of every element."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import pushing


def combined(x: Any, y: Any) -> Any:
    a, b = {x * 1.0, y}, {x * x / x, 3.0}  # equal elements, of which the smaller set's are kept
    total = sum(a & b) * y + sum(a | b) * max(a - b) + sum(a ^ b)
    for left in sorted(a):
        for k, right in {(1, y), (2, x), (1, y)}:
            total += left * k * right**2
    return total


class Visits:
    def __init__(self) -> None:
        self.seen: set[Any] = set()
        self.total = 0.0

    def visit(self, value: Any) -> None:
        if value not in self.seen:
            self.seen.add(value)
            self.total = self.total + value**3


def marks(x: Any, y: Any) -> Any:
    visits = Visits()
    for value in (x, y, x, x * y):
        visits.visit(value)
    return visits.total * len(visits.seen) + sum(visits.seen)


class Recent:
    rate = 3.0

    def __init__(self) -> None:
        self.items: OrderedDict[int, Any] = OrderedDict()

    def get(self, k: int, x: Any) -> Any:
        if k in self.items:
            self.items.move_to_end(k)
            return self.items[k]
        self.items[k] = x**k
        if len(self.items) > 2:
            self.items.popitem(last=False)
        return self.items[k]


def recently_used(x: Any, y: Any) -> Any:
    recent = Recent()
    total = sum([recent.get(k, y if k == 3 else x) * k for k in (1, 2, 1, 3, 2, 1)])
    count = Counter("abracadabra")
    return total + count["a"] * x * y + count["missing"] * x


def deleted(x: Any, y: Any) -> Any:
    recent = Recent()
    alias = recent
    recent.rate = x * y
    total = alias.rate * x
    del alias.rate
    total = total * recent.rate
    if not hasattr(recent, "cache"):
        recent.cache = y * y  # type: ignore[attr-defined]
    total += recent.cache * x  # type: ignore[attr-defined]
    del recent.cache  # type: ignore[attr-defined]
    return total * (1 if hasattr(recent, "cache") else x)


class Deleting:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __delattr__(self, name: str) -> None:
        self.value = self.value * 2.0


def deleted_by_a_method(x: Any, y: Any) -> Any:
    thing = Deleting(x * y)
    del thing.value
    return thing.value * y


PROGRAMS = (
    combined,
    marks,
    recently_used,
    deleted,
    deleted_by_a_method,
)
LEFT = (deleted_by_a_method,)
"""Those that are left to reverse mode."""

AT, ALONG = np.array([0.7, 1.3]), np.array([0.3, -0.8])


def slope(function: Any, step: float = 1e-4) -> Any:
    """Along the direction, by differences that are extrapolated."""
    wide, narrow = [
        (function(*(AT + h * ALONG).tolist()) - function(*(AT - h * ALONG).tolist())) / (2 * h)
        for h in (2 * step, step)
    ]
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("function", PROGRAMS)
def test_tangents_agree(function: Any) -> None:
    found = pushing.push_of(function, tuple(AT.tolist()), at_once=True, changing=True, elsewhere=True)
    if function not in LEFT:
        assert isinstance(found, pushing.Push), found.why
        assert found.run(ALONG.tolist())[1] == pytest.approx(slope(function), rel=1e-8)
    assert zg.pushforward(function, *AT)(*ALONG) == pytest.approx(slope(function), rel=1e-8)


def test_a_product_with_a_hessian() -> None:
    def added(x: Any, y: Any) -> Any:
        s = {x}
        s.add(y)
        return sum(s) * x

    assert zg.hvp(lambda at: added(*at), AT, ALONG) == pytest.approx([2 * 0.3 - 0.8, 0.3])
