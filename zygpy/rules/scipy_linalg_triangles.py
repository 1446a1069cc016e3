"""Rules of factors of `scipy.linalg` that are triangles, or nearly so."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import non_differentiable, rule, stands_for
from zygpy.runtime import scipy_triangles as triangles

stands_for(sl.rq, triangles.rq)
non_differentiable(triangles.check_shape, triangles.refuse, kind="none")
non_differentiable(triangles.phases, kind="array")
rule(
    triangles.opaque,
    "y = opaque(given)",
    given_bar="y_bar",
    containers=True,
    shares="in given",
    kind="unknown",
)
for _name in triangles.REASONS:
    stands_for(getattr(sl, _name), getattr(triangles, _name))
