"""Derivatives of results that are containers or objects, and by arguments that are: Jacobians, Hessians and
their diagonals, tangents."""

from __future__ import annotations

import copy
import pathlib
import pickle
from collections import deque, namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.derivatives import hvp_by_reverse

Pair = namedtuple("Pair", "first second")
X, Y = np.array([0.7, 1.3]), 0.4
V = (np.array([0.3, -0.8]), 0.5)


@dataclass
class Model:
    weights: Any
    bias: Any
    name: str = "model"


class Slotted:
    __slots__ = ("bias", "name", "weights")

    def __init__(self, weights: Any, bias: Any) -> None:
        self.weights, self.bias, self.name = weights, bias, "slotted"


def energy(weights: Any, bias: Any) -> Any:
    return np.sum(weights**3) * bias**2 + weights[0] * weights[1] * bias


W, B = np.array([0.7, 1.3]), 0.4
BY_WEIGHTS = 6 * np.diag(W) * B**2 + np.array([[0, B], [B, 0]])
BY_BOTH = 6 * W**2 * B + W[::-1]
BY_BIAS = 2 * np.sum(W**3)

ARGUMENTS: dict[str, tuple[Any, Any]] = {
    "list": ([W, B], lambda x: energy(x[0], x[1])),
    "tuple": ((W, "text", B), lambda x: energy(x[0], x[2])),
    "dict": ({"w": W, "b": B, "more": None}, lambda x: energy(x["w"], x["b"])),
    "named tuple": (Pair(W, B), lambda x: energy(x.first, x.second)),
    "nested": ({"w": (W, [B])}, lambda x: energy(x["w"][0], x["w"][1][0])),
    "object": (Model(W, B), lambda x: energy(x.weights, x.bias)),
    "slots": (Slotted(W, B), lambda x: energy(x.weights, x.bias)),
    "objects": ([Model(W, 1.0), Model([B], 2.0)], lambda x: energy(x[0].weights, x[1].weights[0])),
}


def numbers(value: Any) -> list[Any]:
    """The numbers and arrays in a structure, in order; those of an object by name."""
    if isinstance(value, int | float | np.ndarray | np.generic):
        return [value]
    if isinstance(value, zg.Record):
        value = value._asdict()
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value, reverse=True)]
    return [number for part in value or () for number in numbers(part)] if not isinstance(value, str) else []


def of_interest(found: list[Any]) -> tuple[Any, Any]:
    """The one that belongs to the weights, and the one of the bias: there may be others, which are zero."""
    (weights,) = [one for one in found if np.shape(one)[-1:] == (2,)]
    others = [one for one in found if np.shape(one)[-1:] != (2,)]
    return weights, next((one for one in others if np.any(one)), others[0])


