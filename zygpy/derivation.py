"""One derivation, with everything that it reaches: facts, summaries, pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count
from types import CellType, FunctionType, MethodType
from typing import Any, TypeAlias

import numpy as np

from zygpy import local_functions, ruled, stretched
from zygpy.analyse.caught_operations import with_caught_operations
from zygpy.analyse.classes import classes_of
from zygpy.analyse.effects import sites_by_name
from zygpy.analyse.equal_reads import merge_equal_reads
from zygpy.analyse.exceptions import may_be_active
from zygpy.analyse.facts import Direct, Dynamic, Facts, Guard, Resolution, Summary
from zygpy.analyse.interpret import interpret
from zygpy.analyse.known_matches import with_known_matches
from zygpy.analyse.known_tests import with_known_tests
from zygpy.analyse.left_generators import with_left_generators
from zygpy.analyse.local_calls import with_carried
from zygpy.analyse.machinery import is_closed, is_followed, is_own
from zygpy.analyse.paths import Scope
from zygpy.analyse.plain_arguments import with_plain_arguments
from zygpy.analyse.plain_items import with_plain_items
from zygpy.analyse.read_before import spelled_in_attempts, with_readings
from zygpy.analyse.replacing import Bound, bound_outside
from zygpy.analyse.replacing import names_of as names_of
from zygpy.analyse.unseen import operations_by_quiet
from zygpy.analyse.values import (
    BY_NAME,
    OUTSIDE,
    RETURNED,
    Site,
    Value,
    allocations,
    contained,
    let_go,
    make,
    parameter_site,
    reachable,
    with_holders,
)
from zygpy.analyse.walks import asks_when_run, with_walks
from zygpy.errors import (
    MissingRuleError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
    ZygpyError,
    missing_rule,
)
from zygpy.inlining import in_place
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.kinds import (
    NEVER,
    UNKNOWN,
    Dict,
    Kind,
    Known,
    Object,
    Tuple,
    kind_of,
)
from zygpy.ir.nodes import names_in, stamped
from zygpy.ir.source import generated_file
from zygpy.ir.text import Text
from zygpy.load.code import load, origin_of
from zygpy.load.guards import arrange
from zygpy.render import render
from zygpy.rules import declare
from zygpy.rules.custom import Custom, Undecided, chosen, is_opted_out, of_attribute
from zygpy.rules.unknown_arguments import no_rule_with
from zygpy.runtime.attempts import LEAVING_TRACES
from zygpy.runtime.callables import answering_methods
from zygpy.runtime.levels import AGAIN, marks_of
from zygpy.runtime.platform_code import is_platform
from zygpy.runtime.stretches import RUN, surroundings
from zygpy.runtime.ways import PLAIN, Way
from zygpy.simplify import simplify
from zygpy.source.initialisers import written_initialiser
from zygpy.transform.array_writes import as_stores
from zygpy.transform.attempts import has_attempts, split_attempts
from zygpy.transform.context import Callee, Context
from zygpy.transform.lift import lift
from zygpy.transform.pair import Surroundings, Trees, transform
from zygpy.units import (
    HELPERS,
    OPTIONS,
    Key,
    Pair,
    Unit,
    captured_values,
    holds,
    key_of,
    local_function,
    unit_of,
)


class NeedsMore(Exception):
    """A derivation that has to be done in another way, because of what a program does."""

    def __init__(self, way: Way) -> None:
        super().__init__(way)
        self.way = way


Settled: TypeAlias = tuple[core.Function, Facts, Scope]
"""A program as it is derived, the facts about it, and where its names are looked up."""


def more(way: Way, needs: Way) -> Way:
    """The way that has what both have."""
    everywhere = way.everywhere or needs.everywhere
    return Way(
        copying=way.copying or needs.copying,
        identity=way.identity or needs.identity,
        everywhere=everywhere,
        guarded=(way.guarded or needs.guarded) and not everywhere,
        changing=way.changing or needs.changing,
        replaced=way.replaced | needs.replaced,
    )


@dataclass(eq=False)
class _Slot:
    """A derivation in progress: where its functions will be, and what is assumed of them."""

    forward: CellType
    adjoint: CellType
    slots: tuple[str, ...]
    plain: bool  # whether nothing but the stash and the seed goes into the adjoint
    used: bool = False

    @property
    def single(self) -> int | None:
        """The place of the only cotangent that a recursive function's adjoint returns, if there is one."""
        places = [place for place, slot in enumerate(self.slots) if slot != "none"]
        return places[0] if self.plain and self.used and len(places) == 1 else None


