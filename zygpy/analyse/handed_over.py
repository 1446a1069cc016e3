"""Generated code that takes over a cotangent which its caller hands over: it writes to it.

An adjoint does that as if it were its own. Where it is differentiated once more in reverse, what is handed
over is a parameter that is written to, as its caller has to know; where it is not known to be there, it is
copied, and where a program that is pushed forward can be followed only so. Cotangents of dicts are bound anew
by all that changes them: these need nothing of the sort.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from zygpy.analyse.facts import Facts
from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.kinds import Array, Kind, is_list_of_numbers
from zygpy.runtime.accumulate import taken, taken_list

COPYING = {taken: core.Path(("owned",), "helper"), taken_list: core.Path(("owned_list",), "helper")}
"""What does the same with a copy."""


def with_copies(program: core.Function, scope: Scope) -> core.Function:
    """The program with copies of what is handed over; the very same if it takes over nothing."""

    def copied(statement: core.Assign, op: core.Call, callee: Callable[..., object]) -> core.Block:
        return (replace(statement, op=replace(op, func=COPYING[callee])),)

    return _rewritten(program, scope, copied)


def with_writes(program: core.Function, facts: Facts, scope: Scope) -> core.Function:
    """The program that writes to what is handed over, where that is surely there; the very same if there is
    nothing of the sort."""

    def written(statement: core.Assign, op: core.Call, callee: Callable[..., object]) -> core.Block:
        given = op.args[0]
        if not isinstance(given, core.Var) or given.name != statement.target:
            return (statement,)
        return () if _is_written_to(facts.value(statement, given).kind) else (statement,)

    return _rewritten(program, scope, written)


def _is_written_to(kind: Kind) -> bool:
    """Whether what is handed over is surely there, and holds numbers: of other lists a copy is made."""
    return isinstance(kind, Array) or is_list_of_numbers(kind)


def _rewritten(
    program: core.Function,
    scope: Scope,
    new: Callable[[core.Assign, core.Call, Callable[..., object]], core.Block],
) -> core.Function:
    """The program with what `new` makes of each statement that takes something over."""

    def made(statement: core.Statement) -> core.Block:
        op = statement.op if isinstance(statement, core.Assign) else None
        if not isinstance(op, core.Call) or not isinstance(op.func, core.Path):
            return (statement,)
        found = resolve(op.func, scope).value if op.func.names[-1].startswith("taken") else None
        if found not in COPYING:
            return (statement,)
        assert isinstance(statement, core.Assign)
        return new(statement, op, found)

    body = core.rewritten(program.body, made)
    return program if _leaves(body) == _leaves(program.body) else replace(program, body=body)


def _leaves(body: core.Block) -> list[int]:
    """The statements with no blocks inside, by their ids."""
    return [id(one) for one in core.walk(body) if not isinstance(one, core.COMPOUND)]
