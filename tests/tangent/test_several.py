"""Several directions at once give what the directions give one after another, or are not taken at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.corpus.reference import programs, quiet
from tests.rules.array_calls import CALLS, Call
from tests.rules.test_arrays import differentiated, label
from tests.rules.test_elementwise import WIDE
from tests.tangent.test_corpus import PUSHED, push
from tests.tangent.test_rules import places, push_along
from zygpy import dispatch, gradients_pushed, pushing, rules
from zygpy.analyse.values import Value
from zygpy.columns import columns
from zygpy.derivatives import withjacobian_by_reverse
from zygpy.ir.kinds import kind_of
from zygpy.pushing import Push, Several
from zygpy.rules import declare
from zygpy.rules.texts import texts
from zygpy.runtime.tangents import direction_of, unit_vectors
from zygpy.runtime.zeros import CannotPush
from zygpy.tangent_functions import Tangent, tangent_of
from zygpy.testing import trees
from zygpy.testing.check import random_weight

rules.load()


def directions_of(values: Any, count: int) -> list[Any]:
    """Random directions of some arguments."""
    random = np.random.default_rng(11)
    return [
        [
            direction_of(trees.weights_of(lambda leaf: random_weight(random, leaf), value), value)
            for value in values
        ]
        for _ in range(count)
    ]


def put_together(parts: list[Any]) -> Any:
    """Directions of one argument, along the first axis."""
    first = parts[0]
    if isinstance(first, tuple | list):
        items = [put_together(list(column)) for column in zip(*parts, strict=True)]
        if isinstance(first, list):
            return items
        return type(first)(*items) if hasattr(first, "_fields") else tuple(items)
    if isinstance(first, dict):
        return {key: put_together([part[key] for part in parts]) for key in first}
    return None if first is None else np.stack([np.asarray(part) for part in parts])


def one_of(dots: Any, k: int) -> Any:
    """One direction of several."""
    return trees.transform(lambda _, leaf: None if leaf is None else leaf[k], dots)


def agree(single: Any, several: Several, count: int, rtol: float = 1e-9) -> None:
    """Along random directions both give the same."""
    values = [several.values[place] for place in several.own]
    chosen = directions_of(values, count)
    together = [put_together(list(column)) for column in zip(*chosen, strict=True)]
    try:
        y, dots = quiet(several.run)(count, together)
        singles = [quiet(single.run)(given) for given in chosen]
    except CannotPush:
        return
    for k, (one, dot) in enumerate(singles):
        assert trees.same(y, one)
        same(one_of(dots, k), dot, y, rtol)


def same(found: Any, expected: Any, y: Any, rtol: float) -> None:
    leaves = [list(trees.leaves(tree)) for tree in (found, expected)]
    for (path, one), (_, other) in zip(*leaves, strict=True):
        if one is not None and other is not None:
            assert np.shape(one) == np.shape(other), path
            np.testing.assert_allclose(numeric(one), numeric(other), rtol=rtol, atol=1e-9)


def numeric(leaf: Any) -> Any:
    """Numbers of which NumPy knows no type of its own, such as fractions, as floats."""
    array = np.asarray(leaf)
    return array.astype(float) if array.dtype == object else array


@pytest.mark.parametrize("case", sorted(PUSHED)[::9])
def test_programs(case: str) -> None:
    name, _, position = case.rpartition("-")
    found = push((name, int(position)))
    several = found.several()
    if several is not None and not (found.tangent.writes or found.tangent.elsewhere):  # each runs it anew
        single = any(
            np.asarray(leaf).dtype == np.float32
            for _, leaf in trees.leaves(programs()[name].argument_sets[int(position)])
        )
        agree(found, several, 2, 1e-5 if single else 1e-9)


def of_call(function: Any, args: list[Any], kwargs: dict[str, Any], moving: list[int]) -> None:
    found = push_along(function, args, kwargs, moving)
    values = [*args, *kwargs.values()]
    abstract = [Value(kind_of(value), place in moving) for place, value in enumerate(values)]
    unit = dispatch.unit_of_primitive(function, args, kwargs)
    many = tangent_of(unit, abstract, {}, several=True)
    if isinstance(found, Push) and isinstance(many, Tangent):
        for count in (2, 3):
            agree(found, Several(many, tuple(values), tuple(moving)), count)


@pytest.mark.parametrize("entry", CALLS[::12], ids=label)
def test_rules_of_arrays(entry: Call) -> None:
    function, args, kwargs = entry
    moving = places(declare.REGISTRY[function], list(args), kwargs, differentiated(entry))
    of_call(function, list(args), kwargs, moving)


@pytest.mark.parametrize("function", [np.multiply, np.divide, np.power, np.abs, np.arctan2, np.maximum])
@pytest.mark.parametrize("shapes", [((), (2,)), ((2,), ()), ((2,), (2, 2)), ((2, 2), (2,)), ((2, 1), (2,))])
def test_operands_of_several_ranks(function: Any, shapes: Any) -> None:
    random = np.random.default_rng(3)
    count = len(texts(declare.REGISTRY[function]).names())
    args = [0.5 + random.random(shape) if shape else 1.7 for shape in shapes[:count]]
    of_call(function, args, {}, list(range(len(args))))


def test_every_elementwise_rule_of_one_argument() -> None:
    for rule in WIDE:
        if len(texts(rule).names()) == 1 and isinstance(rule.function, np.ufunc):
            with np.errstate(invalid="ignore"):
                of_call(rule.function, [np.array([0.3, 0.4])], {}, [0])


# ---------------------------------------------------------------------------------- whole derivatives

X = np.array([0.5, 1.5, -0.7, 2.0])
MATRIX = np.cos(np.arange(16.0)).reshape(4, 4)


def scalars_and_views(u: Any) -> Any:
    first = u[0]
    v = u * 1.0
    held = v[1]
    v[1] = first * v[2]
    total = 0.0
    other = total
    for k in range(4):
        total += v[k] * held
    other += total
    total *= other
    return total * first + np.sum(v)


def rows(u: Any) -> Any:
    table = np.outer(u, u) + u
    total = 0.0
    for row in table:
        total = total + np.sum(row * u) * row[0]
    a, b = table[:2]
    return total + a @ b + table[1:, 2] @ table.T[0, 1:]


def overlapping(u: Any) -> Any:
    v = u.copy()
    v[1:] = v[:-1]
    v[:2] += v[2:]
    v[::-1] *= u
    v[[0, 0, 2]] += u[0]
    v[u > 1] *= u[0]
    return np.sum(v * v)


def joined(u: Any) -> Any:
    parts = [u[:2], u[1:] * u[0]]
    whole = np.concatenate(parts)
    square = np.array([[u[0], u[1]], [u[2], u[3]]])
    stacked = np.stack([u, u * u])
    return np.sum(whole**3) + np.sum(square @ square.T) + np.sum(stacked * stacked[1])


def reductions(u: Any) -> Any:
    m = u[:, None] * MATRIX
    means = np.mean(m * m, axis=0) + np.sum(m, axis=-1) * u
    return (
        np.sum(means**2) + np.max(m) * np.min(u) + np.prod(u) + np.sum(np.cumsum(u) * u) + np.linalg.norm(m)
    )


def solved(u: Any) -> Any:
    a = np.outer(u, u) + 3.0 * np.eye(4)
    return np.sum(np.linalg.solve(a, u) ** 2) + np.trace(np.linalg.inv(a))


def choosing(u: Any) -> Any:
    return np.sum(np.where(u > 0, u**3, np.exp(u)) * np.maximum(u, u[::-1])) + abs(u[0]) * u[1] ** 2.5


def calling(u: Any) -> Any:
    return sums(u * u, u[1]) * sums(u, 2.0)


def sums(v: Any, scale: Any) -> Any:
    total = 0.0
    for k in range(len(v)):
        total += math.sin(v[k] * scale) if k % 2 else v[k] * scale
    return total


def network(u: Any) -> Any:
    hidden = np.tanh(MATRIX @ u + u[0])
    for _ in range(2):
        hidden = np.tanh(hidden @ MATRIX) + hidden * u
    return np.dot(hidden, hidden)


PROGRAMS = (
    scalars_and_views,
    rows,
    overlapping,
    joined,
    reductions,
    solved,
    choosing,
    calling,
    network,
)


@pytest.mark.parametrize("function", PROGRAMS)
def test_hessians(function: Any) -> None:
    hessian = zg.hessian(function, X)
    step = 1e-5
    for k, seed in enumerate(np.eye(4)):
        one, other = (zg.gradient(function, X + sign * step * seed)[0] for sign in (1, -1))
        np.testing.assert_allclose(hessian[k], (one - other) / (2 * step), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("function", PROGRAMS)
def test_columns_at_once_and_one_by_one(function: Any) -> None:
    for made in (pushing.push_of(function, (X,)), gradients_pushed.gradient_push(function, (X,))):
        several = made.several() if isinstance(made, Push) else None
        if several is not None:
            agree(made, several, 4)


def spread(u: Any, t: Any) -> Any:
    return np.tanh(MATRIX @ u) * t + np.sum(u) * u


def test_jacobians_of_several_arguments() -> None:
    found, expected = zg.withjacobian(spread, X, 0.7), withjacobian_by_reverse(spread, X, 0.7)
    for one, other in zip(found.grad, expected.grad, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
        assert one.shape == other.shape
        assert one.dtype == other.dtype
    assert zg.jacobian(lambda u: u * u, X.astype(np.float32))[0].dtype == np.float32
    assert zg.jacobian(lambda u: u / 2, np.arange(4))[0].tolist() == (np.eye(4) / 2).tolist()


def test_more_columns_than_fit() -> None:
    u = np.linspace(-1.0, 1.0, 400)
    found = zg.hessian(lambda u: np.sum(u**3) + u[0] * np.sum(u), u)
    expected = np.diag(6 * u)
    expected[0] += 1.0
    expected[:, 0] += 1.0
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_tangents_that_cannot_be_taken_at_once_are_taken_one_by_one() -> None:
    class Alone:
        def several(self) -> None:
            return None

        def run(self, directions: Any) -> Any:
            return X * 2, directions[0] * 2

    assert columns(Alone(), (X,), lambda y: y)[1].tolist() == (2 * np.eye(4)).tolist()


def test_what_does_not_depend_on_the_argument_has_zeros() -> None:
    assert zg.hessian(lambda u: 3.0 * u[0] + np.sum(X), X).tolist() == np.zeros((4, 4)).tolist()
    assert zg.jacobian(lambda u: X * 2.0, X)[0].tolist() == np.zeros((4, 4)).tolist()


def test_captured_values_have_no_tangents() -> None:
    weights, scale = np.array([1.0, 2.0, 3.0, 4.0]), 3.0

    def loss(u: Any) -> Any:
        return np.sum(weights * u**3) * scale

    found = gradients_pushed.gradient_push(loss, (X,))
    assert isinstance(found, Push)
    assert "weights_dot" not in found.tangent.text.source
    np.testing.assert_allclose(zg.hvp(loss, X, X), 18.0 * weights * X * X)
    np.testing.assert_allclose(zg.hessian(loss, X), np.diag(18.0 * weights * X))
    np.testing.assert_allclose(zg.diaghessian(loss, X)[0], 18.0 * weights * X)


SQUARE = np.cos(np.arange(16.0)).reshape(4, 4)


@pytest.mark.parametrize(
    "system",
    [
        lambda u: np.tanh(SQUARE @ u) + u * u,
        lambda u: np.sin(u) * 3.0 + np.tanh(SQUARE @ u),
        lambda u: np.tanh(SQUARE.T @ u) * u + np.exp(u),
        lambda u: (SQUARE @ u) * u + (SQUARE @ u) * 2.0 + u,
        lambda u: (SQUARE @ u) * 1.0 + u * u[::-1],
        lambda u: (SQUARE[:1] @ u) * 2.0 + u * u,
        lambda u: (SQUARE[:, :] @ u) * 2.0 + 3.0 * u,
    ],
)
def test_diagonals_beside_matrices(system: Any) -> None:
    columns_of = np.array([zg.pushforward(system, X)(unit) for unit in np.eye(4)]).T
    kept = SQUARE.copy()
    for _ in range(2):
        np.testing.assert_allclose(zg.jacobian(system, X)[0], columns_of, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(SQUARE, kept)
    np.testing.assert_array_equal(unit_vectors(4), np.eye(4))


def test_a_matrix_that_is_replaced_is_seen() -> None:
    space: dict[str, Any] = globals()

    def system(u: Any) -> Any:
        return REPLACED @ u + u * u

    expected = np.diag(2.0 * X)
    for made in (SQUARE, 2.0 * SQUARE, SQUARE.astype(np.float32), SQUARE + 0.5j):
        space["REPLACED"] = made
        np.testing.assert_allclose(zg.jacobian(system, X)[0], made + expected, rtol=1e-6)
    space["REPLACED"] = np.ones(4)
    np.testing.assert_allclose(zg.jacobian(system, X)[0], np.ones((4, 4)) + expected)


REPLACED = SQUARE
