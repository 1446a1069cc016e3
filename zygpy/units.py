"""What the pipeline knows of a function: its program, and its derivations so far."""

from __future__ import annotations

import builtins
import functools
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from types import CellType, CodeType, FunctionType
from typing import Any

import numpy as np

from zygpy import local_functions, ruled
from zygpy.analyse.callees import Callees
from zygpy.analyse.decorators import Behind, decorator_behind, decorators_hold, fits_in_place
from zygpy.analyse.left_generators import asked_when_left
from zygpy.analyse.listings import Listing, listing
from zygpy.analyse.machinery import serves_all_kinds
from zygpy.analyse.paths import Scope
from zygpy.analyse.read_before import without_readings
from zygpy.analyse.replacing import Bound, bound_outside, names_of
from zygpy.analyse.values import Value
from zygpy.errors import SourceNotFoundError, ZygpyError
from zygpy.ir import core
from zygpy.ir.classes import CLASS, class_around, is_generated
from zygpy.ir.nodes import gast, local_names
from zygpy.ir.source import Source
from zygpy.ir.text import Text
from zygpy.layout import Layout, plain
from zygpy.load.guards import Checks
from zygpy.load.spaces import bound_names
from zygpy.normalise import BUILTINS, normalise
from zygpy.normalise.class_around import with_class_given
from zygpy.normalise.decorators import Decorator, decorated, with_decorators_in_place
from zygpy.normalise.endings import with_endings
from zygpy.normalise.generators import (
    delegates,
    does_without_itself,
    is_plain_function,
    is_plain_generator,
    name_of_listing,
    spell_delegations,
    with_items_listed,
    with_known_texts,
    without_decorators,
)
from zygpy.normalise.imports import with_imports_done
from zygpy.normalise.labels import with_labels
from zygpy.normalise.lower.state import nothing_is_bound
from zygpy.normalise.makers import maker_of, with_makers_in_place
from zygpy.normalise.stretches import in_stretches, places_of_loops
from zygpy.normalise.trees import identifiers
from zygpy.parse import parse
from zygpy.rules.custom import LABELLED, RULE, Custom
from zygpy.runtime import helpers as runtime_helpers
from zygpy.runtime.instead import INSTEAD
from zygpy.runtime.kept_results import STANDS_FOR
from zygpy.runtime.stack import with_room
from zygpy.runtime.stretches import PART, STRETCHES, Plan
from zygpy.runtime.ways import PLAIN, Way
from zygpy.source import binds_callee, find_source
from zygpy.transform.attempts import catching
from zygpy.transform.flatten import flatten


@dataclass(frozen=True, eq=False)
class Options:
    """Switches of the derivation (for tests): without `specialise` kinds are not used, without
    `simplify` the text is left as the transformation wrote it. Compared by identity, as part of keys."""

    specialise: bool = True
    simplify: bool = True


_same_options = functools.cache(Options)
DEFAULT = _same_options(True, True)
OPTIONS: ContextVar[Options] = ContextVar("zygpy_options", default=DEFAULT)


@contextmanager
def options(*, specialise: bool = True, simplify: bool = True) -> Iterator[None]:
    """Derive differently inside this context."""
    token = OPTIONS.set(_same_options(specialise, simplify))
    try:
        yield
    finally:
        OPTIONS.reset(token)


