"""Money, portfolios, options and games."""

from __future__ import annotations

from typing import Any

import nashpy
import numpy as np
import numpy_financial as npf
import pypfopt
from nashpy.learning.replicator_dynamics import get_derivative_of_fitness
from uncertainties import ufloat, umath

from tests.libraries.table import at

FLOWS = [39.0, 59.0, 55.0, 20.0]


@at(0.08, 100.0)
def values_of_payments(rate: Any, paid: Any) -> Any:
    later = npf.fv(rate / 12, 120, -paid, -1000.0) + npf.pmt(rate / 12, 180, 2000 * paid)
    return npf.npv(rate, [-paid, *FLOWS]) + later + npf.pv(rate, 10, -paid, 1000.0)


@at(0.08, 100.0)
def rates_of_return(rate: Any, paid: Any) -> Any:
    found = npf.irr([-paid, *FLOWS]) + npf.mirr([-paid, *FLOWS], rate, 0.12)
    return found + npf.nper(rate / 12, -paid, 8000.0) + npf.rate(10, -paid, 800.0, 0)


@at(0.1, 0.2)
def variance_of_a_portfolio(a: Any, b: Any) -> Any:
    cov = np.array([[b, 0.1], [0.1, 0.3]])
    return pypfopt.objective_functions.portfolio_variance(np.array([a, 1 - a]), cov)


@at(1.3, 2.2)
def payoffs_of_a_game(a: Any, b: Any) -> Any:
    game = nashpy.Game(np.array([[a, 0.0], [1.0, b]]), np.array([[1.0, b], [a, 0.0]]))
    of_one, of_other = game[np.array([0.3, 0.7]), np.array([0.5, 0.5])]
    return of_one + 2 * of_other


@at(1.3, 2.2)
def replicator(a: Any, b: Any) -> Any:
    fitness = get_derivative_of_fitness(np.array([0.2, 0.8]), 0.0, np.array([[a, 1.0], [0.5, b]]))
    return np.sum(fitness * np.arange(2.0))


@at(2.0, 0.1, refused=r"cannot be differentiated|The source of .uncertainties\.ops.* cannot be found")
def uncertain_numbers(a: Any, deviation: Any) -> Any:
    number = ufloat(a, deviation)
    found = number * number + umath.sin(number)
    return found.nominal_value + found.std_dev
