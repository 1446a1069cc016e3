"""Forward mode: tangent functions of units, derived, cached and guarded as pairs are, and calls of them."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from zygpy import dispatch, rules
from zygpy.analyse.facts import Direct, Dynamic, Facts, Guard
from zygpy.analyse.fields import argument_kind
from zygpy.analyse.values import Value
from zygpy.derivation import (
    Derivation,
    NeedsMore,
    defaults_of,
    makes_functions,
    more,
    names_of,
    what_is_reachable,
)
from zygpy.errors import (
    Place,
    SourceNotFoundError,
    UnsupportedSyntaxError,
    ZygpyError,
    dotted_name,
    locate,
)
from zygpy.ir import core
from zygpy.ir.kinds import Unknown, is_numeric, is_real, is_scalar
from zygpy.ir.nodes import names_in
from zygpy.ir.text import Text
from zygpy.layout import plain
from zygpy.load.code import Origin, annotate, load
from zygpy.load.guards import Checks, arrange, together
from zygpy.load.signatures import signature_of
from zygpy.load.spaces import bound_names
from zygpy.merged import SEEDS, merged_gradient
from zygpy.nested import gradient_function
from zygpy.pipeline import values_of
from zygpy.pushed import doors, tangent_by_users_rule
from zygpy.render import render
from zygpy.rules import declare
from zygpy.rules.custom import is_ruled
from zygpy.runtime.levels import is_deeper, marks_of
from zygpy.runtime.stack import with_room
from zygpy.runtime.tangents import direction_of, is_tangent_each, zeros_each
from zygpy.runtime.unknown_derivatives import UnknownCotangent
from zygpy.runtime.ways import PLAIN, Way
from zygpy.runtime.zeros import CannotPush, zero_tangent
from zygpy.tangent.bands import Band, Bands, Count, Number, Vector, bands_of
from zygpy.tangent.paired import paired
from zygpy.tangent.slopes import Asked
from zygpy.tangent.state import Callee, NotPushed
from zygpy.tangent.write import Surroundings, name_of, write
from zygpy.transform.context import Context
from zygpy.units import LOCK, Key, Unit, captured_values, key_of, present_options, unit_of


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

    @functools.cached_property
    def places(self) -> tuple[bool, ...]:
        """Of each parameter whether its tangent is behind it."""
        return tuple([name in self.paired for name in self.program.params.names])

    @functools.cached_property
    def gives_numbers(self) -> bool:
        """Whether what is returned may be a number or an array."""
        return is_numeric(self.result.kind) or isinstance(self.result.kind, Unknown)

    @functools.cached_property
    def gives_a_number(self) -> bool:
        """Whether what is returned is a number."""
        return is_scalar(self.result.kind)

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

    def tangent(self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], way: Way) -> Tangent:
        """The tangent function, written if it is not there yet."""
        key = key_of(unit, values, way)
        kept = (SEVERAL, key) if self.several else key
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
        if facts.outside:
            raise NotPushed("a change of what others can reach")
        if way.copying:
            facts.written |= what_is_reachable(facts)
        for statement in core.walk(program.body):
            found = facts.calls.get(id(statement))
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
            {**source.globals, **unit.fixed},
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
        text = render([tree.function])
        mentioned = names_of(program)
        cells = {**{name: value for name, value in unit.fixed.items() if name in mentioned}, **tree.cells}
        live = None if makes_functions(program) else mentioned.intersection(names_in(tree.function))
        origin = Origin(source.filename, source.name)
        loaded = load(text, [tree.name], cells, source.globals, f"<zygpy {tree.name}>", origin, live)
        function = loaded[tree.name]
        cell.cell_contents = function
        for marks in marks_of(unit.code):
            marks.add(function.__code__)
        state = _state_guard(self.derivation.state)
        checks = arrange([state, *facts.guards.values()])
        writes = bool(facts.written_parameters)
        own = names & set(program.params.names)
        return Tangent(function, text, program, own, writes, checks, facts.result, _has_numbers(facts, names))

    def _callee(self, ctx: Context, found: Direct, own: Key) -> Callee:
        unit = unit_of(found.function)
        values = tuple(Value(value.kind, value.active) for value in found.values)
        written = any(ctx.facts.is_written(value) for value in (*found.values, found.result))
        if unit.ruled is not None:
            return _by_users_rule(ctx, found, unit, written)
        way = self.derivation.way._replace(copying=written)
        key = key_of(unit, values, way)
        if key == own:
            return Callee(name_of(unit.program, several=self.several), self.cells[key][1])
        base = found.function.__name__ if found.function.__name__.isidentifier() else "function"
        if key in self.cells:
            cell, names = self.cells[key]
            return Callee(ctx.cell(f"{base}_tangent", cell), names)
        made = self.tangent(unit, values, {}, way)
        return Callee(ctx.cell(f"{base}_tangent", made.function), made.paired)

    def take_back(self) -> None:
        """Forget what was written, which may call what was not."""
        for unit, key in self.made:
            unit.tangents.pop(key, None)


def _by_users_rule(ctx: Context, found: Direct, unit: Unit, written: bool) -> Callee:
    """What calls the pullback of a rule of the user's in place of a tangent function, where what varies are
    numbers and arrays."""
    params, rule = unit.program.params, unit.ruled
    assert rule is not None
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


def tangent_of(
    unit: Unit, values: Sequence[Value], cells: Mapping[str, Any], *, several: bool = False
) -> Tangent | Refused:
    """The tangent function of a unit for these abstract arguments, or why there is none; with `several` that
    of several directions at once."""
    return with_room(lambda: _tangent_of(unit, tuple(values), cells, several))


def _tangent_of(
    unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], several: bool
) -> Tangent | Refused:
    rules.load()
    own = key_of(unit, values, PLAIN)
    key: Any = (SEVERAL, own) if several else own
    with LOCK:
        known: Any = unit.tangents.get(key)
        if known is not None and known.checks.hold():
            found: Tangent | Refused = known
            return found
        made = _in_some_way(unit, values, cells, several)
        unit.tangents[key] = made
        return made


def _in_some_way(
    unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], several: bool
) -> Tangent | Refused:
    """The tangent function in the plain way, else in the one by identity."""
    try:
        return _derived(unit, values, cells, several, PLAIN)
    except NeedsMore as found:
        way = found.way
    if way == IDENTITY and not several:
        with suppress(NeedsMore):
            return _derived(unit, values, cells, several, IDENTITY)
    return Refused("what others can reach changes", None, arrange([_state_guard(declare.REGISTRY.state)]))


IDENTITY = Way(identity=True)
"""Things that can be changed may be changed by any name; each has one tangent, by whatever name."""


def _derived(
    unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], several: bool, way: Way
) -> Tangent | Refused:
    """The tangent function in one way.

    Raises NeedsMore where the program has to be looked at in another.
    """
    pushing = _Pushing(Derivation(way), several)
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
    return Refused(why, place, arrange([_state_guard(pushing.derivation.state)]))


def _state_guard(state: declare.State) -> Guard:
    """Holds as long as no rules are declared."""
    return Guard(vars(declare.REGISTRY), "state", state)


# -------------------------------------------------------------------------------------------- calls


@dataclass(eq=False)
class Push:
    """A call that is ready to be made along any direction: the tangent function, and the arguments as they
    were; `own` are the positions of the user's arguments among the parameters."""

    tangent: Tangent
    values: tuple[Any, ...]
    own: tuple[int, ...]
    found: _Found
    first: int = 0  # where the argument's gradient is in the result, if that is a tuple of gradients

    @property
    def gives_an_array(self) -> bool:
        """Whether what is returned may be an array."""
        return not self.tangent.gives_a_number

    def run(self, tangents: Sequence[Any]) -> tuple[Any, Any]:
        """The value and the tangent along a direction of the user's.

        Raises CannotPush where the tangents are not in the form of the arguments, or that of the value is not
        known, which reverse mode says with its place.
        """
        if len(tangents) != len(self.own):
            raise CannotPush
        dots = [direction_of(dot, self.values[at]) for at, dot in zip(self.own, tangents, strict=True)]
        try:
            y, y_dot = self._along(dots)
        except CannotPush as error:  # so the next call does not begin in vain
            self.tangent.failed.append(error)
            raise
        if UnknownCotangent in map(type, y_dot if isinstance(y_dot, tuple) else (y_dot,)):
            raise CannotPush
        return y, y_dot

    def _along(self, dots: list[Any]) -> tuple[Any, Any]:
        if len(self.values) == 1 and self.tangent.places[0]:
            return called(self.tangent.function, (self.values[0], dots[0]))
        return called(self.tangent.function, self._with_tangents(dict(zip(self.own, dots, strict=True))))

    def several(self) -> Several | None:
        """The same call along several directions at once; None where no such code is written.

        It is asked for right after the call was found, so that what the one rests on still holds.
        """
        beside = self.tangent.beside
        found = beside[0] if beside else self.found.of(self.values, several=True)
        if not isinstance(found, Tangent):
            return None
        if not beside and rests_on_no_more(found.checks, self.tangent.checks):
            beside.append(found)
        return Several(found, self.values, self.own)

    def along(self, directions: Mapping[int, Any]) -> tuple[Any, Any]:
        """The same along tangents in the very form of the arguments, for tangent code that is running: it
        goes no level deeper."""
        return named(self.tangent.function, self._with_tangents(directions))

    def _with_tangents(self, directions: Mapping[int, Any]) -> list[Any]:
        """The arguments, each that is paired with its tangent behind it."""
        args: list[Any] = []
        for place, (is_paired, value) in enumerate(zip(self.tangent.places, self.values, strict=True)):
            args.append(value)
            if is_paired:
                args.append(directions[place] if place in directions else zero_tangent(value))
        return args

    def at(self, values: tuple[Any, ...]) -> Push:
        """The same with other arguments of the same kinds."""
        return Push(self.tangent, values, self.own, self.found, self.first)


