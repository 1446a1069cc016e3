"""How long `import zygpy` takes when NumPy is there already."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.case import Reading

ENOUGH = 10
"""Each repeat needs an interpreter of its own."""

PROGRAM = """\
import time, numpy
start = time.process_time()
import zygpy
print(time.process_time() - start)
"""


def readings(repeats: int) -> Iterator[Reading]:
    seconds = min(_seconds() for _ in range(min(repeats, ENOUGH)))
    yield Reading("import zygpy over numpy", 1e3 * seconds, "ms", 100.0)


def _seconds() -> float:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    return float(done.stdout)
