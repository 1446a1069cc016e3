"""Rules of elementwise operations, norms, exponentials, eigenvalues and singular values of sparse arrays."""

from __future__ import annotations

import scipy.sparse.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.rules.scipy_sparse import ARRAYS, MATRICES
from zygpy.runtime import sparse_elements as elements
from zygpy.runtime import sparse_exponentials as exponentials
from zygpy.runtime import sparse_spectra as spectra

library("sparse_spectra", spectra)

rule(
    spectra.pair,
    "y = pair(data, places, found, hermitian)",
    data_bar="sparse_spectra.pair_cotangent(data, places, hermitian, y, y_bar)",
    kind="array",
)
rule(
    spectra.bordered,
    "y = bordered(data, first, second, form, b)",
    data_bar="-sparse.outer_entries(first, second, form,"
    " sparse_spectra.turned_bordered(conj(data), first, second, form, y_bar), conj(y))",
    b_bar="sparse_spectra.turned_bordered(conj(data), first, second, form, y_bar)",
    kind="array",
)
non_differentiable(spectra.fixed, spectra.with_value, spectra.order_like, spectra.stacked, kind="array")
non_differentiable(
    *(spectra.bordered_places, spectra.dense_places, spectra.found_again),
    kind="unknown",
)
non_differentiable(spectra.check_matrix, spectra.check_sides, exponentials.check_matrix, kind="none")
non_differentiable(exponentials.check_pattern, exponentials.check_sorted, kind="none")
non_differentiable(exponentials.is_one, kind="bool")
non_differentiable(exponentials.steps_for, kind="int")

stands_for(sl.expm_multiply, exponentials.expm_multiply)
stands_for(sl.expm, exponentials.expm)
for _name in ("eigsh", "eigs", "svds"):
    stands_for(getattr(sl, _name), getattr(spectra, _name))

for _name, _program in (
    ("__abs__", elements.absolute),
    ("power", elements.power),
    ("maximum", elements.maximum),
    ("minimum", elements.minimum),
    *((_program.__name__, _program) for _program in elements.OF_EACH),
):
    for _method in {getattr(_class, _name): None for _class in ARRAYS + MATRICES}:
        stands_for(_method, _program)
stands_for(sl.norm, elements.norm)
non_differentiable(elements.numbers_at, kind="array")
non_differentiable(elements.check_left_out, kind="none")
