"""Products with Hessians by reverse mode over tangent functions, where gradients are not pushed forward."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.derivatives import hvp_by_reverse
from zygpy.gradients_pushed import gradient_push
from zygpy.runtime.zeros import CannotPush
from zygpy.tangents_pulled import tangent_pull

X = np.array([0.5, -0.8, 1.3, 0.9])
V = np.array([1.0, 0.3, -0.7, 2.0])
CALLS: list[float] = []


class Tank:
    """Something with fields that change."""

    def __init__(self, level: Any) -> None:
        self.level = level
        self.flows: list[Any] = []

    def fill(self, flow: Any) -> Tank:
        self.level = self.level * 0.9 + flow**3
        self.flows.append(self.level)
        return self

    @property
    def last(self) -> Any:
        return self.flows[-1]


def object_that_changes(x: Any) -> Any:
    tank = Tank(x[0])
    for flow in x:
        tank.fill(flow)
    return tank.last * tank.level + tank.flows[0]


def dict_that_changes(x: Any) -> Any:
    state = {"a": x[0]}
    for k in range(1, len(x)):
        state["a"] = state["a"] * 0.9 + x[k] ** 3
        state[k] = state["a"] * x[0]
    return state["a"] ** 2 + state[2]


def recursion(x: Any, k: int = 0) -> Any:
    return x[0] if k == len(x) - 1 else recursion(x, k + 1) * x[k] + math.sin(x[k])


def early_ends(x: Any) -> Any:
    state = {"s": 0.0}
    for t in x:
        if t < 0:
            state["s"] = state["s"] - t * t
            continue
        if t > 1.2:
            return state["s"] * t**3
        state["s"] = state["s"] + t * t
    return state["s"]


def list_of_objects(x: Any) -> Any:
    tanks = [Tank(t) for t in x]
    for k in range(1, len(tanks)):
        tanks[k].fill(tanks[k - 1].level)
    return sum([tank.level * tank.level for tank in tanks])


def arrays_in_objects(x: Any) -> Any:
    tank = Tank(x * x)
    tank.level[1:] += x[:-1] * x[1:]
    tank.level = tank.level * np.exp(x)
    return np.sum(tank.level)


def powers_of_nothing(x: Any) -> Any:
    state = {"n": x[0] - 0.5}
    state["n"] = state["n"] * 1.0
    return state["n"] ** 2 * x[1] + state["n"] ** 3 + state["n"] ** 4 + (state["n"] * x[2]) ** 2


def shared_variable(x: Any) -> Any:
    total = 0.0

    def put(t: Any) -> None:
        nonlocal total
        total = total * 0.5 + t**3

    def got() -> Any:
        return total * total

    for t in x:
        put(t)
    total = total * x[0]
    put(x[1])
    return got() + total * x[2]


def variables_shared_further_in(x: Any) -> Any:
    a = x[0]
    b = x[1]

    def outer(t: Any) -> Any:
        nonlocal a
        c = a * t

        def inner(u: Any) -> Any:
            nonlocal a, c
            c = c + u * b
            a = a * c
            return c

        return inner(t) * inner(b)

    first = outer(x[2])
    b = b * b
    return first * outer(x[3]) + a


def bound_by_others_alone(x: Any) -> Any:
    def put(t: Any) -> None:
        nonlocal kept
        kept = t * t

    put(x[0])
    kept = kept * x[1]  # noqa: F821
    put(kept)
    return kept * x[2]


def made_by_a_factory(x: Any) -> Any:
    def scaled(k: Any) -> Callable[[Any], Any]:
        return lambda t: k * t * x[1]

    both, plain = scaled(x[0]), scaled(3.0)
    return both(plain(x[2])) * plain(both(x[3]))


def shared_parameter(x: Any, k: Any = 2.0) -> Any:
    def change(t: Any) -> Any:
        nonlocal k
        k = k * t
        return k

    return change(x[0]) * change(x[1]) + k


def chosen_methods(x: Any) -> Any:
    tanks = [Tank(x[0]), Tank(x[1] * 2.0)]
    for k in range(3):
        tanks[k % 2].fill(tanks[0].level * x[k])
    return tanks[0].last + tanks[1].last * tanks[1].level


PROGRAMS = [
    shared_variable,
    variables_shared_further_in,
    bound_by_others_alone,
    made_by_a_factory,
    shared_parameter,
    chosen_methods,
    object_that_changes,
    dict_that_changes,
    recursion,
    early_ends,
    list_of_objects,
    arrays_in_objects,
    powers_of_nothing,
]


def by_differences(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """The slope of the gradient along `v`, by Richardson's extrapolation."""
    slopes = [
        (zg.gradient(f, x + step * v)[0] - zg.gradient(f, x - step * v)[0]) / (2 * step)
        for step in (1e-3, 2e-3)
    ]
    return (4 * slopes[0] - slopes[1]) / 3


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_products_are_those_of_reverse_mode(f: Callable[[Any], Any]) -> None:
    pull = tangent_pull(f, X)
    assert pull is not None
    expected = by_differences(f, X, V)
    assert pull.product(V) == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert zg.hvp(f, X, V) == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert zg.hvp(f, X, V) == pytest.approx(hvp_by_reverse(f, X, V), rel=1e-12)
    assert zg.hessian(f, X) @ V == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert zg.diaghessian(f, X)[0] == pytest.approx(np.diag(zg.hessian(f, X)), rel=1e-12)


