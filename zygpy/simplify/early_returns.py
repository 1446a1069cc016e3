"""A function that ends with a branch, and then returns what the arms have chosen, returns in each arm."""

from __future__ import annotations

from collections.abc import Iterator

from zygpy.ir.nodes import gast, names_in, nodes
from zygpy.simplify.evaluation import variables
from zygpy.simplify.purity import is_atom
from zygpy.simplify.stashes import name_of
from zygpy.simplify.trees import WIDTH, Block, Node, assigned_name, changed, replace_names, size


def return_early(function: Node) -> Node:
    """The function with its last `return` written in the arms of the branch in front of it.

    Ensures: what is evaluated is evaluated in the same order. Only a branch of which an arm ends with an
    assignment to something that is returned is rewritten.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> (function,) = quote('''
    ... def f(x, n):
    ...     if n == 0:
    ...         result = x
    ...         branch = None
    ...     else:
    ...         y, stash = f(x, n - 1)
    ...         result = x * y
    ...         branch = (x, y, stash)
    ...     return result, branch
    ... ''')
    >>> print(ast.unparse(to_python_ast(return_early(function))))
    def f(x, n):
        if n == 0:
            return (x, None)
        y, stash = f(x, n - 1)
        return (x * y, (x, y, stash))
    """
    last = function.body[-1]
    branch = function.body[-2] if len(function.body) > 1 else None
    if not (isinstance(branch, gast.If) and branch.orelse and isinstance(last, gast.Return)):
        return function
    if last.value is None or _suspends(function):
        return function
    known = variables(function)
    body = _pushed(function.body[:-1], last, known.steady - known.hidden)
    return function if body is None else changed(function, body=body)


def test_stash_itself(adjoint: Node) -> Node:
    """`branch = stash; if branch is None: ...; else: x, y = branch` without the other name.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> (adjoint,) = quote('''
    ... def g(stash, y_bar):
    ...     branch = stash
    ...     if branch is not None:
    ...         x, y = branch
    ...     return y_bar,
    ... ''')
    >>> print(ast.unparse(to_python_ast(test_stash_itself(adjoint))))
    def g(stash, y_bar):
        if stash is not None:
            x, y = stash
        return (y_bar,)
    """
    first, *rest = adjoint.body
    name = assigned_name(first)
    if name is None or name_of(first.value) != adjoint.args.args[0].id:
        return adjoint
    loads = [node for node in nodes(rest) if isinstance(node, gast.Name) and node.id == name]
    branches: list[Node] = [node for node in nodes(rest) if isinstance(node, gast.If)]
    tests = [branch.test.left for branch in branches if _asks(branch.test)]
    if not any(name_of(test) == name for test in tests) or names_in(rest).count(first.value.id):
        return adjoint
    if not all(isinstance(load.ctx, gast.Load) for load in loads):
        return adjoint
    found = {name: first.value}.get
    return changed(adjoint, body=[replace_names(line, found) for line in rest])


def _asks(test: Node) -> bool:
    """Whether a condition is `x is None` or `x is not None`."""
    return isinstance(test, gast.Compare) and isinstance(test.ops[0], gast.Is | gast.IsNot)


def _suspends(function: Node) -> bool:
    return any(isinstance(node, gast.Yield | gast.YieldFrom) for node in nodes(function.body))


def _pushed(block: Block, last: Node, free: frozenset[str]) -> Block | None:
    """A block with the `return` behind it written in its last branch; None where that is not better."""
    if not block or not isinstance(block[-1], gast.If) or not block[-1].orelse:
        return None
    branch = block[-1]
    found = [_ended(arm, last, free) for arm in (branch.body, branch.orelse)]
    if found == [None, None]:
        return None
    first, second = (
        [*arm, last] if made is None else made
        for arm, made in zip((branch.body, branch.orelse), found, strict=True)
    )
    return [*block[:-1], changed(branch, body=first, orelse=[]), *second]


def _ended(arm: Block, last: Node, free: frozenset[str]) -> Block | None:
    """An arm that returns; None where it ends with nothing that is returned."""
    if isinstance(arm[-1], gast.If):
        return _pushed(arm, last, free)
    lines, value, first = list(arm), last.value, None
    while lines and _fits(lines[-1], value, first, free):
        found = lines.pop()
        if not is_atom(found.value):
            first = found
        value = replace_names(value, {assigned_name(found) or "": found.value}.get)
    if len(lines) == len(arm):
        return None
    return [*lines, gast.copy_location(gast.Return(value), first or last)]


def _fits(line: Node, value: Node, first: Node | None, free: frozenset[str]) -> bool:
    """Whether an assignment's value may be written in what is returned, instead of the name. `first` is the
    first operation among those that are there already, which has to remain behind this one."""
    name = assigned_name(line)
    if name is None or name not in free or names_in(value).count(name) != 1:
        return False
    leaves = list(_leaves(value))
    places = [place for place, leaf in enumerate(leaves) if name_of(leaf) == name]
    if not places:
        return False
    if first is not None and not is_atom(line.value):
        begin = next(_leaves(first.value))
        if not any(leaf is begin for leaf in leaves[places[0] :]):
            return False
    return size(replace_names(value, {name: line.value}.get)).width <= WIDTH


def _leaves(value: Node) -> Iterator[Node]:
    """What a tuple holds, and the tuples in it, from left to right."""
    if isinstance(value, gast.Tuple):
        for item in value.elts:
            yield from _leaves(item)
    else:
        yield value
