"""The programs, one in each file, with their gradients written by hand."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.programs import (
    cholesky,
    clipped_walk,
    elements,
    gauss_seidel,
    heat_slices,
    heat_sweep,
    leapfrog,
    log_sum_exp,
    nested_loops,
    newton,
    orbit,
    perceptron,
    recurrent,
    recursion,
    scalar_loop,
    tables,
    tridiagonal,
)

CASES: tuple[Case, ...] = (
    scalar_loop.CASE,
    newton.CASE,
    recursion.CASE,
    nested_loops.CASE,
    clipped_walk.CASE,
    elements.SHORT,
    elements.LONG,
    recurrent.CASE,
    perceptron.CASE,
    log_sum_exp.CASE,
    heat_sweep.CASE,
    heat_slices.ROD,
    heat_slices.SQUARE,
    gauss_seidel.CASE,
    tridiagonal.CASE,
    cholesky.CASE,
    leapfrog.ROWS,
    leapfrog.OBJECTS,
    orbit.CASE,
    tables.WARPING,
    tables.PRODUCT,
)
