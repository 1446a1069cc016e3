"""Densities of vectors of `scipy.stats`: the value is SciPy's, the derivative that of a program."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

from zygpy.ir.kinds import Array, Nothing, Number, NumpyScalar
from zygpy.rules.declare import Choice, non_differentiable, of_instances, stands_for
from zygpy.runtime import multivariate_densities as densities


def _of_numbers(regular: FunctionType, by_name: FunctionType) -> Choice:
    """The program for a covariance that is a number or an array, and not singular."""

    def choose(kinds: Sequence[Any], names: frozenset[str]) -> FunctionType | None:
        if names and names <= {"mean", "cov"}:
            return by_name
        plain = len(kinds) <= 3 and not names
        known = plain and all(isinstance(kind, Array | Number | NumpyScalar | Nothing) for kind in kinds)
        return regular if known else None

    return choose


PROGRAMS: tuple[Any, ...] = (
    (densities.logpdf, densities.regular_logpdf, densities.logpdf_by_name),
    (densities.pdf, densities.regular_pdf, densities.pdf_by_name),
)

for _written, _regular, _by_name in PROGRAMS:
    stands_for(_written, _regular, choose=_of_numbers(_regular, _by_name))
    of_instances(_written, densities.NORMAL, _written.__name__)

non_differentiable(densities.dimension, kind="int")
