"""Rules of products of sparse arrays and solutions, of which entries and dense operands have gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import scipy.sparse as sp
import scipy.sparse.linalg as sl

from zygpy.ir.kinds import Array
from zygpy.rules.declare import PROGRAMS, library, non_differentiable, only_looks, rule, stands_for
from zygpy.runtime import sparse_arrays as arrays
from zygpy.runtime import sparse_entries as entries
from zygpy.runtime import sparse_lists as lists
from zygpy.runtime import sparse_parts as parts
from zygpy.runtime import sparse_products as sparse
from zygpy.runtime import sparse_seeds as seeds
from zygpy.runtime import sparse_solutions as solutions
from zygpy.runtime.seeds import GIVEN_AS_ARRAYS

GIVEN_AS_ARRAYS.append((sp.issparse, seeds.fields_for))
library("sparse", sparse)
library("sparse_solutions", solutions)
library("sparse_entries", entries)

rule(
    sparse.product,
    "y = product(data, first, second, shape, form, x)",
    data_bar="sparse.outer_entries(first, second, form, y_bar, conj(x))",
    x_bar="sparse.turned_product(conj(data), first, second, shape, form, y_bar)",
    kind="sparse product",
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
non_differentiable(sparse.places, sparse.turned_places, sparse.ordered, kind="unknown")
non_differentiable(sparse.parts_of, sparse.parts_of_rows, kind="parts of sparse array")
non_differentiable(sparse.is_line, kind="bool")
non_differentiable(sparse.check_dense, sparse.check_left_out, kind="none")
non_differentiable(parts.check_count, parts.check_no_dict, kind="none")

rule(
    sparse.data_of,
    "y = data_of(data)",
    data_bar="y_bar",
    shares="data",
    kind="entries of sparse array",
)

rule(
    entries.with_entries,
    "y = with_entries(array, data)",
    data_bar="sparse_entries.entries_of(y_bar, data)",
    shares="array, in data",
    kind="unknown",
)
rule(
    entries.entries_of,
    "y = entries_of(fields, like)",
    fields_bar="sparse_entries.in_fields(y_bar)",
    containers=True,
    kind="array",
)
rule(
    entries.in_fields,
    "y = in_fields(data)",
    data_bar="sparse_entries.entries_of(y_bar, data)",
    containers=True,
    kind="unknown",
)
rule(
    entries.as_stored,
    "y = as_stored(found, array)",
    found_bar="y_bar",
    kind="array",
)
rule(
    entries.inside,
    "y = inside(data, array)",
    data_bar="sparse_entries.known_inside(y_bar, array)",
    shares="data",
    kind="array",
)
rule(
    entries.known_inside,
    "y = known_inside(g, array)",
    g_bar="sparse_entries.known_inside(y_bar, array)",
    kind="array",
)
rule(
    entries.of_places,
    "y = of_places(dense, rows, columns)",
    dense_bar="sparse_entries.to_places(y_bar, dense, rows, columns)",
    kind="array",
)
rule(
    entries.to_places,
    "y = to_places(values, dense, rows, columns)",
    values_bar="sparse_entries.of_places(y_bar, rows, columns)",
    kind="array",
)
rule(
    entries.scattered,
    "y = scattered(values, where, shape)",
    values_bar="np.take(np.reshape(y_bar, (-1,)), where)",
    kind="array",
)
non_differentiable(entries.places_of_dense, entries.places_in, entries.pairs, entries.once, kind="unknown")
non_differentiable(entries.positions, entries.keys, arrays.spread, kind="array")
non_differentiable(
    *(
        arrays.diagonal_places,
        arrays.starts,
        arrays.forms,
        arrays.method_of,
        arrays.apart,
        arrays.on_diagonal,
    ),
    kind="unknown",
)
non_differentiable(
    *(
        arrays.check_array,
        arrays.check_form,
        parts.check_places,
        parts.check_zeros,
        parts.check_order,
        parts.check_compressed,
    ),
    kind="none",
)
non_differentiable(entries.places_of_lists, lists.all_places, lists.form_of, lists.one_place, kind="unknown")
non_differentiable(lists.place_in_row, kind="unknown")
non_differentiable(lists.check_zeros, kind="none")
non_differentiable(parts.count_along, kind="int")
non_differentiable(
    *(arrays.repetitions, parts.numbered_part, parts.numbered_line, parts.at_extremes, parts.one_axis),
    kind="unknown",
)
non_differentiable(parts.place_of, kind="unknown")
non_differentiable(parts.places_to_put, parts.at_extreme, kind="array")
non_differentiable(sparse.is_plain, sparse.is_out_of_order, arrays.has_data_of, lists.fits, kind="bool")

NAMES = ("csr", "csc", "coo", "dia", "bsr")
only_looks(
    sparse.parts_of,
    sparse.parts_of_rows,
    sparse.is_line,
    sparse.is_plain,
    sparse.is_out_of_order,
    sparse.check_dense,
    entries.places_in,
)

ARRAYS = tuple(getattr(sp, f"{_form}_array") for _form in NAMES)
MATRICES = tuple(getattr(sp, f"{_form}_matrix") for _form in NAMES)

COMPRESSED = (sp.csr_array, sp.csc_array, sp.csr_matrix, sp.csc_matrix)
"""Classes of arrays whose entries all stand by themselves."""


def _of_vectors(kinds: Sequence[Any], names: frozenset[str]) -> Any:
    """The program for a product: a shorter one for that of a compressed matrix and a dense array, of which
    it is known then what it is. (Arrays may have one axis, which only their fields tell.)"""
    matrix, dense = kinds if len(kinds) == 2 else (None, None)
    cls = getattr(matrix, "cls", None)
    if cls not in COMPRESSED or not isinstance(dense, Array):
        return sparse.times_dense
    shape = dict(getattr(matrix, "fields", None) or ()).get("_shape")
    flat = cls in MATRICES or len(getattr(shape, "items", ())) == 2
    return sparse.times_plain if flat else sparse.times_compressed


for _method in {
    getattr(_class, _name): None for _class in ARRAYS + MATRICES for _name in ("__matmul__", "dot")
}:
    stands_for(_method, sparse.times_dense, choose=_of_vectors)
for _name, _program in (
    ("__rmatmul__", sparse.dense_times),
    ("toarray", sparse.toarray),
    ("sum", sparse.summed),
    ("transpose", arrays.transpose),
    ("copy", arrays.copied),
    ("conj", arrays.conjugate),
    ("conjugate", arrays.conjugate),
    ("__neg__", arrays.negative),
    ("__add__", arrays.plus),
    ("__radd__", arrays.added_to),
    ("__sub__", arrays.minus),
    ("multiply", arrays.multiply),
    ("__truediv__", arrays.divided),
    ("diagonal", arrays.diagonal),
    *((_name, getattr(arrays, _name)) for _name in ("tocsr", "tocsc", "tocoo", "todia")),
    ("__getitem__", parts.part),
    ("__setitem__", parts.put),
    ("sort_indices", parts.sorted_in_place),
    ("eliminate_zeros", parts.without_zeros),
    ("mean", parts.mean),
    ("max", parts.largest),
    ("min", parts.smallest),
    ("argmax", parts.argmax),
    ("argmin", parts.argmin),
    ("astype", parts.as_type),
    ("getrow", parts.row),
    ("getcol", parts.column),
    ("tobsr", parts.in_blocks),
    ("tolil", parts.as_lists),
    ("todok", parts.as_dict),
):
    for _method in {getattr(_class, _name, None): None for _class in ARRAYS + MATRICES}:
        if _method is not None:
            stands_for(_method, _program)
for _name, _program in (
    ("__getitem__", parts.part),
    ("__setitem__", parts.put),
    ("tocsr", arrays.tocsr),
    ("tocsc", arrays.tocsc),
    ("tocoo", arrays.tocoo),
    ("toarray", sparse.toarray),
    ("__matmul__", sparse.times_dense),
    ("dot", sparse.times_dense),
):
    for _method in {getattr(_class, _name): None for _class in (sp.lil_array, sp.lil_matrix)}:
        if _method not in PROGRAMS:
            stands_for(_method, _program)
for _method in {_class.nonzero: None for _class in ARRAYS + MATRICES}:
    non_differentiable(_method, kind="unknown")


def _of_places(kinds: Sequence[Any], names: frozenset[str]) -> Any:
    """The program for `setdiag` of compressed rows and columns; the others set it in Python."""
    form = str(getattr(getattr(kinds[0], "cls", None), "__name__", "")) if kinds else ""
    return None if form[:3] in ("dia", "coo", "bsr") else parts.put_diagonal


for _method in {_class.setdiag: None for _class in ARRAYS + MATRICES}:
    stands_for(_method, parts.put_diagonal, choose=_of_places)
for _class, _forward, _backward in (
    (sp.csr_array, arrays.scaled, arrays.scaled),
    (sp.csr_matrix, sparse.times_star, sparse.star_times),
):
    stands_for(_class.__mul__, _forward)
    stands_for(_class.__rmul__, _backward)
for _class in ARRAYS[:4] + MATRICES[:4]:
    stands_for(_class, getattr(arrays, _class.__name__))
for _name in ("diags", "diags_array", "hstack", "vstack", "bmat", "block_array", "kron"):
    if hasattr(sp, _name):
        stands_for(getattr(sp, _name), getattr(arrays, _name))
stands_for(sl.spsolve, sparse.spsolve)

# Solutions by factors.

rule(
    solutions.by_factors,
    "y = by_factors(factors, data, places, b, trans)",
    data_bar="-sparse_solutions.entries_by_factors(places, trans,"
    " sparse_solutions.by_factors(factors, data, places, y_bar, sparse_solutions.turned(trans)), y)",
    b_bar="sparse_solutions.by_factors(factors, data, places, y_bar, sparse_solutions.turned(trans))",
    kind="array",
)
rule(
    solutions.by_known_factors,
    "y = by_known_factors(factors, b, trans)",
    b_bar="conj(sparse_solutions.by_known_factors(factors, conj(y_bar), sparse_solutions.turned(trans)))",
    kind="as many axes b",
)
stands_for(sl.SuperLU.solve, solutions.solved_by)
non_differentiable(solutions.check_real, kind="none")
non_differentiable(solutions.turned, kind="str")
rule(
    solutions.by_approximation,
    "y = by_approximation(factors, data, b, trans)",
    b_bar="sparse_solutions.by_approximation(factors, data, y_bar, sparse_solutions.turned(trans))",
    refused={
        "data": "incomplete factors depend on which entries are dropped; they may precondition 'gmres'."
    },
    kind="array",
)
non_differentiable(solutions.chosen_places, kind="array")
non_differentiable(solutions.compressed, kind="unknown")
for _name in ("splu", "factorized", "spilu", "spsolve_triangular"):
    stands_for(getattr(sl, _name), getattr(solutions, _name))
