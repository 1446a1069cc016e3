"""Exceptions in differentiated code: what Python itself can tell of them is as in a plain call."""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

SEEN: list[Any] = []


def divided(x: float, y: float) -> float:
    return x / y


def looks_at_the_exception(x: float, y: float) -> float:
    try:
        z = divided(x, y)
    except ZeroDivisionError as error:
        frames = error.__traceback__ is not None
        SEEN.append((sys.exc_info()[1] is error, error.__context__ is None, frames, str(error)))
        z = x * x
    SEEN.append(sys.exc_info()[1] is None)
    return z


def test_a_handler_runs_while_its_exception_is_being_handled() -> None:
    SEEN.clear()
    assert zg.gradient(looks_at_the_exception, 3.0, 0.0) == (6.0, 0.0)
    assert SEEN == [(True, True, True, "float division by zero"), True]


def raises_another(x: float) -> float:
    try:
        return math.log(x)
    except ValueError as error:
        raise KeyError("outer") from error


def raises_in_a_handler(x: float) -> float:
    try:
        return math.log(x)
    except ValueError:
        return {}["missing"] * x  # type: ignore[index]


def raised_again(x: float) -> float:
    try:
        return math.log(x)
    finally:
        SEEN.append("finally")


@pytest.mark.parametrize("function", [raises_another, raises_in_a_handler, raised_again])
def test_an_exception_that_leaves_is_that_of_a_plain_call(function: Callable[[float], float]) -> None:
    def outcome(call: Callable[[], Any]) -> Any:
        SEEN.clear()
        with pytest.raises((KeyError, ValueError)) as caught:
            call()
        error = caught.value
        chain = [type(other) for other in (error.__cause__, error.__context__)]
        return type(error), error.args, chain, error.__suppress_context__, list(SEEN)

    assert outcome(lambda: zg.pullback(function, -1.0)) == outcome(lambda: function(-1.0))
    assert zg.gradient(function, 2.0) == (0.5,)


def swallows_everything(x: float) -> float:
    try:
        return float(struct.unpack("d", struct.pack("d", x))[0])
    except Exception:
        return 3.0 * x


def test_a_refusal_is_not_caught_by_the_program() -> None:
    with pytest.raises(zg.MissingRuleError):
        zg.gradient(swallows_everything, 2.0)


def interrupted(x: float) -> float:
    try:
        raise KeyboardInterrupt
    except Exception:
        return x


def test_an_interrupt_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        zg.gradient(interrupted, 2.0)


def halved_until_it_fits(x: float, step: float) -> float:
    while True:
        try:
            value = math.sqrt(x - step)
        except ValueError:
            step = step / 2
        else:
            return value * step


def test_pullbacks_may_be_called_again() -> None:
    y, back = zg.pullback(halved_until_it_fits, 1.0, 3.0)
    assert y == pytest.approx(math.sqrt(0.25) * 0.75)
    expected = 0.75 / (2 * 0.5), (0.5 - 0.75 / (2 * 0.5)) / 4
    assert back(1.0) == pytest.approx(expected)
    assert back(1.0) == pytest.approx(expected)
    assert back(2.0) == pytest.approx(tuple(2 * bar for bar in expected))


class Found(Exception):
    def __init__(self, value: float, place: int) -> None:
        self.value, self.place = value, place


def search(values: list[float], limit: float) -> float:
    for place, value in enumerate(values):
        if value > limit:
            raise Found(value * value, place)
    return 0.0


def what_was_found(values: list[float], limit: float) -> float:
    try:
        return search(values, limit)
    except Found as found:
        return found.value * (found.place + 1)


def test_what_an_exception_brings_from_a_callee_has_a_gradient() -> None:
    assert zg.gradient(what_was_found, [1.0, 2.0, 3.0], 1.5) == ([0.0, 8.0, 0.0], None)


class Account:
    def __init__(self, balance: float) -> None:
        self.balance = balance

    def spend(self, amount: float) -> None:
        self.balance = self.balance - amount
        if self.balance < 0:
            raise ValueError("overdrawn")


def spends(x: float, y: float) -> float:
    account = Account(x)
    for _ in range(10):
        try:
            account.spend(y * y)
        except ValueError:
            break
    return account.balance * x


def test_what_a_method_changed_before_it_failed_counts() -> None:
    # five times 0.25: 1.1 - 5 * 0.25 = -0.15
    assert zg.gradient(spends, 1.1, 0.5) == pytest.approx((-0.15 + 1.1, -5 * 2 * 0.5 * 1.1))


def the_name_is_unbound(x: float) -> float:
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError as error:
        x = x * len(error.args)
    try:
        return x * len(str(error))  # type: ignore[misc]  # noqa: F821
    except UnboundLocalError:
        return x * x


def test_the_name_of_an_exception_is_unbound_behind_its_handler() -> None:
    assert zg.gradient(the_name_is_unbound, 3.0) == (6.0,)


def divided_in_place(x: Any, y: float) -> Any:
    z = x * 1.0
    with np.errstate(all="raise"):
        try:
            z /= y
        except FloatingPointError:
            z[0] = 1.0
    return np.sum(z * x)


def test_an_array_that_may_be_written_in_part_is_refused() -> None:
    v = np.array([1.0, 2.0])
    assert np.allclose(zg.gradient(divided_in_place, v, 2.0)[0], v)
    with pytest.raises(zg.UnsupportedSyntaxError, match="an error of arithmetic"):
        zg.gradient(divided_in_place, v, 0.0)


class Countdown:
    def __init__(self, value: float, count: int) -> None:
        self.value, self.count = value, count

    def __iter__(self) -> Countdown:
        return self

    def __next__(self) -> float:
        if self.count == 0:
            raise StopIteration
        self.count -= 1
        self.value = self.value * self.value
        return self.value


def steps_before_it_failed(x: float) -> float:
    steps = Countdown(x, 3)
    try:
        for step in steps:
            last = step
        math.sqrt(-last)
    except ValueError:
        pass
    return steps.value


def failed_between_the_steps(x: float) -> float:
    steps = Countdown(x, 3)
    try:
        for step in steps:
            math.sqrt(4.0 - step)
    except ValueError:
        pass
    return steps.value


def test_what_an_iterator_changed_before_a_failure_counts() -> None:
    assert zg.gradient(steps_before_it_failed, 1.5) == pytest.approx((8 * 1.5**7,))
    assert zg.gradient(failed_between_the_steps, 1.5) == pytest.approx((4 * 1.5**3,))


class Keeper:
    def __init__(self) -> None:
        self.kept: Any = 0.0

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, kind: Any, error: Any, where: Any) -> bool:
        if error is not None:
            self.kept = error.args[0]
        return True


def kept_by_a_context_manager(x: float) -> float:
    keeper = Keeper()
    with keeper:
        raise ValueError(x * x)
    return keeper.kept * x


def test_what_a_context_manager_takes_out_of_an_exception_has_a_gradient() -> None:
    assert zg.gradient(kept_by_a_context_manager, 2.0) == (12.0,)
