"""Methods of ufuncs, calls of ufuncs with keywords, and functions that `np.vectorize` makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.test_numpy_keywords import KEPT, POSITIVE, M, X, each_weighed, turned, weighed
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError
from zygpy.testing import check_gradient

Program = tuple[Callable[..., Any], tuple[Any, ...]]
AMOUNTS = np.abs(M) + 0.4
PLACES = np.array([0, 2, 0, 0, 3])
BINARY = (
    *("add", "subtract", "multiply", "divide", "maximum", "minimum", "logaddexp", "hypot", "power"),
    *("arctan2", "fmax", "fmin", "logaddexp2", "copysign"),
)
IN_PIECES = [name for name in BINARY if name not in ("power", "arctan2")]
"""Some versions of NumPy skip elements in rows of the others."""


def of(name: str, method: str) -> Program:
    function = getattr(getattr(np, name), method)
    if method == "reduce":
        return lambda m: weighed(function(m)) + weighed(function(m, axis=1, keepdims=True)), (AMOUNTS,)
    if method == "accumulate":
        return lambda m: weighed(function(m, axis=1)), (AMOUNTS,)
    if method == "reduceat":
        return lambda m: weighed(function(m, [0, 2, 1], axis=1)), (AMOUNTS,)
    return lambda m: weighed(function(m[0], m)), (AMOUNTS,)


def at(name: str) -> Program:
    function = getattr(np, name)

    def with_operand(x: Any, b: Any) -> Any:
        y = x * 1.0
        function.at(y, PLACES, b)
        return weighed(y)

    def alone(x: Any) -> Any:
        y = x * 1.0
        function.at(y, PLACES)
        return weighed(y)

    operand = np.array([1.1, 0.4, 0.7, 0.9, 1.7])
    return (alone, (POSITIVE,)) if function.nin == 1 else (with_operand, (POSITIVE, operand))


def at_rows(x: Any, b: Any) -> Any:
    y = x.copy()
    np.multiply.at(y, (np.array([0, 1, 0]), slice(0, 2)), b)
    return weighed(y)


def at_a_view(x: Any, b: Any) -> Any:
    y = x.copy()
    np.multiply.at(y[::-1], [0, 0, 1], b)
    return weighed(y)


def at_in_a_list(x: Any, b: Any) -> Any:
    things = [x.copy()]
    other = things
    np.maximum.at(other[0], [0, 0, 1], b)
    return weighed(things[0] ** 2)


PROGRAMS: dict[str, Program] = {
    **{f"{name}.{method}": of(name, method) for method in ("accumulate", "outer") for name in BINARY},
    **{f"{name}.{method}": of(name, method) for method in ("reduce", "reduceat") for name in IN_PIECES},
    "power.reduce": (lambda m: weighed(np.power.reduce(m)), (AMOUNTS,)),
    "power.reduce along rows": (lambda m: weighed(np.power.reduce(m, axis=1)), (AMOUNTS,)),
    "arctan2.reduce along rows": (lambda m: weighed(np.arctan2.reduce(m, axis=1, initial=0.3)), (AMOUNTS,)),
    **{f"{name}.at": at(name) for name in (*BINARY[:9], "negative", "exp", "square", "sin")},
    "multiply.at rows": (at_rows, (M, np.array([[1.5], [0.3], [2.0]]))),
    "multiply.at a view": (at_a_view, (X, np.array([1.5, 0.3, 2.0]))),
    "maximum.at in a list": (at_in_a_list, (X, np.array([1.5, 0.3, 2.0]))),
    "sums of some": (lambda m, i: weighed(np.add.reduce(m, initial=i, where=KEPT)), (M, 0.5)),
    "products of some": (
        lambda m, i: weighed(np.multiply.reduce(m, axis=(0, 1), initial=i, where=KEPT)),
        (M, 0.5),
    ),
    "largest of some": (lambda m, i: weighed(np.maximum.reduce(m, axis=1, initial=i, where=KEPT)), (M, 0.5)),
    "logarithms of some": (
        lambda m, i: weighed(np.logaddexp.reduce(m, axis=1, initial=i, where=KEPT)),
        (M, 0.5),
    ),
    "all axes": (lambda m: np.logaddexp.reduce(m, axis=None), (M,)),
    "sums of complex numbers": (lambda m: turned(np.add.reduce(m, axis=1, dtype=complex)), (M,)),
    "outer of complex numbers": (lambda x: turned(np.multiply.outer(x, x, dtype=complex)), (X,)),
    "a dtype": (lambda x, m: turned(np.multiply(x, m, dtype=complex)), (X, M)),
    "an order": (
        lambda x, m: weighed(np.multiply(x, m, order="F")) + weighed(np.sin(x, casting="safe")),
        (X, M),
    ),
    "axes of matrices": (lambda m: weighed(np.matmul(m, m, axes=[(0, 1), (1, 0), (0, 1)])), (M,)),
    "axes of a vector": (lambda m: weighed(np.matmul(m, m[0], axes=[(0, 1), (0,), (0,)])), (M,)),
    "axes of vectors": (lambda m: weighed(np.vecdot(m, m * m, axes=[(0,), (0,), ()])), (M,)),
    "an axis that is kept": (lambda m: weighed(np.vecdot(m, m, axis=0, keepdims=True)), (M,)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_agree_with_differences(name: str) -> None:
    program, args = PROGRAMS[name]
    value, _ = zg.pullback(program, *args)
    assert np.array_equal(value, program(*args))
    check_gradient(program, *args)


@pytest.mark.parametrize(
    "name",
    ["multiply.outer", "hypot.reduce", "logaddexp.accumulate", "divide.reduceat", "multiply.at", "a dtype"],
)
def test_second_derivatives_agree_with_differences(name: str) -> None:
    program, args = PROGRAMS[name]
    check_gradient(lambda *xs: program(*xs) ** 2, *args, order=2)


def test_reductions_that_skip_elements_are_refused() -> None:
    rows = np.array([[1.1, 1.7, 2.5, 0.7]])
    value = np.power.reduceat(rows, [0, 2, 1], axis=1)
    right = bool(np.isclose(value[0, 2], (1.7**2.5) ** 0.7))
    program = lambda m: np.sum(np.power.reduceat(m, [0, 2, 1], axis=1))  # noqa: E731
    if right:
        check_gradient(program, rows)
    else:
        with pytest.raises(UnsupportedSyntaxError, match="power"):
            zg.gradient(program, rows)


def test_places_that_a_mask_leaves_out_have_no_value() -> None:
    with pytest.raises(MissingRuleError, match="where"):
        zg.gradient(lambda x: np.sum(np.sin(x, where=[True, False, True, True])), X)


CHOSEN = np.vectorize(lambda a, b: a * b + np.sin(a) if a > 0 else a * b * b)
ROWS = np.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")
TWO = np.vectorize(lambda a: (a * a.sum(), a[0]), signature="(n)->(n),()")


@np.vectorize
def scaled(a: Any, b: Any = 2.0) -> Any:
    return a**2 * b


def polynomial(p: Any, x: Any) -> Any:
    return sum(c * x**k for k, c in enumerate(p))


BY_NAME = np.vectorize(polynomial, excluded=["p"])
BY_PLACE = np.vectorize(polynomial, excluded=[0])
KEEPING = np.vectorize(lambda a: a * 3, cache=True)
SQUARES = np.vectorize(lambda a: (a * a, 3 * a), otypes=[float, float])


def captured(x: Any, b: Any) -> Any:
    return weighed(np.vectorize(lambda a: a * b + a * a)(x))


VECTORIZED: dict[str, Program] = {
    "branches": (lambda x, b: weighed(CHOSEN(x, b)), (X, 1.5)),
    "what is captured": (captured, (X, 1.5)),
    "a decorated function": (lambda x: weighed(scaled(x)), (X,)),
    "broadcast": (lambda m, x: weighed(scaled(m, x)) + weighed(scaled(m, b=x)), (M, X)),
    "rows": (lambda m, x: weighed(ROWS(m, x)), (M, X)),
    "rows and numbers": (lambda m: each_weighed(TWO(m)), (M,)),
    "excluded by name": (lambda x, p: weighed(BY_NAME(p=[p, 2 * p, 1.0], x=x)), (X, 1.5)),
    "excluded by place": (lambda x, p: weighed(BY_PLACE(p, x)), (X, np.array([1.5, 0.2]))),
    "kept": (lambda x: weighed(KEEPING(x)), (X,)),
    "several results": (lambda m: each_weighed(SQUARES(m)), (M,)),
    "from indices": (lambda b: weighed(np.fromfunction(lambda i, j: i * b + j * j * b, (3, 2))), (1.5,)),
    "along rows": (lambda m, b: weighed(np.apply_along_axis(lambda r: r * b * r.sum(), 1, m)), (M, 1.5)),
    "over axes": (lambda m: weighed(np.apply_over_axes(np.sum, m * m, [0, 1])), (M,)),
    "indices of elements": (lambda m: sum([m[i] ** 2 * (i[0] + 1) for i in np.ndindex(*m.shape)]), (M,)),
}


@pytest.mark.parametrize("name", VECTORIZED)
def test_vectorized_functions_agree_with_differences(name: str) -> None:
    program, args = VECTORIZED[name]
    value, _ = zg.pullback(program, *args)
    assert np.array_equal(value, program(*args))
    check_gradient(program, *args)


def test_the_second_derivative_of_a_vectorized_function() -> None:
    check_gradient(lambda x, b: weighed(CHOSEN(x, b)) ** 2, X, 1.5, order=2)


def test_the_function_is_called_as_often_as_numpy_calls_it() -> None:
    seen: list[float] = []
    following = np.vectorize(lambda a: (seen.append(float(a)), a * 2.0)[1])
    following(X)
    plain = list(seen)
    seen.clear()
    zg.pullback(lambda x: np.sum(following(x)), X)
    assert seen == plain


def test_nothing_can_be_vectorized_without_types() -> None:
    with pytest.raises(ValueError, match="size 0"):
        zg.gradient(lambda x: np.sum(scaled(x[:0])), X)
    with pytest.raises(ValueError, match="enough dimensions"):
        zg.gradient(lambda x: np.sum(ROWS(x[0], x)), X)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: sum([v * v for v in np.nditer(x)]),
        lambda x: sum([a * b for a, b in np.broadcast(x, x)]),
        lambda x: np.sum(np.frompyfunc(lambda a: a * 2, 1, 1)(x).astype(float)),
    ],
)
def test_iterators_over_several_arrays_are_refused(program: Callable[[Any], Any]) -> None:
    with pytest.raises(zg.ZygpyError):
        zg.gradient(program, X)


def by_methods(x: Any) -> Any:
    found = [x * x]
    names = found
    names.append(x)
    y = found[0]
    return [
        np.add.reduce(y),
        np.multiply.reduce(y),
        np.add.accumulate(y).sum(),
        np.multiply.outer(y, x).sum(),
        np.add.reduceat(y, [0, 2]).sum() * np.logical_and.reduce(y > 0),
        np.maximum.reduce(y, axis=0, initial=0.1),
    ]


def by_functions(x: Any) -> Any:
    y = x * x
    return [np.sum(y), np.prod(y), np.sum(np.cumsum(y)), np.sum(np.outer(y, x)), np.sum(y), np.max(y)]


def test_methods_in_programs_where_things_are_found_by_identity() -> None:
    x, weights = np.array([0.3, 1.2, 0.5]), np.arange(1.0, 7.0)
    (found,) = zg.gradient(lambda x: sum(w * v for w, v in zip(weights, by_methods(x), strict=True)), x)
    (expected,) = zg.gradient(lambda x: sum(w * v for w, v in zip(weights, by_functions(x), strict=True)), x)
    np.testing.assert_allclose(found, expected)
