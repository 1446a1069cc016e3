"""The stages in order: function -> source -> tree -> core -> facts -> pair -> text -> functions."""

from __future__ import annotations

import ast
import builtins
import functools
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from zygpy import ruled, rules
from zygpy.analyse.callees import Callees
from zygpy.analyse.classes import classes_of
from zygpy.analyse.equal_reads import merge_equal_reads
from zygpy.analyse.facts import Direct, Dynamic, Facts, Guard, Summary
from zygpy.analyse.fields import argument_kind
from zygpy.analyse.interpret import interpret
from zygpy.analyse.machinery import is_closed, is_followed, is_own, serves_all_kinds
from zygpy.analyse.paths import Scope
from zygpy.analyse.values import OUTSIDE, Value, make, parameter_site, reachable
from zygpy.analyse.walks import with_walks
from zygpy.errors import (
    MissingRuleError,
    SourceNotFoundError,
    UnsupportedSyntaxError,
    ZygpyError,
    missing_rule,
)
from zygpy.ir import core
from zygpy.ir.access import assigned
from zygpy.ir.kinds import (
    NEVER,
    UNKNOWN,
    Closure,
    Kind,
    Known,
    Object,
    Tuple,
    carries_gradient,
    is_generated,
    kind_of,
)
from zygpy.ir.nodes import names_in, stamped
from zygpy.ir.source import Source
from zygpy.ir.text import Text
from zygpy.layout import Layout, plain
from zygpy.load.code import Origin, load
from zygpy.load.guards import Checks, arrange
from zygpy.load.signatures import signature_of
from zygpy.load.spaces import bound_names
from zygpy.normalise import normalise
from zygpy.normalise.endings import with_endings
from zygpy.normalise.imports import with_imports_done
from zygpy.normalise.labels import with_labels
from zygpy.parse import parse
from zygpy.render import render
from zygpy.rules import declare
from zygpy.rules.custom import LABELLED, RULE, Custom, Undecided, chosen, is_opted_out, of_attribute
from zygpy.runtime import helpers as runtime_helpers
from zygpy.runtime.attempts import LEAVING_TRACES
from zygpy.runtime.levels import marks_of
from zygpy.runtime.stack import with_room
from zygpy.runtime.ways import PLAIN, Way
from zygpy.simplify import simplify
from zygpy.source import find_source
from zygpy.source.initialisers import written_initialiser
from zygpy.transform.array_writes import as_stores
from zygpy.transform.attempts import catching, split_attempts
from zygpy.transform.context import Callee, Context
from zygpy.transform.flatten import flatten
from zygpy.transform.lift import lift
from zygpy.transform.pair import Surroundings, Trees, transform


@dataclass(frozen=True, eq=False)
class Options:
    """Switches of the derivation (for tests): without `specialise` kinds are not used, without
    `simplify` the text is left as the transformation wrote it. Compared by identity, as part of keys."""

    specialise: bool = True
    simplify: bool = True


_same_options = functools.cache(Options)
DEFAULT = _same_options(True, True)
_options: ContextVar[Options] = ContextVar("zygpy_options", default=DEFAULT)


@contextmanager
def options(*, specialise: bool = True, simplify: bool = True) -> Iterator[None]:
    """Derive differently inside this context."""
    token = _options.set(_same_options(specialise, simplify))
    try:
        yield
    finally:
        _options.reset(token)


def present_options() -> Options:
    """How is derived here."""
    return _options.get()


# --------------------------------------------------------------------------------------- programs

HELPERS: Mapping[str, Any] = {**vars(runtime_helpers), "np": np}
"""What paths of the scope "helper" begin with."""


