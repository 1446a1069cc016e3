"""Results as data and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.case import Case, Reading
from benchmarks.measure import HAND, PRIMAL, ZYGPY

COLUMNS = (PRIMAL, HAND, ZYGPY, "autograd", "PyTorch", "JAX")


def case_result(case: Case, seconds: dict[str, float]) -> dict[str, Any]:
    """Times in seconds, the two ratios of zygpy, and the limits they are meant to keep."""
    return {
        "name": case.name,
        "seconds": seconds,
        "zygpy / by hand": seconds[ZYGPY] / seconds[HAND],
        "zygpy / primal": seconds[ZYGPY] / seconds[PRIMAL],
        "limit to hand": case.limit_to_hand,
        "limit to primal": case.limit_to_primal,
    }


def reading_result(reading: Reading) -> dict[str, Any]:
    return {
        "name": reading.name,
        "value": reading.value,
        "unit": reading.unit,
        "limit": reading.limit,
    }


def case_table(results: Sequence[dict[str, Any]]) -> str:
    """Times in milliseconds; a ratio beyond its limit is marked with `!`."""
    rows = [["milliseconds", *COLUMNS, "zygpy/hand", "zygpy/primal"]]
    for result in results:
        times = [_milliseconds(result["seconds"].get(column)) for column in COLUMNS]
        to_hand = _limited(result["zygpy / by hand"], result["limit to hand"])
        to_primal = _limited(result["zygpy / primal"], result["limit to primal"])
        rows.append([result["name"], *times, to_hand, to_primal])
    return table(rows)


def reading_table(results: Sequence[dict[str, Any]]) -> str:
    rows = [["measured", "value", "unit"]]
    rows += [[r["name"], _limited(r["value"], r["limit"]), r["unit"]] for r in results]
    return table(rows)


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1e3 * seconds:.4g}"


def _limited(value: float, limit: float | None) -> str:
    shown = f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"
    if limit is None:
        return shown
    return f"{shown} {'<=' if value <= limit else '!>'} {limit:g}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells in columns; the first is flush left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
