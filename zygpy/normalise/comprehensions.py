"""Comprehensions: variables renamed apart; those that a function captures get a scope of their own."""

from __future__ import annotations

from collections import Counter
from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import assigned_names, gast, name, nodes, quote, quote_expression
from zygpy.normalise.scopes import comprehension_parts, comprehension_targets, mentioned_names, visible_nodes
from zygpy.normalise.trees import at, changed, rewrite

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
DISPLAYS = {"ListComp": "[]", "SetComp": "{*()}", "DictComp": "{}"}
ADDITIONS = {"ListComp": "$r.append($e)", "SetComp": "$r.add($e)", "DictComp": "$r[$key] = $v"}


def rename_comprehensions(tree: Any, names: Names) -> Any:
    """The function with comprehension variables that no other code mentions.

    Ensures: loop variables of comprehensions (also of generator expressions) in the function's own code
    are named apart from everything else, so that comprehensions may run as loops in place.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> tree = gast.parse("lambda x: [x for x in x] + [y for y in x]").body[0].value
    >>> print(ast.unparse(to_python_ast(rename_comprehensions(tree, Names({"x", "y"})))))
    lambda x: [x_1 for x_1 in x] + [y for y in x]
    """
    if not any(isinstance(node, COMPREHENSIONS) for node in nodes(tree)):
        return tree
    mentions = Counter(node.id for node in gast.walk(tree) if isinstance(node, gast.Name))

    def rename(node: Any) -> gast.AST | None:
        return _rename(node, names, mentions) if isinstance(node, COMPREHENSIONS) else None

    return rewrite(tree, rename)


def _rename(node: Any, names: Names, mentions: Counter[str]) -> Any:
    inside = Counter(found.id for found in _variables(node, comprehension_targets(node)))
    new = {old: names.fresh(old) for old in sorted(inside) if inside[old] != mentions[old]}
    if not new:
        return node
    renamed = {id(found): new[found.id] for found in _variables(node, frozenset(new))}
    for old, fresh in new.items():
        mentions[fresh] = inside[old]
        mentions[old] -= inside[old]

    def rename(inner: gast.AST) -> Any:
        return changed(inner, id=renamed[id(inner)]) if id(inner) in renamed else None

    return rewrite(node, rename, everywhere=True)


def _variables(node: Any, targets: frozenset[str]) -> list[gast.Name]:
    """The mentions of a comprehension's variables, not of variables of the same name around or inside it."""
    first = node.generators[0].iter
    parts = [part for part in comprehension_parts(node) if part is not first]
    return [
        found
        for found, _, hidden in visible_nodes(parts)
        if isinstance(found, gast.Name) and found.id in targets - hidden
    ]


def isolate_comprehensions(tree: Any, names: Names) -> Any:
    """The function with each comprehension whose variables a function inside it captures made a call.

    Requires: comprehension variables are renamed apart.
    Ensures: no variable of a list, set or dict comprehension in the function's own code is captured, also
    by a generator expression, save where a walrus is in it as well (the lowering refuses that). The
    comprehension has become a call whose callee is a `FunctionDef` standing in place of an expression: every
    evaluation has fresh variables, and the functions made in it share them, as in Python.

    >>> tree = gast.parse("lambda xs: [lambda: x for x in xs]").body[0].value
    >>> call = isolate_comprehensions(tree, Names()).body
    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> print(ast.unparse(to_python_ast(call.func)))
    def comprehension(iterable):
        collected = []
        for x in iterable:
            collected.append(lambda: x)
        return collected
    """

    def isolate(node: Any) -> gast.AST | None:
        if not isinstance(node, COMPREHENSIONS[:3]) or not (is_captured(node) or _is_suspended_with(node)):
            return None
        return _isolate(node, names) if not assigned_names(node) else None

    return rewrite(tree, isolate)


