"""Keywords of NumPy's functions that programs stand for: NumPy's values, gradients by differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from zygpy.errors import UnsupportedSyntaxError
from zygpy.testing import check_gradient

X = np.array([0.7, -1.3, 2.1, 0.2])
M = np.array([[0.7, -1.3, 2.1, 0.3], [0.4, 1.7, -0.6, 0.8], [1.1, -0.2, 0.9, -1.4]])
HOLES = np.where([[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], np.nan, M)
KEPT = np.array([[True, False, True, True], [True, True, False, True], [False, True, True, True]])
POSITIVE = np.abs(X) + 0.3

Program = tuple[Callable[..., Any], tuple[Any, ...]]


def weighed(values: Any) -> Any:
    return np.sum(values * np.cos(1.0 + np.arange(np.size(values))).reshape(np.shape(values)))


def turned(values: Any) -> Any:
    return weighed(np.real(values * (1 + 2j)))


def each_weighed(parts: Any) -> Any:
    total = 0.0
    for part in parts:
        total = total + weighed(part)
    return total


def written(row: Any, widths: Any, axis: Any, options: Any) -> None:
    row[: widths[0]] = options["factor"] * row[widths[0]]
    if widths[1]:
        row[-widths[1] :] = row[0] ** 2


def statistics_around(mode: str, length: Any) -> Program:
    if length is None:
        return lambda m: weighed(np.pad(m, ((2, 1), (0, 3)), mode)), (M,)
    return lambda m: weighed(np.pad(m, ((2, 1), (0, 3)), mode=mode, stat_length=length)), (M,)


def reflected(mode: str, widths: Any) -> Program:
    return lambda m: weighed(np.pad(m, widths, mode, reflect_type="odd")), (M,)


def reduced(name: str, **options: Any) -> Program:
    function = getattr(np, name)
    if "initial" in options:
        return lambda m, i: weighed(function(m, axis=0, initial=i, where=options["where"])), (HOLES, 0.9)
    if "where" in options:
        return lambda m: weighed(function(m, axis=0, where=options["where"])), (HOLES,)
    return lambda m: weighed(function(m, axis=1, **options)), (HOLES,)


PADDED: dict[str, Program] = {
    **{
        f"{mode} of {length}": statistics_around(mode, length)
        for mode in ("mean", "maximum", "minimum", "median")
        for length in (None, ((2, 1), (3, 2)))
    },
    **{
        f"{mode} by {widths}": reflected(mode, widths)
        for mode in ("reflect", "symmetric")
        for widths in (1, 2, 3, ((7, 1), (1, 9)), ((0, 1), (9, 0)))
    },
    "ramps": (lambda m, e: weighed(np.pad(m, 2, "linear_ramp", end_values=e)), (M, 1.5)),
    "ramps of their own": (
        lambda m, e: weighed(np.pad(m, 2, "linear_ramp", end_values=((e, 1.0), (e * e, 3)))),
        (M, 1.5),
    ),
    "numbers of their own": (
        lambda m, e: weighed(np.pad(m, ((1, 2), (0, 3)), constant_values=((e, 1.0), (e * e, 3)))),
        (M, 1.5),
    ),
    "one number": (lambda m, e: weighed(np.pad(m, (1, 2), "constant", constant_values=e)), (M, 1.5)),
    "a row reflected": (
        lambda m: weighed(np.pad(m, ((2, 2), (0, 0)), "reflect", reflect_type="odd")),
        (M[:1],),
    ),
    "nothing but numbers": (
        lambda m, e: weighed(np.pad(m[:0], (1, 2), constant_values=((e, 2), (1, 0)))),
        (M, 1.5),
    ),
    "even": (lambda m: weighed(np.pad(m, 2, "reflect", reflect_type="even")), (M,)),
    "by a function": (lambda m, c: weighed(np.pad(m, ((1, 2), (2, 1)), written, factor=c)), (M, 1.5)),
}

NUMBERS: dict[str, Program] = {
    **{
        f"{name} where": reduced(name, where=KEPT)
        for name in ("nansum", "nanprod", "nanmean", "nanvar", "nanstd")
    },
    **{
        f"{name} from a number": reduced(name, where=KEPT, initial=True)
        for name in ("nansum", "nanprod", "nanmax", "nanmin")
    },
    **{f"{name} corrected": reduced(name, correction=1) for name in ("nanvar", "nanstd")},
    "nanvar about a mean": (
        lambda m, a: weighed(np.nanvar(m, axis=1, mean=a, keepdims=True)),
        (HOLES, np.array([[0.1], [0.2], [0.3]])),
    ),
    "nanmax from a number": (lambda m, i: weighed(np.nanmax(m, axis=1, initial=i)), (HOLES, 0.9)),
    "linspace and step": (lambda a, b: each_weighed(np.linspace(a, b, 5, retstep=True)), (0.3, 2.0)),
    "linspaces and steps": (lambda a, b: each_weighed(np.linspace(a, b, 5, False, True, axis=1)), (X, 2.0)),
    "logspace": (lambda a, b, c: weighed(np.logspace(a, b, 4, base=c, axis=1)), (X, 0.5, 2.5)),
    "logspace of complex numbers": (lambda a, b: turned(np.logspace(a, b, 4, dtype=complex)), (X, 0.5)),
    "logspace of numbers by a complex base": (
        lambda a, b: turned(np.logspace(a, b, 4, base=2 + 1j)),
        (0.3, 1.7),
    ),
    "geomspace": (lambda a, b: weighed(np.geomspace(a, b, 4, axis=-1)), (POSITIVE, 0.5)),
    "geomspace of complex numbers": (lambda a: turned(np.geomspace(a, 2.0, 3, dtype=complex)), (POSITIVE,)),
    "interp with a period": (
        lambda x, xp, fp, p: weighed(np.interp(x, xp, fp, period=p)),
        (np.array([-3.0, 0.2, 5.1]), np.array([0.3, 2.5, 1.9, 1.0]), X, 2.3),
    ),
    "vander": (lambda x: weighed(np.vander(x, increasing=True)), (X,)),
    "vander of three powers": (lambda x: weighed(np.vander(x, 3, True)), (X,)),
    "weighted quantiles": (
        lambda m: weighed(
            np.quantile(m, [0.3, 0.7], axis=1, weights=np.array([1.0, 2, 3, 1]), method="inverted_cdf")
        ),
        (M,),
    ),
    "weighted percentile": (
        lambda m: weighed(np.percentile(m, 30.0, weights=np.abs(M), method="inverted_cdf", keepdims=True)),
        (M,),
    ),
    "intersection with places": (
        lambda x: weighed(np.intersect1d(x, [0.7, 2.1, 9.0], return_indices=True)[0] ** 2),
        (X,),
    ),
}

JOINED: dict[str, Program] = {
    "concatenate": (lambda m, x: turned(np.concatenate([m, x[None]], dtype=complex)), (M, X)),
    "stack": (lambda x: turned(np.stack([x, x * x], axis=1, dtype=complex)), (X,)),
    "vstack": (lambda m, x: turned(np.vstack([m, x], dtype=complex)), (M, X)),
    "hstack": (lambda x: turned(np.hstack([x, x * x], dtype=complex, casting="safe")), (X,)),
    "einsum of a dtype": (lambda m, x: turned(np.einsum("ij,j->i", m, x, dtype=complex)), (M, X)),
    "einsum in an order": (lambda m: weighed(np.einsum("ij->ji", m, order="F") ** 2), (M,)),
    "einsum of lists": (lambda m, x: weighed(np.einsum(m, [0, 1], x, [1], [0])), (M, X)),
    "einsum of lists without output": (lambda m, x: weighed(np.einsum(m, [Ellipsis, 1], x, [1])), (M, X)),
    "einsum of many lists": (
        lambda m, x: weighed(np.einsum(m, [0, 1], m, [2, 1], x, [1], [0, 2], optimize=True)),
        (M, X),
    ),
    "trace": (lambda m: np.real(np.trace(m, dtype=complex) * (2 + 1j)), (M,)),
    "trace beside the diagonal": (lambda m: turned(np.linalg.trace(m, offset=1, dtype=complex)), (M,)),
    "meshgrid of views": (lambda m, x: each_weighed(np.meshgrid(x, m[0], copy=False)), (M, X)),
    "full_like of a shape": (lambda m, x: weighed(np.full_like(m, x, shape=(2, 4), order="F")), (M, X)),
    "zeros_like of a shape": (lambda m, x: weighed(np.zeros_like(m, shape=(4,)) + x) + weighed(m), (M, X)),
    "copies": (lambda m, x: weighed(np.asarray(m, copy=True) * np.asarray(x, device="cpu")), (M, X)),
    "isclose": (
        lambda m, x: weighed(np.where(np.isclose(m, x, rtol=0.1, atol=0.2, equal_nan=True), m, 2 * m)),
        (M, X),
    ),
    "product of complex numbers as real ones": (lambda m: np.prod(m * (1 + 2j), dtype=float), (M[0],)),
    "products of complex numbers as real ones": (
        lambda m: weighed(np.cumprod(m * (1 + 2j), dtype=float)),
        (M[0],),
    ),
    "variance of complex numbers as real ones": (lambda m: np.var(m * (m + 2j), dtype=float), (M[0],)),
}
if hasattr(np, "unstack"):  # since NumPy 2.1
    JOINED["reshape to a copy"] = (lambda m: weighed(np.reshape(m, (4, 3), copy=True)), (M,))
ALL = PADDED | NUMBERS | JOINED


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", ALL)
def test_gradients_agree_with_differences(name: str) -> None:
    program, args = ALL[name]
    value, _ = zg.pullback(program, *args)
    assert np.array_equal(value, program(*args))
    check_gradient(program, *args)


@pytest.mark.parametrize(
    "name",
    [
        "mean of None",
        "symmetric by ((7, 1), (1, 9))",
        "ramps of their own",
        "nanvar corrected",
        "nanstd where",
        "nanprod from a number",
        "logspace",
        "interp with a period",
        "vander",
        "einsum of many lists",
        "linspaces and steps",
    ],
)
def test_second_derivatives_agree_with_differences(name: str) -> None:
    program, args = ALL[name]
    check_gradient(lambda *xs: program(*xs) ** 2, *args, order=2)


def test_nothing_comes_back_through_numbers_made_whole() -> None:
    def program(x: Any) -> Any:
        return np.sum(np.concatenate([x, x], dtype=int, casting="unsafe")) + np.trace(
            np.outer(x, x), dtype=int
        )

    assert zg.gradient(program, X)[0].tolist() == [0.0, 0.0, 0.0, 0.0]


def test_padding_of_integers_has_no_derivative_where_it_is_rounded() -> None:
    whole = np.array([1, 4, 6])
    (bar,) = zg.gradient(lambda x: np.sum(np.pad(x, 1, "mean") * 1.5), whole)
    assert bar.tolist() == [1.5, 1.5, 1.5]


def test_a_function_that_pads_has_to_be_known() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="third argument"):
        zg.gradient(lambda m: np.sum(np.pad(m, 1, mode=written)), M)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("empty", [np.zeros((0, 3)), np.zeros((2, 0, 3))])
def test_medians_and_choices_of_nothing(empty: Any) -> None:
    def program(x: Any) -> Any:
        return np.nansum(np.median(x, axis=None)) + np.sum(np.take(x[:0], 0, axis=-1))

    (bar,) = zg.gradient(program, empty)
    assert bar.tolist() == np.zeros(empty.shape).tolist()


@pytest.mark.parametrize(("heights", "places"), [(5, 2), (2, 5), (1, 2), (2, 1), (1, 1)])
def test_trapezoids_that_are_broadcast(heights: int, places: int) -> None:
    f, x = np.cos(np.arange(3 * heights)).reshape(3, heights), np.linspace(0.3, 2.0, places) ** 2
    check_gradient(lambda f, x: weighed(np.trapezoid(f, x)) ** 2, f, x, order=2)


def test_samples_that_jump() -> None:
    places, jumps = np.array([-1.0, 0.3, 1.0, 2.5, 3.0, 3.5]), np.array([0.0, 1.0, 1.0, 3.0, 3.0])
    check_gradient(lambda fp: weighed(np.interp(places, jumps, fp)) ** 2, np.cos(np.arange(5.0)), order=2)
    check_gradient(lambda x: weighed(np.interp(x, jumps, np.arange(5.0))), np.array([-1.0, 0.3, 2.5, 3.5]))


@pytest.mark.parametrize("shape", [(3,), (), (2, 3), (2, 1)])
@pytest.mark.parametrize("count", [1, 3, 4])
def test_polynomials_whose_coefficients_are_rows(count: int, shape: tuple[int, ...]) -> None:
    coefficients = np.cos(np.arange(3.0 * count)).reshape(count, 3)
    points = np.sin(1.0 + np.arange(np.prod(shape, dtype=int))).reshape(shape)[()]
    check_gradient(lambda p, x: weighed(np.polyval(p, x)), coefficients, points)


def test_convolution_of_a_number() -> None:
    check_gradient(lambda a, v: weighed(np.convolve(a, v)), 1.2, X)
    check_gradient(lambda a, v: weighed(np.convolve(v, a, "same")), np.array(1.2), X)


@pytest.mark.parametrize("scale", [1e-150, 1e-110, 1.0, 1e102, 1e153])
def test_determinants_that_are_too_large_or_small(scale: float) -> None:
    matrix = np.array([[4.0, 0.3, -1.0], [0.5, 3.0, 0.7], [0.1, -0.4, 2.0]])
    cofactors = np.linalg.det(matrix) * np.linalg.inv(matrix).T
    with np.errstate(over="ignore", under="ignore"):
        (bar,) = zg.gradient(np.linalg.det, matrix * scale)
    np.testing.assert_allclose(bar / scale / scale, cofactors, rtol=1e-8)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_determinant_that_is_not_a_number() -> None:
    (bar,) = zg.gradient(
        lambda a: np.nansum(np.linalg.det(a)), np.stack([np.eye(2), np.full((2, 2), np.nan)])
    )
    assert bar[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("name", ["nanquantile", "nanpercentile", "quantile"])
def test_quantiles_in_several_rows(name: str) -> None:
    function, x = getattr(np, name), np.cos(np.arange(24.0)).reshape(2, 3, 4)
    q = np.array([[0.1, 0.2, 0.4], [0.3, 0.45, 0.8]]) * (100 if "percent" in name else 1)
    check_gradient(lambda x: weighed(function(x, q, axis=1)), x)
    check_gradient(lambda x: weighed(function(x, q=q, axis=-1, keepdims=True)), x)
    if "nan" in name:
        with pytest.raises(UnsupportedSyntaxError, match="several rows"):
            zg.gradient(lambda x: weighed(function(x, q, axis=(0, 2))), x)
    else:
        check_gradient(lambda x: weighed(function(x, q, axis=(0, 2))), x)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["nanquantile", "nanpercentile"])
def test_quantiles_of_nothing(name: str) -> None:
    (bar,) = zg.gradient(lambda x: np.nansum(getattr(np, name)(x, 0.3, axis=0)), np.zeros((0, 3)))
    assert bar.shape == (0, 3)


def test_parts_that_are_numbers() -> None:
    if hasattr(np, "unstack"):
        check_gradient(lambda x: np.unstack(x)[1] ** 2 * np.unstack(x)[0], X)
    assert zg.gradient(lambda x: np.sum(np.trim_zeros(x)), np.zeros(3))[0].tolist() == [0.0, 0.0, 0.0]


def test_an_empty_norm() -> None:
    orders = (np.inf, None, 1, 2) if hasattr(np, "matvec") else (None, 1, 2)  # as NumPy 2.2 does
    (bar,) = zg.gradient(lambda x: sum([np.linalg.norm(x, order) for order in orders]), np.zeros(0))
    assert bar.shape == (0,)
