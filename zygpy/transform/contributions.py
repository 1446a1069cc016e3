"""The adjoint of a primitive: its rule's contributions, instantiated for known kinds."""

from __future__ import annotations

import array
import operator
from collections import deque
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zygpy.analyse.array_writes import is_numpys
from zygpy.analyse.facts import ByRule
from zygpy.ir import core
from zygpy.ir.kinds import (
    Array,
    Kind,
    List,
    Nothing,
    Number,
    NumberOrArray,
    NumpyScalar,
    Object,
    Row,
    Tuple,
    Unknown,
    is_floating_scalar,
    is_numeric,
    is_real,
    is_scalar,
    rank_of,
)
from zygpy.ir.nodes import constant, gast, nodes, quote_expression
from zygpy.rules import declare
from zygpy.rules.declare import Rule
from zygpy.rules.texts import texts
from zygpy.transform import special
from zygpy.transform.applications import Application, Operand, operand
from zygpy.transform.context import (
    Bar,
    Context,
    assign,
    certainly,
    contribute,
    entry_zero,
    is_number,
    is_spread_out,
    is_wide,
    materialise,
    measure_after,
    measure_before,
    name,
    own_measured,
    settle,
)
from zygpy.transform.fill import fill
from zygpy.transform.forms import mentions_beside, passes_on, tree_of
from zygpy.transform.shapes import same_shape
from zygpy.transform.totals import known_total, note_total


def adjoint_of_rule(
    ctx: Context, statement: core.Assign, found: ByRule, bar: Bar, *, in_place: bool = False
) -> None:
    """Emit the adjoint of `target = primitive(...)`, given the result's cotangent; `in_place` says that the
    first operand, if it is an array, was written to."""
    target = statement.target
    result = ctx.facts.after(statement, target)
    bar = certainly(ctx, bar, result.kind, lambda what: ctx.recorder.measure_result(what, statement, target))
    found = guarded(found, result.kind)
    if found.rule.style == "whole" and isinstance(result.kind, NumberOrArray) and not bar.maybe:
        bar = _in_shape(ctx, statement, bar, target)
    operands = operands_of(ctx, statement, found)
    application = Application(
        found.rule,
        operands,
        result.kind,
        lambda: ctx.recorder.result(statement, target),
        name(bar.name),
        statement,
        in_place,
    )
    emit_contributions(ctx, statement, application, bar, target)


def operands_of(ctx: Context, statement: core.Statement, found: ByRule) -> dict[str, Operand]:
    """What the rule may ask of the arguments; it sees lists of numbers as NumPy does, as arrays."""
    operands = {item: operand(ctx, statement, bound) for item, bound in found.arguments}
    if _computes(found.rule):
        operands = {item: _wide(ctx, given) for item, given in operands.items()}
    if not _takes_lists(found.rule.function) or found.rule.containers:
        return operands
    several = {one.name for one in texts(found.rule).parameters if one.starred}
    return {
        item: _as_array(ctx, given)
        if item in found.rule.bars and item not in several and _holds_numbers(given.kind)
        else given
        for item, given in operands.items()
    }


PLAIN = frozenset({operator.mul, np.multiply, operator.truediv, np.divide})
"""Functions whose contributions do nothing with an operand but multiply or divide the cotangent by it."""


COMPUTING = frozenset({np.interp, np.polyval, np.logspace})
"""Functions, not elementwise, whose contributions are formulas on the numbers of all operands."""


def _computes(rule: Rule) -> bool:
    """Whether contributions may square operands, subtract them from each other, or take logarithms."""
    return rule.function in COMPUTING or (rule.style == "elementwise" and rule.function not in PLAIN)


def _wide(ctx: Context, given: Operand) -> Operand:
    """An operand whose dtype may be one of small integers, of which squares overflow and NumPy takes the
    logarithm in half precision, as the rule's formulas compute with it."""
    if not (isinstance(given.kind, Array | NumpyScalar) and given.kind.dtype in ("real", "any")):
        return given

    def value() -> gast.expr:
        return quote_expression("$f($x)", f=ctx.helper("widened"), x=given.value())

    return given._replace(value=value)


def _takes_lists(function: Any) -> bool:
    """Whether a callable is a function of NumPy, or of special functions, which make arrays of lists."""
    return is_numpys(function) or str(getattr(function, "__module__", "")).startswith(SPECIAL)


