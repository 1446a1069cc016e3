"""Branches that only choose a value, as `and`, `or` and `a if c else b`; tests without `bool(...)`."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast
from zygpy.simplify.trees import Block, Node, assigned_name, changed


def truth_operand(node: Node) -> Node | None:
    """What `bool(x)` asks for its truth, else None.

    >>> from zygpy.ir.nodes import quote_expression
    >>> truth_operand(quote_expression("bool(x)")).id, truth_operand(quote_expression("f(x)"))
    ('x', None)
    """
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "bool"):
        return None
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], gast.Starred):
        return None
    return node.args[0]


def as_test(node: Node) -> Node:
    """The condition without the `bool(...)` around it and around the operands of `and` and `or`.

    Requires: each such call takes the truth of a value, in a place that asks for a truth.

    >>> from zygpy.ir.nodes import quote_expression, to_python_ast
    >>> import ast
    >>> ast.unparse(to_python_ast(as_test(quote_expression("not (bool(x) and bool(bool(y)))"))))
    'not (x and bool(y))'
    """
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return changed(node, operand=as_test(node.operand))
    if isinstance(node, gast.BoolOp):
        return changed(node, values=[as_test(value) for value in node.values])
    if isinstance(node, gast.IfExp):
        return changed(node, body=as_test(node.body), orelse=as_test(node.orelse))
    inner = truth_operand(node)
    return node if inner is None else inner


def tested_name(test: Node) -> tuple[str, bool] | None:
    """For the tests `t` and `not t`: the name and whether it is asked for as it is.

    >>> from zygpy.ir.nodes import quote_expression
    >>> tested_name(quote_expression("not t")), tested_name(quote_expression("t > 0"))
    (('t', False), None)
    """
    if (
        isinstance(test, gast.UnaryOp)
        and isinstance(test.op, gast.Not)
        and isinstance(test.operand, gast.Name)
    ):
        return test.operand.id, False
    return (test.id, True) if isinstance(test, gast.Name) else None


def only_value(block: Block, name: str | None = None) -> Node | None:
    """The value that a block assigns to a name if it does nothing else."""
    if len(block) != 1 or assigned_name(block[0]) is None:
        return None
    return block[0].value if name in (None, assigned_name(block[0])) else None


def joined(op: type, left: Node, right: Node) -> Node:
    """`left and right` (or `or`), written flat: `(a and b) and c` is `a and b and c`.

    >>> from zygpy.ir.nodes import quote_expression, to_python_ast
    >>> import ast
    >>> nested = joined(gast.And, quote_expression("a"), quote_expression("b and c"))
    >>> ast.unparse(to_python_ast(nested)), len(nested.values)
    ('a and b and c', 3)
    """
    values: list[Any] = []
    for side in (left, right):
        same = isinstance(side, gast.BoolOp) and isinstance(side.op, op)
        values += side.values if same else [side]
    return gast.BoolOp(op(), values)


def choice(branch: Node, body: Node, orelse: Node) -> Node:
    """`if c: t = a` with `else: t = b` as the value of t.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> import ast
    >>> (branch,) = quote("if not c:\\n    t = a\\nelse:\\n    t = b")
    >>> ast.unparse(to_python_ast(choice(branch, branch.body[0].value, branch.orelse[0].value)))
    'a if not c else b'
    """
    found = tested_name(branch.test)
    if found is not None:
        name, straight = found
        taken, other = (body, orelse) if straight else (orelse, body)
        if isinstance(other, gast.Name) and other.id == name:
            return joined(gast.And, other, taken)
        if isinstance(taken, gast.Name) and taken.id == name:
            return joined(gast.Or, taken, other)
    return gast.IfExp(branch.test, body, orelse)
