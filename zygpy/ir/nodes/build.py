"""Between text, gast and the standard `ast`, and the builders of single nodes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    import ast as gast
else:
    import gast

__all__ = [
    "FUNCTIONS",
    "LOCATION",
    "FunctionNode",
    "constant",
    "copied",
    "from_python_ast",
    "gast",
    "made",
    "name",
    "parse_text",
    "place_of",
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
    fields = {"id": identifier, "ctx": context(), "annotation": None, "type_comment": None}
    return cast(gast.Name, made(gast.Name, fields, place_of(at)))


def constant(value: Any, at: gast.AST | None = None) -> gast.Constant:
    """A literal.

    >>> constant(1.5).value
    1.5
    """
    return cast(gast.Constant, made(gast.Constant, {"value": value, "kind": None}, place_of(at)))


def made(kind: Any, *fields: Mapping[str, Any]) -> Any:
    """A node of a class with these fields and attributes; of those of one name the last holds.

    (gast's constructors do the same, and take several times as long.)

    >>> made(gast.Name, {"id": "x"}, {"id": "y", "lineno": 1}).id
    'y'
    """
    node = kind.__new__(kind)
    own = node.__dict__
    for some in fields:
        own.update(some)
    return node


def copied(node: Any, fields: Mapping[str, Any]) -> Any:
    """A copy of a node with other fields, at the same place.

    >>> copied(name("x"), {"id": "y"}).id
    'y'
    """
    return made(type(node), node.__dict__, fields)


def place_of(node: gast.AST | None) -> dict[str, Any]:
    """The location of a node as attributes, to make others with; none if there is no node.

    >>> place_of(gast.parse("x = 1").body[0])["lineno"]
    1
    """
    if node is None:
        return {}
    own = node.__dict__
    return {attribute: own[attribute] for attribute in LOCATION if attribute in own}
