"""Filters of `scipy.signal` that are designed by zeros, poles and a gain, as programs.

The values are SciPy's own; beside them they are computed in operations that have rules. This module is
imported with the rules of `scipy.signal`, never by zygpy itself. Source of the formulas: A. V. Oppenheim,
R. W. Schafer, Discrete-Time Signal Processing, chapter 7 and appendix B.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.signal as ss

from zygpy.errors import MissingRuleError
from zygpy.runtime.library_values import as_given, told_by
from zygpy.runtime.signal_fractions import with_roots

BANDS = {
    **dict.fromkeys(("l", "low", "lowpass", "lp"), "low"),
    **dict.fromkeys(("h", "high", "highpass", "hp"), "high"),
    **dict.fromkeys(("band", "bandpass", "pass", "bp"), "band"),
    **dict.fromkeys(("bandstop", "bands", "stop", "bs"), "stop"),
}
"""SciPy's names for what a filter lets through."""


def iirfilter(
    N: Any, Wn: Any, rp: Any = None, rs: Any = None, btype: Any = "band", analog: Any = False,  # noqa: N803
    ftype: Any = "butter", output: Any = "ba", fs: Any = None,
) -> Any:  # fmt: skip
    """`scipy.signal.iirfilter`: a prototype with the edge 1, moved and mapped to the circle."""
    value = told_by(ss.iirfilter, (N, Wn, rp, rs, btype, analog, ftype, output), {"fs": fs})
    edges = np.ravel(Wn) * 1.0 if fs is None else np.ravel(Wn) / (fs / 2)
    edges = edges if analog else 4 * np.tan(math.pi / 2 * edges)
    z, p, k = prototype(N, ftype.lower(), rp, rs)
    z, p, k = in_band(z, p, k, edges, BANDS[btype.lower()])
    if not analog:
        z, p, k = on_circle(z, p, k, 2.0)
    if output.lower() == "sos":
        return as_given(value, sections(value, z, p, k))
    if output.lower() == "zpk":
        return as_roots(value[0], z), as_roots(value[1], p), as_given(value[2], k)
    return as_given(value[0], alike(value[0], k * with_roots(z))), as_given(
        value[1], alike(value[1], with_roots(p))
    )


def butter(
    N: Any, Wn: Any, btype: Any = "low", analog: Any = False, output: Any = "ba", fs: Any = None  # noqa: N803
) -> Any:  # fmt: skip
    """`scipy.signal.butter`."""
    return iirfilter(N, Wn, None, None, btype, analog, "butter", output, fs)


def cheby1(
    N: Any, rp: Any, Wn: Any, btype: Any = "low", analog: Any = False, output: Any = "ba",  # noqa: N803
    fs: Any = None,
) -> Any:  # fmt: skip
    """`scipy.signal.cheby1`."""
    return iirfilter(N, Wn, rp, None, btype, analog, "cheby1", output, fs)


def cheby2(
    N: Any, rs: Any, Wn: Any, btype: Any = "low", analog: Any = False, output: Any = "ba",  # noqa: N803
    fs: Any = None,
) -> Any:  # fmt: skip
    """`scipy.signal.cheby2`."""
    return iirfilter(N, Wn, None, rs, btype, analog, "cheby2", output, fs)


def ellip(
    N: Any, rp: Any, rs: Any, Wn: Any, btype: Any = "low", analog: Any = False,  # noqa: N803
    output: Any = "ba", fs: Any = None,
) -> Any:  # fmt: skip
    """`scipy.signal.ellip`."""
    return iirfilter(N, Wn, rp, rs, btype, analog, "ellip", output, fs)


def bessel(
    N: Any, Wn: Any, btype: Any = "low", analog: Any = False, output: Any = "ba",  # noqa: N803
    norm: Any = "phase", fs: Any = None,
) -> Any:  # fmt: skip
    """`scipy.signal.bessel`."""
    return iirfilter(N, Wn, None, None, btype, analog, f"bessel_{norm}", output, fs)


# Prototypes, whose edge is 1.


def prototype(order: Any, name: str, rp: Any, rs: Any) -> Any:
    """The zeros, poles and gain of a low pass of this name."""
    if name.startswith("butter"):
        return told_by(ss.buttap, (order,), {})
    if name.startswith("bessel"):
        norm = name.removeprefix("bessel").removeprefix("_")
        return told_by(ss.besselap, (order,), {"norm": norm or "phase"})
    if not name.startswith("cheb"):
        return ss.ellipap(order, rp, rs)
    return cheb2ap(order, rs) if name.endswith(("2", "ii")) else cheb1ap(order, rp)


