"""The rules of array functions and of their run-time helpers, call by call, without the engine."""

from __future__ import annotations

import ast
import math
import zlib
from typing import Any

import numpy as np
import pytest
import scipy.linalg

from tests.rules import (
    array_calls,
    fourier_calls,
    reference,
    scipy_calls,
    scipy_fourier_calls,
    scipy_matrix_calls,
    selection_calls,
)
from tests.rules.array_calls import CALLS, Call
from zygpy.errors import UnsupportedSyntaxError
from zygpy.rules.declare import ATTRIBUTES, METHODS, REGISTRY, Rule
from zygpy.rules.texts import texts
from zygpy.runtime import helpers, methods

reference.load_all_rules()


def bound(entry: Call) -> dict[str, Any]:
    """The values of the rule's parameters in this call."""
    function, args, keywords = entry
    values: dict[str, Any] = {}
    rest = list(args)
    for parameter in texts(REGISTRY[function]).parameters:
        if parameter.starred:
            values[parameter.name] = tuple(rest)
            rest = []
        elif rest:
            values[parameter.name] = rest.pop(0)
        elif parameter.name in keywords:
            values[parameter.name] = keywords[parameter.name]
        else:
            values[parameter.name] = parameter.default
    assert not rest
    return values


def given(entry: Call) -> set[str]:
    """The parameters that the call names or fills by position."""
    parameters = texts(REGISTRY[entry[0]]).parameters
    starred = {parameter.name for parameter in parameters if parameter.starred}
    return starred | set(entry[2]) | {parameter.name for parameter in parameters[: len(entry[1])]}


def again(entry: Call, values: dict[str, Any]) -> Any:
    """The call with other values of its parameters."""
    function, args, keywords = entry
    positional: list[Any] = []
    for parameter in texts(REGISTRY[function]).parameters:
        if parameter.starred:
            positional.extend(values[parameter.name])
        elif len(positional) < len(args):
            positional.append(values[parameter.name])
    return function(*positional, **{name: values[name] for name in keywords})


class Measured(ast.NodeTransformer):
    """Calls of measurements by a name that no parameter can hide."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in reference.MEASUREMENTS:
            node.func.id = f"measured_{node.func.id}"
        return node


def contribution(rule: Rule, name: str, values: dict[str, Any], y: Any, y_bar: Any) -> Any:
    """What the rule's text gives for one parameter."""
    tree = ast.fix_missing_locations(Measured().visit(ast.parse(rule.bars[name], mode="eval")))
    measures = {f"measured_{key}": value for key, value in reference.MEASUREMENTS.items()}
    scope = {**reference.namespace(), **measures, **values, "y": y, "y_bar": y_bar}
    scope["conj"] = lambda value: np.conj(value) if np.iscomplexobj(value) else value
    return eval(compile(tree, f"<{name}_bar>", "eval"), scope)


def is_number(value: Any) -> bool:
    """Whether there are only floating-point numbers in the value, and at least one."""
    if isinstance(value, tuple | list):
        return len(value) > 0 and all(is_number(item) for item in value)
    return isinstance(value, float | complex) or (isinstance(value, np.ndarray) and value.dtype.kind in "fc")


def differentiated(entry: Call) -> list[str]:
    """The parameters that the call gives numbers for and that the rule has contributions to."""
    values, rule = bound(entry), REGISTRY[entry[0]]
    known = [name for name in rule.bars if name not in rule.refused]
    return [name for name in known if name in given(entry) and is_number(values[name])]


def converted(value: Any, to: Any) -> Any:
    """The value with every leaf put through `to`."""
    if isinstance(value, tuple | list):
        return type(value)(converted(item, to) for item in value)
    return to(value)


def frozen(value: Any) -> Any:
    """A copy of the value whose arrays refuse to be written."""
    if isinstance(value, tuple | list):
        return type(value)(frozen(item) for item in value)
    if isinstance(value, np.ndarray):
        value = value.copy(order="K")
        value.flags.writeable = False
    return value


def label(entry: Call) -> str:
    function, args, keywords = entry
    shown = [describe(value) for value in args] + [
        f"{key}={describe(value)}" for key, value in keywords.items()
    ]
    return f"{function.__name__}({', '.join(shown)})"


def describe(value: Any) -> str:
    if isinstance(value, tuple | list) and not is_number(value):
        return f"[{' '.join(describe(item) for item in value)}]"
    return f"x{np.shape(value)}" if isinstance(value, np.ndarray) else str(value).replace("\n", "")


def structured(y: Any) -> Any:
    """Results of NumPy that are named tuples, as plain ones."""
    return tuple(y) if isinstance(y, tuple) else y


