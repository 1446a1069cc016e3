"""Generators that are asked for their items one by one, by `next`: their bodies run in place, from where they
were left.

    it = g(x)                       state = 0
    for _ in range(n):              for _ in range(n):
        total += next(it)               at = state
                                        state = -1
    def g(x):                           if at == 1:
        k = 0                               k = k + 1
        while True:              ->     elif at == 0:
            yield x * k                     k = 0
            k = k + 1                   else:
                                            raise StopIteration
                                        item = x * k
                                        state = 1
                                        total += item

The state tells behind which `yield` a generator waits: 0 where it has not begun, -1 where it has ended, as it
has from an exception on. A body may have one loop with `yield`s, and `yield`s in front of it and behind it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any, TypeAlias

from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.renaming import renamed
from zygpy.transform.bodies import (
    MOST_STATEMENTS,
    Around,
    Body,
    bindings_of,
    may_stand_elsewhere,
    reads_of,
    without_unread_functions,
    yields_in,
)
from zygpy.transform.flatten import flatten
from zygpy.transform.inline import MOST_YIELDS, Find
from zygpy.transform.stopping import STOP, may_stop
from zygpy.transform.targets import bound_to

ITER, NEXT = core.Path(("iter",), "builtin"), core.Path(("next",), "builtin")
PLACES, INT = core.Path(("places",), "helper"), core.Path(("int",), "builtin")

Ends: TypeAlias = "Callable[[core.Block], bool]"
"""Whether nothing that a block calls raises StopIteration, which leaves a generator as another exception."""


def with_asked_in_place(
    program: core.Function, find: Find, builtin: Callable[[core.Path], Any], ends: Ends
) -> core.Function:
    """The program with generators in place that `next` and loops ask for their items; the very same if there
    is none.

    Requires: the program is flattened; see `inline.inlined`. `ends` tells of the bodies of generators.
    """
    if not any(_asks_one(one, builtin) for one in core.walk(program.body)):
        return program
    placer = _Placer(program, find, builtin, ends)
    body = placer.block(program.body, {})
    if not placer.found:
        return program
    return flatten(without_unread_functions(replace(program, body=body)))


def _is_next(statement: core.Statement, builtin: Callable[[core.Path], Any]) -> bool:
    """Whether a statement is `v = next(it)`, or `v = next(it, default)`."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords or op.carried:
        return False
    plain = 0 < len(op.args) < 3 and not any(isinstance(arg, core.Star) for arg in op.args)
    return plain and isinstance(op.args[0], core.Var) and builtin(op.func) is next


def _asks_one(statement: core.Statement, builtin: Callable[[core.Path], Any]) -> bool:
    """Whether a statement asks for one item: by `next`, or as a loop that is left at its end."""
    if isinstance(statement, core.For):
        return isinstance(statement.body[-1], core.Break)
    return _is_next(statement, builtin)


