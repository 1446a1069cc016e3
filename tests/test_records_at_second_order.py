"""Second derivatives of programs with records in lists and dicts, which are read entry by entry."""

import numpy as np
import pytest

import zygpy as zg

X = np.linspace(0.5, 1.5, 12)
V = np.cos(np.arange(12.0))


def list_of_dicts(x):
    recs = [{"m": x[i], "v": x[i + 1]} for i in range(5)]
    return sum(r["m"] * r["v"] ** 2 for r in recs)


def list_of_tuples(x):
    recs = [(x[i], x[i + 1]) for i in range(5)]
    return sum(m * v**2 for m, v in recs)


def list_of_lists(x):
    recs = [[x[i], x[i + 1]] for i in range(5)]
    return sum(r[0] * r[1] ** 2 for r in recs)


def dict_of_dicts(x):
    recs = {i: {"m": x[i], "v": x[i + 1]} for i in range(5)}
    return sum(r["m"] * r["v"] ** 2 for r in recs.values())


def dict_of_tuples(x):
    recs = {i: (x[i], x[i + 1]) for i in range(5)}
    return sum(r[0] * r[1] ** 2 for r in recs.values())


def tuple_of_dicts(x):
    recs = ({"m": x[0], "v": x[1]}, {"m": x[2], "v": x[3]})
    s = 0.0
    for r in recs:
        s += r["m"] * r["v"] ** 2
    return s


def lod_index(x):
    recs = [{"m": x[i], "v": x[i + 1]} for i in range(5)]
    s = 0.0
    for i in range(4):
        s += recs[i]["m"] * recs[i + 1]["v"] ** 2 * recs[0]["m"]
    return s


class P:
    def __init__(self, m, v):
        self.m, self.v = m, v


def list_of_objs(x):
    recs = [P(x[i], x[i + 1]) for i in range(5)]
    return sum(r.m * r.v**2 for r in recs)


def lod_while(x):
    recs = [{"m": x[i], "v": x[i + 1]} for i in range(5)]
    s = 0.0
    i = 0
    while i < 5:
        r = recs[i]
        s = s + r["m"] * r["v"] ** 2
        i += 1
    return s


def lod_arrays(x):
    recs = [{"m": x[i : i + 2], "v": x[i + 1]} for i in range(5)]
    return sum(np.sum(r["m"]) * r["v"] ** 2 for r in recs)


PROGRAMS = (
    *(list_of_dicts, list_of_tuples, list_of_lists, dict_of_dicts, dict_of_tuples, tuple_of_dicts, lod_index),
    *(list_of_objs, lod_while, lod_arrays),
)


def along(f, h):
    """The gradient's derivative along V by central differences."""
    return (zg.gradient(f, X + h * V)[0] - zg.gradient(f, X - h * V)[0]) / (2 * h)


@pytest.mark.parametrize("f", PROGRAMS)
def test_products_with_hessians(f):
    expected = (4 * along(f, 5e-4) - along(f, 1e-3)) / 3
    assert np.allclose(zg.hvp(f, X, V), expected, atol=1e-9)
    assert np.allclose(zg.hessian(f, X) @ V, expected, atol=1e-9)
    again = zg.jacobian(lambda x: zg.gradient(f, x)[0], X)[0]
    assert np.allclose(again @ V, expected, atol=1e-9)
