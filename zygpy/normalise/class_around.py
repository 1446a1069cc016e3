"""`super()` in a method that is told the class in whose text it stands: `super(__class__, self)`."""

from __future__ import annotations

from typing import Any

from zygpy.ir.classes import CLASS
from zygpy.ir.nodes import gast, local_names, name, parameter_name
from zygpy.normalise.trees import changed, rewrite


def with_class_given(tree: Any) -> Any:
    """The tree of a method with the arguments that Python finds for `super()`.

    >>> from zygpy.ir.nodes import names_in
    >>> tree = gast.parse("def f(self): return super().g()").body[0]
    >>> names_in(with_class_given(tree).body)
    ['self', '__class__', 'super']
    """
    first = [*tree.args.posonlyargs, *tree.args.args][:1]
    if not first or "super" in local_names(tree):
        return tree
    given = CLASS, parameter_name(first[0])

    def spelled(node: Any) -> Any:
        plain = isinstance(node, gast.Call) and not (node.args or node.keywords)
        if not plain or getattr(node.func, "id", None) != "super":
            return None
        return changed(node, args=[name(each, at=node) for each in given])

    return rewrite(tree, spelled)
