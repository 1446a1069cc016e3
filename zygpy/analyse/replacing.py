"""Which functions a program may replace while it runs, in globals, modules and classes.

A derivation relies on what the names of functions mean. What the program itself binds, or what it may call
does, is compared with that: where they meet, the names are looked up when they are read (`Way.replaced`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from zygpy.analyse.bound_kinds import Change, change_by
from zygpy.analyse.candidates import MANY, functions_within
from zygpy.analyse.facts import Facts, Guard
from zygpy.analyse.machinery import is_door
from zygpy.analyse.paths import MISSING
from zygpy.analyse.run import Run
from zygpy.ir import core
from zygpy.ir.kinds import NOTHING, Known, Object
from zygpy.ir.names import is_temporary
from zygpy.runtime.callables import answering_methods, things_in
from zygpy.runtime.platform_code import is_installed, is_platform

ANY = "*"
"""Stands for the names of all attributes of classes."""

GLOBAL, ANYTHING, INSTANCE, EVERYTHING = (
    *("a global variable", "anything", "an object of some class"),
    "whatever a function is given that binds attributes",
)
"""What a bound name may belong to, where it is no module, class or object of a known class."""

CODE = frozenset({"__code__", "__defaults__", "__kwdefaults__", "__bases__"})
"""Attributes that make a function or a class another one, under the same name."""

NAMED = {"setattr": 3, "delattr": 2, "__setattr__": 3, "__delattr__": 2}
"""Functions that bind an attribute which they are given by its name, with the number of their arguments; as
methods of what has the attribute they are given one less."""

IMPLEMENTATION = "implementation"
"""What a function of `singledispatch` calls for a class, which `register` may replace: see `dispatched`."""


@dataclass(frozen=True, eq=False)
class Namespace:
    """The dict of the variables of a module, or of something else."""

    variables: dict[str, Any]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Namespace) and other.variables is self.variables

    def __hash__(self) -> int:
        return id(self.variables)

    def belongs_to(self, owner: Any) -> bool:
        """Whether it has the variables of a module, or is the dict itself."""
        own = vars(owner) if isinstance(owner, ModuleType) else owner
        return own is self.variables


class Bound(NamedTuple):
    """A name that a program binds outside of itself, what it belongs to: a module, a class (`of_class`
    where it is an instance of that), or one of the words above, and what it is bound to."""

    name: str
    owner: Any
    of_class: bool = False
    change: Change = Change()

    def replaces(self, guard: Guard) -> bool:
        """Whether what a derivation relies on may be another thing once the name is bound."""
        special = guard.value is MISSING and guard.name.startswith("__")  # which no class has
        constant = guard.raw or (type(guard.value) is tuple and isinstance(guard.owner, dict))
        function = special or constant or callable(guard.value) or isinstance(guard.value, ModuleType)
        return (function or guard.kind is not None) and self.name in (guard.name, ANY) and self._binds(guard)

    def changes_kind(self, guard: Guard) -> bool:
        """Whether what a derivation relies on may be of another kind once the name is bound."""
        return guard.kind is not None and self.replaces(guard) and not self.change.keeps(guard.kind)

    def _binds(self, guard: Guard) -> bool:
        """Whether the name is bound in what a derivation knows it in."""
        if self.owner is GLOBAL:
            return isinstance(guard.owner, dict)
        if self.of_class or self.owner is INSTANCE:
            of_class = isinstance(guard.owner, type) and not guard.raw  # which no object stands in front of
            return of_class and (self.owner is INSTANCE or issubclass(self.owner, guard.owner))
        if isinstance(self.owner, type):
            return isinstance(guard.owner, type) and issubclass(guard.owner, self.owner)
        if isinstance(self.owner, ModuleType):
            return guard.owner is self.owner or guard.owner is vars(self.owner)
        if isinstance(self.owner, Namespace):
            return self.owner.belongs_to(guard.owner)
        if self.name == ANY and self.owner is not EVERYTHING:
            return isinstance(guard.owner, type)
        return not _is_of_the_platform(guard.owner)


def _is_of_the_platform(owner: Any) -> bool:
    """Whether something is a module of the platform: nobody patches one without naming it."""
    return isinstance(owner, ModuleType) and is_platform(getattr(owner, "__file__", None))


def bound_outside(program: core.Function, facts: Facts | None = None) -> Iterator[Bound]:
    """The names of globals and attributes that a program binds; whose they are is told by the facts."""
    receiver = core.Var(next(iter(program.params.names), ""))
    supers = {core.Var("self"), *_supers_in(program)}
    called = set() if facts is None else _called_by_doors(program, facts)
    for statement in core.walk(program.body):
        op = getattr(statement, "op", None)
        op = op.call if isinstance(op, core.Caught) else op
        match statement:
            case core.WriteGlobal():
                yield Bound(statement.name, GLOBAL, change=change_by(statement, program, facts))
            case core.SetAttr() | core.AugmentAttr() | core.DelAttr():
                change = change_by(statement, program, facts)
                yield _of(statement, statement.target, statement.name, receiver, facts)._replace(
                    change=change
                )
        if isinstance(op, core.Call) and isinstance(op.func, core.Path):
            yield from _by_name(statement, op, receiver, facts)
        if op is not None and core.Var(str(getattr(statement, "target", ""))) not in called:
            yield from _by_another_way(op, supers)
        if facts is not None and op is not None:
            yield from _by_namespace(statement, op, facts)


def _called_by_doors(program: core.Function, facts: Facts) -> set[core.Atom | core.Star]:
    """The variables of a generated program that hold what a door calls: that hands it on to nobody."""
    found: set[core.Atom | core.Star] = set()
    for statement in core.walk(program.body):
        match getattr(statement, "op", None):
            case core.Call(core.Path() as path, (core.Var(name) as called, *_)) if is_temporary(name):
                if is_door(facts.objects.get(path.names)):
                    found.add(called)
    return found


def _supers_in(program: core.Function) -> Iterator[core.Var]:
    """The variables that hold what `super` gives, whose attributes are those of the object."""
    for statement in core.walk(program.body):
        op = getattr(statement, "op", None)
        if isinstance(op, core.Call) and isinstance(op.func, core.Path) and op.func.names == ("super",):
            yield core.Var(str(getattr(statement, "target", "")))


def _by_another_way(op: core.Op, own: set[core.Var]) -> Iterator[Bound]:
    """Attributes that are bound by a method (`o.__setattr__(name, value)`, `patch.setattr(o, name, value)`,
    `function.register(cls, value)`), or by a function such as `setattr` that is handed on."""
    match op:
        case core.Read(core.Path(names=names)) if names[-1] in NAMED:
            yield Bound(ANY, EVERYTHING)
        case core.CallMethod(value, name, args) if name in NAMED and value not in own:
            yield _named_in(args)
        case core.CallMethod(name="register") | core.Call(core.Path(names=(_, *_, "register"))):
            yield Bound(IMPLEMENTATION, ANYTHING)
        case core.Call(core.Path(names=(_, *_, last)), args) if NAMED.get(last, len(args)) != len(args):
            yield _named_in(args)


def _named_in(args: tuple[core.Atom | core.Star, ...]) -> Bound:
    """What a call binds that is given a name as a text."""
    texts = [arg.value for arg in args if isinstance(arg, core.Const) and isinstance(arg.value, str)]
    return Bound(texts[0].rpartition(".")[2], ANYTHING) if texts else Bound(ANY, EVERYTHING)


def _by_namespace(statement: core.Statement, op: core.Op, facts: Facts) -> Iterator[Bound]:
    """Whatever a module has, once a program has its `__dict__`."""
    found: Any = None
    match op:
        case core.Read(core.Path() as path) | core.Call(core.Path() as path) if "__dict__" in path.names:
            found = facts.objects.get(path.names)
            found = getattr(found, "__self__", found)  # a method of the dict
        case core.GetAttr(value, "__dict__") | core.Call(core.Path(names=("vars",)), (value,)):
            kind = NOTHING if isinstance(value, core.Star) else facts.value(statement, value).kind
            module = kind.value if isinstance(kind, Known) else None
            found = vars(module) if isinstance(module, ModuleType) else None
    if isinstance(found, dict):
        yield Bound(ANY, Namespace(found))


def _of(
    statement: core.Statement, target: core.Atom, name: str, receiver: core.Var, facts: Facts | None
) -> Bound:
    """The attribute of a value."""
    kind = None if facts is None else facts.value(statement, target).kind
    if isinstance(kind, Known) and isinstance(kind.value, ModuleType | type):
        return Bound(name, kind.value)
    if isinstance(kind, Object) and not issubclass(kind.cls, ModuleType | type):
        return Bound(name, kind.cls, True)
    return Bound(name, INSTANCE if target == receiver and receiver.name == "self" else ANYTHING)


def _by_name(
    statement: core.Statement, call: core.Call, receiver: core.Var, facts: Facts | None
) -> Iterator[Bound]:
    """The attribute that a call of `setattr` or `delattr` binds."""
    assert isinstance(call.func, core.Path)
    if NAMED.get(call.func.names[-1]) == len(call.args):
        owner, name = call.args[:2]
        if isinstance(owner, core.Star) or isinstance(name, core.Star):
            return
        if isinstance(name, core.Const):
            yield _of(statement, owner, str(name.value), receiver, facts)
        elif owner != core.Var("self"):  # whose fields these are
            bound = _of(statement, owner, ANY, receiver, facts)
            yield bound if isinstance(bound.owner, ModuleType) else Bound(ANY, ANYTHING)


def note_replaced(run: Run) -> None:
    """What the derivation relies on, and the program replaces, is to be found when it is read."""
    facts = run.facts
    facts.replacing.update(bound_outside(facts.function, facts))
    _refuse_other_code(run)
    if not run.is_own():
        facts.replacing.update(_bound_by_others(run, chain(functions_within(run), _asked(run))))
    replaced = replaced_among(facts.guards.values(), facts).union(_not_there_yet(run))
    facts.needs = facts.needs._replace(replaced=replaced)


def _not_there_yet(run: Run) -> Iterator[str]:
    """The global names that a program reads and that stand for nothing when it is derived: what it calls may
    bind them before."""
    for statement in core.walk(run.facts.function.body):
        op = getattr(statement, "op", None)
        op = op.call if isinstance(op, core.Caught) else op
        path = op.path if isinstance(op, core.Read) else getattr(op, "func", None)
        if isinstance(path, core.Path) and path.scope == "global" and not run.resolve(path).depth:
            yield path.names[0]


def replaced_among(guards: Iterable[Guard], facts: Facts) -> frozenset[str]:
    """The names of what a derivation relies on that the program replaces."""
    data = facts.way.everywhere  # what is called, it may be, and carry what is active
    return frozenset(
        guard.name
        for guard in guards
        if any(
            bound.replaces(guard) if guard.kind is None or data else bound.changes_kind(guard)
            for bound in facts.replacing
        )
    )


def _refuse_other_code(run: Run) -> None:
    """Refuse a program that gives a function another code, other defaults, or a class other bases: what is
    relied on is what these were when the program was derived."""
    facts = run.facts
    file = run.scope.globals.get("__file__")
    derived = run.is_own() or run.oracle.is_generated()  # from what was looked at itself
    if derived or is_platform(file) or is_installed(file):  # with what was just made
        facts.replacing = {bound for bound in facts.replacing if bound.name not in CODE}
    found = next((bound for bound in facts.replacing if bound.name in CODE), None)
    if found is None:
        return
    own = [statement for statement in core.walk(facts.function.body) if _binds_code(facts, statement)]
    for statement in own or facts.function.body[:1]:
        why = f"what has another '{found.name}' is something else from then on, under the same name"
        run.refuse(statement, why, "define another one, and bind the name to it")


def _binds_code(facts: Facts, statement: core.Statement) -> bool:
    """Whether a statement gives something another code, other defaults or bases."""
    alone = core.Function("", core.Params(), (statement,))
    return any(bound.name in CODE for bound in bound_outside(alone, facts))


def _asked(run: Run) -> Iterator[FunctionType]:
    """The methods by which the things answer that a program names or is given, and what they hold; and those
    that are called by a name which says nothing of the thing."""
    methods = tuple(sorted(_methods_called(run.facts.function)))
    mentioned = [run.scope.globals.get(name) for name in sorted(names_of(run.facts.function))]
    for named in (*run.facts.objects.values(), *mentioned):
        yield from answering_methods(named, methods)
        for thing in things_in(named):
            yield from answering_methods(thing, methods)
    for value in run.facts.arguments.values():
        if isinstance(value.kind, Object):
            yield from answering_methods(value.kind.cls)


def _methods_called(program: core.Function) -> set[str]:
    """The names of the methods that a program calls."""
    ops = [getattr(statement, "op", None) for statement in core.walk(program.body)]
    called = [op.call if isinstance(op, core.Caught) else op for op in ops]
    return {op.name for op in called if isinstance(op, core.CallMethod)}


def names_of(program: core.Function) -> frozenset[str]:
    """The names outside a program that it mentions."""
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


def _bound_by_others(run: Run, functions: Iterable[FunctionType]) -> Iterator[Bound]:
    """What functions bind that the program may call without naming them, and those that they call."""
    found = dict.fromkeys(islice(functions, MANY))
    waiting = list(found)
    while waiting and len(found) < MANY:
        function = waiting.pop()
        names, called = run.oracle.bound_by(function)
        yield from names
        fresh = [other for other in called if other not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
