"""Forms of calls that NumPy takes and that were once wrong, or raised an exception out of the adjoint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy import units
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

M = np.array([[0.7, 0.3, 0.55, 0.25], [0.4, 0.65, 0.2, 0.8], [0.45, 0.6, 0.35, 0.5]])
Z = M * np.exp(3j * M)
QUANTILES = ("quantile", "percentile", "nanquantile", "nanpercentile")


def unweighed(name: str, **options: Any) -> Callable[..., Any]:
    function = getattr(np, name)
    return lambda m: function(m, [0.3, 0.7], axis=0, weights=None, **options)


@pytest.mark.parametrize("name", QUANTILES)
@pytest.mark.parametrize("options", [{}, {"method": "hazen", "keepdims": True}], ids=["plain", "hazen"])
def test_quantiles_whose_weights_are_none(name: str, options: dict[str, Any]) -> None:
    check_gradient(unweighed(name, **options), M)


def deviating(name: str, **options: Any) -> Callable[..., Any]:
    function = getattr(np, name)
    return lambda z: function(z, axis=0, **options)


@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
@pytest.mark.parametrize(
    "options",
    [{"dtype": float}, {"dtype": np.float32}, {"dtype": complex}, {"dtype": float, "correction": 1}],
    ids=str,
)
def test_deviations_of_complex_numbers_from_a_real_mean(name: str, options: dict[str, Any]) -> None:
    check_gradient(deviating(name, **options), Z)


@pytest.mark.parametrize(
    ("program", "argument"),
    [
        (lambda z: np.abs(z, dtype=np.float64), Z),
        (lambda m: np.abs(m, dtype=np.float32), M),
        (lambda m: np.ldexp(m, 2, dtype=float), M),
        (lambda m: np.multiply(2j, m, dtype=complex), M),
        (lambda m: np.sin(m, where=True), M),
        (lambda m: np.sin(list(m[0])), M),
        (lambda z: np.linalg.vector_norm(z, ord=None, axis=0), Z),
    ],
    ids=["modulus", "narrower", "ldexp", "complex", "everywhere", "list of a row", "norm"],
)
def test_agrees_with_differences(program: Callable[..., Any], argument: Any) -> None:
    check_gradient(program, argument, order=2)


def summed_by_a_method(m: Any) -> Any:
    sums, means = np.empty(4), np.empty((3, 1))
    m.sum(0, out=sums)
    m.mean(1, None, means, keepdims=True)
    return sums * means


def test_methods_that_store_their_result() -> None:
    check_gradient(summed_by_a_method, M, order=2)
    check_gradient(lambda m: m.cumsum(1, out=np.empty((3, 4))) ** 2, M)


@pytest.mark.parametrize(
    "program",
    [
        lambda m: np.ma.array(m).mean(),
        lambda m: np.ma.masked_where(m > 0.5, m).sum(),
        lambda m: (np.ma.masked_array(M, M > 0.5) * m).sum(),
        lambda m: np.sum(np.asmatrix(m) * 2),
        lambda m: np.sum(np.matrix(m)),
    ],
)
def test_arrays_of_other_classes_are_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(MissingRuleError, match=r"masked arrays|numpy\.matrix"):
        zg.gradient(program, M)


V = M[0]


def by_stars(function: Callable[..., Any], *behind: Any) -> Callable[..., Any]:
    """What finds a function when it is called."""
    return lambda x: function(x, *behind)


@pytest.mark.parametrize(
    ("program", "argument"),
    [
        (lambda b: np.logspace(0.1, 0.5, 4, base=1 + b), M),
        (lambda b: np.logspace(0.1, [0.2, 0.3, 0.3, 0.1], 3, base=1 + b), M),
        (lambda b: np.logspace(0.1, 0.5, 4, base=1 + b, dtype=float, axis=-1), M),
        (lambda b: np.logspace(V, b, 4, base=1 + b[:, :1], axis=1), M),
        (lambda v: np.convolve(v, V), V),
        (lambda v: np.convolve(v, v), V),
        (lambda v: np.correlate(v, V), V[:2]),
        (lambda v: np.correlate(v, v), V),
        (lambda m: np.nanmin(m, where=True), M),
        (lambda m: np.nanmax(m, axis=0, where=True), M),
        (lambda m: np.power(m, m) + np.mean(m, dtype=float, where=True), M.astype(">f8")),
        (lambda x: x.item(0) * x.item(), np.array(0.4)),
        (lambda x: x.item(-1) ** 2, np.float64(0.4)),
        (lambda x: np.repeat(x, 2, axis=-1), 0.5),
        (lambda m: np.ldexp(m, np.array([1, 2, 3, 0])) * np.frexp(m)[0], M),
        (by_stars(lambda x: np.max(x) ** 2), 0.5),
        (by_stars(lambda x: np.cumprod(x) ** 2), 0.5),
        (by_stars(lambda y, x: np.sort(x * 0.4), V), V),
        (lambda m: np.linalg.multi_dot([m[:2], m.T]), M),
        (lambda m: np.linalg.multi_dot([m[0, 0], m]) + np.linalg.multi_dot([m, 2.0]), M),
        (lambda m: np.linalg.multi_dot([np.stack([m, 2 * m]), m.T]), M),
        (lambda m: np.linalg.multi_dot([m, V], out=np.empty(3)), M),
    ],
)
def test_forms_that_once_failed(program: Callable[..., Any], argument: Any) -> None:
    check_gradient(program, argument, order=2)


def test_resizing_to_nothing() -> None:
    assert zg.gradient(lambda x: np.sum(np.resize(x, 0)), np.zeros(0))[0].shape == (0,)
    assert not zg.gradient(lambda x: np.sum(np.resize(x, (2, 0))), M)[0].any()


def test_rows_of_quantiles_over_no_axis() -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match="in several rows, over several axes"):
        zg.gradient(lambda q: np.sum(np.nanquantile(V, q, axis=())), M)


# On a branch cut the sign of a zero tells the side. There the derivative is that along the cut.

CUTS = [
    (np.arccos, 1.0), (np.arcsin, 1.0), (np.arccosh, 1.0), (np.arctanh, 1.0), (np.sqrt, 1.0), (np.log, 1.0),
    (np.arcsinh, 1j), (np.arctan, 1j),
]  # fmt: skip


@pytest.mark.parametrize(("function", "along"), CUTS)
@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize("place", [2.0, -2.0, 1.25])
@pytest.mark.parametrize("shape", [(), (2,)])
def test_on_branch_cuts(function: Any, along: complex, zero: float, place: float, shape: Any) -> None:
    def at(t: float) -> Any:
        return function(np.full(shape, complex(t, zero) if along == 1.0 else complex(zero, t))[()])

    z = np.full(shape, complex(place, zero) if along == 1.0 else complex(zero, place))[()]
    expected = (at(place + 1e-5) - at(place - 1e-5)) / 2e-5
    _, back = zg.pullback(function, z)
    found = np.conj(back(np.ones(shape, complex)[()])[0]) * along
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_dtypes_that_lead_to_a_branch_cut() -> None:
    for name, sign in (("arccos", -1), ("arcsin", 1)):
        function = getattr(np, name)
        (found,) = zg.gradient(lambda x, function=function: function(x, dtype=complex).imag, 2.0)
        assert found == pytest.approx(sign / np.sqrt(3.0))


def test_a_walk_over_a_number_is_refused() -> None:
    with pytest.raises(zg.UnsupportedSyntaxError, match=r"(?s)test_numpy_call_forms\.py.*'flat' of a number"):
        zg.gradient(lambda x: np.sum(x.flat[:1]), np.float32(2.0))


def test_products_of_several_matrices_in_lists() -> None:
    rows = M.tolist()
    (found,) = zg.gradient(lambda m: np.sum(np.linalg.multi_dot((m, M.T, V[:3]))), rows)
    np.testing.assert_allclose(found, np.tile(M.T @ V[:3], (3, 1)))


@pytest.mark.parametrize(
    "program",
    [
        lambda m: np.mean(m, 0, None, None, True) + m.mean(0, None, None, True),
        lambda m: np.max(m, 0, None, True, 0.0) + m.max(0, None),
        lambda m: np.var(m, 0, None, None, 1, True) + m.std(0, None, None, 1, True),
        lambda m: m.sum(0, None, None, True) * m.prod(0, None, None),
        lambda m: m.cumsum(0, None, None) * m.round(1, None) * np.sin(m, None),
        lambda m: m.trace(0, 0, 1, None, None) * np.take(m, [0, 5], 0, None, "wrap"),
        lambda m: m.take([0], 0, None) * m.clip(0.3, 0.6, None),
        lambda m: m.argmax(0, None) * m[0] + m.any(0, None) * m[1],
        lambda m: m.reshape((2, 6), order="F") * m.__copy__().reshape(2, 6),
    ],
)
def test_none_in_the_place_of_the_result(program: Callable[..., Any]) -> None:
    check_gradient(program, M, order=2)


def test_none_in_the_place_of_the_result_of_a_method_that_is_found_when_it_is_called() -> None:
    """Where it is not known that `m` is an array, the method is refused."""
    check_gradient(lambda m: m.dot(V, None)[0], M)
    with units.options(specialise=False), pytest.raises(MissingRuleError):
        zg.gradient(lambda m: np.sum([m][0].dot(V, None)), M)


@pytest.mark.skipif(not hasattr(np, "unstack"), reason="since NumPy 2.1")
def test_shapes_of_copies() -> None:
    check_gradient(lambda m: m.reshape((2, 6), copy=True) ** 2, M, order=2)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: np.sum(np.sum(x, -1, None, None, True) ** 2),
        lambda x: np.sum(x.sum(0, None, None, True) ** 2),
        lambda x: np.sum(np.mean(x, 0, None, None, True) ** 2),
        lambda x: np.sum(x.cumsum(1, None, None) ** 2),
        lambda x: np.sum(np.take(x, [0, 1], 1, None, "clip") ** 2),
    ],
)
def test_second_derivatives_of_calls_with_arguments_behind_out(program: Callable[[Any], Any]) -> None:
    x = np.arange(12.0).reshape(3, 4)
    along = (zg.gradient(program, x + 1e-3 * x)[0] - zg.gradient(program, x - 1e-3 * x)[0]) / 2e-3
    np.testing.assert_allclose(zg.hvp(program, x, x), along, rtol=1e-9)
