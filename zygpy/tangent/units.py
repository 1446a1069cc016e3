"""Tangents along all unit vectors at once.

Their product with a matrix is the matrix, and what is added to that with such a direction as a factor is a
diagonal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zygpy.ir.nodes import constant, gast, names_in, quote_expression
from zygpy.runtime.tangents import added_product, through_matrix
from zygpy.simplify.trees import Node, assigned_name, changed, map_blocks
from zygpy.transform.context import Context


def with_diagonals(function: Node, dots: frozenset[str], ctx: Context) -> Node:
    """The function with the products of matrices and directions not copied where they are multiplied, and
    with products that have one of the directions `dots` as a factor added to such by `added_product`."""
    through = _name_of_product(ctx.cells)
    if not through or through not in names_in(function.body):
        return function
    rewriting = _Diagonals(through, dots, ctx)
    return changed(function, body=[rewriting.statement(statement) for statement in function.body])


def _name_of_product(cells: Mapping[str, Any]) -> str:
    return next((name for name, value in cells.items() if value is through_matrix), "")


class _Diagonals:
    """The rewriting of one function."""

    def __init__(self, through: str, dots: frozenset[str], ctx: Context) -> None:
        self.through, self.dots, self.ctx = through, dots, ctx

    def statement(self, node: Node) -> Node:
        """A statement with its values rewritten."""
        if assigned_name(node) is not None:
            return changed(node, value=self.value(node.value))
        return map_blocks(node, lambda block: [self.statement(statement) for statement in block])

    def value(self, node: Any) -> Any:
        """An expression with sums and products rewritten."""
        if not isinstance(node, gast.BinOp):
            return node
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, gast.Mult):
            return gast.BinOp(self._borrowed(left), node.op, self._borrowed(right))
        if isinstance(node.op, gast.Add):
            return self._sum(left, right) or self._sum(right, left) or gast.BinOp(left, node.op, right)
        return gast.BinOp(left, node.op, right)

    def _borrowed(self, node: Any) -> Any:
        """A factor, which need not be copied for that."""
        return changed(node, args=[*node.args, constant(False)]) if self._is_product(node) else node

    def _is_product(self, node: Any) -> bool:
        return (
            isinstance(node, gast.Call)
            and isinstance(node.func, gast.Name)
            and node.func.id == self.through
            and len(node.args) == 2
        )

    def _sum(self, total: Any, product: Any) -> Any | None:
        """The sum of something with the product of a matrix as a factor, and something with a direction."""
        factors = self._factors(product)
        if factors is None or not (_is_multiplied(total) and self.through in names_in(total)):
            return None
        factor, dot = factors
        if not (isinstance(dot, gast.Name) and dot.id in self.dots):
            return None
        return quote_expression(
            "$f($total, $factor, $dot)",
            f=self.ctx.cell("added_product", added_product),
            total=total,
            factor=factor,
            dot=dot,
        )

    def _factors(self, node: Any) -> Any | None:
        """Both factors of a product, a direction last."""
        if not _is_multiplied(node):
            return None
        turned = isinstance(node.left, gast.Name) and node.left.id in self.dots
        return (node.right, node.left) if turned else (node.left, node.right)


def _is_multiplied(node: Any) -> bool:
    """Whether an expression is a product, which is in nobody else's memory."""
    return isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult)
