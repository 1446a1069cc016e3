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
    """One way to make a tree smaller: what takes the place of a child of a node."""

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
    'f(1)'
    """
    end, tree, again = time.monotonic() + seconds, ast.parse(text), True
    while again:
        again = False
        for edit in list(edits(tree)):
            if time.monotonic() > end:
                return ast.unparse(tree) + "\n"
            smaller = edited(tree, edit)
            if smaller is not None and tried(smaller, holds):
                tree, again = smaller, True
                break_at = edit
                tree = followed(tree, break_at, holds, end)
                break
    return ast.unparse(tree) + "\n"


def followed(tree: ast.Module, edit: Edit, holds: Callable[[str], bool], end: float) -> ast.Module:
    """The tree after more edits, beginning where the last one succeeded."""
    remaining = [other for other in edits(tree) if other.node >= edit.node]
    while remaining and time.monotonic() < end:
        other = remaining.pop(0)
        smaller = edited(tree, other)
        if smaller is not None and tried(smaller, holds):
            tree = smaller
            remaining = [later for later in edits(tree) if later.node >= other.node]
    return tree


def tried(tree: ast.Module, holds: Callable[[str], bool]) -> bool:
    """Whether a tree is a program and holds."""
    text = ast.unparse(tree) + "\n"
    try:
        compile(text, "<smaller>", "exec")
    except (SyntaxError, ValueError):
        return False
    return holds(text)


def edits(tree: ast.Module) -> Iterator[Edit]:
    """Every edit, those of large parts first."""
    nodes = list(ast.walk(tree))
    for number, node in enumerate(nodes):
        for field in BODIES:
            for position in reversed(range(len(listed(node, field)))):
                yield Edit(number, field, position, "drop")
    for number, node in enumerate(nodes):
        for field in BODIES:
            for position, child in enumerate(listed(node, field)):
                for choice, inner in enumerate(BODIES[:3]):
                    if not isinstance(child, ast.FunctionDef | ast.ClassDef) and listed(child, inner):
                        yield Edit(number, field, position, "open", choice)
    for number, node in enumerate(nodes):
        yield from edits_of_expressions(number, node)


def edits_of_expressions(number: int, node: ast.AST) -> Iterator[Edit]:
    """The edits of the expressions right below a node."""
    for field, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for position, child in enumerate(children):
            if isinstance(child, ast.expr):
                where = position if isinstance(value, list) else None
                for choice in range(len(operands(child))):
                    yield Edit(number, field, where, "operand", choice)
                if not isinstance(child, ast.Constant | ast.Name | ast.Starred | ast.Attribute):
                    yield Edit(number, field, where, "constant")


def listed(node: ast.AST, field: str) -> list[ast.AST]:
    """The statements or handlers in a field of a node."""
    value = getattr(node, field, [])
    return value if isinstance(value, list) else []


def operands(node: ast.expr) -> list[ast.expr]:
    """The expressions that can stand for the one they are part of."""
    found = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return [] if isinstance(node, ast.Name | ast.Constant) else found


def edited(tree: ast.Module, edit: Edit) -> ast.Module | None:
    """A copy of the tree with the edit made."""
    copied = copy.deepcopy(tree)
    node = list(ast.walk(copied))[edit.node]
    if edit.step in ("operand", "constant"):
        return copied if replace_expression(node, edit) else None
    children, position = listed(node, edit.field), edit.position
    assert position is not None
    child = children[position]
    if edit.step == "open":
        children[position : position + 1] = listed(child, BODIES[edit.choice])
        return copied
    del children[position]
    if not children and edit.field == "body" and not isinstance(node, ast.Module):
        if isinstance(child, ast.Pass):
            return None
        children.append(ast.Pass())
    return copied


def replace_expression(node: ast.AST, edit: Edit) -> bool:
    """Put an operand, or a number, where an expression is."""
    value = getattr(node, edit.field)
    child = value[edit.position] if isinstance(value, list) else value
    new = ast.Constant(0.5) if edit.step == "constant" else operands(child)[edit.choice]
    if isinstance(value, list):
        value[edit.position] = new
    else:
        setattr(node, edit.field, new)
    return True
