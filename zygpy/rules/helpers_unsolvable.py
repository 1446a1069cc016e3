"""Rules of the helpers that solve where there may be no solution."""

from __future__ import annotations

from zygpy.rules.declare import library, rule
from zygpy.runtime import unsolvable

library("unsolvable", unsolvable)

rule(
    unsolvable.solved_or_nan,
    "y = solved_or_nan(a, b)",
    a_bar="-unsolvable.products_of(unsolvable.solved_or_nan(conj(np.transpose(a)), y_bar), conj(y))",
    b_bar="unsolvable.solved_or_nan(conj(np.transpose(a)), y_bar)",
    kind="array",
    at="nan where the matrix is singular",
)
rule(
    unsolvable.products_of,
    "y = products_of(a, b)",
    a_bar="np.matmul(y_bar, conj(b))",
    b_bar="np.matmul(np.transpose(y_bar), conj(a))",
    kind="array",
)
rule(
    unsolvable.quotient_or_nan,
    "y = quotient_or_nan(a, b)",
    a_bar="unsolvable.quotient_or_nan(y_bar, conj(b))",
    b_bar="-unsolvable.quotient_or_nan(y_bar * conj(y), conj(b))",
    at="0 where a == 0, nan where b == 0",
)
