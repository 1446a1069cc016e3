"""Functions of `scipy.special` that make constants of whole numbers, and those that count.

Zeros of functions, nodes and weights of quadrature rules, and numbers of combinatorics. Where there is a real
parameter beside the order, nothing is known of the derivative by it.
"""

from __future__ import annotations

import scipy.special as sc

from zygpy.rules.declare import non_differentiable, rule
from zygpy.rules.scipy_special_words import COUNT, PARAMETER

NOT_IMPLEMENTED = "it is not implemented."

CONSTANTS = (
    "ai_zeros", "bi_zeros", "bei_zeros", "beip_zeros", "ber_zeros", "berp_zeros", "kei_zeros", "keip_zeros",
    "ker_zeros", "kerp_zeros", "kelvin_zeros", "erf_zeros", "fresnel_zeros", "fresnelc_zeros",
    "fresnels_zeros",
    "jn_zeros", "jnp_zeros", "jnjnp_zeros", "jnyn_zeros", "yn_zeros", "ynp_zeros", "y0_zeros", "y1_zeros",
    "y1p_zeros", "bernoulli", "euler", "roots_chebyc", "roots_chebys", "roots_chebyt", "roots_chebyu",
    "roots_hermite", "roots_hermitenorm", "roots_laguerre", "roots_legendre", "roots_sh_chebyt",
    "roots_sh_chebyu", "roots_sh_legendre", "c_roots", "h_roots", "he_roots", "l_roots", "p_roots",
    "ps_roots",
    "s_roots", "t_roots", "ts_roots", "u_roots", "us_roots", "geterr", "seterr", "test",
)  # fmt: skip
"""Functions of whole numbers alone, and those about errors."""

BY_PARAMETERS = {
    "roots_jacobi": "n, alpha, beta, mu=False",
    "roots_sh_jacobi": "n, p1, q1, mu=False",
    "roots_gegenbauer": "n, alpha, mu=False",
    "roots_genlaguerre": "n, alpha, mu=False",
    "j_roots": "n, alpha, beta, mu=False",
    "js_roots": "n, p1, q1, mu=False",
    "cg_roots": "n, alpha, mu=False",
    "la_roots": "n, alpha, mu=False",
    "mathieu_even_coef": "m, q",
    "mathieu_odd_coef": "m, q",
    "pro_cv_seq": "m, n, c",
    "obl_cv_seq": "m, n, c",
    "ellip_harm": "h2, k2, n, p, s, signm=1, signn=1",
    "ellip_harm_2": "h2, k2, n, p, s",
    "ellip_normal": "h2, k2, n, p",
}
"""Functions of whole numbers and of parameters."""

WHOLE = frozenset({"n", "m", "p", "mu", "signm", "signn"})

COUNTING = {
    "comb": ("N, k, *, exact=False, repetition=False", "N, k"),
    "perm": ("N, k, exact=False", "N, k"),
    "factorial": ("n, exact=False, extend='zero'", "n"),
    "factorial2": ("n, exact=False, extend='zero'", "n"),
    "factorialk": ("n, k, exact=False, extend='zero'", "n, k"),
    "stirling2": ("N, K, *, exact=False", "N, K"),
}
"""Functions that count; for real numbers there are `binom`, `poch` and `gamma`."""


def _declare() -> None:
    seen: set[int] = set()
    for name in CONSTANTS:
        function = getattr(sc, name, None)
        if function is not None and id(function) not in seen:
            non_differentiable(function, kind="unknown")
            seen.add(id(function))
    for name, parameters in BY_PARAMETERS.items():
        function = getattr(sc, name, None)
        if function is not None and id(function) not in seen:
            names = {one.partition("=")[0] for one in parameters.split(", ")} - WHOLE
            why = NOT_IMPLEMENTED if name.startswith("ellip") else PARAMETER
            call = f"y = {name}({parameters})"
            rule(function, call, kind="unknown", refused=dict.fromkeys(sorted(names), why))
            seen.add(id(function))
    for name, (parameters, counts) in COUNTING.items():
        function = getattr(sc, name, None)
        if function is not None:
            call = f"y = {name}({parameters})"
            rule(function, call, kind="unknown", refused=dict.fromkeys(counts.split(", "), COUNT))


_declare()
