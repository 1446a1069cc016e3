"""Distance transforms of `scipy.ndimage`, by the spacing of the grid; loaded with SciPy alone.

Which cell of the background is nearest is a choice, which holds where spacings change a little.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError
from zygpy.runtime.image_filters import measured
from zygpy.runtime.library_values import as_given, depending


def distance_transform_edt(
    input: Any,
    sampling: Any = None,
    return_distances: Any = True,
    return_indices: Any = False,
    distances: Any = None,
    indices: Any = None,
) -> Any:
    """`scipy.ndimage.distance_transform_edt`."""
    check_new("distance_transform_edt", distances, indices)
    asked = {"sampling": sampling, "return_indices": True}
    value, places = measured("distance_transform_edt", (depending(input, distances),), asked)
    return chosen(to_places(value, places, sampling), places, return_distances, return_indices)


def distance_transform_bf(
    input: Any,
    metric: Any = "euclidean",
    sampling: Any = None,
    return_distances: Any = True,
    return_indices: Any = False,
    distances: Any = None,
    indices: Any = None,
) -> Any:
    """`scipy.ndimage.distance_transform_bf`, by whose other metrics spacings do not count."""
    check_new("distance_transform_bf", distances, indices)
    asked = {"metric": metric, "sampling": sampling, "return_indices": True}
    value, places = measured("distance_transform_bf", (depending(input, distances),), asked)
    if metric.lower() == "euclidean":
        value = to_places(value, places, sampling)
    return chosen(value, places, return_distances, return_indices)


def check_new(name: str, *arrays: Any) -> None:
    """Raise MissingRuleError for arrays that are to be written to."""
    if any(array is not None and not isinstance(array, bool) for array in arrays):
        raise MissingRuleError(
            f"'scipy.ndimage.{name}' has no rule for distances= and indices= that are arrays.",
            why="results are not written into an array",
            instead="take the result that is given back",
        )


def to_places(value: Any, places: Any, sampling: Any) -> Any:
    """The distances from the cells of a grid to other cells, 0 from a cell to itself."""
    if sampling is None:
        return value
    steps = steps_to(places)
    spacing = np.broadcast_to(np.asarray(sampling) * 1.0, (len(steps),))
    squares = np.einsum("i...,i->...", steps**2, spacing**2)
    is_there = squares == 0
    return as_given(value, np.where(is_there, 0.0, np.sqrt(np.where(is_there, 1.0, squares))))


def steps_to(places: Any) -> Any:
    """How many cells away other cells are, along every axis."""
    return (places - np.indices(np.shape(places)[1:])) * 1.0


def chosen(distances: Any, places: Any, with_distances: Any, with_places: Any) -> Any:
    """What a call asks for."""
    if with_distances and with_places:
        return distances, places
    return distances if with_distances else places
