"""What is handed back is the thing itself: what is done to it is done to `w`, and the other way round."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from tests.handing_back.ways import WAYS
from zygpy import units

HEADER = """
import numpy as np

from tests.handing_back.ways import *
from tests.handing_back.ways import {names}


class Number:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return 1

    def scale(self, factor):
        self.x = self.x * factor


def scale(m, factor):
    m *= factor


def scale_entry(m, place, factor):
    m[place] = m[place] * factor
"""

KINDS = {
    "array": (
        "w, u = v * 2, v * 3",
        ("m *= v[1]", "m[0] = v[1] * v[0]", "scale(m, v[1])", "w *= v[1]", "np.multiply(m, v, out=m)"),
        "np.sum(w**2) + np.sum(u * m)",
    ),
    "list": (
        "w, u = [v[0], v[1]], [v[1], v[0]]",
        ("m.append(v[1] * v[0])", "m[0] = v[1] * m[0]", "scale_entry(m, 1, v[0])", "w[1] = w[0] * v[0]"),
        "sum(w) * m[0] * w[1] + sum(u)",
    ),
    "object": (
        "w, u = Number(v[0]), Number(v[1])",
        ("m.x = m.x * v[1]", "m.scale(v[1])", "w.x = w.x * v[1]"),
        "w.x * m.x**2 + u.x",
    ),
    "dict": (
        "w, u = {'x': v[0]}, {'x': v[1]}",
        ("m['x'] = m['x'] * v[1]", "scale_entry(m, 'x', v[0])", "w['x'] = w['x'] * v[1]"),
        "w['x'] * m['x'] ** 2 + u['x']",
    ),
}

CASES = [
    (kind, way, changes[place % len(changes)])
    for kind, (_, changes, _) in KINDS.items()
    for place, way in enumerate(WAYS)
]

POINT = np.array([1.3, 2.1])


def text(number: int) -> str:
    kind, way, change = CASES[number]
    start, _, result = KINDS[kind]
    return f"def program_{number}(v):\n    {start}\n    m = {way}\n    {change}\n    return {result}\n"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    ways = importlib.import_module("tests.handing_back.ways")
    names = sorted(
        name for name, value in vars(ways).items() if getattr(value, "__module__", "") == ways.__name__
    )
    path = tmp_path_factory.mktemp("programs") / "programs.py"
    body = "\n\n".join(text(number) for number in range(len(CASES)))
    path.write_text(HEADER.format(names=", ".join(names)) + "\n\n" + body)
    spec = importlib.util.spec_from_file_location("handed_back_programs", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("number", range(len(CASES)), ids=["; ".join(case) for case in CASES])
def test_the_gradient_is_the_one_by_differences(programs: ModuleType, number: int) -> None:
    program = getattr(programs, f"program_{number}")
    steps = np.eye(2) * 1e-5
    expected = [(program(POINT + step) - program(POINT - step)) / 2e-5 for step in steps]
    with units.options(specialise=number % 2 == 0):
        (found,) = zg.gradient(program, POINT.copy())
    np.testing.assert_allclose(np.zeros(2) if found is None else found, expected, rtol=1e-7, atol=1e-7)