@dataclass(eq=False)
class Unit:
    """One function as the pipeline knows it: a way to its program, and its derivations so far."""

    source: Source
    captured: tuple[str, ...]
    primitive: bool = False
    writes: bool = False  # a primitive that may write to an argument
    reverses: bool = False  # a generated adjoint, or what calls one: its first parameter is the stash
    generated: bool = False  # written by zygpy
    given: core.Function | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)
    pairs: dict[Any, Pair] = field(default_factory=dict)
    found: dict[Any, Pair] = field(default_factory=dict)  # by signature, to be found quickly
    code: CodeType | None = None
    ruled: Custom | None = None  # what stands for it is declared by a user
    followed: bool = False  # of zygpy's own, when what it does is differentiated once more
    steps: bool = False  # an iterator's `__next__`, which returns where it would raise StopIteration
    _program: core.Function | None = None

    @functools.cached_property
    def arity(self) -> int:
        """The number of arguments of a call that needs no arranging; -1 if every call needs it."""
        params = self.program.params
        if params.vararg or params.kwarg or params.keyword_only:
            return -1
        return len(params.positional_only + params.positional)

    @functools.cached_property
    def layout(self) -> Layout:
        """Where the cotangents are of the arguments of a call that needs no arranging."""
        return plain(self.captured, self.arity)

    @property
    def program(self) -> core.Function:
        """The program in the core language, with paths and captured variables as they stand."""
        if self.given is not None:
            return self.given
        if self._program is None:
            self._program = with_room(self._make_program)
        return self._program

    def _make_program(self) -> core.Function:
        owner = self.source.owner or None
        tree: Any = parse(self.source)
        if self.steps:
            tree = with_endings(tree)
        tree, modules = with_imports_done(tree, self.source.globals)
        self.fixed = {**modules, **self.fixed}
        known = self.callees
        tree = with_labels(tree, known.is_labelled) if LABELLED else tree
        program = normalise(
            tree, self.captured, self.source.rebound, owner, known.is_harmless, known.is_quiet
        )
        flat = flatten(program)
        return catching(flat) if flat.generator else flat

    @property
    def callees(self) -> Callees:
        """What is known of the functions that the program calls by name."""
        return Callees(Scope(self.source.globals, {}, HELPERS, self.fixed))


@dataclass(frozen=True, eq=False)
class Pair:
    """A derived function: the pair as callables, as text, and what callers must know."""

    forward: FunctionType
    adjoint: FunctionType
    text: Text
    program: core.Function
    slots: tuple[str, ...]
    writes: tuple[str, ...]
    checks: Checks
    result: Value
    carries: bool = False
    identity: bool = False
    changes: tuple[str, ...] = ()
    primitive: bool = False
    followed: bool = False
    always: bool = False
    single: int | None = None  # the place of the only cotangent, if the adjoint returns no tuple
    companions: dict[Any, Any] = field(default_factory=dict)


Key = tuple[Any, ...]


def key_of(unit: Unit, values: Sequence[Value], way: Way) -> Key:
    """What a derivation depends on, apart from guards."""
    return (id(unit), tuple((value.kind, value.active) for value in values), way, _options.get())


UNITS_KEPT, PAIRS_KEPT, WIDENED_KEPT, SIGNATURES_KEPT = 4096, 64, 512, 256
_units: dict[Key, Unit] = {}
_lock = threading.RLock()


def unit_of(function: FunctionType) -> Unit:
    """The unit of a Python function, found by its code and globals.

    Raises SourceNotFoundError where there is no source.
    """
    code = function.__code__
    unit = _units.get((id(code), id(function.__globals__)))
    if unit is not None and unit.code is code:
        return unit
    return with_room(lambda: _keep((id(code), id(function.__globals__)), _new_unit(function)))


def catching_unit(unit: Unit) -> Unit:
    """The unit of the same function with its exceptions as values."""
    key = (id(unit), "catching")
    known = _units.get(key)
    if known is not None:
        return known
    made = replace(unit, given=catching(unit.program), pairs={}, found={}, steps=False, _program=None)
    return _keep(key, made)


def step_unit(function: FunctionType) -> Unit:
    """The unit of an iterator's `__next__` that returns whether there is an item, and the item."""
    plain = unit_of(function)
    key = ("step", id(plain))
    unit = _units.get(key)
    if unit is not None and unit.code is plain.code:
        return unit
    return _keep(
        key, Unit(plain.source, plain.captured, code=plain.code, followed=plain.followed, steps=True)
    )


