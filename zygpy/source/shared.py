"""Which captured variables are shared as cells: what functions further in or out do to them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from zygpy.ir.rebinding import times_bound
from zygpy.ir.unbound import names_declared, unbound_when_captured
from zygpy.source.match import Definition, Node, names_of_cells, nonlocal_names

SHARING = "with_shared_cells"
"""The helper by which generated code hands cells on, under the names that its arguments tell."""


def shared_names(text: str, found: Definition, *, generated: bool = False) -> frozenset[str]:
    """Names that a function must know by their cells: those that some function of the file rebinds, those
    that it only hands on to functions inside it while the function that they belong to rebinds them, and
    those that may have no value when it is made. A generator function reads all its variables while others
    run.
    """
    handed_on = _free(found.node) if _is_generator(found.node) else _handed_on(found.node)
    outside = [(name, _binder(name, found.around)) for name in handed_on]
    far = (name for name, binder in outside if binder is not None and _is_rebound(name, binder))
    return _known_by_cells(text, found) | frozenset(far) | unbound_names(found, generated=generated)


def _known_by_cells(text: str, found: Definition) -> frozenset[str]:
    """The names of variables that functions beside a function rebind, or that classes beside it mention."""
    coarse = nonlocal_names(text)
    if not coarse:
        return coarse
    binders = [(name, _binder(name, found.around)) for name in _free(found.node) & coarse]
    apart = frozenset(name for name, node in binders if node is not None and name not in _nonlocal_in(node))
    return coarse - apart


@lru_cache(maxsize=256)
def _nonlocal_in(node: Node) -> frozenset[str]:
    return names_of_cells(node)


def unbound_names(found: Definition, *, generated: bool = False) -> frozenset[str]:
    """The names that may have no value where functions of the function that binds them take them."""
    free = _free(found.node)
    binders = {id(node): node for name in free if (node := _binder(name, found.around)) is not None}
    return free & frozenset().union(*(_captured_unbound(node, generated) for node in binders.values()))


def _captured_unbound(node: Node, generated: bool) -> frozenset[str]:
    body = node.body if isinstance(node.body, list) else [ast.Expr(node.body)]
    if generated:
        return names_declared(body)
    return unbound_when_captured(body, _parameters(node), _free) & _bound(node)


def _handed_on(node: Node) -> frozenset[str]:
    """The names that functions inside a function take from outside of it."""
    inner = [child for child in _own(node) if isinstance(child, Node)]
    return frozenset(name for child in inner for name in _free(child)) - _bound(node)


def _is_generator(node: Node) -> bool:
    return any(isinstance(child, ast.Yield | ast.YieldFrom) for child in _own(node))


def _free(node: Node) -> frozenset[str]:
    mentioned = {child.id for child in _own(node) if isinstance(child, ast.Name)}
    inner = [child for child in _own(node) if isinstance(child, Node)]
    return (frozenset(mentioned).union(*map(_free, inner)) if inner else frozenset(mentioned)) - _bound(node)


def _binder(name: str, around: tuple[Node, ...]) -> Node | None:
    """The innermost of the functions around that binds a name."""
    return next((node for node in reversed(around) if name in _bound(node)), None)


def _own(node: Node) -> Iterator[ast.AST]:
    """The nodes of a function's body, without what is inside the functions in it."""
    waiting: list[ast.AST] = list(node.body) if isinstance(node.body, list) else [node.body]
    while waiting:
        child = waiting.pop()
        yield child
        if not isinstance(child, Node | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(child))


def _parameters(node: Node) -> list[str]:
    args = node.args
    extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)]


def _bindings(node: Node) -> Counter[str]:
    """How often a function binds its names. A function that is given cells is bound once: nothing has it
    before."""
    again = frozenset(id(name) for child in _own(node) for name in _given_cells(child))
    body = node.body if isinstance(node.body, list) else [ast.Expr(node.body)]
    return times_bound(body, again) + Counter(_parameters(node))


def _bound(node: Node) -> frozenset[str]:
    outer = {
        name for child in _own(node) if isinstance(child, ast.Nonlocal | ast.Global) for name in child.names
    }
    return frozenset(_bindings(node)) - outer


def _is_rebound(name: str, node: Node) -> bool:
    """Whether a function binds a name more than once, or holds the cell of another function's."""
    return _bindings(node)[name] > 1 or any(_hands_on(name, child) for child in _own(node))


def _hands_on(name: str, node: ast.AST) -> bool:
    """Whether a node is a call that gives a function the cell of a variable of this name."""
    handed = _handed_to(node)
    if handed is None:
        return False
    return any(
        isinstance(item, ast.Constant) and item.value == name for arg in handed for item in ast.walk(arg)
    )


def _given_cells(node: ast.AST) -> list[ast.Name]:
    """The targets of `f = with_shared_cells(f, ...)` that are called as what it is given."""
    handed = _handed_to(node.value) if isinstance(node, ast.Assign) else None
    if handed is None or not isinstance(handed[0], ast.Name):
        return []
    assert isinstance(node, ast.Assign)
    targets = [name for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return [name for name in targets if name.id == handed[0].id]


def _handed_to(node: ast.AST) -> list[ast.expr] | None:
    """The arguments with which a call, or one that is recorded, gives a function cells: the function and the
    names; None of anything else."""
    if not isinstance(node, ast.Call):
        return None
    for place, function in enumerate([node.func, *node.args[:1]]):
        if isinstance(function, ast.Name) and function.id.startswith(SHARING):
            return node.args[place:]
    return None
