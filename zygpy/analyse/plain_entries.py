"""Items of lists and dicts that are found by identity, where they are numbers, or what is in them has places
of its own (arrays, objects with fields, lists, dicts), and of tuples of such things: reading, storing and
appending one runs no code, and has an adjoint that can be written out."""

from __future__ import annotations

from zygpy.analyse import fields
from zygpy.analyse.facts import Intrinsic
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    INT,
    NEVER,
    TEXT,
    Array,
    Dict,
    Kind,
    List,
    Never,
    Nothing,
    Object,
    Row,
    Text,
    Tuple,
    is_exact,
    is_scalar,
)

ENTRY, APPENDED = "entry", "append entry"
"""The names of these operations for the transformation."""


def note_read(run: Run, statement: core.Assign, op: core.GetItem, kind: Kind, env: Environment) -> bool:
    """Let the reading of an item be written out, and tell whether it is."""
    item = _item(run, kind, op.index, env) if run.facts.way.identity else None
    if item is None or not has_known_parts(item):
        return False
    run.facts.calls[id(statement)] = Intrinsic(ENTRY)
    return True


def note_store(run: Run, statement: core.SetItem, env: Environment) -> None:
    """The same of `xs[i] = v`, which takes the place of something of the same sort."""
    run.facts.entries_set.discard(id(statement))
    kind, stored = (run.value(atom, env).kind for atom in (statement.target, statement.value))
    item = _item(run, kind, statement.index, env) if run.facts.way.identity else None
    if item is None:
        return
    if isinstance(kind, Dict) and isinstance(item, Never):  # there is nothing as yet
        item = stored
    if any(sort(item) and sort(stored) for sort in (_is_number, _has_places, is_followed_tuple)):
        run.facts.entries_set.add(id(statement))


def _item(run: Run, kind: Kind, index: core.Index, env: Environment) -> Kind | None:
    """The kind of what a list or dict has in a place, if that is found without running code; in a tuple, if
    that has places of its own."""
    if isinstance(kind, Row) and not _has_places(kind.element):
        return None
    if isinstance(kind, List | Row):
        return kind.element if _is_place(run, index, env) else None
    if not isinstance(kind, Dict) or not _is_key(run, index, env):
        return None
    if kind.items is None:
        return kind.element
    known: dict[str, Kind] = dict(kind.items)
    if isinstance(index, core.Const) and type(index.value) is str:
        return known.get(index.value, NEVER)
    return kind.element


def note_append(run: Run, statement: core.Assign, op: core.CallMethod, env: Environment) -> bool:
    """The same of `xs.append(v)`."""
    found = run.facts.calls.get(id(statement))
    (arg,) = op.args if len(op.args) == 1 else (core.Star(core.Const(None)),)
    if found != Intrinsic("append") or not run.facts.way.identity or isinstance(arg, core.Star):
        return False
    if not has_known_parts(run.value(arg, env).kind):
        return False
    run.facts.calls[id(statement)] = Intrinsic(APPENDED)
    return True


def has_known_parts(kind: Kind) -> bool:
    """Whether all that a value consists of is a number, has a place of its own, or has no cotangent."""
    return _is_number(kind) or _has_places(kind) or is_followed_tuple(kind)


def is_followed_tuple(kind: Kind) -> bool:
    """Whether a value is a tuple of such values: what of its cotangent is not in the store goes wherever the
    tuple does."""
    items = _items_of(kind)
    return bool(items) and all(_has_no_place(item) or has_known_parts(item) for item in items)


def is_of_numbers(kind: Kind) -> bool:
    """Whether nothing in a tuple has a place in the store."""
    items = _items_of(kind)
    return bool(items) and all(_has_no_place(item) or is_of_numbers(item) for item in items)


def _items_of(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of a tuple's items."""
    if isinstance(kind, Row):
        return (kind.element,)
    return kind.items if isinstance(kind, Tuple) else ()


def _has_no_place(kind: Kind) -> bool:
    """Whether a value is a number, or what has no cotangent."""
    return is_scalar(kind) or isinstance(kind, Text | Nothing)


def _is_number(kind: Kind) -> bool:
    """Whether a value is a number whose cotangent is one, too."""
    return is_scalar(kind) and not is_exact(kind)


def _has_places(kind: Kind) -> bool:
    """Whether a value has no cotangent of its own, but one for each field, item, key or number in memory."""
    if isinstance(kind, Array):
        return bool(kind.rank)
    return isinstance(kind, List | Dict) or (isinstance(kind, Object) and fields.has_fields(kind.cls))


def _is_place(run: Run, index: core.Index, env: Environment) -> bool:
    """Whether an index is a whole number."""
    if isinstance(index, core.Const):
        return type(index.value) is int
    return isinstance(index, core.Var) and run.value(index, env).kind == INT


def _is_key(run: Run, index: core.Index, env: Environment) -> bool:
    """Whether an index is a key that is told by its value, and carries no number with a gradient."""
    if isinstance(index, core.Const):
        return type(index.value) in (str, int, bool)
    if not isinstance(index, core.Var):
        return False
    key = run.value(index, env)
    return not key.active and _tells(key.kind)


def _tells(kind: Kind) -> bool:
    if isinstance(kind, Tuple):
        return kind.cls is None and all(map(_tells, kind.items))
    return kind in (INT, BOOL, TEXT)
