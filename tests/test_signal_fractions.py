"""Gradients of programs with rational functions, responses and envelopes of `scipy.signal`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError

B, A = np.array([0.3, 0.5, 0.2]), np.array([1.3, -0.4, 0.2])
APART = np.array([1.0, 6.0, 11.0, 6.0])
LONG = np.array([0.5, 1.5, -0.7, 0.4, 0.9, -0.3])
STATE = np.array([[-1.0, 0.3], [0.2, -2.0]])
INPUT, OUTPUT, DIRECT = np.array([[1.0], [0.5]]), np.array([[1.0, 2.0]]), np.array([[0.1]])
SOS = np.array([[1.0, 0.5, 0.1, 1.0, 0.2, 0.1], [1.0, -0.5, 0.3, 1.0, 0.1, -0.1]])
FREE = np.array([[1.0, 1.0, 1.0, 0.0, 1.0, 1.0]])
SIGNAL = 1.9 * np.sin(1.0 + 2.3 * np.arange(40)) + 0.3 * np.cos(0.7 * np.arange(40.0) ** 1.3)
ROWS = SIGNAL.reshape(8, 5).copy()


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


def flat(parts: Any) -> Any:
    return np.concatenate([np.ravel(part) for part in parts])


FRACTIONS: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda b: flat(ss.residue(b, APART)), B),
    (lambda b: flat(ss.residue(b, APART)), LONG),
    (lambda b: flat(ss.residue(b, APART)), np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.3])),
    (lambda a: flat(ss.residue(LONG, a)), APART),
    (lambda a: flat(ss.residue(LONG[:1], np.concatenate([np.zeros(1), a]))), A),
    (lambda b: flat(ss.residuez(b, APART)), B),
    (lambda b: flat(ss.residuez(b, APART)), LONG),
    (lambda a: flat(ss.residuez(LONG, a)), APART),
    (lambda a: flat(ss.residuez(B, np.concatenate([a, np.zeros(1)]))), A),
    (lambda b: flat(ss.tf2zpk(b, A)), B),
    (lambda a: flat(ss.tf2zpk(LONG, a)), APART),
    (lambda a: flat(ss.ss2zpk(a, INPUT, OUTPUT, DIRECT)), STATE),
    (lambda b: flat(ss.ss2zpk(STATE, b, OUTPUT, DIRECT)), INPUT),
    (lambda c: flat(ss.ss2zpk(STATE, INPUT, c, 0 * DIRECT)), OUTPUT),
    (lambda d: flat(ss.ss2zpk(STATE, INPUT, OUTPUT, d)), DIRECT),
    (lambda k: flat(ss.zpk2ss([0.3], [0.5, 0.2], k)), 1.5),
    (lambda z: flat(ss.zpk2ss(z, [0.5, 0.2], 1.5)), np.array([0.3, 0.7])),
    (lambda p: flat(ss.zpk2ss([0.3], np.array([p + 0.3j, p - 0.3j]), 1.5)), 0.5),
    (lambda a: flat(ss.tf2ss(B, a)), APART),
    (lambda b: flat(ss.tf2ss(np.stack([b, 2 * b]), APART)), B),
    (lambda k: flat(ss.tf2ss([k], [2.0])), 1.5),
)

RESPONSES: tuple[tuple[Callable[[Any], Any], Any], ...] = (
    (lambda s: ss.sosfreqz(SOS + FREE * s, 5)[1], 0.1),
    (lambda w: ss.sosfreqz(SOS, w, fs=3.0)[1], np.array([0.1, 0.5])),
    (lambda fs: ss.sosfreqz(SOS, 5, True, fs)[0], 3.0),
    (lambda d: ss.firls(7, [0.0, 0.3, 0.5, 1.0], d, weight=[1.0, 3.0]), np.array([1.0, 0.9, 0.2, 0.1])),
    (lambda b: ss.firls(9, b, [1.0, 0.9, 0.2, 0.1], fs=3.0), np.array([0.1, 0.3, 0.7, 1.4])),
    (lambda w: ss.firls(5, [0.0, 0.3, 0.5, 1.0], [1.0, 0.9, 0.2, 0.1], weight=w), np.array([1.0, 2.0])),
    (lambda x: ss.hilbert2(x), ROWS),
    (lambda x: ss.hilbert2(x, 6), ROWS),
    (lambda x: ss.hilbert2(x, (3, 9)), ROWS),
    (lambda x: ss.zoom_fft(x, [0.2, 0.5], 7), SIGNAL),
    (lambda x: ss.czt(x), SIGNAL),
    (lambda x: ss.czt(x * (1 + 0.5j), 12, np.exp(-0.3j), 1.1, axis=0), ROWS),
    (lambda w: ss.czt(SIGNAL[:9], 4, np.exp(1j * w), w), 0.7),
    (lambda x: ss.zoom_fft(x, 0.4, fs=3.0, endpoint=True, axis=0), ROWS),
    (lambda f: ss.zoom_fft(SIGNAL[:9], f, 4), np.array([0.2, 0.5])),
)

if hasattr(ss, "envelope"):
    RESPONSES += (
        *((lambda x, r=r: ss.envelope(x, residual=r), SIGNAL) for r in ("lowpass", "all", None)),
        *((lambda x, n=n: ss.envelope(x, (2, 9), n_out=n), SIGNAL) for n in (30, 31, 50)),
        (lambda x: ss.envelope(x, (None, 5), residual="all", squared=True), SIGNAL),
        (lambda x: ss.envelope(x, (None, None), axis=0), ROWS),
        (lambda x: ss.envelope(x * (1 + 0.5j), (-4, 5), n_out=30, residual="all"), SIGNAL),
        (lambda x: ss.envelope(x * (1 + 0.5j), (-9, -2)), SIGNAL),
    )
    (freqz_sos,) = (ss.freqz_sos,) if hasattr(ss, "freqz_sos") else (ss.sosfreqz,)
    RESPONSES += ((lambda s: freqz_sos(SOS + FREE * s, 5)[1], 0.1),)


@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
@pytest.mark.parametrize(("program", "x"), [*FRACTIONS, *RESPONSES])
def test_gradients(program: Callable[[Any], Any], x: Any) -> None:
    np.testing.assert_array_equal(zg.pullback(program, x)[0], program(x))
    agrees(lambda x: mixed(program(x)), x)


def test_second_derivatives() -> None:
    agrees_to_second_order(lambda a: mixed(flat(ss.residue(B, a))), APART)


def test_roots_of_higher_order() -> None:
    with pytest.raises(MissingRuleError, match="poles of higher order"):
        zg.gradient(lambda b: np.sum(ss.residue(b, [1.0, 2.0, 1.0])[0].real), B)
    found = zg.gradient(lambda a: np.sum(np.real(ss.tf2zpk(B, a)[1])), np.array([1.0, 0.0, 0.0]))[0]
    assert np.all(np.isnan(found))
