"""Rewriting gast trees without recursion, so that long expressions and long functions are no problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from zygpy.ir.nodes import FUNCTIONS, gast, made, place_of

MARKS = (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop, gast.boolop)
"""Nodes without fields and place, which trees may share."""

Rule: TypeAlias = Callable[[gast.AST], "gast.AST | list[gast.stmt] | None"]


def at(place: gast.AST, node: Any) -> Any:
    """The node itself, made a moment ago, with the location of `place`."""
    node.__dict__.update(place_of(place))
    return node


def changed(node: Any, **fields: Any) -> Any:
    """A copy of a node with other fields; lists inside it are copied too.

    >>> changed(gast.parse("x").body[0].value, id="y").id
    'y'
    """
    values = {**node.__dict__, **fields}
    fresh = {key: list(value) for key, value in values.items() if type(value) is list}
    return made(type(node), values, fresh)


def rewrite(tree: Any, rule: Rule, everywhere: bool = False) -> Any:
    """A new tree in which the rule has replaced nodes, outer before inner.

    Requires: `rule` gives None (keep the node), a node, or in place of a statement a list of statements.
    Ensures: what the rule gives is entered, but the rule is not asked again about its root. Bodies of
    nested functions and classes are left alone unless `everywhere`.

    >>> from zygpy.ir.nodes import name
    >>> tree = gast.parse("a + (lambda: a)()").body[0]
    >>> swap = lambda node: name("b") if isinstance(node, gast.Name) else None
    >>> [node.id for node in gast.walk(rewrite(tree, swap)) if isinstance(node, gast.Name)]
    ['b', 'a']
    """
    if isinstance(tree, (*FUNCTIONS,)):
        return _rewrite_function(tree, rule, everywhere)
    holder = [tree]
    _rewrite_slots([(holder, 0)], rule, everywhere)
    return holder[0]


def _rewrite_function(tree: Any, rule: Rule, everywhere: bool) -> Any:
    if everywhere:
        fresh = changed(tree)
        _rewrite_slots(_slots(fresh, everywhere), rule, everywhere)
        return fresh
    if isinstance(tree, gast.Lambda):
        return changed(tree, body=rewrite(tree.body, rule))
    holder: list[Any] = [changed(tree)]
    _rewrite_slots([(holder[0], "body")], rule, everywhere)
    return holder[0]


def _rewrite_slots(waiting: list[tuple[Any, Any]], rule: Rule, everywhere: bool) -> None:
    """Rewrite what stands in each slot (a container and an index or field name), and inside it."""
    while waiting:
        container, key = waiting.pop()
        value = container[key] if isinstance(container, list) else getattr(container, key)
        fresh = _rewrite_list(value, rule) if isinstance(value, list) else _rewrite_node(value, rule)
        if isinstance(container, list):
            container[key] = fresh
        else:
            setattr(container, key, fresh)
        for node in reversed(fresh if isinstance(fresh, list) else [fresh]):
            waiting.extend(reversed(_slots(node, everywhere)))


def _rewrite_list(nodes: list[Any], rule: Rule) -> list[Any]:
    fresh: list[Any] = []
    for node in nodes:
        made = _rewrite_node(node, rule)
        fresh.extend(made if isinstance(made, list) else [made])
    return fresh


def _rewrite_node(node: Any, rule: Rule) -> Any:
    if not isinstance(node, gast.AST):
        return node
    made = rule(node)
    if isinstance(made, list):
        return [changed(statement) for statement in made]
    return changed(node if made is None else made)


def _slots(node: Any, everywhere: bool) -> list[tuple[Any, Any]]:
    """The places inside a fresh node where further nodes stand."""
    if not isinstance(node, gast.AST) or isinstance(node, gast.expr_context | gast.Constant):
        return []
    if not everywhere and isinstance(node, (*FUNCTIONS, gast.ClassDef)):
        return _outer_slots(node)
    return [
        (node, field)
        for field, value in gast.iter_fields(node)
        if (isinstance(value, list) and value)
        or (isinstance(value, gast.AST) and not isinstance(value, MARKS))
    ]


def _outer_slots(node: Any) -> list[tuple[Any, Any]]:
    """What is evaluated where a nested function or class stands: decorators, defaults, bases."""
    if isinstance(node, gast.ClassDef):
        return [(node, "decorator_list"), (node, "bases"), (node, "keywords")]
    node.args = changed(node.args)
    decorators = [(node, "decorator_list")] if hasattr(node, "decorator_list") else []
    return [*decorators, (node.args, "defaults"), (node.args, "kw_defaults")]


def identifiers(tree: gast.AST) -> set[str]:
    """Every identifier that a tree mentions in any role, nested functions included."""
    found: set[str] = set()
    waiting: list[Any] = [tree]
    while waiting:
        for value in waiting.pop().__dict__.values():
            kind = type(value)
            if kind is str:
                found.add(value)
            elif kind is list:
                found.update([item for item in value if isinstance(item, str)])
                waiting += [item for item in value if isinstance(item, gast.AST)]
            elif kind is not int and isinstance(value, gast.AST):
                waiting.append(value)
    return found
