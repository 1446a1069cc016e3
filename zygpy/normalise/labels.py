"""Calls of functions that are told the text of their argument."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from zygpy.ir.nodes import constant, gast, to_python_ast
from zygpy.normalise.trees import at, rewrite

LABEL = "label"
"""The keyword by which the text is given."""


def with_labels(tree: Any, is_labelled: Callable[[Any], bool]) -> Any:
    """The function with the text of the argument as one more in calls of such functions, which `is_labelled`
    tells by the expression that is called.

    >>> text = "def f(x):\\n    return showgrad(x + 1)"
    >>> tree = with_labels(gast.parse(text).body[0], lambda callee: True)
    >>> print(ast.unparse(to_python_ast(tree)))
    def f(x):
        return showgrad(x + 1, label='x + 1')
    """

    def labelled(node: Any) -> Any:
        if not isinstance(node, gast.Call) or len(node.args) != 1 or node.keywords:
            return None
        if isinstance(node.args[0], gast.Starred) or not is_labelled(node.func):
            return None
        text = ast.unparse(to_python_ast(node.args[0]))
        return at(node, gast.Call(node.func, node.args, [gast.keyword(LABEL, constant(text))]))

    return rewrite(tree, labelled, everywhere=True)
