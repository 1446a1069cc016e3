"""Pairs of functions under a cache that keep what they find, and what these are derived as."""

from __future__ import annotations

import inspect
from typing import Any

from zygpy.analyse.facts import Kept
from zygpy.analyse.values import Value
from zygpy.derivation.computing_alone import computing_alone, of_several_classes, takes_numbers_alone
from zygpy.ir.classes import GENERATED
from zygpy.ir.names import Names
from zygpy.ir.source import generated_file
from zygpy.ir.text import Text
from zygpy.load.code import load, origin_of
from zygpy.runtime.kept_results import STANDS_FOR, Outside, by_slope, kept_pair, no_slopes
from zygpy.units import Pair, Unit

KEPT = "kept"
"""The companion of a pair under a cache: the one that keeps what it has found."""

HELPERS = {"by_slope": by_slope, "no_slopes": no_slopes}
"""What the texts call by these names."""


def outside_of(found: Kept, unit: Unit) -> Outside | None:
    """The variables outside that a function under a cache depends on, if its pair may keep what it finds."""
    acts = found.summary.always or found.summary.carries or unit.ruled is not None
    return None if acts or not takes_numbers_alone(found.values) else computing_alone(found.function)


def keeping(pair: Pair, unit: Unit, outside: Outside, values: tuple[Value, ...]) -> tuple[Any, Any]:
    """The pair that keeps what this one finds."""
    if KEPT not in pair.companions:
        count = 0 if pair.single is not None else len(pair.slots)
        made = kept_pair(pair.forward, pair.adjoint, outside, count, typed=of_several_classes(values))
        for function, other in zip(made, _standing_for(pair, unit), strict=True):
            setattr(function, GENERATED, True)
            setattr(function, STANDS_FOR, other)
        pair.companions[KEPT] = made
    kept: tuple[Any, Any] = pair.companions[KEPT]
    return kept


def _standing_for(pair: Pair, unit: Unit) -> tuple[Any, Any]:
    """The pair that the one which keeps results is derived as. Its adjoint takes what either forward has left
    behind: where the seed alone is differentiated, that is of the one which was called as it is."""
    text, names, cells = _written(pair)
    source = unit.source
    made = load(text, names, cells, source.globals, generated_file(names[0]), origin_of(source))
    return made[names[0]], made[names[1]]


def _written(pair: Pair) -> tuple[Text, tuple[str, str], dict[str, Any]]:
    """The pair as text, the names of its functions, and what it calls."""
    forward, adjoint = (function.__name__ for function in (pair.forward, pair.adjoint))
    params = list(inspect.signature(pair.forward).parameters)
    names = Names({*HELPERS, *params, forward, adjoint})
    own = names.fresh(f"kept_{forward}"), names.fresh(f"kept_{adjoint}")
    y, stash, slopes, y_bar = (names.fresh(wish) for wish in ("y", "stash", "slopes", "y_bar"))
    lines = [
        f"def {own[0]}({', '.join(params)}):",
        f"    {y}, {stash} = {forward}({', '.join(params)})",
        f"    return {y}, (no_slopes(), {stash})",
        "",
        f"def {own[1]}({stash}, {y_bar}):",
        f"    {slopes}, {stash} = {stash}",
        f"    if {slopes} is None:",
        f"        return {adjoint}({stash}, {y_bar})",
        f"    return {_bars(pair, slopes, y_bar)}",
    ]
    line = pair.program.body[0].loc.line
    text = Text("\n".join(lines) + "\n", {number: line for number, content in enumerate(lines, 1) if content})
    return text, own, {**HELPERS, forward: pair.forward, adjoint: pair.adjoint}


def _bars(pair: Pair, slopes: str, y_bar: str) -> str:
    """The cotangents of all arguments, or of the only one that has any."""
    if pair.single is not None:
        return f"by_slope({slopes}[0], {y_bar})"
    bars = [
        "None" if slot == "none" else f"by_slope({slopes}[{place}], {y_bar})"
        for place, slot in enumerate(pair.slots)
    ]
    return f"({''.join(f'{bar}, ' for bar in bars)})"
