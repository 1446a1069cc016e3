"""Keys of dicts that have tangents, and dicts that are given pairs, in forward mode."""

# ruff: noqa: B905, C406, RUF015

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.testing import check_gradient


def listed(x: Any, y: Any) -> Any:
    table = {x: y}
    return list(table)[0] * y


def walked_over(x: Any, y: Any) -> Any:
    table = {x * y: 1.0}
    total = 0.0
    for key in table:
        total += key * y
    return total


def largest(x: Any, y: Any) -> Any:
    table = {}
    table[x * y] = 1.0
    return max(table) * y


def with_items(x: Any, y: Any) -> Any:
    table = {x: y}
    total = 0.0
    for k, v in table.items():
        total += k * v
    return total


def popped(x: Any, y: Any) -> Any:
    table = {x: y}
    return table.popitem()[0] * y


def tuples(x: Any, y: Any) -> Any:
    table = {(x, y): y}
    total = 0.0
    for a, b in table:
        total += a * b
    return total


def a_set(x: Any, y: Any) -> Any:
    table = {x, y}
    total = 0.0
    for a in table:
        total += a * a
    return total


def parts_of_an_index(x: Any, y: Any) -> Any:
    table = {}
    table[x, y] = 1.0
    total = 0.0
    for a, b in table:
        total += a * b
    return total


def parts_inside_an_index(x: Any, y: Any) -> Any:
    table = {}
    table["a", (x, 2.0)] = y
    return [key[1][0] * value for key, value in table.items()][0]


def of_a_dict_inside(x: Any, y: Any) -> Any:
    table = {"a": {x: y}}
    return sum(table["a"].keys())


def of_a_field(x: Any, y: Any) -> Any:
    class P:
        pass

    p: Any = P()
    p.t = {}
    p.t[x] = y
    return sum(p.t) * y


def first(x: Any, y: Any) -> Any:
    table = {x: y}
    return next(iter(table)) * y


def unpacked(x: Any, y: Any) -> Any:
    (a,) = {x: y}
    return a * y


def of_pairs(x: Any, y: Any) -> Any:
    table = dict([(x, y)])
    return [a * y for a in table][0]


def set_as_default(x: Any, y: Any) -> Any:
    table = {}
    table.setdefault(x, y)
    return [a * y for a in table][0]


def keys_again(x: Any, y: Any) -> Any:
    table = {x: y}
    other = dict.fromkeys(table, 2.0 * x)
    return [a * y for a in other][0]


def from_keys(x: Any, y: Any) -> Any:
    table = dict.fromkeys([x], y)
    return list(table)[0]


def displayed_again(x: Any, y: Any) -> Any:
    table = {x: y}
    table = {**table, 2.0: y}
    return list(table)[0] * y


def looked_up(x: Any, y: Any) -> Any:
    table = {x: y, 2.0: x}
    return table[x] * y


class P:
    def __init__(self, x: Any) -> None:
        self.x = x


def objects(x: Any, y: Any) -> Any:
    table = {P(x): y}
    total = 0.0
    for o in table:
        total += o.x * table[o]
    return total


def objects_with_items(x: Any, y: Any) -> Any:
    table = {P(x): y}
    return sum(o.x * v for o, v in table.items())


def functions(x: Any, y: Any) -> Any:
    table = {(lambda z: z * x): y}
    return sum(o(v) for o, v in table.items())


def a_frozen_set(x: Any, y: Any) -> Any:
    s = frozenset([x * y])
    return sum(s)


def comprehended(x: Any, y: Any) -> Any:
    table = {a * x: y for a in (1.0, 2.0)}
    return sum(k * v for k, v in table.items())


def counted(x: Any, y: Any) -> Any:
    c = Counter([x, x, y])
    return sum(k * v for k, v in c.items())


def of_a_default_dict(x: Any, y: Any) -> Any:
    d = defaultdict(list)
    d[x * y].append(y)
    return sum(k * sum(v) for k, v in d.items())


def in_order(x: Any, y: Any) -> Any:
    d = OrderedDict()
    d[x] = y
    return next(iter(d)) * y


def updated_by_pairs(x: Any, y: Any) -> Any:
    d = {"a": y, "b": x}
    d.update([("a", x * y)])
    return d["a"] * d["b"]


def updated_by_tuples(x: Any, y: Any) -> Any:
    d = {"a": y, "b": x}
    d.update((("a", x * y), ("c", y)))
    return d["a"] * d["b"] * d["c"]


def updated_by_zip(x: Any, y: Any) -> Any:
    d = {"a": y, "b": x}
    d.update(zip(["a"], [x * x]))
    return d["a"] * d["b"]


def updated_by_keywords(x: Any, y: Any) -> Any:
    d = {"a": y, "b": x}
    d.update(a=x * y, c=3.0)
    return d["a"] * d["b"] * d["c"]


def updated_by_items(x: Any, y: Any) -> Any:
    d = {"a": y, "b": x}
    d.update({"a": y * y}.items())
    d |= {"c": y}
    return d["a"] * d["b"] * d["c"]


def updated_by_lists(x: Any, y: Any) -> Any:
    d = {"a": y, "b": x}
    d.update([["a", x * y]])
    return d["a"] * d["b"]


def updated_by_numbers(x: Any, y: Any) -> Any:
    d = {0: y, 1: x}
    d.update(enumerate([x * y]))
    return d[0] * d[1]


def updated_by_comprehension(x: Any, y: Any) -> Any:
    d = {0: y, 1: x}
    d.update([(k, v * x) for k, v in d.items()])
    return d[0] * d[1]


REFUSED: list[Callable[[Any, Any], Any]] = [
    parts_of_an_index,
    parts_inside_an_index,
    listed,
    walked_over,
    largest,
    with_items,
    popped,
    tuples,
    of_a_dict_inside,
    of_a_field,
    first,
    unpacked,
    of_pairs,
    set_as_default,
    keys_again,
    from_keys,
    displayed_again,
    functions,
    comprehended,
    counted,
    of_a_default_dict,
    in_order,
]
GIVEN: list[Callable[[Any, Any], Any]] = [
    a_set,
    looked_up,
    objects,
    objects_with_items,
    a_frozen_set,
    updated_by_pairs,
    updated_by_tuples,
    updated_by_zip,
    updated_by_keywords,
    updated_by_items,
    updated_by_lists,
    updated_by_numbers,
    updated_by_comprehension,
]

X, Y = 1.5, 0.5


@pytest.mark.parametrize("program", REFUSED)
def test_what_reverse_mode_refuses(program: Callable[[Any, Any], Any]) -> None:
    for derivative in (lambda: zg.pushforward(program, X, Y)(1.0, 0.0), lambda: zg.gradient(program, X, Y)):
        with pytest.raises(zg.UnsupportedSyntaxError, match=r"a key of a dict is (used as|called)"):
            derivative()


@pytest.mark.parametrize("program", GIVEN)
def test_derivatives(program: Callable[[Any, Any], Any]) -> None:
    check_gradient(program, X, Y)
    slopes = [0.0 if slope is None else slope for slope in zg.gradient(program, X, Y)]
    pushed = zg.pushforward(program, X, Y)
    assert [pushed(1.0, 0.0), pushed(0.0, 1.0)] == pytest.approx(slopes, rel=1e-12)
