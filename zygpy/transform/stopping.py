"""StopIteration in the body of a generator that runs in place: where one leaves a generator, Python makes a
RuntimeError of it (PEP 479).

    yield f(x)   ->   try:
                          y = f(x)
                      except StopIteration as failure:
                          raise RuntimeError("generator raised StopIteration") from failure
                      yield y

Calls of which it is known that they raise none stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias

from zygpy.analyse.never_stopping import STOPPING
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.names import Names

Ends: TypeAlias = "Callable[[core.Statement], bool]"
"""Whether a statement may raise StopIteration."""

STOP = core.Path(("StopIteration",), "builtin")
RUNTIME_ERROR = core.Path(("RuntimeError",), "builtin")
IS_CAUGHT = core.Path(("is_caught",), "helper")


def may_stop(statement: core.Statement) -> bool:
    """Whether a statement is about StopIteration."""
    return isinstance(statement, core.Assign) and not STOPPING.isdisjoint(_named_in(statement.op))


def _named_in(op: core.Op) -> tuple[str, ...]:
    """The names of what is called or read."""
    if isinstance(op, core.Read):
        return op.path.names if op.path != STOP else ()  # see `told_apart`
    if isinstance(op, core.Call):
        return op.func.names if isinstance(op.func, core.Path) else ()
    return (op.name,) if isinstance(op, core.CallMethod) else ()


def is_told_apart(block: core.Block, ends: Ends) -> bool:
    """Whether `told_apart` serves a body: what may raise StopIteration in it has no handler around it."""
    return not any(ends(inner) for one in _handlers(block) for inner in core.walk(one.body))


def _handlers(block: core.Block) -> Iterator[core.Attempt | core.With]:
    """The handlers in a body, without those of `told_apart`."""
    own = {id(one) for one in _own_attempts(block)}
    return (
        one for one in core.walk(block) if isinstance(one, core.Attempt | core.With) and id(one) not in own
    )


def _own_attempts(block: core.Block) -> Iterator[core.Attempt]:
    """The attempts that are those of `told_apart`."""
    statements = list(core.walk(block))
    own = [one.failure for one in statements if isinstance(one, core.Handle) and _is_own(one)]
    for one in statements:
        if isinstance(one, core.Attempt) and core.Var(one.failure or "") in own:
            yield one


def _is_own(handle: core.Handle) -> bool:
    first = handle.body[0] if handle.body else None
    return isinstance(first, core.Assign) and first.op == core.Read(STOP)


def told_apart(block: core.Block, ends: Ends, names: Names) -> core.Block:
    """The body of a generator with statements that may raise StopIteration in attempts of their own.

    Requires: `is_told_apart`.
    """
    done = {id(inner) for one in _own_attempts(block) for inner in core.walk(one.body)}
    wanted = {id(one) for one in core.walk(block) if id(one) not in done and ends(one)}

    def new(statement: core.Statement) -> core.Block:
        return _in_attempt(statement, names) if id(statement) in wanted else (statement,)

    return core.rewritten(block, new) if wanted else block


def with_all_told(program: core.Function, ends: Ends) -> core.Function:
    """The program of a generator function with its statements `told_apart`; the very same if there is nothing
    to tell."""
    return replace(program, body=told_apart(program.body, ends, _names_of(program)))


def _names_of(program: core.Function) -> Names:
    return Names({*mentioned(program), *program.captured, *program.cells})


def with_stops_told(program: core.Function, ends: Ends) -> core.Function:
    """The program with `told_apart` in the loops that were generator expressions; the very same if there is
    nothing to tell."""
    loops = [one for one in core.walk(program.body) if isinstance(one, core.For) and one.of_generator]
    if not any(ends(inner) for loop in loops for inner in core.walk(loop.body)):
        return program
    return replace(program, body=_told_in(program.body, ends, _names_of(program)))


def _told_in(block: core.Block, ends: Ends, names: Names) -> core.Block:
    found: list[core.Statement] = []
    for one in block:
        if isinstance(one, core.For) and one.of_generator:
            told = told_apart(one.body, ends, names)
            one = replace(one, body=told, of_generator=False)
        elif isinstance(one, core.If):
            then, orelse = (_told_in(arm, ends, names) for arm in (one.then, one.orelse))
            one = replace(one, then=then, orelse=orelse)
        elif isinstance(one, core.HOLDING):
            one = replace(one, body=_told_in(one.body, ends, names))
        found.append(one)
    return tuple(found)


def _in_attempt(statement: core.Statement, names: Names) -> core.Block:
    loc, failure = statement.loc, names.fresh("failure")
    none, stop, caught, truth, error = (names.temporary() for _ in range(5))
    told = core.Const("generator raised StopIteration")
    another: core.Block = (
        core.Assign(error, core.Call(RUNTIME_ERROR, (told,)), loc),
        core.Raise(core.Var(error), core.Var(failure), loc),
    )
    handled: core.Block = (
        core.Assign(stop, core.Read(STOP), loc),
        core.Assign(caught, core.Call(IS_CAUGHT, (core.Var(failure), core.Var(stop))), loc),
        core.Assign(truth, core.Truth(core.Var(caught)), loc),
        core.If(core.Var(truth), another, (), loc),
        core.Raise(None, None, loc),
    )
    return (
        core.Attempt(failure, (statement,), loc),
        core.Assign(none, core.Compare("is", core.Var(failure), core.Const(None)), loc),
        core.If(core.Var(none), (), (core.Handle(core.Var(failure), handled, loc),), loc),
    )