def _new_unit(function: FunctionType) -> Unit:
    code = function.__code__
    if hasattr(function, RULE):
        return _ruled_unit(getattr(function, RULE))
    with _lock:  # Python 3.11 may fail to build two syntax trees at once
        found = find_source(function)
    source = replace(found, function=None, cells={})  # the user's data are not kept alive
    if not is_generated(function):
        return Unit(source, code.co_freevars, code=code, followed=serves_all_kinds(function))
    reverses = function.__name__.endswith(("_adjoint", "_back"))
    return Unit(source, (), reverses=reverses, generated=True, fixed=bound_names(function), code=code)


def _ruled_unit(rule: Custom) -> Unit:
    place, name = rule.place, rule.stand_in.__name__
    source = Source(None, name, place.filename, place.line, 0, "", rule.rule.__globals__, {})
    return Unit(source, (), ruled=rule, given=ruled.program_of(rule), code=rule.stand_in.__code__)


def _keep(key: Key, unit: Unit) -> Unit:
    """Enter a unit unless another thread was first."""
    with _lock:
        known = _units.get(key)
        if known is not None and known.code is unit.code:
            return known
        while len(_units) >= UNITS_KEPT:
            _units.pop(next(iter(_units)))
        _units[key] = unit
        return unit


AT_HAND: dict[tuple[Any, ...], Pair] = {}
"""The pairs of operators on plain numbers, by the operator, the options and the types."""


def forget() -> None:
    """Drop every unit and so every derivation."""
    with _lock:
        _units.clear()
        AT_HAND.clear()


def primitive_unit(
    key: Key,
    name: str,
    params: tuple[str, ...],
    op: core.Op,
    names: dict[str, Any],
    *,
    writes: bool = False,
) -> Unit:
    """The unit of one operation on its arguments, such as `np.sum(x, axis=axis)`."""
    unit = _units.get(key)
    if unit is None:
        here = core.Loc(1, 0)
        body = (core.Assign("y", op, here), core.Return(core.Var("y"), here))
        program = core.Function(name, core.Params(params), body)
        names = {"__builtins__": builtins, **names}  # some functions of NumPy import what they need
        source = Source(None, name, f"<primitive {name}>", 1, 0, "", names, {})
        unit = _keep(key, Unit(source, (), primitive=True, writes=writes, given=program))
    return unit


# ------------------------------------------------------------------------------------- derivations


def values_of(kinds: Sequence[Kind]) -> tuple[Value, ...]:
    """Abstract arguments of these kinds; without specialisation nothing but callables is known."""
    if not _options.get().specialise:
        return tuple(_forgotten(kind) for kind in kinds)
    return tuple(Value(kind, carries_gradient(kind)) for kind in kinds)


def _forgotten(kind: Kind) -> Value:
    known = kind if isinstance(kind, Known) or kind == Closure(True) else UNKNOWN
    return Value(known, carries_gradient(kind))


def derive(unit: Unit, values: Sequence[Value], cells: Mapping[str, Any], *, way: Way = PLAIN) -> Pair:
    """The pair of a unit for these abstract arguments; `cells` are those of the function at hand."""
    return with_room(lambda: _derive(unit, tuple(values), cells, way))


def _derive(unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], way: Way) -> Pair:
    rules.load()
    asked = key_of(unit, values, way)
    with _lock:
        while True:
            try:
                pair = _Derivation(way, unit.followed).pair(unit, values, cells, way)
                break
            except NeedsMore as found:
                way = found.way
        unit.pairs[asked] = pair
        return pair


class NeedsMore(Exception):
    """A derivation that has to be done in another way, because of what a program does."""

    def __init__(self, way: Way) -> None:
        super().__init__(way)
        self.way = way


def _more(way: Way, needs: Way) -> Way:
    """The way that has what both have."""
    both = Way(*(a or b for a, b in zip(way, needs, strict=True)))
    return both._replace(guarded=both.guarded and not both.everywhere)


