"""Generator expressions: list comprehensions where a consumer exhausts them at once, generator functions
elsewhere.

The consumers named here take every element before they do anything that could be seen (`sum` and the
like add numbers, `join` and `fromiter` build a value), so the order of side effects stays what it was: their
other arguments are evaluated behind what the first loop walks over, and before the elements (`is_exhausted`).
`any` and `all` stop early: they are left to the lowering, which makes loops of them.
"""

from __future__ import annotations

from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import (
    assigned_names,
    constant,
    declared_names,
    gast,
    is_generator,
    local_names,
    name,
    nodes,
    own_nodes,
    quote,
    quote_expression,
)
from zygpy.normalise.comprehensions import is_captured, loops
from zygpy.normalise.lambdas import is_plain, listed_by_lambda, spell_walks
from zygpy.normalise.seen_elements import may_see
from zygpy.normalise.trees import at, changed, identifiers, rewrite

EXHAUSTING = frozenset({"sum", "min", "max", "list", "tuple", "set", "dict", "sorted", "frozenset"})
FUNCTIONS = frozenset(
    {"extend", "fmean", "fromiter", "fsum", "join", "pstdev", "pvariance", "stdev", "variance"}
)
"""Functions and methods by names that nothing else has which does anything else with an iterator."""

OF_MODULES = {"math": frozenset({"prod"}), "statistics": frozenset({"mean", "median"})}
"""More of them, of these modules. (NumPy's make an array of a generator itself, or refuse it.)"""


SEEN = frozenset({"extend"})
"""Consumers of which a handler may see how far they came when an element fails, and the elements how far they
are."""


def exhaust_generators(tree: Any, names: Names, captured: tuple[str, ...]) -> Any:
    """The function with generator expressions evaluated first where their consumer exhausts them, and with
    the bodies of lambdas in the loops that call them.

    Ensures: a `GeneratorExp` is left only where its elements are asked for one by one.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse("lambda xs: sum(x * x for x in xs)").body[0].value
    >>> print(ast.unparse(to_python_ast(exhaust_generators(tree, Names(identifiers(tree)), ()))))
    lambda xs: sum([x * x for x in xs])
    >>> tree = gast.parse("lambda xs: f(*(x * x for x in xs))").body[0].value
    >>> print(ast.unparse(to_python_ast(exhaust_generators(tree, Names(identifiers(tree)), ()))))
    lambda xs: f(*[x * x for x in xs])
    """
    hidden = _hidden(tree, captured)
    caught = any(isinstance(node, gast.Try) for node in nodes(tree))
    tree = spell_walks(tree, names, hidden)
    own = local_names(tree) - frozenset(captured)

    def exhaust(node: Any) -> gast.AST | None:
        kept = _is_seen(node) and (caught or may_see(tree, own, node.func.value, node.args[0]))
        return None if kept else _exhaust(node, hidden)

    return rewrite(tree, exhaust)


def _is_seen(node: Any) -> bool:
    """Whether a node gives a generator expression to one of these consumers."""
    if not isinstance(node, gast.Call) or getattr(node.func, "attr", "") not in SEEN:
        return False
    return bool(node.args) and isinstance(node.args[0], gast.GeneratorExp)


def _exhaust(node: Any, hidden: frozenset[str]) -> gast.AST | None:
    if isinstance(node, gast.Starred) and isinstance(node.value, gast.GeneratorExp):
        whole: Any = _listed(node.value, hidden, by_name=True)
        setattr(whole, EXHAUSTED, True)
        starred: gast.AST = changed(node, value=whole)
        return starred
    if not isinstance(node, gast.Call) or not node.args:
        return None
    others = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if not _exhausts(node.func, hidden) or not all(is_plain(other, hidden) for other in others):
        return None
    if {name for other in others for name in identifiers(other)} & set(assigned_names(node.args[0])):
        return None
    listed: Any = _listed(node.args[0], hidden, by_name=isinstance(node.func, gast.Name))
    if listed is None or (
        is_captured(listed) and not all(isinstance(other, gast.Constant) for other in others)
    ):
        return None
    setattr(listed, EXHAUSTED, True)
    call: gast.AST = changed(node, args=[listed, *node.args[1:]])
    return call


EXHAUSTED = "exhausted"
"""The mark of a list comprehension that was a generator expression."""


def is_exhausted(node: Any) -> bool:
    """Whether a list comprehension was a generator expression: the other arguments of the call that it is
    given to are evaluated before its elements."""
    return isinstance(node, gast.ListComp) and getattr(node, EXHAUSTED, False)


def _listed(node: Any, hidden: frozenset[str], *, by_name: bool) -> gast.AST | None:
    """The list that has the elements of a generator expression, or of a `map` or `filter` by a lambda; None
    of anything else."""
    if isinstance(node, gast.GeneratorExp):
        listed: gast.AST = at(node, gast.ListComp(node.elt, node.generators))
        return listed
    return listed_by_lambda(node, hidden) if by_name else None


