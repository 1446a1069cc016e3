"""Methods of distributions, and the making of frozen ones, as programs; loaded with SciPy alone.

Distributions are objects. Where one is named in a program its methods have rules; these programs stand for
the methods of one that is found when the program runs, such as that of a frozen distribution.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import scipy.stats as st

from zygpy.runtime.instances import method_of


def named(distribution: Any, name: str, owner: str) -> Callable[..., Any]:
    """A function that calls a method of a distribution, of which rules can be declared."""

    def call(*args: Any, **keywords: Any) -> Any:
        return method(*args, **keywords)

    method = getattr(distribution, name)
    call.__name__, call.__qualname__ = name, f"{owner}.{name}"
    call.__module__ = f"scipy.stats.{owner}"
    return call


ENTERED: dict[Any, FunctionType] = {}
"""SciPy's methods, as other functions with the same source."""


def entered(method: Any) -> FunctionType:
    """Another function with the source of a method."""
    copy = FunctionType(method.__code__, method.__globals__, method.__name__, method.__defaults__)
    copy.__kwdefaults__, copy.__qualname__ = method.__kwdefaults__, method.__qualname__
    copy.__module__ = method.__module__
    return copy


def standing(distribution: Any, name: str) -> Callable[..., Any]:
    """What is differentiated where a method of a distribution is called: what has a rule, or
    SciPy's source."""
    found = method_of(distribution, name)
    if found is not None:
        return found
    method = getattr(type(distribution), name)
    if method not in ENTERED:
        ENTERED[method] = entered(method)
    return functools.partial(ENTERED[method], distribution)


def pdf(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.pdf`."""
    return standing(self, "pdf")(x, *args, **kwds)


def logpdf(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.logpdf`."""
    return standing(self, "logpdf")(x, *args, **kwds)


def pmf(self: Any, k: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_discrete.pmf`."""
    return standing(self, "pmf")(k, *args, **kwds)


def logpmf(self: Any, k: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_discrete.logpmf`."""
    return standing(self, "logpmf")(k, *args, **kwds)


def cdf(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.cdf`."""
    return standing(self, "cdf")(x, *args, **kwds)


def logcdf(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.logcdf`."""
    return standing(self, "logcdf")(x, *args, **kwds)


def sf(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.sf`."""
    return standing(self, "sf")(x, *args, **kwds)


def logsf(self: Any, x: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.logsf`."""
    return standing(self, "logsf")(x, *args, **kwds)


def cdf_of_counts(self: Any, k: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_discrete.cdf`."""
    return standing(self, "cdf")(k, *args, **kwds)


def logcdf_of_counts(self: Any, k: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_discrete.logcdf`."""
    return standing(self, "logcdf")(k, *args, **kwds)


def sf_of_counts(self: Any, k: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_discrete.sf`."""
    return standing(self, "sf")(k, *args, **kwds)


def logsf_of_counts(self: Any, k: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_discrete.logsf`."""
    return standing(self, "logsf")(k, *args, **kwds)


def ppf(self: Any, q: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.ppf`."""
    return standing(self, "ppf")(q, *args, **kwds)


def isf(self: Any, q: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_continuous.isf`."""
    return standing(self, "isf")(q, *args, **kwds)


def freeze(self: Any, dist: Any, *args: Any, **kwds: Any) -> None:
    """The `__init__` of frozen distributions, which makes another distribution of the same sort."""
    self.args = args
    self.kwds = kwds
    self.dist = same_again(dist)
    low, high = bounds(self.dist, args, kwds)
    if not has_fixed_support(dist):
        total = 0.0
        for given in (*args, *kwds.values()):
            total = total + np.sum(given)
        low, high = bound_by(low, total), bound_by(high, total)
    self.a, self.b = low, high


def bound_by(bound: Any, parameters: Any) -> Any:
    """An end of the support, which depends on parameters."""
    return bound


def same_again(distribution: Any) -> Any:
    """Another distribution of the same sort."""
    return distribution.__class__(**distribution._updated_ctor_param())


def has_fixed_support(distribution: Any) -> bool:
    """Whether the support of a distribution in standard form does not depend on shape parameters."""
    return type(distribution)._get_support is st.rv_continuous._get_support


def bounds(distribution: Any, args: Any, kwds: Any) -> Any:
    """The support in standard form."""
    shapes, _, _ = distribution._parse_args(*args, **kwds)
    return distribution._get_support(*shapes)


CONTINUOUS = (pdf, logpdf, cdf, logcdf, sf, logsf, ppf, isf)
DISCRETE = {
    "pmf": pmf,
    "logpmf": logpmf,
    "cdf": cdf_of_counts,
    "logcdf": logcdf_of_counts,
    "sf": sf_of_counts,
    "logsf": logsf_of_counts,
    "ppf": ppf,
    "isf": isf,
}
