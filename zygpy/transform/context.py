"""The state of one transformation: facts, recorded values, and the cotangents as the walk finds them."""

from __future__ import annotations

import builtins
import cmath
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from zygpy.analyse.facts import ByRule, Direct, Dynamic, Facts, Intrinsic
from zygpy.analyse.machinery import is_own
from zygpy.analyse.values import Value
from zygpy.analyse.versions import Versions
from zygpy.ir import core
from zygpy.ir.access import assigned, operands, read
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import (
    Array,
    Closure,
    Dict,
    Iterator,
    Kind,
    List,
    Number,
    NumberOrArray,
    Object,
    Row,
    Tuple,
    Unknown,
    is_exact,
    is_numeric,
    is_real,
    is_scalar,
    may_hold_functions,
)
from zygpy.ir.names import Names
from zygpy.ir.nodes import gast, quote, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules import declare
from zygpy.runtime import helpers as runtime_helpers
from zygpy.runtime.native import CONTAINERS
from zygpy.runtime.partials import is_function_like
from zygpy.runtime.store import place_of
from zygpy.transform.parts import Reads
from zygpy.transform.stash import Recorder


@dataclass(frozen=True)
class Bar:
    """The cotangent of a variable, held in the adjoint's variable `name`.

    `owned`: nobody else holds the same array, so it may be updated in place; of numbers, it is one, and not
    an array of rank zero, which NumPy gives in places. `maybe`: it may be None (a symbolic zero).
    """

    name: str
    owned: bool = False
    maybe: bool = False


@dataclass(frozen=True)
class TupleBar:
    """The cotangent of a tuple, known entry by entry; None is a symbolic zero."""

    items: tuple[Bar | TupleBar | None, ...]


@dataclass(frozen=True)
class Spread:
    """The cotangent of an array in a smaller form, which broadcasts to the array's shape.

    `name` holds it; `full` is the expression of the whole array, `owned` whether that is fresh and in
    the cotangent's dtype. It lives from one primitive to the next only. `total`, if the array is one of
    doubles that is summed whole, is the expression of its sum.
    """

    name: str
    full: Callable[[], gast.expr]
    owned: bool
    total: Callable[[], gast.expr] | None = None


@dataclass(frozen=True)
class Total:
    """The expression of the sum of what a statement of the adjoint assigns, which is known otherwise."""

    assigned: gast.Assign
    expression: Callable[[], gast.expr]


Cotangent: TypeAlias = Bar | TupleBar
State: TypeAlias = dict[str, Cotangent]


@dataclass(frozen=True)
class Callee:
    """The names under which a callee's pair is called, and which cotangents it returns: a tuple of them,
    or if it is `single` the only one that there is."""

    forward: str
    adjoint: str
    slots: tuple[
        str, ...
    ]  # for each parameter: "none", "maybe" (may be None), "sure", "owned" or "own" (both)
    writes: tuple[str, ...]
    result_bar: bool
    carries: bool
    single: bool = False


class Emitted(Exception):
    """The answer where all that was asked was whether anything is emitted."""


