"""The tangent of a primitive's result, out of the rule that is declared for its cotangents."""

from __future__ import annotations

import ast
import operator
from functools import cache
from typing import Any, cast

import numpy as np

from zygpy.analyse.array_writes import is_numpys
from zygpy.analyse.facts import ByRule
from zygpy.ir import core
from zygpy.ir.kinds import (
    Array,
    Dict,
    Kind,
    List,
    Nothing,
    NumberOrArray,
    Optional,
    Row,
    Tuple,
    Unknown,
    is_floating_scalar,
    is_numeric,
    is_real,
    is_scalar,
)
from zygpy.ir.nodes import constant, from_python_ast, gast, names_in, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.rules.declare import Rule, sharing_of
from zygpy.rules.texts import texts
from zygpy.runtime.derivatives import divisor_sum, power_base, power_exponent, unit_cotangent
from zygpy.runtime.numbers import unit
from zygpy.runtime.tangents import alike, in_form
from zygpy.tangent import several
from zygpy.tangent.calls import with_tangents
from zygpy.tangent.state import RESULT, NotPushed, Tangents
from zygpy.tangent.texts import linear_in, turned
from zygpy.transform.applications import Application
from zygpy.transform.contributions import DOUBLING, all_real, guarded, is_complex, operands_of
from zygpy.transform.fill import fill
from zygpy.transform.forms import tree_of
from zygpy.transform.shapes import same_shape
from zygpy.transform.stash import primal_atom


def tangent_of_rule(
    t: Tangents, statement: core.Assign, found: ByRule, result: Kind, op: core.Op
) -> gast.expr | None:
    """The tangent of what a primitive gives, as an expression that may mention the result under its own name;
    None where it is zero."""
    if found.rule.style == "zero":
        return None
    if found.rule.style == "elementwise":
        found = guarded(found, result)
    moving = [name for name, bound in found.arguments if _moves(t, statement, bound)]
    active = tuple(name for name in moving if name in found.rule.bars)
    if t.count:
        return _of_several(t, statement, found, active, result, op)
    return _alike(t, statement, found, _tangent(t, statement, found, active, result, op))


def _tangent(
    t: Tangents, statement: core.Assign, found: ByRule, active: tuple[str, ...], result: Kind, op: core.Op
) -> gast.expr:
    if found.rule.style == "elementwise":
        return elementwise(t, statement, found, active, result)
    if any(name in found.rule.dots for name in active):
        return _declared(t, statement, found, active, result)
    if found.rule.tangent == "reduction":
        return _reduction(t, statement, found, active, result)
    how = linear_in(found.rule, active)
    if how is None:
        return _by_pullback(t, statement, found, active)
    if how == "together":
        return _through_cast(t, found, with_tangents(t, statement, op, found, tuple(found.rule.bars)))
    parts = [with_tangents(t, statement, op, found, (name,)) for name in active]
    return _through_cast(t, found, _total(t, parts, result))


def _of_several(
    t: Tangents, statement: core.Assign, found: ByRule, active: tuple[str, ...], result: Kind, op: core.Op
) -> gast.expr:
    """The same along several directions: at once where it is known how, else one by one."""
    if found.rule.shares and t.ctx.facts.is_written(t.ctx.facts.after(statement, statement.target)):
        raise NotPushed("several directions through what may be a view, and is written to", statement.loc)
    if found.rule.style == "elementwise":
        return elementwise(t, statement, found, active, result)
    form = several.known_form(t, statement, found, active, result)
    if form is not None:
        return cast(gast.expr, form)
    return several.one_by_one(t, statement, result, lambda: _tangent(t, statement, found, active, result, op))


