"""Tangent functions of units, derived, cached and guarded as pairs are."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import CellType, FunctionType
from typing import Any

from zygpy import rules
from zygpy.analyse.facts import Direct, Dynamic, Facts, Guard
from zygpy.analyse.paths import is_stable
from zygpy.analyse.values import Value
from zygpy.derivation import (
    Derivation,
    NeedsMore,
    Standing,
    in_pairs,
    makes_functions,
    more,
    names_of,
    standing_for,
    standing_of,
    what_is_reachable,
)
from zygpy.errors import (
    Place,
    SourceNotFoundError,
    ZygpyError,
    locate,
)
from zygpy.ir import core
from zygpy.ir.kinds import Unknown, is_numeric, is_scalar
from zygpy.ir.nodes import names_in
from zygpy.ir.source import generated_file
from zygpy.ir.text import Text
from zygpy.load.code import load, origin_of
from zygpy.load.guards import Checks, arrange
from zygpy.load.spaces import bound_names
from zygpy.merged import SEEDS, WANTED
from zygpy.pushed.doors import DOORS
from zygpy.pushed.found import tangent_by_users_rule
from zygpy.render import render
from zygpy.rules import declare
from zygpy.runtime.kept_results import STANDS_FOR
from zygpy.runtime.levels import marks_of
from zygpy.runtime.stack import with_room
from zygpy.runtime.ways import PLAIN, Way
from zygpy.tangent.bands import Band, Bands, Count, Number, Vector, bands_of
from zygpy.tangent.paired import paired
from zygpy.tangent.slopes import Asked
from zygpy.tangent.state import Callee, NotPushed
from zygpy.tangent.write import Surroundings, name_of, write
from zygpy.transform.context import Context
from zygpy.units import LOCK, Key, Unit, key_of, present_options, unit_of
from zygpy.where_made import positions


@dataclass(frozen=True, eq=False)
class Tangent:
    """A derived tangent function: which parameters have tangents, whether it writes to any, under what
    conditions it holds, and whether it computes with numbers one by one."""

    function: FunctionType
    text: Text
    program: core.Function
    paired: frozenset[str]
    writes: bool
    checks: Checks
    result: Value
    numbers: bool
    beside: list[Tangent] = field(default_factory=list)  # that of several directions, if it rests on no more
    failed: list[Exception] = field(default_factory=list)  # what a call was left to reverse mode for
    unpulled: list[Exception] = field(default_factory=list)  # why it is not differentiated in reverse mode
    unguarded: FunctionType | None = None  # the same, which is right if its result is finite
    elsewhere: bool = False  # whether it changes what others can reach
    everywhere: bool = False  # whether what varies is stored there

    @functools.cached_property
    def places(self) -> tuple[bool, ...]:
        """Of each parameter whether its tangent is behind it."""
        return tuple([name in self.paired for name in self.program.params.names])

    @functools.cached_property
    def asks(self) -> bool:
        """Whether it, or one that it calls, goes through a door to what is found when it runs: nobody knows
        what that writes to yet."""
        return goes_through_doors(self.function, set())

    @functools.cached_property
    def gives_numbers(self) -> bool:
        """Whether what is returned may be a number or an array."""
        return is_numeric(self.result.kind) or isinstance(self.result.kind, Unknown)

    @functools.cached_property
    def gives_a_number(self) -> bool:
        """Whether what is returned is a number."""
        return is_scalar(self.result.kind)

    @functools.cached_property
    def meets_matrices(self) -> bool:
        """Whether a matrix is multiplied by the directions as they are given."""
        given = self.function.__code__.co_varnames[: self.function.__code__.co_argcount]
        return any(f"through_matrix({name}, " in self.text.source for name in given)

    @functools.cached_property
    def bands(self) -> Bands | None:
        """The bands of what a function of several directions returns, where only one argument varies and all
        others are numbers."""
        function, given = self.function, list(self.function.__code__.co_varnames)
        outside = {**vars(builtins), **function.__globals__, **bound_names(function)}
        start: dict[str, Any] = {}
        for is_paired in self.places:
            name = given.pop(0)
            start[name] = Vector(0) if is_paired else Number()
            if is_paired:
                start[given.pop(0)] = Band(0, 0, 0)
        start[given.pop(0)] = Count()
        return bands_of(self.text.source, start, outside.get) if sum(self.places) == 1 else None


@dataclass(frozen=True)
class Refused:
    """A unit of which no tangent function is written, and why; until the rules change."""

    why: str
    place: Place | None
    checks: Checks


@dataclass
class _Pushing:
    """One derivation with everything that it reaches."""

    derivation: Derivation
    several: bool = False
    cells: dict[Key, tuple[CellType, frozenset[str]]] = field(default_factory=dict)
    made: list[tuple[Unit, Any]] = field(default_factory=list)
    noting: list[tuple[FunctionType, CellType]] = field(default_factory=list)

    def tangent(self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], way: Way) -> Tangent:
        """The tangent function, written if it is not there yet."""
        key = key_of(unit, values, way)
        kept = (SEVERAL, key) if self.several else key
        kept = kept if self.derivation.copied else (HANDED_OVER, kept)
        known = unit.tangents.get(kept)
        if isinstance(known, Tangent) and known.checks.hold():
            return known
        if unit.ruled is not None:
            raise NotPushed(f"'{unit.source.name}' has a rule of the user's, which is one for cotangents")
        if unit.followed:
            raise NotPushed("code of zygpy's own")
        program, facts = self._settled(unit, values, cells, way)
        names = paired(facts)
        cell = CellType()
        self.cells[key] = cell, names & set(program.params.names)
        made = self._written(unit, program, facts, names, cell, key)
        unit.tangents[kept] = made
        self.made.append((unit, kept))
        del self.cells[key]
        return made

    def _settled(
        self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], way: Way
    ) -> tuple[core.Function, Facts]:
        program, facts = self.derivation.settled(unit, values, cells)
        if more(self.derivation.way, facts.needs) != self.derivation.way:
            raise NeedsMore(more(self.derivation.way, facts.needs))
        if facts.outside and (self.several or way.guarded):  # else nothing with a tangent is stored there
            raise NotPushed("a change of what others can reach")
        if way.copying:
            facts.written |= what_is_reachable(facts)
        for statement in core.walk(program.body):
            found = facts.calls.get(id(statement))
            if id(statement) in facts.given or (
                id(statement) in facts.guarded and not isinstance(found, Dynamic)
            ):
                raise NotPushed("a change of what others can reach", statement.loc)
            known = self.derivation.way.identity or isinstance(statement, core.Assign)
            if isinstance(found, Dynamic) and (unit.primitive or not known):
                raise NotPushed("a call, or an operation, that is found when it is made", statement.loc)
        return program, facts

    def _written(
        self,
        unit: Unit,
        program: core.Function,
        facts: Facts,
        names: frozenset[str],
        cell: CellType,
        key: Key,
    ) -> Tangent:
        source = unit.source
        surroundings = Surroundings(
            lambda ctx, found: self._callee(ctx, found, key),
            source.filename,
            {**source.globals, **unit.given_names},
            names_of(program),
            source.globals,
            DOORS,
        )
        simplified = present_options().simplify
        code = unit.code
        asked = Asked(SEEDS[code], WANTED[code]) if code is not None and code in WANTED else None
        try:
            tree = write(
                program, facts, names, surroundings, simplified=simplified, several=self.several, asked=asked
            )
        except NotPushed as found:
            raise _placed(found, unit) from None
        text = _text(tree.function)
        mentioned = names_of(program)
        cells = {
            **{name: value for name, value in unit.given_names.items() if name in mentioned},
            **tree.cells,
        }
        live = None if makes_functions(program) else mentioned.intersection(names_in(tree.function))
        origin = origin_of(source)
        loading = functools.partial(
            load,
            names=[tree.name],
            cells=cells,
            user_globals=source.globals,
            filename=generated_file(tree.name),
            origin=origin,
            live=live,
        )
        function = loading(text)[tree.name]
        unguarded = None if tree.unguarded is None else loading(_text(tree.unguarded))[tree.name]
        cell.cell_contents = function
        for made in [made for made, there in self.noting if there is cell]:
            setattr(made, STANDS_FOR, function)
        for marks in marks_of(unit.code):
            marks.update({made.__code__ for made in (function, unguarded) if made is not None})
        state = _state_guard(self.derivation.state)
        checks = arrange([state, *facts.guards.values()])
        writes = bool(facts.written_parameters)
        own = names & set(program.params.names)
        numbers = _has_numbers(facts, names)
        return Tangent(
            function,
            text,
            program,
            own,
            writes,
            checks,
            facts.result,
            numbers,
            unguarded=unguarded,
            elsewhere=facts.outside,
            everywhere=self.derivation.way.everywhere,
        )

    def _callee(self, ctx: Context, found: Direct, own: Key) -> Callee:
        unit = unit_of(found.function)
        values = tuple(Value(value.kind, value.active, new=value.new) for value in found.values)
        written = any(ctx.facts.is_written(value) for value in (*found.values, found.result))
        if unit.ruled is not None:
            return _by_users_rule(ctx, found, unit, written)
        way = self.derivation.way._replace(copying=written)
        key = key_of(unit, values, way)
        standing = standing_of(found, unit.program.params.names)
        if key == own and standing is None:
            return Callee(name_of(unit.program, several=self.several), self.cells[key][1])
        base = found.function.__name__ if found.function.__name__.isidentifier() else "function"
        cell, names = self.cells.get(key, (None, frozenset()))
        if cell is None:
            made = self.tangent(unit, values, {}, way)
            names = made.paired
        function = cell if cell is not None else made.function
        if standing is not None:
            function = self._noting(function, standing, unit.program.params.names, names)
        return Callee(ctx.cell(f"{base}_tangent", function), names)

    def _noting(self, function: Any, standing: Standing, params: Sequence[str], names: frozenset[str]) -> Any:
        """A tangent function of what is under a cache, or of what stands for that, which notes what it gives;
        one that is still being written is known by its cell."""
        under, places, depth, asks = standing
        standing = under, in_pairs(places, params, names.__contains__), depth, asks
        again = not self.derivation.way.identity
        if type(function) is not CellType:
            return standing_for(function, standing, again=again)
        made = standing_for(lambda *args: function.cell_contents(*args), standing, again=again)
        self.noting.append((made, function))
        return made

    def take_back(self) -> None:
        """Forget what was written, which may call what was not."""
        for unit, key in self.made:
            unit.tangents.pop(key, None)


def _text(function: Any) -> Text:
    return replace(render([function]), made=positions([function]))


def _by_users_rule(ctx: Context, found: Direct, unit: Unit, written: bool) -> Callee:
    """What calls the pullback of a rule of the user's in place of a tangent function, where what varies are
    numbers and arrays."""
    params, rule = unit.program.params, unit.ruled
    assert rule is not None
    if rule.pushed is not None:
        return Callee(ctx.cell(rule.pushed.__name__, rule.pushed), rule.moving)
    varying = [value for value in (*found.values, found.result) if value.active]
    plain = not (params.vararg or params.kwarg or params.keyword_only or rule.receives or rule.always)
    if not plain or written or not all(is_numeric(value.kind) for value in varying):
        raise NotPushed(f"'{unit.source.name}' has a rule of the user's, which is one for cotangents")
    active = [value.active for value in found.values]
    tangent = tangent_by_users_rule(rule.stand_in, active)
    names = frozenset(name for name, moves in zip(params.names, active, strict=True) if moves)
    base = unit.source.name if unit.source.name.isidentifier() else "rule"
    return Callee(ctx.cell(f"{base}_tangent", tangent), names)


def _placed(found: NotPushed, unit: Unit) -> NotPushed:
    """The refusal with its place in the user's file."""
    if isinstance(found.loc, core.Loc):
        place = locate(unit.source.filename, found.loc.line, found.loc.column, unit.source.name)
        return NotPushed(found.why, place)  # type: ignore[arg-type]
    return found