SPECIAL = "scipy.special"


def _as_array(ctx: Context, given: Operand) -> Operand:
    def value() -> gast.expr:
        return quote_expression("$np.asarray($x)", np=ctx.helper("np"), x=given.value())

    return given._replace(value=value)


def _holds_numbers(kind: Kind) -> bool:
    """Whether a list or tuple, or every list in it, holds numbers and nothing else."""
    if isinstance(kind, Tuple):
        return all(is_scalar(item) or _holds_numbers(item) for item in kind.items)
    if isinstance(kind, Object):
        return kind.cls in (deque, array.array)
    return isinstance(kind, List | Row) and (is_scalar(kind.element) or _holds_numbers(kind.element))


def guarded(found: ByRule, result: Kind) -> ByRule:
    """NumPy divides by zero without complaint, so that its quotients need the rule of `np.divide`."""
    rule, divisor = found.rule, found.arguments[-1][1]
    if rule.function is not operator.truediv or isinstance(result, Number):
        return found
    if isinstance(divisor, core.Const) and divisor.value:
        return found
    numpys = declare.REGISTRY[np.divide]
    bounds = (bound for _, bound in found.arguments)
    return ByRule(numpys, tuple(zip(texts(numpys).names(), bounds, strict=True)))


def _in_shape(ctx: Context, statement: core.Assign, bar: Bar, target: str) -> Bar:
    """The cotangent of what may be an array in its full shape: the number 0 may stand for zeros."""
    shape = ctx.recorder.measure_result("shape", statement, target)
    parts = {"f": ctx.helper("unbroadcast"), "shape": shape}
    ctx.emit("$x = $f($x, $shape)", x=bar.name, **parts)
    return bar


def adjoint_of_spread(ctx: Context, statement: core.Assign, found: ByRule) -> None:
    """The same, where the result's cotangent is held in a smaller form that broadcasts."""
    target = statement.target
    result = ctx.facts.after(statement, target)
    found = guarded(found, result.kind)
    operands = operands_of(ctx, statement, found)
    application = Application(
        found.rule,
        operands,
        result.kind,
        lambda: ctx.recorder.result(statement, target),
        name(ctx.spread[target].name),
        statement,
    )
    if not stays_spread(ctx, application, target):
        bar = settle(ctx, target)
        assert bar is not None
        del ctx.bars[target]
        adjoint_of_rule(ctx, statement, found, bar)
        return
    spread = ctx.spread.pop(target)
    emit_contributions(ctx, statement, application, Bar(spread.name), target, spread=True)
    if spread.total is not None and found.rule.function is np.exp:
        note_total(ctx, spread.name, spread.total)


def name_of(expression: Any) -> str:
    """The identifier of a name."""
    identifier: str = expression.id
    return identifier


def stays_spread(ctx: Context, application: Application, target: str) -> bool:
    """Whether every contribution has, without the incoming cotangent, all axes that are summed over."""
    if application.rule.style != "elementwise" or ctx.is_shared(target):
        return False
    full = {"y"} | {name for name, item in application.operands.items() if is_full(ctx, application, item)}
    for parameter in application.rule.bars:
        item = application.operands[parameter]
        if not item.active:
            continue
        if isinstance(item.bound, core.Var) and item.bound.name == target:
            return False
        tree = tree_of(application.rule, parameter)
        if (passes_on(tree) or special.scales(application, parameter)) and parameter in full:
            continue
        if not mentions_beside(tree, frozenset(full)) and not _mentions_others(application, parameter, tree):
            return False
    return True


def _mentions_others(application: Application, parameter: str, tree: Any) -> bool:
    """Whether a contribution holds all other operands that may stretch this one."""
    others = [
        name
        for name, item in application.operands.items()
        if name != parameter and not (rank_of(item.kind) == 0 or isinstance(item.kind, Nothing))
    ]
    return bool(others) and all(mentions_beside(tree, frozenset({name})) for name in others)


def is_full(ctx: Context, application: Application, item: Operand) -> bool:
    """Whether an operand is an array that surely has the result's shape."""
    return isinstance(item.kind, Array) and bool(item.kind.rank) and not may_stretch(ctx, application, item)


