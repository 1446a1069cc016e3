"""Distances of `scipy.spatial.distance`: tables, lists and single pairs, against differences."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.spatial as sp
import scipy.spatial.distance as sd

import zygpy as zg
from tests.rules import reference
from tests.rules.calls import array
from zygpy.errors import MissingRuleError
from zygpy.pushing import Push, push_of

A = np.abs(array(3, 3)) + 0.2
B = np.abs(array(2, 3, start=20)) + 0.3
W = np.array([0.7, 1.3, 0.4])
INVERSE = array(3, 3, start=50) / 9 + 3 * np.eye(3)


def mixed(y: Any) -> Any:
    """A number that depends on all entries of an array."""
    return np.sum(np.sin(y) * (1.0 + 0.1 * np.arange(np.size(y)).reshape(np.shape(y))))


def scaled(u: Any, v: Any, factor: Any = 1.0) -> Any:
    return factor * (u @ v) ** 2


def both(metric: Any, a: Any, b: Any, **keywords: Any) -> Any:
    """Numbers of a table and of a list of distances."""
    return mixed(sd.cdist(a, b, metric, **keywords)) + mixed(sd.pdist(a, metric, **keywords))


WEIGHTED = (
    "euclidean", "sqeuclidean", "cityblock", "chebyshev", "minkowski", "canberra", "braycurtis", "cosine",
    "correlation",
)  # fmt: skip

PROGRAMS: dict[str, Callable[..., Any]] = {
    **{f"{name} weighted": lambda a, b, w, name=name: both(name, a, b, w=w) for name in WEIGHTED},
    **{name: lambda a, b, name=name: both(name, a, b) for name in (*WEIGHTED, "js", "seuclidean")},
    "powers": lambda a, b, w: both("minkowski", a, b, p=1.7 + w[0], w=w),
    "power 1": lambda a, b, w: both("m", a, b, p=w[0] / W[0]),
    "power 2": lambda a, b, w: both("m", a, b, p=2 * w[0] / W[0], w=w),
    "the largest": lambda a, b, w: both("mi", a, b, p=np.inf, w=w),
    "variances": lambda a, b, w: both("seuclidean", a, b, V=w),
    "inverse": lambda a, b, w, vi: both("mahalanobis", a, b, VI=vi),
    "covariance": lambda a, b: mixed(sd.cdist(a, b, "mahalanobis")),
    "its own covariance": lambda a, b: mixed(sd.pdist(np.concatenate([a, b]), "mahalanobis")),
    "of a user": lambda a, b, w: both(scaled, a, b, factor=w[1]),
    "of a user who captures": lambda a, b, w: both(lambda u, v: w[0] * np.sum(np.cos(u - v)), a, b),
    "of SciPy as functions": lambda a, b: both(sd.cosine, a, b) + both(sd.minkowski, a, b, p=3),
    "a square": lambda a, b: mixed(sd.squareform(sd.squareform(a[0]) * 2 + sd.cdist(a, a))),
    "of two sets": lambda a, b: mixed(np.asarray(sd.directed_hausdorff(a, b)[0])),
    "of two sets in an order": lambda a, b: mixed(np.asarray(sd.directed_hausdorff(a, b, 3)[0])),
    "dice, of numbers": lambda a, b: both("dice", a / 4, b / 4),
    "kernel": lambda a, b: mixed(np.linalg.inv(np.exp(-sd.cdist(a, a)) + np.eye(3))),
}


ALL = "ZYGPY_ALL_CASES" in os.environ
"""Whether all second derivatives are taken; without it, of some single pairs and one table."""


def agrees(program: Callable[..., Any], f: Callable[[Any], Any], points: Any, second: bool = True) -> None:
    """First derivatives along a direction, and second ones, are those of differences; `f` is the program as a
    function of all numbers one after the other."""
    x = np.concatenate([np.ravel(point) for point in points])
    direction = array(x.size, start=70)
    expected = reference.directional(lambda t: f(x + t * direction))
    bars = zip(zg.gradient(program, *points), points, strict=True)
    flat = [np.zeros(np.size(point)) if bar is None else np.ravel(bar) for bar, point in bars]
    assert np.concatenate(flat) @ direction == pytest.approx(float(expected), rel=1e-7, abs=1e-8)
    if second:
        seconds = reference.directional(lambda t: zg.gradient(f, x + t * direction)[0])
        np.testing.assert_allclose(zg.hvp(f, x, direction), seconds, rtol=1e-6, atol=1e-6)


TWICE = ("cosine",)
BY_IDENTITY = ("of a user", "of a user who captures", "of SciPy as functions")
"""Programs that call what is not known beforehand: their second derivatives are those of the engine."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_tables_and_lists(name: str) -> None:
    program = PROGRAMS[name]
    variables = program.__code__.co_varnames[: program.__code__.co_argcount]
    count = len([one for one in variables if one != "name"])
    of_all: dict[int, Callable[[Any], Any]] = {
        2: lambda x: program(x[:9].reshape(3, 3), x[9:].reshape(2, 3)),
        3: lambda x: program(x[:9].reshape(3, 3), x[9:15].reshape(2, 3), x[15:]),
        4: lambda x: program(x[:9].reshape(3, 3), x[9:15].reshape(2, 3), x[15:18], x[18:].reshape(3, 3)),
    }
    second = name in TWICE or (ALL and name not in BY_IDENTITY)
    agrees(program, of_all[count], (A, B, W, INVERSE)[:count], second)