def _has_numbers(facts: Facts, names: frozenset[str]) -> bool:
    """Whether any of these variables holds a number that varies."""
    return any(
        name in names and value.active and is_scalar(value.kind)
        for table in (facts.values, facts.results)
        for (_, name), value in table.items()
    )


SEVERAL = "several"
"""Marks the tangent functions of several directions among those of a unit."""

HANDED_OVER = "handed over"
"""Marks those that write to the cotangents that they are handed over."""


def tangent_of(
    unit: Unit,
    values: Sequence[Value],
    cells: Mapping[str, Any],
    *,
    several: bool = False,
    way: Way = PLAIN,
) -> Tangent | Refused:
    """The tangent function of a unit for these abstract arguments, or why there is none; with `several` that
    of several directions at once. It is one for what varies and is stored elsewhere if the way says so."""
    return with_room(lambda: _tangent_of(unit, tuple(values), cells, several, way))


def _tangent_of(
    unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], several: bool, way: Way
) -> Tangent | Refused:
    rules.load()
    own = key_of(unit, values, way)
    key: Any = (SEVERAL, own) if several else own
    with LOCK:
        known: Any = unit.tangents.get(key)
        if known is not None and known.checks.hold():
            found: Tangent | Refused = known
            return found
        made = (
            _stored_elsewhere(unit, values, cells)
            if way.everywhere
            else _in_some_way(unit, values, cells, several)
        )
        unit.tangents[key] = made
        return made


