"""What a call may have stored, of what it is given, in something else that it is given.

A caller that has to expect that knows nothing any more of a matrix of which a function has changed one item:
the matrix might lie in its own rows. What kinds of things a function stores, and what its parameters hold
when it returns, its summary says: `m[i][0] = v` stores numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zygpy.analyse.facts import Summary
from zygpy.analyse.sites import Sites, all_of, everything, extracted
from zygpy.analyse.values import Value
from zygpy.ir.kinds import Array, Dict, Kind, List, Never, Nothing, Text, Tuple, inner_kinds, is_scalar, join


def handed_around(given: Iterable[Value], summary: Summary) -> Sites:
    """The sites of what a call with these arguments may have stored in any of them."""
    given = list(given)
    stored = [kind for _, _, kind in summary.stores]
    unknown = summary.forgets or summary.mingles or summary.handed or summary.mixed
    if unknown or not all(_is_told(kind) for kind in (*stored, *[value.kind for value in given])):
        return all_of(everything(value.sites) for value in given)
    found = [part for kind in stored for part in parts_of(kind)]
    left = [part for _, kind in summary.exits for part in list(parts_of(kind))[1:]]
    return all_of(_stored(value, found, left) for value in given)


def _stored(value: Value, stored: list[Kind], left: list[Kind]) -> Sites:
    """The sites of what may have been stored of one argument: it itself, or things in it, or nothing. What is
    in the arguments then may have been in them before."""
    if _is_among(value.kind, [*stored, *left]):
        return everything(value.sites)
    inside = any(_is_among(part, stored) for part in parts_of(value.kind))
    return extracted(value.sites) if inside else all_of(())


def _is_among(kind: Kind, found: list[Kind]) -> bool:
    """Whether something of a kind may be one of the values whose kinds were found."""
    if isinstance(kind, Array):  # of which views are stored, which have other ranks
        return any(isinstance(one, Array) or not _is_told(one) for one in found)
    mutable = any(isinstance(part, List | Dict | Array) for part in parts_of(kind))
    return mutable and any(not _is_told(one) or join(one, kind) == one for one in found)


def _is_told(kind: Kind) -> bool:
    """Whether a kind tells all that is in a value: containers of Python's own, arrays, numbers and texts."""
    return all(isinstance(part, PLAIN) or is_scalar(part) for part in parts_of(kind))


PLAIN = (List, Dict, Tuple, Array, Text, Nothing, Never)


def parts_of(kind: Kind) -> Iterator[Kind]:
    """A kind, and those of what is in it."""
    yield kind
    for inside in inner_kinds(kind):
        yield from parts_of(inside)
