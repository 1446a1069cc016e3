"""What is measured as a single number: overhead, derivation, import, linearity, accesses and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchmarks.case import Reading
from benchmarks.probes import accesses, derivation, importing, linearity, memory, overhead

PROBES: dict[str, Callable[[int], Iterable[Reading]]] = {
    "overhead": overhead.readings,
    "derivation": derivation.readings,
    "linearity": linearity.readings,
    "accesses": accesses.readings,
    "memory": memory.readings,
    "import": importing.readings,
}
"""From a name to a function that takes the number of repeats."""
