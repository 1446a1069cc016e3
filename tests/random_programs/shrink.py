"""Making a program smaller while something stays true of it."""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

BODIES = ("body", "orelse", "finalbody", "handlers")


@dataclass(frozen=True)
class Edit:
    """One way to make a tree smaller: what takes the place of a child of a node.

    `step` is "drop" or "open" (to what is in the field numbered `choice`) for statements, "operand" or
    "constant" for expressions. `node` counts in the order of `ast.walk`.
    """

    node: int
    field: str
    position: int | None
    step: str
    choice: int = 0


def shrunk(text: str, holds: Callable[[str], bool], seconds: float = 60.0) -> str:
    """The smallest text found in the time for which `holds` is true, as it is of `text`.

    Statements are dropped or replaced by what is in them, and expressions by their operands, as long as
    that goes on.

    >>> shrunk("a = f(1) + 2\\nif a:\\n    b = 3\\n", lambda text: "f(" in text).strip()
    'a = f(1)'
    """
    end, tree, before = time.monotonic() + seconds, ast.parse(text), None
    while before is not tree and time.monotonic() < end:
        before = tree
        for edits in (edits_of_statements, edits_of_expressions):
            tree = once_through(tree, edits, holds, end)
    return ast.unparse(tree) + "\n"


def once_through(
    tree: ast.Module,
    edits: Callable[[ast.Module], Iterator[Edit]],
    holds: Callable[[str], bool],
    end: float,
) -> ast.Module:
    """The tree after every edit was tried; one that succeeds is followed by those that stand there then."""
    position, found = 0, list(edits(tree))
    while position < len(found) and time.monotonic() < end:
        smaller = edited(tree, found[position])
        if smaller is not None and true_of(smaller, holds):
            tree, found = smaller, list(edits(smaller))
        else:
            position += 1
    return tree


def true_of(tree: ast.Module, holds: Callable[[str], bool]) -> bool:
    """Whether a tree is a program of which it is true."""
    text = ast.unparse(tree) + "\n"
    try:
        compile(text, "<smaller>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return holds(text)


def edits_of_statements(tree: ast.Module) -> Iterator[Edit]:
    """Dropping statements, the last first, and opening compound ones."""
    places = [(number, node, field) for number, node in enumerate(ast.walk(tree)) for field in BODIES]
    for number, node, field in places:
        for position in reversed(range(len(listed(node, field)))):
            yield Edit(number, field, position, "drop")
    for number, node, field in places:
        for position, child in enumerate(listed(node, field)):
            for choice in openings(child):
                yield Edit(number, field, position, "open", choice)


def openings(statement: ast.AST) -> list[int]:
    """Which fields of a statement can take its place."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler):
        return []
    return [choice for choice, inner in enumerate(BODIES[:3]) if listed(statement, inner)]


def edits_of_expressions(tree: ast.Module) -> Iterator[Edit]:
    """Expressions replaced by one of their operands, or by a number."""
    for number, node in enumerate(ast.walk(tree)):
        for field, value in ast.iter_fields(node):
            for position, child in enumerate(value if isinstance(value, list) else [value]):
                where = position if isinstance(value, list) else None
                for choice in range(len(operands(child))):
                    yield Edit(number, field, where, "operand", choice)
                if isinstance(child, ast.expr) and operands(child):
                    yield Edit(number, field, where, "constant")


def listed(node: ast.AST, field: str) -> list[ast.AST]:
    """The statements or handlers in a field of a node."""
    value = getattr(node, field, [])
    return value if isinstance(value, list) else []


def operands(node: object) -> list[ast.expr]:
    """The expressions that can stand for the one they are part of."""
    if not isinstance(node, ast.expr) or isinstance(node, ast.Name | ast.Constant):
        return []
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def edited(tree: ast.Module, edit: Edit) -> ast.Module | None:
    """A copy of the tree with the edit made; None where that would change nothing."""
    copied = copy.deepcopy(tree)
    node = list(ast.walk(copied))[edit.node]
    if edit.step in ("operand", "constant"):
        replace_expression(node, edit)
        return copied
    children, position = listed(node, edit.field), edit.position
    assert position is not None
    child = children[position]
    children[position : position + 1] = listed(child, BODIES[edit.choice]) if edit.step == "open" else []
    if not children and edit.field == "body" and not isinstance(node, ast.Module):
        children.append(ast.Pass())
        return None if isinstance(child, ast.Pass) else copied
    return copied


def replace_expression(node: ast.AST, edit: Edit) -> None:
    """Put an operand, or a number, where an expression is."""
    value = getattr(node, edit.field)
    child = value if edit.position is None else value[edit.position]
    new = ast.Constant(0.5) if edit.step == "constant" else operands(child)[edit.choice]
    if edit.position is None:
        setattr(node, edit.field, new)
    else:
        value[edit.position] = new
