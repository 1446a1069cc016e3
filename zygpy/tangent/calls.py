"""An operation as the program spells it, with tangents in the place of some arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.analyse.array_writes import named_behind_out
from zygpy.analyse.facts import ByRule, DictBound, Direct
from zygpy.ir import core
from zygpy.ir.kinds import Array, NumberOrArray
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules.texts import texts
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom


def with_tangents(
    t: Tangents, statement: core.Assign, op: core.Op, found: ByRule, parameters: tuple[str, ...]
) -> gast.expr:
    """The operation with the tangents of these parameters in place of their arguments."""

    def at(position: int, atom: core.Atom) -> gast.expr:
        if _parameter_at(found, position) not in parameters:
            return primal_atom(atom)
        return t.tangent(statement, atom)

    if isinstance(op, core.CallMethod | core.GetAttr) and _is_alike(t, statement, op.value, op.name):
        return _by_function(t, statement, op, parameters, at)
    return _spelled(t, statement, op, found, parameters, at)


def _spelled(
    t: Tangents, statement: core.Assign, op: core.Op, found: ByRule, parameters: tuple[str, ...], at: Any
) -> gast.expr:
    """The same, as the program spells it."""
    match op:
        case core.Binary(symbol, left, right):
            return quote_expression(f"$a {symbol} $b", a=at(0, left), b=at(1, right))
        case core.Unary(symbol, operand):
            return quote_expression(f"{symbol} $a", a=at(0, operand))
        case core.GetAttr(value, name) if isinstance(t.value(statement, value).kind, Array):
            return gast.Attribute(at(0, value), name, gast.Load())
        case core.CallMethod(value, name, args, keywords) if isinstance(
            t.value(statement, value).kind, Array
        ):
            callee: gast.expr = gast.Attribute(at(0, value), name, gast.Load())
            every, named = named_behind_out(found.rule.function, (value, *args), keywords)
            return _call(t, statement, callee, every[1:], named, parameters, lambda n, a: at(n + 1, a))
        case core.Call(core.Path() as path, args, keywords):
            callee = primal.path_expression(t.ctx, path)
            args, keywords = named_behind_out(found.rule.function, args, keywords)
            return _call(t, statement, callee, args, keywords, parameters, at)
    raise NotPushed("an operation on a number as on an array", statement.loc)


ALIKE = ("sum", "mean", "conj", "conjugate", "real", "imag")
"""Methods and attributes of arrays that are functions of NumPy's by the same names, of the same arguments."""


def _is_alike(t: Tangents, statement: core.Assign, value: core.Atom, name: str) -> bool:
    """Whether a method or attribute is one of these, of what may be an array or a NumPy scalar: its tangent
    may be a number of Python's, which does not have all of them."""
    return name in ALIKE and not t.count and isinstance(t.value(statement, value).kind, NumberOrArray)


def _by_function(
    t: Tangents, statement: core.Assign, op: core.CallMethod | core.GetAttr, parameters: Any, at: Any
) -> gast.expr:
    """The call of NumPy's function in place of the method or attribute."""
    callee = gast.Attribute(name_node(t.ctx.cell("np", np)), op.name, gast.Load())
    args, keywords = (op.args, op.keywords) if isinstance(op, core.CallMethod) else ((), ())
    return _call(t, statement, callee, (op.value, *args), keywords, parameters, at)


def _parameter_at(found: ByRule, position: int) -> str:
    """The parameter that takes the argument at a position."""
    taking = texts(found.rule).parameters
    starred = [place for place, parameter in enumerate(taking) if parameter.starred]
    return taking[min(position, *starred)].name if starred else taking[position].name


def _call(
    t: Tangents, statement: core.Assign, callee: gast.expr, args: Any, keywords: Any, parameters: Any, at: Any
) -> gast.expr:
    if any(isinstance(arg, core.Star) for arg in args) or any(keyword.name is None for keyword in keywords):
        raise NotPushed("unpacked arguments of a function with a rule", statement.loc)
    given = [at(position, arg) for position, arg in enumerate(args)]
    named = [
        gast.keyword(
            keyword.name,
            t.tangent(statement, keyword.value) if keyword.name in parameters else primal_atom(keyword.value),
        )
        for keyword in keywords
    ]
    return gast.Call(callee, given, named)


def direct(
    t: Tangents, statement: core.Assign, found: Direct, instance: tuple[str, str] | None = None
) -> gast.expr:
    """The call of a callee's tangent function: each argument, and behind it its tangent. In front of the
    arguments is the object that is being made, with its partner, if there is one."""
    callee = t.callee(found)
    given: list[gast.expr] = []
    arguments = list(found.arguments)
    if instance is not None:
        (first, _), *arguments = arguments
        given += map(name_node, instance if first in callee.paired else instance[:1])
    for parameter, bound in arguments:
        given.append(_whole(bound, primal_atom))
        if parameter in callee.paired:
            given.append(_whole(bound, lambda atom: t.tangent(statement, atom)))
    if t.count:
        given.append(name_node(t.count))
    return gast.Call(name_node(callee.name), given, [])


def _whole(bound: Any, of: Any) -> gast.expr:
    """What a parameter is given."""
    if isinstance(bound, tuple):
        return gast.Tuple([of(atom) for atom in bound], gast.Load())
    if isinstance(bound, DictBound):
        keys: list[gast.expr | None] = [constant(key) for key, _ in bound.items]
        return gast.Dict(keys, [of(atom) for _, atom in bound.items])
    made: gast.expr = of(bound)
    return made