def zero_where_nan(y: Any, seed: Any) -> Any:
    """A seed for a result of which parts are nan, as residues are without full rank since SciPy 1.18."""
    if isinstance(y, tuple):
        return tuple(zero_where_nan(*both) for both in zip(y, seed, strict=True))
    if isinstance(y, list) or np.asarray(y).dtype.kind not in "fc":
        return seed
    return np.where(np.isnan(y), np.zeros_like(seed), seed)


def agrees(entry: Call, values: dict[str, Any], tolerance: float = 2e-7) -> None:
    rule = REGISTRY[entry[0]]
    generator = np.random.default_rng(zlib.crc32(label(entry).encode()))
    values = frozen(values)
    y = again(entry, values)
    seed = frozen(zero_where_nan(structured(y), reference.random_like(generator, structured(y))))
    for name in differentiated(entry):
        value = values[name]
        bar = contribution(rule, name, values, y, seed)
        same_layout(bar, value)
        direction = reference.random_like(generator, value)

        def along(t: float, name: str = name, value: Any = value, direction: Any = direction) -> Any:
            return reference.flat(
                structured(again(entry, {**values, name: reference.moved(value, direction, t)}))
            )

        there = ~np.isnan(reference.flat(structured(y)))  # residues of a matrix without full rank are nan
        expected = reference.pairing(reference.flat(seed)[there], reference.directional(along)[there])
        found = reference.pairing(reference.flat(bar), reference.flat(direction))
        scale = max(1.0, abs(expected))
        assert math.isclose(found, expected, abs_tol=tolerance * scale), (name, found, expected)


def same_layout(bar: Any, value: Any) -> None:
    """A contribution has the parameter's own shape, or mirrors its nesting."""
    if isinstance(bar, tuple | list):
        assert len(bar) == len(value)
        for one, other in zip(bar, value, strict=True):
            same_layout(one, other)
    else:
        assert bar is None or np.shape(bar) == np.shape(value)


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_agrees_with_differences(entry: Call) -> None:
    assert differentiated(entry), "no argument of this call is differentiated"
    agrees(entry, bound(entry))


REAL = {
    np.bincount,
    np.kaiser,
    np.interp, np.arange, np.geomspace, np.linalg.eigh, np.linalg.eigvalsh, np.linalg.cholesky,
    helpers.interval_values, helpers.interval_sums, helpers.interpolate_transpose, helpers.power_or_zero,
    helpers.uncast, methods.astype, np.astype, methods.part_of_number,
    helpers.half_lower, helpers.range_start_transpose,
    np.full_like, *fourier_calls.REAL, *scipy_calls.REAL, *scipy_matrix_calls.REAL, *selection_calls.REAL,
    *scipy_fourier_calls.REAL,
}  # fmt: skip
"""Functions of real numbers, or that are given a real dtype; some Hermitian ones have a test of their own."""

COMPLEX = [entry for entry in CALLS if entry[0] not in REAL and not {"dtype", "transposed"} & given(entry)]


def to_complex(value: Any) -> Any:
    """Each float with an imaginary part that depends on it."""
    result = value + 0.4j * np.cos(3.0 * value)
    return np.asarray(result) if isinstance(value, np.ndarray) else complex(result)


@pytest.mark.parametrize("entry", COMPLEX, ids=label)
def test_agrees_with_differences_for_complex_operands(entry: Call) -> None:
    values = bound(entry)
    for name in differentiated(entry):
        values[name] = converted(values[name], to_complex)
    agrees(entry, values)


UNCALLED = {
    *(helpers.einsum_third, np.intersect1d),
    *(helpers.choice_of_ranks, helpers.shares_only, helpers.weight_moved),
    methods.ravel,
}
"""What is refused, what has no differences (equal elements do not stay equal), and choices: they hold places
beside shares, and their rules are those of second derivatives by the place of a quantile."""


def test_every_rule_of_arrays_is_called() -> None:
    called = {id(REGISTRY[entry[0]]) for entry in CALLS}
    rooms = ("broadcast", "indexing", "reductions", "scans", "shaping", "products", "einstein", "methods",
             "linear_algebra", "hermitian", "nesting", "sampling", "fourier",
             "decompositions", "matrix_norms", "selections")  # fmt: skip
    missing = [
        rule.call
        for function, rule in REGISTRY.items()
        if rule.bars
        and rule.style == "whole"
        and not rule.writes
        and function not in UNCALLED
        and id(rule) not in called
        if getattr(function, "__module__", "").startswith(tuple(f"zygpy.runtime.{room}" for room in rooms))
        or (function in vars(np).values() and not isinstance(function, np.ufunc))
        or function in vars(np.linalg).values()
        or function in vars(np.fft).values()
    ]
    assert missing == []


