"""Densities of vectors of `scipy.stats`: the value is SciPy's, the derivative that of a program."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from types import FunctionType
from typing import Any

import scipy.stats as st

from zygpy.ir.kinds import Array, Nothing, Number, NumpyScalar
from zygpy.rules.declare import (
    Choice,
    elementwise,
    library,
    non_differentiable,
    of_instances,
    stands_for,
)
from zygpy.runtime import multivariate_densities as densities
from zygpy.runtime import multivariate_probabilities as boxes


def _of_numbers(regular: FunctionType, by_name: FunctionType) -> Choice:
    """The program for a covariance that is a number or an array, and not singular."""

    def choose(kinds: Sequence[Any], names: frozenset[str]) -> FunctionType | None:
        if names and names <= frozenset(signature(by_name).parameters) - {"x"}:
            return by_name
        plain = len(kinds) <= 3 and not names
        known = plain and all(isinstance(kind, Array | Number | NumpyScalar | Nothing) for kind in kinds)
        return regular if known else None

    return choose


PROGRAMS: tuple[Any, ...] = (
    (densities.logpdf, densities.regular_logpdf, densities.logpdf_by_name),
    (densities.pdf, densities.regular_pdf, densities.pdf_by_name),
    (boxes.cdf, boxes.regular_cdf, boxes.regular_cdf),
    (boxes.logcdf, boxes.regular_logcdf, boxes.regular_logcdf),
)

for _written, _regular, _by_name in PROGRAMS:
    stands_for(_written, _regular, choose=_of_numbers(_regular, _by_name))
    of_instances(_written, densities.NORMAL, _written.__name__)

non_differentiable(densities.dimension, kind="int")

# Probabilities of boxes.

library("boxes", boxes)
stands_for(type(densities.NORMAL)._cdf, boxes.box)
stands_for(type(st.invwishart)._logpdf, boxes.inverse_wishart)
non_differentiable(boxes.written, boxes.written_logarithm, kind="unknown")
non_differentiable(boxes.check_size, kind="none")
elementwise(
    boxes.bivariate,
    "y = bivariate(h, k, r)",
    h_bar="times(y_bar, boxes.normal_density(h) * sc.ndtr(boxes.given(h, k, r)))",
    k_bar="times(y_bar, boxes.normal_density(k) * sc.ndtr(boxes.given(k, h, r)))",
    r_bar="times(y_bar, boxes.given_pair(h, k, r))",
    kind="number-or-array",
    domain="-0.8 < r < 0.8",
)
elementwise(
    boxes.trivariate,
    "y = trivariate(h, k, m, first, second, third)",
    h_bar="times(y_bar, boxes.by_limit(h, k, m, first, second, third))",
    k_bar="times(y_bar, boxes.by_limit(k, h, m, first, third, second))",
    m_bar="times(y_bar, boxes.by_limit(m, h, k, second, third, first))",
    first_bar="times(y_bar, boxes.by_correlation(h, k, m, first, second, third))",
    second_bar="times(y_bar, boxes.by_correlation(h, m, k, second, first, third))",
    third_bar="times(y_bar, boxes.by_correlation(k, m, h, third, first, second))",
    kind="number-or-array",
    domain="0.1 < first < 0.4, 0.1 < second < 0.4, 0.1 < third < 0.4",
)
