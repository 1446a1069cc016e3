"""Generators that nobody knows any more: behind what has taken their items they are left in the middle."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, TypeAlias

from zygpy.analyse.facts import Facts
from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.names import Names, is_temporary
from zygpy.ir.nodes import is_generator
from zygpy.runtime.iteration import taken_apart
from zygpy.runtime.lazy import LAZY, sought

LEFT = core.Path(("left_alone",), "helper")
WALKED = core.Path(("walked",), "helper")
WATCHED = core.Path(("watched",), "helper")
DELEGATED = core.Path(("delegated",), "helper")

TAKING = (
    *(list, tuple, set, frozenset, dict, sum, min, max, any, all, sorted, next),
    *(functools.reduce, math.fsum, math.prod, taken_apart, sought),
)
"""What takes items of an iterator, and does not know it any more when it is done."""

Known: TypeAlias = "dict[str, tuple[str, ...]]"
"""The generators without a name that go with a temporary when that is not known any more, in their order."""


def with_left_generators(program: core.Function, facts: Facts, scope: Scope) -> core.Function:
    """The program with `left_alone(t)` behind what takes items of a generator that has no name: a loop
    (one that is spelled out in a `try` however it ends), or a call of a builtin. The very same if there is
    none.
    """
    leaving = _Leaving(facts, scope, _made_here(program), Names(mentioned(program)))
    leaving.follow(program)
    body = leaving.block(program.body)
    if not leaving.found:
        return program
    return replace(program, body=core.rewritten(body, leaving.without_early_ends))


def asked_when_left(program: core.Function) -> tuple[core.Handle, ...]:
    """The handlers of a generator that are asked when it is left in the middle: those of attempts in the
    course of which items are given. (The attempts that a `yield from` is made of have none.)"""
    suspending = {
        item.failure
        for item in core.walk(program.body)
        if isinstance(item, core.Attempt)
        and item.failure is not None
        and any(map(_gives, core.walk(item.body)))
    }
    handlers = (item for item in core.walk(program.body) if isinstance(item, core.Handle))
    return tuple([item for item in handlers if getattr(item.failure, "name", "") in suspending])


def _gives(statement: core.Statement) -> bool:
    """Whether a statement is a `yield`."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op.call if isinstance(op, core.Caught) else op, core.Yield)


def _made_here(program: core.Function) -> set[str]:
    """The variables that hold a generator function that the program makes."""
    return {
        statement.target
        for statement in core.walk(program.body)
        if isinstance(statement, core.Assign)
        and isinstance(statement.op, core.MakeFunction)
        and is_generator(statement.op.node)
    }


