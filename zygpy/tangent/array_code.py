"""What is known of expressions whose variables hold arrays of real floating point numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from zygpy.analyse.facts import Facts
from zygpy.ir.kinds import Array, Kind, is_double
from zygpy.ir.nodes import constant, gast
from zygpy.simplify.purity import path_of
from zygpy.simplify.trees import Node, changed, map_blocks


def arrays_of(facts: Facts, dtypes: Sequence[str] = ("f8", "f4")) -> dict[str, int]:
    """The variables that never hold anything but arrays of doubles or singles of one rank, and that."""
    found: dict[str, set[Kind]] = {}
    for table in (facts.values, facts.results):
        for (_, name), value in table.items():
            found.setdefault(name, set()).add(value.kind)
    return {name: rank for name, kinds in found.items() if (rank := _rank(kinds, dtypes)) is not None}


def numbers_of(facts: Facts) -> frozenset[str]:
    """The variables that never hold anything but numbers of double precision."""
    found: dict[str, bool] = {}
    for table in (facts.values, facts.results):
        for (_, name), value in table.items():
            found[name] = found.get(name, True) and is_double(value.kind)
    return frozenset(name for name, fits in found.items() if fits)


def _rank(kinds: Iterable[Kind], dtypes: Sequence[str]) -> int | None:
    ranks = {kind.rank if isinstance(kind, Array) and kind.dtype in dtypes else None for kind in kinds}
    return ranks.pop() if len(ranks) == 1 else None


UFUNCS = frozenset({"abs", "arctan", "cos", "exp", "negative", "sin", "square", "tanh"})
"""Functions of NumPy that hold for all real numbers."""


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