def emit_contributions(
    ctx: Context,
    statement: core.Statement,
    application: Application,
    bar: Bar,
    target: str,
    *,
    spread: bool = False,
) -> None:
    """Emit what each active operand gets. A contribution to the target's own earlier value comes
    last, because it takes over the name that holds the incoming cotangent."""
    own: list[tuple[Operand, Contribution]] = []
    application, parameters = doubled(application)
    for parameter in parameters:
        item = application.operands[parameter]
        if not item.active:
            continue
        if application.rule.style == "zero":
            _zero(ctx, statement, item)
            continue
        if not bar.maybe and special.deliver(ctx, application, parameter, spread=spread):
            continue
        found = contribution(ctx, application, parameter, bar, spread=spread)
        if isinstance(item.bound, core.Var) and item.bound.name == target:
            own.append((item, found))
        else:
            _deliver(ctx, statement, item, found)
    _deliver_own(ctx, statement, own)


def adjoint_of_write(ctx: Context, statement: core.Assign, cotangent: object) -> None:
    """A primitive that changes an argument: the cotangent of the state after it goes to what was
    written, and becomes that of the state before."""
    del cotangent
    found = ctx.facts.write_rules[id(statement)]
    operands = {key: operand(ctx, statement, bound) for key, bound in found.arguments}
    written = str(found.rule.writes)
    target = operands[written].bound
    assert isinstance(target, core.Var)
    in_store = _is_in_store(ctx, statement, target.name)
    if in_store:
        buffer = ctx.names.fresh(f"{target.name}_bar")
        array = ctx.recorder.reference(statement, target.name)
        ctx.emit("$x = $store.view($array)", x=buffer, store=ctx.memory, array=array)
    elif ctx.has_cotangent(target.name):
        after = ctx.facts.after(statement, target.name)
        buffer = own_measured(ctx, target.name, after, measure_after(ctx, statement, target.name))
    else:
        return
    kind = operands[written].kind
    application = Application(found.rule, operands, kind, lambda: name(buffer), name(buffer), statement)
    for parameter in found.rule.bars:
        if parameter != written and operands[parameter].active:
            made = contribution(ctx, application, parameter, Bar(buffer))
            _deliver(ctx, statement, operands[parameter], made._replace(fresh=False))
    if found.rule.bars[written] != f"{written}_bar":
        made = contribution(ctx, application, written, Bar(buffer))
        if in_store:
            ctx.emit("$x[...] = $v", x=buffer, v=made.expression)
            return
        assign(ctx, buffer, made.expression)
        ctx.bars[target.name] = Bar(buffer, made.fresh and is_wide(kind))


def _is_in_store(ctx: Context, statement: core.Assign, variable: str) -> bool:
    """Whether the cotangent of an array that a primitive has changed is in the store, not in a variable."""
    value = ctx.facts.value(statement, core.Var(variable))
    if isinstance(value.kind, Array) or not ctx.identity:
        return ctx.is_shared(variable)
    return isinstance(value.kind, Unknown) or ctx.facts.is_shared(value) or not is_spread_out(value.kind)


DOUBLING = (operator.add, operator.mul, np.add, np.multiply)
SQUARING = (operator.matmul, np.matmul, np.dot, np.inner)
"""What doubles of vectors."""


def doubled(application: Application) -> tuple[Application, list[str]]:
    """Of `x + x`, `x * x` and `x @ x` one contribution, with twice the cotangent."""
    parameters = list(application.rule.bars)
    first, *others = (application.operands[parameter].bound for parameter in parameters)
    if _is_doubled(application, parameters[0]) and isinstance(first, core.Var) and others == [first]:
        two = 2.0 if is_floating_scalar(application.result_kind) else 2  # floats by floats are quicker
        twice = quote_expression("$two * $v", two=constant(two), v=application.y_bar)
        return application._replace(y_bar=twice), parameters[:1]
    return application, parameters


def _is_doubled(application: Application, parameter: str) -> bool:
    function, kind = application.rule.function, application.operands[parameter].kind
    return function in DOUBLING or (function in SQUARING and is_vector(kind))


def _deliver_own(ctx: Context, statement: core.Statement, own: list[tuple[Operand, Contribution]]) -> None:
    if not own:
        return
    item, total = own[0]
    for _, other in own[1:]:
        total = _added(ctx, total, other)
    _deliver(ctx, statement, item, total)


