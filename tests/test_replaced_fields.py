"""`dataclasses.replace` of objects whose class is known, and of others."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import zygpy as zg
from zygpy.testing import check_gradient

X = np.linspace(0.5, 1.5, 6)
MADE: list[float] = []


@dataclass(frozen=True)
class State:
    p: Any
    v: Any = 2.0
    unit: ClassVar[float] = 3.0

    def step(self, h: float) -> State:
        return replace(self, p=self.p + h * self.v, v=self.v - h * self.p)


@dataclass
class Open:
    p: Any
    log: list[Any] = field(default_factory=list)


@dataclass
class Checked:
    p: Any
    q: Any = 1.0

    def __post_init__(self) -> None:
        MADE.append(1.0)
        self.q = self.q * self.p


@dataclass(frozen=True)
class Derived(State):
    w: Any = 1.0


@dataclass(slots=True)
class Slotted:
    p: Any
    v: Any


@dataclass
class Part:
    p: Any
    given: dataclasses.InitVar[Any] = 2.0
    made: Any = field(init=False, default=1.0)

    def __post_init__(self, given: Any) -> None:
        self.made = self.p * given


@dataclass(init=False)
class Own:
    p: Any
    v: Any

    def __init__(self, p: Any, v: Any) -> None:
        self.p, self.v = p * 2.0, v


def loop(x: Any) -> Any:
    s = State(x[0], x[1])
    for _ in range(4):
        s = replace(s, p=s.p + 0.1 * s.v, v=s.v - 0.1 * s.p)
    return s.p * s.v


def with_a_variable_of_the_class(x: Any) -> Any:
    s = State(x[0], x[1])
    for _ in range(2):
        s = replace(s, p=s.p + 0.1 * s.v * s.unit)
    return s.p * s.v * s.unit


def by_method(x: Any) -> Any:
    s = State(x[0])
    for i in range(3):
        s = s.step(0.1 * i)
    return s.p * s.v


def shared_list(x: Any) -> Any:
    a = Open(x[0])
    b = replace(a, p=x[1])
    b.log.append(x[2])
    a.p = a.p * 3.0
    return a.log[0] * a.p * b.p


def another_list(x: Any) -> Any:
    a = Open(x[0], [x[1]])
    b = dataclasses.replace(a, log=[x[2], x[3]])
    b.log.append(b.p)
    return sum(b.log) * sum(a.log)


def initialised_again(x: Any) -> Any:
    a = Checked(x[0], x[1])
    b = replace(a, p=x[2])
    return a.q * b.q


def inherited(x: Any) -> Any:
    d = Derived(x[0], x[1], x[2])
    e = replace(d, w=d.w * d.p)
    return e.w * e.v * e.p


def in_slots(x: Any) -> Any:
    s = Slotted(x[0], x[1])
    for v in x:
        s = replace(s, v=s.v * v)
    return s.v * s.p


def with_parts(x: Any) -> Any:
    part = Part(x[0], x[1])
    other = replace(part, p=x[2], given=x[3])
    return part.made * other.made


def of_its_own(x: Any) -> Any:
    s = Own(x[0], x[1])
    t = replace(s, v=x[2])
    return t.p * t.v


def either(x: Any) -> Any:
    s = State(x[0], x[1]) if x[2] > 0 else Slotted(x[0], x[1])
    return replace(s, p=x[3]).p * s.v


def perhaps(x: Any) -> Any:
    s = State(x[0], x[1])
    if x[2] > 0.1:
        s = replace(s, p=s.p * s.v)
    return s.p * s.v


def by_dict(x: Any) -> Any:
    return replace(State(x[0], x[1]), p=x[2]).p * x[0]


PROGRAMS: tuple[Callable[..., Any], ...] = (
    *(loop, by_method, shared_list, another_list, initialised_again, inherited, in_slots, with_parts),
    *(of_its_own, either, perhaps, by_dict, with_a_variable_of_the_class),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_gradient(program: Callable[..., Any]) -> None:
    MADE.clear()
    plain = program(X.copy())
    made = len(MADE)
    MADE.clear()
    assert zg.pullback(program, X.copy())[0] == plain
    assert len(MADE) == made
    check_gradient(program, X.copy())


@pytest.mark.parametrize("program", [loop, by_method, shared_list, in_slots, perhaps])
def test_second_order(program: Callable[..., Any]) -> None:
    check_gradient(program, X.copy(), order=2)


def unknown_field(x: Any) -> Any:
    return replace(State(x), other=x).p


def of_no_object(x: Any) -> Any:
    return replace(x, p=x)


@pytest.mark.parametrize("program", [unknown_field, of_no_object])
def test_exceptions(program: Callable[..., Any]) -> None:
    with pytest.raises(TypeError) as plain:
        program(1.5)
    with pytest.raises(TypeError) as found:
        zg.pullback(program, 1.5)
    assert str(plain.value) == str(found.value)


def test_the_class_is_called() -> None:
    assert "pull" not in str(zg.show_adjoint(loop, X)).replace("pullback", "")


def squared(x: Any) -> Any:
    return replace(State(x), p=x * x).p


def test_another_function_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zg.gradient(squared, 3.0) == (6.0,)
    monkeypatch.setitem(globals(), "replace", lambda s, **fields: State(fields["p"] * 10.0))
    assert zg.gradient(squared, 3.0) == (60.0,)
    monkeypatch.undo()
    assert zg.gradient(squared, 3.0) == (6.0,)
