"""Functions that a program makes and calls itself, as functions of what they capture, too."""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any

from zygpy.codes import ITSELF, TOLD
from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.ir.source import Source
from zygpy.normalise.trees import changed
from zygpy.where_made import place_of_made

INNER = "__zygpy_inner__"
"""The attribute by which the forward of such a function is known."""


def with_captured_first(op: core.MakeFunction, names: tuple[str, ...] | None = None) -> Any:
    """The tree of a function to which what it captured (only these `names` of it, if they are told) is given
    in front of its own arguments.

    Requires: default values are constants; no captured variable is an explicit cell.
    """
    return with_first(op.node, op.captured if names is None else names)


def with_first(node: Any, names: tuple[str, ...]) -> Any:
    """The tree of a function with more parameters in front of its own."""
    arguments = node.args
    first = [_parameter(name) for name in names]
    field = "posonlyargs" if arguments.posonlyargs else "args"
    return changed(node, args=changed(arguments, **{field: first + getattr(arguments, field)}))


def _parameter(name: str) -> Any:
    node: Any = gast.Name
    return node(name, gast.Param(), None, None)


def placed(op: core.MakeFunction, outer: Source) -> Source:
    """Where such a function stands: in the file of the function that makes it."""
    line = getattr(op.node, "lineno", outer.line)
    qualified = f"{outer.qualified}.<locals>.{op.name}"
    found = replace(outer, function=None, name=op.name, line=line, cells={}, rebound=())
    return replace(found, qualified=qualified)


def stand_in(op: core.MakeFunction, outer: Source) -> FunctionType:
    """A function object that stands for it, in the same file; it is never run."""
    code = _nothing.__code__.replace(co_filename=outer.filename, co_name=op.name, co_qualname=op.name)
    function, arguments = FunctionType(code, outer.globals, op.name), op.node.args
    setattr(function, TOLD, lambda: place_of_made(op, outer))
    if op.name in op.captured:
        setattr(function, ITSELF, op.name)
    values = [atom.value for atom in op.defaults if isinstance(atom, core.Const)]
    if len(values) < len(op.defaults):  # it is looked at, and never called directly
        return function
    count = len(arguments.defaults)
    function.__defaults__ = tuple(values[:count])
    named = [
        each.id for each, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if given
    ]
    function.__kwdefaults__ = dict(zip(named, values[count:], strict=True))
    return function


def stand_in_of(function: FunctionType, itself: str | None = None) -> FunctionType:
    """What stands for a function that has captured something, by one name `itself`, in the same file; it is
    never run."""
    own = function.__code__
    code = _nothing.__code__.replace(
        co_filename=own.co_filename, co_name=own.co_name, co_qualname=own.co_qualname
    )
    made = FunctionType(code, function.__globals__, function.__name__)
    setattr(made, TOLD, own)
    if itself is not None:
        setattr(made, ITSELF, itself)
    return made


def _nothing() -> None:
    """What stands for a function has a code of its own, made from this one."""
