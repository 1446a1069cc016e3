"""Contributions that are delivered otherwise than by adding one array: sums and extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zygpy.ir import core
from zygpy.ir.kinds import Array, is_real
from zygpy.ir.nodes import gast, quote_expression
from zygpy.transform.applications import Application, Operand
from zygpy.transform.context import Bar, Context, Spread, assign, contribute, name, own
from zygpy.transform.fill import fill, helper_call
from zygpy.transform.forms import mentions_beside, passes_on, spread, substituted, tree_of
from zygpy.transform.primal import builtin


def deliver(ctx: Context, application: Application, parameter: str, *, spread: bool) -> bool:
    """Deliver one operand's contribution in a special way; False where there is none for it."""
    item, tree = application.operands[parameter], tree_of(application.rule, parameter)
    if not (isinstance(item.bound, core.Var) and isinstance(item.kind, Array) and item.kind.rank):
        return False
    if ctx.is_shared(item.bound.name) or _reads_itself(application, item.bound.name):
        return False
    if spread and passes_on(tree):
        _to_spread(ctx, item, item.bound.name, fill(ctx, tree, application, False))
        return True
    if isinstance(tree, gast.Call) and isinstance(tree.func, gast.Name):
        special = SPECIAL.get(tree.func.id)
        return special is not None and special(ctx, application, item, tree)
    return False


def _reads_itself(application: Application, variable: str) -> bool:
    statement = application.statement
    return not isinstance(statement, core.Assign) or statement.target == variable


def _spread_sum(ctx: Context, application: Application, item: Operand, tree: Any) -> bool:
    """`y = sum(x)`: the cotangent of y broadcasts to x's shape."""
    form = spread(helper_call(tree, application))
    if form is None or not is_real(item.kind) or not is_real(application.result_kind):
        return False
    assert isinstance(item.bound, core.Var)
    value = fill(ctx, substituted(form, tuple(tree.args)), application, True)
    _to_spread(ctx, item, item.bound.name, value)
    return True


def _to_spread(ctx: Context, item: Operand, variable: str, value: gast.expr) -> None:
    kind = item.kind
    assert isinstance(kind, Array)
    current = ctx.bars.get(variable)
    target = ctx.bar_name(variable)
    if isinstance(current, Bar) and not current.maybe:
        contribute(ctx, variable, kind, value, owned=False)
    elif current is None and variable not in ctx.spread:
        assign(ctx, target, value)
        full, owned = _full(ctx, kind, item, target)
        ctx.spread[variable] = Spread(target, full, owned)
    else:
        part = ctx.names.fresh(f"{variable}_part")
        assign(ctx, part, value)
        full, owned = _full(ctx, kind, item, part)
        contribute(ctx, variable, kind, full(), owned=owned)


def _full(ctx: Context, kind: Array, item: Operand, value: str) -> tuple[Callable[[], gast.expr], bool]:
    """The whole array of a cotangent that broadcasts, and whether it is in the right dtype."""
    dtypes = {"f8": ", $float", "f4": ", $np.float32", "c16": ", $complex", "c8": ", $np.complex64"}
    dtype = dtypes.get(kind.dtype, "")

    def full() -> gast.expr:
        types = {word: builtin(ctx, word) for word in ("float", "complex")}
        shape = item.measure("shape")
        parts: dict[str, Any] = {**types, "np": ctx.helper("np"), "shape": shape, "v": name(value)}
        return quote_expression(f"$np.full($shape, $v{dtype})", **parts)

    return full, bool(dtype)


def _put_extreme(ctx: Context, application: Application, item: Operand, tree: Any) -> bool:
    """`y = max(x)`: the cotangent of y goes to one element of x's."""
    call = helper_call(tree, application)
    find = EXTREMES.get(tree.args[1].func.id)
    if find is None or call.literal(3, None) is not None or call.literal(4, False) is not False:
        return False
    bound, statement = item.bound, application.statement
    assert isinstance(bound, core.Var) and isinstance(item.kind, Array)
    buffer = own(ctx, statement, bound.name, ctx.facts.value(statement, bound))
    np = ctx.helper("np")
    place = quote_expression(f"$np.{find}($x)", np=np, x=item.value())
    if item.kind.rank != 1:
        text = "$np.unravel_index($place, $shape)"
        place = quote_expression(text, np=np, place=place, shape=item.measure("shape"))
    ctx.emit("$x[$place] += $v", x=buffer, place=place, v=application.y_bar)
    return True


EXTREMES = {"max_positions": "argmax", "min_positions": "argmin"}
SPECIAL = {"unreduce": _spread_sum, "put_positions": _put_extreme}
"""Helpers at the top of a contribution that have a way of their own."""


def thinned(tree: Any, application: Application) -> Any:
    """In a product with an array of the full shape, a cotangent need not be stretched."""
    if not (isinstance(tree, gast.BinOp) and isinstance(tree.op, gast.Mult)):
        return tree
    left = tree.left
    if not (isinstance(left, gast.Call) and isinstance(left.func, gast.Name) and left.func.id == "unreduce"):
        return tree
    call = helper_call(left, application)
    form, parameter = spread(call), call.parameter(1)
    if form is None or parameter is None or not mentions_beside(tree.right, frozenset({parameter})):
        return tree
    return gast.BinOp(substituted(form, tuple(left.args)), tree.op, tree.right)
