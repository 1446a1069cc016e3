"""What the text of an inner function tells before it is entered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from zygpy.analyse.array_writes import WRITING_FUNCTIONS, WRITING_METHODS
from zygpy.analyse.containers import may_change_a_set
from zygpy.analyse.made_here import made_here
from zygpy.ir.access import MUTATORS
from zygpy.ir.nodes import argument_list, gast, parameter_name


def changes_something(node: Any) -> bool:
    """Whether a function's text writes into something that it has not made itself: an item, an attribute,
    a list."""
    return not _changed(node) <= _names_of(node).made


def changes_what_it_was_handed(node: Any, captured: Collection[str]) -> bool:
    """Whether a function's text writes into something that a function it calls may have given it, which may
    be known anywhere."""
    names = _names_of(node)
    return any(root in names.bound and root not in captured for root in _changed(node) - names.made)


def _changed(node: Any) -> set[Any]:
    """The names through which a function's text writes into something; None where there is no name."""
    return {_root(found) for inner in gast.walk(node) if (found := _written(inner))}


@dataclass(frozen=True)
class _Names:
    """The names that a function binds by statements, and those that hold only what it has made."""

    bound: frozenset[str]
    made: frozenset[str]


def _names_of(node: Any) -> _Names:
    stored = (inner.id for inner in gast.walk(node) if isinstance(inner, gast.Name) and not _is_read(inner))
    bound = frozenset(stored) - frozenset(map(parameter_name, argument_list(node.args)))
    return _Names(bound, made_here(node))


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


def stores_in_one_of(node: Any, names: Collection[str]) -> bool:
    """Whether a function's text stores what is no literal in what one of these variables holds."""
    return any(_root(target) in names for target in _stored_into(node))


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
