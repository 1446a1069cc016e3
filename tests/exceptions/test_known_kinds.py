"""Bodies of `try` whose operations are on numbers, and those that turn out to be on objects: what was done
before one fails is differentiated."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import zygpy as zg
from tests.exceptions.test_exceptions import V, X, numerical_gradient, slope


class Failed(Exception):
    pass


class Scaled:
    """A number whose operators count how often they ran, and fail at last."""

    def __init__(self, value: Any, limit: int = 99) -> None:
        self.value, self.limit, self.log = value, limit, [value]

    def _made(self, value: Any) -> Any:
        self.log.append(value)
        if len(self.log) > self.limit:
            raise Failed(value)
        return value

    def __mul__(self, other: Any) -> Any:
        return self._made(self.value * other)

    __rmul__ = __mul__

    def __gt__(self, other: Any) -> bool:
        return bool(self._made(self.value * 2.0) > other)

    def __bool__(self) -> bool:
        return bool(self._made(self.value * 3.0) > 0.0)

    def __float__(self) -> float:
        return self._made(self.value) * 1.0  # type: ignore[no-any-return]


def numbers_and_a_value(x: Any) -> Any:
    total = 0.0
    for t in x:
        try:
            u = t * t
            if u > 1.0:
                raise Failed(u * t)
            total = total + u * 3.0
        except Failed as failure:
            total = total + failure.args[0] ** 2
    return total * total


def numbers_then_an_object(x: Any) -> Any:
    s, total = Scaled(x[0], 3), 0.0
    for t in x:
        try:
            u = t * t + 1.0
            total = total + s * u
        except Failed as failure:
            total = total + failure.args[0] * t
    return total + sum(s.log) * x[1]


def a_number_that_becomes_an_object(x: Any) -> Any:
    a, kept = x[0], []
    for t in x:
        try:
            b = a * t
            kept.append(b)
            if a > 0.1:
                c = t * t
            kept.append(c)
        except Failed as failure:
            kept.append(failure.args[0] * 5.0)
        a = Scaled(t, 2)
    return sum(kept) * x[0]


def a_question_of_an_object(x: Any) -> Any:
    s, total = Scaled(x[1], 2), x[0]
    for t in x:
        try:
            total = total * 1.5
            if s:
                total = total + t * t
            total = total + s * t
        except Failed as failure:
            total = total + failure.args[0]
    return total + s.log[-1]


def divisions_by_numbers_of_python(x: Any) -> Any:
    kept, total = [x[0]], 0.0
    for k in range(4):
        try:
            total = total + kept[-1] * 2.0
            kept.append(x[1] * (1.0 / (k - 2)))
            total = total + kept[-1]
        except ZeroDivisionError:
            kept.append(total * x[2])
    return total * kept[-1] + kept[1]


def roots_of_what_is_negative(x: Any) -> Any:
    total, kept = x[0] * 1.0, {}
    for k, t in enumerate(x):
        try:
            total = total * t
            kept[k] = math.sqrt(t - x[1] + 0.01)
            total = total + kept[k]
        except ValueError:
            kept[k] = total * 2.0
            total = total + t
    return total + sum(kept.values())


def fields_of_an_object(x: Any) -> Any:
    s = Scaled(x[0])
    for t in x:
        try:
            s.value = s.value * t
            if t > x[0]:
                raise Failed(s.value)
            s.log.append(s.value)
        except Failed as failure:
            s.value = s.value + failure.args[0]
    return s.value + sum(s.log)


def in_a_finally(x: Any) -> Any:
    total, s = 0.0, Scaled(x[2], 2)
    for t in x:
        try:
            try:
                total = total + t * t
                total = total + s * t
            finally:
                u = total * t
                total = total + u
        except Failed as failure:
            total = total + failure.args[0] * 0.5
    return total


def floats_of_objects(x: Any) -> Any:
    total = 0.0
    for t in (x[0], Scaled(x[1]), x[2], Scaled(x[0], 1)):
        try:
            u = float(t)
            total = total + u * u
        except Failed as failure:
            total = total + failure.args[0] ** 3
    return total


def parts_of_arrays(x: Any) -> Any:
    y, total = np.ones(3) * x[0], 0.0
    for k in range(5):
        try:
            y[k % 3] = y[k % 3] * x[1]
            total = total + y[k] * y[0]
        except IndexError:
            y[0] = y[0] + x[2]
            total = total * 1.1
    return total + np.sum(y * y)


def variables_without_a_value(x: Any) -> Any:
    total = x[0]
    for k in range(3):
        try:
            if k > 0:
                late = x[k] * 2.0
            total = total * x[1]
            total = total + late
        except UnboundLocalError as failure:
            total = total + x[2] * len(failure.args)
    return total


def texts_and_numbers(x: Any) -> Any:
    total, seen = 0.0, []
    for t in (x[0], "a", x[1], None, x[2]):
        try:
            seen.append(total)
            total = total + t * x[0]
        except TypeError:
            total = total + x[1] * len(seen)
    return total + sum(seen)


class Pair(NamedTuple):
    first: Any
    second: Any


def records(x: Any) -> Any:
    kept, pair = [], Pair(x[0], x[1])
    try:
        pair = pair._replace(first=Scaled(x[2]) * x[0])
        kept.append(pair)
        pair = Pair._make([x[1], x[2], x[0]])
    except TypeError:
        pair = pair._replace(second=kept[0].first * 2.0)
    return pair.first * pair.second + sum(pair._asdict().values()) * kept[0].second


PROGRAMS = (
    *(numbers_and_a_value, numbers_then_an_object, a_question_of_an_object, divisions_by_numbers_of_python),
    *(roots_of_what_is_negative, fields_of_an_object, in_a_finally, parts_of_arrays),
    *(variables_without_a_value, texts_and_numbers, records),
)


class Index:
    """An index that counts, of a class that has items itself."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __index__(self) -> int:
        self.value = self.value * 2.0
        return 1

    def __getitem__(self, index: int) -> float:
        return 1.0


