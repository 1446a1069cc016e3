"""Arithmetic of arrays in memory that nobody reads any more, in functions whose failures are not final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from zygpy.ir.names import Names
from zygpy.ir.nodes import gast, name, names_in, nodes, quote
from zygpy.simplify.trees import Block, Node, assigned_name, changed, replace_names, times_bound
from zygpy.tangent.known import Known
from zygpy.tangent.shapes import NUMBER, Shapes

OPERATORS: dict[type[gast.operator], tuple[str, Any]] = {
    gast.Add: ("add", np.add),
    gast.Sub: ("subtract", np.subtract),
    gast.Mult: ("multiply", np.multiply),
}


def in_place(function: Node, known: Known, shapes: Shapes, cell: Callable[[str, Any], str]) -> Node:
    """The function with array arithmetic in statements of their own, written to the memory of operands that
    were made by such, and to the parts of zeros that they are stored in.

    Requires: it consists of quiet statements, and another function is run where it raises anything; `shapes`
    are about doubles alone; `cell` gives a name to what the text refers to. Ensures: an array is written to
    only if it was made here by arithmetic, has one name and no parts, is not handed on, and is not read
    afterwards.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> text = "c = a - 2.0 * (a * b); d = np.zeros(s); d[1:] = 3.0 * (a - c); return (d,)"
    >>> function = quote("def f(a, b, s):\\n    $body", body=quote(text))[0]
    >>> shapes = Shapes(function, {"a": 1}, frozenset(), frozenset(), {"b": "a"})
    >>> known = Known.of(function, frozenset("abc"))
    >>> print(ast.unparse(to_python_ast(in_place(function, known, shapes, lambda wish, value: wish))))
    def f(a, b, s):
        t_2 = a * b
        t_2 += t_2
        subtract(a, t_2, t_2)
        d = np.zeros(s)
        subtract(a, t_2, t_2)
        multiply(3.0, t_2, d[1:])
        return (d,)
    """
    return changed(function, body=_InPlace(function, known, shapes, cell).block())


class _InPlace:
    """What was done so far; how often each value is read from here on; in which variable's memory it is."""

    def __init__(self, function: Node, known: Known, shapes: Shapes, cell: Callable[[str, Any], str]) -> None:
        self.function, self.known, self.shapes, self.cell = function, known, shapes, cell
        self.names = Names(names_in(function))
        self.own = _alone(function, self._is_new)
        self.left = Counter(node.id for node in nodes(function.body) if _is_read(node))
        self.where: dict[str, Node] = {}
        self.done: Block = []

    def block(self) -> Block:
        for statement in self.function.body:
            self._statement(statement)
        return self.done

    def _statement(self, statement: Node) -> None:
        target, array = assigned_name(statement), self.known.stored(statement)
        if target is not None and target in self.own:
            self._named(target, statement.value)
        elif array is not None:
            self._stored(statement, array)
        else:
            self._add(replace_names(statement, self.where.get))
            self._read(statement)

    def _stored(self, statement: Node, array: str) -> None:
        """A statement that stores doubles in a part of an array of zeros, or adds them to that."""
        value = statement.value
        if isinstance(statement, gast.AugAssign):
            part = self.names.fresh(array)
            value = self._plain(value)
            target = changed(statement.target, ctx=gast.Load())
            self._add(gast.Assign([name(part, gast.Store)], target, None))
            self._add(gast.AugAssign(name(part, gast.Store), statement.op, value))
        elif self._is_new(value) and type(value.op) in OPERATORS:
            value = self._plain(value)
            self._call(value.op, value.left, value.right, changed(statement.targets[0], ctx=gast.Load()))
        else:
            self._add(changed(statement, value=self._plain(value)))

    def _plain(self, value: Node) -> Node:
        """A value as one operation on what was computed before."""
        if not self._is_new(value):
            self._read(value)
            return replace_names(value, self.where.get)
        left, right = self._operand(value.left), self._operand(value.right)
        self._read(left, right)
        a, b = (replace_names(side, self.where.get) for side in (left, right))
        return _doubled(changed(value, left=a, right=b))

    def _operand(self, node: Node) -> Node:
        """An operand, of which arithmetic is done in statements before."""
        if not self._is_new(node):
            return node
        target = self.names.temporary()
        self.own.add(target)
        self.left[target] = 1
        self._named(target, node)
        return name(target)

    def _named(self, target: str, value: Node) -> None:
        """Compute a value of this name, in the memory of an operand where that can be."""
        left, right = self._operand(value.left), self._operand(value.right)
        ended = [self._ends(side, other) for side, other in ((left, right), (right, left))]
        self._read(left, right)
        a, b = (replace_names(side, self.where.get) for side in (left, right))
        made = _doubled(changed(value, left=a, right=b))
        if type(value.op) not in OPERATORS or not any(ended):
            self._add(gast.Assign([name(target, gast.Store)], made, None))
            return
        self.where[target] = owner = a if ended[0] else b
        if ended[0] or not isinstance(value.op, gast.Sub):
            other = made.left if made.left is not owner else made.right
            self._add(gast.AugAssign(changed(owner, ctx=gast.Store()), made.op, other))
        else:
            self._call(value.op, a, b, b)

    def _ends(self, side: Node, other: Node) -> bool:
        """Whether an operand is an array of our own that is read here for the last time."""
        if not isinstance(side, gast.Name) or side.id not in self.own or self.left[side.id] != 1:
            return False
        return side.id not in names_in(other)

    def _call(self, op: Any, *args: Node) -> None:
        wish, function = OPERATORS[type(op)]
        a, b, target = args
        made = quote("$f($a, $b, $target)", f=self.cell(wish, function), a=a, b=b, target=target)
        self.done += made

    def _add(self, statement: Node) -> None:
        self.done.append(statement)

    def _read(self, *found: Node) -> None:
        for node in found:
            self.left.subtract(names_in(node))

    def _is_new(self, node: Node) -> bool:
        """Whether an expression is arithmetic that gives a new array of doubles with one axis or more."""
        if not isinstance(node, gast.BinOp) or not self._is_double(node):
            return False
        shape = self.shapes.of(node)
        return shape is not None and shape != NUMBER and shape[2] >= 1

    def _is_double(self, node: Node) -> bool:
        match node:
            case gast.BinOp(op=gast.Pow(), left=left, right=gast.Constant(value=int())):
                return self._is_double(left)
            case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult(), left=left, right=right):
                return self._is_double(left) and self._is_double(right)
        return self.known.is_real(node)


