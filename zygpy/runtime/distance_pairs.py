"""Distances of single pairs of vectors of `scipy.spatial.distance`, and of two sets; loaded with SciPy alone.

The value is SciPy's own, the derivative that of a formula.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.spatial.distance as sd

from zygpy.errors import MissingRuleError
from zygpy.runtime.distance_formulas import (
    angle,
    as_doubles,
    by_matrix,
    divergence,
    of_powers,
    of_shares,
    quadratic,
    root,
    squares,
    weighted,
)
from zygpy.runtime.library_values import as_given


def measured(name: str, given: Any, keywords: Any) -> Any:
    """What SciPy gives."""
    return getattr(sd, name)(*given, **keywords)


def refused(function: str, why: str, instead: str) -> MissingRuleError:
    return MissingRuleError(
        f"'scipy.spatial.distance.{function}' has no rule for this call.", why=why, instead=instead
    )


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


def directed_hausdorff(u: Any, v: Any, rng: Any = 0, *, seed: Any = None) -> Any:
    """`scipy.spatial.distance.directed_hausdorff`: the distance of the two points that it names.

    What orders the points (`seed`, as it was called before) means nothing to the distance.
    """
    check_real("directed_hausdorff", u, v)
    value, first, second = furthest(u, v, rng if seed is None else seed)
    d = as_doubles(u)[first] - as_doubles(v)[second]
    return as_given(value, quadratic("euclidean", d, None)), first, second


def furthest(u: Any, v: Any, rng: Any) -> Any:
    """What SciPy gives."""
    return sd.directed_hausdorff(u, v, rng)
