"""The state of one tangent transformation."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from zygpy.analyse.facts import Direct
from zygpy.analyse.values import Value
from zygpy.ir import core
from zygpy.ir.kinds import (
    BOOL,
    Array,
    Kind,
    Known,
    Never,
    Nothing,
    Number,
    NumberOrArray,
    Text,
    Tuple,
    is_exact,
    is_scalar,
)
from zygpy.ir.nodes import children, constant, gast, quote_expression
from zygpy.ir.nodes import name as name_node
from zygpy.runtime.mirrors import mirror_of
from zygpy.runtime.tangents import zeros_each
from zygpy.runtime.zeros import zero_tangent
from zygpy.simplify.trees import changed, replace_names
from zygpy.transform.context import Context
from zygpy.transform.stash import Recorder, primal_atom


class NotPushed(Exception):
    """A statement for which no tangent code is written, and why."""

    def __init__(self, why: str, loc: core.Loc | None = None) -> None:
        super().__init__(why)
        self.why, self.loc = why, loc


class Present(Recorder):
    """Values as they are where the tangent code runs: nothing has to be recorded."""

    def value(self, statement: core.Statement, atom: core.Atom) -> gast.expr:
        """An atom as it is written."""
        return primal_atom(atom)

    def result(self, statement: core.Statement, name: str) -> gast.expr:
        """The variable itself."""
        return name_node(name)

    def measure(self, what: str, statement: core.Statement, name: str) -> gast.expr:
        """A measurement that is taken on the spot."""
        return self.measurement(what, name, self.facts.value(statement, core.Var(name)).kind)


@dataclass(frozen=True)
class Callee:
    """The tangent function of a callee: the name under which it is called, and which of its parameters have
    tangents."""

    name: str
    paired: frozenset[str]


@dataclass
class Tangents:
    """One transformation: `paired` are the variables with a tangent beside them, `waiting` the expressions of
    tangents of temporaries that have not been written down yet."""

    ctx: Context
    paired: frozenset[str]
    callee: Callable[[Direct], Callee]
    reads: Mapping[str, int]
    waiting: dict[str, gast.expr] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    readers: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)  # the tangents of variables that functions share
    start: int = 0  # where the statements begin that compute the temporaries which wait
    count: str = ""  # the variable that says how many directions there are; none if it is one
    doors: Mapping[str, Any] = field(default_factory=dict)  # what finds tangents when the code runs
    attempted: bool = False  # whether exceptions are caught around: what fails must leave both as they were
    each: dict[str, str] | None = None  # names for one direction of several, where they are taken one by one

    def dot(self, variable: str) -> str:
        """The variable for the tangent of another."""
        if variable not in self.names:
            self.names[variable] = self.ctx.names.fresh(f"{variable}_dot")
        return self.names[variable]

    def cell_dot(self, variable: str) -> str:
        """The same for what is in a variable of the program's own that functions share."""
        if variable not in self.shared:
            self.shared[variable] = self.ctx.names.fresh(f"{variable}_dot")
        return self.shared[variable]

    def reader(self, variable: str) -> str:
        """A function that shares a variable with others, by which its cell is found."""
        if variable not in self.readers:
            self.readers[variable] = self.ctx.names.fresh(f"{variable}_shared")
        return self.readers[variable]

    @property
    def suspends(self) -> bool:
        """Whether the program is that of a generator."""
        return self.ctx.facts.function.generator

    @functools.cached_property
    def unused(self) -> str:
        """A variable that nobody reads."""
        return self.ctx.names.fresh("_")

    def value(self, statement: core.Statement, atom: core.Atom) -> Value:
        """The abstract value of an atom in front of a statement."""
        return self.ctx.facts.value(statement, atom)

    def is_active(self, statement: core.Statement, atom: core.Atom) -> bool:
        """Whether an atom may have a tangent other than zero in front of a statement."""
        return isinstance(atom, core.Var) and atom.name in self.paired and self.value(statement, atom).active

    def tangent(self, statement: core.Statement, atom: core.Atom) -> gast.expr:
        """The tangent of an atom, zeros if it has none."""
        if isinstance(atom, core.Var) and atom.name in self.paired:
            return name_node(self.dot(atom.name) if self.each is None else self._of_one(statement, atom))
        return self.zero(self.value(statement, atom).kind, primal_atom(atom))

    def _of_one(self, statement: core.Statement, atom: core.Var) -> str:
        """The variable for one direction of a tangent, inside of what is done with each of them."""
        assert self.each is not None
        kind, whole = self.value(statement, atom).kind, self.dot(atom.name)
        if not (is_scalar(kind) or isinstance(kind, Array | NumberOrArray)):
            raise NotPushed("several directions through a list", getattr(statement, "loc", None))
        if whole not in self.each:
            self.each[whole] = self.ctx.names.fresh(f"{whole}_of_one")
        return self.each[whole]

    def zero(self, kind: Kind, value: gast.expr) -> gast.expr:
        """Zeros in the form of a value."""
        if isinstance(kind, Text | Nothing | Known | Never):
            return constant(None)
        if self.count and is_scalar(kind):
            return quote_expression("$np.zeros($n)", np=self.ctx.helper("np"), n=name_node(self.count))
        if self.count:
            zeros = self.ctx.cell("zeros_each", zeros_each)
            return quote_expression("$zeros($x, $n)", zeros=zeros, x=value, n=name_node(self.count))
        if is_scalar(kind):
            return constant(0 if is_exact(kind) else 0.0)
        if _is_of_scalars(kind):
            items = [constant(None) if item == BOOL else self.zero(item, value) for item in kind.items]
            return gast.Tuple(items, gast.Load())
        if self.ctx.facts.way.everywhere:  # it may be known by another name, and have its tangent there
            return quote_expression("$f($x)", f=self.ctx.cell("mirror_of", mirror_of), x=value)
        if isinstance(kind, Array) and kind.dtype in ("f8", "f4", "c16", "c8"):
            return quote_expression("$np.zeros_like($x)", np=self.ctx.helper("np"), x=value)
        return quote_expression("$zero($x)", zero=self.ctx.cell("zero_tangent", zero_tangent), x=value)

    def emit(self, text: str, **parts: Any) -> None:
        """Append statements."""
        self.ctx.emit(text, **parts)

    def settle(self) -> None:
        """Write down the tangents that wait."""
        for name, expression in self.waiting.items():
            self.emit("$x = $v", x=self.dot(name), v=expression)
        self.waiting.clear()


