"""Rules of `scipy.spatial.distance`, there once a program has imported it: programs stand for the metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.spatial.distance as sd

from zygpy.ir.kinds import Text
from zygpy.rules.declare import Choice, library, non_differentiable, rule, stands_for
from zygpy.runtime import distance_formulas as formulas
from zygpy.runtime import distance_pairs as single
from zygpy.runtime import distances

library("sd", sd)
library("distances", distances)
library("formulas", formulas)


def _by_metric(plain: Any, named: Any, general: Any, place: int) -> Choice:
    """The program for calls without a metric, or with one that is seen to be a name; else the one that may
    call a function."""

    def choose(kinds: Sequence[Any], names: frozenset[str]) -> Any:
        if len(kinds) == place and not names:
            return plain
        is_name = isinstance(kinds[place], Text) if len(kinds) > place else "metric" not in names
        return named if is_name and names <= {"w", "p", "V", "VI"} else general

    return choose


for _name, _place in (("cdist", 2), ("pdist", 1)):
    _plain, _named, _program = (getattr(distances, word + _name) for word in ("plain_", "named_", ""))
    stands_for(getattr(sd, _name), _program, choose=_by_metric(_plain, _named, _program, _place))
for _name in (
    "directed_hausdorff", "minkowski", "euclidean", "seuclidean", "mahalanobis",
    "chebyshev", "correlation", "cosine", "braycurtis", "canberra", "jensenshannon",
):  # fmt: skip
    stands_for(getattr(sd, _name), getattr(single, _name))

rule(
    sd.squareform,
    "y = squareform(X, force='no', checks=True)",
    X_bar="distances.unfolded(y_bar, shape(X))",
    X_dot="sd.squareform(y_bar, force, False)",
    kind="array",
    note="of a table the upper triangle is read",
)
_NOWHERE = "0 where two points lie in one place"
rule(
    distances.separations,
    "y = separations(value, a, b)",
    a_bar="distances.pulls(distances.over_distances(y_bar, y), a, b)",
    b_bar="distances.pulls(np.transpose(distances.over_distances(y_bar, y)), b, a)",
    a_dot="distances.over_distances(distances.along(y_bar, a, b), y)",
    b_dot="distances.over_distances(np.transpose(distances.along(y_bar, b, a)), y)",
    at=_NOWHERE,
    kind="array",
)
rule(
    distances.separations_inside,
    "y = separations_inside(value, a)",
    a_bar="distances.pulls(sd.squareform(distances.over_distances(y_bar, y)), a, a)",
    a_dot="distances.over_distances(distances.both_ways(distances.along(y_bar, a, a)), y)",
    at=_NOWHERE,
    kind="array",
)
rule(
    distances.along,
    "y = along(v, a, b)",
    v_bar="distances.pulls(y_bar, a, b)",
    a_bar="np.sum(y_bar, axis=1, keepdims=True) * v",
    b_bar="-np.matmul(np.transpose(y_bar), v)",
    v_dot="distances.along(y_bar, a, b)",
    a_dot="distances.along(v, y_bar, b * 0.0)",
    b_dot="-np.matmul(v, np.transpose(y_bar))",
    kind="array",
)
rule(
    distances.both_ways,
    "y = both_ways(table)",
    table_bar="sd.squareform(y_bar)",
    table_dot="distances.both_ways(y_bar)",
    kind="array",
)
rule(
    distances.stepped,
    "y = stepped(value, w)",
    refused={"w": "metrics of steps are not followed by weights."},
    kind="array",
)

_WEIGHTS = "np.asarray(w, np.float64)"
rule(
    formulas.weighted,
    "y = weighted(values, w=None, exponent=1)",
    values_bar=f"y_bar if w is None else y_bar * {_WEIGHTS} ** exponent",
    w_bar=f"unnest(unbroadcast(y_bar * conj(values) * (exponent * {_WEIGHTS} ** (exponent - 1)), shape(w)),"
    " nesting(w), None)",
    kind="array",
)
rule(
    formulas.transformed,
    "y = transformed(d, matrix)",
    d_bar="formulas.transformed(y_bar, np.transpose(matrix))",
    matrix_bar="unnest(formulas.outer_sums(d, y_bar), nesting(matrix), None)",
    kind="array",
)
rule(formulas.as_doubles, "y = as_doubles(x)", x_bar="unnest(y_bar, nesting(x), None)", kind="array")

non_differentiable(sd.is_valid_dm, sd.is_valid_y, kind="bool")
non_differentiable(sd.num_obs_dm, sd.num_obs_y, kind="int")
non_differentiable(distances.metric_of, kind="str")
non_differentiable(distances.check_out, kind="none")
non_differentiable(single.check_real, kind="none")
non_differentiable(distances.is_step, kind="bool")
non_differentiable(distances.known, distances.pairs, single.furthest, kind="unknown")
non_differentiable(formulas.counted, kind="array")
non_differentiable(single.measured, kind="number-or-array")
