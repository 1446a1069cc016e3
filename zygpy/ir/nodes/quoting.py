"""Trees written as text with holes: `quote("$y = $f($x)", y="y", f="sin", x=argument)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, cast

from zygpy.ir.nodes.build import copied, gast, made, parse_text, place_of

Part: TypeAlias = "str | gast.AST | list[gast.stmt]"

Parts: TypeAlias = "Mapping[str, Part]"

Place: TypeAlias = "dict[str, Any]"
"""The attributes of a node that say where it is from."""

Maker: TypeAlias = Callable[[Parts, Place], Any]
"""Makes what stands somewhere in a quotation, given the parts, of nodes at a place."""

PLACEHOLDER = "quoted__"


def quote(text: str, at: gast.AST | None = None, **parts: Part) -> list[gast.stmt]:
    """The statements that `text` spells, each `$name` replaced by the part of that name.

    A part is an expression, a string (an identifier: of a variable, attribute, keyword or function)
    or, where `$name` stands alone as a statement, a list of statements. Nodes of the text take the
    location of `at`.

    >>> import ast
    >>> from zygpy.ir.nodes import constant, name, to_python_ast
    >>> def show(statements):
    ...     for statement in statements:
    ...         print(ast.unparse(to_python_ast(statement)))
    >>> show(quote("$y = $f($x.$field)", y="y", f="sin", x=name("x"), field="real"))
    y = sin(x.real)
    >>> show(quote("while $test: $body", test=constant(True), body=quote("x += 1; break")))
    while True:
        x += 1
        break
    """
    return cast("list[gast.stmt]", _block_maker(text)(parts, place_of(at)))


def quote_expression(text: str, at: gast.AST | None = None, **parts: str | gast.AST) -> gast.expr:
    """The expression that `text` spells, each `$name` replaced.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> ast.unparse(to_python_ast(quote_expression("$a * 2", a=quote_expression("x + 1"))))
    '(x + 1) * 2'
    """
    return cast(gast.expr, _expression_maker(text)(parts, place_of(at)))


@lru_cache(maxsize=512)
def _block_maker(text: str) -> Maker:
    return _of_list(_parsed(text).body)


@lru_cache(maxsize=512)
def _expression_maker(text: str) -> Maker:
    statement = _parsed(f"({text})").body[0]
    if not isinstance(statement, gast.Expr):
        raise ValueError(f"not an expression: {text!r}")
    return _of_node(statement.value)


def _parsed(text: str) -> gast.Module:
    return parse_text(re.sub(r"\$(?=\w)", PLACEHOLDER, text))


# ------------------------------------------------------------------------- makers, once for each text


def _hole(text: str) -> str | None:
    """The name of the part that an identifier of the text stands for, if it stands for one."""
    return text.removeprefix(PLACEHOLDER) if text.startswith(PLACEHOLDER) else None


SHARED = (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop, gast.boolop)
"""Nodes without fields and place: one is as good as another."""


def _of_field(value: Any) -> Maker | None:
    """The maker of what stands in a field; None where it is always the same."""
    if isinstance(value, gast.AST):
        return None if isinstance(value, SHARED) else _of_node(value)
    if isinstance(value, list):
        return _of_list(value)
    hole = _hole(value) if isinstance(value, str) else None
    return None if hole is None else lambda parts, here: _identifier(parts, hole)


def _of_node(node: gast.AST) -> Maker:
    hole = _hole(node.id) if isinstance(node, gast.Name) else None
    if hole is not None:
        name, context = hole, cast(gast.Name, node).ctx
        return lambda parts, here: _in_context(parts[name], name, context, here)
    kind, fields = type(node), dict(gast.iter_fields(node))
    makers = {} if kind is gast.Constant else {field: _of_field(value) for field, value in fields.items()}
    holding = [(field, maker) for field, maker in makers.items() if maker is not None]
    if not holding:
        return lambda parts, here: made(kind, fields, here)

    def make(parts: Parts, here: Place) -> Any:
        node = made(kind, fields, here)
        own = node.__dict__
        for field, maker in holding:
            own[field] = maker(parts, here)
        return node

    return make


def _of_list(values: list[Any]) -> Maker:
    entries = [(_block_hole(value), _of_field(value), value) for value in values]
    if len(entries) == 1 and entries[0][0] is None and entries[0][1] is not None:
        only = entries[0][1]
        return lambda parts, here: [only(parts, here)]

    def make(parts: Parts, here: Place) -> list[Any]:
        made: list[Any] = []
        for hole, maker, value in entries:
            part = None if hole is None else parts[hole]
            if isinstance(part, list):
                made += part
            else:
                made.append(value if maker is None else maker(parts, here))
        return made

    return make


def _block_hole(node: Any) -> str | None:
    """The name of the part that a statement of the text may stand for as a whole."""
    alone = isinstance(node, gast.Expr) and isinstance(node.value, gast.Name)
    return _hole(node.value.id) if alone else None


def _identifier(parts: Parts, hole: str) -> str:
    part = parts[hole]
    if not isinstance(part, str):
        raise TypeError(f"${hole} stands for an identifier")
    return part


def _in_context(part: Part, hole: str, context: gast.expr_context, here: Place) -> gast.AST:
    if isinstance(part, str):
        fields = {"id": part, "ctx": context, "annotation": None, "type_comment": None}
        return cast(gast.AST, made(gast.Name, fields, here))
    if not isinstance(part, gast.expr):
        raise TypeError(f"${hole} stands for an expression")
    return part if type(part.__dict__.get("ctx", context)) is type(context) else _with_context(part, context)


def _with_context(node: gast.expr, context: gast.expr_context) -> gast.expr:
    """The expression as a load, store or delete; nodes that differ are copied."""
    if not hasattr(node, "ctx") or type(node.ctx) is type(context):
        return node
    fields: dict[str, Any] = {"ctx": context}
    if isinstance(node, gast.Tuple | gast.List):
        fields["elts"] = [_with_context(item, context) for item in node.elts]
    elif isinstance(node, gast.Starred):
        fields["value"] = _with_context(node.value, context)
    return cast(gast.expr, copied(node, fields))
