"""Iteration over what may be an object, spelled out: a run-time door tells what is walked over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy.analyse import transfer
from zygpy.analyse.asked_by_doors import answer_checks, asked_by_door, asks_code, is_check
from zygpy.analyse.changed_by_doors import change_of_part, item_read
from zygpy.analyse.facts import Facts
from zygpy.analyse.known_iterators import taken_apart
from zygpy.analyse.lists_as_arrays import is_check_of, stored_in_array, stores_unknown, with_arrays
from zygpy.analyse.operators import binds_anew
from zygpy.analyse.spelling import Spelling, may_run_code
from zygpy.ir import core, kinds
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import (
    Kind,
    List,
    Row,
    Tuple,
    is_scalar,
    may_be_object,
)
from zygpy.ir.names import Names
from zygpy.runtime.operations import AUGMENTED_METHODS

WALKED = core.Path(("walked",), "helper")
APART = core.Path(("taken_apart",), "helper")
WATCHED = core.Path(("watched",), "helper")
SET = core.Path(("set",), "builtin")


def with_walks(program: core.Function, facts: Facts, *, checks: bool = True) -> core.Function:
    """The same program with `w = walked(xs)` in front of loops over what may be an object, with
    `t = taken_apart(xs, count)` in front of where such a thing is unpacked, and with
    `check_answer("<", t, a, b)` behind questions that its class may answer, and with `t = t + u` for `t += u`
    where `t` is a tuple, or a number and `u` is none; the very same if there is none.

    Without `checks` there are none: what generated code and our own asks, it has been asked about before.
    """
    spelling = Spelling(facts, Names(mentioned(program)), _given_by_doors(program), checks)
    body = _block(spelling, program.body)
    return replace(program, body=body) if spelling.found else program


def asks_when_run(program: core.Function) -> bool:
    """Whether a program checks what answers questions."""
    return any(is_check((statement,)) for statement in core.walk(program.body))


def _given_by_doors(program: core.Function) -> set[str]:
    """The variables that hold what a door gave already."""
    return {
        statement.target
        for statement in core.walk(program.body)
        if isinstance(statement, core.Assign)
        and isinstance(statement.op, core.Call)
        and statement.op.func in (WALKED, WATCHED, APART)
    }


def _suspends(block: core.Block) -> bool:
    """Whether others run in the course of a block, because it gives items of a generator."""
    ops = (inner.op for inner in core.walk(block) if isinstance(inner, core.Assign))
    return any(isinstance(op.call if isinstance(op, core.Caught) else op, core.Yield) for op in ops)


def _items(op: Any) -> tuple[core.Atom | core.Star, ...]:
    """What is given to a call by position, or put into a display."""
    if isinstance(op, core.Caught):
        return _items(op.call)
    return op.items if isinstance(op, core.Display) else getattr(op, "args", ())


def _with_items(op: Any, items: tuple[core.Atom | core.Star, ...]) -> Any:
    """The same operation with these instead."""
    if isinstance(op, core.Caught):
        return core.Caught(_with_items(op.call, items))
    return replace(op, **{"items" if isinstance(op, core.Display) else "args": items})


def _takes_things_apart(target: core.Target, kind: Kind) -> bool:
    """Whether a target of a loop takes apart anything but tuples, whose parts have cotangents by place."""
    if isinstance(target, str):
        return False
    if isinstance(kind, Row):
        return any(_takes_things_apart(part, kind.element) for part in target)
    if not isinstance(kind, Tuple) or len(kind.items) != len(target):
        return True
    return any(map(_takes_things_apart, target, kind.items))


def _block(s: Spelling, block: core.Block) -> core.Block:
    result: list[core.Statement] = []
    for position, given in enumerate(block):
        before, statement = with_arrays(s, _gone_on_with(s, _bound_anew(s, given)))
        result += before
        if s.checks and stores_unknown(s, given) and not is_check_of(result[-1:]):
            s.found.append(given)
            result.append(stored_in_array(s, given))
        result += _begun(s, statement) or _spelled_out(s, statement)
        if s.checks and not is_check(block[position + 1 : position + 2]):
            checks = answer_checks(s, statement)
            s.found += checks
            result += checks
    return tuple(result)


def _spelled_out(s: Spelling, statement: core.Statement) -> Iterator[core.Statement]:
    return _statement(s, statement) if s.facts.way.identity else _inside(s, statement)


def _gone_on_with(s: Spelling, statement: core.Statement) -> core.Statement:
    """A loop that goes on with what has begun already: `reversed` has been called."""
    if not isinstance(statement, core.For):
        return statement
    iterable = _without_begun(s, statement.iterable)
    return statement if iterable == statement.iterable else replace(statement, iterable=iterable)


def _without_begun(s: Spelling, iterable: Any) -> Any:
    if not isinstance(iterable, core.Iterate):
        return iterable
    args = tuple([_without_begun(s, arg) for arg in iterable.args])
    if iterable.func.names[-1] == "reversed" and isinstance(args[0], core.Var) and args[0].name in s.done:
        return args[0]
    return replace(iterable, args=args)


def _begun(s: Spelling, statement: core.Statement) -> list[core.Statement]:
    """Where a walk begins that a loop goes on with: what runs code is called here."""
    match statement:
        case core.Assign(target, core.Copy(core.Var() as walked, "iter" | "reversed" as begins), loc):
            value = s.facts.value(statement, walked)
        case _:
            return []
    if not may_be_object(value.kind):
        return []
    s.found.append(statement)
    s.done.add(target)
    if begins == "iter" and value.active:
        return [core.Assign(target, core.Call(WALKED, (walked,)), loc)]
    iterator = s.names.temporary() if value.active else target
    made = core.Assign(iterator, core.Call(core.Path((begins,), "builtin"), (walked,)), loc)
    walk = core.Assign(target, core.Call(WALKED, (core.Var(iterator),)), loc)
    return [made, walk] if value.active else [made]


def _inside(s: Spelling, statement: core.Statement) -> Iterator[core.Statement]:
    """A statement with the questions in its blocks checked."""
    if isinstance(statement, core.If):
        then, orelse = _block(s, statement.then), _block(s, statement.orelse)
        yield replace(statement, then=then, orelse=orelse)
    elif isinstance(statement, core.For | core.Loop | core.With | core.Attempt | core.Handle):
        yield replace(statement, body=_block(s, statement.body))
    else:
        yield statement


def _bound_anew(s: Spelling, statement: core.Statement) -> core.Statement:
    """An augmented assignment of a tuple binds its variable anew, and so does that of an object with no
    method of its own for that, and that of a number to which something else is added than a number, such
    as an array: what comes of it is a new thing."""
    if not isinstance(statement, core.AugmentName):
        return statement
    target = core.Var(statement.target)
    kind, added = (s.facts.value(statement, atom).kind for atom in (target, statement.value))
    of_object = binds_anew(kind, statement.op, s.facts.way)
    if not (isinstance(kind, Tuple) or (is_scalar(kind) and not is_scalar(added)) or of_object):
        return statement
    own = AUGMENTED_METHODS[statement.op][0]
    if isinstance(kind, Tuple) and isinstance(getattr(kind.cls, own, None), FunctionType):
        return statement
    s.found.append(statement)
    return core.Assign(target.name, core.Binary(statement.op, target, statement.value), statement.loc)


def _statement(s: Spelling, statement: core.Statement) -> Iterator[core.Statement]:
    match statement:
        case core.Assign(op=core.GetItem(core.Var() as owner, core.IndexTuple() as index)):
            yield from item_read(s, statement, owner, index)
        case core.Assign() if asks_code(s, statement):
            yield from asked_by_door(s, statement)
        case core.If():
            then, orelse = _block(s, statement.then), _block(s, statement.orelse)
            yield replace(statement, then=then, orelse=orelse)
        case core.Loop() | core.With() | core.Attempt() | core.Handle():
            yield replace(statement, body=_block(s, statement.body))
        case core.For():
            yield from _loop(s, statement)
        case core.Unpack():
            count = len(statement.targets) if statement.star is None else -1
            before, value = _through_door(s, statement, statement.value, APART, core.Const(count))
            yield from before
            yield replace(statement, value=value) if before else statement
        case core.Assign(op=core.Call() | core.CallMethod() | core.Display() | core.Caught()):
            yield from _with_stars(s, statement)
        case _:
            yield from change_of_part(s, statement)


def _is_set_display(s: Spelling, statement: core.Assign) -> bool:
    """Whether a statement makes a set of elements that may have gradients."""
    made = isinstance(statement.op, core.Display) and statement.op.kind == "set"
    return made and s.facts.after(statement, statement.target).active


def _set_display(s: Spelling, statement: core.Assign) -> Iterator[core.Statement]:
    """`{a, *b}` is `set([a, *b])`."""
    assert isinstance(statement.op, core.Display)
    listed = core.Assign(s.names.temporary(), core.Display("list", statement.op.items), statement.loc)
    s.found.append(listed)
    yield from _with_stars(s, listed)
    yield replace(statement, op=core.Call(SET, (core.Var(listed.target),)))


def _through_door(
    s: Spelling, statement: core.Statement, atom: core.Atom, door: core.Path, *more: core.Atom
) -> tuple[list[core.Statement], core.Atom]:
    """The call of a door for an atom, if it needs one, and the atom that stands for the atom."""
    value = s.facts.value(statement, atom)
    if not isinstance(atom, core.Var) or atom.name in s.done:
        return [], atom
    if not (may_run_code(value) or (value.active and _is_live(s, value.kind, door))):
        return [], atom
    target = s.names.temporary()
    made = core.Assign(target, core.Call(door, (atom, *more)), statement.loc)
    s.found.append(made)
    return [made], core.Var(target)


def _is_live(s: Spelling, kind: Kind, door: core.Path) -> bool:
    """Whether the items of a list or of a view of a dict are those that are in it when they are taken."""
    if door == WATCHED:
        return isinstance(kind, List)
    return door == APART and isinstance(kind, kinds.Iterator) and s.facts.way.identity


def _with_stars(s: Spelling, statement: core.Assign) -> Iterator[core.Statement]:
    if _is_set_display(s, statement):
        yield from _set_display(s, statement)
        return
    fresh: list[core.Atom | core.Star] = []
    before: list[core.Statement] = []
    for item in _items(statement.op):
        if isinstance(item, core.Star):
            made, atom = _through_door(s, statement, item.value, APART, core.Const(-1))
            before += made
            item = core.Star(atom)
        fresh.append(item)
    yield from before
    yield replace(statement, op=_with_items(statement.op, tuple(fresh))) if before else statement


def _loop(s: Spelling, loop: core.For) -> Iterator[core.Statement]:
    before: list[core.Statement] = []
    iterable = _walked(s, loop, loop.iterable, before)
    inside: list[core.Statement] = []
    target = _target(s, loop, loop.target, loop.iterable, inside)
    yield from before
    yield replace(loop, target=target, iterable=iterable, body=(*inside, *_block(s, loop.body)))


def _walked(
    s: Spelling, loop: core.For, iterable: core.Atom | core.Iterate, before: list[core.Statement]
) -> core.Atom | core.Iterate:
    if not isinstance(iterable, core.Iterate):
        made, atom = _through_door(s, loop, iterable, WATCHED if _suspends(loop.body) else WALKED)
        before += made
        return atom
    if iterable.func.names[-1] == "reversed":
        return _backwards(s, loop, iterable, before)
    if iterable.func.names[-1] not in ("zip", "enumerate"):
        return iterable
    return replace(iterable, args=tuple(_walked(s, loop, arg, before) for arg in iterable.args))


def _backwards(
    s: Spelling, loop: core.For, iterable: core.Iterate, before: list[core.Statement]
) -> core.Atom | core.Iterate:
    """`reversed(xs)`, which calls a method of what may be an object."""
    (owner,) = iterable.args
    if isinstance(owner, core.Iterate) or not may_run_code(s.facts.value(loop, owner)):
        return iterable
    made = core.Assign(s.names.temporary(), core.Call(iterable.func, (owner,)), loop.loc)
    walk = core.Assign(s.names.temporary(), core.Call(WALKED, (core.Var(made.target),)), loop.loc)
    s.found.append(made)
    before += [made, walk]
    return core.Var(walk.target)


def _target(
    s: Spelling,
    loop: core.For,
    target: core.Target,
    iterable: core.Atom | core.Iterate,
    inside: list[core.Statement],
) -> core.Target:
    """The target; what would take apart an object, or what is found by identity as an object is, gets a
    name, and is unpacked in the body."""
    if isinstance(target, str):
        return target
    if isinstance(iterable, core.Iterate):
        name = iterable.func.names[-1]
        if name == "reversed":
            return _target(s, loop, target, iterable.args[0], inside)
        parts = (core.Const(0), *iterable.args[:1]) if name == "enumerate" else iterable.args
        if name == "range" or len(parts) != len(target):
            return target
        pairs = zip(target, parts, strict=True)
        return tuple(_target(s, loop, item, part, inside) for item, part in pairs)
    value = s.facts.value(loop, iterable)
    if not value.active or not _takes_things_apart(target, transfer.element(value.kind)):
        return target
    name = s.names.temporary()
    inside += taken_apart(target, name, s.names, loop.loc)
    s.found.append(inside[-1])
    return name