PAIRS: dict[str, Callable[..., Any]] = {
    "minkowski": lambda u, v, w: sd.minkowski(u, v, 1.7 + w[0], w) + sd.minkowski(u, v),
    "powers": lambda u, v, w: sd.minkowski(u, v, 1, w) + sd.minkowski(u, v, np.inf, w),
    "euclidean": lambda u, v, w: sd.euclidean(u, v, w) + sd.euclidean(u, v),
    "sqeuclidean": lambda u, v, w: sd.sqeuclidean(u, v, w),
    "seuclidean": lambda u, v, w: sd.seuclidean(u, v, w),
    "mahalanobis": lambda u, v, w: sd.mahalanobis(u, v, INVERSE * w),
    "cityblock": lambda u, v, w: sd.cityblock(u, v, w),
    "chebyshev": lambda u, v, w: sd.chebyshev(u, v, w) * sd.chebyshev(u, v),
    "correlation": lambda u, v, w: sd.correlation(u, v, w) + sd.correlation(u, v, centered=False),
    "cosine": lambda u, v, w: sd.cosine(u, v, w) + sd.cosine(u, v),
    "braycurtis": lambda u, v, w: sd.braycurtis(u, v, w),
    "canberra": lambda u, v, w: sd.canberra(u, v, w),
    "jensenshannon": lambda u, v, w: sd.jensenshannon(u, v, w[0] + 2.0) + sd.jensenshannon(v, w),
    "shares in rows": lambda u, v, w: mixed(
        sd.jensenshannon(np.outer(w, u), np.outer(v, v) + w, axis=1, keepdims=True)
    ),
    "hamming": lambda u, v, w: sd.hamming(u, v, w),
    "dice": lambda u, v, w: sd.dice(u, v, w) + sd.rogerstanimoto(u, v, w),
    "russellrao": lambda u, v, w: sd.russellrao(u, v, w) + sd.sokalsneath(u, v, w),
    "yule": lambda u, v, w: sd.yule(u, v, w),
}


@pytest.mark.parametrize("program", PAIRS.values(), ids=PAIRS)
def test_single_pairs(program: Callable[..., Any]) -> None:
    second = ALL or program in (PAIRS["minkowski"], PAIRS["correlation"], PAIRS["yule"])
    agrees(program, lambda x: program(x[:3], x[3:6], x[6:]), (A[0], B[1], W), second)


@pytest.mark.parametrize(
    "metric", ["euclidean", "sqeuclidean", "cityblock", "minkowski", "chebyshev", "mahalanobis"]
)
def test_points_in_one_place(metric: str) -> None:
    """Kinks have the derivative 0; the square has a second one all the same."""
    keywords = {"VI": np.eye(3)} if metric == "mahalanobis" else {}
    f = lambda a: np.sum(sd.cdist(a, a[:1], metric, **keywords)[0] + sd.pdist(a[[0, 0]], metric, **keywords))  # noqa: E731
    assert not zg.gradient(f, A)[0].any()
    if metric != "mahalanobis":
        assert not zg.gradient(lambda u: getattr(sd, metric)(u, u), A[0])[0].any()
        assert not zg.gradient(lambda u: getattr(sd, metric)(u, A[0]), A[0])[0].any()
    np.testing.assert_array_equal(zg.hessian(lambda u: sd.sqeuclidean(u, A[0]), A[0].copy()), 2 * np.eye(3))