def present_options() -> Options:
    """How is derived here."""
    return OPTIONS.get()


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
    tree: Any = None  # of a function that another one makes, and whose text is a part of that one's
    fixed: Mapping[str, Any] = field(default_factory=dict)
    pairs: dict[Any, Pair] = field(default_factory=dict)
    earlier: dict[Any, list[Pair]] = field(default_factory=dict)  # which held before those in `pairs`
    found: dict[Any, Pair] = field(default_factory=dict)  # by signature, to be found quickly
    entered: dict[Any, Pair] = field(default_factory=dict)  # the same of calls for which nothing else stands
    tangents: dict[Any, Any] = field(default_factory=dict)  # its tangent functions so far
    told: dict[Any, Any] = field(default_factory=dict)  # what its calls do, and under which conditions
    code: CodeType | None = None
    ruled: Custom | None = None  # what stands for it is declared by a user
    followed: bool = False  # of zygpy's own, when what it does is differentiated once more
    steps: bool = False  # an iterator's `__next__`, which returns where it would raise StopIteration
    locals: dict[int, tuple[Any, FunctionType]] = field(default_factory=dict)  # by their trees
    bodies: dict[Any, tuple[Any, core.Function]] = field(default_factory=dict)  # of those that run in place
    shadowed: frozenset[str] = frozenset()  # names of builtins that mean something else in its program
    builtins: frozenset[str] = frozenset()  # of which its text has calls that are written in another way
    decorators: dict[core.Path, Behind] = field(default_factory=dict)  # those in place in its program
    left_decorators: frozenset[core.Path] = frozenset()  # those that may come to be others while it runs
    plan: Plan | None = None  # how its loops are divided into stretches, if they are
    whole: Unit | None = None  # of what runs a stretch of a loop: the same, but with all that it stashes
    told_texts: dict[Any, Any] = field(default_factory=dict)  # what stands for it, if its object holds these
    # what stands for it, and is given what it has captured in front, by the name in which it has itself
    substitutes: dict[str | None, FunctionType] = field(default_factory=dict)
    lists: bool = False  # whether it gives the items of a generator function
    listed: dict[str, FunctionType] = field(default_factory=dict)  # by names, what gives generators' items
    listing_items: dict[None, FunctionType] = field(default_factory=dict)  # what gives all its own items
    _program: core.Function | None = None

    @property
    def given_names(self) -> Mapping[str, Any]:
        """What its program finds by names that nobody else knows."""
        return {**self.fixed, **self.listed} if self.listed else self.fixed

    @functools.cached_property
    def is_own(self) -> bool:
        """Whether the function is one of zygpy's."""
        return str(self.source.globals.get("__name__")).startswith("zygpy.")

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

    @functools.cached_property
    def functions_made(self) -> tuple[core.MakeFunction, ...]:
        """Where its program makes functions, in order."""
        ops = [getattr(statement, "op", None) for statement in core.walk(self.program.body)]
        return tuple([op for op in ops if isinstance(op, core.MakeFunction)])

    @functools.cached_property
    def names_outside(self) -> tuple[str, ...]:
        """The names outside that its program mentions, in order."""
        return tuple(sorted(names_of(self.program)))

    @functools.cached_property
    def bound_outside(self) -> tuple[Bound, ...]:
        """What its program binds outside of itself."""
        return tuple(bound_outside(self.program))

    @functools.cached_property
    def asked_when_left(self) -> tuple[core.Handle, ...]:
        """The handlers of a generator function that are asked when it is left in the middle."""
        return asked_when_left(self.program)

    def look_up_names(self, replaced: frozenset[str] = frozenset()) -> None:
        """Forget the program if the name of a builtin, or of a decorator in place, has come to mean something
        else since it was made, or may do so while it runs (`replaced`)."""
        known = self.callees
        now = frozenset(name for name in self.builtins if not known.is_builtin(name))
        left = frozenset(path for path in self.decorators if not replaced.isdisjoint(path.names))
        if now != self.shadowed or left or not decorators_hold(self.decorators, known):
            self.shadowed, self._program = now, None
            self.left_decorators, self.decorators = self.left_decorators | left, {}
            self.bodies.clear()
            self.locals.clear()
            for told in (
                "plain_generator",
                "suspended_program",
                "plain_manager",
                "functions_made",
                "names_outside",
                "bound_outside",
                "asked_when_left",
            ):
                self.__dict__.pop(told, None)

    def _make_program(self) -> core.Function:
        tree: Any = self.parsed()
        if CLASS in self.fixed and self.tree is None:
            tree = with_class_given(tree)
        if self.steps:
            tree = with_endings(tree)
        tree, modules = with_imports_done(tree, self.source.globals)
        self.fixed = {**modules, **self.fixed}
        flat = self.flat(tree, self.captured, self.source.rebound, handing=not (self.followed or self.is_own))
        if self.plan is not None:
            return self._divided(flat, tree)
        return catching(flat) if flat.generator else flat

    def parsed(self) -> Any:
        """The tree of the function."""
        return parse(self.source) if self.tree is None else self.tree

    def flat(
        self, tree: Any, captured: tuple[str, ...], rebound: tuple[str, ...], *, handing: bool = False
    ) -> core.Function:
        """The flat program of a function whose text is the unit's own, or a part of it."""
        known = self.callees
        tree = with_labels(tree, known.is_labelled) if LABELLED else tree
        tree = self._with_makers(self._with_decorators(tree, captured), captured)
        self.builtins |= BUILTINS & identifiers(tree)
        self.shadowed = frozenset(name for name in self.builtins if not known.is_builtin(name))
        program = normalise(
            tree,
            captured,
            rebound,
            self.source.owner or None,
            known.is_harmless,
            known.is_quiet,
            generated=self.source.generated,
            captured_unbound=self.source.unbound,
            bound=nothing_is_bound if self.source.generated else functools.partial(binds_callee, self.source),
            shadowed=self.shadowed,
            takes=known.takes_functions if handing else None,
        )
        made = flatten(program)
        return without_readings(made) if self.generated or self.followed else made

    def _with_decorators(self, tree: Any, captured: tuple[str, ...]) -> Any:
        """The tree with decorators in place that are known by their names."""
        if (
            self.generated
            or self.followed
            or self.is_own
            or isinstance(tree, gast.Lambda)
            or not decorated(tree)
        ):
            return tree
        hidden, known = local_names(tree).union(captured), self.callees

        def find(node: Any) -> Decorator | None:
            found = decorator_behind(node, known, self.source)
            if found is None or found.path in self.left_decorators or found.path.names[0] in hidden:
                return None
            function: Any = found.function
            text = None if function is None else unit_of(function).parsed()
            if text is not None and not fits_in_place(text, known):
                return None
            self.decorators[found.path] = found
            return Decorator(text, found.room)

        return with_decorators_in_place(tree, find, frozenset((*captured, *self.fixed)))

    def _with_makers(self, tree: Any, captured: tuple[str, ...]) -> Any:
        """The tree with calls in place of what makes functions that share variables with it."""
        if self.generated or self.followed or self.is_own or self.plan is not None:
            return tree
        hidden, known = local_names(tree).union(captured), self.callees

        def find(node: Any) -> Any:
            found = None if node.id in hidden else decorator_behind(node, known, self.source)
            if found is None or found.path in self.left_decorators or not _may_share(found.function):
                return None
            with suppress(SourceNotFoundError, ZygpyError, SyntaxError):
                function: Any = found.function
                text = unit_of(function).parsed()
                if maker_of(text) is not None:
                    self.decorators[found.path] = found
                    return text
            return None

        return with_makers_in_place(tree, find, frozenset((*captured, *self.fixed)))

    @functools.cached_property
    def plain_generator(self) -> core.Function | None:
        """The program of a generator function whose items a loop asks for, and to which nothing is sent or
        thrown; None where its text does more than its body."""
        tree = self.parsed()
        if not is_plain_generator(tree):
            return None
        return self.flat(spell_delegations(tree), self.captured, self.source.rebound)

    @functools.cached_property
    def delegates(self) -> bool:
        """Whether a generator function hands items of others on in a loop, where it stands in no `try`: what
        is sent or thrown to it would have gone to these."""
        return delegates(self.parsed())

    @functools.cached_property
    def suspended_program(self) -> core.Function:
        """The program of a generator function whose exceptions are those of Python."""
        tree: Any = self.parsed()
        if CLASS in self.fixed and self.tree is None:
            tree = with_class_given(tree)
        tree, modules = with_imports_done(tree, self.source.globals)
        self.fixed = {**modules, **self.fixed}
        if self.delegates:
            tree = spell_delegations(tree, "$check((yield $v))", check="helper:nothing_sent")
        return self.flat(tree, self.captured, self.source.rebound)

    @functools.cached_property
    def plain_manager(self) -> core.Function | None:
        """The program of a generator function that `contextlib.contextmanager` was given, to which exceptions
        are thrown; None where its text does more than its body."""
        tree = without_decorators(self.parsed())
        return self.flat(tree, self.captured, self.source.rebound) if is_plain_generator(tree) else None

    @functools.cached_property
    def listing(self) -> Listing | None:
        """What the unit's function gives as the `__iter__` of a class; None where its text does not tell."""
        tree = self.parsed()
        if is_plain_generator(tree) and self.plain_generator is not None:
            return listing(replace(self.plain_generator, generator=True))
        return listing(self.program) if is_plain_function(tree) else None

    def _divided(self, program: core.Function, tree: Any) -> core.Function:
        """The program with its loops in stretches, each run by a function of its own."""
        source = self.source

        def is_builtin(name: str) -> bool:
            return name not in source.globals or source.globals[name] is getattr(builtins, name, None)

        taken = frozenset(identifiers(tree)), frozenset(source.globals)
        segments = self.plan.segments if self.plan else None
        found = in_stretches(program, places_of_loops(tree), source.filename, is_builtin, taken, segments)
        fixed = self.fixed
        parts = {name: part_function(part, source, fixed) for name, part in found.parts.items()}
        self.fixed = {**fixed, **parts}
        return found.program

    @property
    def callees(self) -> Callees:
        """What is known of the functions that the program calls by name."""
        return Callees(Scope(self.source.globals, {}, HELPERS, self.fixed))