@dataclass
class Derivation:
    """One outermost derivation with everything that it reaches."""

    way: Way
    followed: bool = False
    bare: bool = False  # as if users had declared no rules: what a rule itself does, when it is run
    summaries: dict[Key, Summary] = field(default_factory=dict)
    assumed: dict[Key, Summary] = field(default_factory=dict)
    relied: set[Key] = field(default_factory=set)
    tentative: dict[Key, tuple[Summary, frozenset[Key]]] = field(default_factory=dict)
    looked_at: dict[Key, Settled] = field(default_factory=dict)  # for summaries, and not yet for pairs
    derived: list[tuple[Unit, Key]] = field(default_factory=list)
    slots: dict[Key, _Slot] = field(default_factory=dict)
    walked: list[Unit] = field(default_factory=list)  # whose programs are being interpreted, the inner last
    state: declare.State = field(default_factory=lambda: declare.REGISTRY.state)
    others: dict[Way, Derivation] = field(default_factory=dict)  # that tell what functions do in other ways

    @property
    def doors(self) -> Way:
        """The way in which what is found at run time is derived: from what it finds then."""
        return self.way._replace(copying=self.way.identity, replaced=frozenset())

    # -- the oracle of the interpretation

    def parameters(self, function: Any) -> tuple[core.Params, Mapping[str, Any]] | None:
        """Parameters and defaults of a function whose source can be had."""
        if (
            function in OPAQUE
            or (self.followed and is_own(function))
            or is_followed(function)
            or is_closed(function)
        ):
            return None
        try:
            program = unit_of(function).program
        except (SourceNotFoundError, ZygpyError, SyntaxError):
            return None
        return program.params, defaults_of(function, program.params)

    def carried(self, function: Any) -> Mapping[str, Value] | None:
        """The variables that a function carries; None where one has no value."""
        unit = unit_of(function)
        try:
            found = captured_values(unit, function)
        except NameError:
            return None
        values = [make(kind_of(value), False, sites_by_name(value)) for value in found]
        return dict(zip(unit.captured, values, strict=True))

    def initialiser(self, cls: type, given: tuple[int, tuple[str, ...]]) -> Any:
        """What a dataclass does to initialise its objects, as a function with a source."""
        return written_initialiser(cls, given)

    def stand_in(self, callee: Any, args: Sequence[Kind], kwargs: Mapping[str, Kind]) -> Any:
        """A function that stands for a callee for which a user has declared a rule."""
        if self.bare:
            return None
        if isinstance(callee, MethodType):
            raise Undecided
        given = [classes_of(kind) for kind in args]
        named = {name: classes_of(kind) for name, kind in kwargs.items()}
        found = chosen(callee, given, named)
        if found.receives if found is not None else is_opted_out(callee, given, named):
            raise Undecided
        return None if found is None else found.stand_in

    def stand_in_of_attribute(self, cls: type, name: str) -> Any:
        """The same for reading an attribute."""
        found = None if self.bare else of_attribute(cls, name)
        return None if found is None else found.stand_in

    def local(self, op: core.MakeFunction) -> Any:
        """A function that stands for one which the program that is being interpreted makes."""
        return local_function(self.walked[-1], op)

    def is_generated(self) -> bool:
        """Whether the program that is being interpreted is one that was generated."""
        return self.walked[-1].generated or self.walked[-1].followed

    def makes(self, function: Any) -> Iterator[FunctionType]:
        """The functions that a program makes, and those that these make."""
        with suppress(SourceNotFoundError, ZygpyError, SyntaxError):
            unit = self.walked[-1] if function is None else unit_of(function)
            for statement in core.walk(unit.program.body):
                op = getattr(statement, "op", None)
                if isinstance(op, core.MakeFunction):
                    made = local_function(unit, op)
                    yield made
                    yield from self.makes(made)

    def bound_by(self, function: FunctionType) -> tuple[Iterable[Bound], list[FunctionType]]:
        """The names that a function binds outside of itself, and the functions that it calls or makes."""
        if is_platform(function.__code__.co_filename) or is_own(function):
            return (), []
        with suppress(SourceNotFoundError, ZygpyError, SyntaxError):
            unit = unit_of(function)
            found = [unit.source.globals.get(name) for name in sorted(names_of(unit.program))]
            called = [other for other in found if isinstance(other, FunctionType)]
            asked = chain.from_iterable(map(answering_methods, found))
            return bound_outside(unit.program), [*called, *asked, *self.makes(function)]
        return (), []

    def differentiates(self, function: Any) -> bool:
        """Whether a function is an entry point, which differentiates its first argument."""
        return function in OPAQUE

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
            derivation = self.others.setdefault(way, Derivation(way, self.followed, others=self.others))
            summary = derivation.summary(function, values)
        return summary

    def _summary(self, unit: Unit, values: tuple[Value, ...]) -> Summary:
        key = key_of(unit, values, self.way._replace(copying=False))
        if key in self.summaries:
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
            return summary
        return self._fixed_point(key, unit, values)

    def _summary_of_rule(self, rule: Custom, values: tuple[Value, ...]) -> Summary:
        """What a call does that is made by a rule of the user's: its value is what the rule gives, which is
        run as it stands, and may be any of the arguments."""
        names = ruled.parameters_of(rule).names
        given = (*(Value(UNKNOWN, True) for _ in rule.rule.__code__.co_freevars), *values)
        inner: Summary | None = None
        with suppress(NeedsMore, ZygpyError, SyntaxError):
            inner = Derivation(PLAIN, bare=True)._summary(unit_of(rule.rule), given)
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
            found = inner.result.kind
            kind = found.items[0] if isinstance(found, Tuple) and len(found.items) == 2 else UNKNOWN
        sites = frozenset(map(parameter_site, names))
        active = any(value.active for value in values)
        return Summary(make(kind, active, sites), guards=guards, always=rule.always, brings=True)

    def _fixed_point(self, key: Key, unit: Unit, values: tuple[Value, ...]) -> Summary:
        self._assume(key, Summary(Value(NEVER)))
        outer, self.relied = self.relied, set()
        program, scope = self._lifted(unit, {})
        for turn in count():
            self.relied.discard(key)
            walked, facts = self._walked(unit, program, scope, values)
            summary = _summary_of(facts, self.assumed[key] if turn > PATIENCE else None)
            if key not in self.relied or _same(summary, self.assumed[key]):
                break
            self._assume(key, summary)
        self._assume(key, None)
        self.relied.discard(key)
        if self.relied:
            self.tentative[key] = (summary, frozenset(self.relied))
        else:
            self.summaries[key] = summary
            self.looked_at[key] = (walked, facts, scope)
        self.relied |= outer
        return summary

    def _assume(self, key: Key, summary: Summary | None) -> None:
        """Assume a summary of a function that is being looked at, or none any more: what rests on what was
        assumed before is forgotten."""
        if summary is None:
            del self.assumed[key]
        else:
            self.assumed[key] = summary
        for other in [other for other, (_, relied) in self.tentative.items() if key in relied]:
            del self.tentative[other]

    def _lifted(self, unit: Unit, cells: Mapping[str, Any]) -> tuple[core.Function, Scope]:
        scope = Scope(unit.source.globals, cells, HELPERS, unit.fixed, self.way.replaced)
        program, guards, names = in_place(unit, scope)
        scope = replace(scope, rests_on=guards, in_place=names)
        program = lift(as_stores(program, scope), scope)
        return replace(program, body=spelled_in_attempts(program.body)), scope

    def _walked(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> tuple[core.Function, Facts]:
        """The program with its attempts split and as much spelled out as is known, and the facts about it."""
        if not (self.way.identity and has_attempts(program)):
            return self._spelled_out(unit, self._in_parts(unit, program), scope, values)
        found = operations_by_quiet(program, self._interpret(unit, program, scope, values))
        quiet = found[True] - found[False]
        while True:
            walked = self._spelled_out(unit, self._in_parts(unit, program, quiet), scope, values)
            noisy = quiet & operations_by_quiet(*walked)[False]
            if not noisy:
                return walked
            quiet -= noisy

    def _in_parts(self, unit: Unit, program: core.Function, quiet: Collection[int] = ()) -> core.Function:
        return split_attempts(program, unit.callees, objects=self.way.identity, quiet=quiet)

    def _spelled_out(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> tuple[core.Function, Facts]:
        """The program with its iterations over objects spelled out, and the facts about it."""
        lasting: list[Guard] = []
        replaced = frozenset[str]()
        while True:
            facts = self._interpret(unit, program, scope, values)
            spelled = with_plain_arguments(with_readings(program, facts), facts)
            if not (unit.followed or unit.generated):
                spelled = with_known_tests(with_known_matches(spelled, facts), facts)
            lasting += facts.lasting
            replaced |= facts.needs.replaced & {guard.name for guard in lasting}
            spelled = with_plain_items(spelled, facts)
            if not self.way.identity:
                spelled = with_carried(spelled, facts)
            if spelled is program:  # what is asked of unknown things is asked when no more can be known
                spelled = with_walks(program, facts, checks=not (unit.followed or unit.generated))
            if spelled is program and self.way.identity:
                spelled = with_left_generators(program, facts, scope)
            if spelled is program and not (unit.followed or unit.generated):
                spelled = with_caught_operations(program, facts)
            if spelled is program:
                facts.guards |= {(id(guard.owner), guard.name): guard for guard in lasting}
                facts.needs = facts.needs._replace(replaced=facts.needs.replaced | replaced)
                return program, facts
            program = spelled

    def _interpret(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> Facts:
        arguments = dict(zip(program.params.names, values, strict=True))
        self.walked.append(unit)
        try:
            facts = interpret(program, arguments, scope, self, self.way, apart=unit.reverses)
        finally:
            self.walked.pop()
        if unit.reverses:  # neither what was stashed nor the seed is ever written to
            facts.written_parameters.difference_update(program.params.names[:2])
        return facts

    # -- pairs

    def pair(self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], way: Way) -> Pair:
        """The pair, derived if it is not there yet."""
        key = key_of(unit, values, way)
        known = unit.pairs.get(key)
        if known is not None and holds(known):
            return known
        if unit.ruled is not None:
            return self._pair_of_rule(unit, unit.ruled, values, key, way)
        if unit.whole is not None:
            return self._pair_of_part(unit, unit.whole, values, key, way)
        program, facts = self.settled(unit, values, cells)
        if more(self.way, facts.needs) != self.way:
            raise NeedsMore(more(way, facts.needs))
        dynamic = any(isinstance(found, Dynamic) for found in facts.calls.values())
        if unit.primitive and dynamic and not self.way.identity:
            raise _no_rule(unit, values)
        if way.copying:
            facts.written |= what_is_reachable(facts)
        alone = not carries(facts) and not facts.written_parameters
        slot = _Slot(CellType(), CellType(), ("none",) * len(values), alone)
        self.slots[key] = slot
        mark = len(self.derived)
        trees = self._transform(unit, program, facts, key)
        while slot.used and _joined(trees.slots, slot.slots) != slot.slots:
            slot.slots = _joined(trees.slots, slot.slots)
            self._take_back(mark)
            trees = self._transform(unit, program, facts, key)
        pair = self._load(unit, program, facts, trees, slot)
        unit.pairs[key] = pair
        self.derived.append((unit, key))
        del self.slots[key]
        return pair

    def _pair_of_rule(self, unit: Unit, rule: Custom, values: tuple[Value, ...], key: Key, way: Way) -> Pair:
        """The pair of a rule of the user's."""
        summary = self._summary(unit, values)
        params = unit.program.params
        kinds = {name: value.kind for name, value in zip(params.names, values, strict=True)}
        written = ruled.write(rule, kinds, summary.result.kind, copying=way.copying)
        origin = origin_of(unit.source)
        filename = generated_file(written.names[0])
        loaded = load(written.text, written.names, written.cells, unit.source.globals, filename, origin)
        without = {*params.keyword_only, params.kwarg}
        slots = tuple(
            "none" if name in without or not value.active else "maybe"
            for name, value in zip(params.names, values, strict=True)
        )
        forward, adjoint = (loaded[name] for name in written.names)
        checks = arrange([Guard(vars(declare.REGISTRY), "state", self.state), *summary.guards])
        pair = Pair(
            forward,
            adjoint,
            written.text,
            unit.program,
            slots,
            (),
            checks,
            summary.result,
            always=rule.always,
        )
        unit.pairs[key] = pair
        self.derived.append((unit, key))
        return pair

    def _pair_of_part(self, unit: Unit, whole: Unit, values: tuple[Value, ...], key: Key, way: Way) -> Pair:
        """The pair of what runs a stretch of a loop, which is run once more in the backward pass."""
        inner = self._pair_of_whole(whole, values, way)
        program, source = unit.program, unit.source
        kinds = tuple(value.kind for value in values)
        written = stretched.write(
            stretched.Part(
                program.name,
                program.params.names,
                kinds,
                inner.writes,
                tuple(name for name, _ in self._summary(whole, values).exits),
                inner.carries,
                inner.identity,
                way.copying,
                program.body[0].loc.line,
            )
        )
        slot = self.slots.get(key_of(whole, values, way))
        both = (slot.forward, slot.adjoint) if slot else (inner.forward, inner.adjoint)
        run = dict(zip(written.run, both, strict=True))
        around = surroundings(source.globals, sorted(names_of(program)))
        cells = {**stretched.HELPERS, **run, written.around: around}
        filename, origin = generated_file(written.names[0]), origin_of(source)
        loaded = load(written.text, written.names, cells, source.globals, filename, origin)
        forward, adjoint = (loaded[name] for name in written.names)
        AGAIN.add(adjoint.__code__)
        setattr(forward, RUN, written.run[0])
        pair = replace(inner, forward=forward, adjoint=adjoint, text=written.text, companions={})
        unit.pairs[key] = pair
        self.derived.append((unit, key))
        return pair

    def _pair_of_whole(self, whole: Unit, values: tuple[Value, ...], way: Way) -> Pair:
        """The pair of a part that keeps everything; of one that is being derived what is assumed of it."""
        slot = self.slots.get(key_of(whole, values, way))
        if slot is None:
            return self.pair(whole, values, {}, way)
        slot.used = True
        summary = self._summary(whole, values)
        checks = arrange([Guard(vars(declare.REGISTRY), "state", self.state), *summary.guards])
        writes = tuple(sorted(summary.writes))
        unwritten: Any = None
        return Pair(
            unwritten,
            unwritten,
            Text("", {}),
            whole.program,
            slot.slots,
            writes,
            checks,
            summary.result,
            summary.carries,
            way.identity,
            writes,
            always=summary.always,
            single=slot.single,
        )

    def _take_back(self, mark: int) -> None:
        """Forget what was derived since, which may rest on an assumption that did not hold."""
        for unit, key in self.derived[mark:]:
            unit.pairs.pop(key, None)
        del self.derived[mark:]

    def settled(
        self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]
    ) -> tuple[core.Function, Facts]:
        """Facts at the fixed point of the recursion that the function may be part of; those that were found
        for its summary, if they rest on no assumption, are found once."""
        key = key_of(unit, values, self.way._replace(copying=False))
        found = None if cells else self.looked_at.pop(key, None)
        program, facts, scope = found or self._settled(key, unit, values, cells)
        merged = merge_equal_reads(program, facts)
        if merged is not program:
            guards, facts = facts.guards, self._interpret(unit, merged, scope, values)
            facts.guards = {**guards, **facts.guards}
        return merged, facts

    def _settled(self, key: Key, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]) -> Settled:
        self._assume(key, Summary(Value(NEVER)))
        original, scope = self._lifted(unit, cells)
        for turn in count():
            self.relied.discard(key)
            program, facts = self._walked(unit, original, scope, values)
            summary = _summary_of(facts, self.assumed[key] if turn > PATIENCE else None)
            if key not in self.relied or _same(summary, self.assumed[key]):
                break
            self._assume(key, summary)
        self._assume(key, None)
        self.relied.discard(key)
        self.summaries[key] = summary
        return program, facts, scope

    def _transform(self, unit: Unit, program: core.Function, facts: Facts, key: Key) -> Trees:
        source = unit.source
        taken = names_of(program)
        surroundings = Surroundings(
            lambda ctx, found: self._callee(ctx, found, key),
            lambda ctx, door: ctx.cell(door, DOORS[door, self.doors]),
            source.filename,
            {**source.globals, **unit.fixed},
            taken,
            carries(facts),
            source.globals,
            self.slots[key].single,
        )
        return transform(program, facts, surroundings)

    def _callee(self, ctx: Context, found: Direct, own: Key) -> Callee:
        unit = unit_of(found.function)
        values = tuple(Value(value.kind, value.active, new=value.new) for value in found.values)
        reached = (*found.values, found.result)  # the callee may stash what it was given and what it returns
        copying = any(ctx.facts.is_written(value) for value in reached)
        way = self.way._replace(copying=copying)
        key = key_of(unit, values, way)
        base = found.function.__name__ if found.function.__name__.isidentifier() else "function"
        if key in self.slots:
            slot = self.slots[key]
            slot.used = True
            if key == own:
                names = (f"{base}_forward", f"{base}_adjoint")
            else:
                names = (ctx.cell(f"{base}_forward", slot.forward), ctx.cell(f"{base}_adjoint", slot.adjoint))
            writes = tuple(sorted(found.summary.writes))
            summary, alone = found.summary, slot.single is not None
            return Callee(*names, slot.slots, writes, summary.result.active, summary.carries, alone)
        pair = self.pair(unit, values, {}, way)
        names = (ctx.cell(f"{base}_forward", pair.forward), ctx.cell(f"{base}_adjoint", pair.adjoint))
        active, alone = pair.result.active, pair.single is not None
        return Callee(*names, pair.slots, pair.writes, active, pair.carries, alone)

    def _load(self, unit: Unit, program: core.Function, facts: Facts, trees: Trees, slot: _Slot) -> Pair:
        forward, adjoint = trees.forward, stamped(trees.adjoint)
        if OPTIONS.get().simplify and not unit.followed:  # nobody reads the derivatives of our own helpers
            forward, adjoint = simplify(forward, adjoint)
        text = render([forward, adjoint])
        names = (f"{trees.name}_forward", f"{trees.name}_adjoint")
        origin = origin_of(unit.source)
        mentioned = names_of(program)
        cells = {**{name: value for name, value in unit.fixed.items() if name in mentioned}, **trees.cells}
        filename = generated_file(names[0])
        live = None if makes_functions(program) else mentioned.intersection(names_in([forward, adjoint]))
        functions = load(text, names, cells, unit.source.globals, filename, origin, live)
        if unit.tree is not None:
            setattr(functions[names[0]], local_functions.INNER, True)
        slot.forward.cell_contents = functions[names[0]]
        slot.adjoint.cell_contents = functions[names[1]]
        if _leaves_traces(unit, facts, trees):
            LEAVING_TRACES.add(functions[names[0]].__code__)
        for marks in marks_of(unit.code):
            marks.add(functions[names[0]].__code__)
        rules_as_they_were = Guard(vars(declare.REGISTRY), "state", self.state)
        return Pair(
            functions[names[0]],
            functions[names[1]],
            text,
            program,
            trees.slots,
            trees.writes,
            arrange([rules_as_they_were, *facts.guards.values()]),
            facts.result,
            trees.carries,
            facts.way.identity,
            _changed(facts) if facts.way.identity else trees.writes,
            unit.primitive,
            unit.followed or unit.reverses,
            facts.acts_always,
            slot.single,
            facts.outside,
        )