def cheb1ap(N: Any, rp: Any) -> Any:  # noqa: N803 (SciPy's name)
    """`scipy.signal.cheb1ap`."""
    z, p, k = told_by(ss.cheb1ap, (N, rp), {})
    ripple = np.expm1(0.1 * math.log(10.0) * rp)
    angles = math.pi / 2 * np.arange(1 - N, N, 2) / N
    poles = -np.sinh(np.arcsinh(1 / np.sqrt(ripple)) / max(N, 1) + 1j * angles)
    gain = np.real(np.prod(-poles))
    return z, as_given(p, poles), as_given(k, gain if N % 2 else gain / np.sqrt(1 + ripple))


def cheb2ap(N: Any, rs: Any) -> Any:  # noqa: N803 (SciPy's name)
    """`scipy.signal.cheb2ap`."""
    z, p, k = told_by(ss.cheb2ap, (N, rs), {})
    mu = np.arcsinh(np.sqrt(np.expm1(0.1 * math.log(10.0) * rs))) / max(N, 1)
    circle = -np.exp(1j * math.pi / 2 * np.arange(1 - N, N, 2) / max(N, 1))
    poles = 1 / (np.sinh(mu) * np.real(circle) + 1j * np.cosh(mu) * np.imag(circle))
    return z, as_given(p, poles), as_given(k, np.real(np.prod(-poles) / np.prod(-z)))


# Changes of the edges.


def in_band(z: Any, p: Any, k: Any, edges: Any, band: str) -> Any:
    """The low pass with the edge 1 with other edges."""
    if band == "low":
        return lower(z, p, k, edges[0])
    if band == "high":
        return higher(z, p, k, edges[0])
    center, width = np.sqrt(edges[0] * edges[1]), edges[1] - edges[0]
    return banded(z, p, k, center, width) if band == "band" else stopped(z, p, k, center, width)


def degree(z: Any, p: Any) -> int:
    """How many more poles than zeros there are."""
    return len(p) - len(z)


def lower(z: Any, p: Any, k: Any, edge: Any) -> Any:
    """A low pass with another edge."""
    return edge * z, edge * p, k * edge ** degree(z, p)


def higher(z: Any, p: Any, k: Any, edge: Any) -> Any:
    """A high pass: of the reciprocal frequency."""
    zeros = np.concatenate([edge / z, np.zeros(degree(z, p))])
    return zeros, edge / p, k * np.real(np.prod(-z) / np.prod(-p))


def banded(z: Any, p: Any, k: Any, center: Any, width: Any) -> Any:
    """A band pass: each root becomes two, whose product is the square of the center."""
    zeros = np.concatenate([pairs(z * width / 2, center), np.zeros(degree(z, p))])
    return zeros, pairs(p * width / 2, center), k * width ** degree(z, p)


def stopped(z: Any, p: Any, k: Any, center: Any, width: Any) -> Any:
    """A band stop: the same of the reciprocal frequency."""
    there = 1j * center * np.ones(degree(z, p))
    zeros = np.concatenate([pairs(width / 2 / z, center), there, -there])
    return zeros, pairs(width / 2 / p, center), k * np.real(np.prod(-z) / np.prod(-p))


def pairs(half: Any, center: Any) -> Any:
    """The roots of `s**2 - 2 * half * s + center**2`."""
    half = half + 0j
    root = np.sqrt(half**2 - center**2)
    return np.concatenate([half + root, half - root])


def on_circle(z: Any, p: Any, k: Any, rate: Any) -> Any:
    """The filter in discrete time, by the bilinear transformation."""
    twice = 2.0 * rate
    zeros = np.concatenate([(twice + z) / (twice - z), -np.ones(degree(z, p))])
    return zeros, (twice + p) / (twice - p), k * np.real(np.prod(twice - z) / np.prod(twice - p))


def moved(function: Any, given: Any, computed: Any) -> Any:
    """What SciPy gives, zeros, poles and a gain, with the derivative of what was computed."""
    value = told_by(function, given, {})
    return as_roots(value[0], computed[0]), as_roots(value[1], computed[1]), as_given(value[2], computed[2])


def as_roots(value: Any, computed: Any) -> Any:
    """The roots that SciPy gives; the order in which they are computed may be another one."""
    return as_given(value, alike(value, computed[order_of(value, computed)]))


def order_of(value: Any, computed: Any) -> Any:
    """Which of the roots that were computed the given ones are."""
    apart, found = np.abs(np.subtract.outer(value, computed)), []
    for distances in apart:
        found.append(int(np.argmin(distances)))
        apart[:, found[-1]] = np.inf
    return np.array(found, int)


