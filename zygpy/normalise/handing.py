"""Functions inside that rebind variables and are given to others: the variables are items of lists, which the
functions carry, so that the others can be given these, too (see `boxes`).

def f(x):                                   def f(x):
    count = 0                                   count = 0
    def g(v):                                   count_1 = [count]
        nonlocal count                 ->       def g(v):
        count += 1                                  count_1[0] += 1
        return v * x                                return v * x
    return integral(g, 0.0, x) / count          return integral(g, 0.0, x) / count_1[0]

That is done where nobody else gets the functions: what is returned, or kept, has the variables that it has in
the user's text, by which it may have a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from zygpy.ir.names import Names
from zygpy.ir.nodes import FUNCTIONS, declared_names, gast, is_generator, local_names, names_in, nodes
from zygpy.normalise.boxes import LOOKING, with_boxes_for
from zygpy.normalise.scopes import free_names

Takes: TypeAlias = "Callable[[Any], bool]"
"""Whether what is called is a function of the user's, that may call what it is given."""

WALKING = frozenset({"map", "filter"})
"""Builtins that call what they are given, and may run in place."""


def with_boxes_handed_on(tree: Any, names: Names, takes: Takes) -> tuple[Any, frozenset[str]]:
    """The function in which such variables are items of lists, and the names of the lists."""
    boxes: frozenset[str] = frozenset()
    rebound = {one for node in _inner(tree) for one in declared_names(node, gast.Nonlocal)}
    looking = any(isinstance(node, gast.Name) and node.id in LOOKING for node in nodes(tree.body))
    for one in sorted(rebound & local_names(tree)) if not looking else ():
        knowing = [node for node in _inner(tree) if one in free_names(node)]
        if not any(map(is_generator, knowing)) and _are_handed_on(tree, knowing, takes):
            before = local_names(tree)
            tree = with_boxes_for(tree, knowing, [one], names)
            boxes |= local_names(tree) - before
    return tree, boxes


def _inner(tree: Any) -> list[Any]:
    return [node for node in nodes(tree.body) if isinstance(node, FUNCTIONS)]


def _are_handed_on(tree: Any, functions: Iterable[Any], takes: Takes) -> bool:
    """Whether one of these functions, or one that calls them, is given to another, and nothing else is done
    with any of them but call it."""
    inner = _inner(tree)
    own = {node.name for node in inner if hasattr(node, "name")}
    hidden = local_names(tree)

    def may_take(callee: Any) -> bool:
        return getattr(callee, "id", "") in own or (hidden.isdisjoint(names_in(callee)) and takes(callee))

    called, given = _uses(tree, may_take)
    group = {id(node): node for node in functions}
    handed = False
    while True:
        names = {getattr(node, "name", "") for node in group.values()}
        uses = [node for node in nodes(tree.body) if _is_use(node, names, group)]
        if any(getattr(node, "decorator_list", ()) for node in group.values()):
            return False
        if any(id(node) not in called and id(node) not in given for node in uses):
            return False
        handed = handed or any(id(node) in given for node in uses)
        more = {id(node): node for node in inner if not names.isdisjoint(free_names(node))}
        if more.keys() <= group.keys():
            return handed
        group |= more


def _is_use(node: Any, names: set[str], group: dict[int, Any]) -> bool:
    """Whether a node is a function of a group, where it has no name, or the name of one."""
    if isinstance(node, gast.Lambda):
        return id(node) in group
    return isinstance(node, gast.Name) and node.id in names and isinstance(node.ctx, gast.Load)


def _uses(tree: Any, takes: Takes) -> tuple[set[int], set[int]]:
    """What is called, and what is given to a function that may call it."""
    called: set[int] = set()
    given: set[int] = set()
    for call in nodes(tree.body):
        if isinstance(call, gast.Call):
            called.add(id(call.func))
            if getattr(call.func, "id", "") in WALKING:
                called.update(map(id, call.args[:1]))
            elif takes(call.func):
                given.update(map(id, _arguments(call)))
    return called, given


def _arguments(call: Any) -> Iterator[Any]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)
