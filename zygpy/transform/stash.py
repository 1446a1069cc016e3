"""What the adjoint will read: recorded values, where they live and when the forward stashes them."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from zygpy.analyse.facts import Facts
from zygpy.analyse.versions import Region, Version, Versions, versions
from zygpy.ir import core
from zygpy.ir.access import leaves
from zygpy.ir.kinds import (
    Array,
    Closure,
    Dict,
    Kind,
    Known,
    List,
    Nothing,
    Object,
    OneOf,
    Optional,
    Row,
    Text,
    Tuple,
    is_numeric,
    is_scalar,
    may_be_object,
)
from zygpy.ir.names import Names
from zygpy.ir.nodes import constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node

Key: TypeAlias = "tuple[object, ...]"


Saved: TypeAlias = "tuple[dict[Key, Item], dict[Key, str], set[str], object]"


@dataclass(eq=False)
class Item:
    """One recorded value.

    `name` is what the adjoint calls it. `expression` gives it in the forward, at any point of the
    region's block after statement `defined` and up to statement `killed`. `at` is the statement in
    front of which the value must be saved whatever happens later (a copy, or an uncertain value).
    """

    name: str
    region: Region
    expression: gast.expr
    defined: int
    killed: int
    saved: bool = False
    wish: str = ""
    name_is_exit: bool = False
    exit_only: bool = False


@dataclass
class Recorder:
    """All recorded items, by what they are; regions know theirs in order of first use."""

    facts: Facts
    versions: Versions
    names: Names
    primal: frozenset[str]
    helper: Callable[[str], str]
    used: set[str] = field(default_factory=set)
    items: dict[Key, Item] = field(default_factory=dict)
    provided: dict[Key, str] = field(default_factory=dict)
    counters: dict[int, str] = field(default_factory=dict)  # of loops that the adjoint counts backwards
    changing: dict[tuple[int, str], Version] = field(
        default_factory=dict
    )  # heads that unseen code may change

    def save(self) -> Saved:
        """The state, so that a trial run can be taken back."""
        return dict(self.items), dict(self.provided), set(self.used), self.names.save()

    def restore(self, state: Saved) -> None:
        """Take back what was recorded since `save`."""
        self.items, self.provided, self.used = dict(state[0]), dict(state[1]), set(state[2])
        self.names.restore(state[3])

    def of_region(self, region: Region) -> list[Item]:
        """The items stashed in a region."""
        return [item for item in self.items.values() if item.region is region]

    def value(self, statement: core.Statement, atom: core.Atom) -> gast.expr:
        """The value that an atom has just before a statement."""
        if isinstance(atom, core.Const):
            return constant(atom.value)
        version = self.versions.before.get((id(statement), atom.name))
        if version is None:
            raise KeyError(f"{atom.name} has no value at line {statement.loc.line}")
        if ("value", version) in self.provided:
            return name_node(self.provided["value", version])
        value = self.facts.value(statement, atom)
        constant_read = self._constant_read(version)
        if constant_read is not None and is_scalar(value.kind):
            return self._global(constant_read)
        recomputed = self._recomputed(version)
        if recomputed is not None:
            return recomputed
        if self.facts.is_written(value):
            copied = self._copied(atom.name, value.kind)
            return self._here(statement, ("copy", version), atom.name, copied)
        if not value.certain:
            return self._here(statement, ("value", version), atom.name, name_node(atom.name))
        return self._item(("value", version), version, atom.name, name_node(atom.name))

    def _recomputed(self, version: Version) -> gast.expr | None:
        """The value of a temporary such as `i - 1` from that of `i`, which the adjoint has anyway."""
        if version.defined < 0:
            return None
        statement = version.region.block[version.defined]
        if not (isinstance(statement, core.Assign) and isinstance(statement.op, core.Binary)):
            return None
        left, right = (
            self._at_hand(statement, statement.op.left),
            self._at_hand(statement, statement.op.right),
        )
        if statement.op.op not in ("+", "-") or left is None or right is None:
            return None
        return quote_expression(f"$a {statement.op.op} $b", a=left, b=right)

    def _at_hand(self, statement: core.Statement, atom: core.Atom) -> gast.expr | None:
        """An integer that is a literal, or that the adjoint has without having to be told."""
        if isinstance(atom, core.Const):
            return constant(atom.value) if type(atom.value) is int else None
        version = self.versions.before.get((id(statement), atom.name))
        if version is None or version.defined != -1 or self.counters.get(id(version.region)) != version.name:
            return None
        return self._item(("value", version), version, atom.name, name_node(atom.name))

    def _constant_read(self, version: Version) -> core.Path | None:
        """The global number that a temporary was read from, in a program that cannot rebind it."""
        if version.defined < 0 or self.facts.unseen or self.facts.outside:
            return None
        statement = version.region.block[version.defined]
        if not (isinstance(statement, core.Assign) and isinstance(statement.op, core.Read)):
            return None
        path = statement.op.path
        return path if path.scope == "global" and len(path.names) == 1 else None

    def _global(self, path: core.Path) -> gast.expr:
        """A global number, stashed once for the whole call."""
        body = self.facts.function.body
        region = self.versions.regions[id(body)]
        return self._add(("global", path), path.names[0], region, name_node(path.names[0]), -1, len(body))

    def result(self, statement: core.Statement, name: str) -> gast.expr:
        """The value that a variable has just after a statement."""
        version = self.versions.after[id(statement), name]
        value = self.facts.after(statement, name)
        if self.facts.is_written(value):
            copied = self._copied(name, value.kind)
            return self._item(("copy", version), version, name, copied, saved=True)
        return self._item(("value", version), version, name, name_node(name))

    def ran(self, statement: core.Attempt, failure: str) -> gast.expr:
        """Whether the body of an attempt ran to its end."""
        version = self.versions.after[id(statement), failure]
        succeeded = quote_expression("$x is None", x=failure)
        region, defined, killed = version.region, version.defined, version.killed
        return self._add(("ran", version), "completed", region, succeeded, defined, killed)

    def reference(self, statement: core.Statement, name: str, *, after: bool = False) -> gast.expr:
        """The array or thing itself that a variable holds, whatever becomes of its content."""
        value = self.facts.after(statement, name) if after else self.facts.value(statement, core.Var(name))
        if isinstance(value.kind, Object) and value.certain:
            return self._thing(statement, name, after)
        table = self.versions.after if after else self.versions.before
        version = table.get((id(statement), name)) or self.versions.before[id(statement), name]
        if not after and not self.facts.value(statement, core.Var(name)).certain:
            return self._here(statement, ("reference", version), f"{name}_array", name_node(name))
        return self._item(("reference", version), version, f"{name}_array", name_node(name))

    def functions_in(self, statement: core.Statement, name: str) -> gast.expr:
        """The function that a variable holds, or the containers that it holds as they are before a
        statement, with the functions in them."""
        if isinstance(self.facts.value(statement, core.Var(name)).kind, Closure | Known):
            return self.reference(statement, name)
        version = self.versions.before[id(statement), name]
        held = quote_expression("$f($x)", f=self.helper("containers_now"), x=name)
        return self._here(statement, ("functions", version), f"{name}_held", held)

    def _thing(self, statement: core.Statement, name: str, after: bool) -> gast.expr:
        """An object, which stays the same until the variable is bound anew."""
        table = self.bindings.after if after else self.bindings.before
        binding = table.get((id(statement), name)) or self.bindings.before[id(statement), name]
        region = self.versions.regions[id(binding.region.block)]
        key, expression = ("reference", binding), name_node(name)
        return self._add(key, name, region, expression, binding.defined, binding.killed)

    @functools.cached_property
    def bindings(self) -> Versions:
        """The versions of variables that are made by binding them alone."""
        return versions(self.facts.function, {})

    def cell(self, body: core.Block, name: str, captured: bool) -> gast.expr:
        """The cell object of a variable that functions share."""
        version = self.versions.heads[id(body), name] if captured else None
        if version is not None:
            return self._item(("value", version), version, f"{name}_cell", name_node(name))
        region = self.versions.regions[id(body)]
        return self._made(("cell", name), f"{name}_cell", region, -1)

    def reference_head(self, body: core.Block, name: str) -> gast.expr:
        """The array itself that a parameter held at the call."""
        version = self.versions.heads[id(body), name]
        return self._item(("reference", version), version, f"{name}_array", name_node(name))

    def measure(self, what: str, statement: core.Statement, name: str) -> gast.expr:
        """A measurement (`shape`, `length`, ...) of the value before a statement."""
        version = self.versions.before[id(statement), name]
        value = self.facts.value(statement, core.Var(name))
        expression = self.measurement(what, name, value.kind)
        may_change = self.facts.way.identity and not _keeps(what, value.kind)
        elsewhere = self.versions.positions[id(statement)][0] is not version.region
        if elsewhere and what in NUMPY_MEASURES and not (is_numeric(value.kind) and name not in self.objects):
            expression = self._if_regular(what, name)
        unsure = elsewhere and what == "keys" and not isinstance(value.kind, Dict)
        unsure |= elsewhere and name in self.asked
        if not value.certain or may_change or unsure:
            return self._here(statement, (what, version), f"{name}_{what}", expression)
        return self._measured(what, version, name, expression)

    @functools.cached_property
    def asked(self) -> Set[str]:
        """The variables that may hold None somewhere, and whose values can be measured elsewhere alone."""
        found = (*self.facts.values.items(), *self.facts.results.items())
        return {name for (_, name), value in found if isinstance(value.kind, Optional | OneOf)}

    @functools.cached_property
    def objects(self) -> Set[str]:
        """The variables that may hold an object somewhere."""
        found = (*self.facts.values.items(), *self.facts.results.items())
        return {name for (_, name), value in found if may_be_object(value.kind)}

    def measure_result(self, what: str, statement: core.Statement, name: str) -> gast.expr:
        """A measurement of the value after a statement."""
        version = self.versions.after[id(statement), name]
        kind = self.facts.after(statement, name).kind
        return self._measured(what, version, name, self.measurement(what, name, kind))

    def measurement(self, what: str, name: str, kind: Kind) -> gast.expr:
        """The forward's expression of a measurement."""
        if what in ("shape", "ndim", "size", "dtype") and isinstance(kind, Array):
            return quote_expression(f"$x.{what}", x=name)
        if what in NUMPY_MEASURES:
            return quote_expression(f"$np.{what}($x)", np=self.helper("np"), x=name)
        if what == "length" and not isinstance(kind, Array | Dict | List | Tuple | Row):
            what = "items"
        if what == "keys" and not isinstance(kind, Dict):
            what = "keys of mapping"
        function = self.helper(HELPER_MEASURES[what])
        return quote_expression("$f($x)", f=function, x=name)

    def _if_regular(self, what: str, name: str) -> gast.expr:
        """The measurement of what may be a sequence of which no array can be made, where no branch that needs
        one is taken."""
        function, np = self.helper("if_regular"), self.helper("np")
        return quote_expression(f"$f($np.{what}, $x)", f=function, np=np, x=name)

    def _copied(self, name: str, kind: Kind) -> gast.expr:
        if is_scalar(kind):
            return name_node(name)
        if isinstance(kind, Array) and kind.rank:
            return quote_expression("$x.copy()", x=name)
        return quote_expression("$f($x)", f=self.helper("snapshot"), x=name)

    def _measured(self, what: str, version: Version, name: str, expression: gast.expr) -> gast.expr:
        wish = f"{name}_{what}"
        return self._item((what, version), version, wish, expression, saved=what == "length")

    def item_before(self, statement: core.AugmentItem) -> gast.expr:
        """A copy of the item that `x[i] op= v` is about to change."""
        assert isinstance(statement.target, core.Var)
        index = primal_index(statement.index)
        item: gast.expr = gast.Subscript(name_node(statement.target.name), index, gast.Load())
        value = quote_expression("$f($x)", f=self.helper("snapshot"), x=item)
        return self._here(statement, ("item",), "item", value)

    def has_key(self, statement: core.Statement, name: str, key: core.Atom) -> gast.expr:
        """Whether a dict has a key, just before a statement asks it for that."""
        parts = {"x": name_node(name), "k": primal_atom(key)}
        if _is_plain_key(self.facts.value(statement, key).kind):
            value = quote_expression("$k in $x", **parts)
        else:
            value = quote_expression("$f($x, $k)", f=self.helper("holds_key"), **parts)
        return self._here(statement, ("has key",), "is_there", value)

    def position(self, statement: core.Statement, name: str, sought: core.Atom) -> gast.expr:
        """Where a list has a value, just before a statement takes it out."""
        finder, atom = self.helper("position_of"), primal_atom(sought)
        value = quote_expression("$f($xs, $x)", f=finder, xs=name, x=atom)
        return self._here(statement, ("position",), f"{name}_position", value)

    def defining_class(self, statement: core.Statement, cls: gast.expr, name: str) -> gast.expr:
        """The class in which an attribute of a class is found, just before a statement reads it."""
        value = quote_expression("$f($c, $n)", f=self.helper("defining_class"), c=cls, n=constant(name))
        return self._here(statement, ("defining",), "owner", value)

    def extra(self, statement: core.Statement, tag: str, wish: str) -> gast.expr:
        """A variable that the forward itself makes at a statement, such as a callee's stash."""
        region, index = self.versions.positions[id(statement)]
        return self._made((tag, id(statement)), wish, region, index)

    def made(self, statement: core.Statement, tag: str) -> str | None:
        """The name of such a variable if the adjoint asks for it."""
        item = self.items.get((tag, id(statement)))
        return None if item is None else item.name

    def measure_head(self, what: str, region: Region, loop: core.Statement, name: str) -> gast.expr:
        """A measurement of what a variable holds when an iteration of a loop begins."""
        version = self.head(region, name)
        if version is None:
            return self.measure(what, loop, name)
        value = self.facts.entries[id(region.block)][name]
        expression = self.measurement(what, name, value.kind)
        if not value.certain:
            absent: gast.expr = gast.Tuple([], gast.Load()) if what == "shape" else constant(0)
            function = self.helper("if_bound")
            expression = quote_expression("$f(lambda: $e, $d)", f=function, e=expression, d=absent)
        return self._measured(what, version, name, expression)

    def head(self, region: Region, name: str) -> Version | None:
        """What a variable holds when an iteration of a loop begins, where that may be something else than
        before the loop; None where it is the same."""
        key = id(region.block), name
        known = self.versions.heads.get(key, self.changing.get(key))
        if known is None and self.facts.way.identity and self._may_change_anything(region.block):
            self.changing[key] = known = Version(name, region, -1, len(region.block))
        return known

    def _may_change_anything(self, block: core.Block) -> bool:
        """Whether a statement of a block changes something, or calls what may do so."""
        facts = self.facts
        return any(id(inner) in facts.unseen or facts.writes.get(id(inner)) for inner in core.walk(block))

    def region_stash(self, region: Region, wish: str) -> gast.expr:
        """The variable that holds the items of a branch's arms or of a `with` body."""
        assert region.parent is not None
        key = ("stash", region.parent, region.index)
        made = self._made(key, wish, region.parent, region.index)
        self.items[key].exit_only = leaves(region.block)
        return made

    def exit_number(self, region: Region) -> str:
        """The variable that tells by which exit an iteration left."""
        self._add(("left", region), "left", region, constant(0), len(region.block), len(region.block))
        self.items["left", region].name_is_exit = True
        return self.items["left", region].name

    def tape(self, region: Region) -> gast.expr:
        """The list of the iterations' stashes."""
        assert region.parent is not None
        return self._made(("tape", region), "tape", region.parent, region.index)

    def count(self, region: Region) -> gast.expr:
        """The number of iterations that the adjoint has to go through."""
        assert region.parent is not None
        return self._made(("count", region), "iterations", region.parent, region.index)

    def take_loop_variable(self, region: Region, name: str) -> Item | None:
        """The recorded variable of a loop over a range, which the adjoint's loop itself provides."""
        for key, item in self.items.items():
            version = key[1]
            if key[0] != "value" or not isinstance(version, Version) or version.name != name:
                continue
            if version.region is region and version.defined == -1:
                del self.items[key]
                return item
        return None

    def _made(self, key: Key, wish: str, region: Region, index: int) -> gast.expr:
        """A variable that the forward makes under the name that the adjoint uses too."""
        if key not in self.items:
            name = self.names.fresh(wish)
            self.items[key] = Item(name, region, name_node(name), index, len(region.block))
        return name_node(self.items[key].name)

    def _here(self, statement: core.Statement, key: Key, wish: str, expression: gast.expr) -> gast.expr:
        region, index = self.versions.positions[id(statement)]
        key = (*key, id(statement))
        return self._add(key, wish, region, expression, index - 1, index, saved=True)

    def _item(
        self, key: Key, version: Version, wish: str, expression: gast.expr, *, saved: bool = False
    ) -> gast.expr:
        return self._add(key, wish, version.region, expression, version.defined, version.killed, saved=saved)

    def _add(
        self,
        key: Key,
        wish: str,
        region: Region,
        expression: gast.expr,
        defined: int,
        killed: int,
        *,
        saved: bool = False,
    ) -> gast.expr:
        item = self.items.get(key)
        if item is None:
            name = self.adjoint_name(wish)
            item = Item(name, region, expression, defined, killed, saved, wish)
            self.items[key] = item
        return name_node(item.name)

    def adjoint_name(self, wish: str) -> str:
        """A name in the adjoint: the variable's own the first time, then numbered. (What it does not need,
        the adjoint assigns to `_`.)"""
        own = wish in self.primal and wish not in self.used and not hasattr(builtins, wish) and wish != "_"
        name = wish if own else self.names.fresh(wish)
        self.used.add(name)
        return name


