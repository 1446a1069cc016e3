"""Loops over a tape do not count their iterations for nobody."""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import gast
from zygpy.simplify.stashes import name_of
from zygpy.simplify.trees import Block, Node, changed, map_blocks


def without_unread_counts(block: Block) -> Block:
    """The block with `for t in reversed(tape)` for `for _, t in zip(reversed(range(n)), reversed(tape))`.

    Requires: a tape has an entry for each number of the range that it is walked with; nothing reads `_`.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> import ast
    >>> loop = quote("for _, (a, b) in zip(reversed(range(n)), reversed(tape)): x += a * b")
    >>> print(ast.unparse(to_python_ast(without_unread_counts(loop)[0])))
    for a, b in reversed(tape):
        x += a * b
    """
    return [_with_tape_alone(map_blocks(statement, without_unread_counts)) for statement in block]


def _with_tape_alone(loop: Node) -> Node:
    if not (isinstance(loop, gast.For) and isinstance(loop.target, gast.Tuple)):
        return loop
    counted = [_reversed(arg) for arg in _arguments(loop.iter, "zip")]
    if len(counted) != 2 or len(loop.target.elts) != 2 or name_of(loop.target.elts[0]) != "_":
        return loop
    if not _arguments(counted[0], "range") or name_of(counted[1]) is None:
        return loop
    return changed(loop, target=loop.target.elts[1], iter=_arguments(loop.iter, "zip")[1])


def _reversed(node: Any) -> Any:
    given = _arguments(node, "reversed")
    return given[0] if len(given) == 1 else None


def _arguments(node: Any, function: str) -> list[Any]:
    """The arguments of a call of a function of this name; none of anything else."""
    called = isinstance(node, gast.Call) and name_of(node.func) == function and not node.keywords
    return list(node.args) if called else []