def _leaves_traces(unit: Unit, facts: Facts, trees: Trees) -> bool:
    """Whether something may have changed when an exception leaves a forward function."""
    if unit.followed or unit.generated:
        return unit.code in LEAVING_TRACES
    return not changes_nothing(facts) if facts.way.identity else bool(trees.writes or facts.function.cells)


def changes_nothing(facts: Facts) -> bool:
    """Whether a program surely changes nothing that was there before, and runs no code that might."""
    changed = facts.written_parameters or facts.written_inside or facts.outside or facts.escaped
    kept = facts.keeps_variables or facts.function.cells or facts.generators
    return not (changed or kept or facts.forgets or facts.needs.everywhere)


def _no_rule(unit: Unit, values: Sequence[Value]) -> ZygpyError:
    """The error for a primitive on operands that no rule speaks of."""
    name = unit.source.name
    callee = unit.source.globals.get(name)
    if callee is not None and declare.find(callee) is None:
        return missing_rule(callee)
    unknown = _with_unknown_arguments(callee, unit)
    return unknown or no_rule_on(name, [value.kind for value in values])


def _with_unknown_arguments(callee: Any, unit: Unit) -> ZygpyError | None:
    """The error where a primitive is called with arguments that its rule has no names for."""
    first = unit.given.body[0] if unit.given is not None else None
    if not isinstance(first, core.Assign) or not isinstance(first.op, core.Call):
        return None
    keywords = [keyword.name for keyword in first.op.keywords if keyword.name is not None]
    return no_rule_with(callee, len(first.op.args), keywords)


