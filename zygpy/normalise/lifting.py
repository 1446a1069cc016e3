"""Functions inside that call themselves or each other: they are given what they would capture.

def f(x):                                   def f(x):
    def even(n, v):                             def even(odd, even, n, v):
        return odd(n - 1, v) if n else v   ->       return odd(odd, even, n - 1, v) if n else v
    def odd(n, v):                              def odd(odd, even, n, v):
        return even(n - 1, v) if n else x           ...

Nobody can tell where such functions are only ever called, by their names, and where what they take from
outside has the same value as long as a call of them runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zygpy.ir.names import Names
from zygpy.ir.nodes import (
    FUNCTIONS,
    argument_list,
    assigned_names,
    declared_names,
    gast,
    is_generator,
    local_names,
    name,
    nodes,
    own_nodes,
    parameter_name,
)
from zygpy.ir.rebinding import times_bound
from zygpy.normalise.boxes import LOOKING, names_bound_as_text, with_boxes
from zygpy.normalise.scopes import comprehension_targets, free_names, names_captured_unbound
from zygpy.normalise.trees import changed, rewrite

Definitions = dict[str, Any]


def lift_groups(tree: Any, captured: frozenset[str], names: Names) -> Any:
    """The function in which those inside that call themselves, or each other, are given what they would
    capture, each other included.

    Requires: the `captured` names are never bound again. Ensures: a function that has no such group is
    given back as it is.

    >>> import ast
    >>> from zygpy.ir.names import Names
    >>> from zygpy.ir.nodes import to_python_ast
    >>> text = "def f(x):\\n    def g():\\n        h()\\n    def h():\\n        g(), x\\n    return g()"
    >>> tree = gast.parse(text).body[0]
    >>> print(ast.unparse(to_python_ast(lift_groups(tree, frozenset(), Names()))))
    def f(x):
    <BLANKLINE>
        def g(g, h, x):
            h(g, h, x)
    <BLANKLINE>
        def h(g, h, x):
            (g(g, h, x), x)
        return g(g, h, x)
    """
    if isinstance(tree, gast.Lambda):
        return tree
    groups = list(_all_groups(tree))
    if not groups:
        return tree
    boxed = with_boxes(tree, [node for group in groups for node in group.values()], names)
    if boxed is not tree:
        others = list(_all_groups(boxed))
        lifted = _lifted(boxed, others, captured)
        if lifted is not None:
            return lifted
    return _lifted(tree, groups, captured, some=True) or tree


def _lifted(
    tree: Any, groups: list[Definitions], captured: frozenset[str], *, some: bool = False
) -> Any | None:
    """The function with all of these groups changed, or with `some` of them; None if that cannot be."""
    given: dict[str, list[str]] = {}
    changes: set[int] = set()
    for group in groups:
        found = _Group(tree, group, captured).given()
        if not found and not some:
            return None
        given |= found
        changes.update(id(group[one]) for one in found)
    return _rewritten(tree, changes, given) if given else None


def _rewritten(tree: Any, changes: set[int], given: dict[str, list[str]]) -> Any:
    """The function in which these functions, by id, and their calls, have what is given in front."""

    def spelled(node: Any) -> Any:
        if id(node) in changes:
            return _with_first(node, given[node.name])
        called = getattr(node.func, "id", "") if isinstance(node, gast.Call) else ""
        if called in given:
            return changed(node, args=[name(one, at=node) for one in given[called]] + node.args)
        return None

    return rewrite(tree, spelled, everywhere=True)


def _all_groups(tree: Any) -> Iterator[Definitions]:
    """The groups of functions of which one at least takes itself, or one that is defined behind it."""
    for block in _blocks(tree.body):
        found = _functions(block)
        if any(_late(found)):
            yield from (group for group in _groups(_only_called(tree, block, found)) if any(_late(group)))


def _blocks(block: list[Any]) -> Iterator[list[Any]]:
    """A block and those in it that run once at most, as a whole."""
    yield block
    for statement in block:
        if isinstance(statement, gast.If | gast.With):
            yield from _blocks(statement.body)
            yield from _blocks(getattr(statement, "orelse", []))


def _functions(block: list[Any]) -> Definitions:
    """The functions that a block defines and that could be given more, by name."""
    return {
        statement.name: statement
        for statement in block
        if isinstance(statement, gast.FunctionDef)
        and not (statement.decorator_list or statement.args.kwarg or is_generator(statement))
    }


def _late(functions: Definitions) -> Iterator[str]:
    """The functions that take themselves, or that others take which are defined before them."""
    order = list(functions)
    for place, taker in enumerate(order):
        free = free_names(functions[taker])
        yield from (other for other in order[place:] if other in free)


def _groups(functions: Definitions) -> Iterator[Definitions]:
    """The functions, together with those that they take or that take them."""
    left = dict(functions)
    taken = {one: free_names(node) & functions.keys() for one, node in functions.items()}
    while left:
        group = {next(iter(left))}
        while True:
            more = {one for one in left if one in group or taken[one] & group}
            more |= {other for one in more for other in taken[one]}
            if more <= group:
                break
            group |= more
        yield {one: node for one, node in functions.items() if one in group}
        left = {one: node for one, node in left.items() if one not in group}


# ------------------------------------------------------------------------------------- who is only called


def _only_called(tree: Any, block: list[Any], functions: Definitions) -> Definitions:
    """Those of the functions of a block that are bound once, and only called: by each other, and behind the
    definitions of all of them."""
    texts = Counter(text for node in nodes(tree) for text in _texts(node))
    known = {one: node for one, node in functions.items() if texts[one] == 1}
    mentions = [node for node in nodes(tree) if isinstance(node, gast.Name)]
    if any(node.id in LOOKING for node in mentions):
        return {}
    while True:
        calls = frozenset(id(call.func) for call in _calls(block, known))
        other = {node.id for node in mentions if id(node) not in calls}
        if other.isdisjoint(known):
            return known
        known = {one: node for one, node in known.items() if one not in other}


def _texts(node: Any) -> list[str]:
    """The names that a node binds or declares which are no nodes of their own."""
    if isinstance(node, gast.Global | gast.Nonlocal):
        return list(node.names)
    return names_bound_as_text(node)


def _calls(block: list[Any], functions: Definitions) -> Iterator[Any]:
    """The calls by name of functions of a block, where all of these are defined."""
    last = max((place for place, one in enumerate(block) if one in functions.values()), default=-1)
    for region in (block[last + 1 :], *functions.values()):
        for node in own_nodes(region):
            called = getattr(node.func, "id", "") if isinstance(node, gast.Call) else ""
            if called in functions and _fits(node, functions[called].args):
                yield node


def _fits(call: Any, arguments: Any) -> bool:
    """Whether a call gives a function what it asks for, as can be seen."""
    given = [keyword.arg for keyword in call.keywords]
    if None in given or any(isinstance(one, gast.Starred) for one in call.args):
        return False
    first = [parameter_name(one) for one in arguments.posonlyargs]
    positional = first + [parameter_name(one) for one in arguments.args]
    if len(call.args) > len(positional) and arguments.vararg is None:
        return False
    rest = positional[len(call.args) :]
    required = {one for one in rest if one not in positional[len(positional) - len(arguments.defaults) :]}
    named = [parameter_name(one) for one in arguments.kwonlyargs]
    required |= {one for one, value in zip(named, arguments.kw_defaults, strict=True) if value is None}
    return required <= set(given) and set(given) <= {*rest, *named} - set(first)


# ----------------------------------------------------------------------------------------- what is given


@dataclass(frozen=True)
class _Group:
    """A group of functions inside a function."""

    tree: Any
    group: Definitions
    captured: frozenset[str]

    def given(self) -> dict[str, list[str]]:
        """What each function of the group is given; nothing, where the group takes what may change."""
        needed = self._needed()
        taken = frozenset().union(*needed.values()) - self.group.keys()
        if not taken <= self._settled() or not self._inner_names().isdisjoint({*taken, *self.group}):
            return {}
        return {one: sorted(names) for one, names in needed.items()}

    def _needed(self) -> dict[str, frozenset[str]]:
        """What each function of the group takes from outside, or hands on to others of the group."""
        variables = local_names(self.tree) | self.captured
        needed = {one: free_names(node) & variables for one, node in self.group.items()}
        while True:
            more = {
                one: names.union(*(needed[other] for other in names & self.group.keys()))
                for one, names in needed.items()
            }
            if more == needed:
                return needed
            needed = more

    def _settled(self) -> frozenset[str]:
        """The variables that have a value where the group is defined, and keep it while a call of the group
        runs, or what that has made is alive."""
        own = local_names(self.tree)
        lost = {one for node in own_nodes(self.tree) for one in _lost_by(node)}
        lost |= {one for node in _inner(self.tree.body) for one in declared_names(node, gast.Nonlocal)}
        if any(_makes_functions(node) for node in self.group.values()):
            counts = times_bound(self.tree.body)
            counts.update(parameter_name(one) for one in argument_list(self.tree.args))
            lost |= {one for one, count in counts.items() if count > 1}
        return ((own - names_captured_unbound(self.tree, generated=False)) | self.captured) - lost

    def _inner_names(self) -> frozenset[str]:
        """The names that inner scopes bind, or declare."""
        found: frozenset[str] = frozenset()
        for node in _inner(self.tree.body):
            if isinstance(node, FUNCTIONS):
                found |= local_names(node) | declared_names(node, gast.Global, gast.Nonlocal)
            elif isinstance(node, gast.ClassDef):
                found |= frozenset(assigned_names(node.body))
            else:
                found |= comprehension_targets(node)
        return found


def _inner(block: list[Any]) -> list[Any]:
    """What has a scope of its own in a block."""
    return [
        node
        for node in nodes(block)
        if isinstance(node, (*FUNCTIONS, gast.ClassDef)) or hasattr(node, "generators")
    ]


def _makes_functions(function: Any) -> bool:
    """Whether a function makes what may still read its variables when it has returned."""
    return any(isinstance(node, (*FUNCTIONS, gast.GeneratorExp)) for node in nodes(function.body))


def _lost_by(node: Any) -> list[str]:
    """The variables that a node leaves without a value, or binds amid an expression."""
    if isinstance(node, gast.Name):
        return [node.id] if isinstance(node.ctx, gast.Del) else []
    if isinstance(node, gast.NamedExpr):
        return [node.target.id]
    handled = getattr(node, "name", None) if isinstance(node, gast.ExceptHandler) else None
    return [getattr(handled, "id", handled)] if handled else []


def _with_first(node: Any, names: list[str]) -> Any:
    """A function with more parameters in front of its own."""
    arguments = node.args
    field = "posonlyargs" if arguments.posonlyargs else "args"
    first = [name(one, gast.Param, at=node) for one in names]
    return changed(node, args=changed(arguments, **{field: first + getattr(arguments, field)}))
