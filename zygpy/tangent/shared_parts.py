"""Parts of arrays that have a name already, and products with the number 1, in tangents of cotangents."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zygpy.ir.nodes import argument_list, gast, names_in, nodes, parameter_name
from zygpy.ir.nodes import name as name_node
from zygpy.simplify.trees import SCOPES, Block, Node, assigned_name, changed, replace_names, times_bound


def share_parts(function: Node, real: frozenset[str]) -> Node:
    """The function with each part of an array taken once, and no array multiplied by 1.0 that is multiplied,
    or added, to something else; `real` are the variables that never hold anything but arrays of doubles.

    Ensures: nothing is another name of an array that was not one before, but for parts that are not written
    to.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> text = "b = a[1:]; c = a[1:]; d = 1.0 * b * a[1:]; e = 1.0 * d; return c + e"
    >>> function = quote("def f(a):\\n    $body", body=quote(text))[0]
    >>> print(ast.unparse(to_python_ast(share_parts(function, frozenset("abcde")))))
    def f(a):
        b = a[1:]
        d = b * b
        e = 1.0 * d
        return b + e
    """
    shared = _Shared(function, real)
    return changed(function, body=shared.block(function.body))


class _Shared:
    """The names of parts, and the variables in whose place others are read, as far as the block is done."""

    def __init__(self, function: Node, real: frozenset[str]) -> None:
        parameters = [parameter_name(parameter) for parameter in argument_list(function.args)]
        bound = times_bound(function) + Counter(parameters)
        self.real = real
        self.fixed = {name for name in bound if bound[name] == 1}
        self.written = set(parameters) | _written(function)
        self.parts: dict[str, str] = {}
        self.instead: dict[str, Node] = {}

    def block(self, block: Block) -> Block:
        """The statements, which stand one behind the other."""
        done: list[Node] = []
        for statement in block:
            statement = replace_names(statement, self.instead.get)
            if isinstance(statement, gast.Assign | gast.AugAssign | gast.Return) and statement.value:
                statement = changed(statement, value=self._value(statement.value))
            name = assigned_name(statement)
            if name is not None and self._is_other_name(name, statement.value):
                self.instead[name] = statement.value
                continue
            if name is not None and self._is_part(name, statement.value):
                self.parts[gast.dump(statement.value)] = name
            done.append(statement)
        return done

    def _is_other_name(self, name: str, value: Node) -> bool:
        """Whether an assignment gives what has a name already another one, and neither is written to."""
        if not isinstance(value, gast.Name) or {name, value.id} & self.written:
            return False
        return {name, value.id} <= self.fixed & self.real

    def _is_part(self, name: str, value: Node) -> bool:
        """Whether a variable holds a part of an array from now on."""
        if not (isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name)):
            return False
        plain = all(not isinstance(node, gast.Name) for node in nodes(value.slice))
        fixed = {name, value.value.id} <= self.fixed & self.real
        return plain and fixed and name not in self.written

    def _value(self, node: Node, *, inside: bool = False) -> Node:
        """An expression with the names of parts, and without such products inside others."""
        if isinstance(node, gast.Subscript):
            part = self.parts.get(gast.dump(node))
            return node if part is None else name_node(part)
        if isinstance(node, gast.UnaryOp):
            return changed(node, operand=self._value(node.operand, inside=True))
        if isinstance(node, gast.Call):
            return changed(node, args=[self._value(arg) for arg in node.args])
        if not isinstance(node, gast.BinOp):
            return node
        left, right = self._value(node.left, inside=True), self._value(node.right, inside=True)
        if inside and isinstance(node.op, gast.Mult):
            for one, other in ((left, right), (right, left)):
                if _is_one(one) and self._is_array(other):
                    return other
        return changed(node, left=left, right=right)

    def _is_array(self, node: Node) -> bool:
        """Whether an expression surely gives an array of doubles."""
        if isinstance(node, gast.Name):
            return node.id in self.real
        if not isinstance(node, gast.BinOp) or not isinstance(node.op, gast.Add | gast.Sub | gast.Mult):
            return False
        sides = [node.left, node.right]
        numbers = [isinstance(side, gast.Constant) and type(side.value) in (int, float) for side in sides]
        known = [number or self._is_array(side) for side, number in zip(sides, numbers, strict=True)]
        return all(known) and not all(numbers)


def _is_one(node: Node) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) is float and node.value == 1.0


def _written(function: Node) -> set[str]:
    """The variables that are written to in place, returned, or read by functions inside."""
    found: set[str] = set()
    for node in nodes(function.body):
        if isinstance(node, gast.AugAssign):
            found |= set(names_in(node.target))
        elif isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
            found |= set(names_in(node.value))
        elif isinstance(node, SCOPES):  # where nothing is put in its place
            found |= set(names_in(node))
        elif isinstance(node, gast.Return):
            found |= _handed_back(node.value)
    return found


def _handed_back(node: Any) -> set[str]:
    """The variables that are returned themselves."""
    if isinstance(node, gast.Tuple):
        return {name for item in node.elts for name in _handed_back(item)}
    return {node.id} if isinstance(node, gast.Name) else set()