@dataclass
class _Placer:
    program: core.Function
    find: Find
    builtin: Callable[[core.Path], Any]
    ends: Ends
    found: bool = False
    waiting: dict[str, _Machine] = field(default_factory=dict)
    around: Around = field(init=False)

    def __post_init__(self) -> None:
        self.statements = list(core.walk(self.program.body))
        self.reads, self.bound = reads_of(self.statements), bindings_of(self.statements)
        self.around = Around(self.program)
        asks = [one for one in self.statements if _asks_one(one, self.builtin)]
        self.asked = {name for one in asks for name in read(one)}

    def block(self, block: core.Block, made: dict[str, core.MakeFunction]) -> core.Block:
        """The block with generators in place; `made` are the functions that were made before."""
        made = dict(made)
        result: list[core.Statement] = []
        for statement in block:
            if isinstance(statement, core.Assign) and isinstance(statement.op, core.MakeFunction):
                made[statement.target] = statement.op
            machine = self._made(statement, made) if isinstance(statement, core.Assign) else None
            if machine is not None:
                assert isinstance(statement, core.Assign)
                self.waiting[statement.target] = machine
                self.found = True
                result += machine.begun(statement.loc)
            else:
                result += self._asked(statement, made)
        return tuple(result)

    def _made(self, statement: core.Assign, made: dict[str, core.MakeFunction]) -> _Machine | None:
        """The body of the generator that a statement makes, if it is asked by `next` and nobody else knows
        it."""
        op, name = statement.op, statement.target
        if not isinstance(op, core.Call) or name not in self.asked or self.bound[name] != 1:
            return None
        where = next(place for place, one in enumerate(self.statements) if one is statement)
        asking = [one for one in self.statements[where:] if name in read(one)]
        if name in self.program.cells or self.reads[name] != len(asking):
            return None
        if not all(_is_next(one, self.builtin) or _walks(one, name) for one in asking):
            return None
        own = made.get(op.func.name) if isinstance(op.func, core.Var) else None
        if isinstance(op.func, core.Var) and (own is None or self.bound[op.func.name] != 1):
            return None
        body = self.find(op, own, True)
        machine = None if body is None else self._machine(body, asking)
        if machine is not None:
            machine.rests_on = self._asked_by(asking)
        return machine

    def _asked_by(self, asking: list[core.Statement]) -> tuple[core.Path, ...]:
        """The names of `next` that are called no more where a generator is in place."""
        ops = [one.op for one in asking if isinstance(one, core.Assign)]
        paths = [op.func for op in ops if isinstance(op, core.Call) and isinstance(op.func, core.Path)]
        return tuple(dict.fromkeys(path for path in paths if path.scope == "global"))

    def _machine(self, body: Body, asking: list[core.Statement]) -> _Machine | None:
        """The generator by what is done when it is asked, if its body may stand here, as often as it is
        asked."""
        statements = list(core.walk(body.program.body))
        if not 0 < len(yields_in(body.program.body)) <= MOST_YIELDS or any(map(may_stop, statements)):
            return None
        if body.eager or not may_stand_elsewhere(body) or not self.ends(body.program.body):
            return None
        fitting = self.around.fitting(body)
        parts = None if fitting is None else _parts(fitting, self.around, self._is_iterator)
        if fitting is None or parts is None or parts.size * len(asking) > MOST_STATEMENTS:
            return None
        return _Machine(fitting, parts, self.around)

    def _is_iterator(self, name: str) -> bool:
        """Whether a variable holds an iterator, which the program has made."""
        called, args = self._call_of(name)
        if isinstance(called, FunctionType):
            return bool(called.__code__.co_flags & inspect.CO_GENERATOR)
        return called is iter and len(args) == 1

    def _call_of(self, name: str) -> tuple[Any, tuple[core.Atom | core.Star, ...]]:
        """The function whose value a variable holds, and what that is given; None if there is none."""
        made = [one for one in self.statements if name in assigned(one)]
        op = made[0].op if len(made) == 1 and isinstance(made[0], core.Assign) else None
        if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or name in self.program.cells:
            return None, ()
        return (iter if op.func == ITER else self.builtin(op.func)), op.args

    def _asked(self, statement: core.Statement, made: dict[str, core.MakeFunction]) -> core.Block:
        """A statement, or the body of the generator that it asks."""
        machine = next((self.waiting[name] for name in read(statement) if name in self.waiting), None)
        if isinstance(statement, core.If):
            then, orelse = self.block(statement.then, made), self.block(statement.orelse, made)
            return (replace(statement, then=then, orelse=orelse),)
        if isinstance(statement, core.HOLDING):
            statement = replace(statement, body=self.block(statement.body, made))
        if machine is None:
            return (statement,)
        if isinstance(statement, core.For):
            return (machine.walked(statement),)
        assert isinstance(statement, core.Assign)
        assert isinstance(statement.op, core.Call)
        return machine.one(statement, statement.op)


def _walks(statement: core.Statement, name: str) -> bool:
    return isinstance(statement, core.For) and statement.iterable == core.Var(name)


# ------------------------------------------------------------------------------- the parts of a generator


class _UnfitError(Exception):
    """A body is not of the form that stands in place."""


HEAD, END = "head", "end"