def _by_pullback(t: Tangents, statement: core.Assign, found: ByRule, active: tuple[str, ...]) -> gast.expr:
    """The tangent by the derivative of the pullback, where nothing else is known of a rule."""
    parameters = [one for one in texts(found.rule).parameters if one.name in dict(found.arguments)]
    bounds: dict[str, Any] = dict(found.arguments)
    last = max(place for place, one in enumerate(parameters) if one.name in active)
    ahead, behind = parameters[: last + 1], parameters[last + 1 :]
    behind = [one for one in behind if one.required or bounds[one.name] != core.Const(one.default)]
    if not _can_be_called(t, statement, found, [*ahead, *behind], ahead):
        raise NotPushed(f"no tangent is known of '{_name_of(found.rule)}'", statement.loc)
    values = {one.name: primal_atom(bounds[one.name]) for one in (*ahead, *behind)}
    dots = [t.tangent(statement, bounds[one.name]) if one.name in active else constant(None) for one in ahead]
    if texts(found.rule).operator is not None:
        ahead, behind = [*ahead, *behind], []
    return quote_expression(
        "$push($f, $args, $named, $dots)",
        push=t.ctx.cell("pushed_by_rule", t.doors["rule"]),
        f=t.ctx.cell(_name_of(found.rule), found.rule.function),
        args=gast.Tuple([values[one.name] for one in ahead], gast.Load()),
        named=gast.Dict([constant(one.name) for one in behind], [values[one.name] for one in behind]),
        dots=gast.Tuple(dots, gast.Load()),
    )


def _can_be_called(t: Tangents, statement: Any, found: ByRule, given: list[Any], ahead: list[Any]) -> bool:
    """Whether a function can be called with its arguments as the rule names them, of which those that vary
    are numbers and arrays."""
    bounds: dict[str, Any] = dict(found.arguments)
    if found.rule.writes or any(one.starred for one in given) or any(one.keyword_only for one in ahead):
        return False
    if not all(isinstance(bounds[one.name], core.Var | core.Const) for one in given):
        return False
    return all(
        is_numeric(t.value(statement, bounds[one.name]).kind) for one in given if one.name in found.rule.bars
    )


def _through_cast(t: Tangents, found: ByRule, dot: gast.expr) -> gast.expr:
    """Nothing gets through a `dtype=` that asks for integers."""
    bound = dict(found.arguments).get("dtype", core.Const(None))
    if bound == core.Const(None):
        return dot
    cast_back, dtype = t.ctx.helper("cast_back"), primal_atom(cast(core.Atom, bound))
    return quote_expression("$f($v, $d)", f=cast_back, v=dot, d=dtype)


def _name_of(rule: Rule) -> str:
    return getattr(rule.function, "__name__", "this function")


def _moves(t: Tangents, statement: core.Statement, bound: Any) -> bool:
    """Whether what is bound to a parameter has a tangent."""
    if isinstance(bound, tuple):
        return any(t.is_active(statement, atom) for atom in bound)
    return isinstance(bound, core.Var | core.Const) and t.is_active(statement, bound)


SURELY_VIEWS = frozenset(
    {
        *("transpose", "matrix_transpose", "swapaxes", "moveaxis", "diagonal", "array_transpose"),
        *("flip", "fliplr", "flipud"),
        *("bars_of", "arguments_of", "entries"),
        *("x_of_report", "fun_of_report", "root_of_report", "cost_of_report"),
        *("t_of_report", "y_of_report"),
    }
)
"""Functions whose result lies in the memory of the argument, however that is laid out, or holds what that
holds, as their tangents do."""


SURELY_NEW = frozenset(
    {"owned_list", "taken_list", "owned_dict", "with_key", "without_key", "from_items", "from_values"},
)
"""Functions whose result is new, and holds what the argument holds, as their tangents do."""

CONVERTING = frozenset({"array", "asarray", "asanyarray"})
"""Functions that make an array of a list."""


def _alike(t: Tangents, statement: core.Assign, found: ByRule, dot: gast.expr) -> gast.expr:
    """Where something is written to, a tangent has to be a view exactly where its array is one."""
    if not found.rule.shares or _name_of(found.rule) in SURELY_VIEWS | SURELY_NEW:
        return dot
    facts, shared = t.ctx.facts, _shared(found, found.rule.shares.split(",")[0])
    values = [facts.after(statement, statement.target)]
    values += [t.value(statement, shared)] if isinstance(shared, core.Var) else []
    if not any(facts.is_written(value) for value in values):
        return dot
    kind = t.value(statement, shared).kind if isinstance(shared, core.Var) else None
    if isinstance(kind, List | Row) and _name_of(found.rule) in CONVERTING:
        return dot
    if _name_of(found.rule) in OF_DICTS and (kind is None or isinstance(kind, Nothing | Dict | Optional)):
        return dot  # the dict itself, of cotangents and of their tangents, or a new one
    if not isinstance(shared, core.Var) or not isinstance(kind, Array | NumberOrArray | Unknown):
        raise NotPushed(
            f"what '{_name_of(found.rule)}' gives may be a view, and is written to", statement.loc
        )
    return alike_as(t, dot, shared.name)