@pytest.mark.parametrize("f", [object_that_changes, recursion])
def test_these_gradients_are_not_pushed(f: Callable[[Any], Any]) -> None:
    assert not hasattr(gradient_push(f, (X,)), "run")


def test_the_point_may_be_a_structure() -> None:
    def f(p: Any) -> Any:
        tank = Tank(p["a"])
        tank.fill(p["b"][0])
        tank.fill(p["b"][1])
        return tank.last**2

    point, along = {"a": 0.5, "b": (0.7, 1.1)}, {"a": 1.0, "b": (2.0, -0.5)}

    def slope(e: float) -> Any:
        moved = {"a": 0.5 + e, "b": (0.7 + 2 * e, 1.1 - 0.5 * e)}
        (grad,) = zg.gradient(f, moved)
        return np.array([grad["a"], *grad["b"]])

    found = zg.hvp(f, point, along)
    assert tangent_pull(f, point) is not None
    expected = (slope(1e-5) - slope(-1e-5)) / 2e-5
    assert [found["a"], *found["b"]] == pytest.approx(expected, rel=1e-8)


def test_numbers_and_single_precision() -> None:
    def f(x: Any) -> Any:
        tank = Tank(x)
        return tank.fill(x * x).last

    second = 6 * 0.5**4 * 5
    assert zg.hvp(f, 0.5, 2.0) == pytest.approx(2 * second)
    assert zg.hessian(f, 0.5) == pytest.approx(second)
    found = zg.hvp(object_that_changes, X.astype(np.float32), V.astype(np.float32))
    assert found.dtype == np.float32
    assert found == pytest.approx(by_differences(object_that_changes, X, V), rel=1e-4)


def test_the_program_runs_once_and_its_exceptions_come_through() -> None:
    def noted(x: Any) -> Any:
        CALLS.append(1.0)
        if x[0] > 1.0:
            raise KeyError("too large")
        return object_that_changes(x)

    zg.hvp(noted, X, V)
    CALLS.clear()
    zg.hvp(noted, X, V)
    assert len(CALLS) == 1
    with pytest.raises(KeyError, match="too large"):
        zg.hvp(noted, X + 1.0, V)
    given, along = X.copy(), V.copy()
    zg.hvp(noted, given, along)
    assert np.array_equal(given, X)
    assert np.array_equal(along, V)


def test_what_is_not_real_and_scalar_is_refused_as_ever() -> None:
    def several(x: Any) -> Any:
        tank = Tank(x)
        tank.fill(x)
        return tank.level

    with pytest.raises(zg.NotScalarError):
        zg.hvp(several, X, V)


def test_it_runs_two_levels_deep() -> None:
    def f(x: Any) -> Any:
        CALLS.append(zg.nestlevel())
        return object_that_changes(x)

    for product in (hvp_by_reverse, zg.hvp, zg.hvp):
        CALLS.clear()
        product(f, X, V)
        assert CALLS == [2]


