"""`assert`: a test and a raise of the genuine AssertionError."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast, name, quote
from zygpy.normalise.trees import rewrite


def spell_asserts(tree: Any) -> Any:
    """The function with each `assert` spelled out.

    Ensures: no `Assert` is left; the exception is the name `builtin:AssertionError`.

    >>> tree = gast.parse("def f(x):\\n    assert x, 'no'").body[0]
    >>> statement = spell_asserts(tree).body[0]
    >>> type(statement).__name__, type(statement.test).__name__, statement.body[0].exc.func.id
    ('If', 'UnaryOp', 'builtin:AssertionError')
    """
    return rewrite(tree, _spell)


def _spell(node: gast.AST) -> list[gast.stmt] | None:
    if not isinstance(node, gast.Assert):
        return None
    error = name("builtin:AssertionError", at=node)
    if node.msg is None:
        return quote("if not $test:\n    raise $error", at=node, test=node.test, error=error)
    return quote(
        "if not $test:\n    raise $error($message)", at=node, test=node.test, error=error, message=node.msg
    )
