"""Programs for rational functions of `scipy.signal`, and the rule of the roots of polynomials."""

from __future__ import annotations

import scipy.signal as ss

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import signal_fractions as fractions

library("fractions", fractions)

for _name in ("tf2zpk", "ss2zpk", "tf2ss", "zpk2ss", "residue", "residuez"):
    stands_for(getattr(ss, _name), getattr(fractions, _name))

rule(
    fractions.roots_of,
    "y = roots_of(c, roots)",
    c_bar="polynomials.to_coefficients(c, y, y_bar)",
    c_dot="polynomials.of_coefficients(c, y, y_bar)",
    at="nan at roots of higher order",
    kind="complex-or-array",
)
non_differentiable(fractions.check_apart, kind="none")
non_differentiable(fractions.first_of, kind="int")