def _may_share(function: Any) -> bool:
    """Whether a function may make others that share its variables."""
    return function is not None and bool(function.__code__.co_cellvars)


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
    outside: bool = False  # whether anything is changed that others reach, with or without a gradient
    companions: dict[Any, Any] = field(default_factory=dict)


Key = tuple[Any, ...]


def key_of(unit: Unit, values: Sequence[Value], way: Way) -> Key:
    """What a derivation depends on, apart from guards. (The unit itself, which lives as long as what is kept
    by the key: another one may get the number of one that is gone.)"""
    return (unit, tuple((value.kind, value.active, value.new) for value in values), way, OPTIONS.get())


UNITS_KEPT, PAIRS_KEPT, OF_CALLS_KEPT, WIDENED_KEPT, SIGNATURES_KEPT = 4096, 64, 8, 512, 256
UNITS: dict[Key, Unit] = {}
LOCK = threading.RLock()


def unit_of(function: FunctionType) -> Unit:
    """The unit of a Python function, found by its code and globals.

    Raises SourceNotFoundError where there is no source.
    """
    code = function.__code__
    if code.co_freevars == (CLASS,) and (around := class_around(function)) is not None:
        return _unit_of_method(function, around)
    unit = UNITS.get((id(code), id(function.__globals__)))
    if unit is not None and unit.code is code:
        return unit
    instead = INSTEAD.get(code) or getattr(function, STANDS_FOR, None)
    if instead is not None:
        return unit_of(instead)
    return with_room(lambda: _keep((id(code), id(function.__globals__)), _new_unit(function)))


