"""Captured variables become parameters in front of a closure's own: its program reads no cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType, MethodType

from zygpy.analyse.fields import has_fields
from zygpy.analyse.paths import Scope, is_stable, resolve
from zygpy.ir import core
from zygpy.ir.access import assigned, read
from zygpy.ir.names import Names
from zygpy.runtime.lookup import in_class

LIBRARIES = ("numpy", "scipy", "zygpy")
"""Objects of these packages are called as they stand: rules and programs are known of some."""


def lift(function: core.Function, scope: Scope) -> core.Function:
    """Rewrite the paths of a program to what their roots are now.

    Ensures: a captured name is a parameter (in front, in the order of `captured`), which holds its
    value or, where it is one of `cells`, the cell itself; a path leads through modules and classes
    only, and what is behind is read as attributes of data.
    """
    names = Names({name for statement in core.walk(function.body) for name in _mentioned(statement)})
    lifter = _Lifter(scope, names)
    params = replace(function.params, positional_only=function.captured + function.params.positional_only)
    if function.captured and not function.params.positional_only:
        params = replace(function.params, positional=function.captured + function.params.positional)
    return replace(function, params=params, body=lifter.block(function.body))


def _mentioned(statement: core.Statement) -> Iterator[str]:
    yield from assigned(statement)
    yield from read(statement)


class _Lifter:
    def __init__(self, scope: Scope, names: Names) -> None:
        self.scope = scope
        self.names = names

    def block(self, block: core.Block) -> core.Block:
        return tuple(new for statement in block for new in self.statement(statement))

    def statement(self, statement: core.Statement) -> Iterator[core.Statement]:
        match statement:
            case core.Assign(_, core.Read(path), _):
                yield from self._read(statement, path)
            case core.Assign(_, core.Call(func=core.Path()), _):
                yield from self._call(statement)
            case core.If():
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                yield replace(statement, then=then, orelse=orelse)
            case core.For() | core.Loop() | core.With() | core.Attempt() | core.Handle():
                yield replace(statement, body=self.block(statement.body))
            case _:
                yield statement

    def _depth(self, path: core.Path) -> int:
        """How many names of the path lead through modules and classes (at least the root)."""
        if path.scope in ("builtin", "helper"):
            return len(path.names)
        found = resolve(path, self.scope)
        return max(found.depth, 1)

    def _read(self, statement: core.Assign, path: core.Path) -> Iterator[core.Statement]:
        yield from self._attributes(statement, path, len(path.names), statement.target)

    def _known(self, path: core.Path) -> int:
        """How many names of the path are read at once. What others store in a class or module is known by
        that, as it is when it is read: of data that a captured one has, the last name is read by itself."""
        depth = self._depth(path)
        if path.scope != "captured" or depth == 1:
            return depth
        found = resolve(core.Path(path.names[:depth], path.scope), self.scope).value
        return depth if is_stable(found) else depth - 1

    def _root(self, path: core.Path, depth: int) -> core.Op:
        if path.scope == "captured" and depth == 1:
            return core.Copy(core.Var(path.names[0]))
        return core.Read(core.Path(path.names[:depth], path.scope))

    def _attributes(
        self, statement: core.Assign, path: core.Path, count: int, target: str
    ) -> Iterator[core.Statement]:
        """Read what the first names of a path lead to."""
        depth = self._known(path)
        value = self._root(path, depth)
        for name in path.names[depth:count]:
            temporary = self.names.temporary()
            yield core.Assign(temporary, value, statement.loc)
            value = core.GetAttr(core.Var(temporary), name)
        yield core.Assign(target, value, statement.loc)

    def _is_object(self, path: core.Path) -> bool:
        """Whether a path leads to an object of a class in Python of the user's, which a method calls, or to a
        method of a class that is bound to it."""
        value = resolve(path, self.scope).value
        if type(value) is MethodType:
            return isinstance(value.__self__, type) and type(value.__func__) is FunctionType
        cls = type(value)
        if not has_fields(cls) or cls.__module__.partition(".")[0] in LIBRARIES:
            return False
        return isinstance(in_class(cls, "__call__"), FunctionType)

    def _call(self, statement: core.Assign) -> Iterator[core.Statement]:
        op = statement.op
        assert isinstance(op, core.Call)
        assert isinstance(op.func, core.Path)
        path = op.func
        depth = self._depth(path)
        if (
            depth == len(path.names)
            and path.names[0] not in self.scope.replaced
            and not self._is_object(path)
        ):
            captured = path.scope == "captured" and depth == 1
            func = core.Var(path.names[0]) if captured else path
            yield replace(statement, op=replace(op, func=func))
            return
        receiver = self.names.temporary()
        if depth == len(path.names):  # of which nothing is known before it is read
            yield core.Assign(receiver, self._root(path, depth), statement.loc)
            yield replace(statement, op=replace(op, func=core.Var(receiver)))
            return
        yield from self._attributes(statement, path, len(path.names) - 1, receiver)
        method = core.CallMethod(core.Var(receiver), path.names[-1], op.args, op.keywords)
        yield replace(statement, op=method)
