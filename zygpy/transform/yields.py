"""`yield`: the forward and the adjoint of a generator function are generators too.

Where the forward gives an item and takes what is sent in, the adjoint, which runs from the last `yield` to
the first, gives the cotangent of what was sent in and takes that of the item.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast, name, quote
from zygpy.transform.calls import takes_part
from zygpy.transform.context import Bar, Context, add, cotangent_expression, settle, take
from zygpy.transform.stash import primal_atom


def suspend(ctx: Context, target: str, op: core.Yield, loc: core.Loc) -> None:
    """`target = (what is sent in, None)`, or `(None, what is thrown in)`."""
    error = ctx.names.fresh("error")
    value = primal_atom(op.value)
    body = quote("$y = ((yield $v), None)", ctx.place, y=target, v=value)
    caught = quote("$y = (None, $error)", ctx.place, y=target, error=error)
    bound: Any = name(error, gast.Store)  # gast has a node where Python has a string
    handler = gast.ExceptHandler(name(ctx.builtin("BaseException")), bound, caught)
    node = gast.Try(body, [handler], [], [])
    node.lineno, node.col_offset = loc.line, loc.column
    ctx.code.append(node)


def resume(ctx: Context, statement: core.Assign, op: core.Yield) -> None:
    """Give the cotangent of what was sent in, take that of the item."""
    cotangent = take(ctx, statement.target)
    if cotangent is not None:
        ctx.bars[statement.target] = cotangent
        cotangent = settle(ctx, statement.target)
        del ctx.bars[statement.target]
    value = ctx.facts.value(statement, op.value)
    item = ctx.names.fresh("item_bar") if takes_part(ctx, value) else "_"
    ctx.emit("$item = yield $sent", item=item, sent=cotangent_expression(cotangent))
    if item != "_":
        add(ctx, op.value, value, Bar(item, False, True))