def _exhausts(function: Any, hidden: frozenset[str]) -> bool:
    if isinstance(function, gast.Name):
        return function.id in EXHAUSTING and function.id not in hidden
    if not isinstance(function, gast.Attribute):
        return False
    return function.attr in FUNCTIONS or function.attr in OF_MODULES.get(
        getattr(function.value, "id", ""), ()
    )


def suspend_generators(tree: Any, names: Names, captured: tuple[str, ...] = ()) -> Any:
    """The function with the other generator expressions made calls of generator functions.

    Requires: comprehension variables are renamed apart.
    Ensures: a `GeneratorExp` is left only where it is the argument of `any` or `all`. One that binds a
    variable of the function has become a generator function that rebinds it.

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
    hidden = _hidden(tree, captured)
    early = {id(node.args[0]) for node in nodes(tree) if _is_asked_early(node, hidden)}
    found = [
        node for node in own_nodes(tree) if isinstance(node, gast.GeneratorExp) and id(node) not in early
    ]
    bound = dict.fromkeys(name for node in found for name in assigned_names(node))
    outside = declared_names(tree, gast.Global)

    def suspend(node: Any) -> gast.AST | None:
        wanted = isinstance(node, gast.GeneratorExp) and id(node) not in early
        return _suspended(node, names, outside) if wanted else None

    declared = declared_names(tree, gast.Global) | declared_names(tree, gast.Nonlocal)
    return _with_locals(rewrite(tree, suspend), [name for name in bound if name not in declared])


def _with_locals(tree: Any, bound: list[str]) -> Any:
    """The function with variables that are its own although only functions inside it bind them."""
    if not bound:
        return tree
    declarations = [quote("$v: None", at=tree.body[0], v=variable)[0] for variable in bound]
    return changed(tree, body=[*declarations, *tree.body])


def _hidden(tree: Any, captured: tuple[str, ...]) -> frozenset[str]:
    """The names that are no builtins in a function."""
    stored = (
        node.id for node in nodes(tree) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
    )
    return local_names(tree) | frozenset(assigned_names(tree)) | frozenset(captured) | frozenset(stored)


def _is_asked_early(node: Any, hidden: frozenset[str]) -> bool:
    """Whether a node is a call of `any` or `all` that the lowering makes a loop of."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name) or node.keywords:
        return False
    if node.func.id not in ("any", "all") or node.func.id in hidden or len(node.args) != 1:
        return False
    return isinstance(node.args[0], gast.GeneratorExp) and not is_captured(node.args[0])


def _suspended(node: Any, names: Names, outside: frozenset[str]) -> Any:
    bound = sorted(set(assigned_names(node)))
    function, iterable = names.fresh("generator"), names.fresh("iterable")
    generators = [changed(node.generators[0], iter=name(iterable, at=node)), *node.generators[1:]]
    body = [
        *_declarations(gast.Global, [variable for variable in bound if variable in outside], node),
        *_declarations(gast.Nonlocal, [variable for variable in bound if variable not in outside], node),
        *loops(generators, quote("yield $e", at=node.elt, e=node.elt)),
    ]
    definition: Any = quote("def $f($p): $body", at=node, f=function, p=iterable, body=body)[0]
    first = quote_expression("$iter($first)", at=node, iter="builtin:iter", first=node.generators[0].iter)
    return changed(quote_expression("f($first)", at=node, first=first), func=definition)


def _declarations(kind: Any, bound: list[str], node: Any) -> list[gast.stmt]:
    return [at(node, kind(bound))] if bound else []


# --------------------------------------------------------------------- bodies that may run in place

ELSEWHERE = (gast.Import, gast.ImportFrom, gast.ClassDef, gast.Global, gast.AsyncFunctionDef)
"""What a function has of its own that is left where it stands."""


def is_plain_generator(tree: Any) -> bool:
    """Whether a tree is that of a generator function whose body means the same in the function that takes its
    items, with plain parameters."""
    return isinstance(tree, gast.FunctionDef) and is_generator(tree) and _is_plain_function(tree)


def is_plain_function(tree: Any) -> bool:
    """The same of any other function, where it is called."""
    known = isinstance(tree, gast.FunctionDef | gast.Lambda)
    return known and not is_generator(tree) and _is_plain_function(tree)


def _is_plain_function(tree: Any) -> bool:
    arguments = tree.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or getattr(tree, "decorator_list", ()):
        return False
    return not any(isinstance(node, ELSEWHERE) for node in own_nodes(tree))


def without_decorators(tree: Any) -> Any:
    """The function as it stands below its decorators."""
    return changed(tree, decorator_list=[]) if getattr(tree, "decorator_list", ()) else tree


