"""What helpers come to on numbers: what a person would write, with the helper itself left for the odd case.

In the texts `_0`, `_1`, ... are the helper's arguments, `_1_0` is the argument of the call at `_1`, and `y`
the result of the primitive. A helper that is called with a keyword is meant itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zygpy.ir.kinds import INT, Kind, List, Row, is_double, is_real_scalar
from zygpy.ir.nodes import gast
from zygpy.transform.helper_calls import Form, HelperCall


def _signed(call: HelperCall) -> str | None:
    """`times(g, unit(x))`; at 0 the derivative of the absolute value is 0."""
    tree: Any = call.args[1]
    if not (isinstance(tree, gast.Call) and getattr(tree.func, "id", None) == "unit"):
        return None
    kind = call.kinds.get(getattr(tree.args[0], "id", ""))
    if not _is_real(kind):
        return None
    return "_0 if _1_0 > 0 else -_0 if _1_0 < 0 else 0.0 * _1_0"


def _is_real(kind: Kind | None) -> bool:
    return kind is not None and is_real_scalar(kind)


def _is_double(kind: Kind | None) -> bool:
    return kind is not None and is_double(kind)


def _power_base(call: HelperCall) -> str | None:
    """`power_base(g, x, n)`: the zero derivative at 0, and what is complex, stay with the helper."""
    exponent = call.literal(2, None)
    literal = type(exponent) in (int, float)
    if not _gives_power(call):
        return None
    if literal and exponent < 1 and _is_real(call.kind(1)) and _is_double(call.kinds.get("y")):
        return _power_base_of_literal(exponent)
    if not _is_double(call.kind(1)):  # an integer may be too large to be multiplied by a float
        return None
    if literal:
        return _power_base_of_literal(exponent)
    if call.kind(2) == INT:
        return "_0 * (_2 * _1 ** (_2 - 1)) if _1 and _2 > 0 else power_base(_0, _1, n=_2)"
    if _is_double(call.kind(2)):
        return "_0 * (_2 * y / _1) if _1 > 0 else power_base(_0, _1, n=_2)"
    return None


def _gives_power(call: HelperCall) -> bool:
    """Whether `y` is the power: not in the rules of the two helpers themselves, which have a factor `g`."""
    return "g" not in call.kinds


def _power_base_of_literal(exponent: float) -> str | None:
    if exponent in (0, 1) or exponent != exponent or abs(exponent) > 2**53:
        return None
    test = "_1" if exponent == int(exponent) else "_1 > 0"
    slope = "y / _1" if exponent < 1 else "_1" if exponent == 2 else f"_1 ** {exponent - 1}"
    return f"_0 * (_2 * {slope}) if {test} else power_base(_0, _1, n=_2)"


def _power_exponent(call: HelperCall) -> str | None:
    """`power_exponent(g, x, n)`."""
    if not _gives_power(call):
        return None
    if call.kind(2) != INT and not _is_double(call.kind(2)):
        return None
    base = call.literal(1, None)
    if type(base) in (int, float):  # an integer result may be too large to be multiplied by a float
        return "_0 * (y * math.log(_1))" if base > 0 and _is_double(call.kinds.get("y")) else None
    if not _is_double(call.kind(1)):
        return None
    return "_0 * (y * math.log(_1)) if _1 > 0 and y else power_exponent(_0, _1, n=_2)"


def _repeated(call: HelperCall) -> str | None:
    """`each_added(g, items)` of a list of numbers, and no array to begin with."""
    kind = call.kind(1)
    if not isinstance(kind, List | Row) or not _is_real(kind.element) or not _is_real(call.kinds.get("y")):
        return None
    return "[_0] * length(_1)"


SCALAR_FORMS: Mapping[str, Form] = {
    "times": _signed,
    "power_base": _power_base,
    "power_exponent": _power_exponent,
    "each_added": _repeated,
}
"""Helpers by name."""
