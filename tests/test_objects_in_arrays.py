"""Objects of which NumPy makes numbers when they are stored in an array: all refused for now, never lost."""

from __future__ import annotations

import itertools
from types import ModuleType

import pytest

import zygpy as zg
from tests.written import module_of
from zygpy.units import options

WRITES = (
    *("t[0] = o", "t[:] = o", "t.fill(o)", "t.flat[0] = o", "t.real = o", "t[[0, 1]] = o", "t[t > 0] = o"),
    *("u = [t]; u[0][0] = o", "t[:] = [o, o]", "np.copyto(t, o)", "t.put([0], o)", "t *= o", "t += o"),
    *("u = [t]; u[0] *= o", "h = Holder(); h.t = t; h.t += o", "t[0] += o", "np.add(t, o, out=t)"),
)
CLASSES = ("Floating", "Array", "Sequence", "Both")
HIDDEN = ("o = {cls}(k)", "d = dict(a={cls}(k), b=1); o = d['a']", "o = made({cls}, k)")

_TEXT = """
import numpy as np


class Floating:
    def __init__(self, v): self.v = v
    def __float__(self): return float(self.v * 1.0)


class Array:
    def __init__(self, v): self.v = v
    def __array__(self, dtype=None, copy=None): return np.array([self.v, 1.0])


class Sequence:
    def __init__(self, v): self.v = [v, 1.0]
    def __len__(self): return 2
    def __getitem__(self, i): return self.v[i]


class Both(Array):
    def __rmul__(self, other): return other * self.v
    def __radd__(self, other): return other + self.v


class Holder: pass


def made(cls, k): return cls(k)
"""

CASES = list(enumerate(itertools.product(WRITES, CLASSES, HIDDEN)))


def _program(place: int, write: str, cls: str, hidden: str) -> str:
    return (
        f"\n\ndef program_{place}(k):\n    t = np.ones(2) * k\n    {hidden.format(cls=cls)}\n"
        f"    {write}\n    return t.sum()\n"
    )


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    text = _TEXT + "".join(_program(place, *case) for place, case in CASES)
    return module_of(text, "objects_in_arrays", tmp_path_factory)


@pytest.mark.parametrize("specialise", [True, False])
@pytest.mark.parametrize(("place", "case"), CASES)
def test_what_numpy_makes_of_an_object_is_not_lost(
    place: int, case: tuple[str, str, str], specialise: bool, programs: ModuleType
) -> None:
    program = getattr(programs, f"program_{place}")
    x, step = 1.3, 1e-6
    try:
        program(x)
    except (TypeError, ValueError):
        return
    slope = (program(x + step) - program(x - step)) / (2 * step)
    try:
        with options(specialise=specialise):
            found = zg.gradient(program, x)[0]
    except zg.ZygpyError:
        return
    assert found == pytest.approx(slope, rel=1e-6)