def _unit_of_method(function: FunctionType, around: type) -> Unit:
    """The unit of a method that knows the class in whose text it stands: another one for each such class."""
    key = (id(function.__code__), id(function.__globals__), id(around))
    unit = UNITS.get(key)
    if unit is not None and unit.code is function.__code__ and unit.fixed.get(CLASS) is around:
        return unit
    made = with_room(lambda: _new_unit(function))
    source = replace(made.source, rebound=(), unbound=())
    return _keep(key, replace(made, source=source, captured=(), fixed={**made.fixed, CLASS: around}))


def catching_unit(unit: Unit) -> Unit:
    """The unit of the same function with its exceptions as values."""
    key = (unit, "catching")
    known = UNITS.get(key)
    if known is not None:
        return known
    given = catching(unit.program)
    made = replace(unit, given=given, pairs={}, found={}, told={}, steps=False, whole=None, _program=None)
    return _keep(key, made)


def suspended_unit(unit: Unit) -> Unit:
    """The unit of the same generator function as its tangent function is written: what is raised where it
    waits is an exception like any other.

    Raises UnsupportedSyntaxError where its text tells more than its body.
    """
    key = (unit, "suspended")
    known = UNITS.get(key)
    if known is not None and known.given is not None:
        return known
    given = unit.suspended_program
    made = replace(unit, given=given, pairs={}, found={}, told={}, tangents={}, whole=None, _program=None)
    return _keep(key, made)


