"""Rules of `scipy.integrate`: the trapezoidal rule on samples, and its running integrals.

Simpson's rule is a program (`solvers/samples.py`), and `romb` is entered like a program's own functions.
"""

from __future__ import annotations

import scipy.integrate as si

from zygpy.rules.declare import library, rule
from zygpy.runtime import running_integrals

library("running", running_integrals)

rule(
    si.trapezoid,
    "y = trapezoid(f, x=None, dx=1.0, axis=-1)",
    f_bar="sum_pairs_transpose(np.expand_dims(y_bar, axis) * conj(widths(x, dx, axis, ndim(f)) / 2),"
    " shape(f), axis)",
    x_bar="widths_transpose(np.expand_dims(y_bar, axis) * conj(sum_pairs(f, axis) / 2), shape(x), axis)",
    dx_bar="np.sum(unless_none(x, np.expand_dims(y_bar, axis) * conj(sum_pairs(f, axis) / 2)))",
    kind="integrated",
)
_BACK = "np.flip(np.cumsum(np.flip(running.behind(y_bar, initial, axis), axis), axis=axis), axis)"
rule(
    si.cumulative_trapezoid,
    "y = cumulative_trapezoid(f, x=None, dx=1.0, axis=-1, initial=None)",
    f_bar=f"sum_pairs_transpose({_BACK} * conj(widths(x, dx, axis, ndim(f)) / 2), shape(f), axis)",
    x_bar=f"widths_transpose({_BACK} * conj(sum_pairs(f, axis) / 2), shape(x), axis)",
    dx_bar=f"np.sum(unless_none(x, {_BACK} * conj(sum_pairs(f, axis) / 2)))",
    kind="array",
)
rule(
    running_integrals.behind,
    "y = behind(value, initial, axis)",
    value_bar="running.put_behind(y_bar, initial, axis)",
)
rule(
    running_integrals.put_behind,
    "y = put_behind(value, initial, axis)",
    value_bar="running.behind(y_bar, initial, axis)",
)
