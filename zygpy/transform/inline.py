"""Generators that are asked for all their items where they are made: their bodies run in place.

    for y in g(x):              k = 0
        total += y       ->     while k < 3:
                                    y = x * k
                                    total += y
                                    k = k + 1

Python does the same in the same order: the body of a generator runs where its items are asked for, and nobody
else knows it. A builtin that takes all items before it does anything is given a list of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from zygpy.ir import core
from zygpy.ir.access import assigned, assigned_inside, iterable_atoms, read
from zygpy.ir.names import Names
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
from zygpy.transform.loops_over_builtins import over_calls
from zygpy.transform.stopping import Ends, is_told_apart, may_stop, told_apart
from zygpy.transform.targets import bound_to

MOST_YIELDS = 4
"""So many `yield`s a body may have: what is done with an item is written behind each."""

TAKING: Mapping[Any, frozenset[str]] = {
    **dict.fromkeys((list, tuple, set, frozenset, dict), frozenset()),
    sum: frozenset({"start"}),
    min: frozenset({"default"}),
    max: frozenset({"default"}),
    sorted: frozenset({"key", "reverse"}),
}
"""Builtins that take all items of an iterator before they do anything else, with such keywords at most."""


Find: TypeAlias = "Callable[[core.Call, core.MakeFunction | None, bool], Body | None]"
"""From a call, the function that it calls if the program makes that, and whether a loop takes the items."""


Takes: TypeAlias = "Callable[[core.Call, str], bool]"
"""Whether a call takes all items of what a variable holds before it does anything else."""


OfMethod: TypeAlias = "Callable[[core.Statement, core.CallMethod], Body | None]"
"""From a statement that calls a method, or walks over an object by one, and that call."""


def of_no_method(statement: core.Statement, call: core.CallMethod) -> None:
    """Nothing is known of methods."""


def inlined(
    program: core.Function,
    find: Find,
    builtin: Callable[[core.Path], Any],
    takes: Takes,
    ends: Ends,
    of_method: OfMethod = of_no_method,
) -> core.Function:
    """The program with such generators in place; the very same if there is none.

    Requires: the program is flattened. `find` gives the body of what a call makes, if it is a generator
    function that is known (for a function that the program makes, where it is made), and `of_method` that of
    what a method makes, `builtin` what a path leads to, `takes` tells of functions and classes of the
    program whether they take all items first, and `ends` of the statements of a generator whether they may
    raise StopIteration.
    """
    if not any(_may_make(statement) for statement in core.walk(program.body)):
        return program
    inliner = _Inliner(program, find, builtin, takes, ends, of_method)
    body = inliner.block(program.body, {})
    if not inliner.found:
        return program
    return over_calls(flatten(without_unread_functions(replace(program, body=body))), builtin)


def _may_make(statement: core.Statement) -> bool:
    """Whether a statement may make a generator: by a call, or by a loop over an object."""
    return isinstance(statement, core.For) or _makes(statement) is not None


def _makes(statement: core.Statement) -> core.Call | core.CallMethod | None:
    """The call whose value a variable holds."""
    op = statement.op if isinstance(statement, core.Assign) else None
    return op if isinstance(op, core.Call | core.CallMethod) else None


@dataclass
class _Inliner:
    program: core.Function
    find: Find
    builtin: Callable[[core.Path], Any]
    takes: Takes
    ends: Ends
    of_method: OfMethod
    found: bool = False
    around: Around = field(init=False)

    def __post_init__(self) -> None:
        statements = list(core.walk(self.program.body))
        self.reads, self.bound = reads_of(statements), bindings_of(statements)
        self.around = Around(self.program)

    @property
    def names(self) -> Names:
        """Fresh names."""
        return self.around.names

    def block(self, block: core.Block, made: dict[str, core.MakeFunction]) -> core.Block:
        """The block with generators in place; `made` are the functions that were made before."""
        made = dict(made)
        result: list[core.Statement] = []
        waiting: dict[str, Body] = {}
        for place, given in enumerate(block):
            statement = self._inside(given, made)
            if isinstance(statement, core.Assign) and isinstance(statement.op, core.MakeFunction):
                made[statement.target] = statement.op
            body = self._begun(statement, made, block[place + 1 :])
            walked = self._walked(given, waiting)
            if walked is not None:
                assert isinstance(statement, core.For)
                result += (
                    *walked.begun(self.names, statement.loc),
                    *_Loop(self, statement).over(walked.rest()),
                )
                self.found = True
            elif body is not None:
                assert isinstance(statement, core.Assign)
                waiting[statement.target] = body.rest()
                result = self._without_iterator(result, body)
                result += body.begun(self.names, statement.loc)
                self.found = True
            else:
                result += self._taken(statement, waiting)
        return tuple(result)

    def _inside(self, statement: core.Statement, made: dict[str, core.MakeFunction]) -> core.Statement:
        if isinstance(statement, core.If):
            then, orelse = self.block(statement.then, made), self.block(statement.orelse, made)
            return replace(statement, then=then, orelse=orelse)
        if isinstance(statement, core.HOLDING):
            return replace(statement, body=self.block(statement.body, made))
        return statement

    # -- where a generator is made, and where its items are asked for

    def _begun(
        self, statement: core.Statement, made: dict[str, core.MakeFunction], ahead: Sequence[core.Statement]
    ) -> Body | None:
        """The body of the generator that a statement makes, if what takes its items is further on in the same
        block and nothing else knows it."""
        call = _makes(statement)
        if call is None:
            return None
        assert isinstance(statement, core.Assign)
        target = statement.target
        if self.reads[target] != 1 or self.bound[target] != 1 or target in self.program.cells:
            return None
        taking = next((one for one in ahead if target in read(one)), None)
        if taking is None or not self._takes(taking, target):
            return None
        body = self._body(statement, call, made, looped=isinstance(taking, core.For | core.Unpack))
        return None if body is None else self._fitting(body, taking)

    def _body(
        self,
        statement: core.Statement,
        call: core.Call | core.CallMethod,
        made: dict[str, core.MakeFunction],
        *,
        looped: bool,
    ) -> Body | None:
        """The body of what a call makes, if that is known."""
        if isinstance(call, core.CallMethod):
            return self.of_method(statement, call)
        own = None
        if isinstance(call.func, core.Var):
            own = made.get(call.func.name)
            if own is None or self.bound[call.func.name] != 1:
                return None
        return self.find(call, own, looped)

    def _walked(self, statement: core.Statement, waiting: dict[str, Body]) -> Body | None:
        """The body of the generator that a loop over an object asks for its items."""
        if not isinstance(statement, core.For):
            return None
        walked = next(iterable_atoms(statement.iterable), None)
        if not isinstance(walked, core.Var) or walked.name in waiting:
            return None
        if statement.iterable != walked and not self._counts(statement, walked.name):
            return None
        body = self.of_method(statement, core.CallMethod(walked, "__iter__", ()))
        return None if body is None else self._fitting(body, statement)

    def _takes(self, statement: core.Statement, name: str) -> bool:
        """Whether a statement asks for the items of a generator, and sends it nothing."""
        if isinstance(statement, core.For):
            return statement.iterable == core.Var(name) or self._counts(statement, name)
        if isinstance(statement, core.Unpack):
            return True
        op = statement.op if isinstance(statement, core.Assign) else None
        if isinstance(op, core.Display):
            return op.items.count(core.Star(core.Var(name))) == 1
        if not isinstance(op, core.Call) or not isinstance(op.func, core.Path):
            return False
        callee = self.builtin(op.func)
        if core.Star(core.Var(name)) in op.args:
            return callee is not None
        return self._takes_first(callee, op, name) or self.takes(op, name)

    def _takes_first(self, callee: Any, op: core.Call, name: str) -> bool:
        """Whether a call of a builtin does."""
        if op.args[:1] != (core.Var(name),):
            return False
        keywords = TAKING.get(callee) if callable(callee) else None
        if keywords is None or len(op.args) > 1 + (callee is sum) or isinstance(op.args[-1], core.Star):
            return False
        return all(keyword.name in keywords for keyword in op.keywords)

    def _counts(self, loop: core.For, name: str) -> bool:
        """Whether a loop walks over `enumerate(g)`."""
        iterable = loop.iterable
        return (
            isinstance(iterable, core.Iterate)
            and iterable.args == (core.Var(name),)
            and not iterable.keywords
            and isinstance(loop.target, tuple)
            and len(loop.target) == 2
            and self.builtin(iterable.func) is enumerate
        )

    def _fitting(self, body: Body, taking: core.Statement) -> Body | None:
        """A body whose variables have names of their own here, if it may stand here."""
        statements = list(core.walk(body.program.body))
        yields = len(yields_in(body.program.body))
        inside = len(list(core.walk(taking.body))) if isinstance(taking, core.For) else 1
        if not yields or yields > MOST_YIELDS or len(statements) + yields * inside > MOST_STATEMENTS:
            return None
        if any(map(may_stop, statements)) or not may_stand_elsewhere(body):
            return None
        if not is_told_apart(body.program.body, self.ends):
            return None
        fitting = self.around.fitting(body)
        return None if fitting is None else self._told_apart(fitting)

    def _told_apart(self, body: Body) -> Body:
        """The body with RuntimeErrors for StopIterations that leave it."""
        program = body.program
        told = told_apart(program.body, self.ends, self.names)
        self.around.variables |= assigned_inside(told)
        return replace(body, program=replace(program, body=told))

    def _without_iterator(self, block: list[core.Statement], body: Body) -> list[core.Statement]:
        """The statements in front of a generator that begins with a loop over what it is given: an iterator
        that is made for it alone is what the loop makes itself."""
        first = body.program.body[0]
        if not isinstance(first, core.For) or not isinstance(first.iterable, core.Var):
            return block
        walked = first.iterable.name
        given = dict(body.given).get(walked, first.iterable)  # which may have kept its name
        if not isinstance(given, core.Var) or self.reads[given.name] != 1 or self.bound[given.name] != 1:
            return block
        if sum(walked in read(one) for one in core.walk(body.program.body)) != 1:
            return block
        return [part for one in block for part in self._iterated(one, given.name)]

    def _iterated(self, statement: core.Statement, name: str) -> core.Block:
        op = statement.op if isinstance(statement, core.Assign) and statement.target == name else None
        if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or len(op.args) != 1:
            return (statement,)
        given = op.args[0]
        if self.builtin(op.func) is not iter or isinstance(given, core.Star):
            return (statement,)
        begun = core.Assign(name, core.Copy(given, "iter"), statement.loc)
        return (*self.rests_on(op.func, statement.loc), begun)

    def rests_on(self, path: core.Path, loc: core.Loc) -> core.Block:
        """A name is read that is not called any more, as what it names is what everything rests on."""
        return (core.Assign(self.names.temporary(), core.Read(path), loc),) if path.scope == "global" else ()

    # -- in place

    def _taken(self, statement: core.Statement, waiting: dict[str, Body]) -> core.Block:
        """A statement, or the body of the generator whose items it takes."""
        name = next((name for name in read(statement) if name in waiting), None)
        if name is None:
            return (statement,)
        body = waiting.pop(name)
        if isinstance(statement, core.For):
            return _Loop(self, statement).over(body)
        listed, loc = self.names.temporary(), statement.loc
        if isinstance(statement, core.Unpack) and statement.star is None:
            begun, loop = _as_many_as_wanted(statement, listed, self.names)
            return (*begun, *_Loop(self, loop).over(body), replace(statement, value=core.Var(listed)))

        def append(item: core.Atom, in_loop: bool) -> core.Block:
            call = core.CallMethod(core.Var(listed), "append", (item,))
            return (core.Assign(self.names.temporary(), call, loc),)

        return (
            core.Assign(listed, core.Display("list", ()), loc),
            *_with_items(body.program, append),
            *renamed((statement,), {name: listed}),
        )


def _as_many_as_wanted(statement: core.Unpack, listed: str, names: Names) -> tuple[core.Block, core.For]:
    """What `a, b = g` asks for, put into a list: one item more than there are names, if there is one, as that
    is one too many."""
    loc, counted, item = statement.loc, names.temporary(), names.temporary()
    more, truth = names.temporary(), names.temporary()
    body: core.Block = (
        core.Assign(names.temporary(), core.CallMethod(core.Var(listed), "append", (core.Var(item),)), loc),
        core.Assign(counted, core.Binary("+", core.Var(counted), core.Const(1)), loc),
        core.Assign(more, core.Compare(">", core.Var(counted), core.Const(len(statement.targets))), loc),
        core.Assign(truth, core.Truth(core.Var(more)), loc),
        core.If(core.Var(truth), (core.Break(loc),), (), loc),
    )
    begun = (
        core.Assign(listed, core.Display("list", ()), loc),
        core.Assign(counted, core.Copy(core.Const(0)), loc),
    )
    return begun, core.For(item, statement.value, body, loc)


@dataclass
class _Loop:
    """A loop over a generator, whose body comes to stand in the generator's."""

    inliner: _Inliner
    loop: core.For
    first: bool = True

    def over(self, body: Body) -> core.Block:
        """The generator's body, with the loop's behind each item."""
        before: core.Block = ()
        counter = ""
        if isinstance(self.loop.iterable, core.Iterate):
            counter = self._fresh("count")
            start = core.Assign(counter, core.Copy(core.Const(0)), self.loop.loc)
            before = (*self.inliner.rests_on(self.loop.iterable.func, self.loop.loc), start)
        flag = self._fresh("left") if _leaves(self.loop.body) else ""
        if flag:
            before = (*before, core.Assign(flag, core.Copy(core.Const(False)), self.loop.loc))
        in_place = _with_items(body.program, lambda item, alone: self._with(item, counter, flag, alone))
        made = (*before, *(_Leaving(flag).block(in_place, in_loop=False)[0] if flag else in_place))
        return made if not flag or _is_asked(made, flag) else _without(made, flag)

    def _with(self, item: core.Atom, counter: str, flag: str, in_loop: bool) -> core.Block:
        """The loop's body for an item."""
        loop, loc, names = self.loop, self.loop.loc, self.inliner.names
        target = loop.target
        counted: core.Block = ()
        if counter:
            assert isinstance(target, tuple)
            place, target = target
            counted = (
                *bound_to(place, core.Var(counter), names, loc),
                core.Assign(counter, core.Binary("+", core.Var(counter), core.Const(1)), loc),
            )
        body = loop.body if self.first else renamed(loop.body, {})
        self.first = False
        body = _with_flag(body, flag, leave=in_loop) if flag else body
        return (*counted, *bound_to(target, item, names, loc), *body)

    def _fresh(self, wish: str) -> str:
        name = self.inliner.names.fresh(wish)
        self.inliner.around.variables.add(name)
        return name


