"""Tangents that nobody reads are not computed."""

from __future__ import annotations

from collections import Counter

from zygpy.ir.nodes import argument_list, assigned_names, gast, nodes, parameter_name
from zygpy.simplify.purity import Purity
from zygpy.simplify.trees import Block, Node, assigned_name, changed, map_all_blocks


def without_unread(function: Node, names: frozenset[str], numbers: frozenset[str] = frozenset()) -> Node:
    """The function without assignments to variables of these names that are read nowhere else; those that
    hold numbers are read by nobody if all that is done with them is to add to them.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> text = "a_dot = 0.0; b_dot = a_dot * x; c_dot = b_dot; return x"
    >>> function = quote("def f(x):\\n    $body", body=quote(text))[0]
    >>> print(ast.unparse(to_python_ast(without_unread(function, frozenset({"a_dot", "b_dot", "c_dot"})))))
    def f(x):
        return x
    """
    parameters = {parameter_name(parameter) for parameter in argument_list(function.args)}
    purity = Purity(frozenset(parameters | set(assigned_names(function))))
    while True:
        reads = Counter(name for node in nodes(function.body) for name in _read(node, numbers))
        unread = frozenset(name for name in names - parameters if not reads[name])
        body = _kept(function.body, unread, purity)
        new = changed(function, body=body)
        if sum(1 for _ in nodes(new.body)) == sum(1 for _ in nodes(function.body)):
            return new
        function = new


def _read(node: Node, numbers: frozenset[str]) -> list[str]:
    """The names that a node reads by itself; what is added to may be read by another name."""
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        return [] if node.target.id in numbers else [node.target.id]
    return [node.id] if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) else []


def _kept(block: Block, unread: frozenset[str], purity: Purity) -> Block:
    found = [map_all_blocks(statement, lambda inner: _kept(inner, unread, purity)) for statement in block]
    return [statement for statement in found if not _is_idle(statement, unread, purity)] or [gast.Pass()]


def _is_idle(statement: Node, unread: frozenset[str], purity: Purity) -> bool:
    target = statement.target if isinstance(statement, gast.AugAssign) else None
    name = target.id if isinstance(target, gast.Name) else assigned_name(statement)
    return name in unread and (purity.is_pure(statement.value) or _makes_zeros(statement.value))


def _makes_zeros(value: Node) -> bool:
    return (
        isinstance(value, gast.Call)
        and isinstance(value.func, gast.Name)
        and value.func.id.startswith("zero_tangent")
    )
