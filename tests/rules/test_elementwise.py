"""Every declared elementwise rule against numerical derivatives, and the values at special points."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
import scipy.special as sc

from tests.rules import reference
from zygpy.rules.declare import Rule, find
from zygpy.runtime import (
    densities,
    helpers,
    incomplete_functions,
    multivariate_probabilities,
    special_derivatives,
)

RULES = reference.load_all_rules()
ELEMENTWISE = [
    rule for rule in RULES if rule.style == "elementwise" and not reference.is_of_another_distribution(rule)
]

SCALARS_ONLY = {*filter(callable, vars(math).values()), float, complex, helpers.polygamma}
NARROWING = {np.float16, np.float32, np.complex64}
"""Casts that lose digits: differences cannot see their derivative, which is 1."""

REAL_ONLY = {
    np.maximum, np.minimum, np.fmax, np.fmin, np.clip, np.i0, np.float64, np.longdouble, operator.mod,
    helpers.bessel_i, helpers.exp_difference, helpers.picked, helpers.passed_over, helpers.clipped_low,
    helpers.clipped_high, helpers.per_degree, helpers.scaled_by_power, sc.polygamma, sc.zeta, sc.diric,
    helpers.turning, sc.multigammaln, special_derivatives.diric_derivative, special_derivatives.expn,
    special_derivatives.exprel_derivative, special_derivatives.kolmogorov_derivative,
    *(getattr(sc, name, None) for name in ("softplus", "sph_harm_y")),
    densities.inner, densities.within, densities.ratio, densities.raised_to, densities.reciprocal,
    incomplete_functions.gamma_ratio, incomplete_functions.gamma_bell, incomplete_functions.beta_ratio,
    incomplete_functions.beta_bell, multivariate_probabilities.bivariate,
    multivariate_probabilities.trivariate,
}  # fmt: skip
"""Functions that order numbers, or whose results are real by nature."""


REAL_PARAMETERS = {
    sc.eval_genlaguerre, sc.eval_gegenbauer, sc.eval_jacobi, sc.eval_sh_jacobi, sc.assoc_laguerre,
}  # fmt: skip
"""Polynomials of complex numbers with real parameters, which have a test of their own."""


def takes_complex(rule: Rule) -> bool:
    if isinstance(rule.function, np.ufunc) and not any(
        "D" in kind.split("->")[0] for kind in rule.function.types
    ):
        return False
    if (getattr(rule.function, "__module__", None) or "").startswith("scipy.stats."):
        return False
    return rule.function not in SCALARS_ONLY | REAL_ONLY | NARROWING | REAL_PARAMETERS


CALCULATED = {
    helpers.unknown_derivative, special_derivatives.phase_share, densities.of_reals,
    getattr(sc, "ncfdtrinc", None), getattr(sc, "nctdtrinc", None), special_derivatives.legendre_edge,
}  # fmt: skip
"""Functions that have no numbers for a result that could be compared, or few digits; they
have tests of their own."""

WARNING = {getattr(sc, name) for name in ("bdtr", "bdtrc", "bdtri")}
"""Functions that warn of an integer with a float in single precision, which they take for no integer."""

WIDE = [rule for rule in ELEMENTWISE if rule.function not in NARROWING | CALCULATED]
COMPLEX = [rule for rule in WIDE if takes_complex(rule)]
FLOATS = [rule for rule in ELEMENTWISE if rule.function not in SCALARS_ONLY | WARNING]


def generator_for(rule: Rule) -> np.random.Generator:
    return np.random.default_rng(sum(reference.name_of(rule).encode()))


def shapes_for(rule: Rule) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return reference.SHAPES[:1] if rule.function in SCALARS_ONLY else reference.SHAPES


@pytest.mark.parametrize("rule", WIDE, ids=reference.name_of)
def test_agrees_with_differences(rule: Rule) -> None:
    generator = generator_for(rule)
    for shapes in shapes_for(rule):
        reference.check(reference.case_of(rule, generator, shapes), generator)


@pytest.mark.parametrize("rule", COMPLEX, ids=reference.name_of)
def test_agrees_with_differences_for_complex_operands(rule: Rule) -> None:
    generator = generator_for(rule)
    for shapes in shapes_for(rule):
        reference.check(reference.case_of(rule, generator, shapes, np.complex128), generator)


DOUBLE = ("sph_harm_y",)
"""Functions whose derivatives some versions of SciPy give in double precision."""


@pytest.mark.parametrize("rule", FLOATS, ids=reference.name_of)
def test_single_precision_stays_single(rule: Rule) -> None:
    generator = generator_for(rule)
    for shapes in reference.SHAPES:
        case = reference.case_of(rule, generator, shapes, np.float32)
        y = reference.call(rule, case.values)
        seed = reference.random_like(generator, y)
        wide_values = {name: widened(value) for name, value in case.values.items()}
        wide_y = reference.call(rule, wide_values)
        for name in case.wrt:
            bar = reference.contribution(rule, name, case.values, y, seed)
            expected = reference.contribution(rule, name, wide_values, wide_y, widened(seed))
            np.testing.assert_allclose(bar, expected, rtol=2e-4, atol=2e-4)
            if np.asarray(y).dtype in (np.float32, np.complex64) and rule.function.__name__ not in DOUBLE:
                assert np.asarray(bar).dtype in (np.float32, np.complex64), name


def widened(value: Any) -> Any:
    """A value in double precision."""
    dtype = np.asarray(value).dtype
    if dtype.kind not in "fc":
        return value
    return np.asarray(value).astype(np.complex128 if dtype.kind == "c" else np.float64)[()]


def bars(function: Any, y_bar: Any, **values: Any) -> dict[str, Any]:
    """All contributions of a rule to the given operands."""
    rule = find(function)
    assert rule is not None
    with np.errstate(all="ignore"):
        y = reference.call(rule, values)
    return {
        name: reference.contribution(rule, name, values, y, y_bar) for name in rule.bars if name in values
    }


SINGULAR: list[tuple[Any, dict[str, list[float]]]] = [
    (np.sqrt, {"x": [0.0, -1.0]}),
    (np.cbrt, {"x": [0.0, -0.0]}),
    (np.log, {"x": [0.0, -1.0]}),
    (np.log2, {"x": [0.0, -1.0]}),
    (np.log10, {"x": [0.0, -1.0]}),
    (np.log1p, {"x": [-1.0, -2.0]}),
    (np.exp, {"x": [1e4, math.nan]}),
    (np.exp2, {"x": [1e5, math.nan]}),
    (np.expm1, {"x": [math.inf, math.nan]}),
    (np.sinh, {"x": [math.inf, math.nan]}),
    (np.cosh, {"x": [math.inf, math.nan]}),
    (np.reciprocal, {"x": [0.0, math.nan]}),
    (np.divide, {"x1": [0.0, 1.0], "x2": [0.0, 0.0]}),
    (np.power, {"x1": [0.0, -1.0], "x2": [0.5, 0.5]}),
    (np.float_power, {"x1": [0.0, -1.0], "x2": [-1.0, 0.5]}),
    (np.remainder, {"x1": [1.0, math.inf], "x2": [0.0, 1.0]}),
    (np.fmod, {"x1": [1.0, math.inf], "x2": [0.0, 1.0]}),
    (np.arcsin, {"x": [1.0, 2.0]}),
    (np.arccos, {"x": [-1.0, -2.0]}),
    (np.arccosh, {"x": [1.0, 0.0]}),
    (np.arctanh, {"x": [1.0, -1.0]}),
    (np.hypot, {"x1": [0.0, math.inf], "x2": [0.0, math.inf]}),
    (np.arctan2, {"x1": [0.0, math.inf], "x2": [0.0, math.inf]}),
    (np.logaddexp, {"x1": [-math.inf, math.inf], "x2": [-math.inf, math.inf]}),
    (np.absolute, {"x": [0.0, math.nan]}),
    (np.square, {"x": [math.inf, math.nan]}),
]


@pytest.mark.parametrize(("function", "values"), SINGULAR)
def test_a_zero_seed_stays_zero_everywhere(function: Any, values: dict[str, list[float]]) -> None:
    arrays = {name: np.array(value) for name, value in values.items()}
    with np.errstate(all="ignore"):
        found = bars(function, np.zeros(2), **arrays)
    for bar in found.values():
        assert (bar == 0).all()


@pytest.mark.parametrize(
    ("function", "values"), [pair for pair in SINGULAR if pair[0] not in (np.remainder, np.fmod)]
)
def test_singular_points_give_no_warning(function: Any, values: dict[str, list[float]]) -> None:
    arrays = {name: np.array(value) for name, value in values.items()}
    assert bars(function, np.ones(2), **arrays)


@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        (np.absolute, {"x": 0.0}, {"x": 0.0}),
        (np.absolute, {"x": 3 + 4j}, {"x": 0.6 + 0.8j}),
        (np.absolute, {"x": 0j}, {"x": 0}),
        (np.hypot, {"x1": 0.0, "x2": 0.0}, {"x1": 0.0, "x2": 0.0}),
        (np.arctan2, {"x1": 0.0, "x2": 0.0}, {"x1": 0.0, "x2": 0.0}),
        (np.maximum, {"x1": 2.0, "x2": 2.0}, {"x1": 1.0, "x2": 0.0}),
        (np.minimum, {"x1": 2.0, "x2": 2.0}, {"x1": 1.0, "x2": 0.0}),
        (np.fmax, {"x1": math.nan, "x2": 2.0}, {"x1": 0.0, "x2": 1.0}),
        (np.maximum, {"x1": math.nan, "x2": 2.0}, {"x1": 1.0, "x2": 0.0}),
        (np.maximum, {"x1": 2.0, "x2": math.nan}, {"x1": 0.0, "x2": 1.0}),
        (np.clip, {"a": 1.0, "a_min": 1.0, "a_max": 1.0}, {"a": 1.0, "a_min": 0.0, "a_max": 0.0}),
        (np.clip, {"a": 0.0, "a_min": 1.0, "a_max": 1.0}, {"a": 0.0, "a_min": 1.0, "a_max": 0.0}),
        (np.clip, {"a": 3.0, "a_min": 1.0, "a_max": 2.0}, {"a": 0.0, "a_min": 0.0, "a_max": 1.0}),
        (np.sqrt, {"x": 0.0}, {"x": math.inf}),
        (np.log, {"x": 0.0}, {"x": math.inf}),
        (np.exp, {"x": -math.inf}, {"x": 0.0}),
        (np.power, {"x1": 0.0, "x2": 0.0}, {"x1": 0.0, "x2": 0.0}),
        (np.power, {"x1": np.array([2, 0]), "x2": 2}, {"x1": [4.0, 0.0], "x2": [4 * math.log(2), 0.0]}),
        (np.sinc, {"x": 0.0}, {"x": 0.0}),
        (np.sign, {"x": 0.0}, {"x": 0.0}),
        (np.heaviside, {"x1": 0.0, "x2": 0.5}, {"x1": 0.0, "x2": 1.0}),
        (np.logaddexp, {"x1": -math.inf, "x2": -math.inf}, {"x1": 0.0, "x2": 0.0}),
        (np.logaddexp, {"x1": -math.inf, "x2": 1.0}, {"x1": 0.0, "x2": 1.0}),
        (np.where, {"condition": [True, False], "a": 1.0, "b": 2.0}, {"a": [1.0, 0.0], "b": [0.0, 1.0]}),
        (np.nan_to_num, {"x": np.array([math.nan, 1.0])}, {"x": [0.0, 1.0]}),
        (np.sqrt, {"x": 4}, {"x": 0.25}),
        (np.absolute, {"x": np.array([-2, 0, 3])}, {"x": [-1.0, 0.0, 1.0]}),
    ],
)
def test_values_at_special_points(function: Any, values: dict[str, Any], expected: dict[str, Any]) -> None:
    found = bars(function, 1.0, **values)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert np.asarray(found[name]) == pytest.approx(np.asarray(value))


@pytest.mark.parametrize("x", [0.0, -1.0, 1e4])
def test_masked_points_contribute_zero_through_a_chain(x: float) -> None:
    inside = np.array([x > 0 and x < 1e3])
    for function in (np.sqrt, np.log, np.exp, np.reciprocal):
        seed = bars(np.where, np.ones(1), condition=inside, a=np.ones(1), b=0.0)["a"]
        assert bars(function, seed, x=np.array([x]))["x"].tolist() == [0.0]


@pytest.mark.parametrize("narrow", sorted(NARROWING, key=lambda function: function.__name__))
def test_casts_hand_the_cotangent_on(narrow: Any) -> None:
    assert bars(narrow, 2.0, x=1.5) == {"x": 2.0}


def test_a_rule_that_is_slightly_wrong_is_caught() -> None:
    wrong = Rule(np.sin, "y = sin(x)", {"x": "y_bar * np.cos(x) * 1.0005"}, "elementwise")
    generator = np.random.default_rng(0)
    for dtype in (np.float64, np.complex128):
        with pytest.raises(AssertionError):
            reference.check(reference.case_of(wrong, generator, ((3,),), dtype), generator)


def test_a_missing_conjugate_is_caught() -> None:
    wrong = Rule(np.exp, "y = exp(x)", {"x": "y_bar * y"}, "elementwise")
    generator = np.random.default_rng(0)
    with pytest.raises(AssertionError):
        reference.check(reference.case_of(wrong, generator, ((3,),), np.complex128), generator)


def test_domains_are_read() -> None:
    domain = reference.domain_of("-1 < x < 1, n == 3, b > 2.5, a == None")
    assert (domain["x"].low, domain["x"].high) == (-1.0, 1.0)
    assert domain["n"].constant == (3,)
    assert domain["b"].low == 2.5
    assert domain["a"].constant == (None,)
