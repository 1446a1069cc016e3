"""Tuples and lists of rows that are changed by other names, and given to functions that take arrays."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import zygpy as zg
from tests.written import module_of

HEAD = """
import numpy as np

W = np.array([[0.3, -1.2], [0.8, 2.1]])
"""

FUNCTIONS = {
    "einsum": "np.einsum('ij,ij', m, W)",
    "dot": "np.sum(np.dot(m, W) * W)",
    "matmul": "np.sum(np.matmul(W, m) * W)",
    "tensordot": "np.tensordot(m, W)",
    "inner": "np.sum(np.inner(m, W) * W)",
    "kron": "np.sum(np.kron(m, W) * 2.0)",
    "norm": "np.linalg.norm(m)",
    "solve": "np.sum(np.linalg.solve(W, m) * W)",
    "multiply": "np.sum(np.multiply(m, W))",
    "cumsum": "np.sum(np.cumsum(m, axis=0) * W)",
    "stack": "np.sum(np.stack(m) * W)",
    "where": "np.sum(np.where(True, m, W) * W)",
}
ROWS = {
    "tuple_of_arrays": "m = (x[:2] * 1.0, np.zeros(2))",
    "list_of_arrays": "m = [x[:2] * 1.0, np.ones(2)]",
    "tuple_of_lists": "m = (list(x[:2]), [0.7, s])",
    "mixed": "m = (x[:2] + 0.0, [0.4, x[3]])",
}
CHANGES = {
    "by_index": "r = m[0]\n        r[0] *= s",
    "by_iterator": "it = iter(m)\n        r = next(it)\n        r[0] *= s\n        r = next(it)",
    "unpacked": "r, q = m\n        r[1] += s * q[0]",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    texts = [
        f"def {function}_{rows}_{change}(x, s):\n    {made}\n    for _ in range(2):\n        {changed}\n"
        f"    y = {called}\n    r[1] = 5.0\n    return y + m[0][0]\n"
        for function, called in FUNCTIONS.items()
        for rows, made in ROWS.items()
        for change, changed in CHANGES.items()
    ]
    return module_of("\n\n".join([HEAD, *texts]), "rows_changed_in_loops", tmp_path_factory)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivatives(function: str, rows: str, change: str, programs: ModuleType) -> None:
    program = getattr(programs, f"{function}_{rows}_{change}")
    x, s, along = np.array([0.71, 1.31, 0.43, 0.92]), 0.83, np.array([0.1, 0.2, -0.4, 0.3])

    def slope(h: float) -> float:
        return float((program(x + h * along, s + h) - program(x - h * along, s - h)) / (2 * h))

    expected = (4 * slope(1e-4) - slope(2e-4)) / 3
    _, back = zg.pullback(program, x, s)
    for _ in range(2):
        x_bar, s_bar = back(1.0)
        assert x_bar @ along + (s_bar or 0.0) == pytest.approx(expected, rel=1e-8)
    assert zg.pushforward(program, x, s)(along, 1.0) == pytest.approx(expected, rel=1e-8)
