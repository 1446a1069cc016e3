"""What the helpers of contribution texts come to where kinds are known: bare expressions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from zygpy.ir.nodes import children, from_python_ast, gast
from zygpy.rules.declare import Rule
from zygpy.rules.texts import MEASUREMENTS, texts
from zygpy.transform.helper_calls import Form, HelperCall
from zygpy.transform.scalar_forms import SCALAR_FORMS

_LEFT = {(1, 1): "_0 * _1", (2, 1): "_0[:, None] * _1", (1, 2): "_1 @ _0", (2, 2): "_0 @ _1.T"}
_RIGHT = {(1, 1): "_0 * _1", (2, 1): "_0 @ _1", (1, 2): "_1[:, None] * _0", (2, 2): "_1.T @ _0"}


def _product_left(call: HelperCall) -> str | None:
    """`matmul_left(y_bar, conj(b), shape(a))`."""
    return _LEFT.get((call.rank(2) or 0, call.rank(1) or 0))


def _product_right(call: HelperCall) -> str | None:
    """`matmul_right(y_bar, conj(a), shape(b))`."""
    return _RIGHT.get((call.rank(1) or 0, call.rank(2) or 0))


def spread(call: HelperCall) -> str | None:
    """`unreduce(y_bar, shape(a), axis, keepdims, dtype)` as something that broadcasts to the shape."""
    rank, axis = call.rank(1), call.literal(2, None)
    if not rank or call.literal(4, None) is not None or call.literal(5, True) is not True:
        return None
    keepdims = call.literal(3, False)
    if keepdims is True or (keepdims is False and (axis is None or (type(axis) is int and rank == 1))):
        return "_0"
    if keepdims is not False or type(axis) is not int:
        return None
    position = axis % rank
    return "_0" if position == 0 else f"_0[{':, ' * position}None]"


FORMS: Mapping[str, Form] = {
    "matmul_left": _product_left,
    "matmul_right": _product_right,
    "dot_left": _product_left,
    "dot_right": _product_right,
    **SCALAR_FORMS,
}
"""Helpers by name: the text of the bare form, with the arguments as _0, _1, ..., or None."""


def bare(name: str, call: HelperCall) -> Any | None:
    """The tree that stands for a call of a helper, or None where the helper has to do it."""
    form = FORMS.get(name)
    text = None if form is None else form(call)
    return None if text is None else substituted(text, call.args)


def substituted(text: str, args: tuple[Any, ...]) -> Any:
    """The tree of a text, with the arguments put in."""
    return _put_in(_parsed(text), args)


@cache
def _parsed(text: str) -> gast.expr:
    return cast(gast.expr, from_python_ast(ast.parse(text, mode="eval").body))


def _put_in(tree: Any, args: tuple[Any, ...]) -> Any:
    if isinstance(tree, gast.Name):
        return _argument(tree.id, args) if tree.id.startswith("_") else tree
    if not isinstance(tree, gast.AST):
        return [_put_in(item, args) for item in tree] if isinstance(tree, list) else tree
    return type(tree)(**{field: _put_in(value, args) for field, value in gast.iter_fields(tree)})


def _argument(placeholder: str, args: tuple[Any, ...]) -> Any:
    """`_1` is the argument at position 1, `_1_0` the first argument of the call that stands there."""
    position, *inner = map(int, placeholder[1:].split("_"))
    return args[position].args[inner[0]] if inner else args[position]


def mentions_beside(tree: Any, names: frozenset[str]) -> bool:
    """Whether an expression holds one of these variables themselves, not just a measurement of it."""
    if isinstance(tree, gast.Name):
        return tree.id in names
    if isinstance(tree, gast.Call) and isinstance(tree.func, gast.Name) and tree.func.id in MEASUREMENTS:
        return False
    return any(mentions_beside(child, names) for child in children(tree))


def passes_on(tree: Any) -> bool:
    """Whether a contribution is the incoming cotangent or its negative."""
    inner = tree.operand if isinstance(tree, gast.UnaryOp) else tree
    return isinstance(inner, gast.Name)


@cache
def tree_of(rule: Rule, parameter: str) -> gast.expr:
    """The text of what a parameter gets, as a tree."""
    return cast(gast.expr, from_python_ast(texts(rule).bars[parameter]))
