"""Operations in a `try` that may be methods in Python: like calls, they have their exceptions as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType
from typing import Any

from zygpy.analyse.facts import Facts
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import Object
from zygpy.ir.names import Names
from zygpy.runtime.lookup import in_class, is_written
from zygpy.runtime.operations import AUGMENTED_METHODS, BINARY_METHODS, UNARY_METHODS

STORED = core.Path(("stored_item",), "helper")
ASKED = core.Path(("asked",), "helper")
OPERATED = core.Path(("operated",), "helper")


BUILTINS: Mapping[Any, tuple[str, ...]] = {
    abs: ("__abs__",),
    float: ("__float__",),
    round: ("__round__",),
    divmod: ("__divmod__", "__rdivmod__"),
    pow: BINARY_METHODS["**"],
    iter: ("__iter__",),
}
"""Builtins that come down to methods."""


def with_caught_operations(program: core.Function, facts: Facts) -> core.Function:
    """The program with what may be a method in Python, and fails in a `try`, as a call.

    Requires: attempts are split, so that such an operation ends one.
    Ensures: `t = a + b` at the end of an attempt is `both = caught operated("+", a, b)`, followed by
    `t, failure = both`, where an operand may be an object whose class says what that means. The very same
    program if there is none.
    """
    if not facts.way.identity:
        return program
    spelling = _Spelling(facts, Names(mentioned(program)))
    body = spelling.block(program.body)
    return replace(program, body=body) if spelling.found else program


@dataclass
class _Spelling:
    facts: Facts
    names: Names
    found: list[core.Statement] = field(default_factory=list)

    def block(self, block: core.Block) -> core.Block:
        return tuple(part for statement in block for part in self._statement(statement))

    def _statement(self, statement: core.Statement) -> Iterator[core.Statement]:
        match statement:
            case core.If():
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                yield replace(statement, then=then, orelse=orelse)
            case core.Attempt(str(failure), body):
                yield from self._attempt(statement, failure, body)
            case core.For() | core.Loop() | core.With() | core.Attempt() | core.Handle():
                yield replace(statement, body=self.block(statement.body))
            case _:
                yield statement

    def _attempt(self, attempt: core.Attempt, failure: str, body: core.Block) -> Iterator[core.Statement]:
        """An attempt, which ends behind the first of its operations that is a call; the rest is another."""
        calls = (place for place, statement in enumerate(body) if self._call_of(statement) is not None)
        place = next(calls, None)
        if place is None:
            yield replace(attempt, body=self.block(body))
            return
        rest = self._attempt(attempt, failure, body[place + 1 :]) if body[place + 1 :] else ()
        before = self.block(body[:place])
        yield from self._caught(replace(attempt, body=before), failure, body[place], tuple(rest))

    def _caught(
        self, attempt: core.Attempt, failure: str, last: core.Statement, rest: core.Block
    ) -> Iterator[core.Statement]:
        """An attempt with one more operation as a call, what takes its value, and what follows."""
        self.found.append(last)
        call = self._call_of(last)
        assert call is not None
        loc, target = last.loc, getattr(last, "target", None)
        both, value = self.names.temporary(), self.names.temporary()
        made = core.Assign(both, core.Caught(call), loc)
        parted = core.Unpack((value, failure), None, core.Var(both), loc)
        taken = (core.Assign(target, core.Copy(core.Var(value)), loc),) if isinstance(target, str) else ()
        behind = (*taken, *rest)
        yield replace(attempt, body=(*attempt.body, made))
        fine = self._where_fine(failure, behind, loc) if behind else ()
        yield from self._where_fine(failure, (parted, *fine), loc)

    def _call_of(self, statement: core.Statement) -> core.Call | None:
        """The call that an operation is which may be a method in Python; None of any other statement."""
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.Call):
            return statement.op if self._is_method(statement, statement.op) else None
        given = self._operation(statement) if isinstance(statement, core.Assign) else self._change(statement)
        return None if given is None else core.Call(OPERATED, given)

    def _where_fine(self, failure: str, block: core.Block, loc: core.Loc) -> core.Block:
        test = self.names.temporary()
        fine = core.Assign(test, core.Compare("is", core.Var(failure), core.Const(None)), loc)
        return (fine, core.If(core.Var(test), block, (), loc))

    def _is_method(self, statement: core.Assign, op: core.Call) -> bool:
        """Whether a builtin is called that calls a method of an object, or the run-time door of one."""
        if op.func in (ASKED, STORED):
            return True
        callee = self.facts.objects.get(op.func.names) if isinstance(op.func, core.Path) else None
        if not isinstance(callee, BuiltinFunctionType | type) or callee not in BUILTINS or op.keywords:
            return False
        atoms = [arg for arg in op.args if not isinstance(arg, core.Star)]
        kinds = [value.kind for atom in atoms if (value := self.facts.value(statement, atom)).active]
        return any(isinstance(kind, Object) and _has(kind, BUILTINS[callee]) for kind in kinds)

    def _operation(self, statement: core.Assign) -> tuple[core.Atom, ...] | None:
        """What `operated` is given for an operation that may be a method in Python; None for any other."""
        match statement.op:
            case core.GetItem(value, core.Const() | core.Var() as index):
                asked = _may_have(self.facts.value(statement, value), ("__getitem__",))
                return (core.Const("[]"), value, index) if asked else None
            case core.GetAttr(value, name) if self._is_computed(statement, value, name):
                return (core.Const("."), value, core.Const(name))
            case core.Binary(symbol, left, right):
                methods: tuple[str, ...] = BINARY_METHODS[symbol]
                given: tuple[core.Atom, ...] = (core.Const(symbol), left, right)
            case core.Unary("-" | "+" | "~" as symbol, value):
                methods, given = (UNARY_METHODS[symbol],), (core.Const(f"{symbol}x"), value)
            case _:
                return None
        values = [self.facts.value(statement, atom) for atom in given[1:]]
        return given if any(_may_have(value, methods) for value in values) else None

    def _change(self, statement: core.Statement) -> tuple[core.Atom, ...] | None:
        """The same for a statement that changes an object."""
        match statement:
            case core.SetItem(target, core.Const() | core.Var() as index, value):
                methods: tuple[str, ...] = ("__setitem__",)
                given: tuple[core.Atom, ...] = (core.Const("[]="), target, index, value)
            case core.DelItem(target, core.Const() | core.Var() as index):
                methods, given = ("__delitem__",), (core.Const("del []"), target, index)
            case core.SetAttr(target, name, value) if self._is_set_by_code(statement, target, name):
                return (core.Const(".="), target, core.Const(name), value)
            case core.AugmentName(target, symbol, value):
                methods = AUGMENTED_METHODS[symbol]
                given = (core.Const(f"{symbol}="), core.Var(target), value)
            case _:
                return None
        kind = self.facts.value(statement, given[1]).kind
        return given if isinstance(kind, Object) and _has(kind, methods) else None

    def _is_set_by_code(self, statement: core.Statement, atom: core.Atom, name: str) -> bool:
        """Whether assigning an attribute calls a method."""
        kind = self.facts.value(statement, atom).kind
        if not isinstance(kind, Object):
            return False
        found = in_class(kind.cls, name, None)
        if isinstance(found, property) and isinstance(found.fset, FunctionType):
            return True
        if is_written(in_class(type(found), "__set__", None)):
            return True
        return is_written(in_class(kind.cls, "__setattr__", None))

    def _is_computed(self, statement: core.Assign, atom: core.Atom, name: str) -> bool:
        """Whether an attribute is a property, or what `__getattr__` gives."""
        value = self.facts.value(statement, atom)
        if not value.active or not isinstance(value.kind, Object):
            return False
        found = in_class(value.kind.cls, name, None)
        if isinstance(found, property):
            return isinstance(found.fget, FunctionType)
        if is_written(in_class(type(found), "__get__", None)):
            return True
        empty = found is None or isinstance(found, MemberDescriptorType)  # a slot may be
        return empty and isinstance(in_class(value.kind.cls, "__getattr__", None), FunctionType)


def _may_have(value: Value, methods: tuple[str, ...]) -> bool:
    """Whether a value is an object with one of these methods. (Of a value of unknown kind more is known as
    long as it is taken for data: where it is an object after all, such an exception is refused.)"""
    return value.active and isinstance(value.kind, Object) and _has(value.kind, methods)


def _has(kind: Object, methods: tuple[str, ...]) -> bool:
    return any(is_written(in_class(kind.cls, name, None)) for name in methods)
