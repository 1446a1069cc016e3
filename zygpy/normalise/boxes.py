"""Variables that functions inside rebind, as lists of one item, which such functions can be given.

def f(x):                                   def f(x):
    count = 0                                   count = 0
    def g(n):                                   count_1 = [count]
        nonlocal count                 ->       def g(n):
        count += 1                                  count_1[0] += 1
        return g(n - 1) if n else x                 return g(n - 1) if n else x
    return g(3) * count                         return g(3) * count_1[0]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import (
    FUNCTIONS,
    declared_names,
    gast,
    local_names,
    nodes,
    own_nodes,
    parameter_names,
    quote,
    quote_expression,
)
from zygpy.normalise.scopes import free_names
from zygpy.normalise.trees import changed, rewrite

LOOKING = frozenset({"super", "__class__", "locals", "vars", "eval", "exec", "dir"})
"""Names by which a function may see what it is given, and what its variables are."""

PLAIN = (gast.Assign, gast.AugAssign, gast.AnnAssign)
"""Statements that may bind such a variable."""


def with_boxes(tree: Any, functions: Iterable[Any], names: Names) -> Any:
    """The function in which the variables that these functions inside rebind are items of lists; as it is,
    where other functions know one of them, or it is not surely bound first, by a plain assignment.

    Requires: the functions are only called.
    """
    group = list(functions)
    wanted = sorted(_rebound_by(group) & local_names(tree))
    return with_boxes_for(tree, group, wanted, names) if wanted else tree


def _rebound_by(functions: Iterable[Any]) -> frozenset[str]:
    return frozenset().union(*(declared_names(node, gast.Nonlocal) for node in functions))


def with_boxes_for(tree: Any, group: list[Any], wanted: list[str], names: Names) -> Any:
    """The same for these variables."""
    if not _known_to(tree, group, frozenset(wanted)):
        return tree
    places = [_place(tree, one) for one in wanted]
    if None in places or not _bound_plainly(tree, group, frozenset(wanted)):
        return tree
    boxes = {one: names.fresh(one) for one in wanted}
    body = list(tree.body)
    for place, one in sorted(zip(places, wanted, strict=True), reverse=True):
        made = quote("$box = [$v]", at=tree.body[0], box=boxes[one], v=one)
        body = [*body[:place], *made, *_boxed(body[place:], {one: boxes[one]})]
    return changed(tree, body=body)


def _place(tree: Any, variable: str) -> int | None:
    """The place in the body of a function at which a variable is bound for the first time, as nothing in
    front mentions it; None where that cannot be told."""
    if variable in parameter_names(tree):
        return 0
    for place, statement in enumerate(tree.body):
        if _mentions(statement, variable):
            value = statement.value if isinstance(statement, gast.Assign | gast.AnnAssign) else None
            return None if value is None or _mentions(value, variable) else place + 1
    return None


def _mentions(root: Any, variable: str) -> bool:
    return any(
        getattr(node, "id", None) == variable or variable in getattr(node, "names", ())
        for node in nodes(root)
    )


def _known_to(tree: Any, group: list[Any], wanted: frozenset[str]) -> bool:
    """Whether the functions of a group alone know some variables of the function around them, and these names
    mean nothing else inside."""
    own = set(map(id, group))
    for node in nodes(tree.body):
        if isinstance(node, FUNCTIONS):
            known = local_names(node) | declared_names(node, gast.Global)
            if not wanted.isdisjoint(known if id(node) in own else known | free_names(node)):
                return False
        if isinstance(node, gast.ClassDef) and any(_mentions(node, one) for one in wanted):
            return False
    return True


def _bound_plainly(tree: Any, group: list[Any], wanted: frozenset[str]) -> bool:
    """Whether plain assignments alone bind these variables, in the function and in those inside."""
    if any(not wanted.isdisjoint(names_bound_as_text(node)) for node in nodes(tree.body)):
        return False
    stored: set[int] = set()
    for region in (tree, *group):
        for node in own_nodes(region):
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            if isinstance(node, PLAIN):
                stored.update(id(part) for target in targets for part in nodes(target))
    return all(
        isinstance(node.ctx, gast.Load | gast.Param) or id(node) in stored
        for node in nodes(tree)
        if isinstance(node, gast.Name) and node.id in wanted
    )


def names_bound_as_text(node: Any) -> list[str]:
    """The names that a node binds which are no nodes of their own."""
    if isinstance(node, gast.alias):
        return [(node.asname or node.name).split(".")[0]]
    found = [getattr(node, field, None) for field in ("name", "rest")]
    return [text for text in found if isinstance(text, str)]


def _boxed(block: list[Any], boxes: dict[str, str]) -> list[Any]:
    """A block with items of lists in place of variables."""

    def spelled(node: Any) -> Any:
        if isinstance(node, gast.Nonlocal):
            left = [one for one in node.names if one not in boxes]
            return changed(node, names=left) if left else gast.Pass()
        if isinstance(node, gast.Name) and node.id in boxes:
            item: Any = quote_expression("$box[0]", at=node, box=boxes[node.id])
            return changed(item, ctx=node.ctx)
        return None

    return [rewrite(statement, spelled, everywhere=True) for statement in block]
