"""Sums of cotangents that are known without summing: of `factor * np.exp(x)`, where `np.sum(np.exp(x))` is.

A softmax and a log-sum-exp take the largest element from all others; its cotangent is such a sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zygpy.ir.nodes import gast, names_in, quote_expression
from zygpy.transform.context import Context, Total, name


def note_total(ctx: Context, factor: str, of_factors: Callable[[], gast.expr]) -> None:
    """What has been emitted last assigns the products of a number and an array whose sum is `of_factors`."""
    last: Any = ctx.code[-1] if ctx.code else None
    value = last.value if isinstance(last, gast.Assign) else None
    if not (isinstance(value, gast.Call) and getattr(value.func, "id", None) == ctx.helper("times")):
        return
    if getattr(value.args[0], "id", None) == factor:
        product = "$times($factor, $total)"
        parts: dict[str, Any] = {"times": ctx.helper("times"), "factor": name(factor)}
        ctx.total = Total(last, lambda: quote_expression(product, total=of_factors(), **parts))


def known_total(ctx: Context, expression: Any) -> gast.expr | None:
    """The sum of a cotangent, or of its negative, if it is known and the cotangent is what it was."""
    if isinstance(expression, gast.UnaryOp) and isinstance(expression.op, gast.USub):
        total = known_total(ctx, expression.operand)
        return None if total is None else quote_expression("-$v", v=total)
    found = ctx.total
    if found is None or not isinstance(expression, gast.Name):
        return None
    targets = [getattr(target, "id", None) for target in found.assigned.targets]
    return found.expression() if targets == [expression.id] and _is_fresh(ctx, found) else None


def _is_fresh(ctx: Context, found: Total) -> bool:
    """Whether nothing has been emitted since, but perhaps one assignment to another variable."""
    if found.assigned in ctx.code[-1:]:
        return True
    last: Any = ctx.code[-1] if ctx.code else None
    if found.assigned not in ctx.code[-2:-1] or not isinstance(last, gast.Assign | gast.AugAssign):
        return False
    targets = last.targets if isinstance(last, gast.Assign) else [last.target]
    used = names_in(found.assigned)
    return all(isinstance(target, gast.Name) and target.id not in used for target in targets)
