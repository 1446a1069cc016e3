"""Draws from the distributions of `scipy.stats` as programs; loaded with SciPy alone.

With the source of random numbers in a given state, a draw is `z * scale + loc`, and `z` what the
distribution's own sampler makes of standard numbers (`draw_programs`), which is entered.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.stats as st
from scipy._lib._util import check_random_state
from scipy.stats._distn_infrastructure import rv_sample

from zygpy.runtime.distribution_calls import names_of_shapes, standing
from zygpy.runtime.distribution_edges import beside
from zygpy.runtime.instances import method_of
from zygpy.runtime.library_values import as_given


def drawn(
    self: Any,
    *args: Any,
    loc: Any = None,
    scale: Any = None,
    size: Any = None,
    random_state: Any = None,
    **kwds: Any,
) -> Any:
    """`scipy.stats.rv_continuous.rvs`."""
    form = size_of_draws(self, args, kwds, loc, scale, size)
    count = self.numargs - len(kwds)
    loc = args[count] if len(args) > count else 0 if loc is None else loc
    scale = args[count + 1] if len(args) > count + 1 else 1 if scale is None else scale
    given = [*args[:count], *[kwds[name] for name in names_of_shapes(self)[count:]]]
    common = np.broadcast_shapes(*[np.shape(value) for value in (*given, loc, scale)])
    shapes, loc, scale = (
        [spread(value, common) for value in given],
        spread(loc, common),
        spread(scale, common),
    )
    if np.all(scale == 0):
        return beside(loc * np.ones(form), scale)
    return standard_draws(self, shapes, form, source_of(self, random_state)) * scale + loc


def standard_draws(self: Any, shapes: Any, size: Any, source: Any) -> Any:
    """Draws from the distribution in standard form."""
    way = way_of_drawing(self)
    if way == "quantiles":
        return standing(self, "ppf")(source.uniform(size=size), *shapes)
    if way == "entered":
        return self._rvs(*shapes, size=size, random_state=source)
    return sampled(self, size, source, *shapes)


SMOOTH = frozenset(
    [
        *("exponnorm", "fatiguelife", "foldcauchy", "foldnorm", "lognorm", "rice", "skewnorm", "dweibull"),
        *("dpareto_lognorm",),
    ]
)
"""Distributions with shape parameters whose samplers make a draw of standard numbers in a smooth way."""


def way_of_drawing(distribution: Any) -> str:
    """How draws are followed: as quantiles by a rule, by entering the sampler, or not by shapes.

    >>> [way_of_drawing(one) for one in (st.weibull_min, st.lognorm, st.gamma, st.norm)]
    ['quantiles', 'entered', 'sampled', 'sampled']
    """
    family = type(distribution)
    if not distribution.shapes:
        return "sampled" if is_of_scipy(family._rvs) else "entered"
    if family._rvs is not st.rv_continuous._rvs:
        return "entered" if distribution.name in SMOOTH or not is_of_scipy(family._rvs) else "sampled"
    if method_of(distribution, "ppf") is not None:
        return "quantiles"
    return "sampled" if family._ppf is st.rv_continuous._ppf else "entered"


def is_of_scipy(method: Any) -> bool:
    """Whether a method is SciPy's own."""
    return str(method.__module__).startswith("scipy.")


def sampled(distribution: Any, size: Any, source: Any, *shapes: Any) -> Any:
    """What SciPy draws from the distribution in standard form."""
    return distribution._rvs(*shapes, size=size, random_state=source)


def spread(value: Any, form: Any) -> Any:
    """A parameter in the common shape of all, without its first axes of length 1."""
    return np.reshape(np.broadcast_to(np.asarray(value), form), without_ones(form))


def without_ones(form: tuple[int, ...]) -> tuple[int, ...]:
    """A shape without its first axes of length 1.

    >>> without_ones((1, 1, 3, 1))
    (3, 1)
    """
    first = next((place for place, length in enumerate(form) if length != 1), len(form))
    return form[first:]


def size_of_draws(
    distribution: Any, args: Any, kwds: Any, loc: Any, scale: Any, size: Any
) -> tuple[int, ...]:
    """The shape of what is drawn; raises what SciPy raises."""
    others = {"loc": loc, "scale": scale, "size": size}
    kwds = kwds | {name: value for name, value in others.items() if value is not None}
    shapes, _, spread_by, found = distribution._parse_args_rvs(*args, **kwds)
    if not np.all(np.logical_and(distribution._argcheck(*shapes), spread_by >= 0)):
        distribution.rvs(*args, **kwds)
    return tuple(found)


def source_of(distribution: Any, given: Any) -> Any:
    """The source of random numbers that is given, or made of a seed, or else the distribution's own."""
    return distribution._random_state if given is None else check_random_state(given)


def drawn_counts(self: Any, *args: Any, **kwds: Any) -> Any:
    """`scipy.stats.rv_discrete.rvs`, whose whole numbers change in steps."""
    value = told_draws(self, args, kwds)
    loc = args[self.numargs] if len(args) > self.numargs else kwds.get("loc", 0)
    return value if is_rounded(self) else as_given(value, loc * np.ones(np.shape(value)))


def told_draws(distribution: Any, args: Any, kwds: Any) -> Any:
    """What SciPy draws."""
    return distribution.rvs(*args, **kwds)


def is_rounded(distribution: Any) -> bool:
    """Whether draws are made whole numbers, wherever they lie."""
    return not isinstance(distribution, rv_sample)
