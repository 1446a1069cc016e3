"""The program that stands for `np.gradient`: central differences inside, one-sided ones at the ends.

Of places that are all equally far apart NumPy takes one distance for all: the value is that of the shorter
formula, the derivatives are those of the general one, in which each place has its own share.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from zygpy.runtime.numpys_value import as_numpy_gives, numpys

NUMPYS = inspect.unwrap(np.gradient)


def slopes_transpose(value: Any, spacing: Any = 1.0) -> Any:
    """The transpose of `np.gradient` of a vector at equal distances.

    >>> slopes_transpose(np.array([1.0, 0.0, 2.0])).tolist()
    [-1.0, -1.0, 2.0]
    """
    inside, first, last = value[1:-1] / (2.0 * spacing), value[0] / spacing, value[-1] / spacing
    result = np.zeros(len(value), np.result_type(inside, first))
    result[2:] += inside
    result[:-2] -= inside
    result[1] += first
    result[0] -= first
    result[-1] += last
    result[-2] -= last
    return result


def check_slopes(f: Any, spacings: Any, axis: Any = None, edge_order: Any = 1) -> None:
    """Raise what NumPy raises for such arguments, or say that they are no numbers."""
    NUMPYS(f, *spacings, axis=axis, edge_order=edge_order)
    raise TypeError(f"np.gradient of an array of {np.asarray(f).dtype} has no derivative")


def slopes(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """`np.gradient`, with the same roundings."""
    values = np.asarray(f)
    rank = np.ndim(values)
    axes = list(range(rank)) if axis is None else list(normalize_axis_tuple(axis, rank))
    one_for_all = len(varargs) == 1 and np.ndim(varargs[0]) == 0
    shortest = min([np.shape(values)[one] for one in axes], default=0)
    if (
        values.dtype.kind not in "fciu"
        or len(varargs) not in (0, len(axes), 1 if one_for_all else 0)
        or edge_order > 2
        or shortest < edge_order + 1
    ):
        check_slopes(f, varargs, axis, edge_order)
    if values.dtype.kind in "iu":
        values = values.astype(np.float64)
    results = []
    for place in range(len(axes)):
        spacing: Any = varargs[0 if one_for_all else place] if varargs else 1.0
        rows = np.moveaxis(values, axes[place], 0)
        gaps = spacing if np.ndim(spacing) == 0 else gaps_between(spacing, len(rows))
        whole = joined_slopes(rows, gaps, edge_order, values.dtype)
        if np.ndim(gaps) == 1 and np.all(gaps == gaps[0]):
            value = numpys(joined_slopes, (rows, gaps[0], edge_order, values.dtype), {})
            whole = as_numpy_gives(value, whole)
        results.append(np.moveaxis(whole, 0, axes[place]))
    return results[0] if len(results) == 1 else tuple(results)


def gaps_between(places: Any, count: Any) -> Any:
    """The distances of so many places."""
    given = np.asarray(places)
    if np.ndim(given) != 1 or len(given) != count:
        check_slopes(np.zeros(count), (places,))
    if given.dtype.kind in "iu":
        given = given.astype(np.float64)
    return np.diff(given)


def joined_slopes(rows: Any, gaps: Any, edge_order: Any, dtype: Any) -> Any:
    """The slopes at all rows, in a dtype."""
    return np.concatenate(slopes_of_rows(rows, gaps, edge_order)).astype(dtype, copy=False)


def slopes_of_rows(rows: Any, gaps: Any, edge_order: Any) -> Any:
    """The slopes at the first row, at those between, and at the last one."""
    uniform = np.ndim(gaps) == 0
    if uniform:
        inside = (rows[2:] - rows[:-2]) / (2.0 * gaps)
    else:
        before, behind = columns(gaps[:-1], rows), columns(gaps[1:], rows)
        below = -behind / (before * (before + behind))
        here = (behind - before) / (before * behind)
        above = before / (behind * (before + behind))
        inside = below * rows[:-2] + here * rows[1:-1] + above * rows[2:]
    if edge_order == 1:
        first = (rows[1:2] - rows[:1]) / (gaps if uniform else gaps[0])
        last = (rows[-1:] - rows[-2:-1]) / (gaps if uniform else gaps[-1])
        return [first, inside, last]
    a, b, c = first_weights(gaps) if uniform else first_weights_of_two(gaps[0], gaps[1])
    first = a * rows[:1] + b * rows[1:2] + c * rows[2:3]
    a, b, c = last_weights(gaps) if uniform else last_weights_of_two(gaps[-2], gaps[-1])
    last = a * rows[-3:-2] + b * rows[-2:-1] + c * rows[-1:]
    return [first, inside, last]


def columns(gaps: Any, rows: Any) -> Any:
    """One gap for each row."""
    return np.reshape(gaps, (-1,) + (1,) * (np.ndim(rows) - 1))


def first_weights(gap: Any) -> Any:
    """The weights of the first three rows in the slope at the first one."""
    return -1.5 / gap, 2.0 / gap, -0.5 / gap


def last_weights(gap: Any) -> Any:
    """The weights of the last three rows in the slope at the last one."""
    return 0.5 / gap, -2.0 / gap, 1.5 / gap


def first_weights_of_two(before: Any, behind: Any) -> Any:
    """The same at the beginning, where the two gaps are not the same."""
    both = before + behind
    return (
        -(2.0 * before + behind) / (before * both),
        both / (before * behind),
        -before / (behind * both),
    )


def last_weights_of_two(before: Any, behind: Any) -> Any:
    """The same at the end."""
    both = before + behind
    return (
        behind / (before * both),
        -(behind + before) / (before * behind),
        (2.0 * behind + before) / (behind * both),
    )
