"""`while True: if not c: break; ...` is written `while c: ...`."""

from __future__ import annotations

from zygpy.ir.nodes import gast, quote_expression
from zygpy.simplify.trees import Node, changed


def with_test(loop: Node) -> Node:
    """An endless loop that begins with its only test as a loop with that test.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> import ast
    >>> text = "while True:\\n    if not x < y:\\n        break\\n    x += 1"
    >>> print(ast.unparse(to_python_ast(with_test(quote(text)[0]))))
    while x < y:
        x += 1
    """
    first = loop.body[0]
    endless = isinstance(loop.test, gast.Constant) and loop.test.value is True
    if not (endless and isinstance(first, gast.If) and not first.orelse):
        return loop
    if len(first.body) != 1 or not isinstance(first.body[0], gast.Break):
        return loop
    return changed(loop, test=_opposite(first.test), body=loop.body[1:] or [gast.Pass()])


def _opposite(test: Node) -> Node:
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return quote_expression("not $t", t=test)
