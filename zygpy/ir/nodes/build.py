"""Between text, gast and the standard `ast`, and the builders of single nodes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    import ast as gast
else:
    import gast

__all__ = [
    "FUNCTIONS",
    "LOCATION",
    "FunctionNode",
    "at_place",
    "constant",
    "from_python_ast",
    "gast",
    "name",
    "parse_text",
    "to_python_ast",
]

FunctionNode: TypeAlias = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
LOCATION = ("lineno", "col_offset", "end_lineno", "end_col_offset")

_gast: Any = gast


def parse_text(text: str) -> gast.Module:
    """The gast tree of a piece of Python."""
    return cast(gast.Module, _gast.parse(text))


def from_python_ast(tree: ast.AST) -> gast.AST:
    """A standard `ast` tree as gast."""
    return cast(gast.AST, _gast.ast_to_gast(tree))


def to_python_ast(tree: gast.AST) -> ast.AST:
    """A gast tree as the running Python's own `ast`, with any missing location filled in.

    >>> ast.unparse(to_python_ast(parse_text("f(a, *y, k=1)")))
    'f(a, *y, k=1)'
    """
    return ast.fix_missing_locations(cast(ast.AST, _gast.gast_to_ast(tree)))


def name(
    identifier: str, context: type[gast.expr_context] = gast.Load, at: gast.AST | None = None
) -> gast.Name:
    """A `Name` node.

    >>> name("x").id, type(name("x", gast.Store).ctx).__name__
    ('x', 'Store')
    """
    node = _gast.Name(id=identifier, ctx=context(), annotation=None, type_comment=None)
    return cast(gast.Name, at_place(at, node))


def constant(value: Any, at: gast.AST | None = None) -> gast.Constant:
    """A literal.

    >>> constant(1.5).value
    1.5
    """
    return cast(gast.Constant, at_place(at, _gast.Constant(value=value, kind=None)))


def at_place(place: gast.AST | None, node: Any) -> Any:
    """The node itself, made a moment ago, with the location of `place` if there is one."""
    for attribute in LOCATION if place is not None else ():
        if hasattr(place, attribute):
            setattr(node, attribute, getattr(place, attribute))
    return node
