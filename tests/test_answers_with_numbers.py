"""Comparisons that a class answers: with what has no gradient they are questions; with numbers, or with
things in which numbers are, they are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy import units


class Answering:
    """Each comparison gives something else."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: Any) -> Any:
        return [self.value == other.value, self.value * other.value]

    def __lt__(self, other: Any) -> Any:
        return (self.value * other.value,)

    def __le__(self, other: Any) -> Any:
        return {"product": self.value * other.value}

    def __gt__(self, other: Any) -> Any:
        return Answering(self.value * other.value)

    def __ge__(self, other: Any) -> Any:
        return lambda: self.value * other.value

    __hash__ = None  # type: ignore[assignment]


class Telling:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: Any) -> Any:
        return None

    def __ne__(self, other: Any) -> Any:
        return "text"

    def __lt__(self, other: Any) -> Any:
        return (self.value < other.value, ["less", 1])

    __hash__ = None  # type: ignore[assignment]


REFUSED: dict[str, Callable[[Any], Any]] = {
    "list": lambda x: (Answering(x) == Answering(2 * x))[1],
    "tuple": lambda x: (Answering(x) < Answering(2 * x))[0],
    "dict": lambda x: (Answering(x) <= Answering(2 * x))["product"],
    "Answering": lambda x: (Answering(x) > Answering(2 * x)).value,
    "function": lambda x: (Answering(x) >= Answering(2 * x))(),
}

ANSWERED: dict[str, Callable[[Any], Any]] = {
    "none": lambda x: x * 2 if (Telling(x) == Telling(x)) is None else x,
    "text": lambda x: x * len(Telling(x) != Telling(x)),
    "truths": lambda x: x * 3 if (Telling(x) < Telling(2 * x))[0] else x,
}


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize("answer", REFUSED)
def test_refused(answer: str, *, specialise: bool) -> None:
    refused = pytest.raises(zg.UnsupportedSyntaxError, match=f"gives a {answer}")
    with units.options(specialise=specialise), refused:
        zg.gradient(REFUSED[answer], 1.5)


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "generic"])
@pytest.mark.parametrize(("answer", "slope"), [("none", 2.0), ("text", 4.0), ("truths", 3.0)])
def test_answered(answer: str, slope: float, *, specialise: bool) -> None:
    with units.options(specialise=specialise):
        assert zg.gradient(ANSWERED[answer], 1.5) == (slope,)
