"""Which variables of the adjoint hold objects that no other variable can hold."""

from __future__ import annotations

from zygpy.ir.nodes import children, gast
from zygpy.simplify.purity import Purity
from zygpy.simplify.trees import Block, Node, target_names

CONSUMING = (gast.BinOp, gast.UnaryOp, gast.Compare)
"""What makes a new object of its operands."""


def sole_holders(parameters: frozenset[str], body: Block, purity: Purity) -> frozenset[str]:
    """The variables whose objects are theirs alone, so that changing one in place changes no other.

    Ensures: each assignment to such a variable gives a new object, and every mention of it either
    consumes the object (arithmetic, `x[i]` inside arithmetic), changes it in place or returns it.

    >>> from zygpy.ir.nodes import quote
    >>> body = quote("a = b * c; a += b; d = b; e = d[0]; return a, b")
    >>> sorted(sole_holders(frozenset("bc"), body, Purity(frozenset("abcde"))))
    ['a']
    """
    finder = _Finder(purity)
    finder.shared.update(parameters)
    finder.block(body)
    return frozenset(finder.held) - finder.shared


class _Finder:
    """Collects the names that are bound, and those that may share their objects."""

    def __init__(self, purity: Purity) -> None:
        self.purity = purity
        self.held: set[str] = set()
        self.shared: set[str] = set()

    def block(self, block: Block) -> None:
        for statement in block:
            self._statement(statement)
            self.block(getattr(statement, "body", []))
            self.block(getattr(statement, "orelse", []))

    def _statement(self, statement: Node) -> None:
        match statement:
            case gast.Assign():
                self._assign(statement.targets[0], statement.value)
            case gast.AugAssign():
                self.held.update(target_names(statement.target))
                self._inside(statement.target)
                self._consumed(statement.value)
            case gast.For():
                self.shared.update(target_names(statement.target))
                self._leaks(statement.iter)
            case gast.If():
                self._consumed(statement.test)
            case gast.Return():
                self._returned(statement.value)
            case gast.Expr():
                self._call(statement.value)
            case _:
                for child in children(statement):
                    self._leaks(child)

    def _assign(self, target: Node, value: Node) -> None:
        if isinstance(target, gast.Name):
            self.held.add(target.id)
            if not self.purity.is_fresh(value):
                self.shared.add(target.id)
        elif isinstance(target, gast.Subscript | gast.Attribute):
            self._inside(target)
        else:
            self.shared.update(target_names(target))
        self._leaks(value)

    def _returned(self, value: Node) -> None:
        for item in value.elts if isinstance(value, gast.Tuple) else [value]:
            self._consumed(item)

    def _call(self, value: Node) -> None:
        """`add_at(x, i, v)` keeps nothing; other calls may."""
        if isinstance(value, gast.Call) and self.purity.keeps_nothing(value):
            for item in value.args:
                self._consumed(item)
        else:
            self._leaks(value)

    def _leaks(self, node: Node) -> None:
        """Something else may hold the value of this expression."""
        if isinstance(node, gast.Name):
            self.shared.add(node.id)
        elif isinstance(node, CONSUMING) or (isinstance(node, gast.Call) and self.purity.is_fresh(node)):
            self._inside(node)
        else:
            for child in children(node):
                self._leaks(child)

    def _consumed(self, node: Node) -> None:
        """The value of this expression is used up here."""
        if isinstance(node, gast.Name):
            return
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
            self._consumed(node.slice)
        else:
            self._leaks(node)

    def _inside(self, node: Node) -> None:
        for child in children(node):
            self._consumed(child)
