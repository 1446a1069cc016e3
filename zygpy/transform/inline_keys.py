"""Calls of `sorted`, `max` and `min` by a key that the program itself has made, which has captured something:
loops that call it for every item.

    max(xs, key=far)        ->      items, keys = [], []
                                    for item in xs:
                                        items.append(item)
                                        keys.append(far(item))
                                    items[place_of_largest(keys)]
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from zygpy.ir import core
from zygpy.transform.bodies import Around, bindings_of
from zygpy.transform.inline_folds import function_made

PLACES = {max: "place_of_largest", min: "place_of_smallest"}


def with_keys_in_place(program: core.Function, builtin: Callable[[core.Path], Any]) -> core.Function:
    """The program with such calls as loops; the very same if there is none. `builtin` gives what a path leads
    to."""
    statements = list(core.walk(program.body))
    bound = bindings_of(statements)
    made = {name for name in map(function_made, statements) if name and bound[name] == 1}
    if not any(_key(one, made, builtin) for one in statements):
        return program
    around = Around(program)

    def spelled(statement: core.Statement) -> core.Block:
        key = _key(statement, made, builtin)
        if key is None:
            return (statement,)
        assert isinstance(statement, core.Assign)
        assert isinstance(statement.op, core.Call)
        return tuple(_Keys(around, statement, statement.op, key).spelled(builtin))

    return replace(program, body=core.rewritten(program.body, spelled))


def _key(
    statement: core.Statement, made: Collection[str], builtin: Callable[[core.Path], Any]
) -> core.Var | None:
    """The key of such a call, which is given one thing to walk over, and `reverse=` at most."""
    op = statement.op if isinstance(statement, core.Assign) else None
    if not isinstance(op, core.Call) or not isinstance(op.func, core.Path) or len(op.args) != 1:
        return None
    given = {keyword.name: keyword.value for keyword in op.keywords}
    key, called = given.pop("key", None), builtin(op.func)
    if not isinstance(key, core.Var) or key.name not in made or isinstance(op.args[0], core.Star):
        return None
    known = callable(called) and (called in PLACES or called is sorted)
    return key if known and given.keys() <= ({"reverse"} if called is sorted else set()) else None


@dataclass
class _Keys:
    around: Around
    statement: core.Assign
    call: core.Call
    key: core.Var

    def spelled(self, builtin: Callable[[core.Path], Any]) -> list[core.Statement]:
        """The loops. `sorted` has all items before the first key is made, the others turn by turn."""
        assert isinstance(self.call.func, core.Path)
        called = builtin(self.call.func)
        items, keys = self._new_list(), self._new_list()
        walked = self.call.args[0]
        assert not isinstance(walked, core.Star)
        begun = [
            core.Assign(self._temporary(), core.Read(self.call.func), self._loc),
            *map(self._empty, (items, keys)),
        ]
        if called is not sorted:
            loop = self._loop(walked, lambda item: [*self._append(items, item), *self._keyed(keys, item)])
            return [*begun, loop, *self._chosen(PLACES[called], items, keys)]
        loops = [
            self._loop(walked, lambda item: self._append(items, item)),
            self._loop(core.Var(items), lambda item: self._keyed(keys, item)),
        ]
        return [*begun, *loops, *self._ordered(items, keys)]

    @property
    def _loc(self) -> core.Loc:
        return self.statement.loc

    def _temporary(self) -> str:
        return self.around.names.temporary()

    def _new_list(self) -> str:
        return self._temporary()

    def _empty(self, name: str) -> core.Statement:
        return core.Assign(name, core.Display("list", ()), self._loc)

    def _append(self, name: str, item: core.Atom) -> list[core.Statement]:
        call = core.CallMethod(core.Var(name), "append", (item,))
        return [core.Assign(self._temporary(), call, self._loc)]

    def _keyed(self, keys: str, item: core.Atom) -> list[core.Statement]:
        made = self._temporary()
        return [
            core.Assign(made, core.Call(self.key, (item,)), self._loc),
            *self._append(keys, core.Var(made)),
        ]

    def _loop(self, walked: core.Atom, body: Callable[[core.Atom], list[core.Statement]]) -> core.For:
        item = self.around.names.fresh("item")
        self.around.variables.add(item)
        return core.For(item, walked, tuple(body(core.Var(item))), self._loc)

    def _chosen(self, helper: str, items: str, keys: str) -> list[core.Statement]:
        place = self._temporary()
        found = core.Call(core.Path((helper,), "helper"), (core.Var(keys),))
        item = core.GetItem(core.Var(items), core.Var(place))
        return [core.Assign(place, found, self._loc), replace(self.statement, op=item)]

    def _ordered(self, items: str, keys: str) -> list[core.Statement]:
        reverse = next((one.value for one in self.call.keywords if one.name == "reverse"), core.Const(False))
        order, ordered = self._temporary(), self._temporary()
        places = core.Call(core.Path(("permutation",), "helper"), (core.Var(keys), reverse))

        def add(place: core.Atom) -> list[core.Statement]:
            item = self._temporary()
            read = core.Assign(item, core.GetItem(core.Var(items), place), self._loc)
            return [read, *self._append(ordered, core.Var(item))]

        return [
            core.Assign(order, places, self._loc),
            self._empty(ordered),
            self._loop(core.Var(order), add),
            replace(self.statement, op=core.Copy(core.Var(ordered))),
        ]
