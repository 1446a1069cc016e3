"""What is taken out of something of which it is found when the code runs what it is: its sum, a list or tuple
of its items, and arguments that are unpacked from it."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import Any

from zygpy.ir import core
from zygpy.ir.access import operands
from zygpy.ir.kinds import Array, Dict, Kind, List, Object, Row, Tuple
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules import declare
from zygpy.runtime.by_keyword import ByKeyword
from zygpy.runtime.lookup import in_class
from zygpy.runtime.sums import check_summed
from zygpy.runtime.tangent_items import all_items_of, items_of, values_beside
from zygpy.runtime.zeros import gives_partners
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom

LISTED = (List, Tuple, Row, Array)
"""What is walked over without running any code, and has a tangent that is walked over beside it."""

COUNTS = {sum: (1, 2), list: (1,), tuple: (1,)}
"""Builtins that take all items of something, and how many arguments they have."""


def is_gathering(op: core.Op, facts: Any) -> bool:
    """Whether an operation is a call of one of these with positional arguments."""
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords:
        return False
    if any(isinstance(arg, core.Star) for arg in op.args):
        return False
    callee = facts.objects.get(op.func.names)
    return any(callee is known and len(op.args) in counts for known, counts in COUNTS.items())


def is_sum_of_one(op: core.Op, facts: Any) -> bool:
    """Whether it is a sum that starts with nothing."""
    path = op.func if isinstance(op, core.Call) else None
    return (
        isinstance(path, core.Path) and facts.objects.get(path.names) is sum and len(list(operands(op))) == 1
    )


def gather(t: Tangents, statement: core.Assign, op: core.Op, y: str, dot: str) -> None:
    """The call, and the same one of the tangents of the items."""
    assert isinstance(op, core.Call)
    assert isinstance(op.func, core.Path)
    callee = primal.path_expression(t.ctx, op.func)
    things, *start = [arg for arg in op.args if not isinstance(arg, core.Star)]
    beside = [_items(t, statement, things), *(t.tangent(statement, atom) for atom in start)]
    given = [primal_atom(things), *map(primal_atom, start)]
    if t.ctx.facts.objects[op.func.names] is sum:
        check = name_node(t.ctx.cell("check_summed", check_summed))
        t.ctx.code.append(gast.Expr(gast.Call(check, given, [])))
    held = t.ctx.names.temporary()
    t.emit("$held = $items", held=held, items=beside[0])
    t.emit("$y = $call", y=y, call=gast.Call(callee, given, []))
    t.emit("$y = $call", y=dot, call=gast.Call(callee, [name_node(held), *beside[1:]], []))


def _dot(t: Tangents, statement: Any, atom: core.Atom) -> Any:
    named = isinstance(atom, core.Var) and atom.name in t.paired
    return t.tangent(statement, atom) if named else constant(None)


def _items(t: Tangents, statement: Any, atom: core.Atom) -> Any:
    """The tangents of the items of something."""
    named = isinstance(atom, core.Var) and atom.name in t.paired
    if named and isinstance(t.value(statement, atom).kind, LISTED):
        return t.tangent(statement, atom)
    surely = t.ctx.facts.way.identity  # a method that was not seen may have kept what is in it
    items = t.ctx.cell("all_items_of", all_items_of) if surely else t.ctx.cell("items_of", items_of)
    return quote_expression("$f($dot, $x)", f=items, dot=_dot(t, statement, atom), x=primal_atom(atom))


# -------------------------------------------------------------------------------- unpacked arguments


def is_unpacking(op: core.Op) -> bool:
    """Whether an operation is a call, not of a method, with arguments that are unpacked."""
    return isinstance(op, core.Call) and (
        any(isinstance(arg, core.Star) for arg in op.args) or any(one.name is None for one in op.keywords)
    )


def is_class(path: core.Path, facts: Any) -> bool:
    """Whether a path leads to a class whose objects have partners, and are initialised in Python, or given
    their fields."""
    found = facts.objects.get(path.names)
    if path.scope == "helper" or type(found) is not type or declare.find(found) is not None:
        return False
    in_python = type(in_class(found, "__init__", None)) is FunctionType
    return gives_partners(found) and (in_python or found is SimpleNamespace)


def atoms_of(op: core.Call | core.CallMethod) -> list[core.Atom]:
    """Everything that a call is given."""
    given = [arg.value if isinstance(arg, core.Star) else arg for arg in op.args]
    return [*given, *(one.value for one in op.keywords)]


def arguments(t: Tangents, statement: Any, op: core.Call | core.CallMethod) -> dict[str, Any]:
    """All arguments in a row, and their tangents: None where there is none."""
    t.settle()
    args, dots = list[gast.expr](), list[gast.expr]()
    for arg in op.args:
        if isinstance(arg, core.Star):
            beside = _held(t, _items(t, statement, arg.value))
            _add(args, dots, gast.Starred(primal_atom(arg.value), gast.Load()), _starred(beside))
        else:
            _add(args, dots, primal_atom(arg), _dot(t, statement, arg))
    for one in op.keywords:
        if one.name is None:
            _check_dict(t, statement, one.value)
            parts = {"x": primal_atom(one.value), "dot": t.tangent(statement, one.value)}
            beside = quote_expression("$f($dot, $x)", f=t.ctx.cell("values_beside", values_beside), **parts)
            _add(args, dots, _starred(quote_expression("$x.values()", x=parts["x"])), _starred(beside))
        else:
            _add(args, dots, primal_atom(one.value), _dot(t, statement, one.value))
    return {"args": gast.Tuple(args, gast.Load()), "dots": gast.Tuple(dots, gast.Load())}


def _add(args: list[gast.expr], dots: list[gast.expr], arg: gast.expr, dot: gast.expr) -> None:
    args.append(arg)
    dots.append(dot)


def _starred(value: Any) -> gast.expr:
    return gast.Starred(value, gast.Load())


def _held(t: Tangents, value: gast.expr) -> Any:
    """A name for what is found before the call is made."""
    name = t.ctx.names.temporary()
    t.emit("$held = $v", held=name, v=value)
    return name_node(name)


def _check_dict(t: Tangents, statement: Any, atom: core.Atom) -> None:
    known = isinstance(t.value(statement, atom).kind, Dict)
    if not (known and isinstance(atom, core.Var) and atom.name in t.paired):
        raise NotPushed("keywords that are unpacked", statement.loc)


def callee(t: Tangents, op: core.Call | core.CallMethod, function: gast.expr) -> gast.expr:
    """What is called, together with the names of its last arguments if these are given by keyword."""
    if not op.keywords:
        return function
    names: list[gast.expr] = [
        _starred(primal_atom(one.value)) if one.name is None else constant(one.name) for one in op.keywords
    ]
    cell = t.ctx.cell("ByKeyword", ByKeyword)
    return quote_expression("$by($f, $names)", by=cell, f=function, names=gast.Tuple(names, gast.Load()))


# -------------------------------------------------------------------------------- items of objects


def has_item_method(kind: Kind, name: str) -> bool:
    """Whether a method in Python gives the items of an object, or takes them."""
    return isinstance(kind, Object) and type(in_class(kind.cls, name, None)) is FunctionType


def index_value(t: Tangents, index: core.Index) -> gast.expr:
    """An index as a value."""
    if isinstance(index, core.IndexTuple):
        return gast.Tuple([index_value(t, item) for item in index.items], gast.Load())
    if not isinstance(index, core.Slice):
        return primal_atom(index)
    bounds = (index.lower, index.upper, index.step)
    parts = [constant(None) if part is None else primal_atom(part) for part in bounds]
    return gast.Call(name_node(t.ctx.cell("slice", slice)), parts, [])
