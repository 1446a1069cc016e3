"""Functions that get cells in common with others, where what makes them is differentiated once more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zygpy.runtime.cells import (
    COMPUTED,
    cell_of,
    check_can_be_told,
    made_class,
    numbers_in,
    with_shared_cells,
)
from zygpy.runtime.places import Ignored
from zygpy.runtime.unknown_derivatives import unknown_parts
from zygpy.runtime.ways import Way


def by_function(way: Way, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`with_shared_cells`, `cell_of` and `made_class`; None for anything else."""
    if function is cell_of:
        return cell_of(*args), Ignored(2)  # what is in it is found by it
    if function is made_class:
        check_can_be_told(args[2:])
        return made_class(*args), Untold(args[2:])
    if function is not with_shared_cells:
        return None
    return with_shared_cells(*args), Shared(len(args) - 1)


class Untold:
    """The pullback of what makes a class: by what the text of the class computes with there is no derivative
    that is known."""

    def __init__(self, read: tuple[Any, ...]) -> None:
        self.read = read

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, None, None, *[unknown_parts(1.0, numbers_in(value), COMPUTED) for value in self.read])


class Shared:
    """Its pullback: a variable that holds a cell has the cotangent of what is in it."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __call__(self, y_bar: Any, store: Any) -> Any:
        return (None, y_bar, *(None,) * self.count)
