"""What calls of functions do, also of functions that call themselves."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import FunctionType
from typing import Any, TypeAlias

from zygpy import ruled
from zygpy.analyse.equal_reads import merge_equal_reads
from zygpy.analyse.facts import Facts, Summary
from zygpy.analyse.machinery import is_own
from zygpy.analyse.parts_in_front import with_parts_in_front
from zygpy.analyse.paths import Scope
from zygpy.analyse.sites import parameter_site, sites_of
from zygpy.analyse.values import Value, make
from zygpy.derivation.interpreted import Interpretations
from zygpy.derivation.needs import NeedsMore, more
from zygpy.derivation.told import PATIENCE, same, summary_of
from zygpy.derivation.told_before import keep, told_before
from zygpy.errors import MissingRuleError, UnsupportedSyntaxError, ZygpyError
from zygpy.ir import core
from zygpy.ir.kinds import NEVER, UNKNOWN, Kind, Known, Tuple, is_numeric
from zygpy.rules import declare
from zygpy.rules.custom import Custom
from zygpy.runtime.ways import PLAIN, Way
from zygpy.units import Key, Unit, key_of, unit_of

TIED = frozenset({-1})
"""Stands for the place of a function that is unknown: what rests on that is not told to other derivations."""

Settled: TypeAlias = tuple[core.Function, Facts, Scope]
"""A program as it is derived, the facts about it, and where its names are looked up."""


@dataclass
class Summaries(Interpretations):
    """What calls of functions do, at the fixed points of their recursions."""

    summaries: dict[Key, Summary] = field(default_factory=dict)
    assumed: dict[Key, Summary] = field(default_factory=dict)
    relied: set[Key] = field(default_factory=set)
    tentative: dict[Key, tuple[Summary, frozenset[Key]]] = field(default_factory=dict)
    looked_at: dict[Key, Settled] = field(default_factory=dict)  # for summaries, and not yet for pairs
    others: dict[Way, Summaries] = field(default_factory=dict)  # that tell what functions do in other ways
    tied: set[Key] = field(default_factory=set)  # summaries that rest on which functions called each other

    def summary(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """What a call of the function with these arguments does."""
        return self._summary(unit_of(function), values)

    def summary_by_identity(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """The same in the way that the function needs, by identity; nothing more is asked of one that stores
        where others find it."""
        derivation, summary = self, self.summary(function, values)
        while summary is not None and summary.needs.identity and not summary.needs.everywhere:
            way = more(derivation.way._replace(copying=True), summary.needs)
            if way == derivation.way._replace(copying=True):
                break
            derivation = self.others.setdefault(
                way, Summaries(way, self.followed, self.forward, self.copied, others=self.others)
            )
            summary = derivation.summary(function, values)
            self.asked |= derivation.asked & TIED
        return summary

    def _summary(self, unit: Unit, values: tuple[Value, ...]) -> Summary:
        key = key_of(unit, values, self.way._replace(copying=False))
        if key in self.summaries:
            self.asked |= TIED if key in self.tied else frozenset()
            return self.summaries[key]
        if key in self.assumed:
            self.relied.add(key)
            return self.assumed[key]
        if unit.ruled is not None:
            self.summaries[key] = self._summary_of_rule(unit.ruled, values)
            return self.summaries[key]
        if key in self.tentative:
            summary, relied = self.tentative[key]
            self.relied |= relied
            self.asked |= TIED if key in self.tied else frozenset()
            return summary
        before = told_before(unit, self._shared(key))
        if before is not None:
            self.summaries[key] = before
            return before
        return self._fixed_point(key, unit, values)

    def _shared(self, key: Key) -> Key:
        """What a summary is kept by for other derivations."""
        return (key, self.followed, self.forward, self.copied, self.bare)

    def _summary_of_rule(self, rule: Custom, values: tuple[Value, ...]) -> Summary:
        """What a call does that is made by a rule of the user's: its value is what the rule gives, which is
        run as it stands, and may be any of the arguments."""
        names = ruled.parameters_of(rule).names
        values = tuple(map(_unknown_if_called, values)) if is_own(rule.rule) else values
        given = (*(Value(UNKNOWN, True) for _ in rule.rule.__code__.co_freevars), *values)
        inner: Summary | None = None
        with suppress(NeedsMore, ZygpyError, SyntaxError):
            inner = Summaries(PLAIN, bare=True)._summary(unit_of(rule.rule), given)
        if inner is not None and not dict(inner.exits).keys().isdisjoint(names):
            raise UnsupportedSyntaxError(
                f"the rule for '{rule.stand_in.__name__}' changes an argument in place.",
                rule.place,
                why="what a change of an argument does to its gradient, a rule cannot say",
                instead="let the rule return new values",
            )
        kind: Kind = UNKNOWN
        guards = inner.guards if inner is not None else ()
        if inner is not None and not (inner.refuses or inner.needs.identity):
            kind = _kind_of_value(rule, inner.result.kind)
        sites = sites_of(*map(parameter_site, names))
        active = any(value.active for value in values)
        users = None if is_own(rule.rule) or rule.keeps != "arguments" else rule.rule
        return Summary(make(kind, active, sites), guards=guards, always=rule.always, brings=True, rule=users)

    def _fixed_point(self, key: Key, unit: Unit, values: tuple[Value, ...]) -> Summary:
        outer, self.relied = self.relied, set()
        asked, self.asked = self.asked, set()
        state = declare.REGISTRY.state
        found, summary = self._until_the_same(key, unit, values, {})
        tied = any(place < len(self.walked) for place in self.asked)
        if self.relied:
            self.tentative[key] = (summary, frozenset(self.relied))
        else:
            self.summaries[key] = summary
            self.looked_at[key] = found
            if not tied:
                keep(unit, self._shared(key), summary, state)
        if tied:
            self.tied.add(key)
        self.relied |= outer
        self.asked |= asked
        return summary

    def _until_the_same(
        self, key: Key, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]
    ) -> tuple[Settled, Summary]:
        """The program, looked at again as long as something else comes out than was assumed of its calls."""
        self._assume(key, Summary(Value(NEVER)))
        original, scope = self._lifted(unit, cells)
        for turn in count():
            self.relied.discard(key)
            program, facts = self._walked(unit, original, scope, values)
            summary = summary_of(facts, self.assumed[key] if turn > PATIENCE else None)
            if key not in self.relied or same(summary, self.assumed[key]):
                break
            self._assume(key, summary)
        self._assume(key, None)
        self.relied.discard(key)
        return (program, facts, scope), summary

    def _assume(self, key: Key, summary: Summary | None) -> None:
        """Assume a summary of a function that is being looked at, or none any more: what rests on what was
        assumed before is forgotten."""
        if summary is None:
            del self.assumed[key]
        else:
            self.assumed[key] = summary
        for other in [other for other, (_, relied) in self.tentative.items() if key in relied]:
            del self.tentative[other]

    def settled(
        self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]
    ) -> tuple[core.Function, Facts]:
        """Facts at the fixed point of the recursion that the function may be part of; those that were found
        for its summary, if they rest on no assumption, are found once."""
        key = key_of(unit, values, self.way._replace(copying=False))
        found = None if cells else self.looked_at.pop(key, None)
        if found is None:
            found, self.summaries[key] = self._until_the_same(key, unit, values, cells)
        program, facts, scope = found
        for improved in (partial(with_parts_in_front, scope=scope), merge_equal_reads):
            better = improved(program, facts)
            known = facts if better is program else self._interpret(unit, better, scope, values)
            if known is not facts and not known.iterators:  # which would have to be spelled out first
                known.guards = {**facts.guards, **known.guards}
                program, facts = better, known
        return program, facts


def _kind_of_value(rule: Custom, found: Kind) -> Kind:
    """The kind of the value that a rule gives, from the kind of all that it gives."""
    if isinstance(found, Tuple) and len(found.items) == 2:
        return found.items[0]
    if isinstance(found, Tuple) or is_numeric(found):
        raise MissingRuleError(
            f"the rule for '{rule.stand_in.__name__}' does not give a value and a pullback.",
            rule.place,
            why="both are needed: what the call gives, and a function of its cotangent",
            instead="return them as a tuple of two",
        )
    return UNKNOWN


def _unknown_if_called(value: Value) -> Value:
    """A function that zygpy's own rules are given, those of solvers say: they tell what it may not do."""
    called = isinstance(value.kind, Known) and isinstance(value.kind.value, FunctionType)
    return value._replace(kind=UNKNOWN) if called else value
