"""Tangents of cotangents without guards against a zero beside an infinity, for results that are looked at:
where all entries are finite, there was none."""

from __future__ import annotations

from zygpy.ir.nodes import constant, gast, names_in, nodes
from zygpy.simplify.purity import path_of
from zygpy.simplify.trees import Node, assigned_name, changed
from zygpy.tangent.known import Known


def without_guards(function: Node, real: frozenset[str]) -> Node | None:
    """The function with products in place of `power_base(g, x, 2)`; None where there is no such call, where a
    nan that comes up in one may be lost on its way to the result, or where anything is done twice if the
    function is run once more. `real` are the variables that never hold anything but arrays of doubles.

    Ensures: it writes to nothing but zeros that it has made.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> function = quote("def f(a, b):\\n    c = power_base(a, b, 2)\\n    d = c + a\\n    return (d,)")[0]
    >>> print(ast.unparse(to_python_ast(without_guards(function, frozenset("abcd")))))
    def f(a, b):
        c = 2.0 * (a * b)
        d = c + a
        return (d,)
    """
    known = Known.of(function, real)
    *body, last = function.body
    if not (isinstance(last, gast.Return) and all(map(_is_handed_on, nodes(last.value)))):
        return None
    doubtful: set[str] = set()
    made: list[Node] = []
    for statement in body:
        if not known.is_quiet(statement):
            return None
        value = _without(statement.value, known)
        if value is not statement.value or not doubtful.isdisjoint(names_in(statement.value)):
            if not known.is_real(value):
                return None
            name = assigned_name(statement)
            doubtful |= set() if name is None else {name}
        made.append(changed(statement, value=value) if value is not statement.value else statement)
    same = all(new is old for new, old in zip(made, body, strict=True))
    return None if same else changed(function, body=[*made, last])


def _is_handed_on(node: Node) -> bool:
    """Whether a node of what is returned is a variable, None, or a tuple of such."""
    plain = isinstance(node, gast.Constant) and node.value is None
    return plain or isinstance(node, gast.Name | gast.Tuple | gast.expr_context)


def _without(node: Node, known: Known) -> Node:
    """The expression with products in place of such calls."""
    if isinstance(node, gast.BinOp):
        left, right = _without(node.left, known), _without(node.right, known)
        same = left is node.left and right is node.right
        return node if same else changed(node, left=left, right=right)
    if isinstance(node, gast.UnaryOp):
        operand = _without(node.operand, known)
        return node if operand is node.operand else changed(node, operand=operand)
    if isinstance(node, gast.Call) and path_of(node.func) == ("power_base",) and known.is_real(node):
        match node.args:
            case [g, x, gast.Constant(value=2)]:
                return gast.BinOp(constant(2.0), gast.Mult(), gast.BinOp(g, gast.Mult(), x))
    return node
