"""Functions without a rule that are differentiated through their own source, and operators of arrays.

For each name of `coverage.csv` a program that uses it, and the arguments that it is given; the gradient is
compared with finite differences. Entries say that the name is covered.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import scipy.stats as st

from tests.rules import signal_programs

Program: TypeAlias = "tuple[Callable[..., Any], tuple[Any, ...]]"

X = np.array([0.7, -1.3, 2.1])
W = np.array([0.4, 1.7, -0.6])
POSITIVE = np.array([1.4, 0.6, 2.3])


def added(x: Any, w: Any) -> Any:
    y = x * 1.0
    y += w * x
    return y @ w


def subtracted(x: Any, w: Any) -> Any:
    y = x * 1.0
    y -= w * x
    return y @ w


def multiplied(x: Any, w: Any) -> Any:
    y = x * 1.0
    y *= w * x
    return y @ w


def divided(x: Any, w: Any) -> Any:
    y = x * 1.0
    y /= w
    return y @ w


def raised(x: Any, w: Any) -> Any:
    y = x * 1.0
    y **= w
    return y @ w


def remaining(x: Any, w: Any) -> Any:
    y = x * 1.0
    y %= w
    return y @ w


def counted(x: Any, w: Any) -> Any:
    y = x * 1.0
    y //= w
    return y @ w


def turned(x: Any, w: Any) -> Any:
    y = np.outer(x, w)
    y @= np.outer(w, x)
    return np.trace(y * y)


def stored(x: Any, w: Any) -> Any:
    y = x * 1.0
    y[1:] = w[1:] * y[:2]
    return y @ y


def flat(x: Any, w: Any) -> Any:
    y = x * 1.0
    y.flat[1] = w[0] * x.flat[2]
    return y @ w


def through_a_view(x: Any, w: Any) -> Any:
    y = x * 1.0
    part = y.view()
    part[1:] *= w[:2]
    return y @ w


def walked(x: Any) -> Any:
    total = 0.0
    for item in x:
        total = total * item + item
    return total


def asked(x: Any, w: Any) -> Any:
    return x @ w if 0.7 in x and len(x) == 3 else w @ w


OPERATORS: Mapping[str, Program] = {
    "__abs__": (lambda x, w: abs(x) @ w, (X, W)),
    "__add__": (lambda x, w: (x + w) @ (x + w), (X, W)),
    "__radd__": (lambda x, w: (2.0 + x) @ (np.float64(2.0) + w), (X, W)),
    "__sub__": (lambda x, w: (x - w) @ w, (X, W)),
    "__rsub__": (lambda x, w: (2.0 - x) @ ([1.0, 2.0, 3.0] - w), (X, W)),
    "__mul__": (lambda x, w: (x * w) @ w, (X, W)),
    "__rmul__": (lambda x, w: (2.0 * x) @ ([1.0, 2.0, 3.0] * w), (X, W)),
    "__truediv__": (lambda x, w: (x / w) @ w, (X, W)),
    "__rtruediv__": (lambda x, w: (2.0 / x) @ ([1.0, 2.0, 3.0] / w), (X, W)),
    "__floordiv__": (lambda x, w: (x // w) @ w, (X, W)),
    "__rfloordiv__": (lambda x, w: (2.0 // x) @ w, (X, W)),
    "__mod__": (lambda x, w: (x % w) @ w, (X, W)),
    "__rmod__": (lambda x, w: (2.0 % x) @ w, (X, W)),
    "__divmod__": (lambda x, w: divmod(x, w)[1] @ w + divmod(x, w)[0] @ w, (X, W)),
    "__rdivmod__": (lambda x, w: divmod(2.0, x)[1] @ w, (X, W)),
    "__pow__": (lambda x, w: (x**w) @ w, (POSITIVE, W)),
    "__rpow__": (lambda x, w: (2.0**x) @ w, (X, W)),
    "__matmul__": (lambda x, w: x @ w, (X, W)),
    "__rmatmul__": (lambda x, w: ([1.0, 2.0, 3.0] @ x) * (w @ w), (X, W)),
    "__neg__": (lambda x, w: (-x) @ w, (X, W)),
    "__pos__": (lambda x, w: (+x) @ w, (X, W)),
    "__iadd__": (added, (X, W)),
    "__isub__": (subtracted, (X, W)),
    "__imul__": (multiplied, (X, W)),
    "__itruediv__": (divided, (X, W)),
    "__ifloordiv__": (counted, (X, W)),
    "__imod__": (remaining, (X, W)),
    "__ipow__": (raised, (POSITIVE, W)),
    "__imatmul__": (turned, (X, W)),
    "__getitem__": (lambda x, w: x[1:] @ w[[0, 0]] + x[0] * w[-1], (X, W)),
    "__setitem__": (stored, (X, W)),
    "__iter__": (walked, (X,)),
    "__contains__": (asked, (X, W)),
    "__len__": (asked, (X, W)),
    "__float__": (lambda x, w: float(x[:1].sum()) * w[0] ** 2, (X, W)),
    "__complex__": (lambda x, w: abs(complex(x[0], w[1]) * complex(x[1])), (X, W)),
    "flat": (flat, (X, W)),
    "view": (through_a_view, (X, W)),
    "__copy__": (lambda x, w: copy.copy(x) @ w, (X, W)),
    "__deepcopy__": (lambda x, w: copy.deepcopy(x) @ w, (X, W)),
}
"""What Python makes of operators and builtins on arrays, and methods that are followed otherwise."""

FUNCTIONS: Mapping[str, Program] = {
    "scipy.stats.directional_stats": (
        lambda x, w: st.directional_stats(np.outer(x, w) + np.diag(w)).mean_direction @ w,
        (X, W),
    ),
    "scipy.stats.obrientransform": (lambda x, w: st.obrientransform(x, w)[0] @ w, (X, W)),
    "scipy.stats.ttest_ind_from_stats": (
        lambda x: st.ttest_ind_from_stats(x[0], 1.5, 5, x[1], x[2], 6).statistic * 1.0,
        (POSITIVE,),
    ),
    "scipy.stats.wasserstein_distance": (lambda x, w: st.wasserstein_distance(x, w) * 1.0, (X, W)),
    "numpy.asarray_chkfinite": (lambda x: np.asarray_chkfinite(x) @ x, (X,)),
    "numpy.fromfunction": (lambda x: np.sum(np.fromfunction(lambda i: x * i**2, (3,))), (X,)),
    "numpy.require": (lambda x: np.require(x) @ x, (X,)),
}
"""Functions that are entered."""

ENTERED: Mapping[str, Program] = {
    **{f"ndarray.{name}": program for name, program in OPERATORS.items()},
    **FUNCTIONS,
    **signal_programs.ENTERED,
}