def leaves(value: Any) -> list[Any]:
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    return [] if value is None else [value]


def to_single(value: Any) -> Any:
    return single(value) if isinstance(value, np.ndarray) else value


def single(value: Any) -> Any:
    """A number or array in single precision."""
    return np.asarray(value, np.complex64 if np.iscomplexobj(value) else np.float32)[()]


def in_single(value: Any) -> Any:
    """The value of a parameter for a run in single precision."""
    if isinstance(value, np.dtype):
        return np.dtype(np.float32)
    return converted(value, to_single) if is_number(value) else value


def is_single(value: Any) -> bool:
    return getattr(value, "dtype", None) in (np.float32, np.complex64)


WIDENING = {np.vander, helpers.interpolate_transpose, scipy.linalg.logm}
"""These are computed in double precision, whatever comes in, or warn where they are not."""


@pytest.mark.parametrize("entry", [one for one in CALLS if one[0] not in WIDENING], ids=label)
def test_keeps_single_precision(entry: Call) -> None:
    values = {name: in_single(value) for name, value in bound(entry).items()}
    y = again(entry, values)
    seed = converted(reference.random_like(np.random.default_rng(0), structured(y)), single)
    if not all(is_single(leaf) for leaf in leaves(structured(y))):
        return
    for name in differentiated(entry):
        if all(is_single(leaf) for leaf in leaves(values[name])):
            bar = contribution(REGISTRY[entry[0]], name, values, y, seed)
            assert all(is_single(leaf) for leaf in leaves(bar)), name


SEVERAL = [entry for entry in CALLS if isinstance(again(entry, bound(entry)), tuple | list)]


@pytest.mark.parametrize("entry", SEVERAL, ids=label)
def test_symbolic_zeros_count_as_zeros(entry: Call) -> None:
    rule, values = REGISTRY[entry[0]], bound(entry)
    y = again(entry, values)
    seed = list(reference.random_like(np.random.default_rng(1), structured(y)))
    for place in range(len(seed)):
        partial = [one if at == place else None for at, one in enumerate(seed)]
        zeros = [one if at == place else reference.moved(one, one, -1.0) for at, one in enumerate(seed)]
        for name in differentiated(entry):
            found = contribution(rule, name, values, y, partial)
            expected = contribution(rule, name, values, y, zeros)
            np.testing.assert_allclose(dense(found, values[name]), dense(expected, values[name]), atol=1e-12)


def dense(bar: Any, value: Any) -> Any:
    """A contribution with zeros for its symbolic zeros, in one vector."""
    if isinstance(value, tuple | list) and bar is not None:
        return np.concatenate([dense(one, other) for one, other in zip(bar, value, strict=True)])
    return np.ravel(np.zeros(np.shape(value)) if bar is None else np.broadcast_to(bar, np.shape(value)))


def bar_of(function: Any, *args: Any, seed: Any = 1.0, wrt: str | None = None, **keywords: Any) -> Any:
    entry = array_calls.call(function, *args, **keywords)
    rule, values = REGISTRY[function], bound(entry)
    y = again(entry, values)
    y_bar = seed * np.ones_like(y) if not isinstance(y, tuple) else seed
    return contribution(rule, wrt or next(iter(rule.bars)), values, y, y_bar)


@pytest.mark.parametrize("function", [np.std, np.linalg.norm])
def test_zero_where_all_deviation_is_zero(function: Any) -> None:
    assert bar_of(function, np.zeros((2, 3))).tolist() == np.zeros((2, 3)).tolist()
    assert bar_of(function, np.zeros((2, 3)), axis=1).tolist() == np.zeros((2, 3)).tolist()


@pytest.mark.parametrize("order", [1, 1.5, 2, 3, np.inf])
def test_norms_at_zero(order: float) -> None:
    assert bar_of(np.linalg.norm, np.zeros(3), order).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("function", [np.max, np.min])
def test_the_first_of_equal_extremes_gets_it_all(function: Any) -> None:
    tied = np.ones((2, 3))
    assert bar_of(function, tied).tolist() == [[1, 0, 0], [0, 0, 0]]
    assert bar_of(function, tied, axis=1).tolist() == [[1, 0, 0], [1, 0, 0]]
    assert bar_of(function, tied, axis=0, keepdims=True).tolist() == [[1, 1, 1], [0, 0, 0]]


