"""Walks over trees, and those that stay in one function's scope; the names that it binds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from zygpy.ir.nodes.build import FUNCTIONS, FunctionNode, gast


def parameter_name(parameter: gast.arg) -> str:
    """The name of one parameter."""
    return cast(gast.Name, parameter).id  # what gast makes of an `arg`


def argument_list(arguments: gast.arguments) -> list[gast.arg]:
    """The parameter nodes in Python's order: positional, `*args`, keyword-only, `**kwargs`."""
    star = [arguments.vararg] if arguments.vararg else []
    double_star = [arguments.kwarg] if arguments.kwarg else []
    return [*arguments.posonlyargs, *arguments.args, *star, *arguments.kwonlyargs, *double_star]


def parameter_names(tree: FunctionNode) -> tuple[str, ...]:
    """The parameters of a function, `*args` and `**kwargs` included, in Python's order.

    >>> from zygpy.ir.nodes import quote_expression
    >>> parameter_names(quote_expression("lambda a, /, b, *c, d=1, **e: 0"))
    ('a', 'b', 'c', 'd', 'e')
    """
    return tuple(parameter_name(parameter) for parameter in argument_list(tree.args))


_PLAIN_FIELDS = frozenset({"arg", "attr", "ctx", "id", "kind", "name", "op", "ops", "type_comment"})
"""Fields that hold no node but operators, contexts and identifiers."""


class _Fields(dict[Any, tuple[str, ...]]):
    """By class of nodes the fields that may hold what is walked: none of those of names and constants, and
    none of what else stands among nodes; some of the others may be left out."""

    __slots__ = ("without",)

    def __init__(self, *without: str) -> None:
        super().__init__()
        self.without = _PLAIN_FIELDS.union(without)

    def __missing__(self, kind: Any) -> tuple[str, ...]:
        plain = not issubclass(kind, gast.AST) or issubclass(kind, (gast.Name, gast.Constant))
        names = ("name",) if kind is gast.ExceptHandler else ()  # a node there
        fields = () if plain else kind._fields
        found = self[kind] = tuple(field for field in fields if field not in self.without or field in names)
        return found


_FIELDS = _Fields()
_RUNNING_FIELDS = _Fields("annotation")  # which never runs


def _standing_in(node: Any, fields: tuple[str, ...]) -> list[Any]:
    """The nodes in some fields of a node, in order."""
    found: list[Any] = []
    own = node.__dict__
    for field in fields:
        value = own.get(field)
        if type(value) is list:
            found += [item for item in value if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST):
            found.append(value)
    return found


def children(node: Any) -> list[Any]:
    """The nodes directly inside a node, in order, without operators and contexts."""
    fields = _FIELDS[type(node)]
    return _standing_in(node, fields) if fields else []


def nodes(root: Any) -> Iterator[Any]:
    """Every node of a tree or block but operators and contexts, in no particular order.

    >>> from zygpy.ir.nodes import quote_expression
    >>> sum(1 for _ in nodes(quote_expression("f(x) + 1")))
    5
    """
    waiting = list(root) if isinstance(root, list | tuple) else [root]
    while waiting:
        node = waiting.pop()
        yield node
        if fields := _FIELDS[type(node)]:
            own = node.__dict__
            for field in fields:
                value = own.get(field)
                if type(value) is list:
                    waiting += [item for item in value if isinstance(item, gast.AST)]
                elif isinstance(value, gast.AST):
                    waiting.append(value)


def names_in(root: Any) -> list[str]:
    """Every mention of a name, as often as it is mentioned, in functions inside too.

    >>> from zygpy.ir.nodes import quote_expression
    >>> sorted(names_in(quote_expression("f(x, lambda y: x)")))
    ['f', 'x', 'x', 'y']
    """
    return [node.id for node in name_nodes(root)]


def stores_in(root: Any) -> list[str]:
    """The same of those that are bound where they are mentioned.

    >>> from zygpy.ir.nodes import quote
    >>> sorted(stores_in(quote("a, b.c = d\\nfor e in a: del e")))
    ['a', 'e']
    """
    return [node.id for node in name_nodes(root) if type(node.ctx) is gast.Store]


def name_nodes(root: Any) -> list[Any]:
    """The nodes of a tree or block that mention a name, in the order of `nodes`."""
    found: list[Any] = []
    waiting = list(root) if isinstance(root, list | tuple) else [root]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is gast.Name:
            found.append(node)
        elif fields := _FIELDS[kind]:
            own = node.__dict__
            for field in fields:
                value = own.get(field)
                if type(value) is list:
                    waiting += value
                elif value is not None:
                    waiting.append(value)
    return found


def own_nodes(tree: gast.AST | Iterable[gast.AST]) -> Iterator[gast.AST]:
    """Every node that runs as part of a function's own body, in the order of the text.

    Of a function: its body. Of a function or class *inside* the body: the node itself and what is
    evaluated where it stands (decorators, defaults, bases), not its body. Comprehensions are
    entered: they run in place. Annotations are left out: those of local variables never run; so are
    the contexts of names.

    >>> from zygpy.ir.nodes import parse_text
    >>> tree = parse_text("def f(x=a):\\n    g = lambda y=b: c\\n    return [d for e in g]").body[0]
    >>> [node.id for node in own_nodes(tree) if isinstance(node, gast.Name)]
    ['g', 'b', 'd', 'e', 'g']
    """
    waiting = _roots(tree)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        kind: Any = type(node)
        if kind in _APART:
            waiting += _outer_children(node)[::-1]
        elif fields := _RUNNING_FIELDS[kind]:
            waiting += _standing_in(node, fields)[::-1]


