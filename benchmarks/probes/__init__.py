"""What is measured as a single number: overhead, derivation, import, linearity, accesses, memory,
checkpoints, second derivatives and structures."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchmarks.case import Reading
from benchmarks.probes import (
    accesses,
    checkpoints,
    derivation,
    everyday,
    importing,
    linearity,
    memory,
    overhead,
    second_order,
    structures,
)

PROBES: dict[str, Callable[[int], Iterable[Reading]]] = {
    "overhead": overhead.readings,
    "derivation": derivation.readings,
    "linearity": linearity.readings,
    "accesses": accesses.readings,
    "memory": memory.readings,
    "checkpoints": checkpoints.readings,
    "import": importing.readings,
    "second order": second_order.readings,
    "everyday second order": everyday.readings,
    "structures": structures.readings,
}
"""From a name to a function that takes the number of repeats."""
