"""Cells: what holds the variables that functions share."""

from __future__ import annotations

from types import CellType
from typing import Any


def cell_of(function: Any) -> CellType:
    """The one cell of `lambda: x`."""
    cell: CellType = function.__closure__[0]
    return cell


def content(cell: CellType) -> Any:
    """What a shared variable holds now; None where it is not bound."""
    try:
        return cell.cell_contents
    except ValueError:
        return None
