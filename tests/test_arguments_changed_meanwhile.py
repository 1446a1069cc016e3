"""Derivatives of functions that change what they are given: each call finds it as it was, what is returned
has the form that it had, and the caller sees what one call does."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.runtime.directions import is_structure
from zygpy.structures import numbers_in


class Pair:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


class Slots:
    __slots__ = ("a", "b", "c")

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


def fields(o: Any) -> Any:
    o.a = o.a * o.b
    o.c = o.a * 2.0
    return o.a * o.c


def keys(d: Any) -> Any:
    value = d.pop("a")
    d["z"] = value * d["b"]
    return d["z"] ** 2


def popped(values: Any) -> Any:
    last = values.pop()
    return last * last * values[0]


def appended(values: Any) -> Any:
    values.append(values[0] * values[1])
    return values[-1] * values[0]


def shifted(values: Any) -> Any:
    values[:1] = []
    return values[0] ** 3


def nested(t: Any) -> Any:
    x, more = t
    x *= 2.0
    more.append(3.0)
    return np.sum(x * x) * more[0]


def array(x: Any) -> Any:
    x *= x
    return np.sum(x * x)


PROGRAMS: tuple[tuple[Any, Any], ...] = (
    (fields, lambda: Pair(1.5, 2.0)),
    (fields, lambda: Slots(1.5, 2.0)),
    (keys, lambda: {"a": 1.5, "b": 2.0}),
    (popped, lambda: [1.2, 0.7]),
    (appended, lambda: [1.2, 0.7]),
    (shifted, lambda: [1.2, 0.7]),
    (nested, lambda: (np.array([1.0, 2.0]), [5.0])),
    (array, lambda: np.array([1.2, 0.7])),
)
NAMES = [f"{program.__name__}-{type(made()).__name__}" for program, made in PROGRAMS]


def sorted_numbers(found: Any) -> list[tuple[Any, Any]]:
    """The numbers in a structure with their paths, in an order that has nothing to do with that of keys."""
    return sorted(numbers_in(found), key=lambda one: tuple(map(str, one[0])))


def flat(found: Any) -> Any:
    """The numbers in a structure, one behind another."""
    numbers = [number for _, number in sorted_numbers(found)] if is_structure(found) else [found]
    return np.concatenate([np.ravel(number) for number in numbers])


def slopes(function: Any, made: Any) -> Any:
    """The derivatives of a function by the numbers that it is given, by differences."""
    rows = []
    for entry in range(flat(made()).size):
        steps = [function(moved(made(), entry, step)) for step in (1e-3, -1e-3, 5e-4, -5e-4)]
        wide, narrow = (steps[0] - steps[1]) / 2e-3, (steps[2] - steps[3]) / 1e-3
        rows.append((4.0 * narrow - wide) / 3.0)
    return np.array(rows)


def moved(value: Any, entry: int, step: float) -> Any:
    """The same value with one of the numbers in it moved."""
    if isinstance(value, np.ndarray):
        value.reshape(-1)[entry] += step
        return value
    paths = [path for path, number in sorted_numbers(value) for _ in np.ravel(number)]
    path = paths[entry]
    place = entry - paths.index(path)
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    if isinstance(holder, list | dict | tuple):
        part = holder[path[-1]]
        if isinstance(part, np.ndarray):
            part[place] += step
        else:
            holder[path[-1]] = part + step  # type: ignore[index]
    else:
        setattr(holder, path[-1], getattr(holder, path[-1]) + step)
    return value


@pytest.mark.parametrize(("program", "made"), PROGRAMS, ids=NAMES)
def test_jacobian_and_gradient(program: Any, made: Any) -> None:
    expected = slopes(program, made)
    np.testing.assert_allclose(flat(zg.jacobian(program, made())[0]), expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(flat(zg.gradient(program, made())[0]), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(("program", "made"), PROGRAMS, ids=NAMES)
def test_second_derivatives(program: Any, made: Any) -> None:
    rows = slopes(lambda x: flat(zg.gradient(program, x)[0]), made)
    for operator in (zg.hessian, zg.hessian_reverse):
        np.testing.assert_allclose(hessian_of(operator(program, made()), made()), rows, rtol=1e-6, atol=1e-7)
    diagonal = flat(zg.diaghessian(program, made())[0])
    np.testing.assert_allclose(diagonal, np.diag(rows), rtol=1e-6, atol=1e-7)


def hessian_of(found: Any, x: Any) -> Any:
    """The Hessian of a structure as one matrix."""
    if isinstance(x, np.ndarray):
        return found
    size = flat(x).size
    parts = [np.ravel(number).size for _, number in sorted_numbers(x)]
    ends = np.cumsum(parts)
    matrix, blocks = np.zeros((size, size)), [number for _, number in sorted_numbers(found)]
    for at, block in enumerate(blocks):
        i, j = divmod(at, len(parts))
        matrix[ends[i] - parts[i] : ends[i], ends[j] - parts[j] : ends[j]] = np.reshape(
            block, (parts[i], parts[j])
        )
    return matrix


@pytest.mark.parametrize(("program", "made"), PROGRAMS, ids=NAMES)
def test_products(program: Any, made: Any) -> None:
    rows = slopes(lambda x: flat(zg.gradient(program, x)[0]), made)
    direction = zg.gradient(lambda x: np.sum(flat_product(x)), made())[0]
    expected = rows @ flat(direction)
    np.testing.assert_allclose(flat(zg.hvp(program, made(), direction)), expected, rtol=1e-6, atol=1e-7)
    push = zg.pushforward(program, made())
    for _ in range(2):
        np.testing.assert_allclose(push(direction), slopes(program, made) @ flat(direction), rtol=1e-7)


def flat_product(x: Any) -> Any:
    """Something that depends on all numbers in a structure, and whose gradient has its form."""
    if isinstance(x, np.ndarray | float):
        return np.sum(x * x)
    parts = x.values() if isinstance(x, dict) else x if isinstance(x, list | tuple) else (x.a, x.b)
    return sum([flat_product(part) for part in parts])


@pytest.mark.parametrize(("program", "made"), PROGRAMS, ids=NAMES)
@pytest.mark.parametrize("operator", [zg.jacobian, zg.hessian, zg.hessian_reverse, zg.diaghessian])
def test_the_caller_sees_what_one_call_does(operator: Any, program: Any, made: Any) -> None:
    given, plain = made(), made()
    operator(program, given)
    program(plain)
    if isinstance(given, np.ndarray):
        assert given.tolist() in (plain.tolist(), made().tolist())  # forward mode is given a copy
    else:
        np.testing.assert_allclose(flat(given), flat(plain))


def test_one_of_two_arguments_is_changed() -> None:
    def both(a: Any, b: Any) -> Any:
        a += b
        b *= 2.0
        return np.sum(a * a * b)

    a, b = np.array([1.5, 1.0]), np.array([2.0, 3.0])
    by_a, by_b = zg.diaghessian(both, a.copy(), b.copy())
    np.testing.assert_allclose(by_a, 4.0 * b)
    np.testing.assert_allclose(by_b, 8.0 * (a + b) + 4.0 * b)


def test_nested() -> None:
    def along(s: Any) -> Any:
        return np.sum(
            zg.hvp(lambda values: keys(dict(values)), {"a": s, "b": 2.0}, {"a": 1.0, "b": 0.0})["b"]
        )

    assert zg.gradient(along, 1.5)[0] == pytest.approx(8.0)  # 4 a b by a

    def popping(s: Any) -> Any:
        return zg.jacobian(popped, [s, 0.7 * s])[0][1]

    assert zg.gradient(popping, 1.2)[0] == pytest.approx(4.0 * 0.7 * 1.2)


def test_data_that_hold_themselves_are_put_back() -> None:
    from zygpy.runtime.as_before import AsBefore

    values: list[Any] = [1.0, {2.0}, np.ones(2)]
    values.append(values)
    kept = copy.copy(values)
    before = AsBefore((values,))
    values[1].add(3.0)
    values[2][0] = 5.0
    del values[0], values[2]
    before.put_back()
    assert values[3] is values and values[:2] == kept[:2] == [1.0, {2.0}] and values[2].tolist() == [1.0, 1.0]
