"""Filters that `scipy.signal` designs, and linear systems: derivatives and refusals."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.signal as ss

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

Program = Callable[..., Any]

B, A = np.array([1.0, 0.4, 0.2]), np.array([1.0, -0.5, 0.3, 0.1])
ZEROS, POLES = np.array([-0.5, 0.2]), np.array([-1.0, -2.0, -0.7])
EDGES = np.array([0.2, 0.5])
STATE, IN = np.array([[-0.5, 0.2], [0.1, -0.8]]), np.array([[1.0], [0.5]])
OUT, DIRECT = np.array([[1.0, 0.3]]), np.array([[0.2]])
TIMES = np.linspace(0.3, 2, 8)
INPUT = np.sin(TIMES)


def mixed(parts: Any) -> Any:
    """A number that depends on all entries of arrays."""
    parts = parts if isinstance(parts, tuple) else (parts,)
    return sum([np.sum(np.cos(np.real(part)) + np.sin(np.imag(part))) for part in parts])


def system(a: Any) -> Any:
    return a, IN, OUT, DIRECT


DESIGNS: dict[str, tuple[Program, Any]] = {
    "butter": (lambda w: ss.butter(3, w[0]), EDGES),
    "butter, band": (lambda w: ss.butter(2, w, "bandpass", output="zpk"), EDGES),
    "butter, stop": (lambda w: ss.butter(2, w, "bs"), EDGES),
    "butter, rate": (lambda w: ss.butter(3, 30.0, "high", fs=300.0 + w[0]), EDGES),
    "butter, sections": (lambda w: ss.butter(5, w[0], output="sos"), EDGES),
    "butter, analog": (lambda w: ss.butter(3, w, "band", analog=True, output="sos"), EDGES),
    "cheby1": (lambda w: ss.cheby1(4, 4 * w[1], w[0]), EDGES),
    "cheby2": (lambda w: ss.cheby2(3, 60 * w[1], w, "band", output="zpk"), EDGES),
    "ellip": (lambda w: ss.ellip(3, w[1], 80 * w[1], w[0], output="sos"), EDGES),
    "bessel": (lambda w: ss.bessel(3, w[0], norm="mag"), EDGES),
    "iirfilter": (lambda w: ss.iirfilter(3, w, rp=1.0, btype="stop", ftype="chebyshevi"), EDGES),
    "cheb1ap": (lambda w: ss.cheb1ap(4, w[0])[1:], EDGES),
    "cheb2ap": (lambda w: ss.cheb2ap(3, 50 * w[0])[1:], EDGES),
    "lp2lp_zpk": (lambda z: ss.lp2lp_zpk(z, POLES, 1.5, 2.0 + z[0]), ZEROS),
    "lp2hp_zpk": (lambda z: ss.lp2hp_zpk(z, POLES, 1.5, 2.0 + z[0]), ZEROS),
    "lp2bp_zpk": (lambda z: ss.lp2bp_zpk(z, POLES, 1.5, wo=2.0, bw=1.0 + z[0]), ZEROS),
    "lp2bs_zpk": (lambda z: ss.lp2bs_zpk(z, POLES, 1.5, wo=2.0 + z[1], bw=1.0), ZEROS),
    "bilinear_zpk": (lambda z: ss.bilinear_zpk(z, POLES, 1.5, 2.0 + z[0]), ZEROS),
    "zpk2tf": (lambda z: ss.zpk2tf(z, POLES, z[0]), ZEROS),
    "zpk2tf, several": (lambda z: ss.zpk2tf(np.stack([z, 2 * z]), POLES, np.array([1.0, 2.0])), ZEROS),
    "zpk2sos": (lambda z: ss.zpk2sos(z, 0.3 * POLES, 1.5), ZEROS),
    "tf2sos": (lambda b: ss.tf2sos(b, A), B),
    "lp2lp": (lambda b: ss.lp2lp(b, A, 1.0 + b[1]), B),
    "lp2hp": (lambda a: ss.lp2hp(B, a, 2.0), A),
    "lp2bp": (lambda b: ss.lp2bp(b, A, 1.5 + b[0], b[1]), B),
    "lp2bs": (lambda a: ss.lp2bs(B, a, bw=0.5 + a[2]), A),
    "bilinear": (lambda b: ss.bilinear(b, A, 1.0 + b[0]), B),
    "normalize": (lambda a: ss.normalize(B, 2.0 * a), A),
    "ss2tf": (lambda a: ss.ss2tf(*system(a)), STATE),
    "freqs": (lambda b: ss.freqs(b, A, [0.1, 0.5, 1.0]), B),
    "freqs, chosen": (lambda b: ss.freqs(b, A, 5)[1], B),
    "freqs, frequencies": (lambda w: ss.freqs(B, A, worN=w), EDGES),
    "freqs_zpk": (lambda z: ss.freqs_zpk(z, POLES, z[0], [0.1, 0.5]), ZEROS),
    "freqresp": (lambda a: ss.freqresp(system(a), [0.1, 0.5, 1.0]), STATE),
    "bode": (lambda b: ss.bode((b, A), [0.1, 0.5, 1.0]), B),
    "bode, roots": (lambda z: ss.bode((z, POLES, 1.5), n=4)[1:], ZEROS),
    "zoh": (lambda a: ss.cont2discrete(system(a), 0.3), STATE),
    "foh": (lambda a: ss.cont2discrete(system(a), 0.3 + a[0, 1], method="foh"), STATE),
    "gbt": (lambda a: ss.cont2discrete(system(a), 0.3, "gbt", 0.3), STATE),
    "tustin": (lambda b: ss.cont2discrete((b, A), 0.3, "bilinear")[:2], B),
    "impulses": (lambda a: ss.cont2discrete((a, IN, OUT, 0 * DIRECT), 0.3, "impulse"), STATE),
    "backward": (lambda z: ss.cont2discrete((z, POLES, 1.5), 0.3, "backward_diff")[:3], ZEROS),
    "lsim": (lambda a: ss.lsim(system(a), INPUT, TIMES), STATE),
    "lsim, input": (lambda u: ss.lsim(system(STATE), u, TIMES, [1.0, 2.0], interp=False), INPUT),
    "lsim, fraction": (lambda b: ss.lsim((b, A), INPUT, TIMES)[1], B),
    "impulse": (lambda a: ss.impulse(system(a), T=TIMES - 0.3), STATE),
    "step": (lambda a: ss.step(system(a), N=5), STATE),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_agrees_with_differences(name: str) -> None:
    design, x = DESIGNS[name]
    before = x.copy()

    def program(x: Any) -> Any:
        return mixed(design(x))

    assert zg.pullback(program, x)[0] == program(x)
    check_gradient(program, x)
    assert np.array_equal(x, before)


@pytest.mark.parametrize("name", ["butter, sections", "bilinear", "zoh"])
def test_second_derivatives(name: str) -> None:
    design, x = DESIGNS[name]
    check_gradient(lambda x: mixed(design(x)), x, order=2)


def test_an_input_of_zeros_has_a_gradient() -> None:
    """SciPy leaves it out of the computation."""
    check_gradient(lambda u: np.sum(ss.lsim(system(STATE), u, TIMES)[1]), np.zeros(8))


def test_complex_zeros_and_poles() -> None:
    zeros = np.array([0.3 + 0.2j, 0.3 - 0.2j])

    def program(x: Any) -> Any:
        b, a = ss.zpk2tf(zeros * x, np.conj(zeros) * x**2, 1.0)
        sections = ss.zpk2sos(zeros * x, 0.5 * zeros * x**2, x)
        return mixed((b, a, sections))

    check_gradient(program, 1.2)


def test_systems_as_objects_are_entered() -> None:
    check_gradient(lambda b: np.sum(ss.impulse(ss.lti(b, A), T=TIMES - 0.3)[1]), B)


@pytest.mark.parametrize(
    ("program", "x"),
    [
        (lambda a: mixed(ss.normalize(B, a)), np.array([0.0, 1.0, 0.5])),
        (lambda a: mixed(ss.lp2lp(B, a)), np.array([0.0, 1.0, 0.5])),
        (lambda a: mixed(ss.lp2hp(B, a)), np.array([1.0, 1.0, 0.0])),
        (lambda b: mixed(ss.freqs(b, A, [0.1], plot=lambda w, h: None)), B),
        (lambda k: mixed(ss.zpk2sos(ZEROS, 0.3 * POLES, k)), 0.0),
    ],
)
def test_what_has_no_derivative_is_refused(program: Program, x: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(MissingRuleError, match="has no rule for"):
            zg.gradient(program, x)


def test_complex_systems_of_which_scipy_takes_the_real_part_are_refused() -> None:
    for program in (lambda b: ss.freqresp((b, A), [0.1, 0.5])[1], lambda b: ss.bode((b, A), [0.1, 0.5])[1]):
        with pytest.warns(np.exceptions.ComplexWarning), pytest.raises(MissingRuleError, match="real part"):
            zg.gradient(lambda b, program=program: np.sum(np.abs(program(b))), B + 0.3j * np.cos(B))
