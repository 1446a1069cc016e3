"""`t_bar = y_bar * b; x_bar += t_bar * c` is written `x_bar += y_bar * b * c`: the adjoint's own folding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zygpy.ir.nodes import gast, names_in, nodes
from zygpy.simplify.effects import Effects, bindings, bound_names, read_field
from zygpy.simplify.liveness import Uses
from zygpy.simplify.purity import has_scope, is_atom
from zygpy.simplify.signs import added
from zygpy.simplify.trees import (
    WIDTH,
    Block,
    Node,
    assigned_name,
    changed,
    is_cotangent,
    map_blocks,
    replace_names,
    size,
)

STASH = "stash"
"""The adjoint's first parameter."""

DEPTH = 4
"""Expressions whose operators nest deeper than this are left in pieces."""


def fold_cotangents(block: Block, uses: Uses, effects: Effects) -> Block:
    """Fold values that are read once into their reader, and copies into theirs.

    Requires: `uses` is about these statements.
    Ensures: an expression moves to a later statement of its block only if nothing between assigns a
    name in it or may change an object that it reads; a call that may do anything only to the very next
    statement, if that adds it to a variable. Copies keep their assignment (see `Liveness`).

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> from zygpy.simplify.purity import Purity
    >>> import ast
    >>> body = quote("t = y * b; x = y; x += t * c; return x")
    >>> uses = Uses()
    >>> for statement, name in zip(body, "txx"):
    ...     uses.put(statement, name, 1)
    >>> for statement in fold_cotangents(body, uses, Effects(Purity(frozenset("txy")), frozenset())):
    ...     print(ast.unparse(to_python_ast(statement)))
    x = y
    x += y * b * c
    return x
    """
    return _Folder(uses, effects).block(block)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A value that may still be written where it is read: its expression and its assignment's place."""

    value: Node
    place: int
    copies: bool
    acts: bool = False


class _Pending:
    """The values that may move to the statement that is being looked at."""

    def __init__(self) -> None:
        self.values: dict[str, _Waiting] = {}
        self._readers: dict[str, set[str]] = {}
        self._acting: str | None = None
        self._looking: set[str] = set()

    def add(self, name: str, waiting: _Waiting) -> None:
        """Let a value wait for its reader."""
        self.values[name] = waiting
        for mentioned in names_in(waiting.value):
            self._readers.setdefault(mentioned, set()).add(name)
        if not (is_atom(waiting.value) or _is_shape(waiting.value)):
            self._looking.add(name)
        if waiting.acts:
            self._acting = name

    def take(self, name: str) -> _Waiting:
        """The value of a name, which then waits no longer."""
        self._looking.discard(name)
        return self.values.pop(name)

    def assigned(self, name: str) -> None:
        """A name is bound anew: neither its value nor what mentions it can move further."""
        for reader in (*self._readers.pop(name, ()), name):
            self.values.pop(reader, None)
            self._looking.discard(reader)

    def acted(self) -> None:
        """A statement has been passed: what may do anything stays in front of it."""
        if self._acting in self.values:
            self.take(self._acting)
        self._acting = None

    def written(self) -> None:
        """Some object may have been changed: what looks into objects stays in front of that."""
        for name in self._looking:
            self.values.pop(name, None)
        self._looking.clear()