@dataclass
class _Leaving:
    facts: Facts
    scope: Scope
    made_here: set[str]
    names: Names
    known: Known = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    made_at: dict[str, int] = field(default_factory=dict)
    asked_on: set[str] = field(default_factory=set)
    ends: dict[str, core.Assign] = field(default_factory=dict)
    early: list[core.Statement] = field(default_factory=list)
    depth: int = 0
    found: bool = False

    def follow(self, program: core.Function) -> None:
        """Note which generators without a name are closed already."""
        for statement in core.walk(program.body):
            op = _called(statement)
            if isinstance(op, core.Call) and op.func == LEFT:
                self.done.update(_variables(op))

    def _held(self, statement: core.Statement, op: core.Op | None) -> Iterator[tuple[str, tuple[str, ...]]]:
        if isinstance(statement, core.Unpack) and isinstance(statement.value, core.Var):
            yield from self._unpacked(statement.targets[0], statement.value.name)
        if not isinstance(statement, core.Assign) or not is_temporary(statement.target):
            return
        if isinstance(op, core.Copy) and isinstance(op.value, core.Var):
            yield statement.target, self.known.get(op.value.name, ())
        if isinstance(op, core.Call):
            own = (statement.target,) if self._is_generator(statement, op) else ()
            self._made(own)
            yield statement.target, own + (self._given(op) if self._is_lazy(statement, op) else ())

    def _unpacked(self, value: str, both: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The value of a call whose exception is a value."""
        held = self.known.get(both, ())
        if both in held:
            self._made((value,))
        yield value, tuple([value if name == both else name for name in held])

    def _is_generator(self, statement: core.Statement, op: core.Call) -> bool:
        """Whether a call gives a generator, or a builtin that stands for one."""
        if id(statement) in self.facts.generators or getattr(op.func, "name", "") in self.made_here:
            return True
        callee = self._callee(statement, op)
        written = isinstance(callee, FunctionType) and bool(callee.__code__.co_flags & inspect.CO_GENERATOR)
        return written or _is_among(callee, LAZY)

    def _is_lazy(self, statement: core.Statement, op: core.Call) -> bool:
        """Whether what a call gives knows the iterators that it is given, and nobody else does."""
        own = getattr(op.func, "name", "")
        if (own in self.made_here and is_temporary(own)) or op.func in (WALKED, WATCHED):
            return True
        return _is_among(self._callee(statement, op), (iter, *LAZY))

    def _callee(self, statement: core.Statement, op: core.Call) -> Any:
        if isinstance(op.func, core.Var):
            return getattr(self.facts.value(statement, op.func).kind, "value", None)
        found = resolve(op.func, self.scope)
        return found.value if found.depth == len(op.func.names) else None

    def _given(self, op: core.Call | core.Iterate | core.Atom) -> tuple[str, ...]:
        return tuple([held for name in _variables(op) for held in self.known.get(name, ())])

    def block(self, block: core.Block) -> core.Block:
        """The block with what is left behind its statements. (What temporaries know is noted on the way: a
        body that stands in several places has the same ones in each.)"""
        found: list[core.Statement] = []
        for statement in block:
            found.append(self._inside(statement))
            self.known.update(self._held(statement, _called(statement)))
            found.extend(self._end(name, statement) for name in self._left_here(statement))
        return tuple(found)

    def _made(self, own: tuple[str, ...]) -> None:
        for name in own:
            self.made_at[name] = self.depth
            self.ends.pop(name, None)

    def _end(self, name: str, statement: core.Statement) -> core.Assign:
        """The end of a generator behind a statement; if it was asked before, it was not at its end there."""
        self.found = True
        if name in self.ends:
            self.early.append(self.ends[name])
        call = core.Call(LEFT, (core.Var(name),))
        self.ends[name] = core.Assign(self.names.temporary(), call, statement.loc)
        return self.ends[name]

    def without_early_ends(self, statement: core.Statement) -> core.Block:
        """Nothing in place of the end of a generator that is asked later."""
        return () if any(statement is end for end in self.early) else (statement,)

    def _inside(self, statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.If):
            then, orelse = self._deeper(statement.then), self._deeper(statement.orelse)
            return replace(statement, then=then, orelse=orelse)
        if isinstance(statement, core.For | core.Loop):
            return replace(statement, body=self._deeper(statement.body))
        if isinstance(statement, core.HOLDING):
            return replace(statement, body=self.block(statement.body))
        return statement

    def _deeper(self, block: core.Block) -> core.Block:
        self.depth += 1
        found = self.block(block)
        self.depth -= 1
        return found

    def _left_here(self, statement: core.Statement) -> list[str]:
        """The generators that are left behind a statement: what was made outside of a loop, or of an arm, may
        be asked for more there the next time around, or later (by a generator expression that runs in place,
        and takes one item at a time), and is left behind that loop, the last one that asks it."""
        asked = dict.fromkeys(self._left_behind(statement))
        if isinstance(statement, core.If | core.For | core.Loop):
            asked.update(dict.fromkeys(sorted(self.asked_on)))
        further_out = {name for name in asked if self.made_at.get(name, self.depth) < self.depth}
        self.asked_on = (self.asked_on - asked.keys()) | further_out
        return [name for name in asked if name not in further_out and name not in self.done]

    def _left_behind(self, statement: core.Statement) -> tuple[str, ...]:
        """The generators that nobody knows any more behind a statement."""
        if isinstance(statement, core.Loop):
            ops = [_called(inner) for inner in core.of_loop(statement.body)]
            steps = [op for op in ops if isinstance(op, core.Call) and op.func == DELEGATED]
            return self._given(steps[0]) if steps else ()
        if isinstance(statement, core.For):
            return self._given(statement.iterable) if _may_end_early(statement) else ()
        op = _called(statement)
        if not isinstance(op, core.Call) or not self._given(op):
            return ()
        return self._given(op) if _is_among(self._callee(statement, op), TAKING) else ()


def _is_among(callee: Any, functions: Iterable[Any]) -> bool:
    return any(callee is function for function in functions)


def _variables(op: core.Call | core.Iterate | core.Atom) -> list[str]:
    """The variables that are given to a call, or to what a loop walks over."""
    if isinstance(op, core.Call):
        return [arg.name for arg in op.args if isinstance(arg, core.Var)]
    if isinstance(op, core.Iterate):
        return [name for arg in op.args for name in _variables(arg)]
    return [op.name] if isinstance(op, core.Var) else []


def _may_end_early(loop: core.For) -> bool:
    """Whether a loop may be left before its end, or, over several iterators, leave some of them."""
    several = isinstance(loop.iterable, core.Iterate) and len(loop.iterable.args) > 1
    return several or any(isinstance(inner, core.Break) for inner in core.walk(loop.body))


def _called(statement: core.Statement) -> core.Op | None:
    """The operation of an assignment, its exception a value or not."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return op.call if isinstance(op, core.Caught) else op
