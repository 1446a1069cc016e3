"""What calls of functions do, as earlier derivations have found: the same functions are looked at in many."""

from __future__ import annotations

from zygpy.analyse.facts import Guard, Summary
from zygpy.load.guards import arrange
from zygpy.rules import declare
from zygpy.units import Key, Unit

KEPT = 32
"""So many summaries of a function are kept."""


def told_before(unit: Unit, key: Key) -> Summary | None:
    """The summary that was kept by this key, as long as all is as it was then that it rests on."""
    found = unit.told.get(key)
    if found is None:
        return None
    summary, checks = found
    if checks.hold():
        return summary  # type: ignore[no-any-return]
    del unit.told[key]
    return None


def keep(unit: Unit, key: Key, summary: Summary, state: declare.State) -> None:
    """Keep a summary that rests on nothing that was assumed, but on its guards and the rules of then."""
    if len(unit.told) >= KEPT:
        unit.told.clear()
    checks = arrange([Guard(vars(declare.REGISTRY), "state", state), *summary.guards])
    unit.told[key] = (summary, checks)
