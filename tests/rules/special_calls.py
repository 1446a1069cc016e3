"""Calls of functions of `scipy.special` that give several results, or take axes, or are not holomorphic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy
import scipy.special as sc

from tests.rules.array_calls import Call, array, call

POSITIVE = np.array([0.4, 1.3, 2.6])
INSIDE = np.array([-0.7, 0.2, 0.6])

IS_SOUND = bool(np.lib.NumpyVersion(scipy.__version__) >= "1.15.0")
"""Whether this SciPy's radial spheroidal functions keep to their own memory."""


FRESNEL = ("fresnel", "modfresnelp", "modfresnelm") if IS_SOUND else ("fresnel", "modfresnelm")
"""Of the modified integrals older versions give the second one for the first."""


def several_results() -> Iterator[Call]:
    for name in (*FRESNEL, "sici", "shichi", "airy", "airye", "kelvin"):
        yield call(getattr(sc, name), POSITIVE)
        yield call(getattr(sc, name), np.float64(0.7))
    yield call(sc.fresnel, 0.0)
    yield call(sc.airy, np.array([-2.5, 0.0, 1.0]))
    for name in ("itj0y0", "iti0k0", "it2j0y0", "it2i0k0", "itairy"):
        yield call(getattr(sc, name), POSITIVE)
    u, m = np.array([[0.3], [1.7], [-2.2]]), np.array([0.2, 0.7])
    yield call(sc.ellipj, u, m)
    yield call(sc.ellipj, np.array([4.0, 9.0]), 0.5)
    for name in ("pbdv", "pbvv", "pbwa"):
        yield call(getattr(sc, name), 1.5, INSIDE * 2)
        yield call(getattr(sc, name), np.array([[0.5], [1.5]]), INSIDE)


def of_differential_equations() -> Iterator[Call]:
    for name in ("cem", "sem"):
        yield call(getattr(sc, f"mathieu_{name}"), 2, 1.5, 40 * INSIDE)
    for name in ("modcem1", "modcem2", "modsem1", "modsem2"):
        yield call(getattr(sc, f"mathieu_{name}"), 2, 1.5, POSITIVE / 2)
    for shape in ("pro", "obl"):
        value = getattr(sc, f"{shape}_cv")(1, 3, 1.5)
        for name, x in (("ang1", INSIDE), ("rad1", 1 + POSITIVE))[: 2 if IS_SOUND else 1]:
            yield call(getattr(sc, f"{shape}_{name}"), 1, 3, 1.5, x)
            yield call(getattr(sc, f"{shape}_{name}_cv"), 1, 3, 1.5, value, x)
    yield call(sc.riccati_jn, 3, 1.3)
    yield call(sc.riccati_yn, 3, 1.3)


def scaled() -> Iterator[Call]:
    for name in ("jve", "yve", "ive"):
        for order in (0, 1.5, np.array([[0.5], [2.0]])):
            yield call(getattr(sc, name), order, POSITIVE)
    yield call(sc.ive, 2, np.array([-1.3, -0.2]))


def of_the_sphere() -> Iterator[Call]:
    for name, orders in (("legendre_p", (3,)), ("assoc_legendre_p", (3, 1)), ("sph_legendre_p", (3, -2))):
        if hasattr(sc, name):
            yield call(getattr(sc, name), *orders, INSIDE)
            yield call(getattr(sc, name), *orders, np.float64(0.3))


def sums() -> Iterator[Call]:
    a, b = array(2, 3, 4), np.abs(array(3, 4, start=9)) + 0.5
    for keywords in ({}, {"axis": 0}, {"axis": -1}, {"axis": (0, 2)}, {"axis": 1, "keepdims": True}):
        yield call(sc.logsumexp, a, **keywords)
        yield call(sc.logsumexp, a, b=b, **keywords)
        yield call(sc.logsumexp, a, b=-b, return_sign=True, **keywords)
        yield call(sc.logsumexp, a, return_sign=True, **keywords)
    yield call(sc.logsumexp, np.float64(1.5))
    yield call(sc.logsumexp, a[0], b=array(2, 1, 4) + 5)
    for function in (sc.softmax, sc.log_softmax):
        for axis in (None, 0, -1, (0, 2)):
            yield call(function, a, axis=axis)


CALLS: tuple[Call, ...] = (
    *several_results(),
    *of_differential_equations(),
    *scaled(),
    *of_the_sphere(),
    *sums(),
)
