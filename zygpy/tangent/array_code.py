"""What is known of expressions whose variables hold arrays of real floating point numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from zygpy.analyse.facts import Facts
from zygpy.ir.kinds import Array, Kind
from zygpy.ir.nodes import constant, gast
from zygpy.simplify.purity import original, path_of
from zygpy.simplify.trees import Node, changed, map_blocks


def arrays_of(facts: Facts, dtypes: Sequence[str] = ("f8", "f4")) -> dict[str, int]:
    """The variables that never hold anything but arrays of doubles or singles of one rank, and that."""
    found: dict[str, set[Kind]] = {}
    for table in (facts.values, facts.results):
        for (_, name), value in table.items():
            found.setdefault(name, set()).add(value.kind)
    return {name: rank for name, kinds in found.items() if (rank := _rank(kinds, dtypes)) is not None}


def _rank(kinds: Iterable[Kind], dtypes: Sequence[str]) -> int | None:
    ranks = {kind.rank if isinstance(kind, Array) and kind.dtype in dtypes else None for kind in kinds}
    return ranks.pop() if len(ranks) == 1 else None


UFUNCS = frozenset({"abs", "arctan", "cos", "exp", "negative", "sin", "square", "tanh"})
"""Functions of NumPy that hold for all real numbers."""


def is_quiet(node: Node, ranks: dict[str, int]) -> bool:
    """Whether an expression gives a new array, or a view, for all arrays that its variables may hold: nothing
    in it compares shapes, or looks for a place that may not be there.

    >>> from zygpy.ir.nodes import quote_expression
    >>> texts = ("100.0 * a ** 2", "1.0 - a[:-1]", "np.sin(-a)", "a + b", "a[0]", "c * 2.0")
    >>> [is_quiet(quote_expression(text), {"a": 1, "b": 1}) for text in texts]
    [True, True, True, False, False, False]
    """
    if isinstance(node, gast.Name):
        return node.id in ranks
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, gast.USub) and is_quiet(node.operand, ranks)
    if isinstance(node, gast.BinOp):
        return _is_quiet_operation(node, ranks)
    if isinstance(node, gast.Subscript):
        plain = isinstance(node.value, gast.Name) and ranks.get(node.value.id, 0) > 0
        return plain and isinstance(node.slice, gast.Slice) and _is_literal_slice(node.slice)
    return isinstance(node, gast.Call) and _is_quiet_call(node, ranks)


def _is_quiet_operation(node: Node, ranks: dict[str, int]) -> bool:
    if isinstance(node.op, gast.Pow):
        return is_quiet(node.left, ranks) and _is_number(node.right)
    if not isinstance(node.op, gast.Add | gast.Sub | gast.Mult | gast.Div):
        return False
    sides = [node.left, node.right]
    return any(map(_is_number, sides)) and any(is_quiet(side, ranks) for side in sides)


def _is_number(node: Node) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) in (int, float)


def _is_literal_slice(node: Node) -> bool:
    step = node.step is None or (_is_literal(node.step) and getattr(node.step, "value", 1) != 0)
    return step and all(bound is None or _is_literal(bound) for bound in (node.lower, node.upper))


def _is_literal(node: Node) -> bool:
    inner = node.operand if isinstance(node, gast.UnaryOp) else node
    return isinstance(inner, gast.Constant) and type(inner.value) is int


def _is_quiet_call(node: Node, ranks: dict[str, int]) -> bool:
    path = path_of(node.func)
    known = len(path) == 2 and original(path[0]) == "np" and path[1] in UFUNCS
    return known and len(node.args) == 1 and not node.keywords and is_quiet(node.args[0], ranks)


def with_slopes_of_squares(node: Node, ranks: dict[str, int]) -> Node:
    """The tree with products in place of assigned `power_base(g, x, 2)` where `g` is a literal that is
    neither zero nor infinite, so that a zero in the array `x` cannot meet an infinity.

    >>> import ast
    >>> from zygpy.ir.nodes import quote, to_python_ast
    >>> for text in ("y = power_base(50.0, a, 2)", "y = power_base(0.0, a, 2)", "y = power_base(g, a, 2)"):
    ...     print(ast.unparse(to_python_ast(with_slopes_of_squares(quote(text)[0], {"a": 1}))))
    y = 100.0 * a
    y = power_base(0.0, a, 2)
    y = power_base(g, a, 2)
    """
    if isinstance(node, gast.Assign):
        found = _slope(node.value, ranks)
        return node if found is None else changed(node, value=found)
    return map_blocks(node, lambda block: [with_slopes_of_squares(statement, ranks) for statement in block])


def _slope(value: Node, ranks: dict[str, int]) -> Node | None:
    if not (isinstance(value, gast.Call) and path_of(value.func) == ("power_base",) and not value.keywords):
        return None
    match value.args:
        case [gast.Constant(value=float(factor)), gast.Name(id=name), gast.Constant(value=2)]:
            fits = factor != 0.0 and math.isfinite(2.0 * factor) and name in ranks
            return gast.BinOp(constant(2.0 * factor), gast.Mult(), value.args[1]) if fits else None
    return None