def _of_another_array(kind: Kind) -> type | None:
    """The class that an array of another class than NumPy's own is of, or is made of; else None."""
    cls = kind.cls if isinstance(kind, Object) else kind.value if isinstance(kind, Known) else None
    return cls if isinstance(cls, type) and issubclass(cls, np.ndarray) and cls is not np.ndarray else None


def no_rule_on(name: str, kinds: Sequence[Kind]) -> ZygpyError:
    """The error for a primitive of this name on operands of these kinds."""
    other = next((cls for cls in map(_of_another_array, kinds) if cls is not None), None)
    if other is not None:
        return MissingRuleError(
            f"There is no rule for {name!r} on an array of the class '{other.__name__}'.",
            why="what operations on it do is said by the class, not by NumPy's own arrays.",
            instead="give the function plain arrays (`x.view(np.ndarray)`, outside of it), and keep what "
            "the class adds to them in fields of an object.",
        )
    classes = [kind.cls.__name__ for kind in kinds if isinstance(kind, Object)]
    operands = f"an object of class {classes[0]}" if classes else "these arguments"
    return MissingRuleError(
        f"There is no rule for {name!r} on {operands}.",
        why="the rules are about numbers, arrays of numbers, and the containers of Python.",
        instead="convert the data first, for example with `float` or `np.asarray`.",
    )


