"""Private names: inside a class, `__x` means `_Class__x`, wherever it is written."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast
from zygpy.normalise.trees import changed, rewrite

FIELDS = ("id", "attr", "arg", "name", "asname", "rest", "names", "kwd_attrs")


def mangle(tree: Any, class_name: str | None) -> Any:
    """The function with its private names spelled out.

    Requires: `class_name` is the class whose text the function is in, or None.
    Ensures: no name of the form `__x` is left that Python would mangle.

    >>> tree = gast.parse("def f(self): return self.__x + self.__len__()").body[0]
    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> print(ast.unparse(to_python_ast(mangle(tree, "_Box"))))
    def f(self):
        return self._Box__x + self.__len__()
    """
    prefix = "_" + (class_name or "").lstrip("_")
    if prefix == "_":
        return tree
    return rewrite(tree, lambda node: _mangle_node(node, prefix), everywhere=True)


def _mangle_node(node: gast.AST, prefix: str) -> gast.AST | None:
    fields = {field: value for field, value in gast.iter_fields(node) if field in FIELDS}
    mangled = {field: _mangle_field(value, prefix) for field, value in fields.items()}
    return changed(node, **mangled) if mangled != fields else None


def _mangle_field(value: Any, prefix: str) -> Any:
    if isinstance(value, list):
        return [_mangle_field(item, prefix) for item in value]
    private = isinstance(value, str) and value.startswith("__") and not value.endswith("__")
    return prefix + value if private and "." not in value else value
