"""Rules of interpolation at scattered points, and by one polynomial, by `scipy.interpolate`."""

from __future__ import annotations

import scipy.interpolate as si

from zygpy.rules.declare import non_differentiable, rule, stands_for
from zygpy.runtime import barycentric_forms as barycentric
from zygpy.runtime import scattered_points as scattered

rule(
    scattered.with_samples_at,
    "y = with_samples_at(interpolator, values, points, fill)",
    values_bar="splines.part(y_bar, interpolator, 'values', values)",
    points_bar="splines.part(y_bar, interpolator, 'points', points)",
    fill_bar="splines.part(y_bar, interpolator, 'fill_value', fill)",
    kind="unknown",
)
rule(
    scattered.nodes,
    "y = nodes(interpolator)",
    interpolator_bar="splines.held(interpolator, 'points', y_bar)",
    containers=True,
    kind="array",
)
non_differentiable(
    *(
        scattered.scales,
        scattered.samples_like,
        scattered.simplices_at,
        scattered.told_at,
        scattered.nearest_to,
    ),
    kind="unknown",
)
non_differentiable(*(scattered.check_linear, scattered.refuse_cubics, barycentric.check_order), kind="none")
non_differentiable(scattered.is_triangulation, kind="bool")
non_differentiable(scattered.rank_of, kind="int")

for _function, _program in (
    (si.LinearNDInterpolator, scattered.linear),
    (si.LinearNDInterpolator.__call__, scattered.linear_at),
    (si.NearestNDInterpolator, scattered.nearest),
    (si.NearestNDInterpolator.__call__, scattered.nearest_at),
    (si.griddata, scattered.on_scattered),
    (si.barycentric_interpolate, barycentric.by_polynomial),
    (si.BarycentricInterpolator, barycentric.made),
    (si.BarycentricInterpolator.__call__, barycentric.evaluated),
    (si.BarycentricInterpolator.derivative, barycentric.derived),
):
    stands_for(_function, _program)

rule(
    barycentric.weights,
    "y = weights(told, places, given)",
    told_bar="y_bar",
    refused=dict.fromkeys(
        ("places", "given"), "an interpolator is followed by 'xi' and 'yi'; call it, or its 'derivative'."
    ),
    kind="unknown",
)