@dataclass
class Context:
    """One transformation."""

    facts: Facts
    versions: Versions
    recorder: Recorder
    names: Names
    callee: Callable[[Direct], Callee]
    door: Callable[[str], str]
    filename: str
    function: str
    globals: Mapping[str, Any]
    space: Any = None  # the very dict of the program's globals
    cells: dict[str, Any] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    bars: State = field(default_factory=dict)
    spread: dict[str, Spread] = field(default_factory=dict)
    total: Total | None = None
    bar_names: dict[str, str] = field(default_factory=dict)
    code: list[gast.stmt] = field(default_factory=list)
    wanted: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)  # lists in whose cotangents there may be None
    positions: dict[int, str] = field(default_factory=dict)
    shapes: dict[int, Any] = field(default_factory=dict)  # of versions, by id
    exit_numbers: dict[int, int] = field(default_factory=dict)
    sources: dict[int, core.Statement] = field(default_factory=dict)
    place: gast.AST | None = None
    statement: core.Statement | None = None
    store: str | None = None  # the adjoint's variable for the cotangents of shared storage
    carrier: str | None = None  # the adjoint's parameter for the cotangents of variables that functions share
    shares_cells: bool = False  # whether functions made here may carry cells of this function
    asking: bool = False  # whether nothing is wanted but to know that something is emitted
    trying: bool = False  # whether what is emitted is thrown away
    parts: Reads = field(default_factory=Reads)  # what is read out of items of lists and dicts
    given: str = ""  # the forward's variable for what the function was given

    def is_shared(self, variable: str) -> bool:
        """Whether what the variable holds before the current statement lies in shared storage."""
        if not self.has_store or self.statement is None:
            return False
        value = self.facts.value(self.statement, core.Var(variable))
        return isinstance(value.kind, Array) and self.facts.is_shared(value)

    @property
    def identity(self) -> bool:
        """Whether things are found by identity."""
        return self.facts.way.identity

    @property
    def has_store(self) -> bool:
        """Whether any array has its cotangent in a store."""
        return self.store is not None or self.identity

    @property
    def memory(self) -> gast.expr:
        """The cotangents of arrays that share storage: the store's, or the adjoint's own."""
        name = self.carrier if self.identity else self.store
        assert name is not None
        return quote_expression("$s.memory" if self.identity else "$s", s=name)

    def has_cotangent(self, variable: str) -> bool:
        """Whether anything may have come in for a variable."""
        return variable in self.bars or variable in self.spread or self.is_shared(variable)

    def emit(self, text: str, **parts: Any) -> None:
        """Append the statements that a quotation spells."""
        if self.asking:
            raise Emitted
        self.code.extend(THROWN_AWAY if self.trying else quote(text, self.place, **parts))

    def helper(self, name: str) -> str:
        """The name by which generated code calls a helper (or `np`, `math`, a builtin)."""
        if name in GENUINE:
            return self.builtin(name)
        if name not in self.aliases:
            value = MODULES.get(name) or declare.LIBRARIES.get(name) or getattr(runtime_helpers, name)
            alias = name if self._is_the_users(name, value) else self.names.fresh(name)
            self.aliases[name] = alias
            self.names.taken.add(alias)
            self.cells[alias] = value
        return self.aliases[name]

    def builtin(self, name: str) -> str:
        """The name under which the genuine builtin is called."""
        if name in self.recorder.primal or name in self.globals:
            return self.cell(name, getattr(builtins, name))
        return name

    def _is_the_users(self, name: str, value: Any) -> bool:
        return self.globals.get(name) is value and name not in self.recorder.primal

    def cell(self, wish: str, value: Any) -> str:
        """A name for an object that generated code refers to."""
        for name, known in self.cells.items():
            if known is value:
                return name
        name = self.names.fresh(wish)
        self.cells[name] = value
        return name

    def namespace(self) -> gast.expr:
        """The dict of the program's globals."""
        return name_node(self.cell("namespace", self.space))

    def owner(self, path: tuple[str, ...]) -> gast.expr:
        """The module's dict, or the class, that a dotted name of the program leads to."""
        return name_node(self.cell("owner", place_of(self.found_at(path))))

    def found_at(self, path: tuple[str, ...]) -> Any:
        """What a dotted name of the program leads to."""
        found = self.globals[path[0]]
        for attribute in path[1:]:
            found = getattr(found, attribute)
        return found

    def keep(self, made: core.Statement, of: core.Statement) -> None:
        """Let a statement that the transformation made stand for one of the program."""
        names = read(of) | assigned(of)
        for facts in (self.facts.values, self.facts.results, self.versions.before, self.versions.after):
            table: Any = facts
            for name in names:
                if (id(of), name) in table:
                    table[id(made), name] = table[id(of), name]
        self.versions.positions[id(made)] = self.versions.positions[id(of)]
        self.sources[id(made)] = made

    def position(self, loop: core.For) -> str:
        """The adjoint's variable that counts the iterations of a loop, made when it is first used."""
        if id(loop) not in self.positions:
            self.positions[id(loop)] = self.names.fresh("k")
        return self.positions[id(loop)]

    def save(self) -> object:
        """What a trial run may change, apart from cotangents and code."""
        return (
            self.recorder.save(),
            dict(self.positions),
            dict(self.bar_names),
            dict(self.aliases),
            dict(self.cells),
        )

    def restore(self, state: Any) -> None:
        """Take back a trial run."""
        self.recorder.restore(state[0])
        self.positions, self.bar_names = dict(state[1]), dict(state[2])
        self.aliases, self.cells = dict(state[3]), dict(state[4])

    def bar_name(self, variable: str) -> str:
        """The adjoint's variable for the cotangent of a primal variable."""
        if variable not in self.bar_names:
            self.bar_names[variable] = self.names.fresh(f"{variable}_bar")
        return self.bar_names[variable]

    def at(self, loc: core.Loc) -> None:
        """What is emitted from now on belongs to this place."""
        marker = gast.Pass()
        marker.lineno, marker.col_offset = loc.line, loc.column
        marker.end_lineno, marker.end_col_offset = loc.end_line, loc.end_column
        self.place = marker


