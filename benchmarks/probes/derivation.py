"""How long it takes to transform and compile a function that was not seen before."""

from __future__ import annotations

import importlib.util
import linecache
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import zygpy as zg
from benchmarks.case import Reading

ENOUGH = 20
"""Each repeat needs a program of its own."""

TWENTY_LINES = """\
def {name}(x, n):
    total = 0.0
    y = x * x + 1.0
    z = math.exp(-y) + x
    for i in range(n):
        w = y * z + i
        if w > 2.0:
            y = math.sin(w) * z
            total = total + y
        else:
            z = z + math.cos(y) / (1.0 + w * w)
            total = total - z * x
        total = total * 0.5
    u = math.tanh(total)
    while u < 0.5:
        u = u + 0.25 * x * x
        total = total + u
    v = math.log(1.0 + u * u)
    r = v * total + y * z
    return r
"""


def readings(repeats: int) -> Iterator[Reading]:
    derive(functions([TWENTY_LINES.format(name="warm")], ["warm"])[0], 0.5, 3)
    names = [f"program_{number}" for number in range(min(repeats, ENOUGH))]
    programs = functions([TWENTY_LINES.format(name=name) for name in names], names)
    best = min(derive(program, 0.5, 3) for program in programs)
    yield Reading("derive 20 lines", 1e3 * best, "ms", 20.0)
    seconds = {length: derive(straight_line(length), 0.5) for length in (250, 1000)}
    yield Reading("derive 1,000 statements", seconds[1000], "s", 10.0)
    yield Reading("1,000 statements over 250", seconds[1000] / seconds[250], "times", 8.0)


def derive(function: Callable[..., Any], *arguments: Any) -> float:
    """Seconds of the first pullback, which runs the function too."""
    start = time.process_time()
    zg.pullback(function, *arguments)
    return time.process_time() - start


def straight_line(length: int) -> Callable[..., Any]:
    """A function of this many assignments."""
    lines = [f"    y{i} = math.sin(y{i - 1}) * x + 0.5 * y{max(0, i - 2)}" for i in range(1, length)]
    source = ["def straight(x):", "    y0 = x * x", *lines, f"    return y{length - 1}", ""]
    return functions(["\n".join(source)], ["straight"])[0]


def functions(sources: Sequence[str], names: Sequence[str]) -> list[Callable[..., Any]]:
    """Functions from source texts, by way of a file, as their source has to be found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text("import math\n\n" + "\n\n".join(sources), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("program", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        linecache.getlines(str(path))  # keeps the text when the file is gone
    return [getattr(module, name) for name in names]
