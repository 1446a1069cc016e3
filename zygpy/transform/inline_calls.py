"""Functions that a program makes and that share variables with it: where nobody else knows them, their bodies
run in place, and what was shared is an ordinary variable.

    def add(t):
        nonlocal total
        total += t * t       ->     for t in x:
    for t in x:                         total += t * t
        add(t)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from zygpy.ir import core
from zygpy.ir.access import read
from zygpy.transform.bodies import (
    MOST_STATEMENTS,
    Around,
    Body,
    bindings_of,
    captured_by,
    may_stand_elsewhere,
    without_unread_functions,
)
from zygpy.transform.flatten import flatten

Find: TypeAlias = "Callable[[core.Call, core.MakeFunction], Body | None]"


def with_shared_in_place(program: core.Function, find: Find) -> core.Function:
    """The program with such calls in place; the very same if there is none.

    Requires: the program is flattened. `find` gives the body of a function that the program makes, for a
    call; None where that is for Python to call.
    """
    while program.cells:
        calls = _Calls(program, find)
        body = calls.block(program.body, frozenset())
        if not calls.found:
            break
        program = flatten(without_unread_functions(replace(program, body=body)))
    return program


@dataclass
class _Calls:
    program: core.Function
    find: Find
    found: bool = False
    around: Around = field(init=False)
    bodies: dict[str, core.MakeFunction] = field(init=False)

    def __post_init__(self) -> None:
        self.around = Around(self.program)
        statements = list(core.walk(self.program.body))
        bound, sharing = bindings_of(statements), _sharing(self.program)
        made = [(name, op) for name, op in _made(self.program) if name in sharing and bound[name] == 1]
        self.bodies = {name: op for name, op in made if self._is_only_called(name, op, statements)}

    def _is_only_called(self, name: str, made: core.MakeFunction, statements: list[core.Statement]) -> bool:
        """Whether a function is called, by its name, a few times, and nothing else is done with it."""
        reading = [one for one in statements if name in read(one) or name in captured_by(one)]
        calls = [op for one in reading if (op := called_by(one, name)) is not None]
        if name in made.captured or not calls or len(calls) != len(reading):
            return False
        bodies = [body for call in calls if (body := self._body(call, made)) is not None]
        size = sum(len(list(core.walk(body.program.body))) for body in bodies)
        return len(bodies) == len(calls) and size <= MOST_STATEMENTS

    def _body(self, call: core.Call, made: core.MakeFunction) -> Body | None:
        body = self.find(call, made)
        return body if body is not None and may_stand_elsewhere(body) else None

    def block(self, block: core.Block, before: frozenset[str]) -> core.Block:
        """The block with calls in place; `before` are the functions that were made before."""
        result: list[core.Statement] = []
        for statement in block:
            if isinstance(statement, core.If):
                then, orelse = self.block(statement.then, before), self.block(statement.orelse, before)
                result.append(replace(statement, then=then, orelse=orelse))
            elif isinstance(statement, core.HOLDING):
                result.append(replace(statement, body=self.block(statement.body, before)))
            else:
                result += self._statement(statement, before)
            if isinstance(statement, core.Assign) and isinstance(statement.op, core.MakeFunction):
                before |= {statement.target}
        return tuple(result)

    def _statement(self, statement: core.Statement, before: frozenset[str]) -> Iterator[core.Statement]:
        name = next((name for name in read(statement) if name in self.bodies and name in before), None)
        call = None if name is None else called_by(statement, name)
        found = None if name is None or call is None else self._body(call, self.bodies[name])
        body = None if found is None else self.around.fitting(found)
        if body is None:
            yield statement
            return
        assert isinstance(statement, core.Assign)
        self.found = True
        *inside, last = body.program.body
        assert isinstance(last, core.Return)
        yield from body.begun(self.around.names, statement.loc)
        yield from inside
        yield replace(statement, op=core.Copy(last.value))


def _made(program: core.Function) -> Iterator[tuple[str, core.MakeFunction]]:
    for statement in core.walk(program.body):
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.MakeFunction):
            yield statement.target, statement.op


def _sharing(program: core.Function) -> frozenset[str]:
    """The functions that share variables with the program, or call one that does."""
    found: frozenset[str] = frozenset()
    while True:
        known = found.union(program.cells)
        more = frozenset(name for name, op in _made(program) if not known.isdisjoint(op.captured))
        if more == found:
            return found
        found = more


def called_by(statement: core.Statement, name: str) -> core.Call | None:
    """The call of a function by its name, if that is all that a statement does with it."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or op.func != core.Var(name):
        return None
    return op if name not in _arguments(op) else None


def _arguments(op: core.Call) -> Iterator[str]:
    for arg in (*op.args, *(keyword.value for keyword in op.keywords)):
        atom = arg.value if isinstance(arg, core.Star) else arg
        if isinstance(atom, core.Var):
            yield atom.name
