"""Which line of the user's file a piece of generated code is from."""

from __future__ import annotations

from typing import Any, cast

from zygpy.ir.nodes.build import copied, gast

LEAVES = (gast.Name, gast.Constant)
"""Expressions that cannot fail where the variable has a value; they need no line."""


def stamped(function: gast.FunctionDef) -> gast.FunctionDef:
    """The function with every expression on the line of its statement, so that simplification can
    move it and it keeps its line.

    A statement without a line belongs to that of the statement before it.
    """
    body, _ = _block(function.body, None)
    return cast(gast.FunctionDef, copied(function, {"body": body}))


def _block(block: list[gast.stmt], line: int | None) -> tuple[list[gast.stmt], int | None]:
    result = []
    for statement in block:
        line = getattr(statement, "lineno", None) or line
        changes: dict[str, Any] = {}
        for name, value in gast.iter_fields(statement):
            if isinstance(value, gast.expr):
                changes[name] = _expression(value, line)
            elif name in ("body", "orelse"):
                changes[name], line = _block(value, line)
        result.append(copied(statement, changes))
    return result, line


def _expression(node: Any, line: int | None) -> Any:
    if isinstance(node, list):
        return [_expression(item, line) for item in node]
    if not isinstance(node, gast.expr | gast.keyword) or isinstance(node, LEAVES) or line is None:
        return node
    own = node.__dict__
    changes = {field: _expression(own[field], line) for field in node._fields if field in own}
    return copied(node, {**changes, "lineno": line})
