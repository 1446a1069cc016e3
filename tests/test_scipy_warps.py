"""Interpolations of `scipy.ndimage`: values are SciPy's, derivatives those of differences."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.ndimage as nd

import zygpy as zg
from tests.rules import reference
from tests.rules.calls import array
from zygpy.errors import MissingRuleError
from zygpy.runtime import image_filters, image_splines, image_warps

MODES = ("reflect", "constant", "nearest", "mirror", "wrap", "grid-mirror", "grid-constant", "grid-wrap")
LINE, TABLE, BLOCK = array(7), array(4, 5), array(3, 2, 4)
TURN = np.array([[0.8, -0.5], [0.6, 0.9]])
FULL = np.array([[1.0, 0.2, 0.5], [-0.1, 0.7, 0.3], [0.0, 0.0, 1.0]])

Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


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

    def run(function: Any, *args: Any, **keywords: Any) -> tuple[Any, Any]:
        value = getattr(image_warps, function.__name__)(*args, **keywords)
        np.testing.assert_array_equal(value, function(*args, **keywords))
        return value, seen.pop()

    return run


def places() -> Any:
    """Coordinates far on both sides of the first seven samples, whole ones and halves among them."""
    return np.concatenate([np.arange(-20.0, 26.0), np.arange(-20.5, 26.0), 11 * array(40)])[None]


def warps(order: int) -> Iterator[Call]:
    for x in (LINE, array(2), array(1), array(33)):
        for prefilter in (True, False):
            yield nd.map_coordinates, (x, places()), {"prefilter": prefilter}
    yield nd.map_coordinates, (TABLE, 4 * array(2, 3, 4)), {}
    yield nd.map_coordinates, (BLOCK, 3 * array(3, 6)), {}
    for moves in (0, 1, -2.0, 0.3, (0.5, -1.25)):
        yield nd.shift, (TABLE, moves), {}
    yield nd.shift, (BLOCK, 0.4), {"prefilter": False}
    for factor in (1, 2, 0.6, (1.5, 3)):
        yield nd.zoom, (TABLE, factor), {}
        yield nd.zoom, (TABLE, factor), {"grid_mode": True}
    yield nd.affine_transform, (TABLE, TURN), {}
    yield nd.affine_transform, (TABLE, TURN, [0.5, -1.0], (3, 6)), {}
    yield nd.affine_transform, (TABLE, FULL), {}
    yield nd.affine_transform, (TABLE, FULL[:2]), {"offset": 9.0}
    yield nd.affine_transform, (TABLE, [1.0, 0.5]), {"offset": 0.25}
    yield nd.affine_transform, (LINE, [[0.5]], [1.0]), {}
    yield nd.affine_transform, (TABLE, np.array([[1.0], [0.5]])), {"output_shape": (6,)}
    if order == 3:
        yield from rotations()


def rotations() -> Iterator[Call]:
    for angle in (0, 90, -180, 33.3):
        yield nd.rotate, (TABLE, angle), {}
        yield nd.rotate, (TABLE, angle, (0, 1)), {"reshape": False, "order": 1}
    yield nd.rotate, (BLOCK, 20.0), {"axes": (-1, 0)}
    yield nd.rotate, (BLOCK, 20.0), {"axes": (2, 1), "reshape": False}


@pytest.mark.filterwarnings("ignore:It is recommended to use mode")
@pytest.mark.filterwarnings("ignore:The behavior of affine_transform with a 1-D")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", range(6))
def test_what_is_computed_is_the_value(computed: Any, order: int, mode: str) -> None:
    for function, args, keywords in warps(order):
        told = {"order": order, **keywords}
        value, found = computed(function, *args, mode=mode, cval=0.7, **told)
        np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-9, err_msg=str((function, told)))


OTHERS: tuple[Call, ...] = (
    (nd.map_coordinates, (TABLE + 1j, 3 * array(2, 5)), {"cval": 0.3 + 0.2j}),
    (nd.map_coordinates, (TABLE, 3 * array(2, 5)), {"output": np.float32}),
    (nd.map_coordinates, (TABLE.astype(np.float32), 3 * array(2, 5).astype(np.float32)), {}),
    (nd.map_coordinates, (TABLE.tolist(), (3 * array(2, 5)).tolist()), {"mode": "mirror"}),
    (nd.map_coordinates, (TABLE[::2, ::-1], 3 * array(2, 5)), {"mode": "wrap"}),
    (nd.map_coordinates, (np.arange(5), [[0.5, 3.2]]), {"output": float}),
    (nd.map_coordinates, (TABLE, np.zeros((2, 0))), {}),
    (nd.shift, (TABLE + 1j * TABLE, 0.3), {"mode": "grid-constant", "cval": 0.5j}),
    (nd.zoom, (TABLE * 1j, 1.5), {}),
    (nd.zoom, (TABLE, 1), {"order": 0}),
    (nd.zoom, (TABLE, 0.1), {}),
    (nd.rotate, (BLOCK * 1j, 15.0), {"mode": "nearest"}),
    (nd.affine_transform, (TABLE * 1j, TURN), {"output": np.complex64}),
    (nd.spline_filter, (TABLE,), {}),
    (nd.spline_filter, (BLOCK + 1j,), {"order": 5, "mode": "grid-wrap", "output": complex}),
    (nd.spline_filter, (TABLE, 2, np.float32, "reflect"), {}),
    (nd.spline_filter1d, (BLOCK,), {}),
    (nd.spline_filter1d, (BLOCK, 4, 1), {"mode": "nearest"}),
    (nd.spline_filter1d, (BLOCK, 1, 0), {}),
    (nd.spline_filter1d, (BLOCK, 3, -3), {"output": np.float32}),
)


@pytest.mark.parametrize("entry", OTHERS, ids=lambda entry: f"{entry[0].__name__} {sorted(entry[2])}")
def test_what_is_computed_is_the_value_with_other_options(computed: Any, entry: Call) -> None:
    function, args, keywords = entry
    value, found = computed(function, *args, **keywords)
    np.testing.assert_allclose(found, value, rtol=1e-6, atol=1e-9)
    assert found.dtype == value.dtype


def test_a_mapping_is_called_once_for_each_place(capsys: pytest.CaptureFixture[str]) -> None:
    def mapping(place: Any, share: Any, *, more: Any) -> Any:
        print(place)
        return place[0] + share, place[1] * more, 0.3

    keywords = {"extra_arguments": (0.4,), "extra_keywords": {"more": 1.1}, "order": 2, "mode": "mirror"}
    expected = nd.geometric_transform(BLOCK, mapping, (2, 3), **keywords)
    seen = capsys.readouterr()
    value, back = zg.pullback(lambda x: nd.geometric_transform(x, mapping, (2, 3), **keywords), BLOCK)
    np.testing.assert_array_equal(value, expected)
    assert capsys.readouterr() == seen
    assert back(np.ones((2, 3)))[0].shape == BLOCK.shape


@pytest.mark.parametrize("mode", ["mirror", "reflect", "grid-wrap", "nearest", "constant"])
@pytest.mark.parametrize("length", [1, 2, 3, 7, 32, 33, 60])
def test_transposes_of_filters(length: int, mode: str) -> None:
    for order in range(2, 6):
        matrix = image_splines.filtered(np.eye(length), order, 0, mode)
        transposed = image_splines.filtered_back(np.eye(length), order, 0, mode)
        np.testing.assert_allclose(transposed, matrix.T, rtol=1e-12, atol=1e-13)


PLACES = 1.7 + 1.3 * array(2, 6, start=30)

PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    lambda x: nd.map_coordinates(x * x, PLACES + 0.3 * x[:2, :1], mode="reflect"),
    lambda x: nd.map_coordinates(x, PLACES * x[0, 0], order=2, cval=x[1, 1]),
    lambda x: nd.map_coordinates(x * x, PLACES + x[0, 0], order=1, mode="mirror", prefilter=False),
    lambda x: nd.map_coordinates(x, PLACES + x[0, 0], order=4, mode="grid-constant", cval=x[1, 1] ** 2),
    lambda x: nd.map_coordinates(x * x, PLACES, order=0, mode="nearest"),
    lambda x: nd.shift(x, 0.3 * x[0, 0], mode="grid-wrap", order=5),
    lambda x: nd.shift(x, 0.3 * x[0, :2], mode="nearest"),
    lambda x: nd.shift(x, (0.3 * x[0, 0], 1), cval=x[1, 2]),
    lambda x: nd.zoom(x * x, 1.6, mode="mirror") * nd.zoom(x, 1.6, mode="grid-wrap", grid_mode=True),
    lambda x: nd.affine_transform(x, TURN * x[0, 0], offset=x[1, :2], mode="reflect"),
    lambda x: nd.affine_transform(x, FULL[:2] + 0.1 * x[:2, :3], mode="mirror"),
    lambda x: nd.affine_transform(x, 0.5 + 0.1 * x[0, :2], 0.2 * x[0, 0], mode="wrap", order=4),
    lambda x: nd.rotate(x * x, 30.0 * x[0, 0], reshape=False, mode="grid-wrap"),
    lambda x: nd.rotate(np.stack([x, x * x]), 20.0 + x[0, 0], axes=(2, 1), mode="nearest", cval=x[0, 0]),
    lambda x: nd.spline_filter(x * x, mode="reflect") + nd.spline_filter1d(x, 4, 0) * x,
    lambda x: nd.geometric_transform(
        x, lambda p: (p[0] + 0.3 * x[0, 0], p[1] * x[1, 1]), (3, 4), mode="mirror"
    ),
)


TWICE = (6,)
"""Programs whose second derivatives are always computed; each takes a second or more."""
ALL = "ZYGPY_ALL_CASES" in os.environ


@pytest.mark.filterwarnings("ignore:The behavior of affine_transform with a 1-D")
@pytest.mark.parametrize("place", range(len(PROGRAMS)))
def test_programs_to_second_order(place: int) -> None:
    program = PROGRAMS[place]

    def f(x: Any) -> Any:
        y = program(x)
        return np.sum(np.cos(y) * (1.0 + 0.1 * y))

    direction = array(4, 5, start=70)
    (found,) = zg.gradient(f, TABLE)
    expected = reference.directional(lambda t: f(TABLE + t * direction))
    assert np.vdot(found, direction) == pytest.approx(float(expected), rel=1e-7, abs=1e-9)
    if not ALL and place not in TWICE:
        return
    seconds = reference.directional(lambda t: zg.gradient(f, TABLE + t * direction)[0])
    np.testing.assert_allclose(zg.hvp(f, TABLE, direction), seconds, rtol=1e-6, atol=1e-7)


def test_complex_images() -> None:
    x, seed = TABLE + 0.4j * np.cos(3 * TABLE), array(6) - 1j * array(6, start=40)

    def f(x: Any, t: Any) -> Any:
        y = nd.map_coordinates(x, t, mode="grid-constant", cval=0.3 - 0.2j)
        return np.sum(np.real(np.conj(seed) * y * y))

    x_bar, t_bar = zg.gradient(f, x, PLACES)
    assert x_bar.dtype == complex and t_bar.dtype == float
    direction = array(4, 5, start=60) + 1j * array(4, 5, start=90)
    expected = float(reference.directional(lambda t: f(x + t * direction, PLACES)))
    assert np.real(np.vdot(x_bar, direction)) == pytest.approx(expected, rel=1e-7)
    along = array(2, 6, start=9)
    expected = float(reference.directional(lambda t: f(x, PLACES + t * along)))
    assert np.vdot(t_bar, along) == pytest.approx(expected, rel=1e-7)


def test_slopes_of_lines_where_samples_stand() -> None:
    steps = np.array([0.0, 1.0, 4.0, 9.0])
    for mode in ("constant", "wrap"):  # behind the last sample there is no slope
        (found, _) = zg.gradient(lambda t, m: np.sum(nd.map_coordinates(steps, t, None, 1, m)), PLAIN, mode)
        assert found.tolist() == [[1.0, 3.0, 5.0, 5.0]]
    (found,) = zg.gradient(lambda t: np.sum(nd.map_coordinates(steps, t, order=1, mode="nearest")), PLAIN)
    assert found.tolist() == [[1.0, 3.0, 5.0, 0.0]]
    (found,) = zg.gradient(lambda t: np.sum(nd.map_coordinates(steps, t, order=0)), PLAIN)
    assert found.tolist() == [[0.0] * 4]


PLAIN = np.arange(4.0)[None]


def test_a_quarter_turn_loses_nothing() -> None:
    weights = array(5, 4)
    (found,) = zg.gradient(lambda x: np.sum(weights * nd.rotate(x, 90, order=1)), TABLE)
    np.testing.assert_allclose(found, np.rot90(weights, -1), atol=1e-14)


def test_precision_and_integers() -> None:
    single = TABLE.astype(np.float32)
    f = lambda x: np.sum(nd.shift(x, 0.3, mode="mirror") ** 2)  # noqa: E731
    (found,) = zg.gradient(f, single)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, zg.gradient(f, TABLE)[0], rtol=1e-4, atol=1e-5)
    whole = np.arange(6)
    assert not zg.gradient(lambda x: np.sum(nd.shift(x, 0.3)), whole)[0].any()
    (found,) = zg.gradient(lambda x: np.sum(nd.shift(x, 1, output=float, order=1) * whole), whole)
    assert found.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 0.0]
    assert isinstance(zg.gradient(lambda s: np.sum(nd.shift(TABLE, s)[1:3, 1:3]), 1)[0], float)


def test_images_that_hold_nothing_finite() -> None:
    (found,) = zg.gradient(
        lambda t: nd.map_coordinates(np.array([1.0, np.inf, 3.0, 4.0]), t, order=1)[0],
        np.array([[2.5]]),
    )
    assert found.tolist() == [[1.0]]


def test_what_is_not_followed_is_refused() -> None:
    for f in (
        lambda x: np.sum(np.real(nd.zoom(x + 1j, 2, grid_mode=True, mode="nearest"))),
        lambda x: np.sum(nd.geometric_transform(x, "no function")),
    ):
        with pytest.raises(MissingRuleError):
            zg.gradient(f, TABLE)
    with pytest.raises(RuntimeError, match="mode"):
        zg.gradient(lambda x: np.sum(nd.shift(x, 0.3, mode="no such")), TABLE)
    with pytest.raises(RuntimeError, match="coordinate"):
        zg.gradient(lambda x: np.sum(nd.map_coordinates(x, np.zeros((3, 2)))), TABLE)
