"""Swept frequencies of `scipy.signal` as a plain program.

This module is imported with the rules of `scipy.signal`, never by zygpy itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal as ss
import scipy.special as sc

from zygpy.runtime.library_values import as_given, told_by


def chirp(
    t: Any,
    f0: Any,
    t1: Any,
    f1: Any,
    method: Any = "linear",
    phi: Any = 0,
    vertex_zero: Any = True,
    *,
    complex: Any = False,
) -> Any:
    """`scipy.signal.chirp`: SciPy has a branch for equal frequencies, whose derivatives are other ones."""
    given = (t, f0, t1, f1, method, phi, vertex_zero)
    value = told_by(ss.chirp, given, {"complex": complex or None})
    cycles = cycles_of(method, vertex_zero)(np.asarray(t) * 1.0, f0 * 1.0, t1 * 1.0, f1 * 1.0)
    phase = 2 * np.pi * cycles + np.deg2rad(phi)
    return as_given(value, np.exp(1j * phase) if complex else np.cos(phase))


def cycles_of(method: Any, vertex_zero: Any) -> Any:
    """The program for one of SciPy's methods, of which each has three names."""
    if method in ("linear", "lin", "li"):
        return linear
    if method in ("quadratic", "quad", "q"):
        return quadratic if vertex_zero else quadratic_to_vertex
    return logarithmic if method in ("logarithmic", "log", "lo") else hyperbolic


def linear(t: Any, f0: Any, t1: Any, f1: Any) -> Any:
    """How many times a frequency that grows evenly has turned."""
    return f0 * t + 0.5 * ((f1 - f0) / t1) * t * t


def quadratic(t: Any, f0: Any, t1: Any, f1: Any) -> Any:
    """The same of a frequency on a parabola whose vertex is at time 0."""
    return f0 * t + (f1 - f0) / t1**2 * t**3 / 3


def quadratic_to_vertex(t: Any, f0: Any, t1: Any, f1: Any) -> Any:
    """The same where the vertex is at the second time."""
    return f1 * t + (f1 - f0) / t1**2 * ((t1 - t) ** 3 - t1**3) / 3


def logarithmic(t: Any, f0: Any, t1: Any, f1: Any) -> Any:
    """The same of a frequency that grows by an even ratio."""
    return f0 * t * sc.exprel(np.log(f1 / f0) * t / t1)


def hyperbolic(t: Any, f0: Any, t1: Any, f1: Any) -> Any:
    """The same of a frequency whose inverse changes evenly."""
    z = t * (f0 - f1) / (f1 * t1)
    near = np.abs(z) < NEAR
    away = np.where(near, 1.0, z)
    ratio = np.where(near, 1 - z / 2 + z * z / 3 - z**3 / 4, np.log(np.abs(1 + away)) / away)
    return f0 * t * ratio


NEAR = 1e-4
"""Up to here four terms of the series of log(1 + z) / z are exact."""
