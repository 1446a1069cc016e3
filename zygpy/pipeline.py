"""The stages in order: function -> source -> tree -> core -> facts -> pair -> text -> functions."""

from __future__ import annotations

import ast
import builtins
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import CellType, FunctionType
from typing import Any

from zygpy.analyse.facts import Direct, Facts, Guard, Summary
from zygpy.analyse.interpret import interpret
from zygpy.analyse.paths import MISSING, Scope
from zygpy.analyse.values import OUTSIDE, Value, parameter_site
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.ir import core
from zygpy.ir.kinds import NEVER, UNKNOWN, Kind, Known, carries_gradient, kind_of
from zygpy.ir.source import Source
from zygpy.ir.text import Text
from zygpy.load.code import Origin, load
from zygpy.normalise import normalise
from zygpy.parse import parse
from zygpy.render import render
from zygpy.runtime import helpers as runtime_helpers
from zygpy.simplify import simplify
from zygpy.source import find_source
from zygpy.transform.context import Callee, Context
from zygpy.transform.flatten import flatten
from zygpy.transform.lift import lift
from zygpy.transform.pair import Surroundings, Trees, transform

__all__ = ["Options", "Pair", "Unit", "derive", "options", "unit_of"]


@dataclass(frozen=True)
class Options:
    """Switches of the derivation (for tests): without `specialise` kinds are not used, without
    `simplify` the text is left as the transformation wrote it."""

    specialise: bool = True
    simplify: bool = True


_options: ContextVar[Options] = ContextVar("zygpy_options", default=Options())


@contextmanager
def options(*, specialise: bool = True, simplify: bool = True) -> Iterator[None]:
    """Derive differently inside this context."""
    token = _options.set(Options(specialise, simplify))
    try:
        yield
    finally:
        _options.reset(token)


# --------------------------------------------------------------------------------------- programs


@dataclass(eq=False)
class Unit:
    """One function as the pipeline knows it: a way to its program, and its derivations so far."""

    source: Source
    captured: tuple[str, ...]
    primitive: bool = False
    fixed: core.Function | None = None
    pairs: dict[Any, Pair] = field(default_factory=dict)
    _program: core.Function | None = None

    @property
    def program(self) -> core.Function:
        """The program in the core language, with paths and captured variables as they stand."""
        if self.fixed is not None:
            return self.fixed
        if self._program is None:
            tree = parse(self.source)
            owner = getattr(self.source, "owner", "") or None
            self._program = flatten(normalise(tree, self.captured, (), owner))  # type: ignore[arg-type]
        return self._program


@dataclass(frozen=True, eq=False)
class Pair:
    """A derived function: the pair as callables, as text, and what callers must know."""

    forward: FunctionType
    adjoint: FunctionType
    text: Text
    program: core.Function
    slots: tuple[str, ...]
    writes: tuple[str, ...]
    guards: tuple[Guard, ...]
    result: Value


Key = tuple[Any, ...]


def key_of(unit: Unit, values: Sequence[Value], copying: bool) -> Key:
    """What a derivation depends on, apart from guards."""
    return (id(unit), tuple((value.kind, value.active) for value in values), copying, _options.get())


UNITS_KEPT = 4096
_units: dict[Key, Unit] = {}
_lock = threading.RLock()


def unit_of(function: FunctionType) -> Unit:
    """The unit of a Python function, found by its code and globals.

    Raises SourceNotFoundError where there is no source.
    """
    key = (id(function.__code__), id(function.__globals__))
    unit = _units.get(key)
    if unit is None or unit.source.function.__code__ is not function.__code__:
        with _lock:
            unit = Unit(find_source(function), function.__code__.co_freevars)
            _keep(key, unit)
    return unit


def _keep(key: Key, unit: Unit) -> None:
    while len(_units) >= UNITS_KEPT:
        _units.pop(next(iter(_units)))
    _units[key] = unit


def forget() -> None:
    """Drop every unit and so every derivation."""
    with _lock:
        _units.clear()


def primitive_unit(key: Key, name: str, params: tuple[str, ...], op: core.Op, names: dict[str, Any]) -> Unit:
    """The unit of one operation on its arguments, such as `np.sum(x, axis=axis)`."""
    unit = _units.get(key)
    if unit is None:
        here = core.Loc(1, 0)
        body = (core.Assign("y", op, here), core.Return(core.Var("y"), here))
        program = core.Function(name, core.Params(params), body)
        source = Source(None, name, f"<primitive {name}>", 1, 0, "", names, {})
        unit = Unit(source, (), True, program)
        _keep(key, unit)
    return unit


# ------------------------------------------------------------------------------------- derivations


