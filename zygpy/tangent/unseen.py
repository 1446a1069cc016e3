"""Operations on what does not vary yet, which may run methods in Python: these may keep, or change, what gets
a tangent only later.

Where there is a door they go through it, as those on what varies. Before the others it is checked that there
is no such method, and else the call is left to reverse mode.
"""

from __future__ import annotations

from typing import Any

from zygpy.analyse.facts import Plain
from zygpy.analyse.machinery import is_own
from zygpy.analyse.questions import Question, items_in, questions_of, searches_of
from zygpy.analyse.unseen import ASKING_NOTHING
from zygpy.ir import core
from zygpy.ir.access import operands, read
from zygpy.ir.classes import HEAP_TYPE
from zygpy.ir.kinds import Kind, Object, may_be_anything
from zygpy.ir.nodes import constant, gast
from zygpy.ir.nodes import name as name_node
from zygpy.rules import declare
from zygpy.runtime import silence
from zygpy.runtime.lookup import is_among
from zygpy.tangent import by_name, generators
from zygpy.tangent.paired import changeable
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform.stash import primal_atom

UNASKED: frozenset[Any] = frozenset({type, isinstance, id, callable, *ASKING_NOTHING})
"""Builtins that run no methods of what they are given."""


def goes_through_door(t: Tangents, statement: core.Assign) -> bool:
    """Whether an operation on what does not vary may be that of a method, or function, that is not known."""
    op = statement.op
    if not isinstance(t.ctx.facts.calls.get(id(statement)), Plain) or t.count:
        return False
    if _is_unknown_call(op) and id(statement) in t.ctx.facts.quiet:
        return any(_may_change(t, statement, atom) for atom in operands(op))
    if by_name.tells_fields(op, t.ctx.facts):
        return any(_may_change(t, statement, atom) for atom in operands(op))
    if isinstance(op, core.Unary):
        return op.op != "not" and _runs_methods(t, statement, op.operand)
    return isinstance(op, core.Binary) and any(_runs_methods(t, statement, atom) for atom in operands(op))


def _is_unknown_call(op: core.Op) -> bool:
    return isinstance(op, core.CallMethod) or (isinstance(op, core.Call) and isinstance(op.func, core.Var))


def check(t: Tangents, statement: core.Assign, found: Any) -> None:
    """Emit what leaves an operation to reverse mode if it runs such a method."""
    op = statement.op
    if not isinstance(found, Plain):
        return
    if id(statement) in t.ctx.facts.entered:
        _check_entered(t, statement)
        return
    callee = _callee(t, op)
    if isinstance(op, core.GetAttr):
        _check_attribute(t, statement, op)
    elif callee is hasattr and isinstance(name := list(operands(op))[-1], core.Const):
        _check_reading(t, statement, next(iter(operands(op))), str(name.value))
    elif asked := [*questions_of(op, callee), *searches_of(op, callee)]:
        for question in asked:
            _check_question(t, statement, question)
    elif _may_run_any(op, callee):
        check_all(t, statement, operands(op))


def _check_entered(t: Tangents, statement: core.Assign) -> None:
    """Refuse a call of a function that is known, but hands on what it is given."""
    if id(statement) not in t.ctx.facts.quiet:
        return
    if any(_may_change(t, statement, core.Var(name)) for name in read(statement)):
        raise NotPushed("a call of what may keep what has a tangent later", statement.loc)


def _callee(t: Tangents, op: core.Op) -> Any:
    path = getattr(op, "func", None)
    return t.ctx.facts.objects.get(path.names) if isinstance(path, core.Path) else None


def _may_run_any(op: core.Op, callee: Any) -> bool:
    if isinstance(op, core.Call):
        helper = isinstance(op.func, core.Path) and op.func.scope == "helper"
        return not (helper or is_among(callee, UNASKED) or is_own(callee))
    return isinstance(op, core.CallMethod | core.Binary | core.Unary | core.GetItem)


def check_all(t: Tangents, statement: Any, atoms: Any) -> None:
    """Emit what leaves it to reverse mode to do something with objects of classes in Python."""
    given = [atom for atom in atoms if _runs_methods(t, statement, atom)]
    if given:
        _emit(t, silence.check_silent, [primal_atom(atom) for atom in given])


def check_walk(t: Tangents, statement: Any, walked: core.Atom | core.Iterate) -> None:
    """Emit the same for a loop over something."""
    if isinstance(walked, core.Iterate):
        for one in walked.args:
            check_walk(t, statement, one)
    elif _runs_methods(t, statement, walked) and not generators.is_known(t, statement, walked):
        _emit(t, silence.check_asking, [constant("any"), primal_atom(walked)])


def _check_attribute(t: Tangents, statement: core.Assign, op: core.GetAttr) -> None:
    kind = t.value(statement, op.value).kind
    if isinstance(kind, Object) and (kind.cls, op.name) in declare.FIELDS:
        return  # which has a rule
    if id(statement) not in t.ctx.facts.fields:
        _check_reading(t, statement, op.value, op.name)


def _check_reading(t: Tangents, statement: core.Assign, value: core.Atom, name: str) -> None:
    if _runs_methods(t, statement, value):
        _emit(t, silence.check_reading, [constant(name), primal_atom(value)])


def _check_question(t: Tangents, statement: core.Assign, question: Question) -> None:
    given = [atom for atom in question[1] if _is_asked(t, statement, atom)]
    if given:
        _emit(t, silence.check_asking, [constant(question[0]), *map(primal_atom, given)])


def _emit(t: Tangents, function: Any, given: list[Any]) -> None:
    t.settle()
    callee = name_node(t.ctx.cell(function.__name__, function))
    t.ctx.code.append(gast.Expr(gast.Call(callee, given, [])))
    t.start = len(t.ctx.code)


def _may_change(t: Tangents, statement: Any, atom: core.Atom) -> bool:
    """Whether something has a tangent, and may be changed, or lie in what is."""
    if not (isinstance(atom, core.Var) and atom.name in t.paired):
        return False
    return bool(changeable(t.value(statement, atom)))


def _runs_methods(t: Tangents, statement: Any, atom: core.Atom) -> bool:
    return _may_change(t, statement, atom) and _has_methods(t.value(statement, atom).kind)


def _is_asked(t: Tangents, statement: Any, atom: core.Atom) -> bool:
    if not _may_change(t, statement, atom):
        return False
    kind = t.value(statement, atom).kind
    return _has_methods(kind) or any(map(_has_methods, items_in(kind)))


def _has_methods(kind: Kind) -> bool:
    """Whether something of a kind may have methods in Python."""
    if isinstance(kind, Object):
        return bool(kind.cls.__flags__ & HEAP_TYPE)
    return may_be_anything(kind)
