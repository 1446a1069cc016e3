"""Products with Hessians through functions that are found when they are called, with what these have
captured, their default values and their objects, in one call of a tangent function each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import doors_pulled
from zygpy.gradients_pushed import gradient_push
from zygpy.pushing import Push
from zygpy.tangents_pulled import tangent_pull

X = np.array([0.5, -0.8, 1.3, 0.9])
V = np.array([1.0, 0.3, -0.7, 2.0])


def default_values_in_a_list(x: Any) -> Any:
    fs = [lambda t, i=i, a=x[i]: a * t**i for i in range(4)]
    return sum(f(x[0]) for f in fs)


def captured_and_default_values(x: Any) -> Any:
    k = x[3] * x[0]
    table = {"a": lambda t, a=x[1]: a * t * k, "b": lambda t, *, b=x[2]: b * t**2 + k}
    total = x[0]
    for name in "abba":
        total = table[name](total)
    return total


def default_array_that_changes_later(x: Any) -> Any:
    rows = x * 2.0
    fs = [lambda t, a=rows: a[1] * t, lambda t: rows[2] * t * x[0]]
    before = fs[0](x[3]) * fs[1](x[1])
    rows[1] = x[0] * x[2]
    rows *= x[3]
    return before + fs[0](x[3]) ** 2 * fs[1](x[1])


def captured_array_that_others_change(x: Any) -> Any:
    state = {"a": x * x}
    fs = {"read": lambda k: state["a"][k] * x[0], "scale": lambda k, s=x[1]: state["a"][k] * s}
    total = fs["read"](1)
    for k in range(4):
        state["a"][k] = state["a"][k] * x[2]
        total = total + fs["read"](k) * fs["scale"](k)
    return total


def caught_when_one_fails(x: Any) -> Any:
    def raising(t: Any, s: Any = x[1]) -> Any:
        if t.real > 1.0:
            raise ValueError(t)
        return t * s

    total = x[0] * 0.0
    for f, k in ((raising, 2), (lambda t, s=x[2]: t * s * x[3], 2), (raising, 0)):
        try:
            total = total + f(x[k]) ** 2
        except ValueError:
            total = total + x[k] ** 3
    return total


class Slope:
    """Something that is called, and has methods that are handed on."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def __call__(self, t: Any, scale: Any = 1.0) -> Any:
        return self.a * t * scale + self.b

    def squared(self, t: Any, shift: Any = 0.0) -> Any:
        return (self.a * t) ** 2 + self.b * shift

    def changed(self, t: Any) -> Any:
        self.a = self.a * t
        return self.a + self.b


def objects_that_are_called(x: Any) -> Any:
    fs = {"first": Slope(x[0], x[1]), "second": Slope(x[2], x[3] ** 2)}
    total = x[1]
    for f in fs.values():
        total = f(total) * f(x[0], scale=x[3])
    return total


def methods_that_are_handed_on(x: Any) -> Any:
    slope = Slope(x[0], x[1])
    fs = {"s": slope.squared, "c": slope.changed, "f": lambda t: t * x[2]}
    total = x[3]
    for name in "scfsc":
        total = fs[name](total)
    return total + fs["s"](x[2])


@dataclass(frozen=True)
class Pair:
    """Made by what `dataclass` writes."""

    a: Any
    b: Any = 2.0

    def product(self) -> Any:
        return self.a * self.b


@dataclass
class Noted:
    """The same with a list of its own, and what is done behind."""

    a: Any
    b: Any = 2.0
    notes: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.notes.append(self.a * self.b)

    def product(self) -> Any:
        return self.notes[-1] * self.a


def dataclasses_that_are_found(x: Any) -> Any:
    classes = {"pair": Pair, "noted": Noted}
    made = [classes["pair"](x[0], x[1]), classes["noted"](x[2], b=x[3]), classes["noted"](x[1])]
    return sum(one.product() ** 2 for one in made) + made[2].notes[0] * made[0].a


def dataclass_of_what_is_unpacked(x: Any) -> Any:
    pairs = [Pair(*x[:2]), Pair(*x[2:]), Pair(*x[:1])]
    total = pairs[0].product()
    for pair in pairs:
        total = total * pair.product() + pair.a**2
    return total


PULLED: list[Callable[[Any], Any]] = [
    default_values_in_a_list,
    captured_and_default_values,
    default_array_that_changes_later,
    captured_array_that_others_change,
    caught_when_one_fails,
    objects_that_are_called,
    methods_that_are_handed_on,
    dataclasses_that_are_found,
    dataclass_of_what_is_unpacked,
]


def product_by_steps(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """The product with the Hessian, by complex steps along the axes of differences along the direction."""
    step, tiny = 1e-3, 1e-30

    def slopes(at: Any) -> Any:
        return np.array([f(at + 1j * tiny * axis).imag / tiny for axis in np.eye(len(at))])

    def difference(h: float) -> Any:
        return (slopes(x + h * v) - slopes(x - h * v)) / (2 * h)

    return (4 * difference(step / 2) - difference(step)) / 3


@pytest.mark.parametrize("f", PULLED, ids=lambda f: f.__name__)
def test_products_agree_with_steps_by_one_tangent_function_a_call(
    f: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    entered: list[Any] = []

    def noted(function: Any, args: Any) -> Any:
        entered.append((function.__name__, args[0]))
        return plain(function, args)

    plain = doors_pulled.followed
    monkeypatch.setattr(doors_pulled, "followed", noted)
    assert zg.hvp(f, X, V) == pytest.approx(product_by_steps(f, X, V), rel=1e-8, abs=1e-8)
    pull = tangent_pull(f, X)
    assert pull is not None
    called = [what for name, what in entered if name == "pushed_call" and not isinstance(what, type)]
    assert [what for what in called if what is not sum] == []


def returned_from_a_context(x: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.sum(np.log(x**2)) * x[0]


def test_results_of_unknown_kind_have_gradients_that_are_pushed() -> None:
    assert isinstance(gradient_push(returned_from_a_context, (X,)), Push)
    assert zg.hvp(returned_from_a_context, X, V) == pytest.approx(
        product_by_steps(returned_from_a_context, X, V), rel=1e-8, abs=1e-8
    )


def test_what_is_no_number_is_refused_where_gradients_are_pushed() -> None:
    def array_or_number(x: Any) -> Any:
        with np.errstate(all="ignore"):
            return x if len(x) > 3 else x[0]

    with pytest.raises(zg.NotScalarError):
        zg.hvp(array_or_number, X, V)
    assert zg.hvp(array_or_number, X[:3], V[:3]) == pytest.approx([0.0, 0.0, 0.0])


def function_without_captured_variables(x: Any) -> Any:
    slopes = [Slope(x[0], x[1]), Slope(x[2], x[3])]
    n = 3
    for slope in slopes:
        apply(slope, lambda t: -t + 0.1 * t**n)
    return slopes[0].a * slopes[1].b + slopes[1].a


def apply(slope: Slope, f: Callable[[Any], Any]) -> None:
    slope.a = slope.a + f(slope.b)
    slope.b = f(slope.a)


def test_functions_that_carry_nothing_have_no_tangent() -> None:
    f = function_without_captured_variables
    assert zg.hvp(f, X, V) == pytest.approx(product_by_steps(f, X, V), rel=1e-8, abs=1e-8)
    assert "Carried" not in zg.show_tangent(f, X)
