"""An iterator's `__next__` as a function that returns: whether there is an item, and the item."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import constant, gast, nodes, quote
from zygpy.normalise.trees import at, changed, rewrite


def with_endings(tree: Any) -> Any:
    """The function with `raise StopIteration` and its returns spelled out.

    Ensures: what runs before the end of an iteration is part of the program. Where a handler of the
    function's own might catch the end, it stays an exception.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> text = "def __next__(self):\\n    if self.n:\\n        return 2\\n    raise StopIteration"
    >>> print(ast.unparse(to_python_ast(with_endings(gast.parse(text).body[0]))))
    def __next__(self):
        if self.n:
            return (True, 2)
        return (False, None)
        return (True, None)
    """
    if isinstance(tree, gast.Lambda):
        return changed(tree, body=_found(tree.body, tree.body))
    caught = any(isinstance(node, gast.Try | gast.TryStar) and node.handlers for node in nodes(tree))
    body = rewrite(tree, _returning if caught else _ending).body
    return changed(tree, body=[*body, *quote("return True, None", at=tree)])


def _found(place: Any, value: Any) -> Any:
    return at(place, gast.Tuple([constant(True, at=place), value], gast.Load()))


def _ending(node: Any) -> Any:
    if isinstance(node, gast.Raise) and _is_end(node.exc):
        return quote("return False, None", at=node)[0]
    return _returning(node)


def _returning(node: Any) -> Any:
    if isinstance(node, gast.Return):
        value = node.value or constant(None, at=node)
        return changed(node, value=_found(node, value))
    return None


def _is_end(node: Any) -> bool:
    if isinstance(node, gast.Call) and not node.args and not node.keywords:
        node = node.func
    return isinstance(node, gast.Name) and node.id == "StopIteration"
