"""Trees written as text with holes: `quote("$y = $f($x)", y="y", f="sin", x=argument)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias, cast

from zygpy.ir.nodes.build import at_place, gast, name, parse_text

Part: TypeAlias = "str | gast.AST | list[gast.stmt]"

PLACEHOLDER = "quoted__"


def quote(text: str, at: gast.AST | None = None, **parts: Part) -> list[gast.stmt]:
    """The statements that `text` spells, each `$name` replaced by the part of that name.

    A part is an expression, a string (an identifier: of a variable, attribute, keyword or function)
    or, where `$name` stands alone as a statement, a list of statements. Nodes of the text take the
    location of `at`.

    >>> import ast
    >>> from zygpy.ir.nodes import constant, to_python_ast
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
    return cast("list[gast.stmt]", _rebuild_list(_template(text).body, _Parts(parts, at)))


def quote_expression(text: str, at: gast.AST | None = None, **parts: str | gast.AST) -> gast.expr:
    """The expression that `text` spells, each `$name` replaced.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> ast.unparse(to_python_ast(quote_expression("$a * 2", a=quote_expression("x + 1"))))
    '(x + 1) * 2'
    """
    statement = _template(f"({text})").body[0]
    if not isinstance(statement, gast.Expr):
        raise ValueError(f"not an expression: {text!r}")
    return cast(gast.expr, _rebuild(statement.value, _Parts(parts, at)))


@lru_cache(maxsize=512)
def _template(text: str) -> gast.Module:
    return parse_text(re.sub(r"\$(?=\w)", PLACEHOLDER, text))


class _Parts:
    """What a quotation is filled with."""

    def __init__(self, parts: Mapping[str, Part], at: gast.AST | None) -> None:
        self.parts = parts
        self.at = at

    def named(self, text: str) -> Part | None:
        """The part for an identifier of the template; None for one that is no placeholder."""
        return self.parts[text.removeprefix(PLACEHOLDER)] if text.startswith(PLACEHOLDER) else None

    def identifier(self, text: str) -> str:
        part = self.named(text)
        if part is None:
            return text
        if not isinstance(part, str):
            raise TypeError(f"${text.removeprefix(PLACEHOLDER)} stands for an identifier")
        return part

    def block(self, node: gast.AST) -> list[gast.stmt] | None:
        """The statements that a placeholder standing alone as a statement is replaced by."""
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Name):
            part = self.named(node.value.id)
            return part if isinstance(part, list) else None
        return None


def _rebuild(node: gast.AST, parts: _Parts) -> gast.AST:
    if isinstance(node, gast.Name) and (part := parts.named(node.id)) is not None:
        return _in_context(part, node, parts.at)
    fields = dict(gast.iter_fields(node))
    if not isinstance(node, gast.Constant):
        fields = {field: _rebuild_field(value, parts) for field, value in fields.items()}
    return cast(gast.AST, at_place(parts.at, type(node)(**fields)))


def _rebuild_field(value: Any, parts: _Parts) -> Any:
    if isinstance(value, gast.AST):
        return _rebuild(value, parts)
    if isinstance(value, list):
        return _rebuild_list(value, parts)
    return parts.identifier(value) if isinstance(value, str) else value


def _rebuild_list(values: list[Any], parts: _Parts) -> list[Any]:
    rebuilt: list[Any] = []
    for value in values:
        block = parts.block(value) if isinstance(value, gast.Expr) else None
        rebuilt.extend([_rebuild_field(value, parts)] if block is None else block)
    return rebuilt


def _in_context(part: Part, where: gast.Name, at: gast.AST | None) -> gast.AST:
    if isinstance(part, str):
        return name(part, type(where.ctx), at)
    if not isinstance(part, gast.expr):
        raise TypeError(f"${where.id.removeprefix(PLACEHOLDER)} stands for an expression")
    return _with_context(part, where.ctx)


def _with_context(node: gast.expr, context: gast.expr_context) -> gast.expr:
    """The expression as a load, store or delete; nodes that differ are copied."""
    if not hasattr(node, "ctx") or type(node.ctx) is type(context):
        return node
    fields = dict(gast.iter_fields(node), ctx=context)
    if isinstance(node, gast.Tuple | gast.List):
        fields["elts"] = [_with_context(item, context) for item in node.elts]
    elif isinstance(node, gast.Starred):
        fields["value"] = _with_context(node.value, context)
    return cast(gast.expr, at_place(node, type(node)(**fields)))
