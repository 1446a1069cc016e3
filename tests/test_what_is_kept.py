"""`back` gives the same whatever is done meanwhile with what the user can still reach."""

import sys

import numpy as np
import pytest

import zygpy as zg
from zygpy.units import options


@pytest.fixture(autouse=True, params=[True, False][: 2 if sys.version_info < (3, 12) else 1])
def ways(request):
    with options(specialise=request.param):
        yield


class Box:
    pass


def joined(v, kept):
    kept += [np.tanh(v)]
    return kept[0] * kept[1]


def appended(v, kept):
    kept.append(np.tanh(v))
    return kept[0] * kept[1]


def stored(v, kept):
    t = np.tanh(v)
    kept[0] = t
    return v * t


def stored_deeply(v, kept):
    t = np.tanh(v)
    kept.insert(0, [t, {"k": np.exp(t)}])
    return v * t * kept[0][1]["k"]


def append(kept, t):
    kept.append(t)


def stored_by_another_function(v, kept):
    t = np.tanh(v)
    append(kept, t)
    return v * t


def stored_by_a_closure(v, kept):
    t = np.tanh(v)

    def store():
        kept.append(t)

    store()
    return v * t * t


def stored_under_another_name(v, kept):
    t = np.tanh(v)
    other = kept
    other.append(t)
    u = np.exp(t)
    other[0] = u
    return v * t * u


def stored_in_a_loop(v, kept):
    for k in range(3):
        t = np.tanh(v * k)
        kept.append(t)
    return kept[1] * kept[2] * kept[3] * v


def view_that_is_stored(v, kept):
    t = np.tanh(v)
    kept.append(t[:2])
    return v * t


def stored_in_an_object(v, kept):
    t = np.tanh(v)
    kept[0].t = t
    return v * t


def stored_in_a_dict(v, kept):
    t = np.tanh(v)
    kept[0]["t"] = t
    return v * t


def given_back(v, kept):
    t = np.tanh(v)
    u = t * t
    kept[0] = {}
    return u * t


def scramble(value):
    if isinstance(value, np.ndarray):
        value[...] = 77.0
    elif isinstance(value, dict):
        scramble(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            scramble(item)
    elif isinstance(value, Box):
        scramble(list(vars(value).values()))


@pytest.mark.parametrize(
    ("function", "first"),
    [
        (joined, lambda: np.ones(3)),
        (appended, lambda: np.ones(3)),
        (stored, lambda: np.ones(3)),
        (stored_deeply, lambda: np.ones(3)),
        (stored_by_another_function, lambda: np.ones(3)),
        (stored_by_a_closure, lambda: np.ones(3)),
        (stored_under_another_name, lambda: np.ones(3)),
        (stored_in_a_loop, lambda: np.ones(3)),
        (view_that_is_stored, lambda: np.ones(3)),
        (stored_in_an_object, Box),
        (stored_in_a_dict, dict),
        (given_back, lambda: np.ones(3)),
    ],
    ids=lambda function: getattr(function, "__name__", ""),
)
def test_arrays_that_the_user_can_reach_are_kept_by_copy(function, first):
    v, kept = np.array([0.5, 0.2, -0.4]), [first()]
    y, back = zg.pullback(function, v, kept)
    before = back(np.ones(3))[0].copy()
    scramble([v, kept, y])
    np.testing.assert_array_equal(back(np.ones(3))[0], before)
