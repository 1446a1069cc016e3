"""The rules of `scipy.special`: call by call, and through the engine."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special as sc

import zygpy as zg
from tests.analyse.test_rule_kinds import check
from tests.rules import reference
from tests.rules.array_calls import Call
from tests.rules.special_calls import CALLS
from tests.rules.test_arrays import (
    again,
    agrees,
    bound,
    contribution,
    converted,
    dense,
    differentiated,
    in_single,
    is_single,
    label,
    leaves,
    single,
    structured,
    to_complex,
)
from zygpy.errors import MissingRuleError
from zygpy.rules.declare import REGISTRY, Rule
from zygpy.rules.texts import texts
from zygpy.testing import check_gradient


@pytest.mark.parametrize("entry", CALLS, ids=label)
def test_agrees_with_differences(entry: Call) -> None:
    assert differentiated(entry)
    agrees(entry, bound(entry), 2e-6 if entry[0] in ROUGH else 2e-7)


ROUGH = {getattr(sc, name) for name in ("itairy", "it2j0y0", "it2i0k0", "itj0y0", "iti0k0")}
"""SciPy computes these to fewer digits."""


HOLOMORPHIC = (sc.fresnel, sc.sici, sc.shichi, sc.airy, sc.airye, sc.jve, sc.yve, sc.ive, sc.logsumexp)
COMPLEX = [entry for entry in CALLS if entry[0] in HOLOMORPHIC and "return_sign" not in entry[2]]


@pytest.mark.parametrize("entry", COMPLEX, ids=label)
def test_agrees_with_differences_for_complex_operands(entry: Call) -> None:
    values = bound(entry)
    for name in differentiated(entry):
        values[name] = converted(values[name], to_complex)
    agrees(entry, values)


ENDLESS = {getattr(sc, name) for name in ("pro_ang1", "pro_rad1", "obl_ang1", "obl_rad1")}
"""Functions of SciPy's that do not come back from some calls in single precision."""

WIDENING = {sc.shichi}
"""The derivative is one of a function that SciPy computes in double precision."""


@pytest.mark.parametrize("entry", [one for one in CALLS if one[0] not in ENDLESS | WIDENING], ids=label)
def test_keeps_single_precision(entry: Call) -> None:
    values = {name: in_single(value) for name, value in bound(entry).items()}
    y = again(entry, values)
    if not all(is_single(leaf) for leaf in leaves(structured(y))):
        return
    seed = converted(reference.random_like(np.random.default_rng(0), structured(y)), single)
    for name in differentiated(entry):
        if all(is_single(leaf) for leaf in leaves(values[name])):
            bar = contribution(REGISTRY[entry[0]], name, values, y, seed)
            assert all(is_single(leaf) for leaf in leaves(bar)), name


SEVERAL = [entry for entry in CALLS if isinstance(again(entry, bound(entry)), tuple)]


@pytest.mark.parametrize("entry", SEVERAL, ids=label)
def test_symbolic_zeros_count_as_zeros(entry: Call) -> None:
    rule, values = REGISTRY[entry[0]], bound(entry)
    y = again(entry, values)
    seed = list(reference.random_like(np.random.default_rng(1), structured(y)))
    for place in range(len(seed)):
        partial = [one if at == place else None for at, one in enumerate(seed)]
        zeros = [one if at == place else reference.moved(one, one, -1.0) for at, one in enumerate(seed)]
        for name in differentiated(entry):
            found = contribution(rule, name, values, y, partial)
            expected = contribution(rule, name, values, y, zeros)
            np.testing.assert_allclose(dense(found, values[name]), dense(expected, values[name]), atol=1e-12)


# Through the engine.