ELSEWHERE = "what other functions reach"
"""Stands among the parameters that a function changes for globals, and what is found through them."""


def _changed(facts: Facts) -> tuple[str, ...]:
    """What callers would have to know that a function changes: arguments, and what others can reach."""
    names = [name for name in facts.function.params.names if name in facts.written_parameters]
    names = [name for name in names if facts.exit_value(name).active]
    return (*names, *((ELSEWHERE,) if facts.needs.everywhere else ()))


def what_is_reachable(facts: Facts) -> frozenset[Any]:
    """What the user can still reach after the forward: arguments, what was stored in them, globals and the
    result."""
    names = facts.function.params.names
    stored = [reachable(facts.exit_value(name).sites) for name in names]
    return frozenset(map(parameter_site, names)).union(BY_NAME, reachable(facts.result.sites), *stored)


def _joined(found: tuple[str, ...], assumed: tuple[str, ...]) -> tuple[str, ...]:
    order = ("none", "owned", "sure", "maybe")
    return tuple(max(a, b, key=order.index) for a, b in zip(found, assumed, strict=True))


PATIENCE = 6
"""So many times a function that calls itself is looked at before what was assumed of it counts as true."""

MAY = ("outside", "mingles", "forgets", "trusts", "looks", "brings")
SETS = ("escapes", "stores", "handed", "inside", "keeping", "operated")
"""What a summary says that a function may do, of which it may do more than it does."""


