"""Functions under decorators that keep what they give, as functions that do so themselves.

    @functools.cache                        def leg_alone(n): ...
    def leg(n): ...             ->          leg_kept = {}
                                            def leg(n):
                                                if n in leg_kept:
                                                    return leg_kept[n]
                                                ...

So every call is one of a function whose text is known. That is done where a function is only called, by its
name and with as many arguments as it has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from zygpy.ir.names import Names
from zygpy.ir.nodes import (
    FUNCTIONS,
    declared_names,
    gast,
    is_generator,
    local_names,
    name,
    names_in,
    nodes,
    own_nodes,
    quote,
)
from zygpy.normalise.trees import at, changed, identifiers, rewrite

HELPERS = {
    "whole": "helper:are_whole",
    "note": "helper:note_whole",
    "other": "helper:note_other",
    "given": "helper:alone_and_whole",
    "may": "helper:may_be_kept",
    "look": "helper:key_of_call",
    "other_key": "helper:note_other_key",
    "part": "helper:alone",
}
"""What a function under a cache calls, by parts of the names of the variables that hold them."""


HELPERS_OF_ROOM = {
    "again": "helper:is_still_kept",
    "newly": "helper:is_newly_kept",
    "drop": "helper:note_dropped",
}
"""The same of a cache that drops something."""


class Decorator(NamedTuple):
    """What a decorator does: it is the `tree` of a function, or one of Python's caches, that has `room` for
    so many results (0: for all)."""

    tree: Any = None
    room: int = 0


Find = Callable[[Any], "Decorator | None"]


def decorated(tree: Any) -> list[Any]:
    """The functions that a function makes under one decorator, and of which nothing is done but call them."""
    found = [node for node in own_nodes(tree) if isinstance(node, gast.FunctionDef) and node.decorator_list]
    return [node for node in found if _is_plain(node) and _is_only_called(node, tree)] if found else []


def with_decorators_in_place(tree: Any, find: Find, hiding: frozenset[str] = frozenset()) -> Any:
    """The function with such decorators in place; `find` tells what a decorator does, or None. `hiding` are
    names that mean something else in it than in the functions around: variables that it has captured.

    >>> import ast
    >>> from zygpy.ir.nodes import to_python_ast
    >>> tree = gast.parse("def f(x):\\n    @memo\\n    def g(n): return x * n\\n    return g(2)").body[0]
    >>> memo = "def memo(f):\\n    t = {}\\n    def inner(*a):\\n        if a not in t: t[a] = f(*a)"
    >>> memo = gast.parse(memo + "\\n        return t[a]\\n    return inner").body[0]
    >>> print(ast.unparse(to_python_ast(with_decorators_in_place(tree, lambda _: Decorator(memo)))))
    def f(x):
    <BLANKLINE>
        def g_alone(n):
            return x * n
        g_t = {}
    <BLANKLINE>
        def g(n_1):
            if (n_1,) not in g_t:
                g_t[n_1,] = g_alone(n_1)
            return g_t[n_1,]
        return g(2)
    """
    found = {id(node): find(node.decorator_list[0]) for node in decorated(tree)}
    if not any(found.values()):
        return tree
    names, around = Names(identifiers(tree)), local_names(tree) | hiding

    def spelled(node: Any) -> Any:
        decorator = found.get(id(node))
        if decorator is None:
            return None
        if decorator.tree is None:
            return _under_a_cache(node, names, decorator.room)
        return _InPlace(node, decorator.tree, names, around).spelled()

    return rewrite(tree, spelled)


def _is_plain(node: Any) -> bool:
    """Whether a function has one decorator and positional parameters alone, and is no generator."""
    args = node.args
    more = args.vararg or args.kwarg or args.kwonlyargs or args.defaults
    return len(node.decorator_list) == 1 and not more and not is_generator(node)


def _is_only_called(node: Any, tree: Any) -> bool:
    """Whether a function is bound once, and else called, with as many arguments as it has."""
    count = len(parameters_of(node))
    inside = list(nodes(tree))
    calls = [one for one in inside if isinstance(one, gast.Call) and _calls(one, node.name, count)]
    bound = [one for one in inside if node.name in _bound_by(one)]
    return len(calls) == names_in(tree).count(node.name) and bound == [node]


def _calls(call: Any, function: str, count: int) -> bool:
    plain = len(call.args) == count and not call.keywords
    starred = any(isinstance(arg, gast.Starred) for arg in call.args)
    return plain and not starred and isinstance(call.func, gast.Name) and call.func.id == function


def _bound_by(node: Any) -> tuple[str, ...]:
    """The names that a node binds, other than by a `Name`, or says something about."""
    if isinstance(node, gast.alias):
        return ((node.asname or node.name).partition(".")[0],)
    if isinstance(node, gast.Global | gast.Nonlocal):
        return tuple(node.names)
    bound = getattr(node, "rest" if isinstance(node, gast.MatchMapping) else "name", None)
    return (bound,) if isinstance(bound, str) else ()


def parameters_of(node: Any) -> list[Any]:
    return [*node.args.posonlyargs, *node.args.args]


# ------------------------------------------------------------------------------ caches of Python's


def _under_a_cache(node: Any, names: Names, room: int) -> list[Any]:
    """A function that keeps what it gives by whole numbers, and by anything else that a cache is asked
    by as the cache does. Where it has room for so many results, it is told when one is dropped."""
    own = node.name
    helpers = {**HELPERS, **(HELPERS_OF_ROOM if room else {})}
    parts: dict[str, Any] = {part: names.fresh(f"{own}_{part}") for part in (*helpers, "alone", "kept")}
    parts |= {part: names.fresh(f"{own}_{part}") for part in ("calls", "result", "key")}
    params = [names.fresh(one.id) for one in parameters_of(node)]
    args = ", ".join(params)
    key, every = params[0] if len(params) == 1 else f"({args})", f"({args},)" if params else "()"
    made = [
        changed(node, name=parts["alone"], decorator_list=[]),
        *(quote(f"{parts[part]} = $h", at=node, h=name(path))[0] for part, path in helpers.items()),
        *quote("$kept = {}", at=node, kept=parts["kept"]),
        *quote(
            f"$calls = $asked({own!r})", at=node, calls=parts["calls"], asked=name("helper:asked_by_name")
        ),
    ]
    known = "$again($calls, {})" if room else "{} in $kept"
    keep = f"if $newly($calls, {{}}, {room}): " if room else ""
    alone = f"return $alone({args})\n"
    if room:
        alone = f"$result = $alone({args}); $drop($calls, {room}); return $result\n"
    text = (
        f"def {own}({args}):\n"
        f"    if $whole({args}):\n"
        f"        if {known.format(key)}:\n"
        f"            return $kept[{key}]\n"
        f"        $note($calls, {args})\n"
        f"        $result = $alone({', '.join(f'$given({param})' for param in params)})\n"
        f"        {keep.format(key)}$kept[{key}] = $result\n"
        f"        return $result\n"
        f"    if not $may({every}, {{}}):\n"
        f"        $other($calls, {args})\n"
        f"        {alone}"
        f"    $key = $look({every}, {{}}, typed=False)\n"
        f"    if {known.format('$key')}:\n"
        f"        return $kept[$key]\n"
        f"    $other_key($calls, {args})\n"
        f"    $result = $alone({', '.join(f'$part({param})' for param in params)})\n"
        f"    {keep.format('$key')}$kept[$key] = $result\n"
        f"    return $result\n"
    )
    return [*made, *quote(text, at=node, **parts)]


# -------------------------------------------------------------------------- a program's own ones


class _InPlace:
    """A function under a decorator of the program's own, which makes another one around it."""

    def __init__(self, node: Any, decorator: Any, names: Names, around: frozenset[str]) -> None:
        self.node, self.decorator, self.names, self.around = node, decorator, names, around

    def spelled(self) -> list[Any] | None:
        """The statements for it; None where the decorator does something else, or names would be others."""
        body = shape_of(self.decorator)
        if body is None or self._is_mistaken():
            return None
        begun, inner, (function,) = body.begun, body.inner, parameters_of(self.decorator)
        params = self._parameters_of(inner)
        if params is None:
            return None
        own = self.node.name
        self.names.taken |= identifiers(self.decorator)
        alone = self.names.fresh(f"{own}_alone")
        others = sorted(local_names(self.decorator) - {function.id, inner.name})
        renamed = {each: self.names.fresh(f"{own}_{each}") for each in others}
        renamed |= {function.id: alone, inner.name: own}
        spell = _Spelling(renamed, getattr(inner.args.vararg, "id", None), params)
        first = [changed(self.node, name=alone, decorator_list=[])]
        around = changed(self.node, name=own, decorator_list=[], returns=None, body=inner.body)
        given = [parameter(each) for each in params]
        around.args = changed(self.node.args, posonlyargs=[], args=[at(inner, each) for each in given])
        return [*first, *(spell.of(one) for one in begun), spell.of(around)]

    def _is_mistaken(self) -> bool:
        """Whether a name of the decorator would mean something else here."""
        free = identifiers(self.decorator) - local_names(self.decorator)
        return self.node.name in identifiers(self.decorator) or not self.around.isdisjoint(free)

    def _parameters_of(self, inner: Any) -> list[str] | None:
        """The names of the parameters of what the decorator makes, as it is called here."""
        count = len(parameters_of(self.node))
        if inner.args.vararg is None:
            own = [one.id for one in parameters_of(inner)]
            return own if len(own) == count else None
        if parameters_of(inner):
            return None
        self.names.taken |= identifiers(self.decorator)
        return [self.names.fresh(one.id) for one in parameters_of(self.node)]