@dataclass
class _Parts:
    """What a generator does from each place where it may wait, by states, and what it does in each round of
    its loop (`head`). A part ends in a `yield`, where the state is set, in the next round, or in the end of
    the generator; these are told by `leaving`, which gives what is done there."""

    body: Body
    around: Around
    is_iterator: Callable[[str], bool]
    state: str
    item: str
    loop: core.For | core.Loop | None = None
    after: core.Block = ()
    walk: str = ""
    bounds: dict[str, str] = field(default_factory=dict)
    states: dict[int, int] = field(default_factory=dict)
    rests: dict[int, tuple[core.Block, str]] = field(default_factory=dict)
    size: int = 0
    goes_on: bool = False
    """Whether a part was made that comes to the next round by itself."""

    def part(self, block: core.Block, then: str, leaving: _Leaving) -> core.Block:
        """What is done from the beginning of a block, behind which there is the next round, or the end."""
        result: list[core.Statement] = []
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            if isinstance(statement, core.Break):
                return (*result, *self.part(self.after, END, leaving))
            if isinstance(statement, core.Return):
                return (*result, *leaving.ended(statement.loc))
            if isinstance(statement, core.Assign) and isinstance(statement.op, core.Yield):
                return (*result, *self._given(statement, statement.op, (rest, then), leaving))
            if isinstance(statement, core.For | core.Loop) and yields_in((statement,)):
                return (*result, *self._begun(statement, rest, then))
            if isinstance(statement, core.If) and self._goes_elsewhere(statement):
                arms = (self.part((*arm, *rest), then, leaving) for arm in core.blocks(statement))
                return (*result, replace(statement, then=next(arms), orelse=next(arms)))
            result += renamed((statement,), {})
        self.goes_on |= then == HEAD
        return (*result, *(() if then == HEAD else leaving.ended(core.Loc(1, 0))))

    def _goes_elsewhere(self, statement: core.If) -> bool:
        inner = list(core.of_loop((statement,)))
        return bool(yields_in((statement,))) or any(
            isinstance(one, core.Break | core.Return) for one in inner
        )

    def _given(
        self, statement: core.Assign, op: core.Yield, rest: tuple[core.Block, str], leaving: _Leaving
    ) -> core.Block:
        """A `yield`: the state is what waits behind it, and what is sent is None."""
        sent = core.Assign(statement.target, core.Copy(core.Const(None)), statement.loc)
        block, then = rest
        asked = any(statement.target in read(one) for one in core.walk(self.body.program.body))
        state = self.states.setdefault(id(statement), len(self.states) + 1)
        self.rests[state] = ((sent, *block) if asked else block, then)
        loc = statement.loc
        return (
            core.Assign(self.item, core.Copy(op.value), loc),
            core.Assign(self.state, core.Copy(core.Const(state)), loc),
            *leaving.given(loc),
        )

    def _begun(self, loop: core.For | core.Loop, rest: core.Block, then: str) -> core.Block:
        """What is done in front of the rounds of the loop."""
        if (self.loop not in (None, loop)) or then != END:
            raise _UnfitError
        self.loop, self.after = loop, rest
        if isinstance(loop, core.Loop):
            return ()
        iterable = loop.iterable
        if isinstance(iterable, core.Var) and self.is_iterator(iterable.name):
            self.walk = iterable.name
            return ()
        self.walk = self.walk or _fresh(self.around, "walk")
        if isinstance(iterable, core.Var):
            return (core.Assign(self.walk, core.Call(ITER, (iterable,)), loop.loc),)
        assert isinstance(iterable, core.Iterate)
        numbers = self.around.names.temporary()
        made = core.Assign(numbers, core.Call(iterable.func, _of_range(iterable)), loop.loc)
        return made, *self._numbered(numbers, _of_range(iterable), loop.loc)

    def _numbered(self, numbers: str, args: tuple[core.Atom, ...], loc: core.Loc) -> core.Block:
        """The iterator over the places of a `range`, and what is needed to find its numbers by them."""
        result: list[core.Statement] = [
            core.Assign(self.walk, core.Call(PLACES, (core.Var(numbers),)), loc),
        ]
        for arg, wish in zip(args if len(args) > 1 else (), ("start", "", "step"), strict=False):
            if isinstance(arg, core.Var) and wish:
                known = self.bounds.setdefault(wish, _fresh(self.around, wish))
                result.append(core.Assign(known, core.Call(INT, (arg,)), loc))
        return tuple(result)

    def _number(self, args: tuple[core.Atom, ...], place: str, loc: core.Loc) -> tuple[core.Block, core.Atom]:
        """The number at a place of a `range`."""
        names, found, result = self.around.names, core.Var(place), []
        for op, at, wish in (("*", 2, "step"), ("+", 0, "start")):
            if len(args) > max(at, 1):
                bound = core.Var(self.bounds[wish]) if wish in self.bounds else args[at]
                result.append(core.Assign(name := names.temporary(), core.Binary(op, bound, found), loc))
                found = core.Var(name)
        return tuple(result), found

    def round(self, leaving: _Leaving) -> core.Block:
        """What is done in a round of the loop."""
        loop = self.loop
        assert loop is not None
        if isinstance(loop, core.Loop):
            return self.part(loop.body, HEAD, leaving)
        over, loc = self.around.names.temporary(), loop.loc
        args = _of_range(loop.iterable) if isinstance(loop.iterable, core.Iterate) else None
        if args is None:
            asked: core.Block = (
                core.Assign(over, core.Copy(core.Const(True)), loc),
                core.For(loop.target, core.Var(self.walk), _found(over, loc), loc),
            )
            bound: core.Block = ()
        else:
            place = self.around.names.temporary()
            asked = (
                core.Assign(place, core.Call(NEXT, (core.Var(self.walk), core.Const(-1))), loc),
                core.Assign(over, core.Compare("<", core.Var(place), core.Const(0)), loc),
            )
            found, number = self._number(args, place, loc)
            bound = (*found, *bound_to(loop.target, number, self.around.names, loc))
        after, body = self.part(self.after, END, leaving), self.part(loop.body, HEAD, leaving)
        return (*asked, core.If(core.Var(over), after, (*bound, *body), loc))


