"""What `__iter__` of a class gives, where its text tells that: items of something else, or a few of its own.

def __iter__(self):                             items of `self.items`
    return iter(self.items)
def __iter__(self):                             the items `self.x` and `self.y`, read one by one
    yield self.x
    yield self.y
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zygpy.ir import core
from zygpy.ir.access import assigned, read

MOST_ITEMS = 8
"""So many items at most are told one by one."""

PLAIN = (core.Copy, core.GetAttr, core.GetItem, core.Binary, core.Unary)
"""Operations that mean the same wherever they stand."""


@dataclass(frozen=True)
class Listing:
    """What is done, in `steps`, before each of the `items`; or, where there are steps alone, before something
    is walked over whose items these are (`whole`); at once, or, if it is `lazy`, when the first item is asked
    for. `owner` is the variable of the object."""

    owner: str
    steps: tuple[core.Block, ...]
    items: tuple[core.Atom, ...] = ()
    whole: core.Var | None = None
    lazy: bool = True

    @property
    def is_read_apart(self) -> bool:
        """Whether each item is read by itself, with nothing that was found for those before it."""
        names = [{name for one in block for name in assigned(one)} for block in self.steps]
        reading = [
            {name for one in block for name in read(one)} | _names((item,))
            for block, item in zip(self.steps, self.items, strict=True)
        ]
        return all(found <= own | {self.owner} for found, own in zip(reading, names, strict=True))


def listing(program: core.Function) -> Listing | None:
    """What the program of such a method gives; None where its text does not tell that."""
    if len(program.params.names) != 1 or program.cells or program.captured or program.unbound:
        return None
    owner, body = program.params.names[0], program.body[:-1]
    if any(owner in assigned(one) for one in core.walk(body)):
        return None
    return _delegating(owner, body) if program.generator else _returning(owner, program.body)


def _returning(owner: str, body: core.Block) -> Listing | None:
    """`return iter(xs)`, also of what stands there in brackets."""
    match body:
        case (*steps, core.Assign(name, core.Call(core.Path(("iter",)), (core.Var() as whole,), ())), last):
            if isinstance(last, core.Return) and last.value == core.Var(name):
                return _of_whole(owner, steps, whole, lazy=False)
    return None


def _delegating(owner: str, body: core.Block) -> Listing | None:
    """A generator that gives the items of something else, and does nothing besides, or its own."""
    match body:
        case (
            *before,
            core.For(str() as target, core.Var() as whole, (core.Assign(_, core.Yield(item), _),)),
        ):
            return _of_whole(owner, before, whole, lazy=True) if item == core.Var(target) else None
    steps: list[core.Statement] = []
    blocks: list[core.Block] = []
    items: list[core.Atom] = []
    sent = {one.target for one in body if isinstance(one, core.Assign) and isinstance(one.op, core.Yield)}
    for one in body:
        if not isinstance(one, core.Assign) or not sent.isdisjoint(read(one)):
            return None
        if isinstance(one.op, core.Yield):
            blocks.append(tuple(steps))
            items.append(one.op.value)
            steps = []
        elif isinstance(one.op, PLAIN):
            steps.append(one)
        else:
            return None
    plain = not steps and 0 < len(items) <= MOST_ITEMS
    return Listing(owner, tuple(blocks), tuple(items)) if plain else None


def _of_whole(owner: str, steps: Sequence[core.Statement], whole: core.Var, *, lazy: bool) -> Listing | None:
    if not all(isinstance(one, core.Assign) and isinstance(one.op, (*PLAIN, core.Display)) for one in steps):
        return None
    made = {name for one in steps for name in assigned(one)}
    return Listing(owner, (tuple(steps),), whole=whole, lazy=lazy) if whole.name in made else None


def _names(atoms: Sequence[core.Atom]) -> set[str]:
    return {atom.name for atom in atoms if isinstance(atom, core.Var)}
