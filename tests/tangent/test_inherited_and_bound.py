"""Lists and dicts of other classes, computed names, bound arguments and filled arrays in forward mode."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from zygpy import pushing
from zygpy.runtime.mirrors import Mirrors
from zygpy.runtime.zeros import Begun, CannotPush


class Vector(list[Any]):
    weight = 2.0

    def norm(self) -> Any:
        return sum([v * v for v in self]) * self.weight

    def plus(self, other: Any) -> Vector:
        return Vector([a + b for a, b in zip(self, other, strict=True)])


class Doubling(Vector):
    def append(self, value: Any) -> None:
        super().append(value * 2)
        list.append(self, value)

    def pop(self, *at: int) -> Any:  # type: ignore[override]
        return super().pop(*at) * 3


class Table(dict[str, Any]):
    def __init__(self, **items: Any) -> None:
        super().__init__(**items)

    def put(self, key: str, value: Any) -> None:
        self[key] = self[key] + value if key in self else value


def of_lists(x: Any, y: Any) -> Any:
    v = w = Vector([x, y])
    w.append(x * y)
    v[0] *= y
    d = Doubling()
    d.append(x)
    d.append(y)
    s = v.plus(v)[1:]
    return v.norm() * d.pop() + w[0] * d[-1] + sum(d) + sum(s) * len(d)


def of_dicts(x: Any, y: Any) -> Any:
    t = Table(a=x)
    same = t
    same.put("b", y)
    t.put("a", x * y)
    t["b"] *= x
    t.update({"c": x * x})
    return sum(t.values()) * same["a"] + t.get("missing", y) * t.pop("b") + len(t)


class Tagged(Vector):
    def __init__(self, items: Any, tag: Any) -> None:
        super().__init__(items)
        self.tag = tag


def with_a_field(x: Any, y: Any) -> Any:
    v = Tagged([x, y], x * y)
    return v.tag * v[0] + v[1]


class Twice(Vector):
    def __iter__(self) -> Any:
        return iter([v * 2 for v in list.__iter__(self)])


def walked_over_by_a_method(x: Any, y: Any) -> Any:
    t = Twice([x, y])
    return sum(t) * t[0]


class Fields:
    names = ("a", "b")

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)
        for name in self.names:
            setattr(self, f"_{name}", getattr(self, name) * 2.0)

    def scaled(self, x: Any, *, by: Any, **more: Any) -> Any:
        return self.a * x * by + sum(more.values())  # type: ignore[attr-defined]


def by_computed_names(x: Any, y: Any) -> Any:
    f = Fields(a=x, b=y)
    vars(f)["_a"] = y * y
    held = f.__dict__
    f.c = x * y  # type: ignore[attr-defined]
    held.update(b=held["c"] * x)
    return f.scaled(y, by=x, k=y * y) + f._a * f._b * f.b  # type: ignore[attr-defined]


class Slotted(Fields):
    __slots__ = ("z",)


def in_slots_beside(x: Any, y: Any) -> Any:
    f = Slotted(a=x, b=y)
    f.z = x * y
    return sum(vars(f).values()) * f.z


def base(a: Any, b: Any, c: Any = 2.0) -> Any:
    return a * b + c * c * a


def bound(x: Any, y: Any) -> Any:
    calls = [partial(base, v, c=v * v) for v in (x, y, x * y)]
    x = x * 2.0
    return calls[0](y) * calls[1](x) + calls[2](b=x)


HELD = SimpleNamespace(line=np.zeros(3), square=np.zeros((2, 2)), last=0.0)


def arrays_of_others(x: Any, y: Any) -> Any:
    part = HELD.line[1:]
    HELD.line.fill(x)
    part.fill(y)
    HELD.line[0:2] = [x * y, 1.0]
    np.multiply(HELD.line, HELD.line, out=HELD.line)
    HELD.line[::-1].sort()
    np.exp(HELD.square, out=HELD.square)
    HELD.square[0] = [x, y]
    HELD.last = HELD.line[0] * part[1] * x
    total = HELD.last + HELD.square.sum()
    HELD.square.fill(0.0)
    return total


class Counts:
    def __init__(self) -> None:
        self.lists: Any = defaultdict(list)
        self.sums: Any = defaultdict(lambda: defaultdict(lambda: 1.0))
        self.last: Any = OrderedDict()

    def add(self, key: str, value: Any) -> None:
        self.lists[key].append(value)
        self.sums[key]["s"] *= value
        self.last[key] = value


def made_for_keys(x: Any, y: Any) -> Any:
    counts = Counts()
    for key, value in (("a", x), ("b", y), ("a", x * y)):
        counts.add(key, value)
    told = sum([v for row in counts.lists.values() for v in row])
    return told * counts.sums["a"]["s"] + counts.last["a"] * counts.sums["b"]["q"]


class Kept:
    log: ClassVar[list[Any]] = []
    table: ClassVar[Any] = defaultdict(list)

    def add(self, key: str, value: Any) -> None:
        self.log.append(value)
        self.table[key].append(value * value)


class Inheriting(Kept):
    pass


def kept_by_a_class(x: Any, y: Any) -> Any:
    Kept.log.clear()
    Kept.table.clear()
    Inheriting().add("a", x * y)
    Kept().add("a", y)
    return sum(Inheriting().log) * Inheriting.table["a"][1] + Kept.table["a"][0]


def of_unpacked_fields(x: Any, y: Any) -> Any:
    fields = {"a": [x], "b": y}
    n = SimpleNamespace(**fields, k=3)
    fields["b"] = 0.0
    n.a.append(n.b * x)
    return sum(fields["a"]) * n.b * n.k


def with_defaults_that_vary(x: Any, y: Any) -> Any:
    def add(value: Any, into: Any = [], *, by: Any = x * y) -> Any:  # noqa: B006
        into.append(value)
        return sum(into) * by

    x = x * 2.0
    held = [add, lambda v, by=y: v * by]
    y = y * x
    held[0](x)
    return add(y) * held[0](2.0, by=x) + add(1.0, [y]) * held[1](x)


def made_of_what_varies(x: Any, y: Any) -> Any:
    d: Any = defaultdict(lambda: x)
    d["a"] *= y
    return d["a"] * d["b"]


PROGRAMS = (
    of_lists,
    of_dicts,
    by_computed_names,
    bound,
    arrays_of_others,
    made_for_keys,
    kept_by_a_class,
    of_unpacked_fields,
    with_defaults_that_vary,
    with_a_field,
    walked_over_by_a_method,
    in_slots_beside,
    made_of_what_varies,
)
LEFT = PROGRAMS[9:]
"""Those that are left to reverse mode."""

AT, ALONG = np.array([0.7, 1.3]), np.array([0.3, -0.8])


def slope(function: Any, step: float = 1e-4) -> Any:
    """Along the direction, by differences that are extrapolated."""
    wide, narrow = [
        (function(*(AT + h * ALONG).tolist()) - function(*(AT - h * ALONG).tolist())) / (2 * h)
        for h in (2 * step, step)
    ]
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_slopes_are_those_by_differences(program: Any) -> None:
    push: Any = pushing.push_of(
        program, AT.tolist(), at_once=True, changing=True, elsewhere=True, everywhere=True
    )
    try:
        with Begun(Mirrors()):
            _, along = push.along(dict(enumerate(ALONG.tolist())))
    except CannotPush:
        assert program in LEFT
        return
    assert program not in LEFT
    assert along == pytest.approx(slope(program), rel=1e-7)
