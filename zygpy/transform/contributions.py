"""The adjoint of a primitive: its rule's contributions, instantiated for known kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from zygpy.analyse.facts import Bound, ByRule, DictBound
from zygpy.ir import core
from zygpy.ir.kinds import (
    Kind,
    Number,
    Tuple,
    is_numeric,
    is_real,
    is_scalar,
    rank_of,
)
from zygpy.ir.nodes import constant, from_python_ast, gast, quote_expression
from zygpy.rules.declare import Rule
from zygpy.rules.texts import MEASUREMENTS, texts
from zygpy.transform.context import (
    Bar,
    Context,
    certainly,
    contribute,
    materialise,
    measure_before,
    name,
)


@dataclass(frozen=True)
class Operand:
    """An argument of a primitive, as the adjoint sees it."""

    bound: Bound
    kind: Kind
    active: bool
    value: Callable[[], gast.expr]
    measure: Callable[[str], gast.expr]


@dataclass(frozen=True)
class Application:
    """A primitive applied: operands by parameter, and the result."""

    rule: Rule
    operands: Mapping[str, Operand]
    result_kind: Kind
    result: Callable[[], gast.expr]
    y_bar: gast.expr


def adjoint_of_rule(ctx: Context, statement: core.Assign, found: ByRule, bar: Bar) -> None:
    """Emit the adjoint of `target = primitive(...)`, given the result's cotangent."""
    target = statement.target
    result = ctx.facts.after(statement, target)
    bar = certainly(ctx, bar, result.kind, lambda what: ctx.recorder.measure_result(what, statement, target))
    operands = {item: operand(ctx, statement, bound) for item, bound in found.arguments}
    application = Application(
        found.rule, operands, result.kind, lambda: ctx.recorder.result(statement, target), name(bar.name)
    )
    emit_contributions(ctx, statement, application, bar, target)


def operand(ctx: Context, statement: core.Statement, bound: Bound) -> Operand:
    """What a rule may ask of one argument."""
    if isinstance(bound, core.Const):
        return _literal(ctx, bound)
    if isinstance(bound, core.Var):
        value = ctx.facts.value(statement, bound)
        return Operand(
            bound,
            value.kind,
            value.active,
            lambda: ctx.recorder.value(statement, bound),
            lambda what: ctx.recorder.measure(what, statement, bound.name),
        )
    assert not isinstance(bound, DictBound)
    return _group(ctx, statement, bound)


def _literal(ctx: Context, bound: core.Const) -> Operand:
    value = ctx.facts.value(core.Break(core.Loc(0, 0)), bound)
    measures: dict[str, Any] = {"shape": (), "ndim": 0, "size": 1}
    return Operand(
        bound, value.kind, False, lambda: constant(bound.value), lambda what: constant(measures[what])
    )


def _group(ctx: Context, statement: core.Statement, atoms: tuple[core.Atom, ...]) -> Operand:
    items = [operand(ctx, statement, atom) for atom in atoms]

    def value() -> gast.expr:
        return _tuple([item.value() for item in items])

    def measure(what: str) -> gast.expr:
        if what == "length":
            return constant(len(items))
        return _tuple([item.measure("shape") for item in items])

    kind = Tuple(tuple(item.kind for item in items))
    return Operand(atoms, kind, any(item.active for item in items), value, measure)


def _tuple(items: list[gast.expr]) -> gast.expr:
    return gast.Tuple(items, gast.Load())


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
    expression = _fill(ctx, tree, application, real)
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
    if is_scalar(application.result_kind) or not _may_stretch(application, item):
        return expression, fresh
    if isinstance(item.kind, Number) and rank_of(application.result_kind):
        return quote_expression("$np.sum($v)", np=ctx.helper("np"), v=expression), True
    shape = item.measure("shape")
    return quote_expression("$f($v, $shape)", f=ctx.helper("unbroadcast"), v=expression, shape=shape), fresh


def _may_stretch(application: Application, item: Operand) -> bool:
    others = [other for other in application.operands.values() if other is not item]
    return not all(is_scalar(other.kind) or not is_numeric(other.kind) for other in others)


def _fill(ctx: Context, tree: Any, application: Application, real: bool) -> gast.expr:
    """Put the operands, the result and the helpers into a contribution's tree."""
    if isinstance(tree, gast.Name):
        return _fill_name(ctx, tree.id, application)
    if isinstance(tree, gast.Call) and isinstance(tree.func, gast.Name):
        if tree.func.id == "conj" and real:
            return _fill(ctx, tree.args[0], application, real)
        if tree.func.id in MEASUREMENTS:
            return _measure(ctx, tree, application)
    fields = {field: _fill_field(ctx, value, application, real) for field, value in gast.iter_fields(tree)}
    if isinstance(tree, gast.Constant):
        fields = dict(gast.iter_fields(tree))
    return cast(gast.expr, type(tree)(**fields))


def _fill_field(ctx: Context, value: Any, application: Application, real: bool) -> Any:
    if isinstance(value, gast.AST) and not isinstance(
        value, gast.expr_context | gast.operator | gast.unaryop | gast.cmpop | gast.boolop
    ):
        return _fill(ctx, value, application, real)
    if isinstance(value, list):
        return [_fill_field(ctx, item, application, real) for item in value]
    return value


def _measure(ctx: Context, tree: Any, application: Application) -> gast.expr:
    measured = tree.args[0].id
    if measured == "y":
        raise ValueError("a rule measures its result: measure the parameter instead")
    return application.operands[measured].measure(tree.func.id)


def _fill_name(ctx: Context, identifier: str, application: Application) -> gast.expr:
    if identifier == "y_bar":
        return application.y_bar
    if identifier == "y":
        return application.result()
    if identifier in application.operands:
        return application.operands[identifier].value()
    if identifier in BUILTINS:
        return name(identifier)
    return name(ctx.helper(identifier))


BUILTINS = frozenset(
    {
        "abs",
        "float",
        "int",
        "len",
        "list",
        "range",
        "reversed",
        "sum",
        "tuple",
        "zip",
        "max",
        "min",
        "complex",
        "bool",
        "type",
        "isinstance",
    }
)
"""Builtins that contribution texts may use."""
