"""What a caller may know of functions that share variables with the one that made them, in lists of one item.

Such a function carries a list where the user's own text has a variable. As long as the program that makes it
runs, it is the one that is called; but a call in which nothing varies is made as it is, by the user's own
text, and what it leaves behind carries no list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zygpy.analyse.facts import Summary
from zygpy.ir.kinds import UNKNOWN, Dict, Kind, List, LocalFunction, Object, OneOf, Optional, Row, Tuple
from zygpy.ir.kinds import Iterator as Iterating


def without_boxed(summary: Summary, boxes: frozenset[str]) -> Summary:
    """A summary that says nothing of functions which carry one of these lists."""
    if not boxes:
        return summary

    def told(kind: Kind) -> Kind:
        return UNKNOWN if _carries(kind, boxes) else kind

    result = summary.result
    return replace(
        summary,
        result=result._replace(kind=told(result.kind)),
        exits=tuple([(name, told(kind)) for name, kind in summary.exits]),
        states=tuple([(name, kind) for name, kind in summary.states if told(kind) is kind]),
        stores=frozenset([(cls, name, told(kind)) for cls, name, kind in summary.stores]),
        raised=tuple([(name, told(kind), active) for name, kind, active in summary.raised]),
    )


def _carries(kind: Kind, boxes: frozenset[str]) -> bool:
    """Whether something is a function that carries one of these lists, or holds one that may do so."""
    if isinstance(kind, LocalFunction) and not boxes.isdisjoint(name for name, _ in kind.captured):
        return True
    return any(_carries(part, boxes) for part in _parts(kind))


def _parts(kind: Kind) -> Iterator[Kind]:
    match kind:
        case LocalFunction(captured=named) | Object(fields=named):
            yield from (part for _, part in named or ())
        case Tuple(items=parts) | OneOf(options=parts):
            yield from parts
        case Optional(kind=part) | List(element=part) | Row(element=part) | Iterating(element=part):
            yield part
        case Dict():
            yield from (part for _, part in kind.items or ())
            yield kind.element
