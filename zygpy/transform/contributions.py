"""The adjoint of a primitive: its rule's contributions, instantiated for known kinds."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from zygpy.analyse.facts import ByRule
from zygpy.ir import core
from zygpy.ir.kinds import (
    Nothing,
    is_numeric,
    is_real,
    is_scalar,
    rank_of,
)
from zygpy.ir.nodes import from_python_ast, gast, quote_expression
from zygpy.rules.declare import Rule
from zygpy.rules.texts import texts
from zygpy.transform.applications import Application, Operand, operand
from zygpy.transform.context import (
    Bar,
    Context,
    certainly,
    contribute,
    materialise,
    measure_before,
    name,
)
from zygpy.transform.fill import fill
from zygpy.transform.shapes import same_shape


def adjoint_of_rule(ctx: Context, statement: core.Assign, found: ByRule, bar: Bar) -> None:
    """Emit the adjoint of `target = primitive(...)`, given the result's cotangent."""
    target = statement.target
    result = ctx.facts.after(statement, target)
    bar = certainly(ctx, bar, result.kind, lambda what: ctx.recorder.measure_result(what, statement, target))
    operands = {item: operand(ctx, statement, bound) for item, bound in found.arguments}
    application = Application(
        found.rule,
        operands,
        result.kind,
        lambda: ctx.recorder.result(statement, target),
        name(bar.name),
        statement,
    )
    emit_contributions(ctx, statement, application, bar, target)


def emit_contributions(
    ctx: Context, statement: core.Statement, application: Application, bar: Bar, target: str
) -> None:
    """Emit what each active operand gets. A contribution to the target's own earlier value comes
    last, because it takes over the name that holds the incoming cotangent."""
    own: list[tuple[Operand, gast.expr, bool]] = []
    for parameter in application.rule.bars:
        item = application.operands[parameter]
        if not item.active:
            continue
        if application.rule.style == "zero":
            _zero(ctx, statement, item)
            continue
        expression, fresh = contribution(ctx, application, parameter, bar)
        if isinstance(item.bound, core.Var) and item.bound.name == target:
            own.append((item, expression, fresh))
        else:
            _deliver(ctx, statement, item, expression, fresh)
    _deliver_own(ctx, statement, own)


def _deliver_own(ctx: Context, statement: core.Statement, own: list[tuple[Operand, gast.expr, bool]]) -> None:
    if not own:
        return
    item, expression, fresh = own[0]
    for _, other, _ in own[1:]:
        expression, fresh = quote_expression("$a + $b", a=expression, b=other), True
    _deliver(ctx, statement, item, expression, fresh)


def _zero(ctx: Context, statement: core.Statement, item: Operand) -> None:
    bound = item.bound
    if isinstance(bound, core.Var) and bound.name not in ctx.bars:
        value = ctx.facts.value(statement, bound)
        materialise(ctx, bound.name, value, measure_before(ctx, statement, bound.name))


def _deliver(
    ctx: Context, statement: core.Statement, item: Operand, expression: gast.expr, fresh: bool
) -> None:
    if isinstance(item.bound, core.Var):
        contribute(ctx, item.bound.name, item.kind, expression, owned=fresh)
        return
    assert isinstance(item.bound, tuple)
    _scatter(ctx, statement, item.bound, expression)


def _scatter(
    ctx: Context, statement: core.Statement, atoms: tuple[core.Atom, ...], expression: gast.expr
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
            contribute(ctx, atom.name, value.kind, name(part), owned=False)


def contribution(ctx: Context, application: Application, parameter: str, bar: Bar) -> tuple[gast.expr, bool]:
    """The expression that one operand gets, and whether its value is fresh."""
    rule, item = application.rule, application.operands[parameter]
    tree = _tree(rule, parameter)
    real = is_real(application.result_kind) and all(
        is_real(other.kind) or not is_numeric(other.kind) for other in application.operands.values()
    )
    expression = fill(ctx, tree, application, real)
    fresh = isinstance(expression, gast.BinOp | gast.UnaryOp)
    if rule.style == "elementwise":
        expression, fresh = _unbroadcast(ctx, application, item, expression, fresh)
    if isinstance(expression, gast.Name) and expression.id == bar.name:
        fresh = bar.owned and _passes_once(application)
    if is_numeric(item.kind) and is_real(item.kind) and not real and not rule.containers:
        expression = quote_expression("$v.real", v=expression)
    return expression, fresh


def _passes_once(application: Application) -> bool:
    """Whether just one operand may take the incoming cotangent over."""
    trees = [
        _tree(application.rule, name)
        for name, item in application.operands.items()
        if item.active and name in application.rule.bars
    ]
    return sum(isinstance(tree, gast.Name) for tree in trees) == 1


@lru_cache(maxsize=None)
def _tree(rule: Rule, parameter: str) -> gast.expr:
    return cast(gast.expr, from_python_ast(texts(rule).bars[parameter]))


def _unbroadcast(
    ctx: Context, application: Application, item: Operand, expression: gast.expr, fresh: bool
) -> tuple[gast.expr, bool]:
    """Sum back to the operand's shape where its shape may differ from the result's."""
    if is_scalar(application.result_kind) or not may_stretch(ctx, application, item):
        return expression, fresh
    if is_scalar(item.kind):
        return quote_expression("$np.sum($v)", np=ctx.helper("np"), v=expression), True
    shape = item.measure("shape")
    return quote_expression("$f($v, $shape)", f=ctx.helper("unbroadcast"), v=expression, shape=shape), fresh


def may_stretch(ctx: Context, application: Application, item: Operand) -> bool:
    """Whether the result's shape may differ from this operand's."""
    others = (other for other in application.operands.values() if other is not item)
    return any(_may_stretch(ctx, application, item, other) for other in others)


def _may_stretch(ctx: Context, application: Application, item: Operand, other: Operand) -> bool:
    if rank_of(other.kind) == 0 or isinstance(other.kind, Nothing):
        return False
    if isinstance(item.bound, core.Var) and isinstance(other.bound, core.Var):
        return not same_shape(ctx, application.statement, item.bound.name, other.bound.name)
    return True