def test_integers_give_floats() -> None:
    whole = np.arange(6).reshape(2, 3)
    for function in (np.sum, np.mean, np.max, np.prod, np.cumsum, np.cumprod, np.diff, np.sort, np.transpose):
        entry = array_calls.call(function, whole)
        y = again(entry, bound(entry))
        bar = contribution(REGISTRY[function], "a", bound(entry), y, np.ones(np.shape(y))[()])
        assert np.asarray(bar).dtype == np.float64, function


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(np.sum, {}), (np.cumsum, {}), (np.prod, {}), (np.transpose, {}), (np.sum, {"axis": 0}), (np.sort, {})],
)
def test_empty_arrays(function: Any, arguments: dict[str, Any]) -> None:
    assert bar_of(function, np.zeros((3, 0)), **arguments).shape == (3, 0)


@pytest.mark.parametrize("function", [np.sum, np.cumsum, np.mean, np.prod])
def test_nothing_comes_back_through_a_cast_to_integers(function: Any) -> None:
    assert not np.any(bar_of(function, np.array([1.5, 2.5]), dtype=int))


def test_casts() -> None:
    x = np.array([1.5, 2.5], np.float32)
    assert bar_of(methods.astype, x, np.float64).dtype == np.float32
    assert not bar_of(methods.astype, x, int).any()
    assert bar_of(methods.astype, x, complex, seed=1 + 2j).tolist() == [1.0, 1.0]
    assert not bar_of(np.full, (2,), 1.5, int).any()
    assert bar_of(np.array, [1.5, 2.5], int) == [0.0, 0.0]
    assert not np.any(bar_of(np.full_like, np.arange(3), 1.5))


def test_log_determinant_of_a_singular_matrix_has_no_gradient() -> None:
    bar = bar_of(np.linalg.slogdet, np.ones((2, 2)), seed=(None, 1.0))
    assert bar.tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("function", [np.linalg.cholesky, np.linalg.eigvalsh])
def test_hermitian_factorisations(function: Any) -> None:
    half = array_calls.array(3, 3) + 1j * array_calls.array(3, 3, start=20)
    matrix = half @ np.conj(half.T) + np.diag([1.0, 2.0, 3.0])
    generator = np.random.default_rng(2)
    direction = generator.normal(size=(3, 3)) + 1j * generator.normal(size=(3, 3))
    direction = direction + np.conj(direction.T)
    y = function(matrix)
    seed = reference.random_like(generator, y)
    bar = contribution(REGISTRY[function], "a", {"a": matrix, "UPLO": "L", "upper": False}, y, seed)
    expected = reference.directional(lambda t: function(matrix + t * direction))
    assert math.isclose(reference.pairing(bar, direction), reference.pairing(seed, expected), rel_tol=1e-7)


def test_methods_take_what_arrays_and_numbers_take() -> None:
    x = array_calls.array(2, 3)
    for name, function in METHODS.items():
        owner = next(one for one in (x, 1.5, 2) if hasattr(one, name))
        assert callable(getattr(owner, name)), name
        assert function in REGISTRY, name
    for name, function in ATTRIBUTES.items():
        found, expected = function(x), getattr(x, name)
        assert (
            np.array_equal(found, expected)
            if isinstance(expected, np.ndarray)
            else str(found) == str(expected)
        )
    for _, args, keywords in [one for one in CALLS if one[0] is methods.reshape]:
        assert np.array_equal(methods.reshape(*args, **keywords), args[0].reshape(*args[1:], **keywords))


def test_the_fourth_derivative_of_einsum_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="tensordot"):
        eval(REGISTRY[helpers.einsum_third].bars["value"], reference.namespace())


@pytest.mark.parametrize(
    ("function", "args", "error", "why"),
    [
        (np.pad, (np.ones(3), 1, "mean"), NotImplementedError, "mean"),
        (np.ravel, (np.ones((2, 2)), "K"), UnsupportedSyntaxError, "memory layout"),
    ],
)
def test_what_has_no_rule_says_so(
    function: Any, args: tuple[Any, ...], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        bar_of(function, *args)


def test_the_first_of_equal_elements_counts_as_the_unique_one() -> None:
    x = np.array([2.0, 1.0, 2.0])
    bar = contribution(REGISTRY[np.unique], "ar", {"ar": x, "axis": None}, np.unique(x), np.array([5.0, 7.0]))
    assert bar.tolist() == [7.0, 5.0, 0.0]


def test_a_rule_that_is_a_little_wrong_is_caught() -> None:
    entry = array_calls.call(np.sum, array_calls.array(2, 3))
    right = REGISTRY[np.sum]
    REGISTRY[np.sum] = Rule(np.sum, right.call, {"a": "1.001 * " + right.bars["a"]}, "whole")
    try:
        with pytest.raises(AssertionError):
            agrees(entry, bound(entry))
    finally:
        REGISTRY[np.sum] = right
