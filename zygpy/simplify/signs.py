"""`a + -b` is written `a - b`, and `a - -b` `a + b`: the same number, also where it is not a number."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast
from zygpy.simplify.trees import Node, changed

OPPOSITE: dict[type, type] = {gast.Add: gast.Sub, gast.Sub: gast.Add}


def is_negative(node: Node) -> bool:
    """Whether an expression is a minus sign in front of something that is no literal."""
    return (
        isinstance(node, gast.UnaryOp)
        and isinstance(node.op, gast.USub)
        and not isinstance(node.operand, gast.Constant)
    )


def added(left: Node, op: Any, right: Node) -> Node | None:
    """`left + right` or `left - right` as one expression; None for any other operator.

    >>> from zygpy.ir.nodes import quote_expression, to_python_ast
    >>> import ast
    >>> ast.unparse(to_python_ast(added(quote_expression("a"), gast.Add(), quote_expression("-b"))))
    'a - b'
    """
    if type(op) not in OPPOSITE:
        return None
    if is_negative(right):
        return gast.BinOp(left, OPPOSITE[type(op)](), right.operand)
    return gast.BinOp(left, op, right)


def without_double_sign(statement: Node) -> Node:
    """An assignment or augmented assignment without a sign that its operator can take.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> import ast
    >>> for statement in quote("x += -y; x = a + -b"):
    ...     print(ast.unparse(to_python_ast(without_double_sign(statement))))
    x -= y
    x = a - b
    """
    if isinstance(statement, gast.AugAssign):
        value: Node = statement.value
        if type(statement.op) in OPPOSITE and is_negative(value):
            return changed(statement, op=OPPOSITE[type(statement.op)](), value=value.operand)
    elif isinstance(statement, gast.Assign) and isinstance(statement.value, gast.BinOp):
        value = added(statement.value.left, statement.value.op, statement.value.right)
        if value is not None:
            return changed(statement, value=value)
    return statement
