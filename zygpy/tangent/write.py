"""A program and the facts about it -> its tangent function as a tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from zygpy.analyse.facts import Direct, Facts
from zygpy.analyse.unbound_reads import unbound_reads
from zygpy.analyse.versions import versions
from zygpy.ir import core
from zygpy.ir.access import assigned_inside, read
from zygpy.ir.kinds import is_scalar
from zygpy.ir.names import Names
from zygpy.ir.nodes import argument_list, assigned_names, gast, names_in, nodes, parameter_name, quote
from zygpy.simplify.effects import Effects
from zygpy.simplify.evaluation import variables
from zygpy.simplify.fewer_signs import with_fewer_signs
from zygpy.simplify.fold_temporaries import fold_temporaries
from zygpy.simplify.purity import Purity
from zygpy.simplify.rename_results import rename_results
from zygpy.simplify.trees import Node, assigned_name, changed
from zygpy.simplify.unread import without_unread
from zygpy.tangent import shared
from zygpy.tangent.array_code import arrays_of, numbers_of
from zygpy.tangent.in_place import in_place
from zygpy.tangent.known import Known
from zygpy.tangent.put_together import put_together
from zygpy.tangent.shapes import Shapes
from zygpy.tangent.slopes import Asked, Quiet, without_value
from zygpy.tangent.state import Callee, NotPushed, Present, Tangents
from zygpy.tangent.statements import block
from zygpy.tangent.unguarded import without_guards
from zygpy.tangent.units import with_diagonals
from zygpy.transform.context import Context
from zygpy.transform.pair import definition


@dataclass(frozen=True)
class Surroundings:
    """What the transformation asks of those who call it."""

    callee: Callable[[Context, Direct], Callee]
    filename: str
    globals: Mapping[str, Any]
    taken: frozenset[str]
    space: Any
    doors: Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Tree:
    """A tangent function as a tree, and what it refers to."""

    name: str
    function: gast.FunctionDef
    cells: Mapping[str, Any]
    unguarded: gast.FunctionDef | None = None  # whose result is right if it is finite, if there is such a one


def name_of(function: core.Function, *, several: bool = False) -> str:
    """The name of a program's tangent function."""
    ending = "tangents" if several else "tangent"
    return f"{function.name if function.name.isidentifier() else 'function'}_{ending}"


def write(
    function: core.Function,
    facts: Facts,
    paired: frozenset[str],
    surroundings: Surroundings,
    *,
    simplified: bool,
    several: bool = False,
    asked: Asked | None = None,
) -> Tree:
    """The tangent function of a program.

    Requires: `function` is flattened, `facts` are about it, in the plain way. Ensures: it does what the
    program does, in the same order, and returns the value and its tangent; the parameters are the program's,
    each that is `paired` with its tangent behind it; for `several` directions at once there is a last
    parameter, that says how many they are. Where something is `asked` for, the program gives gradients, and
    there is no need of more than the tangents of one: None is returned in place of the others, if possible.

    Raises NotPushed where there is a statement for which no tangent code is written.
    """
    if function.generator and several:
        raise NotPushed("several directions through a generator")
    if function.cells and several:
        raise NotPushed("several directions through variables that functions share")
    ctx = _context(function, facts, surroundings, name_of(function, several=several))
    reads = Counter(name for statement in core.walk(function.body) for name in read(statement))
    t = Tangents(ctx, paired, lambda found: surroundings.callee(ctx, found), reads)
    t.doors = surroundings.doors
    parameters = []
    for parameter in function.params.names:
        parameters += [parameter, t.dot(parameter)] if parameter in paired else [parameter]
    if several:
        t.count = ctx.names.fresh("count")
        parameters.append(t.count)
    body = block(t, function.body)
    body = [*shared.declared(t), *body]
    made = definition(name_of(function, several=several), parameters, body)
    unguarded = None
    if simplified:
        made, unguarded = _simplified(made, t, asked, function, several=several)
    if simplified and several:
        given = frozenset(t.dot(name) for name in paired & set(function.params.names))
        made = with_diagonals(made, given, ctx)
    if function.generator and not any(isinstance(node, gast.Yield) for node in nodes(made.body)):
        made = changed(made, body=[*made.body, *quote("yield None, None")])  # else it would be none
    return Tree(made.name, made, ctx.cells, unguarded)


