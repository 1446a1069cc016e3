"""Which variables of a function may have no value yet when a function inside that takes them is made, in a
tree of `ast` or of `gast`: only their cells can say so later.

What is generated is bound under other conditions than what it was generated of: there the variables are
declared, by annotations without values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from zygpy.ir.rebinding import FUNCTIONS, LOOPS, bound_by, heads_of, named, run_where_it_stands

LEAVING = ("Return", "Raise", "Break", "Continue")
"""Statements behind which nothing in their block is run."""

Free = Callable[[Any], Iterable[str]]
"""The names that a function takes from outside."""


def unbound_when_captured(body: list[Any], parameters: Iterable[str], free: Free) -> frozenset[str]:
    """The names that a function inside takes where they may not be bound. A loop may have no iterations,
    unless it has no end (`while True`) or a range of so many.

    >>> import ast
    >>> body = ast.parse("if x: y = z = 1\\nelse: z = 2\\nf = lambda: (x, y, z)").body
    >>> free = lambda function: [node.id for node in ast.walk(function) if isinstance(node, ast.Name)]
    >>> sorted(unbound_when_captured(body, ["x"], free))
    ['y']
    >>> body = ast.parse("for i in x: y = i\\nfor j in range(2): z = j\\nf = lambda: (i, j, x, y, z)").body
    >>> sorted(unbound_when_captured(body, ["x"], free))
    ['i', 'y']
    >>> body = ast.parse("y = 1\\nf = lambda: (x, y)\\ndel y").body
    >>> sorted(unbound_when_captured(body, ["x"], free))
    ['y']
    """
    reading = _Reading(free, frozenset(_deleted(body)))
    reading.block(body, frozenset(parameters))
    return frozenset(reading.unbound)


def names_declared(body: list[Any]) -> frozenset[str]:
    """The variables that a generated function declares.

    >>> import ast
    >>> sorted(names_declared(ast.parse("x: None; y: int = 1").body))
    ['x']
    """
    annotated = [statement for statement in body if type(statement).__name__ == "AnnAssign"]
    return frozenset(statement.target.id for statement in annotated if statement.value is None)


class _Reading:
    """The walk through a function, which gathers what is `unbound` where a function takes it."""

    def __init__(self, free: Free, deleted: frozenset[str]) -> None:
        self.free, self.deleted = free, deleted
        self.unbound: set[str] = set()
        self.exits: list[dict[str, list[frozenset[str] | None]]] = []
        """Of each loop around: what is bound where its `Break` and `Continue` stand."""

    def block(self, statements: list[Any], bound: frozenset[str]) -> frozenset[str] | None:
        """The names that are bound behind some statements; None if nothing is run there."""
        after: frozenset[str] | None = bound
        for statement in statements:
            after = self._statement(statement, bound)
            if after is None:
                return None
            bound = after
        return after

    def _statement(self, statement: Any, bound: frozenset[str]) -> frozenset[str] | None:
        kind = type(statement).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef", "ClassDef"):
            self._taken(run_where_it_stands(statement), bound)
            self._taken([statement] if kind != "ClassDef" else [], bound | {statement.name})
            return bound | {statement.name}  # (what a class takes is known by its cells anyway)
        heads = heads_of(statement)
        binding = frozenset([*named(statement), *bound_by(heads)])
        itself = type(getattr(statement, "value", None)).__name__ == "Lambda"
        self._taken(heads, bound | binding if itself else bound)  # a function calls itself by its name
        if kind in LOOPS:
            return self._loop(statement, bound, binding)
        bound |= binding
        if kind in LEAVING:
            self._left(kind, bound)
            return None
        if kind in ("Try", "TryStar"):
            return self._attempt(statement, bound)
        if kind in ("If", "Match"):
            return self._branches(statement, bound)
        return self.block(getattr(statement, "body", []), bound)

    def _left(self, kind: str, bound: frozenset[str]) -> None:
        if self.exits and kind in self.exits[-1]:
            self.exits[-1][kind].append(bound)

    def _loop(self, loop: Any, bound: frozenset[str], binding: frozenset[str]) -> frozenset[str] | None:
        """What is bound behind a loop: where it ends, and where it is left. What its head binds is bound in
        its body."""
        exits: dict[str, list[frozenset[str] | None]] = {"Break": [], "Continue": []}
        self.exits.append(exits)
        end = self.block(loop.body, bound | binding)
        self.exits.pop()
        if _has_no_end(loop):
            return _in_all(exits["Break"])
        asked = binding if type(loop).__name__ == "While" else frozenset()
        done = _in_all([end, *exits["Continue"]]) if _runs(loop) else bound | asked
        last = None if done is None else self.block(loop.orelse, done)
        return _in_all([last, *exits["Break"]])

    def _branches(self, statement: Any, bound: frozenset[str]) -> frozenset[str] | None:
        blocks = [statement.body, statement.orelse] if hasattr(statement, "orelse") else []
        for case in getattr(statement, "cases", ()):
            names = bound | frozenset(bound_by([case.pattern, case.guard]))
            self._taken([case.guard], names)
            blocks.append(case.body)
        ends = [self.block(block, bound) for block in blocks]
        if hasattr(statement, "cases"):
            ends.append(bound)
        return _in_all(ends)

    def _attempt(self, statement: Any, bound: frozenset[str]) -> frozenset[str] | None:
        tried = self.block(statement.body, bound)
        if tried is not None:
            tried = self.block(statement.orelse, tried)
        handlers = [
            self.block(handler.body, bound | frozenset(named(handler))) for handler in statement.handlers
        ]
        behind = _in_all([tried, *handlers])
        last = self.block(statement.finalbody, bound)
        return None if behind is None or last is None else behind | last

    def _taken(self, roots: list[Any], bound: frozenset[str]) -> None:
        """Note what functions in these expressions take that is not bound."""
        waiting = list(roots)
        while waiting:
            node = waiting.pop()
            if isinstance(node, list):
                waiting += node
            elif type(node).__name__ in FUNCTIONS:
                self.unbound |= frozenset(self.free(node)) - (bound - self.deleted)
            elif hasattr(node, "_fields"):
                waiting += [getattr(node, name, None) for name in node._fields]


def _deleted(body: list[Any]) -> Iterator[str]:
    """The names that some statement deletes, in functions inside too."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif hasattr(node, "_fields"):
            waiting += [getattr(node, name, None) for name in node._fields]
            if type(node).__name__ == "Name" and type(node.ctx).__name__ == "Del":
                yield node.id


def _in_all(ends: list[frozenset[str] | None]) -> frozenset[str] | None:
    """What is bound at all the ends behind which something is run."""
    run = [end for end in ends if end is not None]
    return frozenset.intersection(*run) if run else None


def _has_no_end(loop: Any) -> bool:
    """Whether it is a `while True`."""
    test: Any = getattr(loop, "test", None)
    return type(test).__name__ == "Constant" and bool(test.value)


def _runs(loop: Any) -> bool:
    """Whether it is a loop over a range of a number of iterations that stands there, and is not 0."""
    called: Any = getattr(loop, "iter", None)
    if type(called).__name__ != "Call" or getattr(called.func, "id", "") != "range" or called.keywords:
        return False
    numbers: list[Any] = [getattr(argument, "value", None) for argument in called.args]
    return all(type(number) is int for number in numbers) and bool(range(*numbers))
