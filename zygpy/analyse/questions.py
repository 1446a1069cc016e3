"""What an operation asks objects, and whether the methods that answer may change something."""

from __future__ import annotations

import logging
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment, Value
from zygpy.ir import core, kinds
from zygpy.ir.access import operands
from zygpy.ir.classes import HEAP_TYPE, STATEFUL
from zygpy.ir.kinds import INT, TEXT, UNKNOWN, Dict, Kind, List, Object, Text, Tuple
from zygpy.marks import is_marked
from zygpy.runtime.iteration import taken_apart
from zygpy.runtime.lookup import is_among
from zygpy.runtime.protocols import ASKING, COMPARING_METHODS, METHODS, asked_of_items, may_change

CALLS: Mapping[Any, str] = {
    len: "len",
    bool: "bool",
    operator.truth: "bool",
    any: "any",
    all: "all",
    str: "str",
    repr: "repr",
    format: "format",
    int: "int",
    hash: "hash",
    print: "str",
}
"""Builtins that ask their arguments, and what."""

ANSWERS: Mapping[str, Kind] = {"len": INT, "int": INT, "hash": INT, "str": TEXT, "repr": TEXT, "format": TEXT}

CONVERSIONS: Mapping[str, str] = {"": "format", "s": "str", "r": "repr"}
"""What an f-string asks a value by its conversion."""


COMPARING: Mapping[Any, str] = {ASKING[symbol]: symbol for symbol in ("<", ">", "<=", ">=", "==", "!=")}
"""Functions that compare two values."""

Question: TypeAlias = "tuple[str, tuple[core.Atom, ...]]"


def questions_of(op: core.Op | None, callee: Any = None) -> list[Question]:
    """What an operation asks of which operands; `callee` is what it calls, if that is known."""
    match op:
        case core.Compare(symbol, left, right) if symbol in METHODS:
            return [(symbol, (left, right))]
        case core.Truth(value) | core.Unary("not", value):
            return [("bool", (value,))]
        case core.Format(parts):
            asking = [part for part in parts if not isinstance(part, str) and part[1] in CONVERSIONS]
            return [(CONVERSIONS[part[1]], (part[0],)) for part in asking]
        case core.Call(args=args) if is_among(callee, CALLS):
            return [(CALLS[callee], (arg,)) for arg in args if not isinstance(arg, core.Star)]
        case core.Call(args=(core.Var() | core.Const(), core.Var() | core.Const()) as args):
            return [(COMPARING[callee], args)] if is_among(callee, COMPARING) else []  # type: ignore[list-item]
    return []


EXTREMES: Mapping[Any, str] = {min: "<", max: ">"}


def searches_of(op: core.Op | None, callee: Any = None) -> list[Question]:
    """What is asked of which operands by operations that compare items in code that is not Python's."""
    match op:
        case core.Call(args=args) if is_among(callee, EXTREMES) and len(args) > 1:
            given = [arg for arg in args if not isinstance(arg, core.Star)]
            return [(EXTREMES[callee], (arg,)) for arg in given]
        case core.Compare("in" | "not in" as symbol, left, right):
            return [(symbol, (left, right))]
        case core.CallMethod(owner, name, (core.Var() | core.Const() as item,)) if name in COMPARING_METHODS:
            return [("in", (item, owner))]
    return []


def note_questions(run: Run, op: core.Op, callee: Any, env: Environment) -> None:
    """What asks objects whose methods may change something is followed by identity."""
    for question, atoms in questions_of(op, callee):
        if runs_code(question, [run.value(atom, env) for atom in atoms]):
            run.by_identity()


def runs_code(question: str, values: list[Value]) -> bool:
    """Whether a method that may change something may answer a question."""
    if not any(value.active for value in values):
        return False
    inside = asked_of_items(question)
    return any(
        _may_change(question, value.kind) or any(_holds_such(each, value.kind) for each in inside)
        for value in values
    )


def _may_change(question: str, kind: Kind) -> bool:
    if not isinstance(kind, Object) or not kind.cls.__flags__ & HEAP_TYPE or is_marked(kind.cls, STATEFUL):
        return False
    return may_change(question, kind.cls)


def _holds_such(question: str, kind: Kind) -> bool:
    """Whether a list, tuple or dict has items, however deep, that a question asks."""
    return any(_may_change(question, item) for item in items_in(kind))


def items_in(kind: Kind) -> Iterator[Kind]:
    """The kinds of the items of a container, and of theirs."""
    own: tuple[Kind, ...] = ()
    if isinstance(kind, Tuple):
        own = kind.items
    elif isinstance(kind, List | kinds.Iterator | kinds.Row):
        own = (kind.element,)
    elif isinstance(kind, Dict):
        own = (kind.element, *(item for _, item in kind.items or ()))
    for item in own:
        yield item
        yield from items_in(item)


def answer(question: str) -> Kind:
    """The kind of an answer."""
    return ANSWERS.get(question, UNKNOWN)


