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

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from zygpy.analyse.liveness import live_after
from zygpy.ir import core
from zygpy.ir.access import assigned, assigned_inside, mentioned, read
from zygpy.ir.names import Names, is_temporary
from zygpy.ir.renaming import renamed
from zygpy.transform.flatten import flatten

MOST_YIELDS = 4
"""So many `yield`s a body may have: what is done with an item is written behind each."""

MOST_STATEMENTS = 150
"""So many statements may come to stand where there was one loop."""

TAKING: Mapping[Any, frozenset[str]] = {
    **dict.fromkeys((list, tuple, set, frozenset, dict), frozenset()),
    sum: frozenset({"start"}),
    min: frozenset({"default"}),
    max: frozenset({"default"}),
    sorted: frozenset({"key", "reverse"}),
}
"""Builtins that take all items of an iterator before they do anything else, with such keywords at most."""


@dataclass(frozen=True)
class Body:
    """The body of a function as a program, for a call: `given` tells the parameters, `free` the
    variables that it has from around it."""

    program: core.Function
    given: tuple[tuple[str, core.Atom], ...]
    free: frozenset[str]


Find: TypeAlias = "Callable[[core.Call, core.MakeFunction | None], Body | None]"


def inlined(program: core.Function, find: Find, builtin: Callable[[core.Path], Any]) -> core.Function:
    """The program with such generators in place; the very same if there is none.

    Requires: the program is flattened. `find` gives the body of what a call makes, if it is a generator
    function that is known (for a function that the program makes, where it is made), `builtin` what a path
    leads to.
    """
    if not any(_makes(statement) is not None for statement in core.walk(program.body)):
        return program
    inliner = _Inliner(program, find, builtin, Names(mentioned(program) | _declared(program)))
    body = inliner.block(program.body, {})
    if not inliner.found:
        return program
    return flatten(without_unread_functions(replace(program, body=body)))


def _declared(program: core.Function) -> set[str]:
    return {*program.captured, *program.cells, *program.params.names}


def _makes(statement: core.Statement) -> core.Call | None:
    """The call whose value a temporary holds."""
    if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.Call):
        return None
    return statement.op if is_temporary(statement.target) else None