def step_unit(function: FunctionType) -> Unit:
    """The unit of an iterator's `__next__` that returns whether there is an item, and the item."""
    plain = unit_of(function)
    key = ("step", plain)
    unit = UNITS.get(key)
    if unit is not None and unit.code is plain.code:
        return unit
    return _keep(
        key,
        Unit(
            plain.source,
            plain.captured,
            fixed=plain.fixed,
            code=plain.code,
            followed=plain.followed,
            steps=True,
        ),
    )


def local_function(outer: Unit, op: core.MakeFunction) -> FunctionType:
    """The stand-in of a function that a unit's program makes, with a unit of its own."""
    known = outer.locals.get(id(op.node))
    if known is not None:
        return known[1]
    function = local_functions.stand_in(op, outer.source)
    code = function.__code__
    unit = Unit(
        local_functions.placed(op, outer.source),
        (),
        generated=outer.generated,
        tree=local_functions.with_captured_first(op),
        fixed=outer.fixed,
        code=code,
        followed=outer.followed,
    )
    _keep((id(code), id(function.__globals__)), unit)
    outer.locals[id(op.node)] = (op.node, function)
    return function


def standing_in(unit: Unit, function: FunctionType, itself: str | None = None) -> FunctionType:
    """What stands for a function that has captured something, of the unit: it is given that in front. By one
    of these names it may have `itself`."""
    if itself in unit.substitutes:
        return unit.substitutes[itself]
    made = local_functions.stand_in_of(function, itself)
    own = Unit(
        replace(unit.source, cells={}),
        (),
        generated=unit.generated,
        tree=local_functions.with_first(unit.parsed(), unit.captured),
        fixed=unit.fixed,
        code=made.__code__,
        followed=unit.followed,
    )
    _keep((id(made.__code__), id(made.__globals__)), own)
    unit.substitutes[itself] = made
    return made


ALONE = "__zygpy_does_without_itself__"


def with_texts(function: FunctionType, texts: tuple[tuple[str, str], ...]) -> FunctionType:
    """What stands for a function whose first argument has these texts as attributes."""
    unit = unit_of(function)
    known = unit.told_texts.get(texts)
    if known is not None:
        return known  # type: ignore[no-any-return]
    tree = with_known_texts(unit.parsed(), dict(texts))
    made = local_functions.stand_in_of(function)
    setattr(made, ALONE, does_without_itself(tree))
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    own = Unit(
        replace(unit.source, cells={}),
        (),
        generated=unit.generated,
        tree=tree,
        fixed=unit.fixed,
        code=made.__code__,
        followed=unit.followed,
    )
    _keep((id(made.__code__), id(made.__globals__)), own)
    unit.told_texts[texts] = made
    return made


def listing_function(function: FunctionType) -> FunctionType:
    """What gives all items of a generator function in a list, for the same arguments."""
    unit = unit_of(function)
    if None in unit.listing_items:
        return unit.listing_items[None]
    own, name = function.__code__, name_of_listing(function.__name__)
    namespace = {
        "run": lambda *args: list(function(*args)),
        "__builtins__": builtins,
        "__name__": unit.source.globals.get("__name__"),
    }
    code = _call_of_part.__code__.replace(
        co_filename=own.co_filename, co_firstlineno=own.co_firstlineno, co_name=name, co_qualname=name
    )
    made = FunctionType(code, namespace, name)
    tree = with_items_listed(unit.parsed())
    listing = Unit(
        replace(unit.source, name=name, cells={}), (), tree=tree, fixed=unit.fixed, code=code, lists=True
    )
    _keep((id(code), id(namespace)), listing)
    unit.listing_items[None] = made
    return made


def _new_unit(function: FunctionType) -> Unit:
    code = function.__code__
    if hasattr(function, RULE):
        return _ruled_unit(getattr(function, RULE))
    if hasattr(function, PART):
        return _part_unit(getattr(function, PART), code)
    with LOCK:  # Python 3.11 may fail to build two syntax trees at once
        found = find_source(function)
    source = replace(found, function=None, cells={})  # the user's data are not kept alive
    if not is_generated(function):
        plan = getattr(function, STRETCHES, None)
        return Unit(source, code.co_freevars, code=code, followed=serves_all_kinds(function), plan=plan)
    reverses = function.__name__.endswith(("_adjoint", "_back"))
    return Unit(source, (), reverses=reverses, generated=True, fixed=bound_names(function), code=code)


