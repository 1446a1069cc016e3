"""Which rules the methods and attributes of arrays and NumPy scalars follow."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from zygpy.rules.declare import (
    attribute,
    elementwise,
    library,
    method,
    non_differentiable,
    rule,
)
from zygpy.runtime import layouts, methods

library("layouts", layouts)

_READ_BACK = "reshape_back(y_bar, shape(a)) if order is None else reshape_back(y_bar, shape(a), order)"
rule(
    methods.reshape,
    "y = reshape(a, *shape, order=None, copy=None)",
    a_bar=_READ_BACK,
    a_dot="np.reshape(y_bar, np.shape(y)) if order is None"
    " else layouts.reshape_along(y_bar, a, np.shape(y), order)",
    shares="a",
    kind="reshape",
)
rule(
    methods.transpose,
    "y = transpose(a, *axes)",
    a_bar="np.transpose(y_bar, inverse_axes(given_axes(axes)))",
    shares="a",
    kind="view a",
)
rule(
    methods.flatten,
    "y = flatten(a, order=None)",
    a_bar=_READ_BACK,
    a_dot="np.ravel(y_bar).copy() if order is None else layouts.flatten_along(y_bar, a, order)",
    kind="flat",
)
rule(
    methods.copy,
    "y = copy(a, order='C')",
    a_bar="y_bar",
    kind="view a",
    note="of a scalar it is a scalar, as it is not by `np.copy`",
)
rule(
    methods.view,
    "y = view(a)",
    a_bar="y_bar",
    shares="a",
    kind="view a",
)
rule(
    methods.astype,
    "y = astype(a, dtype, order='K', casting='unsafe', subok=True, copy=True)",
    a_bar="uncast(y_bar, dtype(a), dtype)",
    shares="a",
    kind="cast",
)
rule(
    np.astype,
    "y = astype(x, dtype, *, copy=True, device=None)",
    x_bar="uncast(y_bar, dtype(x), dtype)",
    shares="x",
    kind="cast",
)
rule(
    methods.item,
    "y = item(a, *args)",
    a_bar="item_transpose(y_bar, shape(a), args)",
    kind="item",
)
rule(
    methods.tolist,
    "y = tolist(a)",
    a_bar="renest(y_bar, shape(a))",
    kind="listed",
)
rule(
    methods.compress,
    "y = compress(a, condition, axis=None)",
    a_bar="take_transpose(y_bar, shape(a), np.flatnonzero(condition), axis)",
    kind="flat unless axis",
)

rule(
    methods.to_device,
    "y = to_device(a, device, *, stream=None)",
    a_bar="y_bar",
    shares="a",
    kind="view a",
)
non_differentiable(methods.setflags, kind="none")
method(methods.setflags)
non_differentiable(methods.tobytes, kind="unknown", call="y = tobytes(a, order='C')")

# Of numbers of Python.
non_differentiable(methods.is_integer, kind="bool")
non_differentiable(methods.bit_length, methods.bit_count, kind="int")

for _name in (
    "sum", "mean", "prod", "max", "min", "var", "std", "cumsum", "cumprod", "dot", "squeeze",
    "clip", "round", "diagonal", "trace", "repeat", "take", "swapaxes", "argmax",
    "argmin", "argsort", "argpartition", "searchsorted", "any", "all", "nonzero",
):  # fmt: skip
    method(getattr(np, _name))
elementwise(
    methods.conjugate,
    "y = conjugate(x)",
    x_bar="conj(y_bar)",
    kind="own conjugate x",
    shares="x",
    note="of a real array it is the array itself",
)
method(methods.conjugate)
method(methods.conjugate, "conj")
method(methods.copy, "__copy__")
_OWN: tuple[Callable[..., Any], ...] = (
    methods.reshape,
    methods.transpose,
    methods.ravel,
    methods.flatten,
    methods.copy,
    methods.astype,
    methods.item,
    methods.tolist,
    methods.compress,
    methods.view,
    methods.tobytes,
    methods.is_integer,
    methods.bit_length,
    methods.bit_count,
)
for _function in _OWN:
    method(_function)

for _operator in (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.matmul, operator.neg, operator.pos, operator.abs,
):  # fmt: skip
    method(_operator, f"__{_operator.__name__}__")
method(np.choose)

if hasattr(np.ndarray, "to_device"):
    method(methods.to_device)
    non_differentiable(methods.device, kind="str")
    attribute("device", methods.device)
attribute("T", np.transpose)
attribute("mT", np.matrix_transpose)
attribute("real", np.real)
attribute("imag", np.imag)
attribute("shape", np.shape)
attribute("ndim", np.ndim)
attribute("size", np.size)
non_differentiable(methods.dtype, kind="dtype", call="y = dtype(a)")
attribute("dtype", methods.dtype)
for _function in (methods.nbytes, methods.itemsize, methods.strides, methods.flags):
    non_differentiable(_function)
    attribute(_function.__name__, _function)

# What writes: the engine refuses these where the array is active.
_WRITERS: tuple[Callable[..., Any], ...] = (
    methods.fill,
    methods.sort,
    methods.partition,
    methods.put,
    methods.resize,
)
for _writer in _WRITERS:
    non_differentiable(_writer, writes="a", kind="none")
    method(_writer)
non_differentiable(np.copyto, writes="dst", kind="none")
non_differentiable(np.put, np.putmask, np.fill_diagonal, writes="a", kind="none")
non_differentiable(np.put_along_axis, np.place, writes="arr", kind="none")
non_differentiable(np.add.at, np.subtract.at, np.multiply.at, np.divide.at, writes="a", kind="none")