OF_DICTS = frozenset({"add_key", "drop_key"})
"""Helpers that take dicts of cotangents, or None."""


def _shared(found: ByRule, text: str) -> Any:
    """What is bound to the parameter whose memory the result may share; of several the only one."""
    bound: Any = dict(found.arguments).get(sharing_of(text)[0])
    return bound[0] if isinstance(bound, tuple) and len(bound) == 1 else bound


def alike_as(t: Tangents, dot: gast.expr, whole: str) -> gast.expr:
    """A tangent that has to lie in that of a variable exactly where the result lies in what that holds."""
    return quote_expression(
        "$f($v, $y, $x_dot, $x)",
        f=t.ctx.cell("alike", alike),
        v=dot,
        y=RESULT,
        x_dot=t.dot(whole),
        x=whole,
    )


# ------------------------------------------------------------------------------------- elementwise


def elementwise(
    t: Tangents,
    statement: core.Statement,
    found: ByRule,
    active: tuple[str, ...],
    result: Kind,
) -> gast.expr:
    """The sum of what the tangents of the arguments contribute."""
    operands = operands_of(t.ctx, statement, found)
    target = name_node(RESULT)
    application = Application(found.rule, operands, result, lambda: target, target, statement)
    if not all(_gives_array(found, item.kind) or not item.active for item in operands.values()):
        raise NotPushed("an elementwise function of a list", statement.loc)
    real = all_real(application)
    if t.count and not all(several.has_rank(kind) for kind in (result, *(operands[n].kind for n in active))):
        return _each(t, statement, found, active, result)
    parts: list[Any] = []
    for name in active:
        bound = cast(core.Var, operands[name].bound)
        dot = several.operand_dot(t, statement, bound, result) if t.count else _dot(t, statement, bound)
        part = _contribution(t, application._replace(y_bar=dot), name, real)
        if t.count and not several.is_elementwise(part, frozenset({t.dot(bound.name)})):
            return _each(t, statement, found, active, result)
        parts.append(part)
    if _is_doubled(found, active):
        parts = [_twice(parts[0], _number(2, result))]
    total = _sum(parts)
    gives_real = is_real(result) or found.rule.function in GIVING_REAL
    if gives_real and (not real or any(is_complex(found.rule, name) for name in active)):
        total = quote_expression("$np.real($v)", np=t.ctx.helper("np"), v=total)
    return _in_form(t, application, active, total)


GIVING_REAL = frozenset({np.angle})
"""Functions that give real numbers of which no kind says so."""


def _gives_array(found: ByRule, kind: Kind) -> bool:
    """Whether something is a number or an array, or a list of numbers of which NumPy makes an array."""
    if isinstance(kind, List | Tuple | Row):
        items = kind.items if isinstance(kind, Tuple) else (kind.element,)
        return is_numpys(found.rule.function) and all(map(is_scalar, items))
    return is_numeric(kind)


def _dot(t: Tangents, statement: core.Statement, bound: core.Var) -> gast.expr:
    """The tangent of an operand; that of a list as an array."""
    dot = t.tangent(statement, bound)
    if isinstance(t.value(statement, bound).kind, List | Tuple | Row):
        return quote_expression("$np.asarray($v)", np=t.ctx.helper("np"), v=dot)
    return dot


def _each(
    t: Tangents, statement: core.Statement, found: ByRule, active: tuple[str, ...], result: Kind
) -> gast.expr:
    """The same for each of several directions."""

    def of_one() -> gast.expr:
        return elementwise(t, statement, found, active, result)

    return several.one_by_one(t, statement, result, of_one, exact=True)


def _is_doubled(found: ByRule, active: tuple[str, ...]) -> bool:
    bounds = [bound for _, bound in found.arguments]
    return found.rule.function in DOUBLING and len(active) == 2 and bounds[0] == bounds[1]


def _number(n: int, kind: Kind) -> float:
    """A whole number as a factor of floating point numbers, by which NumPy multiplies arrays sooner."""
    floating = is_floating_scalar(kind) or (isinstance(kind, Array) and kind.dtype in ("f8", "f4"))
    return float(n) if floating else n


def _twice(part: Any, two: float) -> gast.expr:
    """Of `x_dot * x`, which comes twice, `2.0 * x * x_dot`."""
    if isinstance(part, gast.BinOp) and isinstance(part.op, gast.Mult):
        return quote_expression("$two * $x * $v", two=constant(two), x=part.right, v=part.left)
    return quote_expression("$two * $v", two=constant(two), v=part)


