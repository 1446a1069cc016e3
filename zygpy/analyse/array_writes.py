"""Which calls write into an array, and how their arguments are bound."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from zygpy.ir import core
from zygpy.rules import declare
from zygpy.runtime import methods
from zygpy.runtime.lookup import is_among

Arguments: TypeAlias = "tuple[core.Atom | core.Star, ...]"
Keywords: TypeAlias = "tuple[core.Keyword, ...]"

REQUIRED = object()
"""Stands for the default value of a parameter that has none."""

PARAMETERS: Mapping[Any, Mapping[str, Any]] = {
    np.copyto: {"dst": REQUIRED, "src": REQUIRED, "casting": "same_kind", "where": True},
    np.put: {"a": REQUIRED, "ind": REQUIRED, "v": REQUIRED, "mode": "raise"},
    methods.put: {"a": REQUIRED, "indices": REQUIRED, "values": REQUIRED, "mode": "raise"},
    np.place: {"arr": REQUIRED, "mask": REQUIRED, "vals": REQUIRED},
    np.putmask: {"a": REQUIRED, "mask": REQUIRED, "values": REQUIRED},
    np.fill_diagonal: {"a": REQUIRED, "val": REQUIRED, "wrap": False},
    np.put_along_axis: {"arr": REQUIRED, "indices": REQUIRED, "values": REQUIRED, "axis": REQUIRED},
    methods.fill: {"a": REQUIRED, "value": REQUIRED},
    methods.sort: {"a": REQUIRED, "axis": -1, "kind": None},
    methods.partition: {"a": REQUIRED, "kth": REQUIRED, "axis": -1},
}
"""Functions that write into their first argument and do nothing else, with their parameters."""

IN_PLACE: Mapping[Any, str] = {
    operator.iadd: "+",
    operator.isub: "-",
    operator.imul: "*",
    operator.itruediv: "/",
    operator.ifloordiv: "//",
    operator.imod: "%",
    operator.ipow: "**",
    operator.imatmul: "@",
    operator.iand: "&",
    operator.ior: "|",
    operator.ixor: "^",
    operator.ilshift: "<<",
    operator.irshift: ">>",
}
"""The functions that do what augmented assignment does."""

OVERWRITING = {np.nan_to_num: ("copy", 1)}
"""Functions that write into their first argument unless a flag is on: its name and position."""

WRITING_FUNCTIONS = frozenset({"at", "copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
"""The names of functions that write into their first argument."""

WRITING_METHODS = frozenset({"fill", "put", "sort", "partition", "resize"})
"""The names of methods of arrays that write into the array."""

POSITIONAL_OUT = {np.dot: 2, np.concatenate: 2}
"""Where `out` stands in functions that do not tell."""

METHODS_OUT: Mapping[str, tuple[str, ...]] = {
    "reduce": ("array", "axis", "dtype", "out", "keepdims", "initial", "where"),
    "accumulate": ("array", "axis", "dtype", "out"),
    "reduceat": ("array", "indices", "axis", "dtype", "out"),
    "outer": (),
}
"""The methods of ufuncs that write to `out`, and their parameters by position."""

QUANTILES = (np.median, np.nanmedian, np.quantile, np.nanquantile, np.percentile, np.nanpercentile)
WITHOUT_EFFECT: Mapping[Any, core.Keyword] = {
    **dict.fromkeys(QUANTILES, core.Keyword("overwrite_input", core.Const(False))),
    **dict.fromkeys((np.sort, np.partition), core.Keyword("order", core.Const(None))),
}
"""Keywords of functions that their rules do not know, with the value that changes nothing."""

AT: Mapping[np.ufunc, str] = {np.add: "add_to_items", np.subtract: "subtract_from_items"}
"""The helpers that stand for `ufunc.at`."""


def bound(function: Any, args: Arguments, keywords: Keywords) -> dict[str, core.Atom] | None:
    """The arguments of a call by parameter; None where they do not fit, or are known only when it is made.

    >>> bound(methods.fill, (core.Var("y"), core.Const(1.0)), ())
    {'a': Var(name='y'), 'value': Const(value=1.0)}
    """
    parameters = PARAMETERS[function]
    places = list(parameters)
    plain = [arg for arg in args if not isinstance(arg, core.Star)]
    given = {str(keyword.name): keyword.value for keyword in keywords}
    if len(plain) != len(args) or len(plain) > len(places) or not given.keys() <= parameters.keys():
        return None
    if not given.keys().isdisjoint(places[: len(plain)]):
        return None
    given |= dict(zip(places, plain, strict=False))
    found = {name: given.get(name, core.Const(default)) for name, default in parameters.items()}
    return None if core.Const(REQUIRED) in found.values() else found


@functools.cache
def place_of_out(function: Any) -> int | None:
    """How many positional arguments stand before `out`; None if it cannot be given by position."""
    if isinstance(function, np.ufunc):
        return function.nin
    if function in POSITIONAL_OUT:
        return POSITIONAL_OUT[function]
    if is_method_of_ufunc(function):
        names = METHODS_OUT[function.__name__]
        return names.index("out") if names else None
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    named = parameters.get("out")
    if named is None or named.kind is named.KEYWORD_ONLY:
        return None
    return list(parameters).index("out")


def is_numpys(function: Any) -> bool:
    """Whether a callable is a function of NumPy that has a rule."""
    if not isinstance(function, np.ufunc) and not str(getattr(function, "__module__", "")).startswith(
        "numpy"
    ):
        return False
    return declare.find(function) is not None


def is_method_of_ufunc(function: Any) -> bool:
    """Whether a callable is a method of a ufunc that gives a result."""
    of_ufunc = isinstance(getattr(function, "__self__", None), np.ufunc)
    return of_ufunc and function.__name__ in METHODS_OUT


def named_from_out(function: Any, op: core.Call) -> core.Call:
    """A call in which `out` and what stands behind it are given by name, without what has no effect.

    >>> given = (core.Var("x"), core.Const(0), core.Const(None), core.Const(False))
    >>> named_from_out(np.median, core.Call(core.Path(("f",)), given)).keywords
    (Keyword(name='out', value=Const(value=None)),)
    """
    place = place_of_out(function)
    if place is not None and len(op.args) > place and not isinstance(function, np.ufunc):
        names = _parameters(function)[place:]
        plain = [arg for arg in op.args if not isinstance(arg, core.Star)]
        if len(plain) == len(op.args) <= place + len(names):
            named = [core.Keyword(name, arg) for name, arg in zip(names, plain[place:], strict=False)]
            op = replace(op, args=op.args[:place], keywords=(*named, *op.keywords))
    without_effect = WITHOUT_EFFECT.get(function)
    return replace(op, keywords=tuple(one for one in op.keywords if one != without_effect))


def _parameters(function: Any) -> tuple[str, ...]:
    if is_method_of_ufunc(function):
        return METHODS_OUT[function.__name__]
    return () if function in POSITIONAL_OUT else tuple(inspect.signature(function).parameters)


def may_write(function: Any, args: Arguments, keywords: Keywords) -> bool:
    """Whether a call of a function of NumPy's may write to what it is given as `out`."""
    if any(keyword.name is None for keyword in keywords):
        return True
    place = place_of_out(function)
    if place is not None and any(isinstance(arg, core.Star) for arg in args):
        return True
    return given_out(function, args, keywords) not in (None, core.Const(None))


