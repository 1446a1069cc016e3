"""Rules of the discrete distributions of `scipy.stats`, by their continuous parameters.

Counts, and what moves them, are whole numbers. Sources: N. L. Johnson, A. W. Kemp and S. Kotz, Univariate
Discrete Distributions; DLMF 8.17.5 and 8.11.10.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import scipy.stats as st

from zygpy.rules.declare import elementwise, of_instances
from zygpy.rules.scipy_special_words import COUNT, PARAMETER
from zygpy.rules.scipy_stats_words import ALIKE
from zygpy.runtime import distribution_calls

NOTHING: Mapping[str, str] = {}
FLOOR = "np.floor(np.subtract(k, loc))"
"""The count that matters to a distribution function."""


class Counts:
    """The texts of one discrete distribution."""

    def __init__(self, name: str, shapes: tuple[str, ...], whole: tuple[str, ...], domain: str) -> None:
        self.name, self.shapes, self.whole, self.domain = name, shapes, whole, domain
        self.of_shapes = "".join(f", {shape}" for shape in shapes)

    def of_numbers(self, text: str) -> str:
        """The text, in which parameters may be lists."""
        for shape in self.shapes:
            text = re.sub(rf"\b{shape}\b(?!\()", f"densities.numbers({shape})", text)
        return text

    def declare(self, method: str, first: str, bars: Mapping[str, str], domain: str) -> None:
        """Declare the rule of one of the methods."""
        distribution = getattr(st, self.name)
        function = distribution_calls.named(distribution, method, self.name)
        refused = dict.fromkeys((*((first,) if first == "k" else ()), "loc", *self.whole), COUNT)
        refused |= {shape: PARAMETER for shape in self.shapes if shape not in {*bars, *self.whole}}
        elementwise(
            function,
            f"y = {method}({first}{self.of_shapes}, loc=0)",
            kind="number-or-array",
            domain=f"{domain}, {self.domain}, loc == 1",
            refused=refused,
            **{
                f"{name}_bar": f"densities.of_reals({text}, {first}, loc{self.of_shapes})"
                for name, text in bars.items()
            },
        )
        of_instances(function, distribution, method, ALIKE)

    def masses(self, trends: Mapping[str, str]) -> None:
        """The rules of the probabilities of counts, and of their logarithms."""
        for method, outside, seed in (
            ("pmf", "0.0", "times(y_bar, y)"),
            ("logpmf", "-np.inf", "y_bar"),
        ):
            bars = {}
            for name, text in trends.items():
                trend = self.of_numbers(text).format(k="np.subtract(k, loc)")
                bars[name] = f"times({seed}, densities.within({trend}, y, {outside}))"
            self.declare(method, "k", bars, "k == 3")

    def functions(self, slopes: Mapping[str, str]) -> None:
        """The rules of the distribution function, its complement and their logarithms; the slopes are those
        of the first by its parameters."""
        for method, sign, seed in (
            ("cdf", "", "y_bar"),
            ("logcdf", "", "times(y_bar, densities.reciprocal(y))"),
            ("sf", "-", "y_bar"),
            ("logsf", "-", "times(y_bar, densities.reciprocal(y))"),
        ):
            bars = {
                name: f"{sign}times({seed}, {self.of_numbers(text).format(k=FLOOR)})"
                for name, text in slopes.items()
            }
            self.declare(method, "k", bars, "k == 3")

    def inverses(self) -> None:
        """The rules of the inverses, which are steps."""
        for method in ("ppf", "isf"):
            bars = dict.fromkeys(("q", *(one for one in self.shapes if one not in self.whole)), "zero(y_bar)")
            self.declare(method, "q", bars, "0 < q < 1")


def discrete(
    name: str,
    shapes: str,
    domain: str,
    trends: Mapping[str, str],
    slopes: Mapping[str, str] = NOTHING,
    whole: tuple[str, ...] = (),
) -> None:
    """Declare the rules of a discrete distribution.

    The texts are the derivatives of the logarithm of the probability of a count `{k}`, and those of the
    probability that there are at most so many, by the shape parameters; those of `whole` are counts.
    """
    if not hasattr(st, name):
        return
    words = Counts(name, tuple(shapes.split(", ")), whole, domain)
    words.masses(trends)
    words.functions(slopes)
    words.inverses()


discrete(
    "poisson",
    "mu",
    "mu > 1",
    {"mu": "divided({k}, mu) - 1"},
    {"mu": "-st.poisson.pmf({k}, mu)"},
)
discrete(
    "bernoulli",
    "p",
    "0 < p < 1, k == 1",
    {"p": "divided({k}, p) - divided(1 - {k}, 1 - p)"},
    {"p": "np.where(np.equal({k}, 0), -1.0, 0.0)"},
)
discrete(
    "binom",
    "n, p",
    "n == 5, 0 < p < 1",
    {"p": "divided({k}, p) - divided(n - {k}, 1 - p)"},
    {"p": "-times(n, st.binom.pmf({k}, n - 1, p))"},
    ("n",),
)
discrete(
    "geom",
    "p",
    "0 < p < 1",
    {"p": "divided(1.0, p) - divided({k} - 1, 1 - p)"},
    {"p": "divided({k} * st.geom.pmf({k}, p), p)"},
)
discrete(
    "nbinom",
    "n, p",
    "n > 1, 0 < p < 1",
    {
        "n": "sc.psi({k} + n) - sc.psi(n) + special.logarithm(p)",
        "p": "divided(n, p) - divided({k}, 1 - p)",
    },
    {"p": "(n + {k}) * divided(st.nbinom.pmf({k}, n, p), p)"},
)
discrete(
    "betabinom",
    "n, a, b",
    "n == 5, a > 1, b > 1",
    {
        "a": "sc.psi({k} + a) - sc.psi(n + a + b) - sc.psi(a) + sc.psi(a + b)",
        "b": "sc.psi(n - {k} + b) - sc.psi(n + a + b) - sc.psi(b) + sc.psi(a + b)",
    },
    whole=("n",),
)
discrete(
    "logser",
    "p",
    "0 < p < 1",
    {"p": "divided({k}, p) + divided(1.0, (1 - p) * np.log1p(-p))"},
)
discrete(
    "planck",
    "lambda_",
    "lambda_ > 0.5",
    {"lambda_": "divided(1.0, np.expm1(lambda_)) - {k}"},
    {"lambda_": "np.maximum({k} + 1, 0) * np.exp(-lambda_ * np.maximum({k} + 1, 0))"},
)
discrete(
    "dlaplace",
    "a",
    "a > 0.5",
    {"a": "divided(1.0, np.sinh(a)) - np.abs({k})"},
)
