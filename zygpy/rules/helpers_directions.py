"""Rules of what second derivatives are made of, so that they can be differentiated again."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime.directions import inner, is_number, is_structure, or_zero, scaled

rule(
    inner,
    "y = inner(bar, v)",
    bar_bar="scaled(y_bar, v, bar)",
    v_bar="scaled(y_bar, bar, bar)",
    kind="float",
    containers=True,
)
rule(
    scaled,
    "y = scaled(factor, tree, form)",
    factor_bar="inner(y_bar, tree)",
    tree_bar="scaled(factor, y_bar, y_bar)",
    kind="unknown",
    containers=True,
)
rule(or_zero, "y = or_zero(bar, x)", bar_bar="unproject(y_bar, bar)", kind="unknown", containers=True)
non_differentiable(is_number, is_structure, kind="bool")
