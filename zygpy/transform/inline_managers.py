"""`with` over functions of `contextlib.contextmanager`: the body comes to stand in the generator, at its
`yield`.

    with scaled(state, s):              old = state["s"]
        t += f(state)                   state["s"] = s
                                ->      try:
                                            t += f(state)
                                        finally:
                                            state["s"] = old

Python does the same in the same order: an exception that leaves the body is raised where the generator was
left, and goes on, or does not, as that says. How the body was left by `return`, `break` or `continue`, flags
tell that are asked behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from zygpy.ir import core
from zygpy.ir.access import read
from zygpy.transform.bodies import (
    MOST_STATEMENTS,
    Around,
    Body,
    bindings_of,
    means_the_same_elsewhere,
    reads_of,
    yields_in,
)
from zygpy.transform.flatten import flatten
from zygpy.transform.stopping import may_stop

Call: TypeAlias = "core.Call | core.CallMethod"

Find: TypeAlias = "Callable[[core.Assign, Call], Body | None]"
"""From the statement and the call that gives a manager, the body of the generator function behind it."""


def with_managers_in_place(program: core.Function, find: Find) -> core.Function:
    """The program with such managers in place; the very same if there is none.

    Requires: the program is flattened. `find` gives the body of what a call makes a manager of, if that is
    known.
    """
    if not has_managers(program):
        return program
    managers = _Managers(program, find)
    body = managers.block(program.body)
    return flatten(replace(program, body=body)) if managers.found else program


def has_managers(program: core.Function) -> bool:
    """Whether there is a `with` that asks its manager what is to become of exceptions."""
    ops = (statement.op for statement in core.walk(program.body) if isinstance(statement, core.Assign))
    return any(isinstance(op, core.CallMethod) and op.name == "__enter__" for op in ops)


class _Managed(NamedTuple):
    """A `with`: the statement and the call that make its manager, the variable for what that gives, what is
    done in front of its body, the body, what is done behind it in any case, and where it ran to its end; and
    how many statements it consists of."""

    made: core.Assign
    call: Call
    entered: str
    inits: core.Block
    body: core.Block
    behind: core.Block
    asks: core.Block
    length: int


@dataclass
class _Managers:
    program: core.Function
    find: Find
    found: bool = False
    around: Around = field(init=False)

    def __post_init__(self) -> None:
        statements = list(core.walk(self.program.body))
        self.reads, self.bound = reads_of(statements), bindings_of(statements)
        self.around = Around(self.program)

    def block(self, block: core.Block) -> core.Block:
        """The block with managers in place."""
        result: list[core.Statement] = []
        place = 0
        while place < len(block):
            length, made = self._managed(block[place:]) or (1, (self._inside(block[place]),))
            result += made
            place += length
        return tuple(result)

    def _inside(self, statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.If):
            return replace(statement, then=self.block(statement.then), orelse=self.block(statement.orelse))
        if isinstance(statement, core.HOLDING):
            return replace(statement, body=self.block(statement.body))
        return statement

    def _managed(self, block: core.Block) -> tuple[int, core.Block] | None:
        """How many statements at the beginning of a block are such a `with`, and what stands for them."""
        managed = self._with(block)
        body = None if managed is None else self.find(managed.made, managed.call)
        if managed is None or body is None or not _fits(body, managed):
            return None
        fitting = self.around.fitting(body)
        if fitting is None:
            return None
        self.found = True
        loc = block[0].loc
        inside = (*managed.inits, *self.block(managed.body))
        in_place = _with_body(fitting.program.body[:-1], managed.entered, inside)
        begun = fitting.begun_by(self.around.names, loc)
        return managed.length, (*begun, *in_place, *managed.behind, *self.block(managed.asks))

    def _with(self, block: core.Block) -> _Managed | None:
        """The `with` that a block begins with, whose manager nobody else knows."""
        made = block[0]
        if not isinstance(made, core.Assign) or len(block) < LEAST:
            return None
        manager, entered = made.target, block[1]
        if self.reads[manager] != USES or self.bound[manager] != 1 or manager in self.program.cells:
            return None
        if not isinstance(entered, core.Assign) or not _asks(entered, manager, "__enter__"):
            return None
        place = next((n for n, one in enumerate(block) if isinstance(one, core.Attempt)), None)
        if place is None or yields_in(block[place].body):  # type: ignore[union-attr]
            return None
        return _left(made, entered.target, block, place)


LEAST, USES = 5, 3
"""So many statements a `with` consists of, and so many of them mention its manager behind its making."""


def _left(made: core.Assign, entered: str, block: core.Block, place: int) -> _Managed | None:
    """The `with` whose body is at a place in a block, if its manager is left behind that."""
    attempt, call, manager = block[place], made.op, made.target
    assert isinstance(attempt, core.Attempt)
    if not isinstance(call, core.Call | core.CallMethod):
        return None
    last = next((n for n, one in enumerate(block) if n > place and isinstance(one, core.If)), None)
    leaving = None if last is None else block[last]
    if last is None or not isinstance(leaving, core.If) or not _leaves(leaving, manager):
        return None
    behind, done = list(block[place + 1 : last]), leaving.test
    if not behind or not _is_test(behind[0], done, attempt.failure):
        return None
    others = (*block[2:place], *behind[1:])
    if any(core.Var(manager) in map(core.Var, read(one)) for one in others):
        return None
    inits, asks = block[2:place], leaving.then[1:]
    return _Managed(made, call, entered, inits, attempt.body, tuple(behind[1:]), asks, last + 1)


def _is_test(statement: core.Statement, done: core.Atom, failure: str | None) -> bool:
    """Whether a statement asks whether there was no exception."""
    if not isinstance(statement, core.Assign) or failure is None:
        return False
    return done == core.Var(statement.target) and failure in read(statement)


def _leaves(leaving: core.If, manager: str) -> bool:
    """Whether an `if` leaves a manager first in both of its arms."""
    if not leaving.then or len(leaving.orelse) != 1 or not isinstance(leaving.orelse[0], core.Handle):
        return False
    failed = [one for one in core.walk(leaving.orelse) if manager in read(one)]
    return _asks(leaving.then[0], manager, "__exit__") and all(
        _asks(one, manager, "__exit__") for one in failed
    )


def _asks(statement: core.Statement, manager: str, name: str) -> bool:
    """Whether a statement calls a method of a manager."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op, core.CallMethod) and op.value == core.Var(manager) and op.name == name


