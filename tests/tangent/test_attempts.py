"""Programs that catch exceptions, in products with Hessians: what is done before something fails is done to
the tangents as well."""

from __future__ import annotations

import contextlib
import heapq
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.gradients_pushed import gradient_push
from zygpy.pushing import Push


def checked(v: Any, t: Any) -> Any:
    if v > 1.0:
        raise ValueError(v)
    return v * t


def called(x: Any) -> Any:
    total = x[1]
    for k in range(5):
        try:
            total = total + checked(x[0] * k, x[1])
        except ValueError:
            total = total * x[0]
    return total * total


def appended(x: Any) -> Any:
    items: list[Any] = []
    for k in range(5):
        try:
            items.append(checked(x[0] * k, x[1]))
        except ValueError:
            items.append(x[1] * k)
    return sum(v * v for v in items)


def taken_until_empty(x: Any) -> Any:
    items, total = [x[0] * i for i in range(5)], x[1]
    while True:
        try:
            v = items.pop()
        except IndexError:
            break
        total = total * x[1] + v * v
    return total


def put_back_at_failures(x: Any) -> Any:
    items, table, total = [x[0], x[1], 3.0 * x[0]], {"u": x[1]}, x[0]
    for k in range(6):
        try:
            total = total * x[1] + items.pop()
            total = total + table.pop("u")
        except (IndexError, KeyError):
            if k < 4:
                items.insert(0, total * x[0])
    return total + sum(items)


def done_at_last(x: Any) -> Any:
    items: list[Any] = []
    try:
        for i in range(4):
            items.append(x[0] * i)
            items[0] = items[-1] * x[1]
    finally:
        items.append(x[1] * x[1])
    return sum(items) * x[0]


def left_in_a_loop(x: Any) -> Any:
    items, total = [x[0] * i for i in range(5)], x[1]
    try:
        for i, v in enumerate(items):
            total = total + v * v
            items[i] = v * x[1]
            math.sqrt(2.0 - i)
        total = 0.0 * x[0]
    except ValueError:
        return total * sum(items)
    return total


def by_another_name(x: Any) -> Any:
    a = [x[0]]
    b = a
    try:
        b.append(x[0] * x[1])
        b[5] = x[1]
    except IndexError:
        a[0] = a[1] * x[1]
    return b[0] * len(b) * a[1]


def into_arrays(x: Any) -> Any:
    a, total = np.ones(3) * x[0], x[1]
    for k in range(5):
        try:
            a[k] *= x[1]
            a[k - 1] += a[k]
            total = total + a[k]
        except IndexError:
            total = total + a.sum()
            a[0] = total
    return total + a[0] * a[1]


def kinds_at_failures(x: Any) -> Any:
    table: dict[str, Any] = {"a": x[0]}

    def change(k: int) -> Any:
        table["a"] = [x[0], x[1] * k]
        if k % 2:
            raise ValueError(k)
        table["a"] = x[0] * k
        return table["a"]

    total = x[1]
    for k in range(4):
        try:
            total = total + change(k)
        except ValueError:
            total = total + table["a"][1] * table["a"][0]
    return total * table["a"][1]


def comprehended(x: Any) -> Any:
    total = x[1]
    for n in range(4):
        try:
            items = [math.sqrt(x[0] * (2.5 - j)) for j in range(n + 1)]
            total = total + sum(items)
        except ValueError:
            total = total + x[0] * x[1] * n
            items = [x[1]]
        total = total * items[0]
    return total


def bound_in_a_comprehension(x: Any) -> Any:
    last = x[0]
    try:
        items = [math.sqrt(last := x[0] * (2.5 - i)) for i in range(5)]
    except ValueError:
        items = [x[0], x[1]]
    return last * items[1] * last


def changed_in_a_comprehension(x: Any) -> Any:
    log = [x[0]]

    def noted(v: Any) -> Any:
        log.append(v * v)
        return math.sqrt(2.5 - v) * log[0]

    try:
        items = [noted(x[1] * i) for i in range(4)]
    except ValueError:
        items = [x[1] * x[1]]
    return sum(log) * items[0]


def made_in_part(x: Any) -> Any:
    rows: list[Any] = []
    try:
        for count in (2, 4):
            row = [math.sqrt(x[0] * (2.5 - i)) * x[1] for i in range(count)]
            rows.append(row)
    except ValueError:
        rows.append([x[1] * x[1]])
    return sum(sum(row) * (k + 1) for k, row in enumerate(rows))