def parameter(identifier: str) -> Any:
    """A parameter of a function."""
    node: Any = gast.Name
    return node(identifier, gast.Param(), None, None)


class Shape(NamedTuple):
    """What a decorator does first, and the function that it makes."""

    begun: list[Any]
    inner: Any


def shape_of(tree: Any) -> Shape | None:
    """The parts of a decorator that makes a function around the one that it is given, and does nothing else
    that anybody could tell; None of any other function."""
    if not _is_plain_decorator(tree):
        return None
    *begun, inner, last = [one for one in tree.body if not is_text(one)]
    if not isinstance(inner, gast.FunctionDef) or not isinstance(last, gast.Return):
        return None
    gives = isinstance(last.value, gast.Name) and last.value.id == inner.name
    fits = gives and _is_plain_inner(inner, tree) and all(map(_makes_something, begun))
    return Shape([_unannotated(one) for one in begun], inner) if fits else None


def _is_plain_decorator(tree: Any) -> bool:
    if not isinstance(tree, gast.FunctionDef) or tree.decorator_list or len(tree.body) < 2:
        return False
    return len(parameters_of(tree)) == 1 and not (
        tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or tree.args.defaults
    )


def is_text(statement: Any) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Constant)


def _is_plain_inner(inner: Any, tree: Any) -> bool:
    """Whether a function calls with what it is given alone, and shares nothing but variables."""
    args, own = inner.args, local_names(tree)
    if args.kwarg or args.kwonlyargs or args.defaults or is_generator(inner):
        return False
    if any(
        isinstance(one, (*FUNCTIONS, gast.ClassDef)) for statement in inner.body for one in nodes(statement)
    ):
        return False
    if declared_names(inner, gast.Global) or not local_names(inner).isdisjoint(own):
        return False
    wraps = all(_is_wraps(one, parameters_of(tree)[0].id) for one in inner.decorator_list)
    return wraps and names_in(inner.body).count(inner.name) == 0 and _uses_all(inner)