def pair_at_once(
    function: FunctionType, args: tuple[Any, ...], way: Way
) -> tuple[Pair, tuple[Any, ...], Layout] | None:
    """The pair, its arguments and their layout where the same sort of call was made before; else None."""
    code = function.__code__
    unit = _units.get((id(code), id(function.__globals__)))
    if unit is None or unit.code is not code or unit.arity != len(args):
        return None
    layout = unit.layout
    if unit.captured:
        args = (*captured_values(unit, function), *args)
    pair = unit.found.get((signature_of(args), way, _options.get()))
    return (pair, args, layout) if pair is not None and pair.checks.hold() else None


def captured_values(unit: Unit, function: FunctionType) -> list[Any]:
    """What a closure carries: the values, or where functions rebind a variable, its cell."""
    cells = zip(unit.captured, function.__closure__ or (), strict=True) if unit.captured else ()
    rebound = unit.source.rebound
    return [cell if name in rebound else cell.cell_contents for name, cell in cells]


def pair_for(unit: Unit, values: list[Any], function: Any, way: Way) -> Pair:
    """The pair of a unit for these very arguments."""
    signature = (() if unit.followed else signature_of(values), way, _options.get())
    pair = unit.found.get(signature)
    if pair is None or not pair.checks.hold():
        pair = _find_pair(unit, values, function, way)
        if len(unit.found) >= SIGNATURES_KEPT:
            unit.found.clear()
        unit.found[signature] = pair
    return pair


def _find_pair(unit: Unit, values: list[Any], function: Any, way: Way) -> Pair:
    way = Way(way.copying) if (unit.primitive and not unit.writes) or unit.ruled else way
    if unit.followed:
        return derive(unit, (Value(UNKNOWN, True),) * len(values), {}, way=way)
    kinds = [kind_of(value) if unit.primitive else argument_kind(value) for value in values]
    abstract = values_of(kinds) if not unit.primitive else tuple(Value(k, carries_gradient(k)) for k in kinds)
    key = key_of(unit, abstract, way)
    pair = unit.pairs.get(key)
    if pair is None or not holds(pair):
        if pair is None and not _has_room(unit, PAIRS_KEPT):
            abstract = _widened(unit, kinds)
        names = unit.captured
        cells = dict(zip(names, function.__closure__ or (), strict=True)) if names else {}
        pair = derive(unit, abstract, cells, way=way)
    return pair


def _widened(unit: Unit, kinds: Sequence[Kind]) -> tuple[Value, ...]:
    """Abstract arguments for one pair that serves many kinds: callables alone are told apart, as long as
    there are not too many of them."""
    if _has_room(unit, WIDENED_KEPT):
        return tuple(_forgotten(kind) for kind in kinds)
    return tuple(Value(UNKNOWN, True) for _ in kinds)