@dataclass
class _Inliner:
    program: core.Function
    find: Find
    builtin: Callable[[core.Path], Any]
    names: Names
    found: bool = False
    reads: Counter[str] = field(init=False)
    bound: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        statements = list(core.walk(self.program.body))
        self.reads = Counter(name for one in statements for name in _reads(one))
        self.bound = Counter(name for one in statements for name in assigned(one))

    def block(self, block: core.Block, made: dict[str, core.MakeFunction]) -> core.Block:
        """The block with generators in place; `made` are the functions that were made before."""
        made = dict(made)
        result: list[core.Statement] = []
        waiting: dict[str, Body] = {}
        ahead = list(block)
        while ahead:
            statement = self._inside(ahead.pop(0), made)
            if isinstance(statement, core.Assign) and isinstance(statement.op, core.MakeFunction):
                made[statement.target] = statement.op
            body = self._begun(statement, made, ahead)
            if body is not None:
                assert isinstance(statement, core.Assign)
                waiting[statement.target] = body
                result = self._without_iterator(result, body)
                result += self._given(body, statement.loc)
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
        self, statement: core.Statement, made: dict[str, core.MakeFunction], ahead: Iterable[core.Statement]
    ) -> Body | None:
        """The body of the generator that a statement makes, if what takes its items is further on in the same
        block and nothing else knows it."""
        call = _makes(statement)
        if call is None:
            return None
        assert isinstance(statement, core.Assign)
        target = statement.target
        taking = next((one for one in ahead if target in read(one)), None)
        if taking is None or self.reads[target] != 1 or self.bound[target] != 1:
            return None
        if not self._takes(taking, target):
            return None
        own = None
        if isinstance(call.func, core.Var):
            own = made.get(call.func.name)
            if own is None or self.bound[call.func.name] != 1:
                return None
        body = self.find(call, own)
        return None if body is None else self._fitting(body, taking)

    def _takes(self, statement: core.Statement, name: str) -> bool:
        """Whether a statement asks for the items of a generator, and sends it nothing."""
        if isinstance(statement, core.For):
            return statement.iterable == core.Var(name) or self._counts(statement, name)
        op = statement.op if isinstance(statement, core.Assign) else None
        if (
            not isinstance(op, core.Call)
            or not isinstance(op.func, core.Path)
            or op.args[:1] != (core.Var(name),)
        ):
            return False
        keywords = TAKING.get(_hashable(self.builtin(op.func)))
        plain = not any(isinstance(arg, core.Star) for arg in op.args)
        return keywords is not None and plain and all(keyword.name in keywords for keyword in op.keywords)

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
        program = body.program
        yields = _yields(program.body)
        inside = len(list(core.walk(taking.body))) if isinstance(taking, core.For) else 1
        size = len(list(core.walk(program.body))) + len(yields) * inside
        if not yields or len(yields) > MOST_YIELDS or size > MOST_STATEMENTS:
            return None
        stops = any(_may_stop(statement) for statement in core.walk(program.body))
        return None if stops or not may_stand_elsewhere(program, body.free) else fitting(body, self.names)

    def _without_iterator(self, block: list[core.Statement], body: Body) -> list[core.Statement]:
        """The statements in front of a generator that begins with a loop over what it is given: an iterator
        that is made for it alone is what the loop makes itself."""
        first = body.program.body[0]
        if not isinstance(first, core.For) or not isinstance(first.iterable, core.Var):
            return block
        walked = first.iterable.name
        given = dict(body.given).get(walked)
        if not isinstance(given, core.Var) or self.reads[given.name] != 1 or self.bound[given.name] != 1:
            return block
        if sum(walked in read(one) for one in core.walk(body.program.body)) != 1:
            return block
        return [self._iterated(one) if given.name in assigned(one) else one for one in block]

    def _iterated(self, statement: core.Statement) -> core.Statement:
        if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.Call):
            return statement
        op = statement.op
        if not isinstance(op.func, core.Path) or len(op.args) != 1 or isinstance(op.args[0], core.Star):
            return statement
        return replace(statement, op=core.Copy(op.args[0])) if self.builtin(op.func) is iter else statement

    def _given(self, body: Body, loc: core.Loc) -> Iterator[core.Statement]:
        for name, atom in body.given:
            yield core.Assign(name, core.Copy(atom), loc)

    # -- in place

    def _taken(self, statement: core.Statement, waiting: dict[str, Body]) -> core.Block:
        """A statement, or the body of the generator whose items it takes."""
        name = next((name for name in read(statement) if name in waiting), None)
        if name is None:
            return (statement,)
        body = waiting.pop(name)
        if isinstance(statement, core.For):
            return _Loop(self, statement).over(body)
        assert isinstance(statement, core.Assign) and isinstance(statement.op, core.Call)
        listed, loc = self.names.temporary(), statement.loc

        def append(item: core.Atom, in_loop: bool) -> core.Block:
            call = core.CallMethod(core.Var(listed), "append", (item,))
            return (core.Assign(self.names.temporary(), call, loc),)

        args = (core.Var(listed), *statement.op.args[1:])
        return (
            core.Assign(listed, core.Display("list", ()), loc),
            *_with_items(body.program, append),
            replace(statement, op=replace(statement.op, args=args)),
        )


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
            counter = self.inliner.names.fresh("count")
            before = (core.Assign(counter, core.Copy(core.Const(0)), self.loop.loc),)
        flag = self.inliner.names.fresh("left") if _leaves(self.loop.body) else ""
        if flag:
            before = (*before, core.Assign(flag, core.Copy(core.Const(False)), self.loop.loc))
        in_place = _with_items(body.program, lambda item, alone: self._with(item, counter, flag, alone))
        made = (*before, *(_Leaving(flag).block(in_place, in_loop=False)[0] if flag else in_place))
        return made if not flag or _is_asked(made, flag) else _without(made, flag)

    def _with(self, item: core.Atom, counter: str, flag: str, in_loop: bool) -> core.Block:
        """The loop's body for an item."""
        loop, loc = self.loop, self.loop.loc
        target = loop.target
        counted: core.Block = ()
        if counter:
            assert isinstance(target, tuple)
            place, target = target
            counted = (
                *self._bound(place, core.Var(counter)),
                core.Assign(counter, core.Binary("+", core.Var(counter), core.Const(1)), loc),
            )
        body = loop.body if self.first else renamed(loop.body, {})
        self.first = False
        body = _with_flag(body, flag, leave=in_loop) if flag else body
        return (*counted, *self._bound(target, item), *body)

    def _bound(self, target: core.Target, item: core.Atom) -> core.Block:
        """The assignment of an item to the loop's target."""
        loc = self.loop.loc
        if isinstance(target, str):
            return (core.Assign(target, core.Copy(item), loc),)
        parts = [part if isinstance(part, str) else self.inliner.names.temporary() for part in target]
        inner = [
            statement
            for part, name in zip(target, parts, strict=True)
            if not isinstance(part, str)
            for statement in self._bound(part, core.Var(name))
        ]
        return (core.Unpack(tuple(parts), None, item, loc), *inner)


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
    return any(isinstance(inner, core.Break) for inner in _of_loop(block))


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
    wanted = {name for statement in core.walk(program.body) for name in read(statement)}

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

    return block(program.body, False)


# ------------------------------------------------------------------------------- what may be in place


def fitting(body: Body, names: Names, *, whole: bool = False) -> Body:
    """A body whose variables have names of their own in the program around it; without its `return`, if not
    the `whole` is wanted."""
    program = body.program
    own = (assigned_inside(program.body) | set(program.params.names)) - body.free
    nameless = _walked(program, body.given)
    new = {}
    for name in sorted(own, key=_order):
        temporary = name in nameless or is_temporary(name)
        new[name] = names.temporary() if temporary else names.fresh(name)
    given = tuple((new[name], atom) for name, atom in body.given)
    inside = program.body if whole else program.body[:-1]
    return Body(replace(program, body=renamed(inside, new)), given, body.free)