def _summary_of(facts: Facts, before: Summary | None = None) -> Summary:
    """What a caller must know. The function may do, too, whatever was assumed of it `before`: what is found
    may go up and down with what is assumed else, and never settle."""
    found = _found_summary(facts)
    if before is None:
        return found
    flags = {name: getattr(found, name) or getattr(before, name) for name in MAY}
    sets = {name: getattr(found, name) | getattr(before, name) for name in SETS}
    return replace(found, **flags, **sets)


def _found_summary(facts: Facts) -> Summary:
    raised = _raised(facts)
    writes = frozenset(name for name in facts.written_parameters if facts.exit_value(name).active)
    if facts.way.identity:
        writes |= {name for name, _, active in raised if active}
    result, shared = facts.result, frozenset[str]()
    if facts.way.identity:
        shared = frozenset(name for name in facts.function.params.names if _in_store(facts, name))
        if facts.is_shared(result) and not _is_given(result):
            others = frozenset({RETURNED} if _is_handed_over(facts, result) else {RETURNED, OUTSIDE})
            own = isinstance(result.kind, Dict)  # what is in it is the store's in any case
            result = result._replace(sites=result.sites | (contained(others) if own else others))
    callees = [found.summary for found in facts.calls.values() if isinstance(found, Direct)]
    refuses = facts.refused or bool(facts.refusals) or any(summary.refuses for summary in callees)
    guards = tuple(facts.guards.values())
    exits = tuple((name, facts.exit_value(name).kind) for name in sorted(facts.written_parameters))
    keeps = bool(facts.shared) or any(summary.keeps for summary in callees)
    return Summary(
        result,
        writes,
        facts.outside,
        exits,
        carries(facts),
        refuses,
        facts.mingles,
        keeps,
        shared,
        facts.needs,
        guards,
        frozenset(str(site[1]) for site in facts.escaped if site[0] == "param"),
        frozenset(facts.stores),
        _states(facts),
        facts.forgets,
        facts.acts_always,
        frozenset(facts.handed),
        facts.trusts,
        frozenset(facts.written_inside),
        facts.keeps_variables,
        frozenset(facts.keeping),
        frozenset(facts.operated),
        frozenset(facts.replacing),
        bool(facts.guarded) or any(map(_is_looked_at, facts.calls.values())) or asks_when_run(facts.function),
        _holding(facts),
        raised,
        may_be_active(facts, facts.function.body),
    )


