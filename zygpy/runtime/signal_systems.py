"""Linear systems of `scipy.signal` that are given by arrays, as programs.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself. Source of the formulas: G. F. Franklin,
J. D. Powell, M. L. Workman, Digital Control of Dynamic Systems.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.linalg as sl
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.polynomials import evaluated
from zygpy.runtime.signal_fractions import characteristic


def ss2tf(A: Any, B: Any, C: Any, D: Any, input: Any = 0) -> Any:  # noqa: N803 (SciPy's names)
    """`scipy.signal.ss2tf`."""
    num, den = told_by(ss.ss2tf, (A, B, C, D, input), {})
    A, B, C, D = ss.abcd_normalize(A, B, C, D)  # noqa: N806
    denominator = characteristic(A)
    rows = [
        characteristic(A - np.outer(B[:, input], C[row])) + (D[row, input] - 1.0) * denominator
        for row in range(len(num))
    ]
    return as_given(num, np.stack(rows)), as_given(den, denominator)


def abcd_normalize(A: Any = None, B: Any = None, C: Any = None, D: Any = None) -> Any:  # noqa: N803
    """`scipy.signal.abcd_normalize`."""
    value = told_by(ss.abcd_normalize, (A, B, C, D), {})
    found = [
        as_given(one, one if part is None else np.reshape(part, np.shape(one)))
        for one, part in zip(value, (A, B, C, D), strict=True)
    ]
    return tuple(found)


def in_states(system: Any) -> Any:
    """The matrices of a system that is given by polynomials, by zeros and poles, or by matrices."""
    if len(system) == 2:
        return ss.tf2ss(*system)
    return ss.zpk2ss(*system) if len(system) == 3 else ss.abcd_normalize(*system)


# Responses.


def freqs(b: Any, a: Any, worN: Any = 200, plot: Any = None) -> Any:  # noqa: N803 (SciPy's name)
    """`scipy.signal.freqs`; frequencies that SciPy chooses are constant."""
    check_plot(plot)
    w, h = told_by(ss.freqs, (b, a, worN), {})
    at = frequencies(w, worN)
    return as_given(w, at), as_given(h, quotient(np.atleast_1d(b), np.atleast_1d(a), at))


def freqs_zpk(z: Any, p: Any, k: Any, worN: Any = 200) -> Any:  # noqa: N803 (SciPy's name)
    """`scipy.signal.freqs_zpk`."""
    w, h = told_by(ss.freqs_zpk, (z, p, k, worN), {})
    at = frequencies(w, worN)
    return as_given(w, at), as_given(h, of_roots(z, p, k, at))


def frequencies(w: Any, given: Any) -> Any:
    """The frequencies that are given, or those that SciPy has chosen."""
    counted = given is None or (np.ndim(given) == 0 and np.asarray(given).dtype.kind in "iub")
    return w if counted else np.atleast_1d(given)


def quotient(b: Any, a: Any, w: Any) -> Any:
    """The quotient of polynomials at imaginary numbers."""
    return evaluated(b, 1j * w) / evaluated(a, 1j * w)


def of_roots(z: Any, p: Any, k: Any, w: Any) -> Any:
    """The same by zeros, poles and a gain."""
    s = np.expand_dims(1j * w, -1)
    return k * np.prod(s - np.atleast_1d(z), axis=-1) / np.prod(s - np.atleast_1d(p), axis=-1)


def check_plot(plot: Any) -> None:
    """Refuse a function that is called with the result."""
    if plot is not None:
        raise MissingRuleError(
            "'scipy.signal.freqs' has no rule for plot=.",
            why="it is a function that is called with the result",
            instead="call it yourself",
        )


def freqresp(system: Any, w: Any = None, n: Any = 10000) -> Any:
    """`scipy.signal.freqresp`."""
    at, h = told_by(ss.freqresp, (system, w, n), {})
    places = frequencies(at, w)
    found = response(system, places)
    check_told(np.abs(h), np.abs(found))
    return as_given(at, places), as_given(h, found)


def response(system: Any, w: Any) -> Any:
    """The response of a system with one input and one output."""
    if len(system) == 3:
        return of_roots(system[0], system[1], system[2], w)
    num, den = ss.ss2tf(*system) if len(system) == 4 else system
    return quotient(np.ravel(num), np.ravel(den), w)


def bode(system: Any, w: Any = None, n: Any = 100) -> Any:
    """`scipy.signal.bode`."""
    at, magnitude, phase = told_by(ss.bode, (system, w, n), {})
    places = frequencies(at, w)
    logarithm = np.log(response(system, places))
    check_told(10.0 ** (magnitude / 20), np.exp(np.real(logarithm)))
    size, turn = np.real(logarithm) * (20 / math.log(10)), np.imag(logarithm) * (180 / math.pi)
    return as_given(at, places), as_given(magnitude, size), as_given(phase, turn)


def check_told(value: Any, found: Any) -> None:
    """Refuse complex systems, of which SciPy may leave out imaginary parts."""
    if not np.allclose(value, found, 1e-3, 1e-6 * np.max(np.abs(value), initial=0.0), equal_nan=True):
        raise MissingRuleError(
            "'scipy.signal' has no rule for the response of this system.",
            why="SciPy gives that of its real part, or cannot compute it precisely",
            instead="use 'freqs' of the coefficients, which may be complex",
        )


# In discrete time.


def cont2discrete(system: Any, dt: Any, method: Any = "zoh", alpha: Any = None) -> Any:
    """`scipy.signal.cont2discrete`."""
    check_method(method)
    value = told_by(ss.cont2discrete, (system, dt, method, alpha), {})
    a, b, c, d = in_states(system)
    found = sampled(a, b, c, d, dt, method, alpha)
    if len(system) == 2:
        found = ss.ss2tf(*found)
    elif len(system) == 3:
        found = ss.ss2zpk(*found)
    return *[as_given(one, part) for one, part in zip(value[:-1], found, strict=True)], as_given(
        value[-1], dt
    )


BY_WEIGHTS = {"bilinear": 0.5, "tustin": 0.5, "euler": 0.0, "forward_diff": 0.0, "backward_diff": 1.0}
"""The weight of the end of a step in methods that have a name."""


def check_method(method: str) -> None:
    """Refuse methods that are not known."""
    if method not in ("gbt", "zoh", "foh", "impulse", *BY_WEIGHTS):
        raise MissingRuleError(
            f"'scipy.signal.cont2discrete' has no rule for the method {method!r}.",
            why="only those that SciPy 1.13 has are followed",
            instead="use 'zoh', 'foh', 'impulse', 'gbt' or 'bilinear'",
        )


def sampled(a: Any, b: Any, c: Any, d: Any, dt: Any, method: str, alpha: Any) -> Any:
    """The matrices in discrete time."""
    if method == "zoh":
        ad, bd, _ = over_step(a, b, dt)
        return ad, bd, c, d
    if method == "foh":
        ad, held, rising = over_step(a, b, dt)
        return ad, held - rising + np.matmul(ad, rising), c, d + np.matmul(c, rising)
    if method == "impulse":
        ad = sl.expm(a * dt)
        return ad, np.matmul(ad, b) * dt, c, np.matmul(c, b) * dt
    weight = alpha if method == "gbt" else BY_WEIGHTS[method]
    one = np.eye(len(a))
    left = one - weight * dt * a
    ad, bd = np.linalg.solve(left, one + (1.0 - weight) * dt * a), np.linalg.solve(left, dt * b)
    return ad, bd, np.linalg.solve(left.T, c.T).T, d + weight * np.matmul(c, bd)


def over_step(a: Any, b: Any, dt: Any) -> Any:
    """How states go on over a step, and what a constant input, and one that rises from 0 to 1, bring."""
    n, m = np.shape(b)
    top = np.concatenate([a * dt, b * dt, np.zeros((n, m))], axis=1)
    rest = np.concatenate([np.zeros((m, n + m)), np.eye(m)], axis=1)
    whole = sl.expm(np.concatenate([top, rest, np.zeros((m, n + 2 * m))], axis=0))
    return whole[:n, :n], whole[:n, n : n + m], whole[:n, n + m :]


# In time.


def lsim(system: Any, U: Any, T: Any, X0: Any = None, interp: Any = True) -> Any:  # noqa: N803 (SciPy's names)
    """`scipy.signal.lsim`."""
    value = told_by(ss.lsim, (system, U, T, X0, interp), {})
    a, b, c, d = in_states(system)
    t, y, x = simulated(a, b, c, d, U, np.atleast_1d(T), X0, interp)
    return (
        as_given(value[0], t),
        as_given(value[1], np.reshape(y, np.shape(value[1]))),
        as_given(value[2], np.reshape(x, np.shape(value[2]))),
    )


def simulated(a: Any, b: Any, c: Any, d: Any, u: Any, t: Any, start: Any, interp: Any) -> Any:
    """Times, outputs and states; inputs are joined by lines, or held."""
    count = len(t)
    if u is None or np.ndim(u) == 0:
        inputs = np.zeros((count, np.shape(b)[1])) + (0.0 if u is None else u)
    else:
        inputs = np.reshape(u, (count, -1))
    state = np.zeros(len(a)) if start is None else np.ravel(start)
    if t[0] > 0:
        state = np.matmul(sl.expm(a * t[0]), state)
    states = [state]
    if count > 1:
        ad, held, rising = over_step(a, b, t[1] - t[0])
        rising = rising if interp else 0.0 * rising
        brought = np.matmul(inputs[:-1], (held - rising).T) + np.matmul(inputs[1:], rising.T)
        for step in range(count - 1):
            state = np.matmul(ad, state) + brought[step]
            states.append(state)
    x = np.stack(states)
    return t, np.matmul(x, c.T) + np.matmul(inputs, d.T), x


def impulse(system: Any, X0: Any = None, T: Any = None, N: Any = None) -> Any:  # noqa: N803 (SciPy's names)
    """`scipy.signal.impulse`."""
    t, y = told_by(ss.impulse, (system, X0, T, N), {})
    a, b, c, d = in_states(system)
    times = lasting(a, t) if T is None or np.ndim(T) == 0 else np.asarray(T)
    start = b if X0 is None else b + X0
    found = simulated(a, b, c, d, None, times, start, False)[1]
    return as_given(t, times), as_given(y, np.reshape(found, np.shape(y)))


def step(system: Any, X0: Any = None, T: Any = None, N: Any = None) -> Any:  # noqa: N803 (SciPy's names)
    """`scipy.signal.step`."""
    t, y = told_by(ss.step, (system, X0, T, N), {})
    a, b, c, d = in_states(system)
    times = lasting(a, t) if T is None or np.ndim(T) == 0 else np.asarray(T)
    found = simulated(a, b, c, d, np.ones(len(t)), times, X0, False)[1]
    return as_given(t, times), as_given(y, np.reshape(found, np.shape(y)))


def lasting(a: Any, t: Any) -> Any:
    """Times up to seven times as long as the slowest state lasts."""
    slowest = np.min(np.abs(np.real(np.linalg.eigvals(a))))
    return np.linspace(0.0, 7.0 / slowest if slowest > 0 else 7.0, len(t))
