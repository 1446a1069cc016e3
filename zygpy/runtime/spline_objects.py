"""Splines of `scipy.interpolate` as objects that hold arrays: what is read of them and what is put there.

The cotangent of a spline is a dict by its fields, whose names differ between versions of SciPy.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.interpolate as si

from zygpy.errors import MissingRuleError
from zygpy.runtime.accumulate import accumulate
from zygpy.runtime.zeros import Partner


def built(of: Any, given: Any, keywords: Any) -> Any:
    """The spline that SciPy makes."""
    return of(*given, **{name: value for name, value in keywords.items() if value is not None})


def made_exactly(of: Any, given: Any, keywords: Any) -> Any:
    """The same of a class that makes objects of just this class, so that their class is known.

    Raises MissingRuleError where it does not.
    """
    return made_by(of, of, given, keywords)


def made_by(of: Any, function: Any, given: Any, keywords: Any) -> Any:
    """The object of a class that a function makes."""
    made = built(function, given, keywords)
    if type(made) is not of:
        raise MissingRuleError(
            f"'scipy.interpolate.{function.__name__}' makes a {type(made).__name__} of these arguments.",
            why="objects of its own class have a rule",
            instead=f"call '{type(made).__name__}'",
        )
    return made


def asked(method: Any, spline: Any, given: Any) -> Any:
    """What a method gives, asked of a copy: some put other arrays in the place of those that a spline has, by
    which cotangents are found."""
    return method(_copied(spline), *given)


def _copied(spline: Any) -> Any:
    """A copy, and of what it hands calls on to, as splines do since SciPy 1.18."""
    made = copy.copy(spline)
    if getattr(made, "_delegate_to", None) is not None:
        made._delegate_to = copy.copy(made._delegate_to)
    return made


def with_parts(spline: Any, c: Any, x: Any) -> Any:
    """The spline, whose coefficients and breakpoints have the derivatives of what was computed."""
    return with_both(spline, (c, x))


def with_one(spline: Any, parts: Any) -> Any:
    """The object, whose coefficients alone, in a tuple, have the derivatives of what was computed."""
    return _copied(spline)


def with_both(spline: Any, parts: Any) -> Any:
    """The same of both in a tuple."""
    made = _copied(spline)
    if isinstance(made, si.UnivariateSpline):  # which keeps the very arrays that it was given, and parts
        made._data = tuple(copy.copy(one) for one in made._data)
        made._eval_args = tuple(copy.copy(one) for one in made._eval_args)
    return made


def coefficients(spline: Any) -> Any:
    """The coefficients, first those of the highest power, or the samples of what has none."""
    return numbers_of(spline.y if isinstance(spline, si.interp1d) else spline.c)


def numbers_of(part: Any) -> Any:
    """An array of numbers itself, for code that takes it for one.

    Raises MissingRuleError for anything else.
    """
    if type(part) is not np.ndarray or part.dtype.kind not in "biufc":
        raise MissingRuleError(
            f"'scipy.interpolate' has no rule for a {type(part).__name__} as a part of a spline.",
            why="only numbers have derivatives",
            instead="give it arrays of numbers",
        )
    return part


def breakpoints(spline: Any) -> Any:
    """The breakpoints, or knots."""
    found = numbers_of(spline.t if isinstance(spline, si.BSpline) else spline.x)
    return np.real(found) if found.ndim == 1 else numbers_of(None)


ONE = ("c",)
PARTS = ("c", "x")
SAMPLES = ("c", "x", "below", "above")
GRIDDED = ("values", "grid", "fill_value")
"""The names of what is computed of products of splines, of a spline, of an `interp1d`, and of a
`RegularGridInterpolator`."""


def held_all(spline: Any, names: Any, parts: Any) -> Any:
    """The cotangent of a spline of which these are those of the parts with these names."""
    found = None
    for name, value in zip(names, (None,) * len(names) if parts is None else parts, strict=True):
        if value is not None:
            found = accumulate(found, held(spline, name, value))
    return found


def all_parts(fields: Any, spline: Any, names: Any, parts: Any) -> Any:
    """The cotangents of the parts of a spline."""
    return tuple([part(fields, spline, name, like) for name, like in zip(names, parts, strict=True)])


def partner(spline: Any, names: Any, parts: Any) -> Any:
    """The tangent of a spline whose parts have these tangents."""
    return _partner_of(held_all(spline, names, parts) or {})


def _partner_of(fields: Mapping[str, Any]) -> Partner:
    """The same of fields by name."""
    made = Partner()
    for name, value in fields.items():
        setattr(made, name, _partner_of(value) if isinstance(value, dict) else value)
    return made


def held(spline: Any, name: str, value: Any) -> Any:
    """The cotangent of a spline of which one part has one."""
    if getattr(spline, "_delegate_to", None) is not None:
        return {"_delegate_to": held(spline._delegate_to, name, value)}
    return {field_of(spline, name): on_axis(spline, name, value)}


def part(fields: Any, spline: Any, name: str, like: Any) -> Any:
    """The cotangent of one part of a spline."""
    if fields is None:
        return np.zeros(np.shape(like))
    if getattr(spline, "_delegate_to", None) is not None:
        inner = found_in(fields, "_delegate_to")
        return np.zeros(np.shape(like)) if inner is None else part(inner, spline._delegate_to, name, like)
    check_fields(fields)
    value = found_in(fields, field_of(spline, name))
    if value is not None:
        value = entry_of(spline, name, value)
    if value is None:
        return np.zeros(np.shape(like))
    return (
        value if np.iscomplexobj(like) else np.real(value)
    )  # zeros may be complex, where that was not known


def moving(dot: Any, spline: Any, name: str, like: Any) -> Any:
    """The tangent of one part, out of that of a spline: zeros of one that does not move."""
    if getattr(spline, "_delegate_to", None) is not None:
        return moving(getattr(dot, "_delegate_to", None), spline._delegate_to, name, like)
    value = getattr(dot, field_of(spline, name), None)
    if value is not None:
        value = entry_of(spline, name, value)
    return np.zeros(np.shape(like)) if value is None else np.asarray(value)


FOLLOWED = (
    *("c", "_c", "x", "_x", "t", "_t", "y", "_fill_value_below", "_fill_value_above"),
    *("grid", "_grid", "values", "_values", "fill_value", "_fill_value", "_eval_args", "tck", "points"),
)
"""The fields that have derivatives."""


def check_fields(fields: Any) -> None:
    """Refuse what was read of a spline by another name."""
    for name, value in (fields if isinstance(fields, dict) else fields._asdict()).items():
        if name not in FOLLOWED and not is_nothing(value):
            raise MissingRuleError(
                f"'scipy.interpolate' has no rule for the field {name!r} of a spline that is made here.",
                why="its coefficients, samples and breakpoints have derivatives",
                instead="read these",
            )


def is_nothing(value: Any) -> bool:
    """Whether a cotangent is none, or zeros.

    >>> is_nothing((None, np.zeros(2))), is_nothing([1.0])
    (True, False)
    """
    if isinstance(value, np.ndarray | np.number | float | complex):
        return not np.any(value)
    if isinstance(value, tuple | list):
        return all(map(is_nothing, value))
    return value is None


def found_in(fields: Any, name: str) -> Any:
    """The entry of a dict or `Record`, None where there is none."""
    return (fields if isinstance(fields, dict) else fields._asdict()).get(name)


def field_of(spline: Any, name: str) -> str:
    """The name of the field that holds a part."""
    if name in ("below", "above"):
        return f"_fill_value_{name}"
    if place_of(spline, name) is not None:
        return "_eval_args" if isinstance(spline, si.UnivariateSpline) else "tck"
    if name == "x" and not hasattr(spline, "x") and hasattr(spline, "t"):
        name = "t"
    if name == "c" and isinstance(spline, si.interp1d):
        return "y"
    return f"_{name}" if hasattr(spline, f"_{name}") else name


PLACES_OF_CURVES = {"x": 0, "c": 1}
PLACES_OF_SURFACES = {"x": 0, "y": 1, "c": 2}
"""Where the parts of what FITPACK makes stand in the tuple that holds them."""


def place_of(spline: Any, name: str) -> int | None:
    """Where a part stands in the tuple that holds it, None if no tuple does."""
    if isinstance(spline, si.UnivariateSpline):
        return PLACES_OF_CURVES.get(name)
    return PLACES_OF_SURFACES.get(name) if hasattr(spline, "tck") and hasattr(spline, "degrees") else None


def with_samples(interpolator: Any, y: Any, x: Any, below: Any, above: Any) -> Any:
    """The interpolator, whose samples and values outside have the derivatives of what was computed."""
    return with_all(interpolator, (y, x, below, above))


def with_all(spline: Any, parts: Any) -> Any:
    """The same of all in a tuple."""
    made = copy.copy(spline)
    made.y, made.x = made.y.copy(), made.x.copy()  # which other fields have, too
    return made


def value_below(interpolator: Any) -> Any:
    """What an `interp1d` gives in front of the first sample, as a vector of one value or all."""
    return numbers_of(interpolator._fill_value_below)


def value_above(interpolator: Any) -> Any:
    """What it gives behind the last one."""
    return numbers_of(interpolator._fill_value_above)


GRID = "grid"
"""The name of what holds an array for each axis, which are one vector here."""


def on_axis(spline: Any, name: str, value: Any) -> Any:
    """The cotangent of a field of which a part has one."""
    if name == GRID:
        return tuple(np.split(value, np.cumsum([len(line) for line in spline.grid])[:-1]))
    place = place_of(spline, name)
    if place is None:
        return value
    count = len(getattr(spline, field_of(spline, name)))
    return tuple(value if number == place else None for number in range(count))


def entry_of(spline: Any, name: str, value: Any) -> Any:
    """The part of a field's cotangent that belongs to this name."""
    if name == GRID:
        lines = zip(value, spline.grid, strict=True)
        return np.concatenate([np.zeros(len(line)) if one is None else one for one, line in lines])
    place = place_of(spline, name)
    return value if place is None else value[place]


def with_surface(spline: Any, c: Any, tx: Any, ty: Any) -> Any:
    """The spline on a rectangle, whose coefficients and knots have the derivatives of what was computed."""
    return copy.copy(spline)


def with_grid(spline: Any, parts: Any) -> Any:
    """The interpolator, whose samples, places and value outside have the derivatives of what was computed:
    of all at once, as places are kept in the very arrays that were given, whose whole cotangent is asked for
    here."""
    return copy.copy(spline)


def grid_values(interpolator: Any) -> Any:
    """The samples on a grid, in the order in which those that were computed are."""
    return np.ascontiguousarray(numbers_of(interpolator.values))


def grid_fill(interpolator: Any) -> Any:
    """What stands outside."""
    return numbers_of(np.asarray(interpolator.fill_value))


def grid_lines(interpolator: Any) -> Any:
    """The places of samples along all axes, one axis behind the other."""
    return np.concatenate([numbers_of(line) for line in interpolator.grid])