def test_the_square_by_one_equal_coordinate() -> None:
    """A coordinate in which points agree counts in second derivatives."""
    f = lambda u: sd.minkowski(u, B[0], 2.0) ** 2 + sd.cdist([B[0]], [u], "minkowski")[0, 0] ** 2  # noqa: E731
    u = B[0] + np.array([0.0, 0.5, -0.3])
    np.testing.assert_allclose(zg.hessian(f, u), 4 * np.eye(3), atol=1e-12)


def test_weights_of_zero() -> None:
    """What does not count yet has a derivative by its weight."""
    w = np.array([1.0, 0.0, 2.0])
    expected = (A[0] - B[0]) ** 2 / (2 * sd.euclidean(A[0], B[0], w))
    np.testing.assert_allclose(zg.gradient(lambda w: sd.euclidean(A[0], B[0], w), w)[0], expected)
    np.testing.assert_allclose(zg.gradient(lambda w: sd.cdist(A[:1], B[:1], w=w)[0, 0], w)[0], expected)


def test_vectors_of_zeros() -> None:
    zeros = np.zeros(3)
    for name in ("canberra", "braycurtis"):
        for u, v in ((zeros, B[0]), (B[0], zeros), (zeros, zeros)):
            found = zg.gradient(lambda u, v, name=name: np.sum(sd.cdist(u[None], v[None], name)), u, v)
            assert np.isfinite(found).all()
    with np.errstate(invalid="ignore"):
        found = zg.gradient(lambda u: 0.0 * sd.cdist(u[None], B, "cosine")[0, 1], zeros)[0]
    assert not found.any()


def test_empty_shares() -> None:
    p, q = np.array([0.5, 0.0, 0.5, 0.0]), np.array([0.2, 0.3, 0.5, 0.0])
    found = zg.gradient(sd.jensenshannon, p, q)
    places = np.array([0, 2])

    def there(t: Any) -> Any:
        return sd.jensenshannon(np.array([t[0], 0.0, t[1], 0.0]), q)

    np.testing.assert_allclose(found[0][places], zg.gradient(there, p[places])[0])
    assert np.isfinite(found).all()


def test_far_from_the_origin() -> None:
    """Differences of large numbers keep their digits."""
    near = zg.gradient(lambda a: np.sum(sd.cdist(a, B) ** 3), A)[0]
    far = zg.gradient(lambda a: np.sum(sd.cdist(a, B + 2.0**20) ** 3), A + 2.0**20)[0]
    np.testing.assert_allclose(near, far, rtol=1e-8)


def test_single_precision_and_integers() -> None:
    single, whole = A.astype(np.float32), np.array([[1, 2, 3], [4, 6, 9]])
    for metric in ("euclidean", "cosine"):
        (found,) = zg.gradient(lambda a, metric=metric: np.sum(sd.cdist(a, B, metric)), single)
        assert found.dtype == np.float32
    (found,) = zg.gradient(lambda u: sd.euclidean(u, single[1]), single[0])
    assert found.dtype == np.float32
    (found,) = zg.gradient(lambda a: np.sum(sd.pdist(a)), whole)
    np.testing.assert_allclose(found, zg.gradient(lambda a: np.sum(sd.pdist(a)), whole.astype(float))[0])


def test_complex_vectors() -> None:
    u, v = A[0] + 1j * A[1], B[0] - 0.3j * B[1]
    direction = np.array([0.3 - 1j, 0.2 + 0.4j, -0.5])
    for f in (sd.euclidean, sd.cityblock, lambda u, v: sd.minkowski(u, v, 3, W)):
        (found, _) = zg.gradient(f, u, v)
        expected = reference.directional(lambda t, f=f: f(u + t * direction, v))
        assert np.real(np.vdot(found, direction)) == pytest.approx(float(expected), rel=1e-8)
    with pytest.raises(MissingRuleError):
        zg.gradient(lambda u: sd.mahalanobis(u, v, INVERSE).real, u)