def _is_of_scalars(kind: Kind) -> TypeGuard[Tuple]:
    """Whether a value is a tuple of so many numbers, or such tuples: its zeros are known without it."""
    return isinstance(kind, Tuple) and kind.cls is None and all(map(_is_known, kind.items))


def _is_known(kind: Kind) -> bool:
    return (
        kind == BOOL or (isinstance(kind, Number) and kind.types <= {"int", "float"}) or _is_of_scalars(kind)
    )


RESULT = "result__"
"""Stands in the expression of a tangent for what the statement gives, until it is known by which name that is
read."""


def with_result(expression: gast.expr, name: str) -> gast.expr:
    """The expression with the result under its name."""
    return replaced(expression, {RESULT: name_node(name)})


def replaced(expression: Any, values: Mapping[str, gast.expr]) -> gast.expr:
    """The expression with values in place of names, also in what is done with each of several directions."""
    if isinstance(expression, gast.ListComp):
        loop = expression.generators[0]
        beside = gast.comprehension(loop.target, replaced(loop.iter, values), [], 0)
        return gast.ListComp(replaced(expression.elt, values), [beside])
    made: gast.expr = replace_names(expression, values.get)
    held = _held_in(made)
    return made if not held else _with(made, {id(one): replaced(one, values) for one in held})


def _held_in(tree: Any) -> list[Any]:
    """The outermost comprehensions in an expression."""
    if isinstance(tree, gast.ListComp):
        return [tree]
    return [one for child in children(tree) for one in _held_in(child)]


def _with(tree: Any, new: Mapping[int, Any]) -> Any:
    """The expression with other parts in place of some."""
    if id(tree) in new:
        return new[id(tree)]
    if isinstance(tree, list):
        return [_with(item, new) for item in tree]
    if not isinstance(tree, gast.AST):
        return tree
    return changed(tree, **{field: _with(getattr(tree, field, None), new) for field in tree._fields})
