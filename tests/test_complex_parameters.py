"""Complex numbers where SciPy expects real ones: followed as SciPy computes with them, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg

pytest.importorskip("scipy")
import scipy.integrate as sg
import scipy.interpolate as si
import scipy.ndimage as nd
import scipy.signal as ss

RANDOM = np.random.default_rng(5)
SAMPLES = RANDOM.normal(size=7)
PLACES = np.sort(RANDOM.normal(size=7)) + 0.1j * RANDOM.normal(size=7)
SPECTRUM = SAMPLES + 1j * RANDOM.normal(size=7)
TAKEN = np.array([1.0, -0.6, 0.3, 0.9, -0.2, 0.7, 0.4])

Program = Callable[..., Any]


def weighed(found: Any) -> Any:
    """One number of all entries, with a part of the imaginary ones."""
    return np.sum(np.real(found * (1 + 0.3j) * TAKEN[: np.shape(found)[-1]]))


FOLLOWED: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "two samples": (lambda y, x: weighed(sg.cumulative_simpson(y[:2], x=x[:2])), (SPECTRUM, PLACES)),
    "running parabolas": (lambda y, x: weighed(sg.cumulative_simpson(y, x=x)), (SAMPLES, PLACES)),
    "of complex samples": (lambda y, x: weighed(sg.cumulative_simpson(y, x=x)), (SPECTRUM, PLACES)),
    "an even number of samples": (
        lambda y, x: weighed(sg.simpson(y[1:], x=x[1:]) * np.ones(1)),
        (SPECTRUM, PLACES),
    ),
    "parabolas": (lambda y, x: weighed(sg.simpson(y, x=x) * np.ones(1)), (SPECTRUM, PLACES)),
    "spacing": (lambda d: weighed(ss.savgol_filter(SAMPLES, 5, 2, 1, d)), (np.array(0.5 + 0.2j),)),
    "spacing, twice": (
        lambda x, d: weighed(ss.savgol_filter(x, 5, 3, deriv=2, delta=d)),
        (SAMPLES, np.array(0.5 + 0.2j)),
    ),
    "no slope": (lambda x, d: weighed(ss.savgol_filter(x, 5, 2, delta=d)), (SAMPLES, np.array(0.5 + 0.2j))),
}


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", FOLLOWED)
def test_differences_of_all_parts(name: str) -> None:
    program, arguments = FOLLOWED[name]
    gradients = zg.gradient(program, *arguments)
    for place, (given, found) in enumerate(zip(arguments, gradients, strict=True)):
        way = np.cos(np.arange(given.size).reshape(given.shape)) + (
            1j * np.sin(1.0 + np.arange(given.size).reshape(given.shape)) if np.iscomplexobj(given) else 0
        )

        def moved(step: float, place: int = place, way: Any = way) -> float:
            return float(program(*[a + step * way if i == place else a for i, a in enumerate(arguments)]))

        near, far = ((moved(h) - moved(-h)) / (2 * h) for h in (1e-4, 2e-4))
        slope = (4 * near - far) / 3
        assert np.sum(np.real(np.conj(found) * way)) == pytest.approx(slope, rel=1e-6, abs=1e-7)
        push = zg.pushforward(program, *arguments)
        ways = [way if i == place else np.zeros_like(a) for i, a in enumerate(arguments)]
        assert push(*ways) == pytest.approx(slope, rel=1e-6, abs=1e-7)


REFUSED: dict[str, tuple[Program, tuple[Any, ...]]] = {
    "gaussian": (lambda s: nd.fourier_gaussian(SPECTRUM, s), (0.8 + 0.2j,)),
    "box": (lambda s: nd.fourier_uniform(SPECTRUM, s), (0.8 + 0.2j,)),
    "ball": (lambda s: nd.fourier_ellipsoid(SPECTRUM, s), (0.8 + 0.2j,)),
    "turn": (lambda s: nd.fourier_shift(SPECTRUM, [s]), (0.8 + 0.2j,)),
    "real spectra": (lambda x: nd.fourier_gaussian(x, 0.8 + 0.2j), (SPECTRUM,)),
    "shift": (lambda s: nd.shift(SAMPLES, s), (np.array(0.8 + 0.2j),)),
    "shift of complex images": (lambda x: nd.shift(x, np.array([0.8 + 0.2j])), (SPECTRUM,)),
    "offset": (lambda s: nd.affine_transform(SAMPLES, [0.8], s), (np.array(0.3 + 0.2j),)),
    "weights": (
        lambda w: ss.firls(5, [0, 0.3, 0.5, 1], [1, 1, 0, 0], weight=w),
        (np.array([0.8 + 0.2j, 1]),),
    ),
    "places of samples": (lambda x: si.interp1d(x, SAMPLES)([0.1, 0.3]), (PLACES,)),
}


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("name", REFUSED)
def test_what_scipy_takes_in_part_is_refused(name: str) -> None:
    program, arguments = REFUSED[name]
    with pytest.raises(zg.ZygpyError, match="no rule for complex parameters"):
        zg.gradient(lambda *given: weighed(program(*given)), *arguments)


def test_angles_of_zero() -> None:
    """The slope of a jump is taken for 0, as that of `arctan2` is."""
    assert zg.gradient(lambda x: np.angle(x * 1j), 0.0) == (0.0,)
    assert zg.gradient(lambda x: np.angle(x), 0.0) == (0.0,)
    (found,) = zg.gradient(lambda z: np.sum(np.angle(z, deg=True)), np.array([0.0, 2.0, 1j]))
    assert np.allclose(found, np.array([0.0, 0.5j, -1.0]) * 180 / np.pi, rtol=1e-14)
