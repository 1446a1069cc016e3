"""Tuples of which it is not known how many items they have, in every surrounding in which an item could get
what another one should have, or something could be taken for what it is not."""

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


def by_index(x: Any) -> Any:
    t = tuple([v * v for v in x])
    s = 0.0
    for i in range(len(t)):
        s += t[i] * t[-1 - i] + t[(i + 1) % len(t)]
    return s


def walked_over(x: Any) -> Any:
    t = tuple(v * 2.0 for v in x)
    s = 0.0
    for i, v in enumerate(t):
        s += (i + 1) * v * v
    for v, w in zip(t, reversed(t), strict=True):
        s += v * w * v
    return s


def in_slices(x: Any) -> Any:
    t = tuple(x)
    k = len(t) // 2
    left, right = t[:k], t[k:]
    return sum(a * b for a, b in zip(left, right, strict=True)) + sum(t[::-1][:k]) * t[::2][0] + sum(t[k:k])


def grown(x: Any) -> Any:
    t: Any = ()
    for v in x:
        t = (*t, v * v)
        t += (v,)
    return t[1] * t[2] + t[-1] * len(t) + sum(t)


def two_names(x: Any) -> Any:
    t = u = tuple([v * v for v in x])
    t += (x[0],)
    s = 0.0
    for i in range(len(u)):
        s += u[i] * t[i + 1]
    return s + t[len(t) - 1]


def repeated(x: Any) -> Any:
    n = len(x) - 2
    t = tuple(x) * n + (x[1],) * n
    s = 0.0
    for i in range(len(t)):
        s += (i + 1) * t[i] ** 2
    return s


def of_different_length(x: Any) -> Any:
    t: Any = (x[0], x[1])
    if x[2] > 0:
        t = (x[0], x[1], x[2] * x[2])
    s = 0.0
    for i in range(len(t)):
        s += t[i] * t[0]
    return s


def maybe_empty(x: Any) -> Any:
    t = tuple(v for v in x if v < 0)
    u = tuple(v for v in x if v > 5)
    s = sum(t) + sum(u)
    for i in range(len(u)):
        s += u[i]
    return s * x[0] if not u and t else s


def in_later_rounds(x: Any) -> Any:
    state = tuple(v for v in x)
    for k in range(3):
        slopes = tuple(a * b for a, b in zip(state, state[1:] + state[:1], strict=True))
        state = tuple(a + 0.1 * k * b for a, b in zip(state, slopes, strict=True))
    return state[0] * state[-1] + sum(state)


def by_callees(x: Any) -> Any:
    def norm(t: Any) -> Any:
        s = 0.0
        for i in range(len(t)):
            s += t[i] * t[i]
        return s

    def scaled(t: Any, c: Any) -> Any:
        return tuple(c * v for v in t)

    t = tuple(x)
    return norm(t) + norm(scaled(t, x[0])) + norm(t[1:]) + norm(scaled((x[1], x[2]), 3.0))


def whole_and_parts(x: Any) -> Any:
    t = tuple([v * v for v in x])
    pair = (t, t[0])
    s = pair[1] * pair[0][2]
    for v in pair[0]:
        s += v * t[1]
    return s


def of_pairs(x: Any) -> Any:
    t = tuple([(v, i) for i, v in enumerate(x)])
    s = 0.0
    for i in range(len(t)):
        v, k = t[i]
        s += v * (k + 1) * t[0][0]
    return s


def of_columns(x: Any) -> Any:
    rows = [(x[0], x[1], 2), (x[2], x[3], 3)]
    a, b, n = zip(*rows, strict=True)
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i] ** n[i] + b[-1]
    return s


def of_arrays(x: Any) -> Any:
    t = tuple([x[i:] * 2.0 for i in range(len(x))])
    s = 0.0
    for i in range(len(t)):
        s += t[i][0] * t[0][-1]
        s += np.sum(t[i])
    return s


