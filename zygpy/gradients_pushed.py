"""Gradients in forward mode, for products with Hessians."""

from __future__ import annotations

from typing import Any

from zygpy import dispatch
from zygpy.ir.kinds import Kind, NumberOrArray, NumpyScalar, Optional, Unknown, is_real, is_scalar
from zygpy.kept import is_plain_call, kept, kept_push, unit_with_captured
from zygpy.layout import plain
from zygpy.load.guards import arrange, together
from zygpy.load.signatures import signature_of
from zygpy.merged import SEEDS, WANTED, merged_gradient
from zygpy.nested import gradient_function
from zygpy.pushed.found import FINDERS
from zygpy.pushing import Push, push_of_unit
from zygpy.runtime.ways import PLAIN
from zygpy.tangent_functions import Refused
from zygpy.units import Unit, present_options, unit_of


def gradient_push(function: Any, args: tuple[Any, ...]) -> Push | Refused:
    """The gradient of a function by its first argument in forward mode: of a tuple with that gradient
    at the position `first`, in place of which None may be returned."""
    unit, values = unit_with_captured(function, args)
    key = ("gradient", signature_of(values), present_options())
    known: Push | None = None if unit is None else kept_push(unit, key)
    if known is not None:
        return known.at(values)
    found, pair = _gradient_push(function, args, unit)
    if unit is not None and pair is not None and isinstance(found, Push) and len(found.values) == len(values):
        checks = together(pair.checks, found.tangent.checks)
        unit.tangents[key] = kept(found.at(()), checks, found.first)
    return found


def _gradient_push(function: Any, args: tuple[Any, ...], unit: Unit | None) -> tuple[Push | Refused, Any]:
    """The same as `gradient_push`, looked for, and the pair that it is made of if calls of the unit with such
    values consist of calls of the pair."""
    inner = dispatch.prepare_given(function, args, {}, PLAIN)
    if inner is None or inner.pair.identity or inner.pair.writes or inner.pair.carries:
        return Refused("its pair finds things by identity", None, arrange([])), None
    kind, captured = inner.pair.result.kind, len(inner.values) - len(args)
    ordered = plain(("",) * captured, len(args)).arguments
    if not may_be_number(kind) or inner.layout.arguments != ordered:
        why = "it returns no real number, or is called in a way of its own"
        return Refused(why, None, arrange([])), None
    merged = merged_gradient(inner.pair)
    gradient = gradient_function(inner, 1) if merged is None else merged
    values = list(inner.values)
    if merged is not None and merged.__code__ in SEEDS and merged.__code__ not in WANTED:
        WANTED[merged.__code__] = captured
    first = 0 if merged is None else captured
    found = push_of_unit(unit_of(gradient), gradient, values[:captured], values[captured:], [], first)
    apart = merged is not None and not captured  # nothing that could be changed is in front of the arguments
    alone = apart or (unit is not None and is_plain_call(unit, inner.pair, values, inner.layout, len(args)))
    return found, inner.pair if alone else None


def may_be_number(kind: Kind) -> bool:
    """Whether values of a kind may be real numbers, which `gradient` asks of each then.

    >>> may_be_number(Unknown()), may_be_number(NumpyScalar("any")), may_be_number(NumpyScalar("c16"))
    (True, True, False)
    """
    if isinstance(kind, Optional):
        return may_be_number(kind.kind)
    unknown = isinstance(kind, Unknown | NumberOrArray) or kind == NumpyScalar("any")
    return unknown or (is_scalar(kind) and is_real(kind))


FINDERS["gradient_push"] = gradient_push
