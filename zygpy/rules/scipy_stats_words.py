"""How the rules of distributions are declared: from the slope of a density, and from how quantiles move.

Inside of the support the logarithm of a density changes with the standardised argument z by its slope, and
with a shape parameter by its trend; where a quantile of z moves by the shift of a parameter, the distribution
function changes by that times the density. Location and scale follow. Outside of the support the
derivatives of densities are zero.
"""

from __future__ import annotations

import scipy.stats as st

from zygpy.rules.declare import elementwise, library, non_differentiable, of_instances, rule, stands_for
from zygpy.rules.scipy_special_words import PARAMETER
from zygpy.runtime import (
    densities,
    density_slopes,
    density_trends,
    distribution_calls,
    distribution_draws,
    distribution_fits,
    quantile_shifts,
)
from zygpy.runtime import distribution_edges as edges

library("st", st)
library("densities", densities)
library("slopes", density_slopes)
library("trends", density_trends)
library("shifts", quantile_shifts)

ALIKE = ("a", "b", "badvalue")
"""Attributes that distinguish distributions of one class."""


class Words:
    """The texts of one continuous distribution."""

    def __init__(self, name: str, shapes: tuple[str, ...], point: float, domain: str) -> None:
        self.name, self.shapes, self.point, self.domain = name, shapes, point, domain
        self.of_shapes = "".join(f", {shape}" for shape in shapes)
        self.numbers = "".join(f", densities.numbers({shape})" for shape in shapes)

    def declare(self, method: str, first: str, bars: dict[str, str], *, domain: str) -> None:
        """Declare the rule of one of the methods."""
        distribution = getattr(st, self.name)
        function = distribution_calls.named(distribution, method, self.name)
        refused = {shape: PARAMETER for shape in self.shapes if shape not in bars}
        elementwise(
            function,
            f"y = {method}({first}{self.of_shapes}, loc=0, scale=1)",
            kind="of reals",
            domain=", ".join(filter(None, (domain, self.domain, "0.2 < loc < 0.3, 1 < scale < 2"))),
            refused=refused,
            **{
                f"{name}_bar": f"densities.of_reals({text}, {first}, loc, scale{self.of_shapes})"
                for name, text in bars.items()
            },
        )
        of_instances(function, distribution, method, ALIKE)

    def called(self, method: str, x: str) -> str:
        """The text of a call of another method with the same parameters."""
        return f"st.{self.name}.{method}({x}{self.of_shapes}, loc, scale)"

    def density(self, method: str, outside: str, factor: str, domain: str) -> None:
        """The rule of the density, or of its logarithm; `factor` is what the derivative of the latter is
        multiplied by."""
        z = f"densities.inner(densities.standard(x, loc, scale), y, {outside}, {self.point})"
        slope = f"slopes.{self.name}({z}{self.numbers})"
        seed = f"times(y_bar, {factor})" if factor else "y_bar"
        changed = f"densities.within(1 + times({z}, {slope}), y, {outside})"
        bars = {
            "x": f"divided(times({seed}, densities.within({slope}, y, {outside})), scale)",
            "loc": f"-divided(times({seed}, densities.within({slope}, y, {outside})), scale)",
            "scale": f"-divided(times({seed}, {changed}), scale)",
        }
        for shape in self.shapes:
            program = f"{self.name}_{shape}"
            if hasattr(density_trends, program):
                trend = f"trends.{program}({z}{self.numbers})"
                bars[shape] = f"times({seed}, densities.within({trend}, y, {outside}))"
        self.declare(method, "x", bars, domain=domain)

    def function(self, method: str, sign: str, domain: str) -> None:
        """The rule of the distribution function, its complement, or the logarithm of one of them."""
        seed = f"times(y_bar, {self.called('pdf', 'x')})"
        if method.startswith("log"):
            seed = f"times(y_bar, densities.ratio({self.called('logpdf', 'x')}, y))"
        z = "densities.standard(x, loc, scale)"
        turned = "" if sign else "-"
        bars = {
            "x": f"{sign}{seed}",
            "loc": f"{turned}{seed}",
            "scale": f"{turned}times({seed}, {z})",
        }
        within = f"densities.inner({z}, {self.called('logpdf', 'x')}, -np.inf, {self.point})"
        for shape in self.shapes:
            program = f"{self.name}_{shape}"
            if hasattr(quantile_shifts, program):
                bars[shape] = f"{turned}times({seed}, shifts.{program}({within}{self.numbers}) * scale)"
        self.declare(method, "x", bars, domain=domain)

    def inverse(self, method: str, sign: str) -> None:
        """The rule of the inverse of the distribution function, or of its complement."""
        bars = {
            "q": f"{sign}divided(y_bar, {self.called('pdf', 'y')})",
            "loc": "times(y_bar, densities.within(1.0, y, np.nan))",
            "scale": "times(y_bar, densities.standard(y, loc, scale))",
        }
        z = "densities.standard(y, loc, scale)"
        within = f"densities.inner({z}, y, np.nan, {self.point})"
        for shape in self.shapes:
            program = f"{self.name}_{shape}"
            if hasattr(quantile_shifts, program):
                bars[shape] = f"times(y_bar, shifts.{program}({within}{self.numbers}) * scale)"
        self.declare(method, "q", bars, domain="0 < q < 0.6" if self.name == "triang" else "0 < q < 1")