def _added(ctx: Context, a: Contribution, b: Contribution) -> Contribution:
    parts = {"a": a.expression, "b": b.expression}
    if a.maybe or b.maybe:
        call = quote_expression("$add($a, $b)", add=ctx.helper("accumulate"), **parts)
        return Contribution(call, False, a.maybe and b.maybe)
    return Contribution(quote_expression("$a + $b", **parts), True)


def _zero(ctx: Context, statement: core.Statement, item: Operand) -> None:
    bound = item.bound
    if isinstance(bound, core.Var) and not ctx.has_cotangent(bound.name):
        value = ctx.facts.value(statement, bound)
        materialise(ctx, bound.name, value, measure_before(ctx, statement, bound.name))


def _deliver(ctx: Context, statement: core.Statement, item: Operand, found: Contribution) -> None:
    expression, fresh, maybe = found.expression, found.fresh, found.maybe
    if isinstance(item.bound, core.Var):
        may_be_owned = not isinstance(item.kind, List | Row) or _makes_a_list(expression)
        contribute(ctx, item.bound.name, item.kind, expression, owned=fresh and may_be_owned, maybe=maybe)
        return
    assert isinstance(item.bound, tuple)
    if maybe:
        parts: dict[str, Any] = {"entries": ctx.helper("entries"), "count": constant(len(item.bound))}
        expression = quote_expression("$entries($v, $count)", v=expression, **parts)
    _scatter(ctx, statement, item.bound, expression, maybe)


def _makes_a_list(expression: gast.expr) -> bool:
    """Whether an expression gives a new list: a rule of arrays gives an array, also where a list stands."""
    made = expression.left if isinstance(expression, gast.BinOp) else expression
    return isinstance(made, gast.List | gast.ListComp)


def _scatter(
    ctx: Context,
    statement: core.Statement,
    atoms: tuple[core.Atom, ...],
    expression: gast.expr,
    maybe: bool,
) -> None:
    """Hand the entries of a group's contribution to the operands of the group."""
    if len(atoms) == 1:
        parts = [ctx.names.fresh("part_bar")]
        ctx.emit("$x = $v[0]", x=parts[0], v=expression)
    else:
        parts = [ctx.names.fresh("part_bar") for _ in atoms]
        store: Any = gast.Tuple([name(part) for part in parts], gast.Load())
        ctx.emit("$x = $v", x=store, v=expression)
    for atom, part in zip(atoms, parts, strict=True):
        value = ctx.facts.value(statement, atom)
        if isinstance(atom, core.Var) and value.active:
            contribute(ctx, atom.name, value.kind, name(part), owned=False, maybe=maybe)


class Contribution(NamedTuple):
    """What one operand gets: the expression, whether its value is fresh, and whether it may be None."""

    expression: gast.expr
    fresh: bool
    maybe: bool = False


def contribution(
    ctx: Context, application: Application, parameter: str, bar: Bar, *, spread: bool = True
) -> Contribution:
    """What one operand gets: None, if that is what has come in. `spread`: the cotangent may be held in a
    smaller form."""
    expression, fresh = _expression(ctx, application, parameter, bar, spread)
    if application.rule.containers:
        kinds = application.result_kind, application.operands[parameter].kind
        return Contribution(expression, fresh, bar.maybe or not all(is_numeric(kind) for kind in kinds))
    if bar.maybe and not isinstance(expression, gast.Name):
        expression = quote_expression("None if $bar is None else $v", bar=bar.name, v=expression)
    return Contribution(expression, fresh and not bar.maybe, bar.maybe)


def _expression(
    ctx: Context, application: Application, parameter: str, bar: Bar, spread: bool
) -> tuple[gast.expr, bool]:
    rule, item = application.rule, application.operands[parameter]
    real = all_real(application)
    expression = fill(ctx, special.thinned(tree_of(rule, parameter), application), application, real)
    if _repeats(expression, bar) and isinstance(item.kind, List | Row) and entry_zero(item.kind) != "None":
        expression = _of_numbers(expression)
    fresh = is_fresh(expression)
    if not spread and is_scalar_product(application, parameter) and isinstance(expression, gast.BinOp):
        expression = gast.BinOp(expression.left, gast.MatMult(), expression.right)
    elif rule.style == "elementwise":
        expression, fresh = _unbroadcast(ctx, application, item, expression, fresh)
    if _is_named(expression, bar.name):
        fresh = bar.owned and _may_take_over(application, item)
    if isinstance(item.kind, Array) and rule.kind in JOINING and parameter == next(iter(rule.bars)):
        expression, fresh = quote_expression("$np.array($v)", np=ctx.helper("np"), v=expression), True
    if not (real and not is_complex(rule, parameter)) and not rule.containers:
        expression = _projected(ctx, application, parameter, expression)
    return expression, fresh


