"""Augmented assignments of items and attributes: what is there was read before the value was computed.

    t_1 = b[0]                      t_1 = b[0]
    t_2 = o.value                   t_2 = o.value
    b[0] += t_2  # before: t_1      t_1 += t_2
                                    b[0] = t_1

Where neither the reading nor any of the statements between can run code of a class, the item is still what
was read, and the assignment stays as it is, without the reading. With it, where one of them may raise an
exception of another sort than the reading: a number is changed outside of its array then, which takes no
longer. Otherwise the assignment is spelled out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from zygpy.analyse import fields, transfer
from zygpy.analyse.facts import Direct, Dynamic, Facts
from zygpy.analyse.unseen import runs_code
from zygpy.ir import core
from zygpy.ir.access import index_atoms, iterable_atoms, operands
from zygpy.ir.kinds import INT, Array, Dict, Kind, List, is_scalar

Augmented: TypeAlias = core.AugmentItem | core.AugmentAttr


def spelled(statement: Augmented) -> core.Block:
    """The assignment as a change of what was read, which is stored then."""
    target, loc, held = statement.target, statement.loc, core.Var(statement.before)
    change = core.AugmentName(statement.before, statement.op, statement.value, loc)
    if isinstance(statement, core.AugmentAttr):
        return change, core.SetAttr(target, statement.name, held, loc)
    return change, core.SetItem(target, statement.index, held, loc)


def spelled_in_attempts(block: core.Block) -> core.Block:
    """The block with these assignments spelled out inside of attempts, whose parts are torn apart."""
    result: list[core.Statement] = []
    for statement in block:
        if isinstance(statement, core.If):
            then, orelse = spelled_in_attempts(statement.then), spelled_in_attempts(statement.orelse)
            result.append(replace(statement, then=then, orelse=orelse))
        elif isinstance(statement, core.Attempt):
            result.append(replace(statement, body=core.rewritten(statement.body, _spelled_if_marked)))
        elif isinstance(statement, core.HOLDING):
            result.append(replace(statement, body=spelled_in_attempts(statement.body)))
        else:
            result.append(statement)
    return tuple(result)


def _spelled_if_marked(statement: core.Statement) -> core.Block:
    marked = isinstance(statement, core.AugmentItem | core.AugmentAttr) and statement.before
    return spelled(statement) if marked else (statement,)  # type: ignore[arg-type]


def without_readings(program: core.Function) -> core.Function:
    """The program of generated code, in which nothing that computes a value changes what it is added to."""
    return replace(program, body=_settled(program.body, lambda *_: DROPPED)) if _has(program) else program


def with_readings(program: core.Function, facts: Facts) -> core.Function:
    """The program with every such assignment settled; the very same if there is none."""
    if not _has(program):
        return program

    def decide(reading: core.Statement, between: core.Block, statement: Augmented) -> str:
        inside = list(core.walk(between))
        first = [reading] if inside else []  # what it runs may change what the others read
        if any(_may_run_code(facts, found) for found in [*first, *inside]):
            return SPELLED
        if _is_sure(facts, statement) or not any(_may_raise(facts, found, statement) for found in inside):
            return DROPPED
        return (
            KEPT if isinstance(statement, core.AugmentItem) and is_of_numbers(facts, statement) else SPELLED
        )

    body = _settled(program.body, decide)
    return program if body == program.body else replace(program, body=body)


DROPPED, KEPT, SPELLED = "dropped", "kept", "spelled"
"""What becomes of the reading, or of the assignment."""

Decide: TypeAlias = Callable[[core.Statement, core.Block, Augmented], str]
"""What becomes of an assignment, by the reading, what computes the value behind that, and itself."""


def _has(program: core.Function) -> bool:
    return any(map(_is_marked, core.walk(program.body)))


def _is_marked(statement: core.Statement) -> bool:
    return isinstance(statement, core.AugmentItem | core.AugmentAttr) and bool(statement.before)


def _settled(block: core.Block, decide: Decide) -> core.Block:
    result: list[core.Statement] = []
    for statement in block:
        if isinstance(statement, core.If):
            then, orelse = (_settled(arm, decide) for arm in (statement.then, statement.orelse))
            result.append(replace(statement, then=then, orelse=orelse))
        elif isinstance(statement, core.HOLDING):
            result.append(replace(statement, body=_settled(statement.body, decide)))
        elif isinstance(statement, core.AugmentItem | core.AugmentAttr) and statement.before:
            _settle(result, statement, decide)
        else:
            result.append(statement)
    return tuple(result)


def _settle(result: list[core.Statement], statement: Augmented, decide: Decide) -> None:
    """Append an assignment to the statements in front of it, one of which reads what it changes; or a branch
    does, in both arms, where the reading has been spelled out."""
    places = (at for at, found in enumerate(result) if getattr(found, "target", None) == statement.before)
    place = next(places, None)
    if place is None:
        result.extend(spelled(statement))
        return
    decision = decide(result[place], tuple(result[place + 1 :]), statement)
    if decision == DROPPED:
        del result[place]
        statement = replace(statement, before="")
    result.extend(spelled(statement) if decision == SPELLED else [statement])


def is_of_numbers(facts: Facts, statement: core.AugmentItem) -> bool:
    """Whether what is changed is surely a number in an array, list or dict."""

    def kind_of(atom: core.Atom) -> Kind:
        return facts.value(statement, atom).kind

    kind = kind_of(statement.target)
    if isinstance(kind, Array):
        count = len(statement.index.items) if isinstance(statement.index, core.IndexTuple) else 1
        return kind.rank == count and all(kind_of(atom) == INT for atom in index_atoms(statement.index))
    plain = isinstance(statement.index, core.Var | core.Const)
    known = isinstance(kind, Dict) or (isinstance(kind, List) and plain)
    return known and is_scalar(transfer.getitem(kind, statement.index, kind_of))


def _is_sure(facts: Facts, statement: Augmented) -> bool:
    """Whether reading what is changed raises nothing, or what it raises is of no interest: rows of arrays."""
    if isinstance(statement, core.AugmentAttr):
        return id(statement) in facts.fields
    return isinstance(facts.value(statement, statement.target).kind, Array) and not is_of_numbers(
        facts, statement
    )


def _may_raise(facts: Facts, statement: core.Statement, augmented: Augmented) -> bool:
    """Whether computing with numbers may raise an exception, of another sort than the reading does."""
    match statement:
        case core.Assign(op=core.Binary("/" | "//" | "%" | "**", left, right)):
            kinds = [facts.value(statement, atom).kind for atom in (left, right)]
            return (
                is_scalar(kinds[0])
                and is_scalar(kinds[1])
                and not (isinstance(right, core.Const) and right.value)
            )
        case core.Assign(op=core.Call(core.Path() as path)):
            return getattr(facts.objects.get(path.names), "__module__", None) in ("math", "cmath")
        case core.Assign(op=core.GetItem(owner)):
            if isinstance(augmented, core.AugmentAttr):
                return True
            owners = facts.value(statement, owner).kind, facts.value(augmented, augmented.target).kind
            return isinstance(owners[0], Dict) != isinstance(owners[1], Dict)
    return False


def _may_run_code(facts: Facts, statement: core.Statement) -> bool:
    """Whether a statement in the course of computing a value may run code that changes anything."""
    match statement:
        case core.If() | core.Break() | core.Loop():
            return False
        case core.For():
            return any(
                fields.may_run(facts.value(statement, atom)) for atom in iterable_atoms(statement.iterable)
            )
        case core.Unpack():
            return fields.may_run(facts.value(statement, statement.value))
        case core.Assign(op=op):
            if isinstance(facts.calls.get(id(statement)), Direct | Dynamic) or id(statement) in facts.entered:
                return True
            values = [facts.value(statement, atom) for atom in operands(op)]
            return runs_code(facts, statement, op, values)
    return True
