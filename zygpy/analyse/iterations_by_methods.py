"""Walks over objects whose class tells by a plain `__iter__` what they give, spelled out.

for c in v: ...             ->      t = v.items
                                    for c in t: ...
a, b = p                    ->      t = p.x; u = p.y; w = (t, u)
                                    a, b = w
for c in p: ...             ->      w = (0, 1)
                                    for place in w:
                                        if place == 0: c = p.x
                                        else: c = p.y
                                        ...
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, TypeAlias

from zygpy.analyse import fields
from zygpy.analyse.facts import Guard
from zygpy.analyse.items_by_methods import Spelling
from zygpy.analyse.known_iterators import taken_apart
from zygpy.analyse.listings import Listing
from zygpy.analyse.operators import is_of_python_alone
from zygpy.analyse.run import Run
from zygpy.analyse.values import Environment
from zygpy.ir import core
from zygpy.ir.kinds import List, Object
from zygpy.ir.names import Names
from zygpy.ir.renaming import renamed
from zygpy.runtime.lookup import in_class

Found: TypeAlias = "Mapping[str, Listing]"
"""What the objects in variables give that are walked over."""

TAKING = (list, tuple, set, frozenset, sorted, sum, min, max, math.fsum, math.prod)
"""Builtins that take all items of their first argument before they do anything else."""

HINTED = (list, tuple, sorted)
"""Those of them that ask first how many there may be."""


def spelling(run: Run, statement: core.Statement, env: Environment) -> Spelling | None:
    """The statements that stand for one which walks over objects; None of any other."""
    names = _walked(run, statement, env)
    found = {name: known for name in names if (known := _listing(run, name, env))}
    if isinstance(statement, core.For):
        bound = _bound(statement.target, statement.iterable)
        found = {
            name: known
            for name, known in found.items()
            if known.whole is not None or (name in bound and known.is_read_apart)
        }
    if not found:
        return None
    form = tuple([(name, id(known)) for name, known in found.items()])
    hinted = tuple([name for name in found if _asks_for_a_length(run, statement, name, env)])
    return Spelling(lambda names: _Spelled(names, found, hinted).of(statement), (form, hinted))


def _walked(run: Run, statement: core.Statement, env: Environment) -> list[str]:
    """The variables with what a statement walks over."""
    match statement:
        case core.For(_, iterable):
            return _in_iterable(iterable)
        case core.Unpack(value=core.Var(name)):
            return [name]
        case core.Assign(op=core.Call(core.Path() as path, (core.Var(name), *rest))) if _takes(
            run, path, rest
        ):
            return [name]
        case core.Assign(op=core.CallMethod(core.Var(owner), "extend", (core.Var(name),), ())):
            return [name] if isinstance(run.value(core.Var(owner), env).kind, List) else []
        case core.Assign(op=core.Call() | core.CallMethod() as op):
            return _starred(op.args)
        case core.Assign(op=core.Display(_, items)):
            return _starred(items)
    return []


def _takes(run: Run, path: core.Path, rest: list[Any]) -> bool:
    """Whether a call takes all items of its first argument."""
    callee = run.resolve(path).value
    return any(callee is known for known in TAKING) and (not rest or callee is sum)


def _starred(args: tuple[core.Atom | core.Star, ...]) -> list[str]:
    values = [arg.value for arg in args if isinstance(arg, core.Star)]
    return [value.name for value in values if isinstance(value, core.Var)]


def _in_iterable(iterable: core.Atom | core.Iterate) -> list[str]:
    if isinstance(iterable, core.Iterate):
        inner = iterable.args if iterable.func.names[-1] in ("zip", "enumerate") else ()
        return [name for arg in inner for name in _in_iterable(arg)]
    return [iterable.name] if isinstance(iterable, core.Var) else []


def _bound(target: core.Target | None, iterable: core.Atom | core.Iterate) -> set[str]:
    """The variables that a loop walks over whose items have places of their own in its target."""
    if not isinstance(iterable, core.Iterate):
        return {iterable.name} if isinstance(iterable, core.Var) and target is not None else set()
    found: set[str] = set()
    for part, arg in _pairs(target, iterable):
        found |= _bound(part, arg)
    return found


def _pairs(
    target: core.Target | None, iterable: core.Iterate
) -> list[tuple[core.Target | None, core.Atom | core.Iterate]]:
    """What is walked over in turn, with the part of the target that its items are bound to, if they are bound
    alone; nothing where others are walked over."""
    first = {"zip": 0, "enumerate": 1}.get(iterable.func.names[-1])
    if first is None:
        return []
    walked = iterable.args[:1] if first else iterable.args
    fits = isinstance(target, tuple) and len(target) == first + len(walked)
    parts = target[first:] if isinstance(target, tuple) and fits else (None,) * len(walked)
    return list(zip(parts, walked, strict=True))


def _listing(run: Run, name: str, env: Environment) -> Listing | None:
    """What an object gives that is walked over, as long as its class stays as it is."""
    value = run.value(core.Var(name), env)
    kind = value.kind
    if not isinstance(kind, Object) or kind.fields is None or not is_of_python_alone(kind.cls):
        return None
    if not value.certain or name in run.facts.function.cells:
        return None
    method = fields.of_class(run, kind, "__iter__")
    told = run.oracle.listing(method) if isinstance(method, FunctionType) else None
    if told is None:
        return None
    found, guards = told
    for guard in (Guard(kind.cls, "__iter__", method), Guard(method, "__code__", method.__code__), *guards):
        run.note_lasting(guard)
    return found


def _asks_for_a_length(run: Run, statement: core.Statement, name: str, env: Environment) -> bool:
    """Whether code in Python is asked how many items there are, before they are taken."""
    kind = run.value(core.Var(name), env).kind
    if not isinstance(kind, Object) or not isinstance(in_class(kind.cls, "__len__", None), FunctionType):
        return False
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.Call) and isinstance(op.func, core.Path) and not _starred(op.args):
        return any(run.resolve(op.func).value is known for known in HINTED)
    return op is not None


@dataclass
class _Spelled:
    """What stands for a statement that walks over objects."""

    names: Names
    found: Found
    hinted: tuple[str, ...]
    parts: list[core.Statement] = field(default_factory=list)
    inside: list[core.Statement] = field(default_factory=list)  # a loop, in front of its own body

    def of(self, statement: core.Statement) -> list[core.Statement]:
        """The statements that stand for one."""
        loc = statement.loc
        match statement:
            case core.For():
                target, iterable = self._walk(statement.target, statement.iterable, loc)
                body = (*self.inside, *statement.body)
                new: core.Statement = replace(statement, target=target, iterable=iterable, body=body)
            case core.Unpack(value=value):
                new = replace(statement, value=self._taken(value, loc))
            case core.Assign(op=core.Call(_, (core.Var(name), *rest)) as op) if name in self.found:
                new = replace(statement, op=replace(op, args=(self._taken(op.args[0], loc), *rest)))
            case core.Assign(op=core.CallMethod(name="extend", args=(core.Var(),)) as op):
                new = replace(statement, op=replace(op, args=(self._taken(op.args[0], loc),)))
            case core.Assign(op=core.Display() as shown):
                new = replace(statement, op=replace(shown, items=self._with_stars(shown.items, loc)))
            case _:
                assert isinstance(statement, core.Assign)
                assert isinstance(statement.op, core.Call | core.CallMethod)
                args = self._with_stars(statement.op.args, loc)
                new = replace(statement, op=replace(statement.op, args=args))
        return [*self.parts, new]

    def _with_stars(
        self, args: tuple[core.Atom | core.Star, ...], loc: core.Loc
    ) -> tuple[core.Atom | core.Star, ...]:
        return tuple(
            [core.Star(self._taken(arg.value, loc)) if isinstance(arg, core.Star) else arg for arg in args]
        )

    def _taken(self, atom: Any, loc: core.Loc) -> core.Atom:
        """What holds all items, where they are taken at once."""
        known = self.found.get(atom.name) if isinstance(atom, core.Var) else None
        if known is None:
            return atom  # type: ignore[no-any-return]
        asked = [core.CallMethod(atom, "__len__", ())] if atom.name in self.hinted else []
        for one in asked if known.lazy else ():
            self._kept(one, loc)
        items = known.items if known.whole is None else (known.whole,)
        given = self._done(known, known.steps, items, atom, loc, self.parts)
        for one in () if known.lazy else asked:
            self._kept(one, loc)
        return given[0] if known.whole is not None else self._kept(core.Display("tuple", given), loc)

    def _kept(self, op: core.Op, loc: core.Loc) -> core.Var:
        kept = core.Var(self.names.temporary())
        self.parts.append(core.Assign(kept.name, op, loc))
        return kept

    def _done(
        self,
        known: Listing,
        steps: tuple[core.Block, ...],
        items: tuple[core.Atom, ...],
        owner: core.Var,
        loc: core.Loc,
        into: list[core.Statement],
    ) -> tuple[core.Atom, ...]:
        """What is done before some items, with variables of its own; and these."""
        new = {known.owner: owner.name}
        for statement in (one for block in steps for one in block):
            assert isinstance(statement, core.Assign)
            new[statement.target] = new.get(statement.target) or self.names.temporary()
        for block in steps:
            into += [replace(one, loc=loc) for one in renamed(block, new)]
        return tuple([core.Var(new[item.name]) if isinstance(item, core.Var) else item for item in items])

    def _walk(
        self, target: core.Target | None, iterable: core.Atom | core.Iterate, loc: core.Loc
    ) -> tuple[Any, core.Atom | core.Iterate]:
        """What a loop binds, and walks over, in place of objects."""
        if isinstance(iterable, core.Iterate):
            return self._walks(target, iterable, loc)
        known = self.found.get(iterable.name) if isinstance(iterable, core.Var) else None
        if known is not None and known.whole is not None:
            return target, self._taken(iterable, loc)
        if known is None or target is None or not known.is_read_apart:
            return target, iterable
        assert isinstance(iterable, core.Var)
        kept = self._kept(core.Copy(iterable), loc)
        places = self._kept(core.Display("tuple", tuple(map(core.Const, range(len(known.items))))), loc)
        place = self.names.temporary()
        item = target if isinstance(target, str) else self.names.temporary()
        self.inside += self._read(known, kept, (core.Var(place), 0), item, loc)
        if not isinstance(target, str):
            self.inside += taken_apart(target, item, self.names, loc)
        return place, places

    def _walks(
        self, target: core.Target | None, iterable: core.Iterate, loc: core.Loc
    ) -> tuple[Any, core.Iterate]:
        """The same of several things that are walked over in turn."""
        pairs = [self._walk(part, arg, loc) for part, arg in _pairs(target, iterable)]
        args = (*[arg for _, arg in pairs], *iterable.args[len(pairs) :])
        if not isinstance(target, tuple) or any(part is None for part, _ in pairs):
            return target, replace(iterable, args=args)
        parts = (*target[: len(target) - len(pairs)], *[part for part, _ in pairs])
        return parts, replace(iterable, args=args)

    def _read(
        self, known: Listing, owner: core.Var, at: tuple[core.Var, int], item: str, loc: core.Loc
    ) -> list[core.Statement]:
        """The reading of the item at a place, which is this one or one behind it."""
        place, number = at
        block: list[core.Statement] = []
        (value,) = self._done(
            known, known.steps[number : number + 1], known.items[number : number + 1], owner, loc, block
        )
        block.append(core.Assign(item, core.Copy(value), loc))
        if number == len(known.items) - 1:
            return block
        here = self.names.temporary()
        rest = self._read(known, owner, (place, number + 1), item, loc)
        asked = core.Assign(here, core.Compare("==", place, core.Const(number)), loc)
        return [asked, core.If(core.Var(here), tuple(block), tuple(rest), loc)]
