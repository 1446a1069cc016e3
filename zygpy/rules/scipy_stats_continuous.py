"""Rules of the continuous distributions of `scipy.stats`.

The name, the shape parameters, where arguments and parameters are drawn from in tests, and a point inside of
the support in standard form. Arguments in tests stand at a location near 0.25 and a scale between 1 and 2.
"""

from __future__ import annotations

from zygpy.rules.scipy_stats_words import continuous

EVERYWHERE = "-2 < x < 2"
RIGHT = "0.4 < x < 3"
LEFT = "-3 < x < 0.1"
UNIT = "0.4 < x < 1.1"
CENTRAL = "-0.4 < x < 0.8"
BEYOND = "2.5 < x < 5"

for _name in (
    "norm",
    "laplace",
    "logistic",
    "cauchy",
    "gumbel_r",
    "gumbel_l",
    "moyal",
    "hypsecant",
    "cosine",
):
    continuous(_name, "", EVERYWHERE)
for _name in (
    "expon",
    "rayleigh",
    "maxwell",
    "wald",
    "levy",
    "gibrat",
    "halfnorm",
    "halfcauchy",
    "halflogistic",
):
    continuous(_name, "", RIGHT)
continuous("levy_l", "", LEFT, -0.5)
for _name in ("uniform", "arcsine"):
    continuous(_name, "", UNIT)
for _name in ("semicircular", "anglit"):
    continuous(_name, "", CENTRAL)

continuous("gamma", "a", RIGHT, others="a > 1")
continuous("invgamma", "a", RIGHT, others="a > 1")
continuous("beta", "a, b", UNIT, others="a > 1, b > 1")
continuous("betaprime", "a, b", RIGHT, others="a > 1, b > 1")
continuous("t", "df", EVERYWHERE, others="df > 1")
continuous("chi", "df", RIGHT, others="df > 1")
continuous("chi2", "df", RIGHT, others="df > 2")
continuous("f", "dfn, dfd", RIGHT, others="dfn > 2, dfd > 2")
continuous("rdist", "c", CENTRAL, others="c > 2")
continuous("nakagami", "nu", RIGHT, others="nu > 1")
continuous("gengamma", "a, c", RIGHT, others="a > 1, c > 1")
continuous("dgamma", "a", EVERYWHERE, others="a > 1")
continuous("loggamma", "c", EVERYWHERE, others="c > 1")

continuous("lognorm", "s", RIGHT, others="0.5 < s < 1.5")
continuous("fatiguelife", "c", RIGHT, others="0.5 < c < 1.5")
continuous("johnsonsu", "a, b", EVERYWHERE, others="b > 1")
continuous("johnsonsb", "a, b", UNIT, others="b > 1")
continuous("skewnorm", "a", EVERYWHERE)
continuous("powernorm", "c", EVERYWHERE, others="c > 1")
continuous("foldnorm", "c", RIGHT, others="c > 0.5")
continuous("rice", "b", RIGHT, others="b > 0.5")
continuous("truncnorm", "a, b", CENTRAL, others="a < -1, b > 1")
continuous("alpha", "a", RIGHT, others="a > 1")
continuous("invgauss", "mu", RIGHT, others="mu > 0.5")
continuous("norminvgauss", "a, b", EVERYWHERE, others="a > 2, -1 < b < 1")
continuous("vonmises", "kappa", EVERYWHERE, others="kappa > 0.5")

continuous("weibull_min", "c", RIGHT, others="c > 1")
continuous("weibull_max", "c", LEFT, -0.5, others="c > 1")
continuous("dweibull", "c", RIGHT, others="c > 1")
continuous("invweibull", "c", RIGHT, others="c > 1")
continuous("exponweib", "a, c", RIGHT, others="a > 1, c > 1")
continuous("genextreme", "c", CENTRAL, 0.0, others="-0.6 < c < 0.6")
continuous("genpareto", "c", RIGHT, 0.0, others="-0.2 < c < 1")
continuous("gompertz", "c", RIGHT, others="c > 0.5")
continuous("gennorm", "beta", RIGHT, others="beta > 1")
continuous("halfgennorm", "beta", RIGHT, others="beta > 1")
continuous("laplace_asymmetric", "kappa", RIGHT, others="kappa > 0.5")
continuous("genlogistic", "c", EVERYWHERE, others="c > 0.5")

continuous("pareto", "b", BEYOND, 1.5, others="b > 1")
continuous("lomax", "c", RIGHT, others="c > 1")
continuous("powerlaw", "a", UNIT, others="a > 1")
continuous("fisk", "c", RIGHT, others="c > 1")
continuous("burr", "c, d", RIGHT, others="c > 1, d > 1")
continuous("burr12", "c, d", RIGHT, others="c > 1, d > 1")
continuous("loglaplace", "c", BEYOND, others="c > 1")

continuous("triang", "c", "0.4 < x < 0.9", others="0.7 < c < 0.9")
continuous("truncexpon", "b", UNIT, others="b > 1")
continuous("bradford", "c", UNIT, others="c > 0.5")
continuous("loguniform", "a, b", "1.5 < x < 2.5", others="0.2 < a < 0.5, b > 3")