@dataclass(frozen=True)
class _Leaving:
    """What is done where an item is given, and where a generator ends."""

    given: Callable[[core.Loc], core.Block]
    ended: Callable[[core.Loc], core.Block]


def _nothing(loc: core.Loc) -> core.Block:
    return ()


def _found(over: str, loc: core.Loc) -> core.Block:
    """The body of a loop that takes one item."""
    return core.Assign(over, core.Copy(core.Const(False)), loc), core.Break(loc)


def _of_range(iterable: core.Iterate) -> tuple[core.Atom, ...]:
    """What a loop's `range` is given."""
    args = tuple(arg for arg in iterable.args if not isinstance(arg, core.Iterate))
    if iterable.func.names != ("range",) or iterable.keywords or len(args) < len(iterable.args):
        raise _UnfitError
    return args


def _fresh(around: Around, wish: str) -> str:
    name = around.names.fresh(wish)
    around.variables.add(name)
    return name


def _parts(body: Body, around: Around, is_iterator: Callable[[str], bool]) -> _Parts | None:
    """The parts of a generator's body; None where it is not of this form."""
    if not _gives_nothing_back(body.program.body):
        return None
    parts = _Parts(body, around, is_iterator, _fresh(around, "state"), _fresh(around, "item"))
    leaving = _Leaving(_nothing, _nothing)
    try:
        made = [parts.part(body.program.body, END, leaving)]
        made += [parts.round(leaving)] if parts.loop is not None else []
        done: set[int] = set()
        while waiting := sorted(parts.rests.keys() - done):
            made += [parts.part(*parts.rests[state], leaving) for state in waiting]
            made += [parts.round(leaving)] if parts.loop is not None else []
            done.update(waiting)
    except _UnfitError:
        return None
    parts.size = sum(1 for one in made for _ in core.walk(one))
    return parts


def _gives_nothing_back(body: core.Block) -> bool:
    """Whether a generator returns None, of which the StopIteration tells nothing."""
    result = body[-1].value if body and isinstance(body[-1], core.Return) else None
    if not isinstance(result, core.Var):
        return result == core.Const(None)
    bound = [one for one in core.walk(body) if result.name in assigned(one)]
    return all(isinstance(one, core.Assign) and one.op == core.Copy(core.Const(None)) for one in bound)


# --------------------------------------------------------------------------------- where it is asked


