"""Rules of products of sparse arrays and solutions, of which entries and dense operands have gradients."""

from __future__ import annotations

import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.rules.declare import library, non_differentiable, rule, stands_for
from zygpy.runtime import sparse_products as sparse

library("sparse", sparse)

rule(
    sparse.product,
    "y = product(data, first, second, shape, form, x)",
    data_bar="sparse.outer_entries(first, second, form, y_bar, conj(x))",
    x_bar="sparse.turned_product(conj(data), first, second, shape, form, y_bar)",
    kind="array",
)
rule(
    sparse.spread,
    "y = spread(data, first, second, shape, form)",
    data_bar="sparse.entries_at(first, second, form, y_bar)",
    kind="array",
)
rule(
    sparse.solved,
    "y = solved(data, first, second, shape, form, b)",
    data_bar="-sparse.outer_entries(first, second, form,"
    " sparse.turned_solved(conj(data), first, second, shape, form, y_bar), conj(y))",
    b_bar="sparse.turned_solved(conj(data), first, second, shape, form, y_bar)",
    kind="array",
)
non_differentiable(sparse.parts_of, sparse.places, sparse.turned_places, kind="unknown")
non_differentiable(sparse.check_dense, kind="none")

CLASSES = (sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.csc_matrix, sp.coo_matrix)

for _name, _program in (
    ("__matmul__", sparse.times_dense),
    ("dot", sparse.times_dense),
    ("__rmatmul__", sparse.dense_times),
    ("toarray", sparse.toarray),
    ("sum", sparse.summed),
):
    for _method in {getattr(_class, _name): None for _class in CLASSES}:
        stands_for(_method, _program)
for _name, _program in (("__mul__", sparse.times_dense), ("__rmul__", sparse.dense_times)):
    stands_for(getattr(sp.csr_matrix, _name), _program)
stands_for(sl.spsolve, sparse.spsolve)
