"""Implicit parameters: gradients with respect to arrays that a function reads wherever they are."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableSet
from dataclasses import replace
from typing import Any

import numpy as np

from zygpy import api, nested_identity
from zygpy.errors import UnsupportedSyntaxError, ZygpyError, missing_rule
from zygpy.prepared import Prepared, by_parameter, reversed_by
from zygpy.runtime.asked_again import BEGUN, check_end
from zygpy.runtime.levels import is_deeper
from zygpy.runtime.modes import add_mode
from zygpy.runtime.project import check_scalar, one_like, project, seed_of_first
from zygpy.runtime.seeds import as_seed
from zygpy.runtime.store import Store, described
from zygpy.runtime.ways import BY_IDENTITY, Way

__all__ = ["Grads", "Params"]

Array = np.ndarray[Any, Any]


class Params(MutableSet[Array]):
    """An ordered set of arrays, which are told apart by identity, as what to differentiate by.

    Examples
    --------
    >>> import zygpy as zg
    >>> W, b = np.array([1.0, 2.0]), np.array([3.0])
    >>> params = zg.Params([W, b])
    >>> W in params, W.copy() in params, len(params)
    (True, False, 2)
    >>> grads = zg.gradient(lambda: np.sum(W**2), params)
    >>> grads[W], grads[b]
    (array([2., 4.]), None)
    """

    __zygpy_implicit__ = True

    def __init__(self, arrays: Iterable[Any] = ()) -> None:
        self._arrays: dict[int, Array] = {}
        for array in arrays:
            self.add(array)

    def add(self, value: Array) -> None:
        """Add an array; it comes last unless it is there already."""
        if not isinstance(value, np.ndarray):
            raise TypeError(f"implicit parameters are arrays, not of type {type(value).__name__}")
        if value.dtype.kind not in "biufc":
            raise TypeError(f"implicit parameters are arrays of numbers, not of {value.dtype}")
        self._arrays.setdefault(id(value), value)

    def discard(self, value: Array) -> None:
        """Remove an array if it is there."""
        self._arrays.pop(id(value), None)

    def __contains__(self, value: object) -> bool:
        return id(value) in self._arrays

    def __iter__(self) -> Iterator[Array]:
        return iter(list(self._arrays.values()))

    def __len__(self) -> int:
        return len(self._arrays)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Params) and list(self._arrays) == list(other._arrays)

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __repr__(self) -> str:
        return f"Params({list(self)!r})"

    def copy(self, flat: Any = None) -> Any:
        """The parameters as one vector; with a vector, the parameters are set to what is in it, in order.

        Raises ValueError if the vector has another length.
        """
        if flat is None:
            return _flat([(array, array) for array in self])
        for array, part in zip(self, _parts(flat, list(self)), strict=True):
            array[...] = part if np.iscomplexobj(array) else np.real(part)
        return None


class NoParameterError(ZygpyError, KeyError):
    """A gradient was asked for by something that is not one of the parameters."""


class Grads(Mapping[Array, Any]):
    """Gradients of implicit parameters, indexed by the arrays themselves; None where one was not used.

    They can be added, subtracted, multiplied and divided by numbers and by others for the same parameters,
    where None counts as zero.

    Examples
    --------
    >>> import zygpy as zg
    >>> W = np.ones(2)
    >>> grads = zg.gradient(lambda: np.sum(W * W), zg.Params([W]))
    >>> (2 * grads + grads)[W]
    array([6., 6.])
    """

    __array_ufunc__ = None  # an array on the left leaves operators to us

    def __init__(self, params: Params, grads: Iterable[Any]) -> None:
        self.params = Params(params)
        self._grads = dict(zip(map(id, self.params), grads, strict=True))

    def __getitem__(self, key: Array) -> Any:
        if id(key) not in self._grads:
            raise NoParameterError(
                f"{'the array' if isinstance(key, np.ndarray) else repr(key)} is not one of the parameters",
                why="gradients by implicit parameters are found by the arrays themselves, and `derivative` "
                "asks for that of an argument",
                instead="take `grads = gradient(f, Params([x]))`, and `grads[x]` of the same array",
            )
        return self._grads[id(key)]

    def __contains__(self, key: object) -> bool:
        return id(key) in self._grads

    def __iter__(self) -> Iterator[Array]:
        return iter(self.params)

    def __len__(self) -> int:
        return len(self.params)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grads) or self.params != other.params:
            return False
        return all(_is_equal(self[array], other[array]) for array in self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Grads({list(self._grads.values())!r})"

    def map(self, function: Callable[..., Any], *others: Grads) -> Grads:
        """The results of a function of the gradients of each parameter, in this and others."""
        for other in others:
            self._check(other)
        found = [function(self[array], *[other[array] for other in others]) for array in self]
        return Grads(self.params, found)

    def _check(self, other: Grads) -> None:
        if self.params != other.params:
            raise ValueError("the gradients are of different parameters")

    def _combined(self, other: Any, combine: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, Grads):
            self._check(other)
            both = [(_number(self[array], array), _number(other[array], array)) for array in self]
            return Grads(self.params, [combine(a, b) for a, b in both])
        if not isinstance(other, int | float | complex | np.generic):
            return NotImplemented
        return self.map(lambda grad: None if grad is None else combine(grad, other))

    def _shifted(self, other: Any, combine: Callable[[Any, Any], Any]) -> Any:
        """The same where a number makes something else of zeros."""
        if isinstance(other, int | float | complex | np.generic):
            return Grads(self.params, [combine(_number(self[array], array), other) for array in self])
        return self._combined(other, combine)

    def __add__(self, other: Any) -> Any:
        return self._shifted(other, np.add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._shifted(other, np.subtract)

    def __rsub__(self, other: Any) -> Any:
        return self._shifted(other, lambda grad, number: np.subtract(number, grad))

    def __mul__(self, other: Any) -> Any:
        return self._combined(other, np.multiply)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._combined(other, np.divide)

    def __rtruediv__(self, other: Any) -> Any:
        return self._shifted(other, lambda grad, number: np.divide(number, grad))

    def __pow__(self, other: Any) -> Any:
        return self._combined(other, np.power)

    def __neg__(self) -> Grads:
        return self.map(lambda grad: None if grad is None else -grad)

    def copy(self, flat: Any = None) -> Any:
        """The gradients as one vector, zeros for None; with a vector, gradients made of what is in it.

        Raises ValueError if the vector has another length.
        """
        if flat is None:
            return _flat([(self[array], array) for array in self])
        arrays = list(self)
        pairs = zip(_parts(flat, arrays), arrays, strict=True)
        return Grads(self.params, [project(part, array) for part, array in pairs])


def _number(grad: Any, array: Array) -> Any:
    return np.zeros(array.shape) if grad is None else grad


def _is_equal(a: Any, b: Any) -> bool:
    return a is b if a is None or b is None else bool(np.array_equal(a, b))


def _flat(pairs: list[tuple[Any, Array]]) -> Array:
    parts = [np.ravel(_number(grad, array)) for grad, array in pairs]
    return np.concatenate(parts) if parts else np.zeros(0)


def _parts(flat: Any, arrays: list[Array]) -> list[Array]:
    """The parts of a vector in the shapes of arrays."""
    flat = np.asarray(flat)
    if flat.shape != (sum(array.size for array in arrays),):
        raise ValueError(f"a vector of shape {flat.shape} for parameters of {[a.shape for a in arrays]}")
    ends = np.cumsum([array.size for array in arrays])
    pieces = np.split(flat, ends[:-1]) if arrays else []
    return [piece.reshape(array.shape) for piece, array in zip(pieces, arrays, strict=True)]


# -------------------------------------------------------------------------------------- entry points


ENTRIES = ("pullback", "gradient", "withgradient")
"""Those that the others are made of."""


def _by_params(entry: str, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What an entry point gives for implicit parameters; None for any other call."""
    if len(args) != 1 or not isinstance(args[0], Params) or entry not in ENTRIES:
        return None
    params = Params(args[0])
    if kwargs:
        raise TypeError(
            "a function that is differentiated by implicit parameters is called without arguments"
        )
    y, back = pulled(f, params)
    if entry == "pullback":
        return y, back
    if entry == "gradient":
        check_scalar(y)
        return back(one_like(y))
    grads: Any = back(seed_of_first(y))
    return api.ValueAndGradient(y, grads)


