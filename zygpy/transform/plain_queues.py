"""Queues (`collections.deque`) that stay in one function, as lists.

    last = deque(maxlen=3)              last = []
    for v in xs:                        for v in xs:
        last.append(v)                      last.append(v)
                                            if len(last) > 3:
                                                last.pop(0)

Nobody can tell the difference as long as nothing is done with the queue but what a list does in the same way,
or does by other methods: it is neither given to others nor asked for what it is, and nothing changes it while
a loop walks over it.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.access import assigned, iterable_atoms, mentioned, read
from zygpy.ir.names import Names
from zygpy.transform.bodies import captured_by
from zygpy.transform.plain_dicts import is_key

LEN, LIST, RANGE = (core.Path((name,), "builtin") for name in ("len", "list", "range"))
LIMIT, TURNS = (core.Path((name,), "helper") for name in ("queue_limit", "turns"))

CHANGING = frozenset(
    {
        *("append", "appendleft", "clear", "extend", "extendleft", "insert"),
        *("pop", "popleft", "remove", "reverse", "rotate"),
    }
)
"""The methods that change a queue."""

COUNTS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("append", "appendleft", "extend", "extendleft", "remove", "count", "index"), (1,)),
    **dict.fromkeys(("clear", "pop", "popleft", "reverse"), (0,)),
    "insert": (2,),
    "rotate": (0, 1),
}
"""With how many arguments a method is known that a list has as well, or others for it."""

CONSUMING = (
    *(all, any, dict, frozenset, len, list, max, min, set, sorted, sum, tuple),
    *(math.fsum, math.prod, statistics.mean, statistics.fmean, statistics.stdev, statistics.pstdev),
    *(np.array, np.asarray, np.mean, np.sum, np.std, np.var, np.median, np.max, np.min),
)
"""Functions that take all the items of what they are given first, and look at nothing else of it."""


def as_lists(function: core.Function, scope: Scope) -> tuple[core.Function, tuple[Guard, ...]]:
    """The program with lists in place of the queues that it keeps to itself, and what that rests on; the very
    same if there is none."""
    makers = [made for made in _makers(function, scope) if _stays(function, scope, made)]
    if not makers:
        return function, ()
    names = Names(mentioned(function) | {*function.captured, *function.cells})
    body = function.body
    for made in makers:
        body = core.rewritten(body, _Rewriting(made, names).statement)
    found = core.Function(
        function.name, function.params, body, function.captured, function.cells, function.generator
    )
    return found, tuple(guard for made in makers for guard in made.guards)


@dataclass(frozen=True)
class _Maker:
    """The assignment of a queue: its variable, what it is made of, and how many items it has at most."""

    name: str
    items: core.Atom | None
    limit: core.Atom | None
    guards: tuple[Guard, ...]


def _makers(function: core.Function, scope: Scope) -> Iterator[_Maker]:
    shared = {*function.params.names, *function.captured, *function.cells}
    for found in core.walk(function.body):
        match found:
            case core.Assign(target, core.Call(core.Path() as path) as call) if target not in shared:
                resolved = resolve(path, scope)
                given = _given(call) if resolved.value is deque else None
                if given is not None and resolved.depth == len(path.names):
                    yield _Maker(target, *given, resolved.guards)


def _given(call: core.Call) -> tuple[core.Atom | None, core.Atom | None] | None:
    """What a queue is made of, and how many items it has at most; None where the call is another one."""
    atoms = [arg for arg in call.args if not isinstance(arg, core.Star)]
    names = [keyword.name for keyword in call.keywords]
    if len(atoms) != len(call.args) or len(atoms) + len(names) > 2 or names not in ([], ["maxlen"]):
        return None
    limit = call.keywords[0].value if names else atoms[1] if len(atoms) == 2 else None
    if isinstance(limit, core.Const):
        if limit.value is None:
            limit = None
        elif type(limit.value) is not int or limit.value < 0:
            return None
    return (atoms[0] if atoms else None), limit


# ------------------------------------------------------------------------------ what is done with it


def _stays(function: core.Function, scope: Scope, made: _Maker) -> bool:
    """Whether a variable is bound once, and nothing is done with its queue that would tell of its class."""
    statements, own = list(core.walk(function.body)), core.Var(made.name)
    if sum(made.name in assigned(statement) for statement in statements) != 1:
        return False
    if own in (made.items, made.limit) or any(made.name in captured_by(one) for one in statements):
        return False
    return all(_is_harmless(found, scope, made) for found in statements if made.name in read(found))


def _is_harmless(statement: core.Statement, scope: Scope, made: _Maker) -> bool:
    """Whether a statement does with a queue what can be done with a list."""
    own = core.Var(made.name)
    match statement:
        case core.SetItem(target, index, value) | core.AugmentItem(target, index, _, value):
            return target == own != value and is_key(index, own)
        case core.DelItem(target, index):
            return target == own and is_key(index, own)
        case core.For(_, iterable, body):
            return own in iterable_atoms(iterable) and not any(_changes(one, own) for one in core.walk(body))
        case core.Unpack():
            return True
        case core.Assign(op=op):
            return _reads(op, scope, made)
    return False


def _changes(statement: core.Statement, own: core.Var) -> bool:
    """Whether a statement changes how many items a queue has, or their order."""
    op = statement.op if isinstance(statement, core.Assign) else None
    op = op.call if isinstance(op, core.Caught) else op
    method = isinstance(op, core.CallMethod) and op.value == own and op.name in CHANGING
    return method or (isinstance(statement, core.DelItem) and statement.target == own)


def _reads(op: core.Op, scope: Scope, made: _Maker) -> bool:
    own = core.Var(made.name)
    match op:
        case core.GetItem(value, index):
            return value == own and is_key(index, own)
        case core.GetAttr(_, name):
            return name == "maxlen"
        case core.CallMethod(value, method, args, ()):
            starred = any(isinstance(arg, core.Star) for arg in args)
            known = len(args) in COUNTS.get(method, ()) and (method != "insert" or made.limit is None)
            return value == own and own not in args and known and not starred
        case core.Compare("in" | "not in", left, right):
            return right == own and left != own
        case core.Truth() | core.Unary("not"):
            return True
        case core.Display(_, items):
            return own not in items  # but what is in it
        case core.Call() as call:
            return _consumes(call, scope, own)
    return False


def _consumes(call: core.Call, scope: Scope, own: core.Var) -> bool:
    """Whether a call takes all the items of a queue, and is not given the queue itself."""
    if own in [keyword.value for keyword in call.keywords] or own in call.args[1:] or own == call.func:
        return False
    if own not in call.args:
        return True
    callee = resolve(call.func, scope).value if isinstance(call.func, core.Path) else None
    return any(callee is known for known in CONSUMING)


# ---------------------------------------------------------------------------- what stands in its place

Method: TypeAlias = "Callable[[_Rewriting, core.Assign, tuple[core.Atom, ...]], Iterator[core.Statement]]"


@dataclass(frozen=True)
class _Rewriting:
    """What stands in place of the statements that have to do with one queue."""

    made: _Maker
    names: Names
    limit: core.Atom | None = None
    asked: core.Atom | None = None

    def __post_init__(self) -> None:
        if isinstance(self.made.limit, core.Var):
            object.__setattr__(self, "limit", core.Var(self.names.fresh("limit")))
            object.__setattr__(self, "asked", core.Var(self.names.fresh("maxlen")))
        else:
            object.__setattr__(self, "limit", self.made.limit)
            object.__setattr__(self, "asked", self.made.limit or core.Const(None))

    @property
    def own(self) -> core.Var:
        """The list."""
        return core.Var(self.made.name)

    def statement(self, statement: core.Statement) -> core.Block:
        """What stands in place of one."""
        match statement:
            case core.Assign(target, _, loc) if target == self.made.name:
                return tuple(self._made(loc))
            case core.Assign(target, core.GetAttr(value, "maxlen"), loc) if value == self.own:
                assert self.asked is not None
                return (core.Assign(target, core.Copy(self.asked), loc),)
            case core.Assign(op=core.CallMethod(value, method, args)) if value == self.own:
                atoms = tuple(arg for arg in args if not isinstance(arg, core.Star))  # there are none
                spelled = METHODS.get(method)
                return tuple(spelled(self, statement, atoms)) if spelled else (statement,)
        return (statement,)

    def _made(self, loc: core.Loc) -> Iterator[core.Statement]:
        items, limit = self.made.items, self.made.limit
        if isinstance(limit, core.Var):
            assert isinstance(self.limit, core.Var)
            assert isinstance(self.asked, core.Var)
            yield core.Assign(self.asked.name, core.Copy(limit), loc)
            yield core.Assign(self.limit.name, core.Call(LIMIT, (self.asked,)), loc)
        op = core.Display("list", ()) if items is None else core.Call(LIST, (items,))
        yield core.Assign(self.made.name, op, loc)
        if self.limit is not None and items is not None:
            size, more = self.names.temporary(), self.names.temporary()
            yield core.Assign(size, core.Call(LEN, (self.own,)), loc)
            yield core.Assign(more, core.Binary("-", core.Var(size), self.limit), loc)
            yield self._repeated(core.Var(more), (self._call("pop", core.Const(0), loc=loc),), loc)

    def _call(self, method: str, *args: core.Atom, loc: core.Loc, target: str = "") -> core.Assign:
        op = core.CallMethod(self.own, method, args)
        return core.Assign(target or self.names.temporary(), op, loc)

    def _repeated(self, times: core.Atom, body: core.Block, loc: core.Loc) -> core.For:
        return core.For(self.names.temporary(), core.Iterate(RANGE, (times,)), body, loc)

    def put(
        self, item: core.Atom, loc: core.Loc, *, left: bool, target: str = ""
    ) -> Iterator[core.Statement]:
        """An item is put at one end; where there is no room, one goes at the other end."""
        front = core.Const(0)
        if left:
            yield self._call("insert", front, item, loc=loc, target=target)
        else:
            yield self._call("append", item, loc=loc, target=target)
        if self.limit is None:
            return
        size, over = self.names.temporary(), self.names.temporary()
        yield core.Assign(size, core.Call(LEN, (self.own,)), loc)
        yield core.Assign(over, core.Compare(">", core.Var(size), self.limit), loc)
        gone = self._call("pop", loc=loc) if left else self._call("pop", front, loc=loc)
        yield core.If(core.Var(over), (gone,), (), loc)

    def put_all(self, statement: core.Assign, items: core.Atom, *, left: bool) -> Iterator[core.Statement]:
        """Items are put at one end, one after the other."""
        item, loc = self.names.temporary(), statement.loc
        yield core.For(item, items, tuple(self.put(core.Var(item), loc, left=left)), loc)
        yield core.Assign(statement.target, core.Copy(core.Const(None)), loc)

    def turned(self, statement: core.Assign, steps: core.Atom) -> Iterator[core.Statement]:
        """The items go round: the last comes to stand in front, so often."""
        loc, back = (
            statement.loc,
            isinstance(steps, core.Const) and type(steps.value) is int and steps.value < 0,
        )
        if back:
            assert isinstance(steps, core.Const)
            steps = core.Const(-steps.value)
        size, times, item = (self.names.temporary() for _ in range(3))
        yield core.Assign(size, core.Call(LEN, (self.own,)), loc)
        yield core.Assign(times, core.Call(TURNS, (steps, core.Var(size))), loc)
        front = core.Const(0)
        if back:
            taken = self._call("pop", front, loc=loc, target=item)
            body = taken, self._call("append", core.Var(item), loc=loc)
        else:
            taken = self._call("pop", loc=loc, target=item)
            body = taken, self._call("insert", front, core.Var(item), loc=loc)
        yield self._repeated(core.Var(times), body, loc)
        yield core.Assign(statement.target, core.Copy(core.Const(None)), loc)


def _append(to: _Rewriting, statement: core.Assign, args: tuple[core.Atom, ...]) -> Iterator[core.Statement]:
    return to.put(args[0], statement.loc, left=False, target=statement.target)


def _appendleft(
    to: _Rewriting, statement: core.Assign, args: tuple[core.Atom, ...]
) -> Iterator[core.Statement]:
    return to.put(args[0], statement.loc, left=True, target=statement.target)


def _extend(to: _Rewriting, statement: core.Assign, args: tuple[core.Atom, ...]) -> Iterator[core.Statement]:
    return iter((statement,)) if to.limit is None else to.put_all(statement, args[0], left=False)


def _extendleft(
    to: _Rewriting, statement: core.Assign, args: tuple[core.Atom, ...]
) -> Iterator[core.Statement]:
    return to.put_all(statement, args[0], left=True)


def _popleft(to: _Rewriting, statement: core.Assign, args: tuple[core.Atom, ...]) -> Iterator[core.Statement]:
    yield core.Assign(statement.target, core.CallMethod(to.own, "pop", (core.Const(0),)), statement.loc)


def _rotate(to: _Rewriting, statement: core.Assign, args: tuple[core.Atom, ...]) -> Iterator[core.Statement]:
    return to.turned(statement, args[0] if args else core.Const(1))


METHODS: Mapping[str, Method] = {
    "append": _append,
    "appendleft": _appendleft,
    "extend": _extend,
    "extendleft": _extendleft,
    "popleft": _popleft,
    "rotate": _rotate,
}
"""The methods that a list has not, or that do something else to a queue with a limit."""
