"""Real numbers that are joined with complex ones, or stored among them, have real cotangents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of
from zygpy import units
from zygpy.testing import check_gradient

POINT = np.array([1.0, 2.0]) * (1 + 0.5j)


def stored(z: Any) -> Any:
    b = np.zeros(2, complex)
    b[:] = np.abs(z)
    b[1] = z[0]
    return b


def copied(z: Any) -> Any:
    b = z * 1.0
    b[0] = np.abs(z[0])
    np.copyto(b[1:], np.abs(z[1:]))
    return b * 1j


def augmented(z: Any) -> Any:
    spectrum = np.fft.fft(sum([a * z for a in z]))  # an array of unknown rank
    spectrum[1] *= 1j * np.abs(z[0])
    spectrum[0] += np.abs(z[1])
    return spectrum


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "concatenate": lambda z: np.concatenate([np.abs(z), z]),
    "concatenate with a dtype": lambda z: np.concatenate((np.abs(z), z), dtype=complex),
    "stack": lambda z: np.stack([np.abs(z), z]),
    "hstack": lambda z: np.hstack([np.abs(z), z]),
    "vstack": lambda z: np.vstack([np.abs(z), z]),
    "dstack": lambda z: np.dstack([np.abs(z), z]),
    "column_stack": lambda z: np.column_stack([np.abs(z), z]),
    "block": lambda z: np.block([np.abs(z), z]),
    "append": lambda z: np.append(np.abs(z), z),
    "array of arrays": lambda z: np.array([np.abs(z), z]),
    "array of numbers": lambda z: np.array([[abs(z[0]), z[1]], [z[0], 1.0]]),
    "asarray": lambda z: np.asarray([np.abs(z)[0], z[1]]),
    "sum of a list": lambda z: np.sum([np.abs(z), z], axis=0),
    "sum of a tuple": lambda z: np.sum((np.abs(z), z), axis=0),
    "where": lambda z: np.where([True, False], np.abs(z), z),
    "choose": lambda z: np.choose([0, 1], [np.abs(z), z]),
    "select": lambda z: np.select([[True, False]], [np.abs(z)], z),
    "insert": lambda z: np.insert(z, 1, np.abs(z)[0]),
    "einsum": lambda z: np.einsum("i,i->i", np.abs(z), z),
    "einsum of three": lambda z: np.einsum("i,i,j->ij", np.abs(z), z, np.real(z)),
    "kron": lambda z: np.kron(np.abs(z), z),
    "outer": lambda z: np.multiply.outer(np.abs(z), z),
    "multi_dot": lambda z: np.linalg.multi_dot([np.outer(np.abs(z), z), np.outer(z, z)]),
    "full": lambda z: np.full(2, np.abs(z)) * 1j,
    "var": lambda z: np.var(np.abs(z), mean=np.mean(z, keepdims=True)),
    "std": lambda z: np.std(np.abs(z), axis=0, mean=z[:1], correction=0.5),
    "std, means in rows": lambda z: np.std(np.abs(z), axis=-1, mean=np.stack([z, 2j * z], 1)),
    "stored": stored,
    "augmented": augmented,
    "copied": copied,
}


def differences(function: Callable[[Any], Any], z: Any) -> Any:
    """The gradient of a real function of complex numbers: real and imaginary slopes together."""

    def slope(step: Any) -> Any:
        return (function(z + step) - function(z - step)) / 2e-6

    return np.array([slope(1e-6 * unit) + 1j * slope(1e-6j * unit) for unit in np.eye(len(z))])


@pytest.mark.parametrize("specialise", [True, False], ids=["specialised", "unspecialised"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_gradients(program: Callable[[Any], Any], specialise: bool) -> None:
    def imaginary(z: Any) -> Any:
        y = np.ravel(program(z))
        return np.sum(np.imag(y) * np.arange(1.0, np.size(y) + 1.0))

    with units.options(specialise=specialise):
        (found,) = zg.gradient(imaginary, POINT)
    assert found == pytest.approx(differences(imaginary, POINT), rel=1e-7, abs=1e-7)


def test_second_order() -> None:
    def joined(z: Any) -> Any:
        return np.sum(np.imag(np.concatenate([np.abs(z) ** 2, z**2])[1:]) ** 2)

    zg.testing.check_gradient(joined, POINT, order=2)


STORES = [
    *("s[0] += r", "s[0] -= r", "s[1:] += r", "s[:] -= r", "s += r", "s[[0, 0]] += r", "s[s.real > 0] += r"),
    *("np.add.at(s, [0, 0, 1], r)", "np.subtract.at(s, 0, r)", "np.add(s, r, out=s)", "s[0] = r", "s[:] = r"),
    *("s[0] *= r", "s[0] /= r", "s.fill(r)", "np.put(s, [0], r)", "s[::-1] += r", "s[0], s[1] = r, s[0]"),
    *(
        "s[0] += np.angle(z[0])",
        "s[0] *= np.angle(z[1])",
        "s[0] += z[1].imag",
        "for i in range(2): s[i] += r",
    ),
    *("l = [s]; l[0][0] += r", "d = {'a': s}; d['a'][1] -= r", "t = s[0:1]; t += r", "s[0] += 2 * r - 1"),
]
"""How a real number `r` comes into a complex array `s`."""

ARRAYS = ["z * 1", "np.fft.fft(z)", "np.zeros(2, complex)", "np.array([z[0], 2.0])"]

_STORING = """
import numpy as np


def program(z):
    r = abs(z[1])
    s = {array}
    {store}
    return np.sum(np.{part}(s * (1 + 0.3j) * np.arange(1.0, 3.0)))
"""


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("store", STORES)
def test_what_is_stored_among_complex_numbers(store: str, array: str, tmp_path_factory: Any) -> None:
    part = "imag" if len(store + array) % 2 else "real"
    text = _STORING.format(array=array, store=store, part=part)
    program = module_of(text, "program_that_stores", tmp_path_factory).program
    z = np.array([1.0, 2.3]) * (1 + 0.5j)
    for specialise in (True, False):
        with units.options(specialise=specialise):
            (found,) = zg.gradient(program, z.copy())
        assert found == pytest.approx(differences(program, z), rel=1e-7, abs=1e-7)


def test_an_angle_that_multiplies_a_row_of_complex_numbers() -> None:
    def program(x):
        rows = np.outer(x, x + 0.3j)
        rows[1] *= np.angle(np.exp(1j * x) * x)
        rows[[0, 1]] += np.angle(np.exp(1j * x) * x)
        return np.sum((rows * (1 + 0.5j)).real) + np.sum((rows * np.conj(rows)).real)

    check_gradient(program, np.array([0.7, 1.3, 2.1]))