def _contribution(t: Tangents, application: Application, parameter: str, real: bool) -> gast.expr:
    rule = application.rule
    power = _of_power(t, application, parameter) if real else None
    if power is not None:
        return power
    if real and not is_complex(rule, parameter):
        return fill(t.ctx, tree_of(rule, parameter), application, True)
    if rule.function in NOT_COMPLEX:
        raise NotPushed(f"'{_name_of(rule)}' of complex numbers", application.statement.loc)
    return fill(t.ctx, _turned(rule, parameter), application, False)


POWERS = {operator.pow: ("a", "b"), power_base: ("x", "n")}
"""Functions of a base and an exponent, by the names of these."""


def _of_power(t: Tangents, application: Application, parameter: str) -> gast.expr | None:
    """What `x ** n` with a whole literal `n`, or its derivative, gets from one tangent; None for others."""
    function = application.rule.function
    base, exponent = POWERS.get(function, ("", ""))
    bound = application.operands[exponent].bound if exponent else None
    n = bound.value if isinstance(bound, core.Const) else None
    if type(n) is not int or n < 2 or parameter == exponent:
        return None
    x, dot, kind = application.operands[base], application.y_bar, application.result_kind
    if function is power_base and parameter == base:
        g = application.operands["g"].value()
        if n == 2 and isinstance(g, gast.Constant) and type(g.value) is float:
            return quote_expression("$n * $dot", dot=dot, n=constant(2.0 * g.value))
        if t.count and n == 2:
            return quote_expression("$dot * ($n * $g)", dot=dot, n=constant(_number(n, kind)), g=g)
        return _slope_of_power_base(t, n, x.value(), quote_expression("$dot * $g", dot=dot, g=g), kind)
    if t.count or not is_floating_scalar(x.kind):
        return None
    slope = "$n * $x" if n == 2 else "$n * $x ** $less"
    text, value = "$f($dot, $x, n=$n)", x.value()
    power = t.ctx.helper("power_base")
    at_zero = quote_expression(text, f=power, dot=dot, x=value, n=constant(n))
    text = f"{slope} * $dot if $x else $zero"
    parts = {"n": constant(float(n)), "less": constant(n - 1), "x": value, "dot": dot, "zero": at_zero}
    return quote_expression(text, **parts)


def _slope_of_power_base(t: Tangents, n: int, x: gast.expr, moved: gast.expr, kind: Kind) -> gast.expr:
    """The derivative of `power_base(g, x, n)`, which is `g * n * x ** (n - 1)`, by `x`."""
    if n > 2:
        power = t.ctx.helper("power_base")
        moved = quote_expression("$f($v, $x, $less)", f=power, v=moved, x=x, less=constant(n - 1))
    return quote_expression("$n * $v", n=constant(_number(n, kind)), v=moved)


NOT_COMPLEX = frozenset(
    {np.sign, np.heaviside, unit, unit_cotangent, power_base, power_exponent, divisor_sum}
)
"""Functions whose derivative, where they are given complex numbers, is no product."""


@cache
def _turned(rule: Rule, parameter: str) -> gast.expr:
    return cast(gast.expr, from_python_ast(ast.fix_missing_locations(turned(rule, parameter))))


def _sum(parts: list[Any]) -> gast.expr:
    total = parts[0]
    for part in parts[1:]:
        negative = isinstance(part, gast.UnaryOp) and isinstance(part.op, gast.USub)
        inner = part.operand if negative else part
        total = quote_expression("$a - $b" if negative else "$a + $b", a=total, b=inner)
    return cast(gast.expr, total)


def _in_form(t: Tangents, application: Application, active: tuple[str, ...], total: gast.expr) -> gast.expr:
    """The tangent of an array in its shape and dtype, and in memory of its own."""
    if is_scalar(application.result_kind):
        return total
    mentioned = set(names_in(total))
    known = mentioned | {str(getattr(application.operands[name].bound, "name", "")) for name in active}
    if RESULT not in mentioned and not all(
        _is_covered(t, application, item, known, active) for item in application.operands.values()
    ):
        if t.count:
            return several.in_form(t, total)
        return quote_expression("$f($v, $y)", f=t.ctx.cell("in_form", in_form), v=total, y=RESULT)
    if isinstance(total, gast.Name | gast.Subscript):
        return quote_expression("+$v", v=total)
    return total


