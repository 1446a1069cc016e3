"""Calls that are handed to a `ThreadPoolExecutor`."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, as_completed, wait
from typing import Any

import numpy as np
import pytest

import zygpy as zg

OUTSIDE = ThreadPoolExecutor(2)


def square(v: Any) -> Any:
    return v * v


def power(v: Any, n: int = 2, *, scale: Any = 1.0) -> Any:
    return v**n * scale


def positive(v: Any) -> Any:
    if v < 0:
        raise ValueError(v)
    return v * v


def mapped(x: Any) -> Any:
    with ThreadPoolExecutor(2) as executor:
        return sum(executor.map(square, [x, 2 * x, x * x]))


def mapped_over_several(x: Any) -> Any:
    with ThreadPoolExecutor() as executor:
        values = list(executor.map(power, [x, 2 * x, 3 * x], (2, 3), timeout=60))
    return values[0] * values[1] + len(values)


def handed_in(x: Any) -> Any:
    executor = ThreadPoolExecutor(1)
    first = executor.submit(power, x, 3, scale=x)
    second = executor.submit(square, first.result())
    executor.shutdown()
    return first.result() * second.result(timeout=60)


def collected_as_they_come(x: Any) -> Any:
    results: dict[int, Any] = {}
    with ThreadPoolExecutor(max_workers=3) as executor:
        futures = {executor.submit(power, x * (i + 1), 2): i for i in range(3)}
        for future in as_completed([*futures, *futures]):  # each is given once
            place = futures[future]
            results[place] = results.get(place, 0.0) + future.result()
    return results[0] * results[1] + results[2]


def waited_for(x: Any) -> Any:
    with ThreadPoolExecutor(3) as executor:
        futures = [executor.submit(square, x * i) for i in range(1, 4)]
        done, left = wait(futures)
        answer = wait(futures, return_when=FIRST_COMPLETED)
    total = sum(future.result() for future in futures if future in done and future in answer.done)
    return total * (1 + len(left))


def with_an_exception(x: Any) -> Any:
    with ThreadPoolExecutor(1) as executor:
        good, bad = executor.submit(positive, x), executor.submit(positive, -x)
    try:
        return bad.result()
    except ValueError as error:
        return good.result() * error.args[0]


def exceptions_that_are_asked_for(x: Any) -> Any:
    with ThreadPoolExecutor(1) as executor:
        made = [executor.submit(positive, v) for v in (x, -x, 2 * x)]
    total = 0.0
    for one in made:
        error = one.exception()
        if error is None and one.done() and not one.cancelled():
            total += one.result()
        else:
            total -= error.args[0]
    return total


def mapped_until_it_raises(x: Any) -> Any:
    total = 0.0
    with ThreadPoolExecutor(1) as executor:
        try:
            for value in executor.map(positive, [x, 2 * x, -x, x]):
                total += value
        except ValueError:
            total *= x
    return total


def with_callbacks(x: Any) -> Any:
    seen: list[Any] = []
    with ThreadPoolExecutor(1) as executor:
        future = executor.submit(square, x)
        future.add_done_callback(lambda made: seen.append(made.result() * x))
    return seen[0] * x


def under_a_lock(x: Any) -> Any:
    lock, total = threading.Lock(), [0.0]

    def add(v: Any) -> None:
        with lock:
            total[0] += v * x

    with ThreadPoolExecutor(4) as executor:
        for i in range(3):
            executor.submit(add, x * i)
    return total[0]


def made_outside(x: Any) -> Any:
    return sum(OUTSIDE.map(square, [x, 3 * x])) * OUTSIDE.submit(square, x).result()


def of_arrays(x: Any) -> Any:
    rows = np.array([[x, 1.0], [2.0, x * x]])
    with ThreadPoolExecutor(2) as executor:
        return sum(executor.map(lambda row: np.sum(row**3), rows))


def arrays_written_by_calls(x: Any) -> Any:
    y = np.zeros(4)

    def fill(i: int) -> None:
        y[i] = x**i

    with ThreadPoolExecutor(2) as executor:
        list(executor.map(fill, range(4)))
    return np.sum(y * y)


class Model:
    """Has an executor, and calls that are methods."""

    def __init__(self, weight: Any) -> None:
        self.weight, self.executor = weight, ThreadPoolExecutor(1)

    def apply(self, v: Any) -> Any:
        return self.weight * v

    def total(self, values: Any) -> Any:
        return sum(self.executor.map(self.apply, values))


def in_a_field(x: Any) -> Any:
    return Model(x * x).total([x, 2.0])


def in_each_other(x: Any) -> Any:
    with ThreadPoolExecutor(1) as outer, ThreadPoolExecutor(1) as inner:
        return outer.submit(lambda v: inner.submit(square, v * x).result() * v, x).result()


def partial_calls(x: Any) -> Any:
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(functools.partial(power, scale=x), x, 3).result()


def after_it_was_shut_down(x: Any) -> Any:
    executor = ThreadPoolExecutor(1)
    executor.shutdown(wait=False)
    try:
        return executor.submit(square, x).result()
    except RuntimeError:
        return x**3


def asked_what_it_is(x: Any) -> Any:
    with ThreadPoolExecutor(1) as executor:
        made = executor.submit(square, x)
    known = isinstance(executor, Executor) and isinstance(made, Future) and "finished" in repr(made)
    return made.result() * x if known and not made.running() and not made.cancel() else x


PROGRAMS = (
    mapped,
    mapped_over_several,
    handed_in,
    collected_as_they_come,
    waited_for,
    with_an_exception,
    exceptions_that_are_asked_for,
    mapped_until_it_raises,
    with_callbacks,
    under_a_lock,
    made_outside,
    of_arrays,
    arrays_written_by_calls,
    in_a_field,
    in_each_other,
    partial_calls,
    after_it_was_shut_down,
    asked_what_it_is,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients_and_values(program: Callable[..., Any]) -> None:
    def slope(h: float) -> float:
        return float(program(1.5 + h) - program(1.5 - h)) / (2 * h)

    value, gradients = zg.withgradient(program, 1.5)
    assert value == pytest.approx(program(1.5), rel=1e-14)
    assert gradients[0] == pytest.approx((4 * slope(5e-4) - slope(1e-3)) / 3, rel=1e-8)


REFUSED_AGAIN = (waited_for, under_a_lock, partial_calls)
"""Programs whose gradients are not differentiated once more."""


@pytest.mark.parametrize("program", REFUSED_AGAIN, ids=lambda program: program.__name__)
def test_second_derivatives_that_are_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(zg.ZygpyError):
        zg.hvp(program, 1.5, 1.0)


@pytest.mark.parametrize(
    "program", [p for p in PROGRAMS if p not in REFUSED_AGAIN], ids=lambda program: program.__name__
)
def test_second_derivatives(program: Callable[..., Any]) -> None:
    def curvature(h: float) -> float:
        return float(program(1.5 + h) - 2 * program(1.5) + program(1.5 - h)) / h**2

    expected = (4 * curvature(1e-3) - curvature(2e-3)) / 3
    assert zg.hvp(program, 1.5, 1.0) == pytest.approx(expected, rel=1e-6)


def test_threads_are_refused() -> None:
    def starts(x: Any) -> Any:
        out: list[Any] = []
        thread = threading.Thread(target=lambda: out.append(x * x))
        thread.start()
        thread.join()
        return out[0]

    with pytest.raises(zg.UnsupportedSyntaxError, match=r"a thread is made(.|\n)*ThreadPoolExecutor"):
        zg.gradient(starts, 2.0)


def test_calls_of_others_are_refused() -> None:
    earlier = OUTSIDE.submit(square, 2.0)

    def waits(x: Any) -> Any:
        return x * sum(one.result() for one in as_completed([earlier, OUTSIDE.submit(square, x)]))

    with pytest.raises(zg.UnsupportedSyntaxError, match="calls that others have handed in"):
        zg.gradient(waits, 2.0)
