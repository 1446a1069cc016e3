"""Draws from the distributions of `scipy.stats`, from a source in a given state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats as st

import zygpy as zg
from tests.rules.reference import directional
from zygpy.errors import MissingRuleError

W = np.array([0.7, -1.1, 1.3, 0.4, 0.9, -0.6])
PLACES = np.array([0.1, 0.2, 0.3])


def normal(a: Any) -> Any:
    return W @ st.norm.rvs(a, 2.0 * a, size=6, random_state=3)


def by_names(a: Any) -> Any:
    return W @ st.norm.rvs(loc=a, scale=a * a, size=6, random_state=np.random.default_rng(3))


def gamma(a: Any) -> Any:
    return W @ st.gamma.rvs(2.0, a, a * a, size=6, random_state=3)


def frozen(a: Any) -> Any:
    return W @ st.gamma(1.3, scale=a).rvs(6, random_state=3)


def spread(a: Any) -> Any:
    return W @ st.norm.rvs(a * PLACES, np.array([[a], [2.0]]), random_state=3).ravel()


def in_a_shape(a: Any) -> Any:
    return W @ st.t.rvs(5.0, np.array([[[a, 1.0, 2.0]]]), 2.0, (2, 3), random_state=3).ravel()


def one_number(a: Any) -> Any:
    return st.expon.rvs(a, a * a, random_state=4) * a


def by_quantiles(a: Any) -> Any:
    return W @ st.weibull_min.rvs(a, scale=a, size=6, random_state=3)


def by_a_smooth_sampler(a: Any) -> Any:
    return W @ st.lognorm.rvs(s=a, scale=a, size=6, random_state=3) + W @ st.rice.rvs(
        a, size=6, random_state=3
    )


def by_quantiles_without_a_rule(a: Any) -> Any:
    return W @ st.kappa3.rvs(a, loc=a, size=6, random_state=3)


def from_the_source_of_all(a: Any) -> Any:
    np.random.seed(7)  # noqa: NPY002 (the source of all)
    return W @ st.uniform.rvs(a, a, size=6) + W @ st.norm.rvs(a, size=6)


def from_one_source(a: Any) -> Any:
    source = np.random.default_rng(5)
    total = 0.0
    for weight in W:
        total = total + st.laplace.rvs(a, a, random_state=source) * weight + source.normal() * a
    return total


few = st.rv_discrete(values=([1, 2, 3], [0.2, 0.3, 0.5]))


def among_numbers(a: Any) -> Any:
    return W @ few.rvs(loc=a, size=6, random_state=3) * a


def without_spread(a: Any) -> Any:
    return W @ st.norm.rvs(a, 0.0, size=6, random_state=3)


class Decay(st.rv_continuous):
    """One with a sampler of its own."""

    def _pdf(self, x: Any, rate: Any) -> Any:
        return rate * np.exp(-rate * x)

    def _rvs(self, rate: Any, size: Any = None, random_state: Any = None) -> Any:
        return random_state.standard_exponential(size) / rate


decay = Decay(a=0, name="decay")


def own(a: Any) -> Any:
    return W @ decay.rvs(a, loc=a, size=6, random_state=3)


PROGRAMS = (
    *(normal, by_names, gamma, frozen, spread, in_a_shape, one_number, by_quantiles, by_a_smooth_sampler),
    *(by_quantiles_without_a_rule, from_the_source_of_all, from_one_source, among_numbers, without_spread),
    own,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_draws_by_their_parameters(program: Any) -> None:
    value, (slope,) = zg.withgradient(program, 1.15)
    assert value == program(1.15)
    assert slope == pytest.approx(directional(lambda t: program(1.15 + t)), rel=1e-7, abs=1e-8)


def test_sources_are_left_as_scipy_leaves_them() -> None:
    def program(a: Any, source: Any) -> Any:
        return np.sum(st.norm.rvs(a, a, size=3, random_state=source))

    one, other = np.random.RandomState(3), np.random.RandomState(3)
    zg.gradient(program, 1.0, one)
    program(1.0, other)
    assert one.normal() == other.normal()


def test_counts_are_constants() -> None:
    assert zg.gradient(lambda a: np.sum(st.poisson.rvs(a, size=4, random_state=3)) * a, 2.5) == (
        float(np.sum(st.poisson.rvs(2.5, size=4, random_state=3))),
    )


def by_shape(a: Any) -> Any:
    return W @ st.gamma.rvs(a, size=6, random_state=3)


def by_scale_zero(a: Any) -> Any:
    return W @ st.norm.rvs(1.0, a, size=6, random_state=3)


@pytest.mark.parametrize(("program", "at"), [(by_shape, 2.0), (by_scale_zero, 0.0)])
def test_what_is_not_drawn_smoothly_is_refused(program: Any, at: float) -> None:
    with pytest.raises(MissingRuleError, match="derivative"):
        zg.gradient(program, at)


@pytest.mark.parametrize("given", [(1.0, -1.0), (1.0, 2.0, 3, 4)])
def test_what_scipy_refuses(given: Any) -> None:
    def program(a: Any) -> Any:
        return np.sum(st.norm.rvs(a, *given[1:], random_state=3))

    with pytest.raises((ValueError, TypeError)) as found:
        zg.gradient(program, 1.0)
    with pytest.raises(type(found.value)):
        program(1.0)