def test_sets_without_points() -> None:
    f = lambda a: np.sum(sd.cdist(a, B)) + np.sum(sd.cdist(B, a)) + np.sum(sd.pdist(a))  # noqa: E731
    assert zg.gradient(f, np.zeros((0, 3)))[0].shape == (0, 3)
    assert (
        zg.gradient(lambda a: np.sum(sd.cdist(a, np.ones((2, 0)), "chebyshev")), np.ones((3, 0)))[0].size == 0
    )


def test_values_are_those_of_scipy() -> None:
    for name in (*WEIGHTED, "js", "mahalanobis", "hamming", "matching", "yule"):
        y, _ = zg.pullback(lambda a, name=name: sd.cdist(a, np.concatenate([B, B * 2]), name), A)
        np.testing.assert_array_equal(y, sd.cdist(A, np.concatenate([B, B * 2]), name))
        assert y.dtype == np.float64


def test_steps_have_no_gradient() -> None:
    (found,) = zg.gradient(lambda a: np.sum(sd.cdist(a, B, "hamming")), A)
    assert found is None or not found.any()
    with pytest.raises(MissingRuleError, match="weights"):
        zg.gradient(lambda w: np.sum(sd.cdist(A, B, "hamming", w=w)), W)


def test_what_is_not_followed_is_refused() -> None:
    def minkowski(u: Any, v: Any) -> Any:
        return u @ v

    with pytest.raises(MissingRuleError, match="another name"):
        zg.gradient(lambda a: np.sum(sd.pdist(a, minkowski)), A)
    for wrong in ((A, B[0]), (A, np.ones((2, 2)))):
        with pytest.raises(ValueError, match="must"):
            zg.gradient(lambda a, wrong=wrong: np.sum(sd.cdist(a, wrong[1], scaled)), A)
    with pytest.raises(ValueError, match="Unknown Distance"):
        zg.gradient(lambda a: np.sum(sd.cdist(a, B, "no such")), A)


def test_lists_of_a_table_as_scipy_reads_them() -> None:
    """The upper triangle is read; the lower one has no share."""
    table = sd.squareform(W)
    (found,) = zg.gradient(lambda t: sd.squareform(t) @ W, table)
    np.testing.assert_array_equal(found, np.triu(sd.squareform(W)))
    (found,) = zg.gradient(lambda w: np.sum(sd.squareform(w) * np.arange(9.0).reshape(3, 3)), W)
    np.testing.assert_array_equal(found, [4.0, 8.0, 12.0])
    assert zg.gradient(lambda w: np.sum(sd.squareform(w)), np.zeros(0))[0].shape == (0,)
    np.testing.assert_allclose(
        zg.pushforward(lambda w: sd.squareform(w**2), W)(np.ones(3)), sd.squareform(2 * W)
    )


PLAIN: dict[str, Any] = {
    "to constants": lambda a: sd.cdist(a, B),
    "from constants": lambda a: sd.cdist(B, a),
    "to itself": lambda a: sd.cdist(a, 2.0 * a[1:]),
    "pairs": lambda a: sd.pdist(a),
    "a list of points": lambda a: sd.pdist([a[0], a[1]]),
}


@pytest.mark.parametrize("name", PLAIN)
def test_tangents_of_euclidean_distances(name: str) -> None:
    program, v = PLAIN[name], np.cos(np.arange(A.size)).reshape(A.shape)
    expected = reference.directional(lambda t: program(A + t * v))
    np.testing.assert_allclose(zg.pushforward(program, A)(v), expected, rtol=1e-8, atol=1e-9)

    def f(a: Any) -> Any:
        return np.sum(np.sin(program(a)))

    second = reference.directional(lambda t: zg.gradient(f, A + t * v)[0])
    np.testing.assert_allclose(zg.hvp(f, A, v), second, rtol=1e-7, atol=1e-8)
    if name != "a list of points":
        assert isinstance(push_of(program, (A,)), Push)


# Distances in an array that is given for them.


def into_table(a: Any, b: Any) -> Any:
    table = np.full((3, 2), 7.0)
    given = sd.cdist(a, b, "sqeuclidean", out=table)
    return mixed(table) + np.sum(given * given)