ONE_ARGUMENT: tuple[tuple[str, tuple[float, ...], float], ...] = (
    ("gamma", (), 1.7), ("rgamma", (), -2.0), ("psi", (), -0.7), ("polygamma", (1,), 2.3),
    ("zeta", (3.5,), 1.4), ("poch", (1.5,), 2.2), ("binom", (5.5,), 2.0), ("beta", (1.2,), 2.1),
    ("betainc", (1.5, 2.5), 0.3), ("betaincc", (1.5, 2.5), 0.3), ("betaincinv", (1.5, 2.5), 0.3),
    ("gammainc", (2.5,), 1.3), ("gammaincc", (2.5,), 1.3), ("gammaincinv", (2.5,), 0.3),
    ("gammainccinv", (2.5,), 0.3), ("erfcx", (), 0.4), ("erfi", (), 0.3), ("erfinv", (), 0.3),
    ("erfcinv", (), 0.6), ("dawsn", (), 0.9), ("voigt_profile", (0.4, 0.7), 0.6), ("expn", (2,), 0.8),
    ("exp1", (), 0.8), ("expi", (), 0.8), ("spence", (), 1.0), ("owens_t", (0.8,), 0.5),
    ("jv", (1.5,), 2.0), ("yv", (1.5,), 2.0), ("iv", (1.5,), 2.0), ("kv", (1.5,), 2.0),
    ("jve", (1.5,), 2.0), ("ive", (1.5,), 2.0), ("kve", (1.5,), 2.0), ("yn", (2,), 2.0), ("kn", (2,), 2.0),
    ("jvp", (1.5,), 2.0), ("spherical_jn", (2,), 1.5), ("spherical_kn", (0,), 1.5), ("j0", (), 0.0),
    ("j1", (), 0.0), ("i1e", (), 0.9), ("k1e", (), 0.9), ("bei", (), 0.0), ("kei", (), 1.2),
    ("struve", (0.5,), 1.2), ("modstruve", (0.5,), 1.2), ("wright_bessel", (0.5, 1.5), 1.2),
    ("ellipk", (), 0.0), ("ellipe", (), 0.4), ("ellipkinc", (2.5,), 0.4), ("ellipeinc", (2.5,), 0.4),
    ("elliprf", (1.0, 2.0), 1.0), ("elliprg", (1.0, 2.0), 1.0), ("elliprj", (1.0, 2.0, 3.0), 2.0),
    ("agm", (1.5,), 0.7), ("hyp0f1", (1.5,), 0.7), ("hyp1f1", (0.5, 1.5), 0.7),
    ("hyp2f1", (0.5, 1.5, 2.5), 0.3), ("hyperu", (0.5, 1.5), 0.7), ("eval_legendre", (3,), 0.4),
    ("eval_legendre", (0,), 0.4), ("eval_jacobi", (3, 0.5, 1.5), 0.4), ("eval_hermite", (1,), 0.4),
    ("eval_chebyu", (3,), 1.0), ("eval_sh_jacobi", (3, 2.5, 1.5), 0.4), ("lpmv", (1, 2), 0.4),
    ("ndtri", (), 0.3), ("ndtri_exp", (), -0.3), ("log_ndtr", (), -0.3), ("stdtr", (3.5,), 0.4),
    ("stdtrit", (3.5,), 0.4), ("chdtr", (3.5,), 1.4), ("chdtri", (3.5,), 0.4), ("fdtr", (3.5, 4.5), 0.8),
    ("fdtri", (3.5, 4.5), 0.4), ("gdtr", (1.2, 2.5), 0.8), ("gdtrix", (1.2, 2.5), 0.4), ("pdtr", (2,), 1.4),
    ("bdtr", (2.0, 5), 0.4), ("nbdtri", (2, 5), 0.4), ("kolmogorov", (), 0.8), ("kolmogi", (), 0.4),
    ("chndtr", (), 1.3), ("tklmbda", (0.2,), 0.7), ("exprel", (), 0.0), ("boxcox", (1.4,), 0.0),
    ("inv_boxcox", (0.4,), 0.0), ("boxcox1p", (1.4,), 0.3), ("diric", (), 0.9), ("cosm1", (), 0.3),
    ("powm1", (1.5,), 0.3), ("tandg", (), 30.0), ("wrightomega", (), 0.4), ("entr", (), 0.4),
    ("rel_entr", (0.4,), 0.8), ("kl_div", (0.4,), 0.8), ("pseudo_huber", (0.4,), 0.8),
    ("softplus", (), 0.4),
)  # fmt: skip
LAST = {"chndtr": (3.5, 0.7), "diric": (5,)}
"""Arguments behind the one that is differentiated."""


@pytest.mark.parametrize(("name", "args", "x"), ONE_ARGUMENT)
def test_first_and_second_derivatives(name: str, args: tuple[float, ...], x: float) -> None:
    if not hasattr(sc, name):
        return
    function, after = getattr(sc, name), LAST.get(name, ())

    def f(x: float) -> float:
        return function(*args, x, *after) * 1.5

    first, step = zg.derivative(f), 1e-3 if name in ("betainc", "spence") else 2e-3
    expected = reference.directional(lambda t: f(x + t), step)
    assert first(x) == pytest.approx(float(np.squeeze(expected)), rel=1e-6, abs=1e-7)
    second = reference.directional(lambda t: first(x + t), step)
    assert zg.derivative(first)(x) == pytest.approx(float(second), rel=1e-5, abs=1e-6)
    assert zg.hessian(f, x) == pytest.approx(float(second), rel=1e-5, abs=1e-6)


