"""Blocks with variables under other names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from zygpy.ir import core

BINDING: Mapping[type, str] = {
    core.Assign: "target",
    core.Unpack: "targets",
    core.AugmentName: "target",
    core.AugmentItem: "before",
    core.AugmentAttr: "before",
    core.For: "target",
    core.With: "target",
    core.Attempt: "failure",
    core.DelName: "name",
    core.Call: "carried",
}
"""The fields that name variables; what is read is a `Var`."""

WHOLE = (core.Const, core.Path, core.Loc)
"""What no variable is named in that could be renamed."""


def renamed(block: core.Block, names: Mapping[str, str]) -> core.Block:
    """A copy of the block, in which every statement is a new one, with variables under other names.

    Requires: no function that is made in the block captures one of them.

    >>> from zygpy.ir.show import show
    >>> here = core.Loc(1, 0)
    >>> block = (core.Assign("y", core.Binary("*", core.Var("x"), core.Var("y")), here),)
    >>> renamed(block, {"y": "z"})[0].target, renamed(block, {})[0] is block[0]
    ('z', False)
    """
    return tuple(_renamed(statement, names) for statement in block)


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    if isinstance(node, core.Var):
        return core.Var(names.get(node.name, node.name))
    if isinstance(node, tuple):
        return tuple(_renamed(item, names) for item in node)
    if isinstance(node, WHOLE) or not is_dataclass(node):
        return node
    binding = BINDING.get(type(node))
    parts = {part.name: getattr(node, part.name) for part in fields(node)}
    if isinstance(node, core.MakeFunction):
        return replace(node, defaults=_renamed(node.defaults, names))
    made: Any = type(node)
    return made(
        **{
            name: _bound(value, names) if name == binding else _renamed(value, names)
            for name, value in parts.items()
        }
    )


def _bound(target: Any, names: Mapping[str, str]) -> Any:
    """Names of variables, nested in tuples or not."""
    if isinstance(target, tuple):
        return tuple(_bound(item, names) for item in target)
    return names.get(target, target)
