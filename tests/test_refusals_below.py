"""Statements that cannot be followed are refused wherever they are reached, by whatever name."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest

import zygpy as zg
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError


def evaluated(x: Any) -> Any:
    return eval("x * x")


def looked_up(x: Any) -> Any:
    found = locals()
    return found["x"] * 2.0


def below(x: Any) -> Any:
    return evaluated(x) + 1.0


def perhaps(x: Any) -> Any:
    return evaluated(x) if x > 5.0 else x


@pytest.mark.parametrize("function", [evaluated, looked_up, below])
@pytest.mark.parametrize(
    "calling",
    [
        lambda f: f,
        lambda f: lambda x: sum(map(f, [x])),
        lambda f: lambda x: (lambda g: g(x))(f),
        lambda f: lambda x: [f][0](x),
    ],
)
def test_they_are_refused(function: Callable[[Any], Any], calling: Callable[[Any], Any]) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="looks into the running frame"):
        zg.gradient(calling(function), 0.6)


def test_what_is_not_reached_is_not_refused() -> None:
    assert zg.gradient(lambda x: sum(map(perhaps, [x, 2.0 * x])), 0.6) == (3.0,)


def packed(x: Any) -> Any:
    y = x * x
    return struct.unpack("d", struct.pack("d", y))[0]  # the line that is named


@pytest.mark.parametrize(
    "derived",
    [
        lambda: zg.hvp(packed, 0.7, 1.0),
        lambda: zg.hessian(packed, 0.7),
        lambda: zg.gradient(lambda x: zg.gradient(packed, x)[0], 0.7),
    ],
)
def test_derivatives_of_derivatives_name_the_line_of_the_user(derived: Callable[[], Any]) -> None:
    with pytest.raises(MissingRuleError) as refusal:
        derived()
    place, notes = refusal.value.place, refusal.value.__notes__
    assert place is not None and "the line that is named" in place.text
    assert any(f"{__file__}, line {place.line}" in note for note in notes)
