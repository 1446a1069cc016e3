"""Whether the elements of a generator expression may see how far the list has come that takes them: `extend`
appends each before the next is computed, as `xs.extend(xs[-1] * r for _ in range(3))` shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zygpy.ir.nodes import gast, nodes
from zygpy.normalise.trees import identifiers

HARMLESS = frozenset({"abs", "float", "int", "len", "max", "min", "range", "round", "sum"})
"""Builtins that give nothing of what they are given."""


def may_see(tree: Any, own: frozenset[str], receiver: Any, elements: Any) -> bool:
    """Whether the elements that a receiver's `extend` is given may see the receiver, in a function that has
    names of its `own`."""
    root = _root(receiver)
    if root is None:
        return True
    parts = [elements.elt, *(test for one in elements.generators for test in one.ifs)]
    parts += [one.iter for one in elements.generators[1:]]
    inside = [node for part in parts for node in nodes(part)]
    if not isinstance(receiver, gast.Name):
        return _is_read(receiver, root, inside)
    named = {name for part in parts for name in identifiers(part)}
    if named & _same_as(root, tree):
        return True
    inner = {name for node in _functions(tree) for name in identifiers(node)}
    return (root in inner or root not in own) and any(map(_may_be_own, inside))


def _is_read(receiver: Any, root: str, inside: list[Any]) -> bool:
    """Whether something in the elements may read an attribute or item, or asks what it is one of."""
    attribute = getattr(receiver, "attr", None)
    for node in inside:
        if isinstance(node, gast.Call) and root in identifiers(node):
            return True
        inside_it = isinstance(node, gast.Attribute | gast.Subscript)
        if inside_it and (attribute is None or getattr(node, "attr", attribute) == attribute):
            return True
    return False


def _may_be_own(node: Any) -> bool:
    """Whether a node calls a function that may share variables with the one that it stands in."""
    return isinstance(node, gast.Call) and getattr(node.func, "id", "") not in HARMLESS


def _same_as(name: str, tree: Any) -> set[str]:
    """All names of a function that may stand for what one stands for, or for what holds it."""
    groups: list[set[str]] = []
    for bound, value in _bindings(tree):
        found = {*bound, *_roots(value)}
        touching = [group for group in groups if group & found]
        groups = [group for group in groups if not group & found]
        groups.append(found.union(*touching))
    return next((group for group in groups if name in group), set()) | {name}


def _functions(tree: Any) -> Iterator[Any]:
    for node in nodes(tree):
        if node is not tree and isinstance(node, gast.FunctionDef | gast.Lambda):
            yield node


def _bindings(tree: Any) -> Iterator[tuple[list[str], Any]]:
    """The names that are bound, and what they are bound to."""
    for node in nodes(tree):
        if isinstance(node, gast.Assign):
            yield [name for target in node.targets for name in identifiers(target)], node.value
        elif isinstance(node, gast.NamedExpr | gast.AnnAssign):
            yield [*identifiers(node.target)], node.value
        elif isinstance(node, gast.For | gast.comprehension):
            yield [*identifiers(node.target)], node.iter


def _roots(value: Any) -> Iterator[str]:
    """The names of what a value may be, or hold."""
    if isinstance(value, gast.Name):
        yield value.id
    for part in _parts(value):
        yield from _roots(part)


def _parts(value: Any) -> list[Any]:
    """What a value is taken from, or made of, that may be found in it."""
    if isinstance(value, gast.Attribute | gast.Subscript | gast.Starred | gast.NamedExpr):
        return [value.value]
    if isinstance(value, gast.Tuple | gast.List | gast.Set):
        return list(value.elts)
    if isinstance(value, gast.Dict | gast.BoolOp):
        return list(value.values)
    if isinstance(value, gast.IfExp):
        return [value.body, value.orelse]
    if isinstance(value, gast.Call) and getattr(value.func, "id", "") not in HARMLESS:
        return [*value.args, *(keyword.value for keyword in value.keywords)]
    return []


def _root(value: Any) -> str | None:
    """The name that a chain of attributes and items begins with."""
    while isinstance(value, gast.Attribute | gast.Subscript):
        value = value.value
    return value.id if isinstance(value, gast.Name) else None