def _fits(body: Body, managed: _Managed) -> bool:
    """Whether the body of a `with` may stand in the generator's: that surely comes to its one `yield`, or is
    left by an exception before."""
    statements = list(core.walk(body.program.body))
    size = len(statements) + len(list(core.walk(managed.body)))
    if size > MOST_STATEMENTS or len(yields_in(body.program.body)) != 1 or any(map(may_stop, statements)):
        return False
    return _comes_to_it(body.program.body) and means_the_same_elsewhere(body)


def _comes_to_it(block: core.Block) -> bool:
    """Whether a block surely comes to its `yield`, or is left: what goes wrong before is not caught."""
    for place, statement in enumerate(block):
        if not yields_in((statement,)):
            continue
        if isinstance(statement, core.Assign):
            return True
        if not isinstance(statement, core.Attempt) or not _comes_to_it(statement.body):
            return False
        return _begins_with_it(statement.body) or _raises_again(block[place + 1 :], statement.failure)
    return False


def _begins_with_it(block: core.Block) -> bool:
    """Whether nothing can go wrong in a block in front of its `yield`."""
    for statement in block:
        if yields_in((statement,)):
            return isinstance(statement, core.Assign) or _begins_with_it(statement.body)  # type: ignore[union-attr]
        if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.Copy):
            return False
    return False


def _raises_again(behind: Sequence[core.Statement], failure: str | None) -> bool:
    """Whether every exception of a `try` goes on behind it, as it does with a `finally`."""
    handles = [one for one in core.walk(tuple(behind[:2])) if isinstance(one, core.Handle)]
    mine = [one for one in handles if one.failure == core.Var(failure or "")]
    return len(mine) == 1 and bool(mine[0].body) and _is_left(mine[0].body)


def _is_left(block: core.Block) -> bool:
    """Whether a block, in which no flag says otherwise, ends with an exception."""
    last = block[-1]
    return isinstance(last, core.Raise) and not any(isinstance(one, core.If) for one in core.walk(block))


def _with_body(block: core.Block, entered: str, body: core.Block) -> core.Block:
    """A generator's body with that of a `with` in place of its `yield`, behind what the manager gives."""
    result: list[core.Statement] = []
    for statement in block:
        if not yields_in((statement,)):
            result.append(statement)
        elif isinstance(statement, core.Attempt):
            result.append(replace(statement, body=_with_body(statement.body, entered, body)))
        else:
            assert isinstance(statement, core.Assign) and isinstance(statement.op, core.Yield)
            result.append(core.Assign(entered, core.Copy(statement.op.value), statement.loc))
            result += body
            result.append(replace(statement, op=core.Copy(core.Const(None))))  # nothing is sent in
    return tuple(result)
