"""Between text, gast and the standard `ast`, and the builders of single nodes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    import ast as gast
else:
    import gast

__all__ = [
    "FUNCTIONS",
    "LOCATION",
    "FunctionNode",
    "as_python",
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
    tree = ast.parse(text)
    body = [_as_gast(statement) for statement in tree.body]
    return cast(gast.Module, made(gast.Module, {"body": body, "type_ignores": []}))


def from_python_ast(tree: ast.AST) -> gast.AST:
    """A standard `ast` tree as gast."""
    return cast(gast.AST, _as_gast(tree))


def to_python_ast(tree: gast.AST) -> ast.AST:
    """A gast tree as the running Python's own `ast`, with any missing location filled in.

    >>> ast.unparse(to_python_ast(parse_text("f(a, *y, k=1)")))
    'f(a, *y, k=1)'
    """
    return ast.fix_missing_locations(cast(ast.AST, as_python(tree)))


@cache
def _of_python(kind: Any) -> Any:
    """The class of the running Python's nodes that has the name and fields of one of gast's, or None."""
    return _counterpart(kind, ast)


@cache
def _of_gast(kind: Any) -> Any:
    """The class of gast's nodes that has the name and fields of one of the running Python's, or None."""
    return _counterpart(kind, gast)


def _counterpart(kind: Any, module: Any) -> Any:
    found = getattr(module, kind.__name__, None)
    same = found is not None and found._fields == kind._fields
    return found if same and not issubclass(kind, ast.excepthandler) else None


def as_python(node: gast.AST) -> Any:
    """A gast tree as the running Python's own `ast`, as it stands.

    gast's own conversion, which is slow, does what differs between the two: parameters, definitions.

    >>> as_python(name("x"))._fields
    ('id', 'ctx')
    """
    if type(node) is gast.Name:
        context: Any = type(node.ctx)
        return made(ast.Name, {"id": node.id, "ctx": _shared(_of_python(context))}, place_of(node))
    return _converted(node, _IN_PYTHON, as_python, _gast.gast_to_ast)


def _as_gast(node: ast.AST) -> Any:
    """A tree of the running Python's own `ast` as gast."""
    if type(node) is ast.Name:
        context: Any = type(node.ctx)
        fields = {"id": node.id, "ctx": _shared(_of_gast(context)), "annotation": None, "type_comment": None}
        return made(gast.Name, fields, place_of(node))
    return _converted(node, _IN_GAST, _as_gast, _gast.ast_to_gast)


@cache
def _shared(kind: Any) -> Any:
    """The one node of a class without fields and place, as are contexts and operators; of others None."""
    return None if kind is None or kind._fields or kind._attributes else kind()


Conversion: TypeAlias = Callable[[Any], Any]


class _Counterparts(dict[Any, "tuple[Any, Any, frozenset[str]]"]):
    """By class of nodes the other library's class, the one node of that if it has no fields, and the names of
    what its nodes have."""

    __slots__ = ("counterpart",)

    def __init__(self, counterpart: Conversion) -> None:
        super().__init__()
        self.counterpart = counterpart

    def __missing__(self, kind: Any) -> tuple[Any, Any, frozenset[str]]:
        other = self.counterpart(kind)
        kept = frozenset(LOCATION if other is None else (*LOCATION, *other._fields))
        found = self[kind] = (other, _shared(other), kept)
        return found


_IN_PYTHON, _IN_GAST = _Counterparts(_of_python), _Counterparts(_of_gast)

_PLAIN = frozenset({str, int, type(None)})
"""Classes of most of what nodes have beside other nodes."""


def _converted(node: Any, counterparts: _Counterparts, convert: Conversion, otherwise: Conversion) -> Any:
    kind, shared, kept = counterparts[type(node)]
    if kind is None:
        return _otherwise(node, convert, otherwise)
    if shared is not None:
        return shared
    converted = kind.__new__(kind)
    fields = converted.__dict__
    for field, value in node.__dict__.items():
        if type(value) not in _PLAIN:
            if type(value) is list:
                fields[field] = [convert(item) if isinstance(item, ast.AST) else item for item in value]
                continue
            if isinstance(value, ast.AST):
                fields[field] = convert(value)
                continue
        if field in kept:
            fields[field] = value
    return converted


def _otherwise(node: Any, convert: Conversion, otherwise: Conversion) -> Any:
    """What differs, but for the statements inside."""
    body = getattr(node, "body", None)
    if not isinstance(body, list):
        return otherwise(node)
    whole = otherwise(copied(node, {"body": []}))
    whole.body = [convert(statement) for statement in body]
    return whole


def name(
    identifier: str, context: type[gast.expr_context] = gast.Load, at: gast.AST | None = None
) -> gast.Name:
    """A `Name` node.

    >>> name("x").id, type(name("x", gast.Store).ctx).__name__
    ('x', 'Store')
    """
    kind: Any = context
    fields = {"id": identifier, "ctx": _shared(kind), "annotation": None, "type_comment": None}
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
    update = node.__dict__.update
    for some in fields:
        update(some)
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