def _projected(ctx: Context, application: Application, parameter: str, expression: gast.expr) -> gast.expr:
    """A contribution that may be complex: its real part where the operand is real."""
    item = application.operands[parameter]
    if _may_hold_real_and_complex(item.kind):
        return quote_expression(
            "$f($v, $r)", f=ctx.helper("real_parts"), v=expression, r=item.measure("reals")
        )
    if not is_numeric(item.kind) or is_surely_complex(item.kind):
        return expression
    if is_real(item.kind):
        return quote_expression("$v.real", v=expression)
    if _stays_real(application, parameter):
        return expression
    project = ctx.helper("as_real_as")
    return quote_expression("$f($v, $d)", f=project, v=expression, d=item.measure("dtype"))


def _may_hold_real_and_complex(kind: Kind) -> bool:
    """Whether a list or tuple, or one in it, may have real numbers or arrays beside complex ones."""
    if not isinstance(kind, List | Tuple | Row):
        return False
    items = kind.items if isinstance(kind, Tuple) else (kind.element,)
    return any(_may_hold_real_and_complex(item) for item in items) or not all(map(is_surely_complex, items))


REAL_OF_REAL = frozenset(
    {"elementwise", "arithmetic", "operator +", "operator -", "operator *", "operator /"}
)
"""The kinds of elementwise results that are real where all operands are."""


def _stays_real(application: Application, parameter: str) -> bool:
    """Whether a result, and so its cotangent, is real where one operand is, as all others are real."""
    rule = application.rule
    if rule.kind not in REAL_OF_REAL or is_complex(rule, parameter):
        return False
    others = [other.kind for name, other in application.operands.items() if name != parameter]
    return all(is_real(kind) or not is_numeric(kind) for kind in others)


def is_surely_complex(kind: Kind) -> bool:
    """Whether a numeric kind has no real numbers."""
    if isinstance(kind, Number):
        return kind.types == {"complex"}
    return isinstance(kind, Array | NumpyScalar) and kind.dtype in ("c16", "c8")


JOINING = frozenset({"concatenate", "stack", "rows", "line", "depth"})
"""The kinds of results of functions that take a sequence of arrays, which may be an array itself."""


def is_scalar_product(application: Application, parameter: str) -> bool:
    """Whether a number gets the sum of the products of `y_bar` and a vector: `v` in `y = number * v`."""
    rule, result = application.rule, application.result_kind
    if rule.style != "elementwise" or len(application.operands) != 2 or not is_vector(result):
        return False
    (other,) = (name for name in application.operands if name != parameter)
    if not is_scalar(application.operands[parameter].kind) or not is_vector(application.operands[other].kind):
        return False
    tree = tree_of(rule, parameter)
    if not (isinstance(tree, gast.BinOp) and isinstance(tree.op, gast.Mult)):
        return False
    factor = tree.right
    if isinstance(factor, gast.Call) and getattr(factor.func, "id", None) == "conj":
        (factor,) = factor.args
    return [getattr(part, "id", None) for part in (tree.left, factor)] == ["y_bar", other]


def is_vector(kind: Kind) -> bool:
    """Whether NumPy multiplies and sums arrays of a kind at once."""
    return isinstance(kind, Array) and kind.rank == 1 and kind.dtype in ("f8", "f4")


@cache
def is_complex(rule: Rule, parameter: str) -> bool:
    """Whether the text of what a parameter gets itself mentions the imaginary unit."""
    tree = tree_of(rule, parameter)
    return any(isinstance(node, gast.Constant) and isinstance(node.value, complex) for node in nodes(tree))


def all_real(application: Application) -> bool:
    """Whether no complex number is about."""
    return is_real(application.result_kind) and all(
        is_real(other.kind) or not is_numeric(other.kind) for other in application.operands.values()
    )


