"""Bodies whose exceptions are caught: the tangents in them fail with what they belong to.

Of a statement that fails neither the value nor the tangent is assigned, or stored, so that handlers see both
as they were.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.access import leaves
from zygpy.ir.nodes import gast, quote
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.zeros import let_pass, not_recorded
from zygpy.tangent.state import Tangents
from zygpy.transform.stash import primal_atom


def attempt(t: Tangents, statement: core.Attempt, body: list[gast.stmt]) -> None:
    """A `try` around a body; what becomes of an exception is decided behind it."""
    failure = statement.failure
    if failure is not None and failure in t.paired:
        t.emit("$dot = None", dot=t.dot(failure))  # what it may be made of, nobody may ask it for
    error = t.ctx.names.fresh("error")
    outer, t.ctx.code = t.ctx.code, []
    if failure is None:
        t.emit("$refuse($error)", refuse=t.ctx.cell("not_recorded", not_recorded), error=error)
    else:
        t.emit("$let($error)", let=t.ctx.cell("let_pass", let_pass), error=error)
        t.emit("$failure = $error", failure=failure, error=error)
        if not leaves(statement.body):
            body = [*body, *quote("$failure = None", t.ctx.place, failure=failure)]
    caught, t.ctx.code = t.ctx.code, outer
    bound: Any = name_node(error, gast.Store)  # gast has a node where Python has a string
    handler = gast.ExceptHandler(name_node(t.ctx.builtin("BaseException")), bound, caught)
    _try(t, statement, gast.Try(body or quote("pass"), [handler], [], []))


def handle(t: Tangents, statement: core.Handle, body: list[gast.stmt]) -> None:
    """A handler runs while its exception is being handled, as far as Python can tell."""
    outer, t.ctx.code = t.ctx.code, []
    t.emit("raise $failure", failure=primal_atom(statement.failure))
    raising, t.ctx.code = t.ctx.code, outer
    handler = gast.ExceptHandler(name_node(t.ctx.builtin("BaseException")), None, body or quote("pass"))
    _try(t, statement, gast.Try(raising, [handler], [], []))


def _try(t: Tangents, statement: core.Attempt | core.Handle, node: Any) -> None:
    node.lineno, node.col_offset = statement.loc.line, statement.loc.column
    t.ctx.code.append(node)


def raised(t: Tangents, statement: core.Raise) -> None:
    """`raise`; what is raised is not made of active values, or nobody looks into it."""
    parts = [None if part is None else primal_atom(part) for part in (statement.exception, statement.cause)]
    t.ctx.code.append(gast.Raise(*parts))