def _has_room(unit: Unit, limit: int) -> bool:
    """Whether the unit may get another specialisation; derivations that no longer hold make room."""
    with _lock:
        if len(unit.pairs) >= limit:
            for key in [key for key, pair in unit.pairs.items() if unit.primitive or not holds(pair)]:
                del unit.pairs[key]
        return len(unit.pairs) < limit


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
class _Derivation:
    """One outermost derivation with everything that it reaches."""

    way: Way
    followed: bool = False
    bare: bool = False  # as if users had declared no rules: what a rule itself does, when it is run
    summaries: dict[Key, Summary] = field(default_factory=dict)
    assumed: dict[Key, Summary] = field(default_factory=dict)
    relied: set[Key] = field(default_factory=set)
    tentative: dict[Key, tuple[Summary, frozenset[Key]]] = field(default_factory=dict)
    derived: list[tuple[Unit, Key]] = field(default_factory=list)
    slots: dict[Key, _Slot] = field(default_factory=dict)
    state: declare.State = field(default_factory=lambda: declare.REGISTRY.state)

    @property
    def doors(self) -> Way:
        """The way in which what is found at run time is derived."""
        return self.way._replace(copying=self.way.identity)

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

    def differentiates(self, function: Any) -> bool:
        """Whether a function is an entry point, which differentiates its first argument."""
        return function in OPAQUE

    def summary(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """What a call of the function with these arguments does."""
        return self._summary(unit_of(function), values)

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
            inner = _Derivation(PLAIN, bare=True)._summary(unit_of(rule.rule), given)
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
        return Summary(make(kind, active, sites), guards=guards, always=rule.always)

    def _fixed_point(self, key: Key, unit: Unit, values: tuple[Value, ...]) -> Summary:
        self._assume(key, Summary(Value(NEVER)))
        outer, self.relied = self.relied, set()
        program, scope = self._lifted(unit, {})
        while True:
            self.relied.discard(key)
            _, facts = self._walked(unit, program, scope, values)
            summary = _summary_of(facts)
            if key not in self.relied or _same(summary, self.assumed[key]):
                break
            self._assume(key, summary)
        self._assume(key, None)
        self.relied.discard(key)
        if self.relied:
            self.tentative[key] = (summary, frozenset(self.relied))
        else:
            self.summaries[key] = summary
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
        scope = Scope(unit.source.globals, cells, HELPERS, unit.fixed)
        program = lift(as_stores(unit.program, scope), scope)
        return split_attempts(program, unit.callees.changes_nothing, objects=self.way.identity), scope

    def _walked(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> tuple[core.Function, Facts]:
        """The program with its iterations over objects spelled out, and the facts about it."""
        while True:
            facts = self._interpret(unit, program, scope, values)
            spelled = with_walks(program, facts, checks=not (unit.followed or unit.generated))
            if spelled is program:
                return program, facts
            program = spelled

    def _interpret(
        self, unit: Unit, program: core.Function, scope: Scope, values: tuple[Value, ...]
    ) -> Facts:
        arguments = dict(zip(program.params.names, values, strict=True))
        facts = interpret(program, arguments, scope, self, self.way, apart=unit.reverses)
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
        program, facts = self._settled(unit, values, cells)
        if _more(self.way, facts.needs) != self.way:
            raise NeedsMore(_more(way, facts.needs))
        dynamic = any(isinstance(found, Dynamic) for found in facts.calls.values())
        if unit.primitive and dynamic and not self.way.identity:
            raise _no_rule(unit, values)
        if way.copying:
            facts.written |= _reachable(facts)
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
        origin = Origin(unit.source.filename, unit.source.name)
        filename = f"<zygpy {written.names[0]}>"
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

    def _take_back(self, mark: int) -> None:
        """Forget what was derived since, which may rest on an assumption that did not hold."""
        for unit, key in self.derived[mark:]:
            unit.pairs.pop(key, None)
        del self.derived[mark:]

    def _settled(
        self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]
    ) -> tuple[core.Function, Facts]:
        """Facts at the fixed point of the recursion that the function may be part of."""
        key = key_of(unit, values, self.way._replace(copying=False))
        self._assume(key, Summary(Value(NEVER)))
        original, scope = self._lifted(unit, cells)
        while True:
            self.relied.discard(key)
            program, facts = self._walked(unit, original, scope, values)
            summary = _summary_of(facts)
            if key not in self.relied or _same(summary, self.assumed[key]):
                break
            self._assume(key, summary)
        self._assume(key, None)
        self.relied.discard(key)
        self.summaries[key] = summary
        merged = merge_equal_reads(program, facts)
        if merged is not program:
            facts = self._interpret(unit, merged, scope, values)
        return merged, facts

    def _transform(self, unit: Unit, program: core.Function, facts: Facts, key: Key) -> Trees:
        source = unit.source
        taken = _names_of(program)
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
        values = tuple(Value(value.kind, value.active) for value in found.values)
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
        if _options.get().simplify:
            forward, adjoint = simplify(forward, adjoint)
        text = render([forward, adjoint])
        names = (f"{trees.name}_forward", f"{trees.name}_adjoint")
        origin = Origin(unit.source.filename, unit.source.name)
        mentioned = _names_of(program)
        cells = {**{name: value for name, value in unit.fixed.items() if name in mentioned}, **trees.cells}
        filename = f"<zygpy {names[0]}>"
        live = None if _makes_functions(program) else mentioned.intersection(names_in([forward, adjoint]))
        functions = load(text, names, cells, unit.source.globals, filename, origin, live)
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
        )