def given_out(function: Any, args: Arguments, keywords: Keywords) -> core.Atom | None:
    """What a call is given as `out`, as far as that can be seen."""
    named = [keyword.value for keyword in keywords if keyword.name == "out"]
    if named:
        return named[0]
    place = place_of_out(function)
    if place is None or len(args) <= place or any(isinstance(arg, core.Star) for arg in args):
        return None
    out = args[place]
    return None if isinstance(out, core.Star) else out


def named_behind_out(function: Any, args: Arguments, keywords: Keywords) -> tuple[Arguments, Keywords]:
    """The arguments of a call in which None stands in the place of `out`: what is behind it by name.

    >>> named_behind_out(np.max, (core.Var("x"), core.Const(0), core.Const(None), core.Const(True)), ())
    ((Var(name='x'), Const(value=0)), (Keyword(name='keepdims', value=Const(value=True)),))
    """
    place = place_of_out(function) if is_numpys(function) else None
    if place is None or len(args) <= place:
        return args, keywords
    plain = [arg for arg in args if not isinstance(arg, core.Star)]
    behind = plain[place + 1 :]
    if len(plain) != len(args) or plain[place] != core.Const(None):
        return args, keywords
    if behind and isinstance(function, np.ufunc):
        return args, keywords
    names = list(inspect.signature(function).parameters)[place + 1 :] if behind else []
    if len(names) < len(behind):
        return args, keywords
    named = [core.Keyword(name, value) for name, value in zip(names, behind, strict=False)]
    return args[:place], (*named, *keywords)


@functools.cache
def ignores_out(function: Any) -> bool:
    """Whether this version of NumPy takes an `out` and never writes to it, as those before 2.5 do here."""
    if function not in (np.fft.hfft, np.fft.ifft2, np.fft.irfft2):
        return False
    one = np.ones((2, 2))
    out = np.full_like(function(one), np.nan)
    function(one, out=out)
    return bool(np.isnan(out).all())


def overwrites(function: Any, args: Arguments, keywords: Keywords) -> bool:
    """Whether a call of a primitive may overwrite its first argument because of a flag."""
    if function not in OVERWRITING:
        return False
    name, place = OVERWRITING[function]
    flags = [keyword.value for keyword in keywords if keyword.name in (name, None)]
    return any(flag != core.Const(True) for flag in (*flags, *args[place : place + 1]))


def is_in_place(callee: Any) -> bool:
    """Whether a callee does what augmented assignment does."""
    return is_among(callee, IN_PLACE)


def writes_argument(function: Any, args: Arguments, keywords: Keywords) -> bool:
    """Whether a call of a function writes to an array that it is given."""
    rule = declare.find(function)
    if is_in_place(function) or (rule is not None and rule.writes is not None):
        return True
    return is_numpys(function) and may_write(function, args, keywords)
