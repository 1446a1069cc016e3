"""Which variables a core statement itself reads and assigns (not what the blocks inside it do)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from zygpy.ir import core


def assigned(statement: core.Statement) -> set[str]:
    """The variables that the statement itself rebinds."""
    find = _ASSIGNED.get(type(statement))
    return set() if find is None else find(statement)


def _target(statement: Any) -> set[str]:
    return {statement.target}


_ASSIGNED: dict[type, Callable[[Any], set[str]]] = {
    core.Assign: _target,
    core.AugmentName: _target,
    core.Unpack: lambda statement: set(statement.targets),
    core.For: lambda statement: set(target_names(statement.target)),
    core.With: lambda statement: set() if statement.target is None else {statement.target},
    core.Attempt: lambda statement: set() if statement.failure is None else {statement.failure},
    core.DelName: lambda statement: {statement.name},
}
"""The variables that statements of a class rebind."""


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


def mentioned(program: core.Function) -> set[str]:
    """The variables of a program."""
    found = set(program.params.names)
    for statement in core.walk(program.body):
        found |= assigned(statement) | set(read(statement))
    return found


def read(statement: core.Statement) -> set[str]:
    """The variables that the statement itself reads."""
    return {atom.name for atom in atoms(statement) if isinstance(atom, core.Var)}


def atoms(statement: core.Statement) -> Iterable[core.Atom]:
    """The atoms that the statement itself evaluates, in Python's order."""
    find = _ATOMS.get(type(statement))
    return () if find is None else find(statement)


def _evaluated(op: core.Op) -> Iterable[core.Atom]:
    """The operands, and what a function that is called reads of this program's variables."""
    if isinstance(op, core.Call) and op.carried:
        return [*operands(op), *map(core.Var, op.carried)]
    return operands(op)


def _value(node: Any) -> Iterable[core.Atom]:
    return (node.value,)


_ATOMS: dict[type, Callable[[Any], Iterable[core.Atom]]] = {
    core.Assign: lambda statement: _evaluated(statement.op),
    core.Unpack: _value,
    core.WriteCell: _value,
    core.WriteGlobal: _value,
    core.Return: _value,
    core.SetItem: lambda to: (to.value, to.target, *index_atoms(to.index)),
    core.SetAttr: lambda to: (to.value, to.target),
    core.AugmentName: lambda to: (core.Var(to.target), to.value),
    core.AugmentItem: lambda to: (to.target, *index_atoms(to.index), to.value),
    core.AugmentAttr: lambda to: (to.target, to.value),
    core.DelItem: lambda of: (of.target, *index_atoms(of.index)),
    core.DelAttr: lambda of: (of.target,),
    core.Raise: lambda of: [atom for atom in (of.exception, of.cause) if atom is not None],
    core.If: lambda branch: (branch.test,),
    core.For: lambda loop: iterable_atoms(loop.iterable),
    core.With: lambda statement: (statement.context,),
    core.Handle: lambda statement: (statement.failure,),
}
"""The atoms that statements of a class evaluate."""


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


def index_atoms(index: core.Index) -> list[core.Atom]:
    """The atoms inside an index."""
    if isinstance(index, core.IndexTuple):
        return [atom for item in index.items for atom in index_atoms(item)]
    if isinstance(index, core.Slice):
        return [part for part in (index.lower, index.upper, index.step) if part is not None]
    return [index]


MUTATORS = frozenset(
    {
        "append",
        "extend",
        "pop",
        "insert",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
    }
)
"""Methods that change a list or dict."""


def operands(op: core.Op) -> Iterable[core.Atom]:
    """The atoms that an operation evaluates, in Python's order."""
    find = _OPERANDS.get(type(op))
    return () if find is None else find(op)


def _called(op: core.Call) -> list[core.Atom]:
    func: list[core.Atom] = [op.func] if isinstance(op.func, core.Var) else []
    return func + _arguments(op)


def _arguments(op: core.Call | core.CallMethod) -> list[core.Atom]:
    return [*map(_plain, op.args), *[keyword.value for keyword in op.keywords]]


def _sides(op: core.Binary | core.Compare) -> Iterable[core.Atom]:
    return (op.left, op.right)


def _pairs(op: core.DictDisplay) -> Iterator[core.Atom]:
    for key, value in op.items:
        yield from (value,) if key is None else (key, value)


_OPERANDS: dict[type, Callable[[Any], Iterable[core.Atom]]] = {
    core.Copy: _value,
    core.Truth: _value,
    core.GetAttr: _value,
    core.Unary: lambda op: (op.operand,),
    core.Yield: _value,
    core.Binary: _sides,
    core.Compare: _sides,
    core.GetItem: lambda op: (op.value, *index_atoms(op.index)),
    core.Call: _called,
    core.CallMethod: lambda op: [op.value, *_arguments(op)],
    core.Display: lambda op: [_plain(item) for item in op.items],
    core.Caught: lambda op: operands(op.call),
    core.DictDisplay: _pairs,
    core.Format: lambda op: _formatted(op.parts),
    core.MakeFunction: lambda op: [*op.defaults, *[core.Var(name) for name in op.captured]],
}
"""The atoms that operations of a class evaluate."""


def _formatted(parts: tuple[Any, ...]) -> Iterator[core.Atom]:
    for part in parts:
        if not isinstance(part, str):
            yield from (part[0],) if part[2] is None else (part[0], part[2])


def _plain(item: core.Atom | core.Star) -> core.Atom:
    return item.value if isinstance(item, core.Star) else item


def leaves(block: core.Block) -> bool:
    """Whether control never reaches the end of the block."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, core.If):
        return leaves(last.then) and leaves(last.orelse)
    return isinstance(last, core.Break | core.Raise | core.Refuse)


def captured(statement: core.Statement) -> tuple[str, ...]:
    """The variables that a function captures which a statement makes, or carries which it calls."""
    op = statement.op if isinstance(statement, core.Assign) else None
    carried = op.carried if isinstance(op, core.Call) else ()
    return op.captured if isinstance(op, core.MakeFunction) else carried
