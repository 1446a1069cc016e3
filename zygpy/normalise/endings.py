"""An iterator's `__next__` as a function that returns: whether there is an item, and the item."""

from __future__ import annotations

from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import constant, gast, name, nodes, quote
from zygpy.normalise.trees import at, changed, identifiers, rewrite


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
    if not caught and not any(isinstance(node, gast.With) for node in nodes(tree)):
        names, met = Names(identifiers(tree)), list[Any]()
        tree = rewrite(tree, lambda node: _asking(node, names, met))
    body = rewrite(tree, _returning if caught else _ending).body
    return changed(tree, body=[*body, *quote("return True, None", at=tree)])


def _asking(node: Any, names: Names, met: list[Any]) -> Any:
    """A statement that begins with `next(iterator)`, whose end is that of the iteration: that comes first.
    `met` are the calls that were found."""
    if not isinstance(node, gast.Assign | gast.AnnAssign | gast.Return | gast.Expr) or node.value is None:
        return None
    call = _first_call(node.value)
    if call is None or any(call is one for one in met):
        return None
    met.append(call)
    item = names.fresh("item")
    asked = quote(ASKING, at=node, item=item, call=call)
    used = name(item, at=node)
    rest = rewrite(node.value, lambda inner: used if inner is call else None)
    return [*asked, changed(node, value=rest)]


ASKING = """
try:
    $item = $call
except StopIteration:
    raise StopIteration
"""


def _first_call(node: Any) -> Any:
    """The call `next(iterator)` that is evaluated before anything else in an expression; None if there is
    none."""
    while True:
        match node:
            case gast.Call(func=gast.Name(id="next"), args=[_], keywords=[]):
                return node
            case gast.Call(args=[first, *_]) if _is_dotted(node.func):
                node = first
            case gast.BinOp(left=first) | gast.UnaryOp(operand=first) | gast.Compare(left=first):
                node = first
            case gast.Attribute(value=first) | gast.Subscript(value=first):
                node = first
            case gast.Tuple(elts=[first, *_]) | gast.List(elts=[first, *_]):
                node = first
            case _:
                return None


def _is_dotted(node: Any) -> bool:
    """Whether an expression is a name, with attributes of attributes."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


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
