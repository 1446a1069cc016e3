"""Methods of numbers that only ask something, counted elements, and typed dicts: in plain programs
and where things are found by identity."""

from __future__ import annotations

import copy
import datetime as dt
import json
import re
import struct
from collections import Counter
from typing import Any, TypedDict

import pytest

import zygpy as zg
from zygpy.testing import check_gradient


class Box:
    def __init__(self, held: Any) -> None:
        self.held = held


class Rates(TypedDict):
    low: float
    high: float


def asked(x: Any, n: int) -> Any:
    return (x * x if x.is_integer() else 3 * x) * n.bit_length() * n.bit_count()


def asked_in_objects(x: Any, n: int) -> Any:
    box, found = Box(n), [x]
    if not Box(x).held.is_integer():
        found.append(box.held.bit_length() * x * x)
    return sum(found) * box.held.bit_count()


@pytest.mark.parametrize(
    ("program", "x", "expected"),
    [
        # n is 5: three digits in base two, two of them ones
        (asked, 2.5, 3 * 3 * 2),
        (asked, 3.0, 2 * 3.0 * 3 * 2),
        (asked_in_objects, 2.5, (1 + 3 * 2 * 2.5) * 2),
        (asked_in_objects, 3.0, 2),
    ],
)
def test_questions_to_numbers(program: Any, x: float, expected: float) -> None:
    found, of_digits = zg.gradient(program, x, 5)
    assert found == pytest.approx(expected)
    assert not of_digits


def counted(x: Any, y: Any) -> Any:
    seen = [x]
    seen.append(y)
    plain, mixed = Counter(letter for letter in "abca"), Counter("aab")
    mixed["a"] += x
    mixed.update("abb")
    mixed.update({"a": x * y})
    return seen[0] * plain["a"] + seen[1] * mixed["b"] + mixed["a"] * x


def of_typed_dicts(x: Any, y: Any) -> Any:
    box = Box(Rates(low=x, high=y))
    box.held["low"] += y
    return box.held["low"] * box.held["high"]


@pytest.mark.parametrize("program", [counted, of_typed_dicts])
def test_counters_and_typed_dicts(program: Any) -> None:
    check_gradient(program, 0.7, 0.4, order=2)
    assert zg.pushforward(program, 0.7, 0.4)(1.0, 0.0) == pytest.approx(zg.gradient(program, 0.7, 0.4)[0])


class Holder:
    held: Any


def read_from_texts(x: Any, y: Any) -> Any:
    holder, found = Holder(), re.match(r"(\d+)", "12ab")
    assert found is not None
    holder.held = [float(found.group(1)) * x, json.loads('{"a": [2.5]}')["a"][0]]
    holder.held.append(float(re.compile(r"[\d.]+").findall("1.5, 3")[1]) * y)
    return holder.held[0] * holder.held[1] * holder.held[2]


def packed(x: Any, y: Any) -> Any:
    holder = Holder()
    holder.held = struct.unpack("<d", struct.pack("<d", 1.5))[0] * x
    holder.held = [holder.held, (dt.date(2020, 1, 5) - dt.date(2020, 1, 1)).days * y]
    return holder.held[0] ** 2 * holder.held[1]


class Made:
    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)
        self.best: Any = None

    def save(self) -> None:
        self.kept = copy.deepcopy(self.best)

    def load(self) -> None:
        self.best = copy.deepcopy(self.kept)


def copied_nothing(x: Any, y: Any) -> Any:
    made = Made(value=x)
    made.save()
    made.best = y
    made.load()
    made.best = [x * y] if made.best is None else 3.0
    made.save()
    function, kind = copy.deepcopy(read_from_texts), copy.copy(Made)
    assert function is read_from_texts
    assert kind is Made
    return made.value * made.kept[0]


@pytest.mark.parametrize("program", [read_from_texts, packed, copied_nothing])
def test_constants_of_code_in_c(program: Any) -> None:
    check_gradient(program, 0.7, 0.4, order=2)
    assert zg.pushforward(program, 0.7, 0.4)(1.0, 0.0) == pytest.approx(zg.gradient(program, 0.7, 0.4)[0])


GAIN = {"value": 1.0}
DECODER = json.JSONDecoder(parse_float=lambda text: float(text) * GAIN["value"])


def test_a_reader_that_calls_functions_of_the_program_is_refused() -> None:
    def program(x: Any) -> Any:
        holder = Holder()
        GAIN["value"] = x
        holder.held = DECODER.decode('{"a": 2.0}')["a"]
        return holder.held * x

    with pytest.raises(zg.ZygpyError):
        zg.gradient(program, 0.7)


def test_what_packs_a_number_with_a_gradient_is_refused() -> None:
    def program(x: Any) -> Any:
        holder = Holder()
        holder.held = x
        return struct.unpack("<d", struct.pack("<d", holder.held))[0] * x

    with pytest.raises(zg.MissingRuleError, match="pack"):
        zg.gradient(program, 0.7)