FRESH = frozenset(
    {
        *("times", "divided", "divisor_cotangent", "power_base", "power_exponent"),
        *("picked", "passed_over", "clipped_low", "clipped_high"),
    }
)
"""Helpers whose result, where it is an array, is nobody else's."""


def is_fresh(expression: Any) -> bool:
    """Whether the value of an expression is surely a new one."""
    if isinstance(expression, gast.Call) and isinstance(expression.func, gast.Name):
        return expression.func.id in FRESH
    return isinstance(expression, gast.BinOp | gast.UnaryOp)


def _repeats(expression: Any, bar: Bar) -> bool:
    """Whether an expression is a list with several times the same cotangent, which may be no number."""
    if not (isinstance(expression, gast.BinOp) and isinstance(expression.left, gast.List)):
        return False
    items = expression.left.elts
    return not all(is_number(item) or (bar.owned and _is_named(item, bar.name)) for item in items)


def _of_numbers(repeated: Any) -> gast.expr:
    """A repeated list with numbers in it, where there may be arrays of rank zero."""
    items = [quote_expression("$v * 1.0", v=value) for value in repeated.left.elts]
    return gast.BinOp(gast.List(items, gast.Load()), repeated.op, repeated.right)


def _is_named(expression: gast.expr, variable: str) -> bool:
    return isinstance(expression, gast.Name) and expression.id == variable


def _may_take_over(application: Application, item: Operand) -> bool:
    """Whether an operand may take over the incoming cotangent: of numbers all may, of arrays just one."""
    if is_scalar(item.kind) or is_scalar(application.result_kind):
        return is_scalar(item.kind) and is_scalar(application.result_kind)
    trees = [
        tree_of(application.rule, name)
        for name, item in application.operands.items()
        if item.active and name in application.rule.bars
    ]
    return sum(isinstance(tree, gast.Name) for tree in trees) == 1


def _unbroadcast(
    ctx: Context, application: Application, item: Operand, expression: gast.expr, fresh: bool
) -> tuple[gast.expr, bool]:
    """Sum back to the operand's shape where its shape may differ from the result's."""
    if is_scalar(application.result_kind) or not may_stretch(ctx, application, item):
        return expression, fresh
    if is_scalar(item.kind):
        return _total(ctx, application, expression), True
    shape = item.measure("shape")
    return quote_expression("$f($v, $shape)", f=ctx.helper("unbroadcast"), v=expression, shape=shape), fresh


def _total(ctx: Context, application: Application, expression: Any) -> gast.expr:
    """The sum over what a number was combined with; of a vector that it divides, as one product."""
    function = getattr(getattr(expression, "func", None), "id", None)
    if is_vector(application.result_kind) and function == ctx.helper("divisor_cotangent"):
        return gast.Call(name(ctx.helper("divisor_sum")), expression.args, [])
    return known_total(ctx, expression) or summed(ctx, expression)


def summed(ctx: Context, expression: Any) -> gast.expr:
    """The sum of an array's elements; of a negative the negative of the sum."""
    if isinstance(expression, gast.UnaryOp):
        return quote_expression("-$v", v=summed(ctx, expression.operand))
    return quote_expression("$np.sum($v)", np=ctx.helper("np"), v=expression)


def may_stretch(ctx: Context, application: Application, item: Operand) -> bool:
    """Whether the result's shape may differ from this operand's."""
    if application.in_place and isinstance(item.kind, Array) and item is _first(application):
        return False
    if ctx.identity and isinstance(item.kind, Array) and isinstance(application.result_kind, NumberOrArray):
        return True  # the zero of a result that nothing came in for is a number
    others = (other for other in application.operands.values() if other is not item)
    return any(_may_stretch(ctx, application, item, other) for other in others)


def _first(application: Application) -> Operand:
    return next(iter(application.operands.values()))


def _may_stretch(ctx: Context, application: Application, item: Operand, other: Operand) -> bool:
    if rank_of(other.kind) == 0 or isinstance(other.kind, Nothing):
        return False
    if isinstance(item.bound, core.Var) and isinstance(other.bound, core.Var):
        return not same_shape(ctx, application.statement, item.bound.name, other.bound.name)
    return True
