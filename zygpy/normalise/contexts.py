"""`with` over several context managers: one `with` for each."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast
from zygpy.normalise.trees import changed, rewrite


def split_contexts(tree: Any) -> Any:
    """The function with one context manager for each `with`.

    Ensures: every `With` has exactly one item.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse("def f():\\n    with a as x, b: pass").body[0]
    >>> print(ast.unparse(to_python_ast(split_contexts(tree))))
    def f():
        with a as x:
            with b:
                pass
    """
    return rewrite(tree, _split)


def _split(node: gast.AST) -> gast.AST | None:
    if not isinstance(node, gast.With) or len(node.items) == 1:
        return None
    inner = changed(node, items=node.items[1:])
    outer: gast.AST = changed(node, items=node.items[:1], body=[inner])
    return outer
