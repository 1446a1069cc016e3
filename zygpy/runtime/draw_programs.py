"""Draws from a source of random numbers as functions of the parameters of their distribution.

With the source in a given state a draw is a function of the parameters, and what is here is its derivative:
that of `loc + scale * z`, say, where `z` is what the source gives for the standard distribution. (Figurnov,
Mohamed and Mnih 2018, Implicit reparameterization gradients, tell such draws from those that reject some
numbers, whose parameters have no derivative that an average over draws would have.)

The programs give what NumPy gives, and leave the source as NumPy does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from zygpy.runtime.draws import SOURCES
from zygpy.runtime.library_values import as_given


def standard(source: Any, name: str, parameters: tuple[Any, ...], size: Any, *given: Any) -> Any:
    """What a source gives for a standard distribution, as many as the parameters and the size ask for.

    >>> standard(np.random.default_rng(1), "random", (0.0, np.ones(3)), None).shape
    (3,)
    """
    shape = np.broadcast_shapes(*[np.shape(parameter) for parameter in parameters])
    if size is None:
        return getattr(source, name)(*given, size=shape or None)
    drawn = getattr(source, name)(*given, size=size)
    if np.broadcast_shapes(shape, np.shape(drawn)) != np.shape(drawn):
        raise ValueError(
            f"Output size {np.shape(drawn)} is not compatible with broadcast dimensions of inputs {shape}."
        )
    return drawn


def numbers(parameter: Any) -> Any:
    """A parameter as NumPy takes it, in double precision.

    >>> numbers([1, 2]), numbers(np.float32(0.5)).dtype, numbers(2)
    (array([1., 2.]), dtype('float64'), 2)
    """
    given = np.asarray(parameter) if isinstance(parameter, list | tuple) else parameter
    if not isinstance(given, np.ndarray | np.generic) or given.dtype == np.float64:
        return given
    if given.dtype.kind == "c":
        raise TypeError("a parameter of a distribution is complex")
    return given.astype(np.float64)


def check_not_negative(name: str, value: Any) -> None:
    """Raise what NumPy raises where a parameter must not be negative."""
    if np.any(np.signbit(value) & ~np.isnan(value)):
        raise ValueError(f"{name} < 0")


def located(source: Any, name: str, loc: Any, scale: Any, size: Any, *given: Any) -> Any:
    """Draws from a distribution with a place and a scale."""
    loc, scale = numbers(loc), numbers(scale)
    check_not_negative("scale", scale)
    return loc + scale * standard(source, name, (loc, scale), size, *given)


def normal(source: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`normal`."""
    return located(source, "standard_normal", loc, scale, size)


