"""Bodies whose exceptions are caught: the tangents in them fail with what they belong to.

Of a statement that fails neither the value nor the tangent is assigned, or stored, so that handlers see both
as they were. An exception that is made of values with tangents brings its partner as an attribute.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.access import leaves
from zygpy.ir.nodes import constant, gast, quote, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.zeros import TANGENT, let_pass, not_recorded
from zygpy.tangent import doors, exceptions, generators, steps
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform.stash import primal_atom


def attempt(t: Tangents, statement: core.Attempt, body: list[gast.stmt]) -> None:
    """A `try` around a body; what becomes of an exception is decided behind it."""
    failure = statement.failure
    error = t.ctx.names.fresh("error")
    outer, t.ctx.code = t.ctx.code, []
    if failure is None:
        t.emit("$refuse($error)", refuse=t.ctx.cell("not_recorded", not_recorded), error=error)
    else:
        t.emit("$let($error)", let=t.ctx.cell("let_pass", let_pass), error=error)
        t.emit("$failure = $error", failure=failure, error=error)
        if failure in t.paired:
            t.emit("$dot = $brought", dot=t.dot(failure), brought=_brought(t, error))
        if not leaves(statement.body):
            none = quote("$failure = None", t.ctx.place, failure=failure)
            if failure in t.paired:
                none += quote("$dot = None", t.ctx.place, dot=t.dot(failure))
            body = [*body, *none]
    caught, t.ctx.code = t.ctx.code, outer
    bound: Any = name_node(error, gast.Store)  # gast has a node where Python has a string
    handler = gast.ExceptHandler(name_node(t.ctx.builtin("BaseException")), bound, caught)
    _try(t, statement, gast.Try(body or quote("pass"), [handler], [], []))


def caught(t: Tangents, statement: core.Assign, op: core.Op) -> None:
    """A call whose exception is a value: `y, None`, or `None, failure`; and the same of the tangents."""
    raises = exceptions.makes_exception(op, t.ctx.facts)
    known = raises or isinstance(op, core.Yield) or doors.is_open(statement, op, t.ctx.facts)
    if t.count or not known:
        raise NotPushed("a call that may fail when it has changed something", statement.loc)
    t.settle()
    value, dot, error = (t.ctx.names.fresh(name) for name in ("value", "value_dot", "error"))
    both, pair = statement.target, t.dot(statement.target) if statement.target in t.paired else t.unused
    outer, t.ctx.code = t.ctx.code, []
    if raises:
        exceptions.exception(t, statement, op, value, dot)
    elif isinstance(op, core.Yield):
        generators.take_in(t, statement, op, value, dot)
    elif steps.is_step(op, t.ctx.facts):
        steps.step(t, statement, op, value, dot)
    else:
        t.emit("$y, $dot = $call", y=value, dot=dot, call=doors.call(t, statement, op))
    t.emit("$both, $pair = ($y, None), ($dot, None)", both=both, pair=pair, y=value, dot=dot)
    body, t.ctx.code = t.ctx.code, []
    t.emit("$let($error)", let=t.ctx.cell("let_pass", let_pass), error=error)
    failed = {"error": error, "brought": _brought(t, error)}
    t.emit("$both, $pair = (None, $error), (None, $brought)", both=both, pair=pair, **failed)
    failing, t.ctx.code = t.ctx.code, outer
    bound: Any = name_node(error, gast.Store)
    handler = gast.ExceptHandler(name_node(t.ctx.builtin("BaseException")), bound, failing)
    _try(t, statement, gast.Try(body, [handler], [], []))
    t.start = len(t.ctx.code)


def _brought(t: Tangents, error: str) -> gast.expr:
    """The partner of an exception, None if it has none."""
    getter = t.ctx.builtin("getattr")
    return quote_expression(
        "$getattr($error, $name, None)", getattr=getter, error=name_node(error), name=constant(TANGENT)
    )


def handle(t: Tangents, statement: core.Handle, body: list[gast.stmt]) -> None:
    """A handler runs while its exception is being handled, as far as Python can tell."""
    outer, t.ctx.code = t.ctx.code, []
    t.emit("raise $failure", failure=primal_atom(statement.failure))
    raising, t.ctx.code = t.ctx.code, outer
    handler = gast.ExceptHandler(name_node(t.ctx.builtin("BaseException")), None, body or quote("pass"))
    _try(t, statement, gast.Try(raising, [handler], [], []))


def _try(t: Tangents, statement: core.Attempt | core.Handle | core.Assign, node: Any) -> None:
    node.lineno, node.col_offset = statement.loc.line, statement.loc.column
    t.ctx.code.append(node)


def raised(t: Tangents, statement: core.Raise) -> None:
    """`raise`: an exception brings its tangent along."""
    parts = [None if part is None else primal_atom(part) for part in (statement.exception, statement.cause)]
    t.ctx.code.append(gast.Raise(*parts))
