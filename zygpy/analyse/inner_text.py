"""What the text of an inner function tells before it is entered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import ModuleType
from typing import Any

from zygpy.analyse.array_writes import WRITING_FUNCTIONS, WRITING_METHODS
from zygpy.analyse.containers import MUTATORS, may_change_a_set
from zygpy.ir.nodes import gast


def changes_something(node: Any) -> bool:
    """Whether a function's text writes into something that it has not made itself: an item, an attribute,
    a list."""
    own = {inner.id for inner in gast.walk(node) if isinstance(inner, gast.Name) and _is_bound(inner)}
    return any(_root(written) not in own for inner in gast.walk(node) if (written := _written(inner)))


def _is_bound(node: Any) -> bool:
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)


def _written(node: Any) -> Any:
    """The expression whose value a piece of text changes, or None."""
    if isinstance(node, gast.Subscript | gast.Attribute) and not isinstance(node.ctx, gast.Load):
        return node.value
    if not isinstance(node, gast.Call):
        return None
    out = next((keyword.value for keyword in node.keywords if keyword.arg == "out"), None)
    if out is not None:
        return out
    if isinstance(node.func, gast.Attribute) and _may_change(node.func.attr, len(node.args)):
        return node.func.value
    return node.args[0] if node.args and _name_of(node.func) in WRITING_FUNCTIONS else None


def _may_change(name: str, count: int) -> bool:
    """Whether a method may change what it is called on."""
    return name in MUTATORS or name in WRITING_METHODS or may_change_a_set(name, count)


def _name_of(callee: Any) -> str:
    """The last name of a dotted path."""
    return str(getattr(callee, "attr", getattr(callee, "id", "")))


def _root(node: Any) -> Any:
    """The name that an expression starts with."""
    while isinstance(node, gast.Subscript | gast.Attribute):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def stores_outside(node: Any, captured: Collection[str], names: Mapping[str, Any]) -> bool:
    """Whether a function's text stores what is no literal in a global variable, or in what one holds.

    `names` are the global variables, as far as `captured` ones of the function around do not hide them.
    """
    own = {inner.id for inner in gast.walk(node) if isinstance(inner, gast.Name) and not _is_read(inner)}
    hidden = own.union(captured)

    def is_global(name: Any) -> bool:
        return name in names and name not in hidden and not isinstance(names[name], ModuleType)

    declared = any(isinstance(inner, gast.Global) for inner in gast.walk(node))
    return declared or any(is_global(_root(target)) for target in _stored_into(node))


def _is_read(name: Any) -> bool:
    return isinstance(name.ctx, gast.Load)


def _stored_into(node: Any) -> Iterator[Any]:
    """The expressions whose values get something else than a literal."""
    for inner in gast.walk(node):
        if isinstance(inner, gast.Call) and not all(map(_is_literal, inner.args)):
            yield _written(inner)
        elif isinstance(inner, gast.Assign) and not _is_literal(inner.value):
            yield from map(_owner, inner.targets)
        elif isinstance(inner, gast.AugAssign):
            yield _owner(inner.target)


def _owner(target: Any) -> Any:
    """What an assignment to an item or an attribute changes."""
    return target.value if isinstance(target, gast.Subscript | gast.Attribute) else None


def _is_literal(node: Any) -> bool:
    return isinstance(node, gast.Constant | gast.JoinedStr)
