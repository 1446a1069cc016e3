"""Filters of `scipy.ndimage`: values are SciPy's, derivatives those of differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.ndimage as nd

import zygpy as zg
from tests.rules import reference
from tests.rules.calls import array
from zygpy.errors import MissingRuleError
from zygpy.runtime import image_filters, image_ranks

MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")
FOOTPRINT = np.array([[False, True], [True, True], [True, False]])
LINE, TABLE, BLOCK = array(7), array(4, 5), array(3, 2, 4)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, Any]]:
    """The value of a program, and what is computed beside it, of which the derivative is."""
    seen: list[Any] = []

    def as_given(value: Any, found: Any) -> Any:
        seen.append(found)
        return value

    def as_computed(value: Any, found: Any, *like: Any) -> Any:
        return as_given(value, found.astype(value.dtype))

    monkeypatch.setattr(image_filters, "as_computed", as_computed)
    monkeypatch.setattr(image_ranks, "as_given", as_given)

    def run(function: Any, *args: Any, **keywords: Any) -> tuple[Any, Any]:
        module = image_filters if hasattr(image_filters, function.__name__) else image_ranks
        value = getattr(module, function.__name__)(*args, **keywords)
        np.testing.assert_array_equal(value, function(*args, **keywords))
        return value, seen.pop()

    return run


Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


def windows_along_an_axis() -> Iterator[Call]:
    for x in (LINE, TABLE, BLOCK, array(2), array(1)):
        for length in (1, 2, 3, 4, 9):
            for origin in {0, -(length // 2), (length - 1) // 2}:
                keywords = {"cval": 0.7, "origin": origin}
                for axis in (0, -1):
                    yield nd.correlate1d, (x, array(length), axis), keywords
                    yield nd.convolve1d, (x, array(length), axis), keywords
                    yield nd.maximum_filter1d, (x, length, axis), keywords
                    yield nd.minimum_filter1d, (x, length, axis), keywords


def windows_of_any_rank() -> Iterator[Call]:
    for x in (LINE, TABLE, BLOCK, array(2, 1)):
        w = array(*[3, 2, 2][: x.ndim])
        for origin in (0, -1):
            yield nd.correlate, (x, w), {"cval": 0.4, "origin": origin}
            for function in (nd.maximum_filter, nd.minimum_filter):
                yield function, (x, 3), {"cval": 0.3, "origin": origin}
        yield nd.convolve, (x, w), {"cval": 0.4}
        yield nd.median_filter, (x, 3), {"cval": 0.3}
        yield nd.rank_filter, (x, 1, 2), {"cval": 0.3}
        yield nd.percentile_filter, (x, 30, 3), {"cval": 0.3}
        yield nd.gaussian_filter, (x, 1.2, 1), {"cval": 0.3}
        yield nd.gaussian_filter1d, (x, 0.7), {"order": 3}
        yield nd.uniform_filter, (x, 3), {"cval": 0.3}
        yield nd.uniform_filter1d, (x, 4), {"origin": -1}
        for function in (nd.sobel, nd.prewitt, nd.laplace):
            yield function, (x,), {"cval": 0.3}
        for function in (nd.gaussian_laplace, nd.gaussian_gradient_magnitude):
            yield function, (x, 0.8), {"cval": 0.3}


SEVERAL = {"axes": (0, 2), "origin": (0, -1)}
"""What SciPy's newest versions take for some of the axes."""

