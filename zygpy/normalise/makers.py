"""Functions that make others, which share their variables, in place: what is made is a function inside then.

    c = counter(x)                          c_step = x
    for v in values:           ->           c_total = 0.0
        s += c(v)                           def c(v):
                                                nonlocal c_total
                                                c_total += v * c_step
                                                return c_total
                                            for v in values:
                                                s += c(v)

That is done where what is made is only called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zygpy.ir.names import Names
from zygpy.ir.nodes import FUNCTIONS, declared_names, gast, is_generator, local_names, name, names_in, nodes
from zygpy.normalise.boxes import LOOKING
from zygpy.normalise.decorators import is_text, parameters_of, spelled_with
from zygpy.normalise.trees import at, changed, identifiers

Find = Callable[[Any], Any]
"""From what is called by a name to the tree of the function, where that is known; None of anything else."""

SCOPED = (*FUNCTIONS, gast.ClassDef, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
"""Nodes with variables of their own."""


class Made(NamedTuple):
    """A statement that calls what makes functions: the variables for these, and what the text of it is."""

    targets: tuple[str, ...]
    call: Any
    maker: Maker


class Maker(NamedTuple):
    """The parts of a function that makes others: what it binds first, and what it makes and gives."""

    tree: Any
    begun: list[Any]
    inner: list[Any]
    given: tuple[str, ...]
    alone: bool  # whether it gives a function, and no tuple


def with_makers_in_place(tree: Any, find: Find, hiding: frozenset[str] = frozenset()) -> Any:
    """The function with such calls in place; the very same if there is none. `hiding` are names that mean
    something else in it than in the functions around: variables that it has captured.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> text = "def count(step):\\n    n = 0\\n    def more():\\n        nonlocal n\\n        n += step"
    >>> maker = gast.parse(text + "\\n        return n\\n    return more").body[0]
    >>> tree = gast.parse("def f(x):\\n    c = count(x)\\n    return c() * c()").body[0]
    >>> print(ast.unparse(to_python_ast(with_makers_in_place(tree, lambda node: maker))))
    def f(x):
        c_step = x
        c_n = 0
    <BLANKLINE>
        def c():
            nonlocal c_n
            c_n += c_step
            return c_n
        return c() * c()
    """
    if isinstance(tree, gast.Lambda):
        return tree
    functions = [one for one in tree.body if isinstance(one, gast.FunctionDef) and maker_of(one) is not None]
    own = {one.name: one for one in functions if _is_only_called(one.name, tree, one)}

    def maker(node: Any) -> Any:
        return own.get(node.id) or find(node)

    read = _read(tree.body)
    every = [one for one in tree.body if read.isdisjoint(_bound_by_call(one))]
    found = {id(one): made for one in every if (made := _made(one, tree, maker, hiding))}
    if not found:
        return tree
    names, body = Names(identifiers(tree)), []
    for statement in tree.body:
        made = found.get(id(statement))
        body += [statement] if made is None else _in_place(statement, made, names)
    return _without_uncalled(changed(tree, body=body), own)


def _without_uncalled(tree: Any, functions: Any) -> Any:
    """The function without those of its own that are not called any more."""
    named = set(names_in(tree.body))
    gone = [one for each, one in functions.items() if each not in named]
    return changed(tree, body=[one for one in tree.body if all(one is not each for each in gone)])


def _read(trees: Any) -> set[str]:
    """The names that a block reads otherwise than to call them, outside of functions: those are not only
    called."""
    found, called, waiting = set[str](), set[int](), list(trees)
    while waiting:
        node = waiting.pop()
        if isinstance(node, gast.Call):
            called.add(id(node.func))
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and id(node) not in called:
            found.add(node.id)
        if not isinstance(node, FUNCTIONS):
            waiting += gast.iter_child_nodes(node)
    return found


def _bound_by_call(statement: Any) -> tuple[str, ...]:
    """The names that a statement binds to what a call gives."""
    called = isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Call)
    return (_targets(statement.targets[0]) or ()) if called else ()


def _made(statement: Any, tree: Any, find: Find, hiding: frozenset[str]) -> Made | None:
    """What a statement makes that is only called, if it calls what makes functions."""
    call = statement.value if isinstance(statement, gast.Assign) and len(statement.targets) == 1 else None
    targets = None if call is None else _targets(statement.targets[0])
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Name) or targets is None:
        return None
    plain = not call.keywords and not any(isinstance(arg, gast.Starred) for arg in call.args)
    if not plain or not all(_is_only_called(each, tree) for each in targets):
        return None
    maker = _maker_at(call, find)
    if maker is None or maker.alone != isinstance(statement.targets[0], gast.Name):
        return None
    counted = len(parameters_of(maker.tree)) == len(call.args) and len(maker.given) == len(targets)
    fits = counted and _fits(maker, targets, tree, hiding) and not any(_scopes(call.args))
    return Made(targets, call, maker) if fits else None


def _fits(maker: Maker, targets: tuple[str, ...], tree: Any, hiding: frozenset[str]) -> bool:
    """Whether all names of what makes functions mean the same in the function that calls it."""
    own = {each for one in maker.inner for each in local_names(one)}
    if any(maker.tree is one for one in tree.body):
        return own.isdisjoint(targets)
    return (identifiers(maker.tree) - local_names(maker.tree)).isdisjoint({*local_names(tree), *hiding})


def _targets(target: Any) -> tuple[str, ...] | None:
    """The different names that a target consists of; None of anything else."""
    parts = target.elts if isinstance(target, gast.Tuple | gast.List) else [target]
    names = tuple(part.id for part in parts if isinstance(part, gast.Name))
    return names if names and len(set(names)) == len(parts) else None


def _is_only_called(variable: str, tree: Any, function: Any = None) -> bool:
    """Whether a variable is bound once, by a name or as that of a function, and else called."""
    inside = list(_knowing(variable, tree.body))
    named = [node for node in inside if isinstance(node, gast.Name) and node.id == variable]
    called = {id(node.func) for node in inside if isinstance(node, gast.Call)}
    bound = [node for node in named if id(node) not in called]
    otherwise = [node for node in inside if variable in _texts(node)]
    if function is not None:
        return otherwise == [function] and not bound
    return not otherwise and len(bound) == 1 and isinstance(bound[0].ctx, gast.Store)


def _knowing(variable: str, trees: Any) -> Iterator[Any]:
    """The nodes in a block that may mean a variable of the function around it."""
    waiting = list(trees)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, FUNCTIONS) or variable not in local_names(node):
            waiting += gast.iter_child_nodes(node)


def _texts(node: Any) -> Iterator[str]:
    """The names that a node has as texts."""
    if isinstance(node, gast.alias):
        yield (node.asname or node.name).partition(".")[0]
        return
    for field in ("name", "rest"):
        if isinstance(getattr(node, field, None), str):
            yield getattr(node, field)
    yield from getattr(node, "names", ()) if isinstance(node, gast.Global | gast.Nonlocal) else ()


def _scopes(trees: Any) -> Iterator[Any]:
    """The nodes of these trees that have variables of their own, or bind some in an expression."""
    for node in nodes(trees):
        if isinstance(node, (*SCOPED, gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)):
            yield node


def _maker_at(call: Any, find: Find) -> Maker | None:
    found = find(call.func)
    return None if found is None else maker_of(found)


def maker_of(tree: Any) -> Maker | None:
    """The parts of a function that binds variables, and makes functions which rebind some of them, and which
    it gives; None of any other."""
    if not _has_plain_parameters(tree) or tree.decorator_list:
        return None
    *body, last = [one for one in tree.body if not is_text(one)]
    inner = [one for one in body if isinstance(one, gast.FunctionDef)]
    begun = body[: len(body) - len(inner)]
    given = _targets(last.value) if isinstance(last, gast.Return) and last.value is not None else None
    if given is None or {one.name for one in inner} != set(given) or len(inner) != len(given):
        return None
    plain = all(map(_binds_a_name, begun)) and all(_is_plain_inner(one, tree) for one in inner)
    shares = any(declared_names(one, gast.Nonlocal) for one in inner)
    return Maker(tree, begun, inner, given, isinstance(last.value, gast.Name)) if plain and shares else None


def _has_plain_parameters(tree: Any) -> bool:
    """Whether a function has parameters by position alone, and none with a default value."""
    if not isinstance(tree, gast.FunctionDef) or is_generator(tree):
        return False
    return not (tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or tree.args.defaults)


def _binds_a_name(statement: Any) -> bool:
    """Whether a statement binds one variable to what an expression gives."""
    plain = isinstance(statement, gast.Assign) and len(statement.targets) == 1
    return plain and isinstance(statement.targets[0], gast.Name) and not any(_scopes([statement.value]))


def _is_plain_inner(inner: Any, tree: Any) -> bool:
    """Whether a function that another one makes shares nothing but variables with it."""
    own = local_names(inner)
    if inner.decorator_list or not _has_plain_parameters(inner) or any(_scopes(inner.body)):
        return False
    looking = LOOKING.isdisjoint(identifiers(inner))
    return looking and not declared_names(inner, gast.Global) and own.isdisjoint(local_names(tree))


def _in_place(statement: Any, made: Made, names: Names) -> list[Any]:
    """The statements for one that calls what makes functions."""
    maker = made.maker
    names.taken |= identifiers(maker.tree)
    functions = dict(zip(maker.given, made.targets, strict=True))
    others = sorted(local_names(maker.tree) - functions.keys())
    new = {each: names.fresh(f"{made.targets[0]}_{each}") for each in others} | functions
    params = [new[one.id] for one in parameters_of(maker.tree)]
    first = [
        at(statement, gast.Assign([name(param, gast.Store, at=statement)], arg, None))
        for param, arg in zip(params, made.call.args, strict=True)
    ]
    inside = [changed(one, name=functions[one.name]) for one in maker.inner]
    return [*first, *(spelled_with(new, one) for one in (*maker.begun, *inside))]
