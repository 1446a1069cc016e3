"""Constructs that stay outside: each becomes a `Refuse` in its place."""

from __future__ import annotations

from typing import Any

from zygpy.ir import core
from zygpy.ir.nodes import gast
from zygpy.normalise.lower.state import OPERATIONS, STATEMENTS, State

FRAMES = frozenset({"eval", "exec", "locals", "globals", "vars", "super"})

OF_FRAMES = frozenset({"f_locals"})
"""Attributes that frames alone have."""

TEXTS: dict[str, tuple[str, str, str]] = {
    "Await": ("await", "coroutines cannot be run backwards", "write an ordinary function"),
    "Try": (
        "try",
        "the backward pass would have to follow a run that was broken off",
        "test for the condition before the call",
    ),
    "ClassDef": ("class", "what runs while a class is made is not followed", "define it at the top level"),
    "TypeAlias": ("type", "it is a declaration", "write it outside of the function"),
    "Comprehension": (
        "a comprehension whose variable a function inside it captures",
        "its variable cannot be kept apart from that of other runs here",
        "write a loop in a function of its own",
    ),
    "Delete": (
        "del of a global variable",
        "another function may still read the variable",
        "assign None to it",
    ),
    "frames": (
        "what looks into the running frame",
        "the generated code has variables of its own",
        "name the values that you need",
    ),
}
SAME = {
    "AsyncFunctionDef": "Await",
    "AsyncFor": "Await",
    "AsyncWith": "Await",
}


def refuse(state: State, node: Any, reason: str = "") -> None:
    """Emit the refusal of a node."""
    kind = reason or type(node).__name__
    state.refuse(*TEXTS[SAME.get(kind, kind)], node)


def refused(state: State, node: Any, reason: str = "") -> core.Op:
    """The refusal of an expression, and something to stand for its value."""
    refuse(state, node, reason)
    return core.Copy(core.Const(None))


OPERATIONS[gast.Await] = refused
for _kind in ("Try", "ClassDef", "TypeAlias"):
    if hasattr(gast, _kind):
        STATEMENTS[getattr(gast, _kind)] = refuse
for _kind in ("AsyncFunctionDef", "AsyncFor", "AsyncWith"):
    STATEMENTS[getattr(gast, _kind)] = refuse
