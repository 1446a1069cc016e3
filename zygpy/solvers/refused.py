"""Solvers without derivatives, refused where they are called with something that has a gradient."""

from __future__ import annotations

from typing import Any

import scipy.optimize as so

from zygpy.errors import MissingRuleError
from zygpy.rules.declare import non_differentiable, rule, stands_for


def refuse(name: str, why: str, instead: str) -> None:
    """Raise MissingRuleError."""
    raise MissingRuleError(f"'scipy.{name}' has no rule.", why=why, instead=instead)


def opaque(given: Any) -> Any:
    """What is given, of which nothing is known."""
    return given


def constrained(*given: Any, **options: Any) -> Any:
    """Older functions that minimize by constraints."""
    refuse(
        "optimize.fmin_slsqp', 'fmin_cobyla' or 'fmin_tnc",
        "minima by constraints have none, and these are asked for others in another way",
        "use 'minimize', without constraints but bounds",
    )
    return opaque((given, options))


def in_whole_numbers(*given: Any, **options: Any) -> Any:
    """Solutions in whole numbers, and orders."""
    refuse(
        "optimize.milp' or 'quadratic_assignment",
        "the solutions are whole numbers or orders, which do not change gradually",
        "solve it outside of the function, and compute the value from the solution",
    )
    return opaque((given, options))


def from_points(*given: Any, **options: Any) -> Any:
    """Solvers that compare points of a grid."""
    refuse(
        "optimize.brute' or 'direct",
        "what they find is one of the points that they try",
        "use 'minimize', from where they have ended",
    )
    return opaque((given, options))


for _program, _names in (
    (constrained, ("fmin_slsqp", "fmin_cobyla", "fmin_tnc")),
    (in_whole_numbers, ("milp", "quadratic_assignment")),
    (from_points, ("brute", "direct")),
):
    for _name in _names:
        if hasattr(so, _name):
            stands_for(getattr(so, _name), _program)

rule(
    opaque,
    "y = opaque(given)",
    given_bar="y_bar",
    containers=True,
    shares="in given",
    kind="unknown",
)
non_differentiable(refuse, kind="none")