def _in_some_way(
    unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], several: bool
) -> Tangent | Refused:
    """The tangent function in the plain way, else in the one by identity. What adjoints are handed over is
    copied for them where what they write to could not be followed."""
    if unit.generated:
        with suppress(NeedsMore):
            made = _derived(unit, values, cells, several, PLAIN, copied=False)
            if isinstance(made, Tangent) and not made.elsewhere:
                return made
    try:
        return _derived(unit, values, cells, several, PLAIN)
    except NeedsMore as found:
        way = found.way
    if way.identity and not several:  # where more of what happens is known, nothing more may be needed
        for other in (IDENTITY, GUARDED, GUARDED._replace(changing=True)):
            with suppress(NeedsMore):
                return _derived(unit, values, cells, several, other)
    return Refused("what others can reach changes", None, _as_long_as(unit, declare.REGISTRY.state))


def _stored_elsewhere(unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]) -> Tangent | Refused:
    """The tangent function of a program that stores what varies where others find it."""
    way = EVERYWHERE
    for _ in range(REPLACED):
        try:
            return _derived(unit, values, cells, False, way)
        except NeedsMore as found:
            way = more(way, found.way)
    return Refused("what others can reach changes", None, _as_long_as(unit, declare.REGISTRY.state))


REPLACED = 5
"""How often a program is looked at again that turns out to bind more of the names that it calls."""

