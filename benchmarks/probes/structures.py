"""Programs over every structure that people keep numbers in, read in every way: the gradient's time over the
program's own. None has a person's derivative beside it; what stands out, or grows, is where to look next."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import zygpy as zg
from benchmarks.case import Reading
from benchmarks.measure import best_times

SIZES = 100, 800

ITEMS = {
    "numbers": ("{u}", "{t} * {t}"),
    "lists": ("[{u}, {v}]", "{t}[0] * {t}[1]"),
    "tuples": ("({u}, {v})", "{t}[0] * {t}[1]"),
    "dicts": ("{{'a': {u}, 'b': {v}}}", "{t}['a'] * {t}['b']"),
    "objects": ("Pair({u}, {v})", "{t}.a * {t}.b"),
    "objects with slots": ("Slots({u}, {v})", "{t}.product()"),
    "arrays": ("np.array([{u}, {v}])", "{t}[0] * {t}[1]"),
}
"""What is held: how one is made of two numbers, and a number that is computed from it."""

HOLDERS = {
    "list": "[{item} for i in range(n)]",
    "dict": "{{i: {item} for i in range(n)}}",
}

READERS = {
    "by index": ("for i in range(n):\n        s += {h[i]}", ("list", "dict")),
    "in a loop": ("for t in h:\n        s += {t}", ("list",)),
    "by a key that is sorted": (
        "for t in sorted(h, key=lambda t: {t}):\n        s = 0.9 * s + {t}",
        ("list",),
    ),
    "beside the last": (
        "last = None\n    for t in h:\n        if last is not None:\n            s += {t} * {last}\n"
        "        last = t",
        ("list",),
    ),
    "by values": ("for t in h.values():\n        s += {t}", ("dict",)),
    "by keys": ("for k in h:\n        s += {h[k]}", ("dict",)),
    "where they are": (
        "for i in range(n + 5):\n        t = h.get(i)\n        if t is not None:\n            s += {t}",
        ("dict",),
    ),
}

PLACES = {
    "given": ("def f(h, n):\n    s = 0.0\n    $read\n    return s\n", "h"),
    "in a field": ("def f(o, n):\n    s = 0.0\n    $read\n    return s\n", "o.h"),
    "made": ("def f(x, n):\n    h = $holder\n    s = 0.0\n    $read\n    return s\n", "h"),
}

HEAD = """
import numpy as np


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b

    def product(self):
        return self.a * self.b


class Holder:
    def __init__(self, h):
        self.h = h


def make(x, n):
    return $holder


"""


def source(place: str, holder: str, item: str, reader: str) -> str:
    """The text of a module with a program `f`, and with `make`, which makes what it reads."""
    text, whole = PLACES[place]
    made, value = ITEMS[item]
    read = READERS[reader][0]
    for name in ("h[i]", "h[k]", "last", "t"):
        read = read.replace("{" + name + "}", value.replace("{t}", name))
    if whole != "h":
        read = read.replace("h[", f"{whole}[").replace("h.", f"{whole}.").replace(" h", f" {whole}")
        read = read.replace("(h,", f"({whole},")
    made = HOLDERS[holder].format(item=made.format(u="x[i]", v="x[-1 - i]"))
    return (HEAD + text).replace("$holder", made).replace("$read", read)


def readings(repeats: int) -> Iterator[Reading]:
    """Every combination at the larger size, and how much more that is than at the smaller one."""
    with tempfile.TemporaryDirectory() as folder:
        for place, holder, item, reader in combinations():
            module = _loaded(Path(folder), source(place, holder, item, reader))
            times = best_times(_calls(module, place), repeats)
            small, large = (times[f"gradient {size}"] / times[f"primal {size}"] for size in SIZES)
            name = f"{holder} of {item}, {place}, {reader}"
            yield Reading(name, large, "times the program")
            yield Reading(f"{name}: growth", large / small, "times")


def combinations() -> Iterator[tuple[str, str, str, str]]:
    """Places, holders, items and readers that fit each other."""
    for place in PLACES:
        for reader, (_, holders) in READERS.items():
            for holder in holders:
                for item in ITEMS:
                    yield place, holder, item, reader


def _calls(module: ModuleType, place: str) -> dict[str, Callable[[], object]]:
    calls: dict[str, Callable[[], object]] = {}
    for size in SIZES:
        given: Any = [0.5 + (0.37 * i) % 1.0 for i in range(size)]
        if place != "made":
            given = module.make(given, size)
        if place == "in a field":
            given = module.Holder(given)
        calls[f"primal {size}"] = _called(module.f, given, size)
        calls[f"gradient {size}"] = _called(zg.gradient, module.f, given, size)
    return calls


def _called(function: Callable[..., object], *args: Any) -> Callable[[], object]:
    return lambda: function(*args)


def _loaded(folder: Path, text: str) -> ModuleType:
    name = f"structure_{len(list(folder.iterdir()))}"
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
