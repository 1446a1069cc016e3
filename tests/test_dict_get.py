"""`d.get(k, default)`, `setdefault` and `pop` with a default: what is there and what is not, of what kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient


def counting_up(x: Any) -> Any:
    """The everyday way to gather sums by keys."""
    sums: dict[int, Any] = {}
    for i, v in enumerate(x):
        sums[i % 3] = sums.get(i % 3, 0.0) + v * v
    return sum(s * s for s in sums.values())


def whole_default(x: Any) -> Any:
    sums: dict[str, Any] = {}
    for name, v in zip("abab", x, strict=False):
        sums[name] = sums.get(name, 0) + v**3
    return sums["a"] * sums["b"]


def constant_key(x: Any) -> Any:
    sums: dict[str, Any] = {}
    for v in x:
        sums["all"] = sums.get("all", 1.0) * v
    return sums["all"] ** 2


def absent_key(x: Any) -> Any:
    table = {"a": x[0], "b": x[1]}
    return table.get("a", 0.0) * table.get("c", x[2]) + table.get("b", x[3])


def active_default(x: Any) -> Any:
    table: dict[int, Any] = {}
    total = 0.0
    for i, v in enumerate(x):
        total = total + table.get(i // 2, v * 2.0) * v
        table[i // 2] = v * v
    return total


def nothing_as_default(x: Any) -> Any:
    best: dict[int, Any] = {}
    for i, v in enumerate(x):
        old = best.get(i % 2)
        if old is None or old < v:
            best[i % 2] = v * v
    return best[0] * best[1]


def other_kinds(x: Any) -> Any:
    table: dict[str, Any] = {"number": x[0], "array": x * x}
    return np.sum(table.get("array", 0.0)) * table.get("number", 1.0) + np.sum(table.get("none", x))


def by_another_name(x: Any) -> Any:
    table: dict[str, Any] = {}
    same = table
    same["b"] = x * x
    return np.sum(table.get("b", 0.0) * x) + table.get("c", 2.0) * x[0]


def fill(table: dict[str, Any], v: Any) -> None:
    table["b"] = v * v


def by_a_function(x: Any) -> Any:
    table: dict[str, Any] = {}
    fill(table, x[0])
    fill(table, table.get("b", 0.0) * x[1])
    return table.get("b", 0.0) * table.get("c", x[2])


def deleted_between(x: Any) -> Any:
    table: dict[str, Any] = {"a": x[0]}
    first = table.get("a", x[1])
    del table["a"]
    return first * table.get("a", x[1] ** 2)


def popped(x: Any) -> Any:
    table: dict[str, Any] = {"a": x[0], "b": x[1]}
    return table.pop("a", 1.0) * table.pop("a", 3.0) * table.pop("b", x[2]) * table.pop("b", x[2])


def set_by_default(x: Any) -> Any:
    sums: dict[int, Any] = {}
    for i, v in enumerate(x):
        old = sums.setdefault(i % 3, v * 3.0)
        sums[i % 3] = old * v
    return sum(sums.values()) ** 2


def list_as_default(x: Any) -> Any:
    rows: dict[int, list[Any]] = {}
    for i, v in enumerate(x):
        rows[i % 2] = [*rows.get(i % 2, []), v * v]
    return sum(rows[0]) * sum(rows[1])


def keys_of_all_sorts(x: Any) -> Any:
    table: dict[Any, Any] = {}
    keys = [1, 1.0, True, (1, 2), None, "a", (1, 2), np.int64(1), 2.5]
    for k, v in zip(keys, (*x, *x), strict=False):
        table[k] = table.get(k, 0.0) + v * v
    return sum(s * s for s in table.values())


def nested(x: Any) -> Any:
    table: dict[str, dict[str, Any]] = {}
    for a, b, v in zip("aabb", "abab", x, strict=False):
        inner = table.setdefault(a, {})
        inner[b] = inner.get(b, 0.0) + v**2
    return table["a"]["a"] * table["b"]["b"] + table["a"].get("c", 1.0) * table["b"].get("a", 0.0)


def given(x: Any, table: Any = None) -> Any:
    table = {"w": x[0]} if table is None else table
    return table.get("w", 0.0) * x[1] + table.get("v", 2.0) * x[2] ** 2


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(counting_up, whole_default, constant_key, absent_key, active_default, nothing_as_default, other_kinds),
    *(by_another_name, by_a_function, deleted_between, popped, set_by_default, list_as_default),
    *(keys_of_all_sorts, nested, given),
)
X = np.array([0.7, 1.3, -0.4, 1.9, 0.6])


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients_of_both_orders(program: Callable[..., Any]) -> None:
    check_gradient(program, X.copy(), order=2)
    y, back = zg.pullback(program, X.copy())
    assert y == program(X.copy())
    first, again = back(1.0)[0], back(1.0)[0]
    assert np.array_equal(first, again)


@pytest.mark.parametrize("program", PROGRAMS)
def test_whole_and_single_numbers(program: Callable[..., Any]) -> None:
    expected = zg.gradient(program, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))[0]
    assert np.allclose(zg.gradient(program, np.array([1, 2, 3, 4, 5]))[0], expected)
    single = zg.gradient(program, np.array([1, 2, 3, 4, 5], np.float32))[0]
    assert single.dtype == np.float32 and np.allclose(single, expected, rtol=1e-4)


@pytest.mark.parametrize(
    "table", [{"w": 2.0}, {"v": 3.0}, {}, {"w": 2.0, "v": 3.0, "u": 1.0}, {"w": 2, "x": "text"}]
)
def test_dicts_as_arguments(table: dict[str, Any]) -> None:
    x_bar, table_bar = zg.gradient(given, X, dict(table))
    w, v = table.get("w", 0.0), table.get("v", 2.0)
    assert np.allclose(x_bar, [0.0, w, 2 * v * X[2], 0.0, 0.0])
    expected = {"w": X[1], "v": X[2] ** 2}
    for name in set(table) & set(expected):
        assert table_bar[name] == pytest.approx(expected[name])


@dataclasses.dataclass(frozen=True)
class Key:
    """A key whose class says what its hash is."""

    name: str


def with_keys(x: Any, keys: list[Key]) -> Any:
    sums: dict[Key, Any] = {}
    for k, v in zip(keys, x, strict=False):
        sums[k] = sums.get(k, 0.0) + v * v
    return sum(s * s for s in sums.values())


def test_keys_with_a_hash_of_their_own() -> None:
    keys = [Key("a"), Key("b"), Key("a")]
    a, b = X[0] ** 2 + X[2] ** 2, X[1] ** 2
    y, back = zg.pullback(with_keys, X, keys)
    assert y == with_keys(X, keys)
    assert np.allclose(back(1.0)[0], [4 * X[0] * a, 4 * X[1] * b, 4 * X[2] * a, 0.0, 0.0])


def many_keys(x: Any, n: int) -> Any:
    sums: dict[int, Any] = {}
    for i in range(n):
        sums[i] = sums.get(i, 0.0) + x * i
    return sum(sums.values())


def many_defaults(x: Any, n: int) -> Any:
    sums: dict[int, Any] = {}
    for i in range(n):
        sums.setdefault(i, x)
        sums[i] = sums[i] * i
    return sum(sums.values())


@pytest.mark.parametrize("program", [many_keys, many_defaults])
def test_the_keys_are_not_gone_through_at_every_step(program: Callable[..., Any]) -> None:
    text = str(zg.show_adjoint(program, 2.0, 10))
    assert text.count("list(") <= 1
    assert "without_key" not in text
    assert zg.gradient(program, 2.0, 400)[0] == sum(range(400))
