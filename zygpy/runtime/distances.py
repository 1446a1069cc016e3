"""Distances of `scipy.spatial.distance` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of a formula for two arrays of vectors, which stand along
their last axes: for a table each vector of one set meets each of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.spatial.distance as sd

from zygpy.errors import MissingRuleError
from zygpy.runtime.given_values import as_given

QUADRATIC = ("euclidean", "sqeuclidean")
OF_POWERS = ("cityblock", "minkowski", "chebyshev")
OF_SHARES = ("braycurtis", "canberra", "cosine", "correlation", "jensenshannon")
STEPS = ("hamming", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
"""Metrics that only ask which entries are equal, or not zero."""

OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "chebyshev": ("chebychev", "cheby", "cheb", "ch"),
    "cityblock": ("cblock", "cb", "c"),
    "correlation": ("co",),
    "cosine": ("cos",),
    "euclidean": ("euclid", "eu", "e"),
    "hamming": ("matching", "hamm", "ha", "h"),
    "jaccard": ("jacc", "ja", "j"),
    "jensenshannon": ("js",),
    "mahalanobis": ("mahal", "mah"),
    "minkowski": ("mi", "m", "pnorm"),
    "seuclidean": ("se", "s"),
    "sqeuclidean": ("sqe", "sqeuclid"),
}
NAMES: Mapping[str, str] = {
    **{name: name for name in (*QUADRATIC, "mahalanobis", "seuclidean", *OF_POWERS, *OF_SHARES, *STEPS)},
    **{other: name for name, others in OTHER_NAMES.items() for other in others},
}
"""What SciPy calls its metrics, and by which of its functions each is."""

PREPARED = ("seuclidean", "mahalanobis", "minkowski", *STEPS)
"""Metrics for which SciPy changes the arguments of a function of this name."""


# Tables.


def named_cdist(
    XA: Any, XB: Any, metric: Any = "euclidean", *, out: Any = None, w: Any = None,  # noqa: N803
    p: Any = None, V: Any = None, VI: Any = None,  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.spatial.distance.cdist` by one of SciPy's metrics."""
    name = metric_of("cdist", (XA, XB), metric, out)
    value = measured("cdist", (XA, XB, metric), known(w, p, V, VI))
    if name in STEPS:
        return stepped(value, w)
    a, b = as_doubles(XA), as_doubles(XB)
    if name == "euclidean" and w is None:
        return separations(value, a, b)
    first, second = np.expand_dims(a, 1), np.expand_dims(b, 0)
    if name == "mahalanobis":
        if VI is None:
            return as_given(value, by_covariance(first - second, np.concatenate([a, b])))
        return as_given(value, by_matrix(first - second, VI))
    if name == "seuclidean":
        if V is None:
            return as_given(value, by_variance(first - second, np.concatenate([a, b])))
        return as_given(value, root(np.sum(weighted(squares(first - second), V, -1), axis=-1)))
    return as_given(value, formula(name, first, second, power(p), w))


