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
    OneOf,
    Row,
    Text,
    Tuple,
    is_exact,
    is_scalar,
    something,
)

ENTRY, IN_ROW, APPENDED, POPPED = "entry", "entry of a row", "append entry", "pop entry"
"""The names of these operations for the transformation."""

CHANGES_OF_ENTRIES = (Intrinsic(APPENDED), Intrinsic(POPPED))
"""Those that change a list, and ask nothing of what they are given."""


def note_read(run: Run, statement: core.Assign, op: core.GetItem, kind: Kind, env: Environment) -> bool:
    """Let the reading of an item be written out, and tell whether it is."""
    if not run.facts.way.identity:
        return False
    if isinstance(kind, Row) and has_known_parts(something(kind.element)) and _is_place(run, op.index, env):
        run.facts.calls[id(statement)] = Intrinsic(ENTRY if has_places(kind.element) else IN_ROW)
        return True
    item = _item(run, kind, op.index, env)
    if item is None or not has_known_parts(something(item)):
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
    kinds = something(item), something(stored)
    if any(all(map(sort, kinds)) for sort in (_is_number, has_places, is_followed_tuple)):
        run.facts.entries_set.add(id(statement))


def _item(run: Run, kind: Kind, index: core.Index, env: Environment) -> Kind | None:
    """The kind of what a list or dict has in a place, if that is found without running code."""
    if isinstance(kind, List):
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
    """The same of `xs.append(v)`, and of `xs.pop()` and `xs.pop(i)`."""
    if op.name == "pop":
        return _note_pop(run, statement, op, env)
    found = run.facts.calls.get(id(statement))
    (arg,) = op.args if len(op.args) == 1 else (core.Star(core.Const(None)),)
    if found != Intrinsic("append") or not run.facts.way.identity or isinstance(arg, core.Star):
        return False
    if not has_known_parts(something(run.value(arg, env).kind)):
        return False
    run.facts.calls[id(statement)] = Intrinsic(APPENDED)
    return True


def _note_pop(run: Run, statement: core.Assign, op: core.CallMethod, env: Environment) -> bool:
    if run.facts.calls.get(id(statement)) != Intrinsic("pop") or not run.facts.way.identity:
        return False
    kind = run.value(op.value, env).kind
    at_place = all(not isinstance(arg, core.Star) and _is_place(run, arg, env) for arg in op.args)
    if not at_place or not isinstance(kind, List) or not has_known_parts(something(kind.element)):
        return False
    run.facts.calls[id(statement)] = Intrinsic(POPPED)
    return True


def has_known_parts(kind: Kind) -> bool:
    """Whether all that a value consists of is a number, has a place of its own, or has no cotangent."""
    return _is_number(kind) or has_places(kind) or is_followed_tuple(kind)


def is_followed_tuple(kind: Kind) -> bool:
    """Whether a value is a tuple of such values: what of its cotangent is not in the store goes wherever the
    tuple does."""
    items = _items_of(kind)
    return bool(items) and all(_has_no_place(item) or has_known_parts(something(item)) for item in items)


def is_of_numbers(kind: Kind) -> bool:
    """Whether nothing in a tuple has a place in the store."""
    items = _items_of(kind)
    return bool(items) and all(
        _has_no_place(something(item)) or is_of_numbers(something(item)) for item in items
    )


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


def has_places(kind: Kind) -> bool:
    """Whether a value has no cotangent of its own, but one for each field, item, key or number in memory."""
    if isinstance(kind, Array):
        return bool(kind.rank)
    if isinstance(kind, OneOf):
        return all(isinstance(option, Object) and has_places(option) for option in kind.options)
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
