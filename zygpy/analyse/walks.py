"""Iteration over what may be an object, spelled out: a run-time door tells what is walked over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

import numpy as np

from zygpy.analyse import transfer
from zygpy.analyse.array_writes import is_numpys
from zygpy.analyse.containers import may_have_a_point
from zygpy.analyse.facts import Facts
from zygpy.analyse.known_iterators import taken_apart
from zygpy.analyse.operators import binds_anew
from zygpy.analyse.questions import (
    CALLS,
    COMPARING,
    CONVERSIONS,
    items_in,
    questions_of,
    runs_code,
    searches_of,
    shown_by,
)
from zygpy.analyse.replaced import has_program, is_mixed
from zygpy.analyse.values import Value, is_inert_outside
from zygpy.ir import core, kinds
from zygpy.ir.access import mentioned
from zygpy.ir.kinds import (
    INT,
    Array,
    Kind,
    Known,
    List,
    NumpyScalar,
    Object,
    Row,
    Tuple,
    Unknown,
    is_scalar,
    may_be_anything,
    may_be_object,
)
from zygpy.ir.names import Names
from zygpy.rules import declare
from zygpy.runtime.lookup import in_class
from zygpy.runtime.operations import AUGMENTED_METHODS
from zygpy.runtime.protocols import HOLDING, ITEMWISE, METHODS

WALKED = core.Path(("walked",), "helper")
APART = core.Path(("taken_apart",), "helper")
WATCHED = core.Path(("watched",), "helper")
SOUGHT = core.Path(("sought",), "helper")
STORED = core.Path(("stored_item",), "helper")
CHANGED = core.Path(("changed_item",), "helper")
SLICE = core.Path(("slice",), "builtin")
SET = core.Path(("set",), "builtin")
CHECK = core.Path(("check_answer",), "helper")
STORED_IN_ARRAY = core.Path(("check_stored",), "helper")
ASKED = core.Path(("asked",), "helper")
TUPLE = core.Path(("tuple",), "builtin")
ARRAY = core.Path(("np", "array"), "helper")
ROWS = core.Path(("as_rows",), "helper")


def may_run_code(value: Value) -> bool:
    """Whether iterating over a value may run code whose effects or results take part."""
    return value.active and may_be_object(value.kind)


def with_walks(program: core.Function, facts: Facts, *, checks: bool = True) -> core.Function:
    """The same program with `w = walked(xs)` in front of loops over what may be an object, with
    `t = taken_apart(xs, count)` in front of where such a thing is unpacked, and with
    `check_answer("<", t, a, b)` behind questions that its class may answer, and with `t = t + u` for `t += u`
    where `t` is a tuple, or a number and `u` is none; the very same if there is none.

    Without `checks` there are none: what generated code and our own asks, it has been asked about before.
    """
    spelling = _Spelling(facts, Names(mentioned(program)), _spelled(program), checks)
    body = spelling.block(program.body)
    return replace(program, body=body) if spelling.found else program


def asks_when_run(program: core.Function) -> bool:
    """Whether a program checks what answers questions."""
    return any(_is_check((statement,)) for statement in core.walk(program.body))


def _spelled(program: core.Function) -> set[str]:
    """The variables that hold what a door gave already."""
    return {
        statement.target
        for statement in core.walk(program.body)
        if isinstance(statement, core.Assign)
        and isinstance(statement.op, core.Call)
        and statement.op.func in (WALKED, WATCHED, APART)
    }


def _suspends(block: core.Block) -> bool:
    """Whether others run in the course of a block, because it gives items of a generator."""
    ops = (inner.op for inner in core.walk(block) if isinstance(inner, core.Assign))
    return any(isinstance(op.call if isinstance(op, core.Caught) else op, core.Yield) for op in ops)


def _bounds(part: core.Slice) -> tuple[core.Atom | None, ...]:
    return (part.lower, part.upper, part.step)


def _is_check(block: core.Block) -> bool:
    """Whether a block begins with the check of an answer."""
    op = block[0].op if block and isinstance(block[0], core.Assign) else None
    return isinstance(op, core.Call) and op.func == CHECK


def _is_check_of(block: list[core.Statement]) -> bool:
    """Whether a statement checks what the next one stores in an array."""
    op = block[0].op if block and isinstance(block[0], core.Assign) else None
    return isinstance(op, core.Call) and op.func == STORED_IN_ARRAY


def _is_of_arrays(kind: Kind) -> bool:
    """Whether a list or tuple has arrays in it, or lists and tuples of whatever sort."""
    items = kind.items if isinstance(kind, Tuple) and kind.cls is None else ()
    inner = (kind.element,) if isinstance(kind, List | Row) else items
    return any(isinstance(item, Array | List | Tuple | Row) for item in inner)


def _meets(symbol: str, kind: Kind, other: Kind) -> bool:
    """Whether an operator makes an array of a list because of its other operand. (The product of a list and
    a scalar of NumPy is what it is with a number of Python.)"""
    scalar = isinstance(kind, NumpyScalar) and symbol not in ("*", "=")
    return (scalar or isinstance(kind, Array)) and isinstance(other, List | Tuple | Row)


def _question(
    target: str, statement: core.Assign, question: str, *given: core.Atom | core.Star
) -> core.Assign:
    """`target = asked(question, *given)`."""
    return core.Assign(target, core.Call(ASKED, (core.Const(question), *given)), statement.loc)


def _items(op: Any) -> tuple[core.Atom | core.Star, ...]:
    """What is given to a call by position, or put into a display."""
    if isinstance(op, core.Caught):
        return _items(op.call)
    return op.items if isinstance(op, core.Display) else getattr(op, "args", ())


def _with_items(op: Any, items: tuple[core.Atom | core.Star, ...]) -> Any:
    """The same operation with these instead."""
    if isinstance(op, core.Caught):
        return core.Caught(_with_items(op.call, items))
    return replace(op, **{"items" if isinstance(op, core.Display) else "args": items})


def _part(part: Any, ask: Callable[..., core.Atom]) -> Any:
    """A part of an f-string: what is asked formats itself, or gives the text that is formatted."""
    if isinstance(part, str) or part[1] not in CONVERSIONS:
        return part
    atom, conversion, spec = part
    more = () if conversion else (core.Const("") if spec is None else spec,)
    text = ask(CONVERSIONS[conversion], atom, *more)
    return part if text is atom else (text, "", spec if conversion else None)


def _takes_things_apart(target: core.Target, kind: Kind) -> bool:
    """Whether a target of a loop takes apart anything but tuples, whose parts have cotangents by place."""
    if isinstance(target, str):
        return False
    if isinstance(kind, Row):
        return any(_takes_things_apart(part, kind.element) for part in target)
    if not isinstance(kind, Tuple) or len(kind.items) != len(target):
        return True
    return any(map(_takes_things_apart, target, kind.items))


def _takes_numbers(callee: Any, count: int) -> bool:
    """Whether a function of so many arguments takes a named tuple for the numbers that are in it. (One of
    several is what `max` gives.)"""
    if callee in (max, min):
        return count == 1
    return callee is sum or is_numpys(callee) or getattr(callee, "__module__", None) == "math"


@dataclass
class _Spelling:
    facts: Facts
    names: Names
    done: set[str]
    checks: bool
    found: list[core.Statement] = field(default_factory=list)

    def block(self, block: core.Block) -> core.Block:
        result: list[core.Statement] = []
        for position, given in enumerate(block):
            before, statement = self._with_arrays(self._gone_on_with(self._bound_anew(given)))
            result += before
            if self.checks and self._stores_unknown(given) and not _is_check_of(result[-1:]):
                self.found.append(given)
                result.append(self._stored_in_array(given))
            result += self._begun(statement) or self._spelled_out(statement)
            if self.checks and not _is_check(block[position + 1 : position + 2]):
                checks = self._checks(statement)
                self.found += checks
                result += checks
        return tuple(result)

    def _spelled_out(self, statement: core.Statement) -> Iterator[core.Statement]:
        return self.statement(statement) if self.facts.way.identity else self._inside(statement)

    def _gone_on_with(self, statement: core.Statement) -> core.Statement:
        """A loop that goes on with what has begun already: `reversed` has been called."""
        if not isinstance(statement, core.For):
            return statement
        iterable = self._without_begun(statement.iterable)
        return statement if iterable == statement.iterable else replace(statement, iterable=iterable)

    def _without_begun(self, iterable: Any) -> Any:
        if not isinstance(iterable, core.Iterate):
            return iterable
        args = tuple([self._without_begun(arg) for arg in iterable.args])
        if (
            iterable.func.names[-1] == "reversed"
            and isinstance(args[0], core.Var)
            and args[0].name in self.done
        ):
            return args[0]
        return replace(iterable, args=args)

    def _begun(self, statement: core.Statement) -> list[core.Statement]:
        """Where a walk begins that a loop goes on with: what runs code is called here."""
        match statement:
            case core.Assign(target, core.Copy(core.Var() as walked, "iter" | "reversed" as begins), loc):
                value = self.facts.value(statement, walked)
            case _:
                return []
        if not may_be_object(value.kind):
            return []
        self.found.append(statement)
        self.done.add(target)
        if begins == "iter" and value.active:
            return [core.Assign(target, core.Call(WALKED, (walked,)), loc)]
        iterator = self.names.temporary() if value.active else target
        made = core.Assign(iterator, core.Call(core.Path((begins,), "builtin"), (walked,)), loc)
        walk = core.Assign(target, core.Call(WALKED, (core.Var(iterator),)), loc)
        return [made, walk] if value.active else [made]

    def _stores_unknown(self, statement: core.Statement) -> bool:
        """Whether what is stored in an array of numbers may be an object, of which NumPy makes them."""
        if not isinstance(statement, core.SetItem) or not isinstance(statement.value, core.Var):
            return False
        stored = self.facts.value(statement, statement.value)
        parts = transfer.element(stored.kind) if isinstance(stored.kind, List | Tuple | Row) else stored.kind
        target = self.facts.value(statement, statement.target).kind
        return stored.active and isinstance(target, Array) and may_be_object(parts)

    def _stored_in_array(self, statement: core.Statement) -> core.Assign:
        """`check_stored(v)`."""
        assert isinstance(statement, core.SetItem)
        call = core.Call(STORED_IN_ARRAY, (statement.value,))
        return core.Assign(self.names.temporary(), call, statement.loc)

    def _with_arrays(self, statement: core.Statement) -> tuple[list[core.Statement], core.Statement]:
        """A statement in which a list that meets an array is made one first, as NumPy does."""
        match statement:
            case core.Assign(op=core.Binary(symbol, left, right)):
                before, left, right = self._as_arrays(statement, symbol, left, right)
                return before, replace(
                    statement, op=core.Binary(symbol, left, right)
                ) if before else statement
            case core.AugmentName(target, symbol, value):
                before, value = self._as_array(statement, symbol, core.Var(target), value)
                return before, replace(statement, value=value) if before else statement
            case core.AugmentItem(target, _, _, value) | core.SetItem(target, _, value):
                before, value = self._as_array(statement, "=", target, value)
                return before, replace(statement, value=value) if before else statement
            case core.Assign(op=core.Call() as op):
                made = self._rows_as_arrays(statement, op) | self._named_as_plain(statement, op)
                given = tuple(core.Var(made[arg].target) if arg in made else arg for arg in op.args)
                return [*made.values()], replace(
                    statement, op=core.Call(op.func, given, op.keywords)
                ) if made else statement
        return [], statement

    def _rows_as_arrays(
        self, statement: core.Assign, op: core.Call
    ) -> dict[core.Atom | core.Star, core.Assign]:
        """What makes arrays of rows that a function of NumPy is given which has a rule about arrays: of rows
        of several sorts, and for an elementwise one of any."""
        given = [(arg, kind) for arg in op.args if (kind := self._kind_of_rows(statement, arg)) is not None]
        callee = self._callee(statement) if given else None
        rule = declare.find(callee) if is_numpys(callee) else None
        if rule is None or rule.style == "none" or has_program(callee) or callee in TAKING_ARRAYS:
            return {}
        made = {arg: self._array_of(statement, arg, ROWS) for arg, kind in given if is_mixed(kind)}
        if rule.style == "elementwise":
            made |= {arg: self._array_of(statement, arg) for arg, _ in given if arg not in made}
        return made

    def _named_as_plain(
        self, statement: core.Assign, op: core.Call
    ) -> dict[core.Atom | core.Star, core.Assign]:
        """What makes plain tuples of the named ones that a function is given whose rule is about numbers."""
        given = [arg for arg in op.args if isinstance(arg, core.Var) and self._is_named(statement, arg)]
        callee = self._callee(statement) if given else None
        rule = declare.find(callee) if given else None
        if rule is None or rule.style == "none" or not _takes_numbers(callee, len(op.args)):
            return {}
        taken = op.args[:1] if callee is sum else op.args
        return {arg: self._array_of(statement, arg, TUPLE) for arg in given if arg in taken}

    def _is_named(self, statement: core.Assign, arg: core.Var) -> bool:
        value = self.facts.value(statement, arg)
        return value.active and isinstance(value.kind, Tuple) and value.kind.cls is not None

    def _kind_of_rows(self, statement: core.Assign, arg: core.Atom | core.Star) -> Kind | None:
        if isinstance(arg, core.Star):
            return None
        value = self.facts.value(statement, arg)
        return value.kind if value.active and (is_mixed(value.kind) or _is_of_arrays(value.kind)) else None

    def _as_arrays(
        self, statement: core.Statement, symbol: str, left: core.Atom, right: core.Atom
    ) -> tuple[list[core.Statement], core.Atom, core.Atom]:
        """Two operands, and what makes an array of the one that is a list."""
        before, right = self._as_array(statement, symbol, left, right)
        if before:
            return before, left, right
        before, left = self._as_array(statement, symbol, right, left)
        return before, left, right

    def _as_array(
        self, statement: core.Statement, symbol: str, array: core.Atom, other: core.Atom
    ) -> tuple[list[core.Statement], core.Atom]:
        """What meets an array, and what makes an array of it if it is a list."""
        first, second = self.facts.value(statement, array), self.facts.value(statement, other)
        if not (first.active or second.active) or not _meets(symbol, first.kind, second.kind):
            return [], other
        made = self._array_of(statement, other)
        return [made], core.Var(made.target)

    def _array_of(
        self, statement: core.Statement, atom: core.Atom | core.Star, maker: core.Path = ARRAY
    ) -> core.Assign:
        made = core.Assign(self.names.temporary(), core.Call(maker, (atom,)), statement.loc)
        self.found.append(made)
        return made

    def _inside(self, statement: core.Statement) -> Iterator[core.Statement]:
        """A statement with the questions in its blocks checked."""
        if isinstance(statement, core.If):
            then, orelse = self.block(statement.then), self.block(statement.orelse)
            yield replace(statement, then=then, orelse=orelse)
        elif isinstance(statement, core.For | core.Loop | core.With | core.Attempt | core.Handle):
            yield replace(statement, body=self.block(statement.body))
        else:
            yield statement

    def _bound_anew(self, statement: core.Statement) -> core.Statement:
        """An augmented assignment of a tuple binds its variable anew, and so does that of an object with no
        method of its own for that, and that of a number to which something else is added than a number, such
        as an array: what comes of it is a new thing."""
        if not isinstance(statement, core.AugmentName):
            return statement
        target = core.Var(statement.target)
        kind, added = (self.facts.value(statement, atom).kind for atom in (target, statement.value))
        of_object = binds_anew(kind, statement.op, self.facts.way)
        if not (isinstance(kind, Tuple) or (is_scalar(kind) and not is_scalar(added)) or of_object):
            return statement
        own = AUGMENTED_METHODS[statement.op][0]
        if isinstance(kind, Tuple) and isinstance(getattr(kind.cls, own, None), FunctionType):
            return statement
        self.found.append(statement)
        return core.Assign(target.name, core.Binary(statement.op, target, statement.value), statement.loc)

    def _checks(self, statement: core.Statement) -> list[core.Statement]:
        """The checks of a statement's answer, if it asks what may be an object."""
        if not isinstance(statement, core.Assign) or (self.facts.way.identity and self._has_door(statement)):
            return []
        callee = self._callee(statement)
        given: core.Atom = core.Var(statement.target)
        questions = [(asked, given) for asked in questions_of(statement.op, callee)]
        shown = shown_by(statement.op, callee, lambda atom: self.facts.value(statement, atom))
        others = [*searches_of(statement.op, callee), *[("told", (atom,)) for atom in shown]]
        questions += [(asked, core.Const(True)) for asked in others]
        return [
            self._check(statement, question, answer, atoms)
            for (question, atoms), answer in questions
            if any(self._may_answer(statement, atom, question, atoms) for atom in atoms)
        ]

    def _check(
        self, statement: core.Assign, question: str, answer: core.Atom, atoms: tuple[core.Atom, ...]
    ) -> core.Assign:
        """`check_answer("<", t, a, b)`."""
        call = core.Call(CHECK, (core.Const(question), answer, *atoms))
        return core.Assign(self.names.temporary(), call, statement.loc)

    def _may_answer(
        self, statement: core.Statement, atom: core.Atom, question: str, asked: tuple[core.Atom, ...]
    ) -> bool:
        """Whether code in Python may answer a question about a value, and knows something active then."""
        value = self.facts.value(statement, atom)
        given = any(self.facts.value(statement, other).active for other in asked)
        known = value.active or (given and (is_inert_outside(value) or may_be_anything(value.kind)))
        if isinstance(value.kind, Object) and not (
            question in ITEMWISE and issubclass(value.kind.cls, HOLDING)
        ):
            found = (in_class(value.kind.cls, name) for name in METHODS.get(question, ()))
            return known and any(isinstance(method, FunctionType) for method in found)
        items = items_in(value.kind) if question in ITEMWISE else ()
        unknown = any(map(may_be_anything, items))
        return known and (unknown or may_be_object(value.kind) or isinstance(value.kind, kinds.Iterator))

    def statement(self, statement: core.Statement) -> Iterator[core.Statement]:
        match statement:
            case core.Assign(op=core.GetItem(core.Var() as owner, core.IndexTuple() as index)):
                yield from self._item(statement, owner, index)
            case core.Assign() if self._asks(statement):
                yield from self._asked(statement)
            case core.If():
                then, orelse = self.block(statement.then), self.block(statement.orelse)
                yield replace(statement, then=then, orelse=orelse)
            case core.Loop() | core.With() | core.Attempt() | core.Handle():
                yield replace(statement, body=self.block(statement.body))
            case core.For():
                yield from self._loop(statement)
            case core.Unpack():
                count = len(statement.targets) if statement.star is None else -1
                before, value = self._spelled(statement, statement.value, APART, core.Const(count))
                yield from before
                yield replace(statement, value=value) if before else statement
            case core.Assign(op=core.Call() | core.CallMethod() | core.Display() | core.Caught()):
                yield from self._with_stars(statement)
            case _:
                yield from self._change(statement)

    def _is_set_display(self, statement: core.Assign) -> bool:
        """Whether a statement makes a set of elements that may have gradients."""
        made = isinstance(statement.op, core.Display) and statement.op.kind == "set"
        return made and self.facts.after(statement, statement.target).active

    def _set_display(self, statement: core.Assign) -> Iterator[core.Statement]:
        """`{a, *b}` is `set([a, *b])`."""
        assert isinstance(statement.op, core.Display)
        listed = core.Assign(self.names.temporary(), core.Display("list", statement.op.items), statement.loc)
        self.found.append(listed)
        yield from self._with_stars(listed)
        yield replace(statement, op=core.Call(SET, (core.Var(listed.target),)))

    def _change(self, statement: core.Statement) -> Iterator[core.Statement]:
        """A change of a field or an item."""
        if isinstance(statement, core.SetItem | core.AugmentItem):
            yield from self._stored(statement)
        else:
            yield from self._field(statement)

    def _field(self, statement: core.Statement) -> Iterator[core.Statement]:
        """`o.name op= v` reads the field, changes what is there or makes something new, and sets it."""
        if not (isinstance(statement, core.AugmentAttr) and id(statement) in self.facts.fields):
            yield statement
            return
        target, name, loc = statement.target, statement.name, statement.loc
        value = self.names.temporary()
        read = core.Assign(value, core.GetAttr(target, name), loc)
        self.found.append(read)
        yield read
        yield core.AugmentName(value, statement.op, statement.value, loc)
        yield core.SetAttr(target, name, core.Var(value), loc)

    def _asks(self, statement: core.Assign) -> bool:
        """Whether a statement looks for an item, or asks what a method may answer that changes something."""
        op = statement.op
        return (isinstance(op, core.Compare) and op.op in ("in", "not in")) or any(
            self._runs_code(statement, question, atoms)
            for question, atoms in questions_of(statement.op, self._callee(statement))
        )

    def _callee(self, statement: core.Assign) -> Any:
        """What a statement calls, if that is known."""
        func = getattr(statement.op, "func", None)
        if isinstance(func, core.Path):
            return self.facts.objects.get(func.names)
        kind = self.facts.value(statement, func).kind if isinstance(func, core.Var) else None
        return kind.value if isinstance(kind, Known) else None

    def _runs_code(self, statement: core.Assign, question: str, atoms: tuple[core.Atom, ...]) -> bool:
        return runs_code(question, [self.facts.value(statement, atom) for atom in atoms])

    def _asked(self, statement: core.Assign) -> Iterator[core.Statement]:
        """Such a question goes through a door."""
        if isinstance(statement.op, core.Compare) and statement.op.op in ("in", "not in"):
            yield from self._search(statement)
            return
        self.found.append(statement)
        match statement.op:
            case core.Compare(symbol, left, right):
                yield _question(statement.target, statement, symbol, left, right)
            case core.Call(args=args) if self._callee(statement) is not print:
                question = {**CALLS, **COMPARING}[self._callee(statement)]
                yield _question(statement.target, statement, question, *args)
            case op:
                yield from self._with_answers(statement, op)

    def _with_answers(self, statement: core.Assign, op: core.Op) -> Iterator[core.Statement]:
        """An operation on the answers of what it asks, which are asked for before it."""
        before: list[core.Assign] = []

        def ask(question: str, atom: core.Atom, *more: core.Atom) -> core.Atom:
            if not self._runs_code(statement, question, (atom,)):
                return atom
            before.append(_question(self.names.temporary(), statement, question, atom, *more))
            return core.Var(before[-1].target)

        match op:
            case core.Truth(value):
                op = core.Truth(ask("bool", value))
            case core.Unary("not", value):
                op = core.Unary("not", ask("bool", value))
            case core.Format(parts):
                op = core.Format(tuple(_part(part, ask) for part in parts))
            case core.Call(args=args):
                asked = [arg if isinstance(arg, core.Star) else ask("str", arg) for arg in args]
                op = replace(op, args=tuple(asked))
        yield from before
        yield replace(statement, op=op)

    def _item(
        self, statement: core.Assign, value: core.Var, index: core.IndexTuple
    ) -> Iterator[core.Statement]:
        """An index that an object may compute with is a tuple."""
        computed = any(item.active and item.kind != INT for item in self._given(statement, index))
        if not computed or not isinstance(self.facts.value(statement, value).kind, Object | Unknown):
            yield statement
            return
        before, whole = self._as_tuple(statement, index)
        yield from before
        yield replace(statement, op=core.GetItem(value, whole))

    def _given(self, statement: core.Statement, index: core.Index) -> list[Value]:
        """The values of the variables in an index."""
        atoms = index.items if isinstance(index, core.IndexTuple) else (index,)
        return [self.facts.value(statement, atom) for atom in atoms if isinstance(atom, core.Var)]

    def _as_tuple(
        self, statement: core.Statement, index: core.IndexTuple
    ) -> tuple[list[core.Assign], core.Var]:
        """The variable of a tuple of what an index consists of, and what makes it."""
        before: list[core.Assign] = []
        parts: list[core.Atom | core.Star] = []
        for part in index.items:
            if isinstance(part, core.Slice):
                bounds = tuple(core.Const(None) if atom is None else atom for atom in _bounds(part))
                made = core.Assign(self.names.temporary(), core.Call(SLICE, bounds), statement.loc)
                before.append(made)
            parts.append(core.Var(made.target) if isinstance(part, core.Slice) else part)
        whole = core.Assign(self.names.temporary(), core.Display("tuple", tuple(parts)), statement.loc)
        self.found.append(whole)
        return [*before, whole], core.Var(whole.target)

    def _computes_with_index(self, statement: core.SetItem | core.AugmentItem) -> bool:
        """Whether a method that changes an item may compute with the index."""
        if not isinstance(statement.target, core.Var) or isinstance(statement.index, core.Slice):
            return False
        given = self._given(statement, statement.index)
        owner = self.facts.value(statement, statement.target)
        if isinstance(owner.kind, Object):
            found = in_class(owner.kind.cls, "__setitem__")
            return isinstance(found, FunctionType) and any(item.active for item in (owner, *given))
        pointed = any(item.active and may_have_a_point(item.kind) for item in given)
        return pointed and isinstance(owner.kind, Unknown)

    def _stored(self, statement: core.SetItem | core.AugmentItem) -> Iterator[core.Statement]:
        """An assignment to an item is a call where a method may compute with the index."""
        if not self._computes_with_index(statement):
            yield statement
            return
        owner, index, value, loc = statement.target, statement.index, statement.value, statement.loc
        if isinstance(index, core.IndexTuple):
            before, index = self._as_tuple(statement, index)
            yield from before
        assert isinstance(index, core.Var | core.Const)
        op = core.Call(STORED, (owner, index, value))
        if isinstance(statement, core.AugmentItem):
            op = core.Call(CHANGED, (core.Const(statement.op), *op.args))
        call = core.Assign(self.names.temporary(), op, loc)
        self.found.append(call)
        yield call

    def _has_door(self, statement: core.Assign) -> bool:
        """Whether a statement that asks is spelled as a call of a door."""
        op = statement.op
        if isinstance(op, core.Compare) and op.op in ("in", "not in"):
            return isinstance(op.right, core.Var) and self._is_sought(statement, op)
        return self._asks(statement)

    def _is_sought(self, statement: core.Assign, op: core.Compare) -> bool:
        asks = self._runs_code(statement, "in", (op.left, op.right))
        return asks or may_run_code(self.facts.value(statement, op.right))

    def _search(self, statement: core.Assign) -> Iterator[core.Statement]:
        """`x in xs` takes items where `xs` is an iterator."""
        op = statement.op
        assert isinstance(op, core.Compare)
        if not self._is_sought(statement, op) or not isinstance(op.right, core.Var):
            yield statement
            return
        found = statement.target if op.op == "in" else self.names.temporary()
        call = core.Assign(found, core.Call(SOUGHT, (op.right, op.left)), statement.loc)
        self.found.append(call)
        yield call
        if op.op != "in":
            yield replace(statement, op=core.Unary("not", core.Var(found)))

    def _spelled(
        self, statement: core.Statement, atom: core.Atom, door: core.Path, *more: core.Atom
    ) -> tuple[list[core.Statement], core.Atom]:
        """The call of a door for an atom, if it needs one, and the atom that stands for the atom."""
        value = self.facts.value(statement, atom)
        if not isinstance(atom, core.Var) or atom.name in self.done:
            return [], atom
        if not (may_run_code(value) or (value.active and self._is_live(value.kind, door))):
            return [], atom
        target = self.names.temporary()
        made = core.Assign(target, core.Call(door, (atom, *more)), statement.loc)
        self.found.append(made)
        return [made], core.Var(target)

    def _is_live(self, kind: Kind, door: core.Path) -> bool:
        """Whether the items of a list or of a view of a dict are those that are in it when they are taken."""
        if door == WATCHED:
            return isinstance(kind, List)
        return door == APART and isinstance(kind, kinds.Iterator) and self.facts.way.identity

    def _with_stars(self, statement: core.Assign) -> Iterator[core.Statement]:
        if self._is_set_display(statement):
            yield from self._set_display(statement)
            return
        fresh: list[core.Atom | core.Star] = []
        before: list[core.Statement] = []
        for item in _items(statement.op):
            if isinstance(item, core.Star):
                made, atom = self._spelled(statement, item.value, APART, core.Const(-1))
                before += made
                item = core.Star(atom)
            fresh.append(item)
        yield from before
        yield replace(statement, op=_with_items(statement.op, tuple(fresh))) if before else statement

    def _loop(self, loop: core.For) -> Iterator[core.Statement]:
        before: list[core.Statement] = []
        iterable = self._walked(loop, loop.iterable, before)
        inside: list[core.Statement] = []
        target = self._target(loop, loop.target, loop.iterable, inside)
        yield from before
        yield replace(loop, target=target, iterable=iterable, body=(*inside, *self.block(loop.body)))

    def _walked(
        self, loop: core.For, iterable: core.Atom | core.Iterate, before: list[core.Statement]
    ) -> core.Atom | core.Iterate:
        if not isinstance(iterable, core.Iterate):
            made, atom = self._spelled(loop, iterable, WATCHED if _suspends(loop.body) else WALKED)
            before += made
            return atom
        if iterable.func.names[-1] == "reversed":
            return self._backwards(loop, iterable, before)
        if iterable.func.names[-1] not in ("zip", "enumerate"):
            return iterable
        return replace(iterable, args=tuple(self._walked(loop, arg, before) for arg in iterable.args))

    def _backwards(
        self, loop: core.For, iterable: core.Iterate, before: list[core.Statement]
    ) -> core.Atom | core.Iterate:
        """`reversed(xs)`, which calls a method of what may be an object."""
        (owner,) = iterable.args
        if isinstance(owner, core.Iterate) or not may_run_code(self.facts.value(loop, owner)):
            return iterable
        made = core.Assign(self.names.temporary(), core.Call(iterable.func, (owner,)), loop.loc)
        walk = core.Assign(self.names.temporary(), core.Call(WALKED, (core.Var(made.target),)), loop.loc)
        self.found.append(made)
        before += [made, walk]
        return core.Var(walk.target)

    def _target(
        self,
        loop: core.For,
        target: core.Target,
        iterable: core.Atom | core.Iterate,
        inside: list[core.Statement],
    ) -> core.Target:
        """The target; what would take apart an object, or what is found by identity as an object is, gets a
        name, and is unpacked in the body."""
        if isinstance(target, str):
            return target
        if isinstance(iterable, core.Iterate):
            name = iterable.func.names[-1]
            if name == "reversed":
                return self._target(loop, target, iterable.args[0], inside)
            parts = (core.Const(0), *iterable.args[:1]) if name == "enumerate" else iterable.args
            if name == "range" or len(parts) != len(target):
                return target
            pairs = zip(target, parts, strict=True)
            return tuple(self._target(loop, item, part, inside) for item, part in pairs)
        value = self.facts.value(loop, iterable)
        if not value.active or not _takes_things_apart(target, transfer.element(value.kind)):
            return target
        name = self.names.temporary()
        inside += taken_apart(target, name, self.names, loop.loc)
        self.found.append(inside[-1])
        return name


TAKING_ARRAYS = frozenset({np.block, np.linalg.multi_dot, np.choose})
"""Functions that are given lists of arrays which are not one array."""
