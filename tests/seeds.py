"""Cotangents of the form of a result, and what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import zygpy as zg


def as_a_seed(result: Any, count: Iterator[int]) -> Any:
    """A cotangent of the form of a result, each number in it another one."""
    if isinstance(result, dict):
        return {key: as_a_seed(item, count) for key, item in result.items()}
    if isinstance(result, list | tuple):
        return type(result)([as_a_seed(item, count) for item in result])
    if hasattr(result, "__dict__"):
        return zg.Record({name: as_a_seed(item, count) for name, item in vars(result).items()})
    return 0.5 + 0.37 * next(count)


def flat(gradient: Any, like: Any) -> list[float]:
    """The numbers of a gradient, zeros where there is none, in the order of what it belongs to."""
    if isinstance(like, dict):
        return [n for key, item in like.items() for n in flat((gradient or {}).get(key), item)]
    if isinstance(like, list | tuple):
        parts = [None] * len(like) if gradient is None else gradient
        return [n for part, item in zip(parts, like, strict=True) for n in flat(part, item)]
    if hasattr(like, "__dict__"):
        fields = gradient._asdict() if isinstance(gradient, zg.Record) else gradient
        return flat(fields if isinstance(fields, dict | None) else vars(fields), vars(like))
    return [0.0 if gradient is None else float(gradient)]