def of_arrays_written_elsewhere(x: Any) -> Any:
    rows = [v * np.ones(2) for v in x]
    t = tuple(rows)
    rows[0] *= 3.0
    rows[1] = rows[1] * 7.0
    t[2][0] = x[3] * x[0]
    s = 0.0
    for i in range(len(t)):
        s += np.sum(t[i] ** 2)
    return s + np.sum(rows[1])


def of_tuples(x: Any) -> Any:
    t = tuple([tuple([v * w for w in x]) for v in x])
    s = 0.0
    for i in range(len(t)):
        for j in range(len(t[i])):
            s += (i + 1) * t[i][j]
    return s + sum(map(sum, t))


def as_arrays(x: Any) -> Any:
    t = tuple([v * v for v in x])
    return np.sum(np.array(t) ** 2) + np.mean(t) + np.dot(t, x) + (x * t)[0] + np.max(t)


def by_builtins(x: Any) -> Any:
    t = tuple([v * v for v in x])
    s = max(t) + min(t, default=0.0) + sorted(t)[1] + sum(t, x[0]) + sum(reversed(t))
    s += sum(map(abs, t)) + sum(filter(lambda v: v > 1.0, t)) + list(t)[2] + t.index(t[1])
    return s + sum(itertools.chain(t, t)) + (2.0 if t[0] in t else 1.0) + any(t) + t.count(t[0])


def unpacked(x: Any) -> Any:
    t = tuple(x)
    a, *b, c = t
    d, e, f, g = t[::-1]
    return a * sum(b) * c + d * e * f - g + max(*t)


def compared(x: Any) -> Any:
    t, u = tuple([v * v for v in x]), tuple([v + 1.0 for v in x])
    s = t[0] if t < u else u[0]
    s += t[1] if t == tuple(t) else u[1]
    return s * (t[2] if t else 1.0)


def in_holders(x: Any) -> Any:
    @dataclass
    class Holder:
        row: Any

    d = {"t": tuple([v * v for v in x])}
    o = Holder(tuple([v * 3.0 for v in x]))
    held = [d["t"], o.row]
    s = 0.0
    for i in range(len(o.row)):
        s += o.row[i] * d["t"][i] * held[0][-1]
    return s


def of_lists(x: Any) -> Any:
    t = tuple([[v, v * v] for v in x])
    t[0][0] = x[3]
    t[1].append(x[0] * x[1])
    s = 0.0
    for i in range(len(t)):
        s += t[i][0] * t[i][-1]
    return s


def of_things_that_differ(x: Any) -> Any:
    t = tuple([v if v > 0 else None for v in x])
    u = tuple([v if v > 0 else "below" for v in x])
    s = 0.0
    for i in range(len(t)):
        if t[i] is not None:
            s += t[i] * t[i]
        if not isinstance(u[i], str):
            s += u[i] * x[0]
    return s


def by_attempts(x: Any) -> Any:
    t = tuple([v * v for v in x])
    s = 0.0
    for i in range(len(t) + 2):
        try:
            s += t[i] * t[i + 1]
        except IndexError:
            s += t[0]
    return s


def captured(x: Any) -> Any:
    t = tuple([v * v for v in x])
    pick = lambda i: t[i]  # noqa: E731
    return sum(pick(i) * t[0] for i in range(len(t)))


def rebound_to_lists(x: Any) -> Any:
    t: Any = tuple([v * v for v in x])
    s = 0.0
    for i in range(3):
        s += t[i]
        t = [*t, x[0]] if i % 2 else (*tuple(t[1:]), x[1], x[2])
    return s + sum(t)


PROGRAMS = [
    *(by_index, walked_over, in_slices, grown, two_names, repeated, of_different_length, maybe_empty),
    *(in_later_rounds, by_callees, whole_and_parts, of_pairs, of_columns, of_arrays),
    *(of_arrays_written_elsewhere, of_tuples, as_arrays, by_builtins, unpacked, compared, in_holders),
    *(of_lists, of_things_that_differ, by_attempts, captured, rebound_to_lists),
]
NAMES = [program.__name__ for program in PROGRAMS]
EVERY = 1 if "ZYGPY_ALL_CASES" in os.environ else 4  # each takes long to derive


