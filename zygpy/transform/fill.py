"""Putting operands, result and helpers into the text of a contribution."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, cast

from zygpy.ir import core
from zygpy.ir.kinds import Nothing, is_numeric
from zygpy.ir.nodes import gast, made
from zygpy.rules.texts import MEASUREMENTS
from zygpy.runtime import helpers as runtime_helpers
from zygpy.transform.applications import Application
from zygpy.transform.context import Context, name
from zygpy.transform.forms import bare
from zygpy.transform.helper_calls import HelperCall
from zygpy.transform.primal import builtin


def fill(ctx: Context, tree: Any, application: Application, real: bool) -> gast.expr:
    """The expression that a contribution's tree stands for; `real`: no complex number is about."""
    tree = as_given(tree, application)
    if isinstance(tree, gast.Name):
        return _fill_name(ctx, tree.id, application)
    if isinstance(tree, gast.Call) and isinstance(tree.func, gast.Name):
        if tree.func.id == "conj" and real:
            return fill(ctx, tree.args[0], application, real)
        if tree.func.id in MEASUREMENTS:
            return _measure(tree, application)
        return _fill_call(ctx, tree, application, real)
    return _fill_fields(ctx, tree, application, real)


def as_given(tree: Any, application: Application) -> Any:
    """The part of a contribution's tree that holds, where it asks which parameters were given, and flags."""
    while isinstance(tree, gast.IfExp) and (holds := _holds(tree.test, application)) is not None:
        tree = tree.body if holds else tree.orelse
    return tree


def _holds(test: Any, application: Application) -> bool | None:
    """Whether the test `parameter is None`, or `parameter` of a literal flag, surely holds, or not."""
    match test:
        case gast.Name(id=parameter) if parameter in application.operands:
            bound = application.operands[parameter].bound
            return bound.value if isinstance(bound, core.Const) and isinstance(bound.value, bool) else None
        case gast.Compare(
            left=gast.Name(id=parameter), ops=[gast.Is()], comparators=[gast.Constant(value=None)]
        ) if parameter in application.operands:
            item = application.operands[parameter]
        case _:
            return None
    if isinstance(item.bound, core.Const) or isinstance(item.kind, Nothing):
        return isinstance(item.kind, Nothing)
    return False if is_numeric(item.kind) else None


def _fill_call(ctx: Context, tree: Any, application: Application, real: bool) -> gast.expr:
    form = None if tree.keywords else bare(tree.func.id, helper_call(tree, application))
    if form is not None:
        return fill(ctx, form, application, real)
    call: Any = _fill_fields(ctx, tree, application, real)
    call.args = without_defaults(tree.func.id, call.args)
    return cast(gast.expr, call)


def helper_call(tree: Any, application: Application) -> HelperCall:
    """A helper's call with what is known of its arguments."""
    operands = application.operands
    kinds = {parameter: item.kind for parameter, item in operands.items()} | {"y": application.result_kind}
    literals = {
        parameter: item.bound.value
        for parameter, item in operands.items()
        if isinstance(item.bound, core.Const)
    }
    return HelperCall(tuple(tree.args), kinds, literals)


def without_defaults(helper: str, args: list[Any]) -> list[Any]:
    """The arguments without those at the end that the helper assumes anyway."""
    defaults = _defaults(helper)
    while args and isinstance(args[-1], gast.Constant) and len(args) <= len(defaults):
        default, value = defaults[len(args) - 1], args[-1].value
        if type(default) is not type(value) or default != value:
            break
        args = args[:-1]
    return args


@cache
def _defaults(helper: str) -> tuple[Any, ...]:
    function = getattr(runtime_helpers, helper, None)
    if function is None:
        return ()
    return tuple(parameter.default for parameter in inspect.signature(function).parameters.values())


def _fill_fields(ctx: Context, tree: Any, application: Application, real: bool) -> gast.expr:
    if isinstance(tree, gast.Constant):
        return cast(gast.expr, tree)
    own = tree.__dict__
    fields = {
        field: _fill_field(ctx, own[field], application, real) for field in tree._fields if field in own
    }
    return cast(gast.expr, made(type(tree), fields))


def _fill_field(ctx: Context, value: Any, application: Application, real: bool) -> Any:
    if type(value) is list:
        return [_fill_field(ctx, item, application, real) for item in value]
    if isinstance(value, gast.AST) and not isinstance(value, MARKS):
        return fill(ctx, value, application, real)
    return value


MARKS = (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop, gast.boolop)


def _measure(tree: Any, application: Application) -> gast.expr:
    measured = tree.args[0].id
    if measured == "y":
        raise ValueError("a rule measures its result: measure the parameter instead")
    return application.operands[measured].measure(tree.func.id)


def _fill_name(ctx: Context, identifier: str, application: Application) -> gast.expr:
    if identifier == "y_bar" or identifier == f"{application.rule.writes}_bar":
        return application.y_bar
    if identifier == "y":
        return application.result()
    if identifier in application.operands:
        return application.operands[identifier].value()
    if identifier in BUILTINS:
        return name(builtin(ctx, identifier))
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
