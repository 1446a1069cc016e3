"""Bodies of `try` in parts, so that of each part either everything has happened, or nothing that could
be noticed.

What a body has done before it fails is noticed where a handler, or what follows, reads a variable that
the body assigned, or looks into something that it changed. Behind every such statement a part ends:

    attempt failure:            attempt failure:
        y = x * x                   y = x * x
        z = 1 / w                if failure is None:
                                     attempt failure:
                                         z = 1 / w

A loop with such statements is opened: an iteration that fails leaves it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from zygpy.analyse.building import building_statements
from zygpy.analyse.callees import Callees
from zygpy.analyse.liveness import live_after
from zygpy.analyse.unbound_reads import unbound_reads
from zygpy.analyse.unseen import LOOKS
from zygpy.ir import core
from zygpy.ir.access import assigned, assigned_inside, leaves, read
from zygpy.ir.names import Names
from zygpy.transform.targets import bound_to

ITER = core.Path(("iter",), "builtin")
DELEGATED = core.Path(("delegated",), "helper")
"""A step of `yield from`: whether there is an item, and the item."""

MAXIMUM_DEPTH = 24
"""So many parts are nested in one another at most."""

CHANGES = (
    core.AugmentName,
    core.AugmentItem,
    core.AugmentAttr,
    core.SetItem,
    core.SetAttr,
    core.DelItem,
    core.DelAttr,
    core.DelCell,
    core.WriteCell,
    core.WriteGlobal,
)
"""Statements that may change what was there before."""


def split_attempts(
    function: core.Function, callees: Callees, *, objects: bool, quiet: Collection[int] = ()
) -> core.Function:
    """Split every attempt of a program.

    Requires: the program is flattened, and what its attempts change is spelled out; `callees` tell what its
    names stand for. With `objects`, operations may be on objects whose methods do anything, but for those
    whose `id` is in `quiet`.
    Ensures: when an `Attempt` fails, nothing that its body has done can be noticed, apart from what
    its last statement has.
    """
    if not has_attempts(function):
        return function
    mentioned = {name for statement in core.walk(function.body) for name in _mentions(statement)}
    names = Names({*mentioned, *function.params.names})
    doubtful, building = unbound_reads(function), building_statements(function)
    splitter = _Splitter(names, live_after(function), callees, objects, quiet, doubtful, building)
    return replace(function, body=splitter.block(function.body))


def has_attempts(function: core.Function) -> bool:
    """Whether there is a `try` in a program, or what comes down to one."""
    return any(isinstance(statement, core.Attempt) for statement in core.walk(function.body))


def _mentions(statement: core.Statement) -> set[str]:
    return assigned(statement) | read(statement)


def catching(function: core.Function) -> core.Function:
    """The program with an exception as a value: it gives `(y, None)`, or `(None, failure)`."""
    *body, last = function.body
    assert isinstance(last, core.Return)
    mentioned = {name for statement in core.walk(function.body) for name in _mentions(statement)}
    names = Names({*mentioned, *function.params.names, *function.captured})
    failure, result, both = names.fresh("failure"), names.fresh("value"), names.temporary()
    loc = last.loc
    return replace(
        function,
        body=(
            core.Assign(result, core.Copy(core.Const(None)), loc),
            core.Attempt(failure, (*body, core.Assign(result, core.Copy(last.value), loc)), loc),
            core.Assign(both, core.Display("tuple", (core.Var(result), core.Var(failure))), loc),
            core.Return(core.Var(both), loc),
        ),
    )


@dataclass
class _Splitter:
    names: Names
    live: Mapping[int, frozenset[str]]
    callees: Callees
    objects: bool
    quiet: Collection[int]
    doubtful: Collection[int]
    """Statements that read variables which may have no value, so that they may fail."""
    building: Mapping[int, str]
    """Statements by which comprehensions put items into what they make, which nobody else knows yet."""

    def block(self, block: core.Block) -> core.Block:
        """The block with the attempts in it split."""
        return tuple(part for statement in block for part in self._statement(statement))

    def _statement(self, statement: core.Statement) -> core.Block:
        match statement:
            case core.If():
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                return (replace(statement, then=then, orelse=orelse),)
            case core.For() | core.Loop() | core.With() | core.Handle():
                return (replace(statement, body=self.block(statement.body)),)
            case core.Attempt(failure, body, loc) if failure is not None:
                noticed = assigned_inside(body) & self.live[id(statement)]
                opener = _Opener(self, failure, frozenset(noticed), loc)
                return opener.attempt(self.block(body))
        return (statement,)


@dataclass(frozen=True)
class _Opener:
    """The parts of one attempt; `noticed` are the variables that are read behind it."""

    splitter: _Splitter
    failure: str
    noticed: frozenset[str]
    loc: core.Loc

    def attempt(self, body: core.Block) -> core.Block:
        """The attempt, in parts if that is needed."""
        body = self._spelled(body)
        last = body[-1] if body else None
        alone = last is None or not (self.is_opened(last) or self._is_caught(last))
        if alone and not any(map(self.is_noticed, body[:-1])) and not self._makes_what_it_raises(body):
            return (core.Attempt(self.failure, body, self.loc),)
        start = core.Assign(self.failure, core.Copy(core.Const(None)), self.loc)
        parts = self._in_chunks(body)
        if any(isinstance(statement, core.For) for statement in _around(parts)):
            parts = (core.Attempt(None, parts, self.loc),)
        return (start, *parts)

    def _makes_what_it_raises(self, body: core.Block) -> bool:
        """Whether what a body raises at its end may be made in it: raising alone leaves nothing behind."""
        return self.splitter.objects and len(body) > 1 and isinstance(body[-1], core.Raise)

    def _in_chunks(self, block: core.Block) -> core.Block:
        """The block in parts; what would nest too deep is asked for again."""
        out: list[core.Statement] = []
        for first in range(0, len(block), MAXIMUM_DEPTH):
            chunk = self.opened(block[first : first + MAXIMUM_DEPTH])
            out.extend(chunk if first == 0 else self._where_fine(chunk))
        return tuple(out)

    def is_noticed(self, statement: core.Statement) -> bool:
        """Whether it can be noticed that a statement, or one inside it, has run."""
        return any(map(self._is_noticed, core.walk((statement,))))

    def is_opened(self, statement: core.Statement) -> bool:
        """Whether parts end inside a statement."""
        if isinstance(statement, core.Attempt) or self._walks(statement):
            return True
        inside = [inner for block in core.blocks(statement) for inner in block]
        return any(map(self.is_noticed, inside))

    def _walks(self, statement: core.Statement) -> bool:
        """Whether a loop may run code of the user's for each item."""
        if not isinstance(statement, core.For) or not self.splitter.objects:
            return False
        return not isinstance(statement.iterable, core.Iterate) or statement.iterable.func.names != ("range",)

    def _is_noticed(self, statement: core.Statement) -> bool:
        if self._is_built_unseen(statement):
            return False
        if isinstance(statement, (*CHANGES, core.Break)) or not self.noticed.isdisjoint(assigned(statement)):
            return True
        if isinstance(statement, core.Attempt | core.Handle) or self._walks(statement):
            return True
        if isinstance(statement, core.Unpack | core.Raise):  # what is raised alone is recorded elsewhere
            return self.splitter.objects
        return isinstance(statement, core.Assign) and self._acts(statement.op)

    def _is_built_unseen(self, statement: core.Statement) -> bool:
        """Whether a comprehension is given an item, of which nothing is left if another item fails."""
        made = self.splitter.building.get(id(statement))
        return made is not None and made not in self.noticed

    def _acts(self, op: core.Op) -> bool:
        if id(op) in self.splitter.quiet:
            return False
        if isinstance(op, core.Call):
            return not (isinstance(op.func, core.Path) and self.splitter.callees.changes_nothing(op.func))
        looks = self.splitter.objects and isinstance(op, LOOKS)
        return looks or isinstance(op, core.CallMethod | core.Yield)

    def opened(self, block: core.Block, *, loop: bool = False) -> core.Block:
        """The block in parts; in a loop's own body, one that fails leaves the loop."""
        part: list[core.Statement] = []
        block = self._spelled(block)
        for index, statement in enumerate(block):
            if isinstance(statement, core.Break):
                return (*self._attempt(part), statement)
            if isinstance(statement, core.Raise):
                raised = block[index:] if part else ()  # what follows it is never reached
                first = part or [statement]
                return (*self._attempt(first), *self._rest(raised, loop=loop))
            if self.is_noticed(statement):
                return self._noticed_in(part, statement, block[index + 1 :], loop=loop)
            part.append(statement)
        return (*self._attempt(part), *(() if self._are_safe(part) else self._rest((), loop=loop)))

    def _noticed_in(
        self, part: list[core.Statement], statement: core.Statement, rest: core.Block, *, loop: bool
    ) -> core.Block:
        """The block from a statement on that is noticed, with what comes before it."""
        if self.is_opened(statement):
            if not self._are_safe(part):
                part, sure = self._without_sure(part)
                return (*self._attempt(part), *self._rest((*sure, statement, *rest), loop=loop))
            inside = self._inside(statement, loop=loop)
            follow = self._rest if self._may_fail(inside) else self.opened
            return (*part, inside, *follow(rest, loop=loop))
        if self._are_safe([*part, statement]):
            return (*part, statement, *self.opened(rest, loop=loop))
        if self._is_caught(statement):
            if _suspends(statement) and not self._are_safe(part):
                return (*self._attempt(part), *self._rest((statement, *rest), loop=loop))
            return self._call(part, statement, rest, loop=loop)
        return (*self._attempt([*part, statement]), *self._rest(rest, loop=loop))

    def _attempt(self, part: list[core.Statement]) -> core.Block:
        if self._are_safe(part):
            return tuple(part)
        return (core.Attempt(self.failure, tuple(part), part[0].loc),)

    def _is_caught(self, statement: core.Statement) -> bool:
        """Whether a statement is a call that may be left in the middle, when something has changed."""
        op = statement.op if isinstance(statement, core.Assign) else None
        if isinstance(op, core.Yield):
            return True
        called = isinstance(op, core.Call | core.CallMethod) and id(op) not in self.splitter.quiet
        return called and self.splitter.objects and self._is_noticed(statement)

    def _are_safe(self, part: Sequence[core.Statement]) -> bool:
        """Whether the statements cannot fail: they set flags, and ask for failures, or what numbers are."""
        asked: set[str] = set()
        for statement in part:
            if id(statement) in self.splitter.doubtful:
                return False
            match statement:
                case core.Assign(_, core.Copy(core.Const())):
                    pass
                case core.Assign(name, core.Compare("is" | "is not", _, core.Const(None))):
                    asked.add(name)
                case core.Assign(name, core.Call(core.Path() as callee)) if self.splitter.callees.never_fails(
                    callee
                ):
                    asked.add(name)
                case core.Assign(_, core.Truth(core.Var(name))) if name in asked:
                    pass
                case _:
                    return False
        return True

    def _without_sure(self, part: list[core.Statement]) -> tuple[list[core.Statement], list[core.Statement]]:
        """What comes before the statements at the end that cannot fail, and these."""
        first = next(place for place in range(len(part) + 1) if self._are_safe(part[place:]))
        return part[:first], part[first:]

    def _call(
        self, part: list[core.Statement], statement: core.Statement, rest: core.Block, *, loop: bool
    ) -> core.Block:
        """A call whose exception is a value, so that what it did before is recorded."""
        assert isinstance(statement, core.Assign)
        assert isinstance(statement.op, core.Call | core.CallMethod | core.Yield)
        names, loc = self.splitter.names, statement.loc
        both, value = names.temporary(), names.temporary()
        call = core.Assign(both, core.Caught(statement.op), loc)
        parted = core.Unpack((value, self.failure), None, core.Var(both), loc)
        taken = core.Assign(statement.target, core.Copy(core.Var(value)), loc)
        behind = self._checked((taken, *self.opened(rest, loop=loop)), loop=loop)
        if _suspends(statement):  # which does not fail, with its exception as a value
            return (*part, call, parted, *behind)
        return (*self._attempt([*part, call]), *self._checked((parted, *behind), loop=loop))

    def _checked(self, block: core.Block, *, loop: bool) -> core.Block:
        """What runs where nothing has failed."""
        if not loop:
            return self._where_fine(block)
        test = self.splitter.names.temporary()
        failed = core.Assign(test, self._is("is not"), self.loc)
        leave = core.If(core.Var(test), (core.Break(self.loc),), (), self.loc)
        return (failed, leave, *block)

    def _may_fail(self, statement: core.Statement) -> bool:
        """Whether a statement that is in parts may set the failure."""
        return any(self.failure in assigned(inner) for inner in core.walk((statement,)))

    def _rest(self, block: core.Block, *, loop: bool) -> core.Block:
        """What follows a part that may have failed: it runs where it has not."""
        if not block and not loop:
            return ()
        return self._checked(self.opened(block, loop=loop), loop=loop)

    def _where_fine(self, block: core.Block) -> core.Block:
        test = self.splitter.names.temporary()
        fine = core.Assign(test, self._is("is"), self.loc)
        return (fine, core.If(core.Var(test), block, (), self.loc))

    def _is(self, operator: str) -> core.Op:
        return core.Compare(operator, core.Var(self.failure), core.Const(None))

    def _spelled(self, block: core.Block) -> core.Block:
        """The block with loops that may run code for each item spelled out, as that may fail."""
        return tuple(part for statement in block for part in self._spelled_loop(statement))

    def _spelled_loop(self, loop: core.Statement) -> core.Block:
        if not isinstance(loop, core.For) or not self._walks(loop):
            return (loop,)
        names, loc, before = self.splitter.names, loop.loc, list[core.Statement]()
        walked = self._iterator(loop.iterable, loc, before)
        iterator, step, more, item, test = (names.temporary() for _ in range(5))
        before.append(core.Assign(iterator, core.Call(ITER, (walked,)), loc))
        given = (core.Var(iterator), core.Const(None), core.Const(None))
        body = (
            core.Assign(step, core.Call(DELEGATED, given), loc),
            core.Unpack((more, item), None, core.Var(step), loc),
            core.Assign(test, core.Truth(core.Var(more)), loc),
            core.If(core.Var(test), (), (core.Break(loc),), loc),
            *bound_to(loop.target, core.Var(item), names, loc),
            *loop.body,
        )
        return (*before, core.Loop(body, loc))

    def _iterator(
        self, iterable: core.Atom | core.Iterate, loc: core.Loc, before: list[core.Statement]
    ) -> core.Atom:
        if not isinstance(iterable, core.Iterate):
            return iterable
        args = tuple(self._iterator(arg, loc, before) for arg in iterable.args)
        made = self.splitter.names.temporary()
        before.append(core.Assign(made, core.Call(iterable.func, args, iterable.keywords), loc))
        return core.Var(made)

    def _inside(self, statement: core.Statement, *, loop: bool) -> core.Statement:
        """A statement with its own blocks in parts."""
        match statement:
            case core.If():
                arms = [self._arm(arm) for arm in (statement.then, statement.orelse)]
                return replace(statement, then=arms[0], orelse=arms[1])
            case core.For() | core.Loop():
                return replace(statement, body=self.opened(statement.body, loop=True))
            case core.With() | core.Handle():
                return replace(statement, body=self.opened(statement.body))
        assert isinstance(statement, core.Attempt)
        if statement.failure is None:
            return replace(statement, body=self.opened(statement.body))
        return statement

    def _arm(self, arm: core.Block) -> core.Block:
        if leaves(arm) and isinstance(arm[-1], core.Break):
            return (*self.opened(arm[:-1]), arm[-1])
        return self.opened(arm)


def _suspends(statement: core.Statement) -> bool:
    """Whether a statement is a `yield`."""
    return isinstance(statement, core.Assign) and isinstance(statement.op, core.Yield)


def _around(block: core.Block) -> Iterator[core.Statement]:
    """The statements of a block and those inside them that are in no attempt."""
    for statement in block:
        yield statement
        if not isinstance(statement, core.Attempt):
            for inner in core.blocks(statement):
                yield from _around(inner)
