"""Tangents of programs that call what may store where others find it: right, or left to reverse mode."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.tangents_pulled import tangent_pull
from zygpy.testing.numeric import slope

X, STEP = 1.5, 0.02
STATE: dict[str, Any] = {}
KEPT: list[Any] = []


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v

    def put(self, v: Any) -> None:
        self.v = v


SHARED = Box(1.0)


def gives(b: Any, x: Any) -> Any:
    b.v = [b.v * x]
    return b


def stores(b: Any, x: Any) -> Any:
    STATE["x"] = b.v * x
    return Box([b.v])


def keeps(b: Any, x: Any) -> Any:
    KEPT.append(b)
    b.v = [x]
    return Box([b.v])


def puts(b: Any, x: Any) -> Any:
    SHARED.put(b.v * x)
    return Box([x])


TABLE: dict[str, Any] = {"f": gives}


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    TABLE["f"] = gives
    STATE.clear()
    KEPT.clear()
    SHARED.v = 1.0


def program(x: Any) -> Any:
    box = Box(x * x)
    found = TABLE["f"](box, x)
    first = found.v[0]
    first = first[0] if isinstance(first, list) else first
    own = box.v[0] if isinstance(box.v, list) else box.v
    return first * own * STATE.get("x", x) * SHARED.v * (KEPT[-1].v[0] if KEPT else 1.0)


def plain(x: float) -> float:
    STATE.clear()
    KEPT.clear()
    SHARED.v = 1.0
    return float(program(x))


def second_difference(x: float) -> float:
    return slope(lambda t: slope(lambda s: plain(x + t + s), STEP).value, STEP).value


def hvp_of_program() -> Any:
    STATE.clear()
    KEPT.clear()
    SHARED.v = 1.0
    return zg.hvp(program, X, 1.0)


def own_program(x: Any) -> Any:
    box = Box(x * x)
    return TABLE["f"](box, x).v[0] * box.v[0] * x


def test_a_function_of_a_table_that_changes_what_it_is_given_has_a_tangent() -> None:
    assert tangent_pull(own_program, X) is not None
    expected = slope(lambda t: slope(lambda s: own_program(X + t + s), STEP).value, STEP).value
    assert zg.hvp(own_program, X, 1.0) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("callee", [gives, stores, keeps, puts], ids=lambda f: f.__name__)
def test_whatever_the_table_has(callee: Callable[..., Any]) -> None:
    TABLE["f"] = callee
    assert hvp_of_program() == pytest.approx(second_difference(X), rel=1e-6)
    STATE.clear()
    KEPT.clear()
    SHARED.v = 1.0
    assert zg.pushforward(program, X)(1.0) == pytest.approx(slope(lambda t: plain(X + t), STEP).value)


def test_what_the_table_has_later() -> None:
    for callee in (gives, stores, gives, puts, keeps, gives):
        TABLE["f"] = callee
        assert hvp_of_program() == pytest.approx(second_difference(X), rel=1e-6)


# --------------------------------------------------------------------------- what unseen functions write to


def scales_an_item(x: Any, v: Any) -> Any:
    for _ in range(2):
        v[0] *= math.cos(x)
    return v[0] * v[1]


def appends(x: Any, v: Any) -> Any:
    v.append(v[0] * x * x)
    return sum(v) * x


def scales_a_field(x: Any, v: Any) -> Any:
    v.v *= math.cos(x)
    return v.v * x


WRITTEN: dict[str, tuple[Callable[..., Any], Callable[[float], Any]]] = {
    "array": (scales_an_item, lambda t: np.array([1.0 + 0.2 * t, 2.0 - 0.3 * t])),
    "list": (scales_an_item, lambda t: [1.0 + 0.2 * t, 2.0 - 0.3 * t]),
    "list that grows": (appends, lambda t: [1.0 + 0.2 * t, 2.0 - 0.3 * t]),
    "object": (scales_a_field, lambda t: Box(1.5 + 0.3 * t)),
}


OTHERS = ("math", "np", "Any", "X", "STATE", "KEPT", "Box", "SHARED", "TABLE", "gives", "slope", "WRITTEN")


def holder_of(function: Any) -> Any:
    """An object that has a function in a table, in which it is itself, so that nothing is known of that."""
    holder = Box(None)
    holder.v = {**{name: globals()[name] for name in OTHERS}, "callee": function, "holder": holder}
    return holder


@pytest.mark.parametrize("form", WRITTEN)
def test_arguments_are_as_they_were_when_a_product_is_begun_again(form: str) -> None:
    callee, made = WRITTEN[form]
    holder: Any = holder_of(callee)
    along_v: dict[str, Any] = {"object": Box(0.3), "array": np.array([0.2, -0.3])}
    direction = along_v.get(form, [0.2, -0.3])

    def program(given: Any) -> Any:
        return holder.v["callee"](*given)

    def along(t: float, x: float) -> Any:
        return callee(x + 0.3 * t, made(t))

    expected = slope(lambda t: slope(lambda s: along(t, 0.7 + s), STEP).value, STEP).value
    for _ in range(2):
        product = zg.hvp(program, (0.7, made(0.0)), (0.3, direction))
        assert product[0] == pytest.approx(expected, rel=1e-6)
