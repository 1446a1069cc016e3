"""Tangent functions of gradients, of which nobody asks for the gradient itself: what only computes that is
left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from zygpy.ir.nodes import argument_list, assigned_names, constant, gast, nodes, parameter_name
from zygpy.simplify.purity import Purity, original, path_of
from zygpy.simplify.trees import Block, Node, assigned_name, changed, map_all_blocks, map_blocks, times_bound
from zygpy.tangent.array_code import with_slopes_of_squares


class Asked(NamedTuple):
    """What is asked for of a function that gives gradients: the tangents of the one at a position; behind the
    assignment of the seed nothing is raised that was not before."""

    seed: str
    position: int


Quiet: TypeAlias = "Callable[[Node], bool]"
"""Whether an assignment does nothing that anybody notices who does not read the variable."""


def without_value(function: Node, asked: Asked, arrays: dict[str, int], is_quiet: Quiet) -> Node:
    """The function with None in place of what it returns but is not asked for, and without the statements
    behind the assignment of the seed that only those need.

    What is in front of the seed stays, as it may raise what the program raises, unless it `is_quiet`.
    `arrays` have these ranks.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> text = "y = f(x); y_bar = 1.0; x_bar = y_bar * y; x_bar_dot = y_bar * y_dot"
    >>> text += "; return (x_bar,), (x_bar_dot,)"
    >>> function = quote("def g(x):\\n    $body", body=quote(text))[0]
    >>> made = without_value(function, Asked("y_bar", 0), {}, lambda statement: False)
    >>> print(ast.unparse(to_python_ast(made)))
    def g(x):
        y = f(x)
        y_bar = 1.0
        x_bar_dot = y_bar * y_dot
        return (None, (x_bar_dot,))
    """
    *body, last = function.body
    starts = [place for place, statement in enumerate(body) if assigned_name(statement) == asked.seed]
    if not (len(starts) == 1 and isinstance(last, gast.Return) and isinstance(last.value, gast.Tuple)):
        return function
    pair = changed(last.value, elts=[constant(None), _only(last.value.elts[1], asked.position)])
    function = _Zeros(function).apart(changed(function, body=[*body, changed(last, value=pair)]))
    function = with_slopes_of_squares(function, arrays)
    while True:
        unneeded = _Unneeded(function)
        seed = next(k for k, one in enumerate(function.body) if assigned_name(one) == asked.seed)
        front, behind = function.body[:seed], function.body[seed:]
        front = unneeded.without(front, is_quiet) if front else []
        kept = changed(function, body=[*front, behind[0], *unneeded.without(behind[1:])])
        if sum(1 for _ in nodes(kept.body)) == sum(1 for _ in nodes(function.body)):
            return kept
        function = kept


def _only(dots: Node, position: int) -> Node:
    """A tuple with None in place of all items but one."""
    if not isinstance(dots, gast.Tuple):
        return dots
    items = [item if place == position else constant(None) for place, item in enumerate(dots.elts)]
    return changed(dots, elts=items)


class _Zeros:
    """`np.zeros_like(x_bar)` where `x_bar = np.zeros(shape)` is `np.zeros(shape)`, for which there need
    be no `x_bar`, and `zeros_each(x_bar, count)` is `np.zeros((count, *shape))`."""

    def __init__(self, function: Node) -> None:
        bound = times_bound(function)
        self.values = {
            assigned_name(node): node.value
            for node in nodes(function.body)
            if isinstance(node, gast.Assign) and bound[assigned_name(node) or ""] == 1
        }
        self.values.pop(None, None)

    def apart(self, node: Node) -> Node:
        """The tree with such calls made independent."""
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Call):
            return changed(node, value=self._zeros(node.value))
        return map_blocks(node, lambda block: [self.apart(statement) for statement in block])

    def _zeros(self, call: Node) -> Node:
        path = path_of(call.func)
        model = call.args[0] if call.args else None
        made = self.values.get(model.id) if isinstance(model, gast.Name) else None
        if not (isinstance(made, gast.Call) and _is_zeros(made) and self._is_shape(made.args[0])):
            return call
        if len(path) == 2 and (original(path[0]), path[1]) == ("np", "zeros_like"):
            return made
        if len(path) == 1 and original(path[0]) == "zeros_each":
            whole = gast.Tuple([call.args[1], gast.Starred(made.args[0], gast.Load())], gast.Load())
            return changed(made, args=[whole])
        return call

    def _is_shape(self, node: Node) -> bool:
        """Whether an expression is the shape of something, or a variable that holds nothing else."""
        while isinstance(node, gast.Name) and node.id in self.values:
            node = self.values[node.id]
        return isinstance(node, gast.Attribute) and node.attr == "shape"


def _is_zeros(call: Node) -> bool:
    path = path_of(call.func)
    return len(path) == 2 and (original(path[0]), path[1]) == ("np", "zeros") and len(call.args) == 1


MAKERS = frozenset({"zeros", "zeros_like", "empty", "ones", "full"})
"""Functions of NumPy that make an array that nobody else has."""


class _Unneeded:
    """The variables of a function that nobody reads, and arrays that are only written to."""

    def __init__(self, function: Node) -> None:
        parameters = {parameter_name(parameter) for parameter in argument_list(function.args)}
        self.purity = Purity(frozenset(parameters | set(assigned_names(function))))
        written = Counter(name for node in nodes(function.body) for name in _written_to(node))
        mentions = Counter(
            node.id
            for node in nodes(function.body)
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load | gast.Del)
        )
        bound = Counter(
            node.id
            for node in nodes(function.body)
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
        )
        made = Counter(
            assigned_name(node)
            for node in nodes(function.body)
            if isinstance(node, gast.Assign) and _makes_array(node.value)
        )
        added = Counter(
            node.target.id
            for node in nodes(function.body)
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)
        )
        own = set(bound) - parameters
        self.unread = {name for name in own if not mentions[name] and not added[name]}
        self.only_written = {
            name
            for name in own
            if mentions[name] == written[name] and bound[name] == made[name] + added[name]
        }

    def without(self, block: Block, may_go: Quiet = lambda statement: True) -> Block:
        """The statements without those that are there for nothing else, and may go."""
        found = [map_all_blocks(statement, lambda inner: self.without(inner, may_go)) for statement in block]
        kept = [statement for statement in found if not (self.is_idle(statement) and may_go(statement))]
        return kept or [gast.Pass()]

    def is_idle(self, statement: Node) -> bool:
        """Whether a statement is there for nothing but a variable that nobody reads."""
        if not isinstance(statement, gast.Assign | gast.AugAssign) or not self.purity.is_pure(statement):
            return False
        target = statement.target if isinstance(statement, gast.AugAssign) else statement.targets[0]
        if isinstance(target, gast.Subscript):
            return isinstance(target.value, gast.Name) and target.value.id in self.only_written
        return isinstance(target, gast.Name) and target.id in self.unread | self.only_written


def _written_to(node: Any) -> list[str]:
    """The variable into whose array a node writes."""
    if (
        isinstance(node, gast.Subscript)
        and isinstance(node.ctx, gast.Store)
        and isinstance(node.value, gast.Name)
    ):
        return [node.value.id]
    return []


def _makes_array(value: Node) -> bool:
    path = path_of(value.func) if isinstance(value, gast.Call) else ()
    return len(path) == 2 and original(path[0]) == "np" and path[1] in MAKERS