def rests_on_no_more(checks: Checks, others: Checks) -> bool:
    """Whether some conditions are among others."""
    entries = {(id(owner), name, id(value)) for owner, name, value in (*others.entries, *others.attributes)}
    guards = kind_guards(others)
    return all(
        (id(owner), name, id(value)) in entries
        for owner, name, value in (*checks.entries, *checks.attributes)
    ) and all(any(_is_same(guard, other) for other in guards) for guard in kind_guards(checks))


def kind_guards(checks: Checks) -> list[Guard]:
    """Those of the conditions that are not compared by identity alone."""
    found = [*checks.others, *[guard for *_, guard in checks.numbers]]
    return found + [guard for *_, guard in checks.arrays]


def _is_same(guard: Guard, other: Guard) -> bool:
    """Whether two conditions are one."""
    same = guard.owner is other.owner and guard.name == other.name
    return same and guard.value is other.value and guard.kind == other.kind


@dataclass(eq=False)
class Several:
    """A call that is ready to be made along several directions at once."""

    tangent: Tangent
    values: tuple[Any, ...]
    own: tuple[int, ...]

    @property
    def has_numbers(self) -> bool:
        """Whether it computes with numbers one by one, which several directions make slower than arrays."""
        return self.tangent.numbers

    @property
    def bands(self) -> Bands | None:
        """The bands of what is returned, if they are known: by the only argument, beside numbers."""
        found = self.tangent.bands
        if found is None or len(self.own) != 1 or not self.tangent.places[self.own[0]]:
            return None
        if len(self.values) == 1:
            return found
        others = [value for place, value in enumerate(self.values) if place != self.own[0]]
        return found if all(type(value) in (int, float) for value in others) else None

    def run(self, count: int, directions: Sequence[Any]) -> tuple[Any, Any]:
        """The value and its tangents; each direction has one axis more than its argument, the first.

        Raises CannotPush where that cannot be done.
        """
        if len(self.values) == 1 and self.tangent.places[0]:
            args = [self.values[0], directions[0], count]
        else:
            args = self._with_zeros(count, dict(zip(self.own, directions, strict=True)))
        y, y_dot = called(self.tangent.function, args)
        if not is_tangent_each(y_dot, y, count):
            raise CannotPush
        return y, y_dot

    def _with_zeros(self, count: int, given: Mapping[int, Any]) -> list[Any]:
        """The arguments with their directions, zeros for those that are not given."""
        args: list[Any] = []
        for place, (is_paired, value) in enumerate(zip(self.tangent.places, self.values, strict=True)):
            args.append(value)
            if is_paired:
                args.append(given[place] if place in given else zeros_each(value, count))
        return [*args, count]


