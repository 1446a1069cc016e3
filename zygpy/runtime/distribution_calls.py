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
from scipy.integrate import quad
from scipy.special import entr

from zygpy.runtime.densities import standard
from zygpy.runtime.instances import method_of
from zygpy.runtime.library_values import as_given


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
    """Another function with the source of a method, and code of its own: functions are known by that."""
    code, names, closure = method.__code__.replace(), method.__globals__, method.__closure__
    copy = FunctionType(code, names, method.__name__, method.__defaults__, closure)
    copy.__kwdefaults__, copy.__qualname__ = method.__kwdefaults__, method.__qualname__
    copy.__module__ = method.__module__
    return copy


def standing(distribution: Any, name: str) -> Callable[..., Any]:
    """What is differentiated where a method of a distribution is called: what has a rule, or
    SciPy's source."""
    found = method_of(distribution, name)
    if found is not None:
        return found
    if type(distribution) is st.rv_histogram and name in OF_HISTOGRAMS:
        return functools.partial(OF_HISTOGRAMS[name], distribution)
    if name in ("ppf", "isf"):
        program = quantile if isinstance(distribution, st.rv_continuous) else quantile_of_counts
        return functools.partial(program, distribution, name)
    return written(distribution, name)


def written(distribution: Any, name: str) -> Callable[..., Any]:
    """SciPy's source of a method, with the distribution as first argument: that of all distributions, which
    one that has a method of its own calls by `super()`."""
    family = st.rv_continuous if isinstance(distribution, st.rv_continuous) else st.rv_discrete
    method = getattr(family, name)
    if method not in ENTERED:
        ENTERED[method] = entered(method)
    return functools.partial(ENTERED[method], distribution)


def quantile(self: Any, name: str, q: Any, *args: Any, loc: Any = 0, scale: Any = 1, **shapes: Any) -> Any:
    """A quantile of a distribution without a rule: one of that in standard form, moved. (SciPy's source also
    moves the ends of the support, which may be infinite.)"""
    count = self.numargs - len(shapes)
    if len(args) > count:
        loc = args[count]
    if len(args) > count + 1:
        scale = args[count + 1]
    inner = [*args[:count], *[shapes[shape] for shape in names_of_shapes(self)[count:]]]
    value = told(self, name, q, inner, loc, scale)
    arrays = [np.asarray(one) for one in (q, *inner)]
    unmoved = self._ppf(*arrays) if name == "ppf" else self._isf(*arrays)
    return as_given(value, loc + unmoved * scale)


def quantile_of_counts(self: Any, name: str, q: Any, *args: Any, loc: Any = 0, **shapes: Any) -> Any:
    """A quantile of a distribution of counts without a rule, which moves with the location alone: it is a
    step by everything else."""
    count = self.numargs - len(shapes)
    if len(args) > count:
        loc = args[count]
    inner = [*args[:count], *[shapes[shape] for shape in names_of_shapes(self)[count:]]]
    value = told_count(self, name, q, inner, loc)
    still = 0.0
    for one in (q, *inner):
        still = still + 0.0 * np.sign(np.asarray(one))
    return as_given(value, loc + still)


def told_count(self: Any, name: str, q: Any, shapes: Any, loc: Any) -> Any:
    """What SciPy's method gives."""
    return getattr(self, name)(q, *shapes, loc=loc)


def names_of_shapes(distribution: Any) -> list[str]:
    """The names of the shape parameters."""
    return [one.strip() for one in distribution.shapes.split(",")] if distribution.shapes else []


def told(self: Any, name: str, x: Any, shapes: Any, loc: Any, scale: Any) -> Any:
    """What SciPy's method gives."""
    return getattr(self, name)(x, *shapes, loc=loc, scale=scale)


def expect(
    self: Any,
    func: Any = None,
    args: Any = (),
    loc: Any = 0,
    scale: Any = 1,
    lb: Any = None,
    ub: Any = None,
    conditional: Any = False,
    **kwds: Any,
) -> Any:
    """`scipy.stats.rv_continuous.expect`, in which infinite ends of the support stay where they are."""
    low, high = self._get_support(*args)
    if lb is None and np.isinf(low):
        lb = low
    if ub is None and np.isinf(high):
        ub = high
    return written(self, "expect")(func, args, loc, scale, lb, ub, conditional, **kwds)


