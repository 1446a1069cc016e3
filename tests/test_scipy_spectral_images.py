"""Filters of spectra in `scipy.ndimage` and Hankel transforms in `scipy.fft`: values and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.fft as sf
import scipy.ndimage as nd

import zygpy as zg
from tests.rules.calls import array
from tests.solvers.references import agrees, agrees_to_second_order
from zygpy.errors import MissingRuleError
from zygpy.runtime import hankel_transforms, image_spectra
from zygpy.testing import check_gradient

FILTERS = (nd.fourier_gaussian, nd.fourier_uniform, nd.fourier_ellipsoid, nd.fourier_shift)
TABLE = array(3, 4)
OTHERS = ((0.0, -1.2), ())
"""Sizes that boxes do not have."""


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is computed beside each value, with the value."""
    seen: list[Any] = []
    for module in (image_spectra, hankel_transforms):
        monkeypatch.setattr(module, "as_given", lambda *both: seen.append(both))
    return seen


@pytest.mark.parametrize("function", FILTERS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("shape", [(7,), (6,), (1,), (4, 5), (5, 4), (3, 4, 5)])
def test_what_is_computed_is_the_value(computed: list[Any], function: Any, shape: Any) -> None:
    program = getattr(image_spectra, function.__name__)
    for x in (array(*shape), array(*shape) + 1j * array(*shape, start=40)):
        for size in (1.3, 2.4, *OTHERS[function is nd.fourier_uniform], [1.3, 2.7, 0.4][: len(shape)]):
            for n, axis in ((-1, -1), (8, -1), (9, 0)):
                program(x, size, n, axis)
    for value, found in computed:
        np.testing.assert_allclose(found, value, rtol=1e-10, atol=1e-12)


@pytest.mark.filterwarnings("ignore:singular")
@pytest.mark.parametrize("length", [1, 2, 5, 8])
def test_hankel_transforms_are_computed(computed: list[Any], length: int) -> None:
    for mu, bias in ((0.3, 0.0), (0.3, 0.4), (2, -0.3), (0, 1), (1, -2), (1, 2.0), (-1, 0), (0.0, -1)):
        hankel_transforms.fht(array(2, length), 0.1, mu, 0.2, bias)
        hankel_transforms.ifht(array(2, length), 0.1, mu, 0.2, bias)
    for value, found in computed:
        np.testing.assert_allclose(found, value, rtol=1e-9, atol=1e-9)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "gaussian": (nd.fourier_gaussian, (TABLE + 0.3j * TABLE**2, 1.3)),
    "gaussian, real": (lambda x, s: nd.fourier_gaussian(x, s), (TABLE, np.array([0.4, 1.1]))),
    "gaussian, half": (lambda x, s: nd.fourier_gaussian(x, s, n=7), (TABLE, 1.1)),
    "uniform": (nd.fourier_uniform, (TABLE + 0.3j * TABLE**2, np.array([2.4, 3.3]))),
    "uniform, along a line": (lambda x, s: nd.fourier_uniform(x, s, 6, 0), (TABLE[0], 3.3)),
    "ellipsoid": (nd.fourier_ellipsoid, (TABLE + 0.3j * TABLE**2, np.array([2.4, 3.3]))),
    "ellipsoid, of a block": (nd.fourier_ellipsoid, (array(2, 3, 3), np.array([2.4, 0.3, 1.1]))),
    "shift": (nd.fourier_shift, (TABLE + 0.3j * TABLE**2, np.array([0.7, -1.6]))),
    "shift, of real ones": (lambda x, s: nd.fourier_shift(x, s, output=np.complex64), (TABLE * 0 + 1, 0.5)),
    "hankel": (sf.fht, (array(2, 6), 0.1, 0.3, 0.2, 0.4)),
    "hankel, unbiased": (sf.fht, (array(5), 0.1, 0.3)),
    "hankel, back": (sf.ifht, (array(2, 5), 0.1, 0.3, 0.2, -0.4)),
    "hankel, back and unbiased": (lambda x: sf.ifht(x, 0.2, mu=1), (array(6),)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients(name: str) -> None:
    program, args = PROGRAMS[name]
    before = [np.copy(arg) for arg in args]
    check_gradient(lambda *args: program(*args), *args)
    assert all(np.array_equal(arg, copy) for arg, copy in zip(args, before, strict=True))


def mixed(y: Any) -> Any:
    return np.sum(np.cos(np.real(y)) + np.sin(np.imag(y)))


@pytest.mark.parametrize("place", [0, 1])
def test_second_derivatives(place: int) -> None:
    sizes = np.array([1.4, 2.3])
    for function in (nd.fourier_ellipsoid, nd.fourier_shift):
        f = [lambda x, f=function: mixed(f(x, sizes)), lambda s, f=function: mixed(f(TABLE, s))][place]
        agrees_to_second_order(f, [TABLE, sizes][place])
    g = [lambda x: mixed(sf.fht(x, 0.1, 0.3, bias=0.2)), lambda m: mixed(sf.fht(TABLE[0], 0.1, m))][place]
    agrees_to_second_order(g, [TABLE[0], 0.3][place])


@pytest.mark.filterwarnings("ignore:singular")
def test_where_a_transform_is_singular() -> None:
    agrees(lambda x: mixed(sf.fht(x, 0.1, 0.0, bias=-1.0)), array(6))
    agrees(lambda x: mixed(sf.ifht(x, 0.1, 0, bias=1.0)), array(6))
    agrees(lambda x: mixed(sf.fht(x, 0.1, 1, bias=-2.0)), array(5))
    with pytest.raises(MissingRuleError):
        zg.gradient(lambda mu: mixed(sf.fht(array(5), 0.1, mu, bias=-1.0)), 0.0)
    agrees(lambda step: mixed(sf.fht(array(5), step, 0.0, bias=-1.0)), 0.2)


def test_single_precision_and_integers() -> None:
    (bar,) = zg.gradient(lambda x: np.sum(nd.fourier_gaussian(x, 1.1)), TABLE.astype(np.float32))
    assert bar.dtype == np.float32
    (bar,) = zg.gradient(lambda x: np.sum(nd.fourier_uniform(x, 2)), np.arange(4))
    np.testing.assert_allclose(bar, nd.fourier_uniform(np.ones(4), 2), atol=1e-15)
    (bar,) = zg.gradient(lambda x: sf.fht(x, 0.1, 0.3) @ TABLE[0], TABLE[0].astype(np.float32))
    assert bar.dtype == np.float32


def test_boxes_without_a_size_are_refused() -> None:
    with pytest.raises(MissingRuleError, match="greater than 0"):
        zg.gradient(lambda x: np.sum(nd.fourier_uniform(x, (2.0, 0.0))), TABLE)


def test_an_array_for_the_result_is_refused() -> None:
    with pytest.raises(MissingRuleError, match="output= that is an array"):
        zg.gradient(lambda x: np.sum(nd.fourier_gaussian(x, 1.1, output=np.zeros((3, 4)))), TABLE)