def _with_flag(block: core.Block, flag: str, *, leave: bool) -> core.Block:
    """The body of a loop that sets a flag where it left the loop: it leaves the loop that it stands in, or
    goes to its own end."""
    result: list[core.Statement] = []
    for place, statement in enumerate(block):
        if isinstance(statement, core.Break):
            left = core.Assign(flag, core.Copy(core.Const(True)), statement.loc)
            return (*result, left, statement) if leave else (*result, left)
        if not isinstance(statement, core.If) or not _leaves((statement,)):
            result.append(statement)
            continue
        then, orelse = (_with_flag(arm, flag, leave=leave) for arm in (statement.then, statement.orelse))
        result.append(replace(statement, then=then, orelse=orelse))
        rest = _with_flag(block[place + 1 :], flag, leave=leave)
        if leave or not rest:
            return (*result, *rest)
        return (*result, core.If(core.Var(flag), (), rest, statement.loc))
    return tuple(result)


def _is_asked(block: core.Block, flag: str) -> bool:
    return any(flag in read(statement) for statement in core.walk(block))


def _without(block: core.Block, flag: str) -> core.Block:
    """The block without a flag that nobody asks."""
    return core.rewritten(block, lambda statement: () if flag in assigned(statement) else (statement,))


def _leaves(block: core.Block) -> bool:
    """Whether the body of a loop may leave it."""
    return any(isinstance(inner, core.Break) for inner in core.of_loop(block))


