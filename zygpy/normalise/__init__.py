"""normalise: the tree of one function becomes a program in the core language (`ir.core`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zygpy.ir import core
from zygpy.ir.names import Names
from zygpy.ir.nodes import gast, is_generator, local_names, nodes, quote
from zygpy.normalise.asserts import spell_asserts
from zygpy.normalise.classes import spell_classes
from zygpy.normalise.comprehensions import COMPREHENSIONS, isolate_comprehensions, rename_comprehensions
from zygpy.normalise.contexts import split_contexts
from zygpy.normalise.exits import Quiet, every_manager_is_quiet, structure_exits
from zygpy.normalise.generators import EXHAUSTING, exhaust_generators, suspend_generators
from zygpy.normalise.groups import spell_groups
from zygpy.normalise.handing import Takes, with_boxes_handed_on
from zygpy.normalise.lifting import lift_groups
from zygpy.normalise.lower import lower, refused_function
from zygpy.normalise.lower.functions import LAMBDA
from zygpy.normalise.lower.loops import ITERATORS
from zygpy.normalise.lower.state import Bound, Harmless, nothing_is_bound
from zygpy.normalise.mangle import mangle
from zygpy.normalise.matches import spell_matches
from zygpy.normalise.scopes import names_captured_unbound
from zygpy.normalise.trees import at, changed, identifiers

__all__ = ["normalise"]


def _nothing_is_harmless(path: core.Path, count: int) -> bool:
    return False


def normalise(
    tree: gast.FunctionDef | gast.Lambda,
    captured: tuple[str, ...] = (),
    captured_rebound: tuple[str, ...] = (),
    mangling_class: str | None = None,
    harmless: Harmless = _nothing_is_harmless,
    quiet: Quiet = every_manager_is_quiet,
    *,
    generated: bool = False,
    captured_unbound: tuple[str, ...] = (),
    bound: Bound = nothing_is_bound,
    shadowed: frozenset[str] = frozenset(),
    takes: Takes | None = None,
) -> core.Function:
    """The program of a function in the core language.

    `captured` are the names of its closure cells (`code.co_freevars`), `captured_rebound` those of them that
    other code may rebind: they are read as explicit cells. `mangling_class` is the class whose text the
    function stands in. `harmless` says of a callee whether a call of it with so many positional
    arguments writes nothing that the caller sees: then `x[i] += callee(...)` may stay one statement.
    `quiet` says of an expression whether it gives a context manager that lets every exception pass, and
    `generated` that the function was written by `transform`; `captured_unbound` are those of the captured
    names that may have no value. `bound` says of the name of a callee whether something may bind it to
    another one while arguments are evaluated: then it is looked up before. `shadowed` are the names of
    builtins (`BUILTINS`) by which the function finds something else. `takes` says of
    what is called whether it is a function of the user's that may be given others (`handing`).

    >>> from zygpy.ir.show import show
    >>> print(show(normalise(gast.parse("def f(x): return np.sin(x * 2)").body[0])))
    def f(x):
        t_1 = x * 2
        t_2 = np.sin(t_1)
        return t_2
    """
    function = mangle(_definition(tree), mangling_class)
    refused = refused_function(function, captured)
    if refused is not None:
        return refused
    generator = is_generator(function)
    names = Names(identifiers(function) | set(captured))
    boxes: frozenset[str] = frozenset()
    if not generated:
        fixed = frozenset(captured) - {*captured_rebound, *captured_unbound}
        function = lift_groups(function, fixed, names)
    if not generated and takes is not None:
        function, boxes = with_boxes_handed_on(function, names, takes)
    unbound = names_captured_unbound(function, generated=generated) | frozenset(captured_unbound)
    function = _spell_out(function, names, captured, shadowed)
    function, flags = structure_exits(function, names, quiet)
    program = lower(function, names, captured, captured_rebound, flags, harmless, unbound, bound, shadowed)
    return replace(program, generator=generator, boxes=boxes)


BUILTINS = ITERATORS | EXHAUSTING | {"all", "any", "filter", "map"}
"""Names of builtins whose calls are written in another way."""


def _spell_out(function: Any, names: Names, captured: tuple[str, ...], shadowed: frozenset[str]) -> Any:
    """The rewrites of single constructs, each only where the construct is there."""
    present = frozenset(map(type, nodes(function)))
    if gast.TryStar in present:
        function = spell_groups(function, names)
    if gast.ClassDef in present:
        function = spell_classes(function, names, local_names(function).union(captured))
    if present.intersection((gast.GeneratorExp, gast.Lambda)):
        function = exhaust_generators(function, names, (*captured, *shadowed))
        present = frozenset(map(type, nodes(function)))
    if present.intersection(COMPREHENSIONS):
        function = isolate_comprehensions(rename_comprehensions(function, names), names)
    if gast.GeneratorExp in present:
        function = suspend_generators(function, names, (*captured, *shadowed))
    if gast.Match in present:
        function = spell_matches(function, names)
    if gast.With in present:
        function = split_contexts(function)
    return spell_asserts(function) if gast.Assert in present else function


def _definition(tree: Any) -> Any:
    """A lambda as a function that returns its body."""
    if not isinstance(tree, gast.Lambda):
        return tree
    body = [at(tree.body, gast.Return(tree.body))]
    definition: Any = quote(f"def {LAMBDA}(): $body", at=tree, body=body)[0]
    return changed(definition, args=tree.args)
