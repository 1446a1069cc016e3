"""Iterators under two names, as bodies that run in place leave them, under one.

it = iter(xs)                   it = iter(xs)
iterable = it                   for item in it: ...
for item in iterable: ...

So what is done with the iterator's variable is all that is done with the iterator.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from zygpy.ir import core
from zygpy.ir.access import assigned, captured, read
from zygpy.ir.renaming import renamed

MAKING = ("iter", "cycle")
"""What is called for iterators of which may be known what they give."""


def with_one_name(program: core.Function) -> core.Function:
    """The program in which what has a second name of an iterator is read by the first.

    Ensures: so where the second name is bound once, and read only behind that in the same block, in which the
    first is not bound anew. The very same program if there is nothing of the sort.
    """
    made = {name for one in core.walk(program.body) if _makes_iterator(one) for name in assigned(one)}
    made -= {*program.params.names, *program.cells, *program.captured}
    if not made:
        return program
    finder = _Finder(program, frozenset(made))
    body = finder.block(program.body)
    return replace(program, body=body) if finder.found else program


def _makes_iterator(statement: core.Statement) -> bool:
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op, core.Call) and isinstance(op.func, core.Path) and op.func.names[-1] in MAKING


@dataclass
class _Finder:
    program: core.Function
    made: frozenset[str]
    found: list[str] = field(default_factory=list)

    def block(self, block: core.Block) -> core.Block:
        """The block with one name for each of the iterators in it."""
        for place, statement in enumerate(block):
            names = self._names(statement, block[place + 1 :])
            if names is not None:
                second, first = names
                self.found.append(second)
                return self.block((*block[:place], *renamed(block[place + 1 :], {second: first})))
        return tuple(map(self._inside, block))

    def _inside(self, statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.If):
            return replace(statement, then=self.block(statement.then), orelse=self.block(statement.orelse))
        if isinstance(statement, core.HOLDING):
            return replace(statement, body=self.block(statement.body))
        return statement

    def _names(self, statement: core.Statement, behind: core.Block) -> tuple[str, str] | None:
        """The second name of an iterator that a statement binds, and the first."""
        match statement:
            case core.Assign(str() as second, core.Copy(core.Var(first))) if first in self.made:
                known = {*self.program.params.names, *self.program.cells, *self.program.captured}
                alone = second not in known and second != first and self._is_bound_once(second)
                return (second, first) if alone and self._stay(second, first, behind) else None
        return None

    def _is_bound_once(self, name: str) -> bool:
        return sum(name in assigned(one) for one in core.walk(self.program.body)) == 1

    def _stay(self, second: str, first: str, behind: core.Block) -> bool:
        """Whether a name is read in a block alone, where another stays what it is."""
        statements = list(core.walk(behind))
        everywhere = list(core.walk(self.program.body))
        if any(first in assigned(one) for one in statements):
            return False
        if any(second in captured(one) for one in everywhere):
            return False
        return _readers(second, statements) == _readers(second, everywhere)


def _readers(name: str, statements: Iterable[core.Statement]) -> int:
    return sum(name in read(one) for one in statements)
