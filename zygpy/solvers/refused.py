"""Solvers without derivatives, refused where they are called with something that has a gradient."""

from __future__ import annotations

from typing import Any

import scipy.integrate as si
import scipy.optimize as so

try:
    from scipy.optimize import elementwise
except ImportError:  # before SciPy 1.15
    elementwise = None

from zygpy.errors import MissingRuleError
from zygpy.rules.declare import non_differentiable, rule, stands_for


def refuse(name: str, why: str, instead: str) -> None:
    """Raise MissingRuleError."""
    raise MissingRuleError(f"'scipy.{name}' has no rule.", why=why, instead=instead)


def opaque(given: Any) -> Any:
    """What is given, of which nothing is known."""
    return given


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


def by_differences(*given: Any, **options: Any) -> Any:
    """Derivatives by differences of a step that is chosen for values."""
    refuse(
        "optimize.approx_fprime' or 'check_grad",
        "differences are not precise enough to be differentiated once more",
        "use 'zg.gradient' of the function, which may be differentiated",
    )
    return opaque((given, options))


def by_other_sums(*given: Any, **options: Any) -> Any:
    """Integrals and series of functions of arrays, by sums that stop where they are precise enough."""
    refuse(
        "integrate.tanhsinh', 'nsum' or 'cubature",
        "it is not known how the sums that they take follow the limits and what the function has captured",
        "use 'quad', 'quad_vec' or 'nquad'; of a series, sum the terms yourself",
    )
    return opaque((given, options))


def of_each(*given: Any, **options: Any) -> Any:
    """Roots and minima of functions of arrays, found for each entry by brackets that are made smaller."""
    refuse(
        "optimize.elementwise.find_root' or 'find_minimum",
        "its steps depend on where the brackets are, and have other derivatives than the solution",
        "use 'newton' of an array, or 'root_scalar' and 'minimize_scalar'",
    )
    return opaque((given, options))


REFUSED: dict[Any, str] = {}
"""The functions that are refused by name, with what they are."""

for _module, _program, _names in (
    (so, in_whole_numbers, ("milp", "quadratic_assignment")),
    (so, from_points, ("brute", "direct")),
    (so, by_differences, ("approx_fprime", "check_grad")),
    (si, by_other_sums, ("tanhsinh", "nsum", "cubature")),
    (elementwise, of_each, ("find_root", "find_minimum")),
):
    for _name in _names:
        if hasattr(_module, _name):
            stands_for(getattr(_module, _name), _program)
            REFUSED[getattr(_module, _name)] = str(_program.__doc__)

rule(
    opaque,
    "y = opaque(given)",
    given_bar="y_bar",
    containers=True,
    shares="in given",
    kind="unknown",
)
non_differentiable(refuse, kind="none")