def continuous(name: str, shapes: str, domain: str, point: float = 0.5, others: str = "") -> None:
    """Declare the rules of a continuous distribution.

    `domain` says where its argument is drawn from in tests, and `others` its shape parameters; `point` is
    one inside of the support.
    """
    if not hasattr(st, name):
        return
    words = Words(name, tuple(filter(None, shapes.split(", "))), point, others)
    words.density("logpdf", "-np.inf", "", domain)
    words.density("pdf", "0.0", "y", domain)
    words.function("cdf", "", domain)
    words.function("logcdf", "", domain)
    words.function("sf", "-", domain)
    words.function("logsf", "-", domain)
    words.inverse("ppf", "")
    words.inverse("isf", "-")


def _stand_in() -> None:
    """The programs for methods of distributions that are found when the program runs."""
    for program in distribution_calls.CONTINUOUS:
        stands_for(getattr(st.rv_continuous, program.__name__), program)
    for name, of_counts in distribution_calls.DISCRETE.items():
        stands_for(getattr(st.rv_discrete, name), of_counts)
    stands_for(st.rv_continuous.expect, distribution_calls.expect)
    stands_for(st.rv_continuous._entropy, distribution_calls.entropy)
    stands_for(st.rv_continuous.rvs, distribution_draws.drawn)
    stands_for(st.rv_discrete.rvs, distribution_draws.drawn_counts)
    for distribution in (st.lognorm, st.powerlaw):
        stands_for(type(distribution).fit, distribution_fits.fit_inside)
    stands_for(
        st.rv_frozen.__init__ if hasattr(st, "rv_frozen") else type(st.norm()).__init__,
        distribution_calls.freeze,
    )


_stand_in()
if hasattr(st, "Normal"):
    stands_for(
        st._distribution_infrastructure.ShiftedScaledDistribution._itransform, distribution_calls.moved
    )
non_differentiable(distribution_fits.check_inside, kind="none")
for _distribution, _name, _program in edges.EDGES:
    if hasattr(type(_distribution), _name):
        stands_for(getattr(type(_distribution), _name), _program)
non_differentiable(edges.source, edges.moment_told, kind="unknown")
rule(
    edges.beside,
    "y = beside(found, parameter)",
    found_bar="y_bar",
    refused={"parameter": "SciPy computes something without it where it is 0."},
    kind="unknown",
)
stands_for(st.rv_histogram, distribution_calls.histogram)
_CONSTANT = "a distribution that is made of a histogram is constant."
rule(
    distribution_calls.of_constants,
    "y = of_constants(counts, borders, density)",
    refused=dict.fromkeys(("counts", "borders"), _CONSTANT),
    kind="unknown",
)
rule(
    distribution_calls.of_constant,
    "y = of_constant(value, density, borders)",
    value_bar="y_bar",
    refused=dict.fromkeys(("density", "borders"), _CONSTANT),
    kind="unknown",
)
non_differentiable(
    distribution_calls.told,
    distribution_calls.told_count,
    distribution_calls.names_of_shapes,
    kind="unknown",
)
non_differentiable(
    distribution_calls.standing,
    distribution_calls.written,
    distribution_fits.fit_of,
    distribution_calls.same_again,
    distribution_calls.bounds,
    kind="unknown",
)
non_differentiable(
    distribution_draws.size_of_draws,
    distribution_draws.source_of,
    distribution_draws.told_draws,
    distribution_draws.way_of_drawing,
    kind="unknown",
)
rule(
    distribution_draws.sampled,
    "y = sampled(distribution, size, source, *shapes)",
    refused={
        "shapes": "SciPy's sampler rejects some of the numbers that it draws, or takes no smooth function of "
        "them; differentiate 'ppf' of numbers that are drawn evenly."
    },
    kind="unknown",
)
non_differentiable(distribution_draws.without_ones, kind="ints")
non_differentiable(distribution_draws.is_rounded, kind="bool")
non_differentiable(distribution_calls.infinite, kind="number-or-array")
non_differentiable(distribution_calls.has_fixed_support, kind="bool")
elementwise(
    densities.standard,
    "y = standard(x, loc, scale)",
    x_bar="divided(y_bar, conj(scale))",
    loc_bar="-divided(y_bar, conj(scale))",
    scale_bar="-divided(times(y_bar, conj(y)), conj(scale))",
    kind="number-or-array",
    domain="scale > 0",
)
rule(
    distribution_calls.bound_by,
    "y = bound_by(bound, parameters)",
    refused={"parameters": "the ends of the support of a frozen distribution have no rule."},
    kind="unknown",
)
elementwise(
    densities.numbers, "y = numbers(given)", given_bar="y_bar", shares="given", kind="number-or-array"
)
elementwise(
    densities.inner,
    "y = inner(z, outcome, outside, instead)",
    z_bar="densities.inner(y_bar, outcome, outside, 0.0)",
    kind="number-or-array",
    domain="outcome == 1.0, outside == 0.0, instead == 0.5",
)
elementwise(
    densities.within,
    "y = within(value, outcome, outside)",
    value_bar="densities.within(y_bar, outcome, outside)",
    kind="number-or-array",
    domain="outcome == 1.0, outside == 0.0",
)
elementwise(
    densities.ratio,
    "y = ratio(logarithm, of_base)",
    logarithm_bar="times(y_bar, y)",
    of_base_bar="-times(y_bar, y)",
    kind="number-or-array",
)
elementwise(
    densities.reciprocal,
    "y = reciprocal(logarithm)",
    logarithm_bar="-times(y_bar, y)",
    kind="number-or-array",
)
elementwise(
    densities.raised_to,
    "y = raised_to(z, power)",
    z_bar="times(y_bar, power * densities.raised_to(z, power - 1))",
    power_bar="times(y_bar, times(y, special.logarithm(z)))",
    kind="number-or-array",
    domain="z > 0",
)
elementwise(
    densities.of_reals,
    "y = of_reals(g, *given)",
    g_bar="densities.of_reals(y_bar, *given)",
    kind="number-or-array",
)