def check(program: Callable[[Any], Any]) -> None:
    expected = differences(program, X)
    for given, tolerance in ((X, 1e-8), (X.astype(np.float32), 1e-5)):
        value, back = zg.pullback(program, given)
        assert value == program(given)
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[0], expected, rtol=tolerance, atol=tolerance)
    numbers = X.tolist()
    if "array" not in program.__name__:
        np.testing.assert_allclose(
            flat(zg.gradient(program, numbers)[0], numbers), expected, rtol=1e-8, atol=1e-8
        )
        gradient = zg.gradient(program, tuple(numbers))[0]
        assert type(gradient) is tuple
        np.testing.assert_allclose(flat(gradient, numbers), expected, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("program", PROGRAMS, ids=NAMES)
def test_gradients(program: Callable[[Any], Any]) -> None:
    check(program)


@pytest.mark.parametrize("program", PROGRAMS[::EVERY], ids=NAMES[::EVERY])
def test_gradients_by_identity(program: Callable[[Any], Any]) -> None:
    with units.options(specialise=False):
        check(program)


@pytest.mark.parametrize("program", PROGRAMS[1::EVERY], ids=NAMES[1::EVERY])
def test_second_derivatives(program: Callable[[Any], Any]) -> None:
    v = np.array([0.3, -0.2, 0.9, 0.5])
    expected = differences(lambda x: zg.gradient(program, x)[0] @ v, X)
    np.testing.assert_allclose(zg.hvp(program, X, v), expected, rtol=1e-6, atol=1e-7)


def item_and_whole(x: Any) -> Any:
    t = tuple([v * v for v in x])
    return t, t[0], (t, t[1])


def whole_and_slice(x: Any) -> Any:
    t = tuple(x)
    u = t[1:]
    return [u, t, u[0] * t[0], u]


def given_back(t: Any) -> Any:
    return t, t[0] * t[1]


def walked_and_given_back(t: Any) -> Any:
    s = 0.0
    for v in t:
        s += v * v
    return s, t, [t]


@pytest.mark.parametrize("program", [item_and_whole, whole_and_slice, given_back, walked_and_given_back])
@pytest.mark.parametrize("make", [list, tuple, lambda x: tuple(x) * 30])
def test_cotangents_that_are_given_stay_as_they_are(
    program: Callable[[Any], Any], make: Callable[[Any], Any]
) -> None:
    """What the caller gives becomes part of cotangents, and is not added to."""
    given = make(X.tolist())
    seed = as_a_seed(program(given), itertools.count())
    before = copy.deepcopy(seed)

    def whole(x: Any) -> float:
        result = program(make(x.tolist()))
        return float(np.dot(flat(result, result), flat(before, before)))

    _, back = zg.pullback(program, given)
    for _ in range(2):
        found = np.reshape(flat(back(seed)[0], given), (-1, len(X))).sum(0)
        np.testing.assert_allclose(found, differences(whole, X), rtol=1e-8, atol=1e-8)
        assert seed == before


@pytest.mark.parametrize("program", [by_index, walked_over, grown, in_later_rounds, of_pairs, of_tuples])
def test_they_are_known_in_plain_code(program: Callable[[Any], Any]) -> None:
    text = str(zg.show_adjoint(program, X.tolist()))
    assert "pull(" not in text, text
    assert "with_element" not in text, text


def test_long_ones_share_a_pair() -> None:
    def f(t: Any) -> Any:
        s = 0.0
        for i in range(len(t)):
            s += t[i] * t[i]
        return s

    for count in (65, 80, 1000):
        (gradient,) = zg.gradient(f, (1.5,) * count)
        assert gradient == (3.0,) * count
    assert str(zg.show_adjoint(f, (1.5,) * 65)) == str(zg.show_adjoint(f, (1.5,) * 1000))