class _Folder:
    """The pass over one block at a time."""

    def __init__(self, uses: Uses, effects: Effects) -> None:
        self.uses = uses
        self.effects = effects
        self.purity = effects.purity
        self.bindings = bindings()

    def block(self, block: Block) -> Block:
        pending, done = _Pending(), list[Node | None]()
        for statement in block:
            new = self._fold_into(statement, pending, done)
            if _is_idle(new):
                continue
            if isinstance(new, gast.If | gast.For):
                new = map_blocks(_with_copies(new, pending), self.block)
            self._settle(new, pending)
            pending.acted()
            self._wait(statement, new, pending, len(done))
            done.append(new)
        return [statement for statement in done if statement is not None]

    def _fold_into(self, statement: Node, pending: _Pending, done: list[Node | None]) -> Node:
        """The statement with the values that it may read written in place of their names."""
        field = read_field(statement)
        if field is None or not pending.values:
            return statement
        value = getattr(statement, field)
        call = pending.values.get(value.id) if isinstance(value, gast.Name) else None
        if call is not None and call.acts:
            if not (isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name)):
                return statement
            done[pending.take(value.id).place] = None
            return changed(statement, value=call.value)
        new = self._folded(value, pending, done, returned=isinstance(statement, gast.Return))
        statement = statement if new is value else changed(statement, **{field: new})
        return self._joined(statement, pending, done)

    def _folded(self, value: Node, pending: _Pending, done: list[Node | None], *, returned: bool) -> Node:
        """The expression with values in it; what is returned keeps its names."""
        usable = self._usable(value)
        names = [name for name in dict.fromkeys(names_in(value)) if name in pending.values]
        for name in names:
            waiting = pending.values[name]
            if waiting.acts:
                continue
            new = replace_names(value, {name: waiting.value}.get)
            if waiting.copies:
                value = new
            elif usable(name) and _is_readable(new) and not returned:
                value = new
                done[pending.take(name).place] = None
        return value

    def _usable(self, value: Node) -> Callable[[str], bool]:
        """Which names an expression may take the place of. Beside a call that may do anything, only
        those that are arguments of it: they are evaluated before it."""
        calls = [found for found in nodes(value) if self.purity.acts(found)]
        if not calls:
            return lambda name: True
        inside = names_in(calls[0]) if len(calls) == 1 else []
        return lambda name: name in inside

    def _joined(self, statement: Node, pending: _Pending, done: list[Node | None]) -> Node:
        """`x = a * b; x += c` as `x = a * b + c`: the sum goes into no object that others hold."""
        if not (isinstance(statement, gast.AugAssign) and isinstance(statement.target, gast.Name)):
            return statement
        waiting = pending.values.get(statement.target.id)
        if waiting is None or waiting.acts or not isinstance(waiting.value, gast.BinOp | gast.UnaryOp):
            return statement
        value = added(waiting.value, statement.op, statement.value)
        if value is None or not _is_readable(value) or not self.purity.is_pure(statement.value):
            return statement
        done[pending.take(statement.target.id).place] = None
        target = changed(statement.target, ctx=gast.Store())
        return gast.copy_location(gast.Assign([target], value, None), statement)

    def _settle(self, statement: Node, pending: _Pending) -> None:
        """Keep where they are the values that must not move past the statement."""
        for name in self.bindings.of(statement):
            pending.assigned(name)
        if self.effects.writes(statement):
            pending.written()

    def _wait(self, old: Node, new: Node, pending: _Pending, place: int) -> None:
        name = assigned_name(new)
        if name is None:
            return
        value = new.value
        copies = _is_copy(name, value, self.uses.of(old, name))
        if isinstance(value, gast.Name) and not copies:
            return
        single = self.uses.of(old, name) == 1 and not has_scope(value)
        acts = not self.purity.is_pure(value)
        if copies or (single and (not acts or isinstance(value, gast.Call))):
            pending.add(name, _Waiting(value, place, copies, acts))


def _is_shape(value: Node) -> bool:
    """Whether an expression is `x.shape`, which stays the same whatever is written into an array."""
    return isinstance(value, gast.Attribute) and value.attr == "shape" and isinstance(value.value, gast.Name)


def _is_copy(name: str, value: Node, uses: int) -> bool:
    """Whether every reader may read what is copied instead. Recorded values keep the names that they
    have in the forward, unless there is a single reader."""
    if isinstance(value, gast.Name) and not is_cotangent(name):
        return uses == 1 and value.id != STASH
    return isinstance(value, gast.Name | gast.Constant)


def _is_idle(statement: Node) -> bool:
    """`x = x`."""
    name = assigned_name(statement)
    return name is not None and isinstance(statement.value, gast.Name) and statement.value.id == name


def _is_readable(value: Node) -> bool:
    found = size(value)
    return found.width <= WIDTH and found.depth <= DEPTH


def _with_copies(statement: Node, pending: _Pending) -> Node:
    """Copies written out inside a branch or loop too, where it binds neither name anew."""
    copies = {name: waiting.value for name, waiting in pending.values.items() if waiting.copies}
    bound = set(bound_names(statement)) if copies else set()
    found = {
        name: value
        for name, value in copies.items()
        if name not in bound and not (set(names_in(value)) & bound)
    }
    if not found:
        return statement
    return map_blocks(statement, lambda block: [replace_names(inner, found.get) for inner in block])
