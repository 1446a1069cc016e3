"""Iterators over lists, tuples and arrays that stay in one function, spelled out as iterators over places.

it = iter(xs)                   walked = xs
                                it = places(walked)
v = next(it)                    place = next(it)
                                v = walked[place]
w = next(it, 0.0)               place = next(it, -1)
                                if place >= 0: w = walked[place]
                                else: w = 0.0
for u in it: ...                for place in it:
                                    u = walked[place]
                                    ...

An iterator over places ends where one over the items does: it is made from that. While kinds are being found,
the items are known to be those of what is walked over.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from collections.abc import Iterator as Iterating
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from zygpy.analyse.facts import Facts, Plain
from zygpy.analyse.iterated import element_of
from zygpy.analyse.run import Run
from zygpy.analyse.sites import everything
from zygpy.analyse.values import Value, join_values, make
from zygpy.ir import core
from zygpy.ir.access import assigned, captured, iterable_atoms, mentioned, read
from zygpy.ir.kinds import INT, Array, Iterator, Kind, List, Row, Tuple, Unknown
from zygpy.ir.names import Names

PLACES: Mapping[Any, core.Path] = {
    iter: core.Path(("places",), "helper"),
    itertools.cycle: core.Path(("places_around",), "helper"),
}
"""What makes such iterators, and what makes those over places."""


IsNext: TypeAlias = "Callable[[core.Path], bool]"
"""Whether a path leads to `next`."""


@dataclass(frozen=True)
class _Maker:
    """The assignments of an iterator, which are all the same: its variable, what makes it, and what is walked
    over."""

    name: str
    statements: tuple[core.Assign, ...]
    func: core.Path
    walked: core.Var
    bound_once: bool = False
    """Whether the variable of what is walked over holds that for good."""


def _maker(program: core.Function, name: str, is_next: IsNext) -> _Maker | None:
    """The assignment of a variable, or several that are the same, if that is a call with one argument, and
    the variable is used by `next` and by loops alone."""
    if name in program.params.names or name in program.cells or name in program.captured:
        return None
    statements = list(core.walk(program.body))
    binding = tuple(one for one in statements if isinstance(one, core.Assign) and one.target == name)
    if len(binding) != sum(name in assigned(one) for one in statements):
        return None
    if not binding or any(one.op != binding[0].op for one in binding):
        return None
    match binding[0].op:
        case core.Call(core.Path() as func, (core.Var() as walked,), ()) if walked.name != name:
            uses = [one for one in statements if name in read(one) or name in captured(one)]
            fine = all(_walks(one, name) or _is_asked(one, name, is_next) for one in uses)
            once = _is_bound_once(program, statements, walked.name)
            known = fine and (len(binding) == 1 or once)
            return _Maker(name, binding, func, walked, once) if known else None
    return None


def _is_bound_once(program: core.Function, statements: list[core.Statement], name: str) -> bool:
    """Whether a variable is bound once, so that it holds the same thing wherever it is read."""
    bound = sum(name in assigned(one) for one in statements)
    return name not in program.cells and bound + (name in program.params.names) == 1


def _is_asked(statement: core.Statement, name: str, is_next: IsNext) -> bool:
    """Whether a statement is `v = next(it)`, or `v = next(it, default)`."""
    op = statement.op if _asks(statement, name) else None  # type: ignore[union-attr]
    return isinstance(op, core.Call) and isinstance(op.func, core.Path) and is_next(op.func)


def _asks(statement: core.Statement, name: str) -> bool:
    """Whether a statement is `v = f(it)`, or `v = f(it, default)`, where `f` may be `next`."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords or op.carried:
        return False
    rest = op.args[1:]
    plain = len(rest) < 2 and not any(isinstance(arg, core.Star) for arg in rest)
    return op.args[:1] == (core.Var(name),) and plain and core.Var(name) not in rest


def _walks(statement: core.Statement, name: str) -> bool:
    """Whether a statement is a loop in which the items of the iterator have names of their own."""
    if not isinstance(statement, core.For):
        return False
    atoms = list(iterable_atoms(statement.iterable))
    return atoms.count(core.Var(name)) == 1 and _place(statement.target, statement.iterable, name) is not None


def _place(target: core.Target, iterable: core.Atom | core.Iterate, name: str) -> tuple[int, ...] | None:
    """Where in a loop's target the items of an iterator are bound."""
    if not isinstance(iterable, core.Iterate):
        return () if iterable == core.Var(name) else None
    kind = iterable.func.names[-1]
    if kind not in ("zip", "enumerate") or not isinstance(target, tuple):
        return None
    first = 1 if kind == "enumerate" else 0
    args = iterable.args[:1] if first else iterable.args
    if len(target) != first + len(args):
        return None
    for position, (part, arg) in enumerate(zip(target[first:], args, strict=True), first):
        inner = _place(part, arg, name)
        if inner is not None:
            return (position, *inner)
    return None


