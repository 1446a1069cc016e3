"""What may be None, and is of a known kind where a branch has asked: `best = None`, `d.get(k)`, fields that
are filled later, callees that find nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

X = np.array([0.7, -1.3, 0.4, 1.1])


class Node:
    def __init__(self, value: Any, weight: Any = None) -> None:
        self.value = value
        self.weight = weight
        self.seen: Any = None


def best_so_far(x: Any) -> Any:
    best = None
    for v in x:
        if best is None or v * v > best:
            best = v * v
    return best * x[0]


def best_and_where(x: Any) -> Any:
    best, where = None, -1
    for i in range(4):
        v = x[i] * x[i - 1]
        if best is None or v > best:
            best, where = v, i
    return best + x[where] ** 3


def differences_in_turn(x: Any) -> Any:
    last, s = None, 0.0
    for v in x:
        if last is not None:
            s += (v - last) ** 2 * v
        last = v
    return s * last


def with_two_before(x: Any) -> Any:
    a = b = None
    s = 0.0
    for v in x:
        if a is not None and b is not None:
            s += a * b * v
        elif b is not None:
            s += b**2
        a, b = b, v
    return s


def asked_the_other_way(x: Any) -> Any:
    last, s = None, x[0]
    for v in x:
        if last is None:
            last = v * 2.0
            continue
        s += last * v
        last = None if v > 0.5 else v
    return s


def forgotten_again(x: Any) -> Any:
    held, s = None, 0.0
    for i in range(4):
        held = x[i] if i % 2 == 0 else None
        s += x[i] ** 2 if held is None else held**3
    return s


def objects_in_turn(x: Any) -> Any:
    last, s = None, 0.0
    for v in x:
        node = Node(v * 2.0, v)
        if last is not None:
            s += (node.value - last.value) ** 2 * last.weight
        last = node
    return s + last.weight


def objects_changed_in_turn(x: Any) -> Any:
    nodes = [Node(v, 1.0) for v in x]
    last, s = None, 0.0
    for node in nodes:
        if last is not None:
            last.value = last.value * node.value
            node.weight = last.value + node.weight
        last = node
    for node in nodes:
        s += node.value * node.weight
    return s


def fields_filled_later(x: Any) -> Any:
    nodes = [Node(v) for v in x]
    for i in (1, 3):
        nodes[i].seen = nodes[i].value ** 2
    s = 0.0
    for node in nodes:
        s += node.value if node.seen is None else node.seen * x[2]
    return s


def kept_in_a_field(x: Any) -> Any:
    node, s = Node(x[0]), 0.0
    for v in x:
        if node.seen is None:
            node.seen = node.value * x[1]
        s += node.seen * v
    return s


def got_from_a_dict(x: Any) -> Any:
    d = {"a": x[0], "c": x[2] ** 2}
    s = 0.0
    for k in "abcab":
        v = d.get(k)
        if v is not None:
            s += v**2
        else:
            d[k] = x[3] * x[1]
    return s


def objects_got_from_a_dict(x: Any) -> Any:
    d = {i: Node(x[i], x[i] * x[0]) for i in (0, 2, 3)}
    s = 0.0
    for i in range(5):
        node = d.get(i)
        if node is None:
            s += x[1]
        else:
            s += node.value * node.weight
    return s


def remembered(x: Any) -> Any:
    seen: dict[Any, Any] = {}

    def power(n: int) -> Any:
        found = seen.get(n)
        if found is None:
            found = x[0] if n == 0 else power(n - 1) * x[1] + x[2]
            seen[n] = found
        return found

    return power(4) * power(2)


def found_by_a_callee(x: Any) -> Any:
    def first_above(limit: float) -> Any:
        for v in x:
            if v > limit:
                return v * v
        return None

    s = 0.0
    for limit in (0.0, 0.5, 1.0, 2.0):
        v = first_above(limit)
        s += x[1] if v is None else v * (1.0 + limit)
    return s


def in_a_list(x: Any) -> Any:
    values = [x[0], None, x[2] ** 2, None, x[1] * x[3]]
    s = 0.0
    for v in values:
        if v is None:
            continue
        s += v**2
    kept = [v for v in values if v is not None]
    return s * sum(kept)


def under_two_names(x: Any) -> Any:
    a, s = None, 0.0
    for v in x:
        b = a
        if a is not None:
            s += b * v
            a = None
            if b is not None:
                s += b**2 * v
        else:
            a = v
            s += 0.0 if b is None else b
    return s


def numbers_of_more_kinds(x: Any) -> Any:
    held, s = None, 0.0
    for i in range(4):
        if held is not None:
            s += held * x[i]
        held = i if i == 1 else x[i] if i < 3 else 2j
    return s + abs(held) * x[0]


def arrays_in_turn(x: Any) -> Any:
    last, s = None, 0.0
    for i in range(1, 4):
        part = x[:i] * x[i]
        if last is not None:
            s += np.sum(last) * part[-1]
            last[0] = x[0] ** 2
        last = part
    return s + np.sum(last)


def lists_in_turn(x: Any) -> Any:
    last, s = None, 0.0
    for v in x:
        row = [v, v * v]
        if last is not None:
            s += last[0] * row[1] + len(last)
            last.append(v)
        last = row
    return s


def rows_filled_when_asked_for(x: Any) -> Any:
    rows: dict[Any, Any] = {}
    for i in range(4):
        row = rows.get(i % 2)
        if row is None:
            row = []
            rows[i % 2] = row
        row.append(x[i] * x[0])
    s = 0.0
    for i in range(3):
        row = rows.get(i)
        if row is not None:
            s += row[0] * row[1] + sum(row) ** 2
    return s


def changed_by_other_names(x: Any) -> Any:
    last, s = None, 0.0
    for v in x:
        row = [1, 2]
        held = {"rows": [row]}
        if last is not None:
            s += last[0] * v
            held["rows"][0].append(v * 2.0)
            held["rows"][0][0] = np.array([v, v**2])
        last = row
    return s.sum() + last[0].sum() * last[-1]


def changed_by_a_callee(x: Any) -> Any:
    def fill(things: Any, v: Any) -> None:
        things["a"] = v
        things["more"] = [v]

    last, s = None, 0.0
    for v in x:
        things: dict[str, Any] = {"a": 1}
        if last is not None:
            fill(last, v)
            s += last["a"] ** 2 + last["more"][0]
        last = things
        fill(last, v * 3.0)
    return s + last["a"]


def arrays_of_several_shapes(x: Any) -> Any:
    held, s = None, 0.0
    for i in range(4):
        if held is not None:
            s += np.sum(held * x[i]) + held.size
        held = x[:2] if i == 0 else np.outer(x, x[:i]) if i == 1 else x[i]
    return s + held


def arrays_written_by_other_names(x: Any) -> Any:
    held, s = None, 0.0
    work = x * 1.0
    for i in range(4):
        if held is not None:
            s += held[0] * x[i]
            work[0] = held[1] * x[0]
            s += np.sum(held) ** 2
        held = work[i % 2 :]
    return s


def pairs_in_turn(x: Any) -> Any:
    best, s = None, 0.0
    for i in range(4):
        pair = (x[i] * x[0], [i, x[i]])
        if best is not None:
            v, (where, w) = best
            s += v * w * (where + 1)
            best[1][1] = pair[0]
        if best is None or pair[0] > best[0]:
            best = pair
    return s + best[0] * best[1][1]


def until_none(x: Any) -> Any:
    rest = list(x)

    def following() -> Any:
        return rest.pop() if rest else None

    s, v = 0.0, following()
    while v is not None:
        s += v**2 * (len(rest) + 1)
        v = following()
    return s


def in_loops_in_loops(x: Any) -> Any:
    s = 0.0
    before = None
    for i in range(3):
        inside = None
        for j in range(4):
            v = x[i] * x[j]
            if inside is not None and before is not None:
                s += inside * before * v
            inside = v
        before = inside
    return s


def with_attempts(x: Any) -> Any:
    last, s = None, 0.0
    for i in range(6):
        try:
            v = x[i]
            if last is not None:
                s += last * v
            last = v
        except IndexError:
            s += 0.0 if last is None else last**2
            last = None
    return s


def by_expressions(x: Any) -> Any:
    last, s = None, 0.0
    for v in x:
        s += (last if last is not None else 1.0) * v
        if (doubled := None if v < 0 else v * 2.0) is not None:
            s += doubled**2
        last = doubled
    return s


def by_patterns(x: Any) -> Any:
    s = 0.0
    for v in [x[0], None, x[3]]:
        match v:
            case None:
                s += x[1]
            case w:
                s += w**2
    return s


def never_anything(x: Any) -> Any:
    last, s = None, 0.0
    for v in x:
        if last is not None:
            s += last * v.real
        s += v**2
    return s


def nothing_in_loops(x: Any) -> Any:
    last, s = None, x[0] ** 2
    for i in range(3):
        if last is not None:
            s += last * x[i]
    for v in x:
        if last is not None:
            s += last * v
    while s < 0.0:
        if last is not None:
            s += last
    return s


PROGRAMS = [
    *(
        best_so_far,
        best_and_where,
        differences_in_turn,
        with_two_before,
        asked_the_other_way,
        forgotten_again,
    ),
    *(objects_in_turn, objects_changed_in_turn, fields_filled_later, kept_in_a_field, got_from_a_dict),
    *(objects_got_from_a_dict, remembered, found_by_a_callee, in_a_list, under_two_names, never_anything),
    *(numbers_of_more_kinds, arrays_in_turn, lists_in_turn, until_none, in_loops_in_loops, with_attempts),
    *(by_expressions, by_patterns, rows_filled_when_asked_for, changed_by_other_names, changed_by_a_callee),
    nothing_in_loops,
    *(arrays_of_several_shapes, arrays_written_by_other_names, pairs_in_turn),
]
NAMES = [program.__name__ for program in PROGRAMS]
EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 5  # each takes long to derive


def check(program: Callable[[Any], Any]) -> None:
    expected = differences(lambda x: np.real(program(x)), X)
    for given, tolerance in ((X, 1e-8), (X.astype(np.float32), 1e-5)):
        value, back = zg.pullback(program, given)
        assert value == program(given)
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[0], expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_gradients(program: Callable[[Any], Any]) -> None:
    check(program)


@pytest.mark.parametrize("program", PROGRAMS[::EVERY], ids=NAMES[::EVERY])
def test_gradients_by_identity(program: Callable[[Any], Any]) -> None:
    with units.options(specialise=False):
        check(program)


@pytest.mark.parametrize("program", PROGRAMS[::EVERY], ids=NAMES[::EVERY])
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9, 0.5])
    expected = differences(lambda x: zg.gradient(program, x)[0] @ v, X)
    np.testing.assert_allclose(zg.hvp(program, X, v), expected, rtol=1e-6, atol=1e-7)


def test_what_is_known_in_a_branch_is_plain_code() -> None:
    def of_nodes(nodes: Any) -> Any:
        last, s = None, 0.0
        for node in nodes:
            if last is not None:
                s += node.value * last.weight
            last = node
        return s

    text = str(zg.show_adjoint(of_nodes, [Node(1.0, 2.0), Node(3.0, 4.0)]))
    assert "pull" not in text, text
    assert zg.gradient(of_nodes, [Node(1.0, 2.0), Node(3.0, 4.0)])[0][0].weight == 3.0
