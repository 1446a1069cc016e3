"""Objects that run code when nothing holds them any more: what they would change is refused."""

from __future__ import annotations

from typing import Any

import pytest

import zygpy as zg
from zygpy.units import options

LOG: list[Any] = []


class Told:
    """Changes what it was given, at its end."""

    def __init__(self, items: Any, value: Any) -> None:
        self.items, self.value = items, value

    def __del__(self) -> None:
        self.items.append(self.value * 2.0)


class Filled:
    items: Any

    def __del__(self) -> None:
        self.items[0] = self.items[0] * 3.0


class Slotted(Filled):
    __slots__ = ("items",)


class Counted:
    factor = 2.0

    def __init__(self, value: Any = 1.0) -> None:
        self.value = value

    def __del__(self) -> None:
        LOG.append(1)


class Silent:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __del__(self) -> None:
        pass


def made(cls: Any) -> Any:
    return cls()


def given_numbers(x: Any) -> Any:
    items = [x]
    told = Told(items, x * x)
    del told
    return items[-1] * x


def bound_anew(x: Any) -> Any:
    counted = Counted(x)
    first = counted.value * x
    counted = Counted(x * 2.0)
    return first * counted.value * len(LOG)


def dropped_at_once(x: Any) -> Any:
    Counted(x)
    return x * len(LOG)


def filled_later(x: Any) -> Any:
    items, filled = [x], Filled()
    filled.items = items
    filled = None  # type: ignore[assignment]
    return items[0] * x


def made_by_a_function(x: Any) -> Any:
    items, filled = [x], made(Filled)
    filled.items = items
    del filled
    return items[0] * x


def in_a_list(x: Any) -> Any:
    items, held = [x], [made(Slotted)]
    held[0].items = items
    held.clear()
    return items[0] * x


def of_a_class_that_is_made(x: Any) -> Any:
    items, filled = [x], type("Made", (Filled,), {})()
    filled.items = items
    filled = None
    return items[0] * x


def in_a_list_with_numbers(x: Any) -> Any:
    items = [x, Counted()]
    same = items
    same.pop()
    return items[0] * len(LOG)


REFUSED = [given_numbers, bound_anew, dropped_at_once, filled_later, made_by_a_function, in_a_list]
REFUSED += [of_a_class_that_is_made, in_a_list_with_numbers]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("program", "specialise"), [*((one, True) for one in REFUSED), *((one, False) for one in REFUSED[::3])]
)
def test_what_runs_at_the_end_is_refused(program: Any, specialise: bool) -> None:
    with options(specialise=specialise):
        for derive in (lambda: zg.gradient(program, 1.5), lambda: zg.pushforward(program, 1.5)(1.0)):
            with pytest.raises(zg.UnsupportedSyntaxError, match="'__del__' would run later"):
                derive()


def silent(x: Any) -> Any:
    held = Silent(x)
    held.value = held.value * x
    return held.value * x


def without_numbers(x: Any) -> Any:
    y = made(Counted).factor * x
    return y * len(LOG)


def test_what_does_nothing_that_is_seen_is_not() -> None:
    assert zg.gradient(silent, 1.5) == (pytest.approx(3 * 1.5**2),)
    LOG.clear()
    assert zg.withgradient(without_numbers, 1.5) == (3.0, (2.0,))
