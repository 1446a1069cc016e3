"""A long time integration whose loop keeps its state at some steps only: its time against that of a loop that
keeps all, and the peak memory of a process that differentiates a million steps."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times

STEPS = 20_000
"""How many steps are timed."""

SEGMENTS = 32
"""In how many parts a stretch is divided again and again."""

ENOUGH = 3


def integrate(u: Any, rate: float, steps: int) -> Any:
    """Explicit steps of a nonlinear decay of a vector."""
    for _ in range(steps):
        u = u - 1e-6 * np.sin(rate * u) * u
    return np.sum(u * u)


roots = zg.checkpointed()(integrate)
logarithms = zg.checkpointed(segments=SEGMENTS)(integrate)

MILLION = """\
import re, resource, sys, numpy as np, zygpy as zg
from benchmarks.probes.checkpoints import {name}
zg.gradient({name}, np.linspace(0.0, 1.0, 100), 0.5, 1_000_000)
if sys.platform == "linux":  # `getrusage` counts what the process was that began this one
    print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read()).group(1)) / 1024)
else:
    unit = 1024**2 if sys.platform == "darwin" else 1024
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)
"""


def readings(repeats: int) -> Iterator[Reading]:
    u = np.linspace(0.0, 1.0, 100)
    functions = {"all": integrate, "roots": roots, "logarithms": logarithms}
    times = best_times({name: _call(f, u) for name, f in functions.items()}, min(repeats, ENOUGH))
    plain, sqrt, log = times.values()
    yield Reading(f"{STEPS} steps, all kept", 1e3 * plain, "ms")
    yield Reading("checkpointed over all kept", sqrt / plain, "times", 2.5)
    yield Reading(f"in {SEGMENTS} segments, again divided, over all kept", log / plain, "times")
    for name in ("roots", "logarithms"):
        yield Reading(f"a million steps, {name}: peak of the process", _peak(name), "MB", 200.0)


def _call(f: Callable[..., Any], u: Any) -> Callable[[], object]:
    return lambda: zg.gradient(f, u, 0.5, STEPS)


def _peak(name: str) -> float:
    program = MILLION.format(name=name)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(done.stdout)
