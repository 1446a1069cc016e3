"""Rules of `scipy.special`, as far as densities of the common distributions need them.

Source of the formulas: F. W. J. Olver et al., NIST Digital Library of Mathematical Functions, chapters
5 (gamma function) and 7 (error functions).
"""

from __future__ import annotations

import scipy.special as sc

from zygpy.rules.declare import elementwise, library

library("sc", sc)

elementwise(sc.gamma, "y = gamma(x)", x_bar="y_bar * conj(y * sc.psi(x))", domain="x > 0")
elementwise(sc.gammaln, "y = gammaln(x)", x_bar="y_bar * sc.psi(x)", domain="x > 0")
elementwise(sc.psi, "y = psi(x)", x_bar="y_bar * sc.zeta(2, x)", domain="x > 0")
elementwise(
    sc.zeta,
    "y = zeta(s, q)",
    q_bar="-y_bar * s * sc.zeta(s + 1, q)",
    domain="s == 3, q > 0",
    note="by s there is no closed form",
)
elementwise(
    sc.polygamma,
    "y = polygamma(n, x)",
    x_bar="y_bar * sc.polygamma(n + 1, x)[()]",
    domain="n == 2, x > 0",
    note="n is an order, and has no derivative",
)
elementwise(
    sc.beta,
    "y = beta(a, b)",
    kind="of SciPy",
    a_bar="y_bar * y * (sc.psi(a) - sc.psi(a + b))",
    b_bar="y_bar * y * (sc.psi(b) - sc.psi(a + b))",
    domain="a > 0, b > 0",
)
elementwise(
    sc.betaln,
    "y = betaln(a, b)",
    kind="of SciPy",
    a_bar="y_bar * (sc.psi(a) - sc.psi(a + b))",
    b_bar="y_bar * (sc.psi(b) - sc.psi(a + b))",
    domain="a > 0, b > 0",
)
elementwise(
    sc.xlogy,
    "y = xlogy(x, z)",
    kind="of SciPy",
    x_bar="sc.xlogy(y_bar, conj(z))",
    z_bar="divided(times(y_bar, conj(x)), conj(z))",
    at="0 by z where x == 0",
    domain="z > 0",
)
elementwise(
    sc.xlog1py,
    "y = xlog1py(x, z)",
    kind="of SciPy",
    x_bar="sc.xlog1py(y_bar, conj(z))",
    z_bar="divided(times(y_bar, conj(x)), conj(1 + z))",
    at="0 by z where x == 0",
    domain="z > -1",
)
elementwise(sc.expit, "y = expit(x)", x_bar="y_bar * y * (1 - y)")
elementwise(sc.logit, "y = logit(x)", x_bar="divided(y_bar, x * (1 - x))", domain="0 < x < 1")
elementwise(sc.log_expit, "y = log_expit(x)", x_bar="y_bar * sc.expit(-x)")
elementwise(sc.erf, "y = erf(x)", x_bar="y_bar * conj(np.exp(-x * x)) * (2 / math.sqrt(math.pi))")
elementwise(sc.erfc, "y = erfc(x)", x_bar="-y_bar * conj(np.exp(-x * x)) * (2 / math.sqrt(math.pi))")
elementwise(sc.ndtr, "y = ndtr(x)", x_bar="y_bar * conj(np.exp(-x * x / 2)) / math.sqrt(2 * math.pi)")
elementwise(
    sc.log_ndtr,
    "y = log_ndtr(x)",
    x_bar="y_bar * conj(np.exp(-x * x / 2 - y)) / math.sqrt(2 * math.pi)",
)