OTHERS: tuple[Call, ...] = (
    (nd.maximum_filter, (TABLE,), {"footprint": FOOTPRINT}),
    (nd.median_filter, (TABLE,), {"footprint": FOOTPRINT, "mode": "wrap"}),
    (nd.rank_filter, (TABLE, -2), {"footprint": FOOTPRINT, "origin": (0, -1)}),
    (nd.gaussian_filter, (BLOCK, (1.0, 0.5, 0)), {"order": (0, 2, 1), "mode": ("wrap", "nearest", "mirror")}),
    (nd.sobel, (BLOCK, 1), {"mode": ("wrap", "constant", "mirror"), "cval": 0.4}),
    (nd.maximum_filter, (BLOCK, (3, 2, 2)), {"origin": (0, -1, -1), "mode": ("wrap", "nearest", "mirror")}),
    (nd.correlate, (TABLE + 1j, array(2, 3)), {"mode": "constant", "cval": 0.3 + 0.2j}),
    (nd.correlate, (TABLE, array(2, 3) + 0.5j), {}),
    (nd.convolve, (TABLE, array(2, 3) + 0.5j), {}),
    (nd.correlate1d, (TABLE, array(3) + 0.5j), {}),
    (nd.convolve1d, (TABLE + 0.3j, array(4) + 0.5j), {}),
    (nd.uniform_filter, (TABLE + 0.3j, 2), {}),
    (nd.maximum_filter, (np.arange(5), 2), {}),
    (nd.gaussian_filter, (TABLE.astype(np.float32), 1.0), {}),
    (nd.correlate1d, (LINE, [1.0, 2.0, 3.0]), {"output": np.float32}),
    (nd.maximum_filter, (LINE, 3), {"output": np.float32}),
)
if hasattr(np, "matvec"):  # as new as the SciPy that has them
    OTHERS += (
        (nd.correlate, (BLOCK, array(3, 2)), SEVERAL),
        (nd.convolve, (BLOCK, array(3, 2)), {"axes": (0, -1), "origin": (1, 0)}),
        (nd.gaussian_filter, (BLOCK, (1.0, 0.5)), {"axes": (2, 0), "order": (0, 2), "radius": (2, 1)}),
        (
            nd.uniform_filter,
            (BLOCK, (2, 3)),
            {"axes": (2, 1), "origin": (0, 1), "mode": ("wrap", "constant")},
        ),
        (nd.laplace, (BLOCK,), {"axes": (0, 2), "mode": ("wrap", "constant")}),
        (nd.laplace, (BLOCK,), {"axes": ()}),
        (nd.gaussian_laplace, (BLOCK, (0.5, 0.8)), {"axes": (2, 0)}),
        (nd.gaussian_laplace, (BLOCK, (0.5, 0.8, 0.6)), {"axes": (2, 0, 1)}),
        (nd.gaussian_gradient_magnitude, (BLOCK, (0.8, 0.3, 0.6)), {"axes": (2, 0), "radius": 2}),
        (nd.maximum_filter, (BLOCK,), {"footprint": FOOTPRINT[1:], **SEVERAL}),
        (nd.rank_filter, (BLOCK, 1, (2, 3)), {"axes": (1, 2), "origin": (0, 1)}),
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("calls", [windows_along_an_axis, windows_of_any_rank])
def test_what_is_computed_is_the_value(computed: Any, calls: Any, mode: str) -> None:
    for function, args, keywords in calls():
        value, found = computed(function, *args, mode=mode, **keywords)
        np.testing.assert_allclose(found, value, rtol=1e-6, atol=1e-12, err_msg=str((function, keywords)))


@pytest.mark.parametrize("entry", OTHERS, ids=lambda entry: f"{entry[0].__name__} {sorted(entry[2])}")
def test_what_is_computed_is_the_value_with_other_options(computed: Any, entry: Call) -> None:
    function, args, keywords = entry
    value, found = computed(function, *args, **keywords)
    np.testing.assert_allclose(found, value, rtol=1e-6, atol=1e-12)
    assert found.dtype == value.dtype or value.dtype.kind == "i"


W = array(3, 2, start=30)

PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    lambda x: nd.correlate(x, W * x[0, 0], mode="constant", cval=x[1, 1]),
    lambda x: nd.convolve(x, x[:2, :3], mode="wrap", origin=(0, 1)),
    lambda x: nd.correlate1d(x, x[0, :4], 0, mode="mirror", origin=1),
    lambda x: nd.convolve1d(x * x, W[:, 0], mode="constant", cval=x[0, 1]),
    lambda x: nd.gaussian_filter(x, 0.9 + 0.1 * x[0, 0], order=(0, 1), mode="nearest"),
    lambda x: nd.gaussian_filter(x, [0.9, 1.0 + 0.1 * x[0, 0]], mode=("constant", "wrap"), cval=x[2, 0]),
    lambda x: nd.gaussian_filter1d(x * x, 1.0 + 0.1 * x[0, 0], 0, 2),
    lambda x: nd.uniform_filter(x * x, (3, 2)),
    lambda x: nd.sobel(x * x) * nd.prewitt(x, 0),
    lambda x: nd.laplace(x * x) + nd.gaussian_laplace(x * x, 0.8),
    lambda x: nd.gaussian_gradient_magnitude(x, 0.8 + 0.1 * x[0, 0]),
    lambda x: nd.maximum_filter(x * x, 2, mode="constant", cval=1.0 + x[0, 0]),
    lambda x: nd.median_filter(x * x, 3) * nd.rank_filter(x, 1, footprint=FOOTPRINT),
    lambda x: nd.percentile_filter(x * x, 60, 2) + nd.minimum_filter1d(x, 3),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_to_second_order(program: Callable[[Any], Any]) -> None:
    def f(x: Any) -> Any:
        y = program(x)
        return np.sum(np.cos(y) * (1.0 + 0.1 * y))

    direction = array(4, 5, start=70)
    (found,) = zg.gradient(f, TABLE)
    expected = reference.directional(lambda t: f(TABLE + t * direction))
    assert np.vdot(found, direction) == pytest.approx(float(expected), rel=1e-7, abs=1e-9)
    seconds = reference.directional(lambda t: zg.gradient(f, TABLE + t * direction)[0])
    np.testing.assert_allclose(zg.hvp(f, TABLE, direction), seconds, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function", [nd.correlate, nd.convolve])
def test_complex_images_and_weights(function: Any) -> None:
    x, w = TABLE + 0.4j * np.cos(3 * TABLE), W + 0.3j * np.sin(W)
    seed = array(4, 5, start=9) - 1j * array(4, 5, start=40)

    def f(x: Any, w: Any) -> Any:
        return np.sum(np.real(np.conj(seed) * function(x, w, mode="constant", cval=0.3 - 0.2j)))

    bars = zg.gradient(f, x, w)
    for place, (bar, point) in enumerate(zip(bars, (x, w), strict=True)):
        direction = array(*point.shape, start=60) + 1j * array(*point.shape, start=90)
        moved = lambda t, place=place, point=point, direction=direction: f(  # noqa: E731
            *[point + t * direction if one == place else (x, w)[one] for one in (0, 1)]
        )
        expected = float(reference.directional(moved))
        assert np.real(np.vdot(bar, direction)) == pytest.approx(expected, rel=1e-7)


def test_precision_and_integers() -> None:
    single = TABLE.astype(np.float32)
    for f in (
        lambda x: np.sum(nd.gaussian_filter(x, 1.0) ** 2),
        lambda x: np.sum(nd.median_filter(x, 3) ** 2),
    ):
        (found,) = zg.gradient(f, single)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, zg.gradient(f, TABLE)[0], rtol=1e-4, atol=1e-5)
    whole = np.arange(6)
    assert not zg.gradient(lambda x: np.sum(nd.gaussian_filter(x, 1.0)), whole)[0].any()
    found = zg.gradient(lambda x: np.sum(nd.maximum_filter1d(x, 2) * np.arange(6.0)), whole)[0]
    assert found.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_the_first_of_equal_elements_counts() -> None:
    (found,) = zg.gradient(lambda x: np.sum(nd.maximum_filter1d(x, 3)), np.ones(4))
    assert found.tolist() == [2.0, 1.0, 1.0, 0.0]
    (found,) = zg.gradient(lambda x: nd.median_filter(x, 3)[1], np.array([1.0, np.nan, 2.0]))
    assert np.isfinite(found).all()


def test_flat_images_have_no_slope() -> None:
    f = lambda x: np.sum(nd.gaussian_gradient_magnitude(x, 1.0))  # noqa: E731
    assert not zg.gradient(f, np.zeros((3, 4)))[0].any()


def test_empty_images() -> None:
    for f in (
        lambda x: np.sum(nd.gaussian_filter(x, 1.0)),
        lambda x: np.sum(nd.correlate(x, np.ones((2, 2)))),
        lambda x: np.sum(nd.maximum_filter(x, 2)),
    ):
        assert zg.gradient(f, np.zeros((0, 3)))[0].shape == (0, 3)


def test_what_is_not_followed_is_refused() -> None:
    for f in (
        lambda x: np.sum(nd.laplace(x, output=x)),
        lambda x: np.sum(nd.gaussian_gradient_magnitude(x + 1j, 1.0).real),
    ):
        with pytest.raises(MissingRuleError):
            zg.gradient(f, TABLE)
    with pytest.raises(RuntimeError, match="mode"):
        zg.gradient(lambda x: np.sum(nd.correlate1d(x, [1.0], mode="no such")), TABLE)


@pytest.mark.parametrize("function", [nd.gaussian_filter, nd.convolve1d, nd.zoom])
def test_tangents_in_the_type_of_the_result(function: Any) -> None:
    given = {nd.gaussian_filter: 1.0, nd.convolve1d: np.array([1.0, 2.0, 1.0]), nd.zoom: 1.4}[function]
    x, v = 3.0 * array(4, 5), array(4, 5, start=20)
    for kind, rtol in ((np.float64, 1e-6), (np.float32, 1e-4)):
        found = zg.pushforward(lambda x: function(x, given), x.astype(kind))(v.astype(kind))
        expected = function(v, given)  # it is linear
        assert found.dtype == kind
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)
    whole = zg.pushforward(lambda x: function(x, given, output=int), x)(v)
    assert not whole.any()  # a result of integers has the derivative 0
    assert not zg.hvp(lambda x: np.sum(function(x, given, output=int) * 1.0) ** 2, x, v).any()
    assert not zg.pushforward(lambda x: function(x, given), np.arange(20).reshape(4, 5))(v).any()


@pytest.mark.parametrize("function", [nd.gaussian_filter, nd.convolve1d, nd.zoom])
def test_products_with_hessians(function: Any) -> None:
    given = {nd.gaussian_filter: 1.0, nd.convolve1d: np.array([1.0, 2.0, 1.0]), nd.zoom: 1.4}[function]

    def cubes(x: Any) -> Any:
        return np.sum(function(x, given) ** 3)

    x, v, step = array(4, 5), array(4, 5, start=20), 1e-5
    slopes = [zg.gradient(cubes, x + side * step * v)[0] for side in (1, -1)]
    np.testing.assert_allclose(
        zg.hvp(cubes, x, v), (slopes[0] - slopes[1]) / (2 * step), rtol=1e-6, atol=1e-7
    )
