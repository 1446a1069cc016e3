"""Rules of what loops that are run in stretches call, so that they can be differentiated."""

from __future__ import annotations

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime.gauges import is_short, new_gauge, next_length, stretch_end
from zygpy.runtime.levels import present_level
from zygpy.runtime.stretches import (
    apart,
    check_unchanged,
    check_walkable,
    come_back,
    go_on,
    let_go,
    moment,
    passed,
    things_of,
)

non_differentiable(stretch_end, next_length, kind="int")
non_differentiable(is_short, kind="bool")
non_differentiable(check_walkable, check_unchanged, let_go, new_gauge, passed, kind="none")
non_differentiable(go_on, present_level, moment, come_back, things_of, kind="unknown")
rule(apart, "y = apart(value)", value_bar="y_bar", kind="same value", containers=True)
