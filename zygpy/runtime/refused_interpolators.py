"""What stands for functions and classes of `scipy.interpolate` that are refused, before they are entered.

Each gives back what it is given, as something of which nothing is known: any part of it without a gradient
would make a program that reads it a constant.
"""

from __future__ import annotations

from typing import Any

from zygpy.errors import MissingRuleError

RULE = "give the function that calls it a rule (`zg.adjoint`)"


def refuse(what: str, why: str, instead: str) -> None:
    """Raise the error for something without derivatives.

    >>> refuse("Roots", "there are as many as are found", "use 'brentq'")
    Traceback (most recent call last):
    zygpy.errors.MissingRuleError: Roots of 'scipy.interpolate' have no rule.
    Why: there are as many as are found
    Instead: use 'brentq'
    """
    raise MissingRuleError(f"{what} of 'scipy.interpolate' have no rule.", why=why, instead=instead)


def opaque(given: Any) -> Any:
    """What is given, of which nothing is known."""
    return given


def scattered(*args: Any, **kwargs: Any) -> Any:
    """Interpolation by cubics in triangles."""
    refuse(
        "Cubics in triangles ('CloughTocher2DInterpolator')",
        "their slopes at the points are found by steps in code that is not written in Python",
        "use 'LinearNDInterpolator' or 'RBFInterpolator'",
    )
    return opaque((args, kwargs))


def derivatives_of_parts(*args: Any, **kwargs: Any) -> Any:
    """All derivatives of a spline at a point."""
    refuse("All derivatives at once ('spalde')", "FITPACK computes them", "use 'splev' with der=")
    return opaque((args, kwargs))


def knots(*args: Any, **kwargs: Any) -> Any:
    """A spline with a knot more."""
    refuse(
        "Knots that are inserted ('insert_knot')", "SciPy does that in C", "make the spline with all knots"
    )
    return opaque((args, kwargs))


def fitted_surfaces(*args: Any, **kwargs: Any) -> Any:
    """Surfaces for which FITPACK tries knots, and those on spheres."""
    refuse(
        "Surfaces of 'SmoothBivariateSpline' and on spheres",
        "FITPACK chooses their knots",
        "use 'RectBivariateSpline' with s=0, or 'RBFInterpolator'",
    )
    return opaque((args, kwargs))
