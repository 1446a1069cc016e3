"""Results that are written to: a tangent is a view exactly where its array is one."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of

HEAD = """
import numpy as np
import scipy.linalg as sl
import scipy.ndimage as nd

W = np.array([[1.0, 2.0], [3.0, 5.0]])

class Turned:
    def __getitem__(self, m):
        return m.T
    def __add__(self, m):
        return m.T

TURNED = {"t": Turned()}
"""

RESULTS = {
    "array_itself": "np.array(m, copy=False)",
    "array_if_needed": "np.array(m, copy=None)",
    "array_by_name": "np.array(object=m, copy=False)",
    "array_with_rank": "np.array(m, ndmin=3, copy=False)",
    "array_unpacked": "np.array(m, **{'copy': False})",
    "cast_to_the_same": "m.astype(float, copy=False)",
    "copied": "np.array(m)",
    "unwrapped": "np.unwrap(m)",
    "trimmed": "np.trim_zeros(m, axis=0)",
    "trimmed_row": "np.trim_zeros(m[0])",
    "hessenberg": "sl.hessenberg(m)",
    "hessenberg_of_both": "sl.hessenberg(m, calc_q=True)[0]",
    "power": "sl.fractional_matrix_power(m, 1.0)",
    "filtered": "nd.uniform_filter(m, 1)",
    "eigenvalues": "np.linalg.eigvalsh(m)",
    "singular_values": "np.linalg.svdvals(m)",
    "by_an_index": "Turned()[m]",
    "by_an_index_of_a_thing": "TURNED['t'][m]",
    "by_an_operator": "Turned() + m",
}
STARTS = {
    "varying": "m = x.reshape(2, 2) * 1.0",
    "given": "m = x.reshape(2, 2)",
    "fixed": "m = np.eye(2) + 0.5",
}
CHANGES = {"added": "b += s", "an_item": "b[0] = s", "the_other": "m *= s"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [
        f"def {result}_{start}_{change}(x, s):\n    {begin}\n    b = {taken}\n    {changed}\n"
        "    return np.sum(np.cos(m) * W) + np.sum(b * b) * s\n"
        for result, taken in RESULTS.items()
        for start, begin in STARTS.items()
        for change, changed in CHANGES.items()
    ]
    return module_of("\n\n".join([HEAD, *texts]), "written_results", tmp_path_factory)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("result", RESULTS)
def test_derivatives(result: str, start: str, change: str, programs: ModuleType) -> None:
    program = getattr(programs, f"{result}_{start}_{change}")
    x, s, along = np.array([0.3, 0.5, 0.7, 0.2]), 0.8, np.array([0.1, 0.2, -0.4, 0.3])

    def slope(h: float) -> float:
        return float((program(x + h * along, s + h) - program(x - h * along, s - h)) / (2 * h))

    expected = (4 * slope(1e-4) - slope(2e-4)) / 3
    x_bar, s_bar = zg.gradient(program, x.copy(), s)
    found = (0.0 if x_bar is None else x_bar @ along) + (s_bar or 0.0)
    assert found == pytest.approx(expected, rel=1e-7)
    assert zg.pushforward(program, x.copy(), s)(along, 1.0) == pytest.approx(expected, rel=1e-7)
