"""How the rules of `scipy.special` are declared: those of functions that this SciPy has."""

from __future__ import annotations

from typing import Any, cast

import scipy.special as sc

from zygpy.rules.declare import NOTHING, Texts, elementwise, library, non_differentiable, rule
from zygpy.runtime import special_derivatives

library("sc", sc)
library("special", special_derivatives)
non_differentiable(
    special_derivatives.in_precision_of, special_derivatives.whole, special_derivatives.shown,
    special_derivatives.present, special_derivatives.one_less, special_derivatives.whole_beside,
    kind="number-or-array",
)  # fmt: skip
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
    kind: str = "of SciPy",
    **bars: str,
) -> None:
    """The same of a function that gives several results, each of this kind, and of one that is not
    holomorphic.

    The contributions are in the shape of the results; they are summed to that of the parameter here.
    """
    function = getattr(sc, name, None)
    if function is None:
        return
    whole = {
        key: text if key.endswith("_dot") else f"unbroadcast({text}, shape({key.removesuffix('_bar')}))"
        for key, text in bars.items()
    }
    count = getattr(function, "nout", 1)
    kind = f"{kind} {count}" if count > 1 else kind
    call = f"y = {name}({parameters})"
    if count > 1:
        whole |= {f"{key}_dot": _refused_parts(name, key, why, count) for key, why in refused.items()}
    rule(function, call, kind=kind, at=at, domain=domain, source=source, refused=refused, **cast(Any, whole))


def _refused_parts(name: str, parameter: str, why: str, count: int) -> str:
    """The tangents of several results by a parameter by which there is no derivative."""
    reason = f"the derivative of {name!r} by {parameter!r}: {why}"
    parts = [f"times(y_bar, np.ones(np.shape(y[{at}])))" for at in range(count)]
    return "(" + ", ".join(f"unknown_derivative({part}, {parameter}, {reason!r}, y)" for part in parts) + ")"


def times(*factors: str) -> str:
    """The contribution to the cotangent through this derivative: 0 where the cotangent is 0."""
    return f"times(y_bar, conj({' * '.join(factors)}))"


def of_parts(*derivatives: str) -> str:
    """The contribution through several results, given the derivative of each."""
    parts = enumerate(derivatives)
    return " + ".join(f"times(part(y_bar, {at}), conj({text}))" for at, text in parts)


def along_parts(*derivatives: str) -> str:
    """The tangents of several results, given the derivative of each."""
    return "(" + ", ".join(f"times(y_bar, {text})" for text in derivatives) + ")"


def by(parameter: str, *derivatives: str, real: bool = False) -> dict[str, Any]:
    """Both: what a parameter gets from several results, and what they get from it, given the derivative of
    each; `real` where complex results belong to a real parameter."""
    bar = of_parts(*derivatives)
    return {
        f"{parameter}_bar": f"np.real({bar})" if real else bar,
        f"{parameter}_dot": along_parts(*derivatives),
    }
