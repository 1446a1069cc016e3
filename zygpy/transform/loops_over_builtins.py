"""Loops over what one of Python's own iterators was bound to just before: they walk over its call.

    t = zip(xs, ys)
    total = []                ->      total = []
    for x, y in t:                    for x, y in zip(xs, ys):
        ...                               ...

So it is left by generators whose bodies stand in place, for which Python makes the iterator where they begin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.names import is_temporary
from zygpy.transform.bodies import bindings_of, reads_of

ITERATORS = (zip, enumerate, range, reversed)
"""What a loop may walk over a call of."""


def over_calls(program: core.Function, builtin: Callable[[core.Path], Any]) -> core.Function:
    """The program with such loops; `builtin` gives what a path leads to.

    Requires: the program is flattened.
    """
    statements = list(core.walk(program.body))
    loops = _Loops(program, builtin, reads_of(statements), bindings_of(statements))
    return replace(program, body=loops.block(program.body))


@dataclass
class _Loops:
    program: core.Function
    builtin: Callable[[core.Path], Any]
    reads: Counter[str]
    bound: Counter[str]

    def block(self, block: core.Block) -> core.Block:
        """The block with such loops."""
        result: list[core.Statement] = []
        for statement in block:
            inside = self._inside(statement)
            result.append(self._loop(inside, result) if isinstance(inside, core.For) else inside)
        return tuple(result)

    def _inside(self, statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.If):
            return replace(statement, then=self.block(statement.then), orelse=self.block(statement.orelse))
        if isinstance(statement, core.HOLDING):
            return replace(statement, body=self.block(statement.body))
        return statement

    def _loop(self, loop: core.For, before: list[core.Statement]) -> core.For:
        """A loop, with what is not needed any more taken from the statements before it."""
        walked = (
            self._walked(loop.iterable, len(before), before) if isinstance(loop.iterable, core.Var) else None
        )
        if walked is None:
            return loop
        iterable, places = walked
        for place in sorted(places, reverse=True):
            del before[place]
        return replace(loop, iterable=iterable)

    def _walked(
        self, atom: core.Atom, end: int, before: list[core.Statement]
    ) -> tuple[core.Iterate, list[int]] | None:
        """The call whose value a variable holds, with the places of the statements that made it."""
        place = self._made_at(atom, end, before)
        made = before[place] if place is not None else None
        op = made.op if isinstance(made, core.Assign) else None
        if place is None or op is None:
            return None
        if isinstance(op, core.Copy):
            found = self._walked(op.value, place, before)
            return None if found is None else (found[0], [*found[1], place])
        return self._called(op, place, before) if isinstance(op, core.Call) else None

    def _called(
        self, op: core.Call, place: int, before: list[core.Statement]
    ) -> tuple[core.Iterate, list[int]] | None:
        plain = isinstance(op.func, core.Path) and len(op.func.names) == 1 and not op.carried
        if not plain or any(isinstance(arg, core.Star) for arg in op.args):
            return None
        assert isinstance(op.func, core.Path)
        called = self.builtin(op.func)
        if not any(called is one for one in ITERATORS) or any(one.name is None for one in op.keywords):
            return None
        rebound = {name for one in before[place + 1 :] for name in assigned(one)}
        if not rebound.isdisjoint(read(before[place])):
            return None
        args: Any = op.args
        inner = self._walked(args[0], place, before) if args and called is not range else None
        if inner is None:
            return core.Iterate(op.func, args, op.keywords), [place]
        return core.Iterate(op.func, (inner[0], *args[1:]), op.keywords), [place, *inner[1]]

    def _made_at(self, atom: core.Atom, end: int, before: list[core.Statement]) -> int | None:
        """Where a variable was bound that nobody else knows, if nothing has happened since."""
        name = atom.name if isinstance(atom, core.Var) else ""
        if not is_temporary(name) or self.reads[name] != 1 or self.bound[name] != 1:
            return None
        for place in range(end - 1, -1, -1):
            statement = before[place]
            if name in assigned(statement):
                return place
            if not _does_nothing(statement):
                return None
        return None


def _does_nothing(statement: core.Statement) -> bool:
    """Whether a statement does no more than to bind a variable."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return (isinstance(op, core.Copy) and not op.begins) or (isinstance(op, core.Display) and not op.items)
