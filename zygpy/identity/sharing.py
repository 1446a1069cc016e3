"""Functions that get cells in common with others, where what makes them is differentiated once more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zygpy.runtime.cells import cell_of, made_class, with_shared_cells
from zygpy.runtime.places import Ignored
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`with_shared_cells(f, *names)`, `cell_of(f)` and `made_class(make, *read)`; None for anything else."""
    if function is cell_of:
        return cell_of(*args), Ignored(2)  # what is in it is found by it
    if function is made_class:
        return made_class(*args), Ignored(len(args) + 1)
    if function is not with_shared_cells:
        return None
    return with_shared_cells(*args), Shared(len(args) - 1)


class Shared:
    """Its pullback: a variable that holds a cell has the cotangent of what is in it."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, y_bar, *(None,) * self.count)
