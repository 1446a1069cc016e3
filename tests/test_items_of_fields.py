"""Reading items of what objects hold - `o.weights[i]`, `bodies[i].position.x`, `self.rows[i][j]` - in every
surrounding in which what comes in for them could land elsewhere, and in time that does not grow with what is
around them."""

from __future__ import annotations

import copy
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from tests.seeds import as_a_seed, flat
from zygpy import units

X = np.array([0.7, 1.3, 0.4, -0.6])


@dataclass
class Point:
    x: Any
    y: Any


class Slots:
    __slots__ = ("x", "y")

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y


class Holder:
    def __init__(self, rows: Any, first: Any, same: Any) -> None:
        self.rows = rows
        self.first = first
        self.same = same

    @property
    def last(self) -> Any:
        return self.rows[-1]

    def at(self, i: int, j: int) -> Any:
        return self.rows[i][j]


def holder(x: Any) -> Any:
    """The rows by one name, the first row by two others as well."""
    first = [float(x[0]), float(x[1])]
    return Holder([first, [float(x[2]), float(x[3])]], first, first)


def bodies(x: Any) -> Any:
    return [Point(Slots(float(x[0]), float(x[1])), float(x[2])), Point(Slots(float(x[3]), 0.5), float(x[2]))]


def one_body_twice(x: Any) -> Any:
    body = Point(Slots(float(x[0]), float(x[1])), float(x[2]))
    return [body, body, Point(body.x, float(x[3]))]


def by_name(x: Any) -> Any:
    return {"a": Point([float(x[0]), float(x[1])], 2.0), "b": Point([float(x[2])], float(x[3]))}


def numbers(thing: Any) -> list[float]:
    """The numbers of what `holder` and the others make, each once."""
    if isinstance(thing, Holder):
        return [*thing.rows[0], *thing.rows[1]]
    if isinstance(thing, dict):
        return [*thing["a"].x, *thing["b"].x, thing["b"].y]
    first = thing[0]
    return [first.x.x, first.x.y, first.y, thing[1].x.x if thing[1] is not first else thing[2].y]


def each_row(o: Any) -> Any:
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += o.rows[i][j] ** 2 * o.rows[j][i]
    return s