def named_pdist(
    X: Any, metric: Any = "euclidean", *, out: Any = None, w: Any = None, p: Any = None,  # noqa: N803
    V: Any = None, VI: Any = None,  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.spatial.distance.pdist` by one of SciPy's metrics."""
    name = metric_of("pdist", (X,), metric, out)
    value = measured("pdist", (X, metric), known(w, p, V, VI))
    if name in STEPS:
        return stepped(value, w)
    a = as_doubles(X)
    if len(a) < 2:
        return as_given(value, np.sum(a, axis=1)[:0])
    if name == "euclidean" and w is None:
        return separations_inside(value, a)
    first, second = a[pairs(len(a))[0]], a[pairs(len(a))[1]]
    if name == "mahalanobis":
        if VI is None:
            return as_given(value, by_covariance(first - second, a))
        return as_given(value, by_matrix(first - second, VI))
    if name == "seuclidean":
        if V is None:
            return as_given(value, by_variance(first - second, a))
        return as_given(value, root(np.sum(weighted(squares(first - second), V, -1), axis=-1)))
    return as_given(value, formula(name, first, second, power(p), w))


def known(w: Any, p: Any, V: Any, VI: Any) -> Any:  # noqa: N803
    """The keywords that SciPy is given."""
    given = {"w": w, "V": V, "VI": VI, "p": p}
    return {key: value for key, value in given.items() if value is not None}


def power(p: Any) -> Any:
    """The power of a distance of Minkowski's."""
    return 2 if p is None else p


def cdist(XA: Any, XB: Any, metric: Any = "euclidean", *, out: Any = None, **keywords: Any) -> Any:  # noqa: N803
    """`scipy.spatial.distance.cdist`, also by a function of a user's."""
    if metric_of("cdist", (XA, XB), metric, out) != "":
        return named_cdist(XA, XB, metric, **keywords)
    return table_of_calls(np.asarray(XA), np.asarray(XB), metric, keywords)


def pdist(X: Any, metric: Any = "euclidean", *, out: Any = None, **keywords: Any) -> Any:  # noqa: N803
    """`scipy.spatial.distance.pdist`, also by a function of a user's."""
    if metric_of("pdist", (X,), metric, out) != "":
        return named_pdist(X, metric, **keywords)
    return list_of_calls(np.asarray(X), metric, keywords)


def as_doubles(x: Any) -> Any:
    """The numbers as SciPy computes with them; an array also where there are none."""
    return np.array(x, dtype=np.float64)


def measured(name: str, given: Any, keywords: Any) -> Any:
    """What SciPy gives."""
    return getattr(sd, name)(*given, **keywords)


def pairs(count: int) -> Any:
    """The places of the first and the second of each pair of rows."""
    return np.triu_indices(count, 1)


def stepped(value: Any, w: Any) -> Any:
    """A distance that is a step by the vectors; it depends on weights."""
    return np.array(value)


def table_of_calls(a: Any, b: Any, metric: Any, keywords: Any) -> Any:
    """The distances by a user's function between each row and each other row."""
    if getattr(metric, "__name__", "") in NAMES:
        a, b = as_doubles(a), as_doubles(b)
    table = np.empty((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            table[i, j] = metric(a[i], b[j], **keywords)
    return table


def list_of_calls(a: Any, metric: Any, keywords: Any) -> Any:
    """The distances by a user's function between each two rows."""
    if getattr(metric, "__name__", "") in NAMES:
        a = as_doubles(a)
    found = np.empty(len(a) * (len(a) - 1) // 2)
    place = 0
    for i in range(len(a) - 1):
        for j in range(i + 1, len(a)):
            found[place] = metric(a[i], a[j], **keywords)
            place += 1
    return found


def metric_of(function: str, sets: Any, metric: Any, out: Any) -> str:
    """SciPy's name of a metric, "" for a function of a user's; raise what SciPy raises, and MissingRuleError
    for what is not followed."""
    check_shapes(function, sets)
    if out is not None:
        raise refused(function, "results are not written into 'out'", "take the result that is given back")
    if any(np.iscomplexobj(one) for one in sets):
        raise refused(function, "distances are those of real vectors", "give real and imaginary parts")
    if isinstance(metric, str):
        return NAMES.get(metric.lower().removeprefix("test_"), "unknown")
    name = getattr(metric, "__name__", "")
    if metric is getattr(sd, name, None):
        return NAMES.get(name, "")
    if NAMES.get(name) in PREPARED:
        raise refused(function, f"a function called {name!r} is taken for SciPy's", "give it another name")
    return ""


def check_shapes(function: str, sets: Any) -> None:
    """Raise what SciPy raises of sets that are no tables, or of vectors of different lengths."""
    shapes = [np.shape(one) for one in sets]
    if any(len(shape) != 2 or shape[1] != shapes[0][1] for shape in shapes):
        getattr(sd, function)(*sets)


def refused(function: str, why: str, instead: str) -> MissingRuleError:
    return MissingRuleError(
        f"'scipy.spatial.distance.{function}' has no rule for this call.", why=why, instead=instead
    )


def weighted(values: Any, w: Any = None, exponent: Any = 1) -> Any:
    """The numbers, times powers of weights if there are any."""
    return np.array(values) if w is None else values * np.asarray(w, np.float64) ** exponent


def transformed(d: Any, matrix: Any) -> Any:
    """Vectors along the last axis times a matrix."""
    return np.matmul(d, np.asarray(matrix, np.float64))


def outer_sums(d: Any, y_bar: Any) -> Any:
    """The sum of the products of two sets of vectors, each entry with each."""
    count = np.shape(d)[-1]
    return np.matmul(np.transpose(np.reshape(d, (-1, count))), np.reshape(y_bar, (-1, count)))


def by_variance(d: Any, points: Any) -> Any:
    """The distances by the variances of points."""
    return root(np.sum(squares(d) / np.var(points, axis=0, ddof=1), axis=-1))


def by_covariance(d: Any, points: Any) -> Any:
    """The distances of Mahalanobis by the covariance of points."""
    centred = points - np.mean(points, axis=0, keepdims=True)
    covariance = np.matmul(np.transpose(centred), centred) / (len(points) - 1)
    return root(np.sum(np.matmul(d, np.linalg.inv(covariance)) * d, axis=-1))


# Euclidean distances, whose cotangents need no table of differences.


def separations(value: Any, a: Any, b: Any) -> Any:
    """The Euclidean distances between two sets, with derivatives by both."""
    return np.array(value)


def separations_inside(value: Any, a: Any) -> Any:
    """The Euclidean distances between the points of a set, with derivatives by them."""
    return np.array(value)


def pulls(strengths: Any, a: Any, b: Any) -> Any:
    """For each point of `a` the sum of its differences from those of `b`, times what stands in the table.

    All are moved to the middle of `b` first, since differences of large numbers are not precise.
    """
    middle = np.sum(b, axis=0, keepdims=True) / max(1, len(b))
    return np.sum(strengths, axis=1, keepdims=True) * (a - middle) - np.matmul(strengths, b - middle)


def over_distances(y_bar: Any, y: Any) -> Any:
    """Cotangents divided by distances, 0 where points lie in one place."""
    apart = np.not_equal(y, 0)
    return np.where(apart, y_bar / np.where(apart, y, 1.0), 0.0)


# Formulas.


def formula(name: str, a: Any, b: Any, p: Any, w: Any) -> Any:
    """The distance along the last axis, by the metric of this name."""
    if name in QUADRATIC:
        return quadratic(name, a - b, w)
    if name in OF_POWERS:
        return of_powers(name, a - b, p, w)
    if name == "jensenshannon":
        return root(divergence(a, b))
    return of_shares(name, a, b, w)


def quadratic(name: str, d: Any, w: Any) -> Any:
    """A square of differences, or its root."""
    if name == "sqeuclidean":
        return np.sum(weighted(d * d, w), axis=-1)
    return root(np.sum(weighted(squares(d), w), axis=-1))


def by_matrix(d: Any, matrix: Any) -> Any:
    """The root of the square by a matrix."""
    return root(np.sum(transformed(d, matrix) * d, axis=-1))


def counted(w: Any) -> Any:
    """1 for what has a weight, 0 for what has none."""
    return np.ones(1) if w is None else np.not_equal(w, 0) * 1.0


def squares(d: Any) -> Any:
    """The squares of the absolute values."""
    return np.real(d * np.conj(d))


def root(square: Any) -> Any:
    """The square root, 0 where there is nothing, with the derivative 0."""
    there = np.greater(square, 0)
    return np.where(there, np.sqrt(np.where(there, square, 1.0)), 0.0)


def of_powers(name: str, d: Any, p: Any, w: Any) -> Any:
    """A norm of differences."""
    size = np.abs(d)
    if np.shape(d)[-1] == 0:
        return np.sum(size, axis=-1)
    if name == "chebyshev" or p == np.inf:
        return np.max(counted(w) * size, axis=-1)
    if name == "cityblock":
        return np.sum(weighted(size, w), axis=-1)
    there = np.not_equal(size, 0)
    powers = np.where(there, np.where(there, size, 1.0) ** p, squares(d) if p == 2 else 0.0)
    whole = np.sum(weighted(powers, w), axis=-1)
    far = np.not_equal(whole, 0)
    return np.where(far, np.where(far, whole, 1.0) ** (1.0 / p), 0.0)


def of_shares(name: str, a: Any, b: Any, w: Any) -> Any:
    """A quotient that is 0 where the vectors are equal."""
    if name == "canberra":
        terms = quotient(np.abs(a - b), np.abs(a) + np.abs(b))
        return np.sum(weighted(terms, w), axis=-1)
    if name == "braycurtis":
        return quotient(
            np.sum(weighted(np.abs(a - b), w), axis=-1), np.sum(weighted(np.abs(a + b), w), axis=-1)
        )
    return angle(a, b, w, name == "correlation")


def angle(a: Any, b: Any, w: Any, centred: Any) -> Any:
    """One less the cosine of the angle between vectors, or between their distances from their means."""
    if centred:
        whole = np.sum(weighted(np.ones(np.shape(a)[-1]), w))
        a = a - np.sum(weighted(a, w), axis=-1, keepdims=True) / whole
        b = b - np.sum(weighted(b, w), axis=-1, keepdims=True) / whole
    lengths = np.sum(weighted(a * a, w), axis=-1) * np.sum(weighted(b * b, w), axis=-1)
    return 1.0 - quotient(np.sum(weighted(a * b, w), axis=-1), root(lengths))


def quotient(a: Any, b: Any) -> Any:
    """The quotient, where there is one, else a constant 0."""
    there = np.not_equal(b, 0)
    return np.where(there, a / np.where(there, b, 1.0), 0.0)


def divergence(a: Any, b: Any) -> Any:
    """The square of the distance of Jensen and Shannon between shares along the last axis."""
    a = a / np.sum(a, axis=-1, keepdims=True)
    b = b / np.sum(b, axis=-1, keepdims=True)
    middle = (a + b) / 2.0
    return np.sum(relative(a, middle) + relative(b, middle), axis=-1) / 2.0


def relative(a: Any, middle: Any) -> Any:
    """The terms of the relative entropy; what is empty counts as constant."""
    there = np.greater(a, 0)
    return np.where(there, a, 0.0) * np.log(np.where(there, a, 1.0) / np.where(there, middle, 1.0))


# Single pairs.


def check_real(name: str, *given: Any) -> None:
    """Raise MissingRuleError for complex vectors, of which a metric is not followed."""
    if any(np.iscomplexobj(one) for one in given):
        raise refused(name, "it is followed for real vectors", "give real and imaginary parts")


def minkowski(u: Any, v: Any, p: Any = 2, w: Any = None) -> Any:
    """`scipy.spatial.distance.minkowski`."""
    value = measured("minkowski", (u, v, p, w), {})
    return as_given(value, of_powers("minkowski", difference(u, v), p, w))


def euclidean(u: Any, v: Any, w: Any = None) -> Any:
    """`scipy.spatial.distance.euclidean`."""
    value = measured("euclidean", (u, v, w), {})
    return as_given(value, quadratic("euclidean", difference(u, v), w))


def seuclidean(u: Any, v: Any, V: Any) -> Any:  # noqa: N803
    """`scipy.spatial.distance.seuclidean`."""
    value = measured("seuclidean", (u, v, V), {})
    return as_given(value, root(np.sum(weighted(squares(difference(u, v)), V, -1), axis=-1)))


def mahalanobis(u: Any, v: Any, VI: Any) -> Any:  # noqa: N803
    """`scipy.spatial.distance.mahalanobis` of real vectors."""
    check_real("mahalanobis", u, v, VI)
    value = measured("mahalanobis", (u, v, VI), {})
    return as_given(value, by_matrix(difference(u, v), np.atleast_2d(VI)))


def chebyshev(u: Any, v: Any, w: Any = None) -> Any:
    """`scipy.spatial.distance.chebyshev`."""
    value = measured("chebyshev", (u, v, w), {})
    return as_given(value, of_powers("chebyshev", difference(u, v), np.inf, w))


def correlation(u: Any, v: Any, w: Any = None, centered: Any = True) -> Any:
    """`scipy.spatial.distance.correlation`."""
    check_real("correlation", u, v)
    value = measured("correlation", (u, v, w, centered), {})
    return as_given(value, angle(floats(u), floats(v), w, centered))


def cosine(u: Any, v: Any, w: Any = None) -> Any:
    """`scipy.spatial.distance.cosine`."""
    check_real("cosine", u, v)
    value = measured("cosine", (u, v, w), {})
    return as_given(value, angle(floats(u), floats(v), w, False))


def braycurtis(u: Any, v: Any, w: Any = None) -> Any:
    """`scipy.spatial.distance.braycurtis`."""
    check_real("braycurtis", u, v)
    value = measured("braycurtis", (u, v, w), {})
    return as_given(value, of_shares("braycurtis", floats(u), floats(v), w))


def canberra(u: Any, v: Any, w: Any = None) -> Any:
    """`scipy.spatial.distance.canberra`."""
    check_real("canberra", u, v)
    value = measured("canberra", (u, v, w), {})
    return as_given(value, of_shares("canberra", floats(u), floats(v), w))


def jensenshannon(p: Any, q: Any, base: Any = None, *, axis: Any = 0, keepdims: Any = False) -> Any:
    """`scipy.spatial.distance.jensenshannon`."""
    check_real("jensenshannon", p, q)
    value = measured("jensenshannon", (p, q, base), {"axis": axis, "keepdims": keepdims})
    a, b = np.broadcast_arrays(floats(p), floats(q))
    found = divergence(np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)) / logarithm(base)
    return as_given(value, root(np.expand_dims(found, axis) if keepdims else found))


def logarithm(base: Any) -> Any:
    """The unit of information."""
    return 1.0 if base is None else np.log(np.asarray(base) * 1.0)


def floats(x: Any) -> Any:
    """An array of floats."""
    return np.asarray(x) * 1.0


def difference(u: Any, v: Any) -> Any:
    """The difference of two vectors, in floats."""
    return floats(u) - floats(v)


# Sets.


def directed_hausdorff(u: Any, v: Any, rng: Any = 0) -> Any:
    """`scipy.spatial.distance.directed_hausdorff`: the distance of the two points that it names."""
    check_real("directed_hausdorff", u, v)
    value, first, second = furthest(u, v, rng)
    d = as_doubles(u)[first] - as_doubles(v)[second]
    return as_given(value, quadratic("euclidean", d, None)), first, second


def furthest(u: Any, v: Any, rng: Any) -> Any:
    """What SciPy gives."""
    return sd.directed_hausdorff(u, v, rng)


def unfolded(value: Any, shape: Any) -> Any:
    """What comes back to a table of distances, or to a list of them, of this shape."""
    places = np.triu_indices(shape[0] if len(shape) == 2 else np.shape(value)[0], 1)
    if len(shape) == 1:
        return (value + np.transpose(value))[places]
    result = np.zeros(shape, np.result_type(value, np.float16))
    result[places] = value
    return result