THROWN_AWAY: Any = (gast.AST(),)
"""Stands for what a trial run emits; nobody could write it down."""

GENUINE = frozenset({"dict", "len", "list", "range", "reversed", "slice", "tuple", "zip"})
"""Builtins that the transformation itself calls."""

MODULES: Mapping[str, Any] = {"np": np, "math": math, "cmath": cmath, "operator": operator}


def name(identifier: str) -> gast.expr:
    """A name as an expression."""
    return name_node(identifier)


def assign(ctx: Context, target: str, expression: gast.expr) -> None:
    """Emit `target = expression`."""
    ctx.emit("$target = $value", target=target, value=expression)


# ------------------------------------------------------------------- zeros and their materialising


Measure: TypeAlias = "Callable[[str], gast.expr]"
"""Gives the adjoint's expression of a measurement ("shape", "length") of one particular value."""


def zero(ctx: Context, kind: Kind, measure: Measure, certain: bool = True) -> tuple[gast.expr, bool, bool]:
    """The expression of a zero of this kind, whether it is owned and whether it is None."""
    if is_exact(kind) and isinstance(kind, Number) and len(kind.types) == 1:
        return quote_expression("0"), True, False
    if is_scalar(kind) or isinstance(kind, NumberOrArray):
        return quote_expression("0.0"), is_scalar(kind), False
    if isinstance(kind, Array) and certain:
        return zero_array(ctx, kind, measure("shape")), True, False
    if isinstance(kind, List | Row) and _is_listed(ctx, kind) and certain:
        return zero_list(kind, measure("length")), True, False
    return quote_expression("None"), is_keyed(kind), True


def has_zero(ctx: Context, value: Value) -> bool:
    """Whether `zero` of a value is something else than None."""
    held = isinstance(value.kind, Array) or _is_listed(ctx, value.kind)
    return is_scalar(value.kind) or isinstance(value.kind, NumberOrArray) or (held and value.certain)


def _is_listed(ctx: Context, kind: Kind) -> bool:
    """Whether the cotangent of a value is a list, and what stands in it where nothing came in."""
    return isinstance(kind, List) or (isinstance(kind, Row) and not ctx.identity)


def is_keyed(kind: Kind) -> bool:
    """Whether the cotangent of a value of this kind is a dict, of those keys or fields where something has
    come in, or None."""
    return isinstance(kind, Dict | Iterator | Object)


def complex_dtype(kind: Kind) -> str:
    """The text of the dtype, behind a comma, where a cotangent of this kind may be complex."""
    if is_scalar(kind) or is_real(kind) or not is_numeric(kind):
        return ""
    return ", $np.complex64" if isinstance(kind, Array) and kind.dtype == "c8" else ", $complex"


def complex_parts(ctx: Context, kind: Kind) -> dict[str, str]:
    """What the text of `complex_dtype` mentions."""
    dtype = complex_dtype(kind)
    if "np" in dtype:
        return {"np": ctx.helper("np")}
    return {"complex": ctx.builtin("complex")} if dtype else {}


def zero_array(ctx: Context, kind: Array, shape: gast.expr) -> gast.expr:
    """`np.zeros` in the cotangent dtype of an array kind."""
    dtype = ", $np.float32" if kind.dtype == "f4" else complex_dtype(kind)
    text = f"$np.zeros($shape{dtype})"
    parts: dict[str, Any] = {"np": ctx.helper("np"), "shape": shape, **complex_parts(ctx, kind)}
    return quote_expression(text, **parts)


