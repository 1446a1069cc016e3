"""Reading items of items - `xs[i][j]`, `d["w"][i]`, `points[i].x` - in every surrounding in which what comes
in for them could land elsewhere, and in time that does not grow with what is around them."""

from __future__ import annotations

import copy
import itertools
import os
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from tests.seeds import as_a_seed, flat
from zygpy import units

Pair = namedtuple("Pair", "a b")
X = np.array([0.7, 1.3, 0.4, -0.6])


def table(x: Any) -> Any:
    return [[float(x[0]), float(x[1])], [float(x[2]), float(x[3])]]


def keyed(x: Any) -> Any:
    return {"a": [float(x[0]), float(x[1])], "b": [float(x[2]), float(x[3])]}


def by_number(x: Any) -> Any:
    return {3: [float(x[0]), float(x[1])], 7: [float(x[2]), float(x[3])]}


def pairs(x: Any) -> Any:
    return [(float(x[0]), float(x[1])), (float(x[2]), float(x[3]))]


def named(x: Any) -> Any:
    return [Pair(float(x[0]), float(x[1])), Pair(float(x[2]), float(x[3]))]


def dicts(x: Any) -> Any:
    return [{"a": float(x[0]), "b": float(x[1])}, {"a": float(x[2]), "b": float(x[3])}]


def deep(x: Any) -> Any:
    return [[[float(x[0])], [float(x[1])]], [[float(x[2])], [float(x[3])]]]


def lists_in_pairs(x: Any) -> Any:
    return Pair([float(x[0]), float(x[1])], [float(x[2]), float(x[3])])


def mixed(x: Any) -> Any:
    return {"rows": [[float(x[0])], [float(x[1])]], "more": {"w": [float(x[2])], "z": float(x[3])}}