def test_cotangents_that_are_changed_on_their_way_are_those_of_the_hessian() -> None:
    def clipped(x: Any) -> Any:
        state = {"s": zg.hook(lambda bar: 3.0 * bar, x[0])}
        state["s"] = state["s"] * x[1]
        return state["s"] * state["s"]

    assert zg.hvp(clipped, X, V) == pytest.approx(zg.hessian(clipped, X) @ V)


def test_functions_that_change_between_calls_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        state = {"s": x[0]}
        state["s"] = power(state["s"])
        return state["s"]

    for n, function in ((2, lambda t: t**2), (3, lambda t: t**3), (4, lambda t: t**4), (2, lambda t: t * t)):
        monkeypatch.setitem(globals(), "power", function)
        assert zg.hvp(f, X, V) == pytest.approx([n * (n - 1) * 0.5 ** (n - 2), 0, 0, 0])


power: Callable[[Any], Any] = math.sin


def steps_in_place(x: Any) -> Any:
    for k in range(1, len(x)):
        x[k] += 0.3 * x[k - 1] * x[k]
    x *= x
    return x[-1] * x[0]


def test_an_argument_is_written_to_as_in_a_plain_call() -> None:
    plain, given = X.copy(), X.copy()
    steps_in_place(plain)
    assert tangent_pull(steps_in_place, X.copy()) is not None
    for _ in range(2):
        given[:] = X
        found = zg.hvp(steps_in_place, given, V)
        assert np.array_equal(given, plain)
        expected = by_differences(lambda x: steps_in_place(x.copy()), X, V)
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)
    assert zg.hessian(lambda x: steps_in_place(x.copy()), X) @ V == pytest.approx(found)
    assert zg.hessian(steps_in_place, X.copy()) @ V == pytest.approx(found)


def chosen_when_it_runs(x: Any) -> Any:
    x[0] = x[0] * x[1]
    parts = [Both(x[0], x[1]), x[2]]
    return parts[int(CALLS[0])] * x[0]


class Both:
    """Numbers that are multiplied in a way of their own."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def __mul__(self, other: Any) -> Any:
        return self.a * self.b * other


def test_what_is_left_to_reverse_mode_in_the_middle_has_changed_nothing() -> None:
    CALLS[:] = [0.0]
    pull = tangent_pull(chosen_when_it_runs, given := X.copy())
    if pull is not None:
        with pytest.raises(CannotPush):
            pull.product(V)
        assert np.array_equal(given, X)
    expected = by_differences(lambda x: (x[0] * x[1]) ** 2 * x[1], X, V)
    assert zg.hvp(chosen_when_it_runs, X.copy(), V) == pytest.approx(expected, rel=1e-7, abs=1e-9)


class Node:
    """An object that another one knows, which it knows."""

    def __init__(self, value: float) -> None:
        self.value = value
        self.other: Any = None


def test_objects_that_know_each_other() -> None:
    def f(node: Any) -> Any:
        return node.value**2 * node.other.value**3

    one, two = Node(0.5), Node(0.7)
    one.other, two.other = two, one
    found = zg.hvp(f, one, {"value": 1.0})
    assert found.value == pytest.approx(2 * 0.7**3)
    assert found.other.value == pytest.approx(2 * 0.5 * 3 * 0.7**2)


FIRST = """
import zygpy as zg
import zygpy.derivatives


class Table(dict):
    def total(self):
        return sum(self[name] ** 2 for name in self)


def filled(x):
    table = Table({"a": x, "b": x * x})
    return table.total() * table["a"]


def never(*args):
    raise AssertionError("reverse mode over reverse mode")


zygpy.derivatives.hvp_by_reverse = never
print(zg.hvp(filled, 0.7, 1.0), zg.hvp(filled, 0.7, 1.0))
"""


def test_the_first_product_takes_every_way(tmp_path: Path) -> None:
    """What the plain way refuses is followed by identity at once, where nothing was derived before."""
    path = tmp_path / "first.py"
    path.write_text(FIRST)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False, timeout=120)
    assert not done.returncode, done.stderr
    wanted = 6 * 0.7 + 20 * 0.7**3
    assert list(map(float, done.stdout.split())) == pytest.approx([wanted, wanted])
