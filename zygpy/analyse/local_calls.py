"""Calls of functions that programs have made: they are given what these have captured.

def rk4(f, y, h):                       def rk4(f, y, h):
    k = f(y)            ->                  c = captured(f, "c")
    ...                                     k = f(y), which is given c, too
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from zygpy.analyse.facts import BoundMethod, Facts, Intrinsic
from zygpy.codes import own_name
from zygpy.ir import core
from zygpy.ir.access import assigned_inside, mentioned
from zygpy.ir.kinds import Known, LocalFunction, Object, OneOf
from zygpy.ir.names import Names
from zygpy.runtime.partials import RECEIVER

Arguments: TypeAlias = "tuple[core.Atom | core.Star, ...]"


IN_CLASS = core.Path(("called_in_class",), "helper")


def is_bound(statement: core.Statement, facts: Facts) -> bool:
    """Whether a statement reads a method of an object in a variable, and runs no code for it."""
    return _receiver(statement, facts) is not None


def _receiver(statement: core.Statement, facts: Facts) -> str | None:
    """The variable with the object; None of any other statement."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.GetAttr) or not isinstance(op.value, core.Var):
        return None
    found = facts.calls.get(id(statement))
    known = isinstance(found, Intrinsic) and found.name == "bound method"
    return op.value.name if known or isinstance(found, BoundMethod) else None


def with_carried(program: core.Function, facts: Facts) -> core.Function:
    """The same program with calls that name what the functions have captured; the very same if there is
    nothing to name."""
    calls = _Calls(program, facts)
    if not any(calls.names_more(statement) for statement in core.walk(program.body)):
        return program
    return replace(program, body=core.rewritten(program.body, lambda one: tuple(calls.spelled(one))))


@dataclass
class _Calls:
    program: core.Function
    facts: Facts
    names: Names | None = field(default=None, init=False)

    @functools.cached_property
    def receivers(self) -> dict[int, str]:
        """The object of the method that is called by each statement which stands behind what has read it, and
        nothing in between binds the one or the other anew."""
        found: dict[int, str] = {}
        for block in _blocks(self.program.body):
            for place, statement in enumerate(block):
                owner = _receiver(statement, self.facts)
                if owner is not None:
                    found |= dict.fromkeys(_calls_behind(statement, owner, block[place + 1 :]), owner)
        return found

    def names_more(self, statement: core.Statement) -> bool:
        """Whether a statement is a call of a function that carries something, which is not named, or is
        found in a field of an object, in a class or by a global name."""
        if id(statement) in self.facts.read_in_front or _field_called(statement, self.facts) is not None:
            return True
        func = _called(statement)
        if func is None:
            return False
        value = self.facts.value(statement, func)
        if value.made is not None:
            return bool(value.made.captured)
        return isinstance(value.kind, LocalFunction) and bool(value.kind.captured)

    def spelled(self, statement: core.Statement) -> Iterator[core.Statement]:
        """The statement, behind those that read what is captured by a function that another program made."""
        if not self.names_more(statement):
            yield statement
            return
        assert isinstance(statement, core.Assign)
        op = statement.op
        found = self._found(statement)
        if found is not None:
            function = core.Var(self._temporary())
            yield core.Assign(function.name, found[0], statement.loc)
            yield replace(statement, op=core.Call(function, found[1], getattr(op, "keywords", ())))
            return
        assert isinstance(op, core.Call)
        assert isinstance(op.func, core.Var)
        value = self.facts.value(statement, op.func)
        if value.made is not None:
            yield replace(statement, op=replace(op, carried=value.made.captured))
            return
        assert isinstance(value.kind, LocalFunction)
        func, kind = op.func, value.kind
        receiver = self.receivers.get(id(statement))
        if receiver is not None and [name for name, _ in kind.captured] == [RECEIVER]:
            yield replace(statement, op=replace(op, carried=(receiver,), stand_in=kind.function))
            return
        itself = own_name(kind.function)
        carried = tuple(func.name if name == itself else self._temporary() for name, _ in kind.captured)
        for (name, _), variable in zip(kind.captured, carried, strict=True):
            if name != itself:
                yield _read(func, name, variable, statement.loc)
        yield replace(statement, op=replace(op, carried=carried, stand_in=kind.function))

    def _found(self, statement: core.Assign) -> tuple[core.Op, Arguments] | None:
        """How the function is read that a statement finds by a name, and what that is called with."""
        op, args = statement.op, self.facts.read_in_front.get(id(statement))
        if isinstance(op, core.Call):
            return (core.Read(op.func), op.args) if isinstance(op.func, core.Path) else None
        assert isinstance(op, core.CallMethod | core.GetAttr)
        if args is not None:
            return core.Call(IN_CLASS, (op.value, core.Const(op.name))), args
        assert isinstance(op, core.CallMethod)
        return core.GetAttr(op.value, op.name), op.args

    def _temporary(self) -> str:
        self.names = self.names or Names(mentioned(self.program))
        return self.names.temporary()


def _blocks(block: core.Block) -> Iterator[core.Block]:
    """A block, and all blocks in it."""
    yield block
    for statement in core.walk(block):
        yield from core.blocks(statement)


def _calls_behind(statement: core.Statement, owner: str, behind: core.Block) -> Iterator[int]:
    """The statements behind one in its block which surely call what that has bound, of the object as it is
    bound now."""
    assert isinstance(statement, core.Assign)
    target, names = core.Var(statement.target), {statement.target, owner}
    if len(names) == 1:
        return
    for other in behind:
        if _called(other) == target:
            yield id(other)
        if not names.isdisjoint(assigned_inside((other,))):
            return


def _called(statement: core.Statement) -> core.Var | None:
    """The variable that holds what a statement calls, if nothing is known that this has captured."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Var) or op.carried:
        return None
    return op.func


def _field_called(statement: core.Statement, facts: Facts) -> core.CallMethod | None:
    """The call of a function that is known and stands in a field of an object: `o.f(x)`."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.CallMethod) or not isinstance(op.value, core.Var):
        return None
    kind = facts.value(statement, op.value).kind
    known = dict(kind.fields or ()) if isinstance(kind, Object) else {}
    return op if isinstance(known.get(op.name), Known | LocalFunction | OneOf) else None


def _read(function: core.Var, name: str, target: str, loc: core.Loc) -> core.Assign:
    helper = core.Path(("captured",), "helper")
    return core.Assign(target, core.Call(helper, (function, core.Const(name))), loc)