def _uses_all(inner: Any) -> bool:
    """Whether all its arguments are read, and bound nowhere."""
    name_of_all = getattr(inner.args.vararg, "id", None)
    named = [one for one in nodes(inner.body) if isinstance(one, gast.Name) and one.id == name_of_all]
    return all(isinstance(one.ctx, gast.Load) for one in named)


def _is_wraps(decorator: Any, function: str) -> bool:
    """Whether `wraps(function)`, which gives names and a text alone, stands over a function."""
    if not isinstance(decorator, gast.Call) or decorator.keywords or len(decorator.args) != 1:
        return False
    called = getattr(decorator.func, "attr", getattr(decorator.func, "id", None))
    return called == "wraps" and getattr(decorator.args[0], "id", None) == function


def _makes_something(statement: Any) -> bool:
    """Whether a statement binds a variable to a constant, or to a list, dict or set that is empty."""
    targets: list[Any]
    if isinstance(statement, gast.AnnAssign):
        targets = [statement.target]
    elif isinstance(statement, gast.Assign):
        targets = statement.targets
    else:
        return False
    value = statement.value
    empty = isinstance(value, gast.Dict | gast.List) and not (
        getattr(value, "keys", getattr(value, "elts", 0))
    )
    return (
        len(targets) == 1
        and isinstance(targets[0], gast.Name)
        and (empty or isinstance(value, gast.Constant))
    )


def _unannotated(statement: Any) -> Any:
    if isinstance(statement, gast.Assign):
        return statement
    return at(statement, gast.Assign([statement.target], statement.value, None))


class _Spelling(NamedTuple):
    """How the names of a decorator are written where it stands in place."""

    renamed: dict[str, str]
    given: str | None
    params: list[str]

    def of(self, tree: Any) -> Any:
        """A statement with the names that it has here."""
        return rewrite(tree, self._spelled, everywhere=True)

    def _spelled(self, node: Any) -> Any:
        if isinstance(node, gast.Nonlocal):
            return changed(node, names=[self.renamed.get(each, each) for each in node.names])
        if isinstance(node, gast.Call):
            return self._call(node)
        if not isinstance(node, gast.Name):
            return None
        if node.id == self.given:
            return at(node, gast.Tuple([name(each, at=node) for each in self.params], gast.Load()))
        return changed(node, id=self.renamed[node.id]) if node.id in self.renamed else None

    def _call(self, node: Any) -> Any:
        """A call that hands on all arguments, with each of them."""
        args: list[Any] = []
        for arg in node.args:
            all_of_them = isinstance(arg, gast.Starred) and getattr(arg.value, "id", None) == self.given
            args += [name(each, at=arg) for each in self.params] if all_of_them else [arg]
        return changed(node, args=args)


def spelled_with(renamed: dict[str, str], tree: Any) -> Any:
    """A statement with variables under other names."""
    return _Spelling(renamed, None, []).of(tree)