@pytest.mark.parametrize(("x", "f"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_jacobians(x: Any, f: Any) -> None:
    weights, bias = of_interest(numbers(zg.jacobian(f, x)[0]))
    assert weights == pytest.approx(3 * W**2 * B**2 + W[::-1] * B)
    assert bias == pytest.approx(2 * np.sum(W**3) * B + W[0] * W[1])


@pytest.mark.parametrize(("x", "f"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_diagonals(x: Any, f: Any) -> None:
    weights, bias = of_interest(numbers(zg.diaghessian(f, x)[0]))
    assert weights == pytest.approx(np.diag(BY_WEIGHTS))
    assert bias == pytest.approx(BY_BIAS)


@pytest.mark.parametrize("hessian", [zg.hessian, zg.hessian_reverse])
@pytest.mark.parametrize("name", ["list", "tuple", "dict", "named tuple", "nested", "object"])
def test_hessians(name: str, hessian: Any) -> None:
    x, f = ARGUMENTS[name]
    found = sorted(numbers(hessian(f, x)), key=lambda part: (np.ndim(part), np.shape(part)))
    assert [np.shape(part) for part in found] == [(), (2,), (2,), (2, 2)]
    for part, expected in zip(found, [BY_BIAS, BY_BOTH, BY_BOTH, BY_WEIGHTS], strict=True):
        assert part == pytest.approx(expected)


def form(value: Any) -> Any:
    """The classes of a structure and of what is in it."""
    if isinstance(value, zg.Record):
        value = value._asdict()
        return zg.Record, {name: form(part) for name, part in value.items()}
    if isinstance(value, dict):
        return dict, {key: form(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return type(value), [form(part) for part in value]
    return type(value)


@pytest.mark.parametrize(("x", "f"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_products_with_hessians(x: Any, f: Any) -> None:
    product, (gradient,) = zg.hvp(f, x, x), zg.gradient(f, x)
    if isinstance(x, dict):  # here it is whole
        gradient = {key: gradient.get(key) for key in x}
    assert form(product) == form(gradient)
    weights, bias = of_interest(numbers(product))
    np.testing.assert_allclose(weights, BY_WEIGHTS @ W + BY_BOTH * B, rtol=1e-12)
    np.testing.assert_allclose(bias, BY_BOTH @ W + BY_BIAS * B, rtol=1e-12)


OF_ONE_PRECISION = [3, 2.0, np.float16(2), np.float32(2), np.ones(2, np.float32), np.array(2.0), np.arange(3)]


@pytest.mark.parametrize("x", OF_ONE_PRECISION, ids=lambda x: f"{type(x).__name__} {np.shape(x)}")
def test_second_derivatives_have_the_precision_of_the_argument(x: Any) -> None:
    def cubes(x: Any) -> Any:
        return np.sum(x * x * x)

    (gradient,) = zg.gradient(cubes, x)
    for _ in range(2):  # the second time, what is called is known
        product = zg.hvp(cubes, x, np.ones_like(gradient) if np.shape(x) or type(x) is np.ndarray else 1.0)
        assert type(product) is type(gradient)
        assert np.asarray(product).dtype == np.asarray(gradient).dtype
        np.testing.assert_allclose(product, np.multiply(6.0, x))
    for hessian in zg.hessian(cubes, x), zg.hessian_reverse(cubes, x):
        assert hessian.dtype == np.asarray(gradient).dtype
        np.testing.assert_allclose(np.sum(hessian, axis=0) if np.ndim(x) else hessian, np.multiply(6.0, x))


def test_truth_values_have_no_second_derivatives() -> None:
    for hessian in zg.hessian, zg.hessian_reverse:
        assert hessian(lambda x: x * x * 1.0, True) is None


def test_forms() -> None:
    model = Model(W, B)
    (found,) = zg.jacobian(lambda m: energy(m.weights, m.bias) * W, model)
    assert isinstance(found, zg.Record)
    assert (found.weights.shape, found.bias.shape, found.name) == ((2, 2), (2,), None)
    (diagonal,) = zg.diaghessian(lambda pair: pair.first**2 * pair.second, Pair(2.0, 3.0))
    assert diagonal == Pair(6.0, 0.0)
    second = zg.hessian(lambda x: x["a"] ** 2 * x["b"], {"a": 2.0, "b": 3.0, "c": "text"})
    assert second == {"a": {"a": 6.0, "b": 4.0, "c": None}, "b": {"a": 4.0, "b": 0.0, "c": None}, "c": None}
    assert zg.diaghessian(lambda x, text: x**3, 2.0, "text") == (12.0, None)
    assert zg.diaghessian(lambda x, path: x**3, 2.0, pathlib.Path("text")) == (12.0, None)
    assert zg.jacobian(lambda x, path: x**3, 2.0, pathlib.Path("text"))[1] is None


def changed(x: Any, y: Any) -> Any:
    model = Model([x * y], y)
    model.weights.append(model.bias * x)
    model.bias = y**2
    return model, model.weights


RESULTS: dict[str, tuple[Any, Any]] = {
    "tuple": (lambda x, y: (x * y, "text", y**2), lambda d: (d[0], None, d[1])),
    "list": (lambda x, y: [x * y, [y**2, None]], lambda d: [d[0], [d[1], None]]),
    "dict": (lambda x, y: {"a": x * y, 1: y**2}, lambda d: {"a": d[0], 1: d[1]}),
    "named tuple": (lambda x, y: Pair(x * y, y**2), lambda d: Pair(*d)),
    "object": (lambda x, y: Model(x * y, y**2), lambda d: zg.Record({"weights": d[0], "bias": d[1]})),
    "changed": (changed, lambda d: (zg.Record({"weights": [d[0], d[0]], "bias": d[1]}), [d[0], d[0]])),
}


def same(found: Any, expected: Any) -> bool:
    """Whether two structures are of the same form, with nearly the same numbers."""
    if isinstance(expected, zg.Record):
        assert isinstance(found, zg.Record)
        found, expected = found._asdict(), expected._asdict()
        found = {name: part for name, part in found.items() if part is not None}
        expected = {name: part for name, part in expected.items() if part is not None}
    if expected is None:
        return found is None
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in expected)
    if isinstance(expected, tuple | list):
        alike = type(found) is type(expected) and len(found) == len(expected)
        return alike and all(map(same, found, expected))
    return bool(np.shape(found) == np.shape(expected) and np.allclose(found, expected, rtol=1e-12))


@pytest.mark.parametrize(("f", "expected"), RESULTS.values(), ids=RESULTS)
def test_tangents_of_results(f: Any, expected: Any) -> None:
    for x, v in ((X, V[0]), (1.3, 0.7)):
        dots = (v * Y + x * V[1], 2 * Y * V[1])
        assert same(zg.pushforward(f, x, Y)(v, V[1]), expected(dots))


def test_tangents_of_complex_results() -> None:
    z, w = 1.0 + 2.0j, 0.3 - 0.5j
    square, size = zg.pushforward(lambda z: [z * z, abs(z)], z)(w)
    assert square == pytest.approx(2 * z * w)
    assert size == pytest.approx((z.conjugate() * w).real / abs(z))


def test_what_holds_itself_is_refused() -> None:
    items: list[Any] = [1.0]
    items.append(items)
    with pytest.raises(zg.UnsupportedSyntaxError, match="holds itself"):
        zg.diaghessian(lambda x: x[0] ** 2, items)


class Node:
    """An object that knows another one, or itself."""

    def __init__(self, value: float) -> None:
        self.value = value
        self.near = self


def two_nodes(p: float, q: float) -> Node:
    first, second = Node(p), Node(q)
    first.near, second.near = second, first
    return first


def around(a: float, node: Node) -> float:
    return a * node.value**2 * node.near.near.near.value


def changed_around(a: float, node: Node) -> float:
    node.near.value = node.near.value * node.value
    return a * node.near.near.value * node.near.near.near.value


@pytest.mark.parametrize("f", [around, changed_around])
@pytest.mark.parametrize("product", [zg.hvp, hvp_by_reverse])
def test_products_by_objects_that_hold_each_other(f: Any, product: Any) -> None:
    a, p, q, da, dp, dq = 1.5, 2.0, 3.0, 0.3, -0.7, 0.2
    found = product(lambda things: f(*things), (a, two_nodes(p, q)), (da, two_nodes(dp, dq)))
    by_p = 2 * p * q * da + 2 * a * q * dp + 2 * a * p * dq
    by_q = p * p * da + 2 * a * p * dp
    assert found[0] == pytest.approx(2 * p * q * dp + p * p * dq)
    assert sum(round_values(found[1])[::2]) == pytest.approx(by_p)
    assert sum(round_values(found[1])[1::2]) == pytest.approx(by_q)


def round_values(bar: Any) -> list[float]:
    """What came to the nodes on the way, one after another."""
    values = []
    while bar is not None:
        values.append(bar.value or 0.0)
        bar = bar.near
    return values


def test_products_by_an_object_that_holds_itself() -> None:
    a, p, da, dp = 1.5, 2.0, 0.3, -0.7
    one, along = Node(p), Node(dp)
    found = zg.hvp(lambda things: around(*things), (a, one), (da, along))
    assert found[0] == pytest.approx(3 * p * p * dp)
    assert sum(round_values(found[1])) == pytest.approx(3 * p * p * da + 6 * a * p * dp)


@pytest.mark.parametrize("derivative", [zg.jacobian, zg.hessian, zg.diaghessian])
def test_derivatives_without_an_end_are_refused(derivative: Any) -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="holds itself"):
        derivative(lambda node: around(1.0, node), two_nodes(2.0, 3.0))


def test_gradients_of_objects_can_be_copied() -> None:
    (found,) = zg.gradient(lambda m: energy(m.weights, m.bias), Model(W, B))
    for one in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert same(one, found)
        assert one is not found
    assert copy.deepcopy(found).weights is not found.weights


def test_second_derivatives_by_what_is_not_reached() -> None:
    model, zeros = Model(np.ones(2), 2.0, ""), np.zeros(2)
    found = zg.hessian(lambda m: m.bias**3, model)
    assert found.bias.bias == pytest.approx(12.0)
    assert same(found.weights.weights, np.zeros((2, 2)))
    assert same(zg.diaghessian(lambda m: m.bias**3, model)[0].weights, zeros)
    assert same(zg.hvp(lambda m: 3.0, model, Model(np.ones(2), 1.0, "")).weights, zeros)
    assert same(zg.diaghessian(lambda x: np.sum(x) * 3.0, np.array([True, False]))[0], zeros)
    (by_items,) = zg.jacobian(lambda q: q[0] * q[1], deque([2.0, X]))
    assert type(by_items) is deque
    assert same(list(by_items), [X, 2.0 * np.eye(2)])


def test_second_derivatives_by_complex_numbers() -> None:
    z = 0.7 + 0.4j
    assert zg.diaghessian(lambda z: abs(z) ** 2, z)[0] == pytest.approx(2.0)
    for find in (zg.diaghessian, zg.hessian):
        with pytest.raises(zg.NotScalarError, match="holomorphic"):
            find(lambda items: items[0].real ** 2, [z])


def test_elements_that_share_a_place_are_refused_where_memory_tells() -> None:
    x = np.broadcast_to(np.array(0.7), (2,))
    back = zg.pullback(lambda x, y: Model(np.sum(x**3), y * 2.0), x, x.copy())[1]
    with pytest.raises(zg.UnsupportedSyntaxError, match="same place"):
        back({"weights": 1.0})
