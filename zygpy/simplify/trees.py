"""What every rewrite needs of trees: changed copies, reads, evaluation order, size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from zygpy.ir.nodes import FUNCTIONS, assigned_names, children, copied, gast, name_nodes, names_in, nodes

Node: TypeAlias = Any
"""A gast node; gast is untyped, and one variable holds nodes of many classes."""

Block: TypeAlias = "list[Node]"

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, gast.ClassDef)
"""Nodes inside which a name may mean something else."""

BLOCKS = ("body", "orelse", "finalbody", "handlers")
WHOLE = (gast.Constant, *SCOPES)
"""Nodes inside which no name is replaced."""

MARKS = (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop, gast.boolop)

WIDTH = 96
"""Nothing is folded into an expression that would become wider than this, in characters."""


def changed(node: Node, **fields: Any) -> Node:
    """A copy of a node with other fields, at the same place.

    >>> from zygpy.ir.nodes import quote_expression
    >>> changed(quote_expression("x"), id="y").id
    'y'
    """
    return copied(node, fields)


def reads(root: Node | Block, name: str) -> bool:
    """Whether a name is read anywhere.

    >>> from zygpy.ir.nodes import quote
    >>> reads(quote("_, a = b"), "_"), reads(quote("a = _"), "_")
    (False, True)
    """
    return any(node.id == name and type(node.ctx) is gast.Load for node in name_nodes(root))


class Names:
    """What `own` tells of a statement's names, or of those at the head of a branch or loop, for the statement
    as a whole: each is looked through once, however many others it is in.

    >>> from zygpy.ir.nodes import quote
    >>> sorted(mentions().of(quote("if a:\\n    for b in c: d = b")[0]))
    ['a', 'b', 'c', 'd']
    """

    def __init__(self, own: Callable[[Node], Iterable[str]]) -> None:
        self._own = own
        self._found: dict[int, tuple[Node, dict[str, None]]] = {}

    def of(self, statement: Node) -> Iterable[str]:
        """The names of a statement."""
        if not isinstance(statement, gast.If | gast.For):
            return self._own(statement)
        known = self._found.get(id(statement))
        if known is None:
            found = {**dict.fromkeys(self._own(statement)), **self.inside(statement)}
            known = self._found[id(statement)] = (statement, found)
        return known[1]

    def inside(self, statement: Node) -> dict[str, None]:
        """The names in the blocks of a branch or loop."""
        inner = (*statement.body, *statement.orelse)
        return dict.fromkeys(name for each in inner for name in self.of(each))


def mentions() -> Names:
    """The names that statements mention."""
    return Names(lambda statement: names_in(_head(statement)))


def _head(statement: Node) -> list[Node]:
    """A statement, or what is evaluated and bound at the head of a branch or loop."""
    if isinstance(statement, gast.If):
        return [statement.test]
    return [statement.target, statement.iter] if isinstance(statement, gast.For) else [statement]


def target_names(target: Node) -> list[str]:
    """The names that an assignment target binds.

    >>> from zygpy.ir.nodes import quote
    >>> target_names(quote("a, (b, x[i]), *c = d")[0].targets[0])
    ['a', 'b', 'c']
    """
    if isinstance(target, gast.Name):
        return [target.id]
    if isinstance(target, gast.Tuple | gast.List):
        return [found for item in target.elts for found in target_names(item)]
    return target_names(target.value) if isinstance(target, gast.Starred) else []


def assigned_name(statement: Node) -> str | None:
    """The name that `name = expression` binds; None for any other statement.

    >>> from zygpy.ir.nodes import quote
    >>> [assigned_name(quote(text)[0]) for text in ("x = 1", "x[0] = 1", "x += 1")]
    ['x', None, None]
    """
    if isinstance(statement, gast.Assign) and len(statement.targets) == 1:
        target: Node = statement.targets[0]
        return target.id if isinstance(target, gast.Name) else None
    return None


def times_bound(function: Node) -> Counter[str]:
    """How often a function's body binds each name; to add to what a variable holds is not meant.

    >>> from zygpy.ir.nodes import quote
    >>> text = "a = b = c\\nfor a, d in e:\\n    d += 1\\n    del b\\ndef f(): g = 1"
    >>> sorted(times_bound(quote("def h(c):\\n    $body", body=quote(text))[0]).items())
    [('a', 2), ('b', 2), ('d', 1), ('f', 1), ('g', 1)]
    """
    bound = [str(node.id) for node in name_nodes(function.body) if not isinstance(node.ctx, gast.Load)]
    found = Counter(bound)
    found -= Counter(
        node.target.id
        for node in nodes(function.body)
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)
    )
    return found | Counter(assigned_names(function))


def is_cotangent(name: str) -> bool:
    """Whether a name of the adjoint is that of a cotangent (or a user's that looks like one).

    >>> is_cotangent("x_bar_1"), is_cotangent("x")
    (True, False)
    """
    return "_bar" in name


# ------------------------------------------------------------------------------------ replacing


def replace_names(node: Node, found: Callable[[str], Node | None]) -> Node:
    """The tree with the loads of names replaced; scopes inside it are left alone.

    >>> import ast
    >>> from zygpy.ir.nodes import constant, quote_expression, to_python_ast
    >>> two = {"x": constant(2)}
    >>> ast.unparse(to_python_ast(replace_names(quote_expression("x * f(x, lambda: x)"), two.get)))
    '2 * f(2, lambda: x)'
    """
    if isinstance(node, gast.Name):
        new = found(node.id) if isinstance(node.ctx, gast.Load) else None
        return node if new is None else new
    if isinstance(node, WHOLE):
        return node
    fields = {}
    for field in node._fields:
        value = getattr(node, field, None)
        new = _replace_field(value, found)
        if new is not value:
            fields[field] = new
    return changed(node, **fields) if fields else node


def _replace_field(value: Any, found: Callable[[str], Node | None]) -> Any:
    if isinstance(value, gast.AST) and not isinstance(value, MARKS):
        return replace_names(value, found)
    if type(value) is list:
        items = [_replace_field(item, found) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


def map_blocks(statement: Node, rewrite: Callable[[Block], Block]) -> Node:
    """The statement with every block in it rewritten; the body of a class stays as it is."""
    fields: dict[str, Any] = {}
    for field in BLOCKS if type(statement) is not gast.ClassDef else ():
        block = getattr(statement, field, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            fields[field] = rewrite(block)
    return changed(statement, **fields) if fields else statement


def map_all_blocks(statement: Node, rewrite: Callable[[Block], Block]) -> Node:
    """The same with the blocks of handlers.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> (attempt,) = quote("try: x = 1\\nexcept ValueError: x = 2")
    >>> print(ast.unparse(to_python_ast(map_all_blocks(attempt, lambda block: quote("pass")))))
    try:
        pass
    except ValueError:
        pass
    """
    made = map_blocks(statement, rewrite)
    if not isinstance(statement, gast.Try):
        return made
    return changed(made, handlers=[map_blocks(handler, rewrite) for handler in statement.handlers])


# ------------------------------------------------------------------------------------------ size


class Size(NamedTuple):
    """How an expression looks: its width in characters, and how deep its operators nest."""

    width: int
    depth: int


def size(node: Node) -> Size:
    """The approximate size of an expression; `a + b + c` counts as one level.

    >>> from zygpy.ir.nodes import quote_expression
    >>> size(quote_expression("a + b + c")), size(quote_expression("f(a * (b + c))"))
    (Size(width=9, depth=1), Size(width=16, depth=3))
    """
    if isinstance(node, gast.Name):
        return Size(len(node.id), 0)
    if isinstance(node, gast.Constant):
        return Size(len(repr(node.value)), 0)
    parts = [size(child) for child in children(node)]
    depth = max([part.depth for part in parts], default=0)
    width = sum([part.width for part in parts]) + _punctuation(node, len(parts))
    return Size(width, depth + _level(node, parts))


def _level(node: Node, parts: list[Size]) -> int:
    if isinstance(node, gast.BinOp) and isinstance(node.left, gast.BinOp):
        same = type(node.op) is type(node.left.op)
        return 0 if same and parts[0].depth > parts[1].depth else 1
    return int(isinstance(node, NESTING))


NESTING = (gast.BinOp, gast.Call, gast.Compare, gast.IfExp, gast.BoolOp)
"""Expressions that are a level of their own."""


def _punctuation(node: Node, parts: int) -> int:
    if isinstance(node, gast.Attribute):
        return len(node.attr) + 1
    if isinstance(node, gast.UnaryOp):
        return 4 if isinstance(node.op, gast.Not) else 1
    if isinstance(node, gast.BinOp):
        nested = sum(isinstance(side, gast.BinOp) for side in (node.left, node.right))
        return 3 + (2 * nested if isinstance(node.op, gast.Mult | gast.Div | gast.Pow) else 0)
    return 10 if isinstance(node, gast.IfExp) else 2 * parts
