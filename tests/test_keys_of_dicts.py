"""Dicts whose keys are known to be whole numbers, texts or pairs of these, until somebody puts in another.

A key with an imaginary part is that other one here, or a text, or a pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy import units

X = np.array([0.7, 1.3, 0.4])


@dataclass
class Holder:
    d: Any


def both(key: Any) -> Any:
    """A whole number for a key: that of a number, the length of a text."""
    if isinstance(key, str):
        return 3 * len(key)
    if isinstance(key, tuple):
        return sum(map(both, key))
    return int(key.real) + 2 * int(key.imag)


def over_keys(d: Any) -> Any:
    s = 0.0
    for k in d:
        s += both(k) * d[k]
    return s


def made(x: Any) -> Any:
    return {1: x[0], 2: x[1]}


def by_another_name(x: Any) -> Any:
    d = made(x)
    e = d
    e[2j] = x[2]
    return over_keys(d)


def before_and_behind(x: Any) -> Any:
    d = made(x)
    s = over_keys(d)
    d[1 + 2j] = x[2]
    s += over_keys(d)
    for k, v in d.items():
        s += both(k) * v
    for k in list(d.keys()):
        s += both(k) * x[0]
    return s


def by_views_made_before(x: Any) -> Any:
    d = made(x)
    keys, items, values = d.keys(), d.items(), d.values()
    d[2j] = x[2]
    s = 0.0
    for k in keys:
        s += both(k) * x[1]
    for k, v in items:
        s += both(k) * v
    for v in values:
        s += v * v
    return s


def whole_keys_and_values(x: Any) -> Any:
    d = {1: 2, 2: 3}
    keys, values = d.keys(), d.values()
    d[2j] = 5
    s = 0.0
    for k in keys:
        s += both(k) * x[0]
    for v in values:
        s += v * x[1] * x[2]
    return s


def in_a_list(x: Any) -> Any:
    d = made(x)
    held = [d, {"a": d}]
    held[0][2j] = x[2]
    s = over_keys(d)
    held[1]["a"][3j] = x[2] ** 2
    return s + over_keys(d) + over_keys(held[0])


def in_an_object(x: Any) -> Any:
    o = Holder(made(x))
    s = over_keys(o.d)
    o.d[2j] = x[2]
    for k in o.d:
        s += both(k) * o.d[k]
    return s


def by_a_callee(x: Any) -> Any:
    def put(e: Any, k: Any) -> None:
        e[k] = x[2]

    d = made(x)
    put(d, 3)
    s = over_keys(d)
    put(d, 2j)
    for k in d:
        s += both(k) * d[k]
    return s


def in_later_rounds(x: Any) -> Any:
    d = made(x)
    s = 0.0
    for i in range(3):
        for k in d:
            s += both(k) * d[k]
        d[1j * i] = x[i] * x[2]
        d["t" * i] = x[2]
    return s


def by_methods(x: Any) -> Any:
    d, e, f = made(x), made(x), made(x)
    d.setdefault(2j, x[2])
    e.update({2j: x[2]})
    f |= {2j: x[2]}
    g = {**made(x), 2j: x[2]}
    h = made(x) | {2j: x[2]}
    i = dict(d)
    j = d.copy()
    return sum(over_keys(each) for each in (d, e, f, g, h, i, j))


def by_displays(x: Any) -> Any:
    d = {1: x[0], 2j: x[1]}
    e = {k: x[1] * x[int(k.real)] for k in (1, 2j)}
    f = {k: v for k, v in ((1, x[0]), (3j, x[2]))}  # noqa: C416
    g = dict(zip((1, 2j), x, strict=False))
    h = dict([(1, x[0]), (2j, x[2])])  # noqa: C406
    return sum(over_keys(each) for each in (d, e, f, g, h))


def of_pairs(x: Any) -> Any:
    d: dict[Any, Any] = {(i, j): x[i] * x[j] for i in range(2) for j in range(2)}
    s = 0.0
    for i, j in d:
        s += both((i, j)) * d[i, j]
    d[0, 2j] = x[2]
    d[3] = x[2]
    d["ab"] = x[0]
    for k in d:
        a, b = k if isinstance(k, tuple) else (k, k)
        s += both((a, b)) * d[k]
    del d[3]
    d.pop("ab")
    for (i, j), v in d.items():
        s += both((i, j)) * v
    return s


def taken_out(x: Any) -> Any:
    d = made(x)
    d[2j] = x[2]
    s = over_keys(d)
    d.pop(2j)
    d[1] += x[2] ** 2
    del d[2]
    return s + over_keys(d)


def empty_first(x: Any) -> Any:
    d: dict[Any, Any] = {}
    for k in d:
        d[k] = 0.0
    for i in range(3):
        d[i] = x[i]
    s = over_keys(d)
    e: dict[Any, Any] = {}
    for i in range(3):
        e[i * 1j] = x[i] ** 2
    return s + over_keys(e)


PROGRAMS = [
    *(by_another_name, before_and_behind, by_views_made_before, whole_keys_and_values, in_a_list),
    *(in_an_object, by_a_callee, in_later_rounds, by_methods, by_displays, of_pairs, taken_out, empty_first),
]


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.__name__ for program in PROGRAMS])
def test_gradients(program: Callable[[Any], Any], specialise: bool) -> None:
    expected = differences(program, X)
    with units.options(specialise=specialise):
        value, back = zg.pullback(program, X)
        assert value == program(X)
        for _ in range(2):
            np.testing.assert_allclose(back(1.0)[0], expected, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("keys", [range(3), range(100), "abc", [(0, 1), (1, 0)], [1.5, 2.5], [1, "a", None]])
def test_dicts_that_are_given(keys: Any) -> None:
    """The same function is called with dicts whose keys are of one kind, then of another."""

    def f(d: Any) -> Any:
        s = 0.0
        for k in d:
            s += both(k) * d[k] if k is not None else 2.0 * d[k]
        return s

    given: dict[Any, Any] = dict.fromkeys(keys, 0.5)
    (gradient,) = zg.gradient(f, given)
    assert gradient == {k: 2.0 if k is None else float(both(k)) for k in keys}
    given[2 + 3j] = 1.0
    (gradient,) = zg.gradient(f, given)
    assert gradient[2 + 3j] == 8.0