def _is_covered(
    t: Tangents, application: Application, item: Any, known: set[str], active: tuple[str, ...]
) -> bool:
    """Whether an operand can make the tangent neither larger nor more precise than it is."""
    if is_scalar(item.kind) and not _widens(application, item.kind):
        return True
    if not isinstance(item.bound, core.Var):
        return not isinstance(item.bound, tuple)
    if item.bound.name in known:
        return True
    first = application.operands[active[0]]
    assert isinstance(first.bound, core.Var)
    same = (
        isinstance(item.kind, Array) and isinstance(first.kind, Array) and item.kind.dtype == first.kind.dtype
    )
    return same and same_shape(t.ctx, application.statement, item.bound.name, first.bound.name)


def _widens(application: Application, kind: Kind) -> bool:
    """Whether a number makes a complex result out of real ones."""
    return not is_real(kind) and is_numeric(kind)


# ----------------------------------------------------------------------------------------- declared


def _reduction(
    t: Tangents, statement: core.Assign, found: ByRule, active: tuple[str, ...], result: Kind
) -> gast.expr:
    """The sum of the tangents of what is reduced, each with the weight that its cotangent has."""
    operands = operands_of(t.ctx, statement, found)
    name, *_ = found.rule.bars
    ones: gast.expr = constant(1.0)
    bound = operands[name].bound
    if active != (name,) or not _gives_array(found, operands[name].kind) or not isinstance(bound, core.Var):
        raise NotPushed(f"no tangent is known of '{_name_of(found.rule)}'", statement.loc)
    target, np_ = name_node(RESULT), t.ctx.helper("np")
    if not is_scalar(result):
        ones = quote_expression("$np.ones($np.shape($y))", np=np_, y=target)
    application = Application(found.rule, operands, result, lambda: target, ones, statement)
    real = all_real(application)
    weights = fill(t.ctx, tree_of(found.rule, name), application, real)
    if not real:
        weights = quote_expression("$np.conj($w)", np=np_, w=weights)
    total = quote_expression(
        "$np.sum($w * $dot, axis=$axis, keepdims=$keepdims)",
        np=np_,
        w=weights,
        dot=_dot(t, statement, bound),
        axis=operands["axis"].value(),
        keepdims=operands["keepdims"].value(),
    )
    return quote_expression("$np.real($v)", np=np_, v=total) if not real and is_real(result) else total


def _declared(
    t: Tangents, statement: core.Assign, found: ByRule, active: tuple[str, ...], result: Kind
) -> gast.expr:
    """The tangent by the texts that are declared for it."""
    operands = operands_of(t.ctx, statement, found)
    target = name_node(RESULT)
    application = Application(found.rule, operands, result, lambda: target, target, statement)
    if found.rule.function in NOT_COMPLEX and not all_real(application):
        raise NotPushed(f"'{_name_of(found.rule)}' of complex numbers", statement.loc)
    parts = []
    for name in active:
        if name not in found.rule.dots:
            raise NotPushed(f"no tangent is known of '{_name_of(found.rule)}'", statement.loc)
        bound = operands[name].bound
        if isinstance(bound, tuple):
            dot: gast.expr = gast.Tuple([t.tangent(statement, atom) for atom in bound], gast.Load())
        else:
            dot = t.tangent(statement, cast(core.Atom, bound))
        if not (is_numeric(operands[name].kind) or isinstance(bound, tuple) or found.rule.containers):
            dot = quote_expression("$np.asarray($v)", np=t.ctx.helper("np"), v=dot)
        tree = cast(gast.expr, from_python_ast(texts(found.rule).dots[name]))
        part = fill(t.ctx, tree, application._replace(y_bar=dot), all_real(application))
        itself = isinstance(tree, gast.Name) and is_numeric(result) and not found.rule.shares
        parts.append(gast.UnaryOp(gast.UAdd(), part) if itself else part)  # else it would be one array
    return _total(t, parts, result)


def _total(t: Tangents, parts: list[Any], result: Kind) -> gast.expr:
    """The sum of tangents, which may be lists and tuples unless the result is a number or an array."""
    if is_numeric(result):
        return _sum(parts)
    total = parts[0]
    for part in parts[1:]:
        total = quote_expression("$f($a, $b)", f=t.ctx.helper("accumulate"), a=total, b=part)
    return cast(gast.expr, total)