def entry_zero(kind: List | Row) -> str:
    """The text of what stands in a list cotangent where nothing has come in."""
    if not is_scalar(kind.element):
        return "None"
    return "0" if is_exact(kind.element) else "0.0"


def zero_list(kind: List | Row, length: gast.expr) -> gast.expr:
    """A list of zeros."""
    return quote_expression(f"[{entry_zero(kind)}] * $length", length=length)


def measure_before(ctx: Context, statement: core.Statement, variable: str) -> Measure:
    """Measurements of what the variable holds before the statement."""
    return lambda what: ctx.recorder.measure(what, statement, variable)


def measure_after(ctx: Context, statement: core.Statement, variable: str) -> Measure:
    """Measurements of what the variable holds after the statement."""
    if (id(statement), variable) in ctx.versions.after:
        return lambda what: ctx.recorder.measure_result(what, statement, variable)
    return measure_before(ctx, statement, variable)


def materialise(ctx: Context, variable: str, value: Value, measure: Measure) -> None:
    """Give a variable without a cotangent a zero, in the kind of the value that it has there; None where its
    cotangent is in the store."""
    expression, owned, maybe = zero(ctx, value.kind, measure, value.certain and not _is_stored(ctx, value))
    target = ctx.bar_name(variable)
    assign(ctx, target, expression)
    ctx.bars[variable] = Bar(target, owned, maybe)


def _is_stored(ctx: Context, value: Value) -> bool:
    """Whether the cotangent of a value is in the store, by memory or by identity."""
    if isinstance(value.kind, Array):
        return ctx.has_store and ctx.facts.is_shared(value)
    return ctx.facts.way.identity and isinstance(value.kind, List)


# ------------------------------------------------------------------------------- reading cotangents


def cotangent_expression(cotangent: Cotangent | None) -> gast.expr:
    """The expression of a cotangent as one value."""
    if cotangent is None:
        return quote_expression("None")
    if isinstance(cotangent, Bar):
        return name(cotangent.name)
    items: list[Any] = [cotangent_expression(item) for item in cotangent.items]
    return gast.Tuple(items, gast.Load())


def fill_out(ctx: Context) -> None:
    """Give every array whose cotangent has a smaller form the whole one."""
    for variable in list(ctx.spread):
        _fill_out(ctx, variable)


def _fill_out(ctx: Context, variable: str) -> None:
    spread = ctx.spread.pop(variable)
    assign(ctx, spread.name, spread.full())
    ctx.bars[variable] = Bar(spread.name, spread.owned)


def settle(ctx: Context, variable: str) -> Bar | None:
    """Turn the cotangent of a variable into one value held in the variable's own name."""
    if variable in ctx.spread:
        _fill_out(ctx, variable)
    cotangent = ctx.bars.get(variable)
    if isinstance(cotangent, TupleBar):
        target = ctx.bar_name(variable)
        assign(ctx, target, cotangent_expression(cotangent))
        ctx.bars[variable] = cotangent = Bar(target)
    return cotangent


def take(ctx: Context, variable: str) -> Cotangent | None:
    """The cotangent of a variable that is defined here: before this point it has none."""
    statement = ctx.statement
    if not ctx.has_store or not isinstance(statement, core.Assign):
        return ctx.bars.pop(variable, None)
    result = ctx.facts.after(statement, variable)
    if ctx.identity and result.active and not isinstance(result.kind, Array):
        return take_by_identity(ctx, statement, variable, result)
    if not (isinstance(result.kind, Array) and ctx.facts.is_shared(result)):
        return ctx.bars.pop(variable, None)
    ctx.bars.pop(variable, None)  # a zero, if any
    return _take_from_store(ctx, statement, variable) if result.active else None


