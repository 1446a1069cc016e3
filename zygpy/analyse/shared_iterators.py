"""Iterators that several ask for items: a walk over one changes it, so that others find it further on."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.access import assigned, iterable_atoms, read
from zygpy.runtime.lookup import is_among

MAKING: frozenset[Any] = frozenset([list, tuple, sorted, range, len, abs, int, float, bool, sum])
"""Builtins that give what they have made, and no iterator."""

ASKING: frozenset[Any] = frozenset(
    [
        *(list, tuple, sorted, sum, min, max, zip, enumerate, reversed),
        *(getattr(math, name) for name in ("fsum", "prod", "dist", "sumprod") if hasattr(math, name)),
        *(value for value in vars(operator).values() if callable(value)),
    ]
)
"""Those that ask for the items of what they are given."""


@dataclass(frozen=True)
class Walks:
    """What a program asks for items, where its names mean what they do; functions by the names `listed` give
    lists that they have made. (What functions of the user's ask for items is looked at there.)"""

    scope: Scope
    program: core.Function
    listed: tuple[str, ...]

    def are_own(self, block: core.Block) -> bool:
        """Whether statements ask for items of nothing but what the program has made, or has from a walk in
        them."""
        own = self._own(block)
        return all(self.asked(one) <= own for one in core.walk(block))

    def are_own_in(self, loop: core.For) -> bool:
        """The same of the statements in a loop, which has its own items from a walk, too."""
        own = self._own((loop,))
        return all(self.asked(one) <= own for one in core.walk(loop.body))

    def asked(self, statement: core.Statement) -> set[str]:
        """The variables whose items a statement may ask for itself."""
        if isinstance(statement, core.For):
            return {atom.name for atom in iterable_atoms(statement.iterable) if isinstance(atom, core.Var)}
        op = statement.op if isinstance(statement, core.Assign) else None
        starred = isinstance(op, core.Display) and any(isinstance(item, core.Star) for item in op.items)
        within = isinstance(op, core.Compare) and op.op in ("in", "not in")
        asks = starred or within or isinstance(statement, core.Unpack)
        return read(statement) if asks or is_among(self._called(op), ASKING) else set()

    def _called(self, op: core.Op | None) -> Any:
        if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.func.scope == "helper":
            return None
        return resolve(op.func, self.scope).value

    def _own(self, block: core.Block) -> set[str]:
        """The variables that hold what the program has made, or has from a walk in the block."""
        inside = {id(one) for one in core.walk(block)}
        foreign = {*self.program.params.names, *self.program.captured, *self.program.cells}
        bound = [(name, one) for one in core.walk(self.program.body) for name in assigned(one)]
        while True:
            new = {name for name, one in bound if not self._is_made(one, foreign, id(one) in inside)}
            if new <= foreign:
                return {name for name, _ in bound} - foreign
            foreign |= new

    def _is_made(self, statement: core.Statement, foreign: set[str], inside: bool) -> bool:
        """Whether a statement binds its variables to what it makes, or to items in the block."""
        if isinstance(statement, core.For | core.Unpack):
            return inside
        if not isinstance(statement, core.Assign):
            return isinstance(statement, core.AugmentName)
        op = statement.op
        if isinstance(op, core.Copy):
            return isinstance(op.value, core.Const) or op.value.name not in foreign
        if isinstance(op, core.Call) and isinstance(op.func, core.Path):
            return op.func.names[0] in self.listed or _makes(self._called(op))
        return isinstance(op, core.Display | core.Binary | core.Unary | core.Compare | core.Truth)


def _makes(called: Any) -> bool:
    """Whether what a call gives is nobody else's: a generator, or what a builtin has made."""
    if isinstance(called, FunctionType):
        return bool(called.__code__.co_flags & inspect.CO_GENERATOR)
    return is_among(called, MAKING)


def gives_what_it_walks_over(scope: Scope, program: core.Function) -> bool:
    """Whether a generator may give an iterator, or what holds one, that it asks for items itself, or hands on
    to what does."""
    asking = Walks(scope, program, ())
    read_of = {one.target: one.op.name for one in _operations(program.body, core.GetAttr)}
    asked = {name for one in core.walk(program.body) for name in asking.asked(one)}
    given = {one.op.value.name for one in _operations(program.body, core.Yield) if _is_variable(one.op.value)}
    fields = {read_of[name] for name in asked & read_of.keys()}
    if not fields.isdisjoint(read_of[name] for name in given & read_of.keys()):
        return True
    return any(both & paths for both, paths in _meeting(asking, program.body)) or _too_many(program.body)


def _operations(block: core.Block, kind: Any) -> Iterator[Any]:
    return (one for one in core.walk(block) if isinstance(one, core.Assign) and isinstance(one.op, kind))


def _is_variable(atom: core.Atom) -> bool:
    return isinstance(atom, core.Var)


MOST_BRANCHES = 6


def _too_many(block: core.Block) -> bool:
    return sum(isinstance(one, core.If) for one in core.walk(block)) > MOST_BRANCHES


Path = tuple[set[str], set[str]]
"""What is asked for items, or handed on, and what is given, on one way through statements."""


def _meeting(asking: Walks, block: core.Block) -> list[Path]:
    """The ways through a block, of which each tells what is asked and given there."""
    ways: list[Path] = [(set(), set())]
    if _too_many(block):
        return ways
    for statement in block:
        ways = [(a | more, b | given) for a, b in ways for more, given in _ways(asking, statement)]
    return ways


def _ways(asking: Walks, statement: core.Statement) -> list[Path]:
    if isinstance(statement, core.If):
        return [*_meeting(asking, statement.then), *_meeting(asking, statement.orelse)]
    own, given = set(asking.asked(statement)), set[str]()
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.Yield) and isinstance(op.value, core.Var):
        given.add(op.value.name)
    if isinstance(op, core.Call) and not is_among(asking._called(op), ABOUT_ONE):
        own |= read(statement)
    if isinstance(op, core.CallMethod) and op.name not in TELLING:
        own |= read(statement)
    if not isinstance(statement, core.For | core.Loop):
        return [(own, given)]
    inner = _meeting(asking, statement.body)
    new = {name for one in core.walk(statement.body) for name in assigned(one)} | set(assigned(statement))
    around = [set().union(*(way[place] for way in inner)) - new for place in (0, 1)]
    return [(own | around[0] | a, given | around[1] | b) for a, b in inner]


TELLING = frozenset({"items", "values", "keys"})
"""Methods of dicts, whose views may be asked for items again."""

ABOUT_ONE: frozenset[Any] = frozenset([isinstance, issubclass, type, len, abs, int, float, bool, callable])
