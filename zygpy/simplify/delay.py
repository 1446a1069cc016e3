"""`t = s; s = s * a; x += t * b` is written `x += s * b; s = s * a`: no copy of what is soon replaced."""

from __future__ import annotations

from dataclasses import dataclass

from zygpy.ir.nodes import gast, name, names_in
from zygpy.simplify.effects import Effects, bound_names, statements_in
from zygpy.simplify.liveness import Uses
from zygpy.simplify.purity import has_scope, is_atom
from zygpy.simplify.trees import Block, Node, assigned_name, is_cotangent, map_blocks, replace_names

REACH = 24
"""How many statements an assignment is moved at most; keeps the pass linear."""


def delay_assignments(block: Block, uses: Uses, effects: Effects) -> Block:
    """Move the assignment that replaces a variable behind the last reader of its old value.

    Requires: `uses` is about these statements. Ensures: an assignment moves only past statements
    that do not mention its variable, bind nothing that it reads and change no object it may read.

    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> from zygpy.simplify.purity import Purity
    >>> import ast
    >>> body = quote("t_bar = s; s = s * a; x = t_bar * b; y = t_bar + x")
    >>> uses = Uses()
    >>> uses.put(body[0], "t_bar", 2)
    >>> for statement in delay_assignments(body, uses, Effects(Purity(frozenset("sxy")), frozenset())):
    ...     print(ast.unparse(to_python_ast(statement)))
    x = s * b
    y = s + x
    s = s * a
    """

    def inside(inner: Block) -> Block:
        return delay_assignments(inner, uses, effects)

    lines = [map_blocks(statement, inside) for statement in block]
    place = 0
    while place < len(lines):
        found = _found(block[place], lines, place, uses, effects) if _is_copy(lines[place]) else None
        if found is None:
            place += 1
        else:
            block, lines = _moved(block, place, found), _moved(lines, place, found)
    return lines


def has_copies(block: Block) -> bool:
    """Whether a variable is copied to another anywhere in the block."""
    return any(_is_copy(inner) for statement in block for inner in statements_in(statement))


@dataclass(frozen=True, slots=True)
class _Move:
    """A copy that is not needed if the statement at `start` runs after the one at `stop`."""

    copied: str
    original: str
    start: int
    stop: int


def _is_copy(statement: Node) -> bool:
    copied = assigned_name(statement)
    return copied is not None and is_cotangent(copied) and isinstance(statement.value, gast.Name)


def _found(copy: Node, lines: Block, place: int, uses: Uses, effects: Effects) -> _Move | None:
    copied, original = assigned_name(copy), copy.value.id
    assert copied is not None
    unread = uses.of(copy, copied)
    start = None
    for position in range(place + 1, min(place + REACH, len(lines))):
        statement = lines[position]
        unread -= names_in(statement).count(copied)
        if start is None:
            start = position if original in bound_names(statement) else None
            if start is not None and not _is_movable(statement, original, effects):
                return None
        elif not _may_pass(lines[start], statement, original, effects):
            return None
        if copied in bound_names(statement):
            return None
        if unread == 0 and start is not None:
            return _Move(copied, original, start, position)
    return None


def _is_movable(statement: Node, original: str, effects: Effects) -> bool:
    if assigned_name(statement) != original:
        return False
    return effects.purity.is_pure(statement.value) and not has_scope(statement.value)


def _may_pass(moving: Node, passed: Node, original: str, effects: Effects) -> bool:
    if original in names_in(passed) or set(bound_names(passed)) & set(names_in(moving.value)):
        return False
    return is_atom(moving.value) or not effects.writes(passed)


def _moved(lines: Block, place: int, move: _Move) -> Block:
    found = {move.copied: name(move.original)}.get
    between = [replace_names(line, found) for line in lines[place + 1 : move.stop + 1]]
    moving = between.pop(move.start - place - 1)
    return [*lines[:place], *between, moving, *lines[move.stop + 1 :]]
