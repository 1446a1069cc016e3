"""Items of lists that are found by identity, where they are numbers, or have in them what has places of its
own (objects with fields, lists, dicts): reading, storing and appending one runs no code, and has an adjoint
that can be written out."""

from __future__ import annotations

from zygpy.analyse import fields
from zygpy.analyse.facts import Intrinsic
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import INT, Dict, Kind, List, Object, is_exact, is_scalar

ENTRY, APPENDED = "entry", "append entry"
"""The names of these operations for the transformation."""


def note_read(run: Run, statement: core.Assign, op: core.GetItem, kind: Kind, env: Environment) -> bool:
    """Let the reading of an item be written out, and tell whether it is."""
    known = run.facts.way.identity and isinstance(kind, List) and _is_plain(kind.element)
    if not known or not _is_place(run, op.index, env):
        return False
    run.facts.calls[id(statement)] = Intrinsic(ENTRY)
    return True


def note_store(run: Run, statement: core.SetItem, env: Environment) -> None:
    """The same of `xs[i] = v`, which takes the place of something of the same sort."""
    run.facts.entries_set.discard(id(statement))
    kind, stored = (run.value(atom, env).kind for atom in (statement.target, statement.value))
    if not run.facts.way.identity or not isinstance(kind, List) or not _is_place(run, statement.index, env):
        return
    if (_is_number(kind.element) and _is_number(stored)) or (
        _has_places(kind.element) and _has_places(stored)
    ):
        run.facts.entries_set.add(id(statement))


def note_append(run: Run, statement: core.Assign, op: core.CallMethod, env: Environment) -> bool:
    """The same of `xs.append(v)`."""
    found = run.facts.calls.get(id(statement))
    (arg,) = op.args if len(op.args) == 1 else (core.Star(core.Const(None)),)
    if found != Intrinsic("append") or not run.facts.way.identity or isinstance(arg, core.Star):
        return False
    if not _is_plain(run.value(arg, env).kind):
        return False
    run.facts.calls[id(statement)] = Intrinsic(APPENDED)
    return True


def _is_plain(kind: Kind) -> bool:
    return _is_number(kind) or _has_places(kind)


def _is_number(kind: Kind) -> bool:
    """Whether a value is a number whose cotangent is one, too."""
    return is_scalar(kind) and not is_exact(kind)


def _has_places(kind: Kind) -> bool:
    """Whether a value has no cotangent of its own, but one for each field, item or key."""
    return isinstance(kind, List | Dict) or (isinstance(kind, Object) and fields.has_fields(kind.cls))


def _is_place(run: Run, index: core.Index, env: Environment) -> bool:
    """Whether an index is a whole number."""
    if isinstance(index, core.Const):
        return type(index.value) is int
    return isinstance(index, core.Var) and run.value(index, env).kind == INT