# ---------------------------------------------------------------------------- while kinds are being found


def iterator_value(run: Run, statement: core.Assign, callee: Any, values: list[Value]) -> Value | None:
    """What a call of `iter` or `cycle` gives that is about to be spelled out, or `next` of that; None of any
    other call."""
    run.facts.iterators.discard(id(statement))
    if run.facts.way.identity or run.oracle.is_generated() or run.is_own() or not values:
        return None
    if callee is next:
        return _next(run, statement, values)
    if not any(callee is made for made in PLACES):
        return None
    if callee is iter and _counts(run, statement):
        run.facts.calls[id(statement)] = Plain()
        return make(Iterator(INT))
    spelled = _spelled_value(run, statement, callee, values)
    others = [one for one in _same(run, statement) if id(one) in run.facts.calls]
    if any((id(one) in run.facts.iterators) != (spelled is not None) for one in others):
        run.by_identity()  # some of the iterators of one variable would be spelled out, others not
    return spelled


def _counts(run: Run, statement: core.Assign) -> bool:
    """Whether a call of `iter` is given a `range`, which the program has made."""
    walked = statement.op.args[0] if isinstance(statement.op, core.Call) else None
    if not isinstance(walked, core.Var) or statement.op.args != (walked,):  # type: ignore[union-attr]
        return False
    function = run.facts.function
    if walked.name in {*function.cells, *function.captured, *function.params.names}:
        return False
    made = [getattr(one, "op", None) for one in core.walk(function.body) if walked.name in assigned(one)]
    op = made[0] if len(made) == 1 else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path):
        return False
    found = run.resolve(op.func)
    return found.value is range and found.depth == len(op.func.names)


def _same(run: Run, statement: core.Assign) -> list[core.Statement]:
    """The other assignments of an iterator's variable."""
    every = core.walk(run.facts.function.body)
    return [one for one in every if one is not statement and getattr(one, "target", None) == statement.target]


def _spelled_value(run: Run, statement: core.Assign, callee: Any, values: list[Value]) -> Value | None:
    """What a call of `iter` or `cycle` gives that is about to be spelled out."""
    if not _is_known(values[0]):
        return None
    maker = _maker(run.facts.function, statement.target, lambda path: _is_next(run, path))
    if maker is None or not _may_be_spelled(run.facts.function, maker, callee, values[0].kind):
        return None
    for guard in run.resolve(maker.func).guards:  # the name is gone when the call is spelled out
        run.note_lasting(guard)
    run.facts.iterators.add(id(statement))
    run.facts.calls[id(statement)] = Plain()
    item = element_of(values[0])
    return make(Iterator(item.kind), values[0].active, everything(values[0].sites))


def _is_next(run: Run, path: core.Path) -> bool:
    found = run.resolve(path)
    return found.value is next and found.depth == len(path.names)


def _is_known(value: Value) -> bool:
    """Whether it is known what is in a thing that is walked over by places."""
    kind = value.kind
    known = isinstance(kind, List | Tuple | Row) or (isinstance(kind, Array) and kind.rank not in (None, 0))
    return value.certain and known and not isinstance(element_of(value).kind, Unknown)


def _may_be_spelled(program: core.Function, maker: _Maker, callee: Any, kind: Kind) -> bool:
    """Whether what is walked over stays as it is, if it is walked over more than once."""
    if callee is iter or isinstance(kind, Tuple | Row):
        return True
    name, statements = maker.walked.name, list(core.walk(program.body))
    reads = sum(name in read(one) or name in captured(one) for one in statements)
    made = [one for one in statements if name in assigned(one)]
    fresh = len(made) == 1 and isinstance(getattr(made[0], "op", None), core.Display)
    return reads == 1 and fresh and isinstance(kind, List)


def _next(run: Run, statement: core.Assign, values: list[Value]) -> Value | None:
    iterator = values[0]
    if not isinstance(iterator.kind, Iterator) or len(values) > 2:
        return None
    op = statement.op
    name = op.args[0].name if isinstance(op, core.Call) and isinstance(op.args[0], core.Var) else ""
    spelled = any(getattr(one, "target", "") == name for one in _about_to_be_spelled(run.facts))
    if not spelled and (iterator.active or iterator.kind.element != INT):
        return None
    run.facts.calls[id(statement)] = Plain()
    found = element_of(iterator)
    return found if len(values) == 1 else join_values(found, values[1])


# ------------------------------------------------------------------------------------- when all is known