def is_generator(function: gast.AST) -> bool:
    """Whether a call of the function makes a generator, even if no `yield` can be reached.

    >>> from zygpy.ir.nodes import parse_text
    >>> [is_generator(parse_text(f"def f(): {text}").body[0]) for text in ("return 1; yield", "return 1")]
    [True, False]
    """
    return any(isinstance(node, gast.Yield | gast.YieldFrom) for node in own_nodes(function))


def _roots(tree: gast.AST | Iterable[gast.AST]) -> list[gast.AST]:
    if not isinstance(tree, gast.AST):
        return list(tree)
    if isinstance(tree, gast.Lambda):
        return [tree.body]
    return list(tree.body) if isinstance(tree, gast.FunctionDef | gast.AsyncFunctionDef) else [tree]


_APART: frozenset[type] = frozenset({*FUNCTIONS, gast.ClassDef})
"""Nodes with a scope of their own that is entered later, or in another way."""


def _outer_children(node: gast.AST) -> list[gast.AST]:
    """What is evaluated where a function or class stands."""
    if isinstance(node, FUNCTIONS):
        defaults = [*node.args.defaults, *(value for value in node.args.kw_defaults if value is not None)]
        return [*getattr(node, "decorator_list", ()), *defaults]
    assert isinstance(node, gast.ClassDef)
    return [*node.decorator_list, *node.bases, *node.keywords]


def declared_names(tree: gast.AST, *statements: type[gast.Global] | type[gast.Nonlocal]) -> frozenset[str]:
    """The names that the function declares `global`, or `nonlocal`.

    >>> from zygpy.ir.nodes import parse_text
    >>> sorted(declared_names(parse_text("def f():\\n    global a, b").body[0], gast.Global))
    ['a', 'b']
    """
    declared = (node.names for node in own_nodes(tree) if isinstance(node, statements))
    return frozenset(identifier for names in declared for identifier in names)


def assigned_names(tree: gast.AST | Iterable[gast.AST]) -> tuple[str, ...]:
    """The names that the body binds or deletes in its function's scope, in order of appearance.

    Parameters are not among them; names declared `global` or `nonlocal` are. The variables of a
    comprehension are its own, but a walrus inside one binds here.

    >>> from zygpy.ir.nodes import parse_text
    >>> assigned_names(parse_text("a, *b = [d := c for c in x]\\ndef e(f): g = 1\\nimport h.i"))
    ('a', 'b', 'd', 'e', 'h')
    """
    found: dict[str, None] = {}
    waiting = _roots(tree)[::-1]
    while waiting:
        node: Any = waiting.pop()
        kind: Any = type(node)
        if kind is gast.Name:
            if type(node.ctx) is not gast.Load:
                found[node.id] = None
        elif kind in _WITH_NAMES_OF_THEIR_OWN:
            return _assigned_anywhere(tree)
        elif fields := _RUNNING_FIELDS[kind]:
            waiting += _standing_in(node, fields)[::-1]
    return tuple(found)


def _assigned_anywhere(tree: gast.AST | Iterable[gast.AST]) -> tuple[str, ...]:
    """The same where there are functions, comprehensions, imports or patterns."""
    found: dict[str, None] = {}
    private: set[int] = set()
    for node in own_nodes(tree):
        if isinstance(node, COMPREHENSIONS):
            private.update(id(inner) for inner in _comprehension_targets(node))
        if type(node) in BINDING and not _is_load(node) and id(node) not in private:
            found.update(dict.fromkeys(_bound(node)))
    return tuple(found)


COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
BINDING: frozenset[type] = frozenset(
    {
        *(gast.Name, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.alias),
        *(gast.MatchAs, gast.MatchStar, gast.MatchMapping),
    }
)
"""Nodes that may bind a name."""

_WITH_NAMES_OF_THEIR_OWN = frozenset({*COMPREHENSIONS, *FUNCTIONS, *BINDING} - {gast.Name})


def _is_load(node: gast.AST) -> bool:
    return isinstance(node, gast.Name) and type(node.ctx) is gast.Load


def _comprehension_targets(node: gast.AST) -> Iterator[gast.AST]:
    """The nodes of a comprehension's targets."""
    for generator in cast(Any, node).generators:
        yield from nodes(generator.target)


def _bound(node: gast.AST) -> Iterable[str]:
    match node:
        case gast.Name(ctx=gast.Store() | gast.Del()):
            return [node.id]
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.ClassDef():
            return [node.name]
        case gast.alias():
            return [node.asname or node.name.partition(".")[0]]
        case gast.MatchAs() | gast.MatchStar():
            return [node.name] if node.name else []
        case gast.MatchMapping(rest=str(rest)):
            return [rest]
    return []


def local_names(tree: FunctionNode) -> frozenset[str]:
    """The local variables of a function: parameters and what it binds, less declared names.

    >>> from zygpy.ir.nodes import parse_text
    >>> sorted(local_names(parse_text("def f(x):\\n    global y\\n    y = z = x").body[0]))
    ['x', 'z']
    """
    declared = declared_names(tree, gast.Global, gast.Nonlocal)
    return frozenset(parameter_names(tree)) | frozenset(assigned_names(tree)) - declared
