"""Numbers and functions that a class has for all of its objects, read through an object."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

import zygpy as zg
from tests.differences import differences
from zygpy.units import options


@pytest.fixture(params=[True, False], ids=["specialised", "generic"], autouse=True)
def specialised(request: pytest.FixtureRequest) -> Iterator[bool]:
    with options(specialise=request.param):
        yield request.param


class Oscillator:
    stiffness = 2.0
    names: str | None = None
    shape = np.tanh
    wave = math.sin
    bent = staticmethod(math.exp)

    def __init__(self, damping: Any) -> None:
        self.damping = damping

    def force(self, u: Any, v: Any) -> Any:
        return -self.stiffness * u - self.damping * v


class Stiff(Oscillator):
    stiffness = 5.0


X = np.array([0.7, 1.3, 0.4])


def right(f: Callable[..., Any]) -> None:
    assert zg.gradient(f, X)[0] == pytest.approx(differences(f, X), rel=1e-8, abs=1e-9)
    v = np.array([1.0, -2.0, 0.5])
    slopes = differences(lambda t: float(zg.gradient(f, X + t[0] * v)[0] @ v), np.zeros(1))
    assert zg.hvp(f, X, v) @ v == pytest.approx(slopes[0], rel=1e-6, abs=1e-8)


def stepped(x: np.ndarray) -> Any:
    p, u, v = Oscillator(x[0]), x[1], x[2]
    for _ in range(4):
        v += 0.1 * p.force(u, v)
        u += 0.1 * v
    return u * u + v * v


def of_subclasses(x: np.ndarray) -> Any:
    return sum(p.force(x[1], x[2]) ** 2 for p in (Oscillator(x[0]), Stiff(x[0] ** 2)))


def called(x: np.ndarray) -> Any:
    p = Oscillator(x[0])
    return p.shape(x[1]) * p.wave(x[2]) + p.bent(x[0]) * p.damping


def handed(x: np.ndarray) -> Any:
    p = Oscillator(x[0])
    f = p.wave
    return f(x[1]) * p.damping if p.names is None else x[2]


def covered_later(x: np.ndarray) -> Any:
    p = Oscillator(x[0])
    before = p.force(x[1], x[2])
    p.stiffness = x[2] ** 2
    return before * p.force(x[1], x[2])


def covered_in_a_branch(x: np.ndarray) -> Any:
    p = Oscillator(x[0])
    total = 0.0
    for i in range(3):
        total += p.force(x[i], x[0])
        if i == 1:
            p.stiffness = x[1] * total
    return total


def uncovered(x: np.ndarray) -> Any:
    p = Oscillator(x[0])
    p.stiffness = x[1]
    a = p.force(x[1], x[2])
    del p.stiffness
    return a * p.force(x[1], x[2])


PROGRAMS = (stepped, of_subclasses, called, handed, covered_later, covered_in_a_branch, uncovered)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_gradient(f: Callable[..., Any]) -> None:
    right(f)


def test_of_an_argument_and_one_that_has_its_own() -> None:
    def f(p: Oscillator, x: float) -> Any:
        return p.force(x, 2.0)

    own = Oscillator(0.5)
    assert zg.gradient(f, own, 3.0)[1] == -2.0
    own.stiffness = 7.0
    found = zg.gradient(f, own, 3.0)
    assert found[1] == -7.0
    assert found[0].stiffness == -3.0
    assert zg.gradient(f, Stiff(0.5), 3.0)[1] == -5.0


def test_a_class_that_is_changed_between_two_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: np.ndarray) -> Any:
        return np.sum(Oscillator(x[0]).force(x[1], x[2]) * np.ones(2))

    right(f)
    monkeypatch.setattr(Oscillator, "stiffness", 3.0)
    right(f)
    monkeypatch.setattr(Oscillator, "stiffness", np.array([2.0, 3.0]))
    right(f)
    monkeypatch.setattr(Oscillator, "stiffness", property(lambda self: self.damping**2))
    right(f)


def test_a_function_that_is_changed_between_two_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    right(called)
    monkeypatch.setattr(Oscillator, "wave", math.cos)
    right(called)
    monkeypatch.setattr(Oscillator, "wave", lambda self, u: self.damping * u)
    right(called)


class Changed:
    k: Any = 2.0

    def __init__(self, a: Any) -> None:
        self.a = a

    def times(self, u: Any) -> Any:
        return self.k * self.a * u

    @classmethod
    def put(cls, value: Any) -> None:
        cls.k = value


def by_name(x: np.ndarray) -> Any:
    p = Changed(x[0])
    a = p.times(x[1])
    Changed.k = np.array([1.0, 3.0])
    return np.sum(a * p.times(x[2]))


def by_type(x: np.ndarray) -> Any:
    p = Changed(x[0])
    a = p.times(x[1])
    type(p).k = np.array([1.0, 3.0])
    return np.sum(a * p.times(x[2]))


def by_setattr(x: np.ndarray) -> Any:
    p = Changed(x[0])
    a = p.times(x[1])
    setattr(Changed, "k", np.array([1.0, 3.0]))  # noqa: B010
    return np.sum(a * p.times(x[2]))


def by_method(x: np.ndarray) -> Any:
    p = Changed(x[0])
    a = p.times(x[1])
    p.put(np.array([1.0, 3.0]))
    return np.sum(a * p.times(x[2]))


def by_what_is_active(x: np.ndarray) -> Any:
    p = Changed(x[0])
    a = p.times(x[1])
    Changed.k = x[2] ** 2
    return a * p.times(x[2])


def by_method_with_what_is_active(x: np.ndarray) -> Any:
    p = Changed(x[0])
    a = p.times(x[1])
    p.put(x[2] ** 2)
    return a * p.times(x[2])


WITHIN = (by_name, by_type, by_setattr, by_what_is_active)


@pytest.mark.parametrize("f", [by_method, by_method_with_what_is_active], ids=lambda f: str(f.__name__))
def test_a_class_method_that_changes_the_class(f: Callable[..., Any], specialised: bool) -> None:
    """It is entered where the class is known, and refused where it is found when it is called."""

    def whole(x: np.ndarray) -> Any:
        Changed.k = 2.0
        return f(x)

    try:
        if specialised:
            assert zg.gradient(whole, X)[0] == pytest.approx(differences(whole, X), rel=1e-8)
        else:
            with pytest.raises(zg.UnsupportedSyntaxError, match="'put' changes"):
                zg.gradient(whole, X)
    finally:
        Changed.k = 2.0


@pytest.mark.parametrize("f", WITHIN, ids=lambda f: str(f.__name__))
def test_a_class_that_the_program_changes(f: Callable[..., Any]) -> None:
    def fresh(x: np.ndarray) -> Any:
        return f(x)

    def whole(x: np.ndarray) -> Any:
        Changed.k = 2.0
        return f(x)

    try:
        found = zg.gradient(whole, X)[0]
        assert found == pytest.approx(differences(whole, X), rel=1e-8)
        Changed.k = 2.0
        found = zg.gradient(fresh, X)[0]
        assert found == pytest.approx(differences(whole, X), rel=1e-8)
    finally:
        Changed.k = 2.0


class Named(type):
    @property
    def unit(cls) -> float:
        return 100.0


class Asked(metaclass=Named):
    scale = 3.0

    def __init__(self, a: Any) -> None:
        self.a = a

    def __getattr__(self, name: str) -> Any:
        return self.a**2 if name == "unit" else 0.0


class Given(Oscillator):
    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        return found * 2 if name == "stiffness" else found


def made_up(x: np.ndarray) -> Any:
    p = Asked(x[0])
    return p.scale * p.unit * x[1]


def by_access(x: np.ndarray) -> Any:
    return Given(x[0]).force(x[1], x[2])


def test_classes_that_answer_themselves() -> None:
    right(made_up)
    with pytest.raises(zg.UnsupportedSyntaxError, match="'__getattribute__' of its own"):
        zg.gradient(by_access, X)


class Shared:
    table = np.array([1.0, 2.0, 3.0])
    seen: ClassVar[list[Any]] = []
    units: ClassVar[dict[str, Any]] = {"u": 2.0}

    def __init__(self, a: Any) -> None:
        self.a = a

    def at(self, i: int) -> Any:
        return self.table[i] * self.a * self.units["u"]

    def put(self, i: int, value: Any) -> None:
        self.table[i] = value


def is_read(x: np.ndarray) -> Any:
    return sum(Shared(v).at(i) for i, v in enumerate(x)) * (Shared(x[0]).table @ x)


def is_read_in_a_list(x: np.ndarray) -> Any:
    things: list[Any] = [Shared(x[0]), Oscillator(x[1])]
    return things[0].table @ x * things[0].at(2) * things[1].stiffness


def is_written(x: np.ndarray) -> Any:
    p, q = Shared(x[0]), Shared(x[1])
    p.table[1] = x[2] ** 2
    return q.at(1) + Shared.table[1]


def is_written_by_a_method(x: np.ndarray) -> Any:
    p, q = Shared(x[0]), Shared(x[1])
    p.put(1, x[2] * x[0])
    return q.at(1) * q.at(0)


def is_written_under_another_name(x: np.ndarray) -> Any:
    row = Shared(x[0]).table
    row[0] = x[1]
    return Shared(x[2]).at(0) + Shared.table @ x


def is_written_by_its_class(x: np.ndarray) -> Any:
    p = Shared(x[0])
    Shared.table[2] = x[1] * x[2]
    return p.at(2)


def grows(x: np.ndarray) -> Any:
    p, q = Shared(x[0]), Shared(x[1])
    p.seen.append(x[2])
    q.seen.append(q.a)
    return p.seen[-1] * p.seen[-2] * Shared.seen[-1]


def changes_a_dict(x: np.ndarray) -> Any:
    p, q = Shared(x[0]), Shared(x[1])
    p.units["u"] = x[2]
    return q.at(1)


def by_a_function_found_late(x: np.ndarray) -> Any:
    p, q = Shared(x[0]), Shared(x[1])
    for put in [Shared.put, lambda o, i, v: o.put(i + 1, v * v)]:
        put(p, 0, x[2])
    return q.at(0) * q.at(1)


def by_a_method_found_late(x: np.ndarray) -> Any:
    put, q = Shared(x[0]).put, Shared(x[1])
    put(0, x[2])
    return q.at(0)


SHARED = (
    is_read,
    is_read_in_a_list,
    is_written,
    is_written_by_a_method,
    is_written_under_another_name,
    is_written_by_its_class,
    grows,
    changes_a_dict,
    by_a_function_found_late,
    by_a_method_found_late,
)


@pytest.mark.parametrize("f", SHARED, ids=lambda f: str(f.__name__))
def test_what_all_objects_of_a_class_share(f: Callable[..., Any]) -> None:
    def afresh(x: np.ndarray) -> Any:
        Shared.table[:] = [1.0, 2.0, 3.0]
        Shared.seen.clear()
        Shared.units["u"] = 2.0
        return f(x)

    def alone(x: np.ndarray) -> Any:
        return f(x)

    expected = differences(afresh, X)
    assert zg.gradient(afresh, X)[0] == pytest.approx(expected, rel=1e-8)
    afresh(X)
    Shared.table[:] = [1.0, 2.0, 3.0]
    Shared.units["u"] = 2.0
    assert zg.gradient(alone, X)[0] == pytest.approx(expected, rel=1e-8)


class Kept:
    table: ClassVar[Any] = np.array([1.0, 2.0])
    unit: ClassVar[Any] = None
    count = 0

    def __init__(self, a: Any) -> None:
        self.a = a
        Kept.count += 1

    def __call__(self, v: Any) -> Any:
        Kept.count += 1
        return np.tanh(self.a * v)

    @classmethod
    def made(cls, a: Any) -> Kept:
        return cls(a)

    def area(self) -> Any:
        return self.a * self.a


class Finer(Kept):
    def area(self) -> Any:
        return super().area() / Kept.count


TABLE: Any = np.array([1.0, 2.0])
LIBRARY = ModuleType("library")


def put_elsewhere() -> None:
    global TABLE
    TABLE = LIBRARY.table = Kept.table = np.array([1j, 2.0, 3.0])
    Kept.unit = 3.0


def of_a_global(x: np.ndarray) -> Any:
    s = x[0] * TABLE.sum()
    put_elsewhere()
    return abs(s * (x * TABLE).sum())


def of_a_module(x: np.ndarray) -> Any:
    s = x[0] * LIBRARY.table.sum()
    LIBRARY.table = np.array([1j, 2.0, 3.0])
    return abs(s * (x * LIBRARY.table).sum())


def of_a_class(x: np.ndarray) -> Any:
    s: Any = 0.0
    for k in range(3):
        s = s + x[k] * (x[0] * Kept(x[k]).table).sum()
        put_elsewhere()
    return abs(s * s)


def of_none(x: np.ndarray) -> Any:
    s = 0.0
    for k in range(3):
        p = Kept(x[k])
        s = s + (x[k] if p.unit is None else x[k] ** 2 * p.unit)
        put_elsewhere()
    return s


@pytest.mark.parametrize("specialised", [True], indirect=True)
@pytest.mark.parametrize("f", [of_a_global, of_a_module, of_a_class, of_none], ids=lambda f: str(f.__name__))
def test_what_the_program_binds_to_something_of_another_kind(f: Callable[..., Any]) -> None:
    def whole(x: np.ndarray) -> Any:
        global TABLE
        TABLE = LIBRARY.table = Kept.table = np.array([1.0, 2.0])
        Kept.unit = None
        return f(x)

    whole(X)
    assert zg.gradient(whole, X)[0] == pytest.approx(differences(whole, X), rel=1e-8)


def counted(x: np.ndarray) -> Any:
    Kept.count = 0
    s = x[0]
    for k in range(3):
        s = s + Kept.made(x[k] * s).area() + Finer(x[k]).area()
    return s


def counted_calls(x: np.ndarray) -> Any:
    Kept.count = 0
    h = x[1]
    for _ in range(2):
        for layer in [Kept(x[0]), Kept(x[1] * x[2])]:
            h = layer(h) + Kept.count
    return h


class Rated:
    calls = 0
    rate = 0.5

    def __init__(self, a: Any) -> None:
        self.a = a

    def step(self, v: Any) -> Any:
        self.calls += 1
        self.rate *= 0.9
        return v - self.rate * self.a * v / self.calls


class Finest(Rated):
    calls = 2

    def step(self, v: Any) -> Any:
        return super().step(v) * self.rate


def counts_by_itself(x: np.ndarray) -> Any:
    p, q, v = Rated(float(x[0])), Finest(x[1]), x[2]
    for _ in range(3):
        v = q.step(p.step(v)) * p.calls
    p.rate += x[0] * v
    return v * p.rate * q.calls + p.step(v)


@pytest.mark.parametrize("specialised", [True], indirect=True)
@pytest.mark.parametrize("f", [counted, counted_calls, counts_by_itself], ids=lambda f: str(f.__name__))
def test_a_class_that_counts(f: Callable[..., Any]) -> None:
    assert zg.gradient(f, X)[0] == pytest.approx(differences(f, X), rel=1e-8)
    assert not {"pull(", "pull_method("} & set(re.findall(r"\w+\(", str(zg.show_adjoint(f, X))))
