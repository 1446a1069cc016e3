"""How the rules of `scipy.special` are declared: those of functions that this SciPy has."""

from __future__ import annotations

from typing import Any, cast

import scipy.special as sc

from zygpy.rules.declare import NOTHING, Texts, elementwise, library, non_differentiable, rule
from zygpy.runtime import special_derivatives

library("sc", sc)
library("special", special_derivatives)
non_differentiable(special_derivatives.in_precision_of, kind="number-or-array")
elementwise(
    special_derivatives.logarithm,
    "y = logarithm(x)",
    x_bar="divided(y_bar, conj(x))",
    kind="number-or-array",
    domain="x > 0",
)

ORDER = "by the order there is no closed form."
PARAMETER = "by a parameter there is no closed form."
COUNT = "it is a whole number."
TOLERANCE = "it only says how precise the result has to be."

KINDS = {0: "elementwise", 1: "of SciPy"}
"""Kinds of results by the number of commas between parameters."""


def special(
    name: str,
    parameters: str,
    *,
    kind: str = "",
    at: str = "",
    domain: str = "",
    source: str = "",
    refused: Texts = NOTHING,
    **bars: str,
) -> None:
    """Declare the rule of an elementwise function, if this SciPy has it."""
    function = getattr(sc, name, None)
    if function is None:
        return
    kind = kind or KINDS.get(parameters.count(","), "number-or-array")
    call = f"y = {name}({parameters})"
    elementwise(function, call, kind=kind, at=at, domain=domain, source=source, refused=refused, **bars)


def several(
    name: str,
    parameters: str,
    *,
    at: str = "",
    domain: str = "",
    source: str = "",
    refused: Texts = NOTHING,
    **bars: str,
) -> None:
    """The same of a function that gives several results, and of one that is not holomorphic.

    The contributions are in the shape of the results; they are summed to that of the parameter here.
    """
    function = getattr(sc, name, None)
    if function is None:
        return
    whole = {
        key: text if key.endswith("_dot") else f"unbroadcast({text}, shape({key.removesuffix('_bar')}))"
        for key, text in bars.items()
    }
    kind = "number-or-array" if any(key.endswith("_dot") for key in bars) else "tuple"
    call = f"y = {name}({parameters})"
    rule(function, call, kind=kind, at=at, domain=domain, source=source, refused=refused, **cast(Any, whole))


def times(*factors: str) -> str:
    """The contribution to the cotangent through this derivative: 0 where the cotangent is 0."""
    return f"times(y_bar, conj({' * '.join(factors)}))"


def of_parts(*derivatives: str | None) -> str:
    """The contribution through several results, given the derivative of each."""
    parts = enumerate(derivatives)
    return " + ".join(f"times(part(y_bar, {at}), conj({text}))" for at, text in parts if text is not None)
