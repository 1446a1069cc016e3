"""Rules of NumPy's functions that make arrays: from numbers, from sequences, from ranges."""

from __future__ import annotations

import numpy as np

from zygpy.rules.declare import non_differentiable, rule
from zygpy.runtime.nesting import as_rows

non_differentiable(
    np.zeros, np.ones, np.empty, kind="filled", call="y = zeros(shape, dtype=None, order='C', *, device=None)"
)
for _name, _like in (
    ("zeros_like", np.zeros_like),
    ("ones_like", np.ones_like),
    ("empty_like", np.empty_like),
):
    _first = "prototype" if _like is np.empty_like else "a"
    non_differentiable(
        _like,
        kind="filled like",
        call=f"y = {_name}({_first}, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    )
non_differentiable(
    np.eye, kind="square", call="y = eye(N, M=None, k=0, dtype=None, order='C', *, device=None)"
)
non_differentiable(np.identity, kind="square", call="y = identity(n, dtype=None)")
non_differentiable(np.tri, kind="square", call="y = tri(N, M=None, k=0, dtype=None)")
non_differentiable(np.indices)
non_differentiable(np.hanning, np.hamming, np.bartlett, np.blackman)
non_differentiable(
    np.ix_,
    np.tril_indices,
    np.triu_indices,
    np.diag_indices,
    np.tril_indices_from,
    np.triu_indices_from,
    np.diag_indices_from,
    kind="tuple",
)

rule(
    np.full,
    "y = full(shape, fill_value, dtype=None, order='C', *, device=None)",
    fill_value_bar="unbroadcast(cast_back(y_bar,"
    " None if dtype is None else dtype_kept(dtype, dtype(fill_value))), shape(fill_value))",
    kind="full",
)
rule(
    np.full_like,
    "y = full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    fill_value_bar="unbroadcast(cast_back(y_bar,"
    " dtype_kept(chosen_dtype(dtype, dtype(a)), dtype(fill_value))), shape(fill_value))",
    fill_value_dot="cast_back(np.full(np.shape(y), y_bar),"
    " dtype_kept(chosen_dtype(dtype, dtype(a)), dtype(fill_value)))",
    kind="filled like",
)
rule(
    np.array,
    "y = array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0)",
    object_bar="unnest(with_rank(y_bar, ndim(object)), nesting(object),"
    " None if dtype is None else dtype_kept(dtype, dtype(object)))",
    shares="object unless copy=1, in object",
    kind="as array",
)
rule(
    as_rows,
    "y = as_rows(object)",
    object_bar="real_parts(unnest(y_bar, nesting(object)), reals(object))",
    kind="array",
    containers=True,
)
for _name in ("asarray", "asanyarray"):
    rule(
        getattr(np, _name),
        f"y = {_name}(a, dtype=None, order=None, *, device=None, copy=None)",
        a_bar="unnest(y_bar, nesting(a), None if dtype is None else dtype_kept(dtype, dtype(a)))",
        shares="a",
        kind="as array",
    )
for _name in ("ascontiguousarray", "asfortranarray"):
    rule(
        getattr(np, _name),
        f"y = {_name}(a, dtype=None)",
        a_bar="unnest(np.reshape(y_bar, shape(a)), nesting(a),"
        " None if dtype is None else dtype_kept(dtype, dtype(a)))",
        shares="a",
        kind="lines",
    )
rule(
    np.from_dlpack,
    "y = from_dlpack(x, *, device=None, copy=None)",
    x_bar="y_bar",
    shares="x",
    kind="as array",
)
rule(np.copy, "y = copy(a, order='K', subok=False)", a_bar="y_bar", kind="as array")

rule(
    np.arange,
    "y = arange(start, stop=None, step=1, dtype=None, *, device=None)",
    start_bar="range_start(cast_back(y_bar, dtype), stop)",
    step_bar="np.sum(cast_back(y_bar, dtype) * np.arange(np.size(y_bar)))",
    start_dot="cast_back(range_start_transpose(y_bar, stop, np.size(y)), dtype)",
    step_dot="cast_back(y_bar * np.arange(np.size(y)), dtype)",
    kind="range",
)
rule(
    np.linspace,
    "y = linspace(start, stop, num=50, endpoint=True, *, dtype=None, axis=0, device=None)",
    start_bar="unbroadcast(np.tensordot(np.moveaxis(cast_back(y_bar, dtype), axis, -1),"
    " 1 - steps(y_bar, num, endpoint), 1), shape(start))",
    stop_bar="unbroadcast(np.tensordot(np.moveaxis(cast_back(y_bar, dtype), axis, -1),"
    " steps(y_bar, num, endpoint), 1), shape(stop))",
    start_dot="cast_back(np.linspace(y_bar, np.zeros(shape(stop)), num, endpoint, axis=axis), dtype)",
    stop_dot="cast_back(np.linspace(np.zeros(shape(start)), y_bar, num, endpoint, axis=axis), dtype)",
    kind="steps",
)
rule(
    np.logspace,
    "y = logspace(start, stop, num=50, endpoint=True, base=10.0)",
    start_bar="unbroadcast(np.tensordot(np.moveaxis(y_bar * conj(y * np.log(base)), 0, -1),"
    " 1 - steps(y_bar, num, endpoint), 1), shape(start))",
    stop_bar="unbroadcast(np.tensordot(np.moveaxis(y_bar * conj(y * np.log(base)), 0, -1),"
    " steps(y_bar, num, endpoint), 1), shape(stop))",
    base_bar="unbroadcast(np.sum(y_bar * conj(y / base"
    " * np.linspace(start + np.zeros(shape(base)), stop, num, endpoint)), axis=0), shape(base))",
    start_dot="y * np.log(base) * np.linspace(y_bar, np.zeros(shape(stop)), num, endpoint)",
    stop_dot="y * np.log(base) * np.linspace(np.zeros(shape(start)), y_bar, num, endpoint)",
    base_dot="y_bar * (y / base * np.linspace(start + np.zeros(shape(base)), stop, num, endpoint))",
    kind="spaced",
)
rule(
    np.geomspace,
    "y = geomspace(start, stop, num=50, endpoint=True)",
    start_bar="unbroadcast(np.tensordot(np.moveaxis(y_bar * conj(y / start), 0, -1),"
    " 1 - steps(y_bar, num, endpoint), 1), shape(start))",
    stop_bar="unbroadcast(np.tensordot(np.moveaxis(y_bar * conj(y / stop), 0, -1),"
    " steps(y_bar, num, endpoint), 1), shape(stop))",
    start_dot="y * np.linspace(y_bar / start, np.zeros(shape(stop)), num, endpoint)",
    stop_dot="y * np.linspace(np.zeros(shape(start)), y_bar / stop, num, endpoint)",
    kind="spaced",
)
_BY_BETA = "(window_arcs(M) * bessel_i(beta * window_arcs(M), 1) - y * bessel_i(beta, 1)) / np.i0(beta)"
rule(
    np.kaiser,
    "y = kaiser(M, beta)",
    beta_bar=f"np.sum(y_bar * {_BY_BETA})",
    beta_dot=f"y_bar * {_BY_BETA}",
    source="DLMF 10.29.3: the derivative of I0 is I1",
    kind="unknown",
)
rule(
    np.vander,
    "y = vander(x, N=None)",
    x_bar="np.sum(y_bar[:, :-1] * conj(powers(x, np.shape(y_bar)[1] - 1))"
    " * falling(np.shape(y_bar)[1], dtype(x)), axis=1)",
    x_dot="polynomials.slopes_of_powers(x, y_bar, np.shape(y)[1])",
    kind="matrix of powers",
)
