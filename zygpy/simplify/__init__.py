"""pair -> pair: the generated code as a person would have written it, with the same meaning."""

from __future__ import annotations

from zygpy.ir.nodes import gast
from zygpy.simplify.adjoint import simplify_adjoint
from zygpy.simplify.arms import stash_in_arms
from zygpy.simplify.early_returns import return_early, test_stash_itself
from zygpy.simplify.evaluation import variables
from zygpy.simplify.fold_temporaries import fold_temporaries
from zygpy.simplify.rename_results import rename_results
from zygpy.simplify.unread_functions import drop_unread_functions
from zygpy.simplify.unused_stash import drop_unused

__all__ = ["simplify"]


def simplify(
    forward: gast.FunctionDef, adjoint: gast.FunctionDef
) -> tuple[gast.FunctionDef, gast.FunctionDef]:
    """The pair, as a person would have written it.

    Requires: the pair is as `transform` wrote it. Ensures: both sides do what they did, bit for bit;
    the forward's effects come in the order of the user's own statements and expressions; what is
    stashed is a part of what was stashed before. The given trees are not changed.

    >>> import ast
    >>> from zygpy.ir.nodes import parse_text, to_python_ast
    >>> pair = parse_text('''
    ... def f_forward(x):
    ...     t_1 = x * x
    ...     t_2 = t_1 + x
    ...     return t_2, x
    ... def f_adjoint(stash, y_bar):
    ...     x = stash
    ...     t_2_bar = y_bar
    ...     t_1_bar = t_2_bar
    ...     x_bar = t_2_bar
    ...     x_bar += t_1_bar * x
    ...     return x_bar,
    ... ''')
    >>> for side in simplify(*pair.body):
    ...     print(ast.unparse(to_python_ast(side)))
    def f_forward(x):
        return (x * x + x, x)
    def f_adjoint(stash, y_bar):
        x = stash
        x_bar = y_bar
        x_bar += y_bar * x
        return (x_bar,)
    """
    lean, short = stash_in_arms(*drop_unused(drop_unread_functions(forward), simplify_adjoint(adjoint)))
    names = variables(lean)
    simplified = fold_temporaries(rename_results(lean, names), names)
    return return_early(simplified), return_early(test_stash_itself(short))
