"""Prepared calls are made, once it is sure that they change nothing unseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from zygpy.derivation import ELSEWHERE
from zygpy.dispatch.refusals import overlapping_arguments, unseen_write
from zygpy.load.code import annotate
from zygpy.load.guards import check_not_replaced
from zygpy.prepared import ByIdentity, Prepared, Pullback, shared_by
from zygpy.runtime.changes import Contents, can_be_changed
from zygpy.runtime.generators import none_left
from zygpy.runtime.storage import overlap
from zygpy.runtime.store import described, described_arguments
from zygpy.units import Pair

Back: TypeAlias = "Callable[[Any], tuple[Any, ...]]"

Pulled: TypeAlias = "tuple[Any, Back]"


def made_unseen(prepared: Prepared) -> Pulled:
    """Make a call for a caller who has not known the callee: it may change nothing that the caller has."""
    if not prepared.pair.identity:
        return made(looked_at(prepared))
    given = described_arguments(prepared.values)
    return made_by_identity(looked_at(prepared, given), given)


def looked_at(prepared: Prepared, given: Any = None) -> Prepared:
    """The same call, refused where it may change something that the caller has, and when it has done so."""
    pair = prepared.pair
    if pair.changes and not (pair.identity and _changes_nothing(prepared)):
        raise unseen_write(prepared)
    if not pair.identity:
        return prepared
    before = Contents(described_arguments(prepared.values) if given is None else given)

    def finish(y: Any) -> Any:
        changed = before.changed()
        if changed is not None:
            raise unseen_write(prepared, f"a {type(changed).__name__}")
        return prepared.finish(y)

    return replace(prepared, finish=finish)


def _changes_nothing(prepared: Prepared) -> bool:
    """Whether nothing of what a call may change can be changed."""
    given = dict(zip(prepared.pair.program.params.names, prepared.values, strict=True))
    return not any(name == ELSEWHERE or can_be_changed(given[name]) for name in prepared.pair.changes)


def apart(prepared: Prepared) -> Prepared:
    """A call whose arguments may not share what it writes to, where nothing is found by identity."""
    if not prepared.pair.identity and shares_what_it_writes(prepared):
        raise overlapping_arguments(prepared)
    return prepared


def shares_what_it_writes(prepared: Prepared) -> bool:
    """Whether an argument that a call writes to shares something with another."""
    names = prepared.pair.program.params.names
    written = {names.index(name) for name in prepared.pair.writes}
    return bool(written) and overlap(prepared.values, written)


def run(forward: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Call a generated function; an exception names the user's lines too."""
    try:
        return forward(*values)
    except Exception as error:
        annotate(error)
        raise


def run_pair(pair: Pair, values: Sequence[Any]) -> Any:
    """Call the forward of a pair, which rests on functions that it may not have replaced."""
    returned = run(pair.forward, values)
    check_not_replaced(pair.program.name, pair.checks)
    return returned


def run_by_identity(pair: Pair, values: Sequence[Any]) -> Any:
    """The same of a pair whose things are found by identity, for a caller who knows nothing of that."""
    with none_left():
        return run_pair(pair, values)


def made(prepared: Prepared) -> Pulled:
    """Make a prepared call."""
    if prepared.pair.identity:
        return made_by_identity(prepared, described_arguments(prepared.values))
    apart(prepared)
    y, stash = run_pair(prepared.pair, prepared.values)
    shared = shared_by(prepared.pair, prepared.values)
    return prepared.finish(y), Pullback(prepared.pair, stash, prepared.layout, None, shared)


def made_by_identity(prepared: Prepared, given: tuple[Any, ...]) -> Pulled:
    """A call whose things are found by identity, for a caller who knows nothing of that; `given` describes
    what it is given."""
    y, stash = run_by_identity(prepared.pair, prepared.values)
    return prepared.finish(y), ByIdentity(prepared.pair, stash, prepared.layout, described(y), given)
