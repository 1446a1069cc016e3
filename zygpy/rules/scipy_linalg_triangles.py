"""Rules of factors of `scipy.linalg` that are triangles, or nearly so."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import non_differentiable, stands_for
from zygpy.runtime import scipy_triangles as triangles

stands_for(sl.rq, triangles.rq)
non_differentiable(triangles.check_shape, kind="none")
non_differentiable(triangles.phases, kind="array")
