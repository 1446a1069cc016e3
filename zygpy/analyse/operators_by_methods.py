"""Operators that methods answer which a decorator has made, spelled out as calls of these.

w = u + v           ->      w = u.__add__(v)
y = -u              ->      y = u.__neg__()
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

from zygpy.analyse import objects
from zygpy.analyse.items_by_methods import Spelling
from zygpy.analyse.operators import Method, asked_method, may_not_answer
from zygpy.analyse.outside import calls_functions_alone, kind_of_function_outside
from zygpy.analyse.run import Run
from zygpy.analyse.sites import BY_NAME
from zygpy.analyse.values import Environment, make
from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import Known, kind_of
from zygpy.runtime.operations import BINARY_METHODS, UNARY_METHODS


def spelling(run: Run, statement: core.Statement, env: Environment) -> Spelling | None:
    """The call that stands for a statement, where it is known which method answers, and that it does; None
    otherwise."""
    if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.Binary | core.Unary):
        return None
    op = statement.op
    found = asked_method(run, op, [run.value(atom, env).kind for atom in operands(op)])
    if found is None or isinstance(kind_of(found[0]), Known) or not _answers(run, found, env):
        return None
    owner, *rest = found[1]
    call = core.CallMethod(owner, _name(op, owner), tuple(rest))
    return Spelling(lambda _: [replace(statement, op=call)], call.name)


def _name(op: core.Binary | core.Unary, owner: core.Atom) -> str:
    """The name of the method that is asked, which belongs to this operand."""
    if isinstance(op, core.Unary):
        return UNARY_METHODS[op.op]
    forward, backward = BINARY_METHODS[op.op]
    return forward if op.left == owner else backward


def _answers(run: Run, found: Method, env: Environment) -> bool:
    """Whether it is known what a function that carries others gives, and that it answers."""
    method, args = found
    if run.is_own() or not isinstance(method, FunctionType) or not isinstance(args[0], core.Var):
        return False
    kind = kind_of_function_outside(run, method)
    if kind is None or not calls_functions_alone(kind):
        return False
    carried = tuple([core.Var(f"<captured {name}>") for name, _ in kind.captured])
    values = [make(item, False, BY_NAME) for _, item in kind.captured]
    values += [run.value(atom, env) for atom in args]
    summary = objects.summary_of(run, kind.function, ((*carried, *args), ()), values)
    return summary is not None and not may_not_answer(summary.result.kind)