def into_list(a: Any, b: Any) -> Any:
    places = np.zeros((2, 3))
    sd.pdist(a, out=places[0])
    sd.pdist(b[0, 0] * a, scaled, out=places[1], factor=b[1, 1])
    return mixed(places)


@pytest.mark.parametrize("program", [into_table, into_list])
def test_distances_are_written_into_arrays(program: Any) -> None:
    agrees(program, lambda z: program(z[:9].reshape(3, 3), z[9:].reshape(2, 3)), (A, B))


def test_arrays_that_do_not_fit_or_are_read() -> None:
    for out in (np.empty((2, 2)), np.empty((3, 2), np.float32), np.empty((2, 3)).T):
        with pytest.raises(ValueError, match=r"(?i)out"):
            zg.gradient(lambda a, out=out: np.sum(sd.cdist(a, B, out=out)), A)

    def over_itself(a: Any) -> Any:
        square = a * 1.0
        return np.sum(sd.cdist(square, a, out=square))

    with pytest.raises(MissingRuleError, match="written already"):
        zg.gradient(over_itself, A)


# Nearest neighbours.

POINTS = np.array([[0.0, 0.0], [1.0, 0.2], [0.3, 1.0], [2.0, 2.0], [1.5, 0.7], [0.8, 1.9]])
PLACES = np.array([[0.4, 0.3], [1.2, 1.1]])
TREE = sp.KDTree(POINTS)
ROUND = sp.cKDTree(POINTS, boxsize=[2.5, 0.0])


def near_made(x: Any) -> Any:
    tree = sp.cKDTree(POINTS * x[0, 0], leafsize=3)
    distances, numbers = tree.query(x, k=[1, 3], p=3)
    return mixed(distances * (1 + numbers))


def near_itself(x: Any) -> Any:
    tree = sp.KDTree(x)
    return tree.query([0.5, 0.4])[0] + np.sum(tree.data[1] ** 2)


def near_few(x: Any) -> Any:
    distances, numbers = TREE.query(x, k=9, distance_upper_bound=0.9)
    return np.sum(np.where(np.isfinite(distances), distances, 0.0) * numbers)


NEAR: dict[str, Callable[..., Any]] = {
    "several": lambda x: mixed(TREE.query(x, k=3)[0]),
    "one": lambda x: TREE.query(x[0], p=np.inf)[0] * TREE.query(list(x[1]), p=1)[0],
    "round": lambda x: np.sum(ROUND.query(x * 3, k=2)[0] ** 2),
    "points that move": near_made,
    "places that do not": near_itself,
    "too few": near_few,
}


@pytest.mark.parametrize("name", NEAR)
def test_distances_of_nearest_neighbours(name: str) -> None:
    agrees(NEAR[name], lambda x: NEAR[name](x.reshape(2, 2)), (PLACES,), name in ("several", "round"))


def test_trees_as_arguments() -> None:
    of_x, of_tree = zg.gradient(lambda x, t: np.sum(t.query(x)[0]), PLACES, TREE)
    away = PLACES - POINTS[[0, 4]]
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    np.testing.assert_allclose(of_x, away)
    np.testing.assert_allclose(of_tree.data[[0, 4]], -away)
    assert not of_tree.data[[1, 2, 3, 5]].any()
    assert zg.gradient(lambda x: np.sum(TREE.query(x)[0]), PLACES.astype(np.float32))[0].dtype == np.float32
    assert zg.gradient(lambda x: TREE.query(x)[0], POINTS[1])[0].tolist() == [0.0, 0.0]
    y, back = zg.pullback(lambda x: TREE.query(x), PLACES[0])
    assert type(y[0]) is float and y == TREE.query(PLACES[0])
    np.testing.assert_array_equal(back((1.0, None))[0], back((1.0, None))[0])


@pytest.mark.parametrize(
    "program",
    [
        lambda x: sp.KDTree(x).maxes[0] * 1.0,
        lambda x: np.sum(sp.KDTree(x).sparse_distance_matrix(TREE, 1.0).toarray()),
        lambda x: float(len(sp.KDTree(x).query_ball_point([0.5, 0.5], 0.5))),
    ],
)
def test_what_else_trees_tell_is_refused(program: Any) -> None:
    with pytest.raises(MissingRuleError):
        zg.gradient(program, PLACES)