def _is_suspended_with(node: Any) -> bool:
    """Whether a generator expression inside a comprehension mentions one of its variables: it will be a
    function, unless a call of `any` or `all` takes its items at once."""
    visible = list(visible_nodes(comprehension_parts(node)))
    asked = {id(call.args[0]) for call, _, _ in visible if _asks_at_once(call)}
    return any(
        isinstance(inner, gast.GeneratorExp)
        and id(inner) not in asked
        and not comprehension_targets(node).isdisjoint(_mentioned_later(inner, hidden))
        for inner, _, hidden in visible
    )


def _asks_at_once(node: Any) -> bool:
    called = isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and len(node.args) == 1
    return called and node.func.id in ("any", "all") and isinstance(node.args[0], gast.GeneratorExp)


def _mentioned_later(node: Any, hidden: frozenset[str]) -> set[str]:
    """The names that a generator expression mentions while its items are asked for."""
    own = hidden | comprehension_targets(node)
    parts = [part for part in comprehension_parts(node) if part is not node.generators[0].iter]
    return set(mentioned_names(parts, own))


def is_captured(node: Any) -> bool:
    """Whether a function inside a comprehension captures one of its variables."""
    targets = comprehension_targets(node)
    return any(
        inside and isinstance(found, gast.Name) and found.id in targets - hidden
        for found, inside, hidden in visible_nodes(comprehension_parts(node))
    )


def _isolate(node: Any, names: Names) -> Any:
    function, iterable = names.fresh("comprehension"), names.fresh("iterable")
    collected = names.fresh("collected")
    kind = type(node).__name__
    generators = [changed(node.generators[0], iter=name(iterable, at=node)), *node.generators[1:]]
    body = [
        *quote(f"$r = {DISPLAYS[kind]}", at=node, r=collected),
        *loops(generators, addition(node, collected, names.fresh("key"))),
        *quote("return $r", at=node, r=collected),
    ]
    definition: Any = quote("def $f($p): $body", at=node, f=function, p=iterable, body=body)[0]
    call = quote_expression("f($first)", at=node, first=node.generators[0].iter)
    return changed(call, func=definition)


def addition(node: Any, collected: str, key: str) -> list[gast.stmt]:
    """The statements that add an element to the variable that collects them; a key comes before its value.

    >>> from zygpy.ir.nodes import to_python_ast
    >>> import ast
    >>> for statement in addition(quote_expression("{a: b for a, b in x}"), "collected", "key"):
    ...     print(ast.unparse(to_python_ast(statement)))
    key = a
    collected[key] = b
    """
    text = ADDITIONS[type(node).__name__]
    if isinstance(node, gast.DictComp):
        return quote(f"$key = $k\n{text}", at=node, r=collected, key=key, k=node.key, v=node.value)
    return quote(text, at=node.elt, r=collected, e=node.elt)


def loops(generators: list[Any], innermost: list[gast.stmt]) -> list[gast.stmt]:
    """The loops and tests of a comprehension around what is done for each element."""
    body = innermost
    for generator in reversed(generators):
        for test in reversed(generator.ifs):
            body = [at(test, gast.If(test, body, []))]
        target, iterable = generator.target, generator.iter
        if getattr(iterable, BOUND, False):
            body = [at(target, gast.Assign([target], iterable.elts[0], None)), *body]
        else:
            body = [at(target, gast.For(target, iterable, body, [], None))]
    return body


OF_GENERATOR = "of_generator"
"""The mark of a loop that was a generator expression."""


def marked_of_generator(statements: list[gast.stmt]) -> list[gast.stmt]:
    """The loops of a generator expression, marked as such."""
    for statement in statements:
        if isinstance(statement, gast.For):
            setattr(statement, OF_GENERATOR, True)
    return statements


def is_of_generator(loop: Any) -> bool:
    """Whether a loop was a generator expression, which StopIteration leaves as another exception."""
    return getattr(loop, OF_GENERATOR, False)


BOUND = "bound"
"""The mark of a list with one element that a variable of a comprehension is to be bound to."""


def bound_to(value: Any) -> Any:
    """What a part of a comprehension walks over to bind a variable: `for v in [value]`."""
    listed = at(value, gast.List([value], gast.Load()))
    setattr(listed, BOUND, True)
    return listed
