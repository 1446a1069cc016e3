"""Functions that are given a generator, and walk over it: their bodies run in place of the call, where that
of the generator may come to stand in their loop.

    s = total(v * v for v in xs)      ->      t = 0.0
                                              for v in generator(xs):
                                                  t += v
                                              s = t
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.names import is_temporary
from zygpy.transform.bodies import (
    MOST_STATEMENTS,
    Around,
    Body,
    bindings_of,
    means_the_same_elsewhere,
    reads_of,
)
from zygpy.transform.flatten import flatten

Call = core.Call | core.CallMethod

Find: TypeAlias = "Callable[[core.Assign, Call], Body | None]"

Makes: TypeAlias = "Callable[[core.Assign, Call], bool]"


def with_receivers_in_place(program: core.Function, find: Find, makes: Makes) -> core.Function:
    """The program with such calls in place; the very same if there is none.

    Requires: the program is flattened. `find` gives the body of the function that a call goes to, if that is
    known, and `makes` tells of any other whether it makes a generator that may stand in a loop.
    """
    receivers = _Receivers(program, find, makes)
    body = receivers.block(program.body)
    return flatten(replace(program, body=body)) if receivers.found else program


@dataclass
class _Receivers:
    program: core.Function
    find: Find
    makes: Makes
    found: bool = False
    reads: Counter[str] = field(init=False)
    bound: Counter[str] = field(init=False)
    around: Around = field(init=False)

    def __post_init__(self) -> None:
        statements = list(core.walk(self.program.body))
        self.reads, self.bound = reads_of(statements), bindings_of(statements)
        self.around = Around(self.program)

    def block(self, block: core.Block) -> core.Block:
        """The block with such calls in place."""
        result: list[core.Statement] = []
        for statement in block:
            body = self._given(statement, result)
            if body is None:
                result.append(self._inside(statement))
                continue
            assert isinstance(statement, core.Assign)
            self.found = True
            *inside, last = body.program.body
            assert isinstance(last, core.Return)
            result += body.begun(self.around.names, statement.loc)
            result += [*inside, replace(statement, op=core.Copy(last.value))]
        return tuple(result)

    def _inside(self, statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.If):
            return replace(statement, then=self.block(statement.then), orelse=self.block(statement.orelse))
        if isinstance(statement, core.HOLDING):
            return replace(statement, body=self.block(statement.body))
        return statement

    def _given(self, statement: core.Statement, before: list[core.Statement]) -> Body | None:
        """The body of a function that a statement gives a generator that nobody else knows."""
        op = statement.op if isinstance(statement, core.Assign) else None
        if not isinstance(op, Call) or not isinstance(statement, core.Assign):
            return None
        names = [arg.name for arg in op.args if isinstance(arg, core.Var) and self._is_made(arg.name, before)]
        body = self.find(statement, op) if names else None
        if body is None or not isinstance(body.program.body[-1], core.Return):
            return None
        params = [param for param, atom in body.given if isinstance(atom, core.Var) and atom.name in names]
        size = len(list(core.walk(body.program.body)))
        if size > MOST_STATEMENTS or body.program.cells or not means_the_same_elsewhere(body):
            return None
        return self.around.fitting(body) if all(_walks(body.program, param) for param in params) else None

    def _is_made(self, name: str, before: list[core.Statement]) -> bool:
        """Whether a variable was bound in the same block to what a function gave that the program makes, or
        to a generator that is known otherwise."""
        if not is_temporary(name) or self.reads[name] != 1 or self.bound[name] != 1:
            return False
        made = next((one for one in reversed(before) if name in assigned(one)), None)
        op = made.op if isinstance(made, core.Assign) else None
        if isinstance(op, core.Call) and isinstance(op.func, core.Var):
            return True
        return isinstance(made, core.Assign) and isinstance(op, Call) and self.makes(made, op)


def _walks(program: core.Function, name: str) -> bool:
    """Whether a function walks over a parameter in a loop that it surely comes to, and knows it nowhere
    else."""
    knowing = [one for one in core.walk(program.body) if name in (*read(one), *assigned(one))]
    return len(knowing) == 1 and isinstance(knowing[0], core.For) and knowing[0] in program.body