def with_known_iterators(program: core.Function, facts: Facts) -> core.Function:
    """The same program with such iterators spelled out; the very same if there is none."""
    if not facts.iterators:
        return program
    names = Names(mentioned(program) | {*program.captured, *program.cells})
    body = program.body
    made: dict[str, list[core.Assign]] = {}
    for statement in _about_to_be_spelled(facts):
        assert isinstance(statement, core.Assign)
        made.setdefault(statement.target, []).append(statement)
    for name, statements in made.items():
        op = statements[0].op
        assert isinstance(op, core.Call)
        func, (walked,) = op.func, op.args
        assert isinstance(func, core.Path)
        assert isinstance(walked, core.Var)
        once = _is_bound_once(program, list(core.walk(program.body)), walked.name)
        maker = _Maker(name, tuple(statements), func, walked, once)
        body = _Spelling(maker, facts.objects[func.names], names).block(body)
    return replace(program, body=body)


def _about_to_be_spelled(facts: Facts) -> list[core.Statement]:
    """The statements that make such iterators."""
    if not facts.iterators:
        return []
    return [one for one in core.walk(facts.function.body) if id(one) in facts.iterators]


class _Spelling:
    """What stands in place of the statements that have to do with one iterator."""

    def __init__(self, maker: _Maker, callee: Any, names: Names) -> None:
        self.name, self.maker, self.names = maker.name, maker, names
        self.helper = next(path for made, path in PLACES.items() if made is callee)
        self.walked = maker.walked if maker.bound_once else core.Var(names.fresh("walked"))

    def block(self, block: core.Block) -> core.Block:
        """The block with such statements spelled out."""
        return tuple(part for statement in block for part in self._statement(statement))

    def _statement(self, statement: core.Statement) -> core.Block:
        if isinstance(statement, core.If):
            then, orelse = self.block(statement.then), self.block(statement.orelse)
            return (replace(statement, then=then, orelse=orelse),)
        if isinstance(statement, core.HOLDING):
            held = replace(statement, body=self.block(statement.body))
            return (self._loop(held),) if isinstance(held, core.For) and _walks(held, self.name) else (held,)
        if any(statement is one for one in self.maker.statements):
            loc = statement.loc
            made = core.Assign(self.name, core.Call(self.helper, (self.walked,)), loc)
            if self.maker.bound_once:
                return (made,)
            return core.Assign(self.walked.name, core.Copy(self.maker.walked), loc), made
        return tuple(self._asked(statement)) if _asks(statement, self.name) else (statement,)

    def _item(self, target: str, place: str, loc: core.Loc) -> core.Assign:
        return core.Assign(target, core.GetItem(self.walked, core.Var(place)), loc)

    def _asked(self, statement: Any) -> Iterating[core.Statement]:
        """`v = next(it)`, with a default or without."""
        place, loc, args = self.names.temporary(), statement.loc, statement.op.args
        if len(args) == 1:
            yield core.Assign(place, statement.op, loc)
            yield self._item(statement.target, place, loc)
            return
        there = self.names.temporary()
        asked = replace(statement.op, args=(args[0], core.Const(-1)))
        yield core.Assign(place, asked, loc)
        yield core.Assign(there, core.Compare(">=", core.Var(place), core.Const(0)), loc)
        otherwise = core.Assign(statement.target, core.Copy(args[1]), loc)
        yield core.If(core.Var(there), (self._item(statement.target, place, loc),), (otherwise,), loc)

    def _loop(self, loop: core.For) -> core.For:
        where = _place(loop.target, loop.iterable, self.name)
        assert where is not None
        place = self.names.temporary()
        part, target = _exchanged(loop.target, where, place)
        item = part if isinstance(part, str) else self.names.temporary()
        bound: core.Block = (self._item(item, place, loop.loc),)
        if not isinstance(part, str):
            bound += taken_apart(part, item, self.names, loop.loc)
        return replace(loop, target=target, body=(*bound, *loop.body))


def _exchanged(target: core.Target, where: tuple[int, ...], name: str) -> tuple[core.Target, core.Target]:
    """The part of a target that is somewhere, and the target with a name in its place."""
    if not where:
        return target, name
    assert not isinstance(target, str)
    part, inner = _exchanged(target[where[0]], where[1:], name)
    return part, (*target[: where[0]], inner, *target[where[0] + 1 :])


def taken_apart(target: core.Target, item: str, names: Names, loc: core.Loc) -> core.Block:
    """The assignment of an item to a target that is no name."""
    assert not isinstance(target, str)
    parts = [part if isinstance(part, str) else names.temporary() for part in target]
    inner = [
        one
        for part, name in zip(target, parts, strict=True)
        if not isinstance(part, str)
        for one in taken_apart(part, name, names, loc)
    ]
    return core.Unpack(tuple(parts), None, core.Var(item), loc), *inner