def _ruled_unit(rule: Custom) -> Unit:
    place, name = rule.place, rule.stand_in.__name__
    source = Source(None, name, place.filename, place.line, 0, "", rule.rule.__globals__, {})
    return Unit(source, (), ruled=rule, given=ruled.program_of(rule), code=rule.stand_in.__code__)


def part_function(part: core.Function, source: Source, fixed: Mapping[str, Any]) -> FunctionType:
    """A function that runs a stretch of a loop, as a program that it is called by."""

    def run(*args: Any) -> Any:
        pair = LATER["pair_for"](unit_of(made), list(args), made, PLAIN)
        return pair.forward(*args)[0]

    namespace = {"run": run, "__builtins__": builtins, "__name__": source.globals.get("__name__")}
    code = _call_of_part.__code__.replace(co_name=part.name)
    made = FunctionType(code, namespace, part.name)
    around = {**fixed, part.name: made}  # it may call itself
    setattr(made, PART, (part, replace(source, name=part.name, rebound=()), around))
    return made


def _call_of_part(*args: Any) -> Any:
    return run(*args)  # type: ignore[name-defined]  # noqa: F821  (it is in the namespace of each)


def _part_unit(part: tuple[core.Function, Source, Mapping[str, Any]], code: CodeType) -> Unit:
    program, source, fixed = part
    kept = replace(program, name=f"{program.name}_run")
    whole = Unit(source, (), given=kept, fixed=fixed)
    return replace(whole, given=program, code=code, whole=whole, pairs={}, found={})


def _keep(key: Key, unit: Unit) -> Unit:
    """Enter a unit unless another thread was first."""
    with LOCK:
        known = UNITS.get(key)
        if known is not None and known.code is unit.code:
            return known
        while len(UNITS) >= UNITS_KEPT:
            UNITS.pop(next(iter(UNITS)))
        UNITS[key] = unit
        return unit


AT_HAND: dict[tuple[Any, ...], Pair] = {}
"""The pairs of operators on plain numbers, by the operator, the options and the types."""


NEAR: defaultdict[str, dict[Any, Any]] = defaultdict(dict)
"""What was found for functions at a call before, under a name for what that is, by the function itself."""


def forget() -> None:
    """Drop every unit and so every derivation."""
    with LOCK:
        UNITS.clear()
        AT_HAND.clear()
        for found in NEAR.values():
            found.clear()


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
    unit = UNITS.get(key)
    if unit is None:
        here = core.Loc(1, 0)
        body = (core.Assign("y", op, here), core.Return(core.Var("y"), here))
        program = core.Function(name, core.Params(params), body)
        names = {"__builtins__": builtins, "__name__": "__main__", **names}  # some functions ask for them
        source = Source(None, name, f"<primitive {name}>", 1, 0, "", names, {})
        unit = _keep(key, Unit(source, (), primitive=True, writes=writes, given=program))
    return unit


def captured_values(unit: Unit, function: FunctionType) -> list[Any]:
    """What a closure carries: the values, or where functions rebind a variable, its cell."""
    cells = zip(unit.captured, function.__closure__ or (), strict=True) if unit.captured else ()
    rebound = unit.source.rebound
    return [cell if name in rebound else _content(cell, name) for name, cell in cells]


def _content(cell: CellType, name: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        where = "where it is not associated with a value in enclosing scope"
        raise NameError(f"cannot access free variable '{name}' {where}") from None


def holds(pair: Pair) -> bool:
    """Whether what a derivation depends on is still as it was."""
    return pair.checks.hold()


EARLIER_KEPT = 4


def held_earlier(unit: Unit, key: Key, stale: Pair) -> Pair | None:
    """A pair of before that holds again, in place of one that does no more (a global list that is filled and
    emptied in every call would have its functions derived over and over); that one may hold again as well."""
    with LOCK:
        kept = unit.earlier.get(key, [])
        again = next(filter(holds, kept), None)
        others = [pair for pair in kept if pair is not again and pair is not stale]
        unit.earlier[key] = [stale, *others][:EARLIER_KEPT]
        if again is not None:
            unit.pairs[key] = again
    return again


LATER: dict[str, Any] = {}
"""What stands in rooms above, and is called by functions that are made here; these rooms fill it in."""