EVERYWHERE = Way(identity=True, everywhere=True)
"""What varies may be stored where others find it, and is found there: tangents are found by place."""

IDENTITY = Way(identity=True)
"""Things that can be changed may be changed by any name; each has one tangent, by whatever name."""

GUARDED = IDENTITY._replace(guarded=True)
"""The same of a program that calls what may store where others find it: that has no tangent function then."""


def _derived(
    unit: Unit,
    values: tuple[Value, ...],
    cells: Mapping[str, Any],
    several: bool,
    way: Way,
    copied: bool = True,
) -> Tangent | Refused:
    """The tangent function in one way.

    Raises NeedsMore where the program has to be looked at in another.
    """
    pushing = _Pushing(Derivation(way, forward=True, copied=copied), several)
    place: Any = None
    try:
        return pushing.tangent(unit, values, cells, way)
    except NotPushed as found:
        pushing.take_back()
        why, place = found.why, found.loc
    except (ZygpyError, SourceNotFoundError) as error:
        pushing.take_back()
        why = str(error)
    except NeedsMore:
        pushing.take_back()
        raise
    return Refused(why, place, _as_long_as(unit, pushing.derivation.state))


def _as_long_as(unit: Unit, state: declare.State) -> Checks:
    """That no rules are declared, and that what the unit names by global names is the same."""
    namespace = unit.source.globals
    names = unit.code.co_names if unit.code is not None else ()
    named = [Guard(namespace, name, namespace[name]) for name in names if is_stable(namespace.get(name))]
    return arrange([_state_guard(state), *named])


def _state_guard(state: declare.State) -> Guard:
    """Holds as long as no rules are declared."""
    return Guard(vars(declare.REGISTRY), "state", state)


def goes_through_doors(function: FunctionType, met: set[Any]) -> bool:
    """Whether a tangent function, or one that it calls by name, calls a door."""
    code = function.__code__
    names = {*code.co_names, *code.co_freevars}
    if any(name.startswith("pushed_") for name in names):
        return True
    met.add(code)
    outside = {**function.__globals__, **bound_names(function)}
    callees = [outside.get(name) for name in sorted(names) if "_tangent" in name]
    for callee in callees:
        if not isinstance(callee, FunctionType):
            return True
        if callee.__code__ not in met and goes_through_doors(callee, met):
            return True
    return False
