"""Lists, sets and dicts that comprehensions make: until they are whole, nobody else knows them."""

from __future__ import annotations

from collections.abc import Iterator

from zygpy.ir import core
from zygpy.ir.access import assigned, captured, read
from zygpy.ir.names import is_temporary


def building_statements(function: core.Function) -> dict[int, str]:
    """The `id`s of the statements by which comprehensions put items into what they make, with its variable:
    one that is empty, in front of a loop that does nothing else with it."""
    blocks = [function.body, *(block for one in core.walk(function.body) for block in core.blocks(one))]
    return {id(each): name for block in blocks for name, loop in _made(block) for each in _into(name, loop)}


def _made(block: core.Block) -> Iterator[tuple[str, core.For]]:
    """The variables of empty containers, with the loops that are the next statements to know of them."""
    for place, statement in enumerate(block):
        if isinstance(statement, core.Assign) and is_temporary(statement.target) and _is_empty(statement.op):
            name = statement.target
            after = next((one for one in block[place + 1 :] if _knows(one, name)), None)
            if isinstance(after, core.For) and name not in _mentions(after):
                yield name, after


def _is_empty(op: core.Op) -> bool:
    return isinstance(op, core.Display | core.DictDisplay) and not op.items


def _into(name: str, loop: core.For) -> list[core.Statement]:
    """The statements of a loop that put something into a container; none if another one knows it."""
    knowing = [one for one in core.walk(loop.body) if name in _mentions(one)]
    return knowing if all(_puts_into(name, one) for one in knowing) else []


def _puts_into(name: str, statement: core.Statement) -> bool:
    match statement:
        case core.SetItem(core.Var(target), core.Const() | core.Var() as index, value):
            return target == name and core.Var(name) not in (index, value)
        case core.Assign(target, core.CallMethod(core.Var(owner), "append" | "add", args, ())):
            return owner == name and target != name and core.Var(name) not in args
    return False


def _knows(statement: core.Statement, name: str) -> bool:
    return any(name in _mentions(one) for one in core.walk((statement,)))


def _mentions(statement: core.Statement) -> set[str]:
    return assigned(statement) | read(statement) | {*captured(statement)}
