"""Distances of `scipy.spatial.distance` as programs that are differentiated; loaded with SciPy alone.

The value is SciPy's own. The derivative is that of a formula for two arrays of vectors, which stand along
their last axes: for a table each vector of one set meets each of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.spatial.distance as sd

from zygpy.runtime.distance_formulas import (
    OF_POWERS,
    OF_SHARES,
    QUADRATIC,
    as_doubles,
    by_covariance,
    by_matrix,
    by_variance,
    formula,
    root,
    squares,
    weighted,
)
from zygpy.runtime.distance_pairs import measured, refused
from zygpy.runtime.library_values import as_given

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


def plain_cdist(XA: Any, XB: Any) -> Any:  # noqa: N803
    """`scipy.spatial.distance.cdist` without a metric, which is Euclid's."""
    metric_of("cdist", (XA, XB), "euclidean")
    return separations(measured("cdist", (XA, XB), {}), as_doubles(XA), as_doubles(XB))


def plain_pdist(X: Any) -> Any:  # noqa: N803
    """`scipy.spatial.distance.pdist` without a metric."""
    metric_of("pdist", (X,), "euclidean")
    value, a = measured("pdist", (X,), {}), as_doubles(X)
    if len(a) < 2:
        return as_given(value, np.reshape(a, (-1,))[:0])
    return separations_inside(value, a)


def named_cdist(
    XA: Any, XB: Any, metric: Any = "euclidean", *, w: Any = None,  # noqa: N803
    p: Any = None, V: Any = None, VI: Any = None,  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.spatial.distance.cdist` by one of SciPy's metrics."""
    name = metric_of("cdist", (XA, XB), metric)
    value = measured("cdist", (XA, XB, metric), known(w, p, V, VI))
    if is_step(name, w):
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
    X: Any, metric: Any = "euclidean", *, w: Any = None, p: Any = None,  # noqa: N803
    V: Any = None, VI: Any = None,  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.spatial.distance.pdist` by one of SciPy's metrics."""
    name = metric_of("pdist", (X,), metric)
    value = measured("pdist", (X, metric), known(w, p, V, VI))
    if is_step(name, w):
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
    """`scipy.spatial.distance.cdist`, also by a function of a user's, and with a place for the result."""
    if out is not None:
        check_out("cdist", (XA, XB), metric, out, keywords)
        out[...] = cdist(XA, XB, metric, **keywords)
        return out
    if metric_of("cdist", (XA, XB), metric) != "":
        return named_cdist(XA, XB, metric, **keywords)
    return table_of_calls(np.asarray(XA), np.asarray(XB), metric, keywords)


def pdist(X: Any, metric: Any = "euclidean", *, out: Any = None, **keywords: Any) -> Any:  # noqa: N803
    """`scipy.spatial.distance.pdist`, also by a function of a user's, and with a place for the result."""
    if out is not None:
        check_out("pdist", (X,), metric, out, keywords)
        out[...] = pdist(X, metric, **keywords)
        return out
    if metric_of("pdist", (X,), metric) != "":
        return named_pdist(X, metric, **keywords)
    return list_of_calls(np.asarray(X), metric, keywords)


def check_out(function: str, sets: Any, metric: Any, out: Any, keywords: Any) -> None:
    """Raise what SciPy raises for an array that does not fit, and MissingRuleError for one that it changes
    while it still reads there."""
    counts = [len(one) for one in sets]
    shape = tuple(counts) if function == "cdist" else (counts[0] * (counts[0] - 1) // 2,)
    if not isinstance(out, np.ndarray) or out.shape != shape or not fits(out):
        getattr(sd, function)(*sets, metric, out=out, **keywords)
    given = (*sets, *keywords.values())
    if any(isinstance(one, np.ndarray) and np.may_share_memory(one, out) for one in given):
        raise refused(function, "SciPy reads there what it has written already", "give 'out' other memory")


def fits(out: Any) -> bool:
    """Whether distances can be written into an array."""
    return bool(out.flags.c_contiguous and out.dtype == np.float64)


def pairs(count: int) -> Any:
    """The places of the first and the second of each pair of rows."""
    return np.triu_indices(count, 1)


def is_step(name: str, w: Any) -> bool:
    """Whether a metric only asks which entries are equal, or not zero.

    Newer versions of SciPy compute "dice" of numbers as they are, where there are no weights.
    """
    if name == "dice" and w is None:
        return not sd.cdist([[0.5]], [[0.25]], "dice").any()
    return name in STEPS


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


def metric_of(function: str, sets: Any, metric: Any) -> str:
    """SciPy's name of a metric, "" for a function of a user's; raise what SciPy raises, and MissingRuleError
    for what is not followed."""
    check_shapes(function, sets)
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


def along(v: Any, a: Any, b: Any) -> Any:
    """For each two points the product of the direction of the first with the difference between them: the
    transpose of `pulls`."""
    middle = np.sum(b, axis=0, keepdims=True) / max(1, len(b))
    return np.sum(v * (a - middle), axis=1, keepdims=True) - np.matmul(v, np.transpose(b - middle))


def both_ways(table: Any) -> Any:
    """The sum of what stands in a table for two points, and for the two the other way round, of each pair."""
    return sd.squareform(table + np.transpose(table), checks=False)


def over_distances(y_bar: Any, y: Any) -> Any:
    """Cotangents divided by distances, 0 where points lie in one place."""
    apart = np.not_equal(y, 0)
    return np.where(apart, y_bar / np.where(apart, y, 1.0), 0.0)


def unfolded(value: Any, shape: Any) -> Any:
    """What comes back to a table of distances, or to a list of them, of this shape."""
    places = np.triu_indices(shape[0] if len(shape) == 2 else np.shape(value)[0], 1)
    if len(shape) == 1:
        return (value + np.transpose(value))[places]
    result = np.zeros(shape, np.result_type(value, np.float16))
    result[places] = value
    return result
