"""`super()` where the class of the object is known: the functions that it finds are called by themselves.

t_1 = super(__class__, self)            t_3 = called_behind(__class__, self, "f")
t_2 = t_1.f(x)                  ->      t_2 = t_3(self, x)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, TypeAlias

from zygpy.analyse.facts import Facts, Guard, Plain
from zygpy.analyse.paths import MISSING
from zygpy.analyse.run import Run
from zygpy.analyse.sites import BY_NAME
from zygpy.analyse.values import Value, make
from zygpy.ir import core
from zygpy.ir.access import assigned, mentioned, read
from zygpy.ir.classes import computes
from zygpy.ir.kinds import Kind, Known, Object, kind_of
from zygpy.ir.names import Names
from zygpy.runtime.inherited import called_behind, called_in, found_behind

BEHIND = core.Path(("called_behind",), "helper")

Use: TypeAlias = core.CallMethod | core.GetAttr


@dataclass(frozen=True)
class Asked:
    """`super(cls, thing)`: the atoms, and the classes that they tell."""

    around: core.Atom
    thing: core.Var
    cls: type
    own: type


def with_inherited(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such calls; the very same if there are none."""
    if facts.way.everywhere or not any(map(_asks, core.walk(program.body))):
        return program
    asked = dict(_asked(program, facts))
    resolved = _Resolved(facts, asked, Names(mentioned(program) | {*program.captured, *program.cells}))
    uses = [use for statement in core.walk(program.body) if (use := resolved.use(statement))]
    if not uses:
        return program
    counts = Counter(str(getattr(use.value, "name", "")) for use in uses)
    reads = Counter(
        name for statement in core.walk(program.body) for name in (*read(statement), *_kept(statement))
    )
    resolved.settled = {name for name in asked if counts[name] == reads[name]}
    return replace(program, body=core.rewritten(program.body, lambda one: tuple(resolved.spelled(one))))


def _asks(statement: core.Statement) -> bool:
    """Whether a statement is `t = super(C, o)`."""
    match statement:
        case core.Assign(op=core.Call(core.Path(names=("super",)), (_, core.Var()), ())):
            return True
    return False


def _kept(statement: core.Statement) -> tuple[str, ...]:
    """The variables that a function captures, if a statement makes one."""
    op = getattr(statement, "op", None)
    return op.captured if isinstance(op, core.MakeFunction) else ()


def _asked(program: core.Function, facts: Facts) -> Iterator[tuple[str, Asked]]:
    """The variables that hold what `super` gives for a parameter, which is never bound again."""
    bound = Counter(name for statement in core.walk(program.body) for name in assigned(statement))
    for statement in core.walk(program.body):
        match statement:
            case core.Assign(
                target, core.Call(core.Path(names=("super",)) as path, (around, core.Var() as thing))
            ):
                once = bound[target] == 1 and bound[getattr(around, "name", "")] <= 1
                given = thing.name in program.params.names and not bound[thing.name]
                if not (once and given and facts.objects.get(path.names) is super):
                    continue
                classes = _classes(facts.value(statement, around).kind, facts.value(statement, thing))  # type: ignore[arg-type]
                if classes is not None:
                    yield target, Asked(around, thing, *classes)  # type: ignore[arg-type]


def _classes(around: Kind, thing: Value) -> tuple[type, type] | None:
    """The class in which is asked, and that of the object; None where one of them is not known."""
    cls = around.value if isinstance(around, Known) else None
    if not isinstance(cls, type) or not isinstance(thing.kind, Object) or not thing.certain:
        return None
    return (cls, thing.kind.cls) if cls in thing.kind.cls.__mro__ else None


def function_behind(cls: type, own: type, name: str) -> Any:
    """The function, or the property, that a name means behind a class; None of anything else, or where
    nobody could tell whether that changes."""
    found = found_behind(cls, own, name)
    given = None if found is None else found[1]
    called = None if given is None else called_in(given)
    known = isinstance(called, FunctionType) and isinstance(kind_of(called), Known)
    known = known or given is object.__init__
    still = not any(computes(type(base)) for base in own.__mro__)
    return given if known and still and all(map(_is_still, conditions(cls, own, name))) else None


