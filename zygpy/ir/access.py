"""Which variables a core statement itself reads and assigns (not what the blocks inside it do)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zygpy.ir import core


def assigned(statement: core.Statement) -> set[str]:
    """The variables that the statement itself rebinds."""
    if isinstance(statement, core.Assign | core.AugmentName):
        return {statement.target}
    if isinstance(statement, core.Unpack):
        return set(statement.targets)
    if isinstance(statement, core.For):
        return set(target_names(statement.target))
    if isinstance(statement, core.With) and statement.target is not None:
        return {statement.target}
    if isinstance(statement, core.Attempt) and statement.failure is not None:
        return {statement.failure}
    return {statement.name} if isinstance(statement, core.DelName) else set()


def assigned_inside(block: core.Block) -> set[str]:
    """All variables that the block rebinds, at any depth."""
    names: set[str] = set()
    for statement in core.walk(block):
        names |= assigned(statement)
    return names


def target_names(target: core.Target) -> Iterator[str]:
    """The names in a loop's target, from left to right."""
    if isinstance(target, str):
        yield target
    else:
        for item in target:
            yield from target_names(item)


def read(statement: core.Statement) -> set[str]:
    """The variables that the statement itself reads."""
    return {atom.name for atom in atoms(statement) if isinstance(atom, core.Var)}


def atoms(statement: core.Statement) -> Iterator[core.Atom]:
    """The atoms that the statement itself evaluates, in Python's order."""
    match statement:
        case core.Assign(_, op, _):
            yield from operands(op)
        case core.Unpack() | core.WriteCell() | core.WriteGlobal() | core.Return():
            yield statement.value
        case core.SetItem():
            yield from (statement.value, statement.target, *index_atoms(statement.index))
        case core.SetAttr():
            yield from (statement.value, statement.target)
        case core.AugmentName():
            yield from (core.Var(statement.target), statement.value)
        case core.AugmentItem():
            yield from (statement.target, *index_atoms(statement.index), statement.value)
        case core.AugmentAttr():
            yield from (statement.target, statement.value)
        case _:
            yield from _control_atoms(statement)


def _control_atoms(statement: core.Statement) -> Iterator[core.Atom]:
    match statement:
        case core.DelItem():
            yield from (statement.target, *index_atoms(statement.index))
        case core.DelAttr():
            yield statement.target
        case core.Raise():
            yield from (atom for atom in (statement.exception, statement.cause) if atom is not None)
        case core.If():
            yield statement.test
        case core.For():
            yield from iterable_atoms(statement.iterable)
        case core.With():
            yield statement.context
        case core.Handle():
            yield statement.failure


def iterable_atoms(iterable: core.Atom | core.Iterate) -> Iterator[core.Atom]:
    """The atoms inside what a `For` walks over."""
    if not isinstance(iterable, core.Iterate):
        yield iterable
        return
    for arg in iterable.args:
        yield from iterable_atoms(arg)
    yield from (keyword.value for keyword in iterable.keywords)


OF_EXCEPTIONS = frozenset({"__traceback__", "__cause__", "__context__", "__suppress_context__"})
"""Fields of exceptions that tell where they came from, through which nothing is differentiated."""


def index_atoms(index: core.Index) -> Iterator[core.Atom]:
    """The atoms inside an index."""
    if isinstance(index, core.IndexTuple):
        for item in index.items:
            yield from index_atoms(item)
    elif isinstance(index, core.Slice):
        yield from (part for part in (index.lower, index.upper, index.step) if part is not None)
    else:
        yield index


def operands(op: core.Op) -> Iterator[core.Atom]:
    """The atoms that an operation evaluates, in Python's order."""
    match op:
        case core.Copy(value) | core.Truth(value) | core.GetAttr(value, _) | core.Unary(_, value):
            yield value
        case core.Binary(_, left, right) | core.Compare(_, left, right):
            yield from (left, right)
        case core.GetItem(value, index):
            yield from (value, *index_atoms(index))
        case core.Call(func, args, keywords):
            if isinstance(func, core.Var):
                yield func
            yield from _arguments(args, keywords)
        case core.CallMethod(value, _, args, keywords):
            yield from (value, *_arguments(args, keywords))
        case core.Display(_, items):
            yield from (_plain(item) for item in items)
        case _:
            yield from _rare_operands(op)


def _rare_operands(op: core.Op) -> Iterator[core.Atom]:
    match op:
        case core.Caught(call):
            yield from operands(call)
        case core.Yield(value):
            yield value
        case core.DictDisplay(pairs):
            for key, value in pairs:
                yield from (value,) if key is None else (key, value)
        case core.Format(parts):
            yield from _formatted(parts)
        case core.MakeFunction():
            yield from op.defaults
            yield from (core.Var(name) for name in op.captured)


def _formatted(parts: tuple[Any, ...]) -> Iterator[core.Atom]:
    for part in parts:
        if not isinstance(part, str):
            yield from (part[0],) if part[2] is None else (part[0], part[2])


def _plain(item: core.Atom | core.Star) -> core.Atom:
    return item.value if isinstance(item, core.Star) else item


def _arguments(
    args: tuple[core.Atom | core.Star, ...], keywords: tuple[core.Keyword, ...]
) -> Iterator[core.Atom]:
    yield from (_plain(arg) for arg in args)
    yield from (keyword.value for keyword in keywords)


def leaves(block: core.Block) -> bool:
    """Whether control never reaches the end of the block."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, core.If):
        return leaves(last.then) and leaves(last.orelse)
    return isinstance(last, core.Break | core.Raise | core.Refuse)