STOPPING = frozenset({"next", "StopIteration", "__next__", "send", "throw"})
"""Names of what raises StopIteration, which leaves a generator as another exception."""


def _may_stop(statement: core.Statement) -> bool:
    """Whether a statement is about StopIteration."""
    return isinstance(statement, core.Assign) and not STOPPING.isdisjoint(_named_in(statement.op))


def may_stand_elsewhere(program: core.Function, free: frozenset[str]) -> bool:
    """Whether a body does the same in place: no handler of its own is around a `yield`, no
    variable is read that the run before may have bound, and no function is made that shares its own."""
    own = (assigned_inside(program.body) | set(program.params.names)) - free
    for statement in core.walk(program.body):
        if isinstance(statement, core.With | core.Attempt | core.Handle) and _yields(statement.body):
            return False
        op = statement.op if isinstance(statement, core.Assign) else None
        if isinstance(op, core.MakeFunction) and not own.isdisjoint(op.captured):
            return False
        if isinstance(statement, core.Refuse):
            return False
    first = core.Assign("", core.Copy(core.Const(None)), core.Loc(1, 0))
    live = live_after(replace(program, body=(first, *program.body[:-1])))[id(first)]
    return live <= free | set(program.params.names)


def _walked(program: core.Function, given: Iterable[tuple[str, core.Atom]]) -> set[str]:
    """The parameters that hold what has no name where it is given, and is walked over: a generator, perhaps,
    which nobody knows any more when this one is left."""
    loops = [loop.iterable for loop in core.walk(program.body) if isinstance(loop, core.For)]
    rebound = assigned_inside(program.body)
    return {
        name
        for name, atom in given
        if isinstance(atom, core.Var)
        and is_temporary(atom.name)
        and name not in rebound
        and core.Var(name) in loops
    }


def _named_in(op: core.Op | None) -> tuple[str, ...]:
    """The names of what is called or read."""
    if isinstance(op, core.Read):
        return op.path.names
    if isinstance(op, core.Call):
        return op.func.names if isinstance(op.func, core.Path) else ()
    return (op.name,) if isinstance(op, core.CallMethod) else ()


def _yields(block: core.Block) -> list[core.Statement]:
    ops = (statement for statement in core.walk(block) if isinstance(statement, core.Assign))
    return [statement for statement in ops if isinstance(statement.op, core.Yield)]


def _of_loop(block: core.Block) -> Iterator[core.Statement]:
    """The statements of a loop's body that are in no other loop."""
    for statement in block:
        yield statement
        if not isinstance(statement, core.For | core.Loop):
            for inner in core.blocks(statement):
                yield from _of_loop(inner)


def _order(name: str) -> tuple[bool, int, str]:
    return is_temporary(name), len(name), name


def _reads(statement: core.Statement) -> Iterator[str]:
    yield from read(statement)
    op = statement.op if isinstance(statement, core.Assign) else None
    if isinstance(op, core.MakeFunction):
        yield from op.captured


def _hashable(value: Any) -> Any:
    return value if isinstance(value, type) or callable(value) else None


# ------------------------------------------------------------------------- what is not needed any more


def without_unread_functions(program: core.Function) -> core.Function:
    """The program without the functions that nobody calls any more, and with variables that no
    function shares any more as ordinary ones."""
    statements = list(core.walk(program.body))
    reads = Counter(name for one in statements for name in _reads(one))
    unread = {id(one) for one in statements if _is_unread(one, reads)}
    if not unread:
        return _with_plain_variables(program)
    kept = core.rewritten(program.body, lambda one: () if id(one) in unread else (one,))
    return without_unread_functions(replace(program, body=kept))


def _is_unread(statement: core.Statement, reads: Counter[str]) -> bool:
    if not isinstance(statement, core.Assign) or not isinstance(statement.op, core.MakeFunction):
        return False
    return not reads[statement.target]


def _with_plain_variables(program: core.Function) -> core.Function:
    ops = [statement.op for statement in core.walk(program.body) if isinstance(statement, core.Assign)]
    shared = {name for op in ops if isinstance(op, core.MakeFunction) for name in op.captured}
    plain = frozenset(program.cells) - shared - set(program.captured) - set(program.unbound)
    if not plain:
        return program

    def new(statement: core.Statement) -> core.Block:
        if isinstance(statement, core.WriteCell) and statement.name in plain:
            if statement.value == core.Var(statement.name):  # a parameter
                return ()
            return (core.Assign(statement.name, core.Copy(statement.value), statement.loc),)
        if isinstance(statement, core.Assign) and isinstance(statement.op, core.ReadCell):
            name = statement.op.name
            return (replace(statement, op=core.Copy(core.Var(name))),) if name in plain else (statement,)
        return (statement,)

    cells = tuple(name for name in program.cells if name not in plain)
    return replace(program, body=core.rewritten(program.body, new), cells=cells)
