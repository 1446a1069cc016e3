"""Which line of the user's file a piece of generated code is from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zygpy.ir.nodes.build import gast


def stamp(function: gast.FunctionDef) -> None:
    """Give every expression the line of its statement, so that it keeps it wherever it is moved.

    A statement without a line belongs to that of the statement before it.
    """
    line: int | None = None
    for statement in _statements(function.body):
        line = getattr(statement, "lineno", None) or line
        if line is not None:
            for part in _own_expressions(statement):
                part.lineno = line


def _statements(body: Iterable[gast.stmt]) -> Iterator[gast.stmt]:
    for statement in body:
        yield statement
        for inner in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, inner, ()))


def _own_expressions(statement: gast.stmt) -> Iterator[gast.expr]:
    parts = [part for part in gast.iter_child_nodes(statement) if isinstance(part, gast.expr)]
    for part in parts:
        yield from (node for node in gast.walk(part) if isinstance(node, gast.expr))