@is_deeper
def called(function: Any, args: Sequence[Any]) -> tuple[Any, Any]:
    """The call of a tangent function, one level deeper; an exception names the user's lines too."""
    try:
        made: tuple[Any, Any] = function(*args)
    except Exception as error:
        annotate(error)
        raise
    return made


def named(function: Any, args: Sequence[Any]) -> tuple[Any, Any]:
    """The same at the present level."""
    try:
        made: tuple[Any, Any] = function(*args)
    except Exception as error:
        annotate(error)
        raise
    return made


def push_of(
    function: Any, args: Sequence[Any], *, any_result: bool = False, at_once: bool = False
) -> Push | Refused:
    """The call of a function in forward mode, or why that has no tangent function; with `any_result` also of
    one that returns something else than a number or array. What is called `at_once` sees the arguments
    themselves, else they are kept as they are now."""
    found = _push_of(function, args, at_once)
    if isinstance(found, Push) and not (any_result or found.tangent.gives_numbers):
        return Refused("what it returns is no number or array", None, found.tangent.checks)
    return found


def push_of_primitive(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Push | Refused:
    """The call of a function that has a rule, along its positional and its keyword arguments."""
    given = [as_it_was(value) for value in (*args, *kwargs.values())]
    return push_of_unit(dispatch.unit_of_primitive(function, args, kwargs), None, [], given, [])


def push_of_adjoint(adjoint: FunctionType, stash: Any, y_bar: Any) -> Push | Refused:
    """The call of an adjoint, along its cotangent."""
    return push_of_unit(unit_of(adjoint), adjoint, [stash], [y_bar], [])


WANTED: WeakKeyDictionary[CodeType, int] = WeakKeyDictionary()
"""Which of the cotangents that a merged gradient gives are asked for."""


def gradient_push(function: Any, args: tuple[Any, ...]) -> Push | Refused:
    """The gradient of a function by its first argument in forward mode: of a tuple with that gradient
    at the position `first`, in place of which None may be returned."""
    unit = _unit_of_plain(function)
    key = ("gradient", signature_of(args), present_options())
    known = None if unit is None else _kept_push(unit, key)
    if known is not None:
        return known.at(args)
    found, pair = _gradient_push(function, args)
    if unit is not None and pair is not None and isinstance(found, Push) and len(found.values) == len(args):
        unit.tangents[key] = _Kept(found.at(()), together(pair.checks, found.tangent.checks))
    return found


@dataclass(frozen=True)
class _Kept:
    """What was found for calls with arguments of some kinds, without these, and on what it rests."""

    push: Push
    checks: Checks


def _kept_push(unit: Unit, key: Any) -> Push | None:
    """What was found before, if everything is as it was then."""
    known: Any = unit.tangents.get(key)
    if known is None or not known.checks.hold():
        return None
    push: Push = known.push
    return None if push.tangent.failed else push


def _unit_of_plain(function: Any) -> Unit | None:
    """The unit of a function that carries no values; None of any other."""
    if type(function) is not FunctionType or function.__closure__ or function.__defaults__:
        return None
    if function.__kwdefaults__ or is_ruled(function):
        return None
    try:
        return unit_of(function)
    except (ZygpyError, SyntaxError):  # which is said where it is differentiated
        return None


def _gradient_push(function: Any, args: tuple[Any, ...]) -> tuple[Push | Refused, Any]:
    """The same as `gradient_push`, looked for, and the pair that it is made of."""
    inner = dispatch.prepare_given(function, args, {}, PLAIN)
    if inner is None or inner.pair.identity or inner.pair.writes or inner.pair.carries:
        return Refused("its pair finds things by identity", None, arrange([])), None
    kind, captured = inner.pair.result.kind, len(inner.values) - len(args)
    ordered = plain(("",) * captured, len(args)).arguments
    if not (is_scalar(kind) and is_real(kind)) or inner.layout.arguments != ordered:
        why = "it returns no real number, or is called in a way of its own"
        return Refused(why, None, arrange([])), None
    merged = merged_gradient(inner.pair)
    gradient = gradient_function(inner, 1) if merged is None else merged
    values = list(inner.values)
    if merged is not None and merged.__code__ not in WANTED:
        WANTED[merged.__code__] = captured
    first = 0 if merged is None else captured
    found = push_of_unit(unit_of(gradient), gradient, values[:captured], values[captured:], [], first)
    return found, None if merged is None else inner.pair


def _push_of(function: Any, args: Sequence[Any], at_once: bool) -> Push | Refused:
    unit = _unit_of_plain(function)
    if unit is None:
        return _new_push_of(function, args)
    key = ("push", signature_of(args), present_options())
    known = _kept_push(unit, key)
    if known is not None:
        return known.at(tuple(args if at_once else [as_it_was(arg) for arg in args]))
    found = _new_push_of(function, args)
    if isinstance(found, Push) and len(found.values) == len(args):
        unit.tangents[key] = _Kept(found.at(()), found.tangent.checks)
    return found


def _new_push_of(function: Any, args: Sequence[Any]) -> Push | Refused:
    if not is_ruled(function) and declare.find(function) is not None:
        return push_of_primitive(function, args, {})
    known = function if type(function) is FunctionType else None
    if known is None or known in dispatch.SPECIAL or known in declare.REGISTRY or is_ruled(known):
        return Refused("what is called is no function written in Python", None, arrange([]))
    try:
        unit = unit_of(known)
        rest = rest_of(unit, known, len(args))
    except (ZygpyError, SyntaxError) as error:
        return Refused(str(error), None, arrange([]))
    if isinstance(rest, Refused):
        return rest
    captured = captured_values(unit, known)
    return push_of_unit(unit, known, captured, [as_it_was(arg) for arg in args], rest)


def rest_of(unit: Unit, function: FunctionType, given: int) -> list[Any] | Refused:
    """The default values of the parameters behind so many arguments."""
    params = unit.program.params
    names = params.positional_only + params.positional
    if params.vararg or params.kwarg or params.keyword_only or unit.program.generator:
        return Refused("its parameters are not plain ones", None, arrange([]))
    defaults = defaults_of(function, params)
    rest = [defaults[name] for name in names[given:] if name in defaults]
    if given + len(rest) != len(names):
        return Refused("it is called with too many arguments, or too few", None, arrange([]))
    return rest


def push_of_unit(
    unit: Unit,
    function: FunctionType | None,
    captured: list[Any],
    args: list[Any],
    rest: list[Any],
    first: int = 0,
    active: frozenset[int] = frozenset(),
    changing: bool = False,
) -> Push | Refused:
    values = (*captured, *args, *rest)
    signature = ("call", signature_of(values), len(captured), len(args), active, changing, present_options())
    finding = _Found(unit, function, len(captured), len(args), signature, active, changing)
    found = finding.of(values, several=False)
    if isinstance(found, Refused):
        return found
    own = tuple(range(len(captured), len(captured) + len(args)))
    return Push(found, values, own, finding, first)


@dataclass(frozen=True)
class _Found:
    """Where the tangent functions for calls with values of some kinds are found: first come those that are
    captured, then the arguments, then default values."""

    unit: Unit
    function: FunctionType | None
    captured: int
    given: int
    signature: Any
    active: frozenset[int] = frozenset()  # the positions of what is captured and has a tangent
    changing: bool = False  # whether the function may write to its arguments

    def of(self, values: tuple[Any, ...], *, several: bool) -> Tangent | Refused:
        """The tangent function for one direction, or for several at once."""
        kept, key = self.unit.tangents, (SEVERAL, self.signature) if several else self.signature
        found: Any = kept.get(key)
        if found is None or not found.checks.hold():
            found = self._made(values, several)
            if len(kept) >= TANGENTS_KEPT:
                kept.clear()
            kept[key] = found
        if isinstance(found, Tangent) and found.failed:
            return Refused("something that is only found when it runs", None, found.checks)
        return cast("Tangent | Refused", found)

    def _made(self, values: tuple[Any, ...], several: bool) -> Tangent | Refused:
        """The tangent function, which writes to none of the arguments unless it may."""
        behind = self.captured + self.given
        captured = [argument_kind(value) for value in values[: self.captured]]
        abstract = [Value(kind, place in self.active) for place, kind in enumerate(captured)]
        abstract += values_of([argument_kind(value) for value in values[self.captured : behind]])
        abstract += [Value(argument_kind(value), False) for value in values[behind:]]
        closure = (getattr(self.function, "__closure__", ()) or ()) if self.unit.captured else ()
        cells = dict(zip(self.unit.captured, closure, strict=True))
        found = tangent_of(self.unit, abstract, cells, several=several)
        if isinstance(found, Tangent) and found.writes and not self.changing:
            return Refused("it writes to an argument", None, found.checks)
        return found


TANGENTS_KEPT = 256
"""How many tangent functions, and refusals, a unit keeps."""


def as_it_was(value: Any) -> Any:
    """An argument as it is now, whatever becomes of it.

    >>> x = np.ones(2)
    >>> kept = as_it_was((x, [1.0]))
    >>> x[0] = 5.0
    >>> kept
    (array([1., 1.]), [1.0])
    """
    if type(value) is np.ndarray:
        return np.array(value)
    if type(value) in (tuple, list):
        return type(value)(as_it_was(item) for item in value)
    return {key: as_it_was(item) for key, item in value.items()} if type(value) is dict else value


DOORS = doors(push_of_unit, rest_of)
"""What finds tangents when the code runs, by name."""


def text_of(function: Any, args: Sequence[Any]) -> str:
    """The source of a function's tangent function.

    Raises UnsupportedSyntaxError where it has none.
    """
    found = push_of(function, args)
    if isinstance(found, Push):
        return found.tangent.text.source
    raise UnsupportedSyntaxError(
        f"'{dotted_name(function)}' has no tangent function for these arguments.",
        found.place,
        why=found.why,
        instead="use `pushforward` all the same: it then differentiates the pullback, which gives the same",
    )
