"""Dicts with values for missing keys that stay in one function, as plain ones that get keys as they are read.

    sums = defaultdict(float)           sums = {}
    for k, v in pairs:                  for k, v in pairs:
        sums[k] += v                        sums.setdefault(k, 0.0)
                                            sums[k] += v

Nobody can tell the difference as long as nothing is done with the dict but what a plain one does in the same
way: it is neither given to others nor asked for what it is. A `Counter` that is read gives zero, and keeps
no key.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from zygpy.analyse.facts import Guard
from zygpy.analyse.paths import Scope, resolve
from zygpy.analyse.read_before import spelled
from zygpy.ir import core
from zygpy.ir.access import assigned, mentioned, read
from zygpy.ir.names import Names
from zygpy.ir.nodes import gast

Default: TypeAlias = "core.Op"
"""What a missing key gets."""

FACTORIES: Mapping[Any, Default] = {
    float: core.Copy(core.Const(0.0)),
    int: core.Copy(core.Const(0)),
    complex: core.Copy(core.Const(0j)),
    bool: core.Copy(core.Const(False)),
    str: core.Copy(core.Const("")),
    list: core.Display("list", ()),
    dict: core.DictDisplay(()),
    tuple: core.Display("tuple", ()),
}
"""What the functions give that are called for missing keys."""

METHODS = frozenset({"clear", "get", "items", "keys", "pop", "setdefault", "values"})
"""Methods that do the same to a plain dict. (`update` of a `Counter` adds.)"""

CONSUMING = frozenset({all, any, dict, len, list, max, min, set, sorted, sum, tuple})
"""Functions that look at the keys alone, or, of a dict, make a plain one."""


def as_plain_dicts(function: core.Function, scope: Scope) -> tuple[core.Function, tuple[Guard, ...]]:
    """The program with plain dicts in place of those with defaults that it keeps to itself, and what that
    rests on; the very same if there is none."""
    makers = [made for made in _makers(function, scope) if _stays(function, scope, made)]
    if not makers:
        return function, ()
    names = Names(mentioned(function) | {*function.captured, *function.cells})
    for made in makers:
        body = core.rewritten(function.body, _Rewriting(made, names).statement)
        function = replace(function, body=body)
    return function, tuple(guard for made in makers for guard in made.guards)


@dataclass(frozen=True)
class _Maker:
    """The assignment of such a dict: its variable, what a missing key gives, and whether that is kept."""

    name: str
    default: Default
    kept: bool
    guards: tuple[Guard, ...]


def _makers(function: core.Function, scope: Scope) -> Iterator[_Maker]:
    assignments = [found for found in core.walk(function.body) if isinstance(found, core.Assign)]
    values = {found.target: found.op for found in assignments}
    shared = {*function.params.names, *function.captured, *function.cells}
    for found in assignments:
        match found.op:
            case core.Call(core.Path() as path, args, ()) if found.target not in shared:
                resolved = resolve(path, scope)
                cls = resolved.value if resolved.depth == len(path.names) else None
                if cls is Counter and not args:
                    yield _Maker(found.target, core.Copy(core.Const(0)), False, resolved.guards)
                if cls is defaultdict and len(args) == 1:
                    default, guards = _default(args[0], values, scope)
                    if default is not None:
                        yield _Maker(found.target, default, True, (*resolved.guards, *guards))


def _default(
    factory: core.Atom | core.Star, values: Mapping[str, core.Op], scope: Scope
) -> tuple[Default | None, tuple[Guard, ...]]:
    """What a factory gives that is read by its name, or is a function of a constant."""
    match values.get(getattr(factory, "name", "")):
        case core.Read(path):
            resolved = resolve(path, scope)
            known = isinstance(resolved.value, type) and resolved.depth == len(path.names)
            return (FACTORIES.get(resolved.value) if known else None), resolved.guards
        case core.MakeFunction(_, gast.Lambda(body=gast.Constant(value=value)) as made, (), ()):
            return (core.Copy(core.Const(value)) if not made.args.args else None), ()
    return None, ()


def _stays(function: core.Function, scope: Scope, made: _Maker) -> bool:
    """Whether a variable is bound once, and nothing is done with its dict that would tell of its class."""
    statements, name = list(core.walk(function.body)), made.name
    if sum(name in assigned(statement) for statement in statements) != 1:
        return False
    return all(_is_harmless(found, scope, made) for found in statements if _mentions(found, name))


def _mentions(statement: core.Statement, name: str) -> bool:
    op = statement.op if isinstance(statement, core.Assign) else None
    captured = op.captured if isinstance(op, core.MakeFunction) else ()
    return name in read(statement) or name in captured or (isinstance(op, core.Call) and name in op.carried)


def _is_harmless(statement: core.Statement, scope: Scope, made: _Maker) -> bool:
    """Whether a statement does with a dict what it would do with a plain one."""
    own = core.Var(made.name)
    match statement:
        case core.SetItem(target, index, value) | core.AugmentItem(target, index, _, value):
            return target == own != value and is_key(index, own)
        case core.If() | core.For():
            return True
        case core.DelItem(target, index):  # which a `Counter` allows of what it has not
            return target == own and made.kept and is_key(index, own)
        case core.Assign(op=op):
            return _reads(op, scope, own)
    return False


def is_key(index: core.Index, own: core.Var) -> bool:
    """Whether an index is neither a slice nor the container itself."""
    items = index.items if isinstance(index, core.IndexTuple) else (index,)
    return own not in items and not any(isinstance(item, core.Slice) for item in items)


def _reads(op: core.Op, scope: Scope, own: core.Var) -> bool:
    match op:
        case core.GetItem(value, index):
            return value == own and is_key(index, own)
        case core.CallMethod(value, method, args, ()):
            starred = any(isinstance(arg, core.Star) for arg in args)
            return value == own and method in METHODS and not starred and own not in args
        case core.Compare("in" | "not in", left, right):
            return right == own and left != own
        case core.Truth() | core.Unary("not"):
            return True
        case core.Call(core.Path() as path, (only,), ()):
            callee = resolve(path, scope).value
            return only == own and any(callee is known for known in CONSUMING)
    return False


@dataclass(frozen=True)
class _Rewriting:
    """What stands in place of the statements that have to do with one dict."""

    made: _Maker
    names: Names

    def statement(self, statement: core.Statement) -> core.Block:
        own = core.Var(self.made.name)
        match statement:
            case core.Assign(target, _, loc) if target == own.name:
                return (core.Assign(target, core.DictDisplay(()), loc),)
            case core.Assign(target, core.GetItem(value, index), loc) if value == own:
                return tuple(self._read(statement, target, index, loc))
            case core.AugmentItem(target, index, _, _, loc) if target == own:
                return tuple(self._augmented(statement, index, loc))
        return (statement,)

    def _read(
        self, statement: core.Statement, target: str, index: core.Index, loc: core.Loc
    ) -> Iterator[core.Statement]:
        if self.made.kept:
            yield from self._asked("setdefault", self.names.temporary(), index, loc)
            yield statement
        else:
            yield from self._asked("get", target, index, loc)

    def _augmented(
        self, statement: core.AugmentItem, index: core.Index, loc: core.Loc
    ) -> Iterator[core.Statement]:
        """The key is there when it is read, which may have been done in a statement before; a `Counter` has
        it when there is something to store."""
        if not self.made.kept:
            before = statement.before or self.names.temporary()
            if not statement.before:
                yield from self._asked("get", before, index, loc)
            yield from spelled(replace(statement, before=before))
            return
        if not statement.before:
            yield from self._asked("setdefault", self.names.temporary(), index, loc)
        yield statement

    def _asked(self, method: str, target: str, index: core.Index, loc: core.Loc) -> Iterator[core.Statement]:
        """What the dict has under a key, or gets there, or a default."""
        key, default = index, self.names.temporary()
        if isinstance(index, core.IndexTuple):  # `d[a, b]`
            key = core.Var(self.names.temporary())
            items = tuple(item for item in index.items if not isinstance(item, core.Slice))  # there are none
            yield core.Assign(key.name, core.Display("tuple", items), loc)
        assert isinstance(key, core.Var | core.Const)
        yield core.Assign(default, self.made.default, loc)
        yield core.Assign(
            target, core.CallMethod(core.Var(self.made.name), method, (key, core.Var(default))), loc
        )