def _is_handed_over(facts: Facts, result: Value) -> bool:
    """Whether others find what a function has made only if the caller gives it to them: neither it, nor
    anything in it, was stored in what they know, or given to code of which nothing is known."""
    return facts.given_away.isdisjoint(allocations(result.sites))


def _raised(facts: Facts) -> tuple[tuple[str, Kind, bool], ...]:
    """What changed parameters hold where the function ends with an exception, if that is something else than
    when it returns."""
    found = [(name, facts.raised_value(name)) for name in sorted(facts.written_parameters)]
    return tuple(
        (name, value.kind, value.active)
        for name, value in found
        if facts.raised is not None and (value.kind, value.active) != _left(facts, name)
    )


def _left(facts: Facts, name: str) -> tuple[Kind, bool]:
    value = facts.exit_value(name)
    return value.kind, value.active


def _holding(facts: Facts) -> tuple[tuple[str, frozenset[Site]], ...]:
    """The parameters that may hold something that others find, and how that is found; also where the function
    is left by an exception then."""
    outside, function = contained(BY_NAME), facts.function
    values = [*facts.exits.get(id(function), {}).values(), *facts.results.values()]
    left = {value.sites for value in values if not outside.isdisjoint(value.sites)}
    if not left:
        return ()
    found = {name: with_holders(frozenset({parameter_site(name)})) for name in function.params.names}
    held = {name: [sites & outside for sites in left if own & sites] for name, own in found.items()}
    return tuple([(name, frozenset().union(*sites)) for name, sites in held.items() if sites])


