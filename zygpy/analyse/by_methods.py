"""Statements that methods of an object's class carry out, spelled out as calls of these.

While kinds are being found, the calls are interpreted in place of the statement that they stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zygpy.analyse import (
    answers_by_methods,
    arguments_in_lists,
    attributes_by_methods,
    items_by_methods,
    iterations_by_methods,
    operators_by_methods,
)
from zygpy.analyse.facts import Facts
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.access import assigned, mentioned, read
from zygpy.ir.names import Names

SORTS = (
    items_by_methods,
    attributes_by_methods,
    answers_by_methods,
    arguments_in_lists,
    iterations_by_methods,
    operators_by_methods,
)


def with_calls_of_methods(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such statements spelled out; the very same if there are none."""
    if not facts.parts:
        return program
    return replace(program, body=_spelled(program.body, facts))


def _spelled(block: core.Block, facts: Facts) -> core.Block:
    return tuple(part for statement in block for part in _parts_of(statement, facts))


def _parts_of(statement: core.Statement, facts: Facts) -> core.Block:
    """The statements that stand for one, and in the blocks inside of it."""
    if isinstance(statement, core.If):
        then, orelse = _spelled(statement.then, facts), _spelled(statement.orelse, facts)
        return (replace(statement, then=then, orelse=orelse),)
    parts = facts.parts.get(id(statement), (statement,))
    if isinstance(statement, core.For) and parts[-1] is not statement:
        return (*parts[:-1], *_parts_of(parts[-1], facts))
    if isinstance(statement, core.HOLDING):
        return (replace(statement, body=_spelled(statement.body, facts)),)
    return parts


def in_parts(run: Run, statement: core.Statement, env: Environment) -> core.Block:
    """The statements that stand for one; none where that is interpreted itself, and in an attempt: a method
    that fails may have changed something."""
    run.facts.parts.pop(id(statement), None)
    if id(statement) in run.attempted or run.is_own() or run.oracle.is_generated():
        return ()
    for sort in SORTS:
        spelled = sort.spelling(run, statement, env)
        if spelled is not None:
            run.names = run.names or Names(mentioned(run.facts.function))
            key = id(statement), spelled.form
            if key not in run.parts:
                run.parts[key] = tuple(spelled.make(run.names))
                _note_parts(run, statement, run.parts[key])
            run.facts.parts[id(statement)] = run.parts[key]
            return run.parts[key]
    return ()


def _note_parts(run: Run, statement: core.Statement, parts: Sequence[core.Statement]) -> None:
    """What is live behind each of the statements, and their numbers."""
    live = run.live[id(statement)]
    for part in reversed(parts):
        if isinstance(part, core.For | core.If):
            live |= {name for one in core.walk((part,)) for name in read(one)}
            _note_inside(run, part, live)
        run.live[id(part)] = live if part is not parts[-1] else run.live[id(statement)]
        run.numbers[id(part)] = len(run.numbers)
        live = (live - assigned(part)) | read(part)


def _note_inside(run: Run, around: core.Statement, live: frozenset[str]) -> None:
    """The same of statements that have come into the blocks of another one."""
    for one in (inner for block in core.blocks(around) for inner in core.walk(block)):
        if id(one) not in run.live:
            run.live[id(one)] = live
            run.numbers[id(one)] = len(run.numbers)