def test_the_inverse_by_a_noncentrality() -> None:
    """SciPy gives too few digits for differences."""
    p, f = 0.3, 3.0
    nc = sc.ncfdtrinc(3.0, 4.0, p, f)
    p_bar, f_bar = zg.gradient(lambda p, f: sc.ncfdtrinc(3.0, 4.0, p, f) * 1.0, p, f)
    slope = reference.directional(lambda t: sc.ncfdtr(3.0, 4.0, nc + t, f), 1e-2)
    density = reference.directional(lambda t: sc.ncfdtr(3.0, 4.0, nc, f + t), 1e-2)
    assert p_bar == pytest.approx(float(1 / slope), rel=1e-3)
    assert f_bar == pytest.approx(float(-density / slope), rel=1e-3)


def test_far_out_a_noncentral_density_is_not_known() -> None:
    (bar,) = zg.gradient(lambda t: sc.nctdtr(3.0, 200.0, t) * 1.0, 150.0)
    assert np.isnan(bar)
    assert zg.gradient(lambda t: sc.nctdtr(3.0, 200.0, t) * 0.0, 150.0) == (0.0,)


CONSTANTS = (
    lambda x: sc.roots_legendre(3)[0][0] * x,
    lambda x: sc.comb(5, 2) * x,
    lambda x: sc.jn_zeros(0, 2)[1] * x,
    lambda x: sc.roots_jacobi(3, 2.0, 1.0)[0][0] * x,
)


@pytest.mark.parametrize("program", CONSTANTS)
def test_constants_have_no_gradient(program: Callable[[float], float]) -> None:
    assert zg.gradient(program, 2.0) == (pytest.approx(program(1.0)),)


REFUSED = (
    lambda x: sc.comb(x, 2) * 1.0,
    lambda x: sc.factorial(x) * 1.0,
    lambda x: sc.roots_gegenbauer(3, x)[0][0] * 1.0,
    lambda x: sc.ellip_harm(5.0, 8.0, 1, 1, x) * 1.0,
    lambda x: sc.btdtria(0.3, x, 0.4) * 1.0,
)


@pytest.mark.parametrize("program", REFUSED)
def test_what_has_no_derivative_is_refused(program: Callable[[float], float]) -> None:
    with pytest.raises(MissingRuleError, match="There is no rule for the derivative"):
        zg.gradient(program, 2.0)


SPECIAL = [
    rule
    for rule in reference.load_all_rules()
    if rule.style == "elementwise" and rule.function in {one for one in vars(sc).values() if callable(one)}
]
EDGES = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 1e3, -1e3, np.inf, -np.inf, np.nan])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", SPECIAL, ids=reference.name_of)
def test_a_zero_seed_stays_zero_at_edges_and_beyond(rule: Rule) -> None:
    drawn = reference.case_of(rule, np.random.default_rng(3), ((), (), ()))
    for edge in drawn.wrt:
        values = {**drawn.values, edge: EDGES}
        if rule.function is sc.multigammaln:  # which raises for what it is not defined for
            values[edge] = EDGES[EDGES > 1.5]
        if rule.function is sc.hyp1f1:  # which takes minutes for large numbers
            values[edge] = EDGES[:6]
        y = np.asarray(reference.call(rule, values))
        for name in drawn.wrt:
            bar = reference.contribution(rule, name, values, y, np.zeros(y.shape))
            assert np.all(np.asarray(bar) == 0), (edge, name, bar)


OPERANDS = (2, 2.5, np.float32(1), np.ones(2), np.ones(2, np.float32), np.ones(2, int))
OF_THREE = [
    rule for rule in SPECIAL if len(texts(rule).parameters) == 3 and isinstance(rule.function, np.ufunc)
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", [one for one in OF_THREE if one.domain], ids=reference.name_of)
def test_kinds_of_functions_of_three_operands(rule: Rule) -> None:
    if rule.function.__name__.startswith(("pro_", "obl_")):
        return
    for operands in itertools.product(OPERANDS, repeat=3):
        check(rule.function, *operands)


@pytest.mark.parametrize("keywords", [{}, {"axis": 0}, {"keepdims": True}])
def test_a_sum_with_its_sign_is_a_tuple(keywords: Any) -> None:
    x = np.cos(np.arange(6.0)).reshape(2, 3)

    def f(x: Any) -> Any:
        first = sc.logsumexp(x, return_sign=True, **keywords)[0]
        return np.sum(first) + sum(np.sum(one) for one in sc.logsumexp(x, b=-x, return_sign=True))

    check_gradient(f, x)
    g = lambda x: np.sum(sc.logsumexp(x, axis=1, return_sign=True)[0] ** 2)  # noqa: E731
    check_gradient(g, x, order=2)
