"""Functions of `scipy.signal` and `scipy.linalg` that are differentiated through their own source, in
programs that call several of a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import scipy.linalg as sl
import scipy.signal as ss

Program: TypeAlias = "tuple[Callable[..., Any], tuple[Any, ...]]"

B = np.array([0.3, 0.5, 0.2])
A = np.array([1.0, -0.4, 0.2])
ZEROS = np.array([0.3, -0.2])
POLES = np.array([0.5 + 0.3j, 0.5 - 0.3j])
STATE = np.array([[-1.0, 0.3], [0.2, -2.0]])
INPUT, OUTPUT, DIRECT = np.array([[1.0], [0.5]]), np.array([[1.0, 2.0]]), np.array([[0.1]])
TIMES = np.linspace(0.1, 0.9, 7)
SECTIONS = np.array([[1.0, 0.5, 0.1, 1.0, 0.2, 0.1], [1.0, -0.5, 0.3, 1.0, 0.1, -0.1]])
SAMPLES = 1.9 * np.sin(1.0 + 2.3 * np.arange(12))


def mixed(*parts: Any) -> Any:
    """A number that depends on all entries of arrays."""
    return sum([np.sum(np.cos(np.real(part)) + np.sin(np.imag(part))) for part in parts])


def sweeps(t: Any, f: Any) -> Any:
    return mixed(
        ss.chirp(t, f, 1.0, 3.0),
        ss.chirp(t, f, 1.0, 3.0, method="log"),
        ss.chirp(t, f, 1.0, 3.0, method="quad"),
        ss.sweep_poly(t, np.array([1.0, 2.0, 0.3]) * f),
    )


def pulses(t: Any, width: Any) -> Any:
    return mixed(
        ss.kaiser_beta(90 * width),
        ss.gausspulse(t, 5.0, width),
        ss.gauss_spline(9 * t, 3),
    )


def peaks(w: Any, quality: Any) -> Any:
    b, a = ss.iirnotch(w, quality)
    d, c = ss.iirpeak(w, quality)
    numerator, denominator = ss.iircomb(0.25, quality)
    return mixed(b, a, d, c, numerator, denominator)


def tones(f: Any) -> Any:
    return mixed(*ss.gammatone(f, "iir", fs=16.0), ss.gammatone(f, "fir", fs=16.0, numtaps=8)[0])


def prototypes(ripple: Any) -> Any:
    return mixed(ss.cheb1ap(3, ripple)[1], ss.cheb2ap(3, 10 * ripple)[1], ss.ellipap(3, ripple, 20.0)[2])


def moved_zeros(z: Any, w: Any) -> Any:
    low, high = ss.lp2lp_zpk(z, POLES, 1.5, w), ss.lp2hp_zpk(z, POLES, 1.5, w)
    stop = ss.bilinear_zpk(z, POLES, 1.5, w)
    return mixed(*low, *high, *stop)


def bands(z: Any, w: Any) -> Any:
    return mixed(*ss.lp2bp_zpk(z[:1], POLES, 1.5, w, 1.3), *ss.lp2bs_zpk(z[:1], POLES, 1.5, w, 1.3))


def fractions(r: Any) -> Any:
    return mixed(ss.invres(r, [-1.0, -2.0], [])[0], ss.invresz(r, [-1.0, -2.0], [])[0])


def delays(b: Any) -> Any:
    return mixed(ss.group_delay((b, A), np.array([0.1, 0.5]))[1])


def initial(b: Any, y: Any, a: Any) -> Any:
    return mixed(ss.lfiltic(b, a, y, np.array([0.2, 0.3])), ss.lfiltic(b[:1], a, y))


def even(f: Any) -> Any:
    """Sweeps from a frequency to the same one."""
    return mixed(*(ss.chirp(TIMES, f[0], f[1], f[2], method) for method in ("log", "hyp", "li", "quad")))


def rhythm(x: Any) -> Any:
    return mixed(ss.vectorstrength(x, 2.0)[0], ss.wiener(x, 3))


def forms(a: Any) -> Any:
    return mixed(*ss.abcd_normalize(a, INPUT, OUTPUT, DIRECT))


def dual(w: Any) -> Any:
    return mixed(ss.closest_STFT_dual_window(w, 4)[0])


def design(gain: Any) -> Any:
    return mixed(ss.firwin2(7, [0, 0.3, 0.5, 1], gain))


def design_of_images(cutoff: Any) -> Any:
    return mixed(ss.firwin_2d((5, 3), ("hamming", "hamming"), fc=cutoff))


def steady(s: Any) -> Any:
    return mixed(ss.sosfilt_zi(SECTIONS + np.array([[1.0, 1.0, 1.0, 0.0, 1.0, 1.0]]) * s))


def least_phase(h: Any) -> Any:
    return mixed(ss.minimum_phase(h), ss.minimum_phase(h, n_fft=2048))


def discrete(b: Any) -> Any:
    return mixed(ss.dfreqresp((b, A, 1.0), n=5)[1], *ss.dbode((b, A, 1.0), n=5)[1:])


def from_segments(z: Any) -> Any:
    whole = (z[:6] + 1j * z[6:]).reshape(3, 2)
    return mixed(ss.istft(whole)[1], ss.istft(whole.T, time_axis=0, freq_axis=1, scaling="psd")[1])


def blocks(w: Any) -> Any:
    return mixed(sl.cdf2rdf(w + 1j * np.array([0.0, 0.5, -0.5, 0.0]), np.eye(4) + 0j)[0])


def circulants(c: Any) -> Any:
    return mixed(sl.solve_circulant(c, 2 * c), sl.convolution_matrix(c, 3))


def fiedlers(a: Any) -> Any:
    return mixed(sl.fiedler(a), sl.fiedler_companion(a))


FAMILIES: Mapping[Callable[..., Any], tuple[tuple[Any, ...], str]] = {
    sweeps: ((TIMES, 1.5), "chirp sweep_poly"),
    pulses: ((TIMES, 0.3), "kaiser_beta gausspulse gauss_spline"),
    peaks: ((0.3, 5.0), "iirnotch iirpeak iircomb"),
    tones: ((1.3,), "gammatone"),
    prototypes: ((1.0,), "cheb1ap cheb2ap ellipap"),
    moved_zeros: ((ZEROS, 2.0), "lp2lp_zpk lp2hp_zpk bilinear_zpk"),
    bands: ((ZEROS, 2.0), "lp2bp_zpk lp2bs_zpk"),
    fractions: ((B[:2],), "invres invresz"),
    delays: ((B,), "group_delay"),
    initial: ((B, np.array([1.0, 0.5]), A), "lfiltic"),
    even: ((np.array([1.5, 2.0, 1.5]),), "chirp"),
    rhythm: ((SAMPLES,), "vectorstrength wiener"),
    forms: ((STATE,), "abcd_normalize"),
    design: ((np.array([1.0, 0.9, 0.2, 0.1]),), "firwin2"),
    design_of_images: ((0.4,), "firwin_2d"),
    steady: ((0.1,), "sosfilt_zi"),
    least_phase: ((np.array([0.1, 0.3, 1.0, 0.3, 0.1]),), "minimum_phase"),
    discrete: ((B,), "dfreqresp dbode"),
    from_segments: ((SAMPLES,), "istft"),
    dual: ((np.hanning(10)[1:-1] + 0.1,), "closest_STFT_dual_window"),
}
"""Programs of `scipy.signal`, with what they are given and the functions that they are about."""

OF_MATRICES: Mapping[Callable[..., Any], tuple[tuple[Any, ...], str]] = {
    blocks: ((SAMPLES[:4],), "cdf2rdf"),
    circulants: ((SAMPLES[:4],), "solve_circulant convolution_matrix"),
    fiedlers: ((SAMPLES[:4],), "fiedler fiedler_companion"),
}
"""The same of `scipy.linalg`."""


def by_name(
    families: Mapping[Callable[..., Any], tuple[tuple[Any, ...], str]], module: str
) -> dict[str, Program]:
    """The programs by the names of the functions that they are about."""
    return {
        f"{module}.{name}": (program, args)
        for program, (args, names) in families.items()
        for name in names.split()
    }


ENTERED: Mapping[str, Program] = {
    **by_name(FAMILIES, "scipy.signal"),
    **by_name(OF_MATRICES, "scipy.linalg"),
}