def take_by_identity(ctx: Context, statement: core.Assign, variable: str, result: Value) -> Cotangent | None:
    """The same where things are found by identity: what a new list or dict has got by entry, what a
    primitive's result, or an item of an array, may have got by memory. (Of a view that is taken out, and
    added to the base again.)"""
    resolution = ctx.facts.calls.get(id(statement))
    if resolution in (Intrinsic("display"), Intrinsic("dict display")) and isinstance(
        result.kind, List | Dict
    ):
        take_all = "take_entries" if isinstance(result.kind, List) else "take_keys"
        target = ctx.names.fresh(f"{variable}_bar")
        owner = ctx.recorder.reference(statement, variable, after=True)
        ctx.emit(f"$x = $store.{take_all}($owner)", x=target, store=ctx.carrier, owner=owner)
        return Bar(target, False, True)
    bar = settle(ctx, variable) if variable in ctx.bars and is_spread_out(result.kind) else None
    made = isinstance(resolution, ByRule) or resolution == Intrinsic("array item")
    if made and is_spread_out(result.kind) and ctx.facts.is_shared(result):
        return exchanged(ctx, statement, variable, bar)
    return ctx.bars.pop(variable, None)


def is_spread_out(kind: Kind) -> bool:
    """Whether a value of this kind may have part of its cotangent in the store and part in a variable."""
    if isinstance(kind, Object):
        return not (_has_places(kind.cls) or is_function_like(kind.cls))
    return isinstance(kind, Unknown | NumberOrArray | Tuple)


def is_in_memory(ctx: Context, statement: core.Assign) -> bool:
    """Whether the cotangent of a result is found by memory, as it may lie in storage that is shared."""
    result = ctx.facts.after(statement, statement.target)
    return (
        ctx.has_store and not ctx.identity and isinstance(result.kind, Array) and ctx.facts.is_shared(result)
    )


def exchanged(ctx: Context, statement: core.Statement, variable: str, bar: Bar | None) -> Bar:
    """The whole cotangent of what a statement gave a variable."""
    ctx.bars.pop(variable, None)
    target = ctx.names.fresh(f"{variable}_bar")
    value = ctx.recorder.reference(statement, variable, after=True)
    parts = {"store": ctx.carrier, "value": value, "v": cotangent_expression(bar)}
    ctx.emit("$x = $store.exchange($value, $v)", x=target, **parts)
    return Bar(target, False, True)


def _take_from_store(ctx: Context, statement: core.Assign, variable: str) -> Cotangent | None:
    """Of what is a view, or came out of a container, the cotangent stays where it is."""
    if isinstance(statement.op, core.Copy) or ctx.facts.calls.get(id(statement)) in READS:
        return None
    sources = [atom.name for atom in operands(statement.op) if isinstance(atom, core.Var)]
    arrays: list[Any] = [
        ctx.recorder.reference(statement, name)
        for name in dict.fromkeys(sources)
        if isinstance(ctx.facts.value(statement, core.Var(name)).kind, Array)
    ]
    array = ctx.recorder.reference(statement, variable, after=True)
    target = ctx.names.fresh(f"{variable}_bar")
    call = gast.Call(quote_expression("$store.take", store=ctx.memory), [array, *arrays], [])
    ctx.emit("$x = $call", x=target, call=call)
    return Bar(target, True, True)


READS = (
    Intrinsic("item"),
    Intrinsic("entry"),
    Intrinsic("entry of a row"),
    Intrinsic("field"),
    Intrinsic("dict get"),
    Intrinsic("attribute"),
    Intrinsic("captured"),
)
"""Reading an array out of a container."""


def certainly(ctx: Context, bar: Bar, kind: Kind, measure: Measure) -> Bar:
    """The same cotangent, not None."""
    if not bar.maybe:
        return bar
    if isinstance(kind, Array) and kind.dtype == "any":  # a real zero goes wherever a complex one does
        kind = Array("f8", kind.rank)
    expression, _, none = zero(ctx, kind, measure)
    if none:
        return bar
    ctx.emit("if $bar is None:\n    $bar = $zero", bar=bar.name, zero=expression)
    return replace(bar, maybe=False, owned=False)


# ---------------------------------------------------------------------------- adding contributions


def is_plain(kind: Kind) -> bool:
    """Whether cotangents of this kind add with `+`, whatever their values."""
    return is_scalar(kind) or isinstance(kind, Array)


def _routed(ctx: Context, statement: core.Statement, variable: str, expression: gast.expr) -> gast.expr:
    assert ctx.carrier is not None
    value = ctx.recorder.functions_in(statement, variable)
    route = "route_stored" if _keeps(ctx, variable) else "route"
    return quote_expression(f"$store.{route}($value, $v)", store=ctx.carrier, value=value, v=expression)


