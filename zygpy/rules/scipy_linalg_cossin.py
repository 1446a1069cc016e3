"""Rules of the cosine-sine factors of `scipy.linalg`."""

from __future__ import annotations

import scipy.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import scipy_cossin as cossins

library("cossins", cossins)

stands_for(sl.cossin, cossins.cossin)
rule(
    cossins.parted,
    "y = parted(x, u1, u2, theta, v1, v2, sign)",
    x_bar="cossins.parted_cotangent(x, y, y_bar, sign)",
    kind="unknown",
    at="refused where two angles are equal, or one is 0 or a right angle",
    note="along unitary matrices",
)
non_differentiable(cossins.check_unitary, cossins.check_angles, cossins.check_turns, kind="none")
non_differentiable(cossins.check_square, kind="int")