def alike(value: Any, computed: Any) -> Any:
    """What was computed, its real part where SciPy gives that."""
    return computed if np.iscomplexobj(value) else np.real(computed)


def lp2lp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0) -> Any:
    """`scipy.signal.lp2lp_zpk`."""
    return moved(ss.lp2lp_zpk, (z, p, k, wo), lower(np.atleast_1d(z), np.atleast_1d(p), k, wo))


def lp2hp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0) -> Any:
    """`scipy.signal.lp2hp_zpk`."""
    return moved(ss.lp2hp_zpk, (z, p, k, wo), higher(np.atleast_1d(z), np.atleast_1d(p), k, wo))


def lp2bp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """`scipy.signal.lp2bp_zpk`."""
    return moved(ss.lp2bp_zpk, (z, p, k, wo, bw), banded(np.atleast_1d(z), np.atleast_1d(p), k, wo, bw))


def lp2bs_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """`scipy.signal.lp2bs_zpk`."""
    return moved(ss.lp2bs_zpk, (z, p, k, wo, bw), stopped(np.atleast_1d(z), np.atleast_1d(p), k, wo, bw))


def bilinear_zpk(z: Any, p: Any, k: Any, fs: Any) -> Any:
    """`scipy.signal.bilinear_zpk`."""
    return moved(ss.bilinear_zpk, (z, p, k, fs), on_circle(np.atleast_1d(z), np.atleast_1d(p), k, fs))


# Polynomials and sections of the second order.


def zpk2tf(z: Any, p: Any, k: Any) -> Any:
    """`scipy.signal.zpk2tf`."""
    b, a = told_by(ss.zpk2tf, (z, p, k), {})
    z, p, k = np.atleast_1d(z), np.atleast_1d(p), np.atleast_1d(k)
    if np.ndim(z) > 1:
        rows = [with_roots(row) * (k[0] if len(k) == 1 else k[place]) for place, row in enumerate(z)]
        numerator = np.stack(rows)
    else:
        numerator = k * with_roots(z)
    return as_given(b, alike(b, numerator)), as_given(a, alike(a, with_roots(p)))


def zpk2sos(z: Any, p: Any, k: Any, pairing: Any = None, *, analog: Any = False) -> Any:
    """`scipy.signal.zpk2sos`."""
    value = told_by(ss.zpk2sos, (z, p, k, pairing), {"analog": analog or None})
    return as_given(value, sections(value, np.atleast_1d(z), np.atleast_1d(p), k))


def tf2sos(b: Any, a: Any, pairing: Any = None, *, analog: Any = False) -> Any:
    """`scipy.signal.tf2sos`."""
    z, p, k = ss.tf2zpk(b, a)
    return zpk2sos(z, p, k, pairing, analog=analog)


def sections(sos: Any, z: Any, p: Any, k: Any) -> Any:
    """The sections that SciPy has chosen, made of the roots that are in them."""
    zeros = np.concatenate([z, np.zeros(2 * len(sos))])
    poles = np.concatenate([p, np.zeros(2 * len(sos))])
    above, below = parted(sos[:, :3], z), parted(sos[:, 3:], p)
    rows = []
    for place in range(len(sos)):
        b, a = of_roots(zeros[above[place]]), of_roots(poles[below[place]])
        rows.append(np.concatenate([b * k if place == 0 else b, a]))
    return np.stack(rows)


def of_roots(roots: Any) -> Any:
    """The three coefficients of a polynomial with real coefficients that has two roots at most."""
    return np.concatenate([np.zeros(2 - len(roots)), np.real(with_roots(roots))])


def parted(polynomials: Any, roots: Any) -> Any:
    """Which of the roots, behind which there are zeros, each polynomial has."""
    left, extra, found = np.ones(len(roots), bool), len(roots), []
    for polynomial in polynomials:
        chosen: list[int] = []
        for root in sorted(np.roots(polynomial), key=abs, reverse=True):
            distances = np.where(left, np.abs(roots - root), np.inf)
            best = int(np.argmin(distances)) if np.any(left) else extra
            if best == extra or (root == 0 and roots[best] != 0):
                chosen.append(extra)
                extra += 1
            else:
                chosen.append(best)
                left[best] = False
        found.append(np.array(chosen, int))
    if np.any(left):
        raise MissingRuleError(
            "'scipy.signal.zpk2sos' has no rule for a gain of 0.",
            why="which roots the sections have is not told by them then",
            instead="multiply the sections of the gain 1",
        )
    return found
