"""Attributes whose names are computed, and methods that are given arguments by name: the doors find them as
they find those that are written out (`zygpy.pushed.doors`)."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.lookup import is_among
from zygpy.runtime.partner_fields import check_name
from zygpy.tangent import gathered
from zygpy.tangent.state import Tangents
from zygpy.transform.stash import primal_atom

ASKING = {getattr: (2, "attribute"), vars: (1, "attribute"), setattr: (3, "store")}
"""Builtins that read or set attributes, how many arguments they have, and the door that does what they do."""


def is_asking(op: core.Op, facts: Any) -> bool:
    """Whether an operation is the call of one of these, with positional arguments."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords:
        return False
    callee = facts.objects.get(op.func.names)
    plain = not any(isinstance(arg, core.Star) for arg in op.args)
    return plain and is_among(callee, ASKING) and len(op.args) == ASKING[callee][0]


def tells_fields(op: core.Op, facts: Any) -> bool:
    """Whether an operation gives the dict of an object, in which its fields are."""
    if isinstance(op, core.GetAttr):
        return op.name == "__dict__"
    return is_asking(op, facts) and len(list(operands(op))) == 1


def asked(t: Tangents, statement: core.Assign, op: core.Call) -> gast.expr:
    """The call of the door, which gives the value and its tangent."""
    assert isinstance(op.func, core.Path)
    callee: Any = t.ctx.facts.objects[op.func.names]
    target, *rest = [arg for arg in op.args if not isinstance(arg, core.Star)]
    name: Any = primal_atom(rest[0]) if rest else constant("__dict__")
    if rest and not isinstance(rest[0], core.Const):
        check = name_node(t.ctx.cell("check_name", check_name))
        t.ctx.code.append(gast.Expr(gast.Call(check, [name], [])))
    given = [target, *rest[1:]]
    door = ASKING[callee][1]
    return quote_expression(
        "$door($name, $args, $dots)",
        door=t.ctx.cell(f"pushed_{door}", t.doors[door]),
        name=name,
        args=gast.Tuple([primal_atom(atom) for atom in given], gast.Load()),
        dots=gast.Tuple([_dot(t, statement, target), *_dots(t, statement, rest[1:])], gast.Load()),
    )


def _dot(t: Tangents, statement: Any, atom: core.Atom) -> Any:
    """The tangent of the object, None where it has none."""
    named = isinstance(atom, core.Var) and atom.name in t.paired
    return t.tangent(statement, atom) if named else constant(None)


def _dots(t: Tangents, statement: Any, atoms: list[core.Atom]) -> list[gast.expr]:
    return [t.tangent(statement, atom) for atom in atoms]


def is_arranged(op: core.CallMethod) -> bool:
    """Whether a method is given arguments by name, or that are unpacked."""
    return bool(op.keywords) or any(isinstance(arg, core.Star) for arg in op.args)


def method_called(t: Tangents, statement: core.Assign, op: core.CallMethod, dot: gast.expr) -> gast.expr:
    """Such a call, by the door that is given the names with that of the method."""
    given = gathered.arguments(t, statement, op)
    given["args"].elts.insert(0, primal_atom(op.value))
    given["dots"].elts.insert(0, dot)
    return quote_expression(
        "$door($name, $args, $dots)",
        door=t.ctx.cell("pushed_method", t.doors["method"]),
        name=gathered.callee(t, op, constant(op.name)),
        **given,
    )
