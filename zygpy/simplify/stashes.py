"""Where the forward's stash and the adjoint's unpacking of it meet."""

from __future__ import annotations

from collections.abc import Sequence

from zygpy.ir.nodes import gast
from zygpy.simplify.trees import Node, changed


def is_pair(value: Node | None) -> bool:
    """Whether a node is a tuple of two."""
    return isinstance(value, gast.Tuple) and len(value.elts) == 2


def unpacks(statement: Node, name: str) -> bool:
    """Whether a statement unpacks the variable of that name."""
    return (
        isinstance(statement, gast.Assign)
        and isinstance(statement.targets[0], gast.Tuple)
        and isinstance(statement.value, gast.Name)
        and statement.value.id == name
    )


def correspond(target: Node, values: Sequence[Node]) -> bool:
    """Whether every value is a tuple with an entry for each of the targets."""
    return isinstance(target, gast.Tuple) and all(
        isinstance(value, gast.Tuple) and len(value.elts) == len(target.elts) for value in values
    )


def name_of(node: Node) -> str | None:
    """The name that a node is, if it is one."""
    return node.id if isinstance(node, gast.Name) else None


def only(node: Node, places: Sequence[int]) -> Node:
    """A tuple with the entries at these places; a single one stands for itself."""
    items = [node.elts[place] for place in places]
    return items[0] if len(items) == 1 else changed(node, elts=items)
