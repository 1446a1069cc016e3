"""Dicts with values for missing keys that stay in one function, as plain ones that get keys as they are read.

    sums = defaultdict(float)           sums = {}
    for k, v in pairs:                  for k, v in pairs:
        sums[k] += v                        sums.setdefault(k, 0.0)
                                            sums[k] += v

Nobody can tell the difference as long as nothing is done with the dict but what a plain one does in the same
way: it is neither given to others nor asked for what it is. A `Counter` that is read gives zero, and keeps
no key. An `OrderedDict` of which the order is not changed (`move_to_end`, `popitem`) is a plain one as it is.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
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


EMPTY = core.DictDisplay(())


@dataclass(frozen=True)
class _Maker:
    """The assignment of such a dict: its variable, what a missing key gives (None: an error), whether that is
    kept, and with which items it begins."""

    name: str
    default: Default | None
    kept: bool
    guards: tuple[Guard, ...]
    items: core.DictDisplay = EMPTY


def _makers(function: core.Function, scope: Scope) -> Iterator[_Maker]:
    assignments = [found for found in core.walk(function.body) if isinstance(found, core.Assign)]
    values = {found.target: found.op for found in assignments}
    shared = {*function.params.names, *function.captured, *function.cells}
    for found in assignments:
        if isinstance(found.op, core.Call) and found.target not in shared:
            made = _maker(found, found.op, values, function, scope)
            if made is not None:
                yield made


def _maker(
    found: core.Assign,
    op: core.Call,
    values: Mapping[str, core.Op],
    function: core.Function,
    scope: Scope,
) -> _Maker | None:
    """What a call makes, if that is such a dict."""
    if not isinstance(op.func, core.Path):
        return None
    resolved = resolve(op.func, scope)
    cls, target = resolved.value if resolved.depth == len(op.func.names) else None, found.target
    if cls is OrderedDict:
        items = _items_at_first(found, op, function)
        return None if items is None else _Maker(target, None, True, resolved.guards, items)
    if cls is Counter and not (op.args or op.keywords):
        return _Maker(target, core.Copy(core.Const(0)), False, resolved.guards)
    if cls is defaultdict and len(op.args) == 1 and not op.keywords:
        default, guards = _default(op.args[0], values, scope)
        return None if default is None else _Maker(target, default, True, (*resolved.guards, *guards))
    return None


def _items_at_first(found: core.Assign, op: core.Call, function: core.Function) -> core.DictDisplay | None:
    """The items that an `OrderedDict` is given by name, or by a list of pairs that is written where it is
    made; None where they are given in another way."""
    if not op.args:
        return _of_keys([(core.Const(keyword.name), keyword.value) for keyword in op.keywords])
    given, left = _written_before(found, function), getattr(op.args[0], "name", "")
    pairs = given.get(left)
    if op.keywords or len(op.args) > 1 or not isinstance(pairs, core.Display) or pairs.kind == "set":
        return None
    return _of_keys([_pair(given.get(getattr(item, "name", ""))) for item in pairs.items])


def _pair(op: core.Op | None) -> tuple[core.Atom, core.Atom] | None:
    match op:
        case core.Display("tuple", (core.Const() as key, core.Const() | core.Var() as value)):
            return key, value
    return None


def _of_keys(pairs: list[tuple[core.Atom, core.Atom] | None]) -> core.DictDisplay | None:
    """A dict of these pairs, if all keys are texts, each of which is there once."""
    known = [pair for pair in pairs if pair is not None]
    keys = [getattr(key, "value", None) for key, _ in known]
    texts = len(known) == len(pairs) and all(type(key) is str for key in keys)
    return core.DictDisplay(tuple(known)) if texts and len({*keys}) == len(keys) else None


def _written_before(statement: core.Assign, function: core.Function) -> dict[str, core.Op]:
    """The displays just before a statement that it alone, or one of them, reads; as long as none of the
    variables in them gets another value before the statement."""
    block = _block_of(statement, function.body)
    place = next(at for at, found in enumerate(block) if found is statement)
    reads = Counter(name for found in core.walk(function.body) for name in read(found))
    bound = Counter(name for found in core.walk(function.body) for name in assigned(found))
    result: dict[str, core.Op] = {}
    later: set[str] = set()
    for found in reversed(block[:place]):
        if not isinstance(found, core.Assign):
            break
        name = found.target
        if (
            isinstance(found.op, core.Display)
            and reads[name] == bound[name] == 1
            and later.isdisjoint(read(found))
        ):
            result[name] = found.op
        later.add(name)
    return {name: op for name, op in result.items() if name not in {*function.cells, *function.captured}}


def _block_of(statement: core.Statement, block: core.Block) -> core.Block:
    """The block in which a statement stands."""
    if any(found is statement for found in block):
        return block
    inner = (part for found in block for part in core.blocks(found))
    return next((place for part in inner if (place := _block_of(statement, part))), ())


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
    if made.default is None and _loses_keys_in_loops(statements, name):
        return False
    return all(_is_harmless(found, scope, made) for found in statements if _mentions(found, name))


def _loses_keys_in_loops(statements: list[core.Statement], name: str) -> bool:
    """Whether loops may run over a dict that loses keys: one that gets them again looks the same to a plain
    one, which raises nothing then."""
    walked = any(isinstance(found, core.For) for found in statements)
    return walked and any(_loses_keys(found, core.Var(name)) for found in statements)


def _loses_keys(statement: core.Statement, own: core.Var) -> bool:
    if isinstance(statement, core.DelItem):
        return statement.target == own
    op = statement.op if isinstance(statement, core.Assign) else None
    return isinstance(op, core.CallMethod) and op.value == own and op.name in ("clear", "pop")


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
                return (core.Assign(target, self.made.items, loc),)
            case _ if self.made.default is None:
                return (statement,)
            case core.Assign(target, core.GetItem(value, index), loc) if value == own:
                return tuple(self._read(statement, target, index, loc))
            case core.AugmentItem(target, index, _, _, loc) if target == own:
                return tuple(self._augmented(statement, index, loc))
        return (statement,)

    def _read(
        self, statement: core.Statement, target: str, index: core.Index, loc: core.Loc
    ) -> Iterator[core.Statement]:
        if isinstance(self.made.default, core.Display | core.DictDisplay):
            yield from self._made_where_missing(index, loc)
            yield statement
        elif self.made.kept:
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
        key, before = self._key(index, loc)
        yield from before
        default = self.names.temporary()
        assert self.made.default is not None
        yield core.Assign(default, self.made.default, loc)
        yield core.Assign(
            target, core.CallMethod(core.Var(self.made.name), method, (key, core.Var(default))), loc
        )

    def _made_where_missing(self, index: core.Index, loc: core.Loc) -> Iterator[core.Statement]:
        """A new list, or the like, under a key that is not there: what is made for each reading would be one
        more thing to follow."""
        key, before = self._key(index, loc)
        yield from before
        own, missing, made = core.Var(self.made.name), self.names.temporary(), self.names.temporary()
        assert self.made.default is not None
        yield core.Assign(missing, core.Compare("not in", key, own), loc)
        then = core.Assign(made, self.made.default, loc), core.SetItem(own, key, core.Var(made), loc)
        yield core.If(core.Var(missing), then, (), loc)

    def _key(self, index: core.Index, loc: core.Loc) -> tuple[core.Atom, core.Block]:
        """A key as one value, and what makes it of several: `d[a, b]`."""
        if not isinstance(index, core.IndexTuple):
            assert isinstance(index, core.Var | core.Const)
            return index, ()
        key = core.Var(self.names.temporary())
        items = tuple(item for item in index.items if not isinstance(item, core.Slice))  # there are none
        return key, (core.Assign(key.name, core.Display("tuple", items), loc),)
