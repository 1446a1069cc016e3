"""Methods that are found by the names of classes: which statements have to be told apart together.

Where it is asked of which of several classes an object is, the name that is made of that class, and the
method that is found by the name, are known in each branch as long as they stand in it.

t_1 = type(node)                        t_5 = is_one(node, Leaf)
t_2 = t_1.__name__                      if t_5:
t_3 = "visit_" + t_2            ->          t_1 = type(node); ...; t_4 = getattr(self, t_3); y = t_4(node)
t_4 = getattr(self, t_3)                else:
y = t_4(node)                               t_1 = type(node); ...; t_4 = getattr(self, t_3); y = t_4(node)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from zygpy.ir import core
from zygpy.ir.access import assigned, read


def groups_by_name(function: core.Function) -> dict[int, int]:
    """How many statements, from one that asks for a class on, decide which method is called by its name."""
    blocks = [function.body, *[inner for one in core.walk(function.body) for inner in core.blocks(one)]]
    return {id(block[start]): count for block in blocks for start, count in _groups(block)}


def asks_for_class(statement: core.Statement) -> core.Var | None:
    """The variable for whose class a statement asks; None of any other statement."""
    match statement:
        case core.Assign(op=core.Call(core.Path(("type",)), (core.Var() as thing,), ())):
            return thing
        case core.Assign(op=core.GetAttr(core.Var() as thing, "__class__")):
            return thing
    return None


def _groups(block: core.Block) -> Iterator[tuple[int, int]]:
    """Where such statements begin in a block, and how many there are."""
    read_before = {one.target for one in block if isinstance(one, core.Assign) and _is_getattr(one.op)}
    found = [place for place, one in enumerate(block) if _finds_by_name(one, read_before) is not None]
    if not found:
        return
    for start, statement in enumerate(block):
        if asks_for_class(statement) is None:
            continue
        ends = [end for place in found if (end := _end(block, start, place, read_before)) is not None]
        if ends:
            yield start, max(ends) + 1 - start


def _is_getattr(op: core.Op) -> bool:
    return isinstance(op, core.Read) and op.path.names == ("getattr",)


def _finds_by_name(statement: core.Statement, getting: Collection[str]) -> core.Var | None:
    """The variable by which a statement finds an attribute: `getattr` is read in front by some names."""
    match statement:
        case core.Assign(op=core.Call(func, (core.Var(), core.Var() as name, *_), ())):
            by_name = isinstance(func, core.Path) and func.names == ("getattr",)
            return name if by_name or (isinstance(func, core.Var) and func.name in getting) else None
    return None


def _end(block: core.Block, start: int, place: int, getting: Collection[str]) -> int | None:
    """The last statement that reads what is found at a place by a name that is made of what is asked for at
    the start; None where the name is not made of that."""
    name = _finds_by_name(block[place], getting)
    made = _made_of(block[start:place], assigned(block[start]))
    if place < start or name is None or name.name not in made:
        return None
    given = assigned(block[place])
    reading = [
        end for end, one in enumerate(block) if end > place and not _read_inside(one).isdisjoint(given)
    ]
    return max(reading, default=place)


def _made_of(block: core.Block, names: set[str]) -> set[str]:
    """The variables that are made of some, and those."""
    made = set(names)
    for statement in block:
        if not read(statement).isdisjoint(made):
            made |= assigned(statement)
    return made


def _read_inside(statement: core.Statement) -> set[str]:
    return set().union(*map(read, core.walk((statement,))))
