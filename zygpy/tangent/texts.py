"""Tangents out of the texts of cotangents: where a rule is linear in an argument, and what a contribution is
turned round.

The cotangent of a parameter is `L(y_bar)`, and its tangent contributes the transpose of `L`. Of an
elementwise rule `L` multiplies by `conj(d)`, so that the transpose multiplies by `d`: it is
`conj(L(conj(x_dot)))`.
"""

from __future__ import annotations

import ast
from functools import cache

from zygpy.rules.declare import Rule
from zygpy.rules.texts import MEASUREMENTS, texts


def linear_in(rule: Rule, parameters: tuple[str, ...]) -> str | None:
    """How the result of a rule depends on these parameters, the others being constant: "together" (the same
    function of all tangents at once), "each" (the sum of what it gives with each of the tangents in place of
    its argument), or None where it is not linear.

    >>> import numpy as np
    >>> from zygpy import rules
    >>> from zygpy.rules import declare
    >>> rules.load()
    >>> [linear_in(declare.REGISTRY[f], names) for f, names in (
    ...     (np.sum, ("a",)), (np.matmul, ("a", "b")), (np.cumprod, ("a",)))]
    ['together', 'each', None]
    """
    if rule.tangent:
        return None if rule.tangent == "affine" else rule.tangent
    if rule.style != "whole" or rule.writes:
        return None
    own = [_values(rule, name) for name in parameters]
    if any("y" in found or name in found for name, found in zip(parameters, own, strict=True)):
        return None
    others = [set(rule.bars) - {name} for name in parameters]
    crossing = [bool(found & rest) for found, rest in zip(own, others, strict=True)]
    if all(crossing):
        return "each"
    return "together" if not any(crossing) else None


@cache
def _values(rule: Rule, parameter: str) -> frozenset[str]:
    """The names whose values, not measurements of them alone, a contribution mentions."""
    tree = texts(rule).bars.get(parameter)
    return frozenset() if tree is None else frozenset(_mentioned(tree))


def _mentioned(tree: ast.AST) -> set[str]:
    if isinstance(tree, ast.Name):
        return {tree.id}
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in MEASUREMENTS:
        return set()
    return set().union(*(_mentioned(child) for child in ast.iter_child_nodes(tree)))


@cache
def turned(rule: Rule, parameter: str) -> ast.expr:
    """`conj(L(conj(v)))` as a text on `y_bar`, which stands for the tangent, with as few `conj` as possible.

    >>> import numpy as np
    >>> from zygpy import rules
    >>> from zygpy.rules import declare
    >>> rules.load()
    >>> ast.unparse(turned(declare.REGISTRY[np.sin], "x")), ast.unparse(turned(declare.REGISTRY[np.exp], "x"))
    ('y_bar * np.cos(x)', 'times(y_bar, y)')
    """
    tree = texts(rule).bars[parameter]
    if _is_antilinear(tree):
        return tree
    return _conjugated(tree, frozenset(texts(rule).names()) | {"y"})


def _is_antilinear(tree: ast.expr) -> bool:
    """Whether a contribution is a product with the conjugate of the cotangent: the transpose of that is the
    same product."""
    return _mentioned(tree) >= {"y_bar"} and "y_bar" not in _mentioned(
        _WithoutConjugate().visit(_copied(tree))
    )


class _WithoutConjugate(ast.NodeTransformer):
    """Puts a number in place of `conj(y_bar)`."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="conj"), args=[ast.Name(id="y_bar")]):
                return ast.Constant(1)
        self.generic_visit(node)
        return node


def _copied(tree: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(tree), mode="eval").body


PRODUCTS = frozenset({"times", "divided"})
"""Helpers that give the conjugate of what they give if all arguments are conjugated."""


def _conjugated(tree: ast.expr, variables: frozenset[str]) -> ast.expr:
    match tree:
        case ast.Name(id="y_bar"):
            return tree
        case ast.Call(func=ast.Name(id="conj"), args=[inner]) if not _mentions_seed(inner):
            return inner
        case ast.BinOp(left, (ast.Add() | ast.Sub() | ast.Mult() | ast.Div()) as op, right):
            return ast.BinOp(_conjugated(left, variables), op, _conjugated(right, variables))
        case ast.UnaryOp(op, operand):
            return ast.UnaryOp(op, _conjugated(operand, variables))
        case ast.Call(func=ast.Name(id=helper), args=args) if helper in PRODUCTS:
            return ast.Call(tree.func, [_conjugated(arg, variables) for arg in args], [])
        case ast.Constant(value=value):
            return ast.Constant(value.conjugate()) if isinstance(value, complex) else tree
    if not (_mentioned(tree) & (variables | {"y_bar"})):
        return tree
    return _conj(_Seed().visit(_copied(tree)))


def _mentions_seed(tree: ast.expr) -> bool:
    return "y_bar" in _mentioned(tree)


def _conj(tree: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("conj", ast.Load()), [tree], [])


class _Seed(ast.NodeTransformer):
    """Puts `conj(y_bar)` in place of `y_bar`."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _conj(node) if node.id == "y_bar" else node
