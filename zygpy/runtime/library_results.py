"""Results of libraries that are tuples and have fields beside their items, such as those of tests of
`scipy.stats`."""

from __future__ import annotations

from typing import Any

import numpy as np

from zygpy.errors import MissingRuleError

COUNTS = frozenset({"_n"})
"""Fields that are counts, though there are floats in them."""


def refuse_beside_items(value: Any, name: str) -> None:
    """Raise MissingRuleError where numbers are read that stand beside the items of a library's tuple: a rule
    gives cotangents to the items alone.

    >>> refuse_beside_items((1.0, 2.0), "count")
    """
    if not isinstance(value, tuple) or not type(value).__module__.startswith("scipy."):
        return
    fields = getattr(value, "__dict__", {})
    if name == "__dict__" or name in COUNTS or not _has_floats(fields.get(name)):
        return
    raise MissingRuleError(
        f"There is no rule for {name!r} of a '{type(value).__name__}'.",
        why=f"of what SciPy gives the items ({', '.join(getattr(value, '_fields', ()))}) have derivatives",
        instead="compute it yourself, of these or of the sample",
    )


def _has_floats(value: Any) -> bool:
    return isinstance(value, float | np.floating) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "fc"
    )
