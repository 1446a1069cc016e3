"""Branches and loops, which are kept as they are: the tangent of what is walked over is walked over beside
it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zygpy.ir import core
from zygpy.ir.access import target_names
from zygpy.ir.kinds import Array, Dict, Iterator, List, Object, Row, Tuple, Unknown, may_be_anything
from zygpy.ir.nodes import gast, quote, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.lookup import is_among
from zygpy.runtime.set_tangents import SETS
from zygpy.runtime.tangent_items import items_of
from zygpy.tangent import doors, generators, several, unseen
from zygpy.tangent.state import NotPushed, Tangents
from zygpy.transform import primal
from zygpy.transform.stash import primal_atom


@dataclass(frozen=True)
class If:
    """A branch with its arms."""

    test: gast.expr
    then: list[gast.stmt]
    orelse: list[gast.stmt]

    def write(self, t: Tangents) -> None:
        """Emit it, without an arm that has nothing in it."""
        if self.then and self.orelse:
            text = "if $test:\n    $then\nelse:\n    $orelse"
            t.emit(text, test=self.test, then=self.then, orelse=self.orelse)
        elif self.then or not self.orelse:
            t.emit("if $test:\n    $then", test=self.test, then=self.then or quote("pass"))
        else:
            t.emit("if not $test:\n    $orelse", test=self.test, orelse=self.orelse)


class Iteration:
    """A `for` loop: what it walks over, and what it binds."""

    def __init__(self, t: Tangents, loop: core.For) -> None:
        self.t, self.loop = t, loop
        self.moving = self._moves(loop.iterable)
        bound = set(target_names(loop.target))
        self.untold = sorted(bound & t.paired)
        self.steps: list[tuple[gast.expr, str]] = []  # what is stepped in each turn, and for which tangents
        if self.moving:
            self.target, self.iterable = self._beside(loop.target, loop.iterable)
        else:
            self.target, self.iterable = primal.target(loop.target), primal.iterable(t.ctx, loop.iterable)

    def _moves(self, iterable: Any) -> bool:
        """Whether what is walked over has a tangent; whole numbers that are counted to have none."""
        if not isinstance(iterable, core.Iterate):
            return self._gives_tangents(iterable)
        return iterable.func.names[-1] != "range" and any(self._moves(arg) for arg in iterable.args)

    def _gives_tangents(self, iterable: Any) -> bool:
        """Whether the items have tangents, be they zeros: rows of arrays, which may be written to later, and
        what is found by identity have theirs."""
        if isinstance(self.t.value(self.loop, iterable).kind, Dict):  # keys have none
            return False
        if self.t.is_active(self.loop, iterable):
            return True
        if not (isinstance(iterable, core.Var) and iterable.name in self.t.paired):
            return False
        kind = self.t.value(self.loop, iterable).kind
        rows = isinstance(kind, Array) or (isinstance(kind, List | Row) and isinstance(kind.element, Array))
        held = List | Tuple | Iterator | Unknown
        return rows or (self.t.ctx.facts.way.identity and (isinstance(kind, held) or _is_set(kind)))

    def write(self, body: list[gast.stmt]) -> None:
        """Emit the loop; what has a tangent but is bound to a constant gets zeros."""
        ctx = self.t.ctx
        unseen.check_walk(self.t, self.loop, self.loop.iterable)
        ctx.at(self.loop.loc)
        outer, ctx.code = ctx.code, []
        for dots, iterator in self.steps:
            self.t.emit("$dots = $next($it)", dots=dots, next=ctx.builtin("next"), it=name_node(iterator))
        for name in self.untold:
            self.t.emit("$dot = $zero", dot=self.t.dot(name), zero=self._zero(name))
        body, ctx.code = [*ctx.code, *body], outer
        target, iterable = self.target, self.iterable
        self.t.emit("for $x in $xs:\n    $body", x=target, xs=iterable, body=body or quote("pass"))

    def _zero(self, name: str) -> gast.expr:
        value = self.t.ctx.facts.entries.get(id(self.loop.body), {}).get(name)
        if value is None:
            raise NotPushed("a loop variable of which nothing is known", self.loop.loc)
        return self.t.zero(value.kind, name_node(name))

    def _beside(self, target: core.Target, iterable: Any) -> tuple[gast.expr, gast.expr]:
        """The target and the iterable that give the items and their tangents."""
        if isinstance(iterable, core.Iterate):
            return self._beside_call(target, iterable)
        if not self._gives_tangents(iterable):
            return primal.target(target), primal_atom(iterable)
        kind = self.t.value(self.loop, iterable).kind
        if not (isinstance(kind, Array | List | Tuple | Iterator | Unknown) or _is_set(kind)):
            raise NotPushed("a loop over this", self.loop.loc)
        if self.t.count and not isinstance(target, str):
            several.check_target(target, _item_of(kind), self.loop)
        # What is walked over once may have no tangent of its own, where nothing in it varies: a range, say.
        anything = self.t.ctx.facts.way.everywhere or not self.t.is_active(self.loop, iterable)
        asked = may_be_anything(kind) or _is_set(kind) or (isinstance(kind, Iterator) and anything)
        walked = doors.items_dot if asked else several.walked

        def dots() -> gast.expr:
            return self._apart(target, iterable, walked(self.t, self.loop, iterable))

        def both() -> gast.expr:
            zipped, xs = self.t.ctx.builtin("zip"), primal_atom(iterable)
            return quote_expression("$zip($xs, $dots)", zip=zipped, xs=xs, dots=dots())

        pairs = generators.in_pairs(self.t, self.loop, iterable)
        if pairs is None and self._is_stepped(iterable):
            together = _is_zipped(self.loop.iterable)
            xs, beside = generators.begin_apart(self.t, self.loop, iterable, dots(), together=together)
            self.steps.append((self._dots(target), beside))
            return primal.target(target), name_node(xs)
        return _pair(primal.target(target), self._dots(target)), both() if pairs is None else pairs

    def _is_stepped(self, iterable: core.Atom) -> bool:
        """Whether the tangents are stepped through in the loop: in a generator what walks over several things
        at once is one itself, in reverse mode, and so is what is chosen before the loop."""
        known = generators.is_known(self.t, self.loop, iterable)
        return known is None or (self.t.suspends and not known)

    def _beside_call(self, target: core.Target, call: core.Iterate) -> tuple[gast.expr, gast.expr]:
        function = call.func.names[-1]
        if not self._moves(call):
            return primal.target(target), primal.iterable(self.t.ctx, call)
        if function == "reversed" and isinstance(call.args[0], core.Var):
            return self._backwards(target, call.args[0])
        if isinstance(target, str) or function not in ("zip", "enumerate"):
            raise NotPushed(f"a loop over '{function}'", self.loop.loc)
        callee = primal.path_expression(self.t.ctx, call.func)
        keywords = primal.keyword_nodes(call.keywords)
        if function == "enumerate":
            inner, walked = self._beside(target[1], call.args[0])
            rest = [primal.iterable(self.t.ctx, arg) for arg in call.args[1:]]
            return _pair(primal.target(target[0]), inner), gast.Call(callee, [walked, *rest], keywords)
        columns = [self._beside(part, arg) for part, arg in zip(target, call.args, strict=True)]
        if not keywords:  # else what it says of arguments of different lengths counts these
            columns = [column for pair in columns for column in _columns(*pair)]
        made = gast.Call(callee, [walked for _, walked in columns], keywords)
        return gast.Tuple([part for part, _ in columns], gast.Load()), made

    def _backwards(self, target: core.Target, sequence: core.Var) -> tuple[gast.expr, gast.expr]:
        if not isinstance(self.t.value(self.loop, sequence).kind, Array | List | Tuple | Row):
            raise NotPushed("a loop over 'reversed'", self.loop.loc)
        walked = several.walked(self.t, self.loop, sequence)
        dots = self._apart(target, sequence, walked)
        if dots is not walked:
            dots = quote_expression("$list($dots)", list=self.t.ctx.builtin("list"), dots=dots)
        both = quote_expression(
            "$zip($reversed($xs), $reversed($dots))",
            zip=self.t.ctx.builtin("zip"),
            reversed=self.t.ctx.builtin("reversed"),
            xs=primal_atom(sequence),
            dots=dots,
        )
        return _pair(primal.target(target), self._dots(target)), both

    def _apart(self, target: core.Target, iterable: core.Atom, dots: gast.expr) -> gast.expr:
        """The tangents of the items, as a target takes them apart: what comes out of a dict are its keys."""
        kind = self.t.value(self.loop, iterable).kind
        if isinstance(target, str) or all(_is_told(target, item) for item in _kinds_of_items(kind)):
            return dots
        if isinstance(kind, Iterator) or self.t.count or not all(isinstance(part, str) for part in target):
            raise NotPushed("items of which it is not known how they are taken apart", self.loop.loc)
        apart, items = self.t.ctx.builtin("map"), self.t.ctx.cell("items_of", items_of)
        xs = primal_atom(iterable)
        return quote_expression("$map($of, $dots, $xs)", map=apart, of=items, dots=dots, xs=xs)

    def _dots(self, target: core.Target) -> gast.expr:
        """The variables for the tangents of what a target binds."""
        if isinstance(target, str):
            if target in self.untold:
                self.untold.remove(target)
                return name_node(self.t.dot(target))
            return name_node(self.t.unused)
        return gast.Tuple([self._dots(item) for item in target], gast.Load())


def _is_zipped(iterable: Any) -> bool:
    """Whether a loop walks over several things at once."""
    if not isinstance(iterable, core.Iterate):
        return False
    return (len(iterable.args) > 1 and iterable.func.names[-1] == "zip") or any(
        map(_is_zipped, iterable.args)
    )


def _is_set(kind: Any) -> bool:
    """Whether something is surely a set, whose items have their tangents under them."""
    return isinstance(kind, Object) and is_among(kind.cls, SETS)


def _kinds_of_items(kind: Any) -> tuple[Any, ...]:
    """The kinds that the items of what is walked over may have."""
    if isinstance(kind, Tuple):
        return kind.items
    whole = isinstance(kind, Array) or may_be_anything(kind) or _is_set(kind)
    return (kind if whole else kind.element,)


def _is_told(target: core.Target, kind: Any) -> bool:
    """Whether what a target takes apart is known to be a sequence, whose tangent has the same items."""
    if isinstance(target, str) or isinstance(kind, Array):
        return True
    if isinstance(kind, List | Row):
        return all(_is_told(part, kind.element) for part in target)
    told = isinstance(kind, Tuple) and len(kind.items) == len(target)
    return told and all(map(_is_told, target, kind.items))


def _item_of(kind: Any) -> Any:
    """The kind of the items of what is walked over, as far as it is known."""
    if isinstance(kind, Array):
        return kind
    if isinstance(kind, Tuple):
        return kind.items[0] if len(set(kind.items)) == 1 else kind
    return kind.element


def _columns(target: Any, walked: Any) -> list[tuple[gast.expr, gast.expr]]:
    """What a `zip` of several things walks over one by one."""
    zipped = isinstance(walked, gast.Call) and getattr(walked.func, "id", "").startswith("zip")
    if zipped and len(walked.args) == len(getattr(target, "elts", ())):
        return list(zip(target.elts, walked.args, strict=True))
    return [(target, walked)]


def _pair(first: gast.expr, second: gast.expr) -> gast.expr:
    return gast.Tuple([first, second], gast.Load())
