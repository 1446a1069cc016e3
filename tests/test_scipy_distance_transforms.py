"""Distance transforms of `scipy.ndimage` by the spacing of the grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.ndimage as nd

import zygpy as zg
from zygpy.errors import MissingRuleError
from zygpy.testing import check_gradient

CELLS = np.array([[1, 1, 0, 1, 1], [1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [0, 1, 1, 1, 1]])
SPACING = np.array([1.0, 1.7])


def weighed(y: Any) -> Any:
    return np.sum(y * np.cos(np.arange(np.size(y))).reshape(np.shape(y)))


BY_SPACING: dict[str, Callable[[Any], Any]] = {
    "edt": lambda s: nd.distance_transform_edt(CELLS, s),
    "edt by a mask": lambda s: nd.distance_transform_edt(CELLS * s[0] > 0.5, sampling=s),
    "edt and indices": lambda s: nd.distance_transform_edt(CELLS, sampling=s, return_indices=True)[0],
    "edt by one number": lambda s: nd.distance_transform_edt(CELLS, sampling=s[1]),
    "edt by a list": lambda s: nd.distance_transform_edt(CELLS, sampling=[s[0], 2.1]),
    "edt of a row": lambda s: nd.distance_transform_edt(CELLS[0], sampling=s[0]),
    "bf": lambda s: nd.distance_transform_bf(CELLS, sampling=s),
    "bf, named": lambda s: nd.distance_transform_bf(CELLS, "Euclidean", s, True, True)[0],
}


@pytest.mark.parametrize("program", BY_SPACING.values(), ids=BY_SPACING)
def test_distances_by_spacings(program: Callable[[Any], Any]) -> None:
    check_gradient(lambda s: weighed(program(s)), SPACING, order=2)
    np.testing.assert_array_equal(zg.pullback(program, SPACING)[0], program(SPACING))


def test_distances_in_single_precision() -> None:
    spacing = SPACING.astype(np.float32)
    (found,) = zg.gradient(lambda s: weighed(nd.distance_transform_edt(CELLS, s)), spacing)
    (expected,) = zg.gradient(lambda s: weighed(nd.distance_transform_edt(CELLS, s)), SPACING)
    assert found.dtype == np.float32
    assert found == pytest.approx(expected, rel=1e-5)


def test_what_is_counted_has_no_gradient() -> None:
    def steps(s: Any) -> Any:
        return weighed(nd.distance_transform_bf(CELLS, "taxicab", s)) + weighed(
            nd.distance_transform_edt(CELLS, s, return_distances=False, return_indices=True)
        )

    (found,) = zg.gradient(steps, SPACING)
    assert found is None or not np.any(found)


def test_arrays_that_are_written_to_are_refused() -> None:
    def written(s: Any) -> Any:
        distances = np.zeros(CELLS.shape)
        nd.distance_transform_edt(CELLS, s, distances=distances)
        return np.sum(distances)

    with pytest.raises(MissingRuleError, match="distances= and indices="):
        zg.gradient(written, SPACING)
