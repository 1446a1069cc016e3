"""Questions that the class of an object may answer, spelled out: they go through doors, or their answers are
checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy.analyse.questions import (
    CALLS,
    COMPARING,
    CONVERSIONS,
    items_in,
    questions_of,
    runs_code,
    searches_of,
    shown_by,
)
from zygpy.analyse.spelling import Spelling, called_by, may_run_code
from zygpy.analyse.values import is_inert_outside
from zygpy.ir import core, kinds
from zygpy.ir.kinds import (
    Object,
    may_be_anything,
    may_be_object,
)
from zygpy.runtime.lookup import in_class
from zygpy.runtime.protocols import HOLDING, ITEMWISE, METHODS

CHECK = core.Path(("check_answer",), "helper")
ASKED = core.Path(("asked",), "helper")
SOUGHT = core.Path(("sought",), "helper")


def is_check(block: core.Block) -> bool:
    """Whether a block begins with the check of an answer."""
    op = block[0].op if block and isinstance(block[0], core.Assign) else None
    return isinstance(op, core.Call) and op.func == CHECK


def _question(
    target: str, statement: core.Assign, question: str, *given: core.Atom | core.Star
) -> core.Assign:
    """`target = asked(question, *given)`."""
    return core.Assign(target, core.Call(ASKED, (core.Const(question), *given)), statement.loc)


def _part(part: Any, ask: Callable[..., core.Atom]) -> Any:
    """A part of an f-string: what is asked formats itself, or gives the text that is formatted."""
    if isinstance(part, str) or part[1] not in CONVERSIONS:
        return part
    atom, conversion, spec = part
    more = () if conversion else (core.Const("") if spec is None else spec,)
    text = ask(CONVERSIONS[conversion], atom, *more)
    return part if text is atom else (text, "", spec if conversion else None)


def answer_checks(s: Spelling, statement: core.Statement) -> list[core.Statement]:
    """The checks of a statement's answer, if it asks what may be an object."""
    if not isinstance(statement, core.Assign) or (s.facts.way.identity and _has_door(s, statement)):
        return []
    callee = called_by(s, statement)
    given: core.Atom = core.Var(statement.target)
    questions = [(asked, given) for asked in questions_of(statement.op, callee)]
    shown = shown_by(statement.op, callee, lambda atom: s.facts.value(statement, atom))
    others = [*searches_of(statement.op, callee), *[("told", (atom,)) for atom in shown]]
    questions += [(asked, core.Const(True)) for asked in others]
    return [
        _check(s, statement, question, answer, atoms)
        for (question, atoms), answer in questions
        if any(_may_answer(s, statement, atom, question, atoms) for atom in atoms)
    ]


def _check(
    s: Spelling, statement: core.Assign, question: str, answer: core.Atom, atoms: tuple[core.Atom, ...]
) -> core.Assign:
    """`check_answer("<", t, a, b)`."""
    call = core.Call(CHECK, (core.Const(question), answer, *atoms))
    return core.Assign(s.names.temporary(), call, statement.loc)


def _may_answer(
    s: Spelling, statement: core.Statement, atom: core.Atom, question: str, asked: tuple[core.Atom, ...]
) -> bool:
    """Whether code in Python may answer a question about a value, and knows something active then."""
    value = s.facts.value(statement, atom)
    given = any(s.facts.value(statement, other).active for other in asked)
    known = value.active or (given and (is_inert_outside(value) or may_be_anything(value.kind)))
    if isinstance(value.kind, Object) and not (question in ITEMWISE and issubclass(value.kind.cls, HOLDING)):
        found = (in_class(value.kind.cls, name) for name in METHODS.get(question, ()))
        return known and any(isinstance(method, FunctionType) for method in found)
    items = items_in(value.kind) if question in ITEMWISE else ()
    unknown = any(map(may_be_anything, items))
    return known and (unknown or may_be_object(value.kind) or isinstance(value.kind, kinds.Iterator))


def asks_code(s: Spelling, statement: core.Assign) -> bool:
    """Whether a statement looks for an item, or asks what a method may answer that changes something."""
    op = statement.op
    return (isinstance(op, core.Compare) and op.op in ("in", "not in")) or any(
        _runs_code(s, statement, question, atoms)
        for question, atoms in questions_of(statement.op, called_by(s, statement))
    )


def _runs_code(s: Spelling, statement: core.Assign, question: str, atoms: tuple[core.Atom, ...]) -> bool:
    return runs_code(question, [s.facts.value(statement, atom) for atom in atoms])


def asked_by_door(s: Spelling, statement: core.Assign) -> Iterator[core.Statement]:
    """Such a question goes through a door."""
    if isinstance(statement.op, core.Compare) and statement.op.op in ("in", "not in"):
        yield from _search(s, statement)
        return
    s.found.append(statement)
    match statement.op:
        case core.Compare(symbol, left, right):
            yield _question(statement.target, statement, symbol, left, right)
        case core.Call(args=args) if called_by(s, statement) is not print:
            question = {**CALLS, **COMPARING}[called_by(s, statement)]
            yield _question(statement.target, statement, question, *args)
        case op:
            yield from _with_answers(s, statement, op)


def _with_answers(s: Spelling, statement: core.Assign, op: core.Op) -> Iterator[core.Statement]:
    """An operation on the answers of what it asks, which are asked for before it."""
    before: list[core.Assign] = []

    def ask(question: str, atom: core.Atom, *more: core.Atom) -> core.Atom:
        if not _runs_code(s, statement, question, (atom,)):
            return atom
        before.append(_question(s.names.temporary(), statement, question, atom, *more))
        return core.Var(before[-1].target)

    match op:
        case core.Truth(value):
            op = core.Truth(ask("bool", value))
        case core.Unary("not", value):
            op = core.Unary("not", ask("bool", value))
        case core.Format(parts):
            op = core.Format(tuple(_part(part, ask) for part in parts))
        case core.Call(args=args):
            asked = [arg if isinstance(arg, core.Star) else ask("str", arg) for arg in args]
            op = replace(op, args=tuple(asked))
    yield from before
    yield replace(statement, op=op)


def _has_door(s: Spelling, statement: core.Assign) -> bool:
    """Whether a statement that asks is spelled as a call of a door."""
    op = statement.op
    if isinstance(op, core.Compare) and op.op in ("in", "not in"):
        return isinstance(op.right, core.Var) and _is_sought(s, statement, op)
    return asks_code(s, statement)


def _is_sought(s: Spelling, statement: core.Assign, op: core.Compare) -> bool:
    asks = _runs_code(s, statement, "in", (op.left, op.right))
    return asks or may_run_code(s.facts.value(statement, op.right))


def _search(s: Spelling, statement: core.Assign) -> Iterator[core.Statement]:
    """`x in xs` takes items where `xs` is an iterator."""
    op = statement.op
    assert isinstance(op, core.Compare)
    if not _is_sought(s, statement, op) or not isinstance(op.right, core.Var):
        yield statement
        return
    found = statement.target if op.op == "in" else s.names.temporary()
    call = core.Assign(found, core.Call(SOUGHT, (op.right, op.left)), statement.loc)
    s.found.append(call)
    yield call
    if op.op != "in":
        yield replace(statement, op=core.Unary("not", core.Var(found)))