def _is_given(result: Value) -> bool:
    """Whether a result is surely one of the arguments, or in one: what is shared of these is known."""
    return all(let_go(site)[0] == "param" for site in result.sites)


def _is_looked_at(found: Resolution) -> bool:
    """Whether a call is found when it is made, or is one of a function that looks for something then."""
    return isinstance(found, Dynamic) or (isinstance(found, Direct) and found.summary.looks)


def _states(facts: Facts) -> tuple[tuple[str, Kind], ...]:
    """The kinds of the objects that the function was given, when it returns, by parameter."""
    rebound = {name for statement in core.walk(facts.function.body) for name in assigned(statement)}
    names = [name for name in facts.function.params.names if name not in rebound]
    kinds = [(name, facts.exit_value(name).kind) for name in names]
    return tuple([(name, kind) for name, kind in kinds if isinstance(kind, Object)])


def _in_store(facts: Facts, name: str) -> bool:
    """Whether the callee keeps the cotangents of what a parameter holds in the caller's store."""
    return not facts.shared.isdisjoint({parameter_site(name)})


def carries(facts: Facts) -> bool:
    """Whether the adjoint has to do with variables that functions share: its own, or those of
    functions that it calls."""
    if facts.way.identity or facts.function.cells:
        return True
    calls = facts.calls.values()
    return bool(facts.unseen) or any(isinstance(found, Direct) and found.summary.carries for found in calls)


def makes_functions(program: core.Function) -> bool:
    """Whether a program makes functions of the user's, whose globals are the user's."""
    statements = [statement for statement in core.walk(program.body) if isinstance(statement, core.Assign)]
    return bool(program.generator) or any(isinstance(item.op, core.MakeFunction) for item in statements)


def _same(a: Summary, b: Summary) -> bool:
    return replace(a, guards=()) == replace(b, guards=())


def defaults_of(function: FunctionType, params: core.Params) -> dict[str, Any]:
    """Default values by parameter; a function may have been given more than it has parameters."""
    names = params.positional_only + params.positional
    values = function.__defaults__ or ()
    count = min(len(names), len(values))
    found = dict(zip(names[len(names) - count :], values[len(values) - count :], strict=True))
    return {**found, **(function.__kwdefaults__ or {})}


OPAQUE: set[Any] = set()
"""Functions that are never entered although they have source: the entry points themselves."""

DOORS: dict[tuple[str, Way], Any] = {}
"""The run-time doors by the name that generated code calls them by; `dispatch` fills them in."""