def of_several_names(o: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += o.first[i] ** 2 * o.rows[0][1 - i] + o.same[i] * o.rows[1][i]
    return s


def row_beside_whole(o: Any) -> Any:
    s = sum(o.first)
    for i in range(2):
        s += o.rows[i][0] * sum(o.rows[i]) + o.first[i] ** 2
    for row in o.rows:
        s += row[0] * row[1]
    return s + len(o.rows)


def kept_under_a_name(o: Any) -> Any:
    rows, first = o.rows, o.first
    s = 0.0
    for i in range(2):
        s += rows[i][1] ** 2 * first[i] + o.rows[i][0] * o.first[0]
    return s


def by_methods(o: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += o.at(i, 1 - i) ** 2 * o.last[i] + o.at(0, i) * o.first[i]
    return s


def row_put_elsewhere(o: Any) -> Any:
    rows = [o.rows[1], o.first]
    s = 0.0
    for i in range(2):
        s += rows[i][0] ** 2 * o.rows[i][1]
        rows = [rows[1], o.same]
    return s


def in_branches(o: Any) -> Any:
    s = 0.0
    for i in range(2):
        row = o.first if i == 0 else o.rows[1]
        if row[1] > 0.0:
            s += row[0] ** 2 * o.same[i]
        else:
            s -= row[1] * o.rows[0][0]
    return s


def one_object_or_another(o: Any) -> Any:
    other = Holder(o.rows, o.rows[1], o.first)
    s = 0.0
    for i in range(2):
        p = o if i else other
        s += p.first[0] ** 2 * p.same[1] + other.rows[i][1]
    return s


def field_rebound(o: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += o.first[i] ** 2 * o.rows[1][i]
        o.first = o.rows[1]
    o.first = o.same
    return s * o.first[0]


def rebound_by_a_method(o: Any) -> Any:
    turn = lambda: setattr(o, "first", o.rows[1])  # noqa: E731
    s = 0.0
    for i in range(2):
        s += o.first[i] ** 2 * o.rows[1][i]
        turn()
    o.first = o.same
    return s


def items_stored(o: Any) -> Any:
    s = 0.0
    before = list(o.first)
    for i in range(2):
        o.first[i] = o.rows[1][i] * o.same[i]
        s += o.rows[0][i] ** 2
    o.first[:] = before
    return s


def items_added(o: Any) -> Any:
    s = 0.0
    for i in range(2):
        o.first.append(o.rows[1][i] * 2.0)
        s += o.rows[0][-1] ** 2 * o.same[2]
    del o.first[2:]
    return s


def no_rounds(o: Any) -> Any:
    s = o.rows[1][1] ** 2
    for i in range(0):
        s += o.first[i] * o.missing[i]
    return s * o.first[0]


def of_bodies(t: Any) -> Any:
    s = 0.0
    for i in range(len(t)):
        s += t[i].x.x ** 2 * t[-1 - i].x.y + t[i].y * t[0].y
    return s


def of_bodies_walked_over(t: Any) -> Any:
    s = 0.0
    for i, body in enumerate(t):
        place = body.x
        s += place.x**2 * place.y * (i + 1.0) + body.y * t[0].x.x
    return s + sum(body.y**3 for body in t)


def of_pairs_of_bodies(t: Any) -> Any:
    s = 0.0
    for p, q in itertools.combinations(t, 2):
        s += (p.x.x - q.x.y) ** 2 * p.y * q.y
    return s


def of_body_chosen(t: Any) -> Any:
    best = max(t, key=lambda body: body.x.x)
    s = 0.0
    for i in range(len(t)):
        s += best.x.x * t[i].y + t[i].x.y * best.y
    return s


def of_new_bodies(t: Any) -> Any:
    made = [Point(Slots(body.x.x * body.y, body.x.y), body.y) for body in t]
    s = 0.0
    for i in range(len(made)):
        s += made[i].x.x ** 2 * t[i].x.y + made[-1].y * made[i].x.y
    return s


def under_keys(d: Any) -> Any:
    s = 0.0
    for key, n in (("a", 2), ("b", 1)):
        for i in range(n):
            s += d[key].x[i] ** 2 * d["b"].y + d["a"].x[0]
    return s


def of_values(d: Any) -> Any:
    s = 0.0
    for point in d.values():
        s += point.x[0] ** 2 * point.y * d["a"].x[1]
    for key, point in d.items():
        s += point.y * d[key].x[-1]
    return s


CASES: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    *((f, holder) for f in (each_row, of_several_names, row_beside_whole, kept_under_a_name, by_methods)),
    *((f, holder) for f in (row_put_elsewhere, in_branches, one_object_or_another, field_rebound)),
    *((f, holder) for f in (rebound_by_a_method, items_stored, items_added, no_rounds)),
    *((f, bodies) for f in (of_bodies, of_bodies_walked_over, of_pairs_of_bodies, of_body_chosen)),
    *((f, one_body_twice) for f in (of_bodies, of_bodies_walked_over, of_pairs_of_bodies)),
    *((of_new_bodies, bodies), (under_keys, by_name), (of_values, by_name)),
]
IDS = [f"{program.__name__}-{make.__name__}" for program, make in CASES]
EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 7  # each takes long to derive
BOTH = [(*case, True) for case in CASES] + [(*case, False) for case in CASES[::EVERY]]


def total(program: Callable[[Any], Any], make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The program by the numbers, so that what is reached twice counts twice."""
    return lambda x: program(make(x))


@pytest.mark.parametrize(
    ("program", "make", "specialise"), BOTH, ids=[*IDS, *(f"{name}-by_identity" for name in IDS[::EVERY])]
)
def test_gradients(program: Callable[[Any], Any], make: Callable[[Any], Any], specialise: bool) -> None:
    expected = differences(total(program, make), X)
    with units.options(specialise=specialise):
        value, back = zg.pullback(total(program, make), X)
        assert value == program(make(X))
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-8, atol=1e-9)
        given = make(X)
        value, back = zg.pullback(program, given)
        assert value == program(make(X))
        first, second = back(1.0), back(1.0)
        assert first == second
        assert numbers(given) == numbers(make(X))


@pytest.mark.parametrize(
    ("program", "make"), CASES[::EVERY], ids=[f"{f.__name__}-{make.__name__}" for f, make in CASES[::EVERY]]
)
def test_second_derivatives(program: Callable[[Any], Any], make: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9, 0.5])
    f = total(program, make)
    expected = differences(lambda x: zg.gradient(f, x)[0] @ v, X)
    np.testing.assert_allclose(zg.hvp(f, X, v), expected, rtol=1e-6, atol=1e-7)


def plain(x: Any) -> Any:
    """An object in which nothing is reached twice."""
    return Holder([[float(x[0]), float(x[1])], [float(x[2])]], [float(x[3]), 1.5], {"k": [2.0]})


def row_and_item(o: Any) -> Any:
    return o.rows[0], o.rows[0][0] * o.first[0]


def object_and_item(o: Any) -> Any:
    return [o, o.rows[0][0] * o.first[0] * o.same["k"][0]]


def field_between(o: Any) -> Any:
    q = o.rows[0][1] * o.rows[1][0]
    r = o.rows
    return [q * o.rows[0][0], r, o.same]


def in_a_loop(o: Any) -> Any:
    out = []
    for i in range(2):
        out.append(o.rows[i])
        out.append([o.rows[i][0] * o.first[i]])
    return out


def new_object(o: Any) -> Any:
    return Point(o.rows[0], o.rows[0][1] * o.rows[1][0])


@pytest.mark.parametrize("program", [row_and_item, object_and_item, field_between, in_a_loop, new_object])
def test_cotangents_that_are_given_stay_as_they_are(program: Callable[[Any], Any]) -> None:
    """What the caller gives becomes part of cotangents, and is not added to."""
    given = plain(X)
    seed = as_a_seed(program(given), itertools.count())
    before = copy.deepcopy(seed)

    def whole(x: Any) -> float:
        result = program(plain(x))
        return float(np.dot(flat(result, result), flat(before, result)))

    _, back = zg.pullback(program, given)
    places = [0, 1, 2, 3]
    for _ in range(2):
        found = np.array(flat(back(seed)[0], given))[places]
        np.testing.assert_allclose(found, differences(whole, X), rtol=1e-8, atol=1e-9)
        assert seed == before


def test_no_list_is_made_for_an_item() -> None:
    """What is read is added where it belongs, so that no time is taken by what stands around it."""
    for program, make in ((each_row, holder), (of_several_names, holder), (of_bodies, bodies)):
        text = str(zg.show_adjoint(program, make(X)))
        adjoint = text[text.index("_adjoint(") :]
        inside = [line for line in adjoint.splitlines() if line.startswith(" " * 8)]
        assert not any("] * " in line or "with_key" in line for line in inside), text


def many(n: int) -> Any:
    return [Point(Slots(0.1 * i, 0.5), 1.0 + i) for i in range(n)]


@pytest.mark.parametrize("make", [list, lambda things: dict(enumerate(things))])
def test_long_lists_of_objects_are_known_as_short_ones_are(make: Callable[[Any], Any]) -> None:
    def f(things: Any) -> Any:
        s = 0.0
        for thing in things:
            s += thing.x.x * thing.y
        return s

    def of_values(things: Any) -> Any:
        s = 0.0
        for thing in things.values():
            s += thing.x.x * thing.y
        return s

    things = make(many(100))
    f = of_values if isinstance(things, dict) else f
    assert "pull_attribute" not in str(zg.show_adjoint(f, things)), zg.show_adjoint(f, things)
    (gradient,) = zg.gradient(f, things)
    assert gradient[99].x.x == 100.0
    assert gradient[99].y == 0.1 * 99


def test_long_lists_with_one_that_is_different() -> None:
    """One object among many whose field is something else is seen."""

    def f(things: Any) -> Any:
        s = 0.0
        for thing in things:
            s += thing.y * 2.0 if isinstance(thing.y, float) else thing.y[0] ** 2
        return s

    things = many(100)
    zg.gradient(f, things)
    things[70].y = [3.0]
    (gradient,) = zg.gradient(f, things)
    assert gradient[70].y == [6.0]
    assert gradient[69].y == 2.0
    things[71].more = 1.0
    del things[72].y
    with pytest.raises(AttributeError):
        zg.gradient(f, things)
