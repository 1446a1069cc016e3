"""`class` inside a function: the statement stands in a function of its own, which makes the class."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import assigned_names, constant, gast, name, nodes, own_nodes, quote, quote_expression
from zygpy.normalise.comprehensions import COMPREHENSIONS
from zygpy.normalise.scopes import comprehension_targets
from zygpy.normalise.trees import changed, rewrite


def spell_classes(tree: Any, names: Names, local: frozenset[str]) -> Any:
    """The function with each `class` of its own made by a call.

    `local` are its variables, captured ones included. What is stored in the class by `name = value` is
    stored in it once more when it is made, where its gradient is followed. Other variables with which the
    text of the class computes when it is run are given to the call, which is refused where they are active.

    Ensures: `ClassDef` is left in functions inside only, and in a function that is itself such a call: what
    that does is not followed.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse('''
    ... def f(x):
    ...     class Box:
    ...         size = x
    ...         def twice(self): return 2 * x
    ... ''').body[0]
    >>> print(ast.unparse(to_python_ast(spell_classes(tree, Names({"size"}), frozenset({"x", "Box"})))))
    def f(x):
        size_1 = x
    <BLANKLINE>
        def make_Box():
    <BLANKLINE>
            class Box:
                __qualname__ = 'f.<locals>.Box'
                size = size_1
    <BLANKLINE>
                def twice(self):
                    return 2 * x
            return Box
        Box = helper:made_class(make_Box)
        Box.size = size_1
    """

    if _makes_a_class(tree):
        return tree

    def spell(node: gast.AST) -> list[gast.stmt] | None:
        return _spelled(node, names, local, tree.name) if isinstance(node, gast.ClassDef) else None

    return rewrite(tree, spell)


def _makes_a_class(tree: Any) -> bool:
    """Whether a function is one in which a `class` statement stands by itself."""
    match tree.body:
        case [*_, gast.ClassDef(body=body), gast.Return(value=gast.Name())]:
            targets = [target for line in body if isinstance(line, gast.Assign) for target in line.targets]
            return any(getattr(target, "id", "") == QUALIFIED for target in targets)
    return False


QUALIFIED = "__qualname__"


def _spelled(node: Any, names: Names, local: frozenset[str], around: str) -> list[gast.stmt]:
    make = names.fresh("make_" + node.name)
    outer = local - frozenset(assigned_names(node.body))  # what the class binds itself it never finds outside
    before, body, after = _stored(node, names, outer) if _is_plain(node) else ([], node.body, [])
    qualified = quote("$n = $q", at=node, n=QUALIFIED, q=constant(f"{around}.<locals>.{node.name}"))
    cls = changed(node, body=_behind_text(body, qualified))
    computing = changed(cls, bases=[base for base in cls.bases if not isinstance(base, gast.Name)])
    given = _mentions(_read(computing), outer, node)
    lines = [*_given(_mentions(_read(cls), outer, node), node), *_declared(node, local), cls]
    maker = quote("def $make(): $lines", at=node, make=make, lines=[*lines, *quote("return $P", P=node.name)])
    call: Any = quote_expression("$f($m)", at=node, f=name("helper:made_class"), m=name(make))
    call.args.extend(given)
    return [*before, *maker, *quote("$P = $call", at=node, P=node.name, call=call), *after]


def _mentions(read: set[str], local: frozenset[str], node: Any) -> list[Any]:
    return [name(each, at=node) for each in sorted(read & local - {node.name})]


def _is_plain(node: Any) -> bool:
    """Whether nobody has a say in how a class is made, who would see what it holds by then: neither others
    nor what else runs in its text."""
    stores = [statement for statement in node.body if _target(statement) is not None]
    others = [statement for statement in node.body if _target(statement) is None]
    stored = {_target(statement) for statement in stores}
    seen = _reads(others) | set(assigned_names(others))
    alone = not (node.decorator_list or node.bases or node.keywords or stored & seen)
    return alone and not any(isinstance(inner, gast.NamedExpr) for inner in nodes(stores))


def _stored(node: Any, names: Names, outer: frozenset[str]) -> tuple[list[Any], list[Any], list[Any]]:
    """What is computed before the class is made, its body, and what is stored in it when it is made."""
    before: list[Any] = []
    body: list[Any] = []
    after: list[Any] = []
    known: dict[str, str] = {}
    for statement in node.body:
        target = _target(statement)
        if target is None or not (target in known or _reads([statement.value]) & (outer | known.keys())):
            body.append(statement)
            continue
        fresh = names.fresh(target)
        before += quote("$t = $v", at=statement, t=fresh, v=_renamed(statement.value, known))
        body.append(changed(statement, value=name(fresh, at=statement)))
        after += quote("$P.$field = $t", at=statement, P=node.name, field=target, t=fresh)
        known[target] = fresh
    return before, body, after


def _target(statement: Any) -> str | None:
    """The variable of `name = value`."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=str(target))]):
            return target
        case gast.AnnAssign(target=gast.Name(id=str(target)), value=gast.AST()):
            return target
    return None


def _renamed(value: Any, known: dict[str, str]) -> Any:
    def rename(node: gast.AST) -> gast.AST | None:
        return changed(node, id=known[node.id]) if isinstance(node, gast.Name) and node.id in known else None

    return rewrite([value], rename)[0] if known else value


def _behind_text(body: list[Any], statements: list[gast.stmt]) -> list[Any]:
    """The body of a class with statements at its beginning, behind the text that documents it."""
    match body:
        case [gast.Expr(value=gast.Constant(value=str())), *_]:
            return [body[0], *statements, *body[1:]]
    return [*statements, *body]


def _declared(node: Any, local: frozenset[str]) -> list[gast.stmt]:
    """What makes the class known by its name to its own methods, as the function around it knows it."""
    if node.name not in local:
        return [gast.Global([node.name])]
    inside = {inner.id for inner in nodes(node.body) if isinstance(inner, gast.Name)}
    return [gast.Nonlocal([node.name])] if node.name in inside else []


def _given(given: list[Any], node: Any) -> list[gast.stmt]:
    """A statement that mentions what only the text of the class itself reads."""
    return [gast.copy_location(gast.Expr(gast.Tuple(given, gast.Load())), node)] if given else []


def _read(node: Any) -> set[str]:
    """The names that the text of a class reads when it is run, annotations included."""
    heads = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    inner = [child for child in own_nodes(node.body) if isinstance(child, gast.ClassDef)]
    return _reads([*heads, *node.body]).union(*map(_read, inner)) | _annotated(node)


def _annotated(node: Any) -> set[str]:
    """The names in annotations, of the methods' parameters too."""
    found = [
        annotation
        for child in gast.walk(node)
        for field in ("annotation", "returns")
        if isinstance(annotation := getattr(child, field, None), gast.AST)
    ]
    return {child.id for root in found for child in gast.walk(root) if isinstance(child, gast.Name)}


def _reads(roots: Iterable[Any]) -> set[str]:
    """The names that are read, but for the variables of comprehensions."""
    own = list(own_nodes(list(roots)))
    loops = [node for node in own if isinstance(node, COMPREHENSIONS)]
    inner = frozenset().union(*map(comprehension_targets, loops))
    read = {node.id for node in own if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)}
    return read - inner