@is_deeper
def pulled(f: Callable[..., Any], params: Params) -> tuple[Any, Callable[[Any], Grads]]:
    """The value of `f()`, and the function that pulls a cotangent back to the parameters."""
    prepared = api.machinery().prepare(f, (), {}, BY_IDENTITY._replace(everywhere=True))
    if prepared is None:
        raise missing_rule(f)
    y, stash = api.machinery().run_by_identity(prepared.pair, prepared.values)
    if BEGUN:
        check_end(sys._getframe())
    y, what = prepared.finish(y), described(y)
    given = [np.array(array) for array in params]

    def back(y_bar: Any) -> Grads:
        if y_bar is None:
            return Grads(params, [None] * len(given))
        store = _reversed(prepared, stash, what, as_seed(y, y_bar))
        return Grads(
            params, [by_parameter(store, array, like) for array, like in zip(params, given, strict=True)]
        )

    return y, back


def _reversed(prepared: Prepared, stash: Any, what: Any, y_bar: Any) -> Store:
    """The store with all cotangents that a call of the adjoint leaves in it."""
    store, pair = Store(), prepared.pair
    if not pair.identity:  # a primitive, which reads no parameter
        return store
    bars = reversed_by(pair, stash, store.seed(what, y_bar), store)
    for value, bar in zip(prepared.values, bars, strict=True):
        store.add(value, bar)
    return store


def _inside(entry: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], way: Way) -> Prepared | None:
    """The call of `gradient` or `withgradient` by implicit parameters that is differentiated itself."""
    if not any(isinstance(arg, Params) for arg in args[1:]):
        return None
    function, *given = args
    if len(given) != 1 or kwargs:
        raise UnsupportedSyntaxError(
            f"a {entry} by implicit parameters and by something else is differentiated once more.",
            why="a function that is differentiated by implicit parameters is called without arguments",
            instead="pass the parameters as arguments",
        )
    params = Params(given[0])
    inner = api.machinery().prepare(function, (), {}, BY_IDENTITY._replace(everywhere=True))
    if inner is None:
        raise missing_rule(function)
    collect = functools.partial(Grads, params)
    if entry == "pullback":
        return nested_identity.pulled_by_parameters(inner, list(params), collect, way)
    if entry == "gradient":
        return nested_identity.gradient_by_parameters(inner, list(params), collect, way, value=False)
    made = nested_identity.gradient_by_parameters(inner, list(params), collect, way, value=True)
    return replace(made, finish=lambda result: api.ValueAndGradient(inner.finish(result[0]), result[1]))


add_mode("implicit", _by_params, _inside)