def each(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += t[i][j] ** (i + 2) * t[j][i]
    return s


def negative_indices(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += t[-1 - i][-1] * t[i][0] ** 2
    return s


def row_used_whole_beside(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += t[i][0] * t[i][1] + sum(t[i]) ** 2 + t[1 - i][0]
    return s


def rows_walked_beside(t: Any) -> Any:
    s = t[0][1] ** 3
    for row in t:
        s += row[0] * t[1][1]
        for v in row:
            s += v * t[0][0]
    return s + t[1][0] ** 2


def whole_given_on(t: Any) -> Any:
    u = t
    s = each(t)
    for i in range(2):
        s += u[i][i] * t[i][1]
    return s + each(u)


def row_in_two_lists(t: Any) -> Any:
    both = [t[0], t[0], t[1]]
    s = 0.0
    for i in range(3):
        s += both[i][0] ** 2 * both[2 - i][1] + t[0][1]
    return s


def a_list_of_one_row(t: Any) -> Any:
    row = t[0]
    same = [row] * 3
    s = 0.0
    for i in range(3):
        s += (i + 1.0) * same[i][0] * row[1]
    return s + t[0][0] * t[1][1]


def rows_rebound(t: Any) -> Any:
    s = 0.0
    row = t[0]
    for i in range(2):
        s += row[0] ** 2 * row[1]
        row = t[1 - i]
    return s + row[1]


def table_rebound(t: Any) -> Any:
    s = 0.0
    u = t
    for i in range(2):
        r = u[i]
        u = [r, t[0]]
        s += r[1] ** 2 * u[0][0] + u[1][1]
    return s


def row_from_the_last_round(t: Any) -> Any:
    s = 0.0
    for i in range(3):
        if i > 0:
            s += r[0] ** 2 * i  # noqa: F821
        r = t[i % 2]
    return s + t[0][1] * r[1]


def in_branches(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        r = t[i]
        if r[0] > 0.5:
            s += r[1] ** 2 * t[1][0]
        else:
            s -= r[0] * 3.0 + sum(r)
    return s


def no_rounds(t: Any) -> Any:
    s = t[1][1] ** 2
    for i in range(0):
        s += t[i][0]
    return s


def until(t: Any) -> Any:
    s, i = 0.0, 0
    while s < 2.0 and i < 6:
        s += t[i % 2][1] ** 2 + t[(i + 1) % 2][0]
        i += 1
    return s


def left_early(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += t[i][j] ** 2
            if i + j == 2:
                return s * t[0][0]
    return s


def built_here(t: Any) -> Any:
    u = []
    for i in range(2):
        row = []
        for j in range(2):
            row.append(t[i][j] * t[j][i])  # noqa: PERF401
        u.append(row)
    s = 0.0
    for i in range(2):
        s += u[i][0] * u[1 - i][1] ** 2
    return s


def grown_between(t: Any) -> Any:
    u = [t[0]]
    r = u[0]
    u.append(t[1])
    return r[0] ** 2 * u[1][1] + u[-1][0] * r[1]


def replaced_between(t: Any) -> Any:
    u = [t[0], t[1]]
    r = u[0]
    u[0] = t[1]
    return r[0] ** 2 * u[0][1] + r[1] * u[1][0]


def written(t: Any) -> Any:
    u = [[t[0][0], t[0][1]], [t[1][0], t[1][1]]]
    for i in range(2):
        u[i][0] = u[i][1] * u[1 - i][0]
    return u[0][0] * u[1][0] ** 2


def returned_too(t: Any) -> Any:
    r = [each(t), t[0][1], t]
    return r[0] * r[1] + r[2][1][0] ** 2


def by_a_function(t: Any) -> Any:
    def at(i: int, j: int) -> Any:
        return t[i][j]

    return sum(at(i, 1 - i) ** 2 * t[i][i] for i in range(2))


def by_keys(d: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += d["a"][i] ** 2 * d["b"][1 - i] + d["a"][0]
    return s + sum(d["b"])


def by_keys_that_vary(d: Any) -> Any:
    s = 0.0
    for key in ("a", "b", "a"):
        s += d[key][0] ** 2 * d["b"][1] + d[key][-1]
    return s


def by_keys_and_whole(d: Any) -> Any:
    e = dict(d)
    s = by_keys(d)
    for i in range(2):
        s += e["a"][i] * d["a"][i]
    return s + by_keys(e)


def with_keys_added(d: Any) -> Any:
    e = {"a": d["b"], "b": d["a"]}
    r = e["a"]
    e["a"] = d["a"]
    return r[0] ** 2 * e["a"][1] + e["b"][0] * d["b"][1]


def by_whole_keys(d: Any) -> Any:
    s = 0.0
    for k in d:
        for j in (0, 1):
            s += d[k][j] ** 2 * d[3][0]
    return s


def by_positions(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += t[i][0] ** 2 * t[1 - i][1] + t[i][-1]
    return s


def by_names(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += t[i].a ** 2 * t[1 - i].b
        x, y = t[i]
        s += x * y * t[0].a
    return s


def of_dicts(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        body = t[i]
        s += body["a"] ** 2 * t[1 - i]["b"] + body["b"]
    for body in t:
        s += body["a"]
    return s


def of_depth(t: Any) -> Any:
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += t[i][j][0] ** 2 * t[j][i][-1]
    return s + sum(t[0][1])


def of_fields(p: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += p.a[i] ** 2 * p.b[1 - i] + p[0][i]
    return s + sum(p.b)


def of_fields_found_otherwise(p: Any) -> Any:
    s = 0.0
    for i in range(2):
        p_a = p.b[i]
        s += p.a[i] ** 2 * p_a + p[0][0] * p[-2][i]
        p_a = 1.0
    return s * p_a


p_a, p_b = 3.0, np.cos
"""What a program finds by names that could be taken for those of parts."""


def of_fields_beside_globals(p: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += p.a[i] ** 2 * p_a + p.b[i] * float(p_b(i)) + (lambda: p_a * p.a[i])()
    return s


def of_fields_in_no_rounds(p: Any) -> Any:
    s = p.a[0] ** 2
    for i in range(0):
        s += p.b[i]
    return s + sum(p.a)


def of_keys_that_are_written(d: Any) -> Any:
    d = dict(d)
    s = 0.0
    for i in range(2):
        s += d["a"][i] ** 2 * d["b"][1 - i]
        d["a"] = d["b"]
    return s


def of_keys_not_there(d: Any) -> Any:
    s = d["a"][0] ** 2
    for i in range(0):
        s += d["none"][i]
    return s * d["b"][1]


def of_all_sorts(d: Any) -> Any:
    s = 0.0
    for i in range(2):
        s += d["rows"][i][0] ** 2 * d["more"]["w"][0] + d["more"]["z"]
    return s * d["more"]["z"]


ON_TABLES = [
    *(each, negative_indices, row_used_whole_beside, rows_walked_beside, whole_given_on, row_in_two_lists),
    *(a_list_of_one_row, rows_rebound, table_rebound, row_from_the_last_round, in_branches, no_rounds, until),
    *(left_early, built_here, grown_between, replaced_between, written, returned_too, by_a_function),
]
CASES: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    *((program, table) for program in ON_TABLES),
    *((program, keyed) for program in (by_keys, by_keys_that_vary, by_keys_and_whole, with_keys_added)),
    *((by_whole_keys, by_number), (by_positions, pairs), (by_names, named), (of_dicts, dicts)),
    *((of_depth, deep), (of_fields, lists_in_pairs), (of_all_sorts, mixed)),
    (of_fields_beside_globals, lists_in_pairs),
    *((of_fields_found_otherwise, lists_in_pairs), (of_fields_in_no_rounds, lists_in_pairs)),
    *((of_keys_that_are_written, keyed), (of_keys_not_there, keyed)),
]
IDS = [f"{program.__name__}-{make.__name__}" for program, make in CASES]


EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 7  # each takes long to derive
BOTH = [(*case, True) for case in CASES] + [(*case, False) for case in CASES[::EVERY]]


@pytest.mark.parametrize(
    ("program", "make", "specialise"), BOTH, ids=[*IDS, *(f"{name}-by_identity" for name in IDS[::EVERY])]
)
def test_gradients(program: Callable[[Any], Any], make: Callable[[Any], Any], specialise: bool) -> None:
    expected = differences(lambda x: program(make(x)), X)
    given = make(X)
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, given)
        assert value == program(make(X))
        for _ in range(2):
            (gradient,) = back(1.0)
            np.testing.assert_allclose(flat(gradient, given), expected, rtol=1e-8, atol=1e-9)
    assert given == make(X)


SECOND = [case for case in CASES if case[0] is not written]
"""What changes lists is refused there, as it is called by a variable of another function."""


@pytest.mark.parametrize(
    ("program", "make"), SECOND[::EVERY], ids=[f"{f.__name__}-{make.__name__}" for f, make in SECOND[::EVERY]]
)
def test_second_derivatives(program: Callable[[Any], Any], make: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9, 0.5])

    def numbers(x: Any) -> Any:
        return make([x[k] for k in range(4)])

    def whole(x: Any) -> Any:
        return program(numbers(x))

    expected = differences(lambda x: flat(zg.gradient(program, make(x))[0], make(x)) @ v, X)
    np.testing.assert_allclose(zg.hvp(whole, X, v), expected, rtol=1e-6, atol=1e-7)


def row_and_item(t: Any) -> Any:
    return t[0], t[0][0] * t[1][1]


def item_and_row_twice(t: Any) -> Any:
    r = t[0]
    return [t[0][0] * t[1][1], r, t[0]]


def row_taken_out(t: Any) -> Any:
    u = [t[0], t[1]]
    q = u[0][1] * u[1][0]
    r = u.pop()
    return [r, q, u[0][1] * 2.0]


def first_row_taken_out(t: Any) -> Any:
    u = list(t)
    q = u[0][1] * u[1][0]
    r = u.pop(0)
    return [r, q, u[0][0]]


def table_and_item(t: Any) -> Any:
    return [t, t[0][0] * t[1][1]]


def row_put_in(t: Any) -> Any:
    u = [t[0], t[1]]
    q = u[0][1] * u[1][0]
    u.insert(0, t[1])
    return [u, q, u[0][1]]


def rows_unpacked(t: Any) -> Any:
    a, b = t
    return [a, b, t[0][0] * t[1][1], t[1:]]


def rows_collected(t: Any) -> Any:
    out = []
    for i in range(2):
        r = t[i]
        out.append(r)
        out.append([r[0] * t[1][0], t[i][1] ** 2])
    return out


def of_a_key_got(d: Any) -> Any:
    p = d["a"][0] * d["b"][1]
    return [d.get("a"), p]


def of_a_key_taken_out(d: Any) -> Any:
    e = dict(d)
    q = e["a"][0] * e["b"][0]
    r = e.pop("a")
    return [r, q, e["b"][1] ** 2]


def of_a_key_set_by_default(d: Any) -> Any:
    e = {"a": d["a"]}
    r = e.setdefault("b", d["b"])
    return [r, e["a"][0] * e["b"][1], e]


def of_all_values(d: Any) -> Any:
    p = d["a"][0] * d["b"][1]
    return [list(d.values()), p, [row for _, row in d.items()]]


RETURNING = [
    *(
        (row_and_item, table),
        (item_and_row_twice, table),
        (row_taken_out, table),
        (first_row_taken_out, table),
    ),
    *((table_and_item, table), (row_put_in, table), (rows_unpacked, table), (rows_collected, table)),
    *((of_a_key_got, keyed), (of_a_key_taken_out, keyed), (of_a_key_set_by_default, keyed)),
    (of_all_values, keyed),
]


@pytest.mark.parametrize(("program", "make"), RETURNING, ids=[program.__name__ for program, _ in RETURNING])
def test_cotangents_that_are_given_stay_as_they_are(
    program: Callable[[Any], Any], make: Callable[[Any], Any]
) -> None:
    """What the caller gives becomes part of cotangents, and is not added to."""
    given = make(X)
    seed = as_a_seed(program(given), itertools.count())
    before = copy.deepcopy(seed)

    def whole(x: Any) -> float:
        result = program(make(x))
        return float(np.dot(flat(result, result), flat(before, before)))

    _, back = zg.pullback(program, given)
    for _ in range(2):
        np.testing.assert_allclose(flat(back(seed)[0], given), differences(whole, X), rtol=1e-8, atol=1e-9)
        assert seed == before


def test_no_row_is_made_for_an_item() -> None:
    """What is read is added where it belongs, so that no time is taken by what stands around it."""
    for program, make in ((each, table), (by_keys, keyed), (of_depth, deep), (of_fields, lists_in_pairs)):
        text = str(zg.show_adjoint(program, make(X)))
        adjoint = text[text.index("_adjoint(") :]
        inside = [line for line in adjoint.splitlines() if line.startswith(" " * 8)]
        assert not any("] * " in line for line in inside), text