def _is_still(guard: Guard) -> bool:
    return getattr(guard.owner, guard.name, MISSING) is guard.value


def conditions(cls: type, own: type, name: str) -> list[Guard]:
    """What tells that a name means the same behind a class as it does now."""
    found = found_behind(cls, own, name)
    order = own.__mro__
    last = order.index(found[0]) if found is not None else len(order) - 1
    bases = [own, *order[order.index(cls) + 1 : last + 1]]
    return [
        Guard(own, "__mro__", order),
        *[Guard(base, name, getattr(base, name, MISSING)) for base in bases],
    ]


def function_value(run: Run, statement: core.Assign, callee: Any, values: list[Value]) -> Value | None:
    """The value of `called_behind(C, o, name)`: a function; None of any other call."""
    op = statement.op
    if callee is not called_behind or not isinstance(op, core.Call):
        return None
    classes, name = _classes(values[0].kind, values[1]), getattr(op.args[2], "value", "")
    if classes is None or name in run.scope.replaced or function_behind(*classes, name) is None:
        return None
    for guard in conditions(*classes, name):
        run.note(guard)
    run.facts.calls[id(statement)] = Plain()
    return make(Known(called_in(function_behind(*classes, name))), False, BY_NAME)


@dataclass
class _Resolved:
    """How the uses of what `super` gives are spelled, and which variables nobody reads then."""

    facts: Facts
    asked: dict[str, Asked]
    names: Names
    settled: set[str] = field(default_factory=set)

    def use(self, statement: core.Statement) -> Use | None:
        """What a statement does with what `super` gives, where it is known what that finds."""
        op = getattr(statement, "op", None)
        op = op.call if isinstance(op, core.Caught) else op
        match op:
            case core.CallMethod(core.Var(variable), name, args) if variable in self.asked:
                bare = not args and not op.keywords
                found = self._found(variable, name)
                called = isinstance(found, FunctionType | staticmethod) or (found is not None and bare)
                return op if called and not isinstance(found, property) else None
            case core.GetAttr(core.Var(variable), name) if variable in self.asked:
                return op if isinstance(self._found(variable, name), property) else None
        return None

    def _found(self, variable: str, name: str) -> Any:
        asked = self.asked[variable]
        return None if name in self.facts.way.replaced else function_behind(asked.cls, asked.own, name)

    def spelled(self, statement: core.Statement) -> Iterator[core.Statement]:
        """A statement by itself, or by the function that it calls."""
        if _asks(statement) and getattr(statement, "target", "") in self.settled:
            return
        use = self.use(statement)
        if use is None or not isinstance(statement, core.Assign) or not isinstance(use.value, core.Var):
            yield statement
            return
        asked = self.asked[use.value.name]
        for guard in conditions(asked.cls, asked.own, use.name):
            self.facts.guards.setdefault((id(guard.owner), guard.name), guard)
            self.facts.lasting.append(guard)
        if self._found(use.value.name, use.name) is object.__init__:
            nothing = (
                core.Display("tuple", (core.Const(None),) * 2)
                if isinstance(statement.op, core.Caught)
                else core.Copy(core.Const(None))
            )
            yield replace(statement, op=nothing)
            return
        function = core.Var(self.names.temporary())
        given = (asked.around, asked.thing, core.Const(use.name))
        yield core.Assign(function.name, core.Call(BEHIND, given), statement.loc)
        call = self._call(function, asked, use)
        yield replace(statement, op=core.Caught(call) if isinstance(statement.op, core.Caught) else call)

    def _call(self, function: core.Var, asked: Asked, use: Use) -> core.Call:
        first = (
            ()
            if isinstance(self._found(getattr(use.value, "name", ""), use.name), staticmethod)
            else (asked.thing,)
        )
        if isinstance(use, core.GetAttr):
            return core.Call(function, first)
        return core.Call(function, (*first, *use.args), use.keywords)