def values_of(kinds: Sequence[Kind], *, active: Sequence[bool] | None = None) -> tuple[Value, ...]:
    """Abstract arguments of these kinds; without specialisation nothing but callables is known."""
    if not _options.get().specialise:
        kinds = [kind if isinstance(kind, Known) else UNKNOWN for kind in kinds]
    if active is None:
        return tuple(Value(kind, carries_gradient(kind)) for kind in kinds)
    return tuple(Value(kind, use and carries_gradient(kind)) for kind, use in zip(kinds, active, strict=True))


def derive(unit: Unit, values: Sequence[Value], cells: Mapping[str, Any], *, copying: bool = False) -> Pair:
    """The pair of a unit for these abstract arguments; `cells` are those of the function at hand."""
    with _lock:
        return _Derivation().pair(unit, tuple(values), cells, copying)


@dataclass(eq=False)
class _Slot:
    """A derivation in progress: where its functions will be, and what is assumed of them."""

    forward: CellType
    adjoint: CellType
    slots: tuple[str, ...]
    used: bool = False


@dataclass
class _Derivation:
    """One outermost derivation with everything that it reaches."""

    summaries: dict[Key, Summary] = field(default_factory=dict)
    assumed: dict[Key, Summary] = field(default_factory=dict)
    relied: set[Key] = field(default_factory=set)
    slots: dict[Key, _Slot] = field(default_factory=dict)
    analysed: dict[Key, tuple[core.Function, Facts]] = field(default_factory=dict)

    # -- the oracle of the interpretation

    def parameters(self, function: Any) -> tuple[core.Params, Mapping[str, Any]] | None:
        """Parameters and defaults of a function whose source can be had."""
        if function in OPAQUE:
            return None
        try:
            program = unit_of(function).program
        except (SourceNotFoundError, ZygpyError, SyntaxError):
            return None
        return program.params, defaults_of(function, program.params)

    def summary(self, function: Any, values: tuple[Value, ...]) -> Summary | None:
        """What a call of the function with these arguments does."""
        return self._summary(unit_of(function), values)

    def _summary(self, unit: Unit, values: tuple[Value, ...]) -> Summary:
        key = key_of(unit, values, False)
        if key in self.summaries:
            return self.summaries[key]
        if key in self.assumed:
            self.relied.add(key)
            return self.assumed[key]
        return self._fixed_point(key, unit, values)

    def _fixed_point(self, key: Key, unit: Unit, values: tuple[Value, ...]) -> Summary:
        self.assumed[key] = Summary(Value(NEVER))
        outer, self.relied = self.relied, set()
        while True:
            self.relied.discard(key)
            _, facts = self._interpret(unit, values, {})
            summary = _summary_of(facts)
            if key not in self.relied or _same(summary, self.assumed[key]):
                break
            self.assumed[key] = summary
        del self.assumed[key]
        self.relied.discard(key)
        if not self.relied:
            self.summaries[key] = summary
        self.relied |= outer
        return summary

    def _interpret(
        self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]
    ) -> tuple[core.Function, Facts]:
        scope = Scope(unit.source.globals, cells, vars(runtime_helpers))
        program = lift(unit.program, scope)
        arguments = dict(zip(program.params.names, values, strict=True))
        return program, interpret(program, arguments, scope, self)

    # -- pairs

    def pair(self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any], copying: bool) -> Pair:
        """The pair, derived if it is not there yet."""
        key = key_of(unit, values, copying)
        known = unit.pairs.get(key)
        if known is not None and holds(known):
            return known
        program, facts = self._settled(unit, values, cells)
        if copying:
            facts.written |= _reachable(facts, values)
        slot = _Slot(CellType(), CellType(), ("none",) * len(values))
        self.slots[key] = slot
        trees = self._transform(unit, program, facts, key)
        while slot.used and _joined(trees.slots, slot.slots) != slot.slots:
            slot.slots = _joined(trees.slots, slot.slots)
            trees = self._transform(unit, program, facts, key)
        pair = self._load(unit, program, facts, trees, slot)
        unit.pairs[key] = pair
        del self.slots[key]
        return pair

    def _settled(
        self, unit: Unit, values: tuple[Value, ...], cells: Mapping[str, Any]
    ) -> tuple[core.Function, Facts]:
        """Facts at the fixed point of the recursion that the function may be part of."""
        key = key_of(unit, values, False)
        self.assumed[key] = Summary(Value(NEVER))
        while True:
            program, facts = self._interpret(unit, values, cells)
            summary = _summary_of(facts)
            if _same(summary, self.assumed[key]):
                break
            self.assumed[key] = summary
        del self.assumed[key]
        self.summaries[key] = summary
        return program, facts

    def _transform(self, unit: Unit, program: core.Function, facts: Facts, key: Key) -> Trees:
        source = unit.source
        taken = frozenset(source.globals) & _names_of(program) | _names_of(program)
        surroundings = Surroundings(
            lambda ctx, found: self._callee(ctx, found, key),
            lambda ctx, door: ctx.cell(door, DOORS[door]),
            source.filename,
            source.globals,
            taken,
        )
        return transform(program, facts, surroundings)

    def _callee(self, ctx: Context, found: Direct, own: Key) -> Callee:
        unit = unit_of(found.function)
        values = tuple(Value(value.kind, value.active) for value in found.values)
        copying = any(ctx.facts.is_written(value) for value in found.values)
        key = key_of(unit, values, copying)
        base = found.function.__name__ if found.function.__name__.isidentifier() else "function"
        if key in self.slots:
            slot = self.slots[key]
            slot.used = True
            if key == own:
                names = (f"{base}_forward", f"{base}_adjoint")
            else:
                names = (ctx.cell(f"{base}_forward", slot.forward), ctx.cell(f"{base}_adjoint", slot.adjoint))
            writes = tuple(sorted(found.summary.writes))
            return Callee(*names, slot.slots, writes, found.summary.result.active)
        pair = self.pair(unit, values, {}, copying)
        names = (ctx.cell(f"{base}_forward", pair.forward), ctx.cell(f"{base}_adjoint", pair.adjoint))
        return Callee(*names, pair.slots, pair.writes, pair.result.active)

    def _load(self, unit: Unit, program: core.Function, facts: Facts, trees: Trees, slot: _Slot) -> Pair:
        forward, adjoint = trees.forward, trees.adjoint
        if _options.get().simplify:
            forward, adjoint = simplify(forward, adjoint)
        text = render([forward, adjoint])
        names = (f"{trees.name}_forward", f"{trees.name}_adjoint")
        origin = Origin(unit.source.filename, unit.source.name)
        functions = load(text, names, trees.cells, unit.source.globals, f"<zygpy {names[0]}>", origin)
        slot.forward.cell_contents = functions[names[0]]
        slot.adjoint.cell_contents = functions[names[1]]
        guards = tuple(facts.guards.values())
        return Pair(
            functions[names[0]],
            functions[names[1]],
            text,
            program,
            trees.slots,
            trees.writes,
            guards,
            facts.result,
        )


