"""Tangents of programs that call what may store where others find it: right, or left to reverse mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

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
