"""The programs, one in each file, with their gradients written by hand."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.programs import (
    elements,
    log_sum_exp,
    nested_loops,
    newton,
    perceptron,
    recurrent,
    recursion,
    scalar_loop,
)

CASES: tuple[Case, ...] = (
    scalar_loop.CASE,
    newton.CASE,
    recursion.CASE,
    nested_loops.CASE,
    elements.SHORT,
    elements.LONG,
    recurrent.CASE,
    perceptron.CASE,
    log_sum_exp.CASE,
)