def _reachable(facts: Facts, values: Sequence[Value]) -> frozenset[Any]:
    """What the user can still reach after the forward: arguments, globals and the result."""
    sites = {parameter_site(name) for name in facts.function.params.names}
    return frozenset(sites) | {OUTSIDE} | facts.result.sites


def _joined(found: tuple[str, ...], assumed: tuple[str, ...]) -> tuple[str, ...]:
    order = ("none", "sure", "maybe")
    return tuple(max(a, b, key=order.index) for a, b in zip(found, assumed, strict=True))


def _names_of(program: core.Function) -> frozenset[str]:
    names: set[str] = set()
    for statement in core.walk(program.body):
        if isinstance(statement, core.Assign):
            op = statement.op
            path = op.path if isinstance(op, core.Read) else getattr(op, "func", None)
            if isinstance(path, core.Path):
                names.add(path.names[0])
            if isinstance(op, core.MakeFunction):
                names |= {node.id for node in ast.walk(op.node) if hasattr(node, "id")}
    return frozenset(names)


def _summary_of(facts: Facts) -> Summary:
    writes = frozenset(name for name in facts.written_parameters if facts.exit_value(name).active)
    return Summary(facts.result, writes, facts.outside, tuple(facts.guards.values()))


def _same(a: Summary, b: Summary) -> bool:
    return a.result == b.result and a.writes == b.writes and a.outside == b.outside


def defaults_of(function: FunctionType, params: core.Params) -> dict[str, Any]:
    """Default values by parameter."""
    names = params.positional_only + params.positional
    values = function.__defaults__ or ()
    found = dict(zip(names[len(names) - len(values) :], values, strict=True))
    return {**found, **(function.__kwdefaults__ or {})}


# ------------------------------------------------------------------------------------------ guards


def holds(pair: Pair) -> bool:
    """Whether what a derivation depends on is still as it was."""
    return all(_guard_holds(guard) for guard in pair.guards)


def _guard_holds(guard: Guard) -> bool:
    owner = guard.owner
    if isinstance(owner, dict):
        found = owner.get(guard.name, MISSING)
        if found is MISSING:
            found = getattr(builtins, guard.name, MISSING)
    else:
        found = getattr(owner, guard.name, MISSING)
    if guard.kind is None:
        return found is guard.value
    return found is not MISSING and kind_of(found) == guard.kind


OPAQUE: set[Any] = set()
"""Functions that are never entered although they have source: the entry points themselves."""

DOORS: dict[str, Any] = {}
"""The run-time doors by the name that generated code calls them by; `dispatch` fills them in."""