def suppressed(x: Any) -> Any:
    total = x[0]
    for k in range(4):
        with contextlib.suppress(ValueError):
            total = total * x[1]
            if k == 2:
                raise ValueError
            total = total + x[0]
    return total


def not_bound(x: Any) -> Any:
    try:
        y = x[0] * x[1]
        z = math.log(-x[0])
        y = 0.0
    except ValueError:
        z = y * x[0]
    return z * y


def missing_keys(x: Any) -> Any:
    table: dict[int, Any] = {}
    total = x[1]
    for k in range(5):
        try:
            total = total + table[k % 3] * x[0]
        except KeyError as error:
            table[error.args[0]] = x[0] * x[1] + k
    return total


def a_heap(x: Any) -> Any:
    heap = [x[0] * i for i in range(2, 0, -1)]
    heapq.heapify(heap)
    total = x[1]
    while True:
        try:
            v = heapq.heappop(heap)
        except IndexError:
            break
        total = total * x[0] + v * v
    return total


class Found(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


def sought(items: Any, bound: Any) -> Any:
    for v in items:
        if v * v > bound:
            raise Found(v * bound)
    return bound


def with_fields(x: Any) -> Any:
    total, items = x[1], [x[0] * j for j in range(3)]
    for k in range(2):
        try:
            total = total + sought(items, x[1] + 2.0 * k)
        except Found as error:
            total = total * error.value
    return total


def its_own_again(x: Any) -> Any:
    made = Found(x[0] * x[0])
    try:
        raise made
    except Found as error:
        error.value = error.value * x[1]
        error.value *= 2.0
    return made.value * x[0]


PUSHED = [
    called,
    appended,
    taken_until_empty,
    done_at_last,
    left_in_a_loop,
    into_arrays,
    suppressed,
    not_bound,
]
OTHERS = [
    put_back_at_failures,
    by_another_name,
    comprehended,
    bound_in_a_comprehension,
    changed_in_a_comprehension,
    made_in_part,
    kinds_at_failures,
    missing_keys,
    a_heap,
    with_fields,
    its_own_again,
]

X = np.array([0.7, 1.3])


@pytest.mark.parametrize("program", PUSHED + OTHERS)
def test_products_with_hessians(program: Callable[[Any], Any]) -> None:
    def gradient(x: Any) -> Any:
        return zg.gradient(program, x)[0]

    assert gradient(X) == pytest.approx(differences(program, X), rel=1e-6)
    v = np.array([1.0, -0.5])
    expected = differences(lambda x: gradient(x) @ v, X)
    assert zg.hvp(program, X, v) == pytest.approx(expected, rel=1e-5, abs=1e-7)
    product = zg.hvp(program, X.astype(np.float32), v.astype(np.float32))
    assert product.dtype == np.float32
    assert product == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert zg.pushforward(program, X)(v) == pytest.approx(gradient(X) @ v, rel=1e-12)


@pytest.mark.parametrize("program", PUSHED)
def test_gradients_are_pushed(program: Callable[[Any], Any]) -> None:
    assert isinstance(gradient_push(program, (X,)), Push)


class Brought(Exception):
    def __init__(self, thing: Any) -> None:
        super().__init__()
        self.thing = thing


def raised_while_handled(x: Any) -> Any:
    try:
        try:
            raise Brought(x * x)
        except Brought:
            raise KeyError  # noqa: B904
    except KeyError as error:
        return error.__context__.thing * x


def asked_what_was_handled(x: Any) -> Any:
    try:
        try:
            raise Brought(x * x)
        except Brought:
            raise KeyError  # noqa: B904
    except KeyError as error:
        return x * x * (2.0 if isinstance(error.__context__, Brought) else 3.0)


@pytest.mark.parametrize(("program", "slope"), [(raised_while_handled, 12.0), (asked_what_was_handled, 8.0)])
def test_what_is_left_to_reverse_mode_handles_nothing(program: Any, slope: float) -> None:
    """What forward mode raised is no exception of the program's."""
    assert zg.pushforward(program, 2.0)(1.0) == slope


def test_second_derivatives_that_are_left_to_it_handle_nothing() -> None:
    assert zg.hvp(asked_what_was_handled, 2.0, 0.5) == 2.0
    assert zg.hessian(asked_what_was_handled, 2.0) == 4.0
