"""Generator expressions that a consumer exhausts at once: list comprehensions.

The consumers named here take every element before they do anything that could be seen (`sum` and the
like add numbers, `join` and `fromiter` build a value), so the order of side effects stays what it was.
`any` and `all` stop early: they are left to the lowering, which makes loops of them.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir.nodes import assigned_names, gast, local_names, nodes
from zygpy.normalise.trees import at, changed, rewrite

BUILTINS = frozenset({"sum", "min", "max", "list", "tuple", "set", "dict", "sorted", "frozenset"})
FUNCTIONS = frozenset(
    {"array", "extend", "fmean", "fromiter", "fsum", "join", "mean", "median", "prod", "pstdev", "stdev"}
    | {"pvariance", "sum", "variance"}
)


SEEN = frozenset({"extend"})
"""Consumers of which a handler may see how far they came when an element fails."""


def exhaust_generators(tree: Any, captured: tuple[str, ...]) -> Any:
    """The function with generator expressions evaluated first where their consumer exhausts them.

    Ensures: a `GeneratorExp` is left only where it is the argument of `any` or `all`, or where it cannot be
    supported.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse("lambda xs: sum(x * x for x in xs)").body[0].value
    >>> print(ast.unparse(to_python_ast(exhaust_generators(tree, ()))))
    lambda xs: sum([x * x for x in xs])
    """
    hidden = local_names(tree) | frozenset(assigned_names(tree)) | frozenset(captured)
    caught = any(isinstance(node, gast.Try) for node in nodes(tree))
    return rewrite(tree, lambda node: _exhaust(node, hidden, seen=SEEN if caught else frozenset()))


def _exhaust(node: Any, hidden: frozenset[str], seen: frozenset[str]) -> gast.AST | None:
    if not isinstance(node, gast.Call) or not node.args or not isinstance(node.args[0], gast.GeneratorExp):
        return None
    if getattr(node.func, "attr", "") in seen:
        return None
    others = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if not _exhausts(node.func, hidden) or not all(_is_plain(other) for other in others):
        return None
    generator = node.args[0]
    listed = at(generator, gast.ListComp(generator.elt, generator.generators))
    call: gast.AST = changed(node, args=[listed, *node.args[1:]])
    return call


def _exhausts(function: Any, hidden: frozenset[str]) -> bool:
    if isinstance(function, gast.Name):
        return function.id in BUILTINS and function.id not in hidden
    return isinstance(function, gast.Attribute) and function.attr in FUNCTIONS


def _is_plain(node: Any) -> bool:
    """Whether evaluating an argument later or earlier makes no difference."""
    if isinstance(node, gast.Attribute):
        return _is_plain(node.value)
    return isinstance(node, gast.Name | gast.Constant | gast.Lambda)