def _leaves_traces(unit: Unit, facts: Facts, trees: Trees) -> bool:
    """Whether something may have changed when an exception leaves a forward function."""
    if unit.followed or unit.generated:
        return unit.code in LEAVING_TRACES
    return facts.way.identity or bool(trees.writes or facts.function.cells)


def _no_rule(unit: Unit, values: Sequence[Value]) -> ZygpyError:
    """The error for a primitive on operands that no rule speaks of."""
    name = unit.source.name
    callee = unit.source.globals.get(name)
    if callee is not None and declare.find(callee) is None:
        return missing_rule(callee)
    return no_rule_on(name, [value.kind for value in values])


def no_rule_on(name: str, kinds: Sequence[Kind]) -> ZygpyError:
    """The error for a primitive of this name on operands of these kinds."""
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


def _reachable(facts: Facts) -> frozenset[Any]:
    """What the user can still reach after the forward: arguments, what was stored in them, globals and the
    result."""
    names = facts.function.params.names
    stored = [reachable(facts.exit_value(name).sites) for name in names]
    return frozenset(map(parameter_site, names)).union({OUTSIDE}, reachable(facts.result.sites), *stored)


def _joined(found: tuple[str, ...], assumed: tuple[str, ...]) -> tuple[str, ...]:
    order = ("none", "owned", "sure", "maybe")
    return tuple(max(a, b, key=order.index) for a, b in zip(found, assumed, strict=True))


def _names_of(program: core.Function) -> frozenset[str]:
    names: set[str] = set()
    for statement in core.walk(program.body):
        if isinstance(statement, core.Assign):
            op = statement.op.call if isinstance(statement.op, core.Caught) else statement.op
            path = op.path if isinstance(op, core.Read) else getattr(op, "func", None)
            if isinstance(path, core.Path) and path.scope != "helper":
                names.add(path.names[0])
            if isinstance(op, core.MakeFunction):
                names |= {node.id for node in ast.walk(op.node) if hasattr(node, "id")}
    return frozenset(names)


def _summary_of(facts: Facts) -> Summary:
    writes = frozenset(name for name in facts.written_parameters if facts.exit_value(name).active)
    result, shared = facts.result, frozenset[str]()
    if facts.way.identity:
        shared = frozenset(name for name in facts.function.params.names if _in_store(facts, name))
        if facts.is_shared(result):
            result = result._replace(sites=result.sites | {OUTSIDE})
    refuses = facts.refused or bool(facts.refusals)
    guards = tuple(facts.guards.values())
    exits = tuple((name, facts.exit_value(name).kind) for name in sorted(facts.written_parameters))
    callees = [found.summary for found in facts.calls.values() if isinstance(found, Direct)]
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
    )


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


def _makes_functions(program: core.Function) -> bool:
    """Whether a program makes functions of the user's, whose globals are the user's."""
    statements = [statement for statement in core.walk(program.body) if isinstance(statement, core.Assign)]
    return bool(program.generator) or any(isinstance(item.op, core.MakeFunction) for item in statements)


def _same(a: Summary, b: Summary) -> bool:
    return replace(a, guards=()) == replace(b, guards=())


def defaults_of(function: FunctionType, params: core.Params) -> dict[str, Any]:
    """Default values by parameter."""
    names = params.positional_only + params.positional
    values = function.__defaults__ or ()
    found = dict(zip(names[len(names) - len(values) :], values, strict=True))
    return {**found, **(function.__kwdefaults__ or {})}


# ------------------------------------------------------------------------------------------ guards


def holds(pair: Pair) -> bool:
    """Whether what a derivation depends on is still as it was."""
    return pair.checks.hold()


OPAQUE: set[Any] = set()
"""Functions that are never entered although they have source: the entry points themselves."""

DOORS: dict[tuple[str, Way], Any] = {}
"""The run-time doors by the name that generated code calls them by; `dispatch` fills them in."""