def _keeps(ctx: Context, variable: str) -> bool:
    """Whether a statement stores what a variable holds, and calls it nowhere but in recorded code: functions
    that are called later do not come back with shares of what shared variables hold here."""
    assert ctx.statement is not None
    if not may_hold_functions(ctx.facts.value(ctx.statement, core.Var(variable)).kind):
        return False
    found = ctx.facts.calls.get(id(ctx.statement))
    if isinstance(found, Direct) and is_own(found.function):
        return False  # a checkpoint calls a copy of what it is given
    op = ctx.statement.op if isinstance(ctx.statement, core.Assign) else None
    op = op.call if isinstance(op, core.Caught) else op
    if isinstance(op, core.CallMethod) and op.name in STORING:
        return True
    return not (_is_called(ctx, variable) or isinstance(found, ByRule | Dynamic))


STORING = frozenset({*vars(list), *vars(dict), *vars(set), "appendleft", "extendleft"}) - {
    "sort",
    "get",
    "pop",
}
"""Methods that store what they are given."""


def is_wide(kind: Kind) -> bool:
    """Whether a fresh cotangent of this kind can take any other: those of complex arrays may be real, and
    those of arrays of rank zero may be numbers."""
    return not complex_dtype(kind) and not (isinstance(kind, Array) and kind.rank == 0)


def contribute(
    ctx: Context, variable: str, kind: Kind, expression: gast.expr, *, owned: bool, maybe: bool = False
) -> None:
    """Add a contribution to the cotangent of a variable."""
    if ctx.is_shared(variable):
        assert ctx.statement is not None
        array = ctx.recorder.reference(ctx.statement, variable)
        ctx.emit("$store.add($array, $v)", store=ctx.memory, array=array, v=expression)
    elif ctx.identity and ctx.statement is not None and is_thing(kind):
        add_to_thing(ctx, ctx.statement, variable, kind, expression)
    else:
        left = _left_over(ctx, variable, kind, expression)
        maybe = maybe or left is not expression
        _contribute_to_variable(ctx, variable, kind, left, owned=owned and left is expression, maybe=maybe)


def add(ctx: Context, atom: core.Atom, value: Value, cotangent: Cotangent | None) -> None:
    """Add a cotangent, whatever its form, to that of an atom."""
    if cotangent is None or not value.active or not isinstance(atom, core.Var):
        return
    if isinstance(cotangent, TupleBar) and atom.name not in ctx.bars:
        ctx.bars[atom.name] = cotangent
        return
    expression = cotangent_expression(cotangent)
    owned, maybe = (cotangent.owned, cotangent.maybe) if isinstance(cotangent, Bar) else (False, False)
    contribute(ctx, atom.name, value.kind, expression, owned=owned, maybe=maybe)


def _left_over(ctx: Context, variable: str, kind: Kind, expression: gast.expr) -> gast.expr:
    """What of a contribution belongs to the variable itself."""
    if ctx.statement is None:
        return expression
    if ctx.identity and is_spread_out(kind):
        value = ctx.facts.value(ctx.statement, core.Var(variable))
        if isinstance(kind, Unknown) or ctx.facts.is_shared(value):
            thing = ctx.recorder.reference(ctx.statement, variable)
            parts: Parts = {"store": ctx.carrier, "x": thing, "v": expression}
            add = "add_stored" if _keeps(ctx, variable) else "add"
            expression = quote_expression(f"$store.{add}($x, $v)", **parts)
    if (ctx.shares_cells and may_hold_functions(kind)) or _is_called(ctx, variable):
        # Functions come back with shares of cells, which belong to the cells as they are here.
        expression = _routed(ctx, ctx.statement, variable, expression)
    return expression


def _is_called(ctx: Context, variable: str) -> bool:
    """Whether a statement calls what a variable holds, which may share variables with other functions."""
    op = ctx.statement.op if isinstance(ctx.statement, core.Assign) else None
    op = op.call if isinstance(op, core.Caught) else op
    return ctx.carrier is not None and isinstance(op, core.Call) and op.func == core.Var(variable)


Parts: TypeAlias = "dict[str, Any]"


