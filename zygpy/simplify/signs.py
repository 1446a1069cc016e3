"""`a + -b` is written `a - b`, and `a - -b` `a + b`: the same number, also where it is not a number."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast
from zygpy.simplify.trees import Node, changed

OPPOSITE: dict[type, type] = {gast.Add: gast.Sub, gast.Sub: gast.Add}

LINEAR = frozenset({"unbroadcast", "times", "divided", "divisor_cotangent", "power_base", "power_exponent"})
"""Helpers that are linear in their first argument: with that the result changes its sign, but for the signs
of zeros."""


def is_linear(node: Node) -> bool:
    """Whether an expression is a call of a helper that is linear in its first argument."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in LINEAR


def is_negative(node: Node) -> bool:
    """Whether an expression is a minus sign in front of something that is no literal."""
    return (
        isinstance(node, gast.UnaryOp)
        and isinstance(node.op, gast.USub)
        and not isinstance(node.operand, gast.Constant)
    )


def without_sign(node: Node) -> Node | None:
    """The negative of an expression that has a minus sign in front of it or of its first factor.

    >>> from zygpy.ir.nodes import quote_expression, to_python_ast
    >>> import ast
    >>> for text in ("-x", "-x * 2.0 / y", "unbroadcast(-x * y, s)", "power_base(-x, a, 2)", "-2.0 * x"):
    ...     found = without_sign(quote_expression(text))
    ...     print(found and ast.unparse(to_python_ast(found)))
    x
    x * 2.0 / y
    unbroadcast(x * y, s)
    power_base(x, a, 2)
    None
    """
    if is_negative(node):
        operand: Node = node.operand
        return operand
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult | gast.Div):
        left = without_sign(node.left)
        return None if left is None else gast.BinOp(left, node.op, node.right)
    if is_linear(node):
        value = without_sign(node.args[0])
        return None if value is None else changed(node, args=[value, *node.args[1:]])
    return None


def added(left: Node, op: Any, right: Node) -> Node | None:
    """`left + right` or `left - right` as one expression; None for any other operator.

    >>> from zygpy.ir.nodes import quote_expression, to_python_ast
    >>> import ast
    >>> ast.unparse(to_python_ast(added(quote_expression("a + -b"), gast.Add(), quote_expression("-c"))))
    'a - b - c'
    """
    if type(op) not in OPPOSITE:
        return None
    if isinstance(left, gast.BinOp):
        left = added(left.left, left.op, left.right) or left
    positive = without_sign(right)
    if positive is not None:
        return gast.BinOp(left, OPPOSITE[type(op)](), positive)
    return gast.BinOp(left, op, right)


def without_double_sign(statement: Node) -> Node:
    """An assignment or augmented assignment without a sign that its operator can take.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> import ast
    >>> for statement in quote("x += -y; x = a + -b; x[i] += -y * 2.0"):
    ...     print(ast.unparse(to_python_ast(without_double_sign(statement))))
    x -= y
    x = a - b
    x[i] -= y * 2.0
    """
    if isinstance(statement, gast.AugAssign):
        positive = without_sign(statement.value)
        if type(statement.op) in OPPOSITE and positive is not None:
            return changed(statement, op=OPPOSITE[type(statement.op)](), value=positive)
    elif isinstance(statement, gast.Assign) and isinstance(statement.value, gast.BinOp):
        value = added(statement.value.left, statement.value.op, statement.value.right)
        if value is not None:
            return changed(statement, value=value)
    return statement