def with_known_texts(tree: Any, texts: dict[str, str]) -> Any:
    """A method whose object has attributes that are texts, with these in place, unless it binds its first
    parameter, or attributes of it."""
    first = (tree.args.posonlyargs + tree.args.args)[:1]
    own = getattr(first[0], "id", None) or getattr(first[0], "arg", None) if first else None
    if own is None or own in assigned_names(tree):
        return tree

    def known(node: Any) -> Any:
        if not isinstance(node, gast.Attribute) or node.attr not in texts:
            return None
        asks = isinstance(node.value, gast.Name) and node.value.id == own and isinstance(node.ctx, gast.Load)
        return constant(texts[node.attr], at=node) if asks else None

    return rewrite(tree, known)


def does_without_itself(tree: Any) -> bool:
    """Whether a method does nothing with its object but return it."""
    first = (tree.args.posonlyargs + tree.args.args)[:1]
    own = getattr(first[0], "id", None) or getattr(first[0], "arg", None) if first else None
    uses = [node for node in nodes(tree) if isinstance(node, gast.Name) and node.id == own]
    returned = [node for node in nodes(tree) if isinstance(node, gast.Return)]
    given = [one for one in returned if isinstance(one.value, gast.Name) and one.value.id == own]
    return own is not None and len(uses) <= len(given) + len(first)


def delegates(tree: Any) -> bool:
    """Whether a generator function has a `yield from` in no `try` or `with`, and makes no functions: then
    nobody sees it if what is thrown to it is not handed on, but what the items come from."""
    found = list(own_nodes(tree))
    others = gast.Try | gast.With | gast.FunctionDef | gast.Lambda
    return any(isinstance(node, gast.YieldFrom) for node in found) and not any(
        isinstance(node, others) for node in found
    )


def spell_delegations(tree: Any, received: str = "yield $v", **names_in_it: str) -> Any:
    """The generator function with `yield from xs`, where nobody asks for its value, as a loop: that is the
    same as long as nothing is sent or thrown. (What is done with what is `received` is a text.)

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> tree = gast.parse("def g(xs):\\n    yield from xs").body[0]
    >>> print(ast.unparse(to_python_ast(spell_delegations(tree))))
    def g(xs):
        for item in xs:
            yield item
    """
    names = Names(identifiers(tree))

    def spelled(node: Any) -> Any:
        if not isinstance(node, gast.Expr) or not isinstance(node.value, gast.YieldFrom):
            return None
        item = names.fresh("item")
        parts: dict[str, Any] = {"i": item, "xs": node.value.value, "v": name(item, at=node)}
        parts.update(names_in_it)
        return quote(f"for $i in $xs: {received}", at=node, **parts)[0]

    return rewrite(tree, spelled)


def gives_items_plainly(tree: Any) -> bool:
    """Whether a generator function does nothing with its `yield`s but give items, handles nothing, makes no
    functions and returns nothing.

    >>> gives_items_plainly(gast.parse("def g(xs):\\n    yield from xs").body[0])
    True
    >>> gives_items_plainly(gast.parse("def g(xs):\\n    y = yield 1").body[0])
    False
    """
    found = list(own_nodes(tree))
    others = gast.Try | gast.With | gast.FunctionDef | gast.Lambda | gast.GeneratorExp | gast.NamedExpr
    alone = [node.value for node in found if isinstance(node, gast.Expr)]
    given = [node for node in found if isinstance(node, gast.Yield | gast.YieldFrom)]
    return (
        all(any(node is one for one in alone) for node in given)
        and not any(isinstance(node, others) for node in found)
        and not any(isinstance(node, gast.Return) and node.value is not None for node in found)
        and not any(isinstance(node, gast.Yield) and node.value is None for node in given)
    )


def with_items_listed(tree: Any) -> Any:
    """The generator function as one that gives a list of all its items.

    Requires: it gives items plainly.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> text = "def g(xs):\\n    if xs:\\n        yield xs[0]\\n        yield from g(xs[1:])"
    >>> tree = gast.parse(text).body[0]
    >>> print(ast.unparse(to_python_ast(with_items_listed(tree))))
    def g_listed(xs):
        items = []
        if xs:
            items.append(xs[0])
            for item in g(xs[1:]):
                items.append(item)
        return items
    """
    names = Names(identifiers(tree))
    items = names.fresh("items")

    def listed(node: Any) -> Any:
        if isinstance(node, gast.Return):
            return quote("return $items", at=node, items=items)[0]
        if not isinstance(node, gast.Expr) or not isinstance(node.value, gast.Yield):
            return None
        given: Any = node.value.value
        return quote("$items.append($v)", at=node, items=items, v=given)[0]

    made: Any = rewrite(spell_delegations(tree), listed)
    begun, ended = quote("$items = []", at=tree, items=items), quote("return $items", at=tree, items=items)
    return changed(made, name=name_of_listing(tree.name), body=[*begun, *made.body, *ended])


def name_of_listing(function: str) -> str:
    """How a function is called that gives what a generator function gives in a list."""
    return f"{function}_listed"
