"""Namespaces that are made with fields are made empty, and given them one by one.

p = SimpleNamespace(a=x, b=y)           t_1 = SimpleNamespace()
                                        t_1.a = x
                                        t_1.b = y
                                        p = t_1
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from zygpy.analyse.facts import Facts
from zygpy.ir import core
from zygpy.ir.access import mentioned
from zygpy.ir.names import Names


def with_namespaces(program: core.Function, facts: Facts) -> core.Function:
    """The same program with these calls spelled out; the very same if there is none."""
    wanted = {id(statement) for statement in core.walk(program.body) if _sets_fields(statement, facts)}
    if not wanted:
        return program
    names = Names(mentioned(program) | {*program.captured, *program.cells})

    def spelled(statement: core.Statement) -> core.Block:
        return _spelled(statement, names) if id(statement) in wanted else (statement,)

    return replace(program, body=core.rewritten(program.body, spelled))


def _sets_fields(statement: core.Statement, facts: Facts) -> bool:
    """Whether a statement makes a namespace with fields, none of which the class has a use for."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.args or not op.keywords:
        return False
    if facts.objects.get(op.func.names) is not SimpleNamespace:
        return False
    return all(item.name is not None and not hasattr(SimpleNamespace, item.name) for item in op.keywords)


def _spelled(statement: core.Statement, names: Names) -> core.Block:
    assert isinstance(statement, core.Assign)
    assert isinstance(statement.op, core.Call)
    made, loc = core.Var(names.temporary()), statement.loc
    fields = [core.SetAttr(made, str(item.name), item.value, loc) for item in statement.op.keywords]
    empty = core.Assign(made.name, replace(statement.op, keywords=()), loc)
    return empty, *fields, core.Assign(statement.target, core.Copy(made), loc)