def uniform(source: Any, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """`uniform`."""
    low, high = numbers(low), numbers(high)
    check_span(low, high)
    return low + (high - low) * standard(source, "random", (low, high), size)


def check_span(low: Any, high: Any) -> None:
    """Raise what NumPy raises where an interval is none."""
    span = np.asarray(np.subtract(high, low))
    if not np.all(np.isfinite(span)):
        raise OverflowError("Range exceeds valid bounds")
    if np.any(np.signbit(span)):
        raise ValueError("high - low < 0")


def exponential(source: Any, scale: Any = 1.0, size: Any = None) -> Any:
    """`exponential`."""
    scale = numbers(scale)
    check_not_negative("scale", scale)
    return scale * standard(source, "standard_exponential", (scale,), size)


def gumbel(source: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`gumbel`."""
    return located(source, "gumbel", loc, scale, size, 0.0, 1.0)


def laplace(source: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`laplace`."""
    return located(source, "laplace", loc, scale, size, 0.0, 1.0)


def logistic(source: Any, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """`logistic`."""
    return located(source, "logistic", loc, scale, size, 0.0, 1.0)


def lognormal(source: Any, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    """`lognormal`."""
    mean, sigma = numbers(mean), numbers(sigma)
    check_not_negative("sigma", sigma)
    return np.exp(mean + sigma * standard(source, "standard_normal", (mean, sigma), size))


def rayleigh(source: Any, scale: Any = 1.0, size: Any = None) -> Any:
    """`rayleigh`."""
    scale = numbers(scale)
    check_not_negative("scale", scale)
    return scale * standard(source, "rayleigh", (scale,), size, 1.0)


def weibull(source: Any, a: Any, size: Any = None) -> Any:
    """`weibull`: a power of a number from the standard exponential distribution."""
    a = numbers(a)
    drawn = as_it_is("weibull", source, a, size)
    return as_given(drawn, to_the_power(drawn, a) ** (1 / a))


def pareto(source: Any, a: Any, size: Any = None) -> Any:
    """`pareto`."""
    a = numbers(a)
    drawn = as_it_is("pareto", source, a, size)
    return as_given(drawn, np.expm1(logarithms(drawn, a) / a))


def power(source: Any, a: Any, size: Any = None) -> Any:
    """`power`."""
    a = numbers(a)
    drawn = as_it_is("power", source, a, size)
    return as_given(drawn, to_the_power(drawn, a) ** (1 / a))


def as_it_is(name: str, source: Any, *given: Any) -> Any:
    """What a source gives, as a constant."""
    return getattr(source, name)(*given)


def to_the_power(drawn: Any, a: Any) -> Any:
    """The standard numbers behind those of which these are roots, as constants."""
    return drawn**a


def logarithms(drawn: Any, a: Any) -> Any:
    """The standard numbers behind those that grow exponentially with them, as constants."""
    return np.log1p(drawn) * a


def choice(
    source: Any,
    a: Any,
    size: Any = None,
    replace: Any = True,
    p: Any = None,
    axis: Any = 0,
    shuffle: Any = True,
) -> Any:
    """`choice` among the numbers of an array or list."""
    items = np.asarray(a)
    return np.take(items, chosen_places(source, np.shape(items)[axis], size, replace, p, shuffle), axis)


def chosen_places(source: Any, count: int, size: Any, replace: Any, p: Any, shuffle: Any) -> Any:
    """The places of what a source chooses among so many items."""
    options = {} if isinstance(source, np.random.RandomState) else {"shuffle": shuffle}
    return source.choice(count, size, replace, p, **options)


def places_before(source: Any, count: int) -> Any:
    """Where a source takes from what it puts at each place, when it puts so many items in another order."""
    return source.permutation(count)


def permutation(source: Any, x: Any, axis: Any = 0) -> Any:
    """`permutation` of the numbers of an array or list."""
    items = np.asarray(x)
    return np.take(items, places_before(source, np.shape(items)[axis]), axis)


def shuffle(source: Any, x: Any, axis: Any = 0) -> None:
    """`shuffle` of an array of numbers, or of a list."""
    if isinstance(x, list):
        x[:] = [x[place] for place in places_before(source, len(x)).tolist()]
    else:
        x[...] = np.take(x, places_before(source, np.shape(x)[axis]), axis)


OF_NUMBERS: Mapping[str, Callable[..., Any]] = {
    "normal": normal,
    "uniform": uniform,
    "exponential": exponential,
    "gumbel": gumbel,
    "laplace": laplace,
    "logistic": logistic,
    "lognormal": lognormal,
    "rayleigh": rayleigh,
    "weibull": weibull,
    "pareto": pareto,
    "power": power,
}
"""The programs for draws from distributions of numbers."""

OF_ITEMS: Mapping[str, Callable[..., Any]] = {
    "choice": choice,
    "permutation": permutation,
    "shuffle": shuffle,
}
"""Those for what chooses or arranges the items that it is given."""

STANDARD = frozenset(
    [
        "random",
        "random_sample",
        "standard_normal",
        "standard_exponential",
        "standard_cauchy",
        "rand",
        "randn",
        "bytes",
        "bit_generator",
        "get_state",
        "set_state",
        "getstate",
        "setstate",
        "seed",
        "spawn",
        "jumped",
        "random_raw",
        "getrandbits",
        "randbytes",
        "generate_state",
    ]
)
"""Methods that are given sizes, seeds and states."""

COUNTS = frozenset(
    [
        "integers",
        "randint",
        "random_integers",
        "tomaxint",
        "binomial",
        "poisson",
        "geometric",
        "hypergeometric",
        "logseries",
        "negative_binomial",
        "multinomial",
        "multivariate_hypergeometric",
        "zipf",
    ]
)
"""Methods whose results are counts, which change in steps."""


MAKERS = (
    *(np.random.default_rng, np.random.seed, np.random.RandomState, np.random.Generator),
    *(np.random.SeedSequence, np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937),
    *(np.random.Philox, np.random.SFC64),
)
"""What makes a source, or sets it to a seed."""


def draws_as_it_stands(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a callable makes a source of random numbers, or is a method of one that gives what has no
    derivative by what it is given.

    >>> rng = np.random.default_rng(1)
    >>> [draws_as_it_stands(rng.random, (3,), {}), draws_as_it_stands(rng.normal, (3.0,), {})]
    [True, False]
    """
    if any(function is maker for maker in MAKERS):
        return True
    if not is_drawing(function) or "out" in kwargs:
        return False
    name, given = function.__name__, (*args, *kwargs.values())
    if name in OF_ITEMS:
        return bool(args) and isinstance(args[0], int | np.integer)
    if name in COUNTS:
        return True
    return name in STANDARD and not any(_holds_floats(value) for value in given)


def _holds_floats(value: Any) -> bool:
    """Whether a value may be an array in which something is stored."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "fcO"


def program_of_draw(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The program for a method of a source of random numbers; None if it has none."""
    name = function.__name__
    if name in OF_ITEMS:
        return OF_ITEMS[name] if args and _are_numbers(args[0], name) else None
    return OF_NUMBERS.get(name)


def _are_numbers(value: Any, name: str) -> bool:
    """Whether items are numbers (or in a list that is arranged in place)."""
    if type(value) is list and name == "shuffle":
        return True
    if type(value) in (list, tuple) and name != "shuffle":
        return np.asarray(value).dtype.kind in "biufc"
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufc" and value.ndim > 0


def is_drawing(function: Any) -> bool:
    """Whether a callable is a method, not in Python, of a source of random numbers.

    >>> from random import Random
    >>> is_drawing(np.random.normal), is_drawing(Random(1).gauss), is_drawing(Random(1).random)
    (True, False, True)
    """
    source = getattr(function, "__self__", None)
    if not isinstance(source, (*SOURCES, np.random.SeedSequence)) or isinstance(function, FunctionType):
        return False
    return not (isinstance(function, MethodType) and isinstance(function.__func__, FunctionType))