@dataclass
class _Machine:
    """A generator in place."""

    body: Body
    parts: _Parts
    around: Around
    rests_on: tuple[core.Path, ...] = ()

    def begun(self, loc: core.Loc) -> core.Block:
        """What is done where it is made."""
        names, start = self.around.names, core.Assign(self.parts.state, core.Copy(core.Const(0)), loc)
        reads = (core.Assign(names.temporary(), core.Read(path), loc) for path in self.rests_on)
        return (*self.body.begun_by(names, loc), *reads, start)

    def one(self, statement: core.Assign, op: core.Call) -> core.Block:
        """What stands for `v = next(it)`, with a default or without."""
        loc, item = statement.loc, self.parts.item
        given = core.Assign(statement.target, core.Copy(core.Var(item)), loc)
        if len(op.args) == 2:
            default = op.args[1]
            assert not isinstance(default, core.Star)
            otherwise = core.Assign(item, core.Copy(default), loc)
            return (otherwise, *self._asked(loc, _nothing, raises=False), given)

        def stop(_: core.Loc) -> core.Block:
            error = self.around.names.temporary()
            return core.Assign(error, core.Call(STOP, ()), loc), core.Raise(core.Var(error), None, loc)

        return (*self._asked(loc, stop, raises=True), given)

    def walked(self, loop: core.For) -> core.Loop:
        """A loop that takes the items that are left."""
        loc, over = loop.loc, _fresh(self.around, "over")

        def ended(_: core.Loc) -> core.Block:
            return (core.Assign(over, core.Copy(core.Const(True)), loc),)

        asked = self._asked(loc, ended, raises=False)
        bound = bound_to(loop.target, core.Var(self.parts.item), self.around.names, loc)
        body = (
            core.Assign(over, core.Copy(core.Const(False)), loc),
            *asked,
            core.If(core.Var(over), (core.Break(loc),), (*bound, *loop.body), loc),
        )
        return core.Loop(body, loc)

    def _asked(self, loc: core.Loc, ended: Callable[[core.Loc], core.Block], *, raises: bool) -> core.Block:
        """What is done when it is asked, to the next item or the end."""
        parts, more, at = self.parts, _fresh(self.around, "more"), _fresh(self.around, "at")
        unset = core.Assign(more, core.Copy(core.Const(False)), loc)
        looped = parts.loop is not None

        def flagged(what: Callable[[core.Loc], core.Block]) -> Callable[[core.Loc], core.Block]:
            return (lambda where: (*what(where), *renamed((unset,), {}))) if looped else what

        leaving = _Leaving(flagged(_nothing), ended if raises else flagged(ended))
        begun = (
            core.Assign(at, core.Copy(core.Var(parts.state)), loc),
            core.Assign(parts.state, core.Copy(core.Const(-1)), loc),
        )
        before = self._from_where_it_waits(loc, at, leaving)
        if not looped:
            return (*begun, *before)
        rounds = self._rounds(loc, ended, raises=raises)
        if not any(more in assigned(one) for one in core.walk(before)):
            return (*begun, *before, *rounds)
        start = core.Assign(more, core.Copy(core.Const(True)), loc)
        return (*begun, start, *before, core.If(core.Var(more), rounds, (), loc))

    def _from_where_it_waits(self, loc: core.Loc, at: str, leaving: _Leaving) -> core.Block:
        """What is done in front of the next round, or of the item or the end that comes without one."""
        parts = self.parts
        starts = [(state, parts.part(*rest, leaving)) for state, rest in sorted(parts.rests.items())]
        starts = [*reversed(starts), (0, parts.part(self.body.program.body, END, leaving))]
        otherwise = leaving.ended(loc)
        for state, part in reversed(starts):
            test = self.around.names.temporary()
            asked = core.Assign(test, core.Compare("==", core.Var(at), core.Const(state)), loc)
            otherwise = (asked, core.If(core.Var(test), part, otherwise, loc))
        return otherwise

    def _rounds(self, loc: core.Loc, ended: Callable[[core.Loc], core.Block], *, raises: bool) -> core.Block:
        """The rounds of the loop to the next item or the end: one, where each gives one."""
        self.parts.goes_on = False
        made = self.parts.round(_Leaving(_nothing, ended))
        if not self.parts.goes_on:
            return made

        def given(where: core.Loc) -> core.Block:
            return (core.Break(where),)

        leaving = _Leaving(given, ended if raises else lambda where: (*ended(where), *given(where)))
        return (core.Loop(self.parts.round(leaving), loc),)
