"""The columns of rows of numbers: `zip(*rows)`, and the cotangents of both."""

from __future__ import annotations

from typing import Any

from zygpy.runtime.sequences import mirrored


def columns(rows: Any) -> list[tuple[Any, ...]]:
    """The columns of rows of numbers, as many as the shortest row has items.

    >>> columns([[1.0, 2.0], (3.0, 4.0, 5.0)])
    [(1.0, 3.0), (2.0, 4.0)]
    """
    return list(zip(*rows, strict=False))


def rows_of(bars: Any, rows: Any) -> Any:
    """The cotangents of the rows of which there are those of the columns: zero, where there is no column.

    >>> rows_of([(1.0, 2.0), None], [[0.5, 0.5], (0.5, 0.5, 0.5)])
    [[1.0, 0.0], (2.0, 0.0, 0.0)]
    """
    filled = _filled(bars, len(rows))
    items: Any = zip(*filled, strict=True) if filled else [()] * len(rows)
    pairs = zip(rows, items, strict=True)
    return mirrored([mirrored((*each, *(0.0,) * (len(row) - len(filled))), row) for row, each in pairs], rows)


def columns_of(rows: Any, bars: Any) -> list[tuple[Any, ...]]:
    """The columns of cotangents of rows, as many as there are in `bars`.

    >>> columns_of([[1.0, 2.0], None], [(0.5, 0.5), None])
    [(1.0, 0.0), (2.0, 0.0)]
    """
    longest = [row if row is None else list(row)[: len(bars)] for row in rows]
    return list(zip(*_filled(longest, len(bars)), strict=True))


def _filled(parts: Any, count: int) -> list[Any]:
    """The parts, with so many zeros in place of what has no cotangent, and of each item that has none."""
    nothing = (0.0,) * count
    return [nothing if part is None else _numbers(part) for part in parts]


def _numbers(part: Any) -> Any:
    return [0.0 if item is None else item for item in part] if None in part else part