def entropy(self: Any, *args: Any) -> Any:
    """`scipy.stats.rv_continuous._entropy`, to which a density of 0 adds nothing: where it has come down to
    that, the derivative of its entropy is infinite and its own is 0."""

    def part(x: Any) -> Any:
        density = self._pdf(x, *args)
        return entr(density) if density != 0 else 0.0

    low, high = self._get_support(*args)
    with np.errstate(over="ignore"):
        found = quad(part, low, high)[0]
    return written(self, "_entropy")(*args) if np.isnan(found) else found


def moved(self: Any, x: Any, loc: Any, scale: Any, **parameters: Any) -> Any:
    """The `_itransform` of a random variable that is scaled and moved, in which infinite ends of the support
    stay where they are."""
    inside = np.isfinite(x)
    return np.where(inside, np.where(inside, x, 0.0) * scale + loc, infinite(x, scale))[()]


def infinite(x: Any, scale: Any) -> Any:
    """Infinite numbers times others."""
    return np.asarray(x) * scale


def histogram(histogram: Any, density: Any = None) -> Any:
    """`scipy.stats.rv_histogram` of numbers that are constants."""
    if len(histogram) != 2:
        raise ValueError("Expected length 2 for parameter histogram")
    return of_constants(np.asarray(histogram[0]), np.asarray(histogram[1]), density)


def of_constants(counts: Any, borders: Any, density: Any) -> Any:
    """What SciPy makes of them."""
    return st.rv_histogram((counts, borders), density=density)


def of_constant(value: Any, density: Any, borders: Any) -> Any:
    """What follows from a distribution that has to be constant."""
    return value


def histogram_pdf(self: Any, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`pdf` of `scipy.stats.rv_histogram`, which is constant between the borders of bins."""
    value = told(self, "pdf", x, (), loc, scale)
    density = told(self, "pdf", standard(x, loc, scale), (), 0, 1)
    computed = density / scale + 0.0 * (x - loc)
    return as_given(value, of_constant(computed, self._hpdf, self._hbins))


def histogram_logpdf(self: Any, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`logpdf` of `scipy.stats.rv_histogram`."""
    value = told(self, "logpdf", x, (), loc, scale)
    inside = np.isfinite(value)
    return as_given(
        value, of_constant(np.where(inside, -np.log(scale) + 0.0 * (x - loc), 0.0), self._hpdf, self._hbins)
    )


def histogram_cdf(self: Any, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`cdf` of `scipy.stats.rv_histogram`."""
    value = told(self, "cdf", x, (), loc, scale)
    return as_given(
        value,
        of_constant(np.interp(standard(x, loc, scale), self._hbins, self._hcdf), self._hpdf, self._hbins),
    )


def histogram_sf(self: Any, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`sf` of `scipy.stats.rv_histogram`."""
    value = told(self, "sf", x, (), loc, scale)
    return as_given(
        value,
        of_constant(
            1.0 - np.interp(standard(x, loc, scale), self._hbins, self._hcdf), self._hpdf, self._hbins
        ),
    )


def histogram_ppf(self: Any, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`ppf` of `scipy.stats.rv_histogram`."""
    value = told(self, "ppf", q, (), loc, scale)
    return as_given(
        value, of_constant(loc + scale * np.interp(q, self._hcdf, self._hbins), self._hpdf, self._hbins)
    )


def histogram_isf(self: Any, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """`isf` of `scipy.stats.rv_histogram`."""
    value = told(self, "isf", q, (), loc, scale)
    return as_given(
        value, of_constant(loc + scale * np.interp(1.0 - q, self._hcdf, self._hbins), self._hpdf, self._hbins)
    )


OF_HISTOGRAMS = {
    "pdf": histogram_pdf,
    "logpdf": histogram_logpdf,
    "cdf": histogram_cdf,
    "sf": histogram_sf,
    "ppf": histogram_ppf,
    "isf": histogram_isf,
}
"""The programs for methods of distributions that are made of histograms."""


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
