"""Tangents of programs that stand for functions of libraries, and of what is in others' memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as ip
import scipy.linalg as sl
import scipy.ndimage as nd
import scipy.signal as ss
import scipy.spatial.distance as sd
import scipy.stats as st

import zygpy as zg
from tests.rules import reference
from zygpy.pushing import Push, push_of
from zygpy.runtime.zeros import CannotPush, check_plain, zeros_apart
from zygpy.units import options

X = np.array([0.4, 0.7, 1.1, 1.3, 0.9, 1.6])
M = np.cos(np.arange(12.0).reshape(4, 3)) + 2.0
S = np.cos(np.arange(9.0).reshape(3, 3)) + 3.0 * np.eye(3)
SIGNAL = np.sin(np.arange(20.0))
LINES = np.arange(4.0), np.arange(3.0)
POINTS = np.array([[0.5, 1.2], [2.2, 0.3]])

LIBRARY: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "select": (lambda x: np.select([x > 1, x > 0.5], [x**3, x**2], x), X),
    "pad": (lambda x: np.pad(x * x, 2, mode="reflect"), X),
    "polyfit": (lambda x: np.polyfit(np.arange(6.0), x * x, 2), X),
    "rq": (lambda x: sl.rq(x)[0], S),
    "filtfilt by b": (lambda b: ss.filtfilt(b, [1.0, -0.3], SIGNAL), np.array([0.2, 0.4, 0.5])),
    "filtfilt by a": (lambda a: ss.filtfilt([0.3, 0.2], a, SIGNAL), np.array([1.0, -0.3, 0.1])),
    "freqz": (lambda b: np.abs(ss.freqz(b, [1.0, -0.3], worN=4)[1]), np.array([0.2, 0.4, 0.5])),
    "percentile": (lambda x: np.percentile(x * x, 30), X),
    "median filter": (lambda x: nd.median_filter(x * x, 3), X),
    "geometric mean": (lambda x: st.gmean(x), M),
    "blocks": (lambda x: sl.block_diag(x, x * x), S),
    "between samples": (lambda x: ip.interpn(LINES, x, POINTS), M),
}
METRICS = (
    *("euclidean", "sqeuclidean", "cityblock", "cosine", "correlation", "chebyshev", "minkowski", "canberra"),
    *("braycurtis", "jensenshannon"),
)
LIBRARY |= {f"within by {name}": (lambda x, name=name: sd.pdist(x, name), M) for name in METRICS}
LIBRARY |= {f"from {name}": (lambda x, name=name: sd.cdist(x, x[:2] ** 2, name), M) for name in METRICS}


def direction(x: Any) -> Any:
    return np.cos(1.0 + np.arange(x.size)).reshape(x.shape)


@pytest.mark.parametrize("name", LIBRARY)
def test_programs_for_library_functions_are_pushed(name: str) -> None:
    """By tangent code, which agrees with differences and with the gradient."""
    function, x = LIBRARY[name]
    v = direction(x)
    push = push_of(function, (x,))
    assert isinstance(push, Push), push
    y, y_dot = push.run([v])
    np.testing.assert_allclose(y, function(x), rtol=1e-12)
    expected = reference.directional(lambda t: function(x + t * v))
    np.testing.assert_allclose(y_dot, expected, rtol=1e-7, atol=1e-8)
    weights = np.sin(2.0 + np.arange(np.size(y))).reshape(np.shape(y))
    (slope,) = zg.gradient(lambda x: np.sum(weights * function(x)), x)
    assert np.sum(weights * y_dot) == pytest.approx(np.sum(slope * v), rel=1e-9)


@pytest.mark.parametrize("name", ["select", "pad", "filtfilt by a", "from cosine", "within by euclidean"])
def test_products_with_hessians(name: str) -> None:
    function, x = LIBRARY[name]

    def total(x: Any) -> Any:
        return np.sum(function(x) ** 3)

    slopes = reference.directional(lambda t: zg.gradient(total, x + t * direction(x))[0])
    np.testing.assert_allclose(zg.hvp(total, x, direction(x)), slopes, rtol=1e-7, atol=1e-7)


def test_keywords_are_shown() -> None:
    text = zg.show_tangent(lambda x: sd.cdist(x, x, "chebyshev"), M)
    assert "named_cdist_tangent" in text


def test_numbers_of_less_precision() -> None:
    x = X.astype(np.float32)
    found = zg.pushforward(lambda x: np.select([x > 1, x > 0.5], [x**3, x**2], x), x)(np.ones(6, np.float32))
    assert found.dtype == np.float32


# ------------------------------------------------------------------------------- in others' memory


class Holder:
    """Something with a field."""

    def __init__(self, held: Any) -> None:
        self.held = held


def by_asarray(x: Any) -> Any:
    constant = np.ones(6)
    view = np.asarray(constant)
    view[1] = x[0]
    return np.sum(constant * x)


def by_reshape(x: Any) -> Any:
    constant = np.ones(6)
    view = np.reshape(constant, (2, 3))
    view[1, 1] = x[0] * x[1]
    return np.sum(constant * x)


def by_transposes(x: Any) -> Any:
    constant = np.ones((2, 3))
    view = np.transpose(constant)
    view[2, 1] = x[0] * x[1]
    return np.sum(np.ravel(constant) * x)


def kept_in_an_object(x: Any) -> Any:
    holder = Holder(np.ones(6))
    view = np.reshape(holder.held, (2, 3))
    view[0, 1] = x[2] ** 2
    return np.sum(holder.held * x)


def through(view: Any) -> Any:
    return np.asarray(view)


def by_a_function(x: Any) -> Any:
    constant = np.ones(6)
    view = through(constant)
    view[1] = x[0] ** 2
    return np.sum(constant * x)


def in_a_list(x: Any) -> Any:
    constants = [np.ones(6), np.zeros(6)]
    first = constants[0]
    first[3] = x[0] * x[1]
    return np.sum(constants[0] * x)


def of_unknown_things(x: Any) -> Any:
    held: Any = {"a": [np.ones(6)], "b": (np.zeros(6),)}
    for key in held:
        part = held[key][0]
        part[2:] = x[2:] * x[0]
    return np.sum(held["a"][0] * x) + np.sum(held["b"][0] ** 2)


def added_in_place(x: Any) -> Any:
    constant = np.ones(6)
    flat = np.ravel(constant)
    flat += x
    return np.sum(constant * x)


def only_read(x: Any) -> Any:
    constant = np.linspace(0.0, 1.0, 6)
    holder = Holder(constant)
    view = np.reshape(holder.held, (2, 3))
    holder.held = x * np.ravel(view)
    return np.sum(holder.held * x)


@pytest.mark.parametrize(
    "f",
    [
        *(by_asarray, by_reshape, by_transposes, kept_in_an_object, by_a_function, in_a_list),
        *(of_unknown_things, added_in_place, only_read),
    ],
)
@pytest.mark.parametrize("specialise", [True, False])
def test_tangents_lie_where_the_values_do(f: Callable[[Any], Any], specialise: bool) -> None:
    """What does not vary when it is taken, and gets a tangent through something else."""
    v = direction(X)
    with options(specialise=specialise):
        expected = reference.directional(lambda t: f(X + t * v))
        assert zg.pushforward(f, X)(v) == pytest.approx(expected, rel=1e-8)
        slopes = reference.directional(lambda t: zg.gradient(f, X + t * v)[0])
        np.testing.assert_allclose(zg.hvp(f, X, v), slopes, rtol=1e-7, atol=1e-8)


def test_what_may_be_part_of_something_else_is_left_to_reverse_mode() -> None:
    whole = np.ones(4)
    assert zeros_apart((1, "text"), [whole]) == (0.0, None)
    assert zeros_apart(np.dtype(float), whole) == 0.0
    for value, given in ((whole[1:], whole), ([1.0], whole), (whole, [whole]), (Holder(1.0), whole)):
        with pytest.raises(CannotPush):
            zeros_apart(value, given)
    for value in (Holder(1.0), [Holder(1.0)], np.array([None]), {"a": 1.0}):
        with pytest.raises(CannotPush):
            check_plain(value)
