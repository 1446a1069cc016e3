"""Curves through points of several dimensions that FITPACK makes, as programs; loaded with SciPy alone.

Source: P. Dierckx, Curve and Surface Fitting with Splines (1993), chapter 6.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.errors import MissingRuleError
from zygpy.runtime.basis_splines import check_representation, parts_through
from zygpy.runtime.library_values import as_given, depending, told_by


def through_points(
    x: Any, w: Any = None, u: Any = None, ub: Any = None, ue: Any = None, k: Any = 3, task: Any = 0,
    s: Any = None, t: Any = None, full_output: Any = 0, nest: Any = None, per: Any = 0, quiet: Any = 1,
) -> Any:  # fmt: skip
    """`scipy.interpolate.splprep`, of curves through all points."""
    check_representation("splprep", s is None or s != 0, (ub, ue, t), task, full_output)
    check_closed(x, per)
    given = {"w": w, "u": u, "k": k, "s": s, "nest": nest, "per": per, "quiet": quiet}
    (knots, found, degree), places = told_by(si.splprep, (x,), given)
    rows = np.stack([np.asarray(one) * 1.0 for one in x], axis=1)
    lengths = along(rows) if u is None else np.asarray(u) * 1.0
    knots_by, c = parts_through(lengths, depending(rows, (s, w, ub, ue, t)), degree, per)
    by_coordinate = [as_given(one, c[:, place]) for place, one in enumerate(found)]
    return [as_given(knots, knots_by), by_coordinate, degree], as_given(places, lengths)


def along(rows: Any) -> Any:
    """How long the line through points is up to each of them, as a share of the whole."""
    steps = np.sqrt(np.sum((rows[1:] - rows[:-1]) ** 2, axis=1))
    lengths = np.concatenate([np.zeros(1), np.cumsum(steps)])
    return lengths / lengths[-1]


def check_closed(x: Any, per: Any) -> None:
    """Refuse closed curves whose last point is not the first: SciPy writes to what it is given there."""
    if per and any(one[0] != one[-1] for one in x):
        raise MissingRuleError(
            "'scipy.interpolate.splprep' has no rule for a closed curve whose ends are not in one place.",
            why="SciPy puts the first point in the place of the last one",
            instead="let the last point be the first one",
        )