@dataclass(frozen=True)
class _Leaving:
    """Blocks in which nothing more is done once a flag is set; where a loop was left by it already, it is
    asked behind the loop."""

    flag: str

    def block(self, block: core.Block, *, in_loop: bool) -> tuple[core.Block, bool]:
        """The block, and whether it may go to its end with the flag set."""
        result: list[core.Statement] = []
        for place, statement in enumerate(block):
            inside, may_be_set = self._statement(statement, block[place + 1 : place + 2])
            result.append(inside)
            if may_be_set:
                rest, _ = self.block(block[place + 1 :], in_loop=in_loop)
                stop: core.Block = (core.Break(statement.loc),) if in_loop else ()
                if stop or rest:
                    result.append(core.If(core.Var(self.flag), stop, rest, statement.loc))
                return tuple(result), True
        return tuple(result), False

    def _statement(self, statement: core.Statement, behind: core.Block) -> tuple[core.Statement, bool]:
        if isinstance(statement, core.If):
            then, one = self.block(statement.then, in_loop=False)
            orelse, other = self.block(statement.orelse, in_loop=False)
            return replace(statement, then=then, orelse=orelse), one or other
        if isinstance(statement, core.For | core.Loop):
            body, _ = self.block(statement.body, in_loop=True)
            return replace(statement, body=body), any(map(self._sets, core.walk(body)))
        leaves = bool(behind) and isinstance(behind[0], core.Break)
        return statement, self._sets(statement) and not leaves

    def _sets(self, statement: core.Statement) -> bool:
        return isinstance(statement, core.Assign) and statement.target == self.flag


Take: TypeAlias = "Callable[[core.Atom, bool], core.Block]"
"""What is done with an item; told whether that comes to stand in a loop's own body."""


def _with_items(program: core.Function, take: Take) -> core.Block:
    """A generator's body with what is done with an item in place of each `yield`."""
    wanted = reads_of(core.walk(program.body))

    def block(given: core.Block, in_loop: bool) -> core.Block:
        return tuple(part for statement in given for part in new(statement, in_loop))

    def new(statement: core.Statement, in_loop: bool) -> core.Block:
        if isinstance(statement, core.If):
            then, orelse = block(statement.then, False), block(statement.orelse, False)
            return (replace(statement, then=then, orelse=orelse),)
        if isinstance(statement, core.For | core.Loop):
            return (replace(statement, body=block(statement.body, True)),)
        if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.Yield):
            return (statement,)
        sent = replace(statement, op=core.Copy(core.Const(None)))  # nothing was sent in
        return (*take(statement.op.value, in_loop), *((sent,) if statement.target in wanted else ()))

    return block(program.body[:-1], False)  # what it returns nobody asks for
