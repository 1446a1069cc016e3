"""Pairs of forward and adjoint functions, with those of all that they call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import CellType
from typing import Any

from zygpy import local_functions, ruled, stretched
from zygpy.analyse.facts import Direct, Dynamic, Facts, Guard, Kept
from zygpy.analyse.replacing import names_of
from zygpy.analyse.values import Value
from zygpy.derivation.computing_alone import (
    computing_alone,
    may_take_numbers_alone,
    of_several_classes,
)
from zygpy.derivation.needs import NeedsMore, more
from zygpy.derivation.refusals import no_rule
from zygpy.derivation.summaries import Summaries
from zygpy.derivation.told import carries, changed, leaves_traces, makes_functions, what_is_reachable
from zygpy.derivation.under_caches import Standing, keeping, noting, standing_of
from zygpy.ir import core
from zygpy.ir.nodes import names_in, stamped
from zygpy.ir.source import generated_file
from zygpy.ir.text import Text
from zygpy.load.code import load, origin_of
from zygpy.load.guards import arrange
from zygpy.render import render
from zygpy.rules import declare
from zygpy.rules.custom import Custom
from zygpy.runtime.attempts import LEAVING_TRACES
from zygpy.runtime.levels import AGAIN, marks_of
from zygpy.runtime.shown_outside import Outside
from zygpy.runtime.stretches import RUN, surroundings
from zygpy.runtime.ways import Way
from zygpy.simplify import simplify
from zygpy.transform.context import Callee, Context
from zygpy.transform.pair import Surroundings, Trees, transform
from zygpy.units import OPTIONS, Key, Pair, Unit, holds, key_of, unit_of
from zygpy.where_made import positions

DOORS: dict[tuple[str, Way], Any] = {}
"""The run-time doors by the name that generated code calls them by; `dispatch` fills them in."""


@dataclass(eq=False)
class _Slot:
    """A derivation in progress: where its functions will be, and what is assumed of them."""

    forward: CellType
    adjoint: CellType
    slots: tuple[str, ...]
    plain: bool  # whether nothing but the stash and the seed goes into the adjoint
    used: bool = False
    under: dict[Any, tuple[Standing, Outside | None, tuple[CellType, CellType]]] = field(default_factory=dict)

    def named(self, standing: Standing, outside: Outside | None) -> tuple[CellType, CellType]:
        """Where the functions will be by which it is called under a cache; `outside` are the numbers outside
        that it depends on, if what it finds is kept."""
        there = standing, outside, (CellType(), CellType())
        return self.under.setdefault((standing, outside is None), there)[2]

    def fill(self, pair: Pair, values: tuple[Value, ...]) -> None:
        """Let these be known where they are called, if they are."""
        for standing, outside, cells in self.under.values():
            for cell, function in zip(cells, _standing(pair, standing, outside, values), strict=True):
                cell.cell_contents = function

    @property
    def single(self) -> int | None:
        """The place of the only cotangent that a recursive function's adjoint returns, if there is one."""
        places = [place for place, slot in enumerate(self.slots) if slot != "none"]
        return places[0] if self.plain and self.used and len(places) == 1 else None


def _joined(found: tuple[str, ...], assumed: tuple[str, ...]) -> tuple[str, ...]:
    order = ("none", "owned", "own", "sure", "maybe")
    pairs = zip(found, assumed, strict=True)
    return tuple("maybe" if {*both} == {"own", "sure"} else max(both, key=order.index) for both in pairs)


@dataclass
class Derivation(Summaries):
    """One outermost derivation with everything that it reaches."""

    derived: list[tuple[Unit, Key]] = field(default_factory=list)
    slots: dict[Key, _Slot] = field(default_factory=dict)
    state: declare.State = field(default_factory=lambda: declare.REGISTRY.state)

    @property
    def doors(self) -> Way:
        """The way in which what is found at run time is derived: from what it finds then."""
        return self.way._replace(copying=self.way.identity, replaced=frozenset())

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
            raise no_rule(unit, values)
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
        slot.fill(pair, values)
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

    def _transform(self, unit: Unit, program: core.Function, facts: Facts, key: Key) -> Trees:
        source = unit.source
        taken = names_of(program)
        surroundings = Surroundings(
            lambda ctx, found: self._callee(ctx, found, key),
            lambda ctx, door: ctx.cell(door, DOORS[door, self.doors]),
            source.filename,
            {**source.globals, **unit.given_names},
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
        outside = _outside_of(found, unit) if isinstance(found, Kept) else None
        outside = None if outside and way.everywhere else outside
        standing = standing_of(found, unit.program.params.names)
        if key in self.slots:
            slot = self.slots[key]
            slot.used = True
            if standing is not None:
                outside = outside if slot.plain else None
                names = _named(ctx, _name_of(base, outside), slot.named(standing, outside))
            elif key == own:
                names = (f"{base}_forward", f"{base}_adjoint")
            else:
                names = _named(ctx, base, (slot.forward, slot.adjoint))
            writes = tuple(sorted(found.summary.writes))
            summary, alone = found.summary, slot.single is not None
            return Callee(*names, slot.slots, writes, summary.result.active, summary.carries, alone)
        pair = self.pair(unit, values, {}, way)
        if standing is not None:
            outside = None if pair.carries or pair.writes else outside
            both = _standing(pair, standing, outside, values)
            names = _named(ctx, _name_of(base, outside), both)
        else:
            names = _named(ctx, base, (pair.forward, pair.adjoint))
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
        cells = {
            **{name: value for name, value in unit.given_names.items() if name in mentioned},
            **trees.cells,
        }
        filename = generated_file(names[0])
        makes = makes_functions(program)
        text = replace(text, made=positions([forward, adjoint])) if makes else text
        live = None if makes else mentioned.intersection(names_in([forward, adjoint]))
        functions = load(text, names, cells, unit.source.globals, filename, origin, live)
        if unit.tree is not None:
            setattr(functions[names[0]], local_functions.INNER, True)
        slot.forward.cell_contents = functions[names[0]]
        slot.adjoint.cell_contents = functions[names[1]]
        if leaves_traces(unit, facts, trees):
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
            changed(facts) if facts.way.identity else trees.writes,
            unit.primitive,
            unit.followed or unit.reverses,
            facts.acts_always,
            slot.single,
            facts.outside,
        )


def _named(ctx: Context, base: str, pair: tuple[Any, Any]) -> tuple[str, str]:
    """The names by which a program calls a pair."""
    return ctx.cell(f"{base}_forward", pair[0]), ctx.cell(f"{base}_adjoint", pair[1])


def _outside_of(found: Kept, unit: Unit) -> Outside | None:
    """The variables outside that a function under a cache depends on, if its pair may keep what it finds."""
    acts = found.summary.always or found.summary.carries or unit.ruled is not None
    return None if acts or not may_take_numbers_alone(found.values) else computing_alone(found.function)


def _name_of(base: str, outside: Outside | None) -> str:
    """What a callee is called by which something is kept."""
    return base if outside is None else f"{base}_kept"


def _standing(
    pair: Pair, standing: Standing, outside: Outside | None, values: tuple[Value, ...]
) -> tuple[Any, Any]:
    """The functions by which a pair is called under a cache: they keep what they find, or note what they
    give."""
    if outside is None:
        return noting(pair, standing)
    return keeping(pair, outside, typed=of_several_classes(values), under=standing[0])
