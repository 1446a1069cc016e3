"""Loops over the names of attributes, written out: which attributes are meant is known then.

for name in ("a", "b"):             name = "a"
    setattr(o, name, x)     ->      setattr(o, "a", x)
                                    name = "b"
                                    setattr(o, "b", x)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Scope, resolve
from zygpy.ir import core
from zygpy.ir.access import assigned, assigned_inside, read
from zygpy.ir.renaming import renamed
from zygpy.transform.bodies import MOST_STATEMENTS, made_in, reads_of

BY_NAME = (getattr, setattr, hasattr, delattr)
"""Builtins that are given the name of an attribute, behind the object."""


def with_names_unrolled(
    function: core.Function, scope: Scope
) -> tuple[core.Function, tuple[Guard, ...], frozenset[str]]:
    """The program with such loops written out, what that rests on, and the names by which it was found; the
    very same if there are none.

    Requires: the program is flattened.
    """
    if not any(isinstance(statement, core.For) for statement in core.walk(function.body)):
        return function, (), frozenset()
    unrolled = _Unrolled(function, scope, [], [])
    body = unrolled.block(function.body)
    if not unrolled.found:
        return function, (), frozenset()
    return replace(function, body=body), tuple(unrolled.guards), frozenset(filter(None, unrolled.found))


@dataclass
class _Unrolled:
    function: core.Function
    scope: Scope
    guards: list[Guard]
    found: list[str]
    reads: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        self.reads = reads_of(core.walk(self.function.body))

    def block(self, block: core.Block) -> core.Block:
        """The block with such loops written out."""
        result: list[core.Statement] = []
        for place, given in enumerate(block):
            statement = self._inside(given)
            before = block[place - 1] if place else None
            texts = self._texts(statement, before) if isinstance(statement, core.For) else None
            if texts is None or not isinstance(statement, core.For) or not self._fits(statement, len(texts)):
                result.append(statement)
            else:
                self._note(before)
                result += written_out(
                    statement, [((str(statement.target), core.Const(text)),) for text in texts]
                )
        return tuple(result)

    def _inside(self, statement: core.Statement) -> core.Statement:
        if isinstance(statement, core.If):
            return replace(statement, then=self.block(statement.then), orelse=self.block(statement.orelse))
        if isinstance(statement, core.HOLDING):
            return replace(statement, body=self.block(statement.body))
        return statement

    def _texts(self, loop: core.For, before: core.Statement | None) -> tuple[str, ...] | None:
        """The texts that a loop walks over, which are made, or read, right in front of it."""
        if not isinstance(before, core.Assign) or loop.iterable != core.Var(before.target):
            return None
        texts: tuple[Any, ...] | None
        match before.op:
            case core.Display(sort, items) if sort == "tuple" or self.reads[before.target] == 1:
                texts = tuple([item.value if isinstance(item, core.Const) else None for item in items])
            case core.Read(path):
                texts = self._found(path)
            case _:
                return None
        return texts if texts and all(isinstance(text, str) for text in texts) else None

    def _found(self, path: core.Path) -> tuple[str, ...] | None:
        """The tuple that a global name means, and that nobody binds again while the program runs."""
        found = resolve(path, self.scope)
        known = found.depth == len(path.names) == 1 and path.names[0] not in self.scope.replaced
        return found.value if known and type(found.value) is tuple and self._owner(path) is not None else None

    def _owner(self, path: core.Path) -> Guard | None:
        variables = self.scope.globals
        value = variables.get(path.names[0])
        return None if value is None else Guard(variables, path.names[0], value)

    def _note(self, before: core.Statement | None) -> None:
        op = before.op if isinstance(before, core.Assign) else None
        self.found.append(op.path.names[0] if isinstance(op, core.Read) else "")
        guard = self._owner(op.path) if isinstance(op, core.Read) else None
        self.guards += [guard] if guard is not None else []

    def _fits(self, loop: core.For, count: int) -> bool:
        """Whether a loop asks for attributes by the names that it walks over, and may be written out."""
        target, function = loop.target, self.function
        if not isinstance(target, str) or target in (*function.cells, *function.captured):
            return False
        inside = list(core.walk(loop.body))
        names = any(_is_by_name(one, target) and self._is_builtin(one) for one in inside)
        return names and may_be_written_out(loop, count)

    def _is_builtin(self, statement: core.Statement) -> bool:
        op = getattr(statement, "op", None)
        assert isinstance(op, core.Call) and isinstance(op.func, core.Path)
        found = resolve(op.func, self.scope).value
        return any(found is known for known in BY_NAME)


def may_be_written_out(loop: core.For, count: int) -> bool:
    """Whether a loop that runs so many times may be written out: it is not left, and nothing in it binds its
    target."""
    inside = list(core.walk(loop.body))
    targets = assigned(replace(loop, body=()))
    if count * len(inside) > MOST_STATEMENTS or not targets.isdisjoint(assigned_inside(loop.body)):
        return False
    made = core.Function("", core.Params(), loop.body)
    left = any(isinstance(inner, core.Break) for inner in core.of_loop(loop.body))
    return not (left or any(True for _ in made_in(made)))


def written_out(loop: core.For, rounds: list[tuple[tuple[str, core.Atom], ...]]) -> Iterator[core.Statement]:
    """The rounds of a loop one behind the other, each with the values of its targets."""
    for bound in rounds:
        texts = {name: atom for name, atom in bound if isinstance(atom, core.Const)}
        for name, atom in bound:
            yield core.Assign(name, core.Copy(atom), loop.loc)
        yield from _with_names(renamed(loop.body, {}), texts)


def _with_names(block: core.Block, texts: dict[str, core.Const]) -> core.Block:
    """A block in which attributes are asked for by names that are known."""
    return core.rewritten(block, lambda one: (_named(one, texts),))


def _named(statement: core.Statement, texts: dict[str, core.Const]) -> core.Statement:
    """A statement that asks for an attribute by a name which is known."""
    for name, text in texts.items():
        if _is_by_name(statement, name):
            assert isinstance(statement, core.Assign) and isinstance(statement.op, core.Call)
            first, _, *rest = statement.op.args
            return replace(statement, op=replace(statement.op, args=(first, text, *rest)))
    return statement


def _is_by_name(statement: core.Statement, name: str) -> bool:
    """Whether a statement is `getattr(o, name, ...)`, or a call of the same sort."""
    op = statement.op if isinstance(statement, core.Assign) and name in read(statement) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or op.keywords:
        return False
    known = op.func.names[-1] in {function.__name__ for function in BY_NAME}
    return known and len(op.args) > 1 and op.args[1] == core.Var(name) != op.args[0]