def primal_atom(atom: core.Atom) -> gast.expr:
    """An atom as the forward writes it."""
    return constant(atom.value) if isinstance(atom, core.Const) else name_node(atom.name)


def primal_index(index: core.Index) -> gast.expr:
    """An index as the forward writes it."""
    if isinstance(index, core.IndexTuple):
        return gast.Tuple([primal_index(item) for item in index.items], gast.Load())
    if isinstance(index, core.Slice):
        parts = (index.lower, index.upper, index.step)
        return cast(gast.expr, gast.Slice(*(None if part is None else primal_atom(part) for part in parts)))
    return primal_atom(index)


NUMPY_MEASURES = ("shape", "ndim", "size")
"""Measurements that are functions of NumPy."""

HELPER_MEASURES = {
    "length": "len",
    "items": "item_count",
    "count": "count_of",
    "places": "places_of",
    "keys": "list",
    "keys of mapping": "keys_unpacked",
    "carried": "carried_count",
    "dtype": "dtype_of",
    "shapes": "shapes_of",
    "reals": "which_are_real",
    "layout": "layout_of",
    "walked_layout": "walked_layout_of",
    "nesting": "nesting",
}
"""Measurements that helpers take."""


def _is_plain_key(kind: Kind) -> bool:
    """Whether keys of a kind are looked up without code of a class."""
    if isinstance(kind, Tuple):
        return kind.cls is None and all(map(_is_plain_key, kind.items))
    return isinstance(kind, Text | Nothing) or is_scalar(kind)


def _keeps(what: str, kind: Kind) -> bool:
    """Whether a measurement of a value stays what it is: that of a tuple does if those of its items do."""
    if isinstance(kind, Tuple):
        return what == "length" or all(_keeps(what, item) for item in kind.items)
    if isinstance(kind, Row):
        return what == "length" or _keeps(what, kind.element)
    return is_numeric(kind)