def _simplified(
    function: Node, t: Tangents, asked: Asked | None, program: core.Function, *, several: bool
) -> tuple[Node, Node | None]:
    """The function as a person would have written it, and without guards, if something is asked for."""
    facts, dots = t.ctx.facts, frozenset(t.names.values())
    if asked is not None:
        doubtful = frozenset().union(*unbound_reads(program).values())
        quiet = _quiet(function, t, doubtful)
        function = without_value(function, asked, arrays_of(facts), quiet)
    function = without_unread(function, dots, frozenset() if several else _numbers(t))
    function = _with_fewer_signs(function, dots)
    if asked is None:
        return _folded(function), None
    doubles = arrays_of(facts, ("f8",)).keys()
    real = frozenset(doubles | {t.names[name] for name in doubles if name in t.names})
    unguarded = None if several else without_guards(function, real)
    if unguarded is not None:
        unguarded = _in_place(_folded(put_together(unguarded, asked.seed, real)), t, real)
    return _folded(put_together(function, asked.seed, real)), unguarded


def _folded(function: Node) -> Node:
    names = variables(function)
    return fold_temporaries(rename_results(function, names), names)


def _in_place(function: Node, t: Tangents, real: frozenset[str]) -> Node:
    """The function with as little new memory as can be."""
    facts = t.ctx.facts
    like = {t.names[name]: name for name in t.paired if name in t.names}
    shapes = Shapes(function, arrays_of(facts, ("f8",)), numbers_of(facts), frozenset(), like)
    return in_place(function, Known.of(function, real), shapes, t.ctx.cell)


def _quiet(function: Node, t: Tangents, doubtful: Collection[str]) -> Quiet:
    """Whether an assignment does nothing but compute a tangent, or what cannot fail: variables that are
    `doubtful` may have no value."""
    facts, dots = t.ctx.facts, frozenset(t.names.values())
    known = {**t.ctx.globals, **t.ctx.cells}
    modules = frozenset(name for name, value in known.items() if value is np)
    shapes = Shapes(function, arrays_of(facts), numbers_of(facts), modules)

    def is_quiet(statement: Node) -> bool:
        target = statement.target if isinstance(statement, gast.AugAssign) else statement.targets[0]
        owner = target.value if isinstance(target, gast.Subscript) else target
        if isinstance(owner, gast.Name) and owner.id in dots:
            return True
        sure = assigned_name(statement) is not None and shapes.of(statement.value) is not None
        return sure and not any(name in doubtful for name in names_in(statement.value))

    return is_quiet


def _with_fewer_signs(function: Node, dots: frozenset[str]) -> Node:
    """The function with the signs of tangents where they cost nothing."""
    parameters = {parameter_name(parameter) for parameter in argument_list(function.args)}
    effects = Effects(Purity(frozenset(parameters | set(assigned_names(function)))), frozenset())
    return changed(function, body=with_fewer_signs(function.body, effects, dots.__contains__))


def _numbers(t: Tangents) -> frozenset[str]:
    """The tangents of variables that never hold anything but numbers."""
    kinds: dict[str, bool] = {}
    for table in (t.ctx.facts.values, t.ctx.facts.results):
        for (_, name), value in table.items():
            kinds[name] = kinds.get(name, True) and is_scalar(value.kind)
    return frozenset(dot for name, dot in t.names.items() if kinds.get(name, False))


def _context(function: core.Function, facts: Facts, surroundings: Surroundings, name: str) -> Context:
    primal = frozenset(function.params.names) | assigned_inside(function.body)
    names = Names({*primal, *surroundings.taken, name})
    table = versions(function, facts.writes)
    recorder = Present(facts, table, names, primal, lambda helper: ctx.helper(helper))
    ctx = Context(
        facts,
        table,
        recorder,
        names,
        _no_callee,
        _no_door,
        surroundings.filename,
        function.name,
        surroundings.globals,
        surroundings.space,
    )
    return ctx


def _no_callee(found: Direct) -> Any:
    raise NotPushed("a callee of the reverse mode")


def _no_door(door: str) -> str:
    raise NotPushed("a call that is found when it is made")
