"""`zg.checking`: what every entry point gives is compared with slopes, and nothing else changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg

X = np.array([2.0, 3.0, 5.0])
ONES = np.ones(3)
PARAMS = zg.Params([X])


def wrong(x: Any) -> Any:
    return x**3


def right(x: Any) -> Any:
    return x**3


@zg.adjoint(wrong)
def _(x: Any) -> Any:
    return x**3, lambda y_bar: (3.0 * x * y_bar,)


@zg.adjoint(right)
def _(x: Any) -> Any:
    return x**3, lambda y_bar: (3.0 * x * x * y_bar,)


def total(cube: Any) -> Callable[[Any], Any]:
    return lambda x: np.sum(cube(x))


def double(cube: Any) -> Callable[[Any], Any]:
    return lambda x: 2.0 * cube(x)


WAYS: dict[str, Callable[[Any], Any]] = {
    "gradient": lambda cube: zg.gradient(total(cube), X),
    "withgradient": lambda cube: zg.withgradient(lambda x: (np.sum(cube(x)), "more"), X),
    "derivative": lambda cube: zg.derivative(cube)(2.0),
    "second derivative": lambda cube: zg.derivative(zg.derivative(cube))(2.0),
    "jacobian": lambda cube: zg.jacobian(double(cube), X),
    "jacobian by rows": lambda cube: zg.jacobian(lambda a, b: np.stack([np.sum(cube(a)), b]), X, 1.0),
    "withjacobian": lambda cube: zg.withjacobian(double(cube), X),
    "hessian": lambda cube: zg.hessian(total(cube), X),
    "hessian of a number": lambda cube: zg.hessian(cube, 2.0),
    "hessian_reverse": lambda cube: zg.hessian_reverse(total(cube), X),
    "diaghessian": lambda cube: zg.diaghessian(lambda a, b: np.sum(cube(a)) * b, X, 2.0),
    "hvp": lambda cube: zg.hvp(total(cube), X, ONES),
    "pushforward": lambda cube: zg.pushforward(lambda a, b: cube(a) * b, X, 2.0)(ONES, 3.0),
    "pullback": lambda cube: zg.pullback(double(cube), X)[1](ONES),
    "pullback of a dict": lambda cube: zg.pullback(lambda x: {"a": cube(x), "b": [x, "text"]}, X)[1](
        {"a": ONES, "b": [ONES, None]}
    ),
    "gradient by parameters": lambda cube: zg.gradient(lambda: np.sum(cube(X)), PARAMS)[X],
    "withgradient by parameters": lambda cube: zg.withgradient(lambda: np.sum(cube(X)), PARAMS).grad[X],
    "pullback by parameters": lambda cube: zg.pullback(lambda: cube(X), PARAMS)[1](ONES)[X],
    "jacobian by parameters": lambda cube: zg.jacobian(lambda: cube(X), PARAMS)[X],
}


@pytest.mark.parametrize("way", WAYS)
def test_a_wrong_rule_is_found(way: str) -> None:
    with zg.checking(), pytest.raises(zg.testing.GradientMismatch) as caught:
        WAYS[way](wrong)
    error = caught.value
    assert error.argument == "0"
    assert error.index == ((0,) if "number" not in way and "derivative" not in way else ())
    assert "argument 0, index" in str(error) or "parameter 0, index" in str(error)
    assert repr(error.found) in str(error)
    assert repr(error.reference) in str(error)
    assert X.tolist() == [2.0, 3.0, 5.0]


@pytest.mark.parametrize("way", WAYS)
def test_a_right_rule_passes(way: str) -> None:
    plain = WAYS[way](right)
    with zg.checking():
        checked = WAYS[way](right)
    assert repr(plain) == repr(checked)
    assert X.tolist() == [2.0, 3.0, 5.0]


def test_the_numbers_are_the_entries() -> None:
    with zg.checking(), pytest.raises(zg.testing.GradientMismatch) as caught:
        zg.gradient(lambda x: np.sum(x) + wrong(x[1]), X)
    assert caught.value.index == (1,)
    assert caught.value.found == pytest.approx(1.0 + 9.0)
    assert caught.value.reference == pytest.approx(1.0 + 27.0)


def logging() -> Any:
    log: list[float] = []

    def f(x: Any) -> Any:
        log.append(float(x))
        return x**2 * len(log)

    return f, log


@pytest.mark.parametrize("ways", [zg.gradient, zg.jacobian, zg.withgradient])
def test_what_a_function_has_captured_changes_once(ways: Any) -> None:
    f, log = logging()
    with zg.checking():
        ways(f, 2.0)
        found = zg.gradient(f, 2.0)
    assert found == (8.0,)
    assert log == [2.0, 2.0]


def fills(items: Any) -> Any:
    items.append(items[0] * 2)
    return items[0] * items[-1]


def edge(x: Any) -> Any:
    assert 0 <= x <= 1
    return np.sqrt(1 - x) * x


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda a, b: np.sum(a * b * b), (X, X)),
    (lambda x: np.sum(np.sin(x) * x), (X.astype(np.float32),)),
    (lambda x, n: sum([x**i for i in range(n)]), (1.5, 4)),
    (lambda x, flag, text: x**2 if flag and text == "yes" else x, (2.0, True, "yes")),
    (lambda z: np.sum(np.abs(z) ** 2 * np.real(z)), (np.array([1 + 2j, 3 - 1j]),)),
    (lambda d: d["a"] * np.sum(d["w"] ** 2) + d["n"], ({"a": 2.0, "w": X, "n": 3, "s": "x"},)),
    (lambda x: np.sum(np.maximum(x, 0)), (np.array([0.0, 1.0, -1.0]),)),
    (edge, (0.0,)),
    (lambda x: 3.0, (X,)),
]


@pytest.mark.parametrize("entry", [zg.gradient, zg.withgradient, zg.jacobian, zg.diaghessian])
@pytest.mark.parametrize("place", range(len(PROGRAMS)))
def test_right_gradients_pass(entry: Any, place: int) -> None:
    function, args = PROGRAMS[place]
    results = []
    for on in (False, True):
        with zg.checking(on=on):
            try:
                results.append(repr(entry(function, *zg.testing.trees.copy(args))))
            except zg.ZygpyError as error:
                results.append(str(error))
    assert results[0] == results[1]


def test_a_function_may_change_its_argument() -> None:
    items = [2.0, 3.0]
    with zg.checking():
        assert zg.gradient(fills, items) == ([8.0, 0.0],)
    assert items == [2.0, 3.0, 4.0]


def test_gradients_inside_are_part_of_the_function() -> None:
    with zg.checking():
        assert zg.gradient(lambda x: zg.gradient(lambda y: y**3 * x, x)[0], 2.0) == (36.0,)
        assert zg.gradient(lambda x: zg.gradient(wrong, x)[0], 2.0) == (3.0,)  # the slope of what is inside


def test_exceptions_are_those_of_the_function() -> None:
    def fails(x: Any) -> Any:
        raise KeyError("missing")

    for way in (zg.gradient, zg.jacobian, zg.hessian, zg.pullback):
        with zg.checking(), pytest.raises(KeyError, match="missing"):
            way(fails, 1.0)


def test_parameters_that_are_views_integers_or_not_to_be_written() -> None:
    whole, counts, fixed = np.array([1.0, 2.0, 3.0]), np.array([1, 2]), np.array([4.0])
    part = whole[:2]
    fixed.flags.writeable = False
    params = zg.Params([whole, part, counts, fixed])
    with zg.checking():
        grads = zg.gradient(lambda: np.sum(whole**2) * fixed[0] + np.sum(counts), params)
    assert grads[whole].tolist() == [8.0, 16.0, 24.0]
    assert whole.tolist() == [1.0, 2.0, 3.0]


@dataclass
class Weighted:
    weights: Any
    bias: Any


def weighted_energy(weights: Any, bias: Any) -> Any:
    return np.sum(weights**3) * bias**2 + weights[0] * weights[1] * bias


OF_STRUCTURES: dict[str, Callable[[Any], Any]] = {
    "jacobian": lambda f: zg.jacobian(lambda m: f(m.weights, m.bias) * np.ones(2), Weighted(X, 0.4)),
    "jacobian by a list": lambda f: zg.jacobian(lambda x: f(x[0], x[1]) * np.ones(2), [X, 0.4]),
    "diaghessian": lambda f: zg.diaghessian(lambda m: f(m.weights, m.bias), Weighted(X, 0.4)),
    "diaghessian by a dict": lambda f: zg.diaghessian(
        lambda d, k: f(d["w"], d["b"]) * k, {"w": X, "b": 0.4}, 2.0
    ),
    "hessian": lambda f: zg.hessian(lambda m: f(m.weights, m.bias), Weighted(X, 0.4)),
    "hessian by a dict": lambda f: zg.hessian(lambda d: f(d["w"], d["b"]), {"w": X, "b": 0.4, "t": "text"}),
    "hessian_reverse": lambda f: zg.hessian_reverse(lambda x: f(x[0], x[1]), [X, 0.4]),
    "pushforward": lambda f: zg.pushforward(lambda x, y: (f(x, y), [y * y, "text"]), X, 0.4)(
        np.ones_like(X), 1.0
    ),
    "pushforward of objects": lambda f: zg.pushforward(lambda x, y: Weighted(f(x, y) * x, y), X, 0.4)(
        np.ones_like(X), 1.0
    ),
}


@pytest.mark.parametrize("asked", OF_STRUCTURES.values(), ids=OF_STRUCTURES)
def test_derivatives_of_structures_are_compared(asked: Callable[[Any], Any]) -> None:
    with zg.checking():
        asked(weighted_energy)
        with pytest.raises(zg.testing.GradientMismatch):
            asked(lambda weights, bias: weighted_energy(weights, bias) + wrong(bias))