def _contribute_to_variable(
    ctx: Context, variable: str, kind: Kind, expression: gast.expr, *, owned: bool, maybe: bool
) -> None:
    current = settle(ctx, variable)
    target = ctx.bar_name(variable)
    if current is None:
        if not (isinstance(expression, gast.Name) and expression.id == target):
            assign(ctx, target, expression)
        is_owned = _is_owned(kind, expression, owned) and variable not in ctx.parts.roots
        ctx.bars[variable] = Bar(target, is_owned, maybe)
    elif maybe or current.maybe or not is_plain(kind):
        ctx.emit("$x = $add($x, $v)", x=target, v=expression, add=ctx.helper("accumulate"))
        ctx.bars[variable] = Bar(target, False, maybe and current.maybe)
    elif current.owned:
        ctx.emit("$x += $v", x=target, v=expression)
    else:
        if not is_scalar(kind):
            ctx.wanted.add(variable)
        ctx.emit("$x = $x + $v", x=target, v=expression)
        ctx.bars[variable] = Bar(target, is_wide(kind))


def _is_owned(kind: Kind, expression: gast.expr, owned: bool) -> bool:
    """Whether a cotangent that an expression has given is owned."""
    if is_scalar(kind):
        return is_number(expression) or (owned and isinstance(expression, gast.Name))
    return owned and is_wide(kind)


def is_number(expression: gast.expr) -> bool:
    """Whether an expression where a number is expected surely gives one: arithmetic does, whatever it is
    about, where a function may give an array of rank zero, or what it was given."""
    if isinstance(expression, gast.IfExp):
        return is_number(expression.body) and is_number(expression.orelse)
    if isinstance(expression, gast.Call) and isinstance(expression.func, gast.Attribute):
        return isinstance(expression.func.value, gast.Name) and expression.func.value.id == "math"
    return isinstance(expression, gast.BinOp | gast.UnaryOp | gast.Constant)


def is_thing(kind: Kind) -> bool:
    """Whether a value of this kind has all of its cotangent in the store."""
    if isinstance(kind, Object):
        return _has_places(kind.cls) and not is_function_like(kind.cls)
    return isinstance(kind, List | Dict)


def is_function(kind: Kind) -> bool:
    """Whether the cotangents of what a value of this kind carries belong to the variable that holds it."""
    return isinstance(kind, Closure) or (isinstance(kind, Object) and is_function_like(kind.cls))


def _has_places(cls: type) -> bool:
    """Whether objects of a class hold what they hold in fields, unlike tuples and iterators over tuples."""
    own = bool(cls.__flags__ & HEAP_TYPE) or cls is SimpleNamespace
    return own and not issubclass(cls, (tuple, *CONTAINERS))


def add_to_thing(
    ctx: Context, statement: core.Statement, variable: str, kind: Kind, expression: gast.expr
) -> None:
    """Add to the cotangents of a list's items or a dict's values. (Of an object there is nothing left
    to add.)"""
    if isinstance(kind, Object):
        return
    add_all = "add_entries" if isinstance(kind, List) else "add_keys"
    thing = ctx.recorder.reference(statement, variable)
    ctx.emit(f"$store.{add_all}($x, $v)", store=ctx.carrier, x=thing, v=expression)


def own(ctx: Context, statement: core.Statement, variable: str, value: Value) -> str:
    """The name of the variable's cotangent as an array or list that may be updated in place.

    It belongs to the value that the variable holds before the statement.
    """
    return own_measured(ctx, variable, value, measure_before(ctx, statement, variable))


def own_measured(ctx: Context, variable: str, value: Value, measure: Measure) -> str:
    """The same, of any value of the variable that `measure` can measure."""
    target = ctx.bar_name(variable)
    if ctx.is_shared(variable):
        assert ctx.statement is not None
        if variable in ctx.bars:  # what is left over has a name of its own
            target = ctx.names.fresh(target)
        array = ctx.recorder.reference(ctx.statement, variable)
        ctx.emit("$x = $store.view($array)", x=target, store=ctx.memory, array=array)
        return target
    if isinstance(value.kind, List | Row) and not is_scalar(value.kind.element):
        ctx.unsure.add(variable)
    current = settle(ctx, variable)
    if current is None:  # what is read here is bound, even where it may not be elsewhere
        ctx.wanted.add(variable)
        materialise(ctx, variable, value._replace(certain=True), measure)
    elif not current.owned or current.maybe:
        ctx.wanted.add(variable)
        make_owned(ctx, variable, target, value.kind, measure)
        ctx.bars[variable] = Bar(target, True)
    return target


