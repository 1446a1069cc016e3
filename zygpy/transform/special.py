"""Contributions that are delivered otherwise than by adding one array: sums and extremes."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from zygpy.ir import core
from zygpy.ir.kinds import Array, Tuple, is_real, is_real_scalar, is_scalar
from zygpy.ir.nodes import gast, quote_expression
from zygpy.rules.texts import texts
from zygpy.transform.applications import Application, Operand, operand
from zygpy.transform.context import Bar, Context, Spread, TupleBar, add, assign, contribute, name, own
from zygpy.transform.fill import as_given, fill, helper_call
from zygpy.transform.forms import mentions_beside, passes_on, spread, substituted, tree_of
from zygpy.transform.primal import builtin


def deliver(ctx: Context, application: Application, parameter: str, *, spread: bool) -> bool:
    """Deliver one operand's contribution in a special way; False where there is none for it."""
    item, tree = application.operands[parameter], as_given(tree_of(application.rule, parameter), application)
    if isinstance(item.bound, tuple):
        return _to_each(ctx, application, item.bound)
    if isinstance(item.bound, core.Var) and isinstance(item.kind, Tuple):
        return _to_each_item(ctx, application, item.bound, item.kind, tree)
    if not (isinstance(item.bound, core.Var) and isinstance(item.kind, Array) and item.kind.rank):
        return False
    if ctx.is_shared(item.bound.name) or _reads_itself(application, item.bound.name):
        return False
    if spread and (passes_on(tree) or scales(application, parameter)):
        real = not passes_on(tree)
        _to_spread(ctx, item, item.bound.name, fill(ctx, tree, application, real))
        return True
    if isinstance(tree, gast.Call) and isinstance(tree.func, gast.Name):
        special = SPECIAL.get(tree.func.id)
        return special is not None and special(ctx, application, item, tree)
    return False


def scales(application: Application, parameter: str) -> bool:
    """Whether an operand is an array of reals that is multiplied or divided by a literal number."""
    function, kind = application.rule.function, application.operands[parameter].kind
    if function not in (operator.mul, operator.truediv) or not isinstance(kind, Array) or not is_real(kind):
        return False
    others = [item.bound for name, item in application.operands.items() if name != parameter]
    factor = others[0].value if len(others) == 1 and isinstance(others[0], core.Const) else None
    return type(factor) in (int, float) and (function is operator.mul or bool(factor))


def _texts_for_each(function: Any, count: int) -> list[str] | None:
    """What each of several numbers gets from a function of any number of them."""
    if count < 2 or count > MOST:
        return None
    if function is math.hypot:
        return [f"$y_bar * ($x{place} / $y) if $y else 0.0" for place in range(count)]
    if function not in (max, min):
        return None
    if count == 2:
        test = "$x1 > $x0" if function is max else "$x1 < $x0"
        return [f"0.0 if {test} else $y_bar", f"$y_bar if {test} else 0.0"]
    before = [" and ".join([f"$y != $x{place}" for place in range(last)]) for last in range(1, count)]
    middle = [f"$y_bar if $y == $x{place} and {before[place - 1]} else 0.0" for place in range(1, count - 1)]
    return ["$y_bar if $y == $x0 else 0.0", *middle, f"$y_bar if {before[-1]} else 0.0"]


MOST = 4
"""For so many numbers at most what each of them gets is written out."""


def _to_each(ctx: Context, application: Application, atoms: tuple[core.Atom, ...]) -> bool:
    """Deliver the contributions to the two numbers that a function is given."""
    statement = application.statement
    texts = _texts_for_each(application.rule.function, len(atoms))
    if texts is None or len(set(atoms)) < len(atoms) or "key" in _given(application):
        return False
    items = [operand(ctx, statement, atom) for atom in atoms]
    if not all(is_real_scalar(item.kind) for item in items):
        return False
    reads = {f"x{place}": item.value for place, item in enumerate(items)} | {"y": application.result}
    reads["y_bar"] = lambda: application.y_bar
    found = [(item, _filled(text, reads)) for item, text in zip(items, texts, strict=True) if item.active]
    # The target's own earlier value takes over the name that holds the incoming cotangent.
    found.sort(key=lambda pair: isinstance(statement, core.Assign) and _is(pair[0], statement.target))
    for item, value in found:
        assert isinstance(item.bound, core.Var)
        contribute(ctx, item.bound.name, item.kind, value, owned=False)
    return True


def _given(application: Application) -> set[str]:
    """The parameters that are not what they are by default."""
    bound = ((name, item.bound) for name, item in application.operands.items())
    return {name for name, value in bound if value is not None and value != core.Const(None)}


def _to_each_item(ctx: Context, application: Application, variable: core.Var, kind: Tuple, tree: Any) -> bool:
    """`y = sum(t)` of a tuple of numbers, where that is one: each of them gets what has come in."""
    added = isinstance(tree, gast.Call) and getattr(tree.func, "id", None) == "each_added"
    if not added or not all(map(is_real_scalar, (application.result_kind, *kind.items))):
        return False
    if getattr(tree.args[0], "id", None) != "y_bar":
        return False
    part = ctx.names.fresh("part_bar")
    assign(ctx, part, application.y_bar)
    value = ctx.facts.value(application.statement, variable)
    add(ctx, variable, value, TupleBar((Bar(part),) * len(kind.items)))
    return True


def _filled(text: str, reads: Mapping[str, Callable[[], gast.expr]]) -> gast.expr:
    mentioned = [name for name in reads if re.search(rf"\${name}\b", text)]
    return quote_expression(text, **{name: reads[name]() for name in mentioned})


def _is(item: Operand, variable: str) -> bool:
    return isinstance(item.bound, core.Var) and item.bound.name == variable


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
    total = application.result if _sums_all(application, item) else None
    _to_spread(ctx, item, item.bound.name, value, total)
    return True


def _sums_all(application: Application, item: Operand) -> bool:
    """Whether an operation is the sum of all elements of an array of doubles, in double precision."""
    dtypes = getattr(item.kind, "dtype", None), getattr(application.result_kind, "dtype", None)
    if application.rule.function is not np.sum or dtypes != ("f8", "f8"):
        return False
    others = (parameter for parameter in texts(application.rule).parameters if parameter.name != "a")
    return is_scalar(application.result_kind) and all(
        application.operands[parameter.name].bound == core.Const(parameter.default)
        for parameter in others
        if parameter.name != "axis"
    )


def _to_spread(
    ctx: Context,
    item: Operand,
    variable: str,
    value: gast.expr,
    total: Callable[[], gast.expr] | None = None,
) -> None:
    kind = item.kind
    assert isinstance(kind, Array)
    current = ctx.bars.get(variable)
    target = ctx.bar_name(variable)
    if isinstance(current, Bar) and not current.maybe:
        contribute(ctx, variable, kind, value, owned=False)
    elif current is None and variable not in ctx.spread:
        assign(ctx, target, value)
        full, owned = _full(ctx, kind, item, target)
        ctx.spread[variable] = Spread(target, full, owned, total)
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
    find = EXTREMES.get(getattr(getattr(tree.args[1], "func", None), "id", ""))
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
