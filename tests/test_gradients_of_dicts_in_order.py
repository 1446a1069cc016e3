"""The gradient of a dict has its keys in the order of the dict: the two may be walked over side by side."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.units import options


def backwards(d: Any) -> float:
    return d["c"] * d["b"] * (d["a"] + d["c"])


def in_a_loop(d: Any) -> float:
    total = 0.0
    for value in d.values():
        total = total * value + np.sin(value)
    return total


def some(d: Any) -> float:
    return d["d"] * d["b"]


def set_again(d: Any) -> float:
    same = d
    same["a"] = d["d"] * d["a"]
    same["new"] = d["b"]
    return same["new"] * d["a"]


GIVEN = {"a": 0.5, "b": 2.0, "c": 3.0, "d": 1.5}


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(
    ("program", "touched"), [(backwards, "abc"), (in_a_loop, "abcd"), (some, "bd"), (set_again, "abd")]
)
@pytest.mark.parametrize("cls", [dict, OrderedDict, lambda d: defaultdict(float, d)])
def test_keys_are_in_the_order_of_the_dict(
    program: Callable[[Any], float], touched: str, cls: Any, specialise: bool
) -> None:
    with options(specialise=specialise):
        (gradient,) = zg.gradient(program, cls(GIVEN))
        assert "".join(key for key in gradient if gradient[key]) == touched
        _, back = zg.pullback(program, cls(GIVEN))
        assert [key for key in back(1.0)[0] if key in touched] == list(touched)


def test_so_are_those_of_dicts_in_others() -> None:
    def nested(items: Any) -> float:
        return items[1]["rest"]["z"] * items[1]["rest"]["y"] * items[1]["first"] * items[0]

    given = [2.0, {"first": 3.0, "unused": 1.0, "rest": {"x": 5.0, "y": 7.0, "z": 11.0}}]
    (gradient,) = zg.gradient(nested, given)
    assert list(gradient[1]) == ["first", "rest"]
    assert list(gradient[1]["rest"].items()) == [("y", 66.0), ("z", 42.0)]


def test_second_derivatives_find_them_so() -> None:
    def slopes(x: float) -> float:
        first, second, third = zg.gradient(backwards, {"a": x, "b": x, "c": 2.0})[0].values()
        return first + 10.0 * second + 100.0 * third

    # of c b (a + c): b c, c (a + c), b (a + 2 c)
    x = 1.5
    assert slopes(x) == pytest.approx(2 * x + 20.0 * (x + 2.0) + 100.0 * x * (x + 4.0))
    assert zg.gradient(slopes, x)[0] == pytest.approx(2.0 + 20.0 + 100.0 * (2 * x + 4.0))
