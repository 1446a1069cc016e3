"""Generator expressions: list comprehensions where a consumer exhausts them at once, generator functions
elsewhere.

The consumers named here take every element before they do anything that could be seen (`sum` and the
like add numbers, `join` and `fromiter` build a value), so the order of side effects stays what it was.
`any` and `all` stop early: they are left to the lowering, which makes loops of them.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import assigned_names, gast, local_names, name, nodes, quote, quote_expression
from zygpy.normalise.comprehensions import is_captured, loops
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

    Ensures: a `GeneratorExp` is left only where its elements are asked for one by one.

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


def suspend_generators(tree: Any, names: Names) -> Any:
    """The function with the other generator expressions made calls of generator functions.

    Requires: comprehension variables are renamed apart.
    Ensures: a `GeneratorExp` is left only where it is the argument of `any` or `all`, or where it binds a
    variable of the function, which the lowering refuses.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> tree = gast.parse("lambda xs: (2 * x for x in xs if x)").body[0].value
    >>> call = suspend_generators(tree, Names()).body
    >>> print(ast.unparse(to_python_ast(call.func)))
    def generator(iterable):
        for x in iterable:
            if x:
                yield (2 * x)
    """
    early = {id(node.args[0]) for node in nodes(tree) if _is_asked_early(node)}

    def suspend(node: Any) -> gast.AST | None:
        wanted = isinstance(node, gast.GeneratorExp) and id(node) not in early and not assigned_names(node)
        return _suspended(node, names) if wanted else None

    return rewrite(tree, suspend)


def _is_asked_early(node: Any) -> bool:
    """Whether a node is a call of `any` or `all` that the lowering makes a loop of."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name) or node.keywords:
        return False
    if node.func.id not in ("any", "all") or len(node.args) != 1:
        return False
    return isinstance(node.args[0], gast.GeneratorExp) and not is_captured(node.args[0])


def _suspended(node: Any, names: Names) -> Any:
    function, iterable = names.fresh("generator"), names.fresh("iterable")
    generators = [changed(node.generators[0], iter=name(iterable, at=node)), *node.generators[1:]]
    body = loops(generators, quote("yield $e", at=node.elt, e=node.elt))
    definition: Any = quote("def $f($p): $body", at=node, f=function, p=iterable, body=body)[0]
    first = quote_expression("$iter($first)", at=node, iter="builtin:iter", first=node.generators[0].iter)
    return changed(quote_expression("f($first)", at=node, first=first), func=definition)
