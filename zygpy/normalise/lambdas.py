"""Lambdas that a builtin calls for every item: their bodies stand in loops instead, where nobody can tell.

sum(map(lambda v: v * c, xs))           ->     sum([v * c for v in xs])
for v in filter(lambda v: v > c, xs):   ->     for item in xs:
    ...                                            if item > c:
                                                       v = item
                                                       ...
"""

from __future__ import annotations

from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import assigned_names, gast, name, nodes
from zygpy.normalise.comprehensions import bound_to
from zygpy.normalise.trees import at, changed, identifiers, rewrite


def spell_walks(tree: Any, names: Names, hidden: frozenset[str]) -> Any:
    """The function with loops and comprehensions over a `map` or `filter` by a lambda as ones over the items.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> from zygpy.normalise.trees import identifiers
    >>> tree = gast.parse("def f(xs):\\n    for v in map(lambda w: w * w, xs):\\n        print(v)").body[0]
    >>> print(ast.unparse(to_python_ast(spell_walks(tree, Names(identifiers(tree)), frozenset()))))
    def f(xs):
        for w_1 in xs:
            v = w_1 * w_1
            print(v)
    """
    present = [node for node in nodes(tree) if _walk_of(getattr(node, "iter", None), hidden) is not None]
    if not present:
        return tree

    def spelled(node: Any) -> Any:
        if isinstance(node, gast.For):
            return _loop(node, names, hidden)
        return _generators(node, names, hidden) if hasattr(node, "generators") else None

    return rewrite(tree, spelled)


def _walk_of(node: Any, hidden: frozenset[str]) -> tuple[str, Any, list[Any]] | None:
    """What a call of `map` or `filter` by a lambda is, with the lambda and what it walks over."""
    called = node.func.id if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) else ""
    if called not in ("map", "filter") or called in hidden or node.keywords or len(node.args) < 2:
        return None
    function, *iterables = node.args
    if not _is_simple(function, len(iterables)) or any(isinstance(item, gast.Starred) for item in iterables):
        return None
    if len(iterables) > 1 and (called == "filter" or "zip" in hidden):
        return None
    return called, function, iterables


def _loop(node: Any, names: Names, hidden: frozenset[str]) -> Any:
    """A loop over the items of which another one has walked over what a lambda makes of them."""
    found = _walk_of(node.iter, hidden)
    if found is None:
        return None
    called, function, iterables = found
    variables, body = _apart(function, names)
    target, walked = _walked(node, variables, iterables)
    value = body if called == "map" else name(variables[0], at=node)
    inside: Any = [at(node, gast.Assign([node.target], value, None)), *node.body]
    if called == "filter":
        inside = [at(node, gast.If(body, inside, []))]
    return changed(node, target=target, iter=walked, body=inside)


def _generators(node: Any, names: Names, hidden: frozenset[str]) -> Any:
    """A comprehension whose parts walk over items; `for v in [e]` is one that binds a variable."""
    generators: list[Any] = []
    own = {variable for generator in node.generators for variable in assigned_names(generator.target)}
    for generator in node.generators:
        found = _walk_of(generator.iter, hidden)
        if found is None or not own.isdisjoint(_free(found[1])):
            generators.append(generator)
            continue
        called, function, iterables = found
        variables, body = _apart(function, names)
        target, walked = _walked(node, variables, iterables)
        tests = [body] if called == "filter" else []
        value = body if called == "map" else name(variables[0], at=node)
        generators.append(gast.comprehension(target, walked, tests, 0))
        generators.append(changed(generator, iter=bound_to(value)))
    return changed(node, generators=generators) if len(generators) > len(node.generators) else None


def _free(function: Any) -> set[str]:
    """The names that a lambda has from around it."""
    return set(identifiers(function.body)) - {parameter.id for parameter in function.args.args}


def _apart(function: Any, names: Names) -> tuple[list[str], Any]:
    """Variables for the parameters of a lambda that nobody else has, and its body in them."""
    fresh = {parameter.id: names.fresh(parameter.id) for parameter in function.args.args}

    def renamed(node: Any) -> Any:
        return changed(node, id=fresh[node.id]) if isinstance(node, gast.Name) and node.id in fresh else None

    return list(fresh.values()), rewrite(gast.Expr(function.body), renamed).value


def _walked(node: Any, variables: list[str], iterables: list[Any]) -> tuple[Any, Any]:
    """The target of a loop, and what it walks over: of several things, items side by side."""
    targets = [changed(name(variable, at=node), ctx=gast.Store()) for variable in variables]
    if len(iterables) == 1:
        return targets[0], iterables[0]
    return gast.Tuple(targets, gast.Store()), at(node, gast.Call(name("zip"), iterables, []))


def listed_by_lambda(node: Any, hidden: frozenset[str]) -> Any:
    """The list comprehension that has the items of a `map` or `filter` by a lambda; None of anything else."""
    found = _walk_of(node, hidden)
    if found is None:
        return None
    called, function, iterables = found
    variables = [parameter.id for parameter in function.args.args]
    target, walked = _walked(node, variables, iterables)
    element = function.body if called == "map" else name(variables[0])
    tests = [] if called == "map" else [function.body]
    return at(node, gast.ListComp(element, [gast.comprehension(target, walked, tests, 0)]))


def _is_simple(function: Any, count: int) -> bool:
    """Whether a function is a lambda of so many parameters whose body may stand in a loop: nothing in it
    takes its variables, binds any, or asks an iterator, whose end would be that of the iteration."""
    if not isinstance(function, gast.Lambda):
        return False
    given: Any = function.args
    plain = not (given.posonlyargs or given.vararg or given.kwonlyargs or given.kwarg or given.defaults)
    if not plain or len(given.args) != count or len({parameter.id for parameter in given.args}) != count:
        return False
    if {parameter.id for parameter in given.args} & set(assigned_names(function.body)):
        return False
    return not any(isinstance(inner, TAKING) or _may_stop(inner) for inner in nodes(function.body))


TAKING = (gast.Lambda, gast.GeneratorExp, gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)
"""Nodes that keep or bind variables, or suspend the function that they are in."""

ASKING = frozenset({"next", "__next__", "send", "throw"})
"""Names of what asks an iterator, whose end is that of a `map`, and not of a loop."""


def may_stop_a_walk(function: Any) -> bool:
    """Whether a function asks an iterator, whose end would be that of a `map` that calls it."""
    return any(map(_may_stop, nodes(function)))


def _may_stop(node: Any) -> bool:
    return (getattr(node, "id", "") or getattr(node, "attr", "")) in ASKING


def is_plain(node: Any, hidden: frozenset[str]) -> bool:
    """Whether evaluating an argument runs no code of the user's: it is there already, or made anew of such
    (`[]`, `np.zeros(3)`)."""
    match node:
        case gast.Name() | gast.Constant() | gast.Lambda():
            return True
        case gast.Attribute(value=inner) | gast.UnaryOp(operand=gast.Constant() as inner):
            return is_plain(inner, hidden)
        case gast.List(elts=items) | gast.Tuple(elts=items):
            return all(is_plain(item, hidden) for item in items)
        case gast.Call(func=gast.Attribute(value=gast.Name(id=module), attr=made), args=args, keywords=[]):
            known = module in ("np", "numpy") and module not in hidden and made in MAKING
            return known and all(is_plain(item, hidden) for item in args)
    return False


MAKING = frozenset({"zeros", "ones", "zeros_like", "ones_like", "empty_like", "eye"})
"""Functions of NumPy that make arrays, and do nothing else."""