LOGGERS = (logging.Logger, logging.LoggerAdapter)
LEVELS = ("debug", "info", "warning", "error", "critical", "exception", "log")

# Questions that are asked by code which is not written in Python, and cannot go through a door.

KEYED = frozenset({"get", "pop", "setdefault", "add", "discard"})
"""Methods of dicts and sets that look up their first argument."""

OF_INDICES: frozenset[Any] = frozenset({range, slice})
LISTING: frozenset[Any] = frozenset({list, tuple, sorted})
OF_ELEMENTS: frozenset[Any] = frozenset({set, frozenset, dict})


def lost_answer(op: core.Op, callee: Any, value: Callable[[core.Atom], Value]) -> bool:
    """Whether an operation asks such a question of a method that may change something."""
    if any(map(_is_told, map(value, shown_by(op, callee, value)))):
        return True
    return _is_lost(op, callee, value) or runs_code("len", [value(item) for item in _listed(op, callee)])


def shown_by(op: core.Op | None, callee: Any, value: Callable[[core.Atom], Value]) -> list[core.Atom]:
    """What an operation makes a text of, or a message."""
    match op:
        case core.Binary("%", left, right) if isinstance(value(left).kind, Text):
            return [right]
        case core.CallMethod(owner, _) if isinstance(value(owner).kind, Text):
            return [*operands(op)][1:]
        case core.Call() if is_among(callee, SHOWING):
            return [*operands(op)]
        case core.Call() | core.CallMethod() if is_among(callee, SHOWING_METHODS):
            return [*operands(op)][1:]
    return []


SHOWING: frozenset[Any] = frozenset(
    {operator.mod, warnings.warn, *(getattr(logging, level) for level in LEVELS)}
)
SHOWING_METHODS: frozenset[Any] = frozenset(getattr(owner, level) for owner in LOGGERS for level in LEVELS)
"""Functions that make texts or messages of what they are given, and methods that do so."""


def _is_told(shown: Value) -> bool:
    """Whether what a text is made of, or anything in it, may change something when it is asked for that."""
    asked = (shown.kind, *items_in(shown.kind))
    return shown.active and any(_may_change("told", kind) for kind in asked)


def _listed(op: core.Op, callee: Any) -> list[core.Atom]:
    """What a list is made of, for which Python asks how many items there will be."""
    items = op.items if isinstance(op, core.Display) else getattr(op, "args", ())
    stars = [item.value for item in items if isinstance(item, core.Star)]
    apart = callee is taken_apart and items[1:] == (core.Const(-1),)
    whole = isinstance(op, core.Call) and (apart or is_among(callee, LISTING)) and not stars
    return [item for item in items[:1] if not isinstance(item, core.Star)] if whole else stars


def _is_lost(op: core.Op, callee: Any, value: Callable[[core.Atom], Value]) -> bool:
    match op:
        case core.CallMethod(owner, name, (core.Var() as key, *_)) if name in KEYED:
            return not isinstance(value(owner).kind, Object) and runs_code("hash", [value(key)])
        case core.CallMethod(owner, name, args):
            given = [value(arg) for arg in args if not isinstance(arg, core.Star)]
            return name in COMPARING_METHODS and (runs_code("==", given) or runs_code("in", [value(owner)]))
        case core.Call(args=args) if is_among(callee, EXTREMES) and len(args) > 1:
            return any(
                runs_code(EXTREMES[callee], [value(arg)]) for arg in args if not isinstance(arg, core.Star)
            )
        case core.Call(args=args) if is_among(callee, OF_INDICES | OF_ELEMENTS):
            given = [value(arg) for arg in args if not isinstance(arg, core.Star)]
            return any(item.active and _is_asked_within(callee, item.kind) for item in given)
        case core.Display("set", items):
            return runs_code("hash", [value(item) for item in items if not isinstance(item, core.Star)])
        case core.DictDisplay(items):
            return any(is_lost_key(value(key)) for key, _ in items if key is not None)
        case core.GetItem(_, index):
            return is_lost_index(index, value)
    return False


def _is_asked_within(callee: Any, kind: Kind) -> bool:
    return _may_change("index", kind) if callee in OF_INDICES else _holds_such("hash", kind)


def is_lost_index(index: core.Index, value: Callable[[core.Atom], Value]) -> bool:
    """Whether what stands in brackets, or a part of it, may change something when it is asked."""
    parts = index.items if isinstance(index, core.IndexTuple) else (index,)
    return any(is_lost_key(value(part)) for part in parts if isinstance(part, core.Var))


def is_lost_key(index: Value) -> bool:
    """Whether a key or index may change something when it is asked for its hash or number."""
    within = index.active and isinstance(index.kind, Tuple) and _holds_such("hash", index.kind)
    return within or runs_code("hash", [index]) or runs_code("index", [index])


def refuse_lost_answer(run: Run, statement: core.Statement) -> None:
    """Refuse such a question."""
    why = "a method that may change something is called by code that is not written in Python"
    run.refuse(statement, why, "compare, convert or look up in a loop of your own")
