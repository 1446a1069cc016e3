"""Programs that stand for functions of NumPy in calls with keywords that their rules do not know."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from zygpy.errors import UnsupportedSyntaxError
from zygpy.runtime.numbers import as_real_as
from zygpy.runtime.numpys_value import as_numpy_gives, numpys
from zygpy.runtime.selections import elements_at, numbered
from zygpy.runtime.ufunc_programs import check_everywhere

# ------------------------------------------------------------------------- reductions that leave NaN out


def numbers_alone(a: Any, instead: Any) -> Any:
    """The array with something else in the place of NaN."""
    return np.where(np.isnan(a), instead, a)


def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    keepdims: Any = False,
    initial: Any = 0,
    where: Any = True,
) -> Any:
    """`np.nansum`."""
    options = {"keepdims": keepdims, "initial": initial, "where": where}
    value = numpys(np.nansum, (a, axis, dtype), options)
    numbers = numbers_alone(a, 0)
    total = np.sum(numbers, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)
    return as_numpy_gives(value, total)


def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    keepdims: Any = False,
    initial: Any = 1,
    where: Any = True,
) -> Any:
    """`np.nanprod`."""
    options = {"keepdims": keepdims, "initial": initial, "where": where}
    value = numpys(np.nanprod, (a, axis, dtype), options)
    numbers = numbers_alone(a, 1)
    product = np.prod(numbers, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)
    return as_numpy_gives(value, product)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False, where: Any = True) -> Any:
    """`np.nanmean`."""
    value = numpys(np.nanmean, (a, axis, dtype), {"keepdims": keepdims, "where": where})
    count = np.maximum(np.sum(chosen_numbers(a, where), axis=axis, keepdims=keepdims), 1)
    numbers = np.where(chosen_numbers(a, where), numbers_alone(a, 0), 0)
    return as_numpy_gives(value, np.sum(numbers, axis=axis, dtype=dtype, keepdims=keepdims) / count)


def chosen_numbers(a: Any, where: Any) -> Any:
    """Which elements a mask leaves that are not NaN."""
    return np.logical_and(~np.isnan(a), where)


def nanmax(a: Any, axis: Any = None, *, keepdims: Any = False, **options: Any) -> Any:
    """`np.nanmax`."""
    value = numpys(np.nanmax, (a, axis), {"keepdims": keepdims, **options})
    numbers = numbers_alone(a, -np.inf)
    initial, where = options.get("initial", -np.inf), options.get("where", True)
    largest = np.max(numbers, axis=axis, keepdims=keepdims, initial=initial, where=where)
    return as_numpy_gives(value, largest)


def nanmin(a: Any, axis: Any = None, *, keepdims: Any = False, **options: Any) -> Any:
    """`np.nanmin`."""
    value = numpys(np.nanmin, (a, axis), {"keepdims": keepdims, **options})
    numbers = numbers_alone(a, np.inf)
    initial, where = options.get("initial", np.inf), options.get("where", True)
    smallest = np.min(numbers, axis=axis, keepdims=keepdims, initial=initial, where=where)
    return as_numpy_gives(value, smallest)


def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: Any = 0,
    keepdims: Any = False,
    **options: Any,
) -> Any:
    """`np.nanvar`."""
    value = numpys(np.nanvar, (a, axis, dtype), {"ddof": ddof, "keepdims": keepdims, **options})
    return as_numpy_gives(value, variance_of_numbers(a, axis, dtype, ddof, keepdims, options))


def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    *,
    ddof: Any = 0,
    keepdims: Any = False,
    **options: Any,
) -> Any:
    """`np.nanstd`, whose derivative is 0 where it is 0."""
    value = numpys(np.nanstd, (a, axis, dtype), {"ddof": ddof, "keepdims": keepdims, **options})
    variance = variance_of_numbers(a, axis, dtype, ddof, keepdims, options)
    return as_numpy_gives(value, np.sqrt(np.where(variance == 0, 1, variance)))


def variance_of_numbers(a: Any, axis: Any, dtype: Any, ddof: Any, keepdims: Any, options: Any) -> Any:
    """The variance of what is not NaN and what a mask leaves, about a given mean or its own."""
    kept = chosen_numbers(a, options.get("where", True))
    numbers = np.where(kept, numbers_alone(a, 0), 0)
    if "mean" in options:
        mean = options["mean"] if np.result_type(a).kind != "f" else np.real(options["mean"])  # as NumPy does
    else:
        mean = np.sum(numbers, axis=axis, keepdims=True) / np.maximum(
            np.sum(kept, axis=axis, keepdims=True), 1
        )
        mean = mean if dtype is None else as_real_as(mean, dtype)
    deviations = np.where(kept, numbers - mean, 0)
    less = options.get("correction", ddof)
    count = np.sum(kept, axis=axis, keepdims=keepdims) - less
    squares = np.real(deviations * np.conjugate(deviations))
    return np.sum(squares, axis=axis, dtype=dtype, keepdims=keepdims) / np.where(count > 0, count, np.inf)


# --------------------------------------------------------------------------------- ranges and samples


def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """`np.linspace` with the step."""
    whole = np.linspace(start, stop, num, endpoint, dtype=dtype, axis=axis)
    if not retstep:
        return whole
    value = numpys(np.linspace, (start, stop, num, endpoint, retstep, dtype, axis), {})[1]
    parts = num - 1 if endpoint else num
    if parts <= 0:
        return whole, value
    return whole, as_numpy_gives(value, (np.asarray(stop) - start) / parts)


def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> Any:
    """`np.logspace` along an axis and as numbers of a dtype."""
    value = numpys(np.logspace, (start, stop, num, endpoint, base, dtype, axis), {})
    whole = np.moveaxis(np.logspace(start, stop, num, endpoint, base), 0, axis)
    return as_numpy_gives(value, whole if dtype is None else whole.astype(dtype))


def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> Any:
    """`np.geomspace` along an axis and as numbers of a dtype."""
    value = numpys(np.geomspace, (start, stop, num, endpoint, dtype, axis), {})
    precise = np.result_type(start, stop, float(num), np.zeros((), dtype))
    first, last = np.asarray(start).astype(precise), np.asarray(stop).astype(precise)
    whole = np.moveaxis(np.geomspace(first, last, num, endpoint), 0, axis)
    return as_numpy_gives(value, whole if dtype is None else whole.astype(dtype))


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """`np.interp` of a function with a period, where nothing is outside."""
    if period is None:
        return np.interp(x, xp, fp, left, right)
    value = numpys(np.interp, (x, xp, fp, left, right, period), {})
    length = abs(period)
    knots = np.real(np.asarray(xp)) % length
    order = np.argsort(knots)
    inner, heights = knots[order], np.asarray(fp)[order]
    around = np.concatenate([inner[-1:] - length, inner, inner[:1] + length])
    repeated = np.concatenate([heights[-1:], heights, heights[:1]])
    return as_numpy_gives(value, np.interp(np.real(np.asarray(x)) % length, around, repeated))


def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:  # noqa: N803
    """`np.vander` with the powers in either order."""
    powers = np.vander(x, N)
    return np.ascontiguousarray(np.flip(powers, 1)) if increasing else powers


# ------------------------------------------------------------------------------------------ quantiles


def places_of_quantiles(a: Any, y: Any, axis: Any, rank: int, keepdims: Any) -> Any:
    """The place of the first element that is equal to each quantile, which are elements themselves."""
    array = np.asarray(a)
    axes = tuple(range(array.ndim)) if axis is None else np.atleast_1d(axis) % array.ndim
    moved = tuple(int(one) for one in axes)
    kept = tuple(one for one in range(array.ndim) if one not in moved)
    merged = array.transpose(kept + moved).reshape(*(array.shape[one] for one in kept), -1)
    numbers = numbered(array.shape).transpose(kept + moved).reshape(merged.shape)
    flat = np.reshape(y, (*np.shape(y)[:rank], *merged.shape[:-1], 1))
    first = (merged == flat).argmax(-1)
    found = np.take_along_axis(
        np.broadcast_to(numbers, (*first.shape, merged.shape[-1])), first[..., None], -1
    )
    return found.reshape(np.shape(y))


def weighted(name: str, a: Any, q: Any, axis: Any, options: Any) -> Any:
    """Quantiles with weights, which are elements: steps, as functions of `q` and of the weights."""
    value = numpys(getattr(np, name), (a, q, axis), options)
    places = places_of_quantiles(a, value, axis, np.ndim(q), options.get("keepdims", False))
    return as_numpy_gives(value, elements_at(a, places))


def quantile(a: Any, q: Any, axis: Any = None, *, weights: Any = None, **options: Any) -> Any:
    """`np.quantile` with weights."""
    if weights is None:
        return np.quantile(a, q, axis, **options)
    return weighted("quantile", a, q, axis, {"weights": weights, **options})


def percentile(a: Any, q: Any, axis: Any = None, *, weights: Any = None, **options: Any) -> Any:
    """`np.percentile` with weights."""
    if weights is None:
        return np.percentile(a, q, axis, **options)
    return weighted("percentile", a, q, axis, {"weights": weights, **options})


def nanquantile(a: Any, q: Any, axis: Any = None, *, weights: Any = None, **options: Any) -> Any:
    """`np.nanquantile` with weights, or of several rows."""
    check_layout(q, axis)
    if weights is not None:
        return weighted("nanquantile", a, q, axis, {"weights": weights, **options})
    if np.ndim(q) < 2:
        return np.nanquantile(a, q, axis, **options)
    rows = np.nanquantile(a, np.ravel(q), axis, **options)
    return np.reshape(rows, np.shape(q) + np.shape(rows)[1:])


def nanpercentile(a: Any, q: Any, axis: Any = None, *, weights: Any = None, **options: Any) -> Any:
    """`np.nanpercentile` with weights, or of several rows."""
    check_layout(q, axis)
    if weights is not None:
        return weighted("nanpercentile", a, q, axis, {"weights": weights, **options})
    if np.ndim(q) < 2:
        return np.nanpercentile(a, q, axis, **options)
    rows = np.nanpercentile(a, np.ravel(q), axis, **options)
    return np.reshape(rows, np.shape(q) + np.shape(rows)[1:])


def check_layout(q: Any, axis: Any) -> None:
    """Refuse several rows of quantiles over several axes, which NumPy puts in an order of its own."""
    if np.ndim(q) > 1 and np.ndim(axis) > 0 and len(axis) != 1:
        raise UnsupportedSyntaxError(
            "quantiles without NaN are asked for in several rows, over several axes.",
            why="NumPy does not put the axes of the quantiles first there",
            instead="give it the quantiles in one row, and reshape the result",
        )


# --------------------------------------------------------------------------------------------- joining


def parts_as(arrays: Any, options: Any) -> Any:
    """What is joined, as numbers of the dtype that a call asks for."""
    return [cast(one, options) for one in arrays]


def concatenate(arrays: Any, axis: Any = 0, **options: Any) -> Any:
    """`np.concatenate` as numbers of a dtype."""
    value = numpys(np.concatenate, (arrays, axis), options)
    return as_numpy_gives(value, np.concatenate(parts_as(arrays, options), axis))


def stack(arrays: Any, axis: Any = 0, **options: Any) -> Any:
    """`np.stack` as numbers of a dtype."""
    value = numpys(np.stack, (arrays, axis), options)
    return as_numpy_gives(value, np.stack(parts_as(arrays, options), axis))


def vstack(tup: Any, **options: Any) -> Any:
    """`np.vstack` as numbers of a dtype."""
    value = numpys(np.vstack, (tup,), options)
    return as_numpy_gives(value, np.vstack(parts_as(tup, options)))


def hstack(tup: Any, **options: Any) -> Any:
    """`np.hstack` as numbers of a dtype."""
    value = numpys(np.hstack, (tup,), options)
    return as_numpy_gives(value, np.hstack(parts_as(tup, options)))


# ---------------------------------------------------------------------------------------------- others


def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    """`np.intersect1d` with the places."""
    if not return_indices:
        return np.intersect1d(ar1, ar2, assume_unique)
    value = numpys(np.intersect1d, (ar1, ar2, assume_unique, return_indices), {})
    common = np.intersect1d(ar1, ar2, assume_unique)
    return as_numpy_gives(value[0], common), value[1], value[2]


def clip(
    a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None,
    dtype: Any = None, where: Any = True, **options: Any,
) -> Any:  # fmt: skip
    """`np.clip` as numbers of a dtype."""
    low, high = a_min if min is None else min, a_max if max is None else max
    check_no_mask(np.clip, where, out)
    value = numpys(np.clip, (a, low, high), {"dtype": dtype, **options})
    bounds = [one if one is None else cast(one, {"dtype": dtype}) for one in (low, high)]
    return as_numpy_gives(value, np.clip(cast(a, {"dtype": dtype}), bounds[0], bounds[1]))


def check_no_mask(function: Any, where: Any, out: Any) -> None:
    """Refuse an `out` that was not seen, and a mask without one."""
    if out is not None:
        raise UnsupportedSyntaxError(
            f"'{function.__name__}' is called with 'out' in a way that was not seen before.",
            why="the store of the result is written where the call is",
            instead="call it by its name, with 'out=' alone by keyword",
        )
    check_everywhere(function, where)


def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """`np.convolve` of numbers."""
    return np.convolve(np.atleast_1d(a), np.atleast_1d(v), mode)


def polyval(p: Any, x: Any) -> Any:
    """`np.polyval` of coefficients that may be arrays."""
    points = np.asarray(x)
    value = np.zeros_like(points)
    for coefficient in np.asarray(p):
        value = value * points + coefficient
    return value


def subscripts_of(lists: Any, output: Any) -> str:
    """Lists of labels as the text that `np.einsum` takes.

    >>> subscripts_of([[0, 1], [1, Ellipsis]], [0, Ellipsis])
    'ab,b...->a...'
    """
    letters = string.ascii_lowercase + string.ascii_uppercase

    def text(labels: Any) -> str:
        return "".join("..." if label is Ellipsis else letters[label] for label in labels)

    inputs = ",".join(text(labels) for labels in lists)
    return inputs if output is None else f"{inputs}->{text(output)}"


def einsum_of_lists(*given: Any, **options: Any) -> Any:
    """`np.einsum` of operands that are followed by lists of labels."""
    count = len(given) // 2
    output = given[2 * count] if len(given) > 2 * count else None
    subscripts = subscripts_of(given[1 : 2 * count : 2], output)
    return np.einsum(subscripts, *given[0 : 2 * count : 2], **options)


def einsum(subscripts: Any, *operands: Any, optimize: Any = False, **options: Any) -> Any:
    """`np.einsum` as numbers of a dtype, or in an order."""
    if len(operands) == 1:
        value = numpys(np.einsum, (subscripts, *operands), {"optimize": optimize, **options})
        if np.may_share_memory(value, operands[0]):
            return np.einsum(subscripts, operands[0])
        return as_numpy_gives(value, np.einsum(subscripts, cast(operands[0], options)))
    value = numpys(np.einsum, (subscripts, *operands), {"optimize": optimize, **options})
    return as_numpy_gives(value, np.einsum(subscripts, *[cast(one, options) for one in operands]))


def cast(operand: Any, options: Any) -> Any:
    """An operand as numbers of the dtype that a call asks for."""
    dtype = options.get("dtype")
    return operand if dtype is None else np.asarray(operand).astype(dtype)
