"""What stands for functions of `scipy.stats` that are refused, before they are entered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zygpy.runtime.refused_interpolators import opaque
from zygpy.runtime.statistics_programs import not_known


def refuse(name: str, why: str, instead: str) -> None:
    """Raise the error for a function without derivatives."""
    raise not_known(name, why, instead)


def tukey_hsd(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.tukey_hsd`."""
    refuse("tukey_hsd", "the distribution of ranges has no derivative in closed form", "use 'f_oneway'")
    return opaque((args, kwargs))


def dunnett(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.dunnett`."""
    refuse("dunnett", "its probabilities are found with random numbers", "use 'ttest_ind' for each sample")
    return opaque((args, kwargs))


def poisson_means_test(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.poisson_means_test`."""
    refuse("poisson_means_test", "its probability jumps", "compute the statistic yourself")
    return opaque((args, kwargs))


def ppcc_max(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.ppcc_max`."""
    refuse(
        "ppcc_max", "what it gives is found by a search", "use 'zygpy.implicit' for the condition it solves"
    )
    return opaque((args, kwargs))


def wasserstein_distance_nd(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.wasserstein_distance_nd`."""
    refuse("wasserstein_distance_nd", "a linear program is solved for it", "use 'scipy.optimize.linprog'")
    return opaque((args, kwargs))


def permutation_test(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.permutation_test`."""
    refuse("permutation_test", "its probability is a share of counts", "compute the statistic yourself")
    return opaque((args, kwargs))


def monte_carlo_test(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.monte_carlo_test`."""
    refuse("monte_carlo_test", "its probability is a share of counts", "compute the statistic yourself")
    return opaque((args, kwargs))


def goodness_of_fit(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.goodness_of_fit`."""
    refuse("goodness_of_fit", "its probability is a share of counts", "compute the statistic yourself")
    return opaque((args, kwargs))


def rv_discrete(*args: Any, **kwargs: Any) -> Any:
    """`scipy.stats.rv_discrete` of values and probabilities that vary."""
    refuse("rv_discrete", "its methods are written when it is made, of text", "sum over the values yourself")
    return opaque((args, kwargs))


REFUSED: tuple[Callable[..., Any], ...] = (
    tukey_hsd, dunnett, poisson_means_test, ppcc_max, wasserstein_distance_nd,
    permutation_test, monte_carlo_test, goodness_of_fit,
)  # fmt: skip