def own_keys(ctx: Context, variable: str) -> str:
    """The name of the cotangent of a dict, as a dict that may be updated in place, and whatever is in it."""
    bar, target = settle(ctx, variable), ctx.bar_name(variable)
    if bar is None:
        ctx.emit("$x = {}", x=target)
    elif not bar.owned:
        ctx.wanted.add(variable)
        ctx.emit("$x = $f($x)", x=target, f=ctx.helper("owned_dict_of_rows"))
    elif bar.maybe:
        ctx.emit("if $x is None:\n    $x = {}", x=target)
    ctx.bars[variable] = Bar(target, True)
    return target


def add_to_key(ctx: Context, variable: str, key: gast.expr, added: gast.expr) -> None:
    """Add to what the cotangent of a dict has under a key: in place, if nobody else holds the cotangent."""
    bar = settle(ctx, variable)
    target = ctx.bar_name(variable)
    current = name(bar.name) if bar else quote_expression("None")
    parts: Parts = {"f": _keyed_helper(ctx, variable, bar, "add_key", "with_key"), "b": current, "k": key}
    ctx.emit("$x = $f($b, $k, $v)", x=target, v=added, **parts)
    ctx.bars[variable] = Bar(target, True, True)


def drop_key(ctx: Context, variable: str, key: gast.expr, unless: gast.expr | None = None) -> None:
    """Take out what the cotangent of a dict has under a key, `unless` a condition holds."""
    bar = settle(ctx, variable)
    assert bar is not None
    target = ctx.bar_name(variable)
    f = _keyed_helper(ctx, variable, bar, "drop_key", "without_key")
    if unless is None:
        ctx.emit("$x = $f($b, $k)", x=target, f=f, b=bar.name, k=key)
    else:
        ctx.emit("$x = $b if $c else $f($b, $k)", x=target, f=f, b=bar.name, k=key, c=unless)
    ctx.bars[variable] = Bar(target, unless is None or bar.owned, True)


def _keyed_helper(ctx: Context, variable: str, bar: Bar | None, in_place: str, copying: str) -> Any:
    if bar is not None and bar.owned:
        return ctx.helper(in_place)
    ctx.wanted.add(variable)
    return ctx.helper(copying)


def is_handed_over(kind: Kind) -> bool:
    """Whether a caller makes the cotangent of what it has changed by a call its own, and hands it over."""
    return isinstance(kind, Array | List | Dict)


def make_owned(ctx: Context, variable: str, target: str, kind: Kind, measure: Measure) -> None:
    """Emit a copy of an array or list cotangent, unless it is nobody else's, and only may be None. (Where
    things are found by identity, nothing of a list's belongs to the variable: another list may come into
    it.)"""
    if ctx.identity and isinstance(kind, List | Row):
        return
    current = ctx.bars.get(variable)
    is_own = isinstance(current, Bar) and current.owned  # as far as there is one
    if variable in ctx.parts.roots and isinstance(kind, List | Row):
        parts = {"own": ctx.helper("owned_list_of_rows"), "size": measure("length")}
        ctx.emit("$x = $own($x, $size)", x=target, **parts)
        return
    if is_keyed(kind):
        own_all = "owned_rows" if variable in ctx.parts.roots else "owned_dict"
        ctx.emit("$x = $own($x)", x=target, own=ctx.helper(own_all))
    elif isinstance(kind, List | Row):
        entry = quote_expression(entry_zero(kind))
        own_all = ctx.helper("taken_list" if is_own else "owned_list")
        text, parts = "$x = $own($x, $size, $entry)", {"own": own_all, "entry": entry}
        ctx.emit(text, x=target, size=measure("length"), **parts)
    else:
        own_all = ctx.helper("taken" if is_own else "owned")
        parts = {"own": own_all, "shape": measure("shape"), **complex_parts(ctx, kind)}
        ctx.emit(f"$x = $own($x, $shape{complex_dtype(kind)})", x=target, **parts)