def an_index_that_changes(x: Any) -> Any:
    index, items = Index(x[0]), [x[0], x[1], x[2]]
    try:
        t = items[index]  # type: ignore[call-overload]
        items[0] = x[1]
    except Failed:
        t = x[0]
    return index.value * t


class Asked:
    """Something that notes that it is asked, and fails."""

    def __init__(self, value: Any, log: list[Any]) -> None:
        self.value, self.log = value, log

    def __bool__(self) -> bool:
        self.log.append(self.value * 3.0)
        raise Failed

    def __len__(self) -> int:
        self.log.append(self.value * 2.0)
        raise Failed


def a_question_of_what_may_be_a_number(x: Any) -> Any:
    log = [1.0]
    items, y = [x[0], Asked(x[2], log)], x[1]
    try:
        for v in items:
            y = y * 2.0 if v else y
    except Failed:
        y = y + log[-1]
    return y + sum(log)


def a_length_of_what_may_be_a_number(x: Any) -> Any:
    log = [1.0]
    items, y = [x[0], Asked(x[2], log)], x[1]
    try:
        y = y * len(items[1])
    except Failed:
        y = y + log[-1]
    return y + sum(log)


REFUSED = {
    a_question_of_what_may_be_a_number: "an exception left '__bool__' and was caught",
    a_length_of_what_may_be_a_number: "an exception left '__len__' and was caught",
    an_index_that_changes: "a method that may change something is called by code",
    a_number_that_becomes_an_object: "an exception left '__gt__' and was caught",
    floats_of_objects: "an exception left '__float__' and was caught",
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_first_and_second_derivatives(program: Callable[..., Any]) -> None:
    (found,) = zg.gradient(program, X)
    assert zg.pullback(program, X)[0] == pytest.approx(program(X), rel=1e-14)
    assert found == pytest.approx(numerical_gradient(program, X), rel=1e-6, abs=1e-8)
    products = slope(lambda x: zg.gradient(program, x)[0], X, V)
    assert zg.hvp(program, X, V) == pytest.approx(products, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(zg.ZygpyError, match=REFUSED[program]):
        zg.gradient(program, X)