def _doubled(value: Node) -> Node:
    """A product with 2.0 as the sum that takes less time."""
    match value:
        case gast.BinOp(left=gast.Constant(value=2.0), op=gast.Mult(), right=gast.Name() as other):
            return changed(value, left=other, op=gast.Add(), right=changed(other, ctx=gast.Load()))
    return value


def _is_read(node: Node) -> bool:
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)


def _is_copied(node: Node) -> bool:
    """Whether a statement stores the value of a variable in a part of something."""
    stores = isinstance(node, gast.AugAssign | gast.Assign) and assigned_name(node) is None
    return stores and isinstance(node.value, gast.Name)


def _alone(function: Node, is_new: Callable[[Node], bool]) -> set[str]:
    """The variables that hold a new array and are read as operands of arithmetic alone, or to be copied."""
    bound = times_bound(function)
    made = {
        assigned_name(statement)
        for statement in function.body
        if isinstance(statement, gast.Assign) and is_new(statement.value)
    }
    mentions, good = Counter(names_in(function)), Counter[str]()
    for node in nodes(function.body):
        if isinstance(node, gast.BinOp):
            good.update(side.id for side in (node.left, node.right) if isinstance(side, gast.Name))
        elif _is_copied(node):
            good[node.value.id] += 1
    return {
        found
        for found in made
        if found is not None and bound[found] == 1 and mentions[found] == 1 + good[found]
    }
